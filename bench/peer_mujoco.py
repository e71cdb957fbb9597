"""The grasps in MuJoCo: its models, its time, and what it makes of them."""

import time
from dataclasses import dataclass
from functools import cache

import coacd
import mujoco
import numpy as np

import scenes
from measures import LOST, Measures, Samples
from pairs import Mesh
from peer_mujoco_hand import OWN_HAND, PACKAGE_HAND, Fingers
from scenes import GRIPPERS, Box, Gripper, Scene

OBJECT = "object"
DIVERGED = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQACC)
"""After these MuJoCo starts again from the beginning."""


@dataclass(frozen=True)
class Settings:
    """What differs from MuJoCo's defaults."""

    title: str
    timestep: float = 0.002
    against_slip: bool = True
    """Elliptic cones, impratio 10 and ten noslip iterations: what it needs to hold things."""
    solref: tuple[float, float] | None = None
    lean: bool = False
    """No islands, and one contact for each pair of convex meshes instead of several."""

    def apply(self, spec: mujoco.MjSpec) -> None:
        """Set the options."""
        spec.option.timestep = self.timestep
        if self.against_slip:
            spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
            spec.option.impratio = 10.0
            spec.option.noslip_iterations = 10
        if self.solref:
            for geom in spec.geoms:
                geom.solref = self.solref
        if self.lean:
            flags = mujoco.mjtDisableBit.mjDSBL_ISLAND | mujoco.mjtDisableBit.mjDSBL_MULTICCD
            spec.option.disableflags |= flags


DEFAULTS = Settings("MuJoCo's defaults", against_slip=False)
COARSE = Settings("MuJoCo")
LEAN = Settings("MuJoCo, lean", lean=True)
TUNED = Settings("MuJoCo, tuned", timestep=0.001, solref=(0.002, 1.0))


class Grasp:
    """One scene, compiled; every run starts anew."""

    def __init__(self, scene: Scene, settings: Settings, primitives: bool = False) -> None:
        """Compile, with the meshes that Volar has or with primitives in their place."""
        self.scene = scene
        self._hand = PACKAGE_HAND if primitives else OWN_HAND
        if scene.gripper is None:
            spec, fingers = self._hand.load()
            self._palm = self._hand.palm
        else:
            spec, fingers = _gripper(GRIPPERS[scene.gripper])
            self._palm = "palm"
        _add_object(spec, scene, primitives)
        settings.apply(spec)
        self.spec = spec
        self.model = spec.compile()
        self.steps = round(scenes.DURATION / settings.timestep)
        self._gravity = scenes.gravity(scene, settings.timestep * np.arange(self.steps))
        self._fingers = {
            name: {self.model.body(link).id for link in links} for name, links in fingers.items()
        }

    def time(self) -> float:
        """Processor seconds for the whole run, without Python where that is possible."""
        return self._run(self.start())

    def time_and_outcome(self) -> tuple[float, bool]:
        """The same, and whether the object is held at the end; no run if it diverged."""
        data = self.start()
        mujoco.mj_forward(self.model, data)
        home = data.body(OBJECT).xpos.copy()
        seconds = self._run(data)
        near = np.linalg.norm(data.body(OBJECT).xpos - home) <= LOST
        forces, _ = self._contacts(data)
        loaded = sum(force > 0.0 for force in forces.values())
        diverged = any(data.warning[kind].number for kind in DIVERGED)
        return seconds, bool(near and loaded >= 2 and not diverged)

    def _run(self, data: mujoco.MjData) -> float:
        model, step = self.model, mujoco.mj_step
        if self._gravity is None:
            start = time.process_time()
            step(model, data, nstep=self.steps)
            return time.process_time() - start
        # MuJoCo does not move gravity by itself, so this takes a call for every step.
        gravity = model.opt.gravity
        start = time.process_time()
        for g in self._gravity:
            gravity[:] = g
            step(model, data)
        return time.process_time() - start

    def measure(self) -> Measures:
        """Run again, the same run to the last bit, looking at it after every step."""
        data = self.start()
        samples = Samples(self.scene, list(self._fingers))
        for step in range(self.steps):
            if self._gravity is not None:
                self.model.opt.gravity[:] = self._gravity[step]
            mujoco.mj_step(self.model, data)
            if any(data.warning[kind].number for kind in DIVERGED):
                break
            velocity = data.joint(OBJECT).qvel
            samples.add(data.time, self._pose_in_palm(data), velocity, *self._contacts(data))
        return samples.measures()

    def _pose_in_palm(self, data: mujoco.MjData) -> np.ndarray:
        """The object's position and quaternion."""
        thing, palm = data.body(OBJECT), data.body(self._palm)
        p_PW, q_PW, p_PO, q_PO = np.zeros(3), np.zeros(4), np.zeros(3), np.zeros(4)
        mujoco.mju_negPose(p_PW, q_PW, palm.xpos, palm.xquat)
        mujoco.mju_mulPose(p_PO, q_PO, p_PW, q_PW, thing.xpos, thing.xquat)
        return np.concatenate([p_PO, q_PO])

    def _contacts(self, data: mujoco.MjData) -> tuple[dict[str, float], float]:
        """Normal force of each finger on the object, and the largest depth."""
        thing = self.model.body(OBJECT).id
        bodies = self.model.geom_bodyid[data.contact.geom]
        forces = dict.fromkeys(self._fingers, 0.0)
        depth = 0.0
        wrench = np.zeros(6)
        for i in np.flatnonzero((bodies == thing).any(axis=1)):
            link = int(bodies[i].sum()) - thing
            depth = max(depth, -float(data.contact.dist[i]))
            mujoco.mj_contactForce(self.model, data, i, wrench)
            for name, links in self._fingers.items():
                if link in links:
                    forces[name] += abs(float(wrench[0]))
        return forces, depth

    def start(self) -> mujoco.MjData:
        """The state in which every run starts."""
        data = mujoco.MjData(self.model)
        if self.scene.gripper is None:
            self._hand.start(data)
            return data
        gripper = GRIPPERS[self.scene.gripper]
        for i in range(len(gripper.azimuths)):
            for joint in gripper.finger:
                data.joint(f"{joint.name}_{i + 1}").qpos = joint.start
                data.joint(f"{joint.name}_{i + 1}").qfrc_applied = joint.effort
        return data


def _gripper(gripper: Gripper) -> tuple[mujoco.MjSpec, Fingers]:
    """A gripper alone."""
    spec = mujoco.MjSpec()
    palm = spec.worldbody.add_body(name="palm", pos=scenes.PALM_POSITION)
    _add_box(palm, gripper.palm)
    fingers: Fingers = {}
    for i, azimuth in enumerate(np.radians(gripper.azimuths)):
        cos, sin = np.cos(azimuth), np.sin(azimuth)
        turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        half = (np.cos(azimuth / 2), 0, 0, np.sin(azimuth / 2))
        links = fingers[f"finger_{i + 1}"] = []
        parent = palm
        for joint in gripper.finger:
            first = parent is palm
            link = parent.add_body(
                name=f"{joint.name}_link_{i + 1}",
                pos=turn @ joint.offset if first else joint.offset,
                quat=half if first else (1, 0, 0, 0),
            )
            slides = joint.kind == "slide"
            link.add_joint(
                name=f"{joint.name}_{i + 1}",
                type=mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE,
                axis=joint.axis,
                # Angles in an MjSpec are in degrees.
                range=joint.limits if slides else np.degrees(joint.limits),
                damping=[joint.damping, 0, 0],
            )
            _add_box(link, joint.link)
            links.append(link.name)
            parent = link
    return spec, fingers


def _add_box(body: mujoco.MjsBody, box: Box) -> None:
    body.mass = box.mass
    body.ipos = box.centre
    body.inertia = box.moments()
    body.explicitinertial = True
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=0.5 * np.array(box.size),
        pos=box.centre,
        friction=(scenes.FRICTION, 0, 0),
        # Links touch the object, not each other.
        contype=1,
        conaffinity=0,
    )


def _add_object(spec: mujoco.MjSpec, scene: Scene, primitives: bool) -> None:
    body = spec.worldbody.add_body(name=OBJECT, pos=scene.position, quat=scene.quaternion)
    body.add_freejoint(name=OBJECT)
    body.mass = scenes.OBJECT_MASS
    # Unless said, MuJoCo puts the centre of mass where the body starts, in the body's frame.
    body.ipos, body.iquat = (0, 0, 0), (1, 0, 0, 0)
    body.fullinertia = scene.inertia or scenes.INERTIAS[scene.object]
    body.explicitinertial = True
    common = {"friction": (scenes.FRICTION, 0, 0), "contype": 0, "conaffinity": 1}
    if scene.object == "cube":
        size = (scenes.CUBE_EDGE / 2,) * 3
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=size, **common)
        return
    if scene.object == "sphere" and primitives:
        size = (scenes.SPHERE_RADIUS, 0, 0)
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=size, **common)
        return
    sphere = [scenes.icosphere(scenes.SPHERE_RADIUS, 3)] if scene.object == "sphere" else None
    for i, part in enumerate(scene.pieces or sphere or bunny_parts()):
        spec.add_mesh(
            name=f"part_{i}", uservert=part.vertices.ravel(), userface=part.triangles.ravel()
        )
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"part_{i}", **common)


@cache
def bunny_parts() -> list[Mesh]:
    """The bunny in convex parts, for MuJoCo knows no others."""
    coacd.set_log_level("error")
    whole = scenes.bunny()
    parts = coacd.run_coacd(coacd.Mesh(whole.vertices, whole.triangles), threshold=0.05, seed=1)
    return [Mesh(np.array(vertices), np.array(triangles)) for vertices, triangles in parts]
