"""Ample sets from seeds, those first that end what was begun: open transactions are finished before new ones start."""

from beeline.por.declaration import SEEDS, Reduction
from beeline.por.seeds import PAPER

REDUCTION = Reduction(
    name="transactions",
    summary="what a step brings along, steps that are late in a transaction first, if none of it can be seen",
    paper=PAPER,
    strategy=SEEDS,
    finishes=True,
)
