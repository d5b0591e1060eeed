"""Answers with and without states that are taken for equal: the same verdicts and shortest lengths, never more
states."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.conformance.generator import program_of

from beeline import Limits, check
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.types import is_scalar
from beeline.preprocessing import match_choices, shrink
from beeline.preprocessing.choices import INFLUENCE
from beeline.properties import find_property

FORMULAS = ("[] <> (g0 == 0)", "<> [] (g0 != 1)", "[] (g0 == 1 -> <> g0 == 0)")
NOTHING, OPEN = "nothing hidden", "unknown"


def agree(network: Network, asked: str, search: str = "bfs", states: int = 20_000) -> str:
    """Compares the answers with and without; says what the verdict was, or why there is nothing to compare."""
    if not shrink(network, find_property(network, asked), "none", match=INFLUENCE).layers:
        return NOTHING
    limits = Limits(states=states)
    plain, matched = (
        check(network, asked, search=search, limits=limits, shrink="none", match=match) for match in match_choices()
    )
    if plain.verdict == "unknown":
        return OPEN
    assert matched.verdict == plain.verdict, f"{matched.verdict} instead of {plain.verdict}"
    if plain.trace is not None:
        assert matched.trace is not None
        assert search != "bfs" or len(matched.trace) == len(plain.trace)
    if plain.verdict == "holds":
        assert matched.statistics.stored <= plain.statistics.stored
    return plain.verdict


def agree_about_runs(network: Network, number: int) -> str:
    """Compares the answers to one of the formulas about the first global that is a number."""
    shared = next((one.name for one in network.variables if is_scalar(one.type)), None)
    if shared is None:
        return NOTHING
    formula = FORMULAS[number % len(FORMULAS)].replace("g0", shared)
    return agree(network, f"ltl: {formula}", search="ndfs", states=5_000)


def read(text: str, folder: Path) -> Network:
    """A program's network."""
    model = folder / "model.pml"
    model.write_text(text)
    network = load(model)
    assert isinstance(network, Network)
    return network


def compare_random(first: int, wanted: int) -> int:
    """Compares programs from seed `first` on until `wanted` have something hidden and a known answer; says how many
    differ."""
    seen: Counter[str] = Counter()
    differ, seed = 0, first
    with TemporaryDirectory(prefix="matching-") as folder:
        while seen["safety"] < wanted:
            network = read(program_of(seed), Path(folder))
            try:
                verdict = agree(network, "safety")
                about_runs = agree_about_runs(network, seed)
            except AssertionError as error:
                differ += 1
                print(f"seed {seed}: {error}", flush=True)
            else:
                seen[f"safety {verdict}"] += 1
                seen[f"runs {about_runs}"] += 1
                seen["safety"] += verdict not in (NOTHING, OPEN)
            seed += 1
    print(
        f"seeds {first} to {seed - 1}: {differ} differ; " + ", ".join(f"{key}: {n}" for key, n in sorted(seen.items()))
    )
    return differ
