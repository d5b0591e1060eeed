"""The reference interpreter: the definition of what a step of a network is.

Short, slow and plain on purpose. The native engine must agree with it, and every counterexample is replayed by it
before anyone sees it. The order of steps is fixed: by the number of the process that begins the step, then by the
order of its edges, then by the numbers of the partners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from itertools import product

from beeline.model.evaluate import (
    Context,
    StepError,
    bind,
    evaluate,
    execute,
    find_message,
    matches,
    start_process,
    wanted_values,
)
from beeline.model.expressions import TRUE, Expression, Index, Literal, Ref
from beeline.model.network import Edge, Function, Location, Network, Process, Receive, Send, Together
from beeline.model.scope import Scope, initial_values, root_of
from beeline.model.state import Draft, Message, State
from beeline.model.statements import (
    LOOP_LIMIT,
    Assert,
    Assign,
    Declare,
    Do,
    If,
    Print,
    Return,
    Terminate,
    While,
    nested,
)
from beeline.model.types import ScalarType, scalars, store_value, width
from beeline.records import Record, field


class Move(Record, frozen=True):
    """One edge taken by one process (-1: the monitor) as part of a step."""

    pid: int
    kind: int
    edge: int


class Step(Record, frozen=True, eq=False):
    """A labelled arc: the moves in the order they happen, and where it leads, or the error that it ends in."""

    moves: tuple[Move, ...]
    target: State | None
    error: StepError | None = None
    output: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        """What is printed on the way makes no difference."""
        return isinstance(other, Step) and self._arc == other._arc

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._arc)

    @property
    def _arc(self) -> tuple[tuple[Move, ...], State | None, StepError | None]:
        return self.moves, self.target, self.error


class Candidate(Record, frozen=True):
    """Edges that could be taken together: the one who begins first, then the partners. `message` goes between them."""

    moves: tuple[Move, ...]
    message: Message = ()
    channel: int = 0
    position: int = 0  # of a send to a buffer: where the message is put
    error: StepError | None = None  # raised while deciding whether it is enabled


class View(Record):
    """What is read again and again about the state whose steps are asked for."""

    state: State
    draft: Draft  # never changed
    # By whether it is a timeout: processes that may listen to every channel, and those that listen by channel.
    listeners: dict[bool, tuple[set[int], dict[int, set[int]]]] = field(default_factory=dict)


class Semantics:
    """Steps of one network.

    >>> from beeline.model.builder import NetworkBuilder
    >>> builder = NetworkBuilder("tiny")
    >>> _ = builder.process("P").location("a").location("b").edge("a", "b")
    >>> semantics = Semantics(builder.build())
    >>> [len(semantics.steps(state)) for state in semantics.initial_states()]
    [1]
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.scope = Scope(network)
        self._viewed: View | None = None

    # States

    def initial_states(self) -> list[State]:
        """The states before the first step; one, since everything has a first value."""
        variables = [value for variable in self.network.variables for value in initial_values(variable)]
        empty = State(tuple(variables), ((),) * self.network.channel_count, ())
        draft = Draft(empty)
        for start in self.network.initial:
            start_process(self.scope, draft, start.process, start.arguments, start.priority)
        draft.monitor = self.network.monitor.initial if self.network.monitor else -1
        return [draft.freeze()]

    def holds(self, expression: Expression, state: State) -> bool:
        """Whether a property's expression is true in a state."""
        context = Context(self.scope, Draft(state), -1, enabled=lambda pid: bool(self._begun_by(state, pid, False)))
        context.deadlocked = lambda: self.is_deadlock(state)
        return evaluate(expression, context) != 0

    def is_deadlock(self, state: State) -> bool:
        """No step is possible and some process is not at a valid end. Beside a monitor nobody asks for deadlocks."""
        return self.network.monitor is None and not self.rests_at_end(state) and not self.steps(state)

    def rests_at_end(self, state: State) -> bool:
        """Every process is at a valid place to stop."""
        return all(self._location(state, pid).end for pid in range(len(state.processes)))

    def claim_completed(self, state: State) -> bool:
        """The monitor stands at its end: what it watches for has happened."""
        monitor = self.network.monitor
        return monitor is not None and monitor.locations[state.monitor].end

    # Steps

    def steps(self, state: State) -> list[Step]:
        """All steps from a state, each with its target. Two steps to one target are two steps."""
        if self.network.monitor is None:
            return [self._take(state, candidate) for candidate in self._candidates(state)]
        return self._steps_with_monitor(state)

    def steps_begun_by(self, state: State, pids: Set[int]) -> list[Step]:
        """Those of `steps` that one of the given processes begins; the others are not worked out."""
        if self.network.monitor is None:
            return [self._take(state, candidate) for candidate in self._candidates_begun_by(state, pids)]
        return [step for step in self.steps(state) if not pids.isdisjoint(move.pid for move in step.moves)]

    def _candidates_begun_by(self, state: State, pids: Set[int]) -> list[Candidate]:
        """Where nobody has control and no priorities compare them, what others could do makes no difference as soon as
        something can happen."""
        if state.control < 0 and not self._compares_steps:
            own = [c for pid in sorted(pids) for c in self._begun_by(state, pid, False)]
            possible = self._committed_first(state, own)
            if possible:
                return possible
        return [c for c in self._candidates(state) if c.moves[0].pid in pids]

    @cached_property
    def _compares_steps(self) -> bool:
        return self.network.rules.priorities or any(channel.priority for channel in self.network.channels)

    def _candidates(self, state: State) -> list[Candidate]:
        """What can happen: the one in control alone, else all; timeouts only if nothing else can."""
        if state.control >= 0:
            alone = self._begun_by(state, state.control, False)
            if alone:
                return alone
        everyone = self._of_all(state, False)
        if everyone or not self._uses("timeout"):
            return everyone
        return self._of_all(state, True)

    def _of_all(self, state: State, timeout: bool) -> list[Candidate]:
        found = [c for pid in range(len(state.processes)) for c in self._begun_by(state, pid, timeout)]
        return self._preferred(state, self._committed_first(state, found))

    def _committed_first(self, state: State, candidates: list[Candidate]) -> list[Candidate]:
        if not any(self._location(state, pid).committed for pid in range(len(state.processes))):
            return candidates
        enough = all if self.network.rules.committed_together else any
        return [c for c in candidates if enough(self._location(state, move.pid).committed for move in c.moves)]

    def _preferred(self, state: State, candidates: list[Candidate]) -> list[Candidate]:
        """Highest channel priority, then highest priority among the processes that move."""

        def channel_priority(candidate: Candidate) -> int:
            return self._context(state, -1).kind_of(candidate.channel).priority if candidate.channel else 0

        def process_priority(candidate: Candidate) -> int:
            return max(state.processes[move.pid].priority for move in candidate.moves)

        if candidates and any(channel.priority for channel in self.network.channels):
            best = max(map(channel_priority, candidates))
            candidates = [c for c in candidates if channel_priority(c) == best]
        if candidates and self.network.rules.priorities:
            top = max(map(process_priority, candidates))
            candidates = [c for c in candidates if process_priority(c) == top]
        return candidates

    def _begun_by(self, state: State, pid: int, timeout: bool) -> list[Candidate]:
        """Candidates that process `pid` begins: those of its lowest rank that has any."""
        if not 0 <= pid < len(state.processes):
            return []
        context = self._context(state, pid, timeout)
        process = self._process(state, pid)
        if not self._location(state, pid).deterministic and not self._is_provided(state, pid, context):
            return []
        leaving = self._leaving[state.processes[pid].kind][state.processes[pid].location]
        for rank in sorted({process.edges[position].rank for position in leaving}):
            found: list[Candidate] = []
            for position in leaving:
                if process.edges[position].rank == rank:
                    found.extend(self._of_edge(state, pid, position, context))
            if found:
                return found
        return []

    def _of_edge(self, state: State, pid: int, position: int, context: Context) -> list[Candidate]:
        """The ways in which process `pid` can begin a step with one edge; an error in deciding is a way, too."""
        move = Move(pid, state.processes[pid].kind, position)
        edge = self._process(state, pid).edges[position]
        try:
            if not self._guard(edge, context):
                return []
            match edge.sync:
                case None:
                    return [Candidate((move,))]
                case Send():
                    return list(self._sending(state, move, edge.sync, context))
                case Receive():
                    return list(self._receiving(state, move, edge.sync, context))
                case Together(label):
                    return list(self._together(state, move, label, context.timeout))
        except StepError as error:
            if not error.source.line:
                error.source = edge.source
            return [Candidate((move,), error=error)]

    def _guard(self, edge: Edge, context: Context) -> bool:
        if not evaluate(edge.guard, context.fresh()):
            return False
        return not self._terminates(edge) or context.pid == len(context.draft.kinds) - 1

    # Synchronisation

    def _sending(self, state: State, move: Move, send: Send, context: Context) -> Iterator[Candidate]:
        number = evaluate(send.channel, context.fresh())
        kind = context.kind_of(number)
        context.fresh()
        values = [evaluate(value, context) for value in send.values]
        message = fit_message(values, kind.fields)
        if kind.broadcast:
            choices = [
                ways
                for other in self._listeners(state, number, context.timeout)
                if other != move.pid and (ways := self._listening(state, other, number, message, context.timeout))
            ]
            for chosen in product(*choices):
                yield Candidate((move, *chosen), message, number)
        elif kind.capacity == 0:
            for other in self._listeners(state, number, context.timeout):
                if other == move.pid:
                    continue
                try:
                    partners = self._listening(state, other, number, message, context.timeout)
                except StepError as error:
                    yield Candidate((move,), error=error)
                    continue
                for partner in partners:
                    yield Candidate((move, partner), message, number)
        elif len(state.channels[number - 1]) < kind.capacity or self.network.rules.lossy:
            position = insertion_point(state.channels[number - 1], values, send.sorted)
            yield Candidate((move,), message, number, position)

    def _listeners(self, state: State, number: int, timeout: bool) -> list[int]:
        """Processes that have a receive on channel `number` where they are, or one whose channel has no value."""
        known = self._view(state).listeners
        if timeout not in known:
            known[timeout] = self._find_listeners(state, timeout)
        everywhere, by_channel = known[timeout]
        return sorted(everywhere | by_channel.get(number, set()))

    def _find_listeners(self, state: State, timeout: bool) -> tuple[set[int], dict[int, set[int]]]:
        everywhere: set[int] = set()
        by_channel: dict[int, set[int]] = {}
        for pid, process in enumerate(state.processes):
            for channel, fixed in self._heard_channels[process.kind][process.location]:
                try:
                    number = evaluate(channel, self._context(state, pid, timeout)) if fixed is None else fixed
                    by_channel.setdefault(number, set()).add(pid)
                except StepError:
                    everywhere.add(pid)
        return everywhere, by_channel

    def _listening(self, state: State, pid: int, number: int, message: Message, timeout: bool) -> list[Move]:
        """Receives of a process that could take a message from channel `number` now, those of the lowest rank."""
        context = self._context(state, pid, timeout)
        if not self._is_provided(state, pid, context):
            return []
        process = self._process(state, pid)
        kind = state.processes[pid].kind
        ready: list[Move] = []
        leaving = self._leaving[kind][state.processes[pid].location]
        for position in sorted(leaving, key=lambda i: process.edges[i].rank):
            edge = process.edges[position]
            if not isinstance(edge.sync, Receive):
                continue
            if ready and edge.rank != process.edges[ready[0].edge].rank:
                break
            if self._hears(edge, edge.sync, context, number, message):
                ready.append(Move(pid, kind, position))
        return ready

    def _hears(self, edge: Edge, receive: Receive, context: Context, number: int, message: Message) -> bool:
        """Whether a receive is on channel `number` and takes the message. The guard may protect the channel's index, so
        a channel without a value is an error only where the guard holds."""
        try:
            if evaluate(receive.channel, context.fresh()) != number:
                return False
        except StepError:
            if not self._guard(edge, context):
                return False
            raise
        return self._guard(edge, context) and matches(message, wanted_values(receive.patterns, context.fresh()))

    def _receiving(self, state: State, move: Move, receive: Receive, context: Context) -> Iterator[Candidate]:
        number = evaluate(receive.channel, context.fresh())
        kind = context.kind_of(number)
        if kind.broadcast or kind.capacity == 0:
            return  # begun by the sender
        messages = state.channels[number - 1]
        position = find_message(messages, receive.patterns, receive.anywhere, context.fresh())
        if position is not None:
            yield Candidate((move,), messages[position], number)

    def _together(self, state: State, move: Move, label: str, timeout: bool) -> Iterator[Candidate]:
        """The lowest-numbered process that knows the label begins."""
        members = [pid for pid in range(len(state.processes)) if label in self._labels[state.processes[pid].kind]]
        if members[0] != move.pid:
            return
        choices: list[list[Move]] = []
        for pid in members[1:]:
            choices.append(self._labelled(state, pid, label, timeout))
            if not choices[-1]:
                return
        for partners in product(*choices):
            yield Candidate((move, *partners))

    def _labelled(self, state: State, pid: int, label: str, timeout: bool) -> list[Move]:
        context = self._context(state, pid, timeout)
        if not self._is_provided(state, pid, context):
            return []
        kind = state.processes[pid].kind
        ready: list[Move] = []
        for position in self._leaving[kind][state.processes[pid].location]:
            edge = self.network.processes[kind].edges[position]
            if edge.sync == Together(label) and self._guard(edge, context):
                ready.append(Move(pid, kind, position))
        return ready

    # Taking a step

    def _take(self, state: State, candidate: Candidate) -> Step:
        if candidate.error is not None:
            return Step(candidate.moves, None, candidate.error)
        draft = Draft(state)
        moves = list(candidate.moves)
        output: list[str] = []
        try:
            last_edges = self._perform(draft, candidate, output)
            for position, move in enumerate(candidate.moves):
                if self._at_deterministic(draft, move):
                    last_edges[position] = self._run_on(draft, move, moves, output)
            self._finish(draft, candidate, last_edges)
            return Step(tuple(moves), draft.freeze(), None, tuple(output))
        except StepError as error:
            return Step(tuple(moves), None, error, tuple(output))

    def _perform(self, draft: Draft, candidate: Candidate, output: list[str]) -> list[Edge]:
        """The moves of a candidate: transfer, effects in order, then all change location."""
        edges = [self.network.processes[move.kind].edges[move.edge] for move in candidate.moves]
        contexts = [Context(self.scope, draft, move.pid, output=output) for move in candidate.moves]
        for edge, context in zip(edges, contexts, strict=True):
            self._transfer(edge, context, candidate)
        order = range(len(edges))
        for position in [*order[1:], 0] if self.network.rules.receivers_first else order:
            edge, context = edges[position], contexts[position]
            try:
                execute(edge.effect, context.fresh())
            except StepError as error:
                if not error.source.line:
                    error.source = edge.source
                raise
        for move, edge in zip(candidate.moves, edges, strict=True):
            draft.locations[move.pid] = edge.target_location
            if self._terminates(edge):
                self._remove(draft, move.pid)
        return edges

    def _transfer(self, edge: Edge, context: Context, candidate: Candidate) -> None:
        match edge.sync:
            case Send() if len(candidate.moves) == 1:
                kind = context.kind_of(candidate.channel)
                messages = context.draft.channels[candidate.channel - 1]
                if not kind.broadcast and len(messages) < kind.capacity:  # else it is lost
                    messages.insert(candidate.position, candidate.message)
            case Receive(patterns=patterns, keep=keep, anywhere=anywhere):
                if len(candidate.moves) == 1 and not keep:
                    messages = context.draft.channels[candidate.channel - 1]
                    position = find_message(messages, patterns, anywhere, context.fresh())
                    assert position is not None
                    del messages[position]
                bind(patterns, candidate.message, context.fresh())
            case _:
                pass

    def _at_deterministic(self, draft: Draft, move: Move) -> bool:
        if move.pid >= len(draft.kinds):
            return False
        return self.network.processes[move.kind].locations[draft.locations[move.pid]].deterministic

    def _run_on(self, draft: Draft, move: Move, moves: list[Move], output: list[str]) -> Edge:
        """Follows first enabled edges while at deterministic locations; returns the last edge taken."""
        for _ in range(LOOP_LIMIT):
            state = draft.freeze()
            found = next(iter(self._begun_by(state, move.pid, False)), None)
            if found is None or len(found.moves) > 1:
                where = self._location(state, move.pid).source
                raise StepError("blocked", "a deterministic sequence blocks in the middle", where)
            moves.append(found.moves[0])
            if found.error is not None:
                raise found.error
            edges = self._perform(draft, found, output)
            if not self._at_deterministic(draft, move):
                return edges[0]
        raise StepError("loop", f"more than {LOOP_LIMIT} moves in one deterministic step")

    def _finish(self, draft: Draft, candidate: Candidate, last_edges: list[Edge]) -> None:
        """Decides who goes on alone, and forgets scratch variables when nobody does."""
        mover = candidate.moves[-1].pid
        keeps = last_edges[-1].keeps_control and not isinstance(last_edges[-1].sync, Together)
        draft.control = mover if keeps and mover < len(draft.kinds) else -1
        draft.last = mover if self._uses("last") else 0
        if draft.control >= 0 and not self._can_go_on(draft.freeze(), draft.control):
            draft.control = -1
        if draft.control < 0:
            self._forget_hidden(draft)

    def _can_go_on(self, state: State, pid: int) -> bool:
        """Whether a process keeps control: it has a step, and nobody of a higher priority has one."""
        if not self._begun_by(state, pid, False):
            return False
        own = state.processes[pid].priority
        above = [other for other, process in enumerate(state.processes) if process.priority > own]
        return not self.network.rules.priorities or not any(self._begun_by(state, other, False) for other in above)

    def _forget_hidden(self, draft: Draft) -> None:
        for variable in self.network.variables:
            if variable.hidden:
                offset = self.scope.slots[variable.name].offset
                draft.variables[offset : offset + width(variable.type)] = initial_values(variable)

    def _remove(self, draft: Draft, pid: int) -> None:
        if pid != len(draft.kinds) - 1:
            raise StepError("blocked", "a process ends in the very step that starts another")
        kind = draft.kinds.pop()
        made = self.scope.processes[kind].channel_count
        del draft.channels[len(draft.channels) - made :]
        draft.locations.pop()
        draft.locals.pop()
        draft.priorities.pop()

    # Monitor

    def _steps_with_monitor(self, state: State) -> list[Step]:
        """The monitor moves on the present state, then the network; it moves alone where the network cannot."""
        if self.claim_completed(state):
            return []
        taken: list[Step] = []
        moves = self._monitor_moves(state)
        system = [self._take(state, candidate) for candidate in self._candidates(state)] if moves else []
        monitor = self.network.monitor
        assert monitor is not None
        for move in moves:
            target = monitor.edges[move.edge].target_location
            if monitor.locations[target].end or not system:
                taken.append(Step((move,), _with_monitor(state, target)))
                continue
            for step in system:
                arrived = None if step.target is None else _with_monitor(step.target, target)
                taken.append(Step((move, *step.moves), arrived, step.error, step.output))
        return taken

    def _monitor_moves(self, state: State) -> list[Move]:
        monitor = self.network.monitor
        assert monitor is not None
        context = Context(self.scope, Draft(state), -1)
        context.enabled = lambda pid: bool(self._begun_by(state, pid, False))
        leaving = [i for i, edge in enumerate(monitor.edges) if edge.source_location == state.monitor]
        for rank in sorted({monitor.edges[i].rank for i in leaving}):
            of_rank = [i for i in leaving if monitor.edges[i].rank == rank]
            ready = [i for i in of_rank if _is_true(monitor.edges[i].guard, context.fresh())]
            if ready:
                return [Move(-1, -1, i) for i in ready]
        return []

    # Facts about the network

    def _context(self, state: State, pid: int, timeout: bool = False) -> Context:
        draft = Draft(state) if self._guards_may_write else self._view(state).draft
        return Context(self.scope, draft, pid, timeout)

    def _view(self, state: State) -> View:
        if self._viewed is None or self._viewed.state is not state:
            self._viewed = View(state, Draft(state))
        return self._viewed

    @cached_property
    def _guards_may_write(self) -> bool:
        functions, variables = list(self.network.functions), list(self.network.variables)
        for process in self.network.processes:
            functions += process.functions
            variables += [*process.parameters, *process.variables]
        outside = {variable.name for variable in variables}
        return any(_writes_outside(function, outside) for function in functions)

    def _process(self, state: State, pid: int) -> Process:
        return self.network.processes[state.processes[pid].kind]

    def _location(self, state: State, pid: int) -> Location:
        return self._process(state, pid).locations[state.processes[pid].location]

    def _is_provided(self, state: State, pid: int, context: Context) -> bool:
        provided = self._process(state, pid).provided
        return provided == TRUE or _is_true(provided, context.fresh())

    @cached_property
    def _leaving(self) -> list[list[list[int]]]:
        """Edges by process kind and source location, in order of declaration."""
        table: list[list[list[int]]] = []
        for process in self.network.processes:
            rows: list[list[int]] = [[] for _ in process.locations]
            for position, edge in enumerate(process.edges):
                rows[edge.source_location].append(position)
            table.append(rows)
        return table

    @cached_property
    def _heard_channels(self) -> list[list[list[tuple[Expression, int | None]]]]:
        """Channels of receives by process kind and location, with the number of those that are always the same."""
        table: list[list[list[tuple[Expression, int | None]]]] = []
        for kind, rows in enumerate(self._leaving):
            edges = self.network.processes[kind].edges
            syncs = [[edges[position].sync for position in row] for row in rows]
            table.append(
                [
                    [(one.channel, self._fixed_channel(kind, one.channel)) for one in row if isinstance(one, Receive)]
                    for row in syncs
                ]
            )
        return table

    def _fixed_channel(self, kind: int, channel: Expression) -> int | None:
        """The number of a channel that is named outright, or by a number in an array."""
        match channel:
            case Ref(name):
                index = 0
            case Index(Ref(name), Literal(index)):
                pass
            case _:
                return None
        if name in self.scope.processes[kind].slots or name in self.scope.slots:
            return None  # a variable, which holds now this channel and now that one
        numbers = self.scope.numbers_of_channels.get(name, [])
        return numbers[index] if 0 <= index < len(numbers) else None

    @cached_property
    def _labels(self) -> list[set[str]]:
        return [
            {edge.sync.label for edge in process.edges if isinstance(edge.sync, Together)}
            for process in self.network.processes
        ]

    def _terminates(self, edge: Edge) -> bool:
        return any(isinstance(statement, Terminate) for statement in edge.effect)

    def _uses(self, builtin: str) -> bool:
        return builtin in self.network.builtins


def _is_true(expression: Expression, context: Context) -> bool:
    """For conditions that only watch: where one has no value, it does not hold."""
    try:
        return evaluate(expression, context) != 0
    except StepError:
        return False


def _with_monitor(state: State, location: int) -> State:
    draft = Draft(state)
    draft.monitor = location
    return draft.freeze()


def fit_message(values: list[int], fields: tuple[object, ...]) -> Message:
    """Values as the channel's fields store them; missing ones are zero, as in SPIN."""
    fitted: list[int] = []
    kinds: list[ScalarType] = [leaf for kind in fields for leaf in scalars(kind)]  # type: ignore[arg-type]
    for position, kind in enumerate(kinds):
        value = values[position] if position < len(values) else 0
        stored = store_value(kind, value)
        if stored is None:
            raise StepError("range", f"message field {position + 1} cannot hold {value}")
        fitted.append(stored)
    return tuple(fitted)


def insertion_point(messages: Sequence[Message], values: list[int], in_order: bool) -> int:
    """Where values are put: behind all messages, or in order before the first larger one. They are compared as they
    are sent, not as the channel's fields store them, as in SPIN."""

    def is_larger(message: Message) -> bool:
        return list(message) > [*values, *[0] * len(message)][: len(message)]

    larger = (position for position, message in enumerate(messages) if is_larger(message))
    return next(larger, len(messages)) if in_order else len(messages)


def _writes_outside(function: Function, outside: set[str]) -> bool:
    """Whether a call may change anything but the function's own variables; `outside` are names of others."""
    statements = nested(function.body)
    own = {parameter.name for parameter in function.parameters if not parameter.reference}
    own |= {statement.name for statement in statements if isinstance(statement, Declare)}
    own -= outside
    return any(
        root_of(statement.target) not in own
        if isinstance(statement, Assign)
        else not isinstance(statement, (Declare, If, While, Return, Do, Assert, Print))
        for statement in statements
    )
