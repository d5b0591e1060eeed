"""Facts about a whole model that are needed before its parts can be translated."""

from __future__ import annotations

from beeline.model.source import Source
from beeline.records import Record, field

from .syntax import (
    Assign,
    Builtin,
    ChannelInit,
    ForIn,
    Model,
    Number,
    Proctype,
    Receive,
    Reference,
    RemoteLabel,
    Run,
    SetPriority,
    walk,
)


class Survey(Record):
    """`assigned`: names that some statement writes. `remote_labels`: (proctype, label) pairs that are asked about,
    and where that is first. `priorities`: priorities are mentioned, so that SPIN obeys them."""

    assigned: set[str] = field(default_factory=set)
    remote_labels: dict[tuple[str, str], Source] = field(default_factory=dict)
    priorities: bool = False
    rendezvous: ChannelInit | None = None  # a channel without a buffer
    enabled: bool = False  # it is asked whether a process could move


def survey(model: Model) -> Survey:
    """Looks through the whole model."""
    found = Survey()
    for node in walk(model):
        match node:
            case Assign(target=target):
                found.assigned.add(target.name)
                found.priorities |= target.name == "_priority"
            case Receive(patterns=patterns):
                found.assigned.update(p.name for p in patterns if isinstance(p, Reference))
            case ForIn(index=index):
                found.assigned.add(index.name)
            case RemoteLabel(process=process, label=label, source=source):
                found.remote_labels.setdefault((process, label), source)
            case SetPriority() | Builtin(name="get_priority") | Reference(name="_priority"):
                found.priorities = True
            case Builtin(name="enabled"):
                found.enabled = True
            case ChannelInit(capacity=Number(value=0)):
                found.rendezvous = node
            case Run(priority=priority) | Proctype(priority=priority):
                found.priorities |= priority is not None
    return found
