"""Equations of motion by Pinocchio, for crates/volar-dynamics/tests/suite/pinocchio.rs.

    python oracle/dynamics.py own CASES.jsonl      our grippers and a chain of all joints
    python oracle/dynamics.py robots CASES.jsonl   URDFs of the package example-robot-data

One line per model: its bodies, and samples of the mass matrix, the forward and
the inverse dynamics in random states under random wrenches.

Pinocchio measures velocities of ball, planar and free joints along the body's
axes; volar measures them along the joint frame's. With R the rotation of the
joint, velocities and efforts turn by R, and accelerations gain R (w x v).
"""

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pinocchio as pin

# Arms, hands, legged and wheeled robots; the flag says whether the base is free.
ROBOTS = [
    ("panda_description/urdf/panda.urdf", False),
    ("ur_description/urdf/ur5_robot.urdf", False),
    ("allegro_hand_description/urdf/allegro_right_hand.urdf", False),
    ("kinova_description/robots/kinova.urdf", False),
    ("double_pendulum_description/urdf/double_pendulum.urdf", False),
    ("anymal_b_simple_description/robots/anymal.urdf", True),
    ("talos_data/robots/talos_reduced.urdf", True),
    ("g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", True),
    ("tiago_description/robots/tiago.urdf", True),
]

GRAVITY = np.array([0.3, -0.2, -9.81])


def box(mass: float, size: list[float], centre: list[float]) -> pin.Inertia:
    """A uniform box; its frame's axes, its centre in that frame."""
    x, y, z = np.square(size)
    inertia = np.diag([y + z, x + z, x + y]) * mass / 12.0
    return pin.Inertia(mass, np.array(centre), inertia)


def gripper() -> pin.Model:
    """The three-fingered gripper g3r of docs/grippers.md on a free palm."""
    model = pin.Model()
    palm = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "palm")
    model.appendBodyToJoint(palm, box(0.5, [0.12, 0.12, 0.03], [0, 0, 0.015]), pin.SE3.Identity())
    for finger in range(3):
        turn = pin.utils.rotate("z", finger * 2.0 * np.pi / 3.0)
        place = pin.SE3(turn, turn @ np.array([0.02, 0.0, -0.023]))
        parent = palm
        for name, length in [("prox", 0.045), ("dist", 0.06)]:
            joint = model.addJoint(parent, pin.JointModelRY(), place, f"{name}_{finger + 1}")
            link = box(0.1, [0.016, 0.016, length], [0, 0, -length / 2])
            model.appendBodyToJoint(joint, link, pin.SE3.Identity())
            parent, place = joint, pin.SE3(np.eye(3), np.array([0.0, 0.0, -length]))
    return model


def chain(rng: np.random.Generator) -> pin.Model:
    """One joint of each kind, one after the other, in general position."""
    model = pin.Model()
    parent = 0
    for name, joint in [
        ("planar", pin.JointModelPlanar()),
        ("revolute", pin.JointModelRevoluteUnaligned(*direction(rng))),
        ("ball", pin.JointModelSpherical()),
        ("prismatic", pin.JointModelPrismaticUnaligned(*direction(rng))),
        ("free", pin.JointModelFreeFlyer()),
    ]:
        quaternion = pin.Quaternion(*direction(rng, 4))
        place = pin.SE3(quaternion.matrix(), rng.uniform(-0.3, 0.3, 3))
        parent = model.addJoint(parent, joint, place, name)
        turn = pin.Quaternion(*direction(rng, 4)).matrix()
        inertia = box(rng.uniform(0.1, 2.0), rng.uniform(0.05, 0.3, 3), [0, 0, 0])
        placement = pin.SE3(turn, rng.uniform(-0.2, 0.2, 3))
        model.appendBodyToJoint(parent, inertia, placement)
    return model


def direction(rng: np.random.Generator, size: int = 3) -> np.ndarray:
    """A random unit vector."""
    vector = rng.normal(size=size)
    return vector / np.linalg.norm(vector)


def kind(joint: pin.JointModel) -> str:
    """The name of a joint for volar."""
    name = joint.shortname().removeprefix("JointModel")
    for start, ours in [
        ("FreeFlyer", "free"),
        ("Spherical", "ball"),
        ("Planar", "planar"),
        ("P", "prismatic"),
        ("R", "revolute"),
    ]:
        if name.startswith(start):
            return ours
    sys.exit(f"{name}: a joint that volar does not have")


def describe(model: pin.Model) -> list[dict]:
    """The bodies as volar takes them; joint 0 is the world."""
    data = model.createData()
    pin.computeJointJacobians(model, data, pin.neutral(model))
    bodies = []
    for number in range(1, model.njoints):
        joint, inertia = model.joints[number], model.inertias[number]
        place, what = model.jointPlacements[number], kind(joint)
        body = {
            "name": model.names[number],
            "parent": model.parents[number] - 1,
            "rotation": place.rotation.tolist(),
            "position": place.translation.tolist(),
            "joint": what,
            "mass": inertia.mass,
            "centre_of_mass": inertia.lever.tolist(),
            "inertia": inertia.inertia.tolist(),
        }
        if what in ("revolute", "prismatic"):
            # The joint's column in its own frame.
            subspace = np.ravel(data.joints[number].S)
            axis = subspace[3:] if what == "revolute" else subspace[:3]
            body["axis"] = axis.tolist()
        bodies.append(body)
    return bodies


class State:
    """A random state, in Pinocchio's and in volar's terms."""

    def __init__(self, model: pin.Model, rng: np.random.Generator) -> None:
        """Draws all joints of a model."""
        self.model = model
        self.q_pin, self.q = pin.neutral(model), []
        self.turn = np.eye(model.nv)
        self.v_pin = rng.normal(size=model.nv)
        # Of the accelerations: volar's minus the rotated ones of Pinocchio.
        self.extra = np.zeros(model.nv)
        for joint in model.joints[1:]:
            self.draw(joint, rng)
        self.v = self.turn @ self.v_pin

    def draw(self, joint: pin.JointModel, rng: np.random.Generator) -> None:
        """Draws the coordinates of one joint and notes how its velocities turn."""
        what, at = kind(joint), slice(joint.idx_q, joint.idx_q + joint.nq)
        dofs = slice(joint.idx_v, joint.idx_v + joint.nv)
        if what in ("revolute", "prismatic"):
            angle = rng.uniform(-1.5, 1.5) if what == "revolute" else rng.uniform(-0.5, 0.5)
            self.q.append(angle)
            unbounded = joint.nq == 2
            self.q_pin[at] = [np.cos(angle), np.sin(angle)] if unbounded else [angle]
            return
        position, v = rng.uniform(-0.5, 0.5, 3), self.v_pin[dofs]
        if what == "planar":
            angle = rng.uniform(-1.5, 1.5)
            self.q += [position[0], position[1], angle]
            self.q_pin[at] = [position[0], position[1], np.cos(angle), np.sin(angle)]
            R = pin.utils.rotate("z", angle)
            w = np.array([0.0, 0.0, v[2]])
            linear = np.cross(w, [v[0], v[1], 0.0])
            self.extra[dofs] = [*(R @ linear)[:2], 0.0]
            self.turn[dofs, dofs] = R
            return
        w, x, y, z = direction(rng, 4)
        R = pin.Quaternion(w, x, y, z).matrix()
        if what == "ball":
            self.q += [w, x, y, z]
            self.q_pin[at] = [x, y, z, w]
            self.turn[dofs, dofs] = R
        else:
            self.q += [*position, w, x, y, z]
            self.q_pin[at] = [*position, x, y, z, w]
            self.turn[dofs, dofs] = np.kron(np.eye(2), R)
            self.extra[dofs] = [*(R @ np.cross(v[3:], v[:3])), 0.0, 0.0, 0.0]


def sample(model: pin.Model, rng: np.random.Generator) -> dict:
    """One random state and what Pinocchio makes of it."""
    data, state = model.createData(), State(model, rng)
    turn, tau = state.turn, rng.normal(size=model.nv)
    vdot = rng.normal(size=model.nv)
    wrenches = rng.normal(size=(model.njoints - 1, 6))
    pin.forwardKinematics(model, data, state.q_pin)
    forces = pin.StdVec_Force()
    forces.append(pin.Force.Zero())
    for placement, wrench in zip(data.oMi[1:], wrenches, strict=True):
        R_BW = placement.rotation.T
        forces.append(pin.Force(R_BW @ wrench[3:], R_BW @ wrench[:3]))
    forward = pin.aba(model, data, state.q_pin, state.v_pin, turn.T @ tau, forces).copy()
    vdot_pin = turn.T @ (vdot - state.extra)
    inverse = pin.rnea(model, data, state.q_pin, state.v_pin, vdot_pin, forces).copy()
    mass = pin.crba(model, data, state.q_pin).copy()
    mass = np.triu(mass) + np.triu(mass, 1).T
    return {
        "q": [float(value) for value in state.q],
        "v": state.v.tolist(),
        "tau": tau.tolist(),
        "vdot": vdot.tolist(),
        "wrenches": wrenches.tolist(),
        "mass_matrix": (turn @ mass @ turn.T).tolist(),
        "forward": (turn @ forward + state.extra).tolist(),
        "inverse": (turn @ inverse).tolist(),
    }


def robots() -> Iterator[tuple[str, pin.Model]]:
    """The models of the package example-robot-data."""
    files = importlib.metadata.files("example-robot-data")
    for path, free in ROBOTS:
        found = [file for file in files if str(file).endswith("robots/" + path)]
        if not found:
            sys.exit(f"example-robot-data has no {path}")
        urdf = str(found[0].locate().resolve())
        base = [pin.JointModelFreeFlyer()] if free else []
        yield path.split("/")[-1], pin.buildModelFromUrdf(urdf, *base)


def main() -> None:
    """Writes the cases asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("which", choices=["own", "robots"])
    parser.add_argument("output", type=Path, help="file to write, one JSON object per line")
    parser.add_argument("--samples", type=int, default=None, help="states per model")
    args = parser.parse_args()
    rng = np.random.default_rng(20240229)
    if args.which == "own":
        models, count = [("g3r", gripper()), ("chain", chain(rng))], args.samples or 2
    else:
        models, count = robots(), args.samples or 20
    with args.output.open("w", encoding="utf-8") as file:
        for name, model in models:
            model.gravity = pin.Motion(GRAVITY, np.zeros(3))
            # Rotor inertias of URDFs are none of ours here.
            model.armature[:] = 0.0
            case = {
                "model": name,
                "gravity": GRAVITY.tolist(),
                "bodies": describe(model),
                "samples": [sample(model, rng) for _ in range(count)],
            }
            file.write(json.dumps(case, allow_nan=False) + "\n")


if __name__ == "__main__":
    main()
