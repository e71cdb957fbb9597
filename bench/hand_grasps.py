"""A ball of 60 mm in every hand, or the largest it closes on, by `volar grasp` and nothing else."""

import re
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import peer_mujoco_file
from hand_files import HandFile
from page import table
from volar import Volar, one_line

BALL = 60
"""Diameter of the ball, mm."""
SMALLER = re.compile(r"does not fit .* which close on a ball of (\d+) mm")
"""How `volar grasp` refuses it, and the one that it names."""
LIMIT = 15.0
"""Wall time after which a run ends, s."""
JAWS = 2


@dataclass
class Grasp:
    """What became of a hand."""

    file: HandFile
    ball: int = BALL
    """Diameter of the ball, mm."""
    fingers: int = 0
    held: bool = False
    phases: str = ""
    """Held or not under gravity from each of the four sides."""
    why: str = ""
    """Why it does not load, is no hand, or does not hold."""
    loads: bool = False
    runs: bool = False
    """Whether a grasp was simulated, to its end or to the limit."""
    factor: float = 0.0
    """Simulated time by wall time."""
    evaluations: int = 0
    peer: str = ""
    """What MuJoCo makes of the same file."""


def grasp(volar: Volar, file: HandFile) -> Grasp:
    """Grasp the ball, or a smaller one in a smaller hand."""
    outcome = _grasp(volar, file, BALL)
    smaller = SMALLER.search(outcome.why)
    return _grasp(volar, file, int(smaller[1])) if smaller else outcome


def _grasp(volar: Volar, file: HandFile, ball: int) -> Grasp:
    """Grasp a ball, and hold it for 5 s under gravity from each of four sides."""
    outcome = Grasp(file, ball)
    packages = ["--packages", str(file.folder)]
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.toml"
        options = [*packages, "--limit-wall", f"{LIMIT}", "--scene", str(scene)]
        summary = volar.ask("grasp", str(file.path), f"sphere:{ball / 2000}", *options)
        if scene.exists():
            outcome.peer = peer_mujoco_file.grasp(file.path, scene)
    names = {str(file.path): "", str(file.folder): "."}
    if refused := summary.get("refused"):
        outcome.why = _reason(one_line(refused, names))
        outcome.loads = volar.succeeds("inspect", str(file.path), *packages)
        return outcome
    failure = summary["failure"] or {}
    outcome.loads = True
    outcome.runs = True
    outcome.held = summary["held"] and not failure
    outcome.phases = "".join("+" if phase["held"] else "-" for phase in summary["phases"])
    outcome.fingers = len(summary["normal_force_n"])
    outcome.evaluations = summary["evaluations"]
    outcome.factor = summary["real_time_factor"]
    if not outcome.held:
        outcome.why = _reason(one_line(failure.get("what") or summary["verdict"], names))
    return outcome


def _reason(message: str) -> str:
    """A reason without its first words, which are the same for all, and folders of this machine."""
    message = re.sub(r"/\S*/site-packages/", "", message)
    return re.sub(r"^(in phase `gravity down` )?(:\d*:? ?)?", "", message)


def document(grasps: list[Grasp]) -> str:
    """The part of the page about hands."""
    loaded = [g for g in grasps if g.loads]
    run = [g for g in grasps if g.runs]
    held = [g for g in grasps if g.held]
    jaws = [g for g in run if g.fingers == JAWS]
    factors = sorted(g.factor for g in run)
    median = statistics.median(factors) if factors else 0.0
    slow = sum(factor < 5.0 for factor in factors)
    slow_jaws = sum(g.factor < 20.0 for g in jaws)
    rows = [
        [g.file.name, str(g.fingers), str(g.ball), "yes" if g.held else g.phases, f"{g.factor:.3g}"]
        + [f"{g.evaluations:,}", g.peer]
        for g in sorted(run, key=lambda g: g.file.name)
    ]
    head = ["runs", "fingers", "ball, mm", "held", "× real time", "evaluations", "MuJoCo"]
    reasons = [f"- {g.file.name}: {g.why}" for g in grasps if g.runs and not g.held]
    others = [f"- {g.file.name}: {g.why}" for g in grasps if not g.runs]
    return f"""\
{len(grasps)} files; {len(loaded)} load, {len(run)} are grasped with, {len(held)} hold. \
Real-time factor: median {median:.3g}, below 5 in {slow} of {len(run)}; of {len(jaws)} with two \
fingers below 20 in {slow_jaws}.

{table(head, rows)}

Not held, and why:

{chr(10).join(reasons) or "None."}

Not grasped with:

{chr(10).join(others) or "None."}"""
