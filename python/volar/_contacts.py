"""Contacts of a simulation, as records and as objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _volar
from ._arrays import Array
from ._errors import SimulationError

if TYPE_CHECKING:
    from ._simulation import Simulation

FIELDS = _volar.contact_fields()

_ABOUT = {name: (unit, size, about) for name, unit, size, about in FIELDS}

#: Type of a record: the numbers of bodies `a` and `b`, then the figures of a contact.
CONTACT_DTYPE = np.dtype(
    [("a", np.int64), ("b", np.int64)]
    + [
        (name, np.float64) if size == 1 else (name, np.float64, (size,))
        for name, _, size, _ in FIELDS
    ]
)


def _figure(name: str) -> Any:
    """An attribute that is a figure of a contact, documented as everywhere."""
    unit, size, about = _ABOUT[name]
    shape = f", shape ({size},)" if size > 1 else ""
    unit = f", {unit}" if unit != "1" else ""

    def read(contact: Contact) -> Any:
        value = contact._record[name]
        return value.copy() if size > 1 else value.item()

    return property(read, doc=f"{about.rstrip('.')}{unit}{shape}.")


def records(table: Array) -> NDArray[np.void]:
    """Rows of the native module as records, without a copy."""
    return table.view(CONTACT_DTYPE).reshape(len(table))


@dataclass(frozen=True)
class Facets:
    """One side of the surface of an overlap, with its pressure."""

    #: Corners of the triangles in the world, shape (n, 3, 3), m.
    corners: Array
    #: Pressure on them, shape (n,), Pa; with the areas it adds up to the normal force of
    #: all contacts of the two bodies.
    pressure: Array


class Contact:
    """One patch of contact between two bodies.

    World axes, SI units; forces act on `bodies[0]`, the opposite ones on `bodies[1]`.
    """

    __slots__ = ("_record", "_simulation", "_time", "bodies")

    #: Names of the two bodies.
    bodies: tuple[str, str]

    point: Array = _figure("point")
    normal: Array = _figure("normal")
    normal_force: float = _figure("normal_force")
    friction_force: Array = _figure("friction_force")
    friction_margin: float = _figure("friction_margin")
    area: float = _figure("area")
    volume: float = _figure("volume")
    depth: float = _figure("depth")
    slip: float = _figure("slip")
    slip_rate: float = _figure("slip_rate")
    created_at: float = _figure("created_at")
    pressure: float = _figure("pressure")

    def __init__(
        self, record: np.void, bodies: tuple[str, str], simulation: Simulation, time: float
    ) -> None:
        self._record = record
        self._simulation = simulation
        self._time = time
        self.bodies = bodies

    def other(self, body: str) -> str:
        """The body that touches a body here."""
        a, b = self.bodies
        if body not in (a, b):
            raise KeyError(f"`{body}` is not part of this contact, which is of {a} and {b}")
        return b if body == a else a

    def facets(self) -> tuple[Facets, Facets]:
        """Where the two bodies overlap: on the surface of the first, and of the second.

        Raises:
            SimulationError: If the simulation has gone on since the contact was read.
        """
        if self._simulation.time != self._time:
            raise SimulationError("the simulation has gone on; read its contacts anew")
        return self._simulation.facets(*self.bodies)

    def __repr__(self) -> str:
        a, b = self.bodies
        return f"Contact({a} – {b}: {self.normal_force:.4g} N, {1e3 * self.depth:.3g} mm deep)"


class Contacts(Sequence[Contact]):
    """All contacts at one time: a sequence of objects, and `array` with all their figures."""

    __slots__ = ("_names", "_simulation", "_time", "array")

    #: A record for each contact, shape (n,); fields `a` and `b` are numbers of bodies.
    array: NDArray[np.void]

    def __init__(
        self, array: NDArray[np.void], names: Sequence[str], simulation: Simulation
    ) -> None:
        self.array = array
        self._names = names
        self._simulation = simulation
        self._time = simulation.time

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, at: int) -> Contact: ...
    @overload
    def __getitem__(self, at: slice) -> Contacts: ...
    def __getitem__(self, at: int | slice) -> Contact | Contacts:
        if isinstance(at, slice):
            return Contacts(self.array[at], self._names, self._simulation)
        record = self.array[at]
        bodies = self._names[int(record["a"])], self._names[int(record["b"])]
        return Contact(record, bodies, self._simulation, self._time)

    def __iter__(self) -> Iterator[Contact]:
        return (self[at] for at in range(len(self)))

    def of(self, body: str) -> list[Contact]:
        """The contacts of a body."""
        return [contact for contact in self if body in contact.bodies]

    def between(self, a: str, b: str) -> list[Contact]:
        """The contacts of two bodies."""
        return [contact for contact in self if set(contact.bodies) == {a, b}]

    def __repr__(self) -> str:
        return f"Contacts({list(self)})"
