"""Parts of a scene: its robots, their joints, its bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Array, number, numbers
from ._errors import SceneError
from ._pose import Pose

if TYPE_CHECKING:
    from ._parts import RobotView
    from ._scene import Scene


class _Part:
    """A part of a scene, by name."""

    __slots__ = ("_scene", "name")

    _kind: str
    #: Name in the scene.
    name: str

    def __init__(self, scene: Scene, name: str) -> None:
        self._scene = scene
        self.name = name

    def _entry(self, entries: dict[str, Any]) -> dict[str, Any]:
        for entry in entries.get(self._kind, []):
            if entry["name"] == self.name:
                found: dict[str, Any] = entry
                return found
        raise SceneError(f"the scene has no {self._kind} `{self.name}` any more")

    def __getitem__(self, key: str) -> Any:
        """Any entry of its section of the scene file."""
        entry = self._entry(self._scene.spec)
        if key not in entry:
            raise KeyError(f"{self._kind} `{self.name}` has no `{key}`; it has {', '.join(entry)}")
        return entry[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._entry(self._scene._edit())[key] = plain(value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class Body(_Part):
    """A body of a scene. `body["mass"]` is any entry of `[[body]]`; assign to change it."""

    __slots__ = ()
    _kind = "body"


class Robot(_Part):
    """A robot of a scene. `robot["position"]` is any entry of `[[robot]]`.

    `q`, `v` and `effort` are those of the simulation, where the scene has exactly one;
    `sim[robot]` says which one is meant.
    """

    __slots__ = ()
    _kind = "robot"

    def joint(self, name: str) -> Joint:
        """A joint by the name of the file."""
        return Joint(self, name)

    def _view(self) -> RobotView:
        return self._scene._only_simulation().robot(self.name)

    @property
    def q(self) -> Array:
        """Coordinates of its joints, shape (n,), rad or m."""
        return self._view().q

    @property
    def v(self) -> Array:
        """Rates of its joints, shape (n,), rad/s or m/s."""
        return self._view().v

    @property
    def effort(self) -> Array:
        """Efforts on its joints on top of their drives, shape (n,), N m or N. Assign to
        change them: all of them as an array, or some by name as a dict."""
        return self._view().effort

    @effort.setter
    def effort(self, value: ArrayLike | Mapping[str, float]) -> None:
        self._view().effort = value


class Joint:
    """A joint of a robot of a scene: its start and its drive."""

    __slots__ = ("_robot", "name")

    #: Name in the robot's file.
    name: str

    def __init__(self, robot: Robot, name: str) -> None:
        self._robot = robot
        self.name = name

    def start(self, position: float, speed: float = 0.0) -> Joint:
        """Where it is at the start, rad or m, and its rate, rad/s or m/s."""
        return self._set(start=number(position, "position"), speed=number(speed, "speed"))

    def drive(
        self,
        *,
        effort: float | Sequence[tuple[float, float]] | None = None,
        target: float | Sequence[tuple[float, float]] | None = None,
        target_speed: float | Sequence[tuple[float, float]] | None = None,
        kp: float | None = None,
        kd: float | None = None,
        effort_limit: float | None = None,
    ) -> Joint:
        """Drives it with an effort, to a target or at a speed.

        Each of these is a number or a list of (time in s, value) with straight lines
        between.

        Args:
            effort: N m or N.
            target: rad or m.
            target_speed: rad/s or m/s; needs `kd`.
            kp: Gain on the coordinate, N m/rad or N/m.
            kd: Gain on the rate, N m s/rad or N s/m.
            effort_limit: Greatest effort of the drive, N m or N.
        """
        given = {
            "effort": effort,
            "target": target,
            "target_speed": target_speed,
            "kp": kp,
            "kd": kd,
            "effort_limit": effort_limit,
        }
        return self._set(**{key: plain(value) for key, value in given.items() if value is not None})

    def _set(self, **entries: Any) -> Joint:
        robot = self._robot._entry(self._robot._scene._edit())
        robot.setdefault("joints", {}).setdefault(self.name, {}).update(entries)
        return self

    def __repr__(self) -> str:
        return f"Joint({self._robot.name}/{self.name})"


def name_of(body: Body | str) -> str:
    """The name of a body of a scene."""
    if isinstance(body, Body):
        return body.name
    if isinstance(body, str):
        return body
    raise TypeError(f"a body or its name is needed, not {type(body).__name__}")


def quaternion(value: ArrayLike) -> list[float]:
    """A unit quaternion wxyz."""
    return [float(x) for x in Pose((0, 0, 0), numbers(value, (4,), "orientation")).orientation]


def plain(value: Any) -> Any:
    """Without numpy and tuples, for JSON."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value
