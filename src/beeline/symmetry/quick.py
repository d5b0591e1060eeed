"""The first representative that comes up: one of a few, found in a moment."""

from beeline.symmetry.declaration import Symmetry

SYMMETRY = Symmetry(
    name="quick",
    summary="the first representative that comes up: one of a few, found in a moment",
    paper="Ip and Dill, Better verification through symmetry, FMSD 1996",
    most=1,
)
