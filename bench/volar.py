"""The `volar` command, asked for the summary of a run."""

import json
import subprocess
from pathlib import Path
from typing import Any

import machine
from measures import Measures


class Volar:
    """The command, built for release."""

    def __init__(self, program: Path | None = None) -> None:
        """Build it, unless a program is given."""
        release = ["build", "--release", "-p", "volar-cli", "--bin", "volar"]
        self.program = program or machine.build(*release, kind="bin")

    def run(self, scene: str | Path) -> dict[str, Any]:
        """Run a scene, recording nothing; the summary, or `failure` alone if there is none."""
        run = subprocess.run(
            [self.program, "run", scene, "--json"], capture_output=True, text=True, check=False
        )
        try:
            return json.loads(run.stdout)
        except json.JSONDecodeError:
            said = run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}"
            return {"failure": said}


def measures(summary: dict[str, Any]) -> Measures:
    """Those of a run that has a summary."""
    return Measures(
        held=summary["held"],
        drift_mm=summary["drift_mm"],
        rotation_deg=summary["rotation_deg"],
        forces=summary["normal_force_n"],
        max_depth_mm=summary["max_depth_mm"],
        energy_ratio=summary["kinetic_energy_ratio"],
        failure=summary["failure"],
    )
