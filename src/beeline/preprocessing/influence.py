"""Influence analysis: at which places of the processes does a variable still matter for what is asked?

Backwards from each place: what an edge reads matters before it, what it writes whole does not. An assignment to what
matters to nobody reads nothing, if it cannot fail (de la Camara, Gallardo and Merino, Abstract matching for software
model checking, SPIN 2006). A variable matters in a state if it matters to some process where that stands. The
published rules for globals lose errors in two ways, which are mended here: a value that another process may ever want
is wanted by whoever computes it, although its own process writes the variable again; and what others want is found
for all processes together. A question looks at its variables everywhere, but at those of `P@here && x == 1` only where
P is.

States with the same places, and the same values of what matters, have the same steps into such states again: that is a
strong bisimulation, so that verdicts and lengths of shortest traces stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beeline.model.expressions import (
    At,
    Binary,
    Bind,
    Call,
    Expression,
    Instance,
    Literal,
    Ref,
    Remote,
    Unary,
    conjuncts,
    pattern_parts,
    walk,
)
from beeline.model.network import Edge, Network, Process, Receive, Send, Variable
from beeline.model.property import Property
from beeline.model.scope import root_of
from beeline.model.statements import Alias, Assign, Declare, For, Print, Start, Statement, expressions, nested
from beeline.model.types import IntType, Overflow, is_scalar
from beeline.model.usage import names_read

HARMLESS = frozenset(("+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "&", "|", "^", "!", "~"))
"""Operators that have a value for all operands."""


class Influence:
    """Which variables matter where: `live[kind][location]` has names of locals and globals. Of the globals only those
    in `shared` are looked into; all others always matter."""

    def __init__(self, network: Network, asked: Property, shared: Iterable[str] = ()) -> None:
        self.network = network
        self._conditions = [*asked.observed, *(() if asked.sought is None else (asked.sought,))]
        if network.monitor is not None:
            self._conditions += _expressions_of(network.monitor)
        always = self._always()
        scalars = {one.name: one for one in network.variables if is_hideable(one)}
        self.globals = {name: scalars[name] for name in shared if name in scalars and name not in always}
        self.locals = [
            {one.name: one for one in process.variables if is_hideable(one) and one.name not in always}
            for process in network.processes
        ]
        self.tracked = [self._tracked(kind) for kind in range(len(network.processes))]
        self.live = [
            [names_read(place.invariant, process.provided) for place in process.locations]
            for process in network.processes
        ]
        self._alone = [is_alone(network, kind) for kind in range(len(network.processes))]
        self._add_questions()
        self._ever = [set[str]().union(*live) for live in self.live]
        while any(self._improve(kind) for kind in range(len(network.processes))):
            pass

    def wanted_by(self, name: str) -> list[int]:
        """The kinds of processes to which a global may matter somewhere."""
        return [kind for kind, ever in enumerate(self._ever) if name in ever and name in self.tracked[kind]]

    def is_wanted_by_others(self, kind: int, name: str) -> bool:
        """Whether a variable of a kind of process may matter to another process, perhaps one of the same kind."""
        if name in self.locals[kind]:
            return False
        return any(other != kind or not self._alone[kind] for other in self.wanted_by(name))

    def _tracked(self, kind: int) -> dict[str, Variable]:
        """The variables of one kind of process that are looked into, by the names that they have there."""
        own = own_names(self.network.processes[kind])
        seen = {name: one for name, one in self.globals.items() if name not in own}
        return self.locals[kind] | seen

    def _always(self) -> set[str]:
        """Names that somebody may look at whom the analysis does not follow: functions, the monitor, locals of others.
        The question's own variables are among them unless it looks at them in some places only."""
        network = self.network
        found = {name for name, place in self._looked_at(self._conditions) if place is None}
        found |= _names_of_others(self._conditions)
        for process in network.processes:
            found |= _names_of_others(_expressions_of(process))
            found |= _names_in_functions(process)
            found |= names_read(*(one.expression for one in process.variables if one.expression is not None))
        for function in network.functions:
            found |= names_read(*(part for one in nested(function.body) for part in expressions(one)))
        return found

    def _looked_at(self, conditions: Sequence[Expression]) -> list[tuple[str, At | None]]:
        """The names that conditions read, each with the place of a process where alone it is read, if there is one."""
        found: list[tuple[str, At | None]] = []
        waiting = list(conditions)
        while waiting:
            part = waiting.pop()
            parts = conjuncts(part)
            place = next((one for one in parts if isinstance(one, At)), None)
            if place is not None:
                own = own_names(self._process_at(place))
                for one in parts:
                    found += [
                        (name, place if is_harmless(one) and name not in own else None) for name in names_read(one)
                    ]
            elif isinstance(part, Unary):
                waiting.append(part.operand)
            elif isinstance(part, Binary) and part.operator in ("&&", "||"):
                waiting += [part.left, part.right]
            else:
                found += [(name, None) for name in names_read(part)]
        return found

    def _add_questions(self) -> None:
        """What the question or the monitor reads at some places matters at those."""
        for name, place in self._looked_at(self._conditions):
            if place is not None:
                process = self._process_at(place)
                for number, location in enumerate(process.locations):
                    if place.location in (location.name, *location.labels):
                        self.live[self.network.processes.index(process)][number].add(name)

    def _process_at(self, place: At) -> Process:
        named = place.process
        kind = (
            next(one.process for one in self.network.initial if one.name == named.name)
            if isinstance(named, Instance)
            else named.process
        )
        return next(one for one in self.network.processes if one.name == kind)

    def _improve(self, kind: int) -> bool:
        """Goes over all edges of a kind of process once; says whether anything was found."""
        changed = False
        for edge in self.network.processes[kind].edges:
            before, ever = self._before(kind, edge), len(self._ever[kind])
            more = before - self.live[kind][edge.source_location]
            self.live[kind][edge.source_location] |= more
            self._ever[kind] |= more
            changed = changed or bool(more) or len(self._ever[kind]) > ever
        return changed

    def _before(self, kind: int, edge: Edge) -> set[str]:
        """What matters where an edge begins."""
        live = set(self.live[kind][edge.target_location])
        shadowed = names_made(edge.effect)
        tracked = {name: one for name, one in self.tracked[kind].items() if name not in shadowed}
        for statement in reversed(edge.effect):
            live = self._before_statement(kind, statement, live, tracked)
        if edge.sync is not None:
            # Effects of partners run after fields are received and before this one.
            self._ever[kind] |= live
        if isinstance(edge.sync, Receive):
            written = {
                one.place.name for one in edge.sync.patterns if isinstance(one, Bind) and isinstance(one.place, Ref)
            }
            read = [one for one in edge.sync.patterns if not (isinstance(one, Bind) and isinstance(one.place, Ref))]
            live = (live - written) | names_read(edge.sync.channel, *pattern_parts(tuple(read)))
        elif isinstance(edge.sync, Send):
            live |= names_read(edge.sync.channel, *edge.sync.values)
        return live | names_read(edge.guard)

    def _before_statement(
        self, kind: int, statement: Statement, live: set[str], tracked: dict[str, Variable]
    ) -> set[str]:
        match statement:
            case Assign(Ref(name), value) if name in tracked:
                matters = name in live or self.is_wanted_by_others(kind, name)
                if not matters and _cannot_fail(tracked[name], value):
                    return live
                return (live - {name}) | names_read(value)
            case Print() if all(is_harmless(part) for part in expressions(statement)):
                return live  # traces are replayed in the network as it was
        read = names_read(*(part for one in nested((statement,)) for part in expressions(one)))
        return live | read | self._wanted_by_started(statement)

    def _wanted_by_started(self, statement: Statement) -> set[str]:
        """Globals that matter to processes that a statement starts."""
        started = {one.process for one in nested((statement,)) if isinstance(one, Start)}
        return {
            name
            for kind, process in enumerate(self.network.processes)
            if process.name in started
            for name in self.live[kind][process.initial]
            if name not in self.locals[kind]
        }


def is_hideable(variable: Variable) -> bool:
    return is_scalar(variable.type) and variable.expression is None and not variable.hidden


def is_alone(network: Network, kind: int) -> bool:
    """Whether there is at most one process of a kind."""
    name = network.processes[kind].name
    return sum(one.process == name for one in network.initial) <= 1 and name not in started_kinds(network)


def started_kinds(network: Network) -> set[str]:
    """Names of the kinds of processes that others may start."""
    bodies = [edge.effect for process in network.processes for edge in process.edges]
    bodies += [one.body for process in network.processes for one in process.functions]
    bodies += [one.body for one in network.functions]
    return {one.process for body in bodies for one in nested(body) if isinstance(one, Start)}


def own_names(process: Process) -> set[str]:
    """Names that mean something of a process's own in it."""
    variables = {one.name for one in (*process.parameters, *process.variables)}
    return variables | {one.name for one in process.channels}


def names_made(effect: tuple[Statement, ...]) -> set[str]:
    """Names that an effect gives to things of its own."""
    return {statement.name for statement in nested(effect) if isinstance(statement, (Declare, Alias, For))}


def is_harmless(value: Expression) -> bool:
    """Whether an expression has a value in every state."""
    return all(
        isinstance(part, (Ref, Literal)) or (isinstance(part, (Unary, Binary)) and part.operator in HARMLESS)
        for part in walk(value)
    )


def _cannot_fail(target: Variable, value: Expression) -> bool:
    return isinstance(target.type, IntType) and target.type.overflow is Overflow.WRAP and is_harmless(value)


def _names_of_others(conditions: Sequence[Expression]) -> set[str]:
    """Names of locals that expressions look at from outside."""
    parts = [part for expression in conditions for part in walk(expression)]
    return {root_of(part.place) for part in parts if isinstance(part, Remote) and not isinstance(part.place, Call)}


def _names_in_functions(process: Process) -> set[str]:
    return names_read(*(part for one in process.functions for made in nested(one.body) for part in expressions(made)))


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
