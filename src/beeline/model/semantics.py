"""The reference interpreter: the definition of what a step of a network is.

Short and plain on purpose. The native engine must agree with it, and every counterexample is replayed by it before
anyone sees it. All steps of a state are listed, or those that are sought: then others are looked at only as far as they
decide whether these are possible, so that a replay takes as long as its steps, not as all that could have been. The
order of steps is fixed: by the number of the process that begins the step, then by the order of its edges, then by the
numbers of the partners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain, product

from beeline.model.evaluate import (
    ASSUMED,
    LEFT_OUT,
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
from beeline.model.expressions import TRUE, Expression
from beeline.model.facts import Facts, by_rank
from beeline.model.network import Edge, Location, Network, Process, Receive, Send, Together
from beeline.model.scope import Scope, initial_values
from beeline.model.state import Draft, Message, State
from beeline.model.statements import LOOP_LIMIT, Terminate
from beeline.model.steps import ANY, Candidate, Move, Sought, Step
from beeline.model.types import Type, scalars, store_value
from beeline.model.view import Key, View
from beeline.records import replace

__all__ = ["ANY", "Candidate", "Move", "Semantics", "Sought", "Step", "fit_message", "insertion_point"]


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
        self.facts = Facts(self.scope)
        self._viewed: View | None = None

    # States

    def initial_states(self) -> list[State]:
        """The states before the first step: one, since everything has a first value, or those that the network is
        opened with."""
        if not self.network.rules.opened:
            return [self.unopened()]
        return list(dict.fromkeys(step.target for step in self.openings() if step.target is not None))

    def openings(self, sought: Sought = ANY) -> list[Step]:
        """The steps to the initial states, where the network is opened; those that fail, too."""
        state = self.unopened()
        return _looked_at(self._take(state, candidate) for candidate in self._begun_by(state, 0, False, sought))

    def is_unopened(self, state: State) -> bool:
        """Whether a state is what is there before the network is opened."""
        return self.network.rules.opened and state.processes[0].location == self.network.processes[0].initial

    def unopened(self) -> State:
        """Everything with its first value: the initial state, or what is there before the network is opened."""
        variables = [value for variable in self.network.variables for value in initial_values(variable)]
        empty = State(tuple(variables), ((),) * self.network.channel_count, ())
        draft = Draft(empty)
        for start in self.network.initial:
            start_process(self.scope, draft, start.process, start.arguments, start.priority)
        draft.monitor = self.network.monitor.initial if self.network.monitor else -1
        return draft.freeze()

    def holds(self, expression: Expression, state: State) -> bool:
        """Whether a property's expression is true in a state."""
        context = Context(self.scope, Draft(state), -1, enabled=lambda pid: bool(self._begun_by(state, pid, False)))
        context.deadlocked = lambda: self.is_deadlock(state)
        return evaluate(expression, context) != 0

    def is_deadlock(self, state: State) -> bool:
        """No step is possible and some process is not at a valid end. Not asked beside a monitor."""
        return self.network.monitor is None and not self.rests_at_end(state) and not self._moves(state)

    def _moves(self, state: State) -> bool:
        """Whether a step is possible, also one to a state that is not looked at; where the rules say so, one to another
        state."""
        steps = (self._take(state, candidate) for candidate in self._candidates(state))
        if self.network.rules.stuttering:
            steps = (step for step in steps if step.target != state)
        return any(step.error is None or step.error.kind != ASSUMED for step in steps)

    def rests_at_end(self, state: State) -> bool:
        """Every process is at a valid place to stop."""
        return all(self._location(state, pid).end for pid in range(len(state.processes)))

    def claim_completed(self, state: State) -> bool:
        """The monitor stands at its end: what it watches for has happened."""
        monitor = self.network.monitor
        return monitor is not None and monitor.locations[state.monitor].end

    # Steps

    def steps(self, state: State, sought: Sought = ANY) -> list[Step]:
        """All steps from a state, each with its target, or those that are sought. Two steps to one target are two."""
        if self.network.monitor is None:
            return self._system_steps(state, sought)
        return self._steps_with_monitor(state, sought)

    def step(self, state: State, moves: tuple[Move, ...], fails: bool | None = None) -> Step | None:
        """The step that consists of these moves, in a time that does not depend on how many others are possible. With
        `fails` it does, or does not, end in an error."""
        watching = bool(moves) and moves[0].pid < 0
        for step in self.steps(state, Sought.exactly(moves[1:] if watching else moves)):
            if step.moves == moves and fails in (None, step.error is not None):
                return step
        return None

    def steps_begun_by(self, state: State, pids: Set[int]) -> list[Step]:
        """Those of `steps` that one of the given processes begins; the others are not worked out."""
        return self.steps(state, Sought(pids))

    def _system_steps(self, state: State, sought: Sought) -> list[Step]:
        return _looked_at(self._take(state, candidate) for candidate in self._candidates(state, sought))

    def _candidates(self, state: State, sought: Sought = ANY) -> list[Candidate]:
        """What can happen: the one in control alone, else all; timeouts only if nothing else can."""
        if state.control >= 0:
            alone = self._begun_by(state, state.control, False)
            if alone:
                return [candidate for candidate in alone if sought.fits(candidate)]
        found = self._of_all(state, False, sought)
        if not self.network.times_out or not self._is_idle(state, False, found, sought):
            return found
        return self._of_all(state, True, sought)

    def _is_idle(self, state: State, timeout: bool, found: list[Candidate], sought: Sought) -> bool:
        """Whether nothing can happen, given that of what is sought these can."""
        return not found and (sought is ANY or not any(self._possible(state, timeout, ANY)))

    def _of_all(self, state: State, timeout: bool, sought: Sought) -> list[Candidate]:
        found = list(self._possible(state, timeout, sought))
        above = self._above(state, found, sought)
        return self._preferred(state, found, [] if above is None else list(self._possible(state, timeout, above)))

    def _possible(self, state: State, timeout: bool, sought: Sought) -> Iterator[Candidate]:
        """The candidates that are sought and enabled. Committed locations are respected, priorities are not yet."""
        for pid in range(len(state.processes)) if sought.pids is None else sorted(sought.pids):
            yield from self._committed_first(state, self._begun_by(state, pid, timeout, sought))

    def _committed_first(self, state: State, candidates: list[Candidate]) -> list[Candidate]:
        if not candidates or not self.facts.has_committed:
            return candidates
        committed = self._view(state).processes("committed")
        if not committed:
            return candidates
        enough = all if self.network.rules.committed_together else any
        return [c for c in candidates if enough(move.pid in committed for move in c.moves)]

    def _preferred(self, state: State, candidates: list[Candidate], rivals: list[Candidate]) -> list[Candidate]:
        """Those on channels of the highest priority, and among them those with the highest priority of a process."""
        if not candidates or not self.facts.compares_steps:
            return candidates
        best = max(self._preference(state, candidate) for candidate in (*candidates, *rivals))
        return [candidate for candidate in candidates if self._preference(state, candidate) == best]

    def _preference(self, state: State, candidate: Candidate) -> tuple[int, int]:
        channel = self._context(state, -1).kind_of(candidate.channel).priority if candidate.channel else 0
        if not self.network.rules.priorities:
            return channel, 0
        return channel, max(state.processes[move.pid].priority for move in candidate.moves)

    def _above(self, state: State, candidates: list[Candidate], sought: Sought) -> Sought | None:
        """What else may be preferred to all of these, given that they are what is possible of what is sought; None if
        nothing is: then nothing else need be looked at."""
        if sought is ANY or not candidates or not self.facts.compares_steps:
            return None
        channel, process = max(self._preference(state, candidate) for candidate in candidates)
        if self.network.rules.priorities and any(other.priority > process for other in state.processes):
            return ANY
        view, above = self._view(state), [priority for priority in self.facts.channel_priorities if priority > channel]
        rivals = frozenset(pid for priority in above for pid in view.processes(("priority", priority)))
        return Sought(rivals) if rivals else None

    def _begun_by(self, state: State, pid: int, timeout: bool, sought: Sought = ANY) -> list[Candidate]:
        """Candidates that process `pid` begins: those of its lowest rank that has any."""
        if not 0 <= pid < len(state.processes):
            return []
        context = self._context(state, pid, timeout)
        if not self._location(state, pid).deterministic and not self._is_provided(state, pid, context):
            return []
        for positions in self.facts.ranks[state.processes[pid].kind][state.processes[pid].location]:
            if sought.first is not None and sought.first.edge in positions:
                found = self._of_edge(state, pid, sought.first.edge, context, sought)
                if found and self._process(state, pid).edges[sought.first.edge].otherwise:
                    found = self._of_rank(state, pid, positions, context)
                return [candidate for candidate in found if sought.fits(candidate)]
            found = self._of_rank(state, pid, positions, context)
            if found:
                return [candidate for candidate in found if sought.fits(candidate)]
        return []

    def _of_rank(self, state: State, pid: int, positions: Sequence[int], context: Context) -> list[Candidate]:
        found: list[Candidate] = []
        for position in positions:
            if not found or not self._process(state, pid).edges[position].otherwise:
                found += self._of_edge(state, pid, position, context, ANY)
        return found

    def _of_edge(self, state: State, pid: int, position: int, context: Context, sought: Sought) -> list[Candidate]:
        """The ways in which process `pid` can begin a step with one edge; an error in deciding is a way, too.
        Those with other partners than are sought may be left out."""
        move = Move(pid, state.processes[pid].kind, position)
        edge = self._process(state, pid).edges[position]
        try:
            if not self._guard(edge, context):
                return []
            match edge.sync:
                case None:
                    return [Candidate((move,))]
                case Send():
                    return list(self._sending(state, move, edge.sync, context, sought))
                case Receive():
                    return list(self._receiving(state, move, edge.sync, context))
                case Together(label):
                    return list(self._together(state, move, label, context.timeout, sought))
        except StepError as error:
            if not error.source.line:
                error.source = edge.source
            return [Candidate((move,), error=error)]

    def _guard(self, edge: Edge, context: Context) -> bool:
        if not evaluate(edge.guard, context.fresh()):
            return False
        return not self._terminates(edge) or context.pid == len(context.draft.processes) - 1

    # Synchronisation

    def _sending(self, state: State, move: Move, send: Send, context: Context, sought: Sought) -> Iterator[Candidate]:
        number = evaluate(send.channel, context.fresh())
        kind = context.kind_of(number)
        is_buffer = kind.capacity > 0 and not kind.broadcast
        if is_buffer and len(state.channels[number - 1]) >= kind.capacity and not self.network.rules.lossy:
            return
        try:
            context.fresh()
            values = [evaluate(value, context) for value in send.values]
            if len(values) < len(kind.fields):
                raise StepError("channel", f"{len(values)} of {len(kind.fields)} fields are sent")
            message = fit_message(values, kind.fields)
        except StepError:
            if is_buffer or kind.broadcast or self._is_tried(state, move.pid, number, context.timeout):
                raise
            return
        if kind.broadcast:
            yield from self._broadcasting(state, Candidate((move,), message, number), context.timeout, sought)
        elif kind.capacity == 0:
            for other in self._listeners(state, number, context.timeout):
                if other == move.pid or (sought.partners and other not in sought.partners):
                    continue
                try:
                    partners = self._listening(state, other, number, message, context.timeout)
                except StepError as error:
                    yield Candidate((move,), error=error)
                    continue
                for partner in partners:
                    yield Candidate((move, partner), message, number)
        else:
            position = insertion_point(state.channels[number - 1], values, send.sorted)
            yield Candidate((move,), message, number, position)

    def _broadcasting(self, state: State, sent: Candidate, timeout: bool, sought: Sought) -> Iterator[Candidate]:
        audience = self._audience(state, sent, timeout)
        for chosen in product(*(sought.ways(other, ways) for other, ways in audience.items())):
            yield replace(sent, moves=(*sent.moves, *chosen))

    def _audience(self, state: State, sent: Candidate, timeout: bool) -> dict[int, list[Move]]:
        """Who must hear a broadcast, and the ways in which each can."""
        found = {
            other: self._listening(state, other, sent.channel, sent.message, timeout)
            for other in self._listeners(state, sent.channel, timeout)
            if other != sent.moves[0].pid
        }
        return {other: ways for other, ways in found.items() if ways}

    def _is_tried(self, state: State, pid: int, number: int, timeout: bool) -> bool:
        """Whether what a handshake sends matters: somebody waits for it, or the rules have it evaluated anyway."""
        if self.network.rules.eager_sends:
            return True
        others = (other for other in self._listeners(state, number, timeout) if other != pid)
        try:
            return any(self._listening(state, other, number, None, timeout) for other in others)
        except StepError:
            return True  # who fails to decide may be waiting

    def _listeners(self, state: State, number: int, timeout: bool) -> list[int]:
        """Processes that have a receive on channel `number` where they are, or one whose channel has no value."""
        view = self._view(state)
        found = {*view.processes(("hears", number)), *view.processes("hears anything")}
        for pid in view.processes("may hear"):
            kind, location = state.processes[pid].kind, state.processes[pid].location
            context = self._context(state, pid, timeout)
            if any(_may_be(channel, number, context) for channel in self.facts.channels_by_state[kind][location]):
                found.add(pid)
        return sorted(found)

    def _listening(self, state: State, pid: int, number: int, message: Message | None, timeout: bool) -> list[Move]:
        """Receives of a process that could take a message (None: any) from channel `number` now, those of the lowest
        rank."""
        context = self._context(state, pid, timeout)
        if not self._is_provided(state, pid, context):
            return []
        process = self._process(state, pid)
        kind = state.processes[pid].kind
        ready: list[Move] = []
        for position in self.facts.receives(kind, state.processes[pid].location, number):
            edge = process.edges[position]
            assert isinstance(edge.sync, Receive)
            if ready and edge.rank != process.edges[ready[0].edge].rank:
                break
            if self._hears(edge, edge.sync, context, number, message):
                ready.append(Move(pid, kind, position))
        return ready

    def _hears(self, edge: Edge, receive: Receive, context: Context, number: int, message: Message | None) -> bool:
        """Whether a receive is on channel `number` and takes the message. The guard may protect the channel's index, so
        a channel without a value is an error only where the guard holds."""
        try:
            if evaluate(receive.channel, context.fresh()) != number:
                return False
        except StepError:
            if not self._guard(edge, context):
                return False
            raise
        if not self._guard(edge, context):
            return False
        if message is None:
            return True
        heard = matches(message, wanted_values(receive.patterns, context.fresh()))
        if heard:
            _check_fields(receive, message)
        return heard

    def _receiving(self, state: State, move: Move, receive: Receive, context: Context) -> Iterator[Candidate]:
        number = evaluate(receive.channel, context.fresh())
        kind = context.kind_of(number)
        if kind.broadcast or kind.capacity == 0:
            return  # begun by the sender
        messages = state.channels[number - 1]
        position = find_message(messages, receive.patterns, receive.anywhere, context.fresh())
        if position is not None:
            _check_fields(receive, messages[position])
            yield Candidate((move,), messages[position], number)

    def _together(self, state: State, move: Move, label: str, timeout: bool, sought: Sought) -> Iterator[Candidate]:
        """The lowest-numbered process that knows the label begins."""
        members = sorted(self._view(state).processes(("knows", label)))
        if members[0] != move.pid:
            return
        choices: list[list[Move]] = []
        for pid in members[1:]:
            choices.append(sought.ways(pid, self._labelled(state, pid, label, timeout)))
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
        for position in sorted(chain(*self.facts.ranks[kind][state.processes[pid].location])):
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
            draft.open_process(move.pid).location = edge.target_location
            if self._terminates(edge):
                self._remove(draft, move.pid)
        return edges

    def _transfer(self, edge: Edge, context: Context, candidate: Candidate) -> None:
        match edge.sync:
            case Send() if len(candidate.moves) == 1:
                kind = context.kind_of(candidate.channel)
                room = kind.capacity - len(context.draft.channels[candidate.channel - 1])
                if not kind.broadcast and room > 0:  # else it is lost
                    context.draft.open_channel(candidate.channel).insert(candidate.position, candidate.message)
            case Receive(patterns=patterns, keep=keep, anywhere=anywhere):
                if len(candidate.moves) == 1 and not keep:
                    messages = context.draft.channels[candidate.channel - 1]
                    position = find_message(messages, patterns, anywhere, context.fresh())
                    assert position is not None
                    del context.draft.open_channel(candidate.channel)[position]
                bind(patterns, candidate.message, context.fresh())
            case _:
                pass

    def _at_deterministic(self, draft: Draft, move: Move) -> bool:
        if move.pid >= len(draft.processes):
            return False
        return self.network.processes[move.kind].locations[draft.processes[move.pid].location].deterministic

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
        """Decides whether the process keeps control, and resets scratch variables if it does not."""
        mover = candidate.moves[-1].pid
        keeps = last_edges[-1].keeps_control and not isinstance(last_edges[-1].sync, Together)
        draft.control = mover if keeps and mover < len(draft.processes) else -1
        draft.last = mover if self._uses("last") else 0
        if draft.control >= 0 and not self._can_go_on(draft.freeze(), draft.control):
            draft.control = -1
        if draft.control < 0:
            self._forget_hidden(draft)

    def _can_go_on(self, state: State, pid: int) -> bool:
        """Whether a process keeps control: it has a step, and no process of higher priority has one."""
        if not self._begun_by(state, pid, False):
            return False
        own = state.processes[pid].priority
        above = [other for other, process in enumerate(state.processes) if process.priority > own]
        return not self.network.rules.priorities or not any(self._begun_by(state, other, False) for other in above)

    def _forget_hidden(self, draft: Draft) -> None:
        for first, values in self.facts.hidden:
            part = slice(first, first + len(values))
            if tuple(draft.variables[part]) != values:
                draft.open_variables()[part] = values

    def _remove(self, draft: Draft, pid: int) -> None:
        if pid != len(draft.processes) - 1:
            raise StepError("blocked", "a process ends in the very step that starts another")
        draft.remove_process(self.scope.processes[draft.processes[pid].kind].channel_count)

    # Monitor

    def _steps_with_monitor(self, state: State, sought: Sought) -> list[Step]:
        """The monitor moves on the present state, then the network; it moves alone where the network cannot. It does
        not look at states in which a process keeps control. Where one of the two has no move without a timeout, both
        have another try with one, as in SPIN."""
        if self.claim_completed(state):
            return []
        if state.control >= 0:
            return self._system_steps(state, sought)
        taken, both_move = self._watched(state, False, sought)
        if self.network.times_out and not both_move:
            taken += self._watched(state, True, sought)[0]
        return taken

    def _watched(self, state: State, timeout: bool, sought: Sought) -> tuple[list[Step], bool]:
        """The moves of the monitor, each with the steps of the network, and whether both can move; the monitor alone
        where the network cannot, once that is certain."""
        monitor = self.network.monitor
        assert monitor is not None
        moves, candidates = self._monitor_moves(state, timeout), self._of_all(state, timeout, sought)
        system = _looked_at(self._take(state, candidate) for candidate in candidates)
        idle = self._is_idle(state, timeout, candidates, sought)
        if self.network.assumes:
            every = candidates if sought is ANY else self._of_all(state, timeout, ANY)
            idle = not _looked_at(self._take(state, candidate) for candidate in every)
        taken: list[Step] = []
        for move in moves:
            target = monitor.edges[move.moves[0].edge].target_location
            halted = monitor.locations[target].halted
            if move.error is not None:
                taken.append(Step(move.moves, None, move.error))
            elif monitor.locations[target].end:
                taken.append(Step(move.moves, _with_monitor(state, target)))
            elif idle and (timeout or not self.network.times_out):
                taken.append(Step(move.moves, _with_monitor(state, halted if halted >= 0 else target)))
            else:
                taken += [_beside(move, step, target) for step in system]
        if sought.pids:
            taken = [step for step in taken if len(step.moves) > 1]
        return taken, bool(moves) and not idle

    def _monitor_moves(self, state: State, timeout: bool) -> list[Candidate]:
        """What the monitor can do, those of the lowest rank that has any; an error in deciding is a move, too."""
        monitor = self.network.monitor
        assert monitor is not None
        context = Context(self.scope, Draft(state), -1, timeout)
        context.enabled = lambda pid: bool(self._begun_by(state, pid, timeout))
        for positions in by_rank(monitor)[state.monitor]:
            found = (self._monitor_move(monitor.edges[position], position, context) for position in positions)
            ready = [move for move in found if move is not None]
            if ready:
                return ready
        return []

    def _monitor_move(self, edge: Edge, position: int, context: Context) -> Candidate | None:
        move = Move(-1, -1, position)
        try:
            if not evaluate(edge.guard, context.fresh()):
                return None
            execute(edge.effect, context.fresh())
        except StepError as error:
            if not error.source.line:
                error.source = edge.source
            return Candidate((move,), error=error)
        return Candidate((move,))

    # Facts about the network

    def _context(self, state: State, pid: int, timeout: bool = False) -> Context:
        draft = Draft(state) if self.facts.guards_may_write else self._view(state).draft
        return Context(self.scope, draft, pid, timeout)

    def _view(self, state: State) -> View:
        if self._viewed is None:
            self._viewed = View(state, self._keys)
        elif self._viewed.state is not state:
            self._viewed.look_at(state)
        return self._viewed

    def _keys(self, state: State, pid: int) -> Iterator[Key]:
        """The keys under which a process is indexed, see `view`."""
        process = state.processes[pid]
        yield from self.facts.keys_of_place[process.kind][process.location]
        channels = self.facts.own_channels[process.kind][process.location]
        if channels:
            context = Context(self.scope, Draft(state), pid)
            yield from {_heard(channel, context) for channel in channels}

    def _process(self, state: State, pid: int) -> Process:
        return self.network.processes[state.processes[pid].kind]

    def _location(self, state: State, pid: int) -> Location:
        return self._process(state, pid).locations[state.processes[pid].location]

    def _is_provided(self, state: State, pid: int, context: Context) -> bool:
        provided = self._process(state, pid).provided
        return provided == TRUE or _is_true(provided, context.fresh())

    def _terminates(self, edge: Edge) -> bool:
        return any(isinstance(statement, Terminate) for statement in edge.effect)

    def _uses(self, builtin: str) -> bool:
        return builtin in self.network.builtins


def _looked_at(steps: Iterable[Step]) -> list[Step]:
    """Those that no assumption rules out."""
    return [step for step in steps if step.error is None or step.error.kind not in LEFT_OUT]


def _heard(channel: Expression, context: Context) -> Key:
    try:
        return "hears", evaluate(channel, context)
    except StepError:
        return "hears anything"


def _may_be(channel: Expression, number: int, context: Context) -> bool:
    """Whether a channel has this number, or no value."""
    try:
        return evaluate(channel, context) == number
    except StepError:
        return True


def _check_fields(receive: Receive, message: Message) -> None:
    """A message cannot be taken in part, only looked at."""
    if len(receive.patterns) < len(message) and not receive.keep:
        raise StepError("channel", f"{len(receive.patterns)} of {len(message)} fields are received")


def _is_true(expression: Expression, context: Context) -> bool:
    """For conditions that only watch: where one has no value, it does not hold."""
    try:
        return evaluate(expression, context) != 0
    except StepError:
        return False


def _beside(move: Candidate, step: Step, location: int) -> Step:
    """A step of the network that the monitor watches with a move to `location`."""
    arrived = None if step.target is None else _with_monitor(step.target, location)
    return Step((*move.moves, *step.moves), arrived, step.error, step.output)


def _with_monitor(state: State, location: int) -> State:
    draft = Draft(state)
    draft.monitor = location
    return draft.freeze()


def fit_message(values: list[int], fields: tuple[Type, ...]) -> Message:
    """Values as the channel's fields store them."""
    fitted: list[int] = []
    kinds = [leaf for kind in fields for leaf in scalars(kind)]
    for position, kind in enumerate(kinds):
        value = values[position]
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
