"""How a reduction declares itself: name, paper, what it keeps. Command line and documentation are made from this."""

from __future__ import annotations

from beeline.model.source import BeelineError
from beeline.records import Record, replace

STUBBORN, AMPLE, SEEDS = range(3)

PROVISOS = {
    "closed": "some step kept leads to a state that is not expanded yet",
    "stack": "some step kept leads off the stack of a depth-first search",
    "visited": "some step kept leads to a state that was never seen (C2v of the general-search paper)",
    "duplicate": "the same as visited, under the name that the trail paper gives it",
    "static": "no step kept closes a cycle in the graph of its process",
    "none": "nothing: steps may be put off for ever, so that only violations can be told",
}


class ReductionError(BeelineError, ValueError):
    """A reduction was asked for that does not exist, or that does not go with the search."""


class Reduction(Record, frozen=True):
    """A way of leaving out steps. `proviso` is the cycle condition asked for; empty: the best that the search knows.
    Seeds are taken in an order: `finishes` puts those first that are late in a transaction."""

    name: str
    summary: str
    paper: str
    strategy: int
    proviso: str = ""
    finishes: bool = False

    def with_proviso(self, text: str) -> Reduction:
        """This reduction with the cycle condition that `text` names."""
        if text not in PROVISOS:
            raise ReductionError(f"there is no cycle condition {text!r}; there are: {', '.join(PROVISOS)}")
        return replace(self, proviso=text)

    def __str__(self) -> str:
        return f"{self.name}:{self.proviso}" if self.proviso else self.name


class Asked(Record, frozen=True):
    """What a reduction must keep: ways to goals, to failing steps, to deadlocks."""

    goals: bool
    errors: bool
    deadlocks: bool


NONE = "none"
