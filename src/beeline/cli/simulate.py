"""`beeline simulate`: walk through a model, at random or step by step."""

from __future__ import annotations

import json

import click

from beeline.cli.main import HOLDS, VIOLATED
from beeline.cli.models import read_model
from beeline.cli.options import model_options
from beeline.model.network import Network
from beeline.model.source import ModelError, Source
from beeline.model.state import State
from beeline.simulate import at_random
from beeline.simulate import simulate as run_simulation
from beeline.timed.clocks import has_clocks
from beeline.timed.simulate import simulate_timed
from beeline.trace import Trace, TraceStep, to_json
from beeline.trace.formats import show_changes


@click.command()
@model_options
@click.option("--steps", default=100, show_default=True, type=click.IntRange(0), metavar="N", help="At most this many.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0), metavar="N", help="The same seed, the same walk."
)
@click.option("-i", "--interactive", is_flag=True, help="Choose each step yourself.")
@click.option("--json", "as_json", is_flag=True, help="The steps as one JSON list on standard output.")
def simulate(
    file: str,
    language: str | None,
    defines: tuple[tuple[str, str], ...],
    lossy: bool,
    steps: int,
    seed: int,
    interactive: bool,
    as_json: bool,
) -> int:
    """Walk through the model in FILE, at random or, with -i, step by step."""
    model = read_model(file, language, defines, lossy)
    if not isinstance(model, Network):
        raise ModelError("only networks can be simulated", Source(file), "call successors() of your class yourself")
    taken: list[TraceStep] = []
    walk = simulate_timed if has_clocks(model) else run_simulation
    for step in walk(model, _ask if interactive else at_random(seed), steps):
        taken.append(step)
        if not as_json:
            _show(step)
    if as_json:
        click.echo(json.dumps(to_json(Trace({}, tuple(taken)))))
    elif len(taken) < steps and not (taken and taken[-1].error) and not interactive:
        click.echo("no step is possible")
    return VIOLATED if taken and taken[-1].error else HOLDS


def _show(step: TraceStep) -> None:
    place = f"{step.source.line}: " if step.source.line else ""
    partners = "".join(f" with {process}" for process, _ in step.partners)
    click.echo(
        f"{step.number:>4}  {step.process}{partners}  {place}{step.action}  {show_changes(step.changes)}".rstrip()
    )
    for line in step.output:
        click.echo(f"      {line.rstrip()}")
    if step.error:
        click.secho(f"      ! {step.error}", bold=True)


def _ask(state: State, possible: list[TraceStep]) -> int | None:
    """Shows what is possible and reads a number; q or the end of the input ends the walk."""
    for position, step in enumerate(possible):
        click.echo(f"  [{position}] {step.process}: {step.action}", err=True)
    while True:
        try:
            answer = click.prompt("step (q to quit)", default="0", err=True).strip().lower()
        except click.Abort:
            click.echo(err=True)
            return None
        if answer in ("q", "quit", "exit"):
            return None
        if answer.isdecimal() and int(answer) < len(possible):
            return int(answer)
        click.echo(f"a number from 0 to {len(possible) - 1}, or q", err=True)
