"""What a person may say about how the zone graph is built."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Extrapolation(Enum):
    """How zones are widened; the later, the coarser. The lower/upper ones look at the two kinds of bounds apart."""

    NONE = "none"
    M = "m"
    M_PLUS = "m+"
    LU = "lu"
    LU_PLUS = "lu+"


@dataclass(frozen=True)
class ZoneOptions:
    """How the zone graph is built, and whether a trace comes with its zones.

    With `merge`, zones whose union is a zone become one: fewer states, at the price of looking for them."""

    extrapolation: Extrapolation = Extrapolation.LU_PLUS
    merge: bool = False
    show: bool = False
