"""The project's own DVE models give the answers that stand in their first lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beeline.languages.dve import load_dve
from beeline.model.semantics import Semantics
from beeline.model.validation import validate
from beeline.properties import DEADLOCK

MODELS = sorted((Path(__file__).resolve().parents[3] / "models" / "dve").glob("*.dve"))


def first_bad(file: Path) -> tuple[int, int, dict[str, int]]:
    """States, transitions, and the depth at which each property is first violated."""
    network = load_dve(file)
    validate(network)
    claims = [asked for asked in network.properties if asked.automaton is not None]
    network = claims[0].watched(network) if claims else network
    semantics = Semantics(network)
    front = semantics.initial_states()
    seen, transitions, depth = set(front), 0, 0
    bad: dict[str, int] = {}
    while front:
        following = []
        for state in front:
            for asked in (*network.properties, DEADLOCK):
                if asked.sought is not None:
                    violated = semantics.holds(asked.sought, state)
                elif asked.automaton is not None:
                    violated = semantics.claim_completed(state)
                else:
                    violated = network.monitor is None and semantics.is_deadlock(state)
                if violated:
                    bad.setdefault(asked.name, depth)
            for step in semantics.steps(state):
                transitions += 1
                assert step.target is not None, step.error
                if step.target not in seen:
                    seen.add(step.target)
                    following.append(step.target)
        front, depth = following, depth + 1
    return len(seen), transitions, bad


@pytest.mark.parametrize("file", MODELS, ids=[file.stem for file in MODELS])
def test_the_known_answers_hold(file: Path) -> None:
    text = " ".join(line.removeprefix("//").strip() for line in file.read_text().split("\n\n")[0].splitlines())
    said = re.search(r"(\d+) states, (\d+) transitions", text)
    assert said is not None
    lengths = {name: int(steps) for name, steps in re.findall(r"`(\w+)` is violated, shortest trace (\d+)", text)}
    if deadlock := re.search(r"deadlock after (\d+)", text):
        lengths["deadlock"] = int(deadlock[1])
    assert first_bad(file) == (int(said[1]), int(said[2]), lengths)
