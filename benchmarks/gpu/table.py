"""The rate of the bare table: as many insertions as a search made, of as many different states, and no model."""

from __future__ import annotations

from time import monotonic

from beeline.engine import core
from beeline.gpu import Device
from beeline.gpu.source import WIDE, device_source
from beeline.gpu.store import BUCKET, GROWTH, RING_SHARE, DeviceStore, Sizes

MOST = 4 * 10**9
"""Insertions."""
KERNEL = """
KERNEL BOUNDS(WARPS) beeline_fill(Control* c) {
    __shared__ Warp warps[WARPS];
    Warp* const w = warps + warp_in_block();
    if (lane_number() == 0)
        open_store(w->store);
    SYNC_WARP();
    for (uint64_t base = thread_number() - lane_number(); base < c->count; base += thread_count()) {
        const uint64_t number = base + lane_number(), key = mixed(number) % c->seed;
        State t;
#if KEY_BITS <= 122
        state_of(mixed(2 * key), mixed(2 * key + 1), t);
#else
        for (uint32_t i = 0; i < WORDS; ++i)
            t.w[i] = (uint32_t)mixed(key + i);
#endif
        take_answers(c, w);
        ask(c, w->store, number < c->count, t);
    }
    take_answers(c, w);
    close_store(c, w->store);
}
"""


def table_rate(device: Device, twin: core.HostTwin, kind: str, states: int, arcs: int, buckets: int) -> float:
    """Insertions a second into a table of so many buckets; a part of them if they are very many."""
    part = min(1.0, MOST / arcs)
    states, arcs, buckets = (max(1, int(part * number)) for number in (states, arcs, buckets))
    module = device.load(device_source(twin, kind) + KERNEL)
    table = buckets * BUCKET * (GROWTH + 1) // GROWTH
    memory = table + 4 * twin.words * states if kind == WIDE else int(table / (1 - RING_SHARE))
    store = DeviceStore(device, module, twin.words, kind, Sizes(int(1.02 * memory) + 2**27, 0, False, buckets))
    c = store.control
    try:
        c.count, c.seed = arcs, min(states, 2 * c.size - store.margin if store.is_ring else c.size)
        c.limit = 2 * c.size if store.is_ring else c.size
        began = monotonic()
        store.launch("beeline_fill", arcs)
        return arcs / (monotonic() - began)
    finally:
        store.close()
