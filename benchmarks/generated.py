"""Networks that scale, for measuring: philosophers, a token ring, counters."""

from __future__ import annotations

from collections.abc import Callable

from beeline import Network, NetworkBuilder


def philosophers(count: int) -> Network:
    """Dining philosophers who take the left fork first."""
    builder = NetworkBuilder(f"philosophers {count}")
    builder.variable("taken", size=count)
    seat = builder.process("phil", parameters={"left": (0, count - 1), "right": (0, count - 1)})
    seat.location("thinks").location("hungry").location("eats")
    seat.edge("thinks", "hungry", guard="!taken[left]", effect="taken[left] = 1")
    seat.edge("hungry", "eats", guard="!taken[right]", effect="taken[right] = 1")
    seat.edge("eats", "thinks", effect="taken[left] = 0; taken[right] = 0")
    for position in range(count):
        builder.start("phil", left=position, right=(position + 1) % count)
    return builder.build()


def token_ring(count: int) -> Network:
    """Stations that may want to send; the one that holds the token sends, then hands it on by a handshake."""
    builder = NetworkBuilder(f"token ring {count}")
    builder.channel("token", size=count)
    station = builder.process(
        "station", parameters={"me": (0, count - 1), "following": (0, count - 1), "first": (0, 1)}
    )
    station.location("start").location("idle").location("wants").location("holds")
    station.edge("start", "idle", guard="!first").edge("start", "holds", guard="first")
    station.edge("idle", "wants")
    station.edge("idle", "holds", sync="token[me]?").edge("wants", "holds", sync="token[me]?")
    station.edge("holds", "idle", sync="token[following]!")
    for position in range(count):
        builder.start("station", me=position, following=(position + 1) % count, first=int(position == 0))
    return builder.build()


def counters(count: int, top: int = 9) -> Network:
    """Independent counters from 0 to `top`, which start again."""
    builder = NetworkBuilder(f"counters {count}")
    builder.variable("value", 0, top, size=count)
    counter = builder.process("counter", parameters={"me": (0, count - 1)})
    counter.location("counts").edge("counts", "counts", effect=f"value[me] = (value[me] + 1) % {top + 1}")
    for position in range(count):
        builder.start("counter", me=position)
    return builder.build()


FAMILIES: dict[str, Callable[[], Network]] = {
    "philosophers 17": lambda: philosophers(17),
    "token ring 13": lambda: token_ring(13),
    "counters 7": lambda: counters(7),
}
