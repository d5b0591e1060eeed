"""Random programs with formulas and labels, through `pan -a`, `-l` and `-f` and through Beeline's searches for cycles.

A program comes from `generator`, without its assertions. It has random formulas over conditions on its global
variables, or a never claim over them with accept labels, or accept or progress labels at some of its loops. One
verifier answers all formulas of a program.
"""

from __future__ import annotations

import dataclasses
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .generator import program_of
from .quick import LIMITS, SMALL_TABLE
from .spin import PLAIN_SPIN, PanRun, Verifier, quick_compiler

if TYPE_CHECKING:
    from beeline.checking import Result
    from beeline.model.network import Network

    from .tool import Beeline

FORMULAS = 5  # for each program
MOST_STATES = 20_000
MOST_PAIRS = 200_000  # there may be as many as states times accepting states: such a search says nothing
TRANSLATION_S = 2  # some formulas keep SPIN's translation busy for minutes
CYCLES = ("-fwrapv", "-DNOREDUCE")
_GLOBAL = re.compile(r"^(?:byte|bit|bool|short|int|unsigned|pid) (\w+)(?: : \d+)?(?: = [^;\[]+)?;", re.MULTILINE)
_LOOP = re.compile(r"(?<=[^{]\n)( +)((?:\w+: )?)(do|if)$", re.MULTILINE)  # not first in an atomic


def live_program_of(seed: int) -> str:
    """The program of a seed: a model and formulas named f0, f1, .., or a claim, or labels."""
    dice = random.Random(f"live {seed}")
    text = re.sub(r"\bassert\(.*\)", "skip", program_of(seed))
    kind = dice.choice(["", "", "accept", "progress"])
    names = _GLOBAL.findall(text) or ["_nr_pr"]
    if not kind and random.Random(f"claim {seed}").random() < 0.3:
        return text + random_claim(names, dice)
    if kind:
        text = _labelled(text, kind, dice)
    formulas = "".join(f"ltl f{i} {{ {_formula(names, dice, 3)} }}\n" for i in range(FORMULAS))
    return text if kind else text + formulas


def _labelled(text: str, kind: str, dice: random.Random) -> str:
    count = iter(range(1000))
    return _LOOP.sub(
        lambda m: f"{m[1]}{m[2]}{kind}_{next(count)}: {m[3]}" if dice.random() < 0.5 else m[0],
        text,
    )


def random_claim(names: list[str], dice: random.Random) -> str:
    """A never claim of some places, one or more of them accepting; no place is left for the end of the claim."""
    labels = [f"{dice.choice(['accept_', ''])}T{number}" for number in range(dice.randint(1, 3))]
    lines = ["never {"]
    for label in labels:
        lines.append(f"{label}: do")
        for _ in range(dice.randint(1, 3)):
            guard = dice.choice(["true", _condition(names, dice), _condition(names, dice)])
            inner = dice.choice(["{}", "{}", "{}", "atomic {{ {} -> skip }}", "d_step {{ {} -> skip }}"]).format(guard)
            lines.append(f"    :: {inner} -> goto {dice.choice(labels)}")
        lines.append("    od;")
    return "\n".join([*lines, "}"]) + "\n"


def _condition(names: list[str], dice: random.Random) -> str:
    return f"({dice.choice(names)} {dice.choice(['==', '!=', '<', '>='])} {dice.randrange(3)})"


def _formula(names: list[str], dice: random.Random, depth: int) -> str:
    if depth == 0 or dice.random() < 0.15:
        return _condition(names, dice)
    kind = dice.choice(["[]", "<>", "[]", "<>", "!", "&&", "||", "->", "U", "V", "W"])
    if kind in ("[]", "<>", "!"):
        return f"{kind} ({_formula(names, dice, depth - 1)})"
    return f"({_formula(names, dice, depth - 1)}) {kind} ({_formula(names, dice, depth - 1)})"


@dataclasses.dataclass(frozen=True)
class Question:
    """What is asked of both tools: `name` of ours, and how `pan` is built and run for it."""

    name: str
    flags: tuple[str, ...]
    options: tuple[str, ...]
    fairness: str = "none"


def questions(text: str) -> Iterator[Question]:
    """Without and with weak fairness."""
    # Whoever has no leave to move, or is outranked, counts for pan as able to move in some places and not in others.
    blurred = re.search(r"\b(provided|priority|set_priority)\b", text) is not None
    for fairness, more in (("none", ()), *((("weak", ("-f",)),) if not blurred else ())):
        for name in re.findall(r"^ltl (\w+)", text, re.MULTILINE):
            yield Question(name, CYCLES, ("-a", "-N", name, *more), fairness)
        if "never {" in text:
            yield Question("claim", CYCLES, ("-a", *more), fairness)
        elif "accept_" in text:
            yield Question("acceptance", CYCLES, ("-a", "-E", *more), fairness)  # which would end claims, too
        if "progress_" in text:
            yield Question("progress", (*CYCLES, "-DNP"), ("-l", *more), fairness)


def pan_answers(text: str, compiler: str = "gcc") -> dict[Question, PanRun] | str:
    """What `pan` says, or why there is nothing to compare."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        folder = Path(name)
        (folder / "model.pml").write_text(text)
        verifier = Verifier(folder, LIMITS)
        accepted, message = verifier.generate(folder / "model.pml", [], PLAIN_SPIN, TRANSLATION_S)
        if not accepted:
            return f"rejected: {message}"
        answers: dict[Question, PanRun] = {}
        built: set[tuple[str, ...]] = set()
        for question in questions(text):
            pan = "np" if "-DNP" in question.flags else "pan"
            if question.flags not in built:
                flags = (*question.flags, "-DNFAIR=3")
                complaint = verifier.build(pan, flags, vector=1024, optimise="-O0", compiler=compiler)
                if complaint:
                    return f"rejected: {complaint}"
                built.add(question.flags)
            answers[question] = verifier.search(pan, [*question.options, SMALL_TABLE])
            if answers[question].states is not None and (answers[question].states or 0) > MOST_STATES:
                return "too large"
        return answers


SEARCHES = {"none": ("ndfs", "scc", "bfs", "auto"), "weak": ("scc",)}


def live_differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a program, and how the tools differ on it. Whatever a quick compiler makes, gcc has the last
    word."""
    for compiler in dict.fromkeys((quick_compiler(), "gcc")):
        found = _differences(text, compiler)
        if found[0] != "disagrees":
            break
    return found


def _differences(text: str, compiler: str) -> tuple[str, str]:
    from beeline.languages import load
    from beeline.model.source import ModelError

    answers = pan_answers(text, compiler)
    if isinstance(answers, str):
        return ("too large", "") if answers == "too large" else ("rejected", answers)
    if not answers:
        return "rejected", "nothing to ask"
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        path = Path(name) / "model.pml"
        path.write_text(text)
        try:
            network = load(path)
        except ModelError as error:
            return "disagrees", f"refused: {error}"
        causes: set[str] = set()
        for question, run in answers.items():
            if run.verdict == "unknown":
                continue
            for search in SEARCHES[question.fairness]:
                try:
                    result = _ask(network, question, search)
                except Exception as error:  # a fault of ours, whatever it is
                    return "disagrees", f"{question.name} {question.fairness} {search}: {type(error).__name__} {error}"
                if result.verdict == run.verdict or (result.verdict == "unknown" and "limit" in result.reason):
                    continue
                cause = _explained(text, network, question, result, answers)
                if not cause:
                    said = f"pan {run.verdict} ({run.error}), Beeline {result.verdict} ({result.reason})"
                    return "disagrees", f"{question.name} {question.fairness} {search}: {said}"
                causes.add(cause)
    return f"explained ({', '.join(sorted(causes))})" if causes else "agrees", ""


def _explained(text: str, network: Network, question: Question, result: Result, answers: dict[Question, PanRun]) -> str:
    """The cause of a difference, or nothing. Under `-f` pan does not count an accepting state that the claim reaches
    after the network has come to rest, though such a run starves nobody; without `-f` it reports it. And where nobody
    can move, it may still remember an accept label that was passed before."""
    from .oddities import invented, missed

    if answers[question].verdict == "violated":
        if question.fairness == "weak" and answers[question].error == "accept stutter":
            return "an old accept label at rest"
        asked = next(asked for asked in network.properties if question.name in (asked.name, asked.kind))
        return invented(text, asked, question.flags, question.options)
    if question.fairness == "none":
        return ""
    plain = dataclasses.replace(question, options=tuple(o for o in question.options if o != "-f"), fairness="none")
    if _comes_to_rest(result) and answers[plain].verdict == "violated":
        return "rest under -f"
    return missed(text, (*question.flags, "-DNFAIR=3"), question.options)


def _comes_to_rest(result: Result) -> bool:
    """Whether nobody but a claim moves on the cycle."""
    if result.trace is None or result.trace.cycle is None:
        return False
    return all(step.process == "monitor" for step in result.trace.steps[result.trace.cycle :])


def _ask(network: Network, question: Question, search: str) -> Result:
    from beeline import Limits
    from beeline.checking import check

    return check(
        network, question.name, search=search, fairness=question.fairness, limits=Limits(time=20, states=MOST_PAIRS)
    )
