"""Lists of grasps, judged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import volar

BOX = "box:0.05,0.05,0.05"


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a gripper with two jaws."""
    folder = tmp_path_factory.mktemp("g2p")
    volar.Scene.load("g2p-cube").save(folder)
    [file] = folder.rglob("*.urdf")
    return file


@pytest.fixture(scope="module")
def grasps(hand: Path) -> Path:
    """Four grasps of the box, and a row that is none."""
    file = hand.parent / "grasps.csv"
    volar.sample(hand, BOX, file, count=4, seed=1)
    text = file.read_text()
    [head] = [line for line in text.splitlines() if line.startswith("position_x")]
    broken = ["nan" if name == "position_x" else "" for name in head.split(",")]
    file.write_text(text + ",".join(broken) + "\n")
    return file


def test_samples_are_those_of_the_command(hand: Path, tmp_path: Path) -> None:
    mine, its = tmp_path / "mine.csv", tmp_path / "its.csv"
    found = volar.sample(hand, BOX, mine, count=50, seed=3, friction=0.3)
    assert (found.file, found.grasps) == (mine, 50)
    assert found.tried == 50 + sum(found.rejected.values())
    options = ["--count", "50", "--seed", "3", "--friction", "0.3", "--out", str(its)]
    command = [sys.executable, "-m", "volar", "sample", str(hand), BOX, *options]
    subprocess.run(command, check=True)
    assert mine.read_text() == its.read_text()
    with pytest.raises(volar.Error, match="antipodal"):
        volar.sample(hand, BOX, mine, method="no such")


def test_every_grasp_has_a_verdict(hand: Path, grasps: Path, tmp_path: Path) -> None:
    done = volar.eval(hand, BOX, grasps, protocol="turns", out=tmp_path / "box", threads=2)
    table = done.grasps_to_pandas()
    assert len(table) == 5
    assert (tmp_path / "box/report.html").exists()
    trials = done.to_pandas()
    assert list(trials["failure"])[-1] == "bad_grasp"
    assert trials["held"][:4].any(), "an antipodal grasp of a box"
    again = volar.eval(hand, BOX, grasps, protocol="turns", out=tmp_path / "again", threads=1)
    assert again.to_pandas().equals(trials)


def test_mistakes_are_errors(hand: Path, grasps: Path, tmp_path: Path) -> None:
    with pytest.raises(volar.Error, match="protocol"):
        volar.eval(hand, BOX, grasps, protocol="no such", out=tmp_path / "a")
    with pytest.raises(volar.Error, match="missing"):
        volar.eval(hand, BOX, tmp_path / "missing.csv", out=tmp_path / "b")
