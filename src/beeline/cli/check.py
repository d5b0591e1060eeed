"""`beeline check`: is there a way to the bug, and how does it go?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from beeline.checking import DEFAULT_SEARCH, Result, check_reduction
from beeline.checking import check as run_check
from beeline.cli.main import HOLDS, UNKNOWN, VIOLATED
from beeline.cli.models import read_model, running
from beeline.cli.options import (
    Whole,
    chosen_zones,
    limit_options,
    limits,
    model_options,
    store_option,
    threads_option,
    tier_option,
    zone_options,
)
from beeline.cli.progress import counted, per_state, progress_line, say, show_bytes
from beeline.cli.reports import Reports, report_options
from beeline.engine import Statistics
from beeline.heuristics import HeuristicError
from beeline.heuristics.language import check as check_heuristic
from beeline.model.network import Network, Property
from beeline.reductions import NONE, ReductionError, find_reduction
from beeline.report.look import look
from beeline.searches import SearchError, Takes, Ties, check_threads, find, with_store
from beeline.shrinking import AUTO, CHOICES, Shrinking

EXIT = {"holds": HOLDS, "violated": VIOLATED, "unknown": UNKNOWN}


@click.command()
@model_options
@click.option("--property", "asked", metavar="NAME_OR_EXPRESSION", help="What to check [default: what the model says].")
@click.option("--search", default=DEFAULT_SEARCH, show_default=True, metavar="NAME", help="See `beeline list`.")
@click.option("--heuristic", metavar="ESTIMATE", help="What a directed search goes by, such as 'hU' or 'max(dL, hL)'.")
@click.option("--ties", metavar="RULE", help="Which of equally good states is first: fifo, lifo or random:SEED.")
@click.option("--target", type=click.Path(), metavar="FILE", help="A JSON trace whose end hamming and fsm aim at.")
@zone_options
@click.option("--reduce", "reduction", default=NONE, show_default=True, metavar="NAME", help="Steps to leave out.")
@click.option(
    "--shrink",
    type=click.Choice(CHOICES),
    default=AUTO,
    show_default=True,
    help="What to take out of the model before the search, because it cannot matter.",
)
@click.option("--seed", type=Whole(0, 2**64 - 1), metavar="N", help="For searches that use chance.")
@limit_options
@threads_option
@store_option
@tier_option
@click.option(
    "--two-step", is_flag=True, help="Count a handshake as two steps in the length of a trace, as HSF-SPIN did."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.option(
    "--trail", type=click.Path(dir_okay=False, writable=True), metavar="FILE", help="Write the trace for `spin -t`."
)
@click.option(
    "--dot", type=click.Path(dir_okay=False, writable=True), metavar="FILE", help="Write the trace as Graphviz."
)
@report_options
def check(
    file: str,
    language: str | None,
    defines: tuple[tuple[str, str], ...],
    lossy: bool,
    asked: str | None,
    search: str,
    heuristic: str | None,
    ties: str | None,
    target: str | None,
    zones: bool,
    extrapolation: str | None,
    merge_zones: bool,
    reduction: str,
    shrink: str,
    seed: int | None,
    max_time: float | None,
    max_memory: int | None,
    max_states: int | None,
    max_depth: int | None,
    threads: int,
    store: str,
    tier: str,
    two_step: bool,
    as_json: bool,
    trail: str | None,
    dot: str | None,
    reports: Reports,
) -> int:
    """Check a property of the model in FILE.

    Without --property: the model's own invariants, else that no assertion fails and no deadlock is reached."""
    _check_names(search, heuristic, ties, reduction, threads, store)
    if dot is not None and not Path(dot).absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder for '{dot}'", param_hint="--dot")
    bounds = limits(max_time, max_memory, max_states, max_depth)
    try:
        with progress_line(as_json) as progress:
            say(progress, "reading")
            model = read_model(file, language, defines, lossy)
            with running(model, file):
                result = run_check(
                    model,
                    asked,
                    search=search,
                    heuristic=heuristic,
                    ties=ties,
                    target=target,
                    zones=chosen_zones(zones, extrapolation, merge_zones),
                    limits=bounds,
                    seed=seed,
                    progress=progress,
                    reduce=reduction,
                    threads=threads,
                    shrink=shrink,
                    store=store,
                    tier=tier,
                )
    except KeyboardInterrupt:
        # The search itself ends with what it knows; this is while the model is read or a trace replayed.
        model = None
        result = Result("unknown", "interrupted", Property(asked or "", "unknown"), search, Statistics())
    if dot is not None and result.trace is not None:
        from beeline.trace.formats import to_graphviz

        try:
            Path(dot).write_text(to_graphviz(result.trace) + "\n")
        except OSError as error:
            raise click.FileError(dot, error.strerror) from None
    if trail is not None and result.trace is not None:
        _write_spin_trail(trail, file, model, defines, result)
    reports.write(file, result)
    why = reports.explanation(model, result)
    told: dict[str, Any] = {}
    if as_json or reports.view or reports.graph:
        with running(model, file):
            told = reports.told(file, model, result, why)
    if as_json:
        import json

        click.echo(json.dumps(told))
    else:
        show(model, result, reports, two_step)
        reports.show_explanation(why)
    if reports.view:
        reports.show_page(file, told)
    return EXIT[result.verdict]


def _write_spin_trail(path: str, file: str, model: Any, defines: tuple[tuple[str, str], ...], result: Result) -> None:
    from beeline.trails.spin import to_spin_trail
    from beeline.trails.trail import TrailError, trail_of

    if not isinstance(model, Network) or model.language != "promela":
        raise TrailError("SPIN replays Promela models only: leave out --trail")
    assert result.trace is not None
    failed = bool(result.trace.steps and result.trace.steps[-1].error)
    try:
        Path(path).write_text(to_spin_trail(trail_of(model, result.trace.states, failed), file, defines))
    except OSError as error:
        raise click.FileError(path, error.strerror) from None


def _check_names(
    search: str, heuristic: str | None, ties: str | None, reduction: str, threads: int, store: str
) -> None:
    """Mistakes in names are found before a model is read."""
    hint = "--search"
    try:
        takes = find(search).takes
        hint = "--store"
        chosen = with_store(find(search), store)
        hint = "--threads"
        check_threads(chosen, threads)
        hint = "--heuristic"
        if heuristic is not None:
            check_heuristic(heuristic)
            if takes is Takes.NONE:
                raise SearchError(f"{search} goes by no estimate")
        hint = "--ties"
        if ties is not None:
            Ties.parse(ties)
        hint = "--reduce"
        reduced = find_reduction(reduction)
        if reduced is not None:
            check_reduction(reduced, chosen)
    except (SearchError, HeuristicError, ReductionError) as error:
        raise click.BadParameter(str(error), param_hint=hint) from None


def show(model: Any, result: Result, reports: Reports, two_step: bool = False) -> None:
    """The verdict, the trace and the statistics, for a person."""
    word = {"holds": "holds", "violated": "VIOLATED", "unknown": "unknown"}[result.verdict]
    if result.property.kind == "goal":
        word = {"holds": "not reachable", "violated": "REACHED", "unknown": "unknown"}[result.verdict]
    click.secho(f"{result.property.name}: {word} ({result.reason})", bold=True, color=look().colour)
    if result.trace is not None:
        length = counted(len(result.trace), "step")
        if two_step:
            length = f"{counted(result.trace.moves, 'move')} in {length}"
        if result.shrinking.added:
            length += f" ({len(result.trace) - result.shrinking.added} + {result.shrinking.added})"
        what = "witness" if result.property.kind == "goal" else "counterexample"
        click.echo(f"\n{what}, {length}{', the shortest possible' if result.shortest else ''}:\n")
        reports.show_trace(model, result)
    statistics = result.statistics
    click.echo(
        f"\n{statistics.stored:,} states stored, {statistics.expanded:,} expanded, {statistics.generated:,} steps "
        f"generated, {f'{statistics.evaluated:,} estimates, ' if statistics.evaluated else ''}"
        f"depth {statistics.depth:,}\n"
        f"{statistics.seconds:.3f} s, {show_bytes(statistics.memory)}{per_state(statistics)}, search {result.search}"
        + (f" by {result.heuristic}" if result.heuristic else "")
        + (f", {result.threads} threads" if result.threads > 1 else "")
    )
    if result.heuristic_note:
        click.echo(result.heuristic_note)
    if result.threads_note:
        click.echo(result.threads_note)
    if result.reduction_note:
        click.echo(f"reduction {result.reduction}: {result.reduction_note}")
    show_shrinking(result.shrinking)


NAMES_SHOWN = 6


def show_shrinking(shrinking: Shrinking) -> None:
    """What was taken out before the search, and at what price."""
    for how, names in (("cannot matter", shrinking.cone), ("can be moved at will", shrinking.safe)):
        if names:
            more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
            click.echo(f"searched without what {how}: {', '.join(names[:NAMES_SHOWN])}{more}")
    if shrinking.added:
        click.echo(f"{counted(shrinking.added, 'step')} of these put into the trace")
    if shrinking.note:
        click.echo(f"shrinking {shrinking.note}")
