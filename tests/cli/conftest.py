"""The command line as tests use it: in this process, with what came out on either side and the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from beeline.cli import main

MODELS = Path(__file__).parents[2] / "models" / "python"


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        assert self.out.count("\n") == 1
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


Beeline = Callable[..., Done]


@pytest.fixture
def beeline(capfd: pytest.CaptureFixture[str]) -> Beeline:
    """Runs a command line such as ``beeline("check", file, "--json")``."""

    def run(*arguments: str | Path) -> Done:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        written = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return Done(left.value.code, written.out, written.err)

    return run


@pytest.fixture
def model(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a Python model into a file of its own."""

    def write(text: str) -> Path:
        file = tmp_path / "model.py"
        file.write_text(text)
        return file

    return write
