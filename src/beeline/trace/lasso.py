"""Lassos: runs that go on for ever, replayed by the interpreter and judged without the automaton that found them."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.model.network import Network
from beeline.model.property import Acceptance, Claim, Progress, Property
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.model.steps import Step
from beeline.properties.linear import Linear
from beeline.records import Record, replace
from beeline.trace.promises import Promises
from beeline.trace.replay import Path, ReplayError, Watch, grouped_steps, trace_of, unwatched
from beeline.trace.trace import Trace
from beeline.trace.trail import Trail, trail_of

WEAK, STRONG = "weak", "strong"


class Lasso(Record, frozen=True):
    """A replayed run of the network as it was searched: the steps from the first `cut` on come again and again."""

    network: Network
    start: State
    steps: tuple[Step, ...]
    cut: int

    @property
    def states(self) -> list[State]:
        """The states before each step, and the last one."""
        return [self.start, *(step.target for step in self.steps if step.target is not None)]

    @property
    def around(self) -> list[State]:
        """The states of the cycle."""
        return self.states[self.cut : -1] or self.states[-1:]

    @property
    def rests(self) -> bool:
        """Whether the cycle consists of looks at a network that has come to rest."""
        return all(step.moves[0].pid < 0 and len(step.moves) == 1 for step in self.steps[self.cut :])


def replay_lasso(network: Network, path: Sequence[State] | Path, cycle: int, watch: Watch = unwatched) -> Lasso:
    """The lasso along a path whose last state is the one at position `cycle`; without steps behind that, the run comes
    to rest there. Raises `ReplayError`."""
    start, groups = grouped_steps(network, path, watch=watch)
    lasso = Lasso(network, start, tuple(step for group in groups for step in group), sum(map(len, groups[:cycle])))
    if lasso.states[lasso.cut] != lasso.states[-1]:
        raise ReplayError("the cycle does not come back to the state in which it begins")
    if lasso.cut == len(lasso.steps) and Semantics(network).steps(lasso.states[-1]):
        raise ReplayError("the run does not come to rest where it is said to")
    return rolled_up(lasso)


def rolled_up(lasso: Lasso) -> Lasso:
    """The same run with its cycle begun as early as it can be: steps before it that are the last ones of the cycle are
    part of it."""
    steps, cut, states = lasso.steps, lasso.cut, lasso.states
    while 0 < cut < len(steps) and states[cut - 1] == states[len(steps) - 1] and steps[cut - 1] == steps[-1]:
        steps, cut = steps[:-1], cut - 1
    return replace(lasso, steps=steps, cut=cut)


def trace_of_lasso(lasso: Lasso, asked: Property) -> Trace:
    """The lasso in readable form. The automaton of a formula is left out: it is ours, not the model's."""
    if not isinstance(asked, Linear):
        return replace(trace_of(lasso.network, lasso.start, lasso.steps), cycle=lasso.cut)
    plain, network = unwatched_lasso(lasso), lasso.network.alone
    trace = replace(trace_of(network, plain.start, plain.steps), cycle=plain.cut)
    promises = promises_of(Semantics(network), asked, trace)
    return trace if promises is None or asked.wants_witness else replace(trace, promise=promises.broken())


def promises_of(semantics: Semantics, asked: Linear, trace: Trace) -> Promises | None:
    """The formula on a run that goes on for ever. What is true only in the eyes of its automaton is not explained."""
    if asked.automaton.builtins & {"nonprogress", "timeout"}:
        return None
    return Promises.along(
        asked.formula, trace, lambda state: letter(semantics, asked, state) if is_looked_at(state) else None
    )


def unwatched_lasso(lasso: Lasso) -> Lasso:
    """The run of the model alone, whose cycle may begin before that of the run with its automaton does."""
    steps = tuple(unwatched_steps(lasso.steps))
    cut = len(steps) if lasso.rests else lasso.cut
    return rolled_up(replace(lasso, start=unwatched_state(lasso.start), steps=steps, cut=cut))


def unwatched_steps(steps: Sequence[Step]) -> list[Step]:
    """What the network itself does in steps that a monitor watches."""
    found: list[Step] = []
    for step in steps:
        moves = tuple(move for move in step.moves if move.pid >= 0)
        if moves:
            target = None if step.target is None else unwatched_state(step.target)
            found.append(replace(step, moves=moves, target=target))
    return found


def unwatched_trail(trail: Trail) -> Trail:
    """The trail without its monitor; a cycle of which nothing is left is a run that has come to rest."""
    cycle = None if trail.cycle is None else len(unwatched_steps(trail.steps[: trail.cycle]))
    plain = trail.network.alone
    return Trail(plain, unwatched_state(trail.start), tuple(unwatched_steps(trail.steps)), cycle)


def unwatched_state(state: State) -> State:
    """The state of the network itself."""
    return replace(state, monitor=-1)


def trail_of_trace(network: Network, asked: Property, trace: Trace) -> Trail:
    """The steps behind a trace that a check of `asked` has shown. It has the moves of a never claim in the model, but
    not those of automata that were made for the search."""
    watched = asked.watched(network)
    if trace.states[0].monitor < 0:
        watched = watched.alone
    failed = bool(trace.steps and trace.steps[-1].error)
    trail = replace(trail_of(watched, trace.states, failed), cycle=trace.cycle)
    return trail if type(asked) is Claim and asked in network.properties else unwatched_trail(trail)


def judge_lasso(lasso: Lasso, asked: Property, fairness: str) -> str:
    """Why the run is a violation. Raises `ReplayError` if it is none."""
    if fairness in (WEAK, STRONG):
        _check_fair(lasso, fairness)
    if isinstance(asked, Linear):
        return _judge_formula(lasso, asked)
    if not any(_is_accepting(lasso.network, asked, state) for state in lasso.around):
        raise ReplayError("no state of the cycle is accepting")
    if isinstance(asked, Progress):
        return "non-progress cycle"
    return "acceptance cycle"


def _is_accepting(network: Network, asked: Property, state: State) -> bool:
    if isinstance(asked, Claim):
        return asked.watcher.locations[state.monitor].accept
    assert isinstance(asked, Acceptance)
    return any(network.processes[process.kind].locations[process.location].accept for process in state.processes)


def _judge_formula(lasso: Lasso, asked: Linear) -> str:
    """Evaluates the formula on the word of the run, by an evaluator that knows no automata."""
    from beeline.automata import evaluate

    prefix, cycle = word(unwatched_lasso(lasso), asked)
    if not asked.automaton.builtins & {"nonprogress", "timeout"} and evaluate(asked.formula, prefix, cycle):
        raise ReplayError("the formula holds on the run that is said to violate it")
    return "violated by a run that comes to rest" if lasso.rests else "violated by a run that goes on for ever"


def word(lasso: Lasso, asked: Linear) -> tuple[list[set[str]], list[set[str]]]:
    """The propositions that are true in the states of the run which the formula looks at."""
    semantics = Semantics(lasso.network)
    before, around = (list(filter(is_looked_at, states)) for states in (lasso.states[: lasso.cut], lasso.around))
    return [letter(semantics, asked, state) for state in before], [letter(semantics, asked, state) for state in around]


def is_looked_at(state: State) -> bool:
    """Whether formulas look at a state: it is not in the middle of an uninterrupted run."""
    return state.control < 0


def letter(semantics: Semantics, asked: Linear, state: State) -> set[str]:
    """The propositions that are true in a state."""
    return {name for name, expression in asked.atoms if semantics.holds(expression, state)}


def is_fair(trail: Trail, fairness: str) -> bool:
    """Whether the cycle of a trail is fair to all processes."""
    assert trail.cycle is not None
    try:
        _check_fair(Lasso(trail.network, trail.start, trail.steps, trail.cycle), fairness)
    except ReplayError:
        return False
    return True


def _check_fair(lasso: Lasso, fairness: str) -> None:
    """Weak fairness: who can begin a step all along the cycle begins one. Strong: who can somewhere on it does. Who
    only answers another's handshake begins nothing, as in SPIN."""
    semantics = Semantics(lasso.network)
    around = [state for state in lasso.around if state.control < 0]
    moved = {_beginner(step) for step in lasso.steps[lasso.cut :]}
    able = [{_beginner(step) for step in semantics.steps(state)} for state in around]
    starved = (set.intersection(*able) if fairness == WEAK else set.union(*able)) - moved
    if starved:
        raise ReplayError(f"the cycle is not fair to process {min(starved)}")


def _beginner(step: Step) -> int:
    """The process that begins a step, -1 for a monitor that moves alone."""
    return next((move.pid for move in step.moves if move.pid >= 0), -1)
