"""Options that several commands share, and those that are the fields of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, EnumType
from functools import wraps
from typing import Any, TypeVar, cast

import click

from beeline.engine.limits import TimeError, parse_size, parse_time
from beeline.languages import LoadOptions
from beeline.parameters import Field, fields_said
from beeline.records import Record

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
    """A time: a number of seconds, or one with a unit, such as 30s, 10m or 2h."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, str) and value.strip()[-1:].lower() in ("s", "m", "h"):
            try:
                return parse_time(value)
            except TimeError as error:
                self.fail(str(error), param, ctx)
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
        *arguments: Any, defines: tuple[tuple[str, str], ...], lossy: bool, claim: str | None, **others: Any
    ) -> Any:
        murphi = {name: others.pop(name) for name in ("deadlock", "undefined")}
        return command(*arguments, reading=LoadOptions(dict(defines), lossy, claim=claim, **murphi), **others)

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
        click.option(
            "--claim", metavar="FILE", help="Where a Promela model's never claim or formulas stand (SPIN's -N)."
        ),
        click.option("-D", "defines", multiple=True, type=Define(), help="Define a macro or constant of the model."),
        click.option("--language", metavar="NAME", help="The model's language, if its suffix does not tell."),
        click.argument("file", type=click.Path()),
    ):
        made = option(made)
    return made


ARGUMENTS = "beeline.arguments"
"""Where the context of a command keeps them."""


class KeepsArguments(click.Command):
    """A command whose context knows how it was called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


class LateHelp(click.Option):
    """An option with a help that is made when it is read."""

    def __init__(self, *names: Any, told: Callable[[], str], **others: Any) -> None:
        super().__init__(*names, **others)
        self._told = told

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self._told()
        return super().get_help_record(ctx)


def options_of(record: type[Record], *names: str, to: str = "options") -> Callable[[F], F]:
    """Gives a command an option for every field of a record that a person may say, or for those of some names. The
    command gets the record as `to`. Records inside it are what they are without options if nothing is said of them."""
    chosen = [field for field in fields_said(record) if not names or field.name in names]

    def decorate(command: F) -> F:
        @wraps(command)
        def gathered(*arguments: Any, **said: Any) -> Any:
            values = {field.name: _taken(field, said) for field in chosen}
            return command(*arguments, **{to: record(**values)}, **said)

        made = cast("F", gathered)
        for one in reversed([inner for field in chosen for inner in _flat(field)]):
            made = _option(one)(made)
        return made

    return decorate


def _flat(field: Field) -> Iterator[Field]:
    """A field, or those of the record that it is."""
    if field.parameter is not None:
        yield field
    else:
        yield from fields_said(field.type)


def _taken(field: Field, said: dict[str, Any]) -> Any:
    """The value of a field, taken out of what was said."""
    if field.parameter is None:
        is_said = any(map(_is_said, fields_said(field.type)))  # also where it is what the default is
        inside = field.type(**{inner.name: _taken(inner, said) for inner in fields_said(field.type)})
        return inside if is_said else field.default
    value = said.pop(_destination(field))
    return field.type(value) if isinstance(field.type, EnumType) else value


def _is_said(field: Field) -> bool:
    source = click.get_current_context().get_parameter_source(_destination(field))
    return source not in (None, click.core.ParameterSource.DEFAULT)


def _destination(field: Field) -> str:
    return field.option.replace("-", "_")


def _option(field: Field) -> Callable[[F], F]:
    parameter = field.parameter
    assert parameter is not None
    given: dict[str, Any] = {"metavar": parameter.metavar}
    if isinstance(parameter.help, str):
        given["help"] = parameter.help
    else:
        given |= {"cls": LateHelp, "told": parameter.help}
    if field.type is bool:
        return click.option(f"--{field.option}", _destination(field), is_flag=True, **given)
    default = field.default.value if isinstance(field.type, EnumType) else field.default
    given |= {"type": _type(field), "default": default, "show_default": default is not None}
    return click.option(f"--{field.option}", _destination(field), **given)


def _type(field: Field) -> click.ParamType[Any]:
    parameter, types = field.parameter, getattr(field.type, "__args__", (field.type,))
    assert parameter is not None
    if isinstance(field.type, EnumType):
        return click.Choice([member.value for member in cast("type[Enum]", field.type)])
    if parameter.choices:
        return click.Choice(parameter.choices)
    if parameter.kind:
        return Size() if parameter.kind == "size" else click.Path()
    if float in types:
        return Seconds()
    return Whole(parameter.least, parameter.most) if int in types else click.STRING
