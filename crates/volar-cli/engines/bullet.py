"""Bullet, with the links of a robot in reduced coordinates (what PyBullet makes of a URDF)."""

import importlib.metadata
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pybullet

from engines import pieces
from engines.record import Contact, Look
from engines.schedule import Export, Motion, NotPossible, Pose, rotation

HEAVY = 1.0e4
"""Mass (kg) and inertia (kg m²) of what moves as prescribed."""
QUICKSTART = "PyBullet Quickstart Guide"


SOLVERS = {"si": "CONSTRAINT_SOLVER_LCP_SI", "dantzig": "CONSTRAINT_SOLVER_LCP_DANTZIG"}
"""Sequential impulses, the default; Dantzig's algorithm."""


@dataclass(frozen=True)
class Settings:
    """What Bullet is run with."""

    careful: bool = False
    step: float = 1.0 / 240.0
    iterations: int = 50
    solver: str = "si"

    @staticmethod
    def of(text: str) -> "Settings":
        """`default`, `careful`, or what differs from the default: `step=1/60,iterations=10`."""
        if text == "default":
            return Settings()
        if text == "careful":
            return Settings(careful=True, step=0.001, iterations=200)
        given = dict(part.split("=") for part in text.split(","))
        return Settings(
            step=float(Fraction(given.pop("step", "1/240"))),
            iterations=int(given.pop("iterations", "50")),
            solver=given.pop("solver", "si"),
        )

    def apply(self, client: int) -> list[str]:
        """Set up the engine; what was set, in words."""
        p = pybullet
        p.setTimeStep(self.step, physicsClientId=client)
        p.setPhysicsEngineParameter(
            numSolverIterations=self.iterations,
            constraintSolverType=getattr(p, SOLVERS[self.solver]),
            # Without this, runs in one process differ.
            deterministicOverlappingPairs=1,
            physicsClientId=client,
        )
        if not self.careful:
            return [f"step 1/{1 / self.step:.0f} s, {self.iterations} iterations, motors off"]
        return [
            f"step 1 ms, 200 iterations ({QUICKSTART}, setPhysicsEngineParameter)",
            f"no drag of the air ({QUICKSTART}, changeDynamics)",
            "damping of joints implicit, by the loop: Bullet's own is explicit",
        ]


def load(export: Export, settings: str) -> "Simulation":
    """Load the scene."""
    return Simulation(export, Settings.of(settings))


def quaternion(xyzw: Any) -> np.ndarray:
    """Bullet has the real part last."""
    return np.array([xyzw[3], *xyzw[:3]])


def xyzw(q: np.ndarray) -> list[float]:
    """And wants it there."""
    return [*q[1:], q[0]]


class Simulation:
    """The scene in Bullet."""

    version = importlib.metadata.version("pybullet")

    def __init__(self, export: Export, settings: Settings) -> None:
        """Load; careful: shorter steps, more iterations, convex pieces, no drag."""
        self._export, self._careful = export, settings.careful
        self.notes: list[str] = []
        self.client = pybullet.connect(pybullet.DIRECT)
        self.step = settings.step
        self.settings = settings.apply(self.client)
        self.places: dict[str, tuple[int, int]] = {}
        """Body and link of every body of the schedule."""
        self._joints: dict[str, tuple[int, int]] = {}
        self._moved: list[tuple[Motion, int]] = []
        self._dead = set()
        for file in export.data["files"]:
            self._load(file)
        self._set_contacts()
        self._close_chains()
        self._note_margin()
        self._loads = list(zip(export.data["loads"], export.scales, strict=True))
        self._links = {place: name for name, place in self.places.items()}

    def _note_margin(self) -> None:
        """Bodies touch that far before their meshes do; `changeDynamics` does not reach it."""
        place = self.places[self._export.object]
        margin = pybullet.getDynamicsInfo(*place, physicsClientId=self.client)[11]
        if margin > 0.0:
            self.notes.append(
                f"a margin of {1e3 * margin:g} mm around every mesh: bodies are that much larger, "
                "and fingers that turn press with another lever"
            )

    def _load(self, file: str) -> None:
        p, client = pybullet, self.client
        own = [b for b in self._export.bodies.values() if b["file"] == file]
        names = {body["name"] for body in own}
        (root,) = [body for body in own if body["parent"] not in names]
        motion = self._export.moved(root["name"])
        path = self._with_pieces(file, own)
        flags = p.URDF_USE_INERTIA_FROM_FILE
        if self._touches_itself(own):
            flags |= p.URDF_USE_SELF_COLLISION
        # A body on a rail hangs on a link `world` of its file, at the origin.
        on_rail = root["held"] == "joint"
        pose = Pose(np.zeros(3), np.array([1.0, 0, 0, 0])) if on_rail else Pose.of(root["pose"])
        unique = p.loadURDF(
            str(path),
            basePosition=pose.p,
            baseOrientation=xyzw(pose.q),
            useFixedBase=on_rail or root["held"] == "fixed",
            flags=flags,
            physicsClientId=client,
        )
        by_file = {body["name_in_file"]: body["name"] for body in own}
        base = p.getBodyInfo(unique, physicsClientId=client)[0].decode()
        if not on_rail:
            self.places[by_file[base]] = (unique, -1)
        joints = {j["name_in_file"]: j for j in self._export.joints.values()}
        for link in range(p.getNumJoints(unique, physicsClientId=client)):
            info = p.getJointInfo(unique, link, physicsClientId=client)
            self.places[by_file[info[12].decode()]] = (unique, link)
            if info[2] == p.JOINT_FIXED:
                continue
            joint = joints[info[1].decode()]
            self._start_joint(unique, link, joint)
        if motion is not None:
            p.changeDynamics(
                *(unique, -1),
                mass=HEAVY,
                localInertiaDiagonal=[HEAVY] * 3,
                physicsClientId=client,
            )
            self._moved.append((motion, unique))
        elif root["held"] == "free":
            velocity = np.array(root["velocity"])
            arm = rotation(pose.q) @ root["centre_of_mass"]
            linear = velocity[:3] + np.cross(velocity[3:], arm)
            p.resetBaseVelocity(unique, linear, velocity[3:], physicsClientId=client)

    def _start_joint(self, unique: int, link: int, joint: dict[str, Any]) -> None:
        p, client = pybullet, self.client
        if joint["kind"] not in ("revolute", "prismatic"):
            raise NotPossible(f"the joint {joint['name']} is {joint['kind']}")
        p.resetJointState(unique, link, joint["q0"][0], joint["v0"][0], physicsClientId=client)
        p.setJointMotorControl2(unique, link, p.VELOCITY_CONTROL, force=0, physicsClientId=client)
        if self._careful:
            p.changeDynamics(unique, link, jointDamping=0.0, physicsClientId=client)
        for what in ("friction", "armature"):
            if joint[what] and what not in self._dead:
                self._dead.add(what)
                self.notes.append(f"{what} of joints is left out")
        self._joints[joint["name"]] = (unique, link)

    def _with_pieces(self, file: str, own: list[dict[str, Any]]) -> Path:
        """PyBullet takes the hull of a mesh; careful: of each of its convex pieces."""
        folder = self._export.folder
        text = (folder / file).read_text()
        for body in own:
            mesh = body["mesh"]
            if mesh is None or mesh["convex"]:
                continue
            path = folder / mesh["file"]
            if not self._careful:
                hull = pieces.hull(path)
                self.notes.append(pieces.note(body["name"], mesh, hull, "its convex hull"))
                continue
            solids = pieces.convex_pieces(path)
            what = f"{len(solids)} convex pieces by CoACD"
            self.notes.append(pieces.note(body["name"], mesh, solids, what))
            whole = pieces.write_obj(path.with_suffix(".pieces.obj"), solids)
            text = text.replace(mesh["file"], str(Path(mesh["file"]).with_name(whole.name)))
        if not self._careful:
            return folder / file
        changed = folder / f"careful-{file}"
        changed.write_text(text)
        return changed

    def _touches_itself(self, own: list[dict[str, Any]]) -> bool:
        excluded = {frozenset(pair) for pair in self._export.data["contact"]["excluded"]}
        solid = [body["name"] for body in own if body["mesh"]]
        pairs = {frozenset((a, b)) for a in solid for b in solid if a != b}
        return bool(pairs - excluded)

    def _set_contacts(self) -> None:
        p, client = pybullet, self.client
        for name, (unique, link) in self.places.items():
            # Bullet multiplies the coefficients of two bodies: this gives their geometric mean.
            friction = np.sqrt(self._export.bodies[name]["material"]["friction"])
            p.changeDynamics(unique, link, lateralFriction=friction, physicsClientId=client)
            if self._careful:
                p.changeDynamics(
                    unique, link, linearDamping=0, angularDamping=0, physicsClientId=client
                )
        for a, b in self._export.data["contact"]["excluded"]:
            (body_a, link_a), (body_b, link_b) = self.places[a], self.places[b]
            p.setCollisionFilterPair(body_a, body_b, link_a, link_b, 0, physicsClientId=client)

    def _close_chains(self) -> None:
        p, client = pybullet, self.client
        self.notes += self._export.left_out()
        for closure in self._export.data["closures"]:
            if closure["kind"] == "connect":
                (a, link_a), (b, link_b) = (self.places[name] for name in closure["bodies"])
                at = [np.array(frame[:3]) for frame in closure["frames"]]
                at = [
                    x - self._inertial(*self.places[n]).p
                    for x, n in zip(at, closure["bodies"], strict=True)
                ]
                p.createConstraint(
                    *(a, link_a, b, link_b, p.JOINT_POINT2POINT, [0, 0, 0], at[0], at[1]),
                    physicsClientId=client,
                )
                continue
            polynomial, leader = closure.get("polynomial"), closure.get("leader")
            follower = closure.get("follower")
            simple = closure["kind"] == "joints" and leader and not any(polynomial[2:])
            if not simple or len(leader) != 1 or len(follower) != 1 or polynomial[0]:
                raise NotPossible(f"the closure {closure['name']} is no gear")
            (unique, own), (other_body, other) = (
                self._joints[follower[0][0]],
                self._joints[leader[0][0]],
            )
            ratio = polynomial[1] * leader[0][1] / follower[0][1]
            axis = self._export.joints[follower[0][0]]["axis"]
            gear = p.createConstraint(
                *(unique, own, other_body, other, p.JOINT_GEAR, axis, [0, 0, 0], [0, 0, 0]),
                physicsClientId=client,
            )
            p.changeConstraint(
                gear, gearRatio=-ratio, maxForce=1e4, erp=0.2, physicsClientId=client
            )

    def _inertial(self, unique: int, link: int) -> Pose:
        info = pybullet.getDynamicsInfo(unique, link, physicsClientId=self.client)
        return Pose(np.array(info[3]), quaternion(info[4]))

    def _command(self, t: float) -> None:
        p, client, export = pybullet, self.client, self._export
        if t == 0.0 or not export.gravity.is_constant:
            p.setGravity(*export.gravity.at(t), physicsClientId=client)
        q, v = {}, {}
        for name, (unique, link) in self._joints.items():
            q[name], v[name], *_ = p.getJointState(unique, link, physicsClientId=client)
        efforts = dict.fromkeys(self._joints, 0.0)
        rates = dict.fromkeys(self._joints, 0.0)
        """How much each effort falls with the joint's velocity."""
        for drive in export.drives:
            effort = drive.effort(t, q, v)
            for name, coefficient in drive.joints:
                efforts[name] += coefficient * effort
                free = drive.limit is None or drive.limit[0] < effort < drive.limit[1]
                if drive.kind != "effort" and free:
                    rates[name] += coefficient**2 * drive.kd
        for name, effort in export.joint_efforts(q, v).items():
            efforts[name] += effort
        if self._careful:
            self._make_implicit(v, efforts, rates)
        for name, (unique, link) in self._joints.items():
            p.setJointMotorControl2(
                unique, link, p.TORQUE_CONTROL, force=efforts[name], physicsClientId=client
            )
        self._move(t)
        self._push(t)

    def _make_implicit(
        self, v: dict[str, float], efforts: dict[str, float], rates: dict[str, float]
    ) -> None:
        """Damping that does not turn a joint back within a step; at rest nothing changes."""
        inertias = self._joint_inertias()
        for name, rate in rates.items():
            damping = self._export.joints[name]["damping"] + rate
            share = 1.0 / (1.0 + self.step * damping / inertias[name])
            efforts[name] += (rate - share * damping) * v[name]

    def _joint_inertias(self) -> dict[str, float]:
        """The diagonal of each robot's mass matrix."""
        p, client = pybullet, self.client
        found = {}
        for unique in {body for body, _ in self._joints.values()}:
            own = {link: name for name, (body, link) in self._joints.items() if body == unique}
            links = sorted(own)
            q = [p.getJointState(unique, i, physicsClientId=client)[0] for i in links]
            matrix = np.array(p.calculateMassMatrix(unique, q, physicsClientId=client))
            skip = len(matrix) - len(links)
            found.update({own[link]: matrix[skip + i, skip + i] for i, link in enumerate(links)})
        return found

    def _move(self, t: float) -> None:
        p, client = pybullet, self.client
        for motion, unique in self._moved:
            now, then = motion.at(t), motion.at(t + self.step)
            inertial = self._inertial(unique, -1)
            pose = now.pose @ inertial
            arm = rotation(now.pose.q) @ inertial.p
            linear = now.velocity + np.cross(now.angular, arm)
            p.resetBasePositionAndOrientation(unique, pose.p, xyzw(pose.q), physicsClientId=client)
            p.resetBaseVelocity(unique, linear, now.angular, physicsClientId=client)
            gravity = self._export.gravity.at(t)
            force = HEAVY * ((then.velocity - now.velocity) / self.step - gravity)
            p.applyExternalForce(unique, -1, force, pose.p, p.WORLD_FRAME, physicsClientId=client)

    def _push(self, t: float) -> None:
        p, client = pybullet, self.client
        for load, scale in self._loads:
            factor = float(scale.at(t)[0])
            if factor == 0.0:
                continue
            unique, link = self.places[load["body"]]
            pose = self.pose(load["body"])
            at = pose.p + rotation(pose.q) @ load["point"]
            force, torque = (factor * np.array(load[key]) for key in ("force", "torque"))
            p.applyExternalForce(unique, link, force, at, p.WORLD_FRAME, physicsClientId=client)
            p.applyExternalTorque(unique, link, torque, p.WORLD_FRAME, physicsClientId=client)

    def advance(self, t: float) -> None:
        """One step."""
        self._command(t)
        pybullet.stepSimulation(physicsClientId=self.client)

    def failure(self) -> str | None:
        """Bullet does not tell."""
        return None

    def pose(self, name: str) -> Pose:
        """The frame of a body."""
        p, (unique, link) = pybullet, self.places[name]
        if link >= 0:
            state = p.getLinkState(
                unique, link, computeForwardKinematics=1, physicsClientId=self.client
            )
            return Pose(np.array(state[4]), quaternion(state[5]))
        position, orientation = p.getBasePositionAndOrientation(unique, physicsClientId=self.client)
        inertial = self._inertial(unique, -1)
        return Pose(np.array(position), quaternion(orientation)) @ inertial.inverse()

    def _velocity(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Of the centre of mass, and angular."""
        p, (unique, link) = pybullet, self.places[name]
        if link < 0:
            linear, angular = p.getBaseVelocity(unique, physicsClientId=self.client)
        else:
            state = p.getLinkState(unique, link, computeLinkVelocity=1, physicsClientId=self.client)
            linear, angular = state[6], state[7]
        return np.array(linear), np.array(angular)

    def look(self) -> Look:
        """Poses and contacts. Contact forces are those of the step that led here."""
        export = self._export
        velocity, angular = self._velocity(export.object)
        palm_centre, turning = self._velocity(export.palm)
        palm = self.pose(export.palm)
        arm = rotation(palm.q) @ export.bodies[export.palm]["centre_of_mass"]
        return Look(
            object=self.pose(export.object),
            palm=palm,
            velocity=velocity,
            angular=angular,
            palm_velocity=palm_centre - np.cross(turning, arm),
            contacts=self.contacts(),
        )

    def contacts(self) -> list[Contact]:
        """All contacts that press."""
        found = []
        for point in pybullet.getContactPoints(physicsClientId=self.client):
            _, body_a, body_b, link_a, link_b, _, _, normal, distance, force, *friction = point
            if force <= 0.0:
                continue
            on_a = force * np.array(normal)
            for size, direction in zip(friction[::2], friction[1::2], strict=True):
                on_a += size * np.array(direction)
            a, b = self._links[body_a, link_a], self._links[body_b, link_b]
            found.append(Contact(a, b, force, on_a, -distance))
        return found
