"""`beeline check`: is there a way to the bug, and how does it go?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from beeline.checking import INTERRUPTED, Options, Result, check_all, leading
from beeline.cli import guard
from beeline.cli.cluster import join
from beeline.cli.main import HOLDS, UNKNOWN, VIOLATED
from beeline.cli.models import read_model, running
from beeline.cli.options import KeepsArguments, model_options, options_of
from beeline.cli.progress import counted, per_state, progress_line, say, show_bytes, show_disk
from beeline.cli.report_files import check_writable, report
from beeline.cli.reports import Reports, report_options
from beeline.columns import OF_VERDICT, Look, look
from beeline.engine import Limits, Statistics
from beeline.engine.budget import TO_KEEP, LimitReached, spend
from beeline.languages import LoadOptions
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import BeelineError
from beeline.preprocessing import Shrinking
from beeline.records import replace
from beeline.report.answers import not_asked, title_of, to_table, word_of
from beeline.stores import PLAIN
from beeline.symmetry import NONE as APART

EXIT = {"holds": HOLDS, "violated": VIOLATED, "unknown": UNKNOWN}


@click.command(cls=KeepsArguments)
@model_options
@click.option("--property", "asked", metavar="NAME_OR_EXPRESSION", help="What to check [default: what the model says].")
@options_of(Options)
@click.option(
    "--two-step", is_flag=True, help="Count a handshake as two steps in the length of a trace, as HSF-SPIN did."
)
@click.option(
    "--plan", "plans", is_flag=True, help="Tell from a short run how many states there are, and which way to take."
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
    reading: LoadOptions,
    asked: str | None,
    two_step: bool,
    plans: bool,
    as_json: bool,
    trail: str | None,
    dot: str | None,
    options: Options,
    reports: Reports,
) -> int:
    """Answer what the model in FILE asks, or one property of it.

    Without --property: all queries, formulas, claims, invariants and assertions of the file; if there are none, that no
    assertion fails and no deadlock is reached. Exit code 0 if all hold, 1 if one is violated, else 3."""
    join(options.engine, lambda: last_words(asked, options.search, as_json))
    check_writable("--dot", dot)
    check_writable("--trail", trail)
    _check(options)
    bounds = options.limits or Limits()
    patience = 0.0 if options.checkpoint is None else TO_KEEP
    guard.keep(bounds, last_words(asked, options.search, as_json), UNKNOWN, patience)
    budget = made = None
    try:
        with spend(bounds) as budget, progress_line(as_json) as progress:
            say(progress, "reading")
            model = read_model(file, language, reading)
            if plans:
                from beeline.planning import plan

                with running(model, file):
                    made = plan(model, asked, replace(options, progress=progress))
            if trail is not None:
                _check_spin_reads(model)
            if options.checkpoint is not None:
                from beeline.cli.checkpoint import begin

                options = begin(options, model)
            with running(model, file):
                questions = None if asked is None else [asked]
                results = () if plans else check_all(model, questions, options, progress=progress)
    except KeyboardInterrupt:
        # The search itself ends with what it knows; this is while the model is read or a trace replayed.
        model = None
        results = (unfinished(INTERRUPTED, asked, options.search),)
    except (LimitReached, MemoryError) as error:
        if budget is None or not budget.ends(error):
            raise
        model = None
        results = (unfinished(budget.reason, asked, options.search),)
    if made is not None:
        from beeline.cli.plan import show_plan

        return show_plan(made, file, as_json)
    result = leading(results)
    guard.answer = code = EXIT[result.verdict]
    told: dict[str, Any] = {}
    if as_json or reports.view or reports.graph:
        with running(model, file):
            told = reports.told(file, model, results)
    if as_json:
        import json

        click.echo(json.dumps({**told, "unverified_trace": save_unverified(file, results)}))
        guard.answered()
    else:
        show(model, results, reports, two_step)
        saved = save_unverified(file, results)
        if saved is not None:
            click.echo(f"what was found is in {saved}, not replayed; `beeline improve {file} {saved}` replays it")
    if dot is not None and result.trace is not None:
        from beeline.trace.formats import to_graphviz

        with report("--dot"):
            Path(dot).write_text(to_graphviz(result.trace) + "\n")
    if trail is not None and result.trace is not None:
        with report("--trail"):
            _write_spin_trail(trail, file, model, reading, result)
    if options.checkpoint is not None:
        from beeline.cli.checkpoint import end

        end(options.checkpoint, result)
    reports.write(file, results, quiet=as_json)
    if reports.view:
        reports.show_page(file, told)
    return code


def unfinished(reason: str, asked: str | None, search: str) -> Result:
    """The result of a check that ended before its search did."""
    return Result("unknown", reason, Property(asked or "check"), search, Statistics())


def last_words(asked: str | None, search: str, as_json: bool) -> tuple[str, str]:
    """What is said around the reason if the command has to be ended."""
    if not as_json:
        return f"{asked or 'check'}: unknown (", ")\n"
    import json

    from beeline.report.objects import result_object

    return guard.around(json.dumps(result_object(unfinished(guard.REASON, asked, search))) + "\n")


def _check_spin_reads(model: Any) -> None:
    if not isinstance(model, Network) or model.language != "promela":
        from beeline.trace.trail import TrailError

        raise TrailError("SPIN replays Promela models only: leave out --trail")


def save_unverified(file: str, results: Sequence[Result]) -> str | None:
    """Writes down what was found and not replayed in time, into the current folder or where there is room; returns the
    name of the file."""
    left = next((result.unverified for result in results if result.unverified is not None), None)
    if left is None:
        return None
    from tempfile import gettempdir

    name = f"{Path(file).stem}.unverified.json"
    for path in (Path(name), Path(gettempdir()) / name):
        part = path.with_suffix(".part")  # what is cut off by a limit is nothing to read
        try:
            with part.open("w") as stream:
                left.write(stream)
            return str(part.replace(path))
        except OSError:
            continue
    return None


def _write_spin_trail(path: str, file: str, model: Any, reading: LoadOptions, result: Result) -> None:
    from beeline.trace.lasso import trail_of_trace
    from beeline.trace.spin import spin_flags, to_spin_trail

    assert result.trace is not None
    trail = trail_of_trace(model, result.property, result.trace)
    Path(path).write_text(to_spin_trail(trail, file, spin_flags(reading.defines, reading.claim)))


def _check(options: Options) -> None:
    """Mistakes in names are found before a model is read."""
    try:
        options.settings()
    except BeelineError as error:
        raise click.BadParameter(str(error), param_hint=f"--{error.option}") from None


def show(model: Any, results: Sequence[Result], reports: Reports, two_step: bool = False) -> None:
    """The verdicts, the traces and the statistics, for a person."""
    how = look()
    if len(results) == 1:
        (result,) = results
        verdict = how.paint(f"{word_of(result, model)} ({result.reason})", OF_VERDICT[result.verdict])
        click.echo(f"{title_of(result, model)}: {verdict}", color=how.colour)
        guard.answered()
        show_trace(model, result, reports, two_step)
        show_statistics(result)
        reports.show_explanation(reports.explanation(model, result))
    else:
        click.echo(to_table(results, model, how), color=how.colour)
        guard.answered()
        for result in results:
            if result.trace is not None:
                show_trace(model, result, reports, two_step, f"{result.property.name}: ")
                reports.show_explanation(reports.explanation(model, result))
    _show_not_asked(results, model, how)


def _show_not_asked(results: Sequence[Result], model: Any, how: Look) -> None:
    missing = not_asked(results, model)
    if missing:
        more = f" and {len(missing) - NAMES_SHOWN} more" if len(missing) > NAMES_SHOWN else ""
        said = f"not asked: {', '.join(missing[:NAMES_SHOWN])}{more} (--property NAME asks)"
        click.echo(how.paint(said, "faint"), color=how.colour)


def show_trace(model: Any, result: Result, reports: Reports, two_step: bool, name: str = "") -> None:
    """The trace of a result."""
    if result.trace is None:
        return
    length = counted(len(result.trace), "step")
    if two_step:
        length = f"{counted(result.trace.moves, 'move')} in {length}"
    if result.shrinking.added:
        length += f" ({len(result.trace) - result.shrinking.added} + {result.shrinking.added})"
    if result.cost is not None:
        length += f", cost {result.cost:,}{', the least possible' if result.cheapest else ''}"
    if result.least_time is not None:
        length += f", time {result.least_time}"
    what = "witness" if result.property.wants_witness or result.verdict == "holds" else "counterexample"
    click.echo(f"\n{name}{what}, {length}{', the shortest possible' if result.shortest else ''}:\n")
    reports.show_trace(model, result)


def show_statistics(result: Result) -> None:
    """What the search counted, and how it went about it."""
    statistics = result.statistics
    if not (statistics.stored or statistics.expanded) and result.trace is not None:
        return  # the model failed, and took the counts with it
    click.echo(
        f"\n{statistics.stored:,} states stored, {statistics.expanded:,} expanded, {statistics.generated:,} steps "
        f"generated, {f'{statistics.evaluated:,} estimates, ' if statistics.evaluated else ''}"
        f"depth {statistics.depth:,}\n"
        f"{statistics.seconds:.3f} s, {show_bytes(statistics.memory)}{per_state(statistics)}, search {result.search}"
        + (f" by {result.heuristic}" if result.heuristic else "")
        + (f", store {result.store}" if result.store != PLAIN else "")
        + (f", symmetry {result.symmetry}" if result.symmetry != APART else "")
        + (f", {result.threads} threads" if result.threads > 1 else "")
    )
    show_disk(statistics)
    if result.engine_note:
        click.echo(f"engine {result.engine}: {result.engine_note}")
    if result.heuristic_note:
        click.echo(result.heuristic_note)
    if result.threads_note:
        click.echo(result.threads_note)
    if result.reduction_note:
        click.echo(f"reduction {result.reduction}: {result.reduction_note}")
    if result.symmetry_note:
        click.echo(f"symmetry {result.symmetry_note}")
    show_shrinking(result.shrinking)
    if said := result.certified():
        click.echo(said)
    if result.learning is not None:
        click.echo(f"\n{result.learning}")


NAMES_SHOWN = 6


def show_shrinking(shrinking: Shrinking) -> None:
    """What was taken out before the search, and at what price."""
    for technique, names in shrinking.by_technique:
        from beeline.preprocessing.techniques import all_techniques

        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        click.echo(f"{all_techniques()[technique].told}: {', '.join(names[:NAMES_SHOWN])}{more}")
    if shrinking.added:
        click.echo(f"{counted(shrinking.added, 'step')} of these put into the trace")
    if shrinking.note:
        click.echo(f"shrinking {shrinking.note}")
