"""What a person may say about how the zone graph is built."""

from __future__ import annotations

from enum import Enum

from beeline.records import Record


class Extrapolation(Enum):
    """How zones are widened; the later, the coarser. The lower/upper ones look at the two kinds of bounds apart."""

    NONE = "none"
    M = "m"
    M_PLUS = "m+"
    LU = "lu"
    LU_PLUS = "lu+"


class ZoneOptions(Record, frozen=True):
    """How the zone graph is built, and whether a trace comes with its zones.

    With `merge`, zones whose union is a zone become one: fewer states, at the price of looking for them."""

    extrapolation: Extrapolation = Extrapolation.LU_PLUS
    merge: bool = False
    show: bool = False
