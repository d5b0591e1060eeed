"""Random programs with `unless` and other rare constructs whose counterexamples `spin -t` must be able to replay."""

from __future__ import annotations

import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .corners import TRAITS, Corners
from .tool import VIOLATED, Answer, Beeline


def escaping_program_of(seed: int) -> str:
    """The program of a seed: one with `unless` and some other traits."""
    dice = random.Random(f"trail {seed}")
    others = [trait for trait in TRAITS if trait != "errors"]  # a division by zero ends SPIN itself
    traits = frozenset({"unless", *dice.sample(others, dice.randint(1, 3))})
    return Corners(dice.randint, traits).program()


def trail_differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a program (`agrees`, `disagrees`, `rejected`, `without violation`), and the fault of its trail."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        model = Path(name) / "model.pml"
        model.write_text(text)
        plain = beeline.check(model)
        if plain.refused:
            return "rejected", plain.message
        if plain.status != VIOLATED:
            return "without violation", ""
        written = beeline.ask("check", model, ["--search", "bfs", "--trail", f"{model}.trail"])
        if (written.status, _verdicts(written.values)) != (plain.status, _verdicts(plain.values)):
            return "disagrees", f"verdict: {plain.status} without a trail, {written.status} with one"
        if "spin -a does not take" in written.message:
            return "rejected", written.message
        complaint = _replay(model, written)
        return ("disagrees", complaint) if complaint else ("agrees", "")


def _verdicts(values: dict[str, Any]) -> list[str]:
    return [answer["verdict"] for answer in values["answers"]]


def _replay(model: Path, written: Answer) -> str:
    """What is wrong with a trail: SPIN does not follow it to its end, or not to the violation that was found."""
    trail = Path(f"{model}.trail")
    if not trail.exists():
        return f"no trail: {written.message}"
    shown = subprocess.run(["spin", "-t", model.name], cwd=model.parent, capture_output=True, text=True, check=False)
    lines = trail.read_text().splitlines()
    steps = sum(not line.startswith("-") for line in lines)
    count = steps or (-2 if lines else 0)  # SPIN tells the number of the last line
    if f"trail ends after {count} steps" not in shown.stdout:
        return f"replay: {(shown.stdout + shown.stderr)[-300:]}"
    reason = written.values["reason"]
    # A timeout is true whenever SPIN replays, and `_last` is always 0; it also cuts elements of bit arrays, which its
    # verifier does not.
    if "timeout" in reason or "_last" in reason or "truncated in assignment" in shown.stdout:
        return ""
    if ("assertion violated" in shown.stdout) != reason.startswith("assertion failed"):
        return f"replay: {reason}: {shown.stdout[-300:]}"
    return ""
