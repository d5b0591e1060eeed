"""`beeline run`: all checks of a project against what is expected of them, with one table at the end."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from typing import Any

import click

from beeline.cli import guard
from beeline.cli.main import HOLDS, INTERNAL, UNKNOWN, USAGE, VIOLATED
from beeline.cli.project import Project, read_projects
from beeline.cli.project_checks import check_all, shown
from beeline.cli.report_files import ReportFiles, report_file_options
from beeline.columns import OF_VERDICT, Column, Look, laid_out, look
from beeline.records import replace
from beeline.report.verdicts import Case, counted
from beeline.trace.table import to_table

COLUMNS = (Column(), Column(12), Column(12), Column(), Column(), *[Column(right=True)] * 3)


@click.command("run")
@click.argument("project", nargs=-1, type=click.Path())
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Checks at once [default: as many as processors].")
@click.option("--only", metavar="PATTERN", help="Models whose path fits, such as '*/leader*'.")
@click.option("--full", is_flag=True, help="Show every step of long traces.")
@report_file_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def run_project(
    project: tuple[str, ...], jobs: int | None, only: str | None, full: bool, files: ReportFiles, as_json: bool
) -> int:
    """Check all that beeline.toml in the folder PROJECT asks for [default: this folder]; or models, by their paths or a
    pattern such as 'models/*.pml', of which all that they ask is to hold.

    Exit codes: 0 everything as expected, 1 another verdict than expected, 2 a model or the project has a mistake,
    3 some checks ended at a limit, 4 internal error."""
    found = read_projects(project or (".",))
    tasks = [task for task in found.tasks if only is None or fnmatch(shown(task.file), only)]
    if not tasks:
        raise click.UsageError(f"no model fits '{only}'")
    cases = check_all(tasks, _jobs(found, jobs), _told if sys.stderr.isatty() and not as_json else None)
    guard.answer = exit_code(cases)
    if as_json:
        click.echo(json.dumps({"ok": all(case.as_expected for case in cases), "cases": [_object(c) for c in cases]}))
    else:
        _show(cases, full)
    files.write(cases, quiet=as_json)
    return guard.answer


def _jobs(project: Project, asked: int | None) -> int:
    return asked or project.jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else [0]) or 1


def _told(case: Case) -> None:
    click.echo(f"{case.model}  {case.asked}: {case.word}", err=True)


def exit_code(cases: Sequence[Case]) -> int:
    """The worst that happened."""
    wrong = [case for case in cases if not case.as_expected]
    if any(case.verdict == "error" and case.reason.startswith("internal error") for case in wrong):
        return INTERNAL
    if any(case.verdict == "error" for case in wrong):
        return USAGE
    if any(case.verdict != "unknown" for case in wrong):
        return VIOLATED
    return UNKNOWN if wrong else HOLDS


def _show(cases: Sequence[Case], full: bool) -> None:
    """The table of all cases, and each that is not as expected with its trace."""
    how = look(full)
    rows = [("", "model", "property", "verdict", "expected", "steps", "states", "time"), *map(_row, cases)]

    def style(row: int, column: int) -> str | None:
        if row == 0:
            return "head"
        return ("good" if cases[row - 1].as_expected else "bad") if column in (0, 3) else None

    click.echo("\n".join(laid_out(rows, COLUMNS, how, style)), color=how.colour)
    wrong = [case for case in cases if not case.as_expected]
    for case in wrong:
        _show_wrong(case, how, full)
    click.echo(f"\n{counted(cases)}")


def _row(case: Case) -> tuple[str, ...]:
    return (
        "ok" if case.as_expected else "WRONG",
        case.model,
        case.asked,
        case.word,
        case.expected_word,
        "" if case.length is None else f"{case.length:,}",
        f"{case.states:,}" if case.states else "",
        f"{case.seconds:.2f} s",
    )


def _show_wrong(case: Case, how: Look, full: bool) -> None:
    verdict = how.paint(case.word, OF_VERDICT[case.verdict])
    said = f"\n{case.model}, {case.asked}: {verdict}, expected {case.expected_word}: {case.reason}"
    click.echo(said, color=how.colour)
    if case.trace is not None:
        # Also a log is for reading: only --full shows every step of a long trace.
        click.echo(f"\n{to_table(case.trace, replace(how, fold=not full))}", color=how.colour)
    elif case.details:
        click.echo(case.details)


def _object(case: Case) -> dict[str, Any]:
    return {
        "model": case.model,
        "property": case.asked,
        "property_kind": case.kind or None,
        "verdict": case.verdict,
        "expected": case.expected,
        "ok": case.as_expected,
        "reason": case.reason,
        "trace_length": case.length,
        "states": case.states,
        "time_s": case.seconds,
        "source": {"file": case.source.file, "line": case.source.line or None},
    }
