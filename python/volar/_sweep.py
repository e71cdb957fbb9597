"""Sweeps: many variants of a scene, on all cores, or on a Ray or Dask cluster."""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _volar
from ._errors import Error
from ._scene import Scene

if TYPE_CHECKING:
    import pandas

#: A task is retried so often before the sweep gives up, whatever it was lost to.
_RETRIES = 20
#: Tasks that wait or run at a time, for each core of the cluster.
_TASKS_PER_CORE = 3


class Sweep:
    """The results of a sweep, in a folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        #: Where the table, the parts and the report are.
        self.folder = Path(folder)

    @property
    def table(self) -> Path:
        """The table, a Parquet file: a row for each run, in order."""
        return self.folder / "table.parquet"

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame; needs pandas and pyarrow."""
        import pandas

        return pandas.read_parquet(self.table)

    def __repr__(self) -> str:
        return f"Sweep({str(self.folder)!r})"


def sweep(
    scene: Scene | str | os.PathLike[str],
    axes: Mapping[str, Any] | Sequence[str] = (),
    *,
    set: Mapping[str, Any] | None = None,
    repeats: int | None = None,
    seed: int | None = None,
    figures: Sequence[str] | None = None,
    limit_evaluations: int | None = None,
    limit_wall: float | None = None,
    out: str | os.PathLike[str] | None = None,
    backend: str = "local",
    address: Any = None,
    threads: int = 0,
    rows_per_task: int | None = None,
    progress: bool | Callable[[dict[str, Any]], object] = False,
) -> Sweep:
    """Runs many variants of a scene; the table is the same to the bit on every backend.

    Results are kept in a folder as they come: started again, a sweep goes on where it was,
    and refuses results of a changed scene, axis, mesh or version.

    Args:
        scene: A scene, a scene file, the name of a built-in scene, or a sweep file.
        axes: Values by path, `{"body.bunny.mass": [0.1, 0.2]}`; a text as on the command
            line, `{"body.bunny.mass": "0.1..1:log:20"}`, or a list of these with their paths.
        set: Entries of the scene that all runs share.
        repeats: Runs of every point of the grid, with their own draws of random axes.
        seed: Seed of the random axes.
        figures: Figures of the summary to keep; all if not given.
        limit_evaluations: Ends every run after so many evaluations.
        limit_wall: Ends every run after so much wall time, s; such runs are marked, and run
            again when the sweep is started again.
        out: Folder for the results; the name of the sweep with `.sweep` if not given.
        backend: `local`, all cores of this machine; `ray` or `dask`, a cluster that is
            running or is started on this machine. Workers need this package alone.
        address: Of the cluster: what `ray.init` takes, or a `dask.distributed.Client` or
            what it takes.
        threads: Of the backend `local`; all cores if 0.
        rows_per_task: Of the other backends: runs that make a task.
        progress: Shows a line in the terminal; or a function that is called with a
            dictionary: `total`, `done`, `judged`, `held`, `failures`.

    Raises:
        Error: If the sweep makes no sense, or the folder has results of another one.
    """
    changes: dict[str, Any] = {
        "set": dict(set or {}),
        "repeats": repeats,
        "seed": seed,
        "figures": None if figures is None else list(figures),
        "limit_evaluations": limit_evaluations,
    }
    changes = {key: value for key, value in changes.items() if value is not None}
    if axes:
        changes["axis"] = list(_axes(axes))
    planned = _planned(scene, changes)
    path = Path(out) if out is not None else Path(f"{_file_name(planned.name)}.sweep")
    _run_planned(planned, path, backend, address, threads, rows_per_task, limit_wall, progress)
    return Sweep(path)


def _run_planned(
    planned: _volar.Sweep,
    path: Path,
    backend: str,
    address: Any,
    threads: int,
    rows_per_task: int | None,
    limit_wall: float | None,
    progress: bool | Callable[[dict[str, Any]], object],
) -> None:
    """Runs whatever a folder does not have yet, and writes tables and report."""
    if backend not in ("local", "ray", "dask"):
        raise ValueError(f"backend must be 'local', 'ray' or 'dask', not {backend!r}")
    folder = _volar.SweepFolder.create(str(path), planned)
    tell = _teller(progress)
    if backend == "local":
        folder.run(
            threads, limit_wall, None if tell is None else lambda text: tell(json.loads(text))
        )
    else:
        submit = _ray_tasks if backend == "ray" else _dask_tasks
        for lines in submit(planned, folder, address, rows_per_task, limit_wall):
            folder.append(lines)
            if tell is not None:
                tell(json.loads(folder.tally()))
    folder.finish()


def _axes(axes: Mapping[str, Any] | Sequence[str]) -> Iterator[dict[str, Any]]:
    given = axes.items() if isinstance(axes, Mapping) else [(text, None) for text in axes]
    for path, values in given:
        if values is None or isinstance(values, str):
            text = path if values is None else f"{path}={values}"
            yield json.loads(_volar.axis(text))
        elif isinstance(values, Mapping):
            yield {"path": path, **values}
        else:
            plain = values.tolist() if hasattr(values, "tolist") else list(values)
            yield {"path": path, "values": plain}


def _planned(scene: Scene | str | os.PathLike[str], changes: dict[str, Any]) -> _volar.Sweep:
    if isinstance(scene, Scene):
        with tempfile.TemporaryDirectory() as temporary:
            scene.save(temporary)
            text = f'name = {json.dumps(scene.name)}\nscene = "scene.toml"\n'
            return _volar.Sweep.read(scene.name, text, json.dumps(changes), temporary)
    name = os.fspath(scene)
    path = Path(name)
    if path.is_file() and path.suffix == ".toml":
        text = path.read_text(encoding="utf-8")
        if "[[axis]]" in text:
            return _volar.Sweep.read(name, text, json.dumps(changes), str(path.parent))
    builtin = _volar.builtin_sweep(name)
    if builtin is not None and not path.exists():
        return _volar.Sweep.read(name, builtin, json.dumps(changes), "")
    own = path.parent.name if path.name == "scene.toml" else path.stem
    text = f"name = {json.dumps(own)}\nscene = {json.dumps(name)}\n"
    return _volar.Sweep.read(name, text, json.dumps(changes), "")


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in name)


def _teller(
    progress: bool | Callable[[dict[str, Any]], object],
) -> Callable[[dict[str, Any]], object] | None:
    if callable(progress):
        return progress
    return _print_tally if progress else None


def _print_tally(tally: dict[str, Any]) -> None:
    held = f", {tally['held']} of {tally['judged']} held" if tally["judged"] else ""
    print(f"\r{tally['done']} of {tally['total']} runs{held}", end="", file=sys.stderr, flush=True)


# On a cluster. A task is a range of rows; what it needs is in the bytes of the sweep.


@functools.lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> _volar.Sweep:
    return _volar.Sweep.unpack(packed)


def _run_rows(packed: bytes, start: int, end: int, limit_wall: float | None) -> list[str]:
    """Runs rows of a sweep on a worker."""
    return _unpacked(packed).run(start, end, limit_wall)


def _ranges(
    folder: _volar.SweepFolder, rows: int, cores: int, rows_per_task: int | None
) -> list[tuple[int, int]]:
    # Small enough that a lost worker costs little and cores finish together.
    most = rows_per_task or max(1, min(64, rows // (8 * max(cores, 1))))
    return folder.missing(most)


def _ray_tasks(
    planned: _volar.Sweep,
    folder: _volar.SweepFolder,
    address: Any,
    rows_per_task: int | None,
    limit_wall: float | None,
) -> Iterator[list[str]]:
    try:
        # Without types of its own.
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise Error("backend='ray' needs the package ray: pip install ray") from None
    started = not ray.is_initialized()
    if started:
        ray.init(address=address)
    try:
        cores = int(ray.cluster_resources().get("CPU", 1))
        # A task of a node that is lost is run again elsewhere; errors of ours are not retried.
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_run_rows)
        packed = ray.put(planned.pack())
        waiting = iter(_ranges(folder, planned.rows, cores, rows_per_task))
        running: list[Any] = []

        def submit(count: int) -> None:
            for _, (start, end) in zip(range(count), waiting, strict=False):
                named = task.options(name=f"{planned.name} runs {start} to {end - 1}")
                running.append(named.remote(packed, start, end, limit_wall))

        submit(_TASKS_PER_CORE * cores)
        while running:
            done, running = ray.wait(running, num_returns=1)
            yield from (ray.get(reference) for reference in done)
            submit(len(done))
    finally:
        if started:
            ray.shutdown()


def _dask_tasks(
    planned: _volar.Sweep,
    folder: _volar.SweepFolder,
    address: Any,
    rows_per_task: int | None,
    limit_wall: float | None,
) -> Iterator[list[str]]:
    try:
        # Without types of its own.
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise Error(
            "backend='dask' needs the package distributed: pip install distributed"
        ) from None
    own = not isinstance(address, distributed.Client)
    client = distributed.Client(address) if own else address
    try:
        cores = sum(client.ncores().values()) or 1
        [packed] = client.scatter([planned.pack()], broadcast=True)
        waiting = iter(_ranges(folder, planned.rows, cores, rows_per_task))

        def submit(count: int) -> Iterable[Any]:
            for _, (start, end) in zip(range(count), waiting, strict=False):
                yield client.submit(
                    _run_rows,
                    packed,
                    start,
                    end,
                    limit_wall,
                    key=f"{planned.name}-{planned.hash[:12]}-{start}-{end}",
                    retries=_RETRIES,
                    pure=False,
                )

        running = distributed.as_completed(list(submit(_TASKS_PER_CORE * cores)))
        for future in running:
            yield future.result()
            future.release()
            for more in submit(1):
                running.add(more)
    finally:
        if own:
            client.close()
