"""One representative for all states that are alike, however long it takes to find."""

from beeline.symmetry.declaration import Symmetry

SYMMETRY = Symmetry(
    name="exact",
    summary="one representative for all states that are alike, however long it takes to find",
    paper="McKay, Practical graph isomorphism, 1981; Ip and Dill, Better verification through symmetry, FMSD 1996",
    most=0,
)
