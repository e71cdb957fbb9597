"""What a loop step of the NeuroRobotics Platform costs beside the simulation itself.

    python python/bench/nrp.py [--write docs/nrp.md]

`cargo xtask python-bench` runs it too. The coordinator of the tests steps engines by 1 ms, and
beside them a simulation that nobody asks anything; medians by the clock.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import volar
from volar.nrp import VolarEngine

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "bench"), str(ROOT / "python/tests")]

import machine  # noqa: E402
import page  # noqa: E402
from coordinator import ScriptEngine, start  # noqa: E402

STEP = 1_000_000
BEGIN, END = "<!-- python/bench/nrp.py -->", "<!-- end -->"


def clocked(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def packs(engine: Any) -> None:
    """What a transceiver function of the example reads, and a set pack."""
    got = engine.get("joints", "contacts")
    engine.set(efforts=dict.fromkeys(got["joints"], 0.0))


def measure(scene: str, loops: int) -> tuple[list[list[str]], float]:
    """Rows of the table, and the overhead of a step over REST, s."""
    process, rest = start("hand")
    rest.initialize(Scene=scene)
    script = ScriptEngine("hand", VolarEngine())
    script.initialize(Scene=scene)
    alone = volar.Scene.load(scene).simulate()
    times: dict[str, list[float]] = {"alone": [], "rest": [], "script": []}
    both: dict[str, list[float]] = {"rest": [], "script": []}
    for loop in range(1, loops + 1):
        times["alone"].append(clocked(lambda: alone.advance_to(loop * STEP / 1e9)))  # noqa: B023
        for name, engine in (("rest", rest), ("script", script)):
            times[name].append(clocked(lambda: engine.run_loop(STEP)))  # noqa: B023
            both[name].append(clocked(lambda: packs(engine)))  # noqa: B023
    rest.shutdown()
    process.wait(timeout=60)
    rows = []
    overhead = 0.0
    for name, what in (("rest", "`volar serve nrp`"), ("script", "`volar.nrp`, in its process")):
        pairs = zip(times[name], times["alone"], strict=True)
        over = statistics.median(engine - alone for engine, alone in pairs)
        overhead = max(overhead, over)
        rows.append(
            [
                scene,
                what,
                f"{1e6 * statistics.median(times['alone']):.0f}",
                f"{1e6 * over:.0f}",
                f"{1e6 * statistics.median(both[name]):.0f}",
            ]
        )
    return rows, overhead


def main() -> int:
    """Measure, print, and write the table where asked; 1 if the bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page to write the table to")
    parser.add_argument("--loops", type=int, default=1000, help="loop steps of 1 ms")
    args = parser.parse_args()
    rows: list[list[str]] = []
    worst = 0.0
    for scene in ("g2p-cube", "shadow-bunny"):
        found, overhead = measure(scene, args.loops)
        rows += found
        worst = max(worst, overhead)
    heads = ["scene", "engine", "simulation, µs", "overhead of `run_loop`, µs", "packs, µs"]
    text = (
        f"Medians of {args.loops} loop steps of 1 ms, by the clock; {machine.describe()}. Packs: "
        f"`joints` and `contacts` read, `efforts` set.\n\n{page.table(heads, rows)}"
    )
    print(text)
    print(f"largest overhead: {1e3 * worst:.3f} ms (at most 1 ms)")
    if args.write:
        page.write_between(args.write, BEGIN, END, text)
    return int(worst >= 1e-3)


if __name__ == "__main__":
    sys.exit(main())
