"""Checks assumptions again, by other means than those by which they were learned: components are composed with them as
labelled transition systems, and the words of the result are compared with what the property allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from beeline.compositional.rules import Learned
from beeline.compositional.systems import Automaton, System
from beeline.lts import TAU, Lts
from beeline.lts.lts import Arc
from beeline.lts.words import Words


class NotCertified(Exception):
    """An assumption that does not prove what it was learned for: a fault of ours."""


def check_chain(systems: Sequence[System], asked: Automaton, assumptions: Sequence[Learned]) -> None:
    """Raises `NotCertified` unless each component keeps the assumption before its own, the first one the property."""
    automata = [one.automaton for one in assumptions]
    if len(automata) != len(systems) - 1:
        raise NotCertified("there is not one assumption for each component but the last")
    for number, system in enumerate(systems):
        assumed = automata[number] if number < len(automata) else None
        _check_premise(system, assumed, automata[number - 1] if number else asked)


def check_symmetric(systems: Sequence[System], asked: Automaton, assumptions: Sequence[Learned]) -> None:
    """Raises `NotCertified` unless each component keeps the property under its assumption, and no word that breaks it
    is refused by all assumptions."""
    automata = [one.automaton for one in assumptions]
    if len(automata) != len(systems):
        raise NotCertified("there is not one assumption for each component")
    for system, automaton in zip(systems, automata, strict=True):
        _check_premise(system, automaton, asked)
    labels = sorted(asked.alphabet.union(*(one.alphabet for one in automata)))
    start = tuple(_completed(one, labels) for one in (*automata, asked))
    seen, waiting = {tuple(0 for _ in start)}, [tuple(0 for _ in start)]
    while waiting:
        place = waiting.pop()
        if all(table[state][""] for table, state in zip(start, place, strict=True)):
            raise NotCertified("a word that breaks the property is refused by all assumptions")
        for label in labels:
            target = tuple(table[state][label] for table, state in zip(start, place, strict=True))
            if target not in seen:
                seen.add(target)
                waiting.append(target)


def _completed(automaton: Automaton, labels: Sequence[str]) -> list[dict[str, int]]:
    """A table with one more state, for words that are refused; the entry without a label tells which it is."""
    refused = len(automaton.rows)
    table = [
        {"": 0, **{label: row.get(label, refused) if label in automaton.alphabet else at for label in labels}}
        for at, row in enumerate(automaton.rows)
    ]
    return [*table, {"": 1, **dict.fromkeys(labels, refused)}]


def _check_premise(system: System, assumed: Automaton | None, asked: Automaton) -> None:
    others = asked.alphabet - system.alphabet
    whole = composed(
        system, _free(others | (assumed.alphabet - system.alphabet if assumed is not None else frozenset()))
    )
    if assumed is not None:
        whole = composed(whole, System("assumption", assumed.lts(), assumed.alphabet))
    words = Words(whole.lts.relabelled(lambda label: label if label in asked.alphabet else TAU))
    start = words.first, 0
    seen, waiting = {start}, deque([start])
    while waiting:
        place, kept = waiting.popleft()
        for label, target in words.after(place).items():
            if label not in asked.rows[kept]:
                raise NotCertified(f"{system.name} can do {label} where it must not")
            if (target, asked.rows[kept][label]) not in seen:
                seen.add((target, asked.rows[kept][label]))
                waiting.append((target, asked.rows[kept][label]))


def _free(labels: frozenset[str]) -> System:
    """An environment that may do these labels at any time."""
    return System("environment", Lts.of(1, 0, [(0, label, 0) for label in sorted(labels)]), labels)


def composed(one: System, other: System) -> System:
    """Both systems at once: labels of both alphabets together, all else alone."""
    shared = one.alphabet & other.alphabet
    mine, its = one.lts.successors(), other.lts.successors()
    start = one.lts.initial, other.lts.initial
    numbers, order = {start: 0}, [start]
    arcs: list[Arc] = []
    for pair in order:
        left, right = pair
        moves = [(label, (to, right)) for label, to in mine[left] if label not in shared]
        moves += [(label, (left, to)) for label, to in its[right] if label not in shared]
        moves += [(a, (to, there)) for a, to in mine[left] if a in shared for b, there in its[right] if a == b]
        for label, target in moves:
            if target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
            arcs.append((numbers[pair], label, numbers[target]))
    name = f"{one.name} and {other.name}"
    return System(name, Lts.of(len(order), 0, arcs), one.alphabet | other.alphabet)
