"""States that are values of Python, piece by piece: the fields of dataclasses and named tuples, the items of mappings,
the elements of lists and tuples whose length never changes. Everything else is one piece, shown as Python shows it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

from beeline.trace.trace import Changes

LONGEST_SPLIT = 200  # elements of a sequence that are told one by one
DEEPEST = 8
GONE = object()  # a piece that a state does not have


def pieces(states: Sequence[Any]) -> list[dict[str, str]]:
    """The pieces of each state as text, by names that are the same in all states.

    >>> pieces([(1, [2, 3]), (1, [2])])
    [{'state[0]': '1', 'state[1]': '[2, 3]'}, {'state[0]': '1', 'state[1]': '[2]'}]
    """
    found: list[dict[str, str]] = [{} for _ in states]
    for name, values in _columns("", list(states), DEEPEST):
        last, text = GONE, ""
        for position, value in enumerate(values):
            if value is GONE:
                continue
            if value is not last:
                last, text = value, shown(value)
            found[position][name or "state"] = text
    return found


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> Changes:
    """What is another in two states, old and new."""
    names = dict.fromkeys((*before, *after))
    return {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def _columns(name: str, values: list[Any], depth: int) -> Iterator[tuple[str, list[Any]]]:
    """A part of all states, or the pieces that it has in all of them: (name, its value in each state)."""
    there = [value for value in values if value is not GONE]
    split = _split(there) if there and depth else None
    if split is None:
        yield name, values
        return
    labels, get = split
    for label in labels:
        yield from _columns(_joined(name, label), [get(value, label) for value in values], depth - 1)


Split = tuple[list[Any], Callable[[Any, Any], Any]]


def _split(values: list[Any]) -> Split | None:
    """How values that are all of one kind come apart: the names of their pieces, and how to get one."""
    kind = type(values[0])
    if any(type(value) is not kind for value in values):
        return None
    fields = _fields(values[0])
    if fields:
        return list(fields), lambda value, field: GONE if value is GONE else getattr(value, field, GONE)
    if isinstance(values[0], Mapping):
        keys = list(dict.fromkeys(key for value in values for key in value))
        if 0 < len(keys) <= LONGEST_SPLIT:
            return [Key(key) for key in keys], lambda value, key: GONE if value is GONE else value.get(key.key, GONE)
        return None
    if isinstance(values[0], (list, tuple)):
        lengths = {len(value) for value in values}
        if len(lengths) == 1 and 0 < (length := lengths.pop()) <= LONGEST_SPLIT:
            return list(range(length)), lambda value, index: GONE if value is GONE else value[index]
    return None


class Key:
    """The key of a mapping."""

    def __init__(self, key: Any) -> None:
        self.key = key


def _fields(value: Any) -> Sequence[str]:
    """The names of a value's fields, if it has such."""
    if isinstance(value, (type, enum.Enum)):
        return ()
    for attribute in ("__dataclass_fields__", "__struct_fields__", "__attrs_attrs__", "_fields"):
        found = getattr(value, attribute, None)
        if found:
            return [name if isinstance(name, str) else name.name for name in found]
    return ()


def _joined(name: str, label: Any) -> str:
    if isinstance(label, str):
        return f"{name}.{label}" if name else label
    if isinstance(label, Key):
        if isinstance(label.key, str) and label.key.isidentifier():
            return f"{name}.{label.key}" if name else label.key
        return f"{name or 'state'}[{shown(label.key)}]"
    return f"{name or 'state'}[{label}]"


def shown(value: Any) -> str:
    """A piece as text: members of enumerations by their names, sets in order.

    >>> shown(frozenset({"b", "a"})), shown(None)
    ("{'a', 'b'}", 'None')
    """
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    if type(value) in (list, tuple) and any(isinstance(one, (enum.Enum, Set, list, tuple)) for one in value):
        inner = ", ".join(map(shown, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    return repr(value)
