"""The lassos that searches find, next to those of `pan -a`: states, time, and steps before and around the cycle."""

from __future__ import annotations

import argparse
import dataclasses
import re
import tempfile
from pathlib import Path

from benchmarks.conformance.spin import read_pan
from benchmarks.liveness.checks import ours
from benchmarks.speed.models import FOLDER
from benchmarks.speed.processes import timed

LIMIT = "60"  # seconds for one search
SEARCHES = ("ndfs", "bfs", "astar", "greedy", "auto")
PAN = ("gcc", "-O3", "-w", "-DMEMLIM=8000", "-DVECTORSZ=4096", "-o", "pan", "pan.c")


@dataclasses.dataclass(frozen=True)
class Subject:
    """A model with a formula that it violates: one of its own by name, or one that is written behind its text."""

    model: str
    asked: str
    macros: tuple[str, ...]
    formula: str = ""

    @property
    def name(self) -> str:
        return " ".join((self.model, *self.macros))

    def write(self, file: Path) -> None:
        added = f"\nltl {self.asked} {{ {self.formula} }}\n" if self.formula else ""
        file.write_text((FOLDER / f"{self.model}.pml").read_text() + added)


SUBJECTS = (
    *(Subject("hungry_philosophers", "starves", (f"N={size}",)) for size in (8, 16, 32, 64, 128)),
    *(Subject("philosophers_response", "served", (f"N={size}",)) for size in (12, 16)),
    *(Subject("counters", "comes", (f"N={size}", "M=10"), "[]<> (value[0] == 5)") for size in (4, 5, 6)),
    *(Subject("two_elevators", "starved", (f"N={floors}",)) for floors in (3, 4)),
    *(Subject("steam_generators", "completes", (f"N={size}",)) for size in (2, 4, 6)),
)


def pan_lasso(subject: Subject, folder: Path, options: tuple[str, ...], core: int) -> str:
    """The lasso that `pan -a` reports of `model.pml` in the folder, and what it took. Steps of the claim are not
    counted."""
    defines = [f"-D{macro}" for macro in subject.macros]
    timed(["spin", "-a", "-o3", *defines, "model.pml"], core, folder)
    timed([*PAN, "-DREACH"] if "-i" in options else PAN, core, folder)
    (folder / "model.pml.trail").unlink(missing_ok=True)
    command = ["timeout", LIMIT, "./pan", "-a", "-m1000000", "-N", subject.asked, *options]
    done = timed(command, core, folder, expected=(0, 124))
    found = read_pan(done.output)
    if not (folder / "model.pml.trail").exists():
        return f"{found.states or '-'} | - | - | {done.seconds:.2f}"
    replay = timed(["spin", "-t", "-p", *defines, "model.pml"], core, folder, expected=(0, 1)).output
    before, _, around = replay.partition("<<<<<START OF CYCLE>>>>>")
    # Statements of a d_step have one number; those of the claim are not listed.
    steps = (set(re.findall(r"^\s*(\d+):\tproc\s+\d.*\[", part, re.M)) for part in (before, around))
    lengths = " | ".join(str(len(numbers)) for numbers in steps)
    stored = f"{found.states:,}" if found.states else "-"
    return f"{stored} | {lengths} | {done.seconds:.2f}"


def show_lassos(asked: argparse.Namespace) -> None:
    print("| model | search | states stored | prefix | cycle | seconds |\n|---|---|--:|--:|--:|--:|")
    for subject in SUBJECTS:
        if any(word in subject.name for word in asked.models):
            with tempfile.TemporaryDirectory(prefix="beeline-live-") as name:
                subject.write(Path(name) / "model.pml")
                _show_subject(subject, Path(name), asked.core)


def _show_subject(subject: Subject, folder: Path, core: int) -> None:
    for search in SEARCHES:
        row = ours(folder / "model.pml", subject.asked, search, LIMIT, subject.macros, core)
        prefix, length = row["prefix"], row["length"]
        lengths = f"{prefix} | {length - prefix}" if length is not None else "- | -"
        print(f"| {subject.name} | {search} | {row['states']:,} | {lengths} | {row['seconds']:.2f} |", flush=True)
    for options in ((), ("-i",)):
        told = pan_lasso(subject, folder, options, core)
        print(f"| {subject.name} | {' '.join(('pan -a', *options))} | {told} |", flush=True)
