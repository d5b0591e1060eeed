"""Random networks of automata with an error path: seeded, connected, every action shared by exactly two processes.

After the published parameters: 3 to 10 locations each, twice as many actions as processes. What was not published is
decided here: 1.5 to 3.5 edges per location, an edge is internal with probability 1 / (labels + 1), one random location
is the error of a process with probability 0.6 (others do not matter), the initial location is the first.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from random import Random

from writing import Generated, Process, assemble

MOST_STATES = 300_000  # of the product, when looking for an error path


@dataclass(frozen=True)
class Automaton:
    locations: int
    edges: tuple[tuple[int, int, int], ...]  # origin, action (-1: internal), target
    error: int | None


def random_network(processes: int, seed: int, at_least: int = 8) -> Generated:
    """The first network of the seed's sequence that is connected and whose shortest error path has `at_least` steps."""
    random = Random(seed)
    while True:
        owners = [tuple(random.sample(range(processes), 2)) for _ in range(2 * processes)]
        if not _connected(processes, owners):
            continue
        automata = [_automaton(random, [a for a, pair in enumerate(owners) if p in pair]) for p in range(processes)]
        if all(one.error is None for one in automata):
            continue
        distance = _distance(automata, owners)
        if distance is not None and distance >= at_least:
            return _write(processes, seed, automata, owners)


def _connected(processes: int, owners: list[tuple[int, ...]]) -> bool:
    reached = {0}
    while True:
        more = {other for pair in owners if reached & set(pair) for other in pair} - reached
        if not more:
            return len(reached) == processes
        reached |= more


def _automaton(random: Random, actions: list[int]) -> Automaton:
    size = random.randint(3, 10)
    edges = []
    for _ in range(round(size * random.uniform(1.5, 3.5))):
        internal = not actions or random.random() < 1 / (len(actions) + 1)
        edges.append((random.randrange(size), -1 if internal else random.choice(actions), random.randrange(size)))
    error = random.randrange(size) if random.random() < 0.6 else None
    return Automaton(size, tuple(edges), error)


def _distance(automata: list[Automaton], owners: list[tuple[int, ...]]) -> int | None:
    """Length of a shortest error path; None if there is none, or none was found within the limit.

    A state is a number with four bits for each process, and a step adds to it."""
    steps = _steps(automata, owners)
    known = [(number, one.error) for number, one in enumerate(automata) if one.error is not None]
    mask = sum(15 << 4 * number for number, _ in known)
    error = sum(at << 4 * number for number, at in known)
    seen = {0: 0}
    queue = deque([0])
    while queue and len(seen) < MOST_STATES:
        state = queue.popleft()
        if state & mask == error:
            return seen[state]
        further = seen[state] + 1
        for shift, by_location in steps:
            for partner, ends in by_location[state >> shift & 15]:
                for added in ends[state >> partner & 15]:
                    if state + added not in seen:
                        seen[state + added] = further
                        queue.append(state + added)
    return None


Steps = list[tuple[int, list[list[tuple[int, list[list[int]]]]]]]


def _steps(automata: list[Automaton], owners: list[tuple[int, ...]]) -> Steps:
    """For each process, where its bits are and for each of its locations the edges that begin a step there: where the
    bits of the partner are, and by the partner's location what each step adds. An internal edge is its own partner."""
    found: Steps = []
    for number, automaton in enumerate(automata):
        rows: list[list[tuple[int, list[list[int]]]]] = [[] for _ in range(automaton.locations)]
        for origin, action, target in automaton.edges:
            own = target - origin << 4 * number
            if action < 0:
                rows[origin].append((4 * number, [[own]] * automaton.locations))
            elif owners[action][0] == number:
                receiver = owners[action][1]
                ends: list[list[int]] = [[] for _ in range(automata[receiver].locations)]
                for other, label, end in automata[receiver].edges:
                    if label == action:
                        ends[other].append(own + (end - other << 4 * receiver))
                rows[origin].append((4 * receiver, ends))
        found.append((4 * number, rows))
    return found


def _write(processes: int, seed: int, automata: list[Automaton], owners: list[tuple[int, ...]]) -> Generated:
    made = []
    for number, automaton in enumerate(automata):
        process = Process(f"P{number}", "s0")
        for at in range(automaton.locations):
            process.locations.setdefault(f"s{at}")
        for origin, action, target in automaton.edges:
            sign = "!" if action >= 0 and owners[action][0] == number else "?"
            process.edge(f"s{origin}", f"s{target}", sync=f"a{action}{sign}" if action >= 0 else "")
        made.append(process)
    channels = "chan " + ", ".join(f"a{action}" for action in range(len(owners))) + ";"
    system = f"system {', '.join(process.name for process in made)};"
    wanted = [f"P{number}.s{one.error}" for number, one in enumerate(automata) if one.error is not None]
    comment = f"Random network of {processes} processes, seed {seed}"
    query = "E<> " + " and ".join(wanted)
    return assemble(f"random_{processes}_{seed}", comment, [channels], made, [system], query)
