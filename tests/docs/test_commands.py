"""Commands in the documentation: all of them run, and what they are shown to print is what they print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from tests.docs.shell import Shell

from beeline.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:\$ | *- run: )?((?:beeline|cd) [^\s].*)")
PLACEHOLDER = re.compile(r" (FILE|FOLDER|LANGUAGE|RESULT|SHELL)\b")
TIMES = re.compile(
    r"\d[\d.,]*(?= (s|[KMG]iB|B|states per second|bytes per state)\b)|\(\d[\d.,]* (states|bytes) per \w+\)"
)


@dataclass(frozen=True)
class Shown:
    """A command of a page, with the lines that the page shows below it."""

    command: str
    output: tuple[str, ...] = ()


def commands(page: Path) -> list[Shown]:
    """Every line of a block that calls beeline, in order. Output is shown below commands with a `$` only."""
    found: list[Shown] = []
    for _, text in BLOCK.findall(page.read_text()):
        prompt = False
        for line in text.splitlines():
            begins = COMMAND.fullmatch(line)
            if begins is not None:
                prompt = line.startswith("$ ")
                found.append(Shown(begins[1]))
            elif prompt:
                found[-1] = Shown(found[-1].command, (*found[-1].output, line))
    return found


SHOWN = {page.name: commands(page) for page in PAGES}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.setattr("beeline.cli.view.serve", lambda *_: 0)
    return Shell(tmp_path)


@pytest.mark.parametrize("page", [name for name, shown in SHOWN.items() if shown])
def test_the_commands_of_a_page_run_and_print_what_is_shown(page: str, shell: Shell) -> None:
    for shown in SHOWN[page]:
        if PLACEHOLDER.search(shown.command):
            check_options(shown.command)
            continue
        code, printed = shell.run(shown.command)
        # Without output to read, a reader expects an answer: that it holds, or that it does not.
        assert code in ((0, 1, 2, 3) if shown.output else (0, 1)), f"{shown.command}\n{printed}"
        if any(shown.output):
            assert_same(shown, printed.splitlines())


def check_options(command: str) -> None:
    """Of a command that names no real file."""
    name = command.split()[1]
    known = {option for parameter in _command(name).params for option in (*parameter.opts, *parameter.secondary_opts)}
    given = {word.partition("=")[0] for word in command.split() if word.startswith("--")}
    assert given <= known | {"--help"}, command


def _command(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None, name
    return command


def assert_same(shown: Shown, printed: list[str]) -> None:
    """Line by line, but for times and sizes; `...` stands for any lines."""
    remaining = [TIMES.sub("_", line).rstrip() for line in printed]
    anything = False
    for line in (TIMES.sub("_", line).rstrip() for line in shown.output):
        if line == "...":
            anything = True
            continue
        position = remaining.index(line) if anything and line in remaining else 0
        assert remaining[position : position + 1] == [line], shown.command
        del remaining[: position + 1]
        anything = False
    assert anything or not any(remaining), shown.command


def test_options_in_running_text_exist() -> None:
    """In backquotes, such as `--max-depth N`; SPIN's and others' begin with one dash."""
    known = {option for name in COMMANDS for parameter in _command(name).params for option in parameter.opts}
    for page in PAGES:
        text = BLOCK.sub("", page.read_text())
        for option in re.findall(r"`(--[a-z][a-z-]+)", text):
            assert option in known | {"--help"}, f"{page.name}: {option}"


def test_every_target_of_make_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        named = re.findall(r"(?:^|`|\$ )make ([a-z-]+)", page.read_text(), re.MULTILINE)
        assert set(named) <= targets, page.name
