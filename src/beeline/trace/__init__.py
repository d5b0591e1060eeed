"""Counterexamples: replayed, readable, exportable."""

from typing import TYPE_CHECKING

from beeline.trace.formats import to_graphviz, to_json
from beeline.trace.replay import ReplayError, replay
from beeline.trace.trace import Trace, TraceStep

if TYPE_CHECKING:
    from beeline.trace.table import to_text

__all__ = ["ReplayError", "Trace", "TraceStep", "replay", "to_graphviz", "to_json", "to_text"]


def __getattr__(name: str) -> object:
    """A check without a trace needs no table."""
    if name == "to_text":
        from beeline.trace.table import to_text

        return to_text
    raise AttributeError(f"module 'beeline.trace' has no attribute '{name}'")
