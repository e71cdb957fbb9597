"""Writes docs/python-api.md from the signatures and docstrings of the package.

    python python/docs/reference.py [--check]

With --check nothing is written; the exit status says whether the page is up to date.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import volar
import volar.gym
import volar.nrp

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/python-api.md"
NOTE = "<!-- Written by python/docs/reference.py; do not edit. -->"
SECTIONS = {
    "Running": ["run", "Result", "Series", "view", "Viewer"],
    "Sweeps": ["sweep", "Sweep"],
    "Grasps": ["sample", "Samples", "eval", "Evaluation"],
    "Other engines": ["compare", "Comparison"],
    "Scenes": ["Scene", "Robot", "Joint", "Body", "scenes", "materials", "inspect", "RobotFile"],
    "Simulation": ["Simulation", "BodyView", "JointView", "RobotView", "Checkpoint"],
    "Contacts": ["Contacts", "Contact", "Facets", "CONTACT_DTYPE"],
    "Geometry": ["Mesh", "HasTriangles", "check", "CheckReport", "Complaint", "overlap", "Overlap"],
    "Poses": ["Pose"],
    "Errors": ["Error", "SceneError", "MeshError", "RobotError", "SimulationError"],
}


def page() -> str:
    """The whole page."""
    listed = {name for names in SECTIONS.values() for name in names}
    missing = set(volar.__all__) ^ listed
    if missing:
        raise SystemExit(f"SECTIONS and volar.__all__ differ in {', '.join(sorted(missing))}")
    lines = [NOTE, "# Python reference", "", "[python.md](python.md) is the tour.", ""]
    for section, names in SECTIONS.items():
        lines += [f"## {section}", ""]
        for name in names:
            lines += entry(f"volar.{name}", getattr(volar, name))
    lines += ["## Gymnasium", ""]
    for name in ("GraspEnv", "GraspVectorEnv"):
        lines += entry(f"volar.gym.{name}", getattr(volar.gym, name))
    lines += ["## NeuroRobotics Platform", "", "[nrp.md](nrp.md) lists the data packs.", ""]
    lines += entry("volar.nrp.VolarEngine", volar.nrp.VolarEngine)
    return "\n".join(lines).rstrip() + "\n"


def entry(name: str, thing: Any) -> list[str]:
    """A class with what it has, or a function."""
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return [f"### {name}", "", *contact_type(), ""]
    lines = [f"### {name}", "", *code(signature(name, thing)), *text(thing)]
    if inspect.isclass(thing):
        for owner in own_classes(thing):
            for attribute, kind, about in attributes(owner):
                lines.append(f"- **{attribute}**: `{kind}`. {about}".rstrip())
        for owner in own_classes(thing):
            for member, value in members(owner):
                lines += described(owner, member, value)
        lines.append("")
    return lines


def contact_type() -> list[str]:
    """The figures of a contact."""
    rows = [f"| `{n}` | {unit} | {about} |" for n, unit, _, about in volar._volar.contact_fields()]
    head = "Type of a record of `Contacts.array`: numbers of bodies `a` and `b`, and these figures,"
    return [
        head,
        "which are also attributes of `Contact`.",
        "",
        "| name | unit | what |",
        "|---|---|---|",
        *rows,
    ]


def own_classes(thing: type) -> list[type]:
    """A class and those of the package that it is derived from, these first."""
    return [c for c in reversed(thing.__mro__) if c.__module__.startswith("volar.")]


def members(owner: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class, in the order of the source."""
    for name, value in list(vars(owner).items()):
        if name.startswith("_") and name not in ("__matmul__",):
            continue
        if isinstance(value, property | classmethod) or inspect.isfunction(value):
            yield name, value


def described(owner: type, name: str, value: Any) -> list[str]:
    """A method or a property as an entry of a list."""
    about = indented(listed(inspect.getdoc(value) or ""))
    if isinstance(value, property):
        kind = owner.__annotations__.get(name) or value.fget.__annotations__["return"]
        settable = ", can be assigned" if value.fset else ""
        return [f"- **{name}**: `{kind}`{settable}. {about}"]
    function = value.__func__ if isinstance(value, classmethod) else value
    return [f"- `{name}{bare(function)}`  ", f"  {about}"]


def signature(name: str, thing: Any) -> str:
    """How it is called."""
    function = thing.__init__ if inspect.isclass(thing) else thing
    made = inspect.isclass(thing) and "__init__" in vars(thing) and "Args:" in (thing.__doc__ or "")
    if inspect.isclass(thing) and not made:
        return f"class {name}"
    return f"{'class ' if made else ''}{name}{bare(function)}"


def bare(function: Any) -> str:
    """The arguments without self, with their types as they are written."""
    given = inspect.signature(function)
    kept = [p for p in given.parameters.values() if p.name not in ("self", "cls")]
    ends = given.return_annotation
    result = given.replace(parameters=kept, return_annotation=inspect.Signature.empty)
    shown = str(result).replace("'", "")
    return shown if ends in (None, "None", inspect.Signature.empty) else f"{shown} -> {ends}"


def attributes(owner: type) -> Iterator[tuple[str, str, str]]:
    """Annotated attributes with their comments, from the source."""
    tree = ast.parse(inspect.getsource(owner).strip())
    lines = inspect.getsource(owner).strip().splitlines()
    (body,) = tree.body
    assert isinstance(body, ast.ClassDef)
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            about = []
            for line in reversed(lines[: node.lineno - 1]):
                if not line.strip().startswith("#:"):
                    break
                about.insert(0, line.strip()[2:].strip())
            if not name.startswith("_") and about:
                yield name, ast.unparse(node.annotation), " ".join(about)


def text(thing: Any) -> list[str]:
    """Its docstring."""
    return [listed(inspect.cleandoc(thing.__doc__ or "")), ""]


def listed(about: str) -> str:
    """A docstring with its arguments as a list."""
    lines: list[str] = []
    within = False
    for line in about.splitlines():
        if line in ("Args:", "Raises:", "Attributes:"):
            within = True
            lines += [f"{line}", ""]
        elif within and line.startswith("    ") and not line.startswith("     "):
            name, _, what = line.strip().partition(": ")
            lines.append(f"- `{name}`: {what}")
        elif within and line.startswith("     "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(line)
            within = within and not line
    return "\n".join(lines)


def code(line: str) -> list[str]:
    """A line of Python."""
    return ["```python", line, "```", ""]


def indented(about: str) -> str:
    """To stand in an entry of a list."""
    return about.replace("\n", "\n  ")


def main() -> int:
    """Write the page or compare it."""
    made = page()
    if "--check" in sys.argv[1:]:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
