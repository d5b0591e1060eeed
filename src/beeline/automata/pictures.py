"""Automata for people: as text, and as Graphviz."""

from __future__ import annotations

from beeline.automata.automaton import Automaton
from beeline.automata.formula import FALSE, TRUE, Formula
from beeline.automata.hoa import quoted, show_marks
from beeline.automata.letters import Guard
from beeline.automata.testing import ChangeAutomaton
from beeline.records import Record


class Arrow(Record, frozen=True):
    """What is read, where that leads, and the acceptance sets that it meets."""

    reads: str
    target: int
    sets: str = ""


class Picture(Record, frozen=True):
    """What there is to draw of an automaton: where it begins, what leaves each state, and what is said of a state.

    >>> from beeline.automata import parse_ltl, translate
    >>> print(Picture.of(translate(parse_ltl("F p"))).to_text())
    begins in 0
    0
      !p -> 0
      p -> 1
    1
      true -> 1 {0}
    """

    starts: tuple[Arrow, ...]
    arrows: tuple[tuple[Arrow, ...], ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, automaton: Automaton) -> Picture:
        """Of an automaton over letters."""
        arrows = tuple(
            tuple(
                Arrow(str(_formula(edge.guard, automaton.propositions)), edge.target, show_marks(edge.marks))
                for edge in row
            )
            for row in automaton.edges
        )
        return cls((Arrow("", automaton.initial),), arrows, ("",) * automaton.states)

    @classmethod
    def of_changes(cls, automaton: ChangeAutomaton) -> Picture:
        """Of a testing automaton."""
        starts = tuple(
            Arrow(
                str(_formula(((value, ~value & (1 << len(automaton.propositions)) - 1),), automaton.propositions)),
                state,
            )
            for value, state in automaton.initial
        )
        arrows = tuple(
            tuple(
                Arrow(_change(edge.change, automaton.propositions), edge.target, show_marks(edge.marks)) for edge in row
            )
            for row in automaton.edges
        )
        kinds = (("may stay for ever", automaton.livelock), ("accepting", automaton.accepting))
        notes = tuple(", ".join(name for name, states in kinds if state in states) for state in range(len(arrows)))
        return cls(starts, arrows, notes)

    def to_text(self) -> str:
        """A line for each state and each of its edges."""
        lines = [f"begins in {start.target}{f' if {start.reads}' if start.reads else ''}" for start in self.starts]
        for state, row in enumerate(self.arrows):
            lines.append(f"{state}  {self.notes[state]}".rstrip())
            lines += [f"  {arrow.reads} -> {arrow.target}{arrow.sets}" for arrow in row]
        return "\n".join(lines)

    def to_dot(self) -> str:
        """The automaton for `dot`."""
        lines = ["digraph automaton {", "  rankdir=LR;", "  node [shape=circle];"]
        for number, start in enumerate(self.starts):
            lines += [
                f"  start{number} [shape=point];",
                f"  start{number} -> {start.target} [label={quoted(start.reads)}];",
            ]
        for state, row in enumerate(self.arrows):
            lines.append(f"  {state} [label={quoted(f'{state} {self.notes[state]}'.rstrip())}];")
            lines += [f"  {state} -> {one.target} [label={quoted(one.reads + one.sets)}];" for one in row]
        return "\n".join([*lines, "}"])


def _formula(guard: Guard, names: tuple[str, ...]) -> Formula:
    """The letters that a guard reads."""
    cubes: list[Formula] = []
    for true, false in guard:
        atoms = [(Formula.atom(name), true >> bit & 1, false >> bit & 1) for bit, name in enumerate(names)]
        literals = tuple(atom if wanted else ~atom for atom, wanted, unwanted in atoms if wanted or unwanted)
        cubes.append(_joined("and", literals, TRUE))
    return _joined("or", tuple(cubes), FALSE)


def _joined(kind: str, parts: tuple[Formula, ...], empty: Formula) -> Formula:
    return Formula(kind, parts) if len(parts) > 1 else parts[0] if parts else empty


def _change(change: int, names: tuple[str, ...]) -> str:
    return "changes of " + ", ".join(name for bit, name in enumerate(names) if change >> bit & 1)
