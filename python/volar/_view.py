"""The viewer in the browser."""

from __future__ import annotations

import os
import time

from . import _volar
from ._result import Result
from ._scene import Scene


class Viewer:
    """A server on this machine that shows a run in the browser, until it is closed.

    Use it as a context manager, or call `close`.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _volar.Viewer) -> None:
        self._native = native

    @property
    def address(self) -> str:
        """What to open in a browser of this machine."""
        return self._native.address

    def close(self) -> None:
        """Stops the server."""
        self._native.close()

    def wait(self) -> None:
        """Waits until Ctrl-C, then closes."""
        try:
            while self._native.is_open():
                time.sleep(0.1)
        except KeyboardInterrupt:
            pass
        self.close()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Viewer({self.address})"


def view(
    shown: Scene | Result | str | os.PathLike[str],
    *,
    port: int = 0,
    open: bool = True,
    wait: bool = True,
) -> Viewer:
    """Shows a scene while it runs, or a result, in the browser.

    Args:
        shown: A scene, its file or name; or the result of a run.
        port: Port of this machine; any free one if 0.
        open: Opens a browser.
        wait: Waits until Ctrl-C; otherwise the viewer is open until it is closed.
    """
    if isinstance(shown, Result):
        shown._need_frames()
        viewer = Viewer(_volar.replay(shown._outcome, port, open))
    else:
        scene = shown if isinstance(shown, Scene) else Scene.load(shown)
        viewer = Viewer(_volar.view(scene._compiled(), port, open))
    if wait:
        print(viewer.address)
        viewer.wait()
    return viewer
