"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from beeline.engine.limits import Limits, parse_size
from beeline.engines import AUTO as AUTO_ENGINE
from beeline.jit import TIERS
from beeline.languages import LoadOptions
from beeline.searches import FAIRNESS
from beeline.searches.registry import MOST_THREADS
from beeline.stores import PLAIN, all_stores
from beeline.symmetry import NONE as APART
from beeline.timed.options import Extrapolation, ZoneOptions

F = TypeVar("F", bound=Callable[..., Any])


class Size(click.ParamType[int]):
    """A number of bytes such as 512M or 2G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return parse_size(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Seconds(click.ParamType[float]):
    """A time that is a number, zero or more."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = click.FloatRange(min=0).convert(value, param, ctx)
        if seconds != seconds:
            self.fail(f"'{value}' is no number of seconds", param, ctx)
        return seconds


class Whole(click.ParamType[int]):
    """A whole number within bounds that are too far to be worth showing."""

    name = "whole number"

    def __init__(self, least: int, most: int) -> None:
        self.range = click.IntRange(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number: int = self.range.convert(value, param, ctx)
        return number


class Define(click.ParamType[tuple[str, str]]):
    """NAME or NAME=VALUE for the preprocessor."""

    name = "name[=value]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, _, text = str(value).partition("=")
        if not name.isidentifier():
            self.fail(f"'{value}' is not NAME or NAME=VALUE", param, ctx)
        return name, text or "1"


def model_options(command: F) -> F:
    """FILE and how to read it: the command gets `reading`."""

    @wraps(command)
    def gathered(
        *arguments: Any, defines: tuple[tuple[str, str], ...], lossy: bool, deadlock: str, undefined: str, **others: Any
    ) -> Any:
        return command(*arguments, reading=LoadOptions(dict(defines), lossy, deadlock, undefined), **others)

    made = cast("F", gathered)
    for option in (
        click.option(
            "--undefined",
            type=click.Choice(("auto", "error", "copied")),
            default="auto",
            show_default=True,
            help="In Murphi, what it is to assign a variable without a value: as in Rumur, or as in CMurphi.",
        ),
        click.option(
            "--deadlock",
            type=click.Choice(("stuttering", "stuck", "off")),
            default="stuttering",
            show_default=True,
            help="In Murphi, a state that no rule leads out of, one without any rule, or none.",
        ),
        click.option("--lossy", is_flag=True, help="Sends to full channels lose the message (SPIN's -m)."),
        click.option("-D", "defines", multiple=True, type=Define(), help="Define a macro or constant of the model."),
        click.option("--language", metavar="NAME", help="The model's language, if its suffix does not tell."),
        click.argument("file", type=click.Path()),
    ):
        made = option(made)
    return made


def symmetry_option(command: F) -> F:
    """Whether states that are alike are one."""
    return click.option(
        "--symmetry",
        default=APART,
        show_default=True,
        metavar="NAME",
        help="Take states that differ only in the names of interchangeable things for one: auto, exact or quick.",
    )(command)


def limit_options(command: F) -> F:
    """How far a search may go."""
    for option in (
        click.option("--max-depth", type=Whole(0, 2**32 - 2), metavar="N", help="Steps from the start."),
        click.option("--max-states", type=Whole(1, 2**62), metavar="N", help="Stored states."),
        click.option("--max-memory", type=Size(), metavar="SIZE", help="Such as 512M or 2G [default: 70% of free]."),
        click.option("--max-time", type=Seconds(), metavar="S", help="Seconds."),
    ):
        command = option(command)
    return command


def threads_option(command: F) -> F:
    """How many threads share the work."""
    option = click.option(
        "--threads",
        type=Whole(1, MOST_THREADS),
        default=1,
        metavar="N",
        help="Threads that share the work; the answer is that of one.",
    )
    return option(command)


class StoreOption(click.Option):
    """Lists the stores in its help, which imports all of them, only when that is read."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = f"How states are kept: {', '.join(all_stores())}."
        return super().get_help_record(ctx)


def store_option(command: F) -> F:
    """How states are kept."""
    option = click.option("--store", cls=StoreOption, default=PLAIN, show_default=True, metavar="NAME")
    return option(command)


def tier_option(command: F) -> F:
    """How steps are found."""
    option = click.option(
        "--tier",
        type=click.Choice(TIERS),
        default="auto",
        show_default=True,
        help="How steps are found: by bytecode, or by native code that a C compiler makes of the model.",
    )
    return option(command)


def engine_option(command: F) -> F:
    """Who answers."""
    option = click.option(
        "--engine", default=AUTO_ENGINE, show_default=True, metavar="NAME", help="Who answers; see `beeline list`."
    )
    return option(command)


def zone_options(command: F) -> F:
    """For models with clocks."""
    kinds = click.Choice([kind.value for kind in Extrapolation])
    for option in (
        click.option("--merge-zones", is_flag=True, help="Join zones whose union is one (models with clocks)."),
        click.option("--extrapolation", type=kinds, help="How zones are widened [default: lu+]."),
        click.option("--zones", is_flag=True, help="Show the zones of a trace, too (models with clocks)."),
    ):
        command = option(command)
    return command


def chosen_zones(show: bool, extrapolation: str | None, merge: bool) -> ZoneOptions | None:
    """What was asked for of zones; None if nothing was, because then the model may have no clocks."""
    if not show and extrapolation is None and not merge:
        return None
    return ZoneOptions(Extrapolation(extrapolation or Extrapolation.LU_PLUS.value), merge, show)


def limits(max_time: float | None, max_memory: int | None, max_states: int | None, max_depth: int | None) -> Limits:
    return Limits(max_time, max_memory, max_states, max_depth)


def fairness_option(said: str) -> Callable[[F], F]:
    """Which runs that go on for ever count; `said` is the help."""
    return click.option("--fairness", type=click.Choice(FAIRNESS), default=FAIRNESS[0], show_default=True, help=said)
