"""Grasp simulation on the exact overlap of closed meshes.

    import volar

    result = volar.run("g2r-bunny", set={"body.bunny.mass": 0.5})
    print(result.held, result.friction_margin)

Units are SI: metres, kilograms, seconds, newtons, radians. Quaternions have their real
part first (wxyz). Arrays are numpy's; their shapes are in the documentation of each name.
"""

from __future__ import annotations

from . import _volar
from ._compare import Comparison, compare
from ._contacts import CONTACT_DTYPE, Contact, Contacts, Facets
from ._errors import Error, MeshError, RobotError, SceneError, SimulationError
from ._eval import Evaluation, Samples, eval, sample
from ._handles import Body, Joint, Robot
from ._mesh import CheckReport, Complaint, HasTriangles, Mesh, Overlap, check, overlap
from ._parts import BodyView, JointView, RobotView
from ._pose import Pose
from ._result import Result, Series, run
from ._robot import RobotFile, inspect
from ._scene import Scene
from ._simulation import Checkpoint, Simulation
from ._sweep import Sweep, sweep
from ._view import Viewer, view

__version__: str = _volar.VERSION

__all__ = [
    "CONTACT_DTYPE",
    "Body",
    "BodyView",
    "CheckReport",
    "Checkpoint",
    "Comparison",
    "Complaint",
    "Contact",
    "Contacts",
    "Error",
    "Evaluation",
    "Facets",
    "HasTriangles",
    "Joint",
    "JointView",
    "Mesh",
    "MeshError",
    "Overlap",
    "Pose",
    "Result",
    "Robot",
    "RobotError",
    "RobotFile",
    "RobotView",
    "Samples",
    "Scene",
    "SceneError",
    "Series",
    "Simulation",
    "SimulationError",
    "Sweep",
    "Viewer",
    "check",
    "compare",
    "eval",
    "inspect",
    "materials",
    "overlap",
    "run",
    "sample",
    "scenes",
    "sweep",
    "view",
]


def scenes() -> dict[str, str]:
    """Names of the built-in scenes, and what each shows."""
    return dict(_volar.scenes())


def materials() -> dict[str, dict[str, float]]:
    """Materials that every scene knows: `stiffness` and `shear_stiffness` (N/m³),
    `damping_time` (s) and `friction`."""
    names = ("stiffness", "shear_stiffness", "damping_time", "friction")
    return {name: dict(zip(names, figures, strict=True)) for name, *figures in _volar.materials()}
