"""Counts of states: sets of states against single states, on the bundled models and on BEEM's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.folders import ROOT

from beeline import Limits, explore
from beeline.engines.declaration import EngineError
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.source import BeelineError

FOLDERS = ("promela", "dve", "murphi", "smv", "asbru", "gallery", "testing")
SUFFIXES = (".pml", ".dve", ".m", ".smv", ".asbru")


def bundled() -> Iterator[Path]:
    """The models of the project whose networks have no clocks."""
    for folder in FOLDERS:
        yield from sorted(path for path in (ROOT / "models" / folder).iterdir() if path.suffix in SUFFIXES)


def compared(path: Path, most: int, seconds: float) -> tuple[str, str]:
    """One of ``same``, ``different``, ``large``, ``limit``, ``refused``; and what there is to say."""
    try:
        network = load(path)
    except BeelineError as error:
        return "refused", str(error).splitlines()[0]
    if not isinstance(network, Network):
        return "refused", "no network"
    single = explore(network, limits=Limits(states=most, time=seconds, memory=2**30))
    if not single.complete:
        return "large", f"more than {single.statistics.stored:,} states"
    try:
        sets = explore(network, engine="bdd", limits=Limits(time=seconds, memory=2**30))
    except EngineError as error:
        return "refused", str(error)
    if not sets.complete:
        return "limit", f"{single.statistics.stored:,} states, by sets not in {seconds:.0f} s"
    one, other = single.statistics.stored, sets.statistics.stored
    times = f"{single.statistics.seconds:.2f} s, by sets {sets.statistics.seconds:.2f} s"
    return ("same" if one == other else "different"), f"{one:,} and {other:,} states, {times}"


def report(paths: list[Path], most: int, seconds: float, wanted: int) -> None:
    """Compares until so many were the same."""
    found: dict[str, int] = {}
    for path in paths:
        kind, said = compared(path, most, seconds)
        found[kind] = found.get(kind, 0) + 1
        print(f"{kind:10} {path.name:28} {said}", flush=True)
        if found.get("same", 0) >= wanted:
            break
    print(", ".join(f"{kind} {count}" for kind, count in sorted(found.items())))
