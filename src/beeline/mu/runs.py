"""Which runs a regular expression over labels describes, label by label."""

from __future__ import annotations

from beeline.mu.actions import Actions, Regular


class Runs:
    """An automaton that is in several states at once, with silent moves between them.

    >>> runs = Runs(Regular("star", (Regular("actions"),)))
    >>> runs.ends(runs.after(runs.first, "put"))
    True
    """

    def __init__(self, regular: Regular) -> None:
        self._moves: list[list[tuple[Actions, int]]] = [[]]
        self._silent: list[list[int]] = [[]]
        self._end = self._add(regular, 0)
        self.first = self._closed({0})

    def ends(self, place: frozenset[int]) -> bool:
        """Whether a run may end here."""
        return self._end in place

    def after(self, place: frozenset[int], text: str) -> frozenset[int]:
        """Where the runs are after a label."""
        return self._closed({to for state in place for actions, to in self._moves[state] if actions.has(text)})

    def _add(self, part: Regular, start: int) -> int:
        """The state in which the runs of a part end that begin in `start`."""
        match part.kind, part.parts:
            case "actions", _:
                end = self._state()
                self._moves[start].append((part.actions, end))
                return end
            case "sequence", parts:
                for one in parts:
                    start = self._add(one, start)
                return start
            case "choice", parts:
                end = self._state()
                for one in parts:
                    self._silent[self._add(one, start)].append(end)
                return end
            case "plus", (one,):
                return self._add(Regular("star", (one,)), self._add(one, start))
        end = self._state()
        if part.kind == "option":
            self._silent[start].append(end)
            self._silent[self._add(part.parts[0], start)].append(end)
        else:
            self._silent[start].append(end)
            self._silent[self._add(part.parts[0], end)].append(end)
        return end

    def _state(self) -> int:
        self._moves.append([])
        self._silent.append([])
        return len(self._moves) - 1

    def _closed(self, states: set[int]) -> frozenset[int]:
        waiting = list(states)
        while waiting:
            for target in self._silent[waiting.pop()]:
                if target not in states:
                    states.add(target)
                    waiting.append(target)
        return frozenset(states)
