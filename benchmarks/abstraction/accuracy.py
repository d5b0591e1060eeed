"""How far an estimate is from the true distance, by true distance: figures 4 and 5 of the paper."""

from __future__ import annotations

from collections import defaultdict, deque

from benchmarks.abstraction.instances import Instance

from beeline import Network, _native
from beeline.compile.program import Program, compile_network
from beeline.engine import Found
from beeline.heuristics import Context, build
from beeline.model.expressions import Expression

Curve = list[tuple[float, float]]
Words = tuple[int, ...]


def compiled(network: Network) -> tuple[Program, _native.Program, Expression | None]:
    """A network compiled for its one query, and the goal of that."""
    goal = network.properties[0].sought
    program = compile_network(network, goal)
    return program, _native.Program(program.tables), goal


class Distances:
    """Every reachable state of a network, with its true distance to the goal."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.asked = network.properties[0]
        self.program, self.native, self.goal = compiled(network)
        before: dict[Words, list[Words]] = defaultdict(list)
        goals: list[Words] = []
        self._explore(before, goals)
        self.steps = dict.fromkeys(goals, 0)
        queue = deque(goals)
        while queue:
            state = queue.popleft()
            for source in before[state]:
                if source not in self.steps:
                    self.steps[source] = self.steps[state] + 1
                    queue.append(source)

    def _explore(self, before: dict[Words, list[Words]], goals: list[Words]) -> None:
        space = _native.ProgramSpace(self.native)
        ((_, _, _, first),) = space.initial_arcs()
        assert first is not None
        seen = {first}
        waiting = [first]
        for state in waiting:
            for _, marks, _, target in space.successor_arcs(state)[1]:
                if target is None:
                    continue
                before[target].append(state)
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
                    if marks & Found.GOAL.value:
                        goals.append(target)

    def curve(self, heuristic: str) -> Curve:
        """For each distance the mean share of it that the estimate misses."""
        context = Context(self.network, self.program, self.native, self.asked, self.goal, Found.GOAL)
        (estimate,) = build(heuristic, context)
        missing: dict[int, list[float]] = defaultdict(list)
        for state, steps in self.steps.items():
            said = estimate.native.estimate(state)
            assert said is not None and said <= steps
            missing[steps].append((steps - said) / steps if steps else 0.0)
        return [(float(steps), sum(shares) / len(shares)) for steps, shares in sorted(missing.items())]


def area(curve: Curve) -> float:
    """The mean over all distances: one number for a curve."""
    return sum(share for _, share in curve) / len(curve)


def perfect_up_to(curve: Curve) -> int:
    """The largest distance up to which nothing is missing."""
    found = 0
    for steps, share in curve:
        if share > 0:
            break
        found = int(steps)
    return found


def curves(instance: Instance, heuristics: dict[str, str]) -> dict[str, Curve]:
    distances = Distances(instance.network())
    return {name: distances.curve(heuristic) for name, heuristic in heuristics.items()}
