"""`beeline doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import click

from beeline import __version__
from beeline.records import Record, asdict


class Finding(Record, frozen=True):
    """One thing that was looked for. `needed` ones must be there for Beeline to work at all."""

    name: str
    found: bool
    version: str
    use: str
    remedy: str
    needed: bool = False


class _Program(Record, frozen=True):
    name: str
    commands: tuple[str, ...]
    asks: tuple[str, ...]
    use: str
    remedy: str


PROGRAMS = (
    _Program("spin", ("spin",), ("-V",), "peers in the conformance tests", "apt install spin, or spinroot.com"),
    _Program("gcc", ("g++", "c++"), ("--version",), "builds Beeline from source", "apt install g++"),
    _Program(
        "cc",
        ("cc", "gcc", "clang"),
        ("--version",),
        "native code for models in long searches",
        "apt install gcc; without it searches run in bytecode",
    ),
    _Program(
        "chromium",
        ("chromium", "chromium-browser", "google-chrome"),
        ("--version",),
        "tests of the trace explorer; any browser shows it",
        "apt install chromium",
    ),
)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def doctor(as_json: bool) -> int:
    """Say what is installed, what is missing, and how to get it.

    The exit code is 0 if all that Beeline needs is there."""
    findings = examine()
    if as_json:
        click.echo(json.dumps({"version": __version__, "findings": [asdict(one) for one in findings]}))
    else:
        for one in findings:
            mark = "ok     " if one.found else "MISSING" if one.needed else "-      "
            click.echo(f"{mark}  {one.name:<16} {one.version or one.use}")
            if not one.found:
                click.echo(f"{'':<25} {'' if one.needed else 'optional: '}{one.remedy}")
    return 0 if all(one.found for one in findings if one.needed) else 1


def examine() -> list[Finding]:
    """Everything that was looked for, the needed things first."""
    here = [
        Finding("beeline", True, f"{__version__}, {_package_folder()}", "", "", True),
        Finding("python", sys.version_info >= (3, 11), platform.python_version(), "", "install Python 3.11", True),
        _native(),
    ]
    return [*here, *(_look_for(program) for program in PROGRAMS), _gpu()]


def _package_folder() -> str:
    return str(Path(__file__).parents[1])


def _native() -> Finding:
    try:
        from beeline.engine import core as module

        known = f"{len(module.opcodes())} instructions, {getattr(module, '__file__', '')}"
    except Exception as error:  # whatever keeps a shared library from loading
        return Finding("native engine", False, "", f"{error}", "pip install --force-reinstall beeline", True)
    return Finding("native engine", True, known, "", "", True)


def _gpu() -> Finding:
    from beeline.gpu.cuda import describe

    known, missing = describe()
    return Finding("gpu", not missing, known, "searches with --engine gpu", missing)


def _look_for(program: _Program) -> Finding:
    command = next((found for name in program.commands if (found := shutil.which(name))), None)
    version = _version([command, *program.asks]) if command is not None else ""
    return Finding(program.name, command is not None, version, program.use, program.remedy)


def _version(command: list[str]) -> str:
    """The first line that a program says about itself, or where it is."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
        lines = (done.stdout or done.stderr).strip().splitlines()
    except (OSError, subprocess.SubprocessError):
        lines = []
    return lines[0] if lines else command[0]
