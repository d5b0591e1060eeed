"""`python -m benchmarks.liveness`: formulas next to `pan -a`.

    python -m benchmarks.liveness speed [--models leader] [--repeats 3]   proofs of a formula that holds
    python -m benchmarks.liveness memory [--models leader]                bytes of a product state, next to safety
    python -m benchmarks.liveness lassos [--models elevators]             lassos, search by search

In `speed` the formula is one that every run satisfies, and both tools visit the same product, state for state, without
reduction (`-DNOREDUCE`, `-O3`); times are processor time on one core, of the search alone.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.conformance.spin import PLAIN_SPIN, read_pan
from benchmarks.speed.models import FOLDER, LARGE, Model
from benchmarks.speed.processes import explore_alone, timed

NAME = "live"
FORMULA = f"\nltl {NAME} {{ []<> (_nr_pr > 0) }}\n"
BUILD = ("gcc", "-O3", "-w", "-march=native", "-DNOREDUCE", "-DNOFAIR", "-DNOBOUNDCHECK", "-DMEMLIM=16000")
RUN = ("./pan", "-a", "-m10000000", "-w26")
MOST_STATES = 12_000_000
LIMIT = "60"  # seconds for one search of the philosophers
SEARCHES = ("ndfs", "bfs", "astar", "greedy", "auto")
PAN = ("gcc", "-O3", "-w", "-DMEMLIM=8000", "-DVECTORSZ=4096", "-o", "pan", "pan.c")


@dataclasses.dataclass(frozen=True)
class Subject:
    """A model with a formula that it violates."""

    model: str
    asked: str
    macros: tuple[str, ...]

    @property
    def name(self) -> str:
        return " ".join((self.model, *self.macros))

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.model}.pml"


SUBJECTS = (
    *(Subject("hungry_philosophers", "starves", (f"N={size}",)) for size in (8, 16, 32, 64, 128)),
    *(Subject("two_elevators", "starved", (f"N={floors}",)) for floors in (3, 4)),
    *(Subject("steam_generators", "completes", (f"N={size}",)) for size in (2, 4, 6)),
)


def ours(file: Path, asked: str, search: str, limit: str, macros: tuple[str, ...], core: int) -> dict[str, Any]:
    """One check in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.liveness.alone", str(file), asked, search, limit, *macros]
    answer: dict[str, Any] = json.loads(timed(command, core).output.splitlines()[-1])
    return answer


def speed(model: Model, repeats: int, core: int) -> dict[str, Any] | None:
    """Both tools on one model; None where its assertions fail, so that a search ends before it has seen everything."""
    with tempfile.TemporaryDirectory(prefix="beeline-live-") as name:
        folder = Path(name)
        file = folder / "model.pml"
        file.write_text(model.path.read_text() + FORMULA)
        timed(["spin", "-a", *PLAIN_SPIN, *model.options, file.name], core, folder)
        timed([*BUILD, "-o", "pan", "pan.c"], core, folder)
        pans, own = [], []
        for _ in range(repeats):
            pan = timed(RUN, core, folder)
            mine = ours(file, NAME, "ndfs", "600", model.macros, core)
            pans.append(pan.seconds)
            own.append(mine["seconds"])
            if mine["verdict"] != "holds" or not read_pan(pan.output).complete or read_pan(pan.output).error:
                return None
        return {
            "model": model.name,
            "pan states": read_pan(pan.output).states,
            "states": mine["states"],
            "pan": statistics.median(pans),
            "ours": statistics.median(own),
            "bytes": mine["memory"] / mine["states"],
        }


def asked_models(asked: argparse.Namespace) -> list[Model]:
    """The large models whose names were given, up to the size that pan has memory for."""
    return [m for m in LARGE if m.states <= MOST_STATES and any(word in m.name for word in asked.models)]


def show_memory(asked: argparse.Namespace) -> None:
    """The same formula: the product has as many states as the model, so that bytes a state can be compared."""
    print("| model | states | explore | ndfs | ratio | scc | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
    ratios: dict[str, list[float]] = {"ndfs": [], "scc": []}
    for model in asked_models(asked):
        plain = explore_alone(model.path, *model.macros)
        bytes_of_safety = plain["memory"] / plain["states"]
        line = f"| {model.name} | {plain['states']:,} | {bytes_of_safety:.1f} |"
        with tempfile.TemporaryDirectory(prefix="beeline-live-") as name:
            file = Path(name) / "model.pml"
            file.write_text(model.path.read_text() + FORMULA)
            for search, found in ratios.items():
                row = ours(file, NAME, search, "600", model.macros, asked.core)
                if row["verdict"] != "holds":
                    break
                found.append(row["memory"] / row["states"] / bytes_of_safety)
                line += f" {row['memory'] / row['states']:.1f} | {found[-1]:.2f} |"
            else:
                print(line, flush=True)
    for search, found in ratios.items():
        print(f"\n{search}: median {statistics.median(found):.2f}, most {max(found):.2f}, of {len(found)} models")


def show_speed(asked: argparse.Namespace) -> None:
    print("| model | product states | pan -a, s | ndfs, s | times faster | bytes a state |\n|---|--:|--:|--:|--:|--:|")
    ratios = []
    for model in asked_models(asked):
        row = speed(model, asked.repeats, asked.core)
        if row is None:
            continue
        ratios.append(row["pan"] / row["ours"])
        same = "" if row["states"] == row["pan states"] else f" (pan: {row['pan states']:,})"
        print(
            f"| {row['model']} | {row['states']:,}{same} | {row['pan']:.2f} | {row['ours']:.2f} | {ratios[-1]:.2f} "
            f"| {row['bytes']:.0f} |",
            flush=True,
        )
    print(f"\nmedian {statistics.median(ratios):.2f}, least {min(ratios):.2f}, of {len(ratios)} models")


def pan_lasso(subject: Subject, options: tuple[str, ...], core: int) -> str:
    """The lasso that `pan -a` reports, and what it took. Steps of the claim are not counted."""
    defines = [f"-D{macro}" for macro in subject.macros]
    with tempfile.TemporaryDirectory(prefix="beeline-live-") as name:
        folder = Path(name)
        (folder / "model.pml").write_text(subject.path.read_text())
        timed(["spin", "-a", "-o3", *defines, "model.pml"], core, folder)
        timed([*PAN, "-DREACH"] if "-i" in options else PAN, core, folder)
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
        if not any(word in subject.name for word in asked.models):
            continue
        for search in SEARCHES:
            row = ours(subject.path, subject.asked, search, LIMIT, subject.macros, asked.core)
            prefix, length = row["prefix"], row["length"]
            lengths = f"{prefix} | {length - prefix}" if length is not None else "- | -"
            print(f"| {subject.name} | {search} | {row['states']:,} | {lengths} | {row['seconds']:.2f} |", flush=True)
        for options in ((), ("-i",)):
            told = pan_lasso(subject, options, asked.core)
            print(f"| {subject.name} | {' '.join(('pan -a', *options))} | {told} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.liveness", description=__doc__)
    parser.add_argument("part", choices=("speed", "memory", "lassos"))
    parser.add_argument("--models", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    {"speed": show_speed, "memory": show_memory, "lassos": show_lassos}[asked.part](asked)


if __name__ == "__main__":
    main()
