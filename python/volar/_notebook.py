"""What notebooks and figures show of scenes and results."""

from __future__ import annotations

import html
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from . import _volar
from ._errors import Error

if TYPE_CHECKING:
    import matplotlib.figure

    from ._result import Result
    from ._scene import Scene

#: Figures of the summary that a notebook lists, with their units and windows.
_FIGURES = (
    ("drift_mm", "mm", "since grasp.from"),
    ("creep_um_per_s", "µm/s", "last second"),
    ("slip_um", "µm", "since grasp.from"),
    ("friction_margin", "", "least of the last second"),
    ("palm_load_n", "N", "mean of the last second"),
    ("max_force_n", "N", "whole run"),
    ("max_depth_mm", "mm", "whole run"),
    ("duration_s", "s", ""),
    ("real_time_factor", "×", ""),
)


def frame(page: str, height: int) -> str:
    """A page within a page. It needs no server and reaches nothing outside of it."""
    return (
        f'<iframe sandbox="allow-scripts" style="width:100%;height:{height}px;border:0" '
        f'srcdoc="{html.escape(page, quote=True)}"></iframe>'
    )


def result_html(result: Result) -> str:
    """Verdict, table, and the replay where frames were kept."""
    rows = "".join(
        f"<tr><td>{name}</td><td>{value:.4g} {unit}</td><td>{window}</td></tr>"
        for name, unit, window in _FIGURES
        if (value := result.summary.get(name)) is not None
    )
    forces = "".join(
        f"<tr><td>normal_force_n {html.escape(finger)}</td><td>{force:.4g} N</td>"
        "<td>mean of the last second</td></tr>"
        for finger, force in result.normal_force_n.items()
    )
    text = f"<p><b>{html.escape(repr(result))}</b></p><table>{rows}{forces}</table>"
    return text + (frame(result.html(), 640) if result._outcome.frames else "")


def picture(scene: Scene) -> str:
    """The start of a scene, in the viewer; or why there is none yet."""
    about = f"<p><b>{html.escape(repr(scene))}</b></p>"
    try:
        # The first frame is all that is wanted.
        outcome = _volar.execute(scene._compiled(), 1, True, 0.0, None, None)
    except Error as error:
        return f"{about}<p>{html.escape(str(error))}</p>"
    return about + frame(outcome.html(""), 480)


def show(result: Result, height: int) -> Path | None:
    """The report where one can see it."""
    try:
        from IPython import get_ipython  # type: ignore[attr-defined,unused-ignore]
        from IPython.display import display

        notebook = "IPKernelApp" in getattr(get_ipython(), "config", {})
    except ImportError:
        notebook = False
    if notebook:
        shown = {"text/html": frame(result.html(), height), "text/plain": repr(result)}
        display(shown, raw=True)  # type: ignore[no-untyped-call,unused-ignore]
        return None
    path = Path(mkdtemp(prefix="volar-")) / "report.html"
    result.report(path)
    webbrowser.open(path.as_uri())
    return path


def plot(result: Result, columns: Sequence[str] | None) -> matplotlib.figure.Figure:
    """Columns over time, those of one kind in one panel."""
    from matplotlib import pyplot

    from ._figure import ShownOnce

    result._need_frames()
    series = result.series
    beginnings = columns or ("normal_force/", "object/drift", "object/normal_force")
    wanted = [name for name in series if name.startswith(tuple(beginnings))]
    if not wanted:
        raise KeyError(f"no columns begin with {', '.join(beginnings)}")
    kinds = list(dict.fromkeys(name.split("/")[0] for name in wanted))
    size = (7.0, 2.2 * len(kinds) + 0.6)
    figure = pyplot.figure(FigureClass=ShownOnce, figsize=size, layout="constrained")
    panels = figure.subplots(len(kinds), 1, sharex=True, squeeze=False)[:, 0]
    for kind, panel in zip(kinds, panels, strict=True):
        for name in (name for name in wanted if name.split("/")[0] == kind):
            panel.plot(series.time, series[name], label=name.partition("/")[2] or name)
        panel.set_ylabel(kind)
        panel.legend(fontsize="small")
    panels[-1].set_xlabel("time, s")
    return figure
