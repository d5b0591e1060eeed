"""Whatever heuristics are built from is built within the limits of the check, and can be interrupted."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from subprocess import run
from time import monotonic, process_time
from types import FrameType
from typing import Any

import pytest

from beeline import Network, _native
from beeline.compile.program import compile_network
from beeline.engine import Outcome, Status, core
from beeline.heuristics import Context, HeuristicError, build
from beeline.languages import load
from beeline.problems.estimators import choose
from beeline.problems.settings import MOST_STATES, open_reason
from beeline.searches import find


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Network:
    """So many can meet that listing all their steps takes a second and 200 MiB."""
    sends = "\n".join(f":: c!{i}; g[{i}]++ :: c?x; n = n + x" for i in range(10))
    path = tmp_path_factory.mktemp("crowd") / "crowd.pml"
    path.write_text(f"""
        chan c = [0] of {{ byte }}; byte g[20], n;
        active [36] proctype P() {{ byte x; do {sends} od }}
        active proctype W() {{ do :: assert(n < 200 || g[0] < 9) od }}
    """)
    network: Network = load(path)
    return network


def compiled(network: Network, **options: Any) -> Context:
    program = compile_network(network, max_processes=len(network.initial))
    return Context(network, program, program.native, **options)


def test_steps_are_listed_only_as_far_as_time_and_memory_allow(crowd: Network) -> None:
    native = compiled(crowd).native
    assert native is not None
    for share in ({"seconds": 0.0}, {"memory": 1}):
        task = _native.Task(native, True, **share)
        assert (task.complete, task.late, task.operators) == (False, True, [])


def test_a_heuristic_that_nobody_asked_for_is_done_without_when_its_share_is_spent(crowd: Network) -> None:
    context = compiled(crowd, deadline=monotonic())
    assert [str(estimate) for estimate in choose(find("greedy"), None, context)] == ["active"]
    with pytest.raises(HeuristicError, match="too many steps to list in its share of time and memory"):
        build("hU", compiled(crowd, deadline=monotonic(), is_optional=True))


MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""
# A process begins with the memory of the one that started it: the tests' own would be counted.


@pytest.mark.parametrize("heuristic", ["hU", "hCEA", "hAA", "pdb"])
def test_a_heuristic_that_needs_more_memory_than_there_is_ends_the_check(heuristic: str, crowd: Network) -> None:
    beeline = Path(sys.executable).with_name("beeline")
    command = [beeline, "check", crowd.name, "--search", "greedy", "--heuristic", heuristic, "--max-memory", "64M"]
    done = run([sys.executable, "-c", MEASURE, *map(str, command)], capture_output=True, text=True, check=False)
    assert "unknown (memory limit while building heuristics)" in done.stdout
    assert done.returncode == 3
    assert int(done.stderr.split()[-1]) < 1.25 * 64 * 1024


def test_listing_steps_can_be_interrupted(crowd: Network) -> None:
    native = compiled(crowd).native
    assert native is not None
    began = process_time()
    assert _native.Task(native, True).complete
    whole = process_time() - began

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        began = process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, whole / 10)
        with pytest.raises(KeyboardInterrupt):
            _native.Task(native, True)
        assert process_time() - began < whole / 2
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_a_search_that_has_used_up_all_numbers_of_states_says_so() -> None:
    def reason(stored: int) -> str:
        counts = {"stored": stored}
        native = core.make_outcome(status=Status.STATES.value, found=0, counts=counts, seconds=0.0, path=[])
        return open_reason(Outcome(native), find("bfs"))

    assert reason(MOST_STATES) == "states are numbered up to 4,294,967,293"
    assert reason(10) == "state limit"
