"""Every public name is documented and typed."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

import volar
import volar.gym
import volar.nrp

MODULES = [
    module.name
    for module in pkgutil.iter_modules(volar.__path__, "volar.")
    if module.name != "volar.__main__"
]


def public(owner: Any) -> Iterator[tuple[type, str, Any]]:
    """What a class has of the package: names, and what is called with operators."""
    for base in owner.__mro__:
        if base.__module__.startswith("volar."):
            for name, member in list(vars(base).items()):
                if not name.startswith("_") or name == "__matmul__":
                    yield base, name, member


def documented() -> Iterator[tuple[Any, str, Any]]:
    things = {name: getattr(volar, name) for name in volar.__all__}
    things |= {f"gym.{name}": getattr(volar.gym, name) for name in ("GraspEnv", "GraspVectorEnv")}
    things["nrp.VolarEngine"] = volar.nrp.VolarEngine
    for name, thing in things.items():
        if not (inspect.isclass(thing) or callable(thing)):
            continue
        yield volar, name, thing
        if inspect.isclass(thing):
            for owner, member, value in public(thing):
                described = isinstance(value, property | classmethod | staticmethod)
                if described or inspect.isfunction(value):
                    yield owner, f"{name}.{member}", value


CASES = list(documented())


@pytest.mark.parametrize(("owner", "name", "thing"), CASES, ids=[name for _, name, _ in CASES])
def test_docstring(owner: Any, name: str, thing: Any) -> None:
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    if isinstance(thing, property):
        annotated = owner.__annotations__.get(name.rpartition(".")[2])
        assert thing.fget is not None
        assert annotated or thing.fget.__annotations__.get("return")
    elif inspect.isfunction(thing):
        arguments = [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]
        assert all(p.annotation is not inspect.Parameter.empty for p in arguments)


def test_all_is_complete() -> None:
    own = {name for name in vars(volar) if not name.startswith("_")}
    assert own - set(volar.__all__) <= {"annotations", "gym", "nrp"}
    assert set(volar.__all__) <= own


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


def test_every_error_is_one_of_ours() -> None:
    for error in (volar.SceneError, volar.MeshError, volar.RobotError, volar.SimulationError):
        assert issubclass(error, volar.Error)
    plain = volar.Error("it is broken; mend it", "here")
    assert (plain.place, plain.remedy) == ("here", "mend it")
    assert volar.Error("it is broken").remedy is None
