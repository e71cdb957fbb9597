"""Volar as an engine of the NeuroRobotics Platform: the coordinator played by a client.

nrp-core itself is on no registry; `coordinator` does what it does, from its public
interface.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from coordinator import RefusedError, RestEngine, ScriptEngine, start

from volar.nrp import VolarEngine

SCENE = "g2p-cube"
MS = 1_000_000


@pytest.fixture(scope="module")
def rest() -> Iterator[RestEngine]:
    """One engine that has to live through all the tests."""
    process, engine = start("hand", "--scene", SCENE)
    yield engine
    engine.shutdown()
    assert process.wait(timeout=30) == 0


@pytest.fixture
def fresh(rest: RestEngine) -> RestEngine:
    try:
        rest.initialize()
    except RefusedError as refused:
        assert refused.status == 409
        rest.reset()
    return rest


def experiment(engine: Any) -> list[Any]:
    """A whole one: 1000 loops at 10 ms, then 1000 at 1 ms, with packs both ways."""
    seen = []
    for step, count in ((10 * MS, 1000), (MS, 1000)):
        engine.reset()
        for loop in range(count):
            assert engine.run_loop(step) == (loop + 1) * step
            if loop % 50 == 0:
                packs = engine.get("time", "joints", "body/cube", "contacts", "efforts")
                seen.append(packs)
                speed = packs["joints"]["gripper/slide_1"]["velocity"]
                engine.set(efforts={"gripper/slide_1": -5.0 * speed, "slide_2": 0.5})
            if loop == count // 2:
                engine.set(loads={"cube": {"force": [0.0, 0.0, -0.5]}})
        seen.append(engine.get("bodies", "loads", "targets", "contacts/cube"))
    return seen


def test_rest_and_script_do_the_same(fresh: RestEngine) -> None:
    script = ScriptEngine("hand", VolarEngine())
    script.initialize(Scene=SCENE)
    over_rest, within = experiment(fresh), experiment(script)
    assert over_rest == within, "to the bit"
    cube = over_rest[-1]["bodies"]["cube"]
    assert len(cube["position"]) == 3 and len(cube["orientation"]) == 4
    contact = over_rest[-1]["contacts/cube"][0]
    assert contact["normal_force"] > 1.0 and 0.0 < contact["friction_margin"] <= 1.0
    assert "cube" in contact["bodies"] and len(contact["point"]) == len(contact["normal"]) == 3
    assert over_rest[-1]["loads"]["cube"]["force"] == [0.0, 0.0, -0.5]
    script.shutdown()


def test_targets(fresh: RestEngine) -> None:
    script = ScriptEngine("hand", VolarEngine())
    changes = {"robot.gripper.joints.slide_1": {"target": 0.0, "kp": 100.0, "kd": 10.0}}
    script.initialize(Scene=SCENE, Set=changes, Threads=1)
    assert script.get("targets")["targets"] == {"gripper/slide_1": 0.0}
    script.set(targets={"slide_1": 0.01})
    assert script.get("joint/gripper/slide_1")["joint/gripper/slide_1"]["target"] == 0.01
    with pytest.raises(KeyError, match="slide_1"):
        script.set(targets={"slide_2": 0.01})
    with pytest.raises(RefusedError, match="no joint driven to a target"):
        fresh.set(targets={"slide_1": 0.01})


def test_reset_begins_again(fresh: RestEngine) -> None:
    fresh.set(efforts={"slide_1": 3.0}, loads={"cube": {"force": [1, 0, 0]}})
    fresh.run_loop(10 * MS)
    fresh.reset()
    assert fresh.get("time")["time"] == {"time": 0.0, "time_ns": 0}
    assert set(fresh.get("efforts")["efforts"].values()) == {0.0}
    assert fresh.get("loads")["loads"] == {}
    assert fresh.run_loop(MS) == MS


WRONG = [
    ("run_loop", {"time_step": 0}, 400, "time_step"),
    ("run_loop", {"time_step": -MS}, 400, "time_step"),
    ("run_loop", {"time_step": 0.5}, 400, "time_step"),
    ("run_loop", {"time_step": "1"}, 400, "time_step"),
    ("run_loop", {"time_step": 10**18}, 400, "time_step"),
    ("run_loop", {"time_step": 10**30}, 400, "time_step"),
    ("run_loop", {}, 400, "time_step"),
    ("run_loop", None, 400, "time_step"),
    ("run_loop", [1], 400, "time_step"),
    ("step", {}, 404, "run_loop"),
    ("", {}, 404, "run_loop"),
    ("../etc/passwd", {}, 404, "run_loop"),
    ("initialize", {"EngineName": "hand"}, 409, "already"),
    ("get_datapacks", {"nothing": {"engine_name": "hand"}}, 400, "no data pack"),
    ("get_datapacks", {"body/none": {"engine_name": "hand"}}, 400, "no body"),
    ("get_datapacks", {"time": {"engine_name": "other"}}, 400, "other"),
    ("get_datapacks", {"time": {}}, 400, "engine_name"),
    ("get_datapacks", {"time": 3}, 400, "engine_name"),
    ("get_datapacks", ["time"], 400, "object"),
    ("set_datapacks", {"efforts": {"engine_name": "other", "data": {}}}, 400, "other"),
    ("set_datapacks", {"efforts": {"engine_name": "hand"}}, 400, "no data"),
    ("set_datapacks", {"efforts": {"engine_name": "hand", "data": 3}}, 400, "object"),
    ("set_datapacks", {"efforts": {"engine_name": "hand", "data": {"x": 1}}}, 400, "no joint"),
    (
        "set_datapacks",
        {"efforts": {"engine_name": "hand", "data": {"slide_1": "x"}}},
        400,
        "number",
    ),
    ("set_datapacks", {"time": {"engine_name": "hand", "data": {}}}, 400, "cannot be set"),
    ("set_datapacks", {"none": {"engine_name": "hand", "data": {}}}, 400, "cannot be set"),
    ("set_datapacks", {"loads": {"engine_name": "hand", "data": {"cube": 1}}}, 400, "cube"),
    (
        "set_datapacks",
        {"loads": {"engine_name": "hand", "data": {"cube": {"force": [1, 2]}}}},
        400,
        "cube",
    ),
]


@pytest.mark.parametrize(("verb", "data", "status", "what"), WRONG)
def test_wrong_requests(fresh: RestEngine, verb: str, data: Any, status: int, what: str) -> None:
    fresh.run_loop(MS)
    with pytest.raises(RefusedError, match=what) as refused:
        fresh.ask(verb, data)
    assert refused.value.status == status
    assert fresh.run_loop(MS) == 2 * MS, "the engine lives, and is where it was"


def test_wrong_http(fresh: RestEngine) -> None:
    head = b"POST /run_loop HTTP/1.1\r\nHost: localhost\r\n"
    for sent, status in [
        (b"\0\1\2\r\n\r\n", b" 400 "),
        (b"GET /run_loop HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 405 "),
        (head + b"Content-Length: 5\r\n\r\n{nope", b" 400 "),
        (head + b"Content-Length: 50\r\n\r\n{", b" 400 "),
        (head + b"Content-Length: 100000000\r\n\r\n", b" 413 "),
        (head + b"X: " + b"x" * 20000 + b"\r\n\r\n", b" 431 "),
        (head + b"Origin: http://example.org\r\nContent-Length: 2\r\n\r\n{}", b" 403 "),
        (b"POST /run_loop HTTP/1.1\r\nHost: example.org\r\n\r\n", b" 403 "),
        (head[:20], b" 400 "),
    ]:
        assert status in fresh.raw(sent).split(b"\r\n")[0], sent[:60]
        assert fresh.run_loop(MS) > 0
    deep = b"[" * 100_000
    with pytest.raises(RefusedError, match="JSON"):
        fresh.post("/run_loop", deep)


def test_half_a_request_holds_up_nobody(fresh: RestEngine) -> None:
    half = threading.Thread(
        target=lambda: fresh.raw(b"POST /reset HTTP/1.1\r\nHost: localhost\r\n", close=False)
    )
    half.start()
    began = time.monotonic()
    for _ in range(10):
        fresh.run_loop(MS)
    assert time.monotonic() - began < 4.0, "before the other one is given up after 5 s"
    half.join()


def test_two_clients_take_turns(fresh: RestEngine) -> None:
    other = RestEngine("hand", f"{fresh.host}:{fresh.port}")
    with pytest.raises(RefusedError, match="already"):
        other.initialize(Scene=SCENE)
    times: list[int] = []

    def steps(engine: RestEngine) -> None:
        times.extend(engine.run_loop(MS) for _ in range(50))

    threads = [threading.Thread(target=steps, args=(engine,)) for engine in (fresh, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(times) == [MS * (at + 1) for at in range(100)]


def test_before_it_is_initialised() -> None:
    process, engine = start("early")
    for verb in ("run_loop", "get_datapacks", "set_datapacks", "reset"):
        with pytest.raises(RefusedError, match="initialize") as refused:
            engine.ask(verb, {})
        assert refused.value.status == 409
    for extra, what in [
        ({}, "no scene"),
        ({"Scene": "no-such-scene"}, "no scene"),
        ({"Scene": SCENE, "Set": {"body.cube.mass": -1}}, "mass"),
        ({"Scene": SCENE, "Colour": "red"}, "Colour"),
    ]:
        with pytest.raises(RefusedError, match=what):
            engine.initialize(**extra)
    with pytest.raises(RefusedError, match="early"):
        engine.ask("initialize", {"EngineName": "late", "EngineExtraConfigs": {"Scene": SCENE}})
    with pytest.raises(RefusedError, match="nanoseconds"):
        engine.ask("initialize", {"EngineName": "early", "TimeRatio": [1, 1000]})
    engine.initialize(Scene=SCENE)
    engine.shutdown()
    assert process.wait(timeout=30) == 0


def test_script_refuses_what_makes_no_sense() -> None:
    engine = ScriptEngine("hand", VolarEngine())
    with pytest.raises(ValueError, match="no scene"):
        engine.initialize()
    with pytest.raises(ValueError, match="Colour"):
        engine.initialize(Scene=SCENE, Colour="red")
    engine.initialize(Scene=SCENE)
    for step in (0, -MS, 0.5, 10**12):
        with pytest.raises(ValueError, match="timestep_ns"):
            engine.run_loop(step)
    assert engine.run_loop(MS) == MS
    for name, data in [
        ("time", {}),
        ("efforts", 3),
        ("efforts", {"slide_9": 1.0}),
        ("efforts", {"slide_1": "x"}),
        ("loads", {"cube": {"push": [1, 2, 3]}}),
    ]:
        with pytest.raises((KeyError, TypeError, ValueError)):
            engine.set(**{name: data})
    with pytest.raises(KeyError, match="nothing"):
        engine.get("nothing")
    engine.shutdown()
    engine.shutdown()


def test_only_this_machine_unless_told() -> None:
    command = [sys.executable, "-m", "volar", "serve", "nrp"]
    exposed = subprocess.run([*command, "--serverurl=0.0.0.0:0"], capture_output=True, text=True)
    assert exposed.returncode == 2 and "--expose" in exposed.stderr
    schema = subprocess.run([*command, "--schema"], capture_output=True, text=True, check=True)
    assert "engine_volar" in json.loads(schema.stdout)
