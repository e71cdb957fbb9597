"""Simulations: state, contacts, control, copies."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

import volar


@pytest.fixture
def sim() -> volar.Simulation:
    return volar.Scene.load("g2p-cube").simulate()


def test_stepping_is_the_run() -> None:
    """The same end whether a run is whole or in one piece of a simulation."""
    result = volar.run("g2p-cube", duration=0.5)
    scene = volar.Scene.load("g2p-cube", set={"duration": 0.5})
    sim = scene.simulate()
    sim.advance_to(0.5)
    assert np.array_equal(sim.q, result.simulation().q)


def test_views_follow_and_are_read_only(sim: volar.Simulation) -> None:
    q, v = sim.q, sim.v
    before = q.copy()
    sim.advance(0.05)
    assert sim.q is q and not np.array_equal(q, before)
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        v[0] = 1.0


def test_views_outlive_the_simulation() -> None:
    sim = volar.Scene.load("g2p-cube").simulate()
    sim.advance(0.01)
    q, contacts, poses = sim.q, sim.contacts.array, sim.poses
    expected = q.copy(), contacts.copy(), poses.copy()
    del sim
    gc.collect()
    _ = [np.zeros(1000) for _ in range(100)]
    assert np.array_equal(q, expected[0]) and np.array_equal(poses, expected[2])
    assert np.array_equal(contacts, expected[1])


def test_state_is_set(sim: volar.Simulation) -> None:
    at = sim.q_range("cube")
    q = sim.q.copy()
    q[at][2] += 0.5
    sim.q = q
    assert sim.body("cube").position[2] == pytest.approx(q[at][2])
    v = np.zeros_like(sim.v)
    v[sim.v_range("cube")] = (0.1, 0.2, 0.3, 0.0, 0.0, 1.0)
    sim.v = v
    assert sim.body("cube").velocity.tolist() == pytest.approx([0.1, 0.2, 0.3])
    assert sim.body("cube").angular_velocity.tolist() == pytest.approx([0.0, 0.0, 1.0])
    sim.set_state(q, v)
    with pytest.raises(volar.SimulationError, match="quaternion"):
        zero = q.copy()
        zero[at][3:] = 0.0
        sim.q = zero


def test_contacts(sim: volar.Simulation) -> None:
    sim.advance_to(1.0)
    contacts = sim.contacts
    assert len(contacts) >= 2 and contacts.array.dtype == volar.CONTACT_DTYPE
    for contact in contacts:
        assert "cube" in contact.bodies and contact.normal_force > 0.0
        assert 0.0 < contact.friction_margin <= 1.0
        assert contact.point.shape == (3,) and np.linalg.norm(contact.normal) == pytest.approx(1.0)
        assert contact.other("cube") != "cube"
    assert contacts.array["normal_force"].tolist() == [c.normal_force for c in contacts]
    assert len(contacts.of("cube")) == len(contacts)
    assert len(contacts[:1]) == 1 and contacts[-1].depth == contacts.array["depth"][-1]
    with pytest.raises(AttributeError):
        _ = contacts[0].force


def test_figures_of_contacts_have_types() -> None:
    annotated = set(volar.Contact.__annotations__) - {"bodies"}
    assert annotated == set(volar.CONTACT_DTYPE.names or ()) - {"a", "b"}


def test_facets_carry_the_normal_force(sim: volar.Simulation) -> None:
    sim.advance_to(1.0)
    contact = sim.contacts[0]
    together = sim.contacts.between(*contact.bodies)
    force = sum(c.normal_force for c in together)
    for side in contact.facets():
        edges = side.corners[:, 1:] - side.corners[:, :1]
        areas = 0.5 * np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
        assert (areas * side.pressure).sum() == pytest.approx(force, rel=1e-6)
        assert np.abs(side.corners.mean(axis=(0, 1)) - contact.point).max() < 0.05
    sim.advance(0.01)
    with pytest.raises(volar.SimulationError, match="anew"):
        contact.facets()
    free = sim.body_names[0]
    assert all(len(side.pressure) == 0 for side in sim.facets(free, free))


def test_joints_by_name(sim: volar.Simulation) -> None:
    joint = sim.joint("slide_1")
    assert joint.name == "gripper/slide_1" and joint.unit == "m"
    index = sim.joint_names.index("gripper/slide_1")
    sim.advance(0.05)
    assert joint.position == sim.robot("gripper").q[index]
    assert joint.velocity == sim.robot("gripper").v[index]
    with pytest.raises(KeyError, match="slide_1"):
        sim.joint("slide_9")


def test_commands_and_efforts(sim: volar.Simulation) -> None:
    sim.advance_to(0.5)
    before = sim.contacts[0].normal_force
    sim.command(slide_1=20.0, slide_2=20.0)
    sim.advance(0.5)
    assert sim.contacts[0].normal_force > 1.5 * before
    gripper = sim.robot("gripper")
    assert sim.joint("slide_1").command == 20.0 and sim.joint("slide_1").command_kind == "effort"
    sim.command({"gripper/slide_1": 21.0}, slide_2=21.0)
    sim.joint("slide_1").command = 20.0
    assert [sim.joint(name).command for name in sim.joint_names] == [20.0, 21.0]
    sim.command(slide_2=20.0)
    gripper.effort = {"slide_2": -3.0}
    assert gripper.effort.tolist() == [0.0, -3.0]
    gripper.effort = (-10.0, -10.0)
    assert gripper.effort.tolist() == [-10.0, -10.0]
    sim.advance(0.5)
    assert sim.contacts[0].normal_force == pytest.approx(before, rel=0.05)
    sim.reset()
    assert sim.time == 0.0 and gripper.effort.tolist() == [0.0, 0.0]


def test_effort_moves_a_free_slide() -> None:
    """F = m a, on a joint that the scene does not drive."""
    scene = volar.Scene("slide", gravity=(0, 0, 0))
    scene.add_body({"box": [0.1] * 3}, name="cart", mass=0.5, slides_along=[1, 0, 0])
    sim = scene.simulate()
    sim.joint("cart").effort = 2.0
    sim.advance(0.5)
    assert sim.joint("cart").velocity == pytest.approx(2.0 / 0.5 * 0.5)
    assert sim.energies["kinetic"] == pytest.approx(sim.energies["put_in"])


def test_push_and_gravity() -> None:
    scene = volar.Scene("free", gravity=(0, 0, 0))
    scene.add_body({"box": [0.1] * 3}, name="cube", mass=2.0)
    sim = scene.simulate()
    cube = sim.body("cube")
    cube.push((4.0, 0.0, 0.0))
    sim.advance(1.0)
    cube.push()
    assert cube.velocity[0] == pytest.approx(2.0)
    sim.gravity = (0.0, 0.0, -1.0)
    assert sim.gravity.tolist() == [0.0, 0.0, -1.0]
    sim.advance(1.0)
    assert cube.velocity.tolist() == pytest.approx([2.0, 0.0, -1.0])


def test_friction_lowered_lets_go(sim: volar.Simulation) -> None:
    sim.advance_to(1.0)
    height = sim.body("cube").position[2]
    sim.body("cube").friction = 0.001
    assert sim.body("cube").friction == 0.001
    sim.advance(0.3)
    assert sim.body("cube").position[2] < height - 0.01


def test_checkpoint_and_clone_to_the_bit(sim: volar.Simulation) -> None:
    sim.advance_to(0.3)
    saved, twin = sim.checkpoint(), sim.clone()
    sim.advance(0.2)
    end = sim.q.copy()
    twin.advance(0.2)
    assert np.array_equal(twin.q, end)
    sim.restore(saved)
    assert sim.time == saved.time == pytest.approx(0.3)
    sim.advance(0.2)
    assert np.array_equal(sim.q, end)
    other = volar.Scene.load("g2p-sphere").simulate()
    with pytest.raises(volar.SimulationError, match="bodies"):
        other.restore(saved)


def test_control_at_a_period(sim: volar.Simulation) -> None:
    times: list[float] = []
    sim.advance(0.01, control=lambda sim: times.append(sim.time), period=0.001)
    assert times == pytest.approx([0.001 * i for i in range(10)])
    assert sim.time == pytest.approx(0.01)
    with pytest.raises(ValueError, match="period"):
        sim.advance(0.01, control=lambda sim: None)


def test_step(sim: volar.Simulation) -> None:
    before = sim.time
    length = sim.step()
    assert length > 0.0 and sim.time == pytest.approx(before + length)
    assert sim.statistics["steps"] == 1


def test_another_thread_gets_an_exception() -> None:
    sim = volar.Scene.load("shadow-bunny").simulate()
    raised: list[Exception] = []
    started = threading.Event()

    def use() -> None:
        started.wait()
        for _ in range(200):
            try:
                _ = sim.contacts
                sim.advance(1e-6)
            except volar.SimulationError as error:
                raised.append(error)

    other = threading.Thread(target=use)
    other.start()
    started.set()
    for _ in range(20):
        try:
            sim.advance(0.01)
        except volar.SimulationError as error:
            raised.append(error)
    other.join()
    assert raised and all("another thread" in str(error) for error in raised)
    sim.advance(0.001)


def test_energies_balance(sim: volar.Simulation) -> None:
    def total() -> float:
        e = sim.energies
        stored = e["kinetic"] + e["potential"] + e["contact"] + e["joints"]
        return stored + e["lost"] - e["put_in"]

    start = total()
    sim.advance_to(1.0)
    assert total() == pytest.approx(start, abs=1e-3 * sim.energies["lost"])
    assert sim.warnings == []
