"""What a benchmark ran on: processor, cores, memory, load, and the versions of what was run."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
GIB = 2**30


def machine() -> dict[str, Any]:
    """The machine as it is at this moment; `load` is its load average over 1, 5, 15 minutes."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _cores(),
        "memory_gib": round(psutil.virtual_memory().total / GIB, 1),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "load": [round(value, 2) for value in os.getloadavg()],
    }


def about() -> dict[str, Any]:
    """When, on what, and which state of the code."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "machine": machine(),
    }


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The installed version of each package, or "not installed"."""
    found = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def heading(facts: dict[str, Any]) -> str:
    """The same in three lines, for the terminal."""
    box = facts["machine"]
    load = " ".join(f"{value:.2f}" for value in box["load"])
    busy = box["load"][0] > box["cores"] / 2
    return (
        f"{facts['at']}  commit {facts['commit']}\n"
        f"{box['cpu']}, {box['cores']} cores, {box['memory_gib']} GiB, {box['system']}, "
        f"Python {box['python']}\n"
        f"load average {load}"
        + (" — the machine is busy: its times are worse than they could be" if busy else "")
    )


def _cores() -> int:
    return os.cpu_count() or 1


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if sys.platform == "linux" and info.exists():
        for line in info.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """The short id of the commit, with "+" if files differ from it; "unknown" without Git."""
    try:
        words = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
        found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()
