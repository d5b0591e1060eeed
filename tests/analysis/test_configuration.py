"""How many processes a network comes to have, by a look at the beginning of its runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.processes import with_processes

from beeline import _native
from beeline.analysis.configuration import find_configuration, processes_to_come, typical_configuration
from beeline.compile.program import compile_network
from beeline.engine import Found
from beeline.languages import LoadOptions
from beeline.languages.promela import load
from beeline.searches.runner import run

PROMELA = Path(__file__).parents[2] / "models" / "promela"


@pytest.mark.parametrize(
    ("file", "defines", "count"),
    [
        ("leader.pml", {"N": "5"}, 6),
        ("giop.pml", {"N": "2", "M": "1", "CALLS": "1"}, 13),
        ("peterson.pml", {}, None),  # nobody starts another
        ("sieve.pml", {}, None),  # there may always come another
    ],
)
def test_processes_that_are_started_are_counted(file: str, defines: dict[str, str], count: int | None) -> None:
    assert processes_to_come(load(PROMELA / file, LoadOptions(defines))) == count


def test_a_program_with_that_room_is_compiled_once() -> None:
    network = load(PROMELA / "leader.pml", LoadOptions({"N": "5"}))
    tried: list[int | None] = []

    def attempt(max_processes: int | None) -> int:
        tried.append(max_processes)
        program = compile_network(network, max_processes=max_processes, assertions=False)
        space = _native.ProgramSpace(_native.Program(program.tables), merged=True)
        return run(space, "bfs", stop=Found.NOTHING).statistics.stored

    assert with_processes(network, attempt) > 0
    assert tried == [6]


def test_numbers_that_are_drawn_are_no_constants_and_channels_are(tmp_path: Path) -> None:
    drawn = """
        chan q[2] = [1] of { byte };
        proctype P(chan c; byte number) { c!number }
        init { byte n; atomic { select(n: 1 .. 20); run P(q[0], n); run P(q[1], 7) } }"""
    (tmp_path / "drawn.pml").write_text(drawn)
    network = load(tmp_path / "drawn.pml", LoadOptions())
    first, typical = find_configuration(network), typical_configuration(network)
    assert first is not None and typical is not None
    assert [len(known) for known in first.constants] == [0, 2, 2]
    assert [dict(known) for known in typical.constants] == [{}, {0: 1}, {0: 2, 1: 7}]
