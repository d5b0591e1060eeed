"""`beeline lts` and `beeline compare`: models as labelled transition systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import click

from beeline.cli import guard
from beeline.cli.main import HOLDS, UNKNOWN, VIOLATED
from beeline.cli.models import read_model, running
from beeline.cli.options import model_options, options_of
from beeline.cli.progress import counted, progress_line, say
from beeline.cluster.system_job import explore_in
from beeline.engine import Statistics
from beeline.engine.budget import LimitReached, spend
from beeline.engine.limits import Limits
from beeline.languages import LoadOptions
from beeline.lts import (
    EQUIVALENCES,
    SUFFIX,
    TAU,
    Lts,
    Unfinished,
    compare,
    explore_alone,
    label_by_step,
    lts_of,
    minimised,
    network_system,
    read_aldebaran,
    to_aldebaran,
)
from beeline.model.network import Network
from beeline.model.source import ModelError
from beeline.records import replace
from beeline.simulate import UserWorld
from beeline.timed.clocks import has_clocks

F = TypeVar("F", bound=Callable[..., Any])


def system_options(command: F) -> F:
    """What becomes of labels, and how far a model is explored."""
    for option in (
        options_of(Limits, "time", "memory", "states", to="limits"),
        click.option("--rename", multiple=True, metavar="OLD=NEW", help="Another label; OLD may have * and ?."),
        click.option(
            "--only", multiple=True, metavar="LABEL", help="Hide all labels but these; * and ? stand for any."
        ),
        click.option("--hide", multiple=True, metavar="LABEL", help="Make these labels tau; * and ? stand for any."),
        click.option(
            "--threads", type=click.IntRange(1), default=1, show_default=True, help="Share the states of a network."
        ),
        click.option(
            "--labels",
            type=click.Choice(["events", "steps"]),
            default="events",
            show_default=True,
            help="events: messages, and actions of spaces in Python; steps: who does what, nothing hidden.",
        ),
    ):
        command = option(command)
    return command


@click.command()
@model_options
@system_options
@click.option("--minimise", type=click.Choice(list(EQUIVALENCES)), help="To the smallest equivalent system.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="[default: standard output]")
def lts(
    file: str,
    language: str | None,
    reading: LoadOptions,
    minimise: str | None,
    output: str | None,
    **options: Any,
) -> int:
    """Write the labelled transition system of the model in FILE as an Aldebaran file.

    FILE may be an Aldebaran file (.aut) itself."""
    with bounded(options) as result:
        found = system(file, language, reading, options)
        before = found
        if minimise is not None:
            found = minimised(found, minimise)
        write(to_aldebaran(found), output)
        result.append(HOLDS)
        size = f"{counted(found.states, 'state')}, {counted(len(found.arcs), 'arc')}"
        smaller = f" (from {before.states:,} and {len(before.arcs):,})" if minimise is not None else ""
        click.echo(size + smaller, err=True)
    return result[0]


@click.command(name="compare")
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@click.option(
    "--by",
    type=click.Choice(list(EQUIVALENCES)),
    default="branching",
    show_default=True,
    help="What counts as the same.",
)
@click.option("--language", metavar="NAME", help="The language of both models, if suffixes do not tell.")
@system_options
def compare_systems(first: str, second: str, by: str, language: str | None, **options: Any) -> int:
    """Tell whether two models, or Aldebaran files, do the same; if not, what only one of them can do."""
    with bounded(options) as result:
        one, other = (system(file, language, LoadOptions(), options) for file in (first, second))
        difference = compare(one, other, by)
        result.append(HOLDS if difference is None else VIOLATED)
        sizes = " and ".join(f"{counted(lts.states, 'state')}, {counted(len(lts.arcs), 'arc')}" for lts in (one, other))
        if difference is None:
            click.secho(f"equivalent by {EQUIVALENCES[by]}", fg="green", bold=True)
        else:
            able, unable = (first, second) if difference.by_first else (second, first)
            click.secho(f"not equivalent by {EQUIVALENCES[by]}", fg="red", bold=True)
            kind = "a visible word" if difference.formula is None else "a formula that is true at its start"
            click.echo(
                f"{kind}, of {able} and not of {unable}:\n\n    {str(difference).replace(chr(10), chr(10) + '    ')}\n"
            )
        click.echo(sizes)
    return result[0]


@contextmanager
def bounded(options: dict[str, Any]) -> Iterator[list[int]]:
    """Around the work of a command: the exit code goes into the list, `UNKNOWN` where a limit ends the work."""
    bounds = replace(options["limits"], states=None)  # of a model, not of all that is made
    guard.keep(bounds, ("unknown (", ")\n"), UNKNOWN)
    result: list[int] = []
    budget = None
    try:
        with spend(bounds) as budget:
            yield result
    except KeyboardInterrupt:
        _leave(result, "interrupted")
    except Unfinished as error:
        _leave(result, str(error))
    except (LimitReached, MemoryError) as error:
        if budget is None or not budget.ends(error):
            raise
        _leave(result, budget.reason)
    guard.answer = result[0]


def _leave(result: list[int], reason: str) -> None:
    result[:] = [UNKNOWN]
    click.echo(f"unknown ({reason})", err=True)


def system(file: str, language: str | None, reading: LoadOptions, options: dict[str, Any]) -> Lts:
    """The system in a file, with the labels that are asked for."""
    if Path(file).suffix == SUFFIX and language is None:
        try:
            found = read_aldebaran(Path(file))
        except OSError as error:
            raise click.FileError(file, error.strerror) from None
    else:
        found = _explored(file, language, reading, options)
    return found.relabelled(_naming(options))


def _explored(file: str, language: str | None, reading: LoadOptions, options: dict[str, Any]) -> Lts:
    began = monotonic()
    with progress_line() as progress:
        say(progress, "reading")
        model = read_model(file, language, reading)
        if isinstance(model, Network) and has_clocks(model):
            raise ModelError(
                f"{file}: a model with clocks has no labelled transition system: time passes in more than steps",
                remedy="leave out its clocks, or `beeline check` it",
            )

        def seen(states: int) -> None:
            if progress is not None and states % 500 == 0:
                progress(Statistics(stored=states, seconds=monotonic() - began, phase="exploring"))

        with running(model, file):
            if isinstance(model, Network):
                explorer = explore_alone if options["threads"] == 1 else explore_in(options["threads"])
                return network_system(model, options["labels"] == "steps", options["limits"], progress, explorer)
            return lts_of(UserWorld(model), label_by_step, options["limits"].states, seen)


def _naming(options: dict[str, Any]) -> Callable[[str], str]:
    """What is asked about labels: renamed first, then hidden."""
    renames = []
    for text in options["rename"]:
        old, sign, new = text.partition("=")
        if not sign or not old or not new:
            raise click.BadParameter(f"{text!r} is not OLD=NEW", param_hint="--rename")
        renames.append((old, new))

    def name(label: str) -> str:
        label = next((new for old, new in renames if fnmatchcase(label, old)), label)
        is_kept = not options["only"] or any(fnmatchcase(label, one) for one in options["only"])
        is_hidden = any(fnmatchcase(label, one) for one in options["hide"])
        return label if is_kept and not is_hidden else TAU

    return name


def write(text: str, output: str | None) -> None:
    """Into a file, or to standard output."""
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(output, error.strerror) from None
