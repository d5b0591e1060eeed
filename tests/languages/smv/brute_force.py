"""What a plain SMV program (one module) means, by trying all assignments: a second opinion that shares only the parser
with the front end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from beeline.languages.smv.parser import parse_model
from beeline.languages.smv.syntax import Assignment, Constraint, Define, Specification, Tree, Type, Variable

Value = bool | int | str
State = tuple[Value, ...]
Values = frozenset[Value]


class BruteForce:
    """The graph of a program's states."""

    def __init__(self, text: str) -> None:
        self.items = parse_model(text).modules["main"].items
        declared = [item for item in self.items if isinstance(item, Variable)]
        self.kept = [item for item in declared if item.section != "IVAR"]
        self.inputs = [item for item in declared if item.section == "IVAR"]
        self.defines = {item.name: item.value for item in self.items if isinstance(item, Define)}
        everything = list(product(*(domain(item.type) for item in self.kept)))
        self.initial = {state for state in everything if self._begins(state)}
        self.successors: dict[State, set[State]] = {}
        waiting = list(self.initial)
        for state in waiting:
            self.successors[state] = {after for after in everything if self._follows(state, after)}
            waiting += [after for after in self.successors[state] if after not in self.successors]
            self.successors |= {after: set() for after in self.successors[state] if after not in self.successors}
        for state in list(self.successors):
            self.successors[state] = {after for after in everything if self._follows(state, after)}

    def violates(self, name: str) -> bool:
        """Whether some reachable state violates an invariant."""
        asked = next(item for item in self.items if isinstance(item, Specification) and item.name == name)
        return any(True not in self._values(asked.formula, self._named(state), {}) for state in self.successors)

    def _named(self, state: State) -> dict[str, Value]:
        return {item.name: value for item, value in zip(self.kept, state, strict=True)}

    def _begins(self, state: State) -> bool:
        now = self._named(state)
        return all(self._allows(item, "init", now, {}) for item in self.items) and self._stays_inside(now)

    def _stays_inside(self, now: Mapping[str, Value]) -> bool:
        parts = [item.parts[0] for item in self.items if isinstance(item, Constraint) and item.section == "INVAR"]
        return all(True in self._values(part, now, {}) for part in parts)

    def _allows(self, item: object, kind: str, now: Mapping[str, Value], after: Mapping[str, Value]) -> bool:
        if isinstance(item, Assignment) and item.kind == kind:
            return (after if kind == "next" else now)[item.target.text] in self._values(item.value, now, after)
        if isinstance(item, Constraint) and item.section == {"init": "INIT", "next": "TRANS"}[kind]:
            return True in self._values(item.parts[0], now, after)
        return True

    def _follows(self, state: State, target: State) -> bool:
        before, after = self._named(state), self._named(target)
        frozen = [item.name for item in self.kept if item.section == "FROZENVAR"]
        if any(before[name] != after[name] for name in frozen) or not self._stays_inside(after):
            return False
        for chosen in product(*(domain(item.type) for item in self.inputs)):
            now = before | {item.name: value for item, value in zip(self.inputs, chosen, strict=True)}
            if all(self._allows(item, "next", now, after) for item in self.items):
                return True
        return False

    def _values(self, tree: Tree, now: Mapping[str, Value], after: Mapping[str, Value]) -> Values:
        """The values that an expression may have."""
        if tree.kind == "case":
            for condition, value in zip(tree.parts[::2], tree.parts[1::2], strict=True):
                if True in self._values(condition, now, after):
                    return self._values(value, now, after)
            raise AssertionError("no branch")
        if tree.kind == "next":
            return self._values(tree.parts[0], after, {})
        if tree.kind == "name":
            if tree.text in self.defines:
                return self._values(self.defines[tree.text], now, after)
            return frozenset([now.get(tree.text, tree.text)])
        if tree.kind in ("number", "truth"):
            return frozenset([int(tree.text) if tree.kind == "number" else tree.text == "TRUE"])
        parts = [self._values(part, now, after) for part in tree.parts]
        if tree.kind in ("set", "union"):
            return frozenset().union(*parts)
        if tree.kind == "in":
            return frozenset([parts[0] <= parts[1]])
        return frozenset(apply(tree.kind, *chosen) for chosen in product(*parts))


def apply(operator: str, *values: Value) -> Value:
    left, right = values[0], values[-1]
    match operator:
        case "!":
            return not left
        case "&":
            return bool(left and right)
        case "|":
            return bool(left or right)
        case "->":
            return bool(not left or right)
        case "<->" | "=":
            return left == right
        case "xor" | "!=":
            return left != right
    assert isinstance(left, int) and isinstance(right, int)
    return {"+": left + right, "<": left < right, "mod": left % right if right else 0}[operator]


def domain(kind: Type) -> Iterator[Value]:
    if kind.kind == "boolean":
        return iter([False, True])
    if kind.kind == "range":
        low, high = (int(part.text) for part in kind.parts)
        return iter(range(low, high + 1))
    return iter([part.text for part in kind.parts])
