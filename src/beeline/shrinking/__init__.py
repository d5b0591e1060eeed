"""Reductions of a task before it is searched: what cannot matter for a property is taken out of the network."""

from beeline.shrinking.choices import ALL, AUTO, CHOICES, CONE, NONE, SAFE, ShrinkingError, check_choice
from beeline.shrinking.report import Shrinking
from beeline.shrinking.smaller import Shrunk, shrink

__all__ = [
    "ALL",
    "AUTO",
    "CHOICES",
    "CONE",
    "NONE",
    "SAFE",
    "Shrinking",
    "ShrinkingError",
    "Shrunk",
    "check_choice",
    "shrink",
]
