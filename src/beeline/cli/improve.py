"""`beeline improve`: a shorter way to the same error, or the same way in a better order."""

from __future__ import annotations

import json
from typing import Any

import click

from beeline import languages
from beeline.checking import Options, Result
from beeline.checking.shorter import TARGETS, search_shorter
from beeline.checking.shorter_lasso import closed, repeated_states, shorter_lasso
from beeline.cli import guard
from beeline.cli.main import UNKNOWN, VIOLATED
from beeline.cli.models import read_model
from beeline.cli.options import model_options, options_of
from beeline.engine import Limits
from beeline.engine.budget import LimitReached, doing, spend
from beeline.model.network import Network
from beeline.model.property import Claim, Property
from beeline.model.source import ModelError
from beeline.properties import SAFETY, questions
from beeline.records import replace
from beeline.timed.clocks import has_clocks
from beeline.trace import to_json, to_text
from beeline.trace.grouping import group
from beeline.trace.reorder import reorder
from beeline.trace.slicing import slice_trail
from beeline.trace.spin import Flags, has_cycle, read_spin_trail, spin_flags
from beeline.trace.trail import Replayer, Trail, TrailError, follow_shown, read_steps, trail_of

MONITOR = "monitor"  # what a trace calls the automaton of a question


@click.command()
@model_options
@click.argument("trace", type=click.Path())
@click.option(
    "--property", "asked", metavar="NAME_OR_EXPRESSION", help="What the trace violates [default: as it says]."
)
@click.option("--to", type=click.Choice(list(TARGETS)), default="property", show_default=True, help="Where to search.")
@click.option(
    "--search", metavar="NAME", help="Search a shorter way [default: astar, unless one of the next is given]."
)
@click.option("--heuristic", metavar="HEURISTIC", default="fsm", show_default=True, help="hamming, fsm or any other.")
@click.option("--reorder", "reordered", is_flag=True, help="Remove steps that nothing later depends on.")
@click.option("--slice", "sliced", is_flag=True, help="Delete all that the error does not need, by trying.")
@click.option("--group", "grouped", is_flag=True, help="Put steps of one process next to each other.")
@options_of(Options, "fairness")
@options_of(Limits, "time", "memory", "states", "depth", to="bounds")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def improve(
    file: str,
    language: str | None,
    reading: languages.LoadOptions,
    trace: str,
    asked: str | None,
    to: str,
    search: str | None,
    heuristic: str,
    reordered: bool,
    sliced: bool,
    grouped: bool,
    options: Options,
    bounds: Limits,
    as_json: bool,
) -> int:
    """Make the counterexample in TRACE (from `beeline check --json`, or SPIN's .trail) shorter or easier to read."""
    guard.keep(bounds, ("unknown (", ")\n"), UNKNOWN)
    budget = None
    try:
        with spend(bounds) as budget:
            model = read_model(file, language, reading)
            if not isinstance(model, Network):
                remedy = "a space of your own has its own states"
                raise ModelError("only traces of networks can be improved", remedy=remedy)
            wanted, trail = _read(trace, file, model, spin_flags(reading.defines, reading.claim), asked)
            before, note = trail, ""
            if trail.cycle is not None:
                if search or reordered or sliced or grouped or to != "property":
                    raise TrailError(
                        "a run that goes on for ever is made shorter by one search, and in no other way: leave out "
                        "--search, --to, --reorder, --slice and --group"
                    )
                trail, note = shorter_lasso(model, wanted, trail, bounds, options.fairness)
            elif search is not None or not (reordered or sliced or grouped):
                by = search or "astar"
                result = search_shorter(trail, wanted, to=to, search=by, heuristic=heuristic, limits=bounds)
                trail, note = _shorter(trail, wanted, result)
            doing("reworking")
            trail = _reworked(trail, wanted, reordered, sliced, grouped)
    except (LimitReached, MemoryError) as error:
        if budget is None or not budget.ends(error):
            raise
        click.echo(f"unknown ({budget.reason})")
        return UNKNOWN
    return _tell(before, trail, wanted, note, as_json)


def _read(trace: str, file: str, model: Network, flags: Flags, text: str | None) -> tuple[Property, Trail]:
    """What the trace violates, and the trace. SPIN's trails are about the first claim, if there is one; those with a
    cycle, about the first question that they answer. Runs that go on for ever come without their monitor."""
    if trace.endswith(".trail") and has_cycle(trace):
        candidates = [asked for asked in questions(model) if asked.seeks_cycle]
        return _first_violated(model, candidates if text is None else [languages.ask(model, text)], trace, file, flags)
    if trace.endswith(".trail"):
        asked = languages.ask(model, text) if text is not None else _default(model)
        return asked, read_spin_trail(trace, file, asked.watched(model), flags)
    steps, told = read_steps(trace)
    text = text or told.get("property")
    asked = languages.ask(model, text) if text is not None else _default(model)
    if asked.asks_runs or has_clocks(model):
        raise ModelError("traces of networks with clocks, and of questions about whole runs, are not improved")
    if told.get("cycle_start") is not None:
        return asked, _follow_lasso(model, asked, steps, told["cycle_start"], trace)
    trail = follow_shown(asked.watched(model), steps, trace)
    if told.get("unverified") and not Replayer(trail.network, asked).follow(trail.units):
        raise TrailError(f"{trace} was not replayed when it was found, and does not end in a violation")
    return asked, trail


def _first_violated(
    model: Network, candidates: list[Property], trace: str, file: str, flags: Flags
) -> tuple[Property, Trail]:
    """The first question that SPIN's lasso answers, and the lasso."""
    for asked in candidates:
        trail = closed(read_spin_trail(trace, file, _unwatched(model, asked), flags))
        if repeated_states(model, asked, trail):
            return asked, trail
    names = ", ".join(asked.name for asked in candidates) or "it asks nothing about such runs"
    raise TrailError(f"{trace} violates nothing that the model asks about runs that go on for ever: {names}")


def _follow_lasso(model: Network, asked: Property, steps: list[dict[str, Any]], cycle: Any, name: str) -> Trail:
    """A lasso that was shown with the moves of a claim or without."""
    if not isinstance(cycle, int) or not 0 <= cycle <= len(steps):
        raise TrailError(f"{name}: 'cycle_start' is no number of steps")
    own = [step for step in steps if step.get("process") != MONITOR]
    cycle -= sum(step.get("process") == MONITOR for step in steps[:cycle])
    for step in own:
        step.get("changes", {}).pop(MONITOR, None)
    return replace(follow_shown(_unwatched(model, asked), own, name), cycle=cycle)


def _unwatched(model: Network, asked: Property) -> Network:
    return asked.watched(model).alone


def _default(model: Network) -> Property:
    return next((asked for asked in questions(model) if isinstance(asked, Claim)), SAFETY)


def _shorter(trail: Trail, asked: Property, result: Result) -> tuple[Trail, str]:
    """The better of a trail and what a search found, and how it was found."""
    if result.trace is None:
        return trail, f"the search found no other way ({result.reason})"
    failed = bool(result.trace.steps and result.trace.steps[-1].error)
    found = trail_of(trail.network, result.trace.states, failed)
    if not failed and not Replayer(trail.network, asked).is_violation(found.states[-1]):
        return trail, "what the search found is no violation: the processes stand alike, but not all else is alike"
    if len(found) >= len(trail):
        return trail, "the search found no shorter way"
    how = f"{result.search} by {result.heuristic}" if result.heuristic else result.search
    return found, f"found by {how}" + (", the shortest possible" if result.shortest else "")


def _reworked(trail: Trail, asked: Property, reordered: bool, sliced: bool, grouped: bool) -> Trail:
    if reordered:
        trail = reorder(trail, asked)
    if sliced:
        trail = slice_trail(trail, asked)
    if grouped:
        trail = group(trail, asked)
    return trail


def _tell(before: Trail, after: Trail, asked: Property, note: str, as_json: bool) -> int:
    shown = after.shown()
    if as_json:
        told = {
            "property": asked.name,
            "length_before": len(before),
            "length": len(after),
            "switches_before": before.switches,
            "switches": after.switches,
            "note": note,
            "trace": to_json(shown),
            "cycle_start": shown.cycle,
            "initial": dict(shown.initial),
        }
        click.echo(json.dumps(told))
        return VIOLATED
    click.secho(f"{asked.name}: {len(before)} steps became {len(after)}, {before.switches} switches {after.switches}")
    if note:
        click.echo(note)
    click.echo()
    click.echo(to_text(shown))
    return VIOLATED
