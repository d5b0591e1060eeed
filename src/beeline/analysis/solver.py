"""Asks an SMT solver whether something can be, within a time for each question and for all of them.

Answers are kept on disk by the text of the question: what was proved once need not be proved again.
"""

from __future__ import annotations

import hashlib
import os
from time import monotonic

import z3

from beeline.analysis.formulas import Truth
from beeline.jit.cache import CacheError, cache_folder

KEPT = "proofs"
LARGEST = 16 * 2**20
"""Bytes of answers that are kept; more are not added."""


class Solver:
    """Answers questions about what is `known` to hold; `asked`, `found` (in the cache) and `given_up` count them."""

    def __init__(self, seconds: float, altogether: float, known: Truth, assumed: Truth) -> None:
        self.seconds = seconds
        self._end = monotonic() + altogether
        self.asked = self.found = self.given_up = 0
        self._solver = z3.SolverFor("QF_BV")
        self._solver.add(known)
        self._assumed = assumed
        self._about = f"{z3.get_version_string()}\0{_text(known)}\0"
        self._about_assumed = f"{self._about}{_text(assumed)}\0"
        self._answers = _read()

    def impossible(self, condition: Truth, assuming: bool) -> bool:
        """Whether a condition holds nowhere, or nowhere where also what is assumed holds. False where that could not be
        told in time."""
        if isinstance(condition, bool):
            return not condition
        self.asked += 1
        about = self._about_assumed if assuming else self._about
        key = hashlib.sha256(f"{about}{_text(condition)}".encode()).hexdigest()
        if key in self._answers:
            self.found += 1
            return self._answers[key]
        answer = self._solve(condition, assuming)
        if answer is None:
            self.given_up += 1
            return False
        self._answers[key] = answer
        _keep(key, answer)
        return answer

    def _solve(self, condition: Truth, assuming: bool) -> bool | None:
        left = min(self.seconds, self._end - monotonic())
        if left <= 0:
            return None
        self._solver.set("timeout", max(1, round(1000 * left)))
        self._solver.push()
        self._solver.add(condition, self._assumed if assuming else True)
        answer = self._solver.check()
        self._solver.pop()
        return None if answer == z3.unknown else bool(answer == z3.unsat)


def _text(formula: Truth) -> str:
    return str(formula) if isinstance(formula, bool) else str(formula.sexpr())


def _read() -> dict[str, bool]:
    """The answers of earlier runs, a line for each; a line that is not whole does not count."""
    found: dict[str, bool] = {}
    try:
        text = (cache_folder() / KEPT).read_text(encoding="ascii", errors="replace")
    except (CacheError, OSError):
        return found
    for line in text.splitlines():
        key, _, answer = line.partition(" ")
        if len(key) == 64 and answer in ("impossible", "possible"):
            found[key] = answer == "impossible"
    return found


def _keep(key: str, answer: bool) -> None:
    """Whole lines are added at once, so that several processes may do so."""
    try:
        place = cache_folder() / KEPT
        if place.exists() and place.stat().st_size > LARGEST:
            return
        descriptor = os.open(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except (CacheError, OSError):
        return
    try:
        os.write(descriptor, f"{key} {'impossible' if answer else 'possible'}\n".encode())
    finally:
        os.close(descriptor)
