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
from beeline.conformance.graph import complete_graph
from beeline.conformance.pytest_file import to_pytest
from beeline.conformance.suspension import QUIET, Suspension, suspension_of
from beeline.languages import LoadOptions
from beeline.lts import to_aldebaran
from beeline.mu.parser import parse_runs

FORMS = ("json", "pytest", "aut")


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
    with bounded(options) as result:
        found = system(file, language, reading, options)
        suspended = suspension_of(found, lambda label: any(fnmatchcase(label, one) for one in options["stimulus"]))
        cases = _cases(suspended, options)
        if not cases:
            click.echo("no test: the model does nothing of what is asked for", err=True)
            result.append(VIOLATED)
        else:
            outputs = {label for row in suspended.rows for label in row if not suspended.is_stimulus(label)} | {QUIET}
            _written(cases, form, output, Path(file).name, adapter, outputs)
            click.echo(f"{counted(len(cases), 'test')} of {counted(len(suspended.rows), 'state')}", err=True)
            result.append(HOLDS)
    return result[0]


def _cases(suspended: Suspension, options: dict[str, Any]) -> list[TestCase]:
    if options["purpose"] is None:
        return covering(suspended, options["further"])
    avoid = options["avoid"]
    graph = complete_graph(suspended, parse_runs(options["purpose"]), None if avoid is None else parse_runs(avoid))
    return [] if graph is None else [towards(graph)]


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
