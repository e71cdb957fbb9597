"""What is read off a grasp: the same measures for every engine."""

from dataclasses import dataclass

import numpy as np

import scenes
from scenes import Scene

LOST = 0.025
"""An object this far from where it should be is lost, m."""
EXCESSIVE = 200.0
"""A normal force of a settled grasp above this is a failure: 20 times what the fingers press, N."""


@dataclass(frozen=True)
class Measures:
    """The outcome of one run."""

    held: bool
    drift_mm: float
    """How far the object moves from 2 s to the end, in the frame of the palm."""
    rotation_deg: float
    """How far it turns meanwhile."""
    forces: dict[str, float]
    """Mean normal force of each finger in the last second, N."""
    max_depth_mm: float
    energy_ratio: float | None
    """Of a shake: the object's mean kinetic energy over that of one held without play."""
    failure: str | None


class Samples:
    """A run as it goes by."""

    def __init__(self, scene: Scene, fingers: list[str]) -> None:
        """Start with nothing."""
        self.scene = scene
        self.fingers = fingers
        self._times: list[float] = []
        self._states: list[np.ndarray] = []
        self._forces: list[list[float]] = []
        self._depths: list[float] = []

    def add(
        self,
        t: float,
        pose: np.ndarray,
        velocity: np.ndarray,
        forces: dict[str, float],
        depth: float,
    ) -> None:
        """Take in a sample.

        The pose is position and quaternion in the palm's frame, the velocity that of the centre of
        mass against the palm, world axes, and angular in the body.
        """
        self._times.append(t)
        self._states.append(np.concatenate([pose, velocity]))
        self._forces.append([forces[name] for name in self.fingers])
        self._depths.append(depth)

    def measures(self) -> Measures:
        """Sum up."""
        t = np.array(self._times)
        states, forces, depths = map(np.array, (self._states, self._forces, self._depths))
        at_2_s = int(np.argmin(np.abs(t - 2.0)))
        begin, end = states[at_2_s], states[-1]
        home = (begin if self.scene.rotated else states[0])[:3]
        loaded = int((forces[-1] > 0.0).sum())
        near = bool(np.linalg.norm(end[:3] - home) <= LOST)
        settled = t > 1.0
        failure = None
        if not np.isfinite(states).all() or t[-1] < scenes.DURATION - 0.01:
            failure = f"diverged after {t[-1]:.2f} s"
        elif not near or loaded < 2:
            away = np.linalg.norm(states[:, :3] - home, axis=1) > LOST
            if self.scene.rotated:
                away &= t >= 2.0
            first = t[np.argmax(away)] if away.any() else t[-1]
            failure = f"lost after {first:.2f} s"
        elif forces[settled].max() > EXCESSIVE:
            failure = f"presses with {forces[settled].max():.0f} N"
        return Measures(
            held=failure is None,
            drift_mm=1e3 * float(np.linalg.norm(end[:3] - begin[:3])),
            rotation_deg=_angle(begin[3:7], end[3:7]),
            forces=dict(
                zip(self.fingers, forces[t > scenes.DURATION - 1.0].mean(axis=0), strict=True)
            ),
            max_depth_mm=1e3 * float(depths.max()),
            energy_ratio=self._energy_ratio(t, states) if self.scene.shaken else None,
            failure=failure,
        )

    def _energy_ratio(self, t: np.ndarray, states: np.ndarray) -> float:
        """From 3 s on; velocities are those in the palm's frame, which translates."""
        whole = t >= 3.0
        palm = scenes.shake(t[whole])[1]
        v, w = states[whole, 7:10] + palm, states[whole, 10:13]
        xx, yy, zz, xy, xz, yz = scenes.INERTIAS[self.scene.object]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        mass = scenes.OBJECT_MASS
        energy = 0.5 * mass * (v**2).sum(axis=1) + 0.5 * np.einsum("ti,ij,tj->t", w, inertia, w)
        return float(energy.mean() / (0.5 * mass * (palm**2).sum(axis=1)).mean())


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    """Between two orientations, degrees."""
    cosine = abs(float(a @ b))
    sine = np.linalg.norm(a - b if a @ b > 0 else a + b)
    return float(np.degrees(4.0 * np.arctan2(0.5 * sine, np.sqrt(0.5 * (1.0 + cosine)))))
