"""What is asked of a model: finds a property by name, or reads it from an expression."""

from __future__ import annotations

import re
from collections.abc import Mapping

from beeline.model.expressions import Builtin, Expression, Unary, walk
from beeline.model.names import Resolver, unknown_name
from beeline.model.network import Network
from beeline.model.property import Assertions, Claim, DeadlockReachable, Goal, Invariant, NoDeadlock, Property, Safety
from beeline.model.source import UNKNOWN, ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.model.validation import validate_property

SAFETY = Safety("safety", "no failed assertion, run-time error or deadlock")
DEADLOCK = NoDeadlock("deadlock", "no deadlock")
ALWAYS_KNOWN: Mapping[str, Property] = {
    "safety": SAFETY,
    "deadlock": DEADLOCK,
    "assertions": Assertions("assertions", "no failed assertion or run-time error"),
}

_FORMS: tuple[tuple[re.Pattern[str], type[Invariant | Goal]], ...] = (
    (re.compile(r"\s*A\s*\[\s*\](.*)", re.DOTALL), Invariant),
    (re.compile(r"\s*E\s*<\s*>(.*)", re.DOTALL), Goal),
    (re.compile(r"\s*(?:goal|reach)\s*:(.*)", re.DOTALL), Goal),
    (re.compile(r"\s*(?:invariant|always)\s*:(.*)", re.DOTALL), Invariant),
)


def questions(network: Network) -> tuple[Property, ...]:
    """What the model asks; safety, if it asks nothing."""
    return network.properties or (SAFETY,)


def asks_deadlock(asked: Property) -> bool:
    """Whether a question asks for deadlock among other things."""
    return any(Builtin("deadlock") in walk(expression) for expression in asked.expressions)


def check_property(network: Network, asked: Property) -> None:
    """Raises `ModelError` for a property that the network has no meaning for."""
    try:
        for expression in asked.expressions:
            validate_property(network, expression)
            if asks_deadlock(asked):
                remedy = "ask for it alone: --property deadlock"
                raise ModelError("'deadlock' cannot be part of a larger expression", remedy=remedy, word="deadlock")
    except ModelError as error:
        raise error.within(asked.source, asked.text) from None


def find_property(network: Network, text: str) -> Property:
    """The property that `text` names or spells out; see docs/properties.md for the syntax.

    A bare expression is an invariant. ``A[] e`` says the same, ``E<> e`` asks for a state with `e`, ``deadlock``
    (or ``A[] not deadlock``), ``assertions`` and ``safety`` speak for themselves, ``claim`` is the model's only claim.
    """
    named = network.property(text) or ALWAYS_KNOWN.get(text)
    if named is not None:
        return named
    claims = [asked for asked in network.properties if isinstance(asked, Claim)]
    if text == "claim" and len(claims) == 1:
        return claims[0]
    for form, kind in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _read(network, text, match.start(1), kind)
    return _read(network, text, 0, Invariant)


def _read(network: Network, text: str, start: int, kind: type[Invariant | Goal]) -> Property:
    """The property whose expression stands in `text` from `start` on."""
    resolver = Resolver(network)
    source = Source("--property", 1)
    try:
        expression = resolver.resolve(parse_expression(" " * start + text[start:]))
    except ModelError as error:
        if error.word and error.word == text.strip():
            names = [asked.name for asked in network.properties]
            known = [*names, *ALWAYS_KNOWN, *resolver.visible()]
            error = unknown_name("property, variable or process", error.word, known)
        pointed = error.within(source, text)
        raise ModelError(pointed.message, pointed.source, pointed.remedy, text) from None
    asked = property_of(kind, text, expression, text, source)
    check_property(network, asked)
    return asked


def property_of(
    kind: type[Invariant | Goal], name: str, expression: Expression, text: str = "", source: Source = UNKNOWN
) -> Property:
    """An invariant or a goal; one that speaks of deadlock alone is a property of its own."""
    if kind is Invariant and expression == Unary("!", Builtin("deadlock")):
        return NoDeadlock(name, text, source)
    if kind is Goal and expression == Builtin("deadlock"):
        return DeadlockReachable(name, text, source)
    return kind(name, text, source, expression=expression)
