"""Volar's overlap against manifold3d and libigl: the same pairs in the same run, one thread each.

    python bench/overlap.py [--quick] [--write docs/performance.md]

`cargo xtask bench` makes an environment with what this needs and runs it.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import page
import report
from machine import pin_to_one_core
from pairs import Pair, load_pairs
from tools import Volar, time_libigl, time_manifold3d


def main() -> int:
    """Measure every pair and print the tables; 1 if an answer of Volar is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repeats: checks, rough ratios")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables to a file")
    args = parser.parse_args()

    volar = Volar()
    pinned = pin_to_one_core()
    with tempfile.TemporaryDirectory() as folder:
        volar.export_meshes(Path(folder))
        pairs = load_pairs(Path(folder))
    results = []
    for pair in pairs:
        if args.quick:
            libigl_poses = 1 if pair.name == "d" else 0
            result = compare(volar, pair, rounds=1, seconds=0.0, libigl_poses=libigl_poses)
        else:
            result = compare(volar, pair, rounds=3, seconds=0.5, libigl_poses=3)
        print(report.progress_line(result), flush=True)
        results.append(result)

    if not args.quick:
        print("\n" + report.tables(results))
    if args.write:
        page.write_part(args.write, "overlap", report.document(results, pinned))
        print(f"written to {args.write}")
    inexact = [result.pair.name for result in results if not result.volar_exact]
    if inexact:
        print(f"Volar is off by more than {report.EXACT:.0e} on {', '.join(inexact)}")
    return 1 if inexact else 0


def compare(
    volar: Volar, pair: Pair, rounds: int, seconds: float, libigl_poses: int
) -> report.Result:
    """Run the tools in turn, so that a slow spell of the machine meets all of them."""
    result = report.Result(pair)
    for _ in range(rounds):
        result.add_volar(volar.measure(pair, seconds))
        result.manifold3d.add(*time_manifold3d(pair, seconds))
    if libigl_poses:
        result.libigl.add(*time_libigl(pair, libigl_poses))
    return result


if __name__ == "__main__":
    sys.exit(main())
