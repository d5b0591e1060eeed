"""A few bits of a table for each state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beeline.engine import core
from beeline.searches.declaration import Guide, Option, Values
from beeline.stores.declaration import Store, Use

if TYPE_CHECKING:
    from beeline.engine.native_space import NativeSpace


def _bits(default: int) -> Option:
    return Option("bits", "the table has two to the power of this many bits", default, 10, 44)


def _ida_star(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    """As in Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking in the validation of
    communication protocols, STTT 5, 2004."""
    return space.ida_star(
        request,
        core.IdaStar(
            guide.native,
            prune=guide.prune,
            step=options["step"] or 1,
            log_bits=options["bits"] or 27,
            bits_by_depth=bool(options["depths"]),
        ),
    )


STORE = Store(
    name="bitstate",
    summary="a few bits of a table for each state: may miss states; breadth-first search says how probably",
    paper="Holzmann, An analysis of bitstate hashing, Formal Methods in System Design 13, 1998",
    exact=False,
    uses={
        "bfs": Use(
            lambda space, request, options, guide: space.breadth_first_bitstate(request, options["bits"] or 30),
            options=(_bits(30),),
            tells_omission=True,
        ),
        "idastar": Use(
            _ida_star,
            options=(
                _bits(27),
                Option("depths", "1: a state at another depth is another state; no longer way blocks a state", 0),
            ),
            reduces=True,
            zones=True,
        ),
    },
)
