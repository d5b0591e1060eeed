"""What a release needs: one version, one licence, files that tools read."""

from __future__ import annotations

import tomllib
from importlib.metadata import metadata
from pathlib import Path

import beeline

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_version_is_written_once() -> None:
    assert "version" in PROJECT["dynamic"]
    assert metadata("beeline")["Version"] == beeline.__version__


def test_the_licence_is_apache() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text()
    assert "license: Apache-2.0" in (ROOT / "CITATION.cff").read_text()


def test_tools_that_judge_style_are_pinned() -> None:
    pinned = {name.split("==")[0] for name in PROJECT["optional-dependencies"]["dev"] if "==" in name}
    assert {"ruff", "mypy", "clang-format"} <= pinned
