"""The same bits as the command line: final states against those the Rust tests keep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import volar

STATES = Path(__file__).parents[2] / "crates/volar-run/tests/data/final_states.txt"
RECORDED = dict(line.split() for line in STATES.read_text().splitlines())


def fnv(numbers: np.ndarray) -> str:
    """FNV-1a over the bits of numbers [Fowler, Noll & Vo], as in the Rust tests."""
    value = 0xCBF29CE484222325
    for byte in numbers.astype("<f8").tobytes():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return f"{value:016x}"


def test_no_scene_is_left_out() -> None:
    assert set(RECORDED) == set(volar.scenes())


@pytest.mark.parametrize("name", volar.scenes())
def test_same_bits(name: str) -> None:
    end = volar.run(name, record=False).simulation()
    assert fnv(np.concatenate([[end.time], end.q, end.v])) == RECORDED[name]


def test_recording_does_not_change_a_bit() -> None:
    states = [volar.run("g2r-bunny", record=r).simulation().q.tobytes() for r in (True, False)]
    assert states[0] == states[1]
