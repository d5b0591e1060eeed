"""Runs test cases on an implementation, by an adapter that a person writes."""

from __future__ import annotations

from typing import Protocol

from beeline.conformance.cases import Next, TestCase
from beeline.conformance.graph import FAIL, INCONCLUSIVE
from beeline.conformance.suspension import QUIET

MOST_LABELS = 10_000


class Adapter(Protocol):
    """An implementation, freshly started, as tests see it."""

    def stimulate(self, label: str) -> None:
        """Do what the label of a stimulus says."""

    def observe(self) -> str | None:
        """The label of the next output; None if there is none, for as long as the adapter thinks fit."""


class Nonconforming(AssertionError):
    """An implementation did what its specification does not allow."""


def run_case(case: TestCase, adapter: Adapter) -> tuple[str, list[str]]:
    """The verdict, and what was done and seen."""
    at: Next = 0
    seen: list[str] = []
    while isinstance(at, int) and len(seen) < MOST_LABELS:
        state = case.states[at]
        if state.outputs is None:
            seen.append(state.stimulus)
            adapter.stimulate(state.stimulus)
            at = state.then
        else:
            found = adapter.observe()
            seen.append(QUIET if found is None else found)
            at = case.follow(at, seen[-1])
    return (at if isinstance(at, str) else INCONCLUSIVE), seen


def check_case(case: TestCase, adapter: Adapter) -> str:
    """The verdict; raises `Nonconforming` for a failure, with the word that led there and what was allowed instead."""
    verdict, seen = run_case(case, adapter)
    if verdict == FAIL:
        at: Next = 0
        for label in seen[:-1]:
            assert isinstance(at, int)
            state = case.states[at]
            at = state.then if state.outputs is None else case.follow(at, label)
        assert isinstance(at, int)
        allowed = ", ".join(sorted(case.states[at].outputs or ())) or "nothing"
        raise Nonconforming(f"after {' . '.join(seen[:-1]) or 'the start'}: {seen[-1]}, allowed: {allowed}")
    return verdict
