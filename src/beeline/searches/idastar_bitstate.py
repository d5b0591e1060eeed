"""Iterative deepening A* that remembers states in a few bits each."""

from beeline.engine import core
from beeline.searches.declaration import Option, Promises, Search, Takes

SEARCH = Search(
    name="idastar-bitstate",
    summary="iterative deepening A* with a table of bits: hardly any memory, and never a proof that there is nothing",
    paper="Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking in the validation of "
    "communication protocols, STTT 5, 2004",
    promises=Promises(shortest=False, complete=False),
    options=(
        Option("bits", "the table has two to the power of this many bits", 27, 10, 44),
        Option("depths", "1: a state at another depth is another state; then no state is blocked by a longer way", 0),
        Option("step", "the bound grows by at least this", 1, 1, 2**31),
    ),
    takes=Takes.ONE,
    call=lambda space, request, options, guide: space.ida_star(
        request,
        core.IdaStar(
            guide.native,
            prune=guide.prune,
            step=options["step"] or 1,
            log_bits=options["bits"] or 27,
            bits_by_depth=bool(options["depths"]),
        ),
    ),
)
