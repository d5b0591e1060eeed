"""Facts about a whole model that are needed before its parts can be translated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from beeline.model.source import Source
from beeline.records import Record, field

from .syntax import Assign, Builtin, ForIn, Model, Proctype, Receive, Reference, RemoteLabel, Run, SetPriority


class Survey(Record):
    """`assigned`: names that some statement writes. `remote_labels`: (proctype, label) pairs that are asked about.
    `priorities`: priorities are mentioned, so that SPIN obeys them."""

    assigned: set[str] = field(default_factory=set)
    remote_labels: set[tuple[str, str]] = field(default_factory=set)
    priorities: bool = False


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
            case RemoteLabel(process=process, label=label):
                found.remote_labels.add((process, label))
            case SetPriority() | Builtin(name="get_priority") | Reference(name="_priority"):
                found.priorities = True
            case Run(priority=priority) | Proctype(priority=priority):
                found.priorities |= priority is not None
    return found


def walk(node: Any) -> Iterator[Any]:
    """Every node of a syntax tree, parents first."""
    if isinstance(node, list):
        for part in node:
            yield from walk(part)
    elif isinstance(node, Record) and not isinstance(node, Source):
        yield node
        for label in node.__struct_fields__:
            value = getattr(node, label)
            if isinstance(value, list | Record):
                yield from walk(value)
