"""The loop that takes a scene through an engine, and what is read off it.

An engine is a module with `load(export, settings) -> Simulation`.
"""

import platform
import time
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from engines.schedule import Export, NotPossible, Pose, rotation

AGAIN_WITHIN = 5.0
"""A run whose steps took less processor time than this, s, is timed again without looking."""
FAR = 10.0
"""An object this far from the palm, m, or NaN, is gone: what follows says nothing."""

BEARING = 0.01
"""A contact with less than this share of the object's normal load does not count for depth."""


@dataclass(frozen=True)
class Contact:
    """One contact of two bodies, by their names in the schedule."""

    a: str
    b: str
    normal: float
    """Normal force, N, not below 0."""
    on_a: np.ndarray
    """Whole force on a, N."""
    depth: float | None
    """How deep, m; None where the engine does not say."""


@dataclass(frozen=True)
class Look:
    """A simulation at one time."""

    object: Pose
    palm: Pose
    velocity: np.ndarray
    """Of the object's centre of mass, m/s."""
    angular: np.ndarray
    """Angular velocity of the object, world axes, rad/s."""
    palm_velocity: np.ndarray
    """Of the palm's origin, m/s."""
    contacts: list[Contact] = field(default_factory=list)


class Simulation(Protocol):
    """A scene in an engine, at its start."""

    version: str
    step: float
    settings: list[str]
    """What is set, each in a line, with the source of the advice."""
    notes: list[str]
    """What is not as in the scene."""

    def advance(self, t: float) -> None:
        """Take a step from a time on, with the commands of that time."""

    def look(self) -> Look:
        """Look at the state."""

    def failure(self) -> str | None:
        """What went wrong inside the engine, if anything."""


def run(module: ModuleType, export: Export, settings: str) -> dict[str, Any]:
    """Take a scene through an engine."""
    if export.returns:
        raise NotPossible("the schedule returns to an earlier state, which the adapters do not")
    simulation: Simulation = module.load(export, settings)
    steps = round(export.duration / simulation.step)
    series = Series(export)
    series.add(0.0, simulation.look())
    failure = None
    seconds = 0.0
    for i in range(steps):
        start = time.process_time()
        simulation.advance(i * simulation.step)
        seconds += time.process_time() - start
        t = (i + 1) * simulation.step
        what = simulation.failure()
        if what is None and not series.add(t, simulation.look()):
            what = "the object is gone"
        if what:
            failure = {"what": what, "time_s": t}
            break
    how = "steps of the run that is shown"
    if failure is None and seconds < AGAIN_WITHIN:
        # Clocks and looks cost as much as small steps do.
        again: Simulation = module.load(export, settings)
        advance, step = again.advance, again.step
        start = time.process_time()
        for i in range(steps):
            advance(i * step)
        seconds = time.process_time() - start
        how = "all steps of a second run, without looking"
    return {
        "version": simulation.version,
        "python": platform.python_version(),
        "step_s": simulation.step,
        "settings": simulation.settings,
        "notes": simulation.notes,
        "processor_s": seconds,
        "processor_how": how,
        "failure": failure,
        "series": series.columns(),
    }


def _depth(contacts: list[tuple[float, float | None]], load: float) -> float | None:
    """Greatest depth of the contacts that bear the object; None where it is not known."""
    bearing = [depth for normal, depth in contacts if normal > 0.0 and normal >= BEARING * load]
    return None if None in bearing else max(bearing, default=0.0)


class Series:
    """What is measured, at every step."""

    def __init__(self, export: Export) -> None:
        """Start with nothing."""
        self._export = export
        self._inertia = export.inertia(export.object)
        self._mass = export.bodies[export.object]["mass"]
        self._centre = np.array(export.bodies[export.object]["centre_of_mass"])
        self._finger_of = {
            body: finger for finger, bodies in export.fingers.items() for body in bodies
        }
        self._columns: dict[str, list[Any]] = {
            name: []
            for name in (
                *("time", "position", "orientation", "kinetic_energy", "expected_kinetic_energy"),
                *("palm_force", "largest_force", "total_force", "depth"),
            )
        }
        self._forces: dict[str, list[float]] = {name: [] for name in export.fingers}

    def add(self, t: float, look: Look) -> bool:
        """Take in a look; false if the object is gone."""
        seen = look.palm.inverse() @ look.object
        centre = seen.p + rotation(seen.q) @ self._centre
        finite = np.isfinite(seen.q).all() and all(np.isfinite(c.normal) for c in look.contacts)
        if not (finite and np.linalg.norm(centre) < FAR):
            return False
        forces = dict.fromkeys(self._forces, 0.0)
        pairs: dict[tuple[str, str], float] = {}
        total, palm, load = np.zeros(3), 0.0, 0.0
        depths: list[tuple[float, float | None]] = []
        for contact in look.contacts:
            pair = (min(contact.a, contact.b), max(contact.a, contact.b))
            pairs[pair] = pairs.get(pair, 0.0) + contact.normal
            if self._export.object not in pair:
                continue
            is_a = contact.a == self._export.object
            other = contact.b if is_a else contact.a
            total += contact.on_a if is_a else -contact.on_a
            if other in self._finger_of:
                forces[self._finger_of[other]] += contact.normal
            if other == self._export.palm:
                palm += contact.normal
            load += contact.normal
            depths.append((contact.normal, contact.depth))
        in_body = rotation(look.object.q).T @ look.angular
        energy = 0.5 * self._mass * (look.velocity @ look.velocity)
        energy += 0.5 * in_body @ self._inertia @ in_body
        expected = 0.5 * self._mass * (look.palm_velocity @ look.palm_velocity)
        row = {
            "time": t,
            "position": centre.tolist(),
            "orientation": seen.q.tolist(),
            "kinetic_energy": float(energy),
            "expected_kinetic_energy": float(expected),
            "palm_force": palm,
            "largest_force": max(pairs.values(), default=0.0),
            "total_force": total.tolist(),
            "depth": _depth(depths, load),
        }
        for name, value in row.items():
            self._columns[name].append(value)
        for name, force in forces.items():
            self._forces[name].append(force)
        return True

    def columns(self) -> dict[str, Any]:
        """Lists by name."""
        return {**self._columns, "force": self._forces}
