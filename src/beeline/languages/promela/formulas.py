"""What `ltl` formulas and the labels `accept` and `progress` ask."""

from __future__ import annotations

from collections.abc import Iterator

from beeline.model import expressions as ir
from beeline.model.network import Edge, Location, Process
from beeline.model.property import Acceptance, Progress, Property
from beeline.properties.halting import with_halted

from .expressions import ExpressionTranslator
from .show import show_expression
from .syntax import Binary, Expression, Formula, Number, Unary

_UNARY = {"[]": "G", "<>": "F", "X": "X", "!": "not"}
_BINARY = {"U": "U", "V": "R", "W": "W", "&&": "and", "||": "or", "->": "implies", "<->": "iff"}


def formula_property(formula: Formula, translator: ExpressionTranslator, times_out: bool) -> Property:
    """What a formula asks of all runs."""
    from beeline.automata import FALSE, TRUE
    from beeline.automata import Formula as Temporal
    from beeline.properties.linear import Linear

    atoms: dict[str, ir.Expression] = {}

    def read(node: Expression) -> Temporal:
        match node:
            case Unary(operator=operator, operand=operand) if operator in _UNARY:
                return Temporal(_UNARY[operator], (read(operand),))
            case Binary(operator=operator, left=left, right=right) if operator in _BINARY:
                return Temporal(_BINARY[operator], (read(left), read(right)))
            case Number(value=value):
                return TRUE if value else FALSE
        text = show_expression(node)
        atoms[text] = translator.value(node)
        return Temporal.atom(text)

    made = read(formula.formula)
    about = formula.name, formula.text, formula.source
    return Linear(*about, formula=made, atoms=tuple(atoms.items()), times_out=times_out)


def cycle_properties(processes: tuple[Process, ...], times_out: bool) -> Iterator[Property]:
    """What accept and progress labels ask: no cycle through the ones, none without the others."""
    locations = [place for process in processes for place in process.locations]
    accepting = [place for place in locations if place.accept]
    if accepting:
        yield Acceptance("acceptance", "no run passes an accept label infinitely often", accepting[0].source)
    advancing = [place for place in locations if place.progress]
    if advancing:
        text = "every infinite run passes progress labels infinitely often"
        yield Progress("progress", text, advancing[0].source, watcher=with_halted(_without_progress(), times_out))


def _without_progress() -> Process:
    """Waits for a moment from which on no process is at a progress label."""
    places = (Location("watching"), Location("no progress", accept=True))
    idle = ir.Builtin("nonprogress")
    edges = (Edge(0, 0), Edge(0, 1, idle), Edge(1, 1, idle))
    return Process("no progress", places, edges)
