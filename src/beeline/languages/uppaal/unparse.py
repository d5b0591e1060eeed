"""Syntax trees back to text, for the labels of steps in traces."""

from __future__ import annotations

from beeline.languages.uppaal import syntax


def show(expression: syntax.Expression) -> str:
    """The expression as one would write it, with parentheses where operators are nested.

    >>> from beeline.languages.uppaal.read import parse
    >>> show(syntax.Binary("<=", syntax.Name("x"), syntax.Number(3)))
    'x <= 3'
    """
    match expression:
        case syntax.Number(value):
            return str(value)
        case syntax.Decimal(number):
            return str(number)
        case syntax.Boolean(truth):
            return "true" if truth else "false"
        case syntax.Name(name):
            return name
        case syntax.Unary(operator, operand):
            return operator + _nested(operand)
        case syntax.Binary(operator, left, right):
            return f"{_nested(left)} {operator} {_nested(right)}"
        case syntax.Conditional(condition, then, otherwise):
            return f"{_nested(condition)} ? {_nested(then)} : {_nested(otherwise)}"
        case syntax.Assign(operator, target, value):
            return f"{show(target)} {operator} {show(value)}"
        case syntax.Step(operator, prefix, target):
            return operator + show(target) if prefix else show(target) + operator
        case syntax.Index(base, index):
            return f"{_nested(base)}[{show(index)}]"
        case syntax.Member(base, name):
            return f"{_nested(base)}.{name}"
        case syntax.Call(function, arguments):
            return f"{show(function)}({', '.join(map(show, arguments))})"
        case syntax.Quantified(kind, name, _, body):
            return f"{kind} ({name}) {_nested(body)}"
        case syntax.Rate(clock):
            return f"{_nested(clock)}'"
        case syntax.Deadlock():
            return "deadlock"
        case syntax.Braces(parts):
            return "{" + ", ".join(show(part) for _, part in parts) + "}"


def _nested(expression: syntax.Expression) -> str:
    text = show(expression)
    simple = (
        syntax.Number | syntax.Boolean | syntax.Name | syntax.Index | syntax.Member | syntax.Call | syntax.Unary
        | syntax.Rate
    )  # fmt: skip
    return text if isinstance(expression, simple) else f"({text})"


def show_edge(edge: syntax.Edge) -> str:
    """What stands on an edge besides its selection: guard, synchronisation and updates."""
    parts: list[str] = []
    if edge.guard is not None:
        parts.append(f"[{show(edge.guard)}]")
    if edge.sync is not None:
        parts.append(show(edge.sync.channel) + edge.sync.direction)
    if edge.updates:
        parts.append("{" + ", ".join(map(show, edge.updates)) + "}")
    return " ".join(parts)


def show_selected(selected: dict[str, int], label: str) -> str:
    """What stands on an edge, with the values that were selected for it.

    >>> show_selected({"i": 1, "j": 2}, "c[i]!")
    'with i = 1, j = 2 c[i]!'
    """
    if not selected:
        return label
    chosen = ", ".join(f"{name} = {value}" for name, value in selected.items())
    return f"with {chosen} {label}".rstrip()
