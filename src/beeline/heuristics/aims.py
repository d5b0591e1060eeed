"""What is looked for without an expression, as what it still needs: an assertion that fails, a network that is stuck.

An assertion fails in a step of a process that is at its edge's source, while the guard holds and the assertion's
expression does not. A deadlock needs every process at a place where it can be stuck, with each edge there held up by a
false guard, a full channel or an empty one, and some process not at a valid end. Whatever is not known costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from beeline.heuristics.declaration import HeuristicError
from beeline.heuristics.formula import NEED_STEPS
from beeline.heuristics.needs import Needs, may_fail
from beeline.model.expressions import (
    TRUE,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Expression,
    Field,
    Index,
    Literal,
    Numbered,
    Place,
    Poll,
    Quantified,
    Ref,
    Remote,
    conjuncts,
    walk,
)
from beeline.model.network import Edge, Network, Process, Receive, Send
from beeline.model.scope import root_of
from beeline.model.statements import Assert, Assign, Cover, Print, Statement, Terminate, nested
from beeline.model.types import ClockType, is_scalar, wraps
from beeline.model.usage import names_read
from beeline.records import Record, replace

MOST_PLACES = 400
"""Of all processes, with conditions of their own; beyond that, places alone count."""

HARMLESS = (Assert, Cover, Print)


class Aims:
    """The nodes of what is looked for. With `exact` they never say too much; otherwise run-time errors of all other
    kinds, which could happen nearly anywhere, are left out."""

    def __init__(self, needs: Needs, exact: bool) -> None:
        self.needs = needs
        self.formula = needs.formula
        self.exact = exact
        self.network: Network = self.formula.program.network
        self.any = False
        """Whether there was something to aim at that is not simply everywhere."""
        variables = [v for process in self.network.processes for v in process.variables] + list(self.network.variables)
        if self.network.monitor is not None or any(isinstance(v.type, ClockType) for v in variables):
            raise HeuristicError("Hf needs an expression to aim at where a monitor or clocks are part of the model")

    def _everyone(self) -> Iterable[tuple[int, int, Process]]:
        """Each process number, with each kind that it can have."""
        for number, place in enumerate(self.formula.program.layout.processes):
            for kind in place.kinds:
                yield number, kind, self.network.processes[kind]

    # Failing steps

    def failing(self) -> int:
        """Steps until an assertion fails, the failing one among them."""
        parts = [part for number, kind, process in self._everyone() for part in self._failing(number, kind, process)]
        return self.needs.join(parts, False)

    def _failing(self, number: int, kind: int, process: Process) -> list[int]:
        bare: set[int] = set()
        parts: list[int] = []
        for edge in process.edges:
            asserted = [statement for statement in edge.effect if isinstance(statement, Assert)]
            anywhere = sum(isinstance(statement, Assert) for statement in nested(edge.effect))
            self.any = self.any or anywhere > 0
            if process.locations[edge.source_location].deterministic:
                continue
            if self.exact and not self._fails_by_assertion_alone(process, edge):
                bare.add(edge.source_location)
            elif len(asserted) < anywhere or len(parts) >= MOST_PLACES:
                bare |= {edge.source_location} if anywhere else set()
            else:
                parts += [self._failed(number, kind, process, edge, statement) for statement in asserted]
        within = self._failing_within(process)
        if within:  # the step that leads there is the one that fails
            parts.append(self.needs.place(number, kind, within))
        if bare:
            parts.append(self._one_more(self.needs.place(number, kind, bare)))
        return parts

    def _failing_within(self, process: Process) -> set[int]:
        """Locations in the middle of steps where one may fail: by an assertion, or because there is no way on."""
        asserting = {edge.source_location for edge in process.edges if any(isinstance(s, Assert) for s in edge.effect)}
        return {
            position
            for position, location in enumerate(process.locations)
            if location.deterministic and (self.exact or position in asserting)
        }

    def _failed(self, number: int, kind: int, process: Process, edge: Edge, asserted: Assert) -> int:
        parts = [self.needs.place(number, kind, [edge.source_location])]
        parts += [self._condition(part, True, number, process) for part in conjuncts(edge.guard)]
        if not _may_write_before(edge, asserted, process):
            parts.append(self._condition(asserted.condition, False, number, process))
        return self._one_more(self.needs.join(parts, True))

    def _one_more(self, node: int) -> int:
        return self.formula.total([self.formula.constant(1), node])

    def _fails_by_assertion_alone(self, process: Process, edge: Edge) -> bool:
        """Whether the engine can have no other complaint about this edge, as far as its shape tells."""
        if may_fail(process.provided, self.needs.channels) or may_fail(edge.guard, self.needs.channels):
            return False
        return self._is_harmless_sync(edge, process) and all(self._is_harmless(s, process) for s in edge.effect)

    def _is_harmless(self, statement: Statement, process: Process) -> bool:
        match statement:
            case Assign(Ref(name), value):
                return not may_fail(value, self.needs.channels) and self._takes_any_value(name, process)
            case Assert(condition):
                return not may_fail(condition, self.needs.channels)
            case Terminate():
                return True
            case _:
                return isinstance(statement, HARMLESS)

    def _is_harmless_sync(self, edge: Edge, process: Process) -> bool:
        sync = edge.sync
        if sync is None:
            return True
        if not isinstance(sync, Send | Receive) or not isinstance(sync.channel, Ref):
            return False
        channel = self.needs.channels.get(sync.channel.name)
        if channel is None or not all(is_scalar(kind) and wraps(kind) for kind in channel.fields):
            return False
        if isinstance(sync, Send):
            fits = len(sync.values) == len(channel.fields)
            return fits and not any(may_fail(value, self.needs.channels) for value in sync.values)
        return len(sync.patterns) == len(channel.fields) and all(
            not isinstance(pattern, Bind)
            or (isinstance(pattern.place, Ref) and self._takes_any_value(pattern.place.name, process))
            for pattern in sync.patterns
        )

    def _takes_any_value(self, name: str, process: Process) -> bool:
        declared = [*process.parameters, *process.variables, *self.network.variables]
        found = next((variable for variable in declared if variable.name == name), None)
        return found is not None and is_scalar(found.type) and wraps(found.type)

    # Deadlocks

    def blocking(self) -> int:
        """Steps until no process can move."""
        network = self.network
        committed = any(location.committed for process in network.processes for location in process.locations)
        if (
            committed
            or network.is_rule_based
            or any(channel.urgent or channel.priority for channel in network.channels)
        ):
            raise HeuristicError("Hf cannot tell what makes every process block under the rules of this model")
        by_number: dict[int, list[int]] = {}
        stuck = []
        left = MOST_PLACES
        for number, kind, process in self._everyone():
            places = [position for position in range(len(process.locations)) if self._can_block(process, position)]
            self.any = self.any or len(places) < len(process.locations)
            by_number.setdefault(number, []).append(self._blocked(number, kind, process, places, left))
            left -= len(places)
            stuck.append(self.needs.place(number, kind, [at for at in places if not process.locations[at].end]))
        everyone = [self._or_absent(number, parts) for number, parts in by_number.items()]
        return self.needs.join([self.needs.join(everyone, True), self.needs.join(stuck, False)], True)

    def _or_absent(self, number: int, parts: list[int]) -> int:
        """A number that no process has is not in the way."""
        tag = self.formula.program.layout.processes[number].tag
        if self.formula.program.layout.cells[tag].low > 0:
            return self.needs.join(parts, False)
        return self.formula.minimum([*parts, self.formula.differs(tag, 0)])

    def _can_block(self, process: Process, position: int) -> bool:
        if process.locations[position].deterministic:
            return False
        edges = [process.edges[i] for i in process.leaving[position]]
        return process.provided != TRUE or not any(self._always_goes(edge) for edge in edges)

    def _always_goes(self, edge: Edge) -> bool:
        """Whether a process at its source always has this step, or one of a lower rank."""
        if self._waits_for_others(edge) or any(isinstance(statement, Terminate) for statement in edge.effect):
            return False
        return edge.guard in (TRUE, Builtin("timeout"))

    def _waits_for_others(self, edge: Edge) -> bool:
        """Whether a channel may hold it up. What is sent may be lost, but only if the channel is a queue."""
        loses = isinstance(edge.sync, Send) and self.network.rules.lossy
        return edge.sync is not None and not (loses and self._queue_of(edge) is not None)

    def _blocked(self, number: int, kind: int, process: Process, places: list[int], left: int) -> int:
        """Steps until the process is at one of these places and held up there."""
        bare, parts = [], []
        for position in places:
            edges = [process.edges[i] for i in process.leaving[position]]
            held = [self._held_up(number, process, edge) for edge in edges] if process.provided == TRUE else []
            if not any(held) or len(places) > left:
                bare.append(position)
                continue
            place = self.needs.place(number, kind, [position])
            parts.append(self.needs.join([place, *(node for nodes in held for node in nodes)], True))
        if bare or not parts:
            parts.append(self.needs.place(number, kind, bare))
        return self.needs.join(parts, False)

    def _held_up(self, number: int, process: Process, edge: Edge) -> list[int]:
        """Steps until this edge is not possible, if that is known; nothing otherwise."""
        if any(isinstance(statement, Terminate) for statement in edge.effect):
            return []
        ways = [] if edge.guard == TRUE else [self._condition(edge.guard, False, number, process)]
        if self._waits_for_others(edge):
            channel = self._queue_of(edge)
            if channel is None:
                return []
            what = "full" if isinstance(edge.sync, Send) else "empty"
            ways.append(self._condition(ChannelInfo(what, channel), True, number, process))
        return [self.needs.join(ways, False)] if ways else []

    def _queue_of(self, edge: Edge) -> Expression | None:
        """The queue that alone decides, beside the guard, whether an edge is possible."""
        sync = edge.sync
        if not isinstance(sync, Send | Receive) or not isinstance(sync.channel, Ref):
            return None
        known = self.needs.channels.get(sync.channel.name)
        if known is None or known.capacity == 0 or any(sync.channel.name in _locals(p) for p in self.network.processes):
            return None
        if isinstance(sync, Receive) and not all(isinstance(pattern, Bind) for pattern in sync.patterns):
            return None
        return sync.channel

    # Conditions

    def _condition(self, wanted: Expression, holds: bool, number: int, process: Process) -> int:
        """Steps until something that a process may ask holds, or does not; 0 where that cannot be said."""
        asks_steps = any(isinstance(part, Builtin) and part.name in (*NEED_STEPS, "last") for part in walk(wanted))
        if asks_steps or any(isinstance(part, Call | Poll | Quantified | Remote) for part in walk(wanted)):
            return self.formula.constant(0)
        return self.needs.node(_from_outside(wanted, process, number, _locals(process)), holds)


def _locals(process: Process) -> set[str]:
    return {variable.name for variable in (*process.parameters, *process.variables)} | {
        c.name for c in process.channels
    }


def _may_write_before(edge: Edge, asserted: Assert, process: Process) -> bool:
    """Whether what an assertion reads may change in the step before the assertion is looked at."""
    read = names_read(asserted.condition)
    if edge.sync is not None and not (isinstance(edge.sync, Receive) and read <= _locals(process)):
        return True
    before = edge.effect[: edge.effect.index(asserted)]
    if not all(isinstance(statement, (*HARMLESS, Assign)) for statement in before):
        return True
    if any(isinstance(part, Call) for s in before if isinstance(s, Assign) for part in walk(s.value)):
        return True
    written = {root_of(statement.target) for statement in before if isinstance(statement, Assign)}
    if isinstance(edge.sync, Receive):
        written |= {root_of(pattern.place) for pattern in edge.sync.patterns if isinstance(pattern, Bind)}
    return bool(written & read)


def _from_outside(part: Any, process: Process, number: int, known: set[str]) -> Any:
    """An expression of a process, as one that does not belong to it would write it."""
    match part:
        case Builtin("pid", None):
            return Literal(number)
        case Ref() | Index() | Field() if root_of(part) in known:
            return Remote(Numbered(process.name, Literal(number)), _indices_from_outside(part, process, number, known))
        case tuple():
            return tuple(_from_outside(inner, process, number, known) for inner in part)
        case Record():
            changed = {
                name: _from_outside(getattr(part, name), process, number, known) for name in part.__struct_fields__
            }
            return replace(part, **changed)
        case _:
            return part


def _indices_from_outside(place: Place, process: Process, number: int, known: set[str]) -> Place:
    match place:
        case Index(base, index):
            inner = _indices_from_outside(base, process, number, known)
            return Index(inner, _from_outside(index, process, number, known))
        case Field(base, name):
            return Field(_indices_from_outside(base, process, number, known), name)
        case Ref():
            return place
