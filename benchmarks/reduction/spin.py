"""SPIN on the same models: `pan` built with and without its own reduction."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .measure import Model

_STORED = re.compile(r"(\d+) states, stored")
_TIME = re.compile(r"elapsed time ([\d.]+) seconds")


def is_present() -> bool:
    return shutil.which("spin") is not None and shutil.which("gcc") is not None


def stored_states(model: Model, reduced: bool) -> tuple[int, float] | None:
    """States that `pan -c0 -n` stores in a search for safety, and its seconds; None if it does not get through."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(model.path, folder)
        flags = [f"-D{key}={value}" for key, value in model.defines]
        subprocess.run(["spin", *flags, "-a", model.path.name], cwd=folder, capture_output=True, check=False)
        build = [
            "gcc",
            "-O2",
            "-DSAFETY",
            "-DVECTORSZ=4096",
            *(() if reduced else ("-DNOREDUCE",)),
            "-o",
            "pan",
            "pan.c",
        ]
        if subprocess.run(build, cwd=folder, capture_output=True, check=False).returncode:
            return None
        pan = [str(Path(folder) / "pan"), "-c0", "-n", "-m1000000"]
        try:
            done = subprocess.run(pan, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return None
    stored, seconds = _STORED.search(done.stdout), _TIME.search(done.stdout)
    if stored is None or "max search depth too small" in done.stdout:
        return None
    return int(stored[1]), float(seconds[1]) if seconds is not None else 0.0
