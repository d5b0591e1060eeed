"""`beeline tests`: tests of an implementation, from its model."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from beeline.cli.lts import bounded, system, system_options, write
from beeline.cli.main import HOLDS, VIOLATED
from beeline.cli.options import model_options
from beeline.cli.progress import counted
from beeline.conformance.cases import TestCase, covering, towards
from beeline.conformance.graph import TestGraph, complete_graph
from beeline.conformance.pytest_file import to_pytest
from beeline.conformance.suspension import QUIET, Suspension, suspension_of
from beeline.languages import LoadOptions
from beeline.lts import to_aldebaran
from beeline.mu.parser import parse_runs

FORMS = ("json", "pytest", "aut", "graph")


@click.command()
@model_options
@system_options
@click.option("--stimulus", multiple=True, required=True, metavar="LABEL", help="A label that tests do; * is any text.")
@click.option("--purpose", metavar="RUNS", help="What a test is to see, as in `-*.a.(not b)*.c`.")
@click.option("--avoid", metavar="RUNS", help="What is not to happen before.")
@click.option(
    "--further", type=click.IntRange(0), default=1, show_default=True, help="Without a purpose: labels after each arc."
)
@click.option("--form", type=click.Choice(FORMS), default=FORMS[0], show_default=True, help="How tests are written.")
@click.option("--adapter", metavar="MODULE:CLASS", help="Of the implementation, for pytest.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="[default: standard output]")
def tests(file: str, language: str | None, reading: LoadOptions, form: str, output: str | None, **options: Any) -> int:
    """Generate tests of an implementation from the model in FILE: for a purpose, or for all that the model does."""
    adapter = options["adapter"]
    if (form == "pytest") != (adapter is not None) or (adapter and not re.fullmatch(r"[\w.]+:\w+", adapter)):
        raise click.BadParameter("--form pytest goes with --adapter MODULE:CLASS", param_hint="--adapter")
    if form == "graph" and options["purpose"] is None:
        raise click.BadParameter("--form graph goes with --purpose", param_hint="--form")
    with bounded(options) as result:
        found = system(file, language, reading, options)
        suspended = suspension_of(found, lambda label: any(fnmatchcase(label, one) for one in options["stimulus"]))
        graph = None if options["purpose"] is None else _graph(suspended, options)
        if graph is None and options["purpose"] is not None:
            click.echo("no test: the model does nothing of what is asked for", err=True)
            result.append(VIOLATED)
        else:
            cases = covering(suspended, options["further"]) if graph is None else [towards(graph)]
            outputs = {label for row in suspended.rows for label in row if not suspended.is_stimulus(label)} | {QUIET}
            if graph is not None and form == "graph":
                write(to_aldebaran(graph.lts()), output)
            else:
                _written(cases, form, output, Path(file).name, adapter, outputs)
            size = f"{counted(len(cases), 'test')} of {counted(len(suspended.rows), 'state')}"
            click.echo(size + ("" if graph is None else f"; complete test graph: {_size(graph)}"), err=True)
            result.append(HOLDS)
    return result[0]


def _graph(suspended: Suspension, options: dict[str, Any]) -> TestGraph | None:
    avoid = options["avoid"]
    return complete_graph(suspended, parse_runs(options["purpose"]), None if avoid is None else parse_runs(avoid))


def _size(graph: TestGraph) -> str:
    return f"{counted(len(graph.rows), 'state')}, {counted(sum(map(len, graph.rows)), 'arc')}"


def _written(
    cases: list[TestCase], form: str, output: str | None, model: str, adapter: str | None, outputs: set[str]
) -> None:
    if form == "json":
        write(json.dumps([case.as_object() for case in cases], indent=1) + "\n", output)
    elif form == "pytest":
        assert adapter is not None
        write(to_pytest(cases, model, adapter), output)
    else:
        write("".join(to_aldebaran(case.lts(outputs)) for case in cases), output)
