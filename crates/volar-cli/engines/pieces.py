"""Meshes in convex pieces, for engines that know no others."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import coacd
import numpy as np

from engines.schedule import Export

THRESHOLD = 0.05
"""Concavity that CoACD leaves, as a share of the size; its default."""


@dataclass(frozen=True)
class Mesh:
    """Triangles."""

    vertices: np.ndarray
    triangles: np.ndarray

    def volume(self) -> float:
        """What the triangles enclose, m³."""
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


@cache
def read_obj(path: Path) -> Mesh:
    """Vertices and triangles of an OBJ file as the export writes it."""
    vertices, triangles = [], []
    for line in path.read_text().splitlines():
        kind, *rest = line.split() or [""]
        if kind == "v":
            vertices.append([float(x) for x in rest[:3]])
        elif kind == "f":
            triangles.append([int(corner.split("/")[0]) - 1 for corner in rest])
    return Mesh(np.array(vertices), np.array(triangles))


@cache
def hull(path: Path) -> list[Mesh]:
    """The convex hull of a mesh."""
    return _decomposed(path, threshold=1.0, max_convex_hull=1)


@cache
def convex_pieces(path: Path, threshold: float = THRESHOLD) -> list[Mesh]:
    """A mesh in convex pieces by CoACD, the same at every run."""
    return _decomposed(path, threshold=threshold)


def _decomposed(path: Path, **options: float) -> list[Mesh]:
    coacd.set_log_level("error")
    whole = read_obj(path)
    mesh = coacd.Mesh(whole.vertices, whole.triangles)
    parts = coacd.run_coacd(mesh, seed=1, **options)
    return [Mesh(np.array(vertices), np.array(triangles)) for vertices, triangles in parts]


def write_obj(path: Path, solids: list[Mesh]) -> Path:
    """Write solids as one OBJ file with an object for each, which Bullet keeps apart."""
    lines, first = [], 1
    for i, solid in enumerate(solids):
        lines.append(f"o piece_{i}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in solid.vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (solid.triangles + first).tolist()]
        first += len(solid.vertices)
    path.write_text("\n".join(lines) + "\n")
    return path


def note(body: str, mesh: dict, solids: list[Mesh], what: str) -> str:
    """What a body is made of instead of its mesh, with the error in its volume."""
    volume = sum(solid.volume() for solid in solids)
    return f"{body}: {what}, volume {100 * (volume / mesh['volume'] - 1):+.1f} %"


def not_convex(export: Export) -> list[str]:
    """Names of the bodies whose mesh is not convex."""
    bodies = export.bodies.items()
    return [name for name, body in bodies if body["mesh"] and not body["mesh"]["convex"]]
