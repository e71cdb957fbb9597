"""Scenes for other engines, and beside them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import volar


def _built() -> volar.Scene:
    scene = volar.Scene.load("g2r-sphere")
    scene.duration = 0.05
    return scene


def test_a_scene_is_exported_and_read_back(tmp_path: Path) -> None:
    scene = _built()
    not_said = scene.export("mjcf", tmp_path / "mjcf")
    assert all(isinstance(sentence, str) for sentence in not_said)
    schedule = json.loads((tmp_path / "mjcf/schedule.json").read_text())
    assert schedule["scene"] == "g2r-sphere"
    own, again = scene.run(), volar.run(tmp_path / "mjcf")
    assert own.summary["max_force_n"] == again.summary["max_force_n"]


def test_what_cannot_be_exported_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    with pytest.raises(volar.Error, match="empty"):
        _built().export("mjcf", tmp_path / "full")
    with pytest.raises(volar.Error, match="mjcf"):
        _built().export("collada", tmp_path / "new")


def test_a_comparison_says_what_an_engine_lacks(tmp_path: Path) -> None:
    # This Python has no Bullet.
    scene = _built()
    pythons = {"python": sys.executable, "out": tmp_path / "out"}
    done = volar.compare(scene, engines=["bullet"], settings=["default"], **pythons)
    ours, bullet = done.rows
    assert ours["engine"] == "volar" and ours["cannot"] is None
    assert bullet["engine"] == "bullet" and "pip install" in bullet["cannot"]
    forces = done.forces("volar")
    assert forces["time"][-1] == pytest.approx(0.05)
    assert np.max(forces["finger_1"]) > 0.0
    assert done.page.read_text(encoding="utf-8").startswith("<!doctype html>")
    with pytest.raises(KeyError, match="bullet"):
        done.forces("bullet")
    with pytest.raises(volar.Error, match="bullet, mujoco, drake"):
        volar.compare(scene, engines=["ode"], out=tmp_path / "other")
