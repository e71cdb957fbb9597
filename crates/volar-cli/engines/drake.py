"""Drake."""

import importlib.metadata
from typing import Any

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.common.value import Value
from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    CollisionFilterDeclaration,
    Convex,
    GeometrySet,
    Mesh,
    ProximityProperties,
    Role,
)
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import (
    AddMultibodyPlant,
    CoulombFriction,
    ExternallyAppliedSpatialForce,
    MultibodyPlantConfig,
)
from pydrake.multibody.tree import PdControllerGains, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from engines.record import Contact, Look
from engines.schedule import Export, NotPossible, Pose, rotation

HEAVY = 1.0e4
"""Mass (kg) and inertia (kg m²) of what moves as prescribed."""
MODULUS = 1.0e7
"""Of compliant bodies, Pa: Drake's default where everything is made hydroelastic."""
DISSIPATION = 50.0
"""Of compliant bodies, s/m: the same."""
GUIDE = "Drake documentation, Hydroelastic Contact User Guide"


def load(export: Export, settings: str) -> "Simulation":
    """Parse the scene."""
    return Simulation(export, careful=settings == "careful")


class Simulation:
    """The scene in Drake."""

    version = importlib.metadata.version("drake")

    def __init__(self, export: Export, careful: bool) -> None:
        """Parse; careful: hydroelastic contact."""
        self._export, self._careful = export, careful
        config = MultibodyPlantConfig()
        self.step = config.time_step
        self.settings = ["step 1 ms, point contact: the defaults"]
        if careful:
            self.settings = [
                f"hydroelastic contact ({GUIDE}): convex bodies compliant, modulus 1e7 Pa, "
                "dissipation 50 s/m; others rigid, with their true surface",
            ]
        self.notes: list[str] = []
        builder = DiagramBuilder()
        self._plant, self._graph = AddMultibodyPlant(config, builder)
        self._models = {
            file: Parser(self._plant).AddModels(str(export.folder / file))[0]
            for file in export.data["files"]
        }
        self._bodies = {name: self._find(body) for name, body in export.bodies.items()}
        self._names = {body.index(): name for name, body in self._bodies.items()}
        self._set_contacts()
        self._close_chains()
        self._servos = self._add_servos()
        self._plant.Finalize()
        diagram = builder.Build()
        self._simulator = Simulator(diagram)
        self._context = self._plant.GetMyMutableContextFromRoot(
            self._simulator.get_mutable_context()
        )
        self._joints = {
            name: self._joint(joint)
            for name, joint in export.joints.items()
            if joint["kind"] in ("revolute", "prismatic")
        }
        self._scales = list(zip(export.data["loads"], export.scales, strict=True))
        self._start()
        self._simulator.Initialize()

    def _find(self, body: dict[str, Any]) -> Any:
        if body["name_in_file"] == "world":
            # Drake takes a link of this name for its own world.
            return self._plant.world_body()
        found = self._plant.GetBodyByName(body["name_in_file"], self._models[body["file"]])
        parent = self._export.bodies.get(body["parent"])
        is_root = parent is None or parent["file"] != body["file"]
        if is_root and body["held"] == "fixed":
            world, pose = self._plant.world_frame(), _transform(Pose.of(body["pose"]))
            self._plant.WeldFrames(world, found.body_frame(), pose)
        return found

    def _joint(self, joint: dict[str, Any]) -> Any:
        model = self._models[self._export.bodies[joint["child"]]["file"]]
        return self._plant.GetJointByName(joint["name_in_file"], model)

    def _set_contacts(self) -> None:
        plant, graph, source = self._plant, self._graph, self._plant.get_source_id()
        geometries: dict[str, list[Any]] = {}
        object_friction = self._export.bodies[self._export.object]["material"]["friction"]
        for name, body in self._bodies.items():
            said = self._export.bodies[name]
            for geometry in plant.GetCollisionGeometriesForBody(body):
                graph.RemoveRole(source, geometry, Role.kProximity)
            if said["mesh"] is None:
                geometries[name] = []
                continue
            properties = ProximityProperties()
            friction = _friction(said["material"]["friction"], object_friction)
            if name == self._export.object:
                friction = object_friction
            coefficient = CoulombFriction(friction, friction)
            convex = said["mesh"]["convex"]
            if self._careful and convex:
                AddContactMaterial(
                    dissipation=DISSIPATION, friction=coefficient, properties=properties
                )
                AddCompliantHydroelasticProperties(0.01, MODULUS, properties)
            else:
                AddContactMaterial(friction=coefficient, properties=properties)
            if self._careful and not convex:
                AddRigidHydroelasticProperties(properties)
            elif not convex:
                self.notes.append(f"{name}: its convex hull, for point contact")
            path = str(self._export.folder / said["mesh"]["file"])
            shape = Convex(path) if convex else Mesh(path)
            geometries[name] = [
                plant.RegisterCollisionGeometry(body, RigidTransform(), shape, "mesh", properties)
            ]
        manager = graph.collision_filter_manager()
        for a, b in self._export.data["contact"]["excluded"]:
            pair = GeometrySet(geometries[a]), GeometrySet(geometries[b])
            manager.Apply(CollisionFilterDeclaration().ExcludeBetween(*pair))

    def _close_chains(self) -> None:
        self.notes += self._export.left_out()
        for closure in self._export.data["closures"]:
            if closure["kind"] == "joints":
                follower, leader = closure["follower"], closure["leader"]
                polynomial = closure["polynomial"]
                simple = len(follower) == 1 and len(leader) == 1 and not any(polynomial[2:])
                if not simple or follower[0][1] != 1.0:
                    raise NotPossible(f"the closure {closure['name']} is no gear")
                own, other = (
                    self._joint(self._export.joints[rows[0][0]]) for rows in (follower, leader)
                )
                y0, x0 = closure["reference"]
                ratio = polynomial[1] * leader[0][1]
                offset = y0 + polynomial[0] - polynomial[1] * x0
                self._plant.AddCouplerConstraint(own, other, ratio, offset)
                continue
            a, b = (self._bodies[name] for name in closure["bodies"])
            frames = [_transform(Pose.of(frame)) for frame in closure["frames"]]
            if closure["kind"] == "connect":
                self._plant.AddBallConstraint(
                    a, frames[0].translation(), b, frames[1].translation()
                )
            else:
                self._plant.AddWeldConstraint(a, frames[0], b, frames[1])

    def _add_servos(self) -> dict[str, tuple[Any, Any]]:
        """Drives to a position on one joint, which Drake integrates implicitly."""
        servos = {}
        for drive in self._export.drives:
            if drive.kind != "position" or len(drive.joints) != 1 or drive.joints[0][1] != 1.0:
                continue
            joint = self._joint(self._export.joints[drive.joints[0][0]])
            limit = max(map(abs, drive.limit)) if drive.limit else np.inf
            actuator = self._plant.AddJointActuator(f"servo of {drive.name}", joint, limit)
            actuator.set_controller_gains(PdControllerGains(p=drive.kp, d=drive.kd))
            servos[drive.name] = (actuator, drive.command)
        return servos

    def _start(self) -> None:
        plant, context = self._plant, self._context
        q, v = plant.GetPositions(context), plant.GetVelocities(context)
        for name, joint in self._joints.items():
            said = self._export.joints[name]
            q[joint.position_start()], v[joint.velocity_start()] = said["q0"][0], said["v0"][0]
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        for name, joint in self._export.joints.items():
            if joint["kind"] == "free":
                body = self._export.bodies[joint["child"]]
                pose, velocity = Pose.of(body["pose"]), np.array(body["velocity"])
                self._set_free(joint["child"], pose, velocity[:3], velocity[3:])
            elif name not in self._joints:
                raise NotPossible(f"the joint {name} is {joint['kind']}")
        for motion in self._export.motions:
            body = self._bodies[motion.body]
            inertia = SpatialInertia(HEAVY, np.zeros(3), UnitInertia(1.0, 1.0, 1.0))
            body.SetSpatialInertiaInBodyFrame(context, inertia)
        for actuator in (actuator for actuator, _ in self._servos.values()):
            plant.get_actuation_input_port(actuator.model_instance()).FixValue(
                context, np.zeros(plant.num_actuated_dofs(actuator.model_instance()))
            )
        self._gravity = np.array(plant.gravity_field().gravity_vector())

    def _set_free(self, name: str, pose: Pose, linear: np.ndarray, angular: np.ndarray) -> None:
        body = self._bodies[name]
        self._plant.SetFreeBodyPose(self._context, body, _transform(pose))
        velocity = SpatialVelocity(angular, linear)
        self._plant.SetFreeBodySpatialVelocity(self._context, body, velocity)

    def _command(self, t: float) -> None:
        plant, context, export = self._plant, self._context, self._export
        positions, velocities = plant.GetPositions(context), plant.GetVelocities(context)
        q = {name: positions[joint.position_start()] for name, joint in self._joints.items()}
        v = {name: velocities[joint.velocity_start()] for name, joint in self._joints.items()}
        efforts = np.zeros(plant.num_velocities())
        for drive in export.drives:
            if drive.name in self._servos:
                continue
            effort = drive.effort(t, q, v)
            for name, coefficient in drive.joints:
                efforts[self._joints[name].velocity_start()] += coefficient * effort
        for name, effort in export.joint_efforts(q, v).items():
            efforts[self._joints[name].velocity_start()] += effort
        # Every change of an input costs a step much.
        if t == 0.0 or (efforts != self._efforts).any():
            plant.get_applied_generalized_force_input_port().FixValue(context, efforts)
            self._efforts = efforts
        self._aim(t)
        forces = self._spatial_forces(t)
        if t == 0.0 or forces or self._pushed:
            plant.get_applied_spatial_force_input_port().FixValue(
                context, Value[list[ExternallyAppliedSpatialForce]](forces)
            )
        self._pushed = bool(forces)

    def _aim(self, t: float) -> None:
        models: dict[Any, dict[Any, float]] = {}
        for actuator, command in self._servos.values():
            aims = models.setdefault(actuator.model_instance(), {})
            aims[actuator.index()] = float(command.at(t)[0])
        for model, aims in models.items():
            if t > 0.0 and all(command.is_constant for _, command in self._servos.values()):
                continue
            order = [aims[index] for index in sorted(aims)]
            port = self._plant.get_desired_state_input_port(model)
            port.FixValue(self._context, np.concatenate([order, np.zeros(len(order))]))

    def _spatial_forces(self, t: float) -> list[ExternallyAppliedSpatialForce]:
        """Loads, gravity that is not that of the start, and what moves prescribed bodies."""
        forces = []
        for load, scale in self._scales:
            factor = float(scale.at(t)[0])
            parts = (factor * np.array(load[key]) for key in ("torque", "force"))
            forces.append(_force(self._bodies[load["body"]], load["point"], *parts))
        gravity = self._export.gravity.at(t)
        change = gravity - self._gravity
        if np.any(change):
            for name, body in self._export.bodies.items():
                if body["held"] != "fixed" and body["mass"] > 0.0:
                    weight = body["mass"] * change
                    centre = body["centre_of_mass"]
                    forces.append(_force(self._bodies[name], centre, np.zeros(3), weight))
        for motion in self._export.motions:
            now, then = motion.at(t), motion.at(t + self.step)
            self._set_free(motion.body, now.pose, now.velocity, now.angular)
            push = HEAVY * ((then.velocity - now.velocity) / self.step - gravity)
            forces.append(_force(self._bodies[motion.body], np.zeros(3), np.zeros(3), push))
        return forces

    def advance(self, t: float) -> None:
        """One step."""
        self._command(t)
        self._simulator.AdvanceTo(t + self.step)

    def failure(self) -> str | None:
        """Drake raises instead."""
        return None

    def _pose(self, name: str) -> Pose:
        pose = self._plant.EvalBodyPoseInWorld(self._context, self._bodies[name])
        return Pose(pose.translation(), pose.rotation().ToQuaternion().wxyz())

    def _velocity(self, name: str) -> Any:
        return self._plant.EvalBodySpatialVelocityInWorld(self._context, self._bodies[name])

    def look(self) -> Look:
        """Poses and contacts."""
        name = self._export.object
        pose, velocity = self._pose(name), self._velocity(name)
        arm = rotation(pose.q) @ self._export.bodies[name]["centre_of_mass"]
        angular = velocity.rotational()
        return Look(
            object=pose,
            palm=self._pose(self._export.palm),
            velocity=velocity.translational() + np.cross(angular, arm),
            angular=angular,
            palm_velocity=self._velocity(self._export.palm).translational(),
            contacts=list(self._contacts()),
        )

    def _contacts(self) -> Any:
        results = self._plant.get_contact_results_output_port().Eval(self._context)
        for i in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(i)
            pair = info.point_pair()
            force = np.array(info.contact_force())
            a, b = self._names[info.bodyA_index()], self._names[info.bodyB_index()]
            normal = abs(float(force @ pair.nhat_BA_W))
            yield Contact(a, b, normal, -force, float(pair.depth))
        inspector = self._graph.model_inspector()
        for i in range(results.num_hydroelastic_contacts()):
            info = results.hydroelastic_contact_info(i)
            surface = info.contact_surface()
            a, b = (
                self._names[self._plant.GetBodyFromFrameId(inspector.GetFrameId(g)).index()]
                for g in (surface.id_M(), surface.id_N())
            )
            on_a = np.array(info.F_Ac_W().translational())
            area = sum(
                surface.area(face) * np.array(surface.face_normal(face))
                for face in range(surface.num_faces())
            )
            normal = abs(float(on_a @ area / np.linalg.norm(area)))
            yield Contact(a, b, normal, on_a, None)


def _friction(own: float, other: float) -> float:
    """What makes Drake's mean, 2ab / (a + b), the geometric one of a body and the object."""
    mean = np.sqrt(own * other)
    return float(mean * other / (2.0 * other - mean)) if 2.0 * other > mean else 1e3


def _transform(pose: Pose) -> RigidTransform:
    return RigidTransform(Quaternion(pose.q / np.linalg.norm(pose.q)), pose.p)


def _force(
    body: Any, point: Any, torque: np.ndarray, force: np.ndarray
) -> ExternallyAppliedSpatialForce:
    applied = ExternallyAppliedSpatialForce()
    applied.body_index = body.index()
    applied.p_BoBq_B = np.array(point, dtype=float)
    applied.F_Bq_W = SpatialForce(torque, force)
    return applied
