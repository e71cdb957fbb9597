"""The canonical grasps in numbers: three grippers, three objects, a shake and a hand.

SI units, z up, quaternions (w, x, y, z). `volar run` has the same scenes built in.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pairs import Mesh, read_obj

ROOT = Path(__file__).parent.parent
GRAVITY = np.array([0.0, 0.0, -9.81])
FRICTION = 0.8
DURATION = 10.0
PALM_POSITION = np.array([0.0, 0.0, 0.1])


@dataclass(frozen=True)
class Box:
    """A uniform box in the frame of its link."""

    size: tuple[float, float, float]
    centre: tuple[float, float, float]
    mass: float

    def moments(self) -> np.ndarray:
        """Moments of inertia about the centre."""
        squares = np.square(self.size)
        return self.mass / 12.0 * (squares.sum() - squares)


@dataclass(frozen=True)
class Joint:
    """A joint with the link that hangs on it; a positive coordinate closes the finger."""

    name: str
    kind: str
    """`slide` or `hinge`, as MuJoCo says."""
    offset: tuple[float, float, float]
    """In the frame of the link before; in that of the palm before the turn to the azimuth."""
    axis: tuple[float, float, float]
    limits: tuple[float, float]
    start: float
    effort: float
    damping: float
    link: Box


@dataclass(frozen=True)
class Gripper:
    """A fixed palm with equal fingers."""

    palm: Box
    azimuths: tuple[float, ...]
    """Degrees."""
    finger: tuple[Joint, ...]
    """From the palm to the tip."""


GRIPPERS = {
    "g2p": Gripper(
        palm=Box((0.14, 0.06, 0.03), (0, 0, 0.015), 0.5),
        azimuths=(180, 0),
        finger=(
            Joint(
                name="slide",
                kind="slide",
                offset=(0.05, 0, -0.1),
                axis=(-1, 0, 0),
                limits=(-0.01, 0.04),
                start=0,
                effort=10,
                damping=20,
                link=Box((0.02, 0.02, 0.06), (0, 0, 0), 0.1),
            ),
        ),
    ),
    "g2r": Gripper(
        palm=Box((0.14, 0.06, 0.03), (0, 0, 0.015), 0.5),
        azimuths=(180, 0),
        finger=(
            Joint(
                name="hinge",
                kind="hinge",
                offset=(0.045, 0, -0.03),
                axis=(0, 1, 0),
                limits=(-0.6, 0.8),
                start=-0.05,
                effort=0.75,
                damping=0.1,
                link=Box((0.02, 0.02, 0.08), (0, 0, -0.04), 0.1),
            ),
        ),
    ),
    "g3r": Gripper(
        palm=Box((0.12, 0.12, 0.03), (0, 0, 0.015), 0.5),
        azimuths=(0, 120, 240),
        finger=(
            Joint(
                name="proximal",
                kind="hinge",
                offset=(0.02, 0, -0.023),
                axis=(0, 1, 0),
                limits=(-1.2, 0.8),
                start=-0.72,
                effort=0.83,
                damping=0.12,
                link=Box((0.016, 0.016, 0.045), (0, 0, -0.0225), 0.1),
            ),
            Joint(
                name="distal",
                kind="hinge",
                offset=(0, 0, -0.045),
                axis=(0, 1, 0),
                limits=(-0.2, 1.4),
                start=0.67,
                effort=0.48,
                damping=0.04,
                link=Box((0.016, 0.016, 0.06), (0, 0, -0.03), 0.1),
            ),
        ),
    ),
}

OBJECT_MASS = 0.2
CUBE_EDGE = 0.06
SPHERE_RADIUS = 0.03
INERTIAS = {
    "cube": (1.2e-4, 1.2e-4, 1.2e-4, 0, 0, 0),
    "sphere": (7.2e-5, 7.2e-5, 7.2e-5, 0, 0, 0),
    "bunny": (
        *(1.18396962e-4, 7.16706616e-5, 9.15198114e-5),
        *(1.09214560e-6, 7.73618817e-7, 2.27469596e-5),
    ),
}
"""xx, yy, zz, xy, xz, yz about the centre of mass."""


@dataclass(frozen=True)
class Scene:
    """A gripper and an object; what is prescribed is in `gravity`."""

    name: str
    object: str
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float] = (1, 0, 0, 0)
    gripper: str | None = None
    """None: the Shadow Hand."""
    shaken: bool = False
    pieces: tuple[Mesh, ...] = ()
    """Of an object that is none of the three: its convex pieces, centre of mass at 0."""
    inertia: tuple[float, ...] = ()
    """And its inertia, as in `INERTIAS`."""

    @property
    def rotated(self) -> bool:
        """Whether the hand turns over."""
        return self.gripper is None


ON_ITS_BACK = (0.49242356, 0.870355696, 0, 0)
"""The bunny rolled by 121 degrees about x: its centre of mass hangs below the contacts."""

GRASPS = [
    Scene("g2p-cube", "cube", (0, 0, 0), gripper="g2p"),
    Scene("g2p-sphere", "sphere", (0, 0, 0), gripper="g2p"),
    Scene("g2p-bunny", "bunny", (0.001, 0, 0), ON_ITS_BACK, gripper="g2p"),
    Scene("g2r-cube", "cube", (0, 0, 0), gripper="g2r"),
    Scene("g2r-sphere", "sphere", (0, 0, 0), gripper="g2r"),
    Scene("g2r-bunny", "bunny", (0.001, 0, 0), ON_ITS_BACK, gripper="g2r"),
    Scene("g3r-cube", "cube", (-0.006, 0, 0), gripper="g3r"),
    Scene("g3r-sphere", "sphere", (0, 0, 0), gripper="g3r"),
    Scene("g3r-bunny", "bunny", (0.004, 0.003, 0), gripper="g3r"),
]
SHAKES = [
    Scene("shake-cube", "cube", (-0.006, 0, 0), gripper="g3r", shaken=True),
    Scene("shake-sphere", "sphere", (0, 0, 0), gripper="g3r", shaken=True),
    Scene("shake-bunny", "bunny", (0.004, 0.003, 0), gripper="g3r", shaken=True),
]
HANDS = [
    Scene("shadow-bunny", "bunny", (0.990, 0.902, 0.184), (0.731353702, 0, 0, 0.681998360)),
]

SHAKE_AMPLITUDE = 0.02
SHAKE_RATE = 2.0 * np.pi * 2.0


def ramp(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A smooth step from 0 at 1 s to 1 at 2 s, with its first two derivatives."""
    u = np.clip(t - 1.0, 0.0, 1.0)
    return (
        u**3 * (10.0 - 15.0 * u + 6.0 * u**2),
        30.0 * u**2 * (1.0 - u) ** 2,
        60.0 * u * (1.0 - u) * (1.0 - 2.0 * u),
    )


def shake(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The palm's displacement, velocity and acceleration, one row for each time."""
    angle = SHAKE_RATE * (t - 1.0)
    out = np.stack([np.sin(angle), 0.0 * t, np.cos(angle)], axis=1)
    along = np.stack([np.cos(angle), 0.0 * t, -np.sin(angle)], axis=1)
    s, s1, s2 = (column[:, None] for column in ramp(t))
    w = SHAKE_RATE
    return (
        SHAKE_AMPLITUDE * s * out,
        SHAKE_AMPLITUDE * (s1 * out + s * w * along),
        SHAKE_AMPLITUDE * (s2 * out + 2.0 * s1 * w * along - s * w**2 * out),
    )


def gravity(scene: Scene, t: np.ndarray) -> np.ndarray | None:
    """What bodies feel in the frame of the palm, one row for each time; None: always the same."""
    if scene.shaken:
        return GRAVITY - shake(t)[2]
    if scene.rotated:
        angle = np.pi * ramp(t)[0]
        return 9.81 * np.stack([np.sin(angle), 0.0 * t, -np.cos(angle)], axis=1)
    return None


def icosphere(radius: float, subdivisions: int) -> Mesh:
    """Split the triangles of an icosahedron into four, with the vertices on the sphere.

    The same vertices as those of `icosphere` in `crates/volar-geom/src/mesh/shapes.rs`.
    """
    phi = 0.5 * (1.0 + 5.0**0.5)
    vertices = [
        *[(-1, phi, 0), (1, phi, 0), (-1, -phi, 0), (1, -phi, 0)],
        *[(0, -1, phi), (0, 1, phi), (0, -1, -phi), (0, 1, -phi)],
        *[(phi, 0, -1), (phi, 0, 1), (-phi, 0, -1), (-phi, 0, 1)],
    ]
    points = [radius * np.array(v) / np.linalg.norm(v) for v in vertices]
    triangles = [
        *[(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11)],
        *[(1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8)],
        *[(3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9)],
        *[(4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)],
    ]
    for _ in range(subdivisions):
        middles: dict[tuple[int, int], int] = {}
        split = []
        for corners in triangles:
            inner = []
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
                edge = (min(a, b), max(a, b))
                if edge not in middles:
                    middle = points[a] + points[b]
                    middles[edge] = len(points)
                    points.append(radius * middle / np.linalg.norm(middle))
                inner.append(middles[edge])
            (a, b, c), (ab, bc, ca) = corners, inner
            split += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = split
    return Mesh(np.array(points), np.array(triangles))


def bunny() -> Mesh:
    """The bunny with its ears up and its head towards −y, from where its file has y up."""
    mesh = read_obj(ROOT / "crates/volar-scene/assets/bunny.obj")
    return Mesh(mesh.vertices[:, [2, 0, 1]], mesh.triangles)
