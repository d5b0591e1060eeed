"""States as trees of shared parts."""

from beeline.stores.declaration import Store, Use

STORE = Store(
    name="tree",
    summary="states as trees whose equal parts are kept once: little memory",
    paper="Laarman, van de Pol, Weber, Parallel recursive state compression for free, SPIN 2011",
    exact=True,
    # No reduction: paths are kept as positions among all arcs of a state.
    uses={"bfs": Use(lambda space, request, options, guide: space.breadth_first_tree(request))},
)
