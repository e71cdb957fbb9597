"""The figures of a summary, by name."""

from __future__ import annotations

from typing import Any


def _figure(name: str, about: str) -> Any:
    """An attribute that is a figure of the summary."""
    return property(lambda figures: figures.summary.get(name), doc=about)


class Figures:
    """The figures of a run as attributes; docs/summary.md says how and when each is
    measured. Those of a grasp are None where the scene has none."""

    __slots__ = ("summary",)

    #: All figures by name, as `volar run --json` prints them.
    summary: dict[str, Any]

    scene: str = _figure("scene", "Name of the scene.")
    law: str = _figure("law", "Contact law: `foundation` or `paper`.")
    integrator: str = _figure("integrator", "`implicit` or `rk45`.")
    duration_s: float = _figure("duration_s", "Simulated time at the end, s.")
    held: bool | None = _figure("held", "Whether the object was held.")
    verdict: str | None = _figure("verdict", "The same in words, with what is doubtful about it.")
    drift_mm: float | None = _figure(
        "drift_mm", "How far the object's centre of mass moved in the palm's frame, mm."
    )
    rotation_deg: float | None = _figure(
        "rotation_deg", "By how much the object rotated in the palm's frame, degrees."
    )
    creep_um_per_s: float | None = _figure(
        "creep_um_per_s", "Drift per second over the last second, µm/s."
    )
    creep_deg_per_s: float | None = _figure(
        "creep_deg_per_s", "Rotation per second over the last second, degrees per second."
    )
    slip_um: float | None = _figure("slip_um", "Largest plastic slip of a contact, µm.")
    friction_margin: float | None = _figure(
        "friction_margin",
        "Least of 1 - friction / limit over the object's contacts in the last second; 0 where "
        "it slips.",
    )
    normal_force_n: dict[str, float] = _figure(
        "normal_force_n", "Mean normal force on the object over the last second by finger, N."
    )
    force_std_n: float | None = _figure(
        "force_std_n", "Largest standard deviation of these over time, N."
    )
    palm_load_n: float | None = _figure(
        "palm_load_n", "Mean normal force between palm and object over the last second, N."
    )
    max_force_n: float = _figure(
        "max_force_n", "Largest normal force between two bodies in the whole run, N."
    )
    max_depth_mm: float = _figure(
        "max_depth_mm", "Largest depth of a contact in the whole run, mm."
    )
    phases: list[dict[str, Any]] = _figure(
        "phases",
        "Each phase of the grasp by itself: `name`, `held`, `verdict`, `drift_mm`, "
        "`rotation_deg`, `friction_margin`.",
    )
    kinetic_energy_ratio: float | None = _figure(
        "kinetic_energy_ratio",
        "Mean kinetic energy of the object over that of its mass at the velocity of the palm.",
    )
    pull_loads_n: dict[str, float | None] | None = _figure(
        "pull_loads_n",
        "Load at which the object slipped by direction of the palm's frame (`+x` to `-z`), N; "
        "None where it held up to the limit. None for a scene without pulls.",
    )
    start_overlap: dict[str, float] | None = _figure(
        "start_overlap",
        "What was in each other at the start: depth (mm) and volume (mm³) between hand and object "
        "and within the hand.",
    )
    quality: dict[str, Any] | None = _figure(
        "quality",
        "Static quality of the grasp by contact model, see docs/quality.md; None if the scene does "
        "not ask for it.",
    )
    steps: int = _figure("steps", "Steps taken.")
    rejected: int = _figure("rejected", "Steps that were rejected and repeated shorter.")
    evaluations: int = _figure("evaluations", "Evaluations of the equations of motion.")
    wall_s: float = _figure("wall_s", "Wall time of the simulation, s.")
    real_time_factor: float = _figure("real_time_factor", "Simulated over wall time.")
    failure: dict[str, Any] | None = _figure(
        "failure", "The first failure: `kind`, `what` and `time_s` (s); None without one."
    )
    warnings: list[str] = _figure("warnings", "Warnings, as sentences.")
    notes: list[dict[str, Any]] = _figure(
        "notes",
        "What of the robots' files is not simulated or was changed: `robot`, `kind`, `what`, "
        "`detail`, `names`.",
    )
