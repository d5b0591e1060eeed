"""The walks of `beeline simulate` as the tests of `walk.pml` see them, and the same with a bug that was planted."""

from __future__ import annotations

from typing import Any

from beeline.simulate import NoSuchStep, Turn, Walk, World
from beeline.trace.trace import TraceStep


class Plane(World):
    """A model in which one can always go left and right."""

    def initial(self) -> Any:
        return 0

    def turns(self, state: Any, number: int) -> list[Turn]:
        return [Turn(TraceStep(number, "", name, {}), 2 * state + bit) for bit, name in enumerate(("left", "right"))]

    def describe(self, state: Any) -> dict[str, str]:
        return {}

    def ending(self, state: Any) -> str:
        return ""


class WalkAdapter:
    """A walk, freshly begun. It answers each order at once; there is nothing to wait for."""

    walk_class = Walk

    def __init__(self) -> None:
        self._walk, self._answers = self.walk_class(Plane()), list[str]()

    def stimulate(self, label: str) -> None:
        order = label.removeprefix("ask(").removesuffix(")")
        walk = self._walk
        try:
            if order in ("left", "right"):
                walk.take(walk.possible()[order == "right"])
            else:
                walk.go_to(len(walk.taken) + (1 if order == "forth" else -1))
        except NoSuchStep:
            self._answers.append("refused(0)")
            return
        self._answers.append(f"at({len(walk.taken)},{len(walk.taken) + len(walk._undone)})")

    def observe(self) -> str | None:
        return self._answers.pop(0) if self._answers else None


class ForgetfulWalk(Walk):
    """The planted bug: a step in another direction does not forget what was undone."""

    def take(self, turn: Turn) -> None:
        if self._undone and self._undone[-1] == turn:
            self._undone.pop()
        self.taken.append(turn)


class ForgetfulAdapter(WalkAdapter):
    walk_class = ForgetfulWalk
