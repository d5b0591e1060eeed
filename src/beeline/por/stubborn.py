"""Stubborn sets: whatever is left out can wait, because nothing outside the set touches what is in it."""

from beeline.por.declaration import STUBBORN, Reduction

REDUCTION = Reduction(
    name="stubborn",
    summary="steps that nothing outside their set can disturb, closed under what may enable the disabled ones",
    paper=(
        "Valmari, Stubborn sets for reduced state space generation, 1989; Laarman, Pater, van de Pol and Weber, "
        "Guard-based partial-order reduction, SPIN 2013"
    ),
    strategy=STUBBORN,
)
