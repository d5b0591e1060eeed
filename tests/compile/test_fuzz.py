"""Malformed bytecode, states, options and bytes at the border to the engine give Python exceptions and no crash."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def throw(first: int, tries: int, folder: Path) -> dict[str, int]:
    """Runs the tries in a process of its own; what became of them."""
    log = folder / "seed"
    command = [sys.executable, "-m", "tests.compile.fuzzing", str(first), str(tries), str(log)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, f"try {log.read_text().strip()} ended the process: {done.returncode}\n{done.stderr}"
    return {what: int(count) for count, what in (line.split(maxsplit=1) for line in done.stdout.splitlines())}


def test_three_thousand_tries_do_not_crash(tmp_path: Path) -> None:
    counts = throw(1, 3000, tmp_path)
    assert sum(counts.values()) == 3000
    # The tries must get past the doorman often enough to mean something, and be turned away often enough.
    assert counts["throw_tables: fine"] > 100
    assert counts["throw_tables: ValueError"] > 100
    assert counts["throw_state: fine"] > 100


@pytest.mark.slow
def test_a_hundred_thousand_tries_do_not_crash(tmp_path: Path) -> None:
    assert sum(throw(1_000_000, 100_000, tmp_path).values()) == 100_000
