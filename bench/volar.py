"""The `volar` command, asked for the summary of a run."""

import html
import json
import resource
import subprocess
from pathlib import Path
from typing import Any

import machine
from measures import Measures


class Volar:
    """The command, built for release."""

    def __init__(self, program: Path | None = None, timeout: float | None = None) -> None:
        """Build it, unless a program is given; a run ends after the timeout, s."""
        release = ["build", "--release", "-p", "volar-cli", "--bin", "volar"]
        self.program = program or machine.build(*release, kind="bin")
        self.timeout = timeout

    def run(self, scene: str | Path, *options: str) -> dict[str, Any]:
        """Run a scene, recording nothing; see `ask`."""
        return self.ask("run", str(scene), *options)

    def ask(self, *words: str) -> dict[str, Any]:
        """What a command tells as JSON, or why it does not as `refused`.

        `cpu_s` is what the whole process took, with loading.
        """
        command = [self.program, *words, "--json"]
        before = _children_s()
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=self.timeout
            )
            return {**json.loads(run.stdout), "cpu_s": _children_s() - before}
        except subprocess.TimeoutExpired:
            return {"refused": f"not done after {self.timeout:.0f} s"}
        except json.JSONDecodeError:
            said = run.stderr.strip() or run.stdout.strip() or f"exit code {run.returncode}"
            return {"refused": said}

    def succeeds(self, *words: str) -> bool:
        """Whether a command ends without an error."""
        command = [self.program, *words]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def one_line(message: str, names: dict[str, str]) -> str:
    """A message in one line, with other names for the folders of this machine."""
    for folder in sorted(names, key=len, reverse=True):
        message = message.replace(folder, names[folder])
    # Angle brackets would be taken for HTML.
    return html.escape(" ".join(message.split()).removeprefix("error: "), quote=False)


def _children_s() -> float:
    """Processor time of all processes started from here that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measures(summary: dict[str, Any]) -> Measures:
    """Those of a run that has a summary."""
    failure = summary["failure"]
    return Measures(
        held=summary["held"],
        drift_mm=summary["drift_mm"],
        rotation_deg=summary["rotation_deg"],
        forces=summary["normal_force_n"],
        max_depth_mm=summary["max_depth_mm"],
        energy_ratio=summary["kinetic_energy_ratio"],
        failure=f"{failure['what']} after {failure['time_s']:.2f} s" if failure else None,
    )
