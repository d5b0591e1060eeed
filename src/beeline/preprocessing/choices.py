"""The words by which reductions of a task are chosen, besides the names of techniques."""

from __future__ import annotations

from beeline.model.source import BeelineError

AUTO, NONE, ALL = "auto", "none", "all"
CONE, SAFE, INFLUENCE = "cone", "safe", "influence"
"""Techniques that others speak of."""
EXACT = "exact"


class ShrinkingError(BeelineError, ValueError):
    """A way to shrink networks was asked for that does not exist."""


def shrink_choices() -> tuple[str, ...]:
    """All that can be said of how networks are shrunk."""
    return (AUTO, NONE, ALL, *_techniques("shrink"))


def match_choices() -> tuple[str, ...]:
    """All that can be said of how states are compared."""
    return (EXACT, *_techniques("match"))


def check_choice(text: str) -> str:
    """Returns `text`, or raises `ShrinkingError` if it names nothing."""
    if text != AUTO and text not in shrink_choices():
        raise ShrinkingError(f"networks are shrunk by {', '.join(shrink_choices())}, not by {text!r}")
    return text


def check_match(text: str) -> str:
    """Returns `text`, or raises `ShrinkingError` if it names no way to compare states."""
    if text != EXACT and text not in match_choices():
        raise ShrinkingError(f"states are compared by {', '.join(match_choices())}, not by {text!r}")
    return text


def _techniques(option: str) -> list[str]:
    from beeline.preprocessing.techniques import all_techniques

    return [one.name for one in all_techniques().values() if one.option == option]
