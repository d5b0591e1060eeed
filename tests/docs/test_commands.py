"""Commands in the documentation: their options exist, and what they are shown to print is what they print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from beeline.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TIMES = re.compile(
    r"\d[\d.,]*(?= (s|[KMG]iB|B|states per second|bytes per state)\b)|\(\d[\d.,]* (states|bytes) per \w+\)"
)


@dataclass(frozen=True)
class Shown:
    """A command of a page, with the lines that the page shows below it."""

    page: str
    command: str
    output: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.page}: {self.command}"


def commands(page: Path) -> list[Shown]:
    """Every line of a block that calls beeline. Output is shown below commands with a `$` only."""
    found: list[Shown] = []
    for _, text in BLOCK.findall(page.read_text()):
        for line in text.splitlines():
            begins = re.match(r"(?:\$ |- run: |\s+)?(beeline [a-z].*)", line)
            if begins is not None:
                found.append(Shown(page.name, begins[1]))
            elif found and "$ " + found[-1].command in text:
                found[-1] = Shown(page.name, found[-1].command, (*found[-1].output, line))
    return found


EVERYTHING = [shown for page in PAGES for shown in commands(page)]
WITH_OUTPUT = [shown for shown in EVERYTHING if shown.output]


def arguments_of(command: str) -> list[str]:
    """Up to a comment, a pipe, or another command."""
    words = shlex.split(command, comments=True)
    ends = [position for position, word in enumerate(words) if word in ("|", ">", "&&", "||", ";")]
    return words[1 : min(ends, default=len(words))]


@pytest.mark.parametrize("shown", EVERYTHING, ids=str)
def test_the_options_of_a_command_exist(shown: Shown) -> None:
    name, *rest = arguments_of(shown.command)
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, click.Command)
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    given = {word.partition("=")[0] for word in rest if word.startswith("--")}
    assert given <= known | {"--help"}


@pytest.mark.parametrize("shown", WITH_OUTPUT, ids=str)
def test_a_command_prints_what_is_shown(shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "models").symlink_to(ROOT / "models")
    program = [sys.executable, "-c", "from beeline.cli import main; main()", *arguments_of(shown.command)]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1, 2, 3)
    assert_same(shown.output, (done.stdout + done.stderr).splitlines())


def assert_same(shown: tuple[str, ...], printed: list[str]) -> None:
    """Line by line, but for times and sizes; `...` stands for any lines."""
    remaining = [TIMES.sub("_", line).rstrip() for line in printed]
    anything = False
    for line in (TIMES.sub("_", line).rstrip() for line in shown):
        if line == "...":
            anything = True
            continue
        position = remaining.index(line) if anything and line in remaining else 0
        assert remaining[position : position + 1] == [line]
        del remaining[: position + 1]
        anything = False
    assert anything or not any(remaining)
