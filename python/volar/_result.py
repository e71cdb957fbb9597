"""Runs from beginning to end, and what they give."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from . import _volar
from ._arrays import Array, count, number, overrides, positive
from ._contacts import CONTACT_DTYPE
from ._errors import Error
from ._scene import Scene
from ._simulation import Simulation
from ._summary import Figures

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas


class Series(Mapping[str, Array]):
    """A run as a table: a column of numbers for each quantity, a row for each frame.

    Columns are those of `series.parquet`, described in docs/recordings.md: `time`,
    `position_x/cube`, `joint_position/gripper/left`, `normal_force/left` and so on; SI units.
    """

    __slots__ = ("_numbers", "array", "columns")

    #: Names of the columns.
    columns: Sequence[str]
    #: All values, shape (rows, columns).
    array: Array

    def __init__(self, columns: Sequence[str], array: Array) -> None:
        self.columns = columns
        self.array = array
        self._numbers = {name: number for number, name in enumerate(columns)}

    def __getitem__(self, name: str) -> Array:
        try:
            return self.array[:, self._numbers[name]]
        except KeyError:
            raise KeyError(f"no column `{name}`; see `columns`") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def time(self) -> Array:
        """Simulated time of the rows, s."""
        return self["time"]

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame; needs pandas."""
        import pandas

        return pandas.DataFrame(self.array, columns=list(self.columns))

    def __repr__(self) -> str:
        return f"Series({len(self.array)} rows, {len(self.columns)} columns)"


class Result(Figures):
    """What a run gives: the figures of its summary as attributes, the run as a table, its
    contacts, its report, and the simulation at its end.
    """

    __slots__ = ("_outcome", "_series", "_setup")

    def __init__(self, setup: _volar.Setup, outcome: _volar.Outcome) -> None:
        self._setup = setup
        self._outcome = outcome
        self._series: Series | None = None
        self.summary = json.loads(outcome.summary())

    @property
    def ended(self) -> str:
        """`complete`, `interrupted`, `limit`, `failed`; or `unfinished` for what
        `Simulation.result` gives before the end of the scene."""
        return self._outcome.ended

    @property
    def series(self) -> Series:
        """The run as a table, at the rate of the scene's recording (100 Hz)."""
        if self._series is None:
            self._series = Series(*self._outcome.series())
        return self._series

    @property
    def contacts(self) -> NDArray[np.void]:
        """All contacts at all frames as records, shape (n,): `time` (s), `a` and `b` (numbers
        of bodies, see `body_names`), and the figures of `volar.Contact`."""
        times, rows = self._outcome.contacts()
        contacts = np.empty(len(times), dtype=[("time", np.float64), *CONTACT_DTYPE.descr])
        contacts["time"] = times
        figures = rows.view(CONTACT_DTYPE).reshape(len(rows))
        for name in CONTACT_DTYPE.names or ():
            contacts[name] = figures[name]
        return contacts

    @property
    def body_names(self) -> list[str]:
        """Names of the bodies, in order of their numbers."""
        return self._setup.bodies()

    def simulation(self) -> Simulation:
        """A simulation that goes on from the end of the run."""
        return Simulation(self._setup, self._outcome.simulation())

    def checkpoint(self) -> str:
        """Text to resume the run from: `volar.run(scene, resume=text)`, also in another
        process."""
        return self._outcome.saved()

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the report, one page that opens without a network."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())

    def html(self) -> str:
        """The report as text."""
        self._need_frames()
        return self._outcome.html("")

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes what `volar run --out` writes: recording, table, summary, scene, report."""
        self._need_frames()
        self._outcome.save(os.fspath(folder), "")

    def plot(self, columns: Sequence[str] | None = None) -> matplotlib.figure.Figure:
        """A figure of columns over time; needs matplotlib.

        Args:
            columns: Names or beginnings of names; normal forces and drift if not given.
        """
        from ._notebook import plot

        return plot(self, columns)

    def show(self, *, height: int = 640) -> Path | None:
        """Shows the report in a notebook; elsewhere in the browser, from a file whose path
        is returned.

        Args:
            height: Of the frame in a notebook, pixels.
        """
        from ._notebook import show

        return show(self, height)

    def _repr_html_(self) -> str:
        """Verdict, table and replay, for notebooks."""
        from ._notebook import result_html

        return result_html(self)

    def _need_frames(self) -> None:
        if not self._outcome.frames:
            raise Error("the run was not recorded; run it with record=True")

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Result stays in its process; send its summary or its series, or save it to a "
            "folder with save()"
        )

    def __repr__(self) -> str:
        held = {True: "held", False: "not held", None: self.ended}[self.held]
        what = "" if self.failure is None else f": {self.failure['what']}"
        return f"Result({self.scene}, {self.duration_s:g} s, {held}{what})"


def run(
    scene: Scene | str | os.PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    duration: float | None = None,
    threads: int = 1,
    record: bool = True,
    limit_wall: float | None = None,
    resume: str | None = None,
    progress: bool | Callable[[float], object] = False,
    control: Callable[[Simulation], object] | None = None,
    period: float | None = None,
) -> Result:
    """Runs a scene to its end.

    Args:
        scene: A scene, a scene file, or the name of a built-in scene.
        set: Entries to change, by path: `{"body.bunny.mass": 0.5}`.
        duration: Simulated time, s; that of the scene if not given.
        threads: Threads that evaluate contacts; the result is the same to the bit.
        record: Keeps frames for `series`, `contacts` and the report.
        limit_wall: Ends the run after so much wall time, s.
        resume: Text of `Result.checkpoint` of the same scene.
        progress: Shows a bar, with tqdm where it is installed; or a function that is called
            with the simulated time, s.
        control: Called with the simulation at the beginning of every period; not together
            with `record`, `limit_wall`, `resume` or `progress`.
        period: Period of `control`, s.

    Raises:
        SceneError: If the scene makes no sense.
        KeyboardInterrupt: On Ctrl-C; its attribute `result` has what there is.
    """
    given = overrides(set)
    if duration is not None:
        given.append(f"duration={number(duration, 'duration')!r}")
    if not isinstance(scene, Scene):
        scene = Scene.load(scene)
    if given:
        scene = Scene._of(scene._source().set(given))
    if control is not None:
        if not record or limit_wall is not None or resume is not None or progress is not False:
            raise ValueError("control: not with record, limit_wall, resume or progress")
        return _controlled(scene, threads, control, period)
    threads = count(threads, "threads")
    setup = scene._compiled()
    if limit_wall is not None:
        limit_wall = positive(limit_wall, "limit_wall", zero=True)
    told, close = _progress(progress, setup.duration)
    try:
        outcome = _volar.execute(setup, threads, bool(record), limit_wall, resume, told)
    except KeyboardInterrupt as interrupt:
        stopped = getattr(interrupt, "outcome", None)
        if stopped is not None:
            interrupt.result = Result(setup, stopped)  # type: ignore[attr-defined]
        raise
    finally:
        close()
    return Result(setup, outcome)


def _controlled(
    scene: Scene, threads: int, control: Callable[[Simulation], object], period: float | None
) -> Result:
    sim = scene.simulate(threads=threads, record=True)
    try:
        sim.advance_to(scene.duration, control, period)
    except KeyboardInterrupt as interrupt:
        interrupt.result = sim.result()  # type: ignore[attr-defined]
        raise
    return sim.result()


def _progress(
    wanted: bool | Callable[[float], object], end: float
) -> tuple[Callable[[float], object] | None, Callable[[], object]]:
    if callable(wanted):
        return wanted, lambda: None
    if not wanted:
        return None, lambda: None
    try:
        with warnings.catch_warnings():
            # A notebook without widgets gets a bar of text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return (lambda time: print(f"\r{time:.2f} of {end:g} s", end="")), lambda: print()
    bar = tqdm(total=end, unit="s", bar_format="{l_bar}{bar}| {n:.2f}/{total:g} s")

    def told(time: float) -> None:
        bar.update(time - bar.n)

    return told, bar.close
