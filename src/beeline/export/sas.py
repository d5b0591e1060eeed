"""A network and a goal as a finite-domain planning task in Fast Downward's format (its translator's output, version 3).

Every variable of the task is a cell of the network's state, every operator a step with all values spelt out. Only what
can be said exactly is exported: where the network has a construct that planning tasks lack, the error names it. Clocks
are left out, and the text says so: plans then are candidates, not traces.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline import languages
from beeline.compile.program import Program, compile_network
from beeline.engine import Found, core
from beeline.model.expressions import TRUE, Builtin, walk
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import ModelError
from beeline.properties import check_property, questions
from beeline.records import Record
from beeline.timed.clocks import has_clocks
from beeline.timed.search import goal_of, zone_graph


class ExportError(ModelError):
    """The model cannot be said in the format."""


def to_sas(network: Network, text: str | None = None) -> str:
    """The task of reaching a violation of a property (or a goal), as text.

    >>> from beeline import NetworkBuilder
    >>> builder = NetworkBuilder("two steps")
    >>> _ = builder.process("P").location("a").location("b").location("c").edge("a", "b").edge("b", "c")
    >>> print(to_sas(builder.build(), "E<> P@c").splitlines()[-2])
    end_operator
    """
    asked = languages.ask(network, text) if text is not None else _first_goal(network)
    program, native = _compiled(network, asked)
    task = core.Task(native, False)
    if not task.complete or not task.exact:
        raise ExportError("some step depends on values that cannot all be listed", remedy="use smaller domains")
    return "\n".join(_Writer(program, task).lines()) + "\n"


def _first_goal(network: Network) -> Property:
    """The first question of the model that seeks a state."""
    asked = questions(network)
    return next((question for question in asked if question.sought is not None), asked[0])


def _compiled(network: Network, asked: Property) -> tuple[Program, core.Program]:
    wanted = asked.sought
    if wanted is None:
        remedy = "ask for an invariant, or for a state with E<>"
        raise ExportError(f"a planning task has a goal; '{asked.name}' has no expression", remedy=remedy)
    for reason in _beyond(network):
        raise ExportError(f"planning tasks have no {reason}", remedy="export a model without them")
    if has_clocks(network):
        graph = zone_graph(network, goal_of(network, asked))
        if graph.program.discrete_goal is None:
            raise ExportError("the goal asks for clocks only", remedy="ask for locations or variables")
        context = graph.context(asked, Found.GOAL)
        return context.compiled("export")
    check_property(network, asked)
    program = compile_network(network, wanted)
    return program, program.native


def _beyond(network: Network) -> Iterator[str]:
    """Constructs that forbid steps, or make one of several, in ways that operators cannot say."""
    if network.monitor is not None:
        yield "claims"
    if network.rules.priorities or any(any(channel.every_priority) for channel in network.channels):
        yield "priorities"
    for channel in network.channels:
        if channel.broadcast:
            yield f"broadcasts ({channel.name})"
        if channel.capacity:
            yield f"buffered channels ({channel.name})"
    for process in network.processes:
        if process.provided != TRUE:
            yield f"'provided' ({process.name})"
        if process.channels:
            yield f"channels of processes ({process.name})"
        for place in process.locations:
            if place.committed or place.deterministic:
                yield f"committed locations ({process.name}.{place.name})"
        for edge in process.edges:
            if edge.rank or edge.otherwise or edge.keeps_control:
                yield f"steps that take precedence ({process.name}: {edge.text or 'an edge'})"
            if Builtin("timeout") in walk(edge.guard):
                yield "timeout"


class _Variable(Record, frozen=True):
    name: str
    values: tuple[int, ...]


class _Writer:
    """Lays out one task. The goal is a conjunction in this format: with several, an extra variable says that one of
    them was reached."""

    def __init__(self, program: Program, task: core.Task) -> None:
        self.program = program
        self.task = task
        by_cell: dict[int, list[int]] = {}
        for cell, value in task.facts:
            by_cell.setdefault(cell, []).append(value)
        self.variables = [
            _Variable(program.layout.cells[cell].name, tuple(values))
            for cell, values in by_cell.items()
            if len(values) > 1
        ]
        self.place = {cell: at for at, cell in enumerate(c for c, values in by_cell.items() if len(values) > 1)}
        initial: list[int] = program.tables["initial"]
        self.initial = [initial[cell] for cell in self.place]
        self.goals = task.goals
        self.has_extra = len(self.goals) != 1 or self.goals[0][1] != 0 or not self.goals[0][0]

    def lines(self) -> Iterator[str]:
        yield from ("begin_version", "3", "end_version", "begin_metric", "1", "end_metric")
        variables = [*self.variables, *([_Variable("reached", (0, 1))] if self.has_extra else [])]
        yield str(len(variables))
        for number, variable in enumerate(variables):
            yield from ("begin_variable", f"var{number}", "-1", str(len(variable.values)))
            yield from (f"Atom {variable.name}({value})" for value in variable.values)
            yield "end_variable"
        yield from ("0", "begin_state")
        yield from (str(v.values.index(first)) for v, first in zip(self.variables, self.initial, strict=True))
        yield from (*(["0"] if self.has_extra else []), "end_state")
        yield from self._goal()
        operators = [*self._operators(), *(self._goal_operators() if self.has_extra else [])]
        yield str(len(operators))
        for operator in operators:
            yield from operator
        yield "0"

    def _fact(self, number: int) -> tuple[int, int]:
        cell, value = self.task.facts[number]
        variable = self.place[cell]
        return variable, self.variables[variable].values.index(value)

    def _goal(self) -> Iterator[str]:
        yield "begin_goal"
        if self.has_extra:
            yield from ("1", f"{len(self.variables)} 1")
        else:
            facts = [self._fact(number) for number in self.goals[0][0]]
            yield str(len(facts))
            yield from (f"{variable} {value}" for variable, value in facts)
        yield "end_goal"

    def _operators(self) -> Iterator[list[str]]:
        for number, (conditions, effects, _, _, cost) in enumerate(self.task.operators):
            needed = dict(map(self._fact, conditions))
            changed = dict(map(self._fact, effects))
            yield _operator(f"step{number}", needed, changed, cost)

    def _goal_operators(self) -> Iterator[list[str]]:
        for number, (conditions, cost) in enumerate(self.goals):
            yield _operator(f"goal{number}", dict(map(self._fact, conditions)), {len(self.variables): 1}, cost)


def _operator(name: str, needed: dict[int, int], changed: dict[int, int], cost: int) -> list[str]:
    prevail = {variable: value for variable, value in needed.items() if variable not in changed}
    return [
        "begin_operator",
        name,
        str(len(prevail)),
        *(f"{variable} {value}" for variable, value in prevail.items()),
        str(len(changed)),
        *(f"0 {variable} {needed.get(variable, -1)} {value}" for variable, value in changed.items()),
        str(cost),
        "end_operator",
    ]
