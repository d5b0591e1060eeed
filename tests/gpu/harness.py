"""The generated code on this machine's processor, for tests: single steps, and whole searches."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading
from collections import Counter
from pathlib import Path

from beeline.analysis.configuration import processes_to_come
from beeline.compile.program import compile_network
from beeline.engine import Found, Outcome, core
from beeline.gpu import find_device
from beeline.gpu.control import KERNELS
from beeline.gpu.search import Setup, Told, search
from beeline.jit.compiler import compile_to, find_compiler
from beeline.languages import LoadOptions, load
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.searches.runner import run

FLAGS = ("-x", "c++", "-std=c++17", "-O0")
MOST_ARCS = 4096

COLLECT = """
static uint32_t* collected;
STEP void emit(Lane& x, bool there, const State& t) {
    if (!there) return;
    for (uint32_t i = 0; i < WORDS; ++i) collected[x.arcs * WORDS + i] = t.w[i];
    ++x.arcs;
}
"""
ASK = """
extern "C" int ask(const uint32_t* words, uint32_t* targets, int* answer) {
    State s, same;
    uint64_t low, high;
    for (uint32_t i = 0; i < WORDS; ++i) s.w[i] = words[i];
    key_of(s, low, high);
    state_of(low, high, same);
    int differs = 0;
    for (uint32_t i = 0; i < WORDS; ++i) differs |= same.w[i] != s.w[i];
    Lane x;
    x.active = true;
    collected = targets;
    expand_all(s, x);
    answer[0] = x.arcs, answer[1] = x.errors, answer[2] = x.left;
    answer[3] = x.dead, answer[4] = is_accepting(s);
    return KEY_BITS <= 122 && differs;
}
"""


def program_of(network: Network, goal: Expression | None = None) -> core.Program:
    """The program, with room for the processes that a look at its beginning shows."""
    return compile_network(network, goal, max_processes=processes_to_come(network)).native


class Steps:
    """The function that a device runs for each state, in the full layout."""

    def __init__(self, program: core.Program, folder: Path) -> None:
        numbers, steps = core.HostTwin(program).source()
        texts = [(KERNELS / f"{name}.h").read_text() for name in ("dialect", "control", "model", "expand")]
        source = "\n".join([*texts[:2], numbers, texts[2], steps, texts[3], COLLECT, ASK])
        command = find_compiler()
        assert command is not None
        target = folder / f"{len(list(folder.iterdir()))}.so"
        assert compile_to(command, source, target, threading.Event(), FLAGS), "the generated code is not C++"
        self._ask = ctypes.CDLL(str(target)).ask
        self._words = program.words
        self._targets = (ctypes.c_uint32 * (MOST_ARCS * program.words))()
        self._answer = (ctypes.c_int * 5)()

    def __call__(self, state: tuple[int, ...]) -> tuple[Counter[tuple[int, ...]], int, bool, bool] | None:
        """The targets of a state, how many of its steps fail, whether it is a deadlock, and whether it is accepting;
        None if it is left."""
        words = (ctypes.c_uint32 * self._words)(*state)
        assert self._ask(words, self._targets, self._answer) == 0, "the key does not tell the state"
        arcs, errors, left, deadlock, accepting = self._answer
        if left:
            return None
        flat = self._targets[: arcs * self._words]
        found = (tuple(flat[i : i + self._words]) for i in range(0, len(flat), self._words))
        return Counter(found), errors, bool(deadlock), bool(accepting)


def compare_steps(network: Network, folder: Path, states: int) -> tuple[int, int]:
    """Walks through states that the engine finds; how many were compared, and how many the device leaves."""
    return compare_programs(program_of(network), folder, states, str(network))


def compare_programs(program: core.Program, folder: Path, states: int, told: str) -> tuple[int, int]:
    """The same for a program; `told` is said where something differs."""
    steps, space = Steps(program, folder), core.ProgramSpace(program)
    space.remember(False)
    initial = space.initial_arcs()[0][3]
    assert initial is not None
    frontier, seen, left = [initial], {initial}, 0
    for state in frontier:
        answer = steps(state)
        try:
            marks, arcs = space.successor_arcs(state)
        except core.TooManyProcesses:
            assert answer is None
            continue
        expected = Counter(words for *_, words in arcs if words is not None)
        errors = sum(words is None for *_, words in arcs)
        if answer is None:
            left += 1
        else:
            marked = bool(marks & core.DEADLOCK), bool(marks & core.ACCEPT)
            assert answer == (expected, errors, *marked), f"{told}\n{state}"
        for words in expected:
            if words not in seen and len(frontier) < states:
                seen.add(words)
                frontier.append(words)
    return len(frontier), left


PROMELA = Path(__file__).parents[2] / "models" / "promela"
SMALL = Setup(memory=2**26, buckets=2**8, margin=2**8)
"""Little room, so that tables grow."""


def bundled(name: str, **defines: str) -> core.Program:
    """The program of one of the models that come with the project."""
    return program_of(load(PROMELA / f"{name}.pml", options=LoadOptions(defines)))


def read_program(text: str) -> Network:
    """A Promela program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.pml")
        path.write_text(text)
        network: Network = load(path, options=LoadOptions({}))
        return network


COUNTS = ("stored", "generated", "deadlocks", "errors", "goals", "transient", "depth")


def search_both(
    program: core.Program, stop: Found, setup: Setup | None = None, devices: str = "host"
) -> tuple[Outcome, Outcome, Told]:
    """What a device finds, or several do, and what the engine's own breadth-first search does."""
    os.environ["BEELINE_DEVICE_FLAGS"] = "-O0"
    device = find_device(devices)
    setup = setup or Setup(stop, memory=2**26, buckets=2**8, margin=2**8)
    outcome, told = search(device, program, setup)
    device.close()
    return outcome, run(core.ProgramSpace(program), "bfs", stop=stop, limits=setup.limits), told


def assert_same(outcome: Outcome, expected: Outcome) -> None:
    """The same status, what was found, the path to it; and the same counts where all was counted."""
    assert (outcome.status, outcome.found) == (expected.status, expected.found)
    assert outcome.path == expected.path
    assert outcome.failed_step == expected.failed_step
    names = COUNTS if expected.complete else ("depth",)
    for name in names:
        assert getattr(outcome.statistics, name) == getattr(expected.statistics, name), name
