"""Poses: positions in metres, orientations as unit quaternions wxyz."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Array, numbers


class Pose:
    """Where a frame B is in a frame A: `X_AB` with `p_A = X_AB @ p_B`.

    Args:
        position: Origin of B in A, shape (3,), m.
        orientation: Unit quaternion, real part first (w, x, y, z), shape (4,).

    >>> quarter_turn = Pose((0, 0, 0.1), (0.5**0.5, 0, 0, 0.5**0.5))
    >>> (quarter_turn @ (1, 1, 0)).round(3).tolist()
    [-1.0, 1.0, 0.1]
    """

    __slots__ = ("orientation", "position")

    #: Origin of B in A, shape (3,), m.
    position: Array
    #: Unit quaternion wxyz, shape (4,).
    orientation: Array

    def __init__(
        self, position: ArrayLike = (0.0, 0.0, 0.0), orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        self.position = numbers(position, (3,), "position").copy()
        quaternion = numbers(orientation, (4,), "orientation")
        length = float(np.linalg.norm(quaternion))
        if abs(length - 1.0) > 1e-3:
            raise ValueError(f"orientation: a quaternion wxyz has length 1, this one {length:.4f}")
        self.orientation = quaternion / length

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Pose:
        """The pose of a 4 × 4 matrix of a rigid motion."""
        m = numbers(matrix, (4, 4), "matrix")
        rotation = m[:3, :3]
        rigid = (
            np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-6)
            and np.linalg.det(rotation) > 0
            and np.allclose(m[3], (0, 0, 0, 1), atol=1e-9)
        )
        if not rigid:
            raise ValueError("matrix: it is no rigid motion; scale and mirror are not possible")
        return cls(m[:3, 3], _quaternion(rotation))

    def to_matrix(self) -> Array:
        """The pose as a 4 × 4 matrix."""
        w, x, y, z = (float(c) for c in self.orientation)
        matrix = np.eye(4)
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        matrix[:3, 3] = self.position
        return matrix

    def inverse(self) -> Pose:
        """Where A is in B."""
        matrix = self.to_matrix()
        conjugate = self.orientation * (1.0, -1.0, -1.0, -1.0)
        return Pose(-matrix[:3, :3].T @ self.position, conjugate)

    @overload
    def __matmul__(self, other: Pose) -> Pose: ...
    @overload
    def __matmul__(self, other: ArrayLike) -> Array: ...
    def __matmul__(self, other: Pose | ArrayLike) -> Pose | Array:
        """`X_AB @ X_BC` is `X_AC`; `X_AB @ points` are points (3,) or (n, 3) in A, m."""
        matrix = self.to_matrix()
        if isinstance(other, Pose):
            position = matrix[:3, :3] @ other.position + self.position
            product = _product(self.orientation, other.orientation)
            return Pose(position, product / np.linalg.norm(product))
        points = np.asarray(other)
        shape = (3,) if points.ndim == 1 else (-1, 3)
        moved: Array = numbers(points, shape, "points") @ matrix[:3, :3].T + self.position
        return moved

    def __repr__(self) -> str:
        return f"Pose({self.position.tolist()}, {self.orientation.tolist()})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        same = np.array_equal(self.position, other.position)
        return same and np.array_equal(self.orientation, other.orientation)

    __hash__ = None  # type: ignore[assignment]


def _product(a: Array, b: Array) -> Array:
    """Of quaternions wxyz."""
    (w, x, y, z), (i, j, k, m) = a, b
    return np.array(
        [
            w * i - x * j - y * k - z * m,
            w * j + x * i + y * m - z * k,
            w * k - x * m + y * i + z * j,
            w * m + x * k - y * j + z * i,
        ]
    )


def _quaternion(rotation: Array) -> Array:
    """Of a rotation matrix, by the largest of its four parts [Shepperd 1978]."""
    r = rotation
    parts = np.array(
        [
            1 + r[0, 0] + r[1, 1] + r[2, 2],
            1 + r[0, 0] - r[1, 1] - r[2, 2],
            1 - r[0, 0] + r[1, 1] - r[2, 2],
            1 - r[0, 0] - r[1, 1] + r[2, 2],
        ]
    )
    w = [parts[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]]
    x = [w[1], parts[1], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]]
    y = [w[2], x[2], parts[2], r[1, 2] + r[2, 1]]
    z = [w[3], x[3], y[3], parts[3]]
    best = np.array([w, x, y, z])[int(np.argmax(parts))]
    unit: Array = best / np.linalg.norm(best)
    return unit


def as_pose(value: Pose | ArrayLike, what: str) -> Pose:
    """A pose of a pose or of a 4 × 4 matrix."""
    if isinstance(value, Pose):
        return value
    try:
        return Pose.from_matrix(value)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
