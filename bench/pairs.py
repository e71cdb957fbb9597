"""The pair set: meshes, relative poses and exact answers."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Mesh:
    """A closed triangle mesh, metres."""

    vertices: np.ndarray
    triangles: np.ndarray

    def volume(self) -> float:
        """Enclosed volume, cubic metres."""
        corners = (self.vertices - self.vertices.mean(axis=0))[self.triangles]
        return float(np.linalg.det(corners).sum() / 6.0) if len(corners) else 0.0


@dataclass(frozen=True)
class Pair:
    """Two meshes in some poses, with the exact volume of each overlap."""

    name: str
    a: Mesh
    b: Mesh
    X_AB: list[np.ndarray]
    """Poses of B in the frame of A, 3×4."""
    volumes: list[float]

    def errors(self, volumes: list[float]) -> list[float]:
        """Relative errors of the volumes of the first poses.

        Where the exact overlap is empty: relative to the smaller body.
        """
        whole = min(self.a.volume(), self.b.volume())
        exact = self.volumes[: len(volumes)]
        return [abs(v - e) / (e or whole) for v, e in zip(volumes, exact, strict=True)]


def load_pairs(meshes: Path) -> list[Pair]:
    """Read the pair set, with the meshes from OBJ files in a folder."""
    pairs = json.loads((FOLDER / "pairs.json").read_text())
    reference = json.loads((FOLDER / "reference.json").read_text())["pairs"]
    by_name = {name: read_obj(meshes / f"{name}.obj") for name in pairs["meshes"]}
    return [
        Pair(
            name=pair["name"],
            a=by_name[pair["a"]],
            b=by_name[pair["b"]],
            X_AB=[_relative_pose(pose) for pose in pair["poses"]],
            volumes=[answer[0] for answer in reference[pair["name"]]],
        )
        for pair in pairs["pairs"]
    ]


def _relative_pose(world: list[float]) -> np.ndarray:
    """X_AB from R_WA (row by row), p_WA, R_WB, p_WB."""
    R_WA, p_WA = np.reshape(world[0:9], (3, 3)), np.array(world[9:12])
    R_WB, p_WB = np.reshape(world[12:21], (3, 3)), np.array(world[21:24])
    return np.column_stack([R_WA.T @ R_WB, R_WA.T @ (p_WB - p_WA)])


def read_obj(path: Path) -> Mesh:
    """Read the `v x y z` and `f a b c` lines of an OBJ file."""
    lines = [line.split() for line in path.read_text().splitlines()]
    vertices = [line[1:] for line in lines if line[0] == "v"]
    triangles = [line[1:] for line in lines if line[0] == "f"]
    return Mesh(np.array(vertices, dtype=np.float64), np.array(triangles, dtype=np.int64) - 1)
