"""A Murphi text made into a network; see `rules.py` for what a rule becomes, docs/murphi.md for the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from beeline.languages.murphi import syntax
from beeline.languages.murphi.claims import assumptions, properties
from beeline.languages.murphi.definedness import without_needless_checks
from beeline.languages.murphi.errors import SourceText
from beeline.languages.murphi.kinds import BOOLEAN, Kind, Range, is_simple, to_ir
from beeline.languages.murphi.multisets import sorting
from beeline.languages.murphi.names import (
    Constant,
    Names,
    Numbering,
    Place,
    Signature,
    TypeName,
    type_expressions,
    types_in_unions,
)
from beeline.languages.murphi.order import beyond_forall, stops_early
from beeline.languages.murphi.rules import OPENING, Context, RuleTranslator
from beeline.languages.murphi.statements import Body
from beeline.languages.murphi.values import Fresh
from beeline.model import expressions as ir
from beeline.model.network import Function, Initial, Network, Parameter, Rules, Variable
from beeline.model.source import Source
from beeline.model.statements import Assert, Assume, Statement, expressions, nested
from beeline.model.types import INT
from beeline.model.usage import writes_outside
from beeline.model.validation import validate
from beeline.records import Record, field, replace

STUTTERING, STUCK, OFF = DEADLOCKS = ("stuttering", "stuck", "off")
"""What counts as a deadlock: a state that no step leads out of, one without any step, or none."""


ERROR, COPIED, BY_TEXT = UNDEFINED = ("error", "copied", "auto")
"""What it is to assign a variable without a value to another: an error as in Rumur, or a copy as in CMurphi; or the
latter where the text has unions or multisets, which only CMurphi knows."""


class Dialect(Record, frozen=True):
    """Choices in which the tools for Murphi differ, and constants to take instead of those that the text declares."""

    constants: Mapping[str, str] = field(default_factory=dict)
    deadlock: str = STUTTERING
    undefined: str = BY_TEXT


def elaborate(model: syntax.Model, name: str, dialect: Dialect) -> Network:
    """The network of a model."""
    network = _Elaboration(model, name, dialect).network()
    validate(network)
    return network


class _Elaboration(RuleTranslator):
    """One translation."""

    def __init__(self, model: syntax.Model, name: str, dialect: Dialect) -> None:
        source = SourceText(model.file, model.text)
        kinds = list(type_expressions(model))
        super().__init__(source, Numbering(types_in_unions(kinds)))
        self.model = model
        self.name = name
        self.given = dict(dialect.constants)
        self.deadlock = dialect.deadlock
        only_cmurphi = any(isinstance(kind, (syntax.UnionOf, syntax.MultisetOf)) for kind in kinds)
        self.copies_undefined = dialect.undefined == COPIED or (dialect.undefined == BY_TEXT and only_cmurphi)
        self.covers = []
        self.variables: dict[str, tuple[Kind, Source]] = {}
        self.names = Names(source)
        self.names.own |= {
            "boolean": TypeName(BOOLEAN),
            "false": Constant(0, BOOLEAN),
            "true": Constant(1, BOOLEAN),
        }
        self.global_names = self.names.inner()

    def network(self) -> Network:
        self._reserve_names()
        for item in self.model.items:
            match item:
                case syntax.Constant() | syntax.NamedType() | syntax.Variables():
                    self._declaration(item)
                case syntax.Function():
                    self._function(item)
                case _:
                    self._order(item)
        for name in self.given:
            raise self.source.unknown("constant", name, self._constants(), Source(self.source.file))
        if not self.openings:
            remedy = "say how the system begins: startstate .. end"
            raise self.source.error("there is no startstate", self.source.end(), remedy)
        return self._assembled()

    def _constants(self) -> list[str]:
        return [item.name for item in self.model.items if isinstance(item, syntax.Constant)]

    def _reserve_names(self) -> None:
        """Nothing inside of rules may have the name of a variable of the network."""
        for item in self.model.items:
            if isinstance(item, syntax.Variables):
                self.reserved.update(label.name for label in item.names)
            if isinstance(item, syntax.Function):
                self.reserved.add(item.name)
        self.fresh = Fresh(set(self.reserved))

    def _order(self, item: syntax.RuleItem) -> None:
        """Rules see what is declared before them. What puts multisets in order must know all of them."""
        if not self.canonical and not self.processes and not self.openings:
            self.canonical = tuple(self._canonical())
        self.rule(item, Context(self.global_names))

    def _canonical(self) -> list[Statement]:
        made: list[Statement] = []
        for item in self.model.items:
            if isinstance(item, syntax.Variables) and any(label.name in self.variables for label in item.names):
                for label in item.names:
                    kind, _ = self.variables[label.name]
                    made += sorting(ir.Ref(label.name), kind, self)
        return made

    # Declarations

    def _declaration(self, item: syntax.Declaration) -> None:
        match item:
            case syntax.Constant(name, value, at):
                text = self.given.pop(name, None)
                found = self.constant(value, self.global_names, "a constant")
                self.global_names.declare(name, found if text is None else self._given(text, found, name, at), at)
            case syntax.Variables(labels, written, at):
                kind = self.read(written, self.global_names)
                for label in labels:
                    self.global_names.declare(label.name, Place(ir.Ref(label.name), kind), label.at)
                    self.variables[label.name] = (kind, label.at)
            case _:
                self.declare((item,), self.global_names)

    def _given(self, text: str, declared: Constant, name: str, at: Source) -> Constant:
        """A constant's value from outside of the text."""
        known = {"false": 0, "true": 1} if declared.kind == BOOLEAN else {}
        try:
            value = known[text.lower()] if text.lower() in known else int(text, 0)
        except ValueError:
            raise self.source.error(f"`{text}` is no value for the constant `{name}`", at, "give a number") from None
        return Constant(value, Range(value, value) if isinstance(declared.kind, Range) else declared.kind)

    def _function(self, function: syntax.Function) -> None:
        self.fresh = Fresh(set(self.reserved))
        parameters = [
            (label, self.read(group.variables.type, self.global_names), group.writable)
            for group in function.parameters
            for label in group.variables.names
        ]
        returns = None if function.returns is None else self.read(function.returns, self.global_names)
        names = self.global_names.inner()
        kinds = tuple((label.name, kind, writable) for label, kind, writable in parameters)
        unknown = Signature(function.name, kinds, returns, True)
        self.global_names.declare(function.name, unknown, function.at)
        self.body = Body(f"`{function.name}`", returns)
        made: list[Parameter] = []
        if returns is not None and not is_simple(returns):
            self.body.room = self.fresh.name("result")
            made.append(Parameter(self.body.room, to_ir(returns), reference=True))
        for label, kind, writable in parameters:
            name = self.fresh.name(label.name)
            made.append(Parameter(name, to_ir(kind), reference=writable))
            names.declare(label.name, Place(ir.Ref(name), kind, writable), label.at)
        inside = names.inner()
        body = self.declare(function.declarations, inside)
        body += self.block(function.body, inside)
        if returns is not None:
            body.append(Assert(ir.FALSE, f"`{function.name}` ends without a value", function.at))
        done = Function(function.name, tuple(made), INT if self._has_value(returns) else None, tuple(body), function.at)
        self.functions.append(done)
        called = self._called(done)
        writes = self._writes(done) or any(one.writes for one in called)
        assumes = any(isinstance(one, Assume) for one in nested(done.body)) or any(one.assumes for one in called)
        self.global_names.own[function.name] = Signature(function.name, kinds, returns, writes, assumes)

    def _has_value(self, returns: Kind | None) -> bool:
        return returns is not None and is_simple(returns)

    def _writes(self, function: Function) -> bool:
        """Whether it may itself change anything; the place for a result does not count."""
        room = self.body.room
        checked = replace(
            function,
            parameters=tuple(replace(one, reference=one.reference and one.name != room) for one in function.parameters),
        )
        return writes_outside(checked, set(self.variables))

    def _called(self, function: Function) -> list[Signature]:
        """The other functions that it calls."""
        names = {
            part.function
            for statement in nested(function.body)
            for expression in expressions(statement)
            for part in ir.walk(expression)
            if isinstance(part, ir.Call) and part.function != function.name
        }
        return [meant for name in names if isinstance(meant := self.global_names.find(name), Signature)]

    # The whole

    def _stopping(self, network: Network, conditions: Sequence[ir.Expression]) -> tuple[tuple[str, str], ...]:
        """Quantifiers over scalarsets that may come to an error, so that it matters in which order members come."""
        edges = [edge for process in network.processes for edge in process.edges]
        bodies = (*(edge.effect for edge in edges), *(function.body for function in network.every_function))
        whole = [edge.guard for edge in edges] + [beyond_forall(condition) for condition in conditions]
        whole += [one for body in bodies for statement in nested(body) for one in expressions(statement)]
        early = stops_early(whole, self.over_sets, network.every_function)
        return tuple((name, self.over_sets[name]) for name in sorted(early))

    def _assembled(self) -> Network:
        self.assumptions = assumptions(self.claims)
        processes = tuple(self.assumed(process) for process in (self.opening(), *self.processes))
        lowest = min((start.priority for start in self.initial), default=0)
        initial = (
            Initial(OPENING, OPENING),
            *(replace(start, priority=start.priority - lowest) for start in self.initial),
        )
        network = Network(
            name=self.name,
            processes=processes,
            initial=initial,
            variables=tuple(Variable(name, to_ir(kind), source=at) for name, (kind, at) in self.variables.items()),
            functions=tuple(self.functions),
            rules=Rules(
                opened=True,
                stuttering=self.deadlock == STUTTERING,
                priorities=len({start.priority for start in initial[1:]}) > 1,
                asserting=True,
            ),
            language="murphi",
            source=Source(self.model.file),
        )
        validate(network)
        network, conditions = without_needless_checks(network, [condition for _, _, condition in self.claims])
        told_apart, stopping = tuple(sorted(self.told_apart)), self._stopping(network, conditions)
        network = replace(network, rules=replace(network.rules, told_apart=told_apart, stopping=stopping))
        claims = [(claim, context, now) for (claim, context, _), now in zip(self.claims, conditions, strict=True)]
        return replace(network, properties=properties(claims, self.covers, self.deadlock == OFF))
