"""Counterexamples: replayed, readable, exportable."""

from beeline.trace.formats import to_graphviz, to_json, to_text
from beeline.trace.replay import ReplayError, replay
from beeline.trace.trace import Trace, TraceStep

__all__ = ["ReplayError", "Trace", "TraceStep", "replay", "to_graphviz", "to_json", "to_text"]
