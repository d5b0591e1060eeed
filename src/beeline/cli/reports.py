"""What `beeline check` can tell besides the verdict: explanations, whole traces, and files for other programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from beeline.model.network import Network
from beeline.records import Record
from beeline.report.look import look

if TYPE_CHECKING:
    from beeline.checking import Result
    from beeline.report.explanation import Explanation
    from beeline.report.verdicts import Case

F = TypeVar("F", bound=Callable[..., Any])


class Reports(Record, frozen=True):
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
        if self.junit is not None:
            from beeline.report.junit import to_junit

            _write(self.junit, to_junit, file, result)
        if self.sarif is not None:
            from beeline.report.sarif import to_sarif

            _write(self.sarif, to_sarif, file, result)

    def explanation(self, model: Any, result: Result) -> Explanation | None:
        if not self.explain:
            return None
        from beeline.report.explain import explain

        return explain(model, result)

    def show_explanation(self, why: Explanation | None) -> None:
        if why is not None:
            from beeline.report.explanation import to_text

            click.echo(f"\n{to_text(why)}")

    def told(self, file: str, model: Any, result: Result, why: Explanation | None) -> dict[str, Any]:
        """The JSON object of a result: what the documentation says, what the trace explorer draws, and the
        explanation."""
        from beeline.report.explanation import to_json
        from beeline.report.objects import result_object

        told = {**result_object(result), "model": file, **self._details(model, result)}
        return told if why is None else {**told, "explanation": to_json(why)}

    def _details(self, model: Any, result: Result) -> dict[str, Any]:
        """What the trace explorer draws besides the trace: the automata, and the state graph if that is wanted."""
        from beeline.report.automata import automata
        from beeline.report.state_graph import MOST_STATES, state_graph

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
        """Serves the trace explorer for a result until Ctrl-C, if there is something to see."""
        if told["trace"] is not None:
            from beeline.cli.view import serve
            from beeline.web.page import build_page, read_sources

            serve(build_page(told, read_sources(told, [Path(file)])))

    def show_trace(self, model: Any, result: Result) -> None:
        """The trace as this output can show it: a terminal's width and colours, or everything. What wrote last to what
        the property reads is not folded away."""
        if result.trace is None:
            return
        from beeline.report.table import is_folded, to_table

        how = look(self.full)
        interesting: set[int] = set()
        if how.fold and is_folded(result.trace):
            from beeline.report.explain import explain

            why = explain(model, result)
            interesting = {write.step for write in why.writes if write.step} if why is not None else set()
        click.echo(to_table(result.trace, how, interesting), color=how.colour)


def _write(target: str, text: Callable[[list[Case]], str], file: str, result: Result) -> None:
    from beeline.report.verdicts import Case

    try:
        Path(target).write_text(text([Case.of(file, result)]), encoding="utf-8")
    except OSError as error:
        raise click.FileError(target, error.strerror or "") from None


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
