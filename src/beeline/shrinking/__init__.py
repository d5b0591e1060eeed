"""Reductions of a task before it is searched: what cannot matter for a property is taken out of the network."""

from beeline.shrinking.report import Shrinking
from beeline.shrinking.smaller import (
    ALL,
    AUTO,
    CHOICES,
    CONE,
    NONE,
    SAFE,
    TECHNIQUES,
    ShrinkingError,
    Shrunk,
    check_choice,
    shrink,
)

__all__ = [
    "ALL",
    "AUTO",
    "CHOICES",
    "CONE",
    "NONE",
    "SAFE",
    "TECHNIQUES",
    "Shrinking",
    "ShrinkingError",
    "Shrunk",
    "check_choice",
    "shrink",
]
