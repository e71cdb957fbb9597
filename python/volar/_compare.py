"""The same scene in other engines, and scenes for other engines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import Array
from ._errors import Error
from ._scene import Scene


class Comparison:
    """A scene here and in other engines, in a folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        #: Where page, data and exports are.
        self.folder = Path(folder)
        text = (self.folder / "compare.json").read_text(encoding="utf-8")
        self._data: dict[str, Any] = json.loads(text)

    @property
    def page(self) -> Path:
        """The page with tables and plots, one HTML file."""
        return self.folder / "compare.html"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each engine and setting, Volar's own first: `engine`, `setting`,
        `version`, `settings`, `notes`, `cannot` (why there is no result, else None),
        `lost_at_s`, `unbalanced_n`, `peak_n`, `processor_s`, `real_time_factor` and `summary`,
        which has the figures of `Result.summary`."""
        return [
            {key: value for key, value in row.items() if key != "series"}
            for row in self._data["rows"]
        ]

    def forces(self, engine: str, setting: str = "default") -> dict[str, Array]:
        """Normal force of each finger over time, N, by name, and `time`, s; shape (n,) each.

        Raises:
            KeyError: If there is no such row, or it has no result.
        """
        for row in self._data["rows"]:
            if (row["engine"], row["setting"]) == (engine, setting) and row.get("series"):
                series = row["series"]
                columns = {"time": series["time"], **series["force"]}
                return {name: np.array(values, dtype=float) for name, values in columns.items()}
        raise KeyError(f"no result of {engine} ({setting})")

    def __repr__(self) -> str:
        return f"Comparison({str(self.folder)!r})"


def compare(
    scene: Scene | str | os.PathLike[str],
    *,
    engines: Sequence[str] | None = None,
    settings: Sequence[str] = ("default", "careful"),
    set: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    python: str | os.PathLike[str] | None = None,
    limit_wall: float = 600.0,
) -> Comparison:
    """Runs a scene here and in Bullet, MuJoCo and Drake, as `volar compare` does.

    Engines are installed once with pip, each into an environment of its own in the user's
    cache folder. One that cannot run the scene has a row that says why.

    Args:
        scene: A scene, a scene file, or the name of a built-in scene.
        engines: `bullet`, `mujoco`, `drake`; all if not given.
        settings: `default`, what a user of the engine gets, and `careful`, its documented
            advice for grasping.
        set: Entries of the scene to change.
        out: Folder for the page and its data; the scene's name with `-compare` if not given.
        python: A Python that has the engines: nothing is installed.
        limit_wall: Ends a run of an engine after this wall time, s.

    Raises:
        Error: If the scene or an argument is not usable.
    """
    scene = scene if isinstance(scene, Scene) else Scene.load(scene)
    for path, value in (set or {}).items():
        scene = _copy(scene)
        scene.set(path, value)
    folder = Path(out) if out is not None else Path(f"{_plain(scene.name)}-compare")
    options = ["--out", str(folder.absolute()), "--settings", ",".join(settings)]
    options += ["--limit-wall", repr(float(limit_wall))]
    if engines is not None:
        options += ["--engines", ",".join(engines)]
    if python is not None:
        options += ["--python", str(python)]
    _command("compare", scene, options)
    return Comparison(folder)


def export(scene: Scene, to: str, folder: str | os.PathLike[str]) -> list[str]:
    """See `Scene.export`."""
    options = ["--to", to, "--out", str(Path(folder).absolute()), "--json"]
    left_out: list[str] = json.loads(_command("export", scene, options))["not_said"]
    return left_out


def _copy(scene: Scene) -> Scene:
    make, arguments = scene.__reduce__()
    copy: Scene = make(*arguments)
    return copy


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_.-" else "-" for c in name)


def _command(verb: str, scene: Scene, options: list[str]) -> str:
    """What the command `volar` prints for a scene.

    In a process of its own: an interrupt ends it and the engines that it runs.
    """
    scene.compile()
    with tempfile.TemporaryDirectory() as folder:
        path = scene.save(folder)
        command = [sys.executable, "-m", "volar", verb, str(path), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
        raise Error("\n".join(lines).removeprefix("error: "))
    return done.stdout
