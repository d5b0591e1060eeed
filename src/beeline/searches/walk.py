"""Random walks, guided by a heuristic."""

from beeline.engine import core
from beeline.searches.declaration import Option, Promises, Search, Takes

SEARCH = Search(
    name="walk",
    summary="tries short random walks, goes on from the one with the best estimate, begins anew when stuck",
    paper="Nakhost and Müller, Monte-Carlo exploration for deterministic planning, IJCAI 2009",
    promises=Promises(shortest=False, complete=False),
    options=(
        Option("seed", "the number that all chance is made from", 0),
        Option("restarts", "how often to begin before giving up", 100, 1, 2**31),
        Option("tries", "walks from one place", 20, 1, 2**31),
        Option("length", "steps of a walk at first; it doubles while nothing gets better", 16, 1, 2**20),
    ),
    takes=Takes.ONE,
    call=lambda space, request, options, guide: space.walk(
        request,
        core.Walk(
            guide.native,
            seed=options["seed"] or 0,
            restarts=options["restarts"] or 1,
            tries=options["tries"] or 1,
            length=options["length"] or 1,
        ),
    ),
)
