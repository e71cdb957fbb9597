"""Volar's grasps against MuJoCo's: the same scenes in the same run, one thread each.

    python bench/grasps.py [--quick] [--write docs/performance.md] [--volar PROGRAM]

`cargo xtask grasps` makes an environment with what this needs and runs it.
"""

import argparse
import sys
import time
from pathlib import Path

import grasp_report
import machine
import page
from grasp_report import PRIMITIVES, VOLAR, Engine, Result
from peer_mujoco import COARSE, DEFAULTS, LEAN, TUNED, Grasp
from scenes import GRASPS, HANDS, SHAKES, Scene
from volar import Volar, measures

SETTINGS = (COARSE, LEAN, TUNED, DEFAULTS)
ROUNDS = 7
SECONDS = 20.0
"""At least so many rounds, and so long, on each scene."""


def main() -> int:
    """Run every scene and print the tables; 1 if Volar does not hold an object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one round: rough ratios")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a file")
    parser.add_argument("--volar", type=Path, metavar="PROGRAM", help="run this, build nothing")
    args = parser.parse_args()

    volar = Volar(args.volar)
    rounds, seconds = (1, 0.0) if args.quick else (ROUNDS, SECONDS)
    pinned = machine.pin_to_one_core()
    results = []
    for scene in [*GRASPS, *SHAKES, *HANDS]:
        result = compare(volar, scene, rounds, seconds)
        print(grasp_report.progress_line(result), flush=True)
        results.append(result)

    print("\n" + grasp_report.tables(results))
    if args.write:
        page.write_part(args.write, "grasps", grasp_report.document(results, pinned, rounds))
        print(f"written to {args.write}")
    lost = [r.scene.name for r in results if not (r.volar.measures and r.volar.measures.held)]
    if lost:
        print(f"Volar does not hold {', '.join(lost)}")
    return 1 if lost else 0


def compare(volar: Volar, scene: Scene, rounds: int, seconds: float) -> Result:
    """Run the engines in turn, so that a slow spell of the machine meets all of them."""
    grasps = {settings.title: Grasp(scene, settings) for settings in SETTINGS}
    if scene.object == "sphere" or scene.gripper is None:
        grasps[PRIMITIVES] = Grasp(scene, COARSE, primitives=True)
    ours = Engine()
    result = Result(scene, {VOLAR: ours, **{title: Engine() for title in grasps}})
    whole, loading = [], []
    end = time.perf_counter() + seconds
    while rounds > 0 or time.perf_counter() < end:
        rounds -= 1
        summary = volar.run(scene.name)
        if "refused" in summary:
            ours.refused = summary["refused"]
        else:
            ours.measures = measures(summary)
            whole.append(summary["cpu_s"])
            loading.append(volar.run(scene.name, "--duration", "1e-6")["cpu_s"])
        for title, grasp in grasps.items():
            result.engines[title].add(grasp.time())
    if whole:
        ours.add(min(whole) - min(loading))
    for settings in SETTINGS:
        result.engines[settings.title].measures = grasps[settings.title].measure()
    return result


if __name__ == "__main__":
    sys.exit(main())
