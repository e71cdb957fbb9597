"""Volar as an engine of the NeuroRobotics Platform, for EngineType `python_json`.

The file that an experiment names as PythonFileName is two lines long:

    from volar.nrp import VolarEngine

    Script = VolarEngine

The scene is `EngineExtraConfigs.Scene` of the engine's configuration. docs/nrp.md lists the
data packs; `volar serve nrp` has the same ones without Python in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import number, vector
from ._contacts import Contact
from ._names import find
from ._scene import Scene

if TYPE_CHECKING:
    from ._simulation import Simulation

    class EngineScript:
        """The class of nrp-core that engines are derived from."""

        _name: str
        _time_ns: int
        _config: dict[str, Any] | None

        def _registerDataPack(self, datapack_name: str) -> None:  # noqa: N802
            """Makes a pack known."""

else:
    try:
        from nrp_core.engines.python_json import EngineScript
    except ImportError:

        class EngineScript:
            """Takes the place of nrp-core's class where nrp-core is not installed."""

            def __init__(self) -> None:
                self._datapacks = {}
                self._time_ns = 0
                self._name = ""
                self._config = None

            def _registerDataPack(self, datapack_name: str) -> None:  # noqa: N802
                """Makes a pack known."""
                self._datapacks[datapack_name] = None


#: Longest loop step, ns: a minute. Longer ones are mistakes.
LONGEST_STEP = 60_000_000_000

#: Figures of a contact, as packs have them.
_FIGURES = tuple(name for name in Contact.__annotations__ if name != "bodies")


class VolarEngine(EngineScript):
    """A scene that nrp-core steps. Derive from it to add data packs of your own."""

    #: The simulation, from `initialize` to `shutdown`.
    simulation: Simulation

    def initialize(self) -> None:
        """Reads the scene that `EngineExtraConfigs` names and makes the data packs known.

        Raises:
            SceneError: If the scene makes no sense.
            ValueError: If the configuration makes none.
        """
        extra = dict((self._config or {}).get("EngineExtraConfigs") or {})
        scene, changes = extra.pop("Scene", None), extra.pop("Set", None)
        threads = extra.pop("Threads", 1)
        if not isinstance(scene, str):
            raise ValueError("no scene; name one in EngineExtraConfigs.Scene")
        if extra:
            raise ValueError(f"EngineExtraConfigs: unknown {', '.join(extra)}")
        self.simulation = Scene.load(scene, set=changes).simulate(threads=threads)
        self._loads: dict[str, dict[str, list[float]]] = {}
        self._readers = self._packs_to_read()
        self._writers: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "efforts": self._set_efforts,
            "targets": self._set_targets,
            "loads": self._set_loads,
        }
        for name in self._readers:
            self._registerDataPack(name)

    def runLoop(self, timestep_ns: int) -> None:  # noqa: N802
        """Goes on by a step, ns, to the time that nrp-core has counted.

        Raises:
            ValueError: If the step is no whole number from 1 ns to a minute.
            SimulationError: If the simulation cannot go on.
        """
        whole = isinstance(timestep_ns, int) and not isinstance(timestep_ns, bool)
        if not whole or not 0 < timestep_ns <= LONGEST_STEP:
            self._time_ns -= timestep_ns
            raise ValueError(f"timestep_ns: a whole number from 1 to {LONGEST_STEP} is needed")
        self.simulation.advance_to(self._time_ns / 1e9)

    def reset(self) -> None:
        """Goes back to the start of the scene."""
        self.simulation.reset()
        self._loads.clear()

    def shutdown(self) -> None:
        """Lets go of the simulation."""
        if hasattr(self, "simulation"):
            del self.simulation

    # What nrp-core calls for data packs: they are read when they are asked for, and applied
    # when they are set.

    def _getDataPack(self, datapack_name: str) -> Any:  # noqa: N802
        if datapack_name not in self._readers:
            raise KeyError(f"no data pack `{datapack_name}`; see docs/nrp.md")
        return self._readers[datapack_name]()

    def _setDataPack(self, datapack_name: str, data: Any) -> None:  # noqa: N802
        if datapack_name not in self._writers:
            settable = ", ".join(self._writers)
            raise KeyError(f"data pack `{datapack_name}` cannot be set; {settable} can")
        if not isinstance(data, Mapping):
            raise TypeError(f"data pack `{datapack_name}`: an object of names is needed")
        self._writers[datapack_name](data)

    def _packs_to_read(self) -> dict[str, Callable[[], Any]]:
        sim = self.simulation
        packs: dict[str, Callable[[], Any]] = {
            "time": lambda: {"time": sim.time, "time_ns": self._time_ns},
            "joints": self._joints,
            "bodies": self._bodies,
            "contacts": lambda: [_contact(contact) for contact in sim.contacts],
            "efforts": lambda: {name: sim.joint(name).effort for name in sim.joint_names},
            "targets": lambda: {name: sim.joint(name).command for name in self._targets()},
            "loads": lambda: dict(self._loads),
        }
        for name in sim.joint_names:
            packs[f"joint/{name}"] = partial(self._joint, name)
        for name in sim.body_names:
            packs[f"body/{name}"] = partial(self._body, name)
            packs[f"contacts/{name}"] = partial(self._contacts_of, name)
        return packs

    def _joint(self, name: str) -> dict[str, float | None]:
        return self._joints()[name]

    def _joints(self) -> dict[str, dict[str, float | None]]:
        sim = self.simulation
        targets = {name: sim.joint(name).command for name in self._targets()}
        efforts = sim._native.joint_efforts().tolist()
        positions, velocities = sim.q.tolist(), sim.v.tolist()
        return {
            name: {
                "position": positions[q],
                "velocity": velocities[v],
                "effort": effort,
                "target": targets.get(name),
            }
            for (name, _, q, v), effort in zip(sim._joints, efforts, strict=True)
        }

    def _body(self, name: str) -> dict[str, list[float]]:
        at = self.simulation.body_names.index(name)
        return _body(self.simulation.poses[at], self.simulation.velocities[at])

    def _contacts_of(self, name: str) -> list[dict[str, Any]]:
        return [_contact(contact) for contact in self.simulation.contacts.of(name)]

    def _bodies(self) -> dict[str, dict[str, list[float]]]:
        sim = self.simulation
        rows = zip(sim.body_names, sim.poses, sim.velocities, strict=True)
        return {name: _body(pose, velocity) for name, pose, velocity in rows}

    def _targets(self) -> list[str]:
        names = self.simulation.joint_names
        return [name for name in names if self.simulation.joint(name).command_kind == "target"]

    def _set_efforts(self, data: Mapping[str, Any]) -> None:
        sim = self.simulation
        joints = [find(sim.joint_names, name, "joint") for name in data]
        sim._apply(joints, np.array([number(effort, name) for name, effort in data.items()]))

    def _set_targets(self, data: Mapping[str, Any]) -> None:
        names = self._targets()
        given = [
            (names[find(names, name, "joint driven to a target")], number(target, name))
            for name, target in data.items()
        ]
        for name, target in given:
            self.simulation.joint(name).command = target

    def _set_loads(self, data: Mapping[str, Any]) -> None:
        zero = (0.0, 0.0, 0.0)
        loads = []
        for name, given in data.items():
            body = self.simulation.body(name)
            if not isinstance(given, Mapping) or not given.keys() <= {"force", "torque", "point"}:
                raise ValueError(f"loads: `{name}`: an object of force, torque, point is needed")
            parts = {k: vector(given.get(k, zero), k) for k in ("force", "torque", "point")}
            loads.append((body, parts))
        for body, parts in loads:
            body.push(**parts)
            self._loads[body.name] = parts


def _body(pose: Any, velocity: Any) -> dict[str, list[float]]:
    return {
        "position": pose[:3].tolist(),
        "orientation": pose[3:].tolist(),
        "velocity": velocity[:3].tolist(),
        "angular_velocity": velocity[3:].tolist(),
    }


def _contact(contact: Contact) -> dict[str, Any]:
    figures = {name: getattr(contact, name) for name in _FIGURES}
    plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in figures.items()}
    return {"bodies": list(contact.bodies), **plain}
