"""`beeline simulate`: walk through a model, at random, step by step, or along a trace."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import click

from beeline.cli.main import HOLDS, VIOLATED
from beeline.cli.models import read_model, running
from beeline.cli.options import model_options
from beeline.columns import look
from beeline.languages import LoadOptions
from beeline.model.network import Network
from beeline.records import replace
from beeline.simulate import NetworkWorld, Turn, UserWorld, World, walk_at_random
from beeline.timed.clocks import has_clocks
from beeline.trace import Trace, to_json
from beeline.trace.table import to_table

STEPS_AT_ONCE = 200  # that stand in one table, so that a long walk shows itself while it goes on


@click.command()
@model_options
@click.option("--steps", default=100, show_default=True, type=click.IntRange(0), metavar="N", help="At most this many.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0), metavar="N", help="The same seed, the same walk."
)
@click.option("-i", "--interactive", is_flag=True, help="Choose each step yourself; `help` there tells how.")
@click.option("--replay", type=click.Path(), metavar="TRACE", help="Follow a trace that `check --json` wrote.")
@click.option("--chart", is_flag=True, help="Show the walk as a chart: a column for each process.")
@click.option("--json", "as_json", is_flag=True, help="The steps as one JSON list on standard output.")
def simulate(
    file: str,
    language: str | None,
    reading: LoadOptions,
    steps: int,
    seed: int,
    interactive: bool,
    replay: str | None,
    chart: bool,
    as_json: bool,
) -> int:
    """Walk through the model in FILE, at random or, with -i, step by step."""
    model = read_model(file, language, reading)
    out = sys.stdout  # what the model prints goes elsewhere
    with running(model, file):
        world = world_of(model)
        plan = [] if replay is None else world.plan(Path(replay))
        if interactive:
            from beeline.cli.session import Session

            taken = Session(world, plan, steps, seed, None if as_json else out).run()
        else:
            walk = iter(plan[:steps]) if replay is not None else walk_at_random(world, steps, seed)
            taken = list(walk) if as_json or chart else list(_shown(walk, out))
    if as_json:
        click.echo(json.dumps(to_json(_trace(taken))))
    elif chart:
        from beeline.trace.chart import to_chart

        click.echo(to_chart(_trace(taken), look()), color=look().colour)
    if not as_json and not interactive:
        _show_ending(world, taken, steps)
    return VIOLATED if taken and taken[-1].target is None else HOLDS


def world_of(model: Any) -> World:
    """What a model is to somebody who walks through it."""
    if not isinstance(model, Network):
        return UserWorld(model)
    if has_clocks(model):
        from beeline.timed.simulate import TimedWorld

        return TimedWorld(model)
    return NetworkWorld(model)


def _trace(turns: Iterable[Turn]) -> Trace:
    return Trace({}, tuple(turn.step for turn in turns))


def _shown(walk: Iterator[Turn], out: TextIO) -> Iterator[Turn]:
    """The turns, shown in tables on the way."""
    how = replace(look(stream=out), fold=False)
    first = True
    while block := list(islice(walk, STEPS_AT_ONCE)):
        table = to_table(_trace(block), how)
        click.echo(table if first else table.partition("\n")[2], out, color=how.colour)
        first = False
        yield from block


def _show_ending(world: World, taken: list[Turn], steps: int) -> None:
    """Says how the walk ended, if not because it was long enough."""
    state = taken[-1].target if taken else world.initial()
    if len(taken) < steps and state is not None and not world.turns(state, len(taken) + 1):
        click.echo(world.ending(state))
