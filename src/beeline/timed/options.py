"""What a person may say about how the zone graph is built."""

from enum import Enum
from typing import Annotated

from beeline.parameters import Parameter
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

    extrapolation: Annotated[Extrapolation, Parameter("How zones are widened.")] = Extrapolation.LU_PLUS
    merge: Annotated[bool, Parameter("Join zones whose union is one (models with clocks).", name="merge-zones")] = False
    show: Annotated[bool, Parameter("Show the zones of a trace, too (models with clocks).", name="zones")] = False
