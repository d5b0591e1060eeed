"""Locals that are set back where they do not matter: the same verdicts and lengths, and never more states."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.conformance.generator import program_of
from tests.networks import Sampler

from beeline import check
from beeline.checking import Result
from beeline.engine import Limits
from beeline.languages import load
from beeline.model.network import Network
from beeline.preprocessing import shrink
from beeline.preprocessing.dead_variables import NAME as DEAD
from beeline.properties import find_property

MODELS = Path(__file__).parents[2] / "models"
PROGRAMS = int(os.environ.get("BEELINE_DEAD", "150"))  # BEELINE_DEAD=2000 asks for a long run
SERVER = """
active proctype Server() {
  byte read_buffer, write_buffer, response, i;
  bool enter_loop = true;
  do
  :: enter_loop ->
     select(read_buffer : 0 .. 19);
     i = 0; do :: i < 100 -> i++ :: else -> break od;
     select(write_buffer : 0 .. 19);
     response = (read_buffer == 0 -> 0 : write_buffer + 1);
     i = 0; do :: i < 100 -> i++ :: else -> break od;
     enter_loop = (response > 0)
  :: else -> break
  od
}
"""


def loaded(text: str, folder: Path) -> Network:
    model = folder / "model.pml"
    model.write_text(text)
    network = load(model)
    assert isinstance(network, Network)
    return network


def both(
    network: Network, asked: str, search: str = "bfs", states: int = 20_000, heuristic: str | None = None
) -> tuple[Result, Result] | None:
    """The results without and with it; None if the first is not known, or if there is nothing to set back."""
    if not shrink(network, find_property(network, asked), DEAD).layers:
        return None
    limits = Limits(states=states)
    plain = check(network, asked, search=search, heuristic=heuristic, limits=limits, shrink="none")
    if plain.verdict == "unknown":
        return None
    return plain, check(network, asked, search=search, heuristic=heuristic, limits=limits, shrink=DEAD)


def same(plain: Result, cleared: Result) -> bool:
    assert cleared.verdict == plain.verdict
    if plain.trace is not None:
        assert cleared.trace is not None and len(cleared.trace) == len(plain.trace)
    elif plain.verdict == "holds":
        assert cleared.statistics.stored <= plain.statistics.stored
    return cleared.statistics.stored == plain.statistics.stored


@pytest.mark.parametrize("batch", range(3))
def test_random_programs_get_the_same_answers(batch: int, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(batch * PROGRAMS // 3, (batch + 1) * PROGRAMS // 3):
        results = both(loaded(program_of(seed), tmp_path), "safety")
        if results is not None:
            seen["same"] += same(*results)
            seen[results[0].verdict] += 1
    assert seen["holds"] and seen["violated"] and seen["same"] < sum(seen[key] for key in ("holds", "violated"))


def test_random_networks_get_the_same_answers() -> None:
    seen = 0
    for seed in range(PROGRAMS):
        results = both(Sampler(seed).network().alone, "safety", states=3_000)
        if results is not None:
            same(*results)
            seen += 1
    assert seen > PROGRAMS // 20


@pytest.mark.parametrize("search", ["bfs", "dfs", "greedy", "astar", "auto"])
def test_the_server_of_the_paper_has_a_fifteenth_of_its_states(search: str, tmp_path: Path) -> None:
    estimate = "blind" if search == "astar" else None  # by its own estimate the first state is known to be a dead end
    results = both(loaded(SERVER, tmp_path), "safety", search, states=1_000_000, heuristic=estimate)
    assert results is not None
    plain, cleared = results
    assert plain.verdict == cleared.verdict == "holds"
    assert cleared.statistics.stored * 15 <= plain.statistics.stored
    assert cleared.shrinking.by(DEAD) == ("Server",)


UNSOUND = {
    # Globals are never killed, and so are relevant what flows into them (the printed IA3 loses these).
    "a global that is written again": """
byte g; active proctype P() { byte x; if :: x = 1 :: x = 20 fi; g = x; g = 3 }
active proctype Q() { g > 10; assert(false) }""",
    "a way over two processes": """
byte g, h; active proctype P() { byte x; if :: x = 1 :: x = 20 fi; g = x }
active proctype Q() { h = g } active proctype R() { h > 10; assert(false) }""",
    "a message": """
chan c = [1] of { byte }; active proctype P() { byte x; if :: x = 1 :: x = 20 fi; c!x }
active proctype Q() { byte y; c?y; assert(y < 10) }""",
    "a value that decides over an error": """
byte a[3]; active proctype P() { byte x, y; if :: x = 1 :: x = 20 fi; y = a[x]; y = 0 }""",
    "an array": """
active proctype P() { byte a[2]; byte i; if :: i = 0 :: i = 1 fi; a[0] = 1; a[i] = 0; assert(a[0] == 1) }""",
}


@pytest.mark.parametrize("text", UNSOUND.values(), ids=UNSOUND.keys())
@pytest.mark.parametrize("search", ["bfs", "dfs", "random-dfs:1", "random-dfs:2", "random-dfs:3"])
def test_what_matters_is_kept(text: str, search: str, tmp_path: Path) -> None:
    network = loaded(text, tmp_path)
    assert check(network, "safety", search=search, shrink="none").trace is not None
    assert check(network, "safety", search=search, shrink=DEAD).trace is not None


def test_what_the_property_looks_at_is_kept(tmp_path: Path) -> None:
    network = loaded("active proctype P() { byte x; x = 3; x = 0; skip }", tmp_path)
    assert check(network, "P.x != 3", shrink=DEAD).verdict == "violated"


def test_peterson_has_a_seventh_of_its_states() -> None:
    results = both(load(MODELS / "promela" / "peterson.pml"), "safety", states=1_000_000)
    assert results is not None and results[0].verdict == results[1].verdict == "holds"
    assert results[1].statistics.stored * 7 <= results[0].statistics.stored
