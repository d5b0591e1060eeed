"""What measurements depend on: the machine, the compiler, and the tools that are installed."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

TOOLS = {
    "spin": ("spin", "-V"),
    "valgrind": ("valgrind", "--version"),
    "perf": ("perf", "--version"),
    "tck-reach": ("tck-reach", "--version"),
    "downward": ("downward", "--version"),
    "pins2lts-mc": ("pins2lts-mc", "--version"),
}
"""Programs of others that some suites run, with the way to ask for their version."""


def facts() -> dict[str, object]:
    """The first line of a file of results."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": platform.platform(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "compiler": compiler(),
        "revision": _said("git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"),
        "tools": {name: _said(*command) for name, command in TOOLS.items()},
    }


def compiler() -> str | None:
    """The C++ compiler that builds the engine here."""
    return _said(os.environ.get("CXX", "c++"), "--version")


def _said(*command: str) -> str | None:
    """The first line that a program prints, or None if it is not installed."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.strip().partition("\n")[0]


def _processor() -> str:
    """As Linux calls it."""
    cpus = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", cpus.read_text(), re.MULTILINE) if cpus.is_file() else None
    return found[1] if found else platform.processor()
