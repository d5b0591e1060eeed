"""A liveness property says that from every state there is a way to one where it holds, as in Rumur."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from benchmarks.murphi.peers import PeerMissing, Rumur

from beeline import check
from beeline.languages.murphi import read_murphi

VALUES = 6


def random_text(seed: int) -> tuple[str, bool]:
    """A program that goes around between some numbers, and whether its liveness property holds."""
    random = Random(seed)
    arcs = {(random.randrange(VALUES), random.randrange(VALUES)) for _ in range(random.randint(3, 10))}
    starts = {random.randrange(VALUES) for _ in range(random.randint(1, 2))}
    wanted = [random.randrange(VALUES) for _ in range(random.choice((1, 1, 2)))]
    each = random.random() < 0.5
    text = f"var x: 0 .. {VALUES - 1};\n"
    text += "".join(f'startstate "s{one}" x := {one}; end;\n' for one in sorted(starts))
    text += "".join(f'rule "r{a}{b}" x = {a} ==> x := {b}; end;\n' for a, b in sorted(arcs))
    if each:
        low, high = min(wanted), max(wanted)
        text += f'ruleset y: {low} .. {high} do liveness "wanted" x = y; end;\n'
        claims = [{value} for value in range(low, high + 1)]
    else:
        text += f'liveness "wanted" {" | ".join(f"x = {value}" for value in wanted)};\n'
        claims = [set(wanted)]
    reached = {start: reach(start, arcs) for start in range(VALUES)}
    everywhere = set().union(*(reached[start] for start in starts))
    return text, all(claim & reached[state] for claim in claims for state in everywhere)


def reach(start: int, arcs: set[tuple[int, int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        further = {b for a, b in arcs if a == here} - found
        found |= further
        waiting += further
    return found


def test_it_asks_for_a_way_from_every_state() -> None:
    verdicts = []
    for seed in range(150):
        text, expected = random_text(seed)
        verdicts.append(check(read_murphi(text), "wanted").verdict)
        assert verdicts[-1] == ("holds" if expected else "violated"), seed
    assert min(verdicts.count("holds"), verdicts.count("violated")) >= 20


def test_rumur_says_the_same(tmp_path: Path) -> None:
    try:
        rumur = Rumur("--symmetry-reduction", "off", "--deadlock-detection", "off", optimise=("-O0",))
    except PeerMissing as missing:
        pytest.skip(str(missing))
    for seed in range(4):
        path = tmp_path / "model.m"
        text, expected = random_text(seed)
        path.write_text(text)
        assert rumur.ask(path).verdict == ("holds" if expected else "violated"), seed


def test_a_claim_that_fails_shows_the_way_to_where_it_does() -> None:
    text = 'var x: 0 .. 3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end; liveness "back" x = 0;'
    result = check(read_murphi(text), "back")
    assert result.verdict == "violated"
    assert result.trace is not None and len(result.trace) == 1
