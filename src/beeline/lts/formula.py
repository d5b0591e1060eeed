"""Formulas that tell states apart: what can be done next, and what is possible after that.

`<a> f`: an arc by `a` leads to a state with `f`. `E [f U <a> g]`: hidden steps through states with `f` lead to an arc
by `a` into a state with `g`; with a hidden `a`, no step at all will do if `g` holds at once. The first kind goes with
strong bisimulation (Hennessy and Milner, JACM 32, 1985), the second with branching bisimulation (De Nicola and
Vaandrager, JACM 42, 1995).
"""

from __future__ import annotations

from collections.abc import Callable

from beeline.lts.lts import TAU, Lts
from beeline.records import Record


class Can(Record, frozen=True):
    """An arc by a label leads to a state with all that `then` asks."""

    label: str
    then: tuple[Formula, ...]


class Until(Record, frozen=True):
    """Hidden steps through states with all of `through` lead to an arc by a label, into a state with all of `then`."""

    through: tuple[Formula, ...]
    label: str
    then: tuple[Formula, ...]


class Not(Record, frozen=True):
    """The opposite."""

    inner: Formula


Formula = Can | Until | Not


def holds(lts: Lts, formula: Formula, memory: dict[int, set[int]] | None = None) -> set[int]:
    """The states in which a formula is true.

    >>> sorted(holds(Lts.of(3, 0, [(0, "a", 1), (1, "b", 2)]), Can("a", (Can("b", ()),))))
    [0]
    """
    memory = {} if memory is None else memory
    for part in parts(formula):  # the inner ones first
        if id(part) not in memory:
            memory[id(part)] = _holds(lts, part, memory)
    return memory[id(formula)]


def _holds(lts: Lts, formula: Formula, memory: dict[int, set[int]]) -> set[int]:
    def all_of(several: tuple[Formula, ...]) -> set[int]:
        return set(range(lts.states)).intersection(*(memory[id(one)] for one in several))

    match formula:
        case Not(opposite):
            return set(range(lts.states)) - memory[id(opposite)]
        case Can(label, then):
            targets = all_of(then)
            return {source for source, name, target in lts.arcs if name == label and target in targets}
        case Until(through, label, then):
            inside, targets = all_of(through), all_of(then)
            found = {s for s, name, target in lts.arcs if name == label and target in targets and s in inside}
            while True:
                more = {s for s, name, target in lts.arcs if name == TAU and target in found and s in inside} - found
                if not more:
                    return found | targets if label == TAU else found
                found |= more


def parts(formula: Formula) -> list[Formula]:
    """A formula and all parts of it, each once, and after its own parts."""
    order: dict[int, Formula] = {}
    waiting: list[tuple[Formula, bool]] = [(formula, False)]
    while waiting:
        one, is_ready = waiting.pop()
        if id(one) in order:
            continue
        if is_ready:
            order[id(one)] = one
        else:
            waiting += [(one, True), *((part, False) for part in inner(one))]
    return list(order.values())


def inner(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that one is made of."""
    match formula:
        case Not(opposite):
            return (opposite,)
        case Can(_, then):
            return then
        case Until(through, _, then):
            return (*through, *then)


def to_text(formula: Formula) -> str:
    """A formula as text; parts that occur more than once are lines of their own.

    >>> print(to_text(Can("a", (Not(Can("b", ())),))))
    <a> not <b> true
    """
    order = parts(formula)
    uses: dict[int, int] = {}
    for part in order:
        for used in inner(part):
            uses[id(used)] = uses.get(id(used), 0) + 1
    names: dict[int, str] = {}
    texts: dict[int, str] = {}
    lines = []
    for part in order:
        text = _text(part, lambda one: names.get(id(one)) or texts[id(one)])
        texts[id(part)] = text
        if uses.get(id(part), 0) > 1 and len(text) > len("<a> true"):
            names[id(part)] = f"X{len(names) + 1}"
            lines.append(f"  {names[id(part)]} = {text}")
    return "\n".join([texts[id(formula)], *(["where", *lines] if lines else [])])


def _text(formula: Formula, told: Callable[[Formula], str]) -> str:
    def together(several: tuple[Formula, ...]) -> str:
        shown = [told(one) for one in several]
        return " and ".join(shown) if len(shown) != 1 else shown[0]

    match formula:
        case Not(opposite):
            return f"not {told(opposite)}"
        case Can(label, then):
            inside = together(then) or "true"
            return f"<{label}> ({inside})" if len(then) > 1 else f"<{label}> {inside}"
        case Until(through, label, then):
            inside = together(then) or "true"
            inside = f"({inside})" if len(then) > 1 else inside
            return f"E [{together(through) or 'true'} U <{label}> {inside}]"
