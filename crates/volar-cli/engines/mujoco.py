"""MuJoCo."""

from typing import Any

import mujoco
import numpy as np

from engines import pieces
from engines.record import Contact, Look
from engines.schedule import Export, Motion, NotPossible, Pose, rotation

DIVERGED = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
"""After these MuJoCo starts again from the beginning."""

HEAVY = 1.0e6
"""Mass (kg) and inertia (kg m²) that are added to what moves as prescribed."""

PREVENTING_SLIP = "MuJoCo documentation, Modeling, Preventing slip"


def load(export: Export, settings: str) -> "Simulation":
    """Compile the scene."""
    return Simulation(export, careful=settings == "careful")


class Simulation:
    """The scene in MuJoCo."""

    version = mujoco.__version__

    def __init__(self, export: Export, careful: bool, concavity: float = pieces.THRESHOLD) -> None:
        """Compile; careful: against slip, in convex pieces, with a shorter step."""
        self._export = export
        self._concavity = concavity
        spec = mujoco.MjSpec.from_file(str(export.folder / export.data["files"][0]))
        self.notes: list[str] = []
        self.settings = _set_options(spec, careful)
        for name in pieces.not_convex(export):
            self._replace_mesh(spec, name, careful)
        # The start is set below; a keyframe would not fit the joints of what is moved.
        for key in list(spec.keys):
            spec.delete(key)
        self._moved = [(motion, self._free(spec, motion)) for motion in export.motions]
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.step = self.model.opt.timestep
        self._names = [self.model.body(i).name for i in range(self.model.nbody)]
        self._palm = self.model.body(export.palm).id
        self._object = self.model.body(export.object).id
        self._drives = [
            (self.model.actuator(drive.actuator).id, drive.command)
            for drive in export.drives
            if drive.actuator is not None
        ]
        if any(drive.actuator is None for drive in export.drives):
            raise NotPossible("a drive has no actuator in scene.xml")
        self._loads = list(zip(export.data["loads"], export.scales, strict=True))
        self._start()

    def _replace_mesh(self, spec: mujoco.MjSpec, name: str, careful: bool) -> None:
        """MuJoCo takes the hull of a mesh; careful: convex pieces instead."""
        body, mesh = spec.body(name), self._export.bodies[name]["mesh"]
        path = self._export.folder / mesh["file"]
        if not careful:
            self.notes.append(pieces.note(name, mesh, pieces.hull(path), "its convex hull"))
            return
        solids = pieces.convex_pieces(path, self._concavity)
        what = f"{len(solids)} convex pieces by CoACD"
        self.notes.append(pieces.note(name, mesh, solids, what))
        (geom,) = [g for g in body.geoms if g.type == mujoco.mjtGeom.mjGEOM_MESH]
        same = ("contype", "conaffinity", "condim", "friction", "solref", "solimp", "priority")
        common = {key: getattr(geom, key) for key in (*same, "margin", "gap", "pos", "quat")}
        own = f"{name}/piece"
        for i, solid in enumerate(solids):
            part = f"{own}_{i}"
            spec.add_mesh(
                name=part, uservert=solid.vertices.ravel(), userface=solid.triangles.ravel()
            )
            body.add_geom(
                type=mujoco.mjtGeom.mjGEOM_MESH, name=part, meshname=part, mass=0.0, **common
            )
        for pair in [p for p in spec.pairs if geom.name in (p.geomname1, p.geomname2)]:
            other = pair.geomname2 if pair.geomname1 == geom.name else pair.geomname1
            for i in range(len(solids)):
                spec.add_pair(
                    geomname1=f"{own}_{i}",
                    geomname2=other,
                    condim=pair.condim,
                    friction=pair.friction,
                )
            spec.delete(pair)
        spec.delete(geom)

    def _free(self, spec: mujoco.MjSpec, motion: Motion) -> str:
        """What moves as prescribed: heavy, with its state set at every step.

        A mocap body would be at rest for the friction of what it carries.
        """
        if len(motion.bodies) > 1:
            raise NotPossible("a motion that moves more than one body")
        body = spec.body(motion.body)
        body.mocap = False
        joint = body.add_freejoint(name=f"{motion.body}/prescribed")
        joint.armature = HEAVY
        return joint.name

    def _start(self) -> None:
        for name, joint in self._export.joints.items():
            own = self.data.joint(name)
            if joint["kind"] == "free":
                body = self._export.bodies[joint["child"]]
                pose, velocity = Pose.of(body["pose"]), np.array(body["velocity"])
                own.qpos = body["pose"]
                own.qvel = np.concatenate([velocity[:3], rotation(pose.q).T @ velocity[3:]])
            elif joint["kind"] in ("revolute", "prismatic"):
                own.qpos, own.qvel = joint["q0"], joint["v0"]
            else:
                raise NotPossible(f"the joint {name} is {joint['kind']}")
        self._command(0.0)
        mujoco.mj_forward(self.model, self.data)

    def _command(self, t: float) -> None:
        if not self._export.gravity.is_constant or t == 0.0:
            self.model.opt.gravity[:] = self._export.gravity.at(t)
        for actuator, command in self._drives:
            if t == 0.0 or not command.is_constant:
                self.data.ctrl[actuator] = command.at(t)[0]
        for motion, joint in self._moved:
            now, then = motion.at(t), motion.at(t + self.step)
            own = self.data.joint(joint)
            turn = rotation(now.pose.q).T
            own.qpos = np.concatenate([now.pose.p, now.pose.q])
            own.qvel = np.concatenate([now.velocity, turn @ now.angular])
            linear = (then.velocity - now.velocity) / self.step
            angular = turn @ (then.angular - now.angular) / self.step
            own.qfrc_applied = HEAVY * np.concatenate([linear, angular])
        for load, scale in self._loads:
            body = self.model.body(load["body"]).id
            force = scale.at(t)[0] * np.array(load["force"])
            torque = scale.at(t)[0] * np.array(load["torque"])
            turn = self.data.xmat[body].reshape(3, 3)
            at = self.data.xpos[body] + turn @ load["point"]
            arm = at - self.data.xipos[body]
            self.data.xfrc_applied[body] = np.concatenate([force, torque + np.cross(arm, force)])

    def advance(self, t: float) -> None:
        """One step."""
        self._command(t)
        mujoco.mj_step(self.model, self.data)

    def failure(self) -> str | None:
        """MuJoCo's warnings of numbers out of range."""
        bad = any(self.data.warning[kind].number for kind in DIVERGED)
        return "diverged: MuJoCo reset the simulation" if bad else None

    def look(self) -> Look:
        """Poses and contacts. Contact forces are those of the step that led here."""
        data = self.data
        velocity = np.zeros(6)
        of_body = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(self.model, data, of_body, self._object, velocity, 0)
        angular, linear = velocity[:3].copy(), velocity[3:].copy()
        arm = data.xipos[self._object] - data.xpos[self._object]
        palm = np.zeros(6)
        mujoco.mj_objectVelocity(self.model, data, of_body, self._palm, palm, 0)
        return Look(
            object=self._pose(self._object),
            palm=self._pose(self._palm),
            velocity=linear + np.cross(angular, arm),
            angular=angular,
            palm_velocity=palm[3:],
            contacts=list(self._contacts()),
        )

    def _pose(self, body: int) -> Pose:
        return Pose(self.data.xpos[body].copy(), self.data.xquat[body].copy())

    def _contacts(self) -> Any:
        data, force = self.data, np.zeros(6)
        bodies = self.model.geom_bodyid[data.contact.geom]
        for i in range(data.ncon):
            if data.contact.efc_address[i] < 0:
                continue
            mujoco.mj_contactForce(self.model, data, i, force)
            a, b = (self._names[body] for body in bodies[i])
            # The frame's first axis points from the first geom to the second, and the force is
            # that on the second.
            on_b = data.contact.frame[i].reshape(3, 3).T @ force[:3]
            yield Contact(a, b, max(float(force[0]), 0.0), -on_b, -float(data.contact.dist[i]))


def _set_options(spec: mujoco.MjSpec, careful: bool) -> list[str]:
    option = spec.option
    option.timestep = 0.002
    option.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL
    option.impratio, option.noslip_iterations = 1.0, 0
    if not careful:
        return ["step 2 ms, pyramidal cones, impratio 1, no noslip: the defaults"]
    option.timestep = 0.001
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio, option.noslip_iterations, option.tolerance = 10.0, 10, 1e-10
    return [
        f"elliptic cones, impratio 10, tolerance 1e-10, 10 noslip iterations ({PREVENTING_SLIP})",
        f"step 1 ms ({PREVENTING_SLIP}, High-frequency vibration)",
    ]
