"""The whole source text of a model's code: what all models share, and what was generated for this one."""

from __future__ import annotations

from beeline.engine import core
from beeline.gpu.control import KERNELS

NARROW, PAIR, WIDE, COMPACT, BITS = "narrow", "pair", "wide", "compact", "bits"
PARTS = {
    NARROW: ("single_slot", "narrow_store", "buckets", "slot_table", "key_store"),
    PAIR: ("pair_store", "buckets", "slot_table", "key_store"),
    WIDE: ("wide_store",),
    COMPACT: ("single_slot", "compact_store", "buckets", "slot_table", "key_store"),
    BITS: ("single_slot", "compact_store", "buckets", "bit_table", "key_store"),
}
"""What the stores are made of."""
PLAIN, HASH_COMPACT, BITSTATE = "plain", "hash-compact", "bitstate"
"""Names of stores as one asks for them."""
MOST_COMPACT = 64  # words of a state that has room beside others in shared memory


def store_for(twin: core.HostTwin, has_pairs: bool = True, asked: str = PLAIN) -> str:
    """The store that suits the layout: states in the slots of the table, as one number or two, or beside it. One that
    may lose states is taken where it needs less memory."""
    if asked == BITSTATE and twin.words <= MOST_COMPACT:
        return BITS
    if twin.key_bits <= core.NARROW:
        return NARROW
    if asked == HASH_COMPACT and twin.words <= MOST_COMPACT:
        return COMPACT
    return PAIR if has_pairs and twin.key_bits <= core.PAIR else WIDE


def device_source(
    twin: core.HostTwin, store: str, lookup: core.Lookup | None = None, cycles: bool = False, shared: bool = False
) -> str:
    """The code for searches of a program, as it is laid out now; those with lookups go by an estimate. If `shared`, a
    device has a part of the states."""
    kinds = (*(("share",) if shared else ()), "search", *(("cycles",) if cycles else ()))
    asked = f"#define SEEKS_CYCLES {int(cycles)}\n#define IS_SHARED {int(shared)}"
    return "\n".join([asked, *_steps(twin, lookup), *map(_kernel, (*PARTS[store], *kinds))])


def walk_source(twin: core.HostTwin) -> str:
    """The code for random walks."""
    return "\n".join(["#define WALKS", *_steps(twin), _kernel("walk")])


def _steps(twin: core.HostTwin, lookup: core.Lookup | None = None) -> list[str]:
    numbers, steps = twin.source(lookup)
    return [_kernel("dialect"), _kernel("control"), numbers, _kernel("model"), steps, _kernel("expand")]


def _kernel(name: str) -> str:
    return (KERNELS / f"{name}.h").read_text()
