"""Objects of other people: meshes of two PyPI packages, drawn by a seed and made into solids."""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from pairs import Mesh, read_obj

LENGTH = 0.06
"""The longest side of the box around an object, m."""
MASS = 0.2
THINNEST = 0.05
"""Sheets and ropes, whose shortest side is below this part of the longest, are left out."""
LARGEST_FILE = 1_000_000
VHACD = "resolution=50_000"
PIECES = "random_urdfs"
"""Objects that come as overlapping convex pieces, which is what MuJoCo gets."""


@dataclass(frozen=True)
class Object:
    """A solid with its file for Volar and its convex pieces for MuJoCo, centre of mass at 0."""

    name: str
    file: Path
    source: str
    triangles: int
    inertia: np.ndarray
    """About the centre of mass, kg m²."""
    pieces: list[Mesh]


def draw(program: Path, folder: Path, seed: int, pieced: int, others: int) -> list[Object]:
    """Take so many objects of the seed's order, and write their solids into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.obj"):
        old.unlink()
    objects: list[Object] = []
    for wanted, package in ((pieced, True), (others, False)):
        found = 0
        for file, source in _candidates(seed, package):
            if found == wanted:
                break
            made = _solid(program, folder, file, source)
            if made:
                objects.append(made)
                found += 1
    return sorted(objects, key=lambda o: o.name)


def _candidates(seed: int, pieced: bool) -> Iterator[tuple[Path, str]]:
    """Mesh files with what to call them, in an order that the seed gives."""
    found: dict[bytes, tuple[Path, str]] = {}
    for package in ("pybullet_data", "gymnasium_robotics"):
        spec = find_spec(package)
        if not spec or not spec.submodule_search_locations:
            raise FileNotFoundError(f"{package} is not installed; `cargo xtask objects` does it")
        top = Path(spec.submodule_search_locations[0])
        for file in sorted(top.rglob("*")):
            fits = file.suffix.lower() in (".obj", ".stl") and (PIECES in file.parts) == pieced
            if fits and file.stat().st_size <= LARGEST_FILE:
                # Some files are there twice.
                content = hashlib.sha256(file.read_bytes()).digest()
                source = f"{package}/{file.relative_to(top).as_posix()}"
                found.setdefault(content, (file, source))

    def place(item: tuple[Path, str]) -> str:
        return hashlib.sha256(f"{seed} {item[1]}".encode()).hexdigest()

    return iter(sorted(found.values(), key=place))


def _solid(program: Path, folder: Path, file: Path, source: str) -> Object | None:
    """One solid of a file, or nothing where the repair finds none."""
    name = re.sub(r"[^\w-]", "_", source.partition("/")[2].replace("/", "-"))
    out = folder / f"{name}.obj"
    with tempfile.TemporaryDirectory() as temporary:
        whole = Path(temporary) / "whole.obj"
        told = _check(program, file, "--repair", "--write", str(whole))
        if not told:
            return None
        sides = np.subtract(told["bounds"]["max"], told["bounds"]["min"])
        if sides.min() < THINNEST * sides.max():
            return None
        scale = float(LENGTH / sides.max())
        told = _check(program, whole, "--scale", repr(scale), "--mass", str(MASS), "--write", out)
    if not told:
        return None
    centre = np.array(told["centre_of_mass"])
    solid = read_obj(out)
    pieces = _own_pieces(file, scale) if PIECES in file.parts else _decomposed(out)
    moved = [Mesh(piece.vertices - centre, piece.triangles) for piece in pieces]
    inertia = np.array(told["inertia"])
    return Object(name, out, source, len(solid.triangles), inertia, moved)


def _check(program: Path, file: Path, *options: str | Path) -> dict | None:
    """What `volar check` says of a mesh that is usable, maybe after repair."""
    command = [program, "check", file, "--json", *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if run.returncode != 0:
        return None
    return json.loads(run.stdout)["files"][0]


def _own_pieces(file: Path, scale: float) -> list[Mesh]:
    """The convex pieces of an OBJ file, each an `o` of its own."""
    vertices: list[list[float]] = []
    pieces: list[list[list[int]]] = []
    for line in file.read_text().splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            vertices.append([scale * float(x) for x in rest[:3]])
        elif word == "o":
            pieces.append([])
        elif word == "f":
            if not pieces:
                pieces.append([])
            pieces[-1].append([int(corner.split("/")[0]) - 1 for corner in rest[:3]])
    return [_compact(np.array(vertices), np.array(piece)) for piece in pieces if piece]


def _decomposed(file: Path) -> list[Mesh]:
    """Convex pieces by V-HACD, in a process of its own, for it writes to the terminal."""
    with tempfile.TemporaryDirectory() as temporary:
        out, log = Path(temporary) / "pieces.obj", Path(temporary) / "log"
        code = f"import pybullet; pybullet.vhacd(*{[str(file), str(out), str(log)]}, {VHACD})"
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        return _own_pieces(out, 1.0)


def _compact(vertices: np.ndarray, triangles: np.ndarray) -> Mesh:
    """A part with the vertices it uses."""
    used, renumbered = np.unique(triangles, return_inverse=True)
    return Mesh(vertices[used], renumbered.reshape(triangles.shape))
