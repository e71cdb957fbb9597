"""Memory does not grow with what is made and dropped."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import volar

STATM = Path("/proc/self/statm")

BOX = """
name = "box"
duration = 0.002
[[body]]
name = "floor"
fixed = true
shape = { box = [0.2, 0.2, 0.02] }
position = [0.0, 0.0, -0.01]
[[body]]
name = "box"
mass = 0.1
shape = { box = [0.04, 0.04, 0.04] }
position = [0.0, 0.0, 0.0199]
"""


def resident() -> int:
    gc.collect()
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def whole_run() -> None:
    result = volar.run(volar.Scene.parse(BOX))
    assert len(result.series.array) and result.contacts is not None


def simulation() -> None:
    sim = volar.Scene.parse(BOX).simulate()
    sim.advance(0.001)
    kept = sim.q, sim.contacts, sim.checkpoint(), sim.clone()
    sim.body("box").push((0.0, 0.0, -0.1))
    sim.advance(0.001)
    assert len(kept) == 4


def mesh() -> None:
    box = volar.Mesh.box((1.0, 1.0, 1.0))
    assert volar.overlap(box, box, volar.Pose((0.5, 0.0, 0.0))).mesh()[0].size


def refused() -> None:
    sim = volar.Scene.parse(BOX).simulate()
    with pytest.raises(volar.SimulationError):
        sim.q = np.zeros(len(sim.q))


@pytest.mark.skipif(not STATM.exists(), reason="the size of a process is read from /proc")
@pytest.mark.parametrize("cycle", [whole_run, simulation, mesh, refused])
def test_memory_is_flat(cycle: Callable[[], None]) -> None:
    for _ in range(300):
        cycle()
    before = resident()
    for _ in range(700):
        cycle()
    # A simulation takes some 100 kB: were one in a hundred kept, this would be exceeded.
    assert resident() - before < 700_000
