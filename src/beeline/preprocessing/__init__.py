"""Reductions of a task before it is searched: what cannot matter for a property is taken out of the network."""

from beeline.preprocessing.choices import (
    ALL,
    AUTO,
    CHOICES,
    CONE,
    EXACT,
    MATCHES,
    NONE,
    SAFE,
    ShrinkingError,
    check_choice,
    check_match,
)
from beeline.preprocessing.report import Shrinking
from beeline.preprocessing.smaller import Shrunk, shrink

__all__ = [
    "ALL",
    "AUTO",
    "CHOICES",
    "CONE",
    "EXACT",
    "MATCHES",
    "NONE",
    "SAFE",
    "Shrinking",
    "ShrinkingError",
    "Shrunk",
    "check_choice",
    "check_match",
    "shrink",
]
