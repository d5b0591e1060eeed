"""Ranks that share a system of equations: the same answers as one solver's, however messages are delayed."""

from __future__ import annotations

import os
import random
from itertools import count
from pathlib import Path

import pytest
from tests.cluster.harness import random_conditions
from tests.mu.test_equations import System, as_game, random_system

from beeline import check
from beeline.cluster.equations import EquationMember, EquationRoot
from beeline.cluster.member import Pace
from beeline.cluster.root import Bounds
from beeline.cluster.simulated import Conditions, SimulatedTransport, simulate
from beeline.engine import Status, core
from beeline.mu.game import solve_game

MODELS = Path(__file__).parents[2] / "models"
SYSTEMS = int(os.environ.get("BEELINE_EQUATIONS", "400"))  # BEELINE_EQUATIONS=10000 asks for a long run
MANY = 10**6


def simulated(
    rows: System, kinds: list[str], ask: int, ranks: int, line: int, pace: Pace, conditions: Conditions
) -> EquationRoot:
    """The first rank when the value of a variable is known, on a simulated network."""

    def share(transport: SimulatedTransport) -> core.TableRank:
        return core.TableRank(rows, kinds, transport.rank, ranks, line, "nearest", conditions.seed)

    def root(transport: SimulatedTransport) -> EquationRoot:
        own = share(transport)
        own.ask(ask)
        return EquationRoot(transport, own, pace, Bounds(), MANY)

    done, _ = simulate(ranks, conditions, root, lambda transport: EquationMember(transport, share(transport), pace))
    assert isinstance(done, EquationRoot)
    return done


def unmixed(chance: random.Random) -> tuple[System, list[str]]:
    rows, kinds = random_system(chance)
    return rows, [chance.choice(["mu", "nu"]) for _ in kinds]


def number(key: bytes) -> int:
    return int.from_bytes(key, "little")


@pytest.mark.parametrize("batch", range(4))
def test_ranks_say_what_one_solver_says(batch: int) -> None:
    for seed in range(batch * SYSTEMS // 4, (batch + 1) * SYSTEMS // 4):
        chance = random.Random(seed)
        rows, kinds = unmixed(chance)
        expected = solve_game(as_game(rows, kinds, [row[3] for row in rows]))
        ask, ranks, line = chance.randrange(len(rows)), chance.randint(1, 4), chance.choice([1, 2, 1024])
        pace = Pace(chunk=chance.choice([1, 3, None]))
        root = simulated(rows, kinds, ask, ranks, line, pace, random_conditions(chance))
        assert root.status is Status.FOUND and root.verdict is not None
        assert root.verdict[0] == expected[ask], seed
        assert next(iter(root.reasons)) == root.verdict[2] and number(root.verdict[2]) == ask
        places = dict(zip(root.reasons, count(), strict=False))
        part = as_game(
            [rows[number(key)] for key in root.reasons],
            kinds,
            [[places[other] for _, other, _ in reasons] for _, reasons in root.reasons.values()],
        )
        assert solve_game(part) == [value for value, _ in root.reasons.values()], seed
        assert root.totals is not None
        cross = sum(to % ranks != source % ranks for source, row in enumerate(rows) for to in row[3])
        assert root.totals.figures["sent"] <= 2 * cross + 2


def test_what_decides_at_once_leaves_the_rest_alone() -> None:
    line = [(True, 0, 0, [number + 1]) for number in range(1, 1000)]
    rows = [(True, 0, 0, [1, 1001]), *line, (True, 0, 0, []), (False, 0, 0, [])]
    root = simulated(rows, ["mu"], 0, 3, 1, Pace(chunk=1), Conditions(seed=1))
    assert root.verdict is not None and root.verdict[0] and root.totals is not None
    assert root.totals.figures["expanded"] < 20


def test_a_rank_that_dies_ends_the_run() -> None:
    line = [(True, 0, 0, [number + 1]) for number in range(1000)]
    rows = [*line, (True, 0, 0, [])]
    root = simulated(rows, ["mu"], 0, 3, 1, Pace(chunk=1), Conditions(seed=1, death=(2, 1e-3)))
    assert root.verdict is None and root.status is Status.INTERRUPTED and root.cause == "rank 2 is gone"


def test_fixpoints_that_depend_on_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="not shared"):
        core.TableRank([(True, 0, 0, [])], ["mixed"], 0, 1, 1, "nearest", None)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("mu: AG EF leaders > 0", "holds"),
        ("mu: EF leaders > 0", "holds"),
        ("mu: AG leaders == 0", "violated"),
        ("mu: nu X. mu Y. (<-> X or leaders > 0)", "holds"),
    ],
)
def test_formulas_about_a_protocol(formula: str, verdict: str) -> None:
    alone = check(MODELS / "promela" / "leader.pml", formula, search="bfs")
    together = check(MODELS / "promela" / "leader.pml", formula, search="bfs", threads=2)
    assert together.verdict == alone.verdict == verdict
    assert (together.trace is None) == (alone.trace is None)
    assert together.statistics.stored <= alone.statistics.stored or alone.trace is not None


def test_alternation_is_left_to_one_thread() -> None:
    result = check(MODELS / "promela" / "leader.pml", "mu: nu X. mu Y. (<-> (leaders > 0 and X) or <-> Y)", threads=2)
    assert result.threads == 1 and "depend on each other" in result.threads_note
