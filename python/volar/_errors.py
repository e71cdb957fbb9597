"""The exceptions of the package."""

from __future__ import annotations


class Error(Exception):
    """Something that Volar cannot do; the base of all its exceptions.

    The text is the one the command line prints.

    Attributes:
        place: File, line or entry that is wrong, where there is one.
        remedy: What to do about it, where the text says so: what follows its last
            semicolon.
    """

    place: str | None
    remedy: str | None

    def __init__(self, message: str, place: str | None = None) -> None:
        super().__init__(message)
        self.place = place
        _, semicolon, remedy = message.rpartition("; ")
        self.remedy = remedy.strip() if semicolon else None

    def __reduce__(self) -> tuple[type[Error], tuple[str, str | None]]:
        return type(self), (str(self), self.place)


class SceneError(Error):
    """A scene that cannot be read or makes no sense; `place` has file, line and entry."""


class MeshError(Error):
    """A mesh that cannot be read or does not bound a solid."""


class RobotError(Error):
    """A robot file that cannot be read; `place` has file, line and element."""


class SimulationError(Error):
    """A simulation that cannot begin or go on, or a change that it refuses.

    Its state stays that of the last good step.
    """
