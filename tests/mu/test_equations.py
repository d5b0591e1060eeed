"""The solver of boolean equation systems: local answers are those of the whole, and reasons have the same solution."""

from __future__ import annotations

import os
import random

import pytest

from beeline.engine import core
from beeline.mu.equations import MIXED, equations_of
from beeline.mu.game import Row, solve_game
from beeline.mu.parser import parse_mu

SYSTEMS = int(os.environ.get("BEELINE_EQUATIONS", "1000"))  # BEELINE_EQUATIONS=10000 asks for a long run
System = list[tuple[bool, int, int, list[int]]]


def random_system(chance: random.Random) -> tuple[System, list[str]]:
    """Blocks of all kinds, loops, variables without successors."""
    size, blocks = chance.randint(1, 14), chance.randint(1, 4)
    kinds = [chance.choice(["mu", "nu", MIXED]) for _ in range(blocks)]
    block = [chance.randrange(blocks) for _ in range(size)]
    rows = []
    for own in block:
        later = [other for other in range(size) if block[other] >= own]
        successors = [chance.choice(later) for _ in range(chance.randint(0, 3))]
        rows.append((chance.random() < 0.5, own, chance.randrange(5), successors))
    return rows, kinds


def as_game(rows: System, kinds: list[str], successors: list[list[int]]) -> list[Row]:
    ranks = [{"mu": 1, "nu": 2, MIXED: rank}[kinds[block]] for _, block, rank, _ in rows]
    parts = zip(rows, ranks, successors, strict=True)
    return [Row(row[0], rank, tuple(after)) for row, rank, after in parts]


@pytest.mark.parametrize("batch", range(5))
def test_local_answers_are_those_of_the_whole(batch: int) -> None:
    for seed in range(batch * SYSTEMS // 5, (batch + 1) * SYSTEMS // 5):
        chance = random.Random(seed)
        rows, kinds = random_system(chance)
        expected = solve_game(as_game(rows, kinds, [row[3] for row in rows]))
        for root, value in enumerate(expected):
            order, schedule = chance.choice(["nearest", "latest"]), chance.choice([None, seed])
            found, reasons, expanded = core.solve_equations(rows, kinds, root, order, schedule)
            assert found == value, (seed, root)
            assert expanded <= len(rows)
            part = as_game([rows[one] for one, _, _ in reasons], kinds, [after for _, _, after in reasons])
            assert solve_game(part) == [one[1] for one in reasons], (seed, root)


def test_the_example_of_the_paper() -> None:
    """Joubert and Mateescu, figure 2: x13 is false, so x21 is, so x11 is; x12 need not be decided by that, and x31 is
    true for want of anything against it."""
    x11, x21, x31, x12, x13, x22 = range(6)
    rows = [
        (False, 0, 0, [x21, x12]),
        (False, 0, 0, [x31, x13]),
        (False, 0, 0, [x31]),
        (True, 0, 0, [x13, x22]),
        (True, 0, 0, []),
        (True, 0, 0, [x22]),
    ]
    value, reasons, _ = core.solve_equations(rows, ["nu"], x11)
    assert not value and [(number, was) for number, was, _ in reasons] == [(x11, False), (x21, False), (x13, False)]
    assert core.solve_equations(rows, ["nu"], x31)[0] and core.solve_equations(rows, ["nu"], x12)[0]


def test_what_decides_at_once_leaves_the_rest_alone() -> None:
    line = [(True, 0, 0, [number + 1]) for number in range(1, 1000)]
    rows = [(True, 0, 0, [1, 1001]), *line, (True, 0, 0, []), (False, 0, 0, [])]
    value, _, expanded = core.solve_equations(rows, ["mu"])
    assert value and expanded < 10


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        ([(True, 1, 0, [])], ["mu"]),
        ([(True, 0, 0, [3])], ["mu"]),
        ([(True, 1, 0, [1]), (True, 0, 0, [])], ["mu", "nu"]),
        ([(True, 0, 0, [])], ["least"]),
    ],
)
def test_malformed_systems_are_refused(rows: System, kinds: list[str]) -> None:
    with pytest.raises(ValueError):
        core.solve_equations(rows, kinds)


@pytest.mark.parametrize(
    ("formula", "kinds"),
    [
        ("nu X. (<-> true and [-] X)", ("nu",)),
        ("AG (p -> AF q)", ("nu", "mu", "mu")),
        ("nu X. [put] mu Y. (<get> X or <-> Y)", (MIXED,)),
        ("nu X. <a*.b> X", (MIXED,)),
        ("nu X. nu Y. (<a> X and <b> Y)", ("nu",)),
        ("mu X. nu Y. mu Z. (<a> X or <b> Y or <c> Z)", (MIXED,)),
        ("not mu X. [-] X", ("nu",)),
    ],
)
def test_blocks_are_fixpoints_that_depend_on_each_other(formula: str, kinds: tuple[str, ...]) -> None:
    assert equations_of(parse_mu(formula)).kinds == kinds
