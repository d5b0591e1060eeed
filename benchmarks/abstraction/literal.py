"""The 2006 paper's abstraction word for word, on its arbiter trees, without anything of ours.

What its N and its order of composition come to on our reading of the model. Each process is one system, an action is
hidden once both that have it are composed, every composition is abstracted, the last one as well. Where pairs have
equal weight, which the paper leaves open, one is drawn."""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product

Action = tuple[str, int]
HIDDEN: Action = ("", 0)
Global = tuple[int, ...]
FAR = 10**6


@dataclass
class System:
    """States are numbers from 0, the initial one; `goal` is None where every state will do."""

    states: int
    goal: set[int] | None
    moves: dict[Action, list[tuple[int, int]]]

    def distances(self) -> list[int]:
        """Steps to the goal, each action taken for possible; FAR if there is no way."""
        before: dict[int, list[int]] = defaultdict(list)
        for moves in self.moves.values():
            for source, target in moves:
                before[target].append(source)
        found = [FAR] * self.states
        queue = deque(range(self.states) if self.goal is None else sorted(self.goal))
        for state in queue:
            found[state] = 0
        while queue:
            state = queue.popleft()
            for source in before[state]:
                if found[source] == FAR:
                    found[source] = found[state] + 1
                    queue.append(source)
        return found


def arbiter_tree(height: int, pair: tuple[int, int]) -> list[System]:
    """As models/uppaal/arbiter_tree.py writes it, client 0 faulty; the error is that both are in their sections."""
    clients = 2**height
    systems = [_client(clients + at, faulty=at == 0, wanted=at in pair) for at in range(clients)]
    systems += [_arbiter(node) for node in range(1, clients)]
    root = [("free", ("req", 1), "asked"), ("asked", ("grt", 1), "taken"), ("taken", ("rel", 1), "free")]
    return [*systems, _system(root, None)]


def _client(node: int, *, faulty: bool, wanted: bool) -> System:
    edges = [("idle", ("req", node), "waiting"), ("waiting", ("grt", node), "cs")]
    if faulty:
        edges += [("cs", ("rel", node), "out"), ("out", ("rel", node), "out"), ("out", ("req", node), "waiting")]
    else:
        edges.append(("cs", ("rel", node), "idle"))
    return _system(edges, "cs" if wanted else None)


def _arbiter(node: int) -> System:
    edges = []
    for left, right in product((0, 1), (0, 1)):
        for place in ("idle", "asked", "have", "outL", "outR", "back"):
            if not left:
                edges.append((f"{place}{left}{right}", ("req", 2 * node), f"{place}1{right}"))
            if not right:
                edges.append((f"{place}{left}{right}", ("req", 2 * node + 1), f"{place}{left}1"))
        if left or right:
            edges.append((f"idle{left}{right}", ("req", node), f"asked{left}{right}"))
        edges.append((f"asked{left}{right}", ("grt", node), f"have{left}{right}"))
        if left:
            edges.append((f"have{left}{right}", ("grt", 2 * node), f"outL0{right}"))
        if right:
            edges.append((f"have{left}{right}", ("grt", 2 * node + 1), f"outR{left}0"))
        for out, child in product(("outL", "outR"), (2 * node, 2 * node + 1)):
            edges.append((f"{out}{left}{right}", ("rel", child), f"back{left}{right}"))
        edges.append((f"back{left}{right}", ("rel", node), f"idle{left}{right}"))
    return _system(edges, None)


def _system(edges: Sequence[tuple[str, Action, str]], goal: str | None) -> System:
    numbers: dict[str, int] = {}
    moves: dict[Action, list[tuple[int, int]]] = defaultdict(list)
    for source, action, target in edges:
        begin = numbers.setdefault(source, len(numbers))
        moves[action].append((begin, numbers.setdefault(target, len(numbers))))
    return System(len(numbers), None if goal is None else {numbers[goal]}, dict(moves))


def compose(left: System, right: System) -> tuple[System, dict[tuple[int, int], int]]:
    """What is reachable of both, and the number of each pair of states."""
    common = set(left.moves) & set(right.moves) - {HIDDEN}
    one, other = _outgoing(left), _outgoing(right)
    pairs = [(0, 0)]
    numbers = {(0, 0): 0}
    moves: dict[Action, set[tuple[int, int]]] = defaultdict(set)

    def add(source: int, action: Action, target: tuple[int, int]) -> None:
        if target not in numbers:
            numbers[target] = len(pairs)
            pairs.append(target)
        moves[action].add((source, numbers[target]))

    for number, (a, b) in enumerate(pairs):
        for action, target in one[a]:
            if action not in common:
                add(number, action, (target, b))
                continue
            for same, partner in other[b]:
                if same == action:
                    add(number, HIDDEN, (target, partner))
        for action, target in other[b]:
            if action not in common:
                add(number, action, (a, target))
    goal = None
    if left.goal is not None or right.goal is not None:
        goal = {n for (a, b), n in numbers.items() if _within(a, left.goal) and _within(b, right.goal)}
    return System(len(pairs), goal, {action: sorted(own) for action, own in moves.items()}), numbers


def _within(state: int, goal: set[int] | None) -> bool:
    return goal is None or state in goal


def _outgoing(system: System) -> dict[int, list[tuple[Action, int]]]:
    arcs: dict[int, list[tuple[Action, int]]] = defaultdict(list)
    for action, moves in system.moves.items():
        for source, target in moves:
            arcs[source].append((action, target))
    return arcs


def abstract(system: System, bound: int) -> tuple[System, dict[int, int]]:
    """ABSTRACTPROCESS: buckets by distance, split as a whole, the nearest first, as long as there is room."""
    distances = system.distances()
    name = {state: min(far, bound - 1) for state, far in enumerate(distances) if far < FAR}
    buckets: dict[int, list[int]] = defaultdict(list)
    for state, bucket in name.items():
        buckets[bucket].append(state)
    arcs = _outgoing(system)
    sizes = dict.fromkeys(buckets, 1)
    fresh = bound
    changed = True
    while changed:
        changed = False
        for bucket in sorted(buckets):
            parts: dict[tuple[int, frozenset[tuple[Action, int]]], list[int]] = defaultdict(list)
            for state in buckets[bucket]:
                can = frozenset((action, name[target]) for action, target in arcs[state] if target in name)
                parts[name[state], can].append(state)
            if len(parts) > sizes[bucket] and sum(sizes.values()) - sizes[bucket] + len(parts) <= bound:
                sizes[bucket] = len(parts)
                changed = True
                for states in parts.values():
                    fresh += 1
                    name.update(dict.fromkeys(states, fresh))
    number: dict[int, int] = {}
    state_of = {state: number.setdefault(own, len(number)) for state, own in name.items()}
    moves = {
        action: sorted({(state_of[a], state_of[b]) for a, b in own if a in state_of and b in state_of})
        for action, own in system.moves.items()
    }
    goal = None if system.goal is None else {state_of[state] for state in system.goal if state in state_of}
    return System(len(number), goal, {action: own for action, own in moves.items() if own}), state_of


Lookup = Callable[[Global], int | None]


def estimate(systems: Sequence[System], bound: int, seed: int) -> Lookup:
    """ABSTRACTSYSTEM with the ranking of actions; which of equal pairs comes first depends on the seed."""
    chance = random.Random(seed)
    left: list[tuple[System, Lookup]] = [(own, _place(at)) for at, own in enumerate(systems)]
    while len(left) > 1:
        a, b = chance.choice(_best_pairs([own for own, _ in left]))
        made, numbers = compose(left[a][0], left[b][0])
        smaller, state_of = abstract(made, bound)
        table = {pair: state_of[number] for pair, number in numbers.items() if number in state_of}
        joined = _joined(left[a][1], left[b][1], table)
        left = [one for at, one in enumerate(left) if at not in (a, b)] + [(smaller, joined)]
    last, state = left[0]
    distances = last.distances()

    def said(whole: Global) -> int | None:
        found = state(whole)
        return None if found is None else distances[found]

    return said


def _place(at: int) -> Lookup:
    return lambda whole: whole[at]


def _joined(left: Lookup, right: Lookup, table: dict[tuple[int, int], int]) -> Lookup:
    def found(whole: Global) -> int | None:
        a, b = left(whole), right(whole)
        return None if a is None or b is None else table.get((a, b))

    return found


def _best_pairs(systems: Sequence[System]) -> list[tuple[int, int]]:
    ranks = []
    for system in systems:
        far = system.distances()
        ranks.append({action: min(far[b] for _, b in own) for action, own in system.moves.items() if action != HIDDEN})
    weights = {}
    for a, one in enumerate(systems):
        for b in range(a + 1, len(systems)):
            if one.goal is not None or systems[b].goal is not None:
                both = set(ranks[a]) & set(ranks[b])
                weights[a, b] = min((max(ranks[a][action], ranks[b][action]) for action in both), default=2 * FAR)
    return [pair for pair, weight in weights.items() if weight == min(weights.values())]


def explored(systems: Sequence[System], said: Lookup) -> tuple[int, int | None]:
    """States that A* expands before it meets the error, and the steps to there; among equal ones the oldest first."""
    users: dict[Action, list[int]] = defaultdict(list)
    for at, system in enumerate(systems):
        for action in system.moves:
            users[action].append(at)
    outgoing = [_outgoing(system) for system in systems]

    def following(whole: Global) -> Iterator[Global]:
        for action, (a, b) in users.items():
            for own, here in outgoing[a][whole[a]]:
                for other, there in outgoing[b][whole[b]] if own == action else ():
                    if other == action:
                        after = list(whole)
                        after[a], after[b] = here, there
                        yield tuple(after)

    start = (0,) * len(systems)
    steps = {start: 0}
    queue: list[tuple[int, int, Global]] = [(said(start) or 0, 0, start)]
    closed: set[Global] = set()
    while queue:
        _, _, whole = heappop(queue)
        if whole in closed:
            continue
        if all(_within(state, system.goal) for state, system in zip(whole, systems, strict=True)):
            return len(closed), steps[whole]
        closed.add(whole)
        for target in following(whole):
            far = said(target)
            if far is not None and far < FAR and steps[whole] + 1 < steps.get(target, FAR):
                steps[target] = steps[whole] + 1
                heappush(queue, (steps[target] + far, len(steps), target))
    return len(closed), None


def _largest(distances: Sequence[Sequence[int]]) -> Lookup:
    return lambda whole: max(own[at] for own, at in zip(distances, whole, strict=True))


def print_table(height: int, pairs: Sequence[tuple[int, int]], ties: int) -> None:
    """Least and most over ways to break ties, and the steps."""
    print("| | by distances alone | N = 50 | N = 100 | steps |\n|---|---|---|---|---|")
    for pair in pairs:
        systems = arbiter_tree(height, pair)
        plain, steps = explored(systems, _largest([system.distances() for system in systems]))
        cells = []
        for bound in (50, 100):
            counts = [explored(systems, estimate(systems, bound, seed))[0] for seed in range(ties)]
            cells.append(f"{min(counts):,} to {max(counts):,}")
        print(f"| C{pair[0]}.cs and C{pair[1]}.cs | {plain:,} | {' | '.join(cells)} | {steps} |", flush=True)
