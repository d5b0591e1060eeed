"""The tables of POeM's paper on our German: states under reduction by seeds and by transactions, folded by symmetry,
without and with invariants that strengthen what can be proved."""

from __future__ import annotations

import time
from itertools import product

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.models import with_constants

from beeline import check
from beeline.languages.murphi import read_murphi

PUBLISHED = {
    "6": ((13_270, 4_485, 2_521), (7_378, 2_542, 1_166)),
    "8": ((81_413, 20_104, 8_098), (42_717, 10_827, 2_851)),
    "10": ((378_236, 69_613, 20_968), (193_790, 36_606, 5_890)),
}
"""States without reduction, with weights by variables, with weights by transactions; then the same strengthened."""
STRENGTHENING = """
ruleset c: client do
  invariant "who has asked waits" asks[c] != no_request -> waits[c];
  invariant "who is granted a copy waits, and asks for nothing else"
    answers[c] = grant_shared | answers[c] = grant_exclusive -> waits[c] & asks[c] = no_request;
  invariant "home is at work for somebody" (command = no_request) = isundefined(current);
  invariant "for whom home is at work waits"
    command != no_request & !isundefined(current) -> (current = c ->
      waits[c] & asks[c] = no_request & answers[c] != grant_shared & answers[c] != grant_exclusive);
  invariant "home knows of all copies"
    cache[c] != invalid | answers[c] != no_reply | confirms[c] = invalidated -> sharer[c];
  invariant "home tells none twice"
    command != no_request & to_invalidate[c] ->
      sharer[c] & answers[c] != invalidate & confirms[c] = no_acknowledgement;
  invariant "nobody gives up a copy without need"
    command = no_request | (command = request_shared & !exclusive_granted) ->
      answers[c] != invalidate & confirms[c] = no_acknowledgement;
  invariant "home knows of the exclusive copy"
    cache[c] = exclusive | answers[c] = grant_exclusive -> exclusive_granted;
  invariant "who has given up its copy has none"
    confirms[c] = invalidated -> cache[c] = invalid & answers[c] = no_reply;
end;
ruleset c: client; d: client do
  invariant "beside an exclusive copy there is none" exclusive_granted & c != d -> !(sharer[c] & sharer[d]);
end;
"""
"""Every step keeps these, as the solver proves by the way: proofs may use them, and no step is seen by them."""
WAYS = (
    ("none", "index"), ("seeds", "syntax"), ("seeds", "index"), ("seeds", "smt"), ("transactions", "index"),
    ("transactions", "smt"), ("stubborn", "smt"),
)  # fmt: skip


def poem(sizes: tuple[str, ...]) -> str:
    """For each number of clients: states stored depth first by each reduction and tier, and what was published."""
    rows = []
    for size, added in product(sizes, ("", STRENGTHENING)):
        with with_constants("german.m", [f"N={size}"]) as path:
            network = read_murphi(path.read_text() + added)
        cells = []
        for reduction, tier in WAYS:
            before = time.process_time()
            found = check(network, "safety", search="dfs", symmetry="exact", reduce=reduction, dependence=tier)
            seconds = time.process_time() - before
            cells.append(f"{grouped(found.statistics.stored)} ({found.verdict}, {seconds:.1f} s)")
        published = ", ".join(map(grouped, PUBLISHED[size][bool(added)]))
        rows.append((f"{size}{', strengthened' if added else ''}", *cells, published))
        print(" | ".join(rows[-1]), flush=True)
    return table(("clients", *(f"{reduction}, {tier}" for reduction, tier in WAYS), "published"), rows)
