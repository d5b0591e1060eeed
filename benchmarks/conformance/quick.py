"""SPIN's count and verdict of a small program, as quickly as SPIN allows: one compilation, not optimised."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

from .spin import PLAIN_CC, PLAIN_SPIN, Limits, Verifier, kind_of, steps_to_error

LIMITS = Limits(cpu_s=3, memory_mb=300, depth=100_000, depth_again=0)
SMALL_TABLE = "-w16"


@dataclasses.dataclass(frozen=True)
class Quick:
    """What SPIN says: a count and a verdict, or why there is none."""

    states: int | None = None
    verdict: str = "unknown"
    kind: str = ""
    rejected: str = ""
    shortest: int | None = None


def ask_quickly(text: str, most_states: int = 20_000, shortest: bool = False, compiler: str = "gcc") -> Quick:
    """Runs SPIN on a text; programs with more states than wanted come back without a count.

    >>> ask_quickly("active proctype P() { skip }")  # doctest: +SKIP
    Quick(states=2, verdict='holds', kind='', rejected='', shortest=None)
    """
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        folder = Path(name)
        (folder / "model.pml").write_text(text)
        verifier = Verifier(folder, LIMITS)
        accepted, message = verifier.generate(folder / "model.pml", [], PLAIN_SPIN)
        if not accepted:
            return Quick(rejected=message)
        # -fwrapv: the arithmetic of Promela wraps, that of C need not.
        complaint = verifier.build("pan", ["-fwrapv", *PLAIN_CC], 1024, "-O0", compiler)
        if complaint:
            return Quick(rejected=complaint)
        count = verifier.search("pan", ["-E", "-A", "-c0", SMALL_TABLE])
        if not count.complete or count.states is None or count.states > most_states:
            large = count.complete or count.reason in ("time", "memory", "depth")
            return Quick(rejected="" if large else count.reason)
        judged = verifier.search("pan", [SMALL_TABLE])
        length = _shortest(verifier) if shortest and judged.error else None
        return Quick(count.states, judged.verdict, kind_of(judged.error), "", length)


def _shortest(verifier: Verifier) -> int | None:
    if verifier.build("bfs", ["-fwrapv", "-DBFS", *PLAIN_CC], vector=1024, optimise="-O0"):
        return None
    runs = [verifier.search("bfs", [option, SMALL_TABLE]) for option in ("-E", "-A")]
    lengths = (steps_to_error(run, breadth_first=True) for run in runs)
    return min((length for length in lengths if length is not None), default=None)
