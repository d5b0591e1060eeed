"""Questions that components can be asked: which words of labels are forbidden.

``mu: [R] false`` forbids the runs in the regular expression R. That nothing fails forbids all steps that do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from beeline.compositional.division import NotDivided
from beeline.compositional.learner import smallest
from beeline.compositional.systems import Automaton
from beeline.ctl.formula import Formula
from beeline.lts import TAU
from beeline.model.property import Assertions, Property
from beeline.mu.actions import Actions, Regular
from beeline.mu.formula import Modality
from beeline.mu.runs import Runs
from beeline.properties.modal import Modal

FAILING = Regular(
    "sequence", (Regular("star", (Regular("actions"),)), Regular("actions", (), Actions("label", (), '"error: *"')))
)


def forbidden_by(asked: Property) -> Regular | None:
    """The runs that a question forbids; None if it asks for something else."""
    if isinstance(asked, Assertions):
        return FAILING
    return _forbidden(asked.formula) if isinstance(asked, Modal) else None


def _forbidden(formula: Formula) -> Regular | None:
    if not isinstance(formula, Modality) or formula.kind != "must":
        return None
    then = formula.parts[0]
    if then.kind == "not" and then.parts[0].kind == "true":
        return formula.steps
    inner = _forbidden(then)
    return None if inner is None else Regular("sequence", (formula.steps, inner))


def property_of(runs: Regular, labels: Iterable[str], text_of: Callable[[str], str]) -> Automaton:
    """The automaton of the words of labels that are not forbidden. Hidden steps must make no difference."""
    machine = Runs(runs)
    first = machine.first
    if machine.ends(first):
        raise NotDivided("the formula forbids every run, before anything is done")
    names = [*sorted(labels), TAU]
    numbers, order = {first: 0}, [first]
    rows: list[dict[str, int]] = []
    for place in order:
        targets = {label: machine.after(place, text_of(label)) for label in names}
        for target in targets.values():
            if not machine.ends(target) and target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
        rows.append({label: numbers[target] for label, target in targets.items() if not machine.ends(target)})
    return _counting(smallest(Automaton(tuple(rows), frozenset(names))))


def _counting(automaton: Automaton) -> Automaton:
    """The automaton without the labels that never make a difference."""
    rows = automaton.rows
    counting = {label for label in automaton.alphabet if any(row.get(label) != at for at, row in enumerate(rows))}
    if TAU in counting:
        raise NotDivided("the formula tells apart whether something hidden is done: put `-*` between labels")
    return Automaton(
        tuple({label: row[label] for label in row if label in counting} for row in rows), frozenset(counting)
    )
