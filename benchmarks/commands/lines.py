"""Random command lines."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

from benchmarks.commands.files import make_file

from beeline.records import Record

BLIND = ("bfs", "dfs", "idfs", "adfs", "iddfs", "random-dfs")
DIRECTED = ("auto", "greedy", "astar", "idastar", "multi", "ut", "walk", "wastar")
ESTIMATES = ("hU", "hL", "dL", "dU", "hFF", "hADD", "hCEA", "hCG", "hAA", "pdb", "active", "blind", "max(dL,hL)", "fsm")
THREADED = ("", "bfs", "auto", "astar", "greedy", "multi", "ut", "wastar")  # the first: none is named
PROPERTIES = ("deadlock", "deadlock", "safety", "safety", "E<> true", "A[] true", "true", "A[] not deadlock")
BAD_PROPERTIES = ("nonsense", "1 / 0 == 0", "(" * 2000)
MISFIT = 0.1  # how often an option is one that the model or the search has no use for
MEMORY = {"1M": 2**20, "48M": 48 * 2**20, "96M": 96 * 2**20, "300M": 300 * 2**20}
REPORTS = ("--junit", "--sarif", "--dot", "--trail")
UNWRITABLE = (*["/dev/full"] * 5, "/nonexistent/report")


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
    file = make_file(folder, dice)
    words = [command, str(file)]
    memory, threads = None, 1
    if command == "simulate":
        return Line((*words, "--steps", str(dice.choice([0, 5, 50]))), (), 10.0)
    words += ["--max-time", str(seconds)]
    if dice.random() < 0.3:
        name, memory = dice.choice(list(MEMORY.items()))
        words += ["--max-memory", name]
    search = _search(dice, file.suffix) if command == "check" else []
    if dice.random() < 0.12 and _fits(dice, (search[1] if search else "") in THREADED):
        threads = 2
        words += ["--threads", "2"]
    for option, values in (("--max-states", (1, 10, 1000)), ("--max-depth", (0, 1, 20))):
        if dice.random() < 0.15:
            words += [option, str(dice.choice(values))]
    if dice.random() < 0.2:
        words += ["--tier", "bytecode"]
    reports: list[str] = ["--json"] if dice.random() < 0.3 else []
    if command == "check":
        words += search + _questions(dice, file.suffix, search)
        reports += _reports(folder, dice, file.suffix)
    return Line(tuple(words), tuple(reports), seconds, memory, threads, _signal(dice), full_output=dice.random() < 0.04)


def _fits(dice: Random, suitable: bool) -> bool:
    """Whether to take what is suitable, or now and then what is not."""
    return suitable or dice.random() < MISFIT


def _search(dice: Random, suffix: str) -> list[str]:
    if dice.random() < 0.3:
        return ["--search", dice.choice(BLIND)]
    if dice.random() < 0.5 and _fits(dice, suffix != ".py"):
        return ["--search", dice.choice(DIRECTED), "--heuristic", dice.choice(ESTIMATES)]
    return []


def _questions(dice: Random, suffix: str, search: list[str]) -> list[str]:
    words: list[str] = []
    properties = PROPERTIES if dice.random() > MISFIT else BAD_PROPERTIES
    for chance, suitable, option, values in (
        (0.15, True, "--property", properties),
        (
            0.1,
            suffix in (".pml", ".dve"),
            "--reduce",
            ("stubborn", "ample") if dice.random() > MISFIT else ("nonsense",),
        ),
        (0.15, True, "--shrink", ("none", "cone", "safe", "all")),
        (0.1, search[1:] == ["bfs"], "--store", ("tree", "hash-compact", "bitstate")),
        (0.01, True, "--language", ("promela", "dve", "uppaal", "python")),
        (0.05, suffix == ".xta", "--extrapolation", ("none", "m", "lu")),
        (0.05, suffix == ".pml", "-D", ("N=4", "N=-1", "N=99999")),
    ):
        if dice.random() < chance and _fits(dice, suitable):
            words += [option, dice.choice(values)]
    return words


def _reports(folder: Path, dice: Random, suffix: str) -> list[str]:
    words = [flag for flag in ("--explain", "--full", "--graph", "--two-step") if dice.random() < 0.1]
    for option in REPORTS:
        if dice.random() < 0.1 and _fits(dice, option != "--trail" or suffix == ".pml"):
            words += [option, dice.choice([*UNWRITABLE, *[str(folder / "report")] * 2])]
    return words


def _signal(dice: Random) -> tuple[int, float] | None:
    if dice.random() > 0.12:
        return None
    return dice.choice([signal.SIGINT, signal.SIGTERM]), dice.uniform(0, 1)
