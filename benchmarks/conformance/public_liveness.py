"""`python -m benchmarks.conformance.public_liveness`: public Promela files that ask about cycles, through both tools.

They ask by formulas, by claims, or by the labels accept and progress; pan is run with `-a`, `-l` and `-f`.

    python -m benchmarks.conformance.public_liveness [--models WORD ..] [--seconds 10]

`pan` is built without reduction. A line for each question that both tools answer, and what did not agree at the end.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from beeline import Limits as SearchLimits
from beeline.checking import check
from beeline.languages import LoadOptions, load
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import BeelineError

from .corpus import Model, shared_folder, shared_models
from .spin import PLAIN_SPIN, Limits, PanRun, Verifier, without_comments

ASKS = re.compile(r"\bltl\b|\bnever\b|\baccept\w*\s*:|\bprogress\w*\s*:")
BUILD = ("-DNOREDUCE", "-fwrapv", "-DNFAIR=3")


def asking(folder: Path, words: list[str]) -> Iterator[Model]:
    """The files that ask about cycles, without those with C inside."""
    for model in shared_models(folder):
        if (
            any(word in model.name for word in words)
            and not model.embedded_c
            and ASKS.search(without_comments(model.text()))
        ):
            yield model


def pan_options(asked: Property, claims: int) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """How `pan` is built and run for a question; None for questions that are not about cycles."""
    match asked.kind:
        case "ltl" | "claim":
            return BUILD, ("-a", *(("-N", asked.name) if claims > 1 or asked.kind == "ltl" else ()))
        case "acceptance":
            return (*BUILD, "-DNOCLAIM"), ("-a", "-E")
        case "progress":
            return (*BUILD, "-DNP"), ("-l",)
    return None


def answers(model: Model, seconds: int) -> Iterator[tuple[str, str, str, str]]:
    """(question, fairness, pan's verdict, ours) for all that a file asks."""
    defines = dict(macro.removeprefix("-D").partition("=")[::2] for macro in model.macros)
    try:
        network = load(model.path, options=LoadOptions(defines))
    except BeelineError:
        return
    assert isinstance(network, Network)
    claims = sum(asked.kind in ("ltl", "claim") for asked in network.properties)
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        verifier = Verifier(Path(name), Limits(cpu_s=seconds, memory_mb=2000))
        if not verifier.generate(model.path.resolve(), model.macros, PLAIN_SPIN)[0]:
            return
        built: set[tuple[str, ...]] = set()
        for asked in network.properties:
            how = pan_options(asked, claims)
            if how is None or (asked.kind in ("acceptance", "progress") and claims):
                continue
            pan = f"pan{len(how[0])}"
            if how[0] not in built and verifier.build(pan, how[0], 65536, "-O1"):
                continue
            built.add(how[0])
            for fairness, more in (("none", ()), ("weak", ("-f",))):
                run = verifier.search(pan, [*how[1], *more])
                yield asked.name, fairness, said(run), ask(network, asked, fairness, seconds)


def said(run: PanRun) -> str:
    """pan's verdict on cycles and claims; what fails besides is another question."""
    if run.error and not re.search(r"cycle|claim|stutter", run.error):
        return "unknown"
    return run.verdict


def ask(network: Network, asked: Property, fairness: str, seconds: int) -> str:
    """Our verdict; a failed assertion is another question here, too."""
    try:
        result = check(network, asked, fairness=fairness, limits=SearchLimits(time=seconds))
    except BeelineError as error:
        return f"refused: {error}"
    finite = result.trace is not None and result.trace.steps and result.trace.steps[-1].error
    return "unknown" if finite else result.verdict


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance.public_liveness", description=__doc__)
    parser.add_argument("--models", nargs="+", default=[""], metavar="WORD")
    parser.add_argument("--seconds", type=int, default=10)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    differing: list[str] = []
    for model in asking(shared_folder(), given.models):
        for question, fairness, pan, own in answers(model, given.seconds):
            kind = "open" if "unknown" in (pan, own) else "agree" if pan == own else "differ"
            counts[kind] += 1
            line = f"{kind}: {model.name}: {question}, fairness {fairness}: pan {pan}, Beeline {own}"
            print(line, flush=True)
            differing += [line] if kind == "differ" else []
    print("\n".join(["", *differing, ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))]))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
