"""The whole source text of a model's code: what all models share, and what was generated for this one."""

from __future__ import annotations

from beeline.engine import core
from beeline.gpu.control import KERNELS

NARROW, PAIR, WIDE, COMPACT = "narrow", "pair", "wide", "compact"
PARTS = {
    NARROW: ("single_slot", "narrow_store", "key_store"),
    PAIR: ("pair_store", "key_store"),
    WIDE: ("wide_store",),
    COMPACT: ("single_slot", "compact_store", "key_store"),
}
"""What the stores are made of."""
MOST_COMPACT = 64  # words of a state that has room beside others in shared memory


def store_for(twin: core.HostTwin, has_pairs: bool = True, lossy: bool = False) -> str:
    """The store that suits the layout: states in the slots of the table, as one number or two, or beside it. One that
    may lose states is taken where it needs less memory."""
    if twin.key_bits <= core.NARROW:
        return NARROW
    if lossy and twin.words <= MOST_COMPACT:
        return COMPACT
    return PAIR if has_pairs and twin.key_bits <= core.PAIR else WIDE


def device_source(twin: core.HostTwin, store: str, lookup: core.Lookup | None = None) -> str:
    """The code for searches of a program, as it is laid out now; those with lookups go by an estimate."""
    return "\n".join([*_steps(twin, lookup), *map(_kernel, PARTS[store]), _kernel("search")])


def walk_source(twin: core.HostTwin) -> str:
    """The code for random walks."""
    return "\n".join(["#define WALKS", *_steps(twin), _kernel("walk")])


def _steps(twin: core.HostTwin, lookup: core.Lookup | None = None) -> list[str]:
    numbers, steps = twin.source(lookup)
    return [_kernel("dialect"), _kernel("control"), numbers, _kernel("model"), steps, _kernel("expand")]


def _kernel(name: str) -> str:
    return (KERNELS / f"{name}.h").read_text()
