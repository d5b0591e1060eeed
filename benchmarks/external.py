"""States on disk next to states in memory.

    python -m benchmarks.external          # rate, bytes moved, and the ratio to the search in memory, of some models
    python -m benchmarks.external large    # a space some twenty times as large as the memory limit
    python -m benchmarks.external lassos   # shortest lassos by pairs of states, under 256 MiB
    python -m benchmarks.external tlc --jar tla2tools.jar    # TLC, which keeps its queue and its fingerprints on disk

Each row is a command of its own: its processor time, the thread that reads and writes included, and the memory that its
process held at most.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.beem.tables import table
from benchmarks.folders import ROOT

BEELINE = Path(sys.executable).with_name("beeline")
MODELS = ROOT / "models"
PROMELA = {
    "peterson": ("promela/peterson.pml",),
    "philosophers N=12": ("promela/philosophers.pml", "-D", "N=12"),
    "counters N=7": ("promela/counters.pml", "-D", "N=7"),
}
BYTECODE = ("--tier", "bytecode")  # the compiler has a processor time of its own
LARGE = ("promela/counters.pml", "-D", "N=8")
LASSOS = {
    "hungry_philosophers N=64": ("promela/hungry_philosophers.pml", "-D", "N=64", "--property", "starves"),
    "hungry_philosophers N=128": ("promela/hungry_philosophers.pml", "-D", "N=128", "--property", "starves"),
    "two_elevators N=3": ("promela/two_elevators.pml", "-D", "N=3", "--property", "starved"),
    "steam_generators N=6": ("promela/steam_generators.pml", "-D", "N=6", "--property", "completes"),
}
SEARCHES = {"A*": ("astar", "--heuristic", "cL"), "breadth-first": ("bfs",)}
LASSO_COLUMNS = ("search", "pairs stored", "expanded", "prefix", "cycle", "seconds", "memory, MiB", "disk, MiB")
TLA = """---- MODULE Counters ----
EXTENDS Naturals
CONSTANTS N, M
VARIABLE value
Init == value = [i \\in 1..N |-> 0]
Next == \\E i \\in 1..N : value' = [value EXCEPT ![i] = (@ + 1) % M]
====
"""
TLA_SIZE = 6
"""Counters of ten values."""
COLUMNS = ("states", "depth", "seconds", "states/s", "memory, MiB", "disk, MiB", "bytes moved per state")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a command said, the memory of its process in bytes, and its processor time."""

    told: dict[str, float]
    memory: int
    seconds: float

    @property
    def cells(self) -> tuple[str, ...]:
        told = self.told
        moved = (told["disk_read_bytes"] + told["disk_written_bytes"]) / told["states"]
        return (
            f"{told['states']:,}",
            f"{told['depth']:,}",
            f"{self.seconds:.1f}",
            f"{told['states'] / self.seconds:,.0f}",
            f"{self.memory / 2**20:.0f}",
            f"{told['disk_bytes'] / 2**20:.1f}",
            f"{moved:.0f}",
        )


def run(command: Sequence[str], folder: Path) -> tuple[str, int, float]:
    """What a command printed, the memory of its process in bytes, and its processor time."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    return printed, used.ru_maxrss * 1024, used.ru_utime + used.ru_stime


def explored(model: Sequence[str], *more: str) -> Taken:
    """One run of `beeline explore`."""
    printed, memory, seconds = run([str(BEELINE), "explore", *model, "--json", *more], MODELS)
    return Taken(json.loads(printed), memory, seconds)


def lassos(folder: str, seconds: str) -> Iterator[tuple[str, ...]]:
    """Shortest lassos with pairs of states on disk."""
    limits = ("--store", f"disk:{folder}", "--max-memory", "256M", "--max-time", seconds, *BYTECODE)
    for name, model in LASSOS.items():
        for search, way in SEARCHES.items():
            command = [str(BEELINE), "check", *model, "--search", *way, *limits, "--json"]
            printed, memory, took = run(command, MODELS)
            told = json.loads(printed)
            states, start = told["states"], told["cycle_start"]
            steps = told["trace_length"]
            lengths = ("-", "-") if start is None else (str(start), str(steps - start))
            sizes = f"{memory / 2**20:.0f}", f"{told['disk_bytes'] / 2**20:.1f}"
            yield name, search, f"{states['stored']:,}", f"{states['expanded']:,}", *lengths, f"{took:.1f}", *sizes


def tlc(jar: str, memory: str) -> tuple[str, ...]:
    """What TLC takes for counters."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Counters.tla").write_text(TLA)
        (folder / "Counters.cfg").write_text(f"INIT Init\nNEXT Next\nCONSTANTS\n N = {TLA_SIZE}\n M = 10\n")
        command = ["java", f"-Xmx{memory}", "-cp", str(Path(jar).resolve()), "tlc2.TLC", "-workers", "1", "-deadlock"]
        printed, taken, seconds = run([*command, "Counters"], folder)
    states = int(re.findall(r"(\d+) distinct states found", printed)[-1])
    return (
        f"counters N={TLA_SIZE}",
        "TLC",
        f"{states:,}",
        f"{seconds:.1f}",
        f"{states / seconds:,.0f}",
        mebibytes(taken),
    )


def beside_tlc(folder: str, jar: str, memory: str) -> Iterator[tuple[str, ...]]:
    yield tlc(jar, memory)
    taken = explored(("promela/counters.pml", "-D", f"N={TLA_SIZE}"), *BYTECODE, "--store", f"disk:{folder}")
    name, rate = f"counters N={TLA_SIZE}", taken.told["states"] / taken.seconds
    yield name, "on disk", f"{taken.told['states']:,}", f"{taken.seconds:.1f}", f"{rate:,.0f}", mebibytes(taken.memory)


def mebibytes(count: int) -> str:
    return f"{count / 2**20:.0f}"


def compared(folder: str) -> Iterator[tuple[str, ...]]:
    for name, model in PROMELA.items():
        plain, disk = explored(model, *BYTECODE), explored(model, *BYTECODE, "--store", f"disk:{folder}")
        same = [plain.told[count] == disk.told[count] for count in ("states", "transitions", "depth", "deadlocks")]
        assert all(same), name
        yield name, *disk.cells, f"{plain.seconds / disk.seconds:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("ratio", "large", "lassos", "tlc"), default="ratio")
    parser.add_argument("--folder", help="for the files [default: a temporary one]")
    parser.add_argument("--max-memory", default="100M", help="of the large space")
    parser.add_argument("--max-time", default="600", help="seconds for the large space, and for each lasso")
    parser.add_argument("--jar", help="of TLC")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        if given.what == "ratio":
            print(table(["model", *COLUMNS, "ratio"], list(compared(folder))))
        elif given.what == "lassos":
            print(table(["model", *LASSO_COLUMNS], list(lassos(folder, given.max_time))))
        elif given.what == "tlc":
            columns = ["model", "tool", "states", "seconds", "states/s", "memory, MiB"]
            print(table(columns, list(beside_tlc(folder, given.jar, "1g"))))
        else:
            limits = ("--max-memory", given.max_memory, "--max-time", given.max_time)
            taken = explored(LARGE, "--store", f"disk:{folder}", *limits)
            print(table(["model", *COLUMNS, "ended"], [(" ".join(LARGE), *taken.cells, str(taken.told["reason"]))]))


if __name__ == "__main__":
    main()
