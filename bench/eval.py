"""Evaluations of grasps: `volar eval` against MuJoCo's `rollout`, the same trials in the same run.

    python bench/eval.py [--count N] [--hand-count N] [--write docs/eval.md] [--volar PROGRAM]

`cargo xtask eval` makes an environment with what this needs and runs it. Two evaluations: antipodal
grasps of the bunny with a parallel jaw under `acronym`, and grasps of the Shadow Hand under
`dexgraspbench`. Where verdicts differ, both engines run some of the trials again, finer.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np
import pyarrow.parquet as parquet

import eval_report
import machine
import page
from eval_mujoco import COARSE, FINE, FINE_PIECES, Batch, Settings
from eval_report import NEAR, NEARBY
from volar import Volar

ASSETS = machine.ROOT / "crates/volar-scene/assets"
SEED = 1
LOOKED_AT = 20
"""So many of the trials that differ are looked at."""
FINER = "1e-5"
"""Tolerance of Volar's finer runs; 1e-3 by default."""


@dataclass(frozen=True)
class Case:
    """What is evaluated."""

    name: str
    hand: Path
    method: str
    grasps: str
    protocol: str
    closed: float
    """When the hand is closed, s."""


JAW = Case("jaw", ASSETS / "g2p.urdf", "antipodal", "grasps.parquet", "acronym", 1.0)
SHADOW = Case("shadow", ASSETS / "shadow/hand.xml", "approach", "grasps.npy", "dexgraspbench", 1.0)


@dataclass
class Look:
    """A trial of which the verdicts differ, again."""

    row: int
    ours: bool
    ours_fine: bool
    failure: str
    closure: bool | None
    """Whether the contacts at the end of closing have force closure; none without contacts."""
    theirs_fine: bool
    theirs_pieces: bool
    ours_nearby: int
    """Of so many nearby trials held, ..."""
    theirs_nearby: int
    """... and in MuJoCo."""


@dataclass
class Outcome:
    """One evaluation by both engines."""

    case: Case
    count: int
    cpu_s: float
    compared: int
    their_cpu_s: float
    notes: list[str]
    ours: dict[int, bool]
    theirs: dict[int, bool]
    failures: dict[str, int]
    looks: list[Look] = field(default_factory=list)


class Evaluation:
    """A case in a folder."""

    def __init__(self, case: Case, volar: Volar, count: int, threads: int) -> None:
        """Sample the grasps and evaluate them with Volar."""
        self.case, self.volar, self.threads = case, volar, threads
        self.folder = machine.ROOT / "target/eval" / case.name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        hand, bunny = self.folder / "hand.toml", ASSETS / "bunny.obj"
        grasps = self.folder / case.grasps
        self._do("hand", "new", case.hand, "--out", hand)
        sample = ["--method", case.method, "--count", count, "--out", grasps]
        self._do("sample", hand, bunny, *sample)
        self.out = self.folder / "out"
        options = ["--protocol", case.protocol, "--out", self.out, "--threads", threads]
        told = volar.ask(*map(str, ["eval", hand, bunny, grasps, *options]))
        if "refused" in told:
            raise RuntimeError(told["refused"])
        self.cpu_s: float = told["cpu_s"]
        self.failures: dict[str, int] = told["failures"]
        self.rows = parquet.read_table(self.out / "table.parquet").to_pylist()

    def _do(self, *words: object) -> None:
        command = [self.volar.program, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip() or done.stdout.strip())

    def replayed(self, row: int) -> Path:
        """The scene of a trial."""
        out = self.folder / f"replay-{row}"
        if not out.exists():
            command = [self.volar.program, "sweep", "run", self.out, str(row), "--out", out]
            # A trial that is lost is no success.
            subprocess.run(command, capture_output=True, check=False)
        return out / "scene.toml"

    def batch(self, settings: Settings) -> Batch:
        """The scene in MuJoCo."""
        base = next(i for i, row in enumerate(self.rows) if row["held"] is not None)
        scene = self.replayed(base)
        export = self.folder / "export"
        if not export.exists():
            self._do("export", scene, "--to", "mjcf", "--out", export)
        return Batch(scene, export, settings)

    def compare(self, seconds: float, looked_at: int) -> Outcome:
        """The same trials in MuJoCo, in a random order, as many as there is time for."""
        judged = [i for i, row in enumerate(self.rows) if row["held"] is not None]
        draw = random.Random(SEED)
        draw.shuffle(judged)
        batch = self.batch(COARSE)
        ours: dict[int, bool] = {}
        theirs: dict[int, bool] = {}
        end = time.monotonic() + seconds
        step = self.threads * max(1, min(batch.most, 128) // self.threads)
        for first in range(0, len(judged), step):
            if theirs and time.monotonic() > end:
                break
            own = judged[first : first + step]
            held = batch.held([self.rows[i] for i in own], self.threads)
            theirs.update(zip(own, held, strict=True))
            ours.update((i, bool(self.rows[i]["held"])) for i in own)
            print(f"{self.case.name}: {len(theirs)} of {len(judged)} in MuJoCo", flush=True)
        outcome = Outcome(
            self.case,
            len(self.rows),
            self.cpu_s,
            len(theirs),
            batch.cpu_s,
            batch.notes,
            ours,
            theirs,
            self.failures,
        )
        differing = [i for i in theirs if theirs[i] != ours[i]][:looked_at]
        if differing:
            outcome.looks = self._look_at(sorted(differing))
        return outcome

    def _look_at(self, rows: list[int]) -> list[Look]:
        trials = [self.rows[i] for i in rows]
        fine = self.batch(FINE).held(trials, self.threads)
        pieces = self.batch(FINE_PIECES).held(trials, self.threads)
        nearby = self._nearby(rows)
        looks = []
        for row, theirs_fine, theirs_pieces, near in zip(rows, fine, pieces, nearby, strict=True):
            finer = ["--tolerance", FINER, "--set", f"grasp.quality.at={self.case.closed}"]
            told = self.volar.run(self.replayed(row), *finer)
            failure = told.get("failure") or {}
            quality = (told.get("quality") or {}).get("patch") or {}
            looks.append(
                Look(
                    row,
                    bool(self.rows[row]["held"]),
                    bool(told.get("held")),
                    failure.get("what", told.get("refused", "")),
                    quality.get("force_closure"),
                    theirs_fine,
                    theirs_pieces,
                    *near,
                )
            )
            print(looks[-1], flush=True)
        return looks

    def _nearby(self, rows: list[int]) -> list[tuple[int, int]]:
        """How many trials with the hand a little elsewhere hold, here and in MuJoCo."""
        grasps = self.folder / f"nearby-{self.case.grasps}"
        _write_some(self.folder / self.case.grasps, rows, grasps)
        out = self.folder / "nearby"
        options = ["--protocol", self.case.protocol, "--out", out, "--threads", self.threads]
        options += ["--noise", NEAR, "--repeats", NEARBY]
        hand, bunny = self.folder / "hand.toml", ASSETS / "bunny.obj"
        told = self.volar.ask(*map(str, ["eval", hand, bunny, grasps, *options]))
        if "refused" in told:
            raise RuntimeError(told["refused"])
        trials = parquet.read_table(out / "table.parquet").to_pylist()
        theirs = self.batch(COARSE).held(trials, self.threads)
        held = [(bool(trial["held"]), their) for trial, their in zip(trials, theirs, strict=True)]
        own = [held[i * NEARBY : (i + 1) * NEARBY] for i in range(len(rows))]
        return [(sum(a for a, _ in pairs), sum(b for _, b in pairs)) for pairs in own]


def _write_some(grasps: Path, rows: list[int], to: Path) -> None:
    """Rows of a list of grasps, as a list."""
    if grasps.suffix == ".npy":
        everything = np.load(grasps, allow_pickle=True).item()
        count = len(everything["pregrasp_qpos"])
        lists = {key: np.asarray(value) for key, value in everything.items()}
        of_rows = {key for key, value in lists.items() if value.shape[:1] == (count,)}
        some = {k: lists[k][rows] if k in of_rows else v for k, v in everything.items()}
        np.save(to, some, allow_pickle=True)
    else:
        parquet.write_table(parquet.read_table(grasps).take(rows), to)


def main() -> int:
    """Evaluate and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--count", type=int, default=10_000, help="grasps of the parallel jaw; 0: none"
    )
    parser.add_argument("--hand-count", type=int, default=200, help="grasps of the Shadow Hand")
    parser.add_argument("--looks", type=int, default=LOOKED_AT, help="differing trials looked at")
    parser.add_argument(
        "--seconds", type=float, default=500.0, help="wall time of MuJoCo for each table"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a page")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="run this, build nothing")
    args = parser.parse_args()
    # Or it writes a file; a run that diverges counts as lost.
    mujoco.set_mju_user_warning(lambda _: None)
    volar = Volar(args.volar)
    threads = os.cpu_count() or 1
    for case, count in ((JAW, args.count), (SHADOW, args.hand_count)):
        if not count:
            continue
        evaluation = Evaluation(case, volar, count, threads)
        text = eval_report.text(evaluation.compare(args.seconds, args.looks), FINER)
        print("\n" + text)
        if args.write:
            marks = (mark.format(case.name) for mark in (eval_report.BEGIN, eval_report.END))
            page.write_between(args.write, *marks, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
