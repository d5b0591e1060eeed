"""LTL formulas as questions: from a formula to the automaton that watches for its violations.

A safety formula is watched by the monitor of its bad prefixes, so that every search for a state answers it, with the
shortest trace. Any other formula is watched by a Büchi automaton of its negation, and a violation is a cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property, reduce
from typing import ClassVar

from beeline.automata import Automaton, Formula, degeneralise, is_stutter_invariant, parse_ltl, translate
from beeline.automata import Edge as Reading
from beeline.automata.letters import Guard
from beeline.automata.safety import bad_prefix_monitor, is_safety
from beeline.automata.strength import is_weak_by_states
from beeline.model import expressions as ir
from beeline.model.names import Resolver
from beeline.model.network import Edge, Location, Network, Process
from beeline.model.property import Claim, Inevitability, Property
from beeline.model.source import ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.model.validation import validate_property
from beeline.properties.halting import with_halted
from beeline.records import replace

PREFIX = "ltl:"
MOST_SETS = 24
"""The acceptance sets that the engine has room for."""
_STATE_KINDS = ("not", "and", "or", "implies")


class Linear(Property, frozen=True, kw_only=True, dict=True):
    """Every run satisfies `formula`, whose propositions mean the expressions `atoms`. A run that comes to rest goes on
    for ever in its last state; states in the middle of an uninterrupted run are not looked at, as in SPIN.

    `times_out`: some process waits for a timeout. `generalised`: the automaton may have several acceptance sets, for
    searches that know them. `entangled`: propositions share parts, so that some values never go together; the automaton
    does not know which, and may see later than it could that a run is bad."""

    formula: Formula
    atoms: tuple[tuple[str, ir.Expression], ...]
    times_out: bool = False
    generalised: bool = False
    entangled: bool = False
    kind: ClassVar[str] = "ltl"

    @property
    def expressions(self) -> tuple[ir.Expression, ...]:
        return tuple(expression for _, expression in self.atoms)

    @property
    def observed(self) -> tuple[ir.Expression, ...]:
        return tuple(_state_conditions(self.formula, dict(self.atoms)))

    @property
    def automaton(self) -> Process:
        return self._watcher[0]

    @property
    def seeks_cycle(self) -> bool:
        return self.automaton.acceptance_sets > 0 or any(place.accept for place in self.automaton.locations)

    @property
    def is_weak(self) -> bool:
        return self._watcher[1]

    def gathered(self) -> Linear:
        """The same question; its propositions are the largest parts of the formula that speak of one state."""
        found: dict[str, Formula] = {}
        formula, known = _gathered(self.formula, found), dict(self.atoms)
        atoms = tuple((name, _expression_of(part, known)) for name, part in found.items())
        used = Counter(atom for part in found.values() for atom in _atoms_in(part))
        return replace(self, formula=formula, atoms=atoms, entangled=max(used.values(), default=0) > 1)

    @property
    def sees_late(self) -> bool:
        return self.entangled

    @cached_property
    def repetition_reason(self) -> str:
        if is_stutter_invariant(self.formula):
            return ""
        return "the formula can tell a run from one in which a state is repeated"

    @cached_property
    def _watcher(self) -> tuple[Process, bool]:
        """Translated when it is first asked for: a file may have many formulas."""
        process, weak = _watcher(
            self.name, self.text, self.source, self.formula, dict(self.atoms), generalised=self.generalised
        )
        return with_halted(process, self.times_out), weak


class LinearWitness(Linear, frozen=True, kw_only=True, dict=True):
    """Some run violates `formula`; it is a witness."""

    wants_witness: ClassVar[bool] = True
    missing: ClassVar[str] = "there is no such run"


def _state_conditions(formula: Formula, atoms: Mapping[str, ir.Expression]) -> Iterator[ir.Expression]:
    """The largest parts of a formula that speak of one state."""
    condition = _as_expression(formula, atoms)
    if condition is not None:
        yield condition
        return
    for child in formula.children:
        yield from _state_conditions(child, atoms)


def _gathered(formula: Formula, found: dict[str, Formula]) -> Formula:
    """A formula with propositions in the place of its largest parts that speak of one state, which are `found`."""
    if not _is_of_a_state(formula):
        return Formula(formula.kind, tuple(_gathered(child, found) for child in formula.children), formula.name)
    name = formula.name if formula.kind == "atom" else str(formula)
    found[name] = formula
    return Formula.atom(name)


def _is_of_a_state(formula: Formula) -> bool:
    return formula.kind == "atom" or (formula.kind in _STATE_KINDS and all(map(_is_of_a_state, formula.children)))


def _atoms_in(formula: Formula) -> Iterator[str]:
    """Each occurrence of a proposition."""
    if formula.kind == "atom":
        yield formula.name
    for child in formula.children:
        yield from _atoms_in(child)


def _as_expression(formula: Formula, atoms: Mapping[str, ir.Expression]) -> ir.Expression | None:
    """A formula of propositions and what joins them as an expression; None for others."""
    return _expression_of(formula, atoms) if _is_of_a_state(formula) else None


def _expression_of(formula: Formula, atoms: Mapping[str, ir.Expression]) -> ir.Expression:
    parts = [_expression_of(child, atoms) for child in formula.children]
    match formula.kind:
        case "atom":
            return atoms[formula.name]
        case "not":
            return ir.Unary("!", parts[0])
        case "and":
            return ir.conjunction(parts)
        case "or":
            return reduce(lambda one, other: ir.Binary("||", one, other), parts)
        case _:
            return ir.Binary("imply", *parts)


def formula_of(asked: Inevitability, times_out: bool) -> Linear:
    """``A<> p``, ``E[] p`` and ``p --> q`` as formulas, for networks without clocks."""
    from beeline.model.printer import show_expression

    atoms = {show_expression(asked.avoided): asked.avoided}
    comes = Formula("F", (Formula.atom(show_expression(asked.avoided)),))
    if asked.premise is not None:
        start = show_expression(asked.premise)
        comes = Formula("G", (Formula.atom(start) >> comes,))
        atoms[start] = asked.premise
    kind = LinearWitness if asked.wants_witness else Linear
    return kind(asked.name, asked.text, asked.source, formula=comes, atoms=tuple(atoms.items()), times_out=times_out)


def read_linear(network: Network, text: str) -> Linear:
    """The question that ``ltl: [] (p -> <> q)`` is; atoms are expressions of the model."""
    source = Source("--property", 1)
    resolver, atoms = Resolver(network), dict[str, ir.Expression]()
    start = text.index(":") + 1

    def atom(written: str, offset: int) -> str:
        expression = resolver.resolve(parse_expression(" " * offset + written))
        validate_property(network, expression)
        atoms[written] = expression
        return written

    try:
        formula = parse_ltl(" " * start + text[start:], atom)
        name = text.strip()
        return Linear(name, name, source, formula=formula, atoms=tuple(atoms.items()), times_out=network.times_out)
    except ModelError as error:
        pointed = error.within(source, text)
        raise ModelError(pointed.message, pointed.source, pointed.remedy, text) from None


def _watcher(
    name: str, text: str, source: Source, formula: Formula, atoms: Mapping[str, ir.Expression], generalised: bool
) -> tuple[Process, bool]:
    """The process that watches for violations, and whether its cycles are all accepting or none, where they meet."""
    if is_safety(formula):
        monitor = bad_prefix_monitor(formula)
        if monitor.exact:
            places = tuple(
                Location("violated" if state == monitor.bad else f"q{state}", end=state == monitor.bad, source=source)
                for state in range(len(monitor.edges))
            )
            edges = _edges(monitor.edges, monitor.propositions, atoms, text, source)
            return Process(name, places, edges, monitor.initial, source=source), True
    several = translate(~formula)
    violations = degeneralise(several)
    if generalised and 0 < several.sets <= MOST_SETS and several.states <= violations.states:
        places = tuple(Location(f"q{state}", source=source) for state in range(several.states))
        edges = _edges(several.edges, several.propositions, atoms, text, source, with_sets=True)
        return Process(name, places, edges, several.initial, acceptance_sets=several.sets, source=source), False
    places = tuple(
        Location(f"q{state}", accept=violations.is_accepting(state), source=source)
        for state in range(violations.states)
    )
    edges = _edges(violations.edges, violations.propositions, atoms, text, source)
    return Process(name, places, edges, violations.initial, source=source), is_weak_by_states(violations)


def _edges(
    rows: tuple[tuple[Reading, ...], ...],
    names: tuple[str, ...],
    atoms: Mapping[str, ir.Expression],
    text: str,
    source: Source,
    with_sets: bool = False,
) -> tuple[Edge, ...]:
    return tuple(
        Edge(
            state,
            reading.target,
            _condition(reading.guard, names, atoms),
            text=text,
            source=source,
            sets=reading.marks if with_sets else 0,
        )
        for state, row in enumerate(rows)
        for reading in row
    )


def _condition(guard: Guard, names: tuple[str, ...], atoms: Mapping[str, ir.Expression]) -> ir.Expression:
    """The letters that an edge reads, as a condition on states."""
    condition: ir.Expression | None = None
    for true, false in guard:
        parts = [atoms[name] for bit, name in enumerate(names) if true >> bit & 1]
        parts += [ir.negate(atoms[name]) for bit, name in enumerate(names) if false >> bit & 1]
        cube = ir.conjunction(parts)
        condition = cube if condition is None else ir.Binary("||", condition, cube)
    return ir.FALSE if condition is None else condition


def automaton_property(
    name: str, source: Source, automaton: Automaton, atoms: Mapping[str, ir.Expression], times_out: bool = False
) -> Claim:
    """The question whether no run is accepted by an automaton; `times_out`: some process waits for a timeout."""
    bad = degeneralise(automaton)
    places = tuple(Location(f"q{state}", accept=bad.is_accepting(state), source=source) for state in range(bad.states))
    edges = _edges(bad.edges, bad.propositions, atoms, name, source)
    watcher = Process(name, places, edges, bad.initial, source=source)
    return Claim(name, "", source, watcher=with_halted(watcher, times_out))
