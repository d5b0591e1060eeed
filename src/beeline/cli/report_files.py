"""Reports for other programs: files that `beeline check` and `beeline run` write besides what they print."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from beeline.cli import guard
from beeline.engine.budget import REPORTING, LimitReached, doing, spend
from beeline.model.source import BeelineError
from beeline.records import Record

if TYPE_CHECKING:
    from beeline.report.verdicts import Case

F = TypeVar("F", bound=Callable[..., Any])


class ReportFiles(Record, frozen=True):
    """Which files are wanted. In a job of GitHub's Actions there are also annotations on standard output, and a summary
    in the file that the job names."""

    junit: str | None = None
    sarif: str | None = None
    summary: str | None = None

    @property
    def wanted(self) -> bool:
        return bool(self.junit or self.sarif or self.summary or _in_actions())

    def write(self, cases: Sequence[Case], quiet: bool = False) -> None:
        """Writes them. With `quiet`, standard output is for something else."""
        if self.junit is not None:
            from beeline.report.junit import to_junit

            with report("--junit"):
                Path(self.junit).write_text(to_junit(cases), encoding="utf-8")
        if self.sarif is not None:
            from beeline.report.sarif import to_sarif

            with report("--sarif"):
                Path(self.sarif).write_text(to_sarif(cases), encoding="utf-8")
        self._tell_github(cases, quiet)

    def _tell_github(self, cases: Sequence[Case], quiet: bool) -> None:
        job = os.environ.get("GITHUB_STEP_SUMMARY") if _in_actions() else None
        if self.summary is None and not _in_actions():
            return
        from beeline.report.github import to_summary, workflow_commands

        with report("--summary"):
            if self.summary is not None:
                Path(self.summary).write_text(to_summary(cases), encoding="utf-8")
            elif job:
                with Path(job).open("a", encoding="utf-8") as file:
                    file.write(to_summary(cases))
        if _in_actions() and not quiet:
            for line in workflow_commands(cases):
                click.echo(line)


def _in_actions() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


@contextmanager
def report(what: str) -> Iterator[None]:
    """Around a report about an answer, which it must not cost: if it cannot be made or written, that is said. It has
    the time that is left, and some more."""
    try:
        with spend(guard.left_for_reports()):
            doing(REPORTING)
            yield
    except LimitReached:
        click.echo(f"error: {what}: there was no time left for it", err=True)
    except MemoryError:
        click.echo(f"error: {what}: there was no memory left for it", err=True)
    except OSError as error:
        click.echo(f"error: {what}: {error.strerror}{f': {error.filename}' if error.filename else ''}", err=True)
    except BeelineError as error:
        click.echo(f"error: {what}: {error}", err=True)


def check_writable(option: str, file: str | None) -> None:
    """A file that cannot be written is a mistake to hear of before the search."""
    if file is None:
        return
    folder = Path(file).absolute().parent
    if not folder.is_dir():
        raise click.BadParameter(f"there is no folder for '{file}'", param_hint=option)
    if not os.access(folder, os.W_OK) and not os.access(file, os.W_OK):
        raise click.BadParameter(f"'{file}' cannot be written", param_hint=option)


def report_file_options(command: F) -> F:
    """The options of `ReportFiles`, which the command gets as its argument `files`."""

    @functools.wraps(command)
    def collected(*arguments: Any, junit: str | None, sarif: str | None, summary: str | None, **rest: Any) -> Any:
        for option, file in (("--junit", junit), ("--sarif", sarif), ("--summary", summary)):
            check_writable(option, file)
        return command(*arguments, files=ReportFiles(junit, sarif, summary), **rest)

    wrapped: Any = collected
    path = click.Path(dir_okay=False, writable=True)
    for option in (
        click.option(
            "--summary", type=path, metavar="FILE", help="Write a summary in Markdown, for the page of a job."
        ),
        click.option("--sarif", type=path, metavar="FILE", help="Write a SARIF log."),
        click.option("--junit", type=path, metavar="FILE", help="Write a JUnit report."),
    ):
        wrapped = option(wrapped)
    result: F = wrapped
    return result
