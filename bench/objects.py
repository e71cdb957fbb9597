"""Objects of other people in three grippers: right by statics, and fast beside MuJoCo.

    python bench/objects.py [--write docs/objects.md] [--seed N] [--objects N]

`cargo xtask objects` makes an environment with what this needs and runs it. Another seed draws
other objects; `VOLAR_OBJECTS=target/objects cargo test --profile quick -p volar-run --test suite
objects:: -- --nocapture` repeats Volar's part for those drawn last.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import machine
import object_report
from object_meshes import Object, draw
from object_report import Grasped
from peer_mujoco import COARSE, Grasp
from scenes import Scene
from volar import Volar

OBJECTS = 60
PIECED = 2 / 3
"""This part of them is random_urdfs, the rest other meshes."""
SEED = 1


def main() -> int:
    """Run all grasps and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page")
    parser.add_argument("--seed", type=int, default=SEED, help="which objects are drawn")
    parser.add_argument("--objects", type=int, default=OBJECTS, help="how many")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="check meshes with this")
    parser.add_argument(
        "--suite", type=Path, metavar="PROGRAM", help="the built tests of volar-run"
    )
    args = parser.parse_args()

    volar = Volar(args.volar)
    suite = args.suite or machine.build(
        *["test", "--profile", "quick", "--no-run", "-p", "volar-run", "--test", "suite"],
        kind="test",
    )
    folder = machine.ROOT / "target/objects"
    pieced = round(PIECED * args.objects)
    objects = draw(volar.program, folder, args.seed, pieced, args.objects - pieced)
    print(f"{len(objects)} objects in {folder.relative_to(machine.ROOT)}", flush=True)
    pinned = machine.pin_to_one_core()
    # It would write them to a file; a run that diverges counts as lost.
    mujoco.set_mju_user_warning(lambda _: None)
    ours = _ours(suite, folder)
    by_name = {thing.name: thing for thing in objects}
    grasped = []
    for row in ours:
        one = Grasped(row, *_theirs(by_name[row["object"]], row))
        print(object_report.progress_line(one), flush=True)
        grasped.append(one)
    page = object_report.document(objects, grasped, args.seed, pinned)
    print("\n" + page)
    if args.write:
        args.write.write_text(page, encoding="utf-8")
        print(f"written to {args.write}")
    return 0


def _ours(suite: Path, folder: Path) -> list[dict[str, Any]]:
    """What the test of volar-run says of every grasp."""
    run = subprocess.run(
        [suite, "objects::", "--nocapture"],
        env={**os.environ, "VOLAR_OBJECTS": str(folder)},
        cwd=machine.ROOT / "crates/volar-run",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    # The test fails where a grasp is not as statics says; its row says so too.
    # The first one stands behind the name of the test.
    rows = [json.loads(row) for row in re.findall(r"\{\".*\}$", run.stdout, re.MULTILINE)]
    if not rows:
        raise RuntimeError(f"the test printed no grasp: {run.stdout.strip()[-500:]}")
    return rows


def _theirs(thing: Object, row: dict[str, Any]) -> tuple[float | None, bool]:
    """Processor seconds of MuJoCo for the same grasp, and whether it holds the object."""
    xx, xy, xz, yy, yz, zz = thing.inertia[np.triu_indices(3)]
    scene = Scene(
        f"{row['gripper']}-{thing.name}",
        thing.name,
        position=(0, 0, 0),
        quaternion=tuple(row["orientation"]),
        gripper=row["gripper"],
        pieces=tuple(thing.pieces),
        inertia=(xx, yy, zz, xy, xz, yz),
    )
    return Grasp(scene, COARSE).time_and_outcome()


if __name__ == "__main__":
    sys.exit(main())
