"""What is asked of a model: finds a property by name, or reads it from an expression."""

from __future__ import annotations

import re
from collections.abc import Mapping

from beeline.model.expressions import Builtin, Expression, Unary, walk
from beeline.model.names import Resolver, unknown_name
from beeline.model.network import Network
from beeline.model.property import (
    Assertions,
    Claim,
    DeadlockReachable,
    Goal,
    Inevitable,
    Invariant,
    LeadsTo,
    NoDeadlock,
    PotentiallyAlways,
    Property,
    Safety,
)
from beeline.model.source import UNKNOWN, ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.model.validation import validate_property

Asked = Invariant | Goal | Inevitable | PotentiallyAlways
SAFETY = Safety("safety", "no failed assertion, run-time error or deadlock")
DEADLOCK = NoDeadlock("deadlock", "no deadlock")
ALWAYS_KNOWN: Mapping[str, Property] = {
    "safety": SAFETY,
    "deadlock": DEADLOCK,
    "assertions": Assertions("assertions", "no failed assertion or run-time error"),
}

_FORMS: tuple[tuple[re.Pattern[str], type[Asked]], ...] = (
    (re.compile(r"\s*A\s*\[\s*\](.*)", re.DOTALL), Invariant),
    (re.compile(r"\s*E\s*<\s*>(.*)", re.DOTALL), Goal),
    (re.compile(r"\s*A\s*<\s*>(.*)", re.DOTALL), Inevitable),
    (re.compile(r"\s*E\s*\[\s*\](.*)", re.DOTALL), PotentiallyAlways),
    (re.compile(r"\s*(?:goal|reach)\s*:(.*)", re.DOTALL), Goal),
    (re.compile(r"\s*(?:invariant|always)\s*:(.*)", re.DOTALL), Invariant),
)
_LEADS_TO = "-->"
_GIVEN = Source("--property", 1)


def questions(network: Network) -> tuple[Property, ...]:
    """What the model asks; safety, if it asks nothing."""
    return tuple(asked for asked in network.properties if not asked.part) or (SAFETY,)


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

    A bare expression is an invariant. ``A[] e`` says the same, ``E<> e`` asks for a state with `e`; ``A<> e``,
    ``E[] e`` and ``e --> f`` ask about whole runs; ``ltl:``, ``ctl:`` and ``mu:`` stand before a formula, ``hoa:``
    before the file of an automaton. ``deadlock`` (or ``A[] not deadlock``), ``assertions`` and ``safety`` speak for
    themselves, ``claim`` is the model's only claim.
    """
    named = network.property(text) or ALWAYS_KNOWN.get(text)
    if named is not None:
        return named
    claims = [asked for asked in network.properties if isinstance(asked, Claim)]
    if text == "claim" and len(claims) == 1:
        return claims[0]
    if text.lstrip().startswith("ltl:"):
        from beeline.properties.linear import read_linear

        return read_linear(network, text)
    if re.match(r"\s*ctl\s*[\[:]", text):
        from beeline.properties.branching import read_branching

        return read_branching(network, text)
    if re.match(r"\s*mu\s*:", text):
        from beeline.properties.modal import read_modal

        return read_modal(network, text)
    if text.lstrip().startswith("hoa:"):
        from beeline.properties.given_automaton import read_automaton

        return read_automaton(network, text)
    for form, kind in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            return _read(network, text, match.start(1), kind)
    if _LEADS_TO in text:
        return _read_promise(network, text)
    return _read(network, text, 0, Invariant)


def _read(network: Network, text: str, start: int, kind: type[Asked]) -> Property:
    """The property whose expression stands in `text` from `start` on."""
    expression = _expression(network, text, start, len(text))
    asked = property_of(kind, text, expression, text, _GIVEN)
    check_property(network, asked)
    return asked


def _read_promise(network: Network, text: str) -> Property:
    middle = text.index(_LEADS_TO)
    condition = _expression(network, text, 0, middle)
    expression = _expression(network, text, middle + len(_LEADS_TO), len(text))
    asked = LeadsTo(text, text, _GIVEN, condition=condition, expression=expression)
    check_property(network, asked)
    return asked


def _expression(network: Network, text: str, start: int, end: int) -> Expression:
    """What stands between two places of a text."""
    resolver = Resolver(network)
    try:
        return resolver.resolve(parse_expression(" " * start + text[start:end]))
    except ModelError as error:
        if error.word and error.word == text.strip():
            names = [asked.name for asked in network.properties]
            known = [*names, *ALWAYS_KNOWN, *resolver.visible()]
            error = unknown_name("property, variable or process", error.word, known)
        pointed = error.within(_GIVEN, text)
        raise ModelError(pointed.message, pointed.source, pointed.remedy, text) from None


def property_of(
    kind: type[Asked], name: str, expression: Expression, text: str = "", source: Source = UNKNOWN
) -> Property:
    """An invariant or a goal; one that speaks of deadlock alone is a property of its own."""
    if kind is Invariant and expression == Unary("!", Builtin("deadlock")):
        return NoDeadlock(name, text, source)
    if kind is Goal and expression == Builtin("deadlock"):
        return DeadlockReachable(name, text, source)
    return kind(name, text, source, expression=expression)
