"""Test cases: what a tester does. In each state it either gives one stimulus or waits for an output, never both; every
output has a verdict or leads on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from beeline.conformance.graph import FAIL, INCONCLUSIVE, PASS, TestGraph
from beeline.conformance.suspension import Suspension
from beeline.lts import Lts
from beeline.lts.lts import Arc
from beeline.records import Record

Next = int | str
"""The number of the next state, or a verdict."""


class State(Record, frozen=True):
    """What a tester does: gives `stimulus`, or waits for one of `outputs`; others are failures."""

    stimulus: str = ""
    then: Next = PASS
    outputs: dict[str, Next] | None = None


class TestCase(Record, frozen=True):
    """A tester; it begins in state 0."""

    __test__ = False  # a class of ours, not a test of pytest's

    name: str
    states: tuple[State, ...]

    def follow(self, state: int, output: str) -> Next:
        """What an output means in a state that waits for one."""
        outputs = self.states[state].outputs
        assert outputs is not None
        return outputs.get(output, FAIL)

    def as_object(self) -> dict[str, object]:
        """As JSON has it."""
        states = [
            {"stimulus": one.stimulus, "then": one.then} if one.outputs is None else {"outputs": dict(one.outputs)}
            for one in self.states
        ]
        return {"name": self.name, "states": states}

    @classmethod
    def from_object(cls, read: dict[str, object]) -> TestCase:
        """What `as_object` wrote."""
        found = read["states"]
        assert isinstance(found, list)
        return cls(str(read["name"]), tuple(State(**one) for one in found))

    def lts(self, outputs: Iterable[str]) -> Lts:
        """As an automaton, whose last three states are the verdicts: each has a loop with its name."""
        verdicts = {verdict: len(self.states) + number for number, verdict in enumerate((PASS, INCONCLUSIVE, FAIL))}
        arcs: list[Arc] = [(state, name.upper(), state) for name, state in verdicts.items()]

        def place(following: Next) -> int:
            return following if isinstance(following, int) else verdicts[following]

        known = sorted({*outputs, *(label for one in self.states for label in one.outputs or ())})
        for number, one in enumerate(self.states):
            if one.outputs is None:
                arcs.append((number, one.stimulus, place(one.then)))
            else:
                arcs += [(number, label, place(self.follow(number, label))) for label in known]
        return Lts.of(len(self.states) + len(verdicts), 0, arcs)


def towards(graph: TestGraph, name: str = "purpose") -> TestCase:
    """The test that does what brings it nearest to what a purpose asks for; outputs may lead it elsewhere."""
    numbers, order = {0: 0}, [0]
    states: list[State] = []

    def place(target: int | None) -> Next:
        if target is None:
            return INCONCLUSIVE
        if target in graph.accepting:
            return PASS
        if target not in numbers:
            numbers[target] = len(numbers)
            order.append(target)
        return numbers[target]

    if 0 in graph.accepting:
        return TestCase(name, (State(outputs=dict.fromkeys(graph.outputs(0), PASS)),))
    for state in order:
        stimuli, outputs = graph.stimuli(state), graph.outputs(state)
        ways = {label: graph.distance[to] for label, to in {**stimuli, **outputs}.items() if to is not None}
        best = min(ways, key=lambda label: (ways[label], label))
        if best in stimuli:
            states.append(State(best, place(stimuli[best])))
        else:
            states.append(State(outputs={label: place(to) for label, to in outputs.items()}))
    return TestCase(name, tuple(states))


def covering(suspension: Suspension, further: int = 1) -> list[TestCase]:
    """Tests that take every arc of a specification, and after it every word of so many labels more, so that a wrong
    state is noticed by what it does. Words that are beginnings of others are left out."""
    ways = _shortest(suspension)
    words: dict[tuple[str, ...], None] = {}
    for state, way in ways.items():
        for label, target in suspension.rows[state].items():
            for rest in _continued(suspension, target, further):
                words[(*way, label, *rest)] = None
    beginnings = {word[:length] for word in words for length in range(len(word))}
    whole = [word for word in words if word not in beginnings]
    return [_along(suspension, word, f"word{number}") for number, word in enumerate(whole, 1)]


def _shortest(suspension: Suspension) -> dict[int, tuple[str, ...]]:
    """By state: a shortest word that leads there."""
    found: dict[int, tuple[str, ...]] = {0: ()}
    waiting = deque([0])
    while waiting:
        state = waiting.popleft()
        for label, target in suspension.rows[state].items():
            if target not in found:
                found[target] = (*found[state], label)
                waiting.append(target)
    return found


def _continued(suspension: Suspension, state: int, length: int) -> list[tuple[str, ...]]:
    """All words of a length, shorter where nothing comes after, and the outputs that are due then."""
    row = suspension.rows[state]
    if length == 0:
        return [(label,) for label in suspension.outputs(state)] or [()]
    return [(label, *rest) for label, to in row.items() for rest in _continued(suspension, to, length - 1)] or [()]


def _along(suspension: Suspension, word: tuple[str, ...], name: str) -> TestCase:
    """The test that follows a word; other outputs that are allowed leave it open."""
    states, at = [], 0
    for number, label in enumerate(word, 1):
        following: Next = number if number < len(word) else PASS
        if suspension.is_stimulus(label):
            states.append(State(label, following))
        else:
            allowed = dict.fromkeys(suspension.outputs(at), INCONCLUSIVE)
            states.append(State(outputs={**allowed, label: following}))
        at = suspension.rows[at][label]
    return TestCase(name, tuple(states))
