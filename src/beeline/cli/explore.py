"""`beeline explore`: how large is the state space?"""

from __future__ import annotations

import json
from typing import Any

import click

from beeline import __version__
from beeline.checking import Exploration, Options
from beeline.checking import explore as run_exploration
from beeline.cli import guard
from beeline.cli.cluster import join
from beeline.cli.main import HOLDS, UNKNOWN
from beeline.cli.models import read_model, running
from beeline.cli.options import model_options, options_of
from beeline.cli.progress import counted, per_state, progress_line, say, show_bytes, show_disk
from beeline.engine import Limits, Statistics
from beeline.engine.budget import LimitReached, spend
from beeline.gpu.device import DEVICES
from beeline.languages import LoadOptions
from beeline.searches import SearchError, check_threads, find
from beeline.stores import with_store
from beeline.symmetry import SymmetryError, find_symmetry


@click.command()
@model_options
@options_of(Options, "limits", "threads", "store", "tier", "engine", "symmetry")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def explore(
    file: str,
    language: str | None,
    reading: LoadOptions,
    options: Options,
    as_json: bool,
) -> int:
    """Count the states, steps, depth and deadlocks of the model in FILE; assertions are ignored."""
    join(options.engine, lambda: _last_words(as_json))
    hint = "--store"
    try:
        search = with_store(find("bfs"), options.store)
        hint = "--threads"
        check_threads(search, options.threads)
        hint = "--symmetry"
        find_symmetry(options.symmetry)
    except (SearchError, SymmetryError) as error:
        raise click.BadParameter(str(error), param_hint=hint) from None
    bounds = options.limits or Limits()
    guard.keep(bounds, _last_words(as_json), UNKNOWN)
    budget = None
    try:
        with spend(bounds) as budget, progress_line(as_json) as progress:
            say(progress, "reading")
            model = read_model(file, language, reading)
            with running(model, file):
                result = run_exploration(
                    model,
                    limits=bounds,
                    progress=progress,
                    store=options.store,
                    threads=options.threads,
                    tier=options.tier,
                    engine=options.engine,
                    symmetry=options.symmetry,
                )
    except KeyboardInterrupt:
        result = Exploration(False, "interrupted", Statistics())
    except (LimitReached, MemoryError) as error:
        if budget is None or not budget.ends(error):
            raise
        result = Exploration(False, budget.reason, Statistics())
    guard.answer = HOLDS if result.complete else UNKNOWN
    if as_json:
        click.echo(json.dumps(exploration_object(result)))
    else:
        show(result)
    return guard.answer


def _last_words(as_json: bool) -> tuple[str, str]:
    """What is said around the reason if the command has to be ended."""
    if not as_json:
        return "0 states, 0 transitions: incomplete (", ")\n"
    return guard.around(json.dumps(exploration_object(Exploration(False, guard.REASON, Statistics()))) + "\n")


def exploration_object(result: Exploration) -> dict[str, Any]:
    """The exploration as the documented JSON object."""
    statistics = result.statistics
    return {
        "states": statistics.stored,
        "transitions": statistics.generated if result.counts_arcs else None,
        "depth": statistics.depth if result.counts_arcs or statistics.depth else None,
        "deadlocks": statistics.deadlocks,
        "errors": statistics.errors,
        "transient": statistics.transient,
        "complete": result.complete,
        "reason": result.reason,
        "time_s": statistics.seconds,
        "memory_bytes": statistics.memory,
        "bytes_per_state": statistics.bytes_per_state,
        "disk_bytes": statistics.disk,
        "disk_read_bytes": statistics.disk_read,
        "disk_written_bytes": statistics.disk_written,
        "omission_probability": result.omission,
        "threads": result.threads,
        "threads_note": result.threads_note,
        "tier": result.tier,
        "symmetry": result.symmetry,
        "symmetry_note": result.symmetry_note,
        "represented": result.represented,
        "version": __version__,
    }


def show(result: Exploration) -> None:
    statistics = result.statistics
    word = "complete" if result.complete else f"incomplete ({result.reason})"
    arcs = f", {statistics.generated:,} transitions" if result.counts_arcs else ""
    click.secho(f"{statistics.stored:,} states{arcs}: {word}", bold=True)
    depth = f"depth {statistics.depth:,}, " if result.counts_arcs or statistics.depth else ""
    deadlocks = counted(statistics.deadlocks, "deadlock")
    click.echo(f"{depth}{deadlocks}, {counted(statistics.errors, 'run-time error')}")
    click.echo(
        f"{statistics.seconds:.3f} s ({statistics.rate:,.0f} states per second), {show_bytes(statistics.memory)}"
        f"{per_state(statistics)}{f', {result.threads} threads' if result.threads > 1 else ''}"
    )
    show_disk(statistics)
    if result.tier in DEVICES:
        inside = counted(statistics.transient, "state")
        click.echo(f"counted on the {result.tier}, step by step: {inside} inside uninterrupted runs")
    if result.represented is not None:
        click.echo(f"symmetry {result.symmetry}: they stand for {counted(result.represented, 'state')}")
    if result.symmetry_note:
        click.echo(f"symmetry {result.symmetry_note}")
    if result.threads_note:
        click.echo(result.threads_note)
