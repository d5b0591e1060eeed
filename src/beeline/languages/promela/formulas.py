"""What `ltl` formulas and the labels `accept` and `progress` ask.

A formula ``[] p`` is a claim that completes where `p` is false, as in SPIN. All other formulas, and the labels, are
about infinite runs. Their parts are translated in any case, so that a name that does not exist is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from beeline.model import expressions as ir
from beeline.model.network import Edge, Location, Process
from beeline.model.property import Claim, Property, Unanswered

from .expressions import ExpressionTranslator
from .syntax import Binary, Expression, Formula, Unary

NEED_CYCLES = "need a search for cycles"
_TEMPORAL = ("[]", "<>", "X", "U", "V", "W")
_JOINING: dict[str, Callable[[ir.Expression, ir.Expression], ir.Expression]] = {
    "&&": lambda left, right: ir.Binary("&&", left, right),
    "||": lambda left, right: ir.Binary("||", left, right),
    "->": lambda left, right: ir.Binary("imply", left, right),
    "<->": lambda left, right: ir.Binary("==", ir.negate(left), ir.negate(right)),
}


def formula_property(formula: Formula, translator: ExpressionTranslator) -> Property:
    """What a formula asks of all runs."""
    reads = tuple(translator.value(part) for part in _atoms(formula.formula))
    always = _always(formula.formula, translator)
    if always is None:
        reason = f"ltl {formula.name} needs accepting cycles"
        return Unanswered(formula.name, formula.text, formula.source, reason=reason, reads=reads)
    watcher = _watch_for(formula, ir.negate(always))
    return Claim(formula.name, formula.text, formula.source, watcher=watcher)


def cycle_properties(processes: tuple[Process, ...]) -> Iterator[Property]:
    """What accept and progress labels ask: no cycle through the ones, none without the others."""
    locations = [place for process in processes for place in process.locations]
    accepting = [place for place in locations if place.accept]
    if accepting:
        text = "no run passes an accept label infinitely often"
        yield Unanswered("acceptance", text, accepting[0].source, reason=f"accept labels {NEED_CYCLES}")
    advancing = [place for place in locations if place.progress]
    if advancing:
        text = "every infinite run passes progress labels infinitely often"
        yield Unanswered("progress", text, advancing[0].source, reason=f"progress labels {NEED_CYCLES}")


def _atoms(formula: Expression) -> Iterator[Expression]:
    """The largest parts that no operator of the logic joins."""
    match formula:
        case Unary(operator=operator, operand=operand) if operator in (*_TEMPORAL, "!"):
            yield from _atoms(operand)
        case Binary(operator=operator, left=left, right=right) if operator in (*_TEMPORAL, *_JOINING):
            yield from _atoms(left)
            yield from _atoms(right)
        case _:
            yield formula


def _always(formula: Expression, translator: ExpressionTranslator) -> ir.Expression | None:
    """The condition that a formula asks of every state, if it asks nothing else."""
    match formula:
        case Unary(operator="[]", operand=operand):
            inner = _state_condition(operand, translator)
            return _always(operand, translator) if inner is None else inner
        case Binary(operator="&&", left=left, right=right):
            parts = _always(left, translator), _always(right, translator)
            return None if parts[0] is None or parts[1] is None else ir.conjunction([parts[0], parts[1]])
    return None


def _state_condition(formula: Expression, translator: ExpressionTranslator) -> ir.Expression | None:
    """The formula as a condition on one state; None if it has temporal operators."""
    match formula:
        case Unary(operator=operator) if operator in _TEMPORAL:
            return None
        case Unary(operator="!", operand=operand):
            inner = _state_condition(operand, translator)
            return None if inner is None else ir.negate(inner)
        case Binary(operator=operator, left=left, right=right) if operator in (*_TEMPORAL, *_JOINING):
            first, second = _state_condition(left, translator), _state_condition(right, translator)
            if operator in _TEMPORAL or first is None or second is None:
                return None
            return _JOINING[operator](first, second)
    return translator.value(formula)


def _watch_for(formula: Formula, bad: ir.Expression) -> Process:
    """The claim that waits for a state and then is complete."""
    places = (Location("watching", source=formula.source), Location("violated", end=True, source=formula.source))
    edges = (
        Edge(0, 1, bad, text=formula.text, source=formula.source),
        Edge(0, 0, text=formula.text, source=formula.source),
    )
    return Process(formula.name, places, edges, source=formula.source)
