"""The examples run, and their types are right."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_own_gripper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["own_gripper.py", str(tmp_path)])
    result = load("own_gripper").main()
    assert result.held is True and min(result.normal_force_n.values()) > 5.0
    assert (tmp_path / "scene.toml").exists()


def test_control_loop() -> None:
    forces = load("control_loop").main(seconds=0.8)
    assert forces == pytest.approx([6.0, 6.0], rel=0.05)


def test_overlap() -> None:
    assert len(load("overlap").main().pieces) == 2


def test_learning_learns() -> None:
    """Shortened: it has learnt to close after three rounds."""
    action, history = load("learn_force").main(rounds=3, duration=0.3)
    assert action > -0.9 and history[-1] > history[0] + 0.5


def test_notebook() -> None:
    import nbclient
    import nbformat

    notebook = nbformat.read(EXAMPLES / "grasp.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    nbclient.NotebookClient(notebook, timeout=120, resources={}).execute()
    shown = [
        output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])
    ]
    assert any("srcdoc=" in data.get("text/html", "") for data in shown), "the replay"
    assert sum("image/png" in data for data in shown) == 1, "the figure, once"


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types(checker: str) -> None:
    """Of the examples, and of the package itself."""
    files = [*EXAMPLES.glob("*.py"), *EXAMPLES.parent.glob("volar/*.py")]
    arguments = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
    command = [sys.executable, "-m", checker, *arguments, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=EXAMPLES.parents[1])
    assert done.returncode == 0, done.stdout + done.stderr
