"""Scenes from files, by name and in code."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import volar

GRIPPER = """<robot name="gripper">
  <link name="palm"><inertial><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  {fingers}
</robot>"""
FINGER = """<link name="{side}_pad"><inertial><mass value="0.1"/>
    <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.06"/></geometry></collision></link>
  <joint name="{side}" type="prismatic"><parent link="palm"/><child link="{side}_pad"/>
    <origin xyz="{x} 0 0"/><axis xyz="{axis} 0 0"/>
    <limit lower="0" upper="0.04" effort="100" velocity="1"/></joint>"""


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    fingers = FINGER.format(side="left", x=-0.06, axis=1) + FINGER.format(
        side="right", x=0.06, axis=-1
    )
    path = tmp_path / "gripper.urdf"
    path.write_text(GRIPPER.format(fingers=fingers))
    return path


@pytest.fixture
def scene(urdf: Path) -> volar.Scene:
    scene = volar.Scene("mug", duration=1.0)
    hand = scene.add_robot(urdf, fingers={"left": ["left_pad"], "right": ["right_pad"]})
    for side in ("left", "right"):
        hand.joint(side).drive(target=0.04, kp=500, kd=20)
    mug = scene.add_body(volar.Mesh.box((0.06, 0.06, 0.06)), name="mug", mass=0.1)
    scene.grasp(mug, held_since=0.5)
    scene.set("grasp.from", 0.5)
    return scene


def test_scene_in_code_holds(scene: volar.Scene) -> None:
    result = scene.run()
    assert result.held is True
    assert set(result.normal_force_n) == {"left", "right"}


def test_the_loop_of_the_readme(scene: volar.Scene) -> None:
    hand = scene.robot("gripper")
    sim = scene.simulate()
    while sim.time < 0.1:
        hand.effort = -20.0 * sim[hand].v
        sim.advance(0.001)
    assert sim.time == pytest.approx(0.1)
    assert hand.q.shape == hand.v.shape == (2,)
    another = scene.simulate()
    with pytest.raises(volar.SimulationError, match=r"sim\[robot\]"):
        hand.effort = (0.0, 0.0)
    another[hand].effort = (1.0, 0.0)
    assert sim[hand].effort[0] != 1.0


def test_written_and_read_again(scene: volar.Scene, tmp_path: Path) -> None:
    path = scene.save(tmp_path / "saved")
    again = volar.Scene.load(path)
    ends = []
    for each in (scene, again):
        sim = each.simulate()
        sim.advance(0.2)
        ends.append(sim.q.tobytes())
    assert ends[0] == ends[1]
    assert "mug.obj" in again.to_toml()


def test_text_and_back() -> None:
    scene = volar.Scene.load("g2p-cube")
    assert scene.spec["body"][0]["name"] == "cube"
    copy = volar.Scene.parse('name = "drop"\n[[body]]\nname = "b"\nshape = {box = [0.1,0.1,0.1]}\n')
    assert copy.duration == 10.0 and copy.gravity.tolist() == [0.0, 0.0, -9.81]
    copy.duration = 2.0
    copy.gravity = (0, 0, -1)
    assert "duration = 2.0" in copy.to_toml()


def test_a_built_in_scene_is_a_start() -> None:
    scene = volar.Scene.load("g2p-cube")
    scene.body("cube")["mass"] = 0.3
    scene.robot("gripper").joint("slide_1").drive(effort=[(0.0, 0.0), (0.5, 15.0)])
    scene.add_event(0.6, gravity=[0.0, 0.0, -5.0])
    scene.add_force("cube", (0.0, 0.1, 0.0), start=0.1, end=0.2)
    scene.add_material("soft", like="rubber", friction=0.9)
    scene.body("cube")["material"] = "soft"
    scene.add_sensor("pad", scene.simulate().body_names[1])
    sim = scene.simulate()
    assert sim.body("cube").mass == pytest.approx(0.3)
    sim.advance_to(0.7)
    assert sim.gravity.tolist() == [0.0, 0.0, -5.0]
    assert any(name.startswith("sensor/pad") for name in scene.run(duration=0.05).series)


def test_ground_and_tray() -> None:
    scene = volar.Scene("drop", duration=0.5)
    scene.add_body({"ground": {}}, fixed=True)
    ball = scene.add_body(volar.Mesh.sphere(0.03), name="ball", mass=0.1, position=(0, 0, 0.05))
    sim = scene.simulate()
    sim.advance(1.0)
    assert sim.body(ball.name).position[2] == pytest.approx(0.03, abs=1e-3)
    assert sim.contacts.between("ground", "ball")


def test_names_are_made_free() -> None:
    scene = volar.Scene()
    first, second = (scene.add_body({"box": [0.1] * 3}) for _ in range(2))
    assert (first.name, second.name) == ("box", "box_2")


def test_errors_name_place_and_remedy(urdf: Path) -> None:
    with pytest.raises(volar.RobotError, match="missing"):
        volar.Scene().add_robot("missing.urdf")
    broken = urdf.with_name("broken.urdf")
    broken.write_text('<robot name="x"><link name="a"/><joint name="j" type="hinge"/></robot>')
    with pytest.raises(volar.RobotError) as raised:
        volar.Scene().add_robot(broken)
    assert raised.value.place is not None and "broken.urdf:1" in raised.value.place
    scene = volar.Scene()
    scene.add_body({"box": [0.1] * 3}, mass=-1.0)
    with pytest.raises(volar.SceneError) as wrong:
        scene.simulate()
    assert "body[0].mass" in str(wrong.value.place)
    misspelt = volar.Scene.load("g2p-cube")
    misspelt.body("cube")["masss"] = 1.0
    with pytest.raises(volar.SceneError, match="unknown field"):
        misspelt.compile()
    with pytest.raises(volar.SceneError, match="a shape is one of"):
        scene.add_body({"cube": [1, 1, 1]})
    for error in (raised.value, wrong.value):
        copy = pickle.loads(pickle.dumps(error))
        assert (str(copy), copy.place) == (str(error), error.place)


def test_inspect(urdf: Path) -> None:
    robot = volar.inspect(urdf)
    assert robot.name == "gripper" and [name for name, *_ in robot.joints] == ["left", "right"]
    assert robot.joints[0][2] == (0.0, 0.04)


def test_lists() -> None:
    assert "g2r-bunny" in volar.scenes()
    rubber = volar.materials()["rubber"]
    assert rubber["friction"] > 0.0 and rubber["stiffness"] > 0.0


def test_viewer_answers() -> None:
    from urllib.request import urlopen

    with (
        volar.view("g2p-cube", open=False, wait=False) as viewer,
        urlopen(viewer.address, timeout=10) as answer,
    ):
        assert answer.status == 200
    result = volar.run("g2p-cube", duration=0.05)
    with (
        volar.view(result, open=False, wait=False) as viewer,
        urlopen(viewer.address, timeout=10) as answer,
    ):
        assert b"viewer.js" in answer.read()


def test_set_leaves_the_scene_as_it_is() -> None:
    scene = volar.Scene.load("g2p-cube")
    result = volar.run(scene, set={"name": "other"}, duration=0.02)
    assert result.scene == "other" and scene.name != "other" and scene.duration != 0.02
    assert np.isclose(result.duration_s, 0.02)


def test_scenes_go_to_other_processes(scene: volar.Scene) -> None:
    again = pickle.loads(pickle.dumps(scene))
    sims = scene.simulate(), again.simulate()
    for sim in sims:
        sim.advance(0.1)
    assert np.array_equal(sims[0].q, sims[1].q)
