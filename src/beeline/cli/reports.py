"""What `beeline check` can tell besides the verdict: explanations, whole traces, and files for other programs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from beeline.cli.report_files import ReportFiles, report, report_file_options
from beeline.columns import look
from beeline.model.network import Network
from beeline.records import Record

if TYPE_CHECKING:
    from beeline.checking import Result
    from beeline.report.explanation import Explanation

F = TypeVar("F", bound=Callable[..., Any])


class Reports(Record, frozen=True):
    """Which reports are wanted."""

    explain: bool = False
    full: bool = False
    chart: bool = False
    view: bool = False
    graph: bool = False
    files: ReportFiles = ReportFiles()

    def write(self, file: str, results: Sequence[Result], quiet: bool) -> None:
        """Writes the files that are wanted, with a case for each result."""
        if self.files.wanted:
            from beeline.report.verdicts import Case

            self.files.write([Case.of(file, result) for result in results], quiet)

    def explanation(self, model: Any, result: Result) -> Explanation | None:
        if self.explain:
            from beeline.report.explain import explain

            with report("--explain"):
                return explain(model, result)
        return None

    def show_explanation(self, why: Explanation | None) -> None:
        if why is not None:
            from beeline.report.explanation import to_text

            click.echo(f"\n{to_text(why)}")

    def told(self, file: str, model: Any, results: Sequence[Result]) -> dict[str, Any]:
        """The JSON object: the result that matters most, a line for each answer, and the other results in full."""
        from beeline.checking import leading
        from beeline.report.objects import answer_object

        first = leading(results)
        return {
            **self._one(file, model, first),
            "answers": [answer_object(result) for result in results],
            "others": [self._one(file, model, result) for result in results if result is not first],
        }

    def _one(self, file: str, model: Any, result: Result) -> dict[str, Any]:
        """What the documentation says of a result, what the trace explorer draws, and the explanation."""
        from beeline.report.objects import result_object

        told = {**result_object(result), "model": file, **self._details(model, result)}
        why = self.explanation(model, result)
        if why is None:
            return told
        from beeline.report.explanation import to_json

        return {**told, "explanation": to_json(why)}

    def _details(self, model: Any, result: Result) -> dict[str, Any]:
        """What the trace explorer draws besides the trace: the automata, and the state graph if that is wanted."""
        from beeline.report.automata import automata
        from beeline.report.state_graph import MOST_STATES, state_graph

        told: dict[str, Any] = {}
        if isinstance(model, Network) and result.trace is not None:
            told["automata"] = automata(model)
        if model is not None and (self.graph or (self.view and result.trace is not None)):
            told["graph"] = None
            with report("--graph"):
                graph = state_graph(model, result)
                told["graph"] = None if graph is None else graph.to_json()
                if graph is None and self.graph:
                    click.echo(f"the state graph has more than {MOST_STATES:,} states: it is left out", err=True)
        return told

    def show_page(self, file: str, told: dict[str, Any]) -> None:
        """Serves the trace explorer for a result until Ctrl-C, if there is something to see."""
        if told.get("trace") is not None:
            from beeline.cli.view import serve
            from beeline.web.page import build_page, read_sources

            serve(build_page(told, read_sources(told, [Path(file)])))

    def show_trace(self, model: Any, result: Result) -> None:
        """The trace as this output can show it: a terminal's width and colours, or everything. What wrote last to what
        the property reads is not folded away."""
        if result.trace is None:
            return
        how = look(self.full)
        if self.chart:
            from beeline.trace.chart import to_chart

            click.echo(to_chart(result.trace, how), color=how.colour)
            return
        from beeline.trace.table import is_folded, to_table

        interesting: set[int] = set()
        if how.fold and is_folded(result.trace):
            from beeline.report.explain import explain

            with report("the steps that matter"):
                why = explain(model, result)
                interesting = {write.step for write in why.writes if write.step} if why is not None else set()
        click.echo(to_table(result.trace, how, interesting), color=how.colour)
        for branch in result.branches:
            click.echo(f"\nfrom state {branch.at} on, for {branch.claim}:")
            click.echo(to_table(branch.trace, how, set()), color=how.colour)


def report_options(command: F) -> F:
    """The options of `Reports`, which the command gets as its argument `reports`."""

    @functools.wraps(command)
    def collected(
        *arguments: Any,
        explain: bool,
        full: bool,
        chart: bool,
        view: bool,
        graph: bool,
        files: ReportFiles,
        **rest: Any,
    ) -> Any:
        return command(*arguments, reports=Reports(explain, full, chart, view, graph, files), **rest)

    wrapped: Any = report_file_options(collected)
    for option in (
        click.option("--graph", is_flag=True, help="Put the state graph of a small space into the JSON object."),
        click.option("--view", is_flag=True, help="Explore the trace in the browser."),
        click.option("--chart", is_flag=True, help="Show the trace as a chart: a column for each process."),
        click.option("--full", is_flag=True, help="Show every step of a long trace on a terminal."),
        click.option("--explain", is_flag=True, help="Say why the trace ends in an error."),
    ):
        wrapped = option(wrapped)
    result: F = wrapped
    return result
