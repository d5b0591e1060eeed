"""Ample sets from seeds: the first step, in a fixed order, whose set is small enough and cannot be seen."""

from beeline.por.declaration import SEEDS, Reduction

PAPER = (
    "Bhattacharya, German and Gopalakrishnan, Exploiting symmetry and transactions for partial order reduction of "
    "rule based specifications, SPIN 2006"
)
REDUCTION = Reduction(
    name="seeds",
    summary="what a step brings along, steps that look at few variables first, if none of it can be seen",
    paper=PAPER,
    strategy=SEEDS,
)
