"""The state that a trace ends in, and questions about it and about the steps that led there."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from beeline.model.evaluate import Context, StepError, evaluate, execute
from beeline.model.expressions import (
    TRUE,
    At,
    Binary,
    Bind,
    ChannelInfo,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Numbered,
    Poll,
    ProcessRef,
    Quantified,
    Ref,
    Remote,
    Unary,
    children,
    conjuncts,
)
from beeline.model.network import Edge, Network, Receive, Send, Together
from beeline.model.printer import show_edge, show_expression
from beeline.model.semantics import ANY, Move, Semantics, Sought, Step
from beeline.model.state import Draft
from beeline.model.statements import Assert, Assign, If, Reset, Statement
from beeline.records import Record, replace
from beeline.report.explanation import Part, Wait
from beeline.report.symbols import with_names
from beeline.timed.clocks import has_clocks
from beeline.timed.semantics import TimedSemantics
from beeline.timed.trace import describe
from beeline.trace.naming import Naming
from beeline.trace.replay import show_step
from beeline.trace.timed import TimedTrace
from beeline.trace.trace import Trace

MOST_INSTANCES = 12  # of a quantifier that are shown


class End:
    """The state a trace ends in, and questions about it."""

    def __init__(self, network: Network, trace: Trace) -> None:
        self.network, self.trace = network, trace
        self._written: dict[int, set[str]] = {}
        self.looked_at: list[str] = []  # read by guards that do not hold
        self.semantics: Semantics
        self.timed: TimedSemantics | None = None
        if has_clocks(network) and isinstance(trace, TimedTrace):
            self.timed = TimedSemantics(network)
            self.semantics, self.naming = self.timed.steps_of, self.timed.naming
            moment = trace.states[-1]
            if not (trace.steps and trace.steps[-1].error) and len(trace.delays) == len(trace.states):
                moment = self.timed.delay(moment, trace.delays[-1])
            self.moment, self.state = moment, moment.discrete
            self.values = describe(self.timed, moment)
        else:
            self.semantics, self.naming = Semantics(network), Naming(network)
            self.moment, self.state = None, trace.states[-1]
            self.values = self.naming.describe(self.state)

    # Questions of the whole network

    def parts(self, expression: Expression, depth: int = 0, pid: int = -1) -> Iterator[Part]:
        """The expression and what it is joined from, each with its truth."""
        truth = self._truth(expression, pid)
        joined = isinstance(expression, (Quantified, Unary)) or (
            isinstance(expression, Binary) and expression.operator in ("&&", "||", "imply")
        )
        reads = {} if joined and _is_joined(expression) else self._reads(expression, pid)
        yield Part(self.shown(expression, pid), truth, reads, depth)
        match expression:
            case Binary("&&" | "||" | "imply" as operator, left, right):
                for side in (left, right):
                    # A chain of the same operator is one list, not a staircase.
                    same = isinstance(side, Binary) and side.operator == operator != "imply"
                    inner = list(self.parts(side, depth if same else depth + 1, pid))
                    yield from inner[1:] if same else inner
            case Unary("!", operand) if _is_joined(operand):
                yield from self.parts(operand, depth + 1, pid)
            case Quantified("forall" | "exists", name, low, high, body):
                yield from self._instances(expression.kind == "forall", name, range(low, high + 1), body, depth, pid)

    def shown(self, expression: Expression, pid: int) -> str:
        """An expression as text, with names for members of enumerations."""
        kind = self.state.processes[pid].kind if 0 <= pid < len(self.state.processes) else None
        return show_expression(with_names(expression, self.naming, kind))

    def standing(self, part: At) -> Iterator[tuple[str, str]]:
        """The process that a part asks about and where it is, if that is there."""
        number = self._number(part.process, -1)
        if number is not None and number < len(self.state.processes) and self._truth(part, -1):
            name = self._owner(number)
            yield name, self.values[name]

    def guard_parts(self, number: int, process: str) -> Iterator[Part]:
        """The guard of a process in a step, taken apart as it was when the step was taken; nothing if it has none."""
        then, moves = self._taken(number)
        for move in moves:
            if then.naming.process(then.state, move.pid) != process:
                continue
            guard = self.semantics.network.processes[move.kind].edges[move.edge].guard
            found = [] if guard == TRUE else list(then.parts(guard, 0, move.pid))
            clocks = list(then.clock_parts(move))
            # A chain of conditions is a list; the whole of it says no more.
            yield from found[1:] if len(found) > 1 and isinstance(guard, Binary) and guard.operator == "&&" else found
            yield from clocks

    def clock_parts(self, move: Move) -> Iterator[Part]:
        """The constraints on clocks in the guard of a move."""
        if self.timed is None or self.moment is None:
            return
        names = {clock.number: clock.name for clock in self.timed.clocks.all}
        for atom in self.timed.steps_of.guard_atoms(self.state, move.pid, move.kind, move.edge):
            clocks = [names[clock] for clock in (atom.plus, atom.minus) if clock in names]
            text = f"{' - '.join(clocks)} {atom.operator} {atom.bound}"
            reads = {name: self.values[name] for name in clocks}
            yield Part(text, atom.holds(self.moment.clocks), reads)

    def _instances(
        self, every: bool, name: str, values: range, body: Expression, depth: int, pid: int
    ) -> Iterator[Part]:
        """The instances that decide a quantifier; if none does, all of them, but not too many."""
        bodies = [_substitute(body, name, value) for value in values]
        deciding = [one for one in bodies if self._truth(one, pid) is not every]
        for one in (deciding or bodies)[:MOST_INSTANCES]:
            yield from self.parts(one, depth + 1, pid)

    def _truth(self, expression: Expression, pid: int) -> bool | None:
        try:
            if self.timed is not None and pid < 0:
                return self.timed.holds(expression, self.moment)
            if pid < 0:
                return self.semantics.holds(expression, self.state)
            return evaluate(expression, self._context(pid)) != 0
        except Exception:  # an index outside an array, or a clock where none can be read: no value
            return None

    def _context(self, pid: int) -> Context:
        return Context(self.semantics.scope, Draft(self.state), pid)

    def after(self, number: int) -> End:
        """The same for the state after so many steps of the trace."""
        steps, states = self.trace.steps[:number], self.trace.states[: number + 1]
        return End(self.network, replace(self.trace, steps=steps, states=states, cycle=None))

    def reads(self, expression: Expression) -> dict[str, str]:
        """What an expression about the whole network looks at."""
        return self._reads(expression, -1)

    def _reads(self, expression: Expression, pid: int) -> dict[str, str]:
        names = dict.fromkeys(self._names(expression, pid))
        return {name: self.values[name] for name in names if name in self.values}

    def _names(self, expression: Expression, pid: int) -> Iterator[str]:
        """The parts of the state that an expression looks at, by the names that traces use."""
        match expression:
            case Ref() | Index() | Field():
                yield from self._place_names(expression, pid, self._owner(pid))
            case Remote(process, Ref() | Index() | Field() as place):
                owner = self._number(process, pid)
                if owner is not None:
                    yield from self._place_names(place, pid, self._owner(owner))
            case At(process, _):
                owner = self._number(process, pid)
                if owner is not None:
                    yield self._owner(owner)
            case ChannelInfo(_, channel) | Poll(channel, _, _):
                yield from self._channel_name(channel, pid)
        for child in children(expression):
            yield from self._names(child, pid)

    def _place_names(self, place: Expression, pid: int, owner: str) -> Iterator[str]:
        path = self._path(place, pid)
        if path is not None:
            mine = f"{owner}.{path}"
            yield mine if owner and mine in self.values else path

    def _path(self, place: Expression, pid: int) -> str | None:
        match place:
            case Ref(name):
                return name
            case Field(base, name):
                path = self._path(base, pid)
                return None if path is None else f"{path}.{name}"
            case Index(base, index):
                path, position = self._path(base, pid), self._value(index, pid)
                return None if path is None or position is None else f"{path}[{position}]"
        return None

    def _channel_name(self, channel: Expression, pid: int) -> Iterator[str]:
        number = self._value(channel, pid)
        names = self.naming._channel_names(self.state)
        if number is not None and 1 <= number <= len(names):
            yield names[number - 1]

    def _value(self, expression: Expression, pid: int) -> int | None:
        try:
            return evaluate(expression, self._context(pid))
        except Exception:
            return None

    def _owner(self, pid: int) -> str:
        return self.naming.process(self.state, pid) if 0 <= pid < len(self.state.processes) else ""

    def _number(self, process: ProcessRef, pid: int) -> int | None:
        match process:
            case Instance(name):
                return self.network.instance_numbers.get(name)
            case Numbered(name, None):
                kind = self.network.process_index.get(name)
                return next((i for i, one in enumerate(self.state.processes) if one.kind == kind), None)
            case Numbered(_, number) if number is not None:
                return self._value(number, pid)
        return None

    # Writes

    def written(self, number: int) -> Collection[str]:
        """What the step wrote, changed or not, by the names that traces use."""
        if number not in self._written:
            self._written[number] = self._writes_of(number)
        return self._written[number]

    def _writes_of(self, number: int) -> set[str]:
        then, moves = self._taken(number)
        return {name for move in moves for name in then._targets(move)}

    def read(self, number: int) -> dict[str, str]:
        """What the step looked at, with the values it saw, by the names that traces use."""
        then, moves = self._taken(number)
        names = dict.fromkeys(name for move in moves for name in then._looked_at(move))
        # A channel without room is always empty: that says nothing about a handshake.
        return {name: then.values[name] for name in names if then.values.get(name, "[]") != "[]"}

    def values_after(self, number: int) -> dict[str, str]:
        """Every part of the state after a step; before it if it failed, since then there is no state after it."""
        state = self.trace.states[min(number, len(self.trace.states) - 1)]
        return describe(self.timed, state) if self.timed is not None else self.naming.describe(state)

    def _taken(self, number: int) -> tuple[End, tuple[Move, ...]]:
        """The state before a step, and the moves of processes that it consists of; none if it cannot be told."""
        step = self.trace.steps[number - 1]
        before = self.trace.states[number - 1]
        then = copy.copy(self)
        discrete = before.discrete if self.timed is not None else before
        mover = self.naming.number(discrete, step.process)
        sought = ANY if mover is None else Sought(frozenset([mover]))
        ways: list[tuple[tuple[Move, ...], Any]]
        if self.timed is not None and isinstance(self.trace, TimedTrace):
            later = self.timed.delay(before, self.trace.delays[number - 1])
            ways = [(one.moves, one.target) for one in self.timed.steps(later, sought)]
            then.state, then.moment = before.discrete, later
            then.values = describe(self.timed, later)
        else:
            ways = [(one.moves, one.target) for one in self.semantics.steps(before, sought)]
            then.state = before
            then.values = self.naming.describe(then.state)
        after = self.trace.states[number] if number < len(self.trace.states) else None
        for moves, target in ways:
            if target == after and moves and self.naming.process(then.state, moves[0].pid) == step.process:
                return then, tuple(move for move in moves if move.pid >= 0)
        return then, ()

    def _looked_at(self, move: Move) -> Iterator[str]:
        """What a move depends on: its guard, the values that it stores or sends, and the message that it takes."""
        edge = self.semantics.network.processes[move.kind].edges[move.edge]
        for part in (edge.guard, *expressions(edge.effect)):
            yield from self._names(part, move.pid)
        if isinstance(edge.sync, Send):
            for value in edge.sync.values:
                yield from self._names(value, move.pid)
        elif isinstance(edge.sync, Receive):
            yield from self._channel_name(edge.sync.channel, move.pid)

    def _targets(self, move: Move) -> Iterator[str]:
        edge = self.semantics.network.processes[move.kind].edges[move.edge]
        # Only what is written whichever way the step's conditions go.
        places: list[Expression] = [one.target for one in edge.effect if isinstance(one, Assign)]
        if isinstance(edge.sync, Receive):
            places += [pattern.place for pattern in edge.sync.patterns if isinstance(pattern, Bind)]
        for place in places:
            yield from self._place_names(place, move.pid, self._owner(move.pid))

    # Deadlocks

    def waits(self) -> tuple[Wait, ...]:
        """Every process, where it stands and what it waits for."""
        return tuple(self._wait(pid) for pid in range(len(self.state.processes)))

    def _wait(self, pid: int) -> Wait:
        process = self.semantics.network.processes[self.state.processes[pid].kind]
        position = self.state.processes[pid].location
        ways = tuple(
            (edge.text or show_edge(edge) or f"-> {process.locations[edge.target_location].name}",
             self._missing(pid, number, edge))
            for number, edge in enumerate(process.edges)
            if edge.source_location == position
        )  # fmt: skip
        return Wait(self._owner(pid), process.locations[position].name, ways, process.locations[position].end)

    def _missing(self, pid: int, number: int, edge: Edge) -> str:
        """What an edge needs that is not there."""
        missing = []
        provided = self.semantics.network.processes[self.state.processes[pid].kind].provided
        for part in (*conjuncts(provided), *conjuncts(edge.guard)):
            if not self._truth(part, pid):
                reads = self._reads(part, pid)
                self.looked_at += reads
                said = f"provided ({self.shown(part, pid)})" if part in conjuncts(provided) else self.shown(part, pid)
                missing.append(f"{said} is false{_because(reads)}")
        if self.timed is not None and self.moment is not None:
            kind = self.state.processes[pid].kind
            atoms = self.timed.steps_of.guard_atoms(self.state, pid, kind, number)
            names = {clock.number: clock.name for clock in self.timed.clocks.all}
            failing = [atom for atom in atoms if not atom.holds(self.moment.clocks)]
            read = {names[i]: self.values[names[i]] for atom in failing for i in (atom.plus, atom.minus) if i in names}
            if failing:
                missing.append(f"its clock guard does not hold{_because(read)}")
        if not missing and edge.sync is not None:
            missing.append(self._missing_partner(pid, edge.sync))
        return " and ".join(missing) or "another process is in control, or an invariant forbids it"

    def _missing_partner(self, pid: int, sync: Send | Receive | Together) -> str:
        if isinstance(sync, Together):
            return f"not everyone is ready for <{sync.label}>"
        number = self._value(sync.channel, pid)
        if number is None:
            return "its channel has no value"
        try:
            kind = self._context(pid).kind_of(number)
        except StepError as error:
            return error.message
        name = next(self._channel_name(sync.channel, pid), "the channel")
        if kind.capacity == 0:
            return f"nobody is ready to {'receive from' if isinstance(sync, Send) else 'send to'} {name}"
        self.looked_at.append(name)
        held = self.values.get(name, "")
        if isinstance(sync, Send):
            return f"{name} is full: {held}"
        return f"{name} is empty" if held == "[]" else f"no message in {name} fits: {held}"

    # Steps that fail

    def failure(self, action: str) -> tuple[Part, ...]:
        """The assertion in which the last step failed, taken apart in the state it was evaluated in."""
        step = next((one for one in self._failing() if show_step(self.network, self.state, one, 0).action == action),
                    None)  # fmt: skip
        if step is None or step.error is None or step.error.kind != "assertion":
            return ()
        draft = Draft(self.state)
        for move in step.moves:
            edge = self.semantics.network.processes[move.kind].edges[move.edge]
            asserted = self._run(edge.effect, Context(self.semantics.scope, draft, move.pid))
            if asserted is not None:
                self.state = draft.freeze()
                self.values = {**self.values, **self.naming.describe(self.state)}
                return tuple(self.parts(asserted.condition, 0, move.pid))
            draft.open_process(move.pid).location = edge.target_location
        return ()

    def _failing(self) -> list[Step]:
        if self.timed is not None and self.moment is not None:
            steps = self.timed.steps(self.timed.delay(self.moment, self._last_delay()))
            return [Step(one.moves, None, one.error) for one in steps if one.error is not None]
        return [one for one in self.semantics.steps(self.state) if one.error is not None]

    def _last_delay(self) -> Any:
        assert isinstance(self.trace, TimedTrace)
        return self.trace.delays[len(self.trace.steps) - 1]

    def _run(self, statements: tuple[Statement, ...], context: Context) -> Assert | None:
        """Runs statements up to the assertion that fails, which is returned."""
        for statement in statements:
            match statement:
                case If(condition, then, otherwise):
                    found = self._run(then if evaluate(condition, context) else otherwise, context)
                    if found is not None:
                        return found
                    continue
                case Assert(condition, _) if not evaluate(condition, context):
                    return statement
            try:
                execute((statement,), context)
            except StepError:
                return None
        return None


def _is_joined(expression: Expression) -> bool:
    if isinstance(expression, Unary):
        return expression.operator == "!" and _is_joined(expression.operand)
    if isinstance(expression, Quantified):
        return expression.kind in ("forall", "exists")
    return isinstance(expression, Binary) and expression.operator in ("&&", "||", "imply")


def _substitute(node: Any, name: str, value: int) -> Any:
    """`node` with the bound variable `name` replaced by a value."""
    if node == Ref(name):
        return Literal(value)
    if isinstance(node, tuple):
        return tuple(_substitute(part, name, value) for part in node)
    if not isinstance(node, Record):
        return node
    if isinstance(node, Quantified) and node.name == name:
        return node
    return replace(node, **{label: _substitute(getattr(node, label), name, value) for label in node.__struct_fields__})


def expressions(statements: tuple[Statement, ...]) -> Iterator[Expression]:
    """The values that statements store, and the conditions that they go by."""
    for statement in statements:
        match statement:
            case Assign(_, value) | Reset(_, value):
                yield value
            case If(condition, then, otherwise):
                yield condition
                yield from expressions((*then, *otherwise))
            case Assert(condition, _):
                yield condition


def _because(reads: Mapping[str, str]) -> str:
    return f" ({', '.join(f'{name} = {value}' for name, value in reads.items())})" if reads else ""
