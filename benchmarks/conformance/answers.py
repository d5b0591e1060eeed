"""Measures the known answers of the project's Promela models with SPIN: writes `models/promela/answers.toml`.

    python -m benchmarks.conformance.answers            all entries once more
    python -m benchmarks.conformance.answers leader     only models whose name contains a word

The file is its own list of what to measure: to add an entry, write its `model` and `macros` and run this.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from .corpus import OWN_MODELS
from .spin import Limits, SpinFacts, ask_spin

HEADER = """\
# Known answers of the models in this folder, measured with SPIN 6.5.2. Written by
# `python -m benchmarks.conformance.answers`; to add an entry, write its model and macros and run that.
#
# verdict   of assertions and invalid end states, as `pan -DSAFETY` gives it, claims left aside
# kind      of the shortest error: deadlock, assertion, ..
# states    SPIN's plain count: spin -a -o1 -o2 -o3, -DNOREDUCE -DSAFETY -DNOCLAIM, pan -E -A -c0
# shortest  statements up to the error, a failing assertion included, by -DBFS (models without rendezvous)
# two_step  the same for models with rendezvous, by -DREACH and pan -i: each handshake counts as two
"""


def render(entries: list[dict[str, Any]]) -> str:
    """The text of the file."""
    parts = [HEADER]
    for entry in entries:
        lines = ["\n[[answer]]"]
        for key, value in entry.items():
            lines.append(f"{key} = {json.dumps(value)}")
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)


def entry_of(model: str, macros: list[str], facts: SpinFacts) -> dict[str, Any]:
    """What is written down of SPIN's facts; unknown values are left out."""
    entry: dict[str, Any] = {"model": model, "macros": macros, "verdict": facts.verdict}
    if facts.verdict == "violated":
        entry["kind"] = facts.shortest_kind or facts.kind
    if facts.states is not None:
        entry["states"] = facts.states
    if facts.shortest_exact and facts.shortest is not None:
        entry["shortest"] = facts.shortest
    if facts.shortest_two_step is not None:
        entry["two_step"] = facts.shortest_two_step
    return entry


def main(words: list[str], folder: Path = OWN_MODELS) -> None:
    """Measures the entries whose model contains one of the words (without words: all), rewrites the file."""
    path = folder / "answers.toml"
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text()).get("answer", [])
    limits = Limits(cpu_s=120, memory_mb=4000)
    for i, entry in enumerate(entries):
        if words and not any(word in entry["model"] for word in words):
            continue
        facts = ask_spin(folder / entry["model"], entry["macros"], limits)
        if not facts.accepted:
            raise SystemExit(f"{entry['model']}: {facts.message}")
        if facts.plain_verdict != "unknown" and facts.plain_verdict != facts.verdict:
            raise SystemExit(f"{entry['model']} {entry['macros']}: SPIN contradicts itself: {facts}")
        entries[i] = entry_of(entry["model"], entry["macros"], facts)
        print(entries[i], flush=True)
        path.write_text(render(entries))


if __name__ == "__main__":
    main(sys.argv[1:])
