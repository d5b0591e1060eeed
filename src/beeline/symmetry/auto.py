"""Exact for nearly all states; where many orders would have to be looked at, the best of 120."""

from beeline.symmetry.declaration import Symmetry

SYMMETRY = Symmetry(
    name="auto",
    summary="exact for nearly all states; where many orders would have to be looked at, the best of 120",
    paper="McKay, Practical graph isomorphism, 1981",
    most=120,
)
