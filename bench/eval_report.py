"""What `eval.py` measured, as Markdown."""

from typing import TYPE_CHECKING

import mujoco

import machine
from eval_mujoco import COARSE, FINE, FINE_PIECES
from page import number, table

if TYPE_CHECKING:
    from eval import Look, Outcome

BEGIN = "<!-- Grasps of `{}`: written by `cargo xtask eval`; do not edit. -->"
END = "<!-- The end of the grasps of `{}`. -->"
"""Marks of a page, with the name of a case."""

NEARBY = 8
"""So many times each trial that is looked at is run with the hand a little elsewhere: ..."""
NEAR = "position=0.0002,angle=0.2"
"""... standard deviations, m and degrees."""

WHAT = {
    "jaw": "antipodal grasps of the bunny with the parallel jaw `g2p` under `acronym`",
    "shadow": "grasps of the bunny with the Shadow Hand of `shadow-bunny` under `dexgraspbench`",
}


def text(outcome: "Outcome", finer: str) -> str:
    """All that stands between the marks of a case."""
    head = ["grasps", "Volar", "held", "Volar, grasps/s per core", "in MuJoCo", "held by it"]
    head += ["MuJoCo, grasps/s per core", "ratio"]
    parts = [
        f"### {WHAT[outcome.case.name].capitalize()}",
        f"{machine.describe()}; MuJoCo {mujoco.__version__}, `mujoco.rollout`, "
        f"{1e3 * COARSE.step:g} ms, elliptic cones, `impratio` 10, {COARSE.noslip} noslip "
        "iterations, convex pieces by CoACD, from one `volar export` of the evaluation. Rates are "
        "of processor time; Volar's have planning, table and report in them, MuJoCo's the steps "
        "alone.",
        table(head, [_speed(outcome)]),
    ]
    return "\n\n".join(parts + _verdicts(outcome, finer))


def _speed(outcome: "Outcome") -> list[str]:
    ours = outcome.count / outcome.cpu_s
    theirs = outcome.compared / outcome.their_cpu_s
    return [
        outcome.case.name,
        number(outcome.count),
        number(outcome.count - sum(outcome.failures.values())),
        number(ours),
        number(outcome.compared),
        number(sum(outcome.theirs.values())),
        number(theirs),
        f"{ours / theirs:.2f}",
    ]


def _verdicts(outcome: "Outcome", finer: str) -> list[str]:
    pairs = [(outcome.ours[i], outcome.theirs[i]) for i in outcome.theirs]
    differ = sum(a != b for a, b in pairs)
    rows = [
        [f"Volar: {'held' if ours else 'not held'}"]
        + [number(pairs.count((ours, theirs))) for theirs in (True, False)]
        for ours in (True, False)
    ]
    share = 100.0 * differ / max(1, len(pairs))
    chosen = "all" if outcome.compared == outcome.count else "a random part of the list"
    parts = [
        f"Verdicts differ for {differ} of {len(pairs)} grasps ({share:.1f} %; {chosen}). "
        f"{'; '.join(outcome.notes)}.",
        table(["verdicts", "MuJoCo: held", "MuJoCo: not held"], rows),
    ]
    if not outcome.looks:
        return parts
    folder = f"target/eval/{outcome.case.name}/out"
    head = ["trial", "Volar", "finer", "MuJoCo", "finer", "with finer pieces", "force closure"]
    head += ["nearby: Volar", "MuJoCo", "right", "why not held, in Volar's finer run"]
    word = {True: "held", False: "not", None: "no contact"}
    rows = [
        [str(look.row), word[look.ours], word[look.ours_fine], word[not look.ours]]
        + [word[look.theirs_fine], word[look.theirs_pieces]]
        + [{True: "yes", False: "no", None: "no contact"}[look.closure]]
        + [str(look.ours_nearby), str(look.theirs_nearby)]
        + [right(look), look.failure.removeprefix("not held: ")]
        for look in outcome.looks
    ]
    counts: dict[str, int] = {}
    for look in outcome.looks:
        counts[right(look)] = counts.get(right(look), 0) + 1
    said = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    parts += [
        f"{len(rows)} of those that differ, drawn at random, again: Volar with a tolerance of "
        f"{finer}; MuJoCo with {1e3 * FINE.step:g} ms, {FINE.noslip} noslip iterations, a "
        f"tolerance of {FINE.tolerance:g} and contacts of {1e3 * FINE.hardness:g} ms; and with "
        f"pieces of concavity {FINE_PIECES.concavity:g} in place of {COARSE.concavity:g}. Right is "
        "whose first verdict all three finer runs agree with; where MuJoCo agrees with Volar only "
        "with finer pieces, these are the cause. Nearby: how many of "
        f"{NEARBY} trials hold in which the hand is off by {NEAR} (standard deviations, m and "
        "degrees); where an engine is not of one mind about these, the grasp hangs on less than "
        "anybody can place a hand by, and neither is wrong. All others are open. "
        "Force closure is that of Volar's contacts at the end of closing (patches, "
        f"[quality](quality.md)). Sum: {said}. See one again with "
        f"`volar sweep run {folder} TRIAL --out replay`.",
        table(head, rows),
    ]
    return parts


def right(look: "Look") -> str:
    """Whose first verdict stands."""
    finer = (look.ours_fine, look.theirs_fine, look.theirs_pieces)
    if all(verdict == look.ours for verdict in finer):
        return "Volar"
    if all(verdict != look.ours for verdict in finer):
        return "MuJoCo"
    if look.ours_fine == look.ours and look.theirs_pieces == look.ours:
        return "Volar, by the pieces"
    if {look.ours_nearby, look.theirs_nearby} - {0, NEARBY}:
        return "neither: marginal"
    if look.ours_fine != look.ours:
        return "open: Volar's changes"
    return "open: each stands"
