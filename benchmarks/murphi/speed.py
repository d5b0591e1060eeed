"""How fast answers about Murphi models come, and how much memory they take: Rumur, CMurphi and Beeline in turns.

Times are processor time, so that a busy machine changes little. Rumur's and CMurphi's verifiers are compiled with `-O3
-march=native`. For rates, compiling counts on no side: Beeline counts with `--tier native`, warm. For the time from a
command to its verdict, everything counts on every side. Beeline's modules are compiled to byte code before, as when it
is installed. Memory is the largest that the whole process had; CMurphi takes all that it is given, so that its figure
is what its verifier says of itself.
"""

from __future__ import annotations

import argparse
import compileall
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.models import LARGE, SMALL, Case, with_constants
from benchmarks.murphi.peers import FASTEST, FOLDED, PLAIN, CMurphi, Limits, PeerMissing, Rumur

import beeline

LIMITS = Limits(cpu_s=600, memory_mb=12000)
BEELINE = str(Path(sys.executable).with_name("beeline"))
CMURPHI_MEGABYTES = 1500


class Run:
    """What one run of a tool took."""

    def __init__(self, states: int, seconds: float, peak: float) -> None:
        self.states, self.seconds, self.peak = states, seconds, peak

    @property
    def rate(self) -> float:
        return self.states / max(self.seconds, 1e-3)

    @property
    def bytes_per_state(self) -> float:
        return self.peak / self.states


def _measured(command: Sequence[str], pattern: str) -> tuple[str, Run]:
    """The output of a command and what it took; the pattern finds the number of states."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(list(command), stdout=out, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(child.pid, 0)
        child.returncode = 0  # it was waited for
        out.seek(0)
        text = out.read()
    found = re.search(pattern, text)
    if found is None:
        raise SystemExit(f"{' '.join(command)}: {text[-300:]}")
    return text, Run(int(found[1]), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def run_rumur(binary: Path) -> Run:
    return _measured([str(binary)], r'<summary states="(\d+)"')[1]


def run_cmurphi(binary: Path, options: Sequence[str]) -> Run:
    command = [str(binary), "-tn", f"-m{CMURPHI_MEGABYTES}", *options]
    text, run = _measured(command, r"(\d+) states, \d+ rules fired in")
    room = re.search(r"the state space is\s+(\d+) states", text)
    return Run(run.states, run.seconds, run.states * (CMURPHI_MEGABYTES << 20) / int(room[1]) if room else run.peak)


def run_beeline(path: Path, symmetry: str) -> Run:
    """The whole command, its start and the reading of the model included."""
    command = [BEELINE, "explore", str(path), "--json", "--tier", "native", "--symmetry", symmetry]
    return _measured(command, r'"states": (\d+)')[1]


def cmurphi_or_none() -> CMurphi | None:
    try:
        return CMurphi(limits=LIMITS, optimise=FASTEST)
    except PeerMissing as missing:
        print(f"without CMurphi: {missing}", file=sys.stderr)
        return None


def _chosen(cases: Sequence[Case], words: Sequence[str]) -> list[Case]:
    return [case for case in cases if any(word in " ".join([case[0], *case[1]]) for word in words)]


def speed(arguments: argparse.Namespace) -> str:
    """States per second and bytes per state on large models, medians of turns."""
    compileall.compile_dir(str(Path(beeline.__file__).parent), quiet=1)
    folds = arguments.symmetry != "none"
    rumur = Rumur(*(FOLDED if folds else PLAIN), limits=LIMITS, optimise=FASTEST)
    cmurphi = cmurphi_or_none() if "CMurphi" in arguments.peers else None
    rows: list[tuple[str, ...]] = []
    ratios: dict[str, list[float]] = {"Rumur": [], "CMurphi": []}
    for model, constants in _chosen(LARGE, arguments.models):
        with with_constants(model, constants) as path:
            tools: dict[str, Callable[[], Run]] = {}
            binary, other = path.with_name("rumur"), path.with_name("cmurphi")
            if "Rumur" in arguments.peers:
                if mistake := rumur.build(path, binary):
                    raise SystemExit(f"Rumur does not take {model}: {mistake}")
                tools["Rumur"] = partial(run_rumur, binary)
            if cmurphi is not None and not cmurphi.build(path, other):
                tools["CMurphi"] = partial(run_cmurphi, other, () if folds else ("-nosym",))
            run_beeline(path, arguments.symmetry)  # its native code is compiled and kept
            tools["Beeline"] = partial(run_beeline, path, arguments.symmetry)
            runs: dict[str, list[Run]] = {tool: [] for tool in tools}
            for _ in range(arguments.repeats):
                for tool, run in tools.items():
                    runs[tool].append(run())
        rows.append(_speed_row(" ".join([model, *constants]), runs, ratios))
        print(" | ".join(rows[-1]), flush=True)
    head = (
        "model",
        "states",
        "Rumur/s",
        "CMurphi/s",
        "Beeline/s",
        "to Rumur",
        "to CMurphi",
        "bytes: Rumur, CMurphi, Beeline",
    )
    medians = ", ".join(f"{tool} {statistics.median(found):.1f}" for tool, found in ratios.items() if found)
    return f"{table(head, rows)}\nmedian of the rates, to {medians}"


def _speed_row(name: str, runs: dict[str, list[Run]], ratios: dict[str, list[float]]) -> tuple[str, ...]:
    rates = {tool: statistics.median(run.rate for run in found) for tool, found in runs.items()}
    memory = {tool: statistics.median(run.bytes_per_state for run in found) for tool, found in runs.items()}
    states = {tool: found[0].states for tool, found in runs.items()}
    if len(set(states.values())) > 1:
        name = f"{name} (states differ: {states})"
    for tool in ratios.keys() & rates.keys():
        ratios[tool].append(rates["Beeline"] / rates[tool])
    return (
        name,
        grouped(states["Beeline"]),
        *(grouped(round(rates[tool])) if tool in rates else "" for tool in ("Rumur", "CMurphi", "Beeline")),
        *(f"{rates['Beeline'] / rates[tool]:.2f}" if tool in rates else "" for tool in ("Rumur", "CMurphi")),
        ", ".join(f"{memory[tool]:.0f}" if tool in memory else "-" for tool in ("Rumur", "CMurphi", "Beeline")),
    )


def command(arguments: argparse.Namespace) -> str:
    """Processor seconds from a command to its verdict on small models, generating and compiling included."""
    compileall.compile_dir(str(Path(beeline.__file__).parent), quiet=1)
    rumur = Rumur(*PLAIN, limits=LIMITS, optimise=FASTEST)
    cmurphi = cmurphi_or_none()
    rows: list[tuple[str, ...]] = []
    ratios: dict[str, list[float]] = {"Rumur": [], "CMurphi": []}
    for model, constants in _chosen(SMALL, arguments.models):
        with with_constants(model, constants) as path:
            tools: dict[str, Callable[[], object]] = {"Rumur": partial(rumur.ask, path)}
            if cmurphi is not None:
                tools["CMurphi"] = partial(cmurphi.ask, path)
            tools["Beeline"] = partial(subprocess.run, [BEELINE, "check", path], capture_output=True, check=False)
            times = {
                tool: statistics.median(_spent(ask) for _ in range(arguments.repeats)) for tool, ask in tools.items()
            }
        for tool in ratios.keys() & times.keys():
            ratios[tool].append(times[tool] / times["Beeline"])
        rows.append(
            (
                " ".join([model, *constants]),
                *(f"{times[tool]:.2f}" if tool in times else "" for tool in ("Rumur", "CMurphi", "Beeline")),
                *(f"{times[tool] / times['Beeline']:.1f}" if tool in times else "" for tool in ("Rumur", "CMurphi")),
            )
        )
        print(" | ".join(rows[-1]), flush=True)
    head = ("model", "Rumur, s", "CMurphi, s", "Beeline, s", "of Rumur's", "of CMurphi's")
    least = ", ".join(f"{tool} {min(found):.1f}" for tool, found in ratios.items() if found)
    return f"{table(head, rows)}\nat least so many times faster: {least}"


def _spent(ask: Callable[[], object]) -> float:
    before = os.times()
    ask()
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system
