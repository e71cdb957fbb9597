"""Bullet, with every link a free body and hinges as constraints between them.

An emulation of Bullet's classic maximal coordinates, which PyBullet does not make of a URDF: a
hinge is two point-to-point constraints on its axis.
"""

from typing import Any

import numpy as np
import pybullet

from engines.bullet import Settings, xyzw
from engines.bullet import Simulation as Reduced
from engines.schedule import Export, NotPossible, Pose, rotation

ARM = 0.05
"""Half the distance between the two points of a hinge, m."""


def load(export: Export, settings: str) -> "Simulation":
    """Build the scene."""
    return Simulation(export, Settings.of(settings))


class Simulation(Reduced):
    """The scene in Bullet, without reduced coordinates."""

    def _load(self, file: str) -> None:
        for body in self._export.bodies.values():
            if body["file"] == file:
                self._add(body)
        for name, joint in self._export.joints.items():
            child = self._export.bodies[joint["child"]]
            if child["file"] != file or joint["kind"] == "free":
                continue
            if joint["kind"] != "revolute":
                raise NotPossible(f"the joint {name} is {joint['kind']}, no hinge")
            self._hinge(joint)

    def _add(self, body: dict[str, Any]) -> None:
        p, client, mesh = pybullet, self.client, body["mesh"]
        if body["held"] == "moved" or mesh is None:
            raise NotPossible(f"{body['name']} is moved or has no mesh")
        shape = p.createCollisionShape(
            p.GEOM_MESH, fileName=str(self._export.folder / mesh["file"]), physicsClientId=client
        )
        pose, fixed = Pose.of(body["pose"]), body["held"] == "fixed"
        unique = p.createMultiBody(
            baseMass=0.0 if fixed else body["mass"],
            baseCollisionShapeIndex=shape,
            basePosition=pose.p,
            baseOrientation=xyzw(pose.q),
            baseInertialFramePosition=body["centre_of_mass"],
            physicsClientId=client,
        )
        if not fixed:
            moments = np.diag(self._export.inertia(body["name"]))
            p.changeDynamics(
                unique, -1, localInertiaDiagonal=moments.tolist(), physicsClientId=client
            )
        self.places[body["name"]] = (unique, -1)

    def _hinge(self, joint: dict[str, Any]) -> None:
        p, client = pybullet, self.client
        (parent, _), (child, _) = (self.places[joint[key]] for key in ("parent", "child"))
        X_PW = self._frame(joint["parent"]).inverse()
        X_WC = self._frame(joint["child"])
        for side in (-ARM, ARM):
            at = side * np.array(joint["axis"])
            in_world = X_WC.p + rotation(X_WC.q) @ at
            in_parent = X_PW.p + rotation(X_PW.q) @ in_world
            p.createConstraint(
                *(parent, -1, child, -1, p.JOINT_POINT2POINT, [0, 0, 0]),
                parentFramePosition=in_parent - self._centre(joint["parent"]),
                childFramePosition=at - self._centre(joint["child"]),
                physicsClientId=client,
            )

    def _frame(self, name: str) -> Pose:
        return Pose.of(self._export.bodies[name]["pose"])

    def _centre(self, name: str) -> np.ndarray:
        """Frames of constraints start at the centre of mass."""
        return np.array(self._export.bodies[name]["centre_of_mass"])

    def _command(self, t: float) -> None:
        p, client, export = pybullet, self.client, self._export
        if t == 0.0:
            p.setGravity(*export.gravity.at(t), physicsClientId=client)
        for joint in export.joints.values():
            if joint["kind"] == "free":
                continue
            efforts = [
                coefficient * drive.effort(t, {}, {})
                for drive in export.drives
                for name, coefficient in drive.joints
                if name == joint["name"]
            ]
            axis = rotation(self.pose(joint["child"]).q) @ joint["axis"]
            _, child = self._velocity(joint["child"])
            _, parent = self._velocity(joint["parent"])
            torque = (sum(efforts) - joint["damping"] * axis @ (child - parent)) * axis
            for name, sign in ((joint["child"], 1.0), (joint["parent"], -1.0)):
                if export.bodies[name]["held"] != "fixed":
                    p.applyExternalTorque(
                        *(self.places[name][0], -1, sign * torque, p.WORLD_FRAME),
                        physicsClientId=client,
                    )
