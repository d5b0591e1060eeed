"""Dead variables: locals of a process that do not matter from a place on are set back to their first values on the way
there, so that states which differ in them alone become one.

Backwards from each place: what an edge reads matters before it, what it writes whole does not. An assignment to what
does not matter afterwards reads nothing, if it cannot fail (influence analysis: de la Camara, Gallardo and Merino,
Abstract matching for software model checking, SPIN 2006, for locals; globals, and what others or the property look at,
always matter). States with equal values of what matters have the same steps into such states again: the two networks
are strongly bisimilar, so that verdicts and lengths of shortest traces stay. Steps keep their moves, by which traces
are replayed in the network as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from beeline.model.expressions import (
    Binary,
    Bind,
    Call,
    Expression,
    Literal,
    Ref,
    Remote,
    Unary,
    pattern_parts,
    walk,
)
from beeline.model.network import Edge, Network, Process, Receive, Send, Variable
from beeline.model.property import Property
from beeline.model.scope import root_of
from beeline.model.statements import Alias, Assign, Declare, For, Statement, Terminate, expressions, nested
from beeline.model.types import IntType, Overflow, first_value, is_scalar
from beeline.model.usage import names_read
from beeline.preprocessing.choices import DEAD
from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.layer import Layer
from beeline.preprocessing.touching import Touching
from beeline.records import replace

HARMLESS = frozenset(("+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "&", "|", "^", "!", "~"))
"""Operators that have a value for all operands."""


def dead_variables(touching: Touching, asked: Property) -> Layer | None:
    """The layer in which locals are set back where they do not matter; None if they all matter everywhere."""
    network = touching.network
    if touching.clock_cells or network.rules.opened:
        return None
    looked_at = _looked_at(network, asked)
    processes, names = [], []
    for process in network.processes:
        cleared = _Clearing(process, looked_at).process()
        processes.append(cleared)
        if cleared is not process:
            names.append(process.name)
    if not names:
        return None
    return Layer(DEAD, network, replace(network, processes=tuple(processes)), asked, tuple(names))


def _looked_at(network: Network, asked: Property) -> set[str]:
    """Names of locals that others or the property may look at, or a function of their own process."""
    found = names_read(*asked.expressions) | _names_of_others(asked.expressions)
    for process in (*network.processes, *((network.monitor,) if network.monitor is not None else ())):
        found |= _names_of_others(_expressions_of(process))
        for function in process.functions:
            for statement in nested(function.body):
                found |= names_read(*expressions(statement))
    return found


def _names_of_others(expressions: Sequence[Expression]) -> set[str]:
    """Names of locals that expressions look at from outside."""
    parts = [part for expression in expressions for part in walk(expression)]
    return {root_of(part.place) for part in parts if isinstance(part, Remote) and not isinstance(part.place, Call)}


def _expressions_of(process: Process) -> list[Expression]:
    found = [process.provided, *(location.invariant for location in process.locations)]
    for edge in process.edges:
        found += [edge.guard, *_communicated(edge)]
        for statement in nested(edge.effect):
            found += expressions(statement)
    for function in process.functions:
        for statement in nested(function.body):
            found += expressions(statement)
    return found


def _communicated(edge: Edge) -> list[Expression]:
    """What a synchronisation reads, and the places that it writes."""
    if isinstance(edge.sync, Send):
        return [edge.sync.channel, *edge.sync.values]
    if isinstance(edge.sync, Receive):
        return [edge.sync.channel, *pattern_parts(edge.sync.patterns)]
    return []


class _Clearing:
    """Which locals of a kind of process matter where."""

    def __init__(self, process: Process, looked_at: set[str]) -> None:
        self._process = process
        always = looked_at | names_read(process.provided)
        self._locals = {
            variable.name: variable
            for variable in process.variables
            if is_scalar(variable.type) and variable.expression is None and variable.name not in always
        }
        self._live = [names_read(location.invariant) for location in process.locations]
        changed = True
        while changed:
            changed = False
            for edge in process.edges:
                more = self._before(edge) - self._live[edge.source_location]
                self._live[edge.source_location] |= more
                changed = changed or bool(more)

    def process(self) -> Process:
        """The process with dead locals set back; the same one if there are none."""
        edges = tuple(self._cleared(edge) for edge in self._process.edges)
        return self._process if edges == self._process.edges else replace(self._process, edges=edges)

    def _before(self, edge: Edge) -> set[str]:
        """What matters where an edge begins."""
        live = set(self._live[edge.target_location])
        shadowed = _names_made(edge.effect)
        for statement in reversed(edge.effect):
            live = self._before_statement(statement, live, shadowed)
        if isinstance(edge.sync, Receive):
            for pattern in edge.sync.patterns:
                if isinstance(pattern, Bind) and isinstance(pattern.place, Ref):
                    live.discard(pattern.place.name)
            read = [edge.sync.channel]
            for pattern in edge.sync.patterns:
                if not (isinstance(pattern, Bind) and isinstance(pattern.place, Ref)):
                    read += pattern_parts((pattern,))
            live |= names_read(*read)
        elif isinstance(edge.sync, Send):
            live |= names_read(edge.sync.channel, *edge.sync.values)
        return live | names_read(edge.guard)

    def _before_statement(self, statement: Statement, live: set[str], shadowed: set[str]) -> set[str]:
        match statement:
            case Assign(Ref(name), value) if name in self._locals and name not in shadowed:
                if name not in live and self._cannot_fail(self._locals[name], value):
                    return live
                return (live - {name}) | names_read(value)
        read = names_read(*(part for one in nested((statement,)) for part in expressions(one)))
        return live | read

    def _cannot_fail(self, target: Variable, value: Expression) -> bool:
        if not isinstance(target.type, IntType) or target.type.overflow is not Overflow.WRAP:
            return False
        return all(
            isinstance(part, (Ref, Literal)) or (isinstance(part, (Unary, Binary)) and part.operator in HARMLESS)
            for part in walk(value)
        )

    def _cleared(self, edge: Edge) -> Edge:
        written = _written_by(edge)
        if any(isinstance(statement, Terminate) for statement in nested(edge.effect)):
            return edge
        resets = tuple(
            Assign(Ref(name), Literal(_first_value(variable)), edge.source)
            for name, variable in self._locals.items()
            if name not in self._live[edge.target_location]
            and (name in written or name in self._live[edge.source_location])
        )
        if not resets or edge.effect[-len(resets) :] == resets or _names_made(edge.effect) & set(self._locals):
            return edge
        return replace(edge, effect=(*edge.effect, *resets))


def _names_made(effect: tuple[Statement, ...]) -> set[str]:
    """Names that an effect gives to things of its own."""
    return {statement.name for statement in nested(effect) if isinstance(statement, (Declare, Alias, For))}


def _written_by(edge: Edge) -> set[str]:
    """Names of variables that an edge may write, and of others that it mentions."""
    found: set[str] = set()
    if isinstance(edge.sync, Receive):
        found |= {root_of(one.place) for one in edge.sync.patterns if isinstance(one, Bind)}
    for statement in nested(edge.effect):
        found |= names_read(*expressions(statement))
    return found


def _first_value(variable: Variable) -> int:
    assert is_scalar(variable.type)
    return variable.initial[0] if variable.initial else first_value(variable.type)


TECHNIQUE = Technique(
    name=DEAD,
    summary="sets locals back where they do not matter any more",
    paper="de la Camara, Gallardo and Merino, SPIN 2006",
    promises=("the same verdicts", "the same length of shortest traces"),
    apply=dead_variables,
    automatic=False,
)
