"""The state graph of a small space, with the trace as a path in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from beeline.engine import Found, NativeSpace
from beeline.problems import Problem, Result, Settings, problem_of, subject_of
from beeline.problems.again import begin_again
from beeline.records import Record
from beeline.searches import find

MOST_STATES = 3000

Words = tuple[int, ...]
Fits = Callable[[Words, Any], bool]


class StateGraph(Record, frozen=True):
    """States by number in the order of their distance from the start, arcs between them, those that are sought (with
    `bad` arcs counted to where they begin), and the states along the trace."""

    depths: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]
    bad: tuple[int, ...]
    path: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """See docs/json.md."""
        return {"depths": self.depths, "arcs": self.arcs, "bad": self.bad, "path": self.path}


def state_graph(model: Any, result: Result, most: int = MOST_STATES) -> StateGraph | None:
    """The whole graph that a check is about, or None if it has more than `most` states.

    >>> from beeline import NetworkBuilder, check
    >>> builder = NetworkBuilder("up")
    >>> builder.variable("x", 0, 3)
    >>> _ = builder.process("P").location("a").edge("a", "a", guard="x < 3", effect="x++")
    >>> network = builder.build()
    >>> state_graph(network, check(network, "x < 2")).path
    (0, 1, 2)
    """
    states = result.trace.states if result.trace is not None else ()
    problem = problem_of(subject_of(model), result.property)

    def listed(one: Problem) -> StateGraph | None:
        ready = one.ready(Settings(find("bfs")))
        return _graph(ready.space(), most, states, ready.fits)

    return begin_again(problem, listed)


def _graph(space: NativeSpace, most: int, states: Sequence[Any], fits: Fits) -> StateGraph | None:
    numbers: dict[Words, int] = {}
    depths: list[int] = []
    arcs: dict[tuple[int, int], None] = {}
    bad: set[int] = set()

    def meet(words: Words, depth: int, marks: int) -> int:
        number = numbers.setdefault(words, len(numbers))
        if number == len(depths):
            depths.append(depth)
        if marks & Found.GOAL.value:
            bad.add(number)
        return number

    for _, marks, _, words in space.initial_arcs():
        if words is not None:
            meet(words, 0, marks)
    starts = len(depths)
    waiting = list(numbers)
    for number, words in enumerate(waiting):
        marks, found = space.successor_arcs(words)
        if marks & Found.DEADLOCK.value:
            bad.add(number)
        for _, arc_marks, _, target in found:
            if target is None:
                bad.add(number)
                continue
            reached = meet(target, depths[number] + 1, arc_marks)
            arcs[number, reached] = None
            if reached == len(waiting):
                waiting.append(target)
        if len(waiting) > most:
            return None
    path = _path(waiting, list(arcs), starts, states, fits)
    return StateGraph(tuple(depths), tuple(arcs), tuple(sorted(bad)), path)


def _path(
    nodes: list[Words], arcs: list[tuple[int, int]], starts: int, states: Sequence[Any], fits: Fits
) -> tuple[int, ...]:
    """The nodes along the trace. Several may fit a timed state: all ways are kept until one comes through."""
    if not states:
        return ()
    after: dict[int, list[int]] = {}
    for origin, target in arcs:
        after.setdefault(origin, []).append(target)
    layer: dict[int, tuple[int, ...]] = {n: (n,) for n in range(starts) if fits(nodes[n], states[0])}
    for state in states[1:]:
        reached: dict[int, tuple[int, ...]] = {}
        for origin, way in layer.items():
            for target in after.get(origin, []):
                if target not in reached and fits(nodes[target], state):
                    reached[target] = (*way, target)
        layer = reached
    return next(iter(layer.values()), ())
