"""What symmetry costs and what it gains, as more and more things are alike: states and processor time, each way."""

from __future__ import annotations

import time
from math import factorial

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.models import FOLDER

from beeline import explore
from beeline.engine import Limits
from beeline.languages.murphi import load_murphi

FAMILIES = (("mcs_lock.m", "N", range(2, 9)), ("german.m", "N", range(2, 9)))
MOST = Limits(states=5_000_000)
WAYS = ("none", "exact", "auto", "quick")


def gain() -> str:
    """For each model: how many states there are, representatives by each way, and the seconds that it took."""
    rows = []
    for model, constant, sizes in FAMILIES:
        for size in sizes:
            network = load_murphi(str(FOLDER / model), {constant: str(size)})
            cells, represented, fewest = [], None, 1
            for way in WAYS:
                before = time.process_time()
                found = explore(network, symmetry=way, limits=MOST)
                seconds = time.process_time() - before
                cells.append(f"{grouped(found.statistics.stored)} ({seconds:.2f} s)" if found.complete else "")
                if way == "exact":
                    represented, fewest = found.represented, found.statistics.stored
            assert represented is not None
            gained = f"{represented / fewest:.1f} of {grouped(factorial(size))}"
            rows.append((f"{model} {constant}={size}", grouped(represented), gained, *cells))
            print(" | ".join(rows[-1]), flush=True)
    return table(("model", "states", "gained", *WAYS), rows)
