"""What the documentation shows is run: Python blocks as programs, lines that begin with `$ beeline` as commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "quickstart.md", ROOT / "docs" / "python-api.md"]
ALL_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in ALL_PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]
COMMANDS = [
    pytest.param(line, id=f"{page.stem}: {line}")
    for page in PAGES
    for line in re.findall(r"^\$ (beeline .*)$", page.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("block", PYTHON)
def test_a_python_block_runs(block: str) -> None:
    done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(command: str) -> None:
    arguments = shlex.split(command)[1:]
    program = "from beeline.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode in (0, 1), done.stderr
