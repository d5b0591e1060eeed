"""The text of a model as trees, whose leaves name things that may be exchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beeline.symmetry.sorts import Sort

Symbol = tuple[object, ...]
"""A thing with a name: ``("value", sort, number)``, ``("process", number)``, ``("kind", number)``,
``("location", kind, number)``, ``("variable", name)`` or ``("sort", sort)``."""


class Name:
    """A number that the model writes down, or that it knows from the start: the name of a thing, if its sort has it."""

    __slots__ = ("sort", "value")

    def __init__(self, sort: Sort, value: int) -> None:
        self.sort, self.value = sort, value


class Node:
    """A part of the text. The order of its parts means nothing if it `commutes` and none of them can fail; whether it
    can fail itself is only known when the sorts are."""

    __slots__ = ("children", "commutes", "fails", "label")

    def __init__(
        self,
        label: tuple[object, ...],
        children: Sequence[Tree] = (),
        commutes: bool = False,
        fails: Callable[[], bool] | None = None,
    ) -> None:
        self.label, self.children, self.commutes, self.fails = label, tuple(children), commutes, fails


Tree = Name | Node | Symbol

Compact = str | int | tuple[str, bool, tuple["Compact", ...]]
"""Text that names nothing, the position of a symbol, or a label with parts, and whether these are in any order."""


def may_fail(tree: Tree) -> bool:
    """Whether evaluating it may be an error."""
    if not isinstance(tree, Node):
        return False
    return (tree.fails is not None and tree.fails()) or any(map(may_fail, tree.children))


def compact(tree: Tree, position: Callable[[Tree], int | None]) -> Compact:
    """A tree in which all that names nothing is text. `position` gives the number of a leaf's symbol."""
    if not isinstance(tree, Node):
        found = position(tree)
        if found is not None:
            return found
        assert isinstance(tree, Name)
        return str(tree.value)
    free = tree.commutes and not any(map(may_fail, tree.children))
    parts = [compact(child, position) for child in tree.children]
    label = repr(tree.label)
    if free:
        parts.sort(key=repr)
    if all(isinstance(part, str) for part in parts):
        return f"{label}({','.join(map(str, parts))})"
    return label, free, tuple(parts)


def renamed(tree: Compact, names: Sequence[int]) -> Compact:
    """A tree with symbols exchanged, in a form in which trees that mean the same are equal."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, int):
        return names[tree]
    label, free, parts = tree
    made = [renamed(part, names) for part in parts]
    if free:
        made.sort(key=repr)
    return label, free, tuple(made)
