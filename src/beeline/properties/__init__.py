"""What is asked of a model: finds a property by name, or reads it from an expression."""

from __future__ import annotations

import re

from beeline.model.expressions import Builtin, Expression, Unary, conjunction, walk
from beeline.model.names import Resolver, unknown_name
from beeline.model.network import Network, Property
from beeline.model.source import ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.model.validation import validate_property
from beeline.records import replace

SAFETY = Property("safety", "safety", text="no failed assertion, run-time error or deadlock")
DEADLOCK = Property("deadlock", "deadlock", text="no deadlock")
CLAIM = Property("claim", "claim", text="the monitor never completes")

_FORMS = (
    (re.compile(r"\s*A\s*\[\s*\](.*)", re.DOTALL), "invariant"),
    (re.compile(r"\s*E\s*<\s*>(.*)", re.DOTALL), "goal"),
    (re.compile(r"\s*(?:goal|reach)\s*:(.*)", re.DOTALL), "goal"),
    (re.compile(r"\s*(?:invariant|always)\s*:(.*)", re.DOTALL), "invariant"),
)


def default_property(network: Network) -> Property:
    """What is checked when nothing is asked: the monitor, else all invariants, else safety."""
    if network.monitor is not None:
        return CLAIM
    invariants = [asked for asked in network.properties if asked.kind == "invariant" and asked.expression is not None]
    if len(invariants) == 1:
        return invariants[0]
    if invariants:
        expression = conjunction([asked.expression for asked in invariants if asked.expression is not None])
        return Property("invariants", "invariant", expression, " and ".join(asked.name for asked in invariants))
    return SAFETY


def check_property(network: Network, asked: Property) -> None:
    """Raises `ModelError` for a property that the network has no meaning for."""
    if asked.expression is None:
        return
    try:
        validate_property(network, asked.expression)
        if Builtin("deadlock") in walk(asked.expression) and not is_no_deadlock(asked.kind, asked.expression):
            remedy = "ask for it alone: --property deadlock"
            raise ModelError("'deadlock' cannot be part of a larger expression", remedy=remedy, word="deadlock")
    except ModelError as error:
        raise error.within(asked.source, asked.text) from None


def find_property(network: Network, text: str | None) -> Property:
    """The property that `text` names or spells out; see docs/properties.md for the syntax.

    A bare expression is an invariant. ``A[] e`` says the same, ``E<> e`` asks for a state with `e`, ``deadlock``
    (or ``A[] not deadlock``) and ``safety`` speak for themselves.
    """
    if text is None:
        return default_property(network)
    named = network.property(text)
    if named is not None:
        return named
    if text in ("safety", "deadlock"):
        return SAFETY if text == "safety" else DEADLOCK
    if text == "claim" and network.monitor is not None:
        return CLAIM
    for form, kind in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _read(network, text, match.start(1), kind)
    return _read(network, text, 0, "invariant")


def _read(network: Network, text: str, start: int, kind: str) -> Property:
    """The property whose expression stands in `text` from `start` on."""
    resolver = Resolver(network)
    try:
        expression = resolver.resolve(parse_expression(" " * start + text[start:]))
    except ModelError as error:
        if error.word and error.word == text.strip():
            names = [asked.name for asked in network.properties]
            known = [*names, "safety", "deadlock", *resolver.visible()]
            error = unknown_name("property, variable or process", error.word, known)
        pointed = error.within(Source("--property", 1), text)
        raise ModelError(pointed.message, pointed.source, pointed.remedy, text) from None
    if is_no_deadlock(kind, expression):
        return replace(DEADLOCK, text=text)
    asked = Property(text, kind, expression, text, Source("--property", 1))
    check_property(network, asked)
    return asked


def is_no_deadlock(kind: str, expression: Expression) -> bool:
    """Whether an invariant says just that there is no deadlock, or a goal just that there is one."""
    wanted = Builtin("deadlock")
    return expression == (Unary("!", wanted) if kind == "invariant" else wanted)


def violation(asked: Property) -> Expression | None:
    """The states that a search has to look for, if they are given by an expression."""
    if asked.expression is None:
        return None
    return Unary("!", asked.expression) if asked.kind == "invariant" else asked.expression
