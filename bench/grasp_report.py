"""What was measured of the grasps, against the bars the project sets itself."""

from dataclasses import dataclass, field
from importlib.metadata import version

import machine
import scenes
from measures import Measures
from page import table, verdict
from peer_mujoco import COARSE, DEFAULTS, LEAN, TUNED, bunny_parts
from scenes import Scene

REAL_TIME_BARS = {
    **{scene.name: 20.0 for scene in scenes.GRASPS},
    **{scene.name: 10.0 for scene in scenes.HANDS},
}
"""Simulated seconds per second, at least."""
RATIO_BARS = {
    **{scene.name: 2.0 for scene in scenes.GRASPS},
    **{scene.name: 1.5 for scene in scenes.SHAKES},
    **{scene.name: 2.5 for scene in scenes.HANDS},
}
"""Times faster than MuJoCo, at least."""
VOLAR = "Volar"
PRIMITIVES = "MuJoCo, primitives"


@dataclass
class Engine:
    """An engine with its settings on one scene."""

    seconds: float | None = None
    """Processor time of the shortest run; None: no run to the end."""
    measures: Measures | None = None
    refused: str | None = None
    """Why there are no measures."""

    def add(self, seconds: float) -> None:
        """Take in the time of another run."""
        self.seconds = min(seconds, self.seconds or seconds)

    @property
    def real_time_factor(self) -> float | None:
        """Simulated seconds per second."""
        return scenes.DURATION / self.seconds if self.seconds else None

    def fate(self) -> str:
        """The drift of an object that is held, mm, or what became of it."""
        if self.measures and self.measures.held:
            return f"{self.measures.drift_mm:.2f}"
        return (self.measures.failure if self.measures else None) or "no run"


@dataclass
class Result:
    """All engines on one scene, by title."""

    scene: Scene
    engines: dict[str, Engine] = field(default_factory=dict)

    @property
    def volar(self) -> Engine:
        """Ours."""
        return self.engines[VOLAR]

    @property
    def mujoco(self) -> Engine:
        """The peer at the settings the bars are about."""
        return self.engines[COARSE.title]

    def ratio(self) -> float | None:
        """How many times faster than MuJoCo."""
        if not self.volar.seconds or not self.mujoco.seconds:
            return None
        return self.mujoco.seconds / self.volar.seconds

    def fast_beside(self) -> bool:
        """Whether it is as many times faster than MuJoCo as it should be."""
        return (self.ratio() or 0.0) >= RATIO_BARS[self.scene.name]

    def misses(self) -> list[str]:
        """Which bars Volar does not meet, and by how much."""
        if not (self.volar.measures and self.volar.measures.held):
            return [self.volar.refused or self.volar.fate()]
        missed = []
        ratio, factor = self.ratio(), self.volar.real_time_factor
        if ratio and not self.fast_beside():
            bar = RATIO_BARS[self.scene.name]
            missed.append(f"{ratio:.2f} × as fast as MuJoCo instead of {bar:g} ×")
        lean = self.engines[LEAN.title].seconds
        if lean and self.volar.seconds and lean < self.volar.seconds:
            missed.append(f"{self.volar.seconds / lean:.2f} × the time of MuJoCo, lean")
        bar = REAL_TIME_BARS.get(self.scene.name)
        if bar and factor and factor < bar:
            missed.append(f"{factor:.2f} × real time instead of {bar:.0f} ×")
        return missed


def progress_line(result: Result) -> str:
    """One line for whoever waits."""
    parts = [f"{title} {_seconds(engine)}" for title, engine in result.engines.items()]
    missed = "".join(f"; missed: {miss}" for miss in result.misses())
    return f"{result.scene.name:12} {', '.join(parts)}{missed}"


def tables(results: list[Result]) -> str:
    """All tables, as Markdown that a terminal shows as well."""
    parts = [
        f"Processor seconds for {scenes.DURATION:.0f} s. ×: how many times faster Volar is than "
        "MuJoCo, beside the least it should be. Real time: simulated seconds per second.",
        _time_table(results),
        _missed(results),
        "### What becomes of the object",
        "Drift and rotation from 2 s to 10 s in the frame of the palm, the mean normal force of "
        "each finger in the last second (of the hand: first, middle, ring, little, thumb), the "
        "largest depth of the whole run, and of shakes the kinetic energy against that of an "
        "object held without play.",
        _outcome_table(results),
        "### What it takes MuJoCo to hold it",
        "Drift in mm, or when the object is lost: more than 25 mm away.",
        _settings_table(results),
    ]
    return "\n\n".join(parts) + "\n"


def document(results: list[Result], pinned: bool, rounds: int) -> str:
    """Write the part of `docs/performance.md` about grasps."""
    core = "on the same core" if pinned else "not pinned to a core"
    hand = f"gymnasium-robotics {version('gymnasium-robotics')}"
    return f"""\
Measured on {machine.describe()}, MuJoCo {version("mujoco")}, CoACD {version("coacd")}. Compare \
numbers within one run only.

- The scenes are those of `volar run`: three grippers (`g2p`, `g2r`, `g3r`) that hold a cube, a \
sphere and a bunny of 0.2 kg for 10 s with friction 0.8; the third of them shaken; a Shadow Hand \
that holds the bunny and turns over. `bench/scenes.py` has the same numbers for MuJoCo.
- Both have the same shapes: links and cube are boxes, the sphere is a mesh of 1,280 triangles, \
the hand that of `crates/volar-scene/assets/shadow`. Only the bunny differs, for MuJoCo knows \
nothing but convex meshes: there it is {len(bunny_parts())} convex parts made by CoACD. \
Primitives: a true sphere, and the hand of {hand} with its capsules and boxes.
- MuJoCo: steps of 2 ms, elliptic cones, `impratio` 10, ten `noslip` iterations, Newton, the rest \
as it comes. Lean: also without islands and with one contact for each pair of meshes, the fastest \
we have found that holds everything. Tuned: as MuJoCo, but 1 ms and `solref` 2 ms, to be \
accurate. A gravity that moves (shakes, the turn) is set from Python before every step; all other \
runs are one call.
- Volar: as it comes.
- One thread each, {core}, nothing recorded, the engines in turn on each scene. Times are of the \
processor, so that other work on the machine does not count; on a quiet one they are those of the \
clock. They are the shortest of {rounds} runs or more, without loading and compiling: for Volar \
the time of a run of no length is taken off.

{tables(results)}"""


def _time_table(results: list[Result]) -> str:
    head = ["scene", VOLAR, COARSE.title, "×", "bar", "", LEAN.title, PRIMITIVES]
    head += ["Volar, real time", "bar", "", "MuJoCo, real time"]
    rows = []
    for r in results:
        ratio, factor = r.ratio(), r.volar.real_time_factor
        bar = REAL_TIME_BARS.get(r.scene.name)
        held = bool(r.volar.measures and r.volar.measures.held)
        rows.append(
            [r.scene.name, _seconds(r.volar), _seconds(r.mujoco)]
            + [f"{ratio:.2f}" if ratio else "", f"{RATIO_BARS[r.scene.name]:g}"]
            + [verdict(held and r.fast_beside())]
            + [_seconds(r.engines[LEAN.title]), _seconds(r.engines.get(PRIMITIVES, Engine()))]
            + [_factor(factor), _factor(bar)]
            + [verdict(held and (factor or 0.0) >= bar) if bar else ""]
            + [_factor(r.mujoco.real_time_factor)]
        )
    return table(head, rows)


def _missed(results: list[Result]) -> str:
    lines = [f"- {r.scene.name}: {', '.join(r.misses())}" for r in results if r.misses()]
    return "\n".join(["Missed:", "", *lines]) if lines else "No bar is missed."


def _outcome_table(results: list[Result]) -> str:
    head = ["scene", "engine", "held", "drift, mm", "rotation, °", "normal forces, N"]
    head += ["depth, mm", "energy"]
    rows = []
    for r in results:
        for title in (VOLAR, COARSE.title, TUNED.title):
            m = r.engines[title].measures
            if not m:
                rows.append([r.scene.name, title, "no run", *[""] * 5])
            elif not m.held:
                rows.append([r.scene.name, title, m.failure or "no", *[""] * 5])
            else:
                order = r.mujoco.measures.forces if r.mujoco.measures else m.forces
                forces = " / ".join(f"{m.forces[finger]:.2f}" for finger in order)
                energy = "" if m.energy_ratio is None else f"{m.energy_ratio:.4f}"
                rows.append(
                    [r.scene.name, title, "yes", f"{m.drift_mm:.3f}", f"{m.rotation_deg:.3f}"]
                    + [forces, f"{m.max_depth_mm:.2f}", energy]
                )
    return table(head, rows)


def _settings_table(results: list[Result]) -> str:
    titles = [VOLAR, DEFAULTS.title, COARSE.title, LEAN.title, TUNED.title]
    rows = [[r.scene.name, *(r.engines[title].fate() for title in titles)] for r in results]
    held, seconds = ["held"], ["seconds, all scenes"]
    for title in titles:
        engines = [r.engines[title] for r in results]
        kept = sum(bool(e.measures and e.measures.held) for e in engines)
        held.append(f"{kept} of {len(engines)}")
        whole = all(e.seconds for e in engines)
        seconds.append(f"{sum(e.seconds or 0.0 for e in engines):.2f}" if whole else "")
    return table(["scene", *titles], [*rows, held, seconds])


def _seconds(engine: Engine) -> str:
    return f"{engine.seconds:.3f}" if engine.seconds else ""


def _factor(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}" if value >= 20 else f"{value:.1f}"
