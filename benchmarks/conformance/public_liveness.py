"""`python -m benchmarks.conformance.public_liveness`: public Promela files that ask about cycles, through both tools.

They ask by formulas, by claims (also those in a file of their own beside the model), or by the labels accept and
progress; pan is run with `-a`, `-l` and `-f`.

    python -m benchmarks.conformance.public_liveness [--models WORD ..] [--seconds 10] [--memory 2000]

Both tools search without reduction, and with it where they come to no end without. A line for each question, and at
the end what did not agree, and why questions are `open`: one of the tools gives no answer within the limits, or none.
"""

from __future__ import annotations

import argparse
import dataclasses
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

from .corpus import Model, shared_folder, shared_models, sources
from .spin import PLAIN_SPIN, Limits, PanRun, Verifier, without_comments

ASKS = re.compile(r"\bltl\b|\bnever\b|\baccept\w*\s*:|\bprogress\w*\s*:")
STATES_A_SECOND = 2_000_000
"""What one core of ours stores at least: our limit is one of states, since the clock counts what others do as well."""
BUILD = ("-DNOREDUCE", "-fwrapv", "-DNFAIR=3")


def asking(folder: Path, words: list[str]) -> Iterator[Model]:
    """The files that ask about cycles, without those with C inside."""
    for model in shared_models(folder):
        if any(word in model.name for word in words) and not model.embedded_c:
            if any(ASKS.search(without_comments(text)) for _, text in sources(model.path)):
                yield model
            for claim in () if model.never else claims_beside(model):
                yield dataclasses.replace(model, name=f"{model.name} with {claim.name}", claim=claim)


def claims_beside(model: Model) -> list[Path]:
    """The files with claims that are called like the model."""
    names = {model.path.name, model.path.stem}
    beside = model.path.parent.glob("*.ltl")
    return sorted(path for path in beside if path.name.removesuffix(".ltl").rstrip(".0123456789") in names)


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


class Comparison:
    """Both tools on one file, in a folder for what is made of it."""

    def __init__(self, model: Model, folder: Path, limits: Limits) -> None:
        self.verifier, self.limits = Verifier(folder, limits), limits
        self.built: dict[tuple[str, ...], str] = {}
        self.refused: dict[tuple[str, ...], str] = {}
        defines = dict(macro.removeprefix("-D").partition("=")[::2] for macro in model.macros)
        file = model.path.resolve()
        if model.claim is not None:
            file = folder / "model.pml"
            file.write_text(model.text() + "\n" + model.claim.read_text(errors="replace"))
        self.complaint = ""
        try:
            network = load(file, "promela", LoadOptions(defines))
            assert isinstance(network, Network)
            self.network = network
        except BeelineError as error:
            self.complaint = f"refused: {str(error).splitlines()[0]}"
        accepted, message = self.verifier.generate(file, model.macros, PLAIN_SPIN)
        if not accepted:
            self.complaint = f"spin refuses it: {' '.join(message.split())[:120]}"

    def answers(self) -> Iterator[tuple[str, str, str, str]]:
        """(question, fairness, pan's verdict, ours) for all that the file asks."""
        if self.complaint:
            yield "-", "-", "unknown", self.complaint
            return
        claims = sum(asked.kind in ("ltl", "claim") for asked in self.network.properties)
        for asked in self.network.properties:
            how = pan_options(asked, claims)
            if how is None or (asked.kind in ("acceptance", "progress") and claims):
                continue
            for fairness, more in (("none", ()), ("weak", ("-f",))):
                pan = self.pan(how[0], (*how[1], *more))
                yield asked.name, fairness, pan, ask(self.network, asked, fairness, self.limits)

    def pan(self, flags: tuple[str, ...], options: tuple[str, ...]) -> str:
        """What pan says without reduction, else with it."""
        reduced = tuple(flag for flag in flags if flag != "-DNOREDUCE")
        for chosen in (flags, reduced):
            if complaint := self.build(chosen):
                return f"unknown: {complaint}"
            run = self.verifier.search(self.built[chosen], options)
            if said(run) != "unknown":
                return said(run)
        return f"unknown: {run.error or run.reason}"

    def build(self, flags: tuple[str, ...]) -> str:
        """Has a verifier built once; returns the compiler's complaint. Some files make programs so long that the
        compiler comes to an end only if it does not optimise."""
        if flags not in self.built:
            self.built[flags] = f"pan{len(self.built)}"
            for optimise in ("-O1", "-O0"):
                self.refused[flags] = self.verifier.build(self.built[flags], flags, 65536, optimise)
                if "time limit" not in self.refused[flags]:
                    break
        return self.refused[flags]


def said(run: PanRun) -> str:
    """pan's verdict on cycles and claims; what fails besides is another question. A formula that only forbids finite
    beginnings becomes a claim with an assertion, which is a double negation."""
    if run.error and not re.search(r"cycle|claim|stutter|assertion violated +!\(\s*!", run.error):
        return "unknown"
    return run.verdict


def ask(network: Network, asked: Property, fairness: str, given: Limits) -> str:
    """Our verdict; a failed assertion is another question here, too."""
    # pan's limit is processor time; what passes by the clock is far more where others use the machine.
    limits = SearchLimits(
        time=8 * given.cpu_s, states=STATES_A_SECOND * given.cpu_s, memory=given.memory_mb * 1_000_000
    )
    verdict = "unknown"
    for reduction in ("none", "stubborn") if fairness == "none" else ("none",):
        try:
            result = check(network, asked, fairness=fairness, reduce=reduction, limits=limits)
        except BeelineError as error:
            return f"refused: {error}"
        finite = result.trace is not None and result.trace.steps and result.trace.steps[-1].error
        verdict = "unknown: assertion violated" if finite else result.verdict
        if verdict != "unknown":
            break
    return verdict


CAUSES = (
    ("spin refuses it", "SPIN refuses the file"),
    ("refused", "refused here"),
    (r"assertion violated|uninitialized", "an error that ends pan's search comes first"),
    ("not compatible with fairness", "too large for pan, whose reduction excludes -f and handshakes"),
    (r"^unknown.* unknown", "too large for both"),
    (r" unknown$", "too large here"),
    ("", "too large for pan"),
)


def why_open(pan: str, own: str) -> str:
    """Why there is nothing to compare."""
    return next(cause for pattern, cause in CAUSES if re.search(pattern, f"{pan} {own}"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance.public_liveness", description=__doc__)
    parser.add_argument("--models", nargs="+", default=[""], metavar="WORD")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--memory", type=int, default=2000, help="MB for a verifier [2000]")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    differing: list[str] = []
    for model in asking(shared_folder(), given.models):
        with tempfile.TemporaryDirectory(prefix="conformance-") as name:
            compared = Comparison(model, Path(name), Limits(cpu_s=given.seconds, memory_mb=given.memory))
            for question, fairness, pan, own in compared.answers():
                known = {pan, own} <= {"holds", "violated"}
                kind = "agree" if pan == own else "differ" if known else "open"
                counts[kind] += 1
                causes.update([why_open(pan, own)] if kind == "open" else [])
                line = f"{kind}: {model.name}: {question}, fairness {fairness}: pan {pan}, Beeline {own}"
                print(line, flush=True)
                differing += [line] if kind == "differ" else []
    print("\n".join(["", *differing, *(f"open, {cause}: {count}" for cause, count in causes.most_common())]))
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
