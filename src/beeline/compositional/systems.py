"""Components as labelled transition systems with an alphabet, and the deterministic automata that properties and
assumptions are. Two systems do a label of both alphabets together; all else they do alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beeline.lts import TAU, Lts
from beeline.records import Record

Word = tuple[str, ...]


class System(Record, frozen=True):
    """A component: `lts`, whose hidden steps nobody sees, and all labels in which it takes part, done or not."""

    name: str
    lts: Lts
    alphabet: frozenset[str]

    @classmethod
    def of(cls, name: str, lts: Lts, alphabet: Iterable[str] = ()) -> System:
        """A system whose alphabet are the labels that it has, and more."""
        return cls(name, lts, frozenset(alphabet) | (frozenset(lts.labels) - {TAU}))


class Automaton(Record, frozen=True):
    """A deterministic automaton that accepts the words it can follow from state 0. As a property it forbids all others;
    as an assumption it says that the environment does no others. Labels outside its alphabet do not concern it."""

    rows: tuple[dict[str, int], ...]
    alphabet: frozenset[str]

    @property
    def size(self) -> int:
        return len(self.rows)

    def follow(self, state: int, label: str) -> int | None:
        """The state after a label; None if it is refused."""
        return self.rows[state].get(label) if label in self.alphabet else state

    def state_after(self, word: Sequence[str]) -> int | None:
        """The state after a word; None if it is refused."""
        state: int | None = 0
        for label in word:
            state = None if state is None else self.follow(state, label)
        return state

    def accepts(self, word: Sequence[str]) -> bool:
        return self.state_after(word) is not None

    def lts(self) -> Lts:
        """The same as a system, for drawings and files."""
        arcs = [
            (source, label, target) for source, row in enumerate(self.rows) for label, target in sorted(row.items())
        ]
        return Lts.of(len(self.rows), 0, arcs)


def along(word: Sequence[str], alphabet: Iterable[str]) -> Automaton:
    """The assumption that the environment does a word, or a beginning of it, and nothing else of an alphabet."""
    labels = frozenset(alphabet)
    kept = project(word, labels)
    return Automaton((*({label: place + 1} for place, label in enumerate(kept)), {}), labels)


def project(word: Sequence[str], alphabet: frozenset[str]) -> Word:
    """What is left of a word for those who see an alphabet only.

    >>> project(("a", "b", "a"), frozenset("a"))
    ('a', 'a')
    """
    return tuple(label for label in word if label in alphabet)
