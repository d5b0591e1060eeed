"""How many states are left of each bundled and public model when states count as equal that differ in what cannot
matter."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from benchmarks.beem.collection import find_collection, read_collection
from benchmarks.folders import ROOT

from beeline import BeelineError, Limits, check
from beeline.checking import Result
from beeline.languages import load
from beeline.model.network import Network
from beeline.preprocessing import EXACT
from beeline.preprocessing.choices import INFLUENCE
from beeline.preprocessing.dead_variables import NAME as DEAD

LANGUAGES = ("promela", "dve", "murphi", "uppaal")
WAYS = {"plain": ("none", EXACT), "dead variables": (DEAD, EXACT), "influence": ("none", INFLUENCE)}


def bundled() -> Iterator[Path]:
    """The models of this project."""
    for language in LANGUAGES:
        yield from sorted(one for one in (ROOT / "models" / language).iterdir() if one.suffix not in (".toml", ".md"))


def beem() -> Iterator[Path]:
    """The models of the collection, if it is there."""
    folder = find_collection(None)
    for instance in read_collection(folder) if folder is not None else []:
        yield instance.file


def answers(file: Path, states: int, seconds: float) -> dict[str, tuple[Result, float]] | None:
    """What each way says of the safety of a model, and how many processor seconds that takes; None if it cannot be
    asked or the plain search does not end."""
    try:
        network = load(file)
        if not isinstance(network, Network):
            return None
        found: dict[str, tuple[Result, float]] = {}
        for name, (shrink, match) in WAYS.items():
            limits = Limits(states=states, time=seconds, memory=2**31)
            began = process_time()
            result = check(network, "safety", search="bfs", shrink=shrink, match=match, limits=limits)
            if result.verdict == "unknown":
                return None
            found[name] = result, process_time() - began
        return found
    except BeelineError:
        return None


def table(files: Iterator[Path], states: int, seconds: float, everything: bool) -> None:
    """A row for each model where there are fewer states, or for every one; then how many there are."""
    factors: list[float] = []
    times: list[tuple[float, float]] = []
    tried = 0
    print("| model | states | dead variables | influence | plain / influence |\n|---|---|---|---|---|")
    for file in files:
        tried += 1
        found = answers(file, states, seconds)
        if found is None:
            continue
        plain, dead, matched = (result.statistics.stored for result, _ in found.values())
        times.append((found["plain"][1], found["influence"][1]))
        assert len({result.verdict for result, _ in found.values()}) == 1 and max(dead, matched) <= plain, file
        factors.append(plain / matched)
        if everything or matched < plain:
            print(f"| {file.name} | {plain:,} | {dead:,} | {matched:,} | {factors[-1]:.2f} |", flush=True)
    if factors:
        fewer = sum(factor > 1 for factor in factors)
        median = statistics.median(factors)
        print(f"{tried} models, {len(factors)} searched whole, fewer states in {fewer}; median {median:.2f}")
        without, matching = (sum(column) for column in zip(*times, strict=True))
        quicker = statistics.median(plain / matched for plain, matched in times)
        print(f"processor seconds: {without:.1f}, with influence {matching:.1f}; median of the quotients {quicker:.2f}")
