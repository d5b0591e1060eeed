"""Rules of Murphi as processes: one kind for each rule, one process for each choice of its parameters.

A rule's process stands at one place for ever and has one edge there, the rule. The parameters of rulesets around it are
the process's own, so that the network knows which rules are instances of the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from beeline.languages.murphi import syntax
from beeline.languages.murphi.errors import SourceText
from beeline.languages.murphi.expressions import MOST_ROUNDS
from beeline.languages.murphi.kinds import Range, Simple, show_value, to_ir, values
from beeline.languages.murphi.names import Held, Names, Numbering
from beeline.languages.murphi.statements import Body, StatementTranslator
from beeline.languages.murphi.values import Fresh
from beeline.model import expressions as ir
from beeline.model.network import Edge, Function, Initial, Location, Parameter, Process, Variable
from beeline.model.source import Source
from beeline.model.statements import Assume, Do, For, Statement
from beeline.records import Record, replace

MOST_RULES = 60_000  # processes that a network may have
OPENING = "startstate"
"""The process whose steps lead to the initial states."""


class Choice(Record, frozen=True):
    """A parameter of a rule: its name in the network, its type, and the values that it takes."""

    name: str
    kind: Simple
    values: tuple[int, ...]


class Context(Record, frozen=True):
    """What stands around a rule. Aliases, which stand for the same in conditions, are bound anew when a rule begins, as
    seen from where they stand. `guards` say which entries of multisets are there, and that aliases mean something."""

    names: Names
    choices: tuple[Choice, ...] = ()
    aliases: tuple[tuple[syntax.Alias, Names], ...] = ()
    guards: tuple[ir.Expression, ...] = ()

    def instances(self) -> Iterator[tuple[int, ...]]:
        return product(*(choice.values for choice in self.choices))

    def called(self, name: str, chosen: tuple[int, ...]) -> str:
        """A rule's name with the values of its parameters."""
        if not chosen:
            return name
        shown = (
            f"{choice.name}={show_value(choice.kind, value)}"
            for choice, value in zip(self.choices, chosen, strict=True)
        )
        return f"{name}({', '.join(shown)})"


class RuleTranslator(StatementTranslator):
    """Translates rules, startstates and what stands around them."""

    def __init__(self, source: SourceText, numbering: Numbering) -> None:
        super().__init__(source, numbering)
        self.processes: list[Process] = []
        self.initial: list[Initial] = []
        self.openings: list[Edge] = []
        self.claims: list[tuple[syntax.Claim, Context, ir.Expression]] = []
        self.assumptions: list[ir.Expression] = []
        self.canonical: tuple[Statement, ...] = ()  # what puts multisets in order at the end of a step
        self.rule_names: set[str] = {OPENING}

    def rule(self, item: syntax.RuleItem, context: Context) -> None:
        self.fresh = Fresh(self.reserved | {choice.name for choice in context.choices})
        match item:
            case syntax.Ruleset():
                self._ruleset(item, context)
            case syntax.AliasRules(aliases, rules):
                names = context.names.inner()
                for alias in aliases:
                    context = replace(context, aliases=(*context.aliases, (alias, names)), names=names)
                    made = self.alias_in_place(alias, names)
                    context = replace(context, guards=(*context.guards, *made))
                for rule in rules:
                    self.rule(rule, context)
            case syntax.Rule():
                self._rule(item, context)
            case syntax.Startstate():
                self._startstate(item, context)
            case syntax.Claim():
                self.pure = self.claimed = True
                self.claims.append((item, context, self.condition(item.condition, context.names)))
                self.pure = self.claimed = False

    def _ruleset(self, ruleset: syntax.Ruleset, context: Context) -> None:
        inside = context.names.inner()
        for quantifier in ruleset.quantifiers:
            if isinstance(quantifier, syntax.Among):
                name, kind, there = self.entry(quantifier, context.names, inside)
                limits = Range(0, kind.size - 1)
                choice = Choice(name, limits, tuple(values(limits)))
                context = replace(context, guards=(*context.guards, there))
            else:
                choice = self._choice(quantifier, inside)
            context = replace(context, choices=(*context.choices, choice))
        context = replace(context, names=inside)
        for rule in ruleset.rules:
            self.rule(rule, context)

    def _choice(self, quantifier: syntax.Quantifier, inside: Names) -> Choice:
        name = self.fresh.name(quantifier.name)
        if isinstance(quantifier, syntax.Over):
            kind = self.simple(quantifier.type, inside, "a parameter has as its type")
            taken = tuple(values(kind))
        else:
            first = self.number(quantifier.first, inside, "the first value of a rule's parameter")
            last = self.number(quantifier.last, inside, "the last value of a rule's parameter")
            step = 1 if quantifier.step is None else self.number(quantifier.step, inside, "the step")
            if step == 0:
                raise self.source.error("a step of 0 comes to no end", quantifier.at, "leave out `by 0`")
            taken = tuple(range(first, last + (1 if step > 0 else -1), step)[:MOST_ROUNDS])
            kind = Range(min(first, last), max(first, last))
        inside.declare(quantifier.name, Held(ir.Ref(name), kind), quantifier.at)
        return Choice(name, kind, taken)

    def _rule(self, rule: syntax.Rule, context: Context) -> None:
        self.pure = True
        guard = ir.TRUE if rule.guard is None else self.condition(rule.guard, context.names)
        self.pure = False
        guard = ir.conjunction([*context.guards, *ir.conjuncts(guard)])
        name = self._unique(rule.name or f"rule in line {rule.at.line}")
        effect, functions = self._effect(rule.declarations, rule.body, context, f'rule "{name}"', rule.at)
        edge = Edge(0, 0, guard, None, effect, text="rule", source=rule.at)
        parameters = tuple(
            Variable(choice.name, to_ir(choice.kind, absent=False), source=rule.at) for choice in context.choices
        )
        self._check_count(context, rule.at)
        kind = Process(
            name, (Location("ready", source=rule.at),), (edge,), parameters=parameters, functions=functions,
            source=rule.at,
        )  # fmt: skip
        self.processes.append(kind)
        for chosen in context.instances():
            self.initial.append(Initial(name, context.called(name, chosen), chosen, -rule.priority))

    def _check_count(self, context: Context, at: Source) -> None:
        count = len(self.initial) + prod(len(choice.values) for choice in context.choices)
        if count > MOST_RULES:
            message = f"with the values of its parameters this rule makes {count:,} rules; {MOST_RULES:,} are possible"
            raise self.source.error(message, at, "make the types of the parameters smaller")

    def _unique(self, name: str) -> str:
        found, number = name, 1
        while found in self.rule_names:
            number += 1
            found = f"{name} ({number})"
        self.rule_names.add(found)
        return found

    def _effect(
        self,
        declarations: tuple[syntax.Declaration, ...],
        body: tuple[syntax.Statement, ...],
        context: Context,
        name: str,
        at: Source,
    ) -> tuple[tuple[Statement, ...], tuple[Function, ...]]:
        """What a rule does. One that may end early becomes a function, which can be left."""
        names = context.names.inner()
        self.body = Body(name)
        made = [statement for alias, seen in context.aliases for statement in self.alias(alias, seen, names)]
        inside = names.inner()
        made += self.declare(declarations, inside)
        made += self.block(body, inside)
        functions: tuple[Function, ...] = ()
        if self.body.leaves_early:
            functions = (Function("body", (), None, tuple(made), at),)
            made = [Do(ir.Call("body", ()), at)]
        return (*made, *self.canonical), functions

    def _startstate(self, start: syntax.Startstate, context: Context) -> None:
        label = start.name or f"startstate in line {start.at.line}"
        number = len(self.openings)
        effect, functions = self._effect(start.declarations, start.body, context, f'startstate "{label}"', start.at)
        if functions:
            # The process that opens the network has no parameters: the function gets them.
            effect = self._called_with(functions[0], context, f"start {number}", effect, start.at)
        self._check_count(context, start.at)
        for chosen in context.instances():
            body = effect
            for choice, value in zip(reversed(context.choices), reversed(chosen), strict=True):
                body = (For(choice.name, value, value, 1, body, start.at),)
            text = f"startstate {context.called(label, chosen)}"
            self.openings.append(Edge(0, 1, ir.TRUE, None, body, text=text, source=start.at))

    def _called_with(
        self, function: Function, context: Context, name: str, effect: tuple[Statement, ...], at: Source
    ) -> tuple[Statement, ...]:
        parameters = tuple(Parameter(choice.name, to_ir(choice.kind, absent=False)) for choice in context.choices)
        self.functions.append(replace(function, name=name, parameters=parameters))
        given = tuple(ir.Ref(choice.name) for choice in context.choices)
        return (Do(ir.Call(name, given), at), *effect[1:])

    def opening(self) -> Process:
        """The process whose steps lead to the initial states. It may rest then, but for a model without rules, whose
        states are all deadlocks."""
        places = (Location("before"), Location("started", end=bool(self.processes)))
        return Process(OPENING, places, tuple(self.openings))

    def assumed(self, process: Process) -> Process:
        """A rule's process, with steps to states that are not looked at ruled out."""
        if not self.assumptions:
            return process
        ruled_out = Assume(ir.conjunction(self.assumptions), leaves=True)
        edges = tuple(replace(edge, effect=(*edge.effect, ruled_out)) for edge in process.edges)
        return replace(process, edges=edges)
