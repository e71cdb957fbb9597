"""Which robots of PyPI packages Volar loads, whether they run, and what their hands hold.

    python bench/models.py [--write docs/models.md] [--volar PROGRAM]

Every hand grasps a ball; every other robot stands alone under gravity for a second.
`cargo xtask models` makes an environment with what this needs and runs it.
"""

import argparse
import json
import re
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import hand_grasps
import machine
from hand_files import hand_files
from page import table
from volar import Volar, one_line

PACKAGES = {"gymnasium_robotics": "gymnasium-robotics", "pybullet_data": "pybullet"}
"""Folders, with the packages that bring them."""
MOVING = {"revolute", "continuous", "prismatic", "planar", "floating", "spherical"}
AT_ONCE = 2
"""Hands that are tried at once, each on a core of its own."""
DURATION = 1.0
TIMEOUT = 300.0


@dataclass
class Outcome:
    """What became of a robot."""

    file: str
    """From the package's folder on."""
    steps: int = 0
    seconds: float = 0.0
    warnings: int = 0
    balanced: bool = False
    """Whether inertias were replaced that no solid can have."""
    refused: str | None = None


def main() -> int:
    """Run every robot and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a file")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="run this, build nothing")
    args = parser.parse_args()

    volar = Volar(args.volar, timeout=TIMEOUT)
    hands = list(hand_files())
    grasps = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for grasp in pool.map(lambda file: hand_grasps.grasp(volar, file), hands):
            told = grasp.why or f"{grasp.factor:.3g} x"
            print(grasp.file.name, grasp.phases, told, "| MuJoCo:", grasp.peer, flush=True)
            grasps.append(grasp)
    outcomes = []
    objects = 0
    for package, file in _files():
        if any(file.samefile(hand.path) for hand in hands):
            continue
        if not _is_robot(file):
            objects += 1
            continue
        outcome = _run(volar, package, file)
        print(outcome.file, outcome.refused or f"{outcome.steps} steps", flush=True)
        outcomes.append(outcome)
    text = _document(grasps, outcomes, objects)
    print("\n" + text)
    if args.write:
        args.write.write_text(text, encoding="utf-8")
        print(f"written to {args.write}")
    return 0


def _files() -> Iterator[tuple[Path, Path]]:
    """All whole models, with the folders of their packages."""
    for name, package in PACKAGES.items():
        spec = find_spec(name)
        if not spec or not spec.submodule_search_locations:
            raise FileNotFoundError(f"{package} is not installed; `cargo xtask models` does it")
        folder = Path(spec.submodule_search_locations[0])
        for file in sorted(folder.rglob("*")):
            if file.suffix == ".urdf" or (file.suffix == ".xml" and _is_whole(file)):
                yield folder, file


def _is_whole(file: Path) -> bool:
    """Whether an XML file is a model, not a part that others include."""
    root = _parse(file)
    return root is not None and root.tag == "mujoco" and root.find("worldbody") is not None


def _is_robot(file: Path) -> bool:
    """Whether anything in it moves but its root; what cannot be read may be one."""
    todo, seen = [file], set()
    while todo:
        part = todo.pop()
        root = _parse(part)
        if root is None:
            return part == file
        seen.add(part)
        if root.tag == "robot":
            return any(joint.get("type") in MOVING for joint in root.iter("joint"))
        joints = (joint for body in root.iter("body") for joint in body.findall("joint"))
        if any(joint.get("type", "hinge") != "free" for joint in joints):
            return True
        # MuJoCo looks for all of them beside the first file.
        parts = (file.parent / include.get("file", "") for include in root.iter("include"))
        todo += [part for part in parts if part not in seen]
    return False


def _parse(file: Path) -> ET.Element | None:
    try:
        return ET.parse(file).getroot()
    except (ET.ParseError, OSError):
        return None


def _run(volar: Volar, package: Path, file: Path) -> Outcome:
    outcome = Outcome(f"{package.name}/{file.relative_to(package).as_posix()}")
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.toml"
        # A JSON string is a TOML string as well.
        scene.write_text(
            f'name = "alone"\nduration = {DURATION}\n\n[[robot]]\nname = "robot"\n'
            f"file = {json.dumps(str(file))}\npackages = [{json.dumps(str(package))}]\n",
            encoding="utf-8",
        )
        summary = volar.run(scene)
        if said := summary.get("refused") or (summary["failure"] or {}).get("what"):
            reason = one_line(said, {str(package): package.name, folder: "", str(scene): "scene"})
            # The scene has nothing but the robot, so its own place says nothing.
            reason = re.sub(r"^scene(:\d+)?: (robot\[0\]\.file: )?", "", reason)
            own = re.escape(outcome.file)
            outcome.refused = re.sub(f"^{own}: ", "", re.sub(f"^{own}:(\\d+)", r"line \1", reason))
        else:
            outcome.steps, outcome.seconds = summary["steps"], summary["wall_s"]
            outcome.warnings = len(summary["warnings"])
            outcome.balanced = any(n["what"] == "inertia balanced" for n in summary["notes"])
    return outcome


def _document(grasps: list[hand_grasps.Grasp], outcomes: list[Outcome], objects: int) -> str:
    """Write `docs/models.md`."""
    packages = " and ".join(f"{name} {version(name)}" for name in PACKAGES.values())
    brought = sorted({grasp.file.package for grasp in grasps})
    brought = ", ".join(f"{name} {version(name)}" for name in brought)
    return f"""\
<!-- Written by `cargo xtask models`; do not edit. -->
# Robots of other projects

## Hands and grippers, alone or on an arm

All files with hands in the PyPI packages {brought}. Each is taken as it is by `volar grasp FILE \
sphere:0.03`: fingers, how they close and where the ball goes are guessed, as \
[hands](hands.md) says; the hand closes in weightlessness and then holds the ball of \
{hand_grasps.BALL} mm and 113 g, or where `volar grasp` says that it is too large the one that it \
names, for 5 s under gravity from each of four sides. Held: in all four, or in which (+) and in \
which not (-). A run ends after {hand_grasps.LIMIT:.0f} s of wall time; two run at once. MuJoCo \
{version("mujoco")} does the same grasp with the same file: ball, joints, targets and gravity of \
the scene, its own collision shapes, steps of 2 ms, elliptic cones, noslip, stepped from Python. \
Times on {machine.describe()}.

{hand_grasps.document(grasps)}

## Other robots

All others of {packages} that move, each alone under gravity for {DURATION:.0f} s as `volar run` \
takes it: nothing is driven, and the root of a URDF is fixed. A robot that runs comes to the end \
with a finite state; the others are refused with the reason given. What a file has and Volar has \
not is left out, and `volar run` says so. Not in the table are {objects:,} files with nothing that \
moves: objects, tables, planes.

Warnings: links that overlap at the start, whose contact is left out. Balanced: the \
file has inertias that no solid can have, and those of balls take their place.

{_summary(outcomes)}

{_table(outcomes)}
"""


def _summary(outcomes: list[Outcome]) -> str:
    run = [outcome for outcome in outcomes if not outcome.refused]
    balanced = sum(outcome.balanced for outcome in run)
    text = f"{len(run)} of {len(outcomes)} run"
    return text + (f", {balanced} of them balanced." if balanced else ".")


def _table(outcomes: list[Outcome]) -> str:
    """Those that run, then those that do not."""
    rows = [
        [o.file, str(o.steps), f"{o.seconds:.3f}", str(o.warnings or "")]
        + ["balanced" if o.balanced else ""]
        for o in outcomes
        if not o.refused
    ]
    parts = [table(["runs", "steps", "seconds", "warnings", ""], rows)]
    refused = [f"- {o.file}: {o.refused}" for o in outcomes if o.refused]
    if refused:
        parts += ["Refused:", "\n".join(refused)]
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
