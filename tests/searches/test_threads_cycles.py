"""Nested search by several threads says what it says by one, whatever the layouts of states go through."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.conformance.liveness import live_program_of
from tests.compile.ranges import Ranges
from tests.programs import promela

from beeline import Limits, _native
from beeline.checking import check
from beeline.compile.program import compile_network
from beeline.properties import find_property

FORMULAS = ("[]<> (n0 == 0)", "<>[] (n0 > 0)", "[]<> (v0 == 1) || <>[] (n0 < 3)")
FEW = Limits(states=20_000)


@pytest.mark.parametrize("first", [7000, 7020])
def test_random_programs_get_the_same_verdicts_and_lassos_that_replay(first: int, tmp_path: Path) -> None:
    shared = 0
    for seed in range(first, first + 20):
        network = promela(tmp_path, live_program_of(seed))
        for asked in network.properties:
            if not asked.seeks_cycle:
                continue
            one = check(network, asked.name, search="ndfs", limits=FEW)
            for threads in (2, 3):
                several = check(network, asked.name, search="ndfs", threads=threads, limits=FEW)
                if "unknown" not in (one.verdict, several.verdict):
                    assert several.verdict == one.verdict, (seed, asked.name, threads)
                    if one.verdict == "holds":
                        assert several.statistics.stored == one.statistics.stored, (seed, asked.name)
                shared += several.threads == threads
    assert shared > 20


def test_layouts_change_while_several_threads_search(tmp_path: Path) -> None:
    for seed in range(150):
        network = promela(tmp_path, Ranges(seed).program())
        asked = find_property(network, f"ltl: {FORMULAS[seed % len(FORMULAS)]}")
        program = _native.Program(compile_network(asked.watched(network)).tables)
        told = []
        for threads, sample in ((1, 2**62), (2, 1 << seed % 10), (3, 1 << seed % 7)):
            request = _native.Request(stop=_native.CYCLE, states=50_000, threads=threads)
            outcome = _native.ProgramSpace(program, sample=sample, merged=True).nested_depth_first(request)
            assert outcome.threads == threads
            told.append((outcome.status, outcome.statistics.stored if outcome.status == "exhausted" else 0))
        assert told[0] == told[1] == told[2], seed


def test_who_does_not_share_the_work_says_so(tmp_path: Path) -> None:
    network = promela(tmp_path, "byte x; active proctype P() { do :: x = 1 - x od } ltl f { []<> (x == 1) }")
    result = check(network, "f", search="bfs", threads=2)
    assert (result.verdict, result.threads) == ("holds", 1)
    assert result.threads_note == "one thread: of searches for cycles, only ndfs is shared"
    assert check(network, "f", search="ndfs", threads=2).threads == 2
