"""What `schedule.json` of an export says. SI units, quaternions (w, x, y, z), world axes."""

import json
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

VERSION = 1


class NotPossible(Exception):  # noqa: N818 - a result, not a mistake
    """An engine cannot run a scene; the text says why."""


class Curve:
    """Numbers over time: straight lines between rows, jumps where two have the same time."""

    def __init__(self, rows: list[list[float]]) -> None:
        """Take rows of a time and the values."""
        self.times = [row[0] for row in rows]
        self.values = np.array([row[1:] for row in rows], dtype=float)
        self.is_constant = bool((self.values == self.values[0]).all())

    def at(self, t: float) -> np.ndarray:
        """The values at a time; those after a jump at the time of a jump."""
        i = bisect_right(self.times, t)
        if self.is_constant or i == 0:
            return self.values[0]
        if i == len(self.times):
            return self.values[-1]
        share = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1])
        return self.values[i - 1] + share * (self.values[i] - self.values[i - 1])


@dataclass(frozen=True)
class Pose:
    """A frame in another one."""

    p: np.ndarray
    q: np.ndarray

    @staticmethod
    def of(numbers: list[float]) -> "Pose":
        """Seven numbers: position, quaternion."""
        return Pose(np.array(numbers[:3], float), np.array(numbers[3:7], float))

    def __matmul__(self, other: "Pose") -> "Pose":
        return Pose(self.p + rotation(self.q) @ other.p, product(self.q, other.q))

    def inverse(self) -> "Pose":
        """The pose of the other frame in this one."""
        q = self.q * [1, -1, -1, -1]
        return Pose(-rotation(q) @ self.p, q)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of two quaternions."""
    (aw, *av), (bw, *bv) = a, b
    av, bv = np.array(av), np.array(bv)
    return np.concatenate([[aw * bw - av @ bv], aw * bv + bw * av + np.cross(av, bv)])


def rotation(q: np.ndarray) -> np.ndarray:
    """The matrix of a quaternion."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@dataclass(frozen=True)
class State:
    """A moved body at one time: pose, velocity of its origin, angular velocity."""

    pose: Pose
    velocity: np.ndarray
    angular: np.ndarray


class Motion:
    """Bodies that move as prescribed."""

    def __init__(self, entry: dict[str, Any]) -> None:
        """Take an entry of `motions`."""
        self.bodies: list[str] = entry["bodies"]
        self.body: str = entry["body"]
        self._rows = np.array(entry["samples"], dtype=float)

    def at(self, t: float) -> State:
        """By cubics through the positions and velocities of the samples."""
        rows = self._rows
        i = int(np.searchsorted(rows[:, 0], t, side="right"))
        if i == 0 or i == len(rows):
            row = rows[min(i, len(rows) - 1)]
            return State(Pose.of(row[1:8]), row[8:11], row[11:14])
        a, b = rows[i - 1], rows[i]
        h = b[0] - a[0]
        s = (t - a[0]) / h
        hermite = lambda p, v, q, w: (  # noqa: E731
            (1 + 2 * s) * (1 - s) ** 2 * p
            + s * (1 - s) ** 2 * h * v
            + s**2 * (3 - 2 * s) * q
            + s**2 * (s - 1) * h * w
        )
        position = hermite(a[1:4], a[8:11], b[1:4], b[8:11])
        turn = b[4:8] if a[4:8] @ b[4:8] > 0 else -b[4:8]
        quaternion = (1 - s) * a[4:8] + s * turn
        velocity = (1 - s) * a[8:14] + s * b[8:14]
        pose = Pose(position, quaternion / np.linalg.norm(quaternion))
        return State(pose, velocity[:3], velocity[3:])


class Drive:
    """What drives a sum of joint coordinates."""

    def __init__(self, entry: dict[str, Any]) -> None:
        """Take an entry of `drives`."""
        self.name: str = entry["name"]
        self.joints: list[tuple[str, float]] = [tuple(row) for row in entry["joints"]]
        self.kind: str = entry["kind"]
        self.command = Curve(entry["command"])
        self.kp: float = entry["kp"]
        self.kd: float = entry["kd"]
        self.limit: list[float] | None = entry["effort_limit"]
        self.actuator: str | None = entry["actuator"]

    def effort(self, t: float, q: dict[str, float], v: dict[str, float]) -> float:
        """The effort on the sum, from coordinates and velocities of the joints."""
        command = float(self.command.at(t)[0])
        effort = command
        if self.kind != "effort":
            s = sum(c * q[name] for name, c in self.joints)
            rate = sum(c * v[name] for name, c in self.joints)
            position = self.kind == "position"
            aim = self.kp * (command - s) if position else self.kd * command
            effort = aim - self.kd * rate
        return effort if self.limit is None else float(np.clip(effort, *self.limit))


class Export:
    """A folder that `volar export` wrote."""

    def __init__(self, folder: Path) -> None:
        """Read the schedule."""
        self.folder = folder
        self.data: dict[str, Any] = json.loads((folder / "schedule.json").read_text())
        if self.data["version"] != VERSION:
            raise NotPossible(f"schedule.json of version {self.data['version']}, not {VERSION}")
        if self.data["grasp"] is None:
            raise NotPossible("nothing is grasped in this scene")
        self.bodies: dict[str, dict[str, Any]] = {b["name"]: b for b in self.data["bodies"]}
        self.joints: dict[str, dict[str, Any]] = {j["name"]: j for j in self.data["joints"]}
        self.duration: float = self.data["duration"]
        self.gravity = Curve(self.data["gravity"])
        self.drives = [Drive(entry) for entry in self.data["drives"]]
        self.returns: list[tuple[float, float]] = [tuple(row) for row in self.data["returns"]]
        self.motions = [Motion(entry) for entry in self.data["motions"]]
        self.grasp: dict[str, Any] = self.data["grasp"]
        self.object: str = self.grasp["object"]
        self.palm: str = self.grasp["palm"]
        self.fingers: dict[str, list[str]] = {
            finger["name"]: finger["bodies"] for finger in self.grasp["fingers"]
        }

    @cached_property
    def scales(self) -> list[Curve]:
        """Factors of the loads over time."""
        return [Curve(load["scale"]) for load in self.data["loads"]]

    def inertia(self, body: str) -> np.ndarray:
        """About the centre of mass, in the body's axes."""
        xx, yy, zz, xy, xz, yz = self.bodies[body]["inertia"]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def joint_efforts(self, q: dict[str, float], v: dict[str, float]) -> dict[str, float]:
        """Efforts of springs on joints and of springs and dampers on sums of coordinates."""
        efforts = dict.fromkeys(q, 0.0)
        for name in q:
            spring = self.joints[name]["spring"]
            if spring:
                efforts[name] -= spring["stiffness"] * (q[name] - spring["rest"])
        for tendon in self.data["couplings"]:
            s = sum(c * q[name] for name, c in tendon["joints"])
            rate = sum(c * v[name] for name, c in tendon["joints"])
            effort = tendon["stiffness"] * (s - tendon["rest"]) + tendon["damping"] * rate
            for name, coefficient in tendon["joints"]:
                efforts[name] -= coefficient * effort
        return efforts

    def left_out(self) -> list[str]:
        """What an engine without tendons leaves out."""
        tendons = [tendon for tendon in self.data["couplings"] if tendon["range"]]
        return [f"the ranges of {len(tendons)} tendons are left out"] if tendons else []

    def moved(self, body: str) -> Motion | None:
        """The motion that a body hangs on."""
        return next((motion for motion in self.motions if body in motion.bodies), None)
