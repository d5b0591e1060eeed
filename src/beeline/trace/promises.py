"""Which part of a formula an infinite run violates, and from which position on.

Every subformula is evaluated at every position of the lasso; the truth of one is then followed to the parts and
positions that decide it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from beeline.automata import Formula
from beeline.automata.evaluator import values_on
from beeline.records import Record
from beeline.trace.trace import Trace

MOST_PARTS = 24


class Decision(Record, frozen=True):
    """A part that decides the truth of a formula, at a position, and ever after if it `stays`."""

    formula: Formula
    position: int
    stays: bool = False


class Promises:
    """A formula on a lasso. `steps` says after how many steps of the trace each position lies; the cycle begins at
    position `start`, and `rests` if nothing happens in it."""

    def __init__(
        self, formula: Formula, letters: Sequence[set[str]], steps: Sequence[int], start: int, rests: bool
    ) -> None:
        self.formula, self.steps, self.start, self.rests = formula, steps, start, rests
        self.values = values_on(formula, letters[:start], letters[start:])

    @classmethod
    def along(cls, formula: Formula, trace: Trace, letter: Callable[[Any], set[str] | None]) -> Promises | None:
        """A formula on the run of a trace, if that goes on for ever; `letter` gives the propositions that are true in a
        state, None if formulas do not look at it."""
        if trace.cycle is None:
            return None
        rests = trace.cycle == len(trace)
        read = [letter(state) for state in (trace.states if rests else trace.states[:-1])]
        steps = [number for number, true in enumerate(read) if true is not None]
        start = sum(number < trace.cycle for number in steps)
        letters = [true for true in read if true is not None]
        return cls(formula, letters, steps, start, rests) if start < len(steps) else None

    def headline(self) -> str:
        """The outermost part that is not kept, and since when."""
        at, premises = Decision(self.formula, 0), list[str]()
        while True:
            found = self.decisions(at)
            if at.formula.kind == "implies" and len(found) == 2:
                premises.append(f"{self._when(at.position)} '{text_of(found[0].formula)}' holds and ")
                at = found[1]
            elif len(found) == 1 and not found[0].stays:
                at = found[0]
            else:
                return self._said(premises, at, found)

    def _said(self, premises: list[str], at: Decision, found: list[Decision]) -> str:
        text, value = text_of(at.formula), self.value(at)
        when = "" if premises and self._when(at.position) in premises[-1] else f"{self._when(at.position)} "
        if found and found[0].stays:
            awaited = found[0]
            end = f"{text_of(awaited.formula)} is {_word(self.value(awaited))} {self._ever()}"
            said = f"'{text}' {'never comes' if at.formula.kind == 'F' else f'is {_word(value)}'}: {end}"
        else:
            said = f"'{text}' is {_word(value)}"
        return "".join(premises) + when + said

    def broken(self) -> str:
        """What never comes, or what is undone in every turn; empty where that cannot be said of one part."""
        at = Decision(self.formula, 0)
        while (found := self.decisions(at)) and not found[0].stays:
            if len(found) > 1 and at.formula.kind != "implies":
                return ""
            at = found[-1]
        if not found or self.value(found[0]):
            return ""
        awaited = found[0].formula
        undone = self._first(self.start, {awaited.children[0]: False}) if awaited.kind == "G" else []
        if not undone or self.rests:
            return f"'{text_of(awaited)}' never comes"
        return f"'{text_of(undone[0].formula)}' does not stay: it is false {self._when(undone[0].position)}"

    def parts(self) -> Iterator[tuple[Decision, int]]:
        """The formula and what decides its truth, each with how deep it lies in the formula."""
        waiting = [(Decision(self.formula, 0), 0)]
        for _ in range(MOST_PARTS):
            if not waiting:
                return
            at, depth = waiting.pop()
            yield at, depth
            waiting += [(inner, depth + 1) for inner in reversed(self.decisions(at))]

    def step(self, at: Decision) -> int:
        """After how many steps of the trace a decision falls."""
        return self.steps[at.position]

    def when(self, at: Decision) -> str:
        """The moment of a decision in words."""
        return self._when(at.position) + (" and ever after" if at.stays else "")

    def value(self, at: Decision) -> bool:
        """The truth of a part at its moment."""
        return self.values[at.formula][at.position]

    def decisions(self, at: Decision) -> list[Decision]:
        """What decides the truth of a formula at a position."""
        node, here, value = at.formula, at.position, self.value(at)
        parts = [Decision(child, here, at.stays and self._is_settled(child)) for child in node.children]
        match node.kind:
            case "not" | "iff":
                return parts
            case "and" | "or":
                deciding = [part for part in parts if self.value(part) == (node.kind == "or")]
                return deciding[:1] or parts
            case "implies":
                return parts if not value else [parts[1] if self.value(parts[1]) else parts[0]]
            case "X":
                return [Decision(node.children[0], self._following(here))]
            case "F" | "G":
                return self._first(here, {node.children[0]: node.kind == "F"}) or self._for_ever(node.children[0])
            case "U" | "W":
                left, right = node.children
                if value:
                    return self._first(here, {right: True}) or self._for_ever(left)
                return self._first(here, {left: False, right: False}) or self._for_ever(right)
            case "R" | "M":
                left, right = node.children
                if value:
                    return self._first(here, {left: True, right: True}) or self._for_ever(right)
                return self._first(here, {right: False}) or self._for_ever(left)
        return []

    def _is_settled(self, part: Formula) -> bool:
        """Whether a part is always true or always false on the cycle."""
        return len(set(self.values[part][self.start :])) == 1

    def _first(self, here: int, wanted: dict[Formula, bool]) -> list[Decision]:
        """The parts at the first position from here on at which they are as wanted; none if there is no such."""
        for position in self._from(here):
            if all(self.values[part][position] == value for part, value in wanted.items()):
                return [Decision(part, position) for part in wanted]
        return []

    def _for_ever(self, part: Formula) -> list[Decision]:
        return [Decision(part, self.start, stays=True)]

    def _from(self, here: int) -> list[int]:
        """The positions from one on, each once."""
        return [*range(here, len(self.steps)), *range(self.start, here)]

    def _following(self, here: int) -> int:
        return here + 1 if here + 1 < len(self.steps) else self.start

    def _when(self, position: int) -> str:
        step = self.steps[position]
        return f"after step {step}" if step else "at the start"

    def _ever(self) -> str:
        """Where something is true or false for ever."""
        if self.rests:
            return "in the last state, in which the run stays"
        count = len(self.steps) - self.start
        return "in the only state of the cycle" if count == 1 else f"in all {count} states of the cycle"


def text_of(formula: Formula) -> str:
    """A formula as a person reads it."""
    return formula.name if formula.kind == "atom" else str(formula)


def _word(value: bool) -> str:
    return str(value).lower()
