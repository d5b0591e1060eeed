"""All reachable states of SMV circuits: our sets of states next to NuSMV's, in one run."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.symbolic.beyond import STEPS, shifter
from benchmarks.symbolic.circuits import generators

from beeline import Limits, explore
from beeline.languages.smv import read_smv

COUNT = re.compile(r"reachable states: (\S+)")


def models() -> Iterator[tuple[str, str]]:
    """Names and texts."""
    made = generators()
    for steps in STEPS:
        yield f"ring of 6 cells, {steps}", made.ring(6, steps)
    for steps in STEPS:
        yield f"tree of 7 arbiters, {steps}", made.tree_arbiter(7, steps, faulty=False)
    yield "shift register of 60 bits", shifter(60)


def theirs(text: str, seconds: float, *options: str) -> tuple[str, str]:
    """States and seconds of NuSMV."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "model.smv"
        file.write_text(text, encoding="utf-8")
        began = perf_counter()
        try:
            command = ["NuSMV", "-r", "-is", "-ii", *options, str(file)]
            told = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False).stdout
        except subprocess.TimeoutExpired:
            return "-", f"> {seconds:.0f}"
    found = COUNT.search(told)
    return (found.group(1) if found else "?"), f"{perf_counter() - began:.1f}"


def table(seconds: float) -> Iterator[str]:
    """A row for each model; NuSMV as it is, and with variables reordered on the way."""
    if shutil.which("NuSMV") is None:
        yield "there is no NuSMV: benchmarks/conformance/build_nusmv.sh builds it"
        return
    yield "| model | states | s | NuSMV: states | s | reordered, s |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name, text in models():
        began = perf_counter()
        ours = explore(read_smv(text), engine="bdd", limits=Limits(time=seconds, memory=2**30))
        took = f"{perf_counter() - began:.1f}" if ours.complete else f"> {seconds:.0f}"
        states = f"{ours.statistics.stored:.5e}" if ours.complete else "-"
        counted, plain = theirs(text, seconds)
        again, dynamic = theirs(text, seconds, "-dynamic")
        yield f"| {name} | {states} | {took} | {counted if counted != '-' else again} | {plain} | {dynamic} |"
