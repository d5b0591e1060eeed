"""Random command lines."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

from benchmarks.commands.files import make_file

from beeline.records import Record

BLIND = ("bfs", "dfs", "idfs", "adfs", "iddfs", "random-dfs", "bfs-tree", "bfs-hash-compact", "bfs-bitstate")
DIRECTED = ("auto", "greedy", "astar", "idastar", "multi", "ut", "walk", "wastar", "idastar-bitstate")
ESTIMATES = ("hU", "hL", "dL", "dU", "hFF", "hADD", "hCEA", "hCG", "hAA", "pdb", "active", "blind", "max(dL,hL)", "fsm")
PROPERTIES = ("deadlock", "safety", "E<> true", "A[] true", "A[] not deadlock", "nonsense", "1 / 0 == 0", "(" * 2000)
MEMORY = {"1M": 2**20, "48M": 48 * 2**20, "96M": 96 * 2**20, "300M": 300 * 2**20}
REPORTS = ("--junit", "--sarif", "--dot", "--trail")
UNWRITABLE = ("/dev/full", "/dev/full", "/nonexistent/report")


class Line(Record, frozen=True):
    """A command, what it may take, and what happens to it meanwhile."""

    words: tuple[str, ...]
    reports: tuple[str, ...]
    seconds: float
    memory: int | None = None
    threads: int = 1
    signal: tuple[int, float] | None = None  # a number, and after how many seconds it comes
    full_output: bool = False

    def __str__(self) -> str:
        more = f"  < signal {self.signal[0]} after {self.signal[1]:.2f} s" if self.signal else ""
        return " ".join([*self.words, *self.reports, *([">/dev/full"] if self.full_output else [])]) + more

    @property
    def is_calm(self) -> bool:
        """Whether nothing comes from outside, so that a second run must say the same."""
        return self.signal is None and not self.full_output


def make_line(folder: Path, dice: Random) -> Line:
    """The next command."""
    seconds = dice.choice([0.0, 0.2, 1.0, 3.0, 5.0])
    command = dice.choices(["check", "explore", "simulate"], [80, 14, 6])[0]
    words = [command, str(make_file(folder, dice))]
    memory, threads = None, 1
    if command == "simulate":
        return Line((*words, "--steps", str(dice.choice([0, 5, 50]))), (), 10.0)
    words += ["--max-time", str(seconds)]
    if dice.random() < 0.3:
        name, memory = dice.choice(list(MEMORY.items()))
        words += ["--max-memory", name]
    if dice.random() < 0.1:
        threads = 2
        words += ["--threads", "2"]
    for option, values in (("--max-states", (1, 10, 1000)), ("--max-depth", (0, 1, 20))):
        if dice.random() < 0.15:
            words += [option, str(dice.choice(values))]
    if dice.random() < 0.2:
        words += ["--tier", "bytecode"]
    reports: list[str] = ["--json"] if dice.random() < 0.3 else []
    if command == "check":
        words += _questions(dice)
        reports += _reports(folder, dice)
    return Line(tuple(words), tuple(reports), seconds, memory, threads, _signal(dice), full_output=dice.random() < 0.04)


def _questions(dice: Random) -> list[str]:
    words: list[str] = []
    if dice.random() < 0.25:
        words += ["--search", dice.choice(BLIND)]
    elif dice.random() < 0.5:
        words += ["--search", dice.choice(DIRECTED), "--heuristic", dice.choice(ESTIMATES)]
    for chance, option, values in (
        (0.15, "--property", PROPERTIES),
        (0.1, "--reduce", ("stubborn", "ample", "nonsense")),
        (0.15, "--shrink", ("none", "cone", "safe", "all")),
        (0.05, "--store", ("tree", "hash-compact", "bitstate")),
        (0.03, "--language", ("promela", "dve", "uppaal", "python")),
        (0.02, "--extrapolation", ("none", "m", "lu")),
        (0.05, "-D", ("N=4", "N=-1", "N=99999")),
    ):
        if dice.random() < chance:
            words += [option, dice.choice(values)]
    return words


def _reports(folder: Path, dice: Random) -> list[str]:
    words = [flag for flag in ("--explain", "--full", "--graph", "--two-step") if dice.random() < 0.1]
    for option in REPORTS:
        if dice.random() < 0.1:
            words += [option, dice.choice([*UNWRITABLE, *[str(folder / "report")] * 2])]
    return words


def _signal(dice: Random) -> tuple[int, float] | None:
    if dice.random() > 0.12:
        return None
    return dice.choice([signal.SIGINT, signal.SIGTERM]), dice.uniform(0, 1)
