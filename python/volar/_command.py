"""The command `volar`, which the wheel brings along."""

from __future__ import annotations

import sys

from . import _volar


def main() -> int:
    """Does what the arguments of this process say; gives the exit status."""
    return _volar.main(["volar", *sys.argv[1:]])
