"""A scene on its way through time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from . import _volar
from ._arrays import Array, number, numbers, vector
from ._contacts import Contacts, Facets, records
from ._handles import Robot
from ._names import find
from ._parts import BodyView, JointView, RobotView

if TYPE_CHECKING:
    from ._result import Result


class Checkpoint:
    """A simulation as it was at one time, with everything that was changed in it."""

    __slots__ = ("_native",)

    def __init__(self, native: _volar.Checkpoint) -> None:
        self._native = native

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._native.time

    def __repr__(self) -> str:
        return f"Checkpoint(time={self.time})"


class Simulation:
    """A scene on its way through time; made by `Scene.simulate`.

    What is read is always the present state. While it computes, other threads run; one
    simulation belongs to one thread at a time, `clone` makes one for another thread.
    """

    __slots__ = ("__weakref__", "_bodies", "_drives", "_joints", "_native", "_q", "_setup", "_v")

    def __init__(self, setup: _volar.Setup, native: _volar.Simulation) -> None:
        self._setup = setup
        self._native = native
        self._bodies = setup.bodies()
        self._joints = setup.joints()
        self._drives = setup.drives()
        # They follow the simulation and are its own as long as it lives.
        self._q = native.q
        self._v = native.v

    # Time

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._native.time

    def advance(
        self,
        duration: float,
        control: Callable[[Simulation], object] | None = None,
        period: float | None = None,
    ) -> None:
        """Goes on by a duration, s; its end is hit exactly.

        Args:
            duration: How long, s.
            control: Called with the simulation at the beginning of every period.
            period: Period of `control`, s.

        Raises:
            SimulationError: If it cannot go on; the state is that of the last good step.
            KeyboardInterrupt: On Ctrl-C, at the end of a step; it can go on from there.
        """
        if control is None:
            self._native.advance(duration)
        else:
            self.advance_to(self.time + number(duration, "duration"), control, period)

    def advance_to(
        self,
        time: float,
        control: Callable[[Simulation], object] | None = None,
        period: float | None = None,
    ) -> None:
        """Goes on to a time, s, which is hit exactly; see `advance`."""
        if control is None:
            self._native.advance_to(time)
            return
        if not callable(control) or period is None or not number(period, "period") > 0.0:
            raise ValueError("control: a function and a period above 0 s are needed")
        start, count = self.time, 0
        while self.time < time:
            control(self)
            count += 1
            self._native.advance_to(min(start + count * period, time))

    def step(self) -> float:
        """Takes one step of the integrator, as long as its tolerance allows; its length, s."""
        return self._native.step()

    def reset(self) -> None:
        """Goes back to the start of the scene; what was changed since is forgotten."""
        self._native.reset()

    def clone(self) -> Simulation:
        """Another simulation in the same state, for another trial or another thread."""
        return Simulation(self._setup, self._native.fork())

    def __copy__(self) -> Simulation:
        return self.clone()

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.clone()

    def checkpoint(self) -> Checkpoint:
        """The simulation as it is, to come back to with `restore`, to the bit."""
        return Checkpoint(self._native.checkpoint())

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to a checkpoint of a simulation of the same scene."""
        if not isinstance(checkpoint, Checkpoint):
            raise TypeError(f"a Checkpoint is needed, not {type(checkpoint).__name__}")
        self._native.restore(checkpoint._native)

    # State

    @property
    def q(self) -> Array:
        """Coordinates of all joints, shape (nq,): a read-only view that follows the
        simulation. Assign to it to set them.

        Hinges have an angle (rad), slides a distance (m), free bodies a position (m) and a
        quaternion wxyz. `q_range` says where those of a body are.
        """
        return self._q

    @q.setter
    def q(self, value: ArrayLike) -> None:
        self._native.set_state(numbers(value, self._q.shape, "q"), None)

    @property
    def v(self) -> Array:
        """Velocities of all joints, shape (nv,): a read-only view that follows the
        simulation. Assign to it to set them.

        rad/s for hinges, m/s for slides; free bodies have velocity (m/s), then angular
        velocity (rad/s).
        """
        return self._v

    @v.setter
    def v(self, value: ArrayLike) -> None:
        self._native.set_state(None, numbers(value, self._v.shape, "v"))

    def set_state(self, q: ArrayLike, v: ArrayLike) -> None:
        """Sets coordinates and velocities at once; contacts begin anew."""
        coordinates = numbers(q, self._q.shape, "q")
        self._native.set_state(coordinates, numbers(v, self._v.shape, "v"))

    def q_range(self, body: str) -> slice:
        """Where the coordinates of a body's joint are in `q`."""
        start, end, _, _ = self._setup.ranges(find(self._bodies, body, "body"))
        return slice(start, end)

    def v_range(self, body: str) -> slice:
        """Where the velocities of a body's joint are in `v`."""
        _, _, start, end = self._setup.ranges(find(self._bodies, body, "body"))
        return slice(start, end)

    @property
    def body_names(self) -> list[str]:
        """Names of all bodies, in order of their numbers; links are `robot/link`."""
        return list(self._bodies)

    @property
    def joint_names(self) -> list[str]:
        """Names of all joints with one degree of freedom: `robot/joint`."""
        return [name for name, *_ in self._joints]

    def body(self, name: str) -> BodyView:
        """A body by name; a link also without its robot's name where that is enough."""
        return BodyView(self, find(self._bodies, name, "body"))

    def joint(self, name: str) -> JointView:
        """A joint by name; also without its robot's name where that is enough."""
        return JointView(self, find(self.joint_names, name, "joint"))

    def robot(self, name: str) -> RobotView:
        """A robot by name: all its joints at once."""
        return RobotView(self, name)

    def __getitem__(self, robot: Robot | str) -> RobotView:
        """A robot of the scene: all its joints at once."""
        return RobotView(self, robot.name if isinstance(robot, Robot) else robot)

    @property
    def poses(self) -> Array:
        """Poses of all bodies in the world, shape (n, 7): position (m), quaternion wxyz."""
        return self._native.poses()

    @property
    def velocities(self) -> Array:
        """Velocities of all bodies, shape (n, 6): of their origins (m/s), then angular
        (rad/s); world axes."""
        return self._native.velocities()

    # Contacts and energies

    @property
    def contacts(self) -> Contacts:
        """The contacts now."""
        return Contacts(records(self._native.contacts()), self._bodies, self)

    def facets(self, a: str, b: str) -> tuple[Facets, Facets]:
        """Where two bodies overlap now: on the surface of `a`, and on that of `b`. Empty
        where they do not touch."""
        numbers_of = find(self._bodies, a, "body"), find(self._bodies, b, "body")
        patch = self._native.patch(*numbers_of)
        if patch is None:
            none = Facets(np.zeros((0, 3, 3)), np.zeros(0))
            return none, none
        pose = self.body(self._bodies[min(numbers_of)]).pose.to_matrix()
        sides = []
        for corners, pressure in patch:
            moved = corners.reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]
            sides.append(Facets(moved.reshape(-1, 3, 3), pressure))
        first, second = sides
        return (first, second) if numbers_of[0] < numbers_of[1] else (second, first)

    @property
    def energies(self) -> dict[str, float]:
        """Energies, J: `kinetic`, `potential`, `contact`, `joints`, `put_in`, `lost`. Those
        that are stored, plus `lost`, minus `put_in`, stay what they were."""
        return dict(self._native.energies())

    @property
    def warnings(self) -> list[str]:
        """What was noticed so far, as sentences."""
        return self._native.warnings()

    @property
    def statistics(self) -> dict[str, int]:
        """`steps`, `rejected` steps and `evaluations` so far."""
        names = ("steps", "rejected", "evaluations")
        return dict(zip(names, self._native.statistics(), strict=True))

    def result(self) -> Result:
        """What there is to say of the run so far, as `volar.run` gives it: summary, series,
        report. Needs `scene.simulate(record=True)`."""
        from ._result import Result

        return Result(self._setup, self._native.outcome())

    # Changes

    @property
    def gravity(self) -> Array:
        """Acceleration of free fall, world axes, shape (3,), m/s². Assign to change it."""
        return np.array(_volar.gravity(self._native))

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        _volar.set_gravity(self._native, vector(value, "gravity"))

    def command(self, values: Mapping[str, float] | None = None, /, **more: float) -> None:
        """Commands drives by name until the next: `sim.command(left=0.01)`, or
        `sim.command({"gripper/left": 0.01})` for names with a `/` in them. All at once is
        cheaper than one by one.

        A drive of the scene takes its effort (N m, N), target (rad, m) or speed (rad/s, m/s);
        an actuator of an MJCF file takes its control, in the units of the file.
        """
        if values is not None and not isinstance(values, Mapping):
            raise TypeError("values: a dict of names and commands is needed, as {'left': 0.01}")
        given = {**(values or {}), **more}
        _volar.set_commands(self._native, [self._command(*entry) for entry in given.items()])

    @property
    def command_names(self) -> list[str]:
        """Names that `command` knows: actuators of robot files, and joints with a drive of
        the scene."""
        return [actuator or joint for joint, actuator, _, _ in self._drives]

    def _command(self, name: str, value: float) -> tuple[int, float]:
        at = find(self.command_names, name, "drive")
        command = number(value, name)
        has_control = self._drives[at][3]
        return at, self._setup.command_of(at, command) if has_control else command

    def _apply(self, joints: list[int], efforts: Array) -> None:
        _volar.apply_efforts(self._native, joints, efforts)

    def __repr__(self) -> str:
        return f"Simulation(time={self.time:.6g}, {len(self._bodies)} bodies)"
