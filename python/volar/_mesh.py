"""Closed meshes, their check, and what two of them share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _volar
from ._arrays import Array, number, numbers, positive, triangles
from ._errors import MeshError
from ._pose import Pose, as_pose


@runtime_checkable
class HasTriangles(Protocol):
    """What trimesh and similar libraries give: `vertices` (n, 3) and `faces` (m, 3)."""

    @property
    def vertices(self) -> Any:
        """Corners, shape (n, 3)."""

    @property
    def faces(self) -> Any:
        """Vertex numbers of the triangles, shape (m, 3)."""


class Mesh:
    """The surface of a solid: a closed mesh of triangles, checked.

    Args:
        vertices: Corners, shape (n, 3), m.
        triangles: Vertex numbers, shape (m, 3); counter-clockwise from outside.
        scale: Metres per unit of `vertices`; 0.001 for millimetres.
        repair: Mends small defects, as `volar check --repair` does.
        name: What a body of this mesh is called in a scene, unless it is given another name.

    Raises:
        MeshError: If the triangles bound no solid.
    """

    __slots__ = ("_native", "name")

    #: What a body of this mesh is called; that of its file for meshes from files.
    name: str

    def __init__(
        self,
        vertices: ArrayLike,
        triangles: ArrayLike,
        *,
        scale: float = 1.0,
        repair: bool = False,
        name: str = "body",
    ) -> None:
        corners, faces = _arrays(vertices, triangles, scale)
        if repair:
            (corners, faces), _ = _volar.repair(corners, faces)
        try:
            self._native = _volar.Mesh(corners, faces)
        except MeshError as error:
            if repair or "repair" not in str(error.remedy):
                raise
            raise MeshError(f"{error}; try repair=True") from None
        self.name = str(name)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, scale: float = 1.0, repair: bool = False
    ) -> Mesh:
        """Reads an OBJ, STL, PLY, glTF/GLB or COLLADA file.

        Args:
            path: The file.
            scale: Metres per unit of the file; 0.001 for millimetres.
            repair: Mends small defects, as `volar check --repair` does.
        """
        corners, faces = _volar.read_mesh(os.fspath(path), number(scale, "scale"))
        try:
            return cls(corners, faces, repair=repair, name=Path(path).stem)
        except MeshError as error:
            raise MeshError(f"{os.fspath(path)}: {error}", os.fspath(path)) from None

    @classmethod
    def of(cls, mesh: Mesh | HasTriangles) -> Mesh:
        """A mesh of another library, such as trimesh, that has `vertices` and `faces`; m."""
        if isinstance(mesh, Mesh):
            return mesh
        if not isinstance(mesh, HasTriangles):
            kind = type(mesh).__name__
            raise TypeError(f"a mesh with `vertices` and `faces` is needed, not {kind}")
        return cls(mesh.vertices, mesh.faces)

    @classmethod
    def box(cls, size: ArrayLike) -> Mesh:
        """A box with edges along x, y, z of lengths `size`, shape (3,), m; centred."""
        sizes = [positive(length, "size") for length in numbers(size, (3,), "size")]
        return cls(*_volar.shape("box", sizes), name="box")

    @classmethod
    def sphere(cls, radius: float) -> Mesh:
        """A ball of 1280 triangles, centred; radius in m."""
        return cls(*_volar.shape("sphere", [positive(radius, "radius")]), name="sphere")

    @classmethod
    def cylinder(cls, radius: float, length: float) -> Mesh:
        """A cylinder along z, centred; m."""
        sizes = [positive(radius, "radius"), positive(length, "length")]
        return cls(*_volar.shape("cylinder", sizes), name="cylinder")

    @classmethod
    def capsule(cls, radius: float, length: float) -> Mesh:
        """A cylinder along z of this length with a half ball on each end, centred; m."""
        sizes = [positive(radius, "radius"), positive(length, "length")]
        return cls(*_volar.shape("capsule", sizes), name="capsule")

    @property
    def vertices(self) -> Array:
        """Corners, shape (n, 3), m; a copy."""
        return self._native.vertices()

    @property
    def triangles(self) -> NDArray[np.uint32]:
        """Vertex numbers, shape (m, 3), counter-clockwise from outside; a copy."""
        return self._native.triangles()

    @property
    def faces(self) -> NDArray[np.uint32]:
        """The triangles, by the name that trimesh gives them."""
        return self._native.triangles()

    @property
    def volume(self) -> float:
        """Volume of the solid, m³."""
        return self._moments()[0]

    @property
    def centroid(self) -> Array:
        """Centre of the solid, shape (3,), m."""
        return np.array(self._moments()[1])

    @property
    def is_convex(self) -> bool:
        """Whether the solid is convex."""
        return self._native.is_convex()

    def inertia(self, mass: float) -> Array:
        """Inertia about the centroid, shape (3, 3), kg m², of a mass in kg spread evenly."""
        return number(mass, "mass") * np.array(self._moments()[2])

    def moved(self, pose: Pose | ArrayLike) -> Mesh:
        """The mesh at a pose."""
        moved = as_pose(pose, "pose") @ self.vertices
        return Mesh(moved, self.triangles, name=self.name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an OBJ file, with all digits, m."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._native.to_obj())

    def __repr__(self) -> str:
        triangles = len(self.triangles)
        return f"Mesh({self.name}, {triangles} triangles, {self.volume:.4g} m³)"

    def __reduce__(self) -> tuple[object, ...]:
        return _mesh_of, (self.vertices, self.triangles, self.name)

    def _moments(self) -> tuple[float, list[float], list[list[float]]]:
        moments = self._native.moments()
        if moments is None:
            raise MeshError("the mesh encloses no volume")
        return moments


#: What is taken for a mesh: one of ours, or of a library such as trimesh.
MeshLike: TypeAlias = "Mesh | HasTriangles"


@dataclass(frozen=True)
class Complaint:
    """Something wrong with a mesh."""

    #: Kind of defect, as `open_edges`.
    defect: str
    #: Whether the mesh cannot be used because of it.
    unusable: bool
    #: How often it occurs.
    count: int
    #: What and where, in words.
    message: str
    #: What to do about it.
    remedy: str


@dataclass(frozen=True)
class CheckReport:
    """What `volar.check` finds. True where the mesh is usable."""

    #: Whether a simulation can use the mesh.
    usable: bool
    #: Number of vertices.
    vertices: int
    #: Number of triangles.
    triangles: int
    #: Area of the triangles, m².
    area: float
    #: Volume, m³; None if the mesh is not closed.
    volume: float | None
    #: Everything found, the fundamental first.
    complaints: Sequence[Complaint]

    def __bool__(self) -> bool:
        """Whether the mesh is usable."""
        return self.usable

    def __str__(self) -> str:
        """A line for the verdict and one for each complaint."""
        verdict = "usable" if self.usable else "not usable"
        return "\n".join([verdict, *(f"{c.message} ({c.remedy})" for c in self.complaints)])


def check(
    mesh: str | os.PathLike[str] | MeshLike | tuple[ArrayLike, ArrayLike], *, scale: float = 1.0
) -> CheckReport:
    """Checks whether a mesh is the surface of a solid.

    Args:
        mesh: A file, a mesh, or vertices (n, 3) and triangles (m, 3).
        scale: Metres per unit; 0.001 for millimetres.
    """
    if isinstance(mesh, str | os.PathLike):
        corners, faces = _volar.read_mesh(os.fspath(mesh), number(scale, "scale"))
    elif isinstance(mesh, HasTriangles):
        corners, faces = _arrays(mesh.vertices, mesh.faces, scale, finite=False)
    elif isinstance(mesh, tuple) and len(mesh) == 2:
        corners, faces = _arrays(*mesh, scale, finite=False)
    else:
        raise TypeError("mesh: a file, a mesh, or (vertices, triangles) is needed")
    usable, area, volume, complaints = _volar.check(corners, faces)
    found = tuple(Complaint(*complaint) for complaint in complaints)
    return CheckReport(usable, len(corners), len(faces), area, volume, found)


@dataclass(frozen=True)
class Overlap:
    """What two solids share, or one connected piece of it; in the frame of `a`."""

    #: Volume, m³.
    volume: float
    #: Centroid, shape (3,), m; not a number where the volume is zero.
    centroid: Array
    #: Area of the part of its surface that comes from `a`, m².
    area_a: float
    #: Area of the part that comes from `b`, m².
    area_b: float
    #: Integral of the outward normal over the part from `a`, shape (3,), m².
    area_vector_a: Array
    #: The same for the part from `b`; the two add up to zero.
    area_vector_b: Array
    #: The connected pieces; empty for a piece.
    pieces: Sequence[Overlap] = field(repr=False)
    _of: tuple[Mesh, Mesh, Array] | None = field(default=None, repr=False, compare=False)

    def __bool__(self) -> bool:
        """Whether there is any."""
        return self.volume > 0.0

    def mesh(self) -> tuple[Array, NDArray[np.uint32], NDArray[np.uint8]]:
        """Its surface: vertices (n, 3) in m, triangles (m, 3), and for each triangle the
        body it comes from (m,), 0 for `a` and 1 for `b`."""
        if self._of is None:
            raise ValueError("the mesh is that of the whole overlap, not of a piece")
        a, b, matrix = self._of
        return _volar.overlap_mesh(a._native, b._native, matrix)


def overlap(a: MeshLike, b: MeshLike, X_AB: Pose | ArrayLike | None = None) -> Overlap:
    """The exact overlap of two solids.

    Args:
        a: A mesh.
        b: Another mesh.
        X_AB: Where the frame of `b` is in that of `a`: a pose or a 4 × 4 matrix, m; the
            same frame if not given.
    """
    meshes = Mesh.of(a), Mesh.of(b)
    matrix = Pose().to_matrix() if X_AB is None else as_pose(X_AB, "X_AB").to_matrix()
    total, pieces = _volar.overlap(meshes[0]._native, meshes[1]._native, matrix)
    parts = tuple(Overlap(*_fields(piece), pieces=()) for piece in pieces)
    return Overlap(*_fields(total), pieces=parts, _of=(*meshes, matrix))


def _mesh_of(corners: Array, faces: NDArray[np.uint32], name: str) -> Mesh:
    """A mesh that was pickled."""
    return Mesh(corners, faces, name=name)


def _fields(
    row: _volar.OverlapRow,
) -> tuple[float, Array, float, float, Array, Array]:
    volume, centroid, ((area_a, vector_a), (area_b, vector_b)) = row
    centre = np.full(3, np.nan) if centroid is None else np.array(centroid)
    return volume, centre, area_a, area_b, np.array(vector_a), np.array(vector_b)


def _arrays(
    vertices: ArrayLike, faces: ArrayLike, scale: float, *, finite: bool = True
) -> tuple[Array, NDArray[np.uint32]]:
    corners = numbers(vertices, (-1, 3), "vertices", finite=finite) * number(scale, "scale")
    return corners, triangles(faces, "triangles")
