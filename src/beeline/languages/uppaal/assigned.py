"""Which names a template may write."""

from __future__ import annotations

from beeline.languages.uppaal import syntax
from beeline.records import Record


def assigned_names(template: syntax.Template, by_reference: frozenset[str]) -> frozenset[str]:
    """Names that may be written in a template: roots of assigned places, and of arguments of functions that take some
    by reference: those of `by_reference`, and the template's own."""
    found: set[str] = set()
    own = [one for one in template.declarations if isinstance(one, syntax.Function)]
    writing = by_reference | {one.name for one in own if any(parameter.reference for parameter in one.parameters)}

    def root(node: object) -> None:
        while isinstance(node, syntax.Index | syntax.Member):
            node = node.base
        if isinstance(node, syntax.Name):
            found.add(node.name)

    def visit(node: object) -> None:
        if isinstance(node, syntax.Assign | syntax.Step):
            root(node.target)
        if isinstance(node, syntax.Call) and isinstance(node.function, syntax.Name) and node.function.name in writing:
            for argument in node.arguments:
                root(argument)
        if isinstance(node, tuple):
            for part in node:
                visit(part)
        elif isinstance(node, Record):
            for label in node.__struct_fields__:
                if label != "source":
                    visit(getattr(node, label))

    visit((template.declarations, template.edges))
    return frozenset(found)
