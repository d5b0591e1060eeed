"""Synchronous systems: in one step, choices are made and then all variables get new values at once.

`network_of` brings one to the form that all engines take; `beeline.symbolic.functions` reads it as functions."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.model.expressions import TRUE, Conditional, Expression, Literal, Ref, conjunction, negate
from beeline.model.network import Edge, Initial, Location, Network, Process, Variable
from beeline.model.source import UNKNOWN, Source
from beeline.model.statements import Assign, Declare, Statement
from beeline.model.types import EnumType, IntType, ScalarType, bounds
from beeline.records import Record


class Choice(Record, frozen=True):
    """A value that is chosen anew in each step, out of those `options` whose condition holds; 0 where none does.
    Conditions read only choices that stand before it. Where the `first` one counts, there is nothing to choose. `text`
    says what an option means."""

    name: str
    type: ScalarType
    options: tuple[tuple[int, Expression], ...]
    text: str = ""
    source: Source = UNKNOWN
    first: bool = False


class Update(Record, frozen=True):
    """The next value of a variable: that of the first case whose condition holds, else the present one."""

    variable: str
    cases: tuple[tuple[Expression, Expression], ...]


class Phase(Record, frozen=True):
    """Some of the states: those in which `condition` holds, and that of no phase before. There, variables and choices
    have the `known` values, and in a step from there `fixed` variables get these."""

    condition: Expression
    known: tuple[tuple[str, int], ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()


class Synchronous(Record, frozen=True):
    """Variables with one initial value each, what is chosen in a step, and how they change. A variable without an
    update keeps its value. Expressions of updates read variables and choices."""

    name: str
    variables: tuple[Variable, ...]
    choices: tuple[Choice, ...]
    updates: tuple[Update, ...]
    phases: tuple[Phase, ...] = (Phase(TRUE),)
    """They say nothing new, but tell who works with sets of states where most variables stay as they are. The last one
    has all states that are left."""
    process: str = "system"
    text: str = "step"
    """How traces call what moves, and its step."""


def next_value(update: Update) -> Expression:
    """The next value as one expression."""
    value: Expression = Ref(update.variable)
    for condition, wanted in reversed(update.cases):
        value = Conditional(condition, wanted, value)
    return value


def network_of(system: Synchronous, language: str, source: Source = UNKNOWN) -> Network:
    """The system as one process, which makes its choices one after the other without interruption and then changes
    everything. Choices are forgotten at the end of a step."""
    last, changes = len(system.choices), _changes(system)
    some = [_any(condition for _, condition in choice.options) for choice in system.choices]
    edges = [edge for number, choice in enumerate(system.choices) for edge in _chosen(number, choice, some)]
    edges.append(Edge(last, 0, effect=changes, text=system.text, source=source))
    if system.choices:
        edges.append(Edge(0, 0, negate(_any(some)), effect=changes, text=system.text, source=source))
    locations = (Location("rest", end=True), *(Location(f"chosen_{i}") for i in range(1, last + 1)))
    hidden = tuple(Variable(one.name, one.type, hidden=True, source=one.source) for one in system.choices)
    process = Process(system.process, locations, tuple(edges), source=source)
    return Network(
        name=system.name,
        processes=(process,),
        initial=(Initial(process.name, process.name),),
        variables=(*system.variables, *hidden),
        language=language,
        source=source,
    )


def _any(conditions: Iterable[Expression]) -> Expression:
    return negate(conjunction([negate(condition) for condition in dict.fromkeys(conditions)]))


def _chosen(number: int, choice: Choice, some: list[Expression]) -> list[Edge]:
    """What can be chosen; a choice that has nothing to choose from is passed over, unless no other has either."""
    edges = [
        Edge(
            number,
            number + 1,
            condition,
            effect=(Assign(Ref(choice.name), Literal(value)),),
            rank=position if choice.first else 0,
            keeps_control=True,
            text=f"{choice.text or choice.name}: {_shown(choice.type, value)}",
            source=choice.source,
        )
        for position, (value, condition) in enumerate(choice.options)
    ]
    passed = [negate(some[number])] if number else [negate(some[0]), _any(some[1:])]
    return [*edges, Edge(number, number + 1, conjunction(passed), keeps_control=True, text="-", source=choice.source)]


def _shown(kind: ScalarType, value: int) -> str:
    return kind.members[value - kind.first] if isinstance(kind, EnumType) else str(value)


def _changes(system: Synchronous) -> tuple[Statement, ...]:
    """All new values are known before the first variable changes."""
    kinds = {variable.name: variable.type for variable in system.variables}
    told: list[Statement] = []
    for update in system.updates:
        kind = kinds[update.variable]
        assert isinstance(kind, ScalarType)
        low, high = bounds(kind)
        told.append(Declare(f"next_{update.variable}", IntType(low, high), next_value(update)))
    return (*told, *(Assign(Ref(one.variable), Ref(f"next_{one.variable}")) for one in system.updates))
