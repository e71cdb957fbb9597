"""Figures as notebooks show them; needs matplotlib."""

from __future__ import annotations

from matplotlib import pyplot
from matplotlib.figure import Figure


class ShownOnce(Figure):
    """A figure that a cell of a notebook shows once.

    A notebook shows the figures of pyplot at the end of a cell, and the value of the cell
    before that: a figure that is both would be there twice.
    """

    _is_shown = False

    def _ipython_display_(self) -> None:
        from IPython.core.pylabtools import print_figure
        from IPython.display import display

        is_of_pyplot = bool(pyplot.fignum_exists(self.number))
        if is_of_pyplot and self._is_shown:
            return
        self._is_shown = is_of_pyplot
        picture = print_figure(self)  # type: ignore[no-untyped-call,unused-ignore]
        shown = {"image/png": picture, "text/plain": repr(self)}
        display(shown, raw=True)  # type: ignore[no-untyped-call,unused-ignore]
