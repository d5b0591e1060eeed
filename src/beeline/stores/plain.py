"""Whole states."""

from beeline.stores.declaration import Store

STORE = Store(
    name="plain",
    summary="whole states, packed to the bits that their values need; every search has it",
    paper="Knuth, The art of computer programming 3, 1973 (open addressing)",
    exact=True,
)
