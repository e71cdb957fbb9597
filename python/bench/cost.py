"""What the Python package costs, beside Rust, the command line and MuJoCo.

    python python/bench/cost.py [--quick] [--write docs/python.md]

`cargo xtask python-bench` makes an environment with what this needs and runs it. Figures are
processor time, as the least of several rounds in which all take turns; only the threads are
compared by the clock.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import volar

ROOT = Path(__file__).parents[2]
# Behind the packages that are installed: the benchmark has a module `volar` of its own.
sys.path.append(str(ROOT / "bench"))

import machine  # noqa: E402
import page  # noqa: E402
from peer_mujoco import COARSE, Grasp, mujoco  # noqa: E402
from scenes import GRASPS  # noqa: E402

PERIOD = 1e-3
DAMPING = 5.0
BEGIN, END = "<!-- python/bench/cost.py -->", "<!-- end -->"


def own(work: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def child(*command: str | Path) -> float:
    """Processor seconds of another process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def least(rounds: int, **works: Callable[[], float]) -> dict[str, float]:
    """The least time of each, all taking turns."""
    times = {name: float("inf") for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name] = min(times[name], work())
    return times


def control(scene: volar.Scene, seconds: float) -> volar.Simulation:
    """The loop of `crates/volar/examples/control_loop.rs`."""
    sim = scene.simulate()
    gripper = sim.robot("gripper")
    for period in range(1, round(seconds / PERIOD) + 1):
        gripper.effort = -DAMPING * gripper.v
        sim.advance_to(period * PERIOD)
    return sim


def mujoco_loop(seconds: float) -> Callable[[], None]:
    """The same loop with MuJoCo: fingers with dampers, `mj_step` at 1 ms."""
    grasp = next(scene for scene in GRASPS if scene.name == "g2p-cube")
    model = Grasp(grasp, COARSE).model
    model.opt.timestep = PERIOD
    slides = [i for i in range(model.njnt) if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_SLIDE]
    dofs = model.jnt_dofadr[slides]

    def loop() -> None:
        data = mujoco.MjData(model)
        for _ in range(round(seconds / PERIOD)):
            data.qfrc_applied[dofs] = -DAMPING * data.qvel[dofs]
            mujoco.mj_step(model, data)

    return loop


def loops(rounds: int, seconds: float) -> tuple[list[list[str]], float]:
    """Control in the loop; rows, and Python over Rust."""
    build = ["build", "--profile", "quick", "--workspace", "--example", "control_loop"]
    rust = machine.build(*build, kind="example")
    scene = volar.Scene.load("g2p-cube")
    scene.compile()
    peer = mujoco_loop(seconds)
    words = "g2p-cube", str(seconds)
    times = least(
        rounds,
        nothing=lambda: child(rust, *words, "0"),
        rust=lambda: child(rust, *words, "4"),
        python=lambda: own(lambda: control(scene, seconds)),
        mujoco=lambda: own(peer),
    )
    in_rust = (times["rust"] - times["nothing"]) / 4.0
    per = 1e6 * PERIOD / seconds
    ratio = times["python"] / in_rust
    rows = [
        ["g2p-cube, efforts at 1 kHz, Rust", f"{per * in_rust:.0f} µs", ""],
        ["the same in Python", f"{per * times['python']:.0f} µs", f"{ratio:.3f}"],
        [
            "MuJoCo in Python: efforts, `mj_step` of 1 ms",
            f"{per * times['mujoco']:.0f} µs",
            f"{times['mujoco'] / in_rust:.3f}",
        ],
    ]
    return rows, ratio


def runs(rounds: int, program: Path) -> tuple[list[list[str]], float]:
    """A whole run; rows, and Python over the command line."""
    times = least(
        rounds,
        command=lambda: child(program, "run", "g2r-bunny", "--json"),
        recorded=lambda: own(lambda: volar.run("g2r-bunny")),
        bare=lambda: own(lambda: volar.run("g2r-bunny", record=False)),
    )
    ratio = times["recorded"] / times["command"]
    rows = [
        ["`volar run g2r-bunny --json`", f"{1e3 * times['command']:.0f} ms", ""],
        ['`volar.run("g2r-bunny")`', f"{1e3 * times['recorded']:.0f} ms", f"{ratio:.3f}"],
        [
            "without frames (`record=False`)",
            f"{1e3 * times['bare']:.0f} ms",
            f"{times['bare'] / times['command']:.3f}",
        ],
    ]
    return rows, ratio


def contacts(rounds: int, seconds: float) -> tuple[list[list[str]], float]:
    """Reading all contacts at every step; rows, and the part of the run it takes."""
    scene = volar.Scene.load("shadow-bunny")
    scene.compile()

    def steps(read: Callable[[volar.Simulation], object]) -> None:
        sim = scene.simulate()
        while sim.time < seconds:
            sim.step()
            read(sim)

    times = least(
        rounds,
        plain=lambda: own(lambda: steps(lambda sim: None)),
        array=lambda: own(lambda: steps(lambda sim: sim.contacts.array["normal_force"])),
        objects=lambda: own(lambda: steps(lambda sim: [c.normal_force for c in sim.contacts])),
    )
    rows = [[f"shadow-bunny, {seconds:g} s, step by step", f"{1e3 * times['plain']:.0f} ms", ""]]
    for name, what in (("array", "as an array"), ("objects", "as objects")):
        share = times[name] / times["plain"] - 1.0
        rows.append(
            [
                f"contacts read at every step, {what}",
                f"{1e3 * times[name]:.0f} ms",
                f"{1 + share:.3f}",
            ]
        )
    return rows, times["array"] / times["plain"] - 1.0


def threads(rounds: int) -> tuple[list[list[str]], float]:
    """Sixteen runs on one thread and on two, by the clock; rows, and how much faster."""
    scene = volar.Scene.load("g2r-bunny")
    scene.compile()

    def clock(count: int) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(lambda _: volar.run(scene), range(16)))
        return time.perf_counter() - start

    times = least(rounds, one=lambda: clock(1), two=lambda: clock(2))
    faster = times["one"] / times["two"]
    rows = [
        ["16 runs of g2r-bunny, one thread, by the clock", f"{times['one']:.2f} s", ""],
        ["the same on two threads", f"{times['two']:.2f} s", f"{1.0 / faster:.3f}"],
    ]
    return rows, faster


def memory(cycles: int) -> tuple[int, int]:
    """Bytes of this process after 1000 cycles of create, run and drop, and after all."""
    text = volar.Scene.load("g2p-cube", set={"duration": 0.001}).to_toml()
    files = volar.Scene.load("g2p-cube")._files

    def cycle() -> None:
        scene = volar.Scene.parse(text)
        scene._files = files
        scene._edit()
        scene.run()

    def resident() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = 0
    for number in range(cycles):
        cycle()
        if number == cycles // 10:
            before = resident()
    return before, resident()


def main() -> int:
    """Measure, print, and write the table where asked; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few rounds: rough figures")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page to write the table to")
    args = parser.parse_args()
    rounds, seconds, cycles = (2, 0.5, 1000) if args.quick else (9, 2.0, 10_000)
    program = machine.build(
        "build", "--profile", "quick", "--workspace", "--bin", "volar", kind="bin"
    )
    rows: list[list[str]] = []
    loop_rows, loop = loops(rounds, seconds)
    run_rows, run = runs(rounds, program)
    contact_rows, share = contacts(rounds, seconds)
    thread_rows, faster = threads(max(2, rounds // 2))
    rows += loop_rows + run_rows + contact_rows + thread_rows
    before, after = memory(cycles)
    table = page.table(["what", "time", "ratio"], rows)
    bars = {
        "control loop, Python over Rust": (loop, loop <= 1.15, "at most 1.15"),
        "`volar.run` over the command": (run, run <= 1.05, "at most 1.05"),
        "reading contacts, part of the run": (share, share <= 0.10, "at most 0.10"),
        "two threads over one": (faster, faster >= 1.85, "at least 1.85"),
        f"memory after {cycles} over after {cycles // 10} cycles of create, run, drop": (
            after / before,
            after <= 1.02 * before,
            "at most 1.02",
        ),
    }
    verdicts = page.table(
        ["bar", "found", "wanted", "met"],
        [
            [name, f"{value:.3f}", wanted, "yes" if met else "no"]
            for name, (value, met, wanted) in bars.items()
        ],
    )
    text = (
        f"Processor time per control period, run or set of runs; {machine.describe()}; "
        f"the least of {rounds} rounds in turn. MuJoCo {mujoco.__version__} with elliptic cones "
        f"and `noslip`.\n\n{table}\n\n{verdicts}"
    )
    print(text)
    print(json.dumps({name: value for name, (value, _, _) in bars.items()}))
    if args.write:
        page.write_between(args.write, BEGIN, END, text)
    return int(not all(met for _, met, _ in bars.values()))


if __name__ == "__main__":
    sys.exit(main())
