"""Wrong arguments: an exception each, never a crash, and nothing is left broken.

Every case calls something with an argument that is wrong: of another type or shape, not
finite, out of range, of another scene. Cases that happen to make sense may succeed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import volar

CASES = 2400

#: What calls may raise. A panic of the native part would be none of them.
EXPECTED = (volar.Error, TypeError, ValueError, KeyError, IndexError, OverflowError, OSError)


class Odd:
    """Something that claims to be an array and is not."""

    @property
    def vertices(self) -> Any:
        raise ValueError("no vertices")

    faces = "none"


def junk(rng: random.Random) -> Any:
    """Something that is hardly ever a right argument."""
    n = rng.choice([0, 1, 2, 3, 4, 6, 7, 100])
    return rng.choice(
        [
            lambda: float("nan"),
            lambda: float("inf"),
            lambda: -float("inf"),
            lambda: rng.choice([-1.0, 0.0, -0.0, 1e308, -1e308, 5e-324, 1e-12]),
            lambda: rng.choice([-1, 0, 2**31, 2**63, 2**64, -(2**63), 10**30]),
            lambda: None,
            lambda: rng.choice([True, False]),
            lambda: rng.choice(["", "cube", "/", "\0", "é" * 50, "../..", "a=b", "[", "gripper/"]),
            lambda: rng.choice([b"", b"cube", bytearray(3)]),
            lambda: [rng.uniform(-1, 1) for _ in range(n)],
            lambda: np.full(n, rng.choice([np.nan, np.inf, 1e308, 0.0])),
            lambda: np.zeros((n, rng.choice([0, 2, 3, 4]))),
            lambda: np.zeros((n, 3), dtype=rng.choice([np.int8, np.float16, np.complex128, bool])),
            lambda: np.array(["x"] * n, dtype=object),
            lambda: np.zeros(3)[::-1],
            lambda: np.random.default_rng(n).normal(size=(2, 2, 2)),
            lambda: {"x": n},
            lambda: object(),
            lambda: Odd(),
            lambda: rng,
            lambda: (np.zeros((3, 3)), np.array([[0, 1, 2], [0, 1, 7]])),
            lambda: [[0, 1], [2]],
            lambda: volar.Scene,
            lambda: lambda *_: 1 / 0,
        ]
    )()


def targets(rng: random.Random) -> Iterator[tuple[str, Callable[[Any, Any], object]]]:
    """Everything that takes arguments, as functions of two."""
    scene = volar.Scene.load("g2p-cube")
    sim = scene.simulate()
    dead = volar.Scene.load("g2p-cube").simulate().clone()
    part = volar.Scene.load("g2p-cube").body("cube")
    box = volar.Mesh.box((0.1, 0.1, 0.1))
    gripper, cube, joint = sim.robot("gripper"), sim.body("cube"), sim.joint("slide_1")
    checkpoint = volar.Scene.load("row-1").simulate().checkpoint()
    short = {"duration": 0.001}

    def attribute(owner: Any, name: str) -> Callable[[Any, Any], object]:
        return lambda a, _: setattr(owner, name, a)

    yield "q", attribute(sim, "q")
    yield "v", attribute(sim, "v")
    yield "gravity", attribute(sim, "gravity")
    yield "effort", attribute(gripper, "effort")
    yield "joint.effort", attribute(joint, "effort")
    yield "friction", attribute(cube, "friction")
    yield "set_state", sim.set_state
    yield "advance", lambda a, _: sim.advance(min(a, 0.001))
    yield "advance_to", lambda a, _: sim.advance_to(min(a, sim.time + 0.001))
    yield "control", lambda a, b: sim.advance(0.001, a, b if b is None else max(b, 1e-4))
    yield "push", lambda a, b: cube.push(a, b)
    yield "push at", lambda a, b: cube.push((0, 0, 1), point=a)
    yield "command", lambda a, b: sim.command({a: b})
    yield "command dict", lambda a, _: sim.command(a)
    yield "joint.command", attribute(joint, "command")
    yield "effort by name", lambda a, b: setattr(gripper, "effort", {a: b})
    yield "command value", lambda a, _: sim.command(slide_1=a)
    yield "drive", lambda a, b: joint.drive(a, kp=b, kd=b)
    yield "body", lambda a, _: sim.body(a)
    yield "joint", lambda a, _: sim.joint(a)
    yield "robot", lambda a, _: sim.robot(a)
    yield "item", lambda a, _: sim[a]
    yield "facets", lambda a, b: sim.facets(a, b)
    yield "contacts", lambda a, _: sim.contacts[a]
    yield "restore", lambda a, _: sim.restore(rng.choice([a, checkpoint]))
    yield "dead", lambda a, _: setattr(dead.body("cube"), "friction", a)
    yield "mesh", lambda a, b: volar.Mesh(a, b)
    yield "mesh vertices", lambda a, _: volar.Mesh(a, box.triangles)
    yield "mesh triangles", lambda a, _: volar.Mesh(box.vertices, a, repair=rng.random() < 0.5)
    yield "mesh scale", lambda a, _: volar.Mesh(box.vertices, box.triangles, scale=a)
    yield "mesh of", lambda a, _: volar.Mesh.of(a)
    yield "load", lambda a, b: volar.Mesh.load(a, scale=b)
    yield "box", lambda a, _: volar.Mesh.box(a)
    yield "sphere", lambda a, _: volar.Mesh.sphere(a)
    yield "cylinder", lambda a, b: volar.Mesh.cylinder(a, b)
    yield "check", lambda a, b: volar.check(a, scale=b)
    yield "overlap", lambda a, b: volar.overlap(box, a, b)
    yield "overlap pose", lambda a, _: volar.overlap(box, box, a)
    yield "pose", lambda a, b: volar.Pose(a, b)
    yield "matrix", lambda a, _: volar.Pose.from_matrix(a)
    yield "inspect", lambda a, _: volar.inspect(a)
    yield "run", lambda a, b: volar.run(a, set=b)
    yield "run set", lambda a, b: volar.run("g2p-cube", set={**short, "body.cube.mass": a})
    yield "run duration", lambda a, _: volar.run("g2p-cube", duration=min(a, 0.001))
    yield "run threads", lambda a, _: volar.run("g2p-cube", set=short, threads=min(a, 3))
    yield "run resume", lambda a, _: volar.run("g2p-cube", set=short, resume=a)
    yield "run limit", lambda a, _: volar.run("g2p-cube", set=short, limit_wall=a)
    yield "scene set", lambda a, b: volar.Scene.load("g2p-cube").set(a, b)
    yield "parse", lambda a, b: volar.Scene.parse(a, folder=b)
    yield "scene", lambda a, b: volar.Scene(duration=a, gravity=b)
    yield "entry", lambda a, b: part.__setitem__(a, b) or part._scene.compile()

    def body(a: Any, b: Any) -> object:
        new = volar.Scene()
        new.add_body(rng.choice([a, {"box": a}, box]), mass=b, position=rng.choice([a, (0, 0, 0)]))
        return new.compile()

    def extra(a: Any, b: Any) -> object:
        new = volar.Scene.load("g2p-cube")
        rng.choice([new.add_event, new.add_force, new.add_sensor, new.grasp, new.exclude])(a, b)
        return new.compile()

    yield "add_body", body
    yield "add others", extra
    yield "add_robot", lambda a, b: volar.Scene().add_robot(a, position=b)


def test_wrong_arguments_are_exceptions() -> None:
    rng = random.Random(14)
    done = refused = 0
    while done < CASES:
        for name, call in targets(rng):
            arguments = junk(rng), junk(rng)
            done += 1
            try:
                call(*arguments)
            except EXPECTED as error:
                refused += 1
                assert "internal error" not in str(error), (name, arguments, error)
            except ZeroDivisionError:
                assert callable(arguments[0]) or callable(arguments[1]), (name, arguments)
    assert refused > 0.8 * CASES
    sim = volar.Scene.load("g2p-cube").simulate()
    sim.advance(0.01)
    assert np.isfinite(sim.q).all()
