"""The language of `--heuristic`: names with options, weights, and combinations.

hU                          a heuristic by its name
hAA:50                      with an option; more are separated by semicolons
expr:2*x + len(queue)       any expression over the model
2*hU                        a multiple
max(dL, hL), sum(..), min(..)   combinations, which can be nested
cache(hU), cache:100000(hU) with a table of what it said before
hU, hL                      several, for a search that takes turns between them
"""

from __future__ import annotations

import re
from functools import reduce
from operator import and_

from beeline.engine import core
from beeline.heuristics.declaration import Context, Estimator, HeuristicError, Promises
from beeline.heuristics.registry import find
from beeline.records import Record

COMBINATIONS = ("max", "min", "sum")
CACHE_ENTRIES = 256_000  # as in the paper that had the idea

_WEIGHT = re.compile(r"\s*(\d+)\s*\*(.*)", re.DOTALL)
_CALL = re.compile(r"\s*(max|min|sum|cache(?::\s*(\d+))?)\s*\((.*)\)\s*", re.DOTALL)
_NAME = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?::(.*))?", re.DOTALL)


class Named(Record, frozen=True):
    name: str
    options: str


class Weighted(Record, frozen=True):
    weight: int
    part: Node


class Combined(Record, frozen=True):
    how: str
    parts: tuple[Node, ...]


class Cached(Record, frozen=True):
    entries: int
    part: Node


Node = Named | Weighted | Combined | Cached


def parse(text: str) -> list[Node]:
    """Return what `text` says, one for each heuristic.

    >>> parse("2*blind")
    [Weighted(weight=2, part=Named(name='blind', options=''))]
    """
    return [_parse(part) for part in _split(text)]


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
            if depth < 0:
                raise HeuristicError(f"a bracket is closed that was never opened: {text!r}")
        elif character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    if depth > 0:
        raise HeuristicError(f"a bracket is not closed: {text!r}")
    return [*parts, text[start:]]


def _parse(text: str) -> Node:
    weighted = _WEIGHT.fullmatch(text)
    if weighted is not None:
        if not 1 <= int(weighted[1]) <= 1_000_000:
            raise HeuristicError("a weight must lie between 1 and 1000000")
        return Weighted(int(weighted[1]), _parse(weighted[2]))
    call = _CALL.fullmatch(text)
    if call is not None:
        inner = [_parse(part) for part in _split(call[3])]
        if call[1] in COMBINATIONS:
            return Combined(call[1], tuple(inner))
        if len(inner) != 1:
            raise HeuristicError("cache(..) takes one heuristic")
        return Cached(int(call[2] or CACHE_ENTRIES), inner[0])
    name = _NAME.fullmatch(text)
    if name is None:
        raise HeuristicError(f"{text.strip()!r} is not a heuristic; see `beeline list`")
    return Named(name[1], (name[2] or "").strip())


def check(text: str) -> None:
    """Raise `HeuristicError` unless every name in `text` is known."""
    for node in parse(text):
        _check(node)


def _check(node: Node) -> None:
    match node:
        case Named(name, options):
            find(name).read(options)
        case Combined(_, parts):
            for part in parts:
                _check(part)
        case Weighted(_, part) | Cached(_, part):
            _check(part)


def names(text: str) -> set[str]:
    """The names of all heuristics in `text`, without those in their options; `cache` is one."""
    return {name for node in parse(text) for name in _names(node)}


def _names(node: Node) -> set[str]:
    match node:
        case Named(name, _):
            return {name}
        case Combined(_, parts):
            return {name for part in parts for name in _names(part)}
        case Weighted(_, part):
            return _names(part)
        case Cached(_, part):
            return {"cache", *_names(part)}


def build(text: str, context: Context) -> list[Estimator]:
    """Return the estimators that `text` names, bound to a model.

    >>> [str(one.promises) for one in build("max(blind, 1*blind)", Context())]
    ['Promises(admissible=True, consistent=True, safe=True)']
    """
    return [_build(node, context) for node in parse(text)]


def _build(node: Node, context: Context) -> Estimator:
    match node:
        case Named(name, options):
            return find(name).bind(context, options)
        case Weighted(weight, part):
            return _weighted(weight, _build(part, context))
        case Combined(how, parts):
            return _combined(how, [_build(part, context) for part in parts])
        case Cached(entries, part):
            return _cached(entries, _build(part, context), context)


def _weighted(weight: int, part: Estimator) -> Estimator:
    native = core.combined_estimator("sum", [part.native], [weight])
    exact = weight == 1
    promises = part.promises & Promises(admissible=exact, consistent=exact, safe=True)
    return Estimator(f"{weight}*{part}", native, promises, part.covers, part.note, part.whole)


def _combined(how: str, parts: list[Estimator]) -> Estimator:
    if not parts:
        raise HeuristicError(f"{how}(..) needs heuristics")
    native = core.combined_estimator(how, [part.native for part in parts], [1] * len(parts))
    exact = how != "sum" or len(parts) == 1
    promises = reduce(and_, (part.promises for part in parts)) & Promises(exact, exact, safe=True)
    covers = reduce(and_, (part.covers for part in parts))
    notes = "; ".join(f"{part}: {part.note}" for part in parts if part.note)
    whole = any(part.whole for part in parts)
    return Estimator(f"{how}({', '.join(map(str, parts))})", native, promises, covers, notes, whole)


def _cached(entries: int, part: Estimator, context: Context) -> Estimator:
    """A table can mix up states, if hardly ever, so it keeps no promise about single values."""
    if entries < 1:
        raise HeuristicError("a cache needs at least one entry")
    if part.whole:
        raise HeuristicError(f"a cache tells states apart by locations and variables, {part} by clocks as well")
    words = 1 if context.native is None else context.native.words
    native = core.cached_estimator(part.native, words, entries)
    size = "" if entries == CACHE_ENTRIES else f":{entries}"
    promises = Promises(safe=part.promises.safe)
    return Estimator(f"cache{size}({part})", native, promises, part.covers, part.note)
