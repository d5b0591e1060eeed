"""Labelled transition systems: files, minimisation, comparison."""

from beeline.lts.aldebaran import SUFFIX, read_aldebaran, to_aldebaran
from beeline.lts.compare import Difference, compare
from beeline.lts.explore import TooManyStates, label_by_event, label_by_step, lts_of
from beeline.lts.lts import TAU, Lts
from beeline.lts.minimise import EQUIVALENCES, minimised

__all__ = [
    "EQUIVALENCES",
    "SUFFIX",
    "TAU",
    "Difference",
    "Lts",
    "TooManyStates",
    "compare",
    "label_by_event",
    "label_by_step",
    "lts_of",
    "minimised",
    "read_aldebaran",
    "to_aldebaran",
]
