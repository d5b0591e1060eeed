"""Each thing that the reducer is told is needed: without it, a comparison with plain search fails."""

from pathlib import Path

import pytest
from tests.por.agreement import same_verdicts
from tests.por.harness import Reducible
from tests.por.mutants import is_caught, mutant
from tests.programs import promela

from beeline.engine import Found
from beeline.properties import find_property

# Networks of tests/loosely_coupled.py that show it; `python -m tests.por.mutants` finds others.
SEEDS = {
    "disturbing": 6,
    "enabling": 19,
    "pairs": 65,
    "makers of tests": 19,
    "makers of goals": 0,
    "visible": 37,
    "sticky": 2,
}


@pytest.mark.parametrize("name", SEEDS)
def test_a_random_network_shows_it(name: str) -> None:
    assert is_caught(name, SEEDS[name])


# A Reader must come last, which is forgotten if it is not known that what it reads can still change.
ELSE = """
bit x = 1, z;
active proctype Reader() { assert(z == 0) }
active proctype Chooser() { if :: x == 1 -> skip :: else -> z = 1 fi }
active proctype Changer() { x = 0 }
"""

FIRST_MESSAGE = """
chan c = [1] of { bit };
bit z;
active proctype Reader() { assert(z == 0) }
active proctype Receiver() { c?1; z = 1 }
active proctype Sender() { c!1 }
"""

ENDLESS_RUN = """
bit x, z;
active proctype Reader() { assert(z == 0) }
active proctype Runner() { atomic { skip; do :: x == 0 :: x == 1 -> z = 1; break od } }
active proctype Changer() { x = 1 }
"""

TWO_TIMEOUTS = """
bit x;
active proctype First() { timeout; x = 1 }
active proctype Second() { timeout; assert(x == 1) }
"""

INSIDE = """
bit x, y;
active proctype X() { atomic { x = 1; x = 0 } }
active proctype Y() { y = 1 }
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [("ranks", ELSE), ("order of tests", FIRST_MESSAGE), ("runs", ENDLESS_RUN), ("timeout", TWO_TIMEOUTS)],
)
def test_a_small_program_shows_it(name: str, text: str, tmp_path: Path) -> None:
    network = promela(tmp_path, text)
    same_verdicts(Reducible(network, Found.ERROR))
    with mutant(name), pytest.raises(AssertionError, match="became"):
        same_verdicts(Reducible(network, Found.ERROR))


def test_a_state_inside_a_run_shows_it(tmp_path: Path) -> None:
    network = promela(tmp_path, INSIDE)
    goal = find_property(network, "E<> x == 1 && y == 1").sought
    same_verdicts(Reducible(network, Found.GOAL, goal))
    with mutant("inside"), pytest.raises(AssertionError, match="became"):
        same_verdicts(Reducible(network, Found.GOAL, goal))
