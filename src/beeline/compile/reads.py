"""Which cells of the state an expression can depend on, so that it is not evaluated again when none changed."""

from __future__ import annotations

from beeline.compile.layout import Layout
from beeline.model.expressions import (
    At,
    Builtin,
    Call,
    ChannelInfo,
    Expression,
    Field,
    Index,
    Instance,
    Poll,
    Ref,
    Remote,
    walk,
)
from beeline.model.types import width


def cells_read(expression: Expression, layout: Layout) -> set[int] | None:
    """A superset of the cells that the expression's value depends on; None stands for all of them."""
    read: set[int] = set()
    for part in walk(expression):
        match part:
            case Ref(name) if name in layout.scope.slots:
                slot = layout.scope.slots[name]
                read |= set(range(slot.offset, slot.offset + width(slot.type)))
            case At(Instance(name), _) | Remote(Instance(name), Ref() | Index() | Field()):
                read |= set(layout.processes[layout.network.instance_numbers[name]].cells)
            case ChannelInfo(channel=Ref(name)) if name in layout.scope.channels:
                read |= _channel_cells(layout, name)
            case At() | Remote() | Call() | ChannelInfo() | Poll() | Builtin():
                return None
            case _:
                pass
    return read


def _channel_cells(layout: Layout, name: str) -> set[int]:
    place = layout.channels[layout.scope.channel_numbers[name] - 1]
    return set(range(place.length, place.base + place.channel.capacity * len(place.fields)))
