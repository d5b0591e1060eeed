"""Ample sets: all steps of one process, if they have nothing to do with the others."""

from beeline.por.declaration import AMPLE, Reduction

REDUCTION = Reduction(
    name="ample",
    summary="all steps of one process whose steps are independent of the others' and cannot be seen",
    paper=(
        "Peled, All from one, one for all, CAV 1993; Bosnacki, Leue and Lluch-Lafuente, Partial-order reduction for "
        "general state exploring algorithms, SPIN 2006"
    ),
    strategy=AMPLE,
)
