"""Reductions of a task before it is searched: what cannot matter for a property is taken out of the network."""

from beeline.preprocessing.choices import (
    ALL,
    AUTO,
    CONE,
    EXACT,
    NONE,
    SAFE,
    ShrinkingError,
    check_choice,
    check_match,
    match_choices,
    shrink_choices,
)
from beeline.preprocessing.report import Shrinking
from beeline.preprocessing.smaller import Shrunk, shrink

__all__ = [
    "ALL",
    "AUTO",
    "CONE",
    "EXACT",
    "NONE",
    "SAFE",
    "Shrinking",
    "ShrinkingError",
    "Shrunk",
    "check_choice",
    "check_match",
    "match_choices",
    "shrink",
    "shrink_choices",
]
