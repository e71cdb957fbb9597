"""Whole runs: results, series, reports, interruption."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import volar


@pytest.fixture(scope="module")
def result() -> volar.Result:
    return volar.run("g2p-cube", duration=3.0)


def test_five_lines() -> None:
    result = volar.run("g2r-bunny", set={"body.bunny.mass": 0.1})
    assert result.held is True
    assert 0.0 < result.friction_margin < 1.0
    assert result.failure is None


def test_summary_is_that_of_the_command(result: volar.Result) -> None:
    command = ["-m", "volar", "run", "g2p-cube", "--duration", "3.0", "--json"]
    printed = subprocess.run([sys.executable, *command], capture_output=True, check=True)
    summary = json.loads(printed.stdout)
    timing = {"wall_s", "real_time_factor"}
    assert {k: v for k, v in summary.items() if k not in timing} == {
        k: v for k, v in result.summary.items() if k not in timing
    }


def test_attributes_are_the_summary(result: volar.Result) -> None:
    figures = volar.Result.__mro__[1]
    annotated = set(figures.__annotations__) - {"summary"}
    asked_for = {"pull_loads_n", "quality"}
    assert set(result.summary) <= annotated == set(result.summary) | asked_for
    assert all(getattr(result, name) == value for name, value in result.summary.items())
    assert result.pull_loads_n is None and result.quality is None
    with pytest.raises(AttributeError, match="hold"):
        _ = result.hold


def test_a_result_stays_in_its_process(result: volar.Result) -> None:
    with pytest.raises(TypeError, match="series"):
        pickle.dumps(result)
    again = pickle.loads(pickle.dumps(result.series))
    assert np.array_equal(again.array, result.series.array, equal_nan=True)
    assert again.columns == result.series.columns


def test_series(result: volar.Result) -> None:
    series = result.series
    # Samples at 100 Hz, and ends of steps so that no peak is missed.
    assert series.array.shape[0] >= 301 and series.array.shape[1] == len(series.columns)
    times = set(series.time.round(9))
    assert all(round(0.01 * sample, 9) in times for sample in range(301))
    assert series["largest/normal_force"].max() == result.max_force_n
    assert 1e3 * series["largest/depth"].max() == result.max_depth_mm
    assert series.time[-1] == pytest.approx(3.0)
    height = series["position_z/cube"]
    assert height.shape == series.time.shape and abs(height[-1] - height[0]) < 1e-2
    with pytest.raises(KeyError, match="columns"):
        series["nothing"]


def test_contacts_of_a_run(result: volar.Result) -> None:
    contacts = result.contacts
    last = contacts[contacts["time"] == contacts["time"].max()]
    names = result.body_names
    assert {names[a] for a in last["a"]} | {names[b] for b in last["b"]} >= {"cube"}
    assert last["normal_force"].min() > 0.0
    assert last["point"].shape == (len(last), 3)


def test_overrides_are_typed_values() -> None:
    result = volar.run(
        "g2p-cube", duration=0.01, set={"name": "other", "gravity": [0, 0, 0], "body.cube.mass": 1}
    )
    assert result.scene == "other"


def test_unknown_scene_is_an_error() -> None:
    with pytest.raises(volar.SceneError, match="volar scenes") as raised:
        volar.run("no-such-scene")
    assert raised.value.place == "no-such-scene"
    assert "volar scenes" in raised.value.remedy


def test_errors_have_the_text_of_the_command(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(
        'name = "x"\n[[body]]\nname = "a"\nmass = -1.0\nshape = {box = [1.0,1.0,1.0]}\n'
    )
    with pytest.raises(volar.SceneError) as raised:
        volar.run(scene)
    command = [sys.executable, "-m", "volar", "run", str(scene)]
    printed = subprocess.run(command, capture_output=True, text=True)
    assert printed.returncode == 2
    assert printed.stderr.strip() == f"error: {raised.value}"
    assert raised.value.place == f"{scene}:4: body[0].mass"


def test_resume_gives_the_same_bits() -> None:
    whole = volar.run("g2p-cube", duration=1.0)
    half = volar.run("g2p-cube", duration=1.0, limit_wall=0.0)
    assert half.ended == "limit" and half.duration_s < 1.0
    rest = volar.run("g2p-cube", duration=1.0, resume=half.checkpoint())
    assert rest.ended == "complete"
    assert np.array_equal(rest.simulation().q, whole.simulation().q)


def test_goes_on_from_the_end(result: volar.Result) -> None:
    sim = result.simulation()
    assert sim.time == 3.0
    sim.advance(0.1)
    assert sim.time == pytest.approx(3.1)


def test_report(result: volar.Result, tmp_path: Path) -> None:
    result.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>") and "g2p-cube" in page
    assert "http://" not in page.split("</style>")[0]
    result.save(tmp_path / "out")
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written >= {"recording.mcap", "series.parquet", "summary.json", "report.html"}


def test_notebook_shows_verdict_and_replay(result: volar.Result) -> None:
    shown = result._repr_html_()
    assert "held" in shown and "friction_margin" in shown and "srcdoc=" in shown
    assert "srcdoc=" in volar.Scene.load("g2p-cube")._repr_html_()


def test_progress_is_told() -> None:
    told: list[float] = []
    volar.run("shadow-bunny", duration=0.5, progress=told.append)
    assert told == sorted(told) and all(0.0 <= time <= 0.5 for time in told)


def test_what_a_callback_raises_comes_out() -> None:
    def fail(_: float) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        volar.run("shadow-bunny", progress=fail)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_within_a_tenth_of_a_second() -> None:
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(0.5)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        volar.run("shadow-bunny", duration=1000.0, record=False)
    stopped = time.monotonic()
    sender.join()
    result: volar.Result = raised.value.result
    assert result.ended == "interrupted"
    assert result.failure is not None and result.failure["kind"] == "interrupted"
    assert 0.0 < result.duration_s < 1000.0
    result.simulation().advance(0.01)
    # The bar is 0.1 s on a machine of one's own; other programs may have its cores here.
    assert stopped - sent[0] < 0.3


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_leaves_a_simulation_usable() -> None:
    sim = volar.Scene.load("shadow-bunny").simulate()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.advance(1000.0)
    at = sim.time
    assert 0.0 < at < 1000.0 and np.isfinite(sim.q).all()
    sim.advance(0.001)
    assert sim.time == pytest.approx(at + 0.001)


def test_threads_run_beside_each_other() -> None:
    results: list[volar.Result] = []
    threads = [
        threading.Thread(target=lambda: results.append(volar.run("g2p-cube", duration=0.5)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = {result.simulation().q.tobytes() for result in results}
    assert len(results) == 4 and len(states) == 1


def test_control_in_a_run() -> None:
    """A controller that does nothing leaves the result of the run as it is."""
    seen: list[float] = []
    result = volar.run(
        "g2p-cube", duration=1.5, control=lambda sim: seen.append(sim.time), period=0.1
    )
    assert len(seen) == 15 and result.ended == "complete" and result.duration_s == 1.5
    plain = volar.run("g2p-cube", duration=1.5)
    assert result.held == plain.held
    assert result.normal_force_n == pytest.approx(plain.normal_force_n, rel=1e-3)
    assert result.series.columns == plain.series.columns
    assert result.html().startswith("<!doctype html>")


def test_result_of_ones_own_loop() -> None:
    sim = volar.Scene.load("g2p-cube", set={"duration": 1.0}).simulate(record=True)
    for _ in range(10):
        sim.advance(0.05)
    half = sim.result()
    assert half.duration_s == pytest.approx(0.5) and len(half.series.array) >= 51
    assert half.ended == "unfinished"
    sim.advance_to(1.0)
    assert len(sim.result().series.array) >= 101 and sim.result().ended == "complete"
    sim.reset()
    sim.advance(0.1)
    assert 11 <= len(sim.result().series.array) < 101
    with pytest.raises(volar.SimulationError, match="record=True"):
        volar.Scene.load("g2p-cube").simulate().result()
