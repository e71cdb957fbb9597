"""Which robots of two PyPI packages Volar loads, and whether they run.

    python bench/models.py [--write docs/models.md] [--volar PROGRAM]

Every robot stands alone under gravity for a second. `cargo xtask models` makes an environment with
what this needs and runs it.
"""

import argparse
import html
import json
import re
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import machine
from page import table
from volar import Volar

PACKAGES = {"gymnasium_robotics": "gymnasium-robotics", "pybullet_data": "pybullet"}
"""Folders, with the packages that bring them."""
MOVING = {"revolute", "continuous", "prismatic", "planar", "floating", "spherical"}
HANDS = re.compile(r"adroit_hand|/hand/|/fetch/|kitchen_franka|franka_panda|gripper")
"""What is a hand or a gripper, or has one at its end."""
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
    outcomes = []
    objects = 0
    for package, file in _files():
        if not (_is_robot(file) or HANDS.search(file.as_posix())):
            objects += 1
            continue
        outcome = _run(volar, package, file)
        print(outcome.file, outcome.refused or f"{outcome.steps} steps", flush=True)
        outcomes.append(outcome)
    text = _document(outcomes, objects)
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
            reason = _plain(said, {str(package): package.name, folder: "", str(scene): "scene"})
            # The scene has nothing but the robot, so its own place says nothing.
            reason = re.sub(r"^scene(:\d+)?: (robot\[0\]\.file: )?", "", reason)
            own = re.escape(outcome.file)
            outcome.refused = re.sub(f"^{own}: ", "", re.sub(f"^{own}:(\\d+)", r"line \1", reason))
        else:
            outcome.steps, outcome.seconds = summary["steps"], summary["wall_s"]
            outcome.warnings = len(summary["warnings"])
            outcome.balanced = any(n["what"] == "inertia balanced" for n in summary["notes"])
    return outcome


def _plain(message: str, places: dict[str, str]) -> str:
    """A message in one line, without the folders of this machine."""
    for folder in sorted(places, key=len, reverse=True):
        message = message.replace(folder, places[folder])
    # Angle brackets would be taken for HTML.
    return html.escape(" ".join(message.split()).removeprefix("error: "), quote=False)


def _document(outcomes: list[Outcome], objects: int) -> str:
    """Write `docs/models.md`."""
    packages = " and ".join(f"{name} {version(name)}" for name in PACKAGES.values())
    hands = [outcome for outcome in outcomes if HANDS.search("/" + outcome.file)]
    others = [outcome for outcome in outcomes if outcome not in hands]
    return f"""\
<!-- Written by `cargo xtask models`; do not edit. -->
# Robots of other projects

All URDF and MJCF robots in the PyPI packages {packages}, each alone under gravity for \
{DURATION:.0f} s as `volar run` takes it: nothing is driven, and the root of a URDF is fixed. A \
robot that runs comes to the end with a finite state; the others are refused with the reason \
given. What a file has and Volar has not is left out, and `volar run` says so: endless planes, for \
one, so what stands on one falls. Not in the tables are {objects:,} files with nothing that moves: \
objects, tables, planes.

Warnings: links that overlap at the start, whose contact is left out. Balanced: the \
file has inertias that no solid can have, and those of balls take their place. Times in seconds \
on {machine.describe()}.

## Hands and grippers, alone or on an arm

{_summary(hands)}

{_table(hands)}

## Other robots

{_summary(others)}

{_table(others)}
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
