"""Throws malformed programs, states, options and bytes at the engine; run by test_fuzz in a process of its own.

    python -m tests.compile.fuzzing FIRST_SEED TRIES LOG

Every try has a seed, which is written to LOG before it begins: after a crash the file names the culprit.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.networks import Sampler

from beeline import _native
from beeline.compile.program import compile_network
from beeline.model.property import Goal
from beeline.records import replace

Tables = dict[str, Any]

# What a user of the border may have to catch; anything else, a crash above all, is a fault.
EXPECTED = (TypeError, ValueError, OverflowError, IndexError, RuntimeError, MemoryError, _native.TooManyProcesses)
EDGES = [-(2**31), -(2**16), -2, -1, 0, 1, 2, 3, 7, 15, 255, 256, 65535, 65536, 2**24, 2**31 - 1]
ODD: list[Callable[[random.Random], Any]] = [
    lambda dice: None,
    lambda dice: dice.choice(EDGES),
    lambda dice: 2 ** dice.choice([31, 32, 40, 63, 64, 200]),
    lambda dice: dice.random() * 10,
    lambda dice: float("nan"),
    lambda dice: dice.randbytes(dice.randrange(20)),
    lambda dice: "".join(chr(dice.randrange(1, 0x2FF)) for _ in range(dice.randrange(8))),
    lambda dice: [dice.choice(EDGES) for _ in range(dice.randrange(6))],
    lambda dice: [[dice.choice(EDGES) for _ in range(dice.randrange(8))] for _ in range(dice.randrange(4))],
    lambda dice: [[[]]],
    lambda dice: {},
    lambda dice: object(),
]


def odd(dice: random.Random) -> Any:
    """Something that is usually not what was asked for."""
    return dice.choice(ODD)(dice)


class Victim:
    """A compiled random network, and copies of its tables to spoil."""

    def __init__(self, seed: int) -> None:
        sampler = Sampler(seed)
        goal = sampler.condition(local=False) if sampler.chance(2) else None
        network = replace(sampler.network(), properties=() if goal is None else (Goal("goal", expression=goal),))
        self.tables: Tables = compile_network(network, goal).tables
        self.program = _native.Program(self.tables)

    def spoiled(self, dice: random.Random) -> Tables:
        tables = {name: copied(table) for name, table in self.tables.items()}
        for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
            spoil(tables, dice)
        return tables


def copied(table: Any) -> Any:
    if isinstance(table, list):
        return [list(row) if isinstance(row, list) else row for row in table]
    return table


def number(dice: random.Random, near: int) -> int:
    """A number that is a little wrong, or very."""
    if dice.randrange(3):
        return near + dice.choice([-2, -1, 1, 2])
    return dice.choice(EDGES) if dice.randrange(2) else dice.randrange(40)


def spoil(tables: Tables, dice: random.Random) -> None:
    """One mutation of one table."""
    name = dice.choice(["code", "code", "edges", "edges", "processes", "bodies", "channels", "cells", *tables])
    if name not in tables:
        return
    table = tables[name]
    how = dice.randrange(30)
    if how == 0:
        del tables[name]
    elif how == 1:
        tables[name] = odd(dice)
    elif isinstance(table, int):
        tables[name] = number(dice, table)
    elif isinstance(table, list):
        spoil_list(table, dice)


def spoil_list(table: list[Any], dice: random.Random) -> None:
    if not table or dice.randrange(12) == 0:
        table.append(list(dice.choice(table)) if table and isinstance(table[0], list) else dice.choice(EDGES))
        return
    position = dice.randrange(len(table))
    entry = table[position]
    how = dice.randrange(12)
    if how == 0:
        del table[position]
    elif how == 1:
        table[position] = table[dice.randrange(len(table))]
    elif how == 2:
        table[position] = odd(dice)
    elif isinstance(entry, list) and entry:
        spot = dice.randrange(len(entry))
        if isinstance(entry[spot], int):
            entry[spot] = number(dice, entry[spot])
    elif isinstance(entry, int):
        table[position] = number(dice, entry)


def request(dice: random.Random) -> _native.Request:
    """Options that are sometimes odd, but never without bounds."""
    named: dict[str, Any] = {"seconds": 0.2, "memory": 2**33, "states": 300, "depth": 60, "stop": dice.randrange(8)}
    if dice.randrange(4) == 0:
        named[dice.choice([*named, "progress", "cancellation", "other"])] = odd(dice)
    return _native.Request(**named)


def drive(program: _native.Program, dice: random.Random) -> None:
    """Whatever can be done with a program that was accepted."""
    space = _native.ProgramSpace(program, merged=bool(dice.randrange(2)))
    states = [arc[3] for arc in space.initial_arcs()]
    for state in states[:10]:
        if state is not None:
            states += [arc[3] for arc in space.successor_arcs(state)[1]]
    search = dice.choice([space.breadth_first, space.depth_first, space.iterative_deepening])
    outcome = search(request(dice))
    assert (outcome.status == "found") == bool(outcome.path)


def random_state(program: _native.Program, dice: random.Random) -> Any:
    if dice.randrange(8) == 0:
        return odd(dice)
    words = program.words + (dice.choice([-1, 1]) if dice.randrange(8) == 0 else 0)
    return [dice.choice([0, 1, 2**32 - 1, dice.randrange(2**32)]) for _ in range(words)]


def near_state(program: _native.Program, tables: Tables, dice: random.Random) -> list[int]:
    """Cells of the initial state with a few changed within their ranges, or beyond."""
    cells = list(tables["initial"])
    for _ in range(dice.randrange(1, 6)):
        position = dice.randrange(len(cells))
        low, high = tables["cells"][position]
        cells[position] = dice.randint(low, high) if dice.randrange(8) else number(dice, high)
    return program.pack(cells)


def throw_tables(victim: Victim, dice: random.Random) -> None:
    drive(_native.Program(victim.spoiled(dice)), dice)


def throw_state(victim: Victim, dice: random.Random) -> None:
    space = _native.ProgramSpace(victim.program, merged=bool(dice.randrange(2)))
    state = random_state(victim.program, dice) if dice.randrange(3) == 0 else None
    for _ in range(20):
        if state is None:
            state = near_state(victim.program, victim.tables, dice)
        arcs = space.successor_arcs(state)[1]
        following = [arc[3] for arc in arcs if arc[3] is not None]
        state = dice.choice(following) if following else None


def throw_anything(victim: Victim, dice: random.Random) -> None:
    program: Any = victim.program
    space: Any = _native.ProgramSpace(program)
    call: Callable[[], object] = dice.choice(
        [
            lambda: _native.Program(odd(dice)),
            lambda: _native.Program({odd_key(dice): odd(dice) for _ in range(5)}),
            lambda: _native.ProgramSpace(odd(dice)),
            lambda: _native.ProgramSpace(program, odd(dice)),
            lambda: program.pack(odd(dice)),
            lambda: program.unpack(odd(dice)),
            lambda: program.unpack(random_state(program, dice)),
            lambda: space.successor_arcs(odd(dice)),
            lambda: space.breadth_first(odd(dice)),
            lambda: space.depth_first(request(dice), odd(dice)),
            lambda: space.iterative_deepening(request(dice), odd(dice)),
        ]
    )
    call()


def odd_key(dice: random.Random) -> Any:
    return dice.choice(["code", "cells", "edges", 3, None, b"code", "\ud800"])


THROWS = [throw_tables] * 5 + [throw_state] * 2 + [throw_anything]


def attempt(seed: int, victim: Victim) -> str:
    dice = random.Random(seed)
    throw = dice.choice(THROWS)
    try:
        throw(victim, dice)
        return f"{throw.__name__}: fine"
    except EXPECTED as error:
        return f"{throw.__name__}: {type(error).__name__}"


def main(first: int, tries: int, log: str) -> None:
    counts: Counter[str] = Counter()
    writer = os.open(log, os.O_CREAT | os.O_WRONLY)
    victim = None
    for seed in range(first, first + tries):
        os.pwrite(writer, f"{seed:>20}".encode(), 0)
        if victim is None or seed % 50 == 0:
            victim = Victim(seed - seed % 50)
        counts[attempt(seed, victim)] += 1
    for what, count in sorted(counts.items()):
        print(f"{count:>8}  {what}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
