"""What `beeline check` can tell besides the verdict: explanations, whole traces, and files for other programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from beeline.checking import Result
from beeline.model.network import Network
from beeline.report.automata import automata
from beeline.report.explain import explain as explain_trace
from beeline.report.explanation import Explanation
from beeline.report.junit import to_junit
from beeline.report.sarif import to_sarif
from beeline.report.state_graph import MOST_STATES, state_graph
from beeline.report.table import is_folded, look, to_table
from beeline.report.verdicts import Case

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Reports:
    """Which reports are wanted."""

    explain: bool = False
    full: bool = False
    junit: str | None = None
    sarif: str | None = None
    view: bool = False
    graph: bool = False

    def check_folders(self) -> None:
        """Before the search: a report that cannot be written is a mistake to hear of at once."""
        for option, file in (("--junit", self.junit), ("--sarif", self.sarif)):
            if file is not None and not Path(file).absolute().parent.is_dir():
                raise click.BadParameter(f"there is no folder for '{file}'", param_hint=option)

    def write(self, file: str, result: Result) -> None:
        """Writes the files that are wanted."""
        case = Case.of(file, result)
        for target, text in ((self.junit, to_junit), (self.sarif, to_sarif)):
            if target is not None:
                try:
                    Path(target).write_text(text([case]), encoding="utf-8")
                except OSError as error:
                    raise click.FileError(target, error.strerror or "") from None

    def explanation(self, model: Any, result: Result) -> Explanation | None:
        return explain_trace(model, result) if self.explain else None

    def details(self, model: Any, result: Result) -> dict[str, Any]:
        """What the trace explorer draws besides the trace: the automata, and the state graph if that is wanted."""
        told: dict[str, Any] = {}
        if isinstance(model, Network) and result.trace is not None:
            told["automata"] = automata(model)
        if model is not None and (self.graph or (self.view and result.trace is not None)):
            graph = state_graph(model, result)
            told["graph"] = None if graph is None else graph.to_json()
            if graph is None and self.graph:
                click.echo(f"the state graph has more than {MOST_STATES:,} states: it is left out", err=True)
        return told

    def show_page(self, file: str, told: dict[str, Any]) -> None:
        """Serves the trace explorer for a result until Ctrl-C, if that is wanted and there is something to see."""
        if self.view and told["trace"] is not None:
            from beeline.cli.view import serve
            from beeline.web.page import build_page, read_sources

            serve(build_page(told, read_sources(told, [Path(file)])))

    def show_trace(self, model: Any, result: Result) -> None:
        """The trace as this output can show it: a terminal's width and colours, or everything. What wrote last to what
        the property reads is not folded away."""
        if result.trace is None:
            return
        how = look(self.full)
        interesting: set[int] = set()
        if how.fold and is_folded(result.trace) and (why := explain_trace(model, result)) is not None:
            interesting = {write.step for write in why.writes if write.step}
        click.echo(to_table(result.trace, how, interesting), color=how.colour)


def report_options(command: F) -> F:
    """The options of `Reports`, which the command gets as its argument `reports`."""

    @functools.wraps(command)
    def collected(
        *arguments: Any,
        explain: bool,
        full: bool,
        junit: str | None,
        sarif: str | None,
        view: bool,
        graph: bool,
        **rest: Any,
    ) -> Any:
        reports = Reports(explain, full, junit, sarif, view, graph)
        reports.check_folders()
        return command(*arguments, reports=reports, **rest)

    wrapped: Any = collected
    path = click.Path(dir_okay=False, writable=True)
    for option in (
        click.option("--graph", is_flag=True, help="Put the state graph of a small space into the JSON object."),
        click.option("--view", is_flag=True, help="Explore the trace in the browser."),
        click.option("--sarif", type=path, metavar="FILE", help="Write a SARIF log."),
        click.option("--junit", type=path, metavar="FILE", help="Write a JUnit report."),
        click.option("--full", is_flag=True, help="Show every step of a long trace on a terminal."),
        click.option("--explain", is_flag=True, help="Say why the trace ends in an error."),
    ):
        wrapped = option(wrapped)
    result: F = wrapped
    return result
