"""What was measured, against the bars the project sets itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from statistics import median_low
from typing import Any

import machine
from page import number, table, verdict
from pairs import Pair

MANIFOLD3D_BARS = {
    "a": 10, "a_tilt": 8, "b": 8, "b_rot": 10, "c": 20, "d": 30,
    "e": 15, "f": 20, "g1": 40, "g2": 60, "h": 40, "i": 10,
}  # fmt: skip
"""How many times faster than manifold3d, at least."""
LIBIGL_BARS = {"d": 3000}
"""How many times faster than libigl, at least."""
DEPTHS_BAR = 2.0
"""With facets and depths, at most so many times the moments, on these pairs:"""
DEPTHS_PAIRS = ("a", "a_tilt", "b", "b_rot", "b_touch", "c", "d")
GROWTH_BAR = 6.0
"""From d to g2, at most so many times the time."""
BUILD_BAR_MS = 100.0
"""For the mesh of 58,784 triangles."""
EXACT = 1e-9
"""What Volar's relative errors may reach."""
WRONG = 1e-6
"""From here on a peer's volume counts as wrong."""


@dataclass
class Peer:
    """The shortest time of each pose (µs) and its volume's relative error."""

    pair: Pair
    times: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def add(self, times: list[float], volumes: list[float]) -> None:
        """Take in another round."""
        self.times = _shorter(self.times, times)
        self.errors = self.pair.errors(volumes)

    def wrong(self) -> str:
        """How many answers are wrong."""
        wrong = [error for error in self.errors if not error <= WRONG]
        return f"{len(wrong)} of {len(self.errors)}, by up to {max(wrong):.0e}" if wrong else "none"


class Result:
    """All tools on one pair."""

    def __init__(self, pair: Pair) -> None:
        """Start with nothing measured."""
        self.pair = pair
        self.manifold3d = Peer(pair)
        self.libigl = Peer(pair)
        self.volar: dict[str, Any] = {}
        self.build_ms = float("inf")
        self._moments: list[float] = []
        self._depths: list[float] = []

    def add_volar(self, measured: dict[str, Any]) -> None:
        """Take in another round of Volar's own program."""
        [self.volar] = measured["pairs"]
        self._moments = _shorter(self._moments, self.volar["moments_us"])
        self._depths = _shorter(self._depths, self.volar["depths_us"])
        if measured["build_ms"] is not None:
            self.build_ms = min(self.build_ms, measured["build_ms"])

    @property
    def moments(self) -> float:
        """Volar's time for the moments, µs."""
        return median_low(self._moments)

    @property
    def depths(self) -> float:
        """Volar's time with facets and depths, µs."""
        return median_low(self._depths)

    @property
    def volar_exact(self) -> bool:
        """Whether every pose is as exact as promised."""
        return max(self.volar["errors"].values()) <= EXACT

    def ratio(self, peer: Peer) -> float | None:
        """How many times faster than a peer, over the poses the peer was given."""
        if not peer.times:
            return None
        return median_low(peer.times) / median_low(self._moments[: len(peer.times)])


def progress_line(result: Result) -> str:
    """One line for whoever waits."""
    faster = [
        f", {ratio:.1f} × {name}"
        for name, peer in [("manifold3d", result.manifold3d), ("libigl", result.libigl)]
        if (ratio := result.ratio(peer))
    ]
    error = max(result.volar["errors"].values())
    return f"{result.pair.name:8} {result.moments:9.1f} µs, error {error:.0e}" + "".join(faster)


def tables(results: list[Result]) -> str:
    """All tables, as Markdown that a terminal shows as well."""
    parts = [
        "## Against the peers",
        "Microseconds per overlap, and how many times faster Volar is.",
        _peer_table(results),
        "## Volar on its own",
        "Moments, then moments with facets and depths, in microseconds; the worst relative error "
        "of all poses.",
        _own_table(results),
        "## Cost follows the contact, not the mesh",
        _scaling_table(results),
        "## Wrong answers",
        f"Poses whose volume is off by more than {WRONG:.0e} relative to the exact one (where the "
        "exact overlap is empty: relative to the smaller body).",
        _wrong_table(results),
    ]
    return "\n\n".join(parts) + "\n"


def document(results: list[Result], pinned: bool) -> str:
    """Write the first part of `docs/performance.md`."""
    core = "all on the same core" if pinned else "not pinned to a core"
    return f"""\
The overlap, measured on {date.today()}: {machine.describe()}, manifold3d \
{version("manifold3d")}, libigl {version("libigl")} (CGAL's exact kernel). Compare numbers \
within one run only.

- The pairs are those of `bench/pairs.json`, {len(results[0].pair.X_AB)} poses each; \
`bench/README.md` describes them.
- One thread each, {core}, the tools in turn on each pair. A time is the median over the poses of \
the shortest of the repeats.
- Poses are cold: every repeat goes through all poses, so between two calls with the same pose lie \
all the others, and no tool keeps anything from one call for the next.
- Volar is timed from the relative pose to volume, centroid and area vectors, of the whole and of \
each component (`OverlapKernel::overlap`); with depths: also facets, their second moments and \
depths (`overlap_with_depths`). Every answer is checked in the same run.
- manifold3d is called as a careful user would: both solids are built once, only B is moved, into \
the frame of A, and only the volume is asked for. Its times include the calls from Python, about \
1 µs (measured on empty solids).
- libigl (`mesh_boolean`) gets the first {max(len(r.libigl.times) for r in results)} poses of each \
pair, once.

{tables(results)}"""


def _peer_table(results: list[Result]) -> str:
    head = ["pair", "triangles", "Volar", "manifold3d", "×", "bar", "", "libigl", "×", "bar", ""]
    rows = []
    for r in results:
        row = [r.pair.name, _two(r.volar["triangles"]), number(r.moments)]
        for peer, bars in [(r.manifold3d, MANIFOLD3D_BARS), (r.libigl, LIBIGL_BARS)]:
            ratio, bar = r.ratio(peer), bars.get(r.pair.name)
            time = median_low(peer.times) if peer.times else None
            row += [number(time), number(ratio), number(bar)]
            row += [verdict(r.volar_exact and ratio >= bar) if ratio and bar else ""]
        rows.append(row)
    return table(head, rows)


def _own_table(results: list[Result]) -> str:
    head = ["pair", "crossing A/B", "inside A/B", "moments", "with depths", "×", "bar", ""]
    rows = []
    for r in results:
        ratio = r.depths / r.moments
        barred = r.pair.name in DEPTHS_PAIRS
        rows.append(
            [r.pair.name, _two(r.volar["crossing"]), _two(r.volar["inside"])]
            + [number(r.moments), number(r.depths), f"{ratio:.2f}"]
            + ([f"{DEPTHS_BAR:.0f}", verdict(ratio <= DEPTHS_BAR)] if barred else ["", ""])
            + [f"{r.volar['errors'][key]:.0e}" for key in ("volume", "centroid")]
            + [verdict(r.volar_exact)]
        )
    return table([*head, "volume error", "centroid error", ""], rows)


def _scaling_table(results: list[Result]) -> str:
    by_name = {r.pair.name: r for r in results}
    d, g2 = by_name["d"], by_name["g2"]
    growth = g2.moments / d.moments
    peer_growth = median_low(g2.manifold3d.times) / median_low(d.manifold3d.times)
    build = min(r.build_ms for r in results)
    rows = [
        ["time from d to g2 (16 × the triangles, 4 × the crossing ones)", f"{growth:.1f} ×"]
        + [f"≤ {GROWTH_BAR:.0f} ×", verdict(growth <= GROWTH_BAR)],
        ["the same, manifold3d", f"{peer_growth:.1f} ×", "", ""],
        ["closed mesh of 58,784 triangles: edges, shells and tree", f"{build:.0f} ms"]
        + [f"< {BUILD_BAR_MS:.0f} ms", verdict(build < BUILD_BAR_MS)],
    ]
    return table(["", "measured", "bar", ""], rows)


def _wrong_table(results: list[Result]) -> str:
    rows = [
        [r.pair.name, "none" if r.volar_exact else "some", r.manifold3d.wrong(), r.libigl.wrong()]
        for r in results
    ]
    rows = [row for row in rows if set(row[1:]) != {"none"}]
    return table(["pair", "Volar", "manifold3d", "libigl"], rows) if rows else "None."


def _two(counts: Sequence[int]) -> str:
    return "/".join(map(str, counts))


def _shorter(times: list[float], others: list[float]) -> list[float]:
    return [min(pair) for pair in zip(times, others, strict=True)] if times else others
