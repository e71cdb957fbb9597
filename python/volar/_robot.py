"""What is in a robot file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from . import _volar


@dataclass(frozen=True)
class RobotFile:
    """What a URDF, MJCF or SDF file says."""

    #: Name of the robot.
    name: str
    #: Names of its links.
    links: Sequence[str]
    #: Its joints that move: name, kind, limits (rad or m, None without).
    joints: Sequence[tuple[str, str, tuple[float, float] | None]]
    #: Names of its actuators.
    actuators: Sequence[str]
    #: What is not imported or was changed: `unsupported`, `changed` or `ignored`, what it
    #: is about, and why.
    notes: Sequence[tuple[str, str, str]]


def inspect(
    path: str | os.PathLike[str], *, packages: Sequence[str | os.PathLike[str]] = ()
) -> RobotFile:
    """Reads a URDF, MJCF or SDF file.

    Args:
        path: The file.
        packages: Folders in which `package://` looks.

    Raises:
        RobotError: If it cannot be read; `place` says where.
    """
    folders = [os.fspath(package) for package in packages]
    name, links, joints, actuators, notes = _volar.inspect(os.fspath(path), folders)
    moving = [
        (joint, kind, None if limits is None else (limits[0], limits[1]))
        for joint, kind, limits in joints
    ]
    return RobotFile(name, links, moving, actuators, notes)
