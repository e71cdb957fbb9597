"""Arguments into arrays of the right type and shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]


_KINDS = {"U": "text", "S": "bytes", "O": "objects", "b": "truth values", "c": "complex numbers"}


def numbers(value: ArrayLike, shape: tuple[int, ...], what: str, *, finite: bool = True) -> Array:
    """Numbers of a shape, where -1 stands for any length; a copy where needed."""
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "fiu":
            kind = _KINDS.get(given.dtype.kind, str(given.dtype))
            raise TypeError(f"{what}: numbers are needed, not {kind}")
        array = np.asarray(given, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}: {error}") if what not in str(error) else error from None
    fits = array.ndim == len(shape) and all(
        wanted in (-1, found) for wanted, found in zip(shape, array.shape, strict=True)
    )
    if not fits:
        lengths = ["n" if length < 0 else str(length) for length in shape]
        wanted = f"({lengths[0]},)" if len(lengths) == 1 else f"({', '.join(lengths)})"
        needed = f"an array of shape {wanted}" if shape else "one number"
        raise ValueError(f"{what}: {needed} is needed, not one of shape {array.shape}")
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{what}: all numbers must be finite")
    return array


def number(value: float, what: str) -> float:
    """One finite number."""
    return float(numbers(value, (), what))


def positive(value: float, what: str, *, zero: bool = False) -> float:
    """One finite number above zero; or zero, where that makes sense."""
    given = number(value, what)
    if given < 0.0 or (given == 0.0 and not zero):
        raise ValueError(f"{what}: a number {'of at least' if zero else 'above'} 0 is needed")
    return given


def count(value: int, what: str) -> int:
    """A whole number above zero."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{what}: a whole number is needed, not {type(value).__name__}")
    if not 1 <= value < 2**16:
        raise ValueError(f"{what}: a whole number above 0 is needed, not {value}")
    return int(value)


def vector(value: ArrayLike, what: str) -> list[float]:
    """Three finite numbers."""
    return [float(x) for x in numbers(value, (3,), what)]


def triangles(value: ArrayLike, what: str) -> NDArray[np.uint32]:
    """Vertex numbers (n, 3)."""
    given = np.asarray(value)
    if given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"{what}: shape (n, 3) is needed, not {given.shape}")
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"{what}: integers are needed, not {given.dtype}")
    if given.size and not 0 <= int(given.min()) <= int(given.max()) < 2**32:
        raise ValueError(f"{what}: vertex numbers are from 0 to the number of vertices")
    return np.ascontiguousarray(given, dtype=np.uint32)


def toml(value: Any) -> str:
    """A value as scene files write it."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | int):
        return repr(value)
    if isinstance(value, str):
        import json

        return json.dumps(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml(str(key))} = {toml(entry)}" for key, entry in value.items())
        return "{ " + inner + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(toml(entry) for entry in value) + "]"
    raise TypeError(f"a scene has no values of type {type(value).__name__}")


def overrides(entries: Mapping[str, Any] | None) -> list[str]:
    """Entries to set, as `--set` takes them."""
    if entries is None:
        return []
    if not isinstance(entries, Mapping):
        raise TypeError("set: a dict of paths and values is needed, as {'body.cube.mass': 0.5}")
    for path in entries:
        if not isinstance(path, str):
            raise TypeError(f"set: paths are strings, not {type(path).__name__}")
    return [f"{path}={_toml_of(path, value)}" for path, value in entries.items()]


def _toml_of(path: str, value: Any) -> str:
    try:
        return toml(value)
    except TypeError as error:
        raise TypeError(f"set: {path}: {error}") from None
