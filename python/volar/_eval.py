"""Lists of grasps: sampled, and every grasp of a list under a protocol."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _volar
from ._sweep import Sweep, _file_name, _run_planned

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Samples:
    """What `sample` found."""

    #: The list.
    file: Path
    #: How many are in it; fewer than asked for where candidates ran out.
    grasps: int
    #: Candidates that were looked at.
    tried: int
    #: How many of them were not kept, by reason.
    rejected: dict[str, int]


def sample(
    hand: str | os.PathLike[str],
    object: str | os.PathLike[str],
    out: str | os.PathLike[str] = "grasps.parquet",
    *,
    method: str = "antipodal",
    count: int = 1000,
    seed: int = 0,
    friction: float = 0.5,
    packages: Sequence[str | os.PathLike[str]] = (),
    scale: float = 1.0,
    mass: float | None = None,
) -> Samples:
    """Samples grasps of an object that a hand can start from, and writes them to a file.

    The same seed gives the same list, on any number of cores.

    Args:
        hand: A hand.toml, or a URDF, MJCF or SDF file.
        object: A mesh file, or `sphere:RADIUS`, `box:X,Y,Z`, `cylinder:RADIUS,LENGTH` (m).
        out: The file; its ending says the format.
        method: `antipodal`, `approach`, `surface` or `eigengrasp`.
        count: Grasps to find.
        seed: Other seeds make other grasps.
        friction: Between finger and object, for antipodal pairs.
        packages: Folders in which `package://` looks.
        scale: Multiplies the coordinates of the mesh; 0.001 for millimetres.
        mass: Of the object, kg, to be noted in the list.

    Raises:
        Error: If a file is not usable.
    """
    asked = {
        "hand": os.fspath(hand),
        "object": os.fspath(object),
        "method": method,
        "count": count,
        "seed": seed,
        "friction": friction,
        "packages": [os.fspath(folder) for folder in packages],
        "scale": scale,
        "mass": mass,
        "out": os.fspath(out),
    }
    grasps, tried, rejected = _volar.sample(json.dumps(asked))
    return Samples(Path(out), grasps, tried, rejected)


class Evaluation(Sweep):
    """The results of an evaluation: a sweep with a row for each trial."""

    @property
    def grasps(self) -> Path:
        """The table of grasps, a Parquet file: a row for each grasp of the list."""
        return self.folder / "grasps.parquet"

    def grasps_to_pandas(self) -> pandas.DataFrame:
        """The table of grasps as a data frame; needs pandas and pyarrow."""
        import pandas

        return pandas.read_parquet(self.grasps)

    def __repr__(self) -> str:
        return f"Evaluation({str(self.folder)!r})"


def eval(
    hand: str | os.PathLike[str],
    object: str | os.PathLike[str],
    grasps: str | os.PathLike[str],
    *,
    protocol: str | os.PathLike[str] = "acronym",
    packages: Sequence[str | os.PathLike[str]] = (),
    scale: float | None = None,
    mass: float | None = None,
    material: str = "plastic",
    force: float = 10.0,
    count: int | None = None,
    noise: Mapping[str, float] | None = None,
    repeats: int = 1,
    seed: int = 0,
    joints: Sequence[str] = (),
    limit_evaluations: int | None = None,
    limit_wall: float | None = None,
    labels: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    backend: str = "local",
    address: Any = None,
    threads: int = 0,
    rows_per_task: int | None = None,
    progress: bool | Callable[[dict[str, Any]], Any] = False,
) -> Evaluation:
    """Judges every grasp of a list: the hand closes on the object, and a protocol follows.

    Results are kept in a folder as they come, as those of `sweep` are.

    Args:
        hand: A hand.toml, or a URDF, MJCF or SDF file.
        object: A mesh file, or `sphere:RADIUS`, `box:X,Y,Z`, `cylinder:RADIUS,LENGTH` (m).
        grasps: A file of grasps.
        protocol: `acronym`, `dexgraspbench`, `dexgraspnet`, `pull`, `simready`, `turns`, or
            a TOML file.
        packages: Folders in which `package://` looks.
        scale: Multiplies the coordinates of the mesh; that of the grasps, or 1.
        mass: Of the object, kg; that of the protocol if not given.
        material: Of the object.
        force: Of each finger where the hand's file has no servo of its own, N.
        count: The first so many grasps; all if not given.
        noise: Standard deviations of what trials are off by: `position` (m), `angle`
            (degrees), and `friction`, `mass` and `force` as shares.
        repeats: Trials of every grasp, each with its own noise.
        seed: Seed of the noise.
        joints: Names of joints, for files of postures that have none.
        limit_evaluations: Ends every trial after so many evaluations.
        limit_wall: Ends every trial after so much wall time, s.
        labels: Also writes the grasps with their labels and scores to this file.
        out: Folder for the results; the name of the evaluation with `.eval` if not given.
        backend: As in `sweep`.
        address: As in `sweep`.
        threads: As in `sweep`.
        rows_per_task: As in `sweep`.
        progress: As in `sweep`.

    Raises:
        Error: If a file is not usable, or the folder has results of another evaluation.
    """
    asked = {
        "hand": os.fspath(hand),
        "object": os.fspath(object),
        "grasps": os.fspath(grasps),
        "protocol": os.fspath(protocol),
        "packages": [os.fspath(folder) for folder in packages],
        "scale": scale,
        "mass": mass,
        "material": material,
        "force": force,
        "count": count,
        "noise": ",".join(f"{name}={value!r}" for name, value in (noise or {}).items()),
        "repeats": repeats,
        "seed": seed,
        "joints": list(joints),
        "limit_evaluations": limit_evaluations,
    }
    planned = _volar.plan_evaluation(json.dumps(asked))
    path = Path(out) if out is not None else Path(f"{_file_name(planned.name)}.eval")
    _run_planned(planned, path, backend, address, threads, rows_per_task, limit_wall, progress)
    to = None if labels is None else os.fspath(labels)
    _volar.finish_evaluation(str(path), os.fspath(grasps), list(joints), to)
    return Evaluation(path)
