"""Markdown pages that programs write, as a whole or part by part."""

from collections.abc import Sequence
from pathlib import Path

NOTE = "<!-- Written by `cargo xtask bench`, `grasps`, `throughput` and `bodies`; do not edit. -->"
HEADINGS = {
    "overlap": "# Performance",
    "grasps": "## Grasps against MuJoCo",
    "throughput": "## Grasps per second",
    "stages": "## One evaluation of a squeeze, by stage",
    "bodies": "## Many bodies",
}
"""The parts of `docs/performance.md` in their order; the last two are written by `xtask`."""


def write_part(page: Path, part: str, text: str) -> None:
    """Replace one part of the page of figures and leave the others as they are."""
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    parts = {}
    end = len(old)
    for name, heading in reversed(HEADINGS.items()):
        begin = old.find(f"\n{heading}\n")
        if begin >= 0:
            parts[name] = old[begin:end].strip()
            end = begin
    parts[part] = f"{HEADINGS[part]}\n\n{text}".strip()
    kept = [parts[name] for name in HEADINGS if name in parts]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(NOTE + "\n" + "\n\n".join(kept) + "\n", encoding="utf-8")


def write_between(page: Path, begin: str, end: str, text: str) -> None:
    """Put text between two marks of a page."""
    old = page.read_text(encoding="utf-8")
    head, _, rest = old.partition(begin)
    _, _, tail = rest.partition(end)
    page.write_text(f"{head}{begin}\n{text}\n{end}{tail}", encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a Markdown table: the first column to the left, the others to the right."""
    widths = [max(3, *(len(row[i]) for row in [head, *rows])) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *others = (
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join([first, *others]) + " |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(head), line(rule), *map(line, rows)])


def number(value: float | None) -> str:
    """Three digits, or a whole number."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def verdict(passed: bool) -> str:
    """Whether a bar is met."""
    return "pass" if passed else "FAIL"
