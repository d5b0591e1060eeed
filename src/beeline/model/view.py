"""An index of the processes of a state, by what their locations mean to others: receives on a channel, committed,
urgent, with an invariant.

The index is updated for the processes that changed since the last state. Following a run costs time for its steps, not
for the size of the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set

from beeline.model.state import Draft, State, changed

Key = str | tuple[str, int | str]
NOBODY: frozenset[int] = frozenset()
NOTHING = State((), (), ())


class View:
    """One state, and the processes in it by the `keys` that each has, which depend on its own state alone."""

    def __init__(self, state: State, keys: Callable[[State, int], Iterable[Key]]) -> None:
        self._keys = keys
        self._keys_of: list[tuple[Key, ...]] = []
        self._processes: dict[Key, set[int]] = {}
        self.state = NOTHING
        self.look_at(state)

    def look_at(self, state: State) -> None:
        """Turns to another state."""
        before, self.state = self.state, state
        self.draft = Draft(state)  # never changed
        for pid in changed(before.processes, state.processes):
            if pid < len(before.processes):
                for key in self._keys_of[pid]:
                    self._processes[key].discard(pid)
            else:
                self._keys_of.append(())
            if pid < len(state.processes):
                self._keys_of[pid] = tuple(self._keys(state, pid))
                for key in self._keys_of[pid]:
                    self._processes.setdefault(key, set()).add(pid)
        del self._keys_of[len(state.processes) :]

    def processes(self, key: Key) -> Set[int]:
        """The numbers of the processes that have a key."""
        return self._processes.get(key, NOBODY)
