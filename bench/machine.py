"""The machine and the toolchain that figures belong to."""

import json
import os
import platform
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def pin_to_one_core() -> bool:
    """Keep this process and its children on one core, which holds thread pools to one thread."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return True


def describe() -> str:
    """Processor, cores, system, versions of Rust and Python."""
    rustc = subprocess.run(["rustc", "--version"], stdout=subprocess.PIPE, text=True, check=True)
    rust = re.sub(r" \(.*", "", rustc.stdout.strip())
    machine = f"{_cpu()}, {os.cpu_count()} cores, {platform.system()}"
    return f"{machine}; {rust}, Python {platform.python_version()}"


def build(*options: str, kind: str) -> Path:
    """Build with cargo and tell where the one program of that kind is."""
    out = subprocess.run(
        ["cargo", *options, "--message-format=json-render-diagnostics"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    artifacts = [json.loads(line) for line in out.splitlines()]
    return next(
        Path(a["executable"])
        for a in artifacts
        if a["reason"] == "compiler-artifact" and a["target"]["kind"] == [kind] and a["executable"]
    )


def _cpu() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE)
        if found:
            return found[1]
    return platform.processor() or platform.machine()
