"""Bodies, joints and actuators by name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

_SHOWN = 30


def find(names: Sequence[str], wanted: str, what: str) -> int:
    """The number of the entry with a name, or of the only one with it behind a `/`."""
    if not isinstance(wanted, str):
        raise TypeError(f"{what}: a name is needed, not {type(wanted).__name__}")
    if wanted in names:
        return names.index(wanted)
    tails = [i for i, name in enumerate(names) if name.partition("/")[2] == wanted]
    if len(tails) == 1:
        return tails[0]
    if tails:
        raise KeyError(f"`{wanted}` could be any of {listed([names[i] for i in tails])}")
    raise KeyError(f"no {what} `{wanted}`; {close(names, wanted)}there are {listed(names)}")


def close(names: Sequence[str], wanted: str) -> str:
    """A question for a message, where a name looks much like what is wanted."""
    tails = {name.partition("/")[2]: name for name in names if "/" in name}
    likely = get_close_matches(wanted, [*names, *tails], n=1)
    return f"did you mean `{likely[0]}`? " if likely else ""


def listed(names: Sequence[str]) -> str:
    """Names for a message; long lists are cut."""
    shown = ", ".join(names[:_SHOWN]) or "none"
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
