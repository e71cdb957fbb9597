"""The tools that are compared: Volar and its peers from PyPI."""

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import igl.copyleft.cgal
import manifold3d
import numpy as np

import machine
from pairs import Mesh, Pair


class Volar:
    """The kernel, run by its own benchmark program."""

    def __init__(self) -> None:
        """Build the program."""
        bench = ["bench", "-p", "volar-geom", "--bench", "overlap", "--no-run"]
        self.program = machine.build(*bench, kind="bench")

    def export_meshes(self, folder: Path) -> None:
        """Write the meshes of the pair set as OBJ files."""
        subprocess.run([self.program, "--export", folder], check=True)

    def measure(self, pair: Pair, seconds: float) -> dict[str, Any]:
        """Time and check one pair; see `Report` in the program for what it answers."""
        run = subprocess.run(
            [self.program, "--json", "--pair", pair.name]
            + ["--milliseconds", str(int(1000 * seconds))],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        # After a wrong answer the program fails, but it has still reported.
        if not run.stdout:
            run.check_returncode()
        return json.loads(run.stdout)


def time_manifold3d(pair: Pair, seconds: float) -> tuple[list[float], list[float]]:
    """Times (µs) and volumes, one per pose.

    As a careful user would call it: both solids are built once, and only B is moved, into the
    frame of A. The boolean is lazy; asking for the volume makes it happen.
    """
    a, b = _manifold(pair.a), _manifold(pair.b)
    return _time(lambda X_AB: (a ^ b.transform(X_AB)).volume(), pair.X_AB, seconds)


def time_libigl(pair: Pair, poses: int) -> tuple[list[float], list[float]]:
    """Times (µs) and volumes of the first poses; one call each, for it is slow."""

    def volume(X_AB: np.ndarray) -> float:
        b_in_A = pair.b.vertices @ X_AB[:, :3].T + X_AB[:, 3]
        vertices, triangles, _ = igl.copyleft.cgal.mesh_boolean(
            pair.a.vertices, pair.a.triangles, b_in_A, pair.b.triangles, "intersect"
        )
        return Mesh(vertices, triangles).volume()

    return _time(volume, pair.X_AB[:poses], seconds=0.0)


def _manifold(mesh: Mesh) -> manifold3d.Manifold:
    solid = manifold3d.Manifold(
        manifold3d.Mesh64(
            vert_properties=np.ascontiguousarray(mesh.vertices),
            tri_verts=mesh.triangles.astype(np.uint64),
        )
    )
    if solid.status() != manifold3d.Error.NoError:
        raise ValueError(f"manifold3d refuses a mesh: {solid.status()}")
    return solid


def _time(
    volume: Callable[[np.ndarray], float], poses: list[np.ndarray], seconds: float
) -> tuple[list[float], list[float]]:
    """Go through the poses until the time is up; keep the shortest time of each."""
    best = [float("inf")] * len(poses)
    volumes = [0.0] * len(poses)
    end = time.perf_counter() + seconds
    while True:
        for i, pose in enumerate(poses):
            start = time.perf_counter_ns()
            volumes[i] = volume(pose)
            best[i] = min(best[i], 1e-3 * (time.perf_counter_ns() - start))
        if time.perf_counter() >= end:
            return best, volumes
