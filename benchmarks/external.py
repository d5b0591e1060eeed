"""States on disk next to states in memory.

    python -m benchmarks.external          # rate, bytes moved, and the ratio to the search in memory, of some models
    python -m benchmarks.external large    # a space some twenty times as large as the memory limit

Each row is a command of its own: its processor time, the thread that reads and writes included, and the memory that its
process held at most.
"""

from __future__ import annotations

import argparse
import json
import os
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


def explored(model: Sequence[str], *more: str) -> Taken:
    """One run of `beeline explore`."""
    command = [str(BEELINE), "explore", *model, "--json", *more]
    process = subprocess.Popen(command, cwd=MODELS, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    return Taken(json.loads(printed), used.ru_maxrss * 1024, used.ru_utime + used.ru_stime)


def compared(folder: str) -> Iterator[tuple[str, ...]]:
    for name, model in PROMELA.items():
        plain, disk = explored(model, *BYTECODE), explored(model, *BYTECODE, "--store", f"disk:{folder}")
        same = [plain.told[count] == disk.told[count] for count in ("states", "transitions", "depth", "deadlocks")]
        assert all(same), name
        yield name, *disk.cells, f"{plain.seconds / disk.seconds:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("ratio", "large"), default="ratio")
    parser.add_argument("--folder", help="for the files [default: a temporary one]")
    parser.add_argument("--max-memory", default="100M", help="of the large space")
    parser.add_argument("--max-time", default="600", help="seconds for the large space")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        if given.what == "ratio":
            print(table(["model", *COLUMNS, "ratio"], list(compared(folder))))
            return
        limits = ("--max-memory", given.max_memory, "--max-time", given.max_time)
        taken = explored(LARGE, "--store", f"disk:{folder}", *limits)
        print(table(["model", *COLUMNS, "ended"], [(" ".join(LARGE), *taken.cells, str(taken.told["reason"]))]))


if __name__ == "__main__":
    main()
