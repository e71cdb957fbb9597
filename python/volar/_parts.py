"""Bodies, joints and robots of a simulation, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from . import _volar
from ._arrays import Array, number, numbers, positive, vector
from ._names import close, find, listed
from ._pose import Pose

if TYPE_CHECKING:
    from ._simulation import Simulation


class BodyView:
    """A body of a simulation. World axes."""

    __slots__ = ("_number", "_simulation")

    def __init__(self, simulation: Simulation, body: int) -> None:
        self._simulation = simulation
        self._number = body

    @property
    def name(self) -> str:
        """Its name."""
        return self._simulation._bodies[self._number]

    @property
    def pose(self) -> Pose:
        """Where it is in the world."""
        row = self._simulation.poses[self._number]
        return Pose(row[:3], row[3:])

    @property
    def position(self) -> Array:
        """Position of its origin, shape (3,), m."""
        return self._simulation.poses[self._number, :3]

    @property
    def orientation(self) -> Array:
        """Unit quaternion wxyz, shape (4,)."""
        return self._simulation.poses[self._number, 3:]

    @property
    def velocity(self) -> Array:
        """Velocity of its origin, shape (3,), m/s."""
        return self._simulation.velocities[self._number, :3]

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, shape (3,), rad/s."""
        return self._simulation.velocities[self._number, 3:]

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return self._simulation._setup.mass(self._number)[0]

    @property
    def wrench(self) -> Array:
        """Of all contacts and loads, about its origin: force (N), torque (N m), shape (6,)."""
        wrench: Array = self._simulation._native.wrenches()[self._number]
        return wrench

    @property
    def friction(self) -> float:
        """Coefficient of friction of its material; a pair has the geometric mean of two.
        Assign to change it."""
        return _volar.friction(self._simulation._native, self._number)

    @friction.setter
    def friction(self, value: float) -> None:
        friction = positive(value, "friction", zero=True)
        _volar.set_friction(self._simulation._native, self._number, friction)

    def push(
        self,
        force: ArrayLike = (0.0, 0.0, 0.0),
        torque: ArrayLike = (0.0, 0.0, 0.0),
        point: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Loads the body until the next `push`.

        Args:
            force: World axes, shape (3,), N.
            torque: About `point`, world axes, shape (3,), N m.
            point: Where the force acts, in the body's frame, shape (3,), m.
        """
        load = vector(force, "force"), vector(torque, "torque"), vector(point, "point")
        _volar.set_load(self._simulation._native, self._number, *load)

    def __repr__(self) -> str:
        return f"BodyView({self.name})"


class JointView:
    """A joint of a simulation with one degree of freedom: a hinge (rad) or a slide (m)."""

    __slots__ = ("_number", "_simulation")

    def __init__(self, simulation: Simulation, joint: int) -> None:
        self._simulation = simulation
        self._number = joint

    @property
    def name(self) -> str:
        """Its name: `robot/joint`."""
        return self._simulation._joints[self._number][0]

    @property
    def unit(self) -> str:
        """`m` for a slide, `rad` for a hinge."""
        return "m" if self._simulation._joints[self._number][1] else "rad"

    @property
    def position(self) -> float:
        """Coordinate, rad or m."""
        return float(self._simulation.q[self._simulation._joints[self._number][2]])

    @property
    def velocity(self) -> float:
        """Rate, rad/s or m/s."""
        return float(self._simulation.v[self._simulation._joints[self._number][3]])

    @property
    def total_effort(self) -> float:
        """Effort of drives, springs, limits, damping and friction together, N m or N."""
        return float(self._simulation._native.joint_efforts()[self._number])

    @property
    def effort(self) -> float:
        """Effort applied on top of the joint's drives, N m or N. Assign to change it."""
        return float(_volar.applied_efforts(self._simulation._native)[self._number])

    @effort.setter
    def effort(self, value: float) -> None:
        effort = np.array([number(value, "effort")])
        self._simulation._apply([self._number], effort)

    @property
    def command(self) -> float:
        """What the joint's drive is commanded: an effort (N m, N), a target (rad, m) or a
        speed (rad/s, m/s), as `command_kind` says. Assign to change it."""
        return _volar.command(self._simulation._native, self._drive())

    @command.setter
    def command(self, value: float) -> None:
        _volar.set_commands(self._simulation._native, [(self._drive(), number(value, "command"))])

    @property
    def command_kind(self) -> str | None:
        """What `command` is: `effort`, `target` or `speed`; None without a drive."""
        own = (kind for joint, _, kind, _ in self._simulation._drives if joint == self.name)
        return next(own, None)

    def drive(
        self, target: float, *, kp: float, kd: float, effort_limit: float | None = None
    ) -> None:
        """Drives the joint to a target with other gains; it must have a drive.

        Args:
            target: rad or m.
            kp: Gain on the coordinate, N m/rad or N/m.
            kd: Gain on the rate, N m s/rad or N s/m.
            effort_limit: Greatest effort, N m or N.
        """
        limit = None if effort_limit is None else positive(effort_limit, "effort_limit")
        gains = positive(kp, "kp", zero=True), positive(kd, "kd", zero=True)
        servo = number(target, "target"), *gains, limit
        _volar.set_servo(self._simulation._native, self._drive(), *servo)

    def _drive(self) -> int:
        """The number of its drive."""
        for at, (joint, *_) in enumerate(self._simulation._drives):
            if joint == self.name:
                return at
        raise KeyError(f"joint {self.name} has no drive; give it one in the scene, or an effort")

    def __repr__(self) -> str:
        return f"JointView({self.name}: {self.position:.6g} {self.unit})"


class RobotView:
    """All joints with one degree of freedom of a robot of a simulation, in order."""

    __slots__ = ("_joints", "_q", "_simulation", "_v", "name")

    #: Name of the robot.
    name: str

    def __init__(self, simulation: Simulation, name: str) -> None:
        joints = simulation._joints
        if not isinstance(name, str):
            raise TypeError(f"robot: a name is needed, not {type(name).__name__}")
        self.name = name
        self._simulation = simulation
        self._joints = [i for i, row in enumerate(joints) if row[0].startswith(f"{name}/")]
        if not self._joints:
            robots = sorted({row[0].split("/")[0] for row in joints if "/" in row[0]})
            raise KeyError(
                f"no robot `{name}` with joints; {close(robots, name)}there are {listed(robots)}"
            )
        self._q = np.array([joints[i][2] for i in self._joints])
        self._v = np.array([joints[i][3] for i in self._joints])

    @property
    def joint_names(self) -> list[str]:
        """Names of its joints, in the order of the arrays below."""
        return [self._simulation._joints[i][0].partition("/")[2] for i in self._joints]

    @property
    def q(self) -> Array:
        """Coordinates of its joints, shape (n,), rad or m; a copy."""
        return self._simulation._q.take(self._q)

    @property
    def v(self) -> Array:
        """Rates of its joints, shape (n,), rad/s or m/s; a copy."""
        return self._simulation._v.take(self._v)

    @property
    def effort(self) -> Array:
        """Efforts applied on top of the drives, shape (n,), N m or N. Assign to change
        them: all of them as an array, or some by name as a dict."""
        return _volar.applied_efforts(self._simulation._native)[self._joints]

    @effort.setter
    def effort(self, value: ArrayLike | Mapping[str, float]) -> None:
        joints = self._joints
        if isinstance(value, np.ndarray):
            efforts = value if value.dtype == np.float64 else numbers(value, (-1,), "effort")
        elif isinstance(value, Mapping):
            names = self.joint_names
            joints = [joints[find(names, name, "joint")] for name in value]
            efforts = numbers(list(value.values()), (len(joints),), "effort")
        else:
            efforts = numbers(value, (len(joints),), "effort")
        self._simulation._apply(joints, efforts)

    def joint(self, name: str) -> JointView:
        """One of its joints."""
        return self._simulation.joint(f"{self.name}/{name}")

    def link(self, name: str) -> BodyView:
        """One of its links."""
        return self._simulation.body(f"{self.name}/{name}")

    def __repr__(self) -> str:
        return f"RobotView({self.name}: {', '.join(self.joint_names)})"
