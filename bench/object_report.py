"""What was measured of the objects of other people, against the bars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

import machine
import scenes
from object_meshes import LENGTH, MASS, PIECES, Object
from page import table, verdict
from scenes import GRIPPERS

BARS = {"5 %": 8.0, "median": 40.0, "least": 1.0}
"""Of the real-time factor of each gripper."""
MOVES = 1.0
"""Speed of an object that is not at rest, µm/s."""
INSIDE = 1e-3
"""An object that is deeper than this in a finger at the start was put there, mm."""
BALANCED_WAY = 0.5
"""No balance on less than this part of the way out does not explain a loss."""
LISTED = 12
TICK = 4e-3
"""Linux may count processor time in steps of this, s."""


@dataclass
class Grasped:
    """One grasp by both engines."""

    ours: dict[str, Any]
    their_seconds: float
    they_hold: bool

    @property
    def name(self) -> str:
        """Gripper, object and pose."""
        return f"{self.ours['gripper']} {self.ours['object']} {self.ours['pose']}"

    @property
    def factor(self) -> float:
        """Simulated seconds per processor second of Volar."""
        return self.ours["simulated_s"] / max(self.ours["cpu_s"], TICK)

    @property
    def their_factor(self) -> float:
        """Those of MuJoCo."""
        return scenes.DURATION / self.their_seconds

    @property
    def ratio(self) -> float:
        """How many times faster Volar is."""
        return self.factor / self.their_factor


def progress_line(one: Grasped) -> str:
    """One line for whoever waits."""
    fate = "held" if one.ours["held"] else "lost"
    wrong = "" if one.ours["complaint"] is None else f"; {one.ours['complaint']}"
    return f"{one.name:50} {fate}, {one.factor:.1f} x real time, {one.ratio:.2f} x MuJoCo{wrong}"


def document(objects: list[Object], grasped: list[Grasped], seed: int, pinned: bool) -> str:
    """Write `docs/objects.md`."""
    core = "on the same core" if pinned else "not pinned to a core"
    pieced = sum(PIECES in thing.source for thing in objects)
    triangles = [thing.triangles for thing in objects]
    pieces = [len(thing.pieces) for thing in objects]
    packages = f"pybullet {version('pybullet')} and gymnasium-robotics {_gymnasium()}"
    return f"""\
<!-- Written by `cargo xtask objects`; do not edit. -->
# Objects of other people

{len(grasped)} grasps of {len(objects)} objects that nobody chose: {pieced} of `random_urdfs` and \
{len(objects) - pieced} other meshes (household things, links of robots) of the PyPI packages \
{packages}, drawn by seed {seed}, repaired by `volar check --repair` where that is needed, scaled \
to {1e3 * LENGTH:.0f} mm, {MASS} kg. Each is put between the fingers of `g2p`, `g2r` and `g3r` \
with its centre of mass at the origin, as its file has it, and two of three also turned; the \
grippers close as in the [nine grasps](grasps.md). Many objects are lost, and should be: nothing \
looks for a good grasp. `--seed` of `bench/objects.py` draws others.

Measured on {machine.describe()}, MuJoCo {version("mujoco")} (2 ms, elliptic cones, `impratio` \
10, ten `noslip` iterations; convex pieces: those of `random_urdfs`, else by pybullet's V-HACD at \
a resolution of 50,000). Triangles: {_range(triangles)}; pieces: \
{_range(pieces)}. Processor time of one thread without loading, {core}; compare numbers within \
one run only.

## Speed

{_speed(grasped)}

Slowest:

{_slowest(grasped)}

## Right

{_right(grasped)}

{_complaints(grasped)}
"""


def _gymnasium() -> str:
    return version("gymnasium-robotics")


def _range(values: Sequence[int]) -> str:
    return f"{min(values):,} to {max(values):,}, median {int(np.median(values)):,}"


def _figures(values: Sequence[float]) -> dict[str, float]:
    low, middle = np.percentile(values, [5.0, 50.0])
    return {"5 %": float(low), "median": float(middle), "least": float(min(values))}


def _speed(grasped: list[Grasped]) -> str:
    """Real-time factors per gripper."""
    head = ["gripper", "grasps", "real time:", "5 %", "median", "least", ""]
    head += ["MuJoCo:", "5 %", "median", "least", "ratio:", "5 %", "median", "least"]
    rows = []
    for gripper in GRIPPERS:
        own = [one for one in grasped if one.ours["gripper"] == gripper]
        ours = _figures([one.factor for one in own])
        theirs = _figures([one.their_factor for one in own])
        ratio = _figures([one.ratio for one in own])
        met = all(ours[name] >= bar for name, bar in BARS.items())
        rows.append(
            [gripper, str(len(own)), ""]
            + [f"{ours[name]:.1f}" for name in BARS]
            + [verdict(met), ""]
            + [f"{theirs[name]:.1f}" for name in BARS]
            + [""]
            + [f"{ratio[name]:.2f}" for name in BARS]
        )
    bars = ["bar", "", "", *(f"{bar:.0f}" for bar in BARS.values()), *[""] * 9]
    return table(head, [*rows, bars])


def _slowest(grasped: list[Grasped]) -> str:
    worst = sorted(grasped, key=lambda one: one.factor)[:LISTED]
    rows = [
        [one.name, f"{one.factor:.1f}", f"{one.their_factor:.1f}"]
        + [str(one.ours["evaluations"]), str(one.ours["rejected"])]
        + [f"{1e6 * one.ours['cpu_s'] / max(1, one.ours['evaluations']):.0f}"]
        + ["yes" if one.ours["held"] else "no", "yes" if one.they_hold else "no"]
        for one in worst
    ]
    head = ["grasp", "real time", "MuJoCo's", "evaluations", "rejected steps"]
    head += ["µs per evaluation", "held", "by MuJoCo"]
    return table(head, rows)


FATES = (None, "dropped", "turned", "moving", "too_few_fingers")
"""What may become of an object; anything else is a fault of the program."""


def _right(grasped: list[Grasped]) -> str:
    """Counts per gripper."""

    def count(own: list[Grasped], what: Callable[[dict[str, Any]], bool]) -> str:
        return str(sum(what(one.ours) for one in own))

    rows = []
    for gripper in GRIPPERS:
        own = [one for one in grasped if one.ours["gripper"] == gripper]
        held = [one.ours for one in own if one.ours["held"]]
        inside = [row["start_depth_mm"] for row in held if row["start_depth_mm"] > INSIDE]
        depths = [row["max_depth_mm"] for row in held if row["start_depth_mm"] <= INSIDE]
        rows.append(
            [gripper, str(len(own))]
            + [count(own, lambda row: row["kind"] not in FATES)]
            + [count(own, lambda row: bool(row["held"]))]
            + [str(sum(one.they_hold for one in own))]
            + [str(sum(one.they_hold == bool(one.ours["held"]) for one in own))]
            + [count(own, lambda row: bool(row["held"]) and row["creep_um_per_s"] > MOVES)]
            + [count(own, lambda row: bool(row["held"]) and (row["later_um_per_s"] or 0.0) > MOVES)]
            + [count(own, lambda row: row["complaint"] is not None)]
            + [f"{max(depths, default=0.0):.2f}"]
            + [f"{len(inside)}, by up to {max(inside):.2f} mm" if inside else "0"]
        )
    head = ["gripper", "grasps", "program failed", "held", "held by MuJoCo", "both alike"]
    head += ["held, > 1 µm/s at 10 s", "at 40 s", "unexplained", "greatest depth, mm"]
    head += ["start in a finger"]
    return (
        table(head, rows)
        + f"""

Objects at rest at the end, held or elsewhere in the gripper, must be in balance as they are (a
non-negative least-squares fit over their contacts, Coulomb's cones, the joints' efforts and stops
leaves less than 1 %). Lost ones must have had no balance on most of their way out, between 12.5 and
25 mm from where they started; or, where a balance was possible, their surface must have moved
against those that bear it (mean of the contacts by their loads) only where friction was at its
limit, but for a tenth of their way, which is what bristles stretch by before they slip. For a
balance that is possible need not come about: what slides carries μN against its motion, what swings
on two tips passes through its balance, and fingers of constant effort are a linkage that may be
unstable ([grasps](grasps.md#shapes-with-teeth-and-tips)). Friction that is lost without slip would
show as such a walk. {_walks(grasped)}

One that moves by more than 1 µm/s at 10 s is run to 40 s: it must have come to rest, move with its
fingers (a mechanism that sways), or swing: the ends of its way over 4 s are nearer than a fifth of
its length, and its energy has fallen. What is not so is unexplained.

The greatest depth is that of held objects that start free of the fingers. Some that were turned are
wider than the gripper is open and start in a finger: that is where they were put, and how they come
out of it is up to [start](contact.md#starts-in-overlap)."""
    )


def _walks(grasped: list[Grasped]) -> str:
    """How many lost objects the second rule is about, and how near they come to its bound."""
    lost = [one for one in grasped if not one.ours["held"] and not one.ours["rests"]]
    balanced = [one for one in lost if one.ours["statics"] < BALANCED_WAY]
    if not balanced:
        return f"No lost object of {len(lost)} had a balance on most of its way."
    most = max(balanced, key=lambda one: one.ours["walked"])
    return (
        f"{len(balanced)} of {len(lost)} lost objects had a balance on most of their way; the one "
        f"that walked most did so by {most.ours['walked']:.3f} of it ({most.name})."
    )


def _complaints(grasped: list[Grasped]) -> str:
    wrong = [one for one in grasped if one.ours["complaint"] is not None]
    if not wrong:
        return "Nothing is unexplained."
    return "Unexplained:\n\n" + "\n".join(f"- {o.name}: {o.ours['complaint']}" for o in wrong)
