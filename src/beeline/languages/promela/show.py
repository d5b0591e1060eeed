"""Promela expressions as text, for traces and messages."""

from __future__ import annotations

from collections.abc import Sequence

from .syntax import (
    Binary,
    Builtin,
    ChannelTest,
    Conditional,
    Eval,
    Expression,
    Number,
    Pattern,
    Poll,
    Reference,
    RemoteLabel,
    RemoteVariable,
    Run,
    Unary,
)


def show_expression(expression: Expression | Eval) -> str:
    """The expression as one would write it.

    >>> from .parser import parse_expression
    >>> show_expression(parse_expression("x+1 < 3 && !y"))
    '((x+1)<3)&&!y'
    """
    match expression:
        case Number(value=value, text=text):
            return text or str(value)
        case Reference():
            return show_reference(expression)
        case Unary(operator=operator, operand=operand):
            return f"{operator}{_inner(operand)}"
        case Binary(operator=operator, left=left, right=right):
            gap = " " if operator.isalpha() else ""
            return f"{_inner(left)}{gap}{operator}{gap}{_inner(right)}"
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"({show_expression(condition)} -> {show_expression(then)} : {show_expression(otherwise)})"
        case Run(process=process, arguments=arguments):
            return f"run {process}({', '.join(map(show_expression, arguments))})"
        case ChannelTest(what=what, channel=channel):
            return f"{what}({show_reference(channel)})"
        case Poll(channel=channel, patterns=patterns, anywhere=anywhere):
            return f"{show_reference(channel)}{'??' if anywhere else '?'}[{show_patterns(patterns)}]"
        case Builtin(name=name, argument=argument):
            return name if argument is None else f"{name}({show_expression(argument)})"
        case RemoteLabel(process=process, pid=pid, label=label):
            return f"{process}{_pid(pid)}@{label}"
        case RemoteVariable(process=process, pid=pid, variable=variable):
            return f"{process}{_pid(pid)}:{show_reference(variable)}"
        case Eval(value=inner):
            return f"eval({show_expression(inner)})"


def show_reference(reference: Reference) -> str:
    index = "" if reference.index is None else f"[{show_expression(reference.index)}]"
    field = "" if reference.field is None else f".{show_reference(reference.field)}"
    return f"{reference.name}{index}{field}"


def show_patterns(patterns: Sequence[Pattern | Expression]) -> str:
    return ",".join(show_expression(pattern) for pattern in patterns)


def _inner(expression: Expression) -> str:
    text = show_expression(expression)
    return f"({text})" if isinstance(expression, Binary) else text


def _pid(pid: Expression | None) -> str:
    return "" if pid is None else f"[{show_expression(pid)}]"
