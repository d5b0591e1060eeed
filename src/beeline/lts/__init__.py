"""Labelled transition systems: files, minimisation, comparison."""

from beeline.lts.aldebaran import SUFFIX, read_aldebaran, to_aldebaran
from beeline.lts.compare import Difference, compare
from beeline.lts.explore import TooManyStates, Unfinished, label_by_event, label_by_step, lts_of
from beeline.lts.lts import TAU, Lts
from beeline.lts.minimise import EQUIVALENCES, minimised
from beeline.lts.network_system import explore_alone, network_system

__all__ = [
    "EQUIVALENCES",
    "SUFFIX",
    "TAU",
    "Difference",
    "Lts",
    "TooManyStates",
    "Unfinished",
    "compare",
    "explore_alone",
    "label_by_event",
    "label_by_step",
    "lts_of",
    "minimised",
    "network_system",
    "read_aldebaran",
    "to_aldebaran",
]
