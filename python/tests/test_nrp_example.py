"""The experiment in examples/nrp, with a coordinator of our own in place of nrp-core."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from coordinator import ScriptEngine, start

import volar.nrp

FOLDER = Path(__file__).parents[2] / "examples/nrp"
CONFIG = json.loads((FOLDER / "simulation_config.json").read_text())


class BrainScript(volar.nrp.EngineScript):
    """Packs that are kept as they are set, as nrp-core's class does."""

    def _getDataPack(self, name: str) -> Any:  # noqa: N802
        return self._datapacks[name]

    def _setDataPack(self, name: str, data: Any) -> None:  # noqa: N802
        assert name in self._datapacks
        self._datapacks[name] = data


class Pack:
    """A pack on its way to an engine."""

    def __init__(self, name: str, engine: str) -> None:
        self.name, self.engine, self.data = name, engine, {}


@pytest.fixture
def nrp_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names that scripts and transceiver functions import."""

    def reads(keyword: str, id: tuple[str, str]) -> Callable[[Any], Any]:
        def mark(function: Any) -> Any:
            function.reads = {**getattr(function, "reads", {}), keyword: id}
            return function

        return mark

    def module(name: str, **names: Any) -> None:
        made = ModuleType(name)
        vars(made).update(names)
        monkeypatch.setitem(sys.modules, name, made)

    module(
        "nrp_core",
        DataPackIdentifier=lambda name, engine: (name, engine),
        EngineDataPack=reads,
        TransceiverFunction=lambda engine: lambda function: function,
    )
    module("nrp_core.data")
    module("nrp_core.data.nrp_json", JsonDataPack=Pack)
    module("nrp_core.engines")
    module("nrp_core.engines.python_json", EngineScript=BrainScript)


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(Path(name).stem, FOLDER / name)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hand() -> Iterator[Any]:
    own, _ = CONFIG["EngineConfigs"]
    assert [own["EngineProcCmd"], *own["EngineProcStartParams"]] == ["volar", "serve", "nrp"]
    process, engine = start(own["EngineName"])
    engine.initialize(**own["EngineExtraConfigs"])
    yield engine
    engine.shutdown()
    assert process.wait(timeout=30) == 0


def test_forces_become_even(nrp_core: None, hand: Any) -> None:
    module = load("brain.py")
    brain = ScriptEngine("brain", module.Script())
    brain.initialize()
    engines = {"hand": hand, "brain": brain}
    functions = [
        load(entry["FileName"]).transceiver_function
        for entry in CONFIG["DataPackProcessingFunctions"]
    ]
    step = round(1e9 * CONFIG["EngineConfigs"][0]["EngineTimestep"])
    forces: list[dict[str, float]] = []
    for _ in range(round(1e9 * CONFIG["SimulationTimeout"]) // step):
        for engine in engines.values():
            engine.run_loop(step)
        for function in functions:
            given = {
                keyword: SimpleNamespace(data=engines[engine].get(name)[name])
                for keyword, (name, engine) in function.reads.items()
            }
            for pack in function(**given):
                engines[pack.engine].set(**{pack.name: pack.data})
        forces.append(dict(brain.script._getDataPack("touch")))
    last = list(forces[-1].values())
    assert sum(forces[0].values()) == 0.0, "an open hand"
    assert max(last) - min(last) < 0.2 and last == pytest.approx([module.WANTED] * 4, abs=0.3)
    assert load("hand.py").Script is volar.nrp.VolarEngine
