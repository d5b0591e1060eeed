"""Statements of Murphi made into those of the network."""

from __future__ import annotations

from beeline.languages.murphi import syntax
from beeline.languages.murphi.expressions import MOST_ROUNDS, Expressions, leaves
from beeline.languages.murphi.kinds import (
    APART,
    ENTRY,
    THERE,
    Array,
    Kind,
    Multiset,
    Range,
    RecordKind,
    fits,
    is_simple,
    to_ir,
    undefined,
)
from beeline.languages.murphi.names import Constant, Held, Names, Place, TypeName
from beeline.languages.murphi.order import goes_in_any_order, may_fail
from beeline.languages.murphi.values import Value, computed_once, copied, within
from beeline.model import expressions as ir
from beeline.model.network import Function
from beeline.model.source import Source
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Assume,
    Cover,
    Declare,
    Do,
    For,
    If,
    Print,
    Return,
    Statement,
    While,
)
from beeline.model.types import BOOL, IntType
from beeline.records import Record

MOST_UNROLLED = 4096  # statements that a loop may become when its rounds are written one by one
Statements = tuple[Statement, ...]


class Body(Record):
    """The function, rule or startstate whose statements are translated. `returns` is a function's type, and `room` the
    name of the place for a result that is no simple value."""

    name: str
    returns: Kind | None = None
    room: str = ""
    leaves_early: bool = False  # whether a `return` ends it


class StatementTranslator(Expressions):
    """Translates statements. `covers` collects the places that should be passed."""

    covers: list[tuple[str, str, Source]]
    body: Body
    copies_undefined = False

    def block(self, statements: tuple[syntax.Statement, ...], names: Names) -> Statements:
        return tuple(made for statement in statements for made in self.statement(statement, names))

    def statement(self, statement: syntax.Statement, names: Names) -> list[Statement]:
        match statement:
            case syntax.Assignment(target, value, at):
                return self._assignment(target, value, names, at)
            case syntax.Undefine(place, at):
                return self._undefine(place, names, at)
            case syntax.Clear(place, at):
                cleared = self.target(place, names)
                assert cleared.place is not None
                return self._filled(cleared.place, cleared.kind, False, at)
            case syntax.If():
                return self._if(statement, names)
            case syntax.Switch():
                return self._switch(statement, names)
            case syntax.For(quantifiers, body, at):
                return self._for(quantifiers, body, names, at)
            case syntax.While(condition, body, at):
                return [While(self.condition(condition, names), self.block(body, names), at)]
            case syntax.AliasBlock(aliases, body):
                inside = names.inner()
                bound = [made for alias in aliases for made in self.alias(alias, inside, inside)]
                return [*bound, *self.block(body, inside)]
            case syntax.Return(value, at):
                return self._return(value, names, at)
            case syntax.Procedure(call, at):
                return self._procedure(call, names, at)
            case syntax.Error(message, at):
                return [Assert(ir.FALSE, message, at)]
            case syntax.Put(value, at):
                return self._put(value, names, at)
            case syntax.Claim():
                return self._claim(statement, names)
            case syntax.MultisetAdd():
                return self._add(statement, names)
            case syntax.MultisetRemove():
                return self._remove(statement, names)
            case syntax.MultisetRemovePred():
                return self._remove_all(statement, names)

    # Declarations inside of functions and rules

    def declare(self, declarations: tuple[syntax.Declaration, ...], names: Names) -> list[Statement]:
        """Declares constants, types and variables in `names`; returns what makes the variables."""
        made: list[Statement] = []
        for declaration in declarations:
            match declaration:
                case syntax.Constant(name, value, at):
                    names.declare(name, self.constant(value, names, "a constant"), at)
                case syntax.NamedType(name, written, at):
                    if name == "boolean":
                        raise self.source.error("`boolean` has a meaning already", at, "rename this type")
                    names.declare(name, TypeName(self.read(written, names, name)), at)
                case syntax.Variables(labels, written, at):
                    kind = self.read(written, names)
                    for label in labels:
                        name = self.fresh.name(label.name)
                        names.declare(label.name, Place(ir.Ref(name), kind), label.at)
                        made.append(Declare(name, to_ir(kind), None, at))
        return made

    def alias(self, alias: syntax.Alias, seen: Names, names: Names) -> list[Statement]:
        """Declares another name in `names`, for what it stands for among those that are `seen`; returns what binds it
        now. Where nothing that it depends on can change, it stands for what it is an alias of."""
        value = self.value(alias.value, seen)
        if value.pending is not None:
            bound = value.pending.inlined(alias.at)
            assert value.place is not None
            names.declare(alias.name, Place(value.place, value.kind, writable=False), alias.at)
            return bound
        if value.place is not None:
            if _is_fixed(value.place):
                names.declare(alias.name, Place(value.place, value.kind, value.writable, value.defined), alias.at)
                return []
            name = self.fresh.name(alias.name)
            names.declare(alias.name, Place(ir.Ref(name), value.kind, value.writable, value.defined), alias.at)
            return [Alias(name, value.place, alias.at)]
        assert is_simple(value.kind)
        if value.constant is not None:
            names.declare(alias.name, Constant(value.constant, value.kind), alias.at)
            return []
        name = self.fresh.name(alias.name)
        names.declare(alias.name, Held(ir.Ref(name), value.kind), alias.at)
        return [Declare(name, to_ir(value.kind, absent=False), value.ir, alias.at)]

    def alias_in_place(self, alias: syntax.Alias, names: Names) -> list[ir.Expression]:
        """Declares another name where nothing can be bound, and nothing changes: in a condition. What it stands for is
        computed once in any case, in both other tools; returns conditions that hold or come to an error."""
        self.leaves_array = False
        value = self.value(alias.value, names)
        if value.place is not None and value.pending is None:
            names.declare(alias.name, Place(value.place, value.kind, value.writable, value.defined), alias.at)
            leaf = next(iter(leaves(value.place, value.kind)), (value.place, None))[0]
            return [computed_once(leaf)] if self.leaves_array or _reads_checked(value.place) else []
        if not is_simple(value.kind):
            raise self.source.error(
                "an alias around rules stands for a variable or a simple value",
                alias.at,
                "call the function in the rule",
            )
        names.declare(alias.name, Held(value.ir, value.kind), alias.at)
        return [computed_once(value.ir)] if self.leaves_array or may_fail(value.ir, self.known_functions()) else []

    def known_functions(self) -> dict[str, Function]:
        return {function.name: function for function in self.functions}

    # Assignments

    def target(self, written: syntax.Expression, names: Names) -> Value:
        """A variable that can be written."""
        target = self.value(written, names)
        if target.place is None or not target.writable:
            remedy = "parameters are written only if they are declared with `var`; loops and rulesets keep theirs"
            raise self.source.error(f"`{syntax.show(written)}` cannot be changed here", written.at, remedy)
        return target

    def _assignment(
        self, written: syntax.Expression, value: syntax.Expression, names: Names, at: Source
    ) -> list[Statement]:
        if isinstance(value, syntax.Undefined):
            return self._undefine(written, names, at)
        target, given = self.target(written, names), self.value(value, names)
        if not fits(given.kind, target.kind):
            message = f"a value of type {given.kind} cannot be stored in a variable of type {target.kind}"
            raise self.source.error(message, at, APART)
        return self._stored(target, given, at)

    def _stored(self, target: Value, given: Value, at: Source) -> list[Statement]:
        assert target.place is not None
        before = [] if given.pending is None else given.pending.inlined(at)
        if is_simple(target.kind):
            # CMurphi copies what has no value, unless it is a number.
            copies = self.copies_undefined and not isinstance(target.kind, Range)
            value = copied(given, target.kind) if copies else within(given, target.kind)
            return [*before, Assign(target.place, value, at)]
        if given.place is None:
            raise self.source.error(f"a {target.kind} is copied from a variable", given.at, "name one")
        return [*before, Assign(target.place, given.place, at)]

    def _undefine(self, written: syntax.Expression, names: Names, at: Source) -> list[Statement]:
        target = self.target(written, names)
        assert target.place is not None
        return self._filled(target.place, target.kind, True, at)

    def _filled(self, place: ir.Place, kind: Kind, with_nothing: bool, at: Source) -> list[Statement]:
        """Every scalar of a place set to no value, or to the lowest of its type."""
        match kind:
            case Array(_, element) | Multiset(_, element):
                name = self.fresh.name("each")
                each: ir.Place = ir.Index(place, ir.Ref(name))
                body: list[Statement] = []
                if isinstance(kind, Multiset):
                    body.append(Assign(ir.Field(each, THERE), ir.FALSE, at))
                    each, with_nothing = ir.Field(each, ENTRY), True
                body += self._filled(each, element, with_nothing, at)
                return self._rounds(name, range(kind.size), tuple(body), at)
            case RecordKind(fields):
                return [
                    made
                    for name, part in fields
                    for made in self._filled(ir.Field(place, name), part, with_nothing, at)
                ]
            case _:
                return [Assign(place, ir.Literal(undefined(kind) if with_nothing else kind.low), at)]

    # Control

    def _if(self, statement: syntax.If, names: Names) -> list[Statement]:
        parts = [
            (
                None if clause.condition is None else self.condition(clause.condition, names),
                self.block(clause.body, names),
            )
            for clause in statement.clauses
        ]
        made: Statements = ()
        for condition, body in reversed(parts):
            made = body if condition is None else (If(condition, body, made, statement.at),)
        return list(made)

    def _switch(self, statement: syntax.Switch, names: Names) -> list[Statement]:
        value = self.simple_value(statement.value, names)
        assert is_simple(value.kind)
        name = self.fresh.name("switch")
        parts = [(self._case(case, name, value.kind, names), self.block(case.body, names)) for case in statement.cases]
        made: Statements = ()
        for test, body in reversed(parts):
            made = body if test is None else (If(test, body, made, statement.at),)
        return [Declare(name, to_ir(value.kind, absent=False), value.ir, statement.at), *made]

    def _case(self, case: syntax.Case, name: str, kind: Kind, names: Names) -> ir.Expression | None:
        """Whether what is switched over has one of the values of a case; None for the case of all others."""
        test: ir.Expression | None = None
        for written in case.values:
            other = self.simple_value(written, names)
            if not (fits(other.kind, kind) or fits(kind, other.kind)):
                raise self.source.error(f"a case of type {other.kind} in a switch over {kind}", written.at, APART)
            equal = ir.Binary("==", ir.Ref(name), other.ir)
            test = equal if test is None else ir.Binary("||", test, equal)
        return test

    def _for(
        self, quantifiers: tuple[syntax.Quantifier, ...], body: tuple[syntax.Statement, ...], names: Names, at: Source
    ) -> list[Statement]:
        if not quantifiers:
            return list(self.block(body, names))
        first, inside = quantifiers[0], names.inner()
        if isinstance(first, syntax.Over):
            low, high, meant, name = self.parameter(first, names, inside)
            made = tuple(self._for(quantifiers[1:], body, inside, at))
            if meant is not None:
                made = (If(meant, made, (), at),)
            self._note_order(first, name, made)
            return self._rounds(name, range(low, high + 1), made, at)
        return self._counted(first, quantifiers[1:], body, names, at)

    def _note_order(self, loop: syntax.Over, name: str, body: Statements) -> None:
        """Members of scalarsets through which a loop goes in an order that matters are told apart by it."""
        if name in self.over_sets and not goes_in_any_order(name, body, self.functions):
            self.told_apart.add(f"line {loop.at.line}: a loop goes through {self.over_sets[name]}")

    def _counted(
        self,
        counted: syntax.Counted,
        rest: tuple[syntax.Quantifier, ...],
        body: tuple[syntax.Statement, ...],
        names: Names,
        at: Source,
    ) -> list[Statement]:
        (first, some), (last, others) = self.bound(counted.first, names), self.bound(counted.last, names)
        step = None if counted.step is None else self.bound(counted.step, names)[0]
        if step is not None and step.constant == 0:
            raise self.source.error("a step of 0 comes to no end", counted.at, "leave out `by 0`")
        kind = Range(min(some.low, others.low), max(some.high, others.high))
        inside = names.inner()
        name = self.fresh.name(counted.name)
        inside.declare(counted.name, Held(ir.Ref(name), kind), counted.at)
        made = tuple(self._for(rest, body, inside, at))
        by = 1 if step is None else step.constant
        if first.constant is not None and last.constant is not None and by is not None:
            if counted.step is not None and (last.constant - first.constant) * by < 0:
                message = f"from {first.constant} to {last.constant} by {by}"
                raise self.source.error(message, counted.at, "the step leads the other way")
            return self._rounds(name, range(first.constant, last.constant + (1 if by > 0 else -1), by), made, at)
        return self._while_counting(name, kind, first, last, step, made, at)

    def _while_counting(
        self, name: str, kind: Range, first: Value, last: Value, step: Value | None, body: Statements, at: Source
    ) -> list[Statement]:
        """A loop whose bounds are known at run time only. They are computed once."""
        end, by = self.fresh.name("last"), self.fresh.name("step")
        limits = IntType(kind.low, kind.high)
        made: list[Statement] = [Declare(end, limits, last.ir, at)]
        widest = 1
        if step is not None:
            assert isinstance(step.kind, Range)
            widest = max(abs(step.kind.low), abs(step.kind.high))
            made.append(Declare(by, IntType(step.kind.low, step.kind.high), step.ir, at))
            made.append(Assert(ir.Binary("!=", ir.Ref(by), ir.Literal(0)), "a step of 0 comes to no end", at))
        counter = IntType(kind.low - widest, kind.high + widest)
        forwards = ir.Binary("<=", ir.Ref(name), ir.Ref(end))
        going: ir.Expression = forwards
        if step is not None:
            backwards = ir.Binary("<=", ir.Ref(end), ir.Ref(name))
            going = ir.Conditional(ir.Binary("<", ir.Literal(0), ir.Ref(by)), forwards, backwards)
        following = ir.Binary("+", ir.Ref(name), ir.Literal(1) if step is None else ir.Ref(by))
        made.append(Declare(name, counter, first.ir, at))
        made.append(While(going, (*body, Assign(ir.Ref(name), following, at)), at))
        return made

    def _rounds(self, name: str, rounds: range, body: Statements, at: Source) -> list[Statement]:
        """A loop whose rounds are known: written one by one if that is not too much."""
        if not rounds or not body:
            return []
        if len(rounds) > MOST_ROUNDS:
            raise self.source.error(f"a loop of more than {MOST_ROUNDS} rounds", at, "make its range smaller")
        if len(rounds) * _size(body) <= MOST_UNROLLED:
            return [For(name, rounds[0], rounds[-1], rounds.step, body, at)]
        low, high = min(rounds[0], rounds[-1]), max(rounds[0], rounds[-1])
        counter = IntType(low - abs(rounds.step), high + abs(rounds.step))
        going = ir.Binary("<=", ir.Ref(name), ir.Literal(high))
        if rounds.step < 0:
            going = ir.Binary("<=", ir.Literal(low), ir.Ref(name))
        following = Assign(ir.Ref(name), ir.Binary("+", ir.Ref(name), ir.Literal(rounds.step)), at)
        return [Declare(name, counter, ir.Literal(rounds[0]), at), While(going, (*body, following), at)]

    def _return(self, written: syntax.Expression | None, names: Names, at: Source) -> list[Statement]:
        self.body.leaves_early = True
        wanted = self.body.returns
        if wanted is None:
            if written is not None:
                raise self.source.error(f"{self.body.name} returns no value", at, "leave it out")
            return [Return(None, at)]
        if written is None:
            raise self.source.error(f"{self.body.name} returns a value of type {wanted}", at, "say which")
        value = self.value(written, names)
        if not fits(value.kind, wanted):
            raise self.source.error(f"{self.body.name} returns a {wanted}, not a {value.kind}", at, APART)
        if is_simple(wanted):
            return [Return(within(value, wanted), at)]
        room = Value(ir.Ref(self.body.room), wanted, at, ir.Ref(self.body.room), True, False)
        return [*self._stored(room, value, at), Return(None, at)]

    def _procedure(self, call: syntax.Call, names: Names, at: Source) -> list[Statement]:
        signature = self.signature(call, names)
        if signature.returns is not None and not is_simple(signature.returns):
            pending = self.call(call, names).pending
            assert pending is not None
            return pending.inlined(at)
        pending, given = self.arguments(call, signature, names)
        before = [] if pending is None else pending.inlined(at)
        return [*before, Do(ir.Call(signature.name, given), at)]

    # What is said and claimed

    def _put(self, written: syntax.Expression | str, names: Names, at: Source) -> list[Statement]:
        if isinstance(written, str):
            text = written.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"').replace("%", "%%")
            return [Print(text, (), at)]
        value = self.value(written, names)
        if is_simple(value.kind):
            return [Print("%d", (value.raw,), at)]
        if value.place is None or value.pending is not None:
            raise self.source.error(f"a {value.kind} is printed from a variable", at, "name one")
        parts = tuple(place for place, _ in leaves(value.place, value.kind))
        return [Print(f"{syntax.show(written)}: " + " ".join(["%d"] * len(parts)), parts, at)]

    def _claim(self, claim: syntax.Claim, names: Names) -> list[Statement]:
        condition = self.condition(claim.condition, names)
        if claim.kind == "assume":
            return [Assume(condition, source=claim.at)]
        if claim.kind == "cover":
            name = claim.message or f"cover in line {claim.at.line}"
            key = f"{name} ({claim.at.line}:{claim.at.column})"
            self.covers.append((key, name, claim.at))
            return [Cover(key, condition, claim.at)]
        return [Assert(condition, claim.message or "an assertion does not hold", claim.at)]

    # Multisets

    def _multiset(self, written: syntax.Expression, names: Names) -> tuple[ir.Place, Multiset]:
        target = self.target(written, names)
        if not isinstance(target.kind, Multiset):
            raise self.source.error(f"a {target.kind} is no multiset", written.at, "assign to other things by `:=`")
        assert target.place is not None
        return target.place, target.kind

    def _add(self, statement: syntax.MultisetAdd, names: Names) -> list[Statement]:
        place, kind = self._multiset(statement.multiset, names)
        value, at = self.value(statement.value, names), statement.at
        if not fits(value.kind, kind.element):
            raise self.source.error(f"a multiset of {kind.element} takes no {value.kind}", at, APART)
        each, free = self.fresh.name("each"), self.fresh.name("free")
        entry = ir.Index(place, ir.Ref(each))
        element = Value(ir.Field(entry, ENTRY), kind.element, at, ir.Field(entry, ENTRY), True, False)
        stored = self._stored(element, value, at)
        if is_simple(kind.element):
            stored = [Assign(ir.Field(entry, ENTRY), copied(value, kind.element), at)]
        is_free = ir.Binary("&&", ir.Ref(free), ir.negate(ir.Field(entry, THERE)))
        taken = (Assign(ir.Field(entry, THERE), ir.TRUE, at), *stored, Assign(ir.Ref(free), ir.FALSE, at))
        return [
            Declare(free, BOOL, ir.TRUE, at),
            *self._rounds(each, range(kind.size), (If(is_free, taken, (), at),), at),
            Assert(ir.negate(ir.Ref(free)), f"the multiset has room for {kind.size} entries only", at),
        ]

    def _remove(self, statement: syntax.MultisetRemove, names: Names) -> list[Statement]:
        place, kind = self._multiset(statement.multiset, names)
        index, _ = self.integer(statement.index, names)
        entry = ir.Index(place, index.ir)
        return self._removed(entry, kind, statement.at)

    def _removed(self, entry: ir.Place, kind: Multiset, at: Source) -> list[Statement]:
        gone = Assign(ir.Field(entry, THERE), ir.FALSE, at)
        return [gone, *self._filled(ir.Field(entry, ENTRY), kind.element, True, at)]

    def _remove_all(self, statement: syntax.MultisetRemovePred, names: Names) -> list[Statement]:
        self._multiset(statement.entry.multiset, names)
        inside, at = names.inner(), statement.at
        name, kind, there = self.entry(statement.entry, names, inside)
        condition = ir.Binary("&&", there, self.condition(statement.condition, inside))
        assert isinstance(there, ir.Field) and isinstance(there.base, ir.Index)
        removed = self._removed(there.base, kind, at)
        return self._rounds(name, range(kind.size), (If(condition, tuple(removed), (), at),), at)


def _size(body: Statements) -> int:
    """How many statements a body becomes when its loops are written round by round."""
    total = 0
    for statement in body:
        match statement:
            case For(body=inner):
                total += len(statement.values) * _size(inner)
            case If(then=then, otherwise=otherwise):
                total += 1 + _size(then) + _size(otherwise)
            case While(body=inner):
                total += 1 + _size(inner)
            case _:
                total += 1
    return total


def _reads_checked(place: ir.Place) -> bool:
    """Whether an index on the way to a place may have no value."""
    return any(isinstance(part, ir.Checked) for part in ir.walk(place))


def _is_fixed(place: ir.Place) -> bool:
    """Whether a place is the same whatever happens: its indices are numbers or parameters, which nothing changes."""
    while not isinstance(place, ir.Ref):
        if isinstance(place, ir.Index) and any(
            isinstance(part, (ir.Checked, ir.Call, ir.Index, ir.Field)) for part in ir.walk(place.index)
        ):
            return False
        place = place.base
    return True
