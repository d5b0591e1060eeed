"""The names by which reductions of a task are chosen."""

from __future__ import annotations

from beeline.model.source import BeelineError

AUTO, NONE, CONE, SAFE, ALL = "auto", "none", "cone", "safe", "all"
DEAD = "dead-variables"
CHOICES = (AUTO, NONE, CONE, SAFE, ALL, DEAD)
EXACT, INFLUENCE = "exact", "influence"
MATCHES = (EXACT, INFLUENCE)


class ShrinkingError(BeelineError, ValueError):
    """A way to shrink networks was asked for that does not exist."""


def check_choice(text: str) -> str:
    """Returns `text`, or raises `ShrinkingError` if it names nothing."""
    if text not in CHOICES:
        raise ShrinkingError(f"networks are shrunk by {', '.join(CHOICES)}, not by {text!r}")
    return text


def check_match(text: str) -> str:
    """Returns `text`, or raises `ShrinkingError` if it names no way to compare states."""
    if text not in MATCHES:
        raise ShrinkingError(f"states are compared by {', '.join(MATCHES)}, not by {text!r}")
    return text
