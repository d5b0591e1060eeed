"""The extension for VS Code knows the languages that are read here. What it does is tested by `make editor`."""

from __future__ import annotations

import json
from pathlib import Path

from beeline.cli.main import COMMANDS
from beeline.languages import languages

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text())
SHARED = {".p", ".m", ".xml"}  # with languages that more people use


def test_it_knows_the_suffixes_of_every_language_that_a_server_may_read() -> None:
    known = {one["id"]: set(one.get("extensions", [])) for one in PACKAGE["contributes"]["languages"]}
    for language in languages():
        if language.read is not None:
            assert set(language.suffixes) - SHARED <= known[language.name], language.name


def test_every_file_that_it_names_is_there() -> None:
    contributes = PACKAGE["contributes"]
    named = [one["path"] for one in contributes["grammars"]]
    named += [one["configuration"] for one in contributes["languages"] if "configuration" in one]
    assert named and all((FOLDER / name).is_file() for name in named)


def test_the_server_that_it_starts_is_a_command() -> None:
    assert "language-server" in COMMANDS
    assert '"language-server"' in (FOLDER / "src" / "extension.js").read_text()
