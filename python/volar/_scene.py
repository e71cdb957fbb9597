"""Scenes: from a file, by name, or built in code."""

from __future__ import annotations

import copy
import json
import os
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _volar
from ._arrays import Array, count, number, overrides, vector
from ._errors import SceneError, SimulationError
from ._handles import Body, Robot, name_of, plain, quaternion
from ._mesh import HasTriangles, Mesh
from ._names import find
from ._robot import inspect
from ._simulation import Simulation

if TYPE_CHECKING:
    from ._result import Result

#: Shapes as scene files write them, besides meshes.
SHAPES = ("box", "sphere", "cylinder", "capsule", "ellipsoid", "ground", "mesh")


class Scene:
    """Robots, bodies, what happens when, and what is measured.

    Args:
        name: Name, as summaries give it.
        duration: How long `run` runs, s.
        gravity: Acceleration of free fall, world axes, shape (3,), m/s².
    """

    def __init__(
        self,
        name: str = "scene",
        *,
        duration: float = 10.0,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
    ) -> None:
        self._description: dict[str, Any] | None = {
            "name": name,
            "duration": number(duration, "duration"),
            "gravity": vector(gravity, "gravity"),
        }
        self._files: dict[str, bytes] = {}
        self._folder = ""
        self._text: _volar.SceneText | None = None
        self._setup: _volar.Setup | None = None
        self._simulations: weakref.WeakSet[Simulation] = weakref.WeakSet()

    @classmethod
    def load(cls, name: str | os.PathLike[str], *, set: Mapping[str, Any] | None = None) -> Scene:
        """A scene file, a built-in scene by name, or a folder with a `scene.toml`.

        Args:
            name: The file, the name or the folder; `volar.scenes()` lists the names.
            set: Entries to change, by path: `{"body.bunny.mass": 0.5}`.
        """
        if not isinstance(name, str | os.PathLike):
            raise TypeError(f"scene: a file or a name is needed, not {type(name).__name__}")
        text = _volar.SceneText.open(os.fspath(name))
        given = overrides(set)
        return cls._of(text.set(given) if given else text)

    @classmethod
    def parse(cls, text: str, *, name: str = "scene", folder: str | os.PathLike[str] = "") -> Scene:
        """A scene from the text of a scene file.

        Args:
            text: TOML.
            name: What errors call it.
            folder: Where the files it names are.
        """
        return cls._of(_volar.SceneText.parse(name, text, os.fspath(folder)))

    @classmethod
    def _of(cls, text: _volar.SceneText) -> Scene:
        scene = cls()
        scene._text = text
        scene._description = None
        scene._folder = os.fspath(text.folder)
        scene._files = text.files()
        return scene

    # What it says

    @property
    def spec(self) -> dict[str, Any]:
        """The whole scene with the keys of scene files, all defaults filled in; a copy."""
        description: dict[str, Any] = json.loads(self._source().to_json())
        return description

    @property
    def name(self) -> str:
        """Name, as summaries give it."""
        return str(self._read()["name"])

    @name.setter
    def name(self, value: str) -> None:
        self._edit()["name"] = str(value)

    @property
    def duration(self) -> float:
        """How long `run` runs, s."""
        return float(self._read()["duration"])

    @duration.setter
    def duration(self, value: float) -> None:
        self._edit()["duration"] = number(value, "duration")

    @property
    def gravity(self) -> Array:
        """Acceleration of free fall, world axes, shape (3,), m/s²; assign to change it."""
        return np.array(self._read()["gravity"], dtype=np.float64)

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self._edit()["gravity"] = vector(value, "gravity")

    def to_toml(self) -> str:
        """The text of its scene file. Meshes that were given as arrays are files of their
        own: `save` writes them too."""
        return self._source().to_toml()

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Writes `scene.toml` and the meshes given as arrays into a folder; the path of the
        scene file. Other files stay where they are."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name, contents in self._files.items():
            if name != "scene.toml":
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (target / name).write_bytes(contents)
        path = target / "scene.toml"
        text = copy.deepcopy(self.spec)
        _retarget(text, self._files, self._folder, target)
        source = _volar.SceneText.from_json(json.dumps(text), "", {})
        path.write_text(source.to_toml(), encoding="utf-8")
        return path

    def set(self, path: str, value: Any) -> None:
        """Changes any entry, as `--set` does: `scene.set("body.mug.mass", 0.5)`."""
        text = self._source().set(overrides({path: value}))
        self._forget()
        self._text, self._description = text, None

    # Building

    def add_robot(
        self,
        file: str | os.PathLike[str],
        *,
        name: str | None = None,
        position: ArrayLike = (0.0, 0.0, 0.0),
        orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        material: str = "rubber",
        floating: bool = False,
        fingers: Mapping[str, Sequence[str]] | None = None,
        packages: Sequence[str | os.PathLike[str]] = (),
        **entries: Any,
    ) -> Robot:
        """Adds a robot from a URDF, MJCF or SDF file.

        Args:
            file: The file; relative to the working folder.
            name: Name in the scene; that of the file if not given.
            position: Where its root is in the world, shape (3,), m.
            orientation: Quaternion wxyz, shape (4,).
            material: Of its links: `volar.materials()` or one of `add_material`.
            floating: Lets its root move freely.
            fingers: Names of fingers, each with its links; forces are summed over them.
            packages: Folders in which `package://` looks.
            entries: Other entries of `[[robot]]`, see docs/scenes.md.

        Raises:
            RobotError: If the file cannot be read.
        """
        path = os.fspath(file)
        folders = [os.fspath(package) for package in packages]
        about = inspect(path, packages=folders)
        name = name or self._free(about.name or Path(path).stem, "robot")
        entry = {
            "name": name,
            "file": self._relative(path),
            "packages": [self._relative(folder) for folder in folders],
            "position": vector(position, "position"),
            "orientation": quaternion(orientation),
            "material": material,
            "floating": bool(floating),
            "fingers": {finger: list(links) for finger, links in (fingers or {}).items()},
            **entries,
        }
        self._edit().setdefault("robot", []).append(entry)
        return Robot(self, name)

    def add_body(
        self,
        shape: Mesh | HasTriangles | str | os.PathLike[str] | Mapping[str, Any],
        *,
        name: str | None = None,
        mass: float | None = None,
        position: ArrayLike = (0.0, 0.0, 0.0),
        orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        material: str = "plastic",
        fixed: bool = False,
        **entries: Any,
    ) -> Body:
        """Adds a body: an object, a table, the ground.

        Args:
            shape: A mesh, a mesh file, or a shape as scene files write it:
                `{"box": [0.06, 0.06, 0.06]}`, `{"ground": {}}`.
            name: Name in the scene; that of the shape or of its file if not given.
            mass: kg; 1000 kg/m³ of its volume if neither it nor `density` is given.
            position: Where its origin is in the world, shape (3,), m.
            orientation: Quaternion wxyz, shape (4,).
            material: `volar.materials()` or one of `add_material`.
            fixed: It does not move.
            entries: Other entries of `[[body]]`: `density`, `inertia`, `velocity`,
                `slides_along`, `motion` and so on, see docs/scenes.md.
        """
        if isinstance(shape, Mapping):
            if len(shape) != 1 or next(iter(shape)) not in SHAPES:
                raise SceneError(f"a shape is one of {', '.join(SHAPES)}, as {{'box': [x, y, z]}}")
            kind = str(next(iter(shape)))
            name = name or self._free(kind, "body")
            described: dict[str, Any] = plain(shape)
        elif isinstance(shape, str | os.PathLike):
            name = name or self._free(Path(shape).stem, "body")
            described = {"mesh": {"file": self._relative(os.fspath(shape))}}
        else:
            mesh = Mesh.of(shape)
            name = name or self._free(mesh.name, "body")
            self._files[f"{name}.obj"] = mesh._native.to_obj().encode()
            described = {"mesh": {"file": f"{name}.obj"}}
        entry = {
            "name": name,
            "shape": described,
            "position": vector(position, "position"),
            "orientation": quaternion(orientation),
            "material": material,
            "fixed": bool(fixed),
            **plain(entries),
        }
        if mass is not None:
            entry["mass"] = number(mass, "mass")
        self._edit().setdefault("body", []).append(entry)
        return Body(self, name)

    def add_material(self, name: str, *, like: str | None = None, **figures: float) -> None:
        """Adds a material.

        Args:
            name: By which robots and bodies name it.
            like: The material it starts from.
            figures: `modulus` (Pa) with `thickness` (m), or `stiffness` (N/m³), `friction`,
                `damping_time` (s) and so on, see docs/scenes.md.
        """
        entry: dict[str, Any] = {key: number(value, key) for key, value in figures.items()}
        if like is not None:
            entry["like"] = like
        self._edit().setdefault("materials", {})[name] = entry

    def add_event(self, at: float, *, over: float = 0.0, **changes: Any) -> None:
        """Changes something at a time.

        Args:
            at: When it begins, s.
            over: How long it takes, s; at once if not given.
            changes: `efforts`, `targets`, `speeds` or `controls` by name, `gravity`,
                `turn_gravity`, `return_to`, `shape="smooth"`; see docs/scenes.md.
        """
        entry = {"at": number(at, "at"), "over": number(over, "over"), **plain(changes)}
        self._edit().setdefault("schedule", []).append(entry)

    def add_force(
        self,
        body: Body | str,
        force: ArrayLike = (0.0, 0.0, 0.0),
        torque: ArrayLike = (0.0, 0.0, 0.0),
        **entries: float,
    ) -> None:
        """Loads a body at its centre of mass.

        Args:
            body: The body or link.
            force: World axes, shape (3,), N.
            torque: World axes, shape (3,), N m.
            entries: `start`, `end` and `ramp` in s, `frequency` in Hz.
        """
        entry = {
            "body": name_of(body),
            "force": vector(force, "force"),
            "torque": vector(torque, "torque"),
            **plain(entries),
        }
        self._edit().setdefault("force", []).append(entry)

    def add_sensor(self, name: str, link: str, kind: str = "contact") -> None:
        """Adds a sensor whose values are in the series: `contact` or `force_torque`."""
        entry = {"name": name, "link": link, "kind": kind}
        self._edit().setdefault("sensor", []).append(entry)

    def grasp(self, body: Body | str, **entries: Any) -> None:
        """Says what is grasped, so that results tell whether it is held.

        Args:
            body: The object.
            entries: `palm`, `from`, `held_within` and so on, see docs/scenes.md.
        """
        self._edit()["grasp"] = {"object": name_of(body), **plain(entries)}

    def exclude(self, a: Body | str, b: Body | str) -> None:
        """Lets two bodies pass through each other."""
        contact = self._edit().setdefault("contact", {})
        contact.setdefault("exclude", []).append([name_of(a), name_of(b)])

    def robot(self, name: str) -> Robot:
        """A robot by name."""
        names = [robot["name"] for robot in self._read().get("robot", [])]
        return Robot(self, names[find(names, name, "robot")])

    def body(self, name: str) -> Body:
        """A body by name."""
        names = [body["name"] for body in self._read().get("body", [])]
        return Body(self, names[find(names, name, "body")])

    # Running

    def compile(self) -> None:
        """Reads all its files and makes the model. Done when needed; errors come here.

        Raises:
            SceneError: If it makes no sense; `place` says where.
        """
        if self._setup is None:
            self._setup = self._source().compile()

    def simulate(self, *, threads: int = 1, record: bool = False) -> Simulation:
        """A simulation at the start of the scene.

        Args:
            threads: Threads that evaluate contacts; the result is the same to the bit.
            record: Measures and keeps frames, so that `Simulation.result` has a report.
        """
        threads = count(threads, "threads")
        setup = self._compiled()
        simulation = Simulation(setup, _volar.Simulation(setup, threads, bool(record)))
        self._simulations.add(simulation)
        return simulation

    def run(self, **options: Any) -> Result:
        """Runs it to its end; see `volar.run`."""
        from ._result import run

        return run(self, **options)

    def export(self, to: str, folder: str | os.PathLike[str]) -> list[str]:
        """Writes it for another engine into a new folder: description, meshes, schedule.

        Args:
            to: `mjcf`, `urdf` or `sdf`.
            folder: Is made; one that is not empty is refused.

        Returns:
            What the files of the format do not say, as sentences.

        Raises:
            Error: If the format cannot say it at all, or the folder is not empty.
        """
        from ._compare import export

        return export(self, to, folder)

    @property
    def notes(self) -> list[str]:
        """What a person should know of it, as sentences."""
        return self._compiled().notes()

    def __reduce__(self) -> tuple[Any, ...]:
        return _scene_of, (self._source().to_json(), self._folder, self._files)

    def __repr__(self) -> str:
        read = self._read()
        robots = [robot["name"] for robot in read.get("robot", [])]
        bodies = [body["name"] for body in read.get("body", [])]
        return f"Scene({self.name!r}, robots={robots}, bodies={bodies})"

    def _repr_html_(self) -> str:
        """A picture of its start, for notebooks."""
        from ._notebook import picture

        return picture(self)

    # Inner workings

    def _read(self) -> dict[str, Any]:
        if self._description is None:
            self._description = self.spec
        return self._description

    def _edit(self) -> dict[str, Any]:
        """The description, to be changed."""
        description = self._read()
        self._forget()
        self._text = None
        return description

    def _forget(self) -> None:
        self._setup = None
        self._simulations = weakref.WeakSet()

    def _source(self) -> _volar.SceneText:
        if self._text is None:
            try:
                described = json.dumps(plain(self._description), allow_nan=False)
            except (TypeError, ValueError) as error:
                raise SceneError(f"a value that no scene can have: {error}") from None
            self._text = _volar.SceneText.from_json(described, self._folder, self._files)
        return self._text

    def _compiled(self) -> _volar.Setup:
        self.compile()
        assert self._setup is not None
        return self._setup

    def _relative(self, path: str) -> str:
        """A path of the working folder as the scene names it."""
        return path if not self._folder else str(Path(path).resolve())

    def _free(self, wanted: str, kind: str) -> str:
        """A name that no other has."""
        wanted = wanted.replace("/", "_")
        taken = {entry["name"] for entry in self._read().get(kind, [])}
        name, count = wanted, 1
        while name in taken:
            count += 1
            name = f"{wanted}_{count}"
        return name

    def _only_simulation(self) -> Simulation:
        alive = list(self._simulations)
        if not alive:
            raise SimulationError("the scene has no simulation as it is now; use scene.simulate()")
        if len(alive) > 1:
            raise SimulationError(
                f"the scene has {len(alive)} simulations; use sim[robot] to say which one is meant"
            )
        return alive[0]


def _scene_of(described: str, folder: str, files: dict[str, bytes]) -> Scene:
    """A scene that was pickled."""
    return Scene._of(_volar.SceneText.from_json(described, folder, files))


def _retarget(entry: Any, files: Mapping[str, bytes], folder: str, target: Path) -> None:
    """Files of a scene as seen from another folder."""
    if isinstance(entry, dict):
        name = entry.get("file")
        if isinstance(name, str) and name not in files and not Path(name).is_absolute():
            here = (Path(folder) / name).resolve()
            entry["file"] = os.path.relpath(here, target.resolve())
        for inner in entry.values():
            _retarget(inner, files, folder, target)
    elif isinstance(entry, list):
        for inner in entry:
            _retarget(inner, files, folder, target)
