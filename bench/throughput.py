"""Grasps per second: Volar's sweeps against MuJoCo's `rollout`, on the same cores in the same run.

    python bench/throughput.py [--seconds S] [--write docs/performance.md] [--volar PROGRAM]

`cargo xtask throughput` makes an environment with what this needs and runs it. Every grasp of a
batch has another mass of its object, from half to twice that of the scene.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mujoco
import numpy as np
from mujoco import rollout

import machine
import page
import scenes
from peer_mujoco import COARSE, OBJECT, Grasp
from scenes import GRASPS, HANDS, Scene
from volar import Volar

CONTROL = mujoco.mjtState.mjSTATE_CTRL | mujoco.mjtState.mjSTATE_QFRC_APPLIED
STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS


class Rollout:
    """A batch of grasps in MuJoCo."""

    def __init__(self, scene: Scene) -> None:
        """Compile the scene."""
        self.grasp = Grasp(scene, COARSE)
        self.start = self.grasp.start()

    def seconds(self, count: int, threads: int) -> float:
        """Wall time of so many grasps."""
        model = self.grasp.model
        models = [self._model(mass) for mass in masses(count)]
        state = np.zeros(mujoco.mj_stateSize(model, STATE))
        mujoco.mj_getState(model, self.start, state, STATE)
        control = np.zeros(mujoco.mj_stateSize(model, CONTROL))
        mujoco.mj_getState(model, self.start, control, CONTROL)
        controls = np.broadcast_to(control, (count, self.grasp.steps, control.size)).copy()
        data = [mujoco.MjData(model) for _ in range(threads)]
        began = time.perf_counter()
        rollout.rollout(
            models,
            data,
            np.tile(state, (count, 1)),
            controls,
            control_spec=int(CONTROL),
            nstep=self.grasp.steps,
        )
        return time.perf_counter() - began

    def _model(self, mass: float) -> mujoco.MjModel:
        spec = self.grasp.spec.copy()
        thing = spec.body(OBJECT)
        thing.fullinertia = np.array(thing.fullinertia) * (mass / thing.mass)
        thing.mass = mass
        return spec.compile()


class Sweep:
    """A batch of grasps in Volar."""

    def __init__(self, scene: Scene, program: Path) -> None:
        """A scene by its name."""
        self.scene = scene
        self.program = program

    def seconds(self, count: int, threads: int) -> float:
        """Wall time of so many grasps, with table and report."""
        low, high = (factor * scenes.OBJECT_MASS for factor in (0.5, 2.0))
        with tempfile.TemporaryDirectory() as folder:
            command = [self.program, "sweep", self.scene.name, "--json", "--out", f"{folder}/out"]
            command += ["--axis", f"body.{self.scene.object}.mass={low}..{high}:log:{count}"]
            command += ["--threads", str(threads)]
            began = time.perf_counter()
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            seconds = time.perf_counter() - began
        counts = json.loads(done.stdout)
        if counts["judged"] < count:
            raise RuntimeError(f"{self.scene.name}: {done.stdout}")
        return seconds


def masses(count: int) -> np.ndarray:
    """From half to twice the mass of the object."""
    return scenes.OBJECT_MASS * np.geomspace(0.5, 2.0, count)


def rate(batch: Rollout | Sweep, threads: int, seconds: float) -> float:
    """Grasps per second of a batch that takes about so long.

    The batch grows until it does: a small one says little of the rate, for it is mostly start and
    report.
    """
    count = 4 * threads
    while True:
        taken = batch.seconds(count, threads)
        if taken >= 0.7 * seconds:
            return count / taken
        count = threads * round(count / threads * min(8.0, max(1.5, seconds / taken)))


def main() -> int:
    """Measure every scene and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="of every batch")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table to a file")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="run this, build nothing")
    args = parser.parse_args()
    program = Volar(args.volar).program
    cores = os.cpu_count() or 1
    rows = []
    for scene in [*GRASPS, *HANDS]:
        batches = (Sweep(scene, program), Rollout(scene))
        single = [rate(batch, 1, args.seconds) for batch in batches]
        all_cores = [rate(batch, cores, args.seconds) for batch in batches]
        rows.append(
            [
                scene.name,
                *(page.number(value) for value in (*single, *all_cores)),
                f"{single[0] / single[1]:.2f}",
                f"{all_cores[0] / all_cores[1]:.2f}",
                f"{all_cores[0] / single[0]:.2f}",
            ]
        )
        print(" ".join(rows[-1]), flush=True)
    head = ["scene", "Volar, 1 core", "MuJoCo, 1 core", f"Volar, {cores} cores"]
    head += [f"MuJoCo, {cores} cores", "ratio, 1 core", f"ratio, {cores} cores"]
    head += [f"Volar, {cores} cores over 1"]
    table = page.table(head, rows)
    text = (
        f"Grasps of {scenes.DURATION:g} s per second of wall time: `volar sweep` with table and "
        f"report, and `mujoco.rollout` ({mujoco.__version__}; {COARSE.timestep * 1e3:g} ms, "
        "elliptic cones, ten noslip iterations) with the models compiled before. Masses from half "
        "to twice that of the scene. `rollout` cannot turn gravity, so that MuJoCo's "
        f"`shadow-bunny` is the hand at rest. {machine.describe()}.\n\n{table}"
    )
    print("\n" + text)
    if args.write:
        page.write_part(args.write, "throughput", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
