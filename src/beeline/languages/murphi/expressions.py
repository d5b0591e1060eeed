"""Expressions of Murphi made into those of the network."""

from __future__ import annotations

from beeline.languages.murphi import syntax
from beeline.languages.murphi.errors import SourceText
from beeline.languages.murphi.kinds import (
    APART,
    BOOLEAN,
    ENTRY,
    THERE,
    Array,
    Kind,
    Multiset,
    Range,
    RecordKind,
    Scalarset,
    Simple,
    Union,
    fits,
    has_members_alike,
    is_simple,
    to_ir,
    undefined,
    values,
)
from beeline.languages.murphi.names import (
    Constant,
    Held,
    Names,
    Numbering,
    Place,
    Signature,
    TypeName,
    TypeReader,
)
from beeline.languages.murphi.values import (
    Fresh,
    Pending,
    Value,
    arithmetic,
    computed,
    copied,
    divides_by_zero,
    literal,
)
from beeline.model import expressions as ir
from beeline.model.network import Function, Parameter
from beeline.model.source import Source
from beeline.model.statements import Declare, Do, Return
from beeline.model.types import INT, INT_MAX, INT_MIN
from beeline.records import replace

MOST_ROUNDS = 1 << 16  # of a loop or quantifier whose every round becomes code of its own
RESULT = "result"
KNOWN = "use numbers, and constants that are declared before"


class Expressions(TypeReader):
    """Translates expressions. `functions` collects those of the network. `fresh` knows the names that are in use where
    something is translated, of which those of the whole network are `reserved`."""

    def __init__(self, source: SourceText, numbering: Numbering) -> None:
        super().__init__(source, numbering)
        self.functions: list[Function] = []
        self.over_sets: dict[str, str] = {}  # names of what goes through scalarsets, and of these
        self.told_apart: set[str] = set()  # where it matters in which order their members come
        self.reserved: set[str] = set()
        self.fresh = Fresh()
        self.leaves_array = False  # whether an index was met that may be outside of its array
        self.pure = False  # whether what is translated may change nothing
        self.claimed = False  # whether it is claimed of all states

    def function_name(self, wanted: str) -> str:
        """A name for a function that the text does not have."""
        found = Fresh({*self.reserved, *(function.name for function in self.functions)}).name(wanted)
        self.fresh.used.add(found)
        return found

    def constant(self, expression: syntax.Expression, names: Names, what: str) -> Constant:
        value = self.value(expression, names)
        self.refuse_division_by_zero(value)
        if isinstance(expression, syntax.Binary) and expression.operator in ("*", "/", "%", "<<", ">>"):
            left = self.value(expression.left, names)
            value = left if left.constant == 0 else value
        if value.constant is None or not is_simple(value.kind):
            raise self.source.error(f"{what} must be known before the run", expression.at, KNOWN)
        return Constant(value.constant, value.kind)

    def refuse_division_by_zero(self, value: Value) -> None:
        """What must be known before anything runs cannot end a run, as it does elsewhere."""
        if value.constant is None and divides_by_zero(value.ir):
            raise self.source.error("division by zero", value.at, "write a number here")

    def bound(self, expression: syntax.Expression, names: Names) -> tuple[Value, Range]:
        """The first or last number, or the step, of a loop or quantifier."""
        value, kind = self.integer(expression, names)
        self.refuse_division_by_zero(value)
        return value, kind

    def condition(self, expression: syntax.Expression, names: Names) -> ir.Expression:
        return self.boolean(expression, names).ir

    def boolean(self, expression: syntax.Expression, names: Names) -> Value:
        value = self.value(expression, names)
        if value.kind != BOOLEAN:
            raise self.source.error(
                f"expected a condition, found a value of type {value.kind}", expression.at, _made_condition(value.kind)
            )
        return value

    def simple_value(self, expression: syntax.Expression, names: Names) -> Value:
        value = self.value(expression, names)
        if not is_simple(value.kind):
            raise self.source.error(f"a {value.kind} has no single value", expression.at, "say which part is meant")
        return value

    def integer(self, expression: syntax.Expression, names: Names) -> tuple[Value, Range]:
        return self._as_integer(self.value(expression, names))

    def _as_integer(self, value: Value) -> tuple[Value, Range]:
        if not isinstance(value.kind, Range):
            raise self.source.error(
                f"expected a number, found a value of type {value.kind}", value.at, _no_number(value.kind)
            )
        return value, value.kind

    def value(self, expression: syntax.Expression, names: Names) -> Value:
        """The meaning of an expression; raises `MurphiError`."""
        match expression:
            case syntax.Number(number, at):
                return self._known(number, at, INT_MAX + 1)  # -2147483648 is that number's opposite
            case syntax.Name():
                return self._name(expression, names)
            case syntax.Field():
                return self._field(expression, names)
            case syntax.Element():
                return self._element(expression, names)
            case syntax.Unary():
                return self._unary(expression, names)
            case syntax.Binary():
                return self._binary(expression, names)
            case syntax.Conditional():
                return self._conditional(expression, names)
            case syntax.Quantified():
                return self._quantified(expression, expression.quantifiers, names)
            case syntax.Call():
                return self.call(expression, names)
            case syntax.IsUndefined(place, at):
                return self._is_undefined(place, names, at)
            case syntax.IsMember():
                return self._is_member(expression, names)
            case syntax.MultisetCount():
                return self._count(expression, names)
            case syntax.Undefined(at):
                raise self.source.error("`undefined` can only be assigned or passed", at, "ask with `isundefined(..)`")

    # Designators

    def _name(self, expression: syntax.Name, names: Names) -> Value:
        name, at = expression.name, expression.at
        meant = names.find(name)
        match meant:
            case Constant(number, kind):
                return literal(number, kind, at)
            case Held(held, kind):
                return Value(held, kind, at)
            case Place(place, kind, writable, defined):
                return self.variable(place, kind, writable, defined, expression)
            case Signature():
                raise self.source.error(f"`{name}` is a function", at, f"call it: `{name}(..)`")
            case TypeName():
                raise self.source.error(f"`{name}` is a type", at, "name a variable or a value")
            case None:
                known = [one for one in names.known() if not isinstance(names.find(one), TypeName)]
                raise self.source.unknown("variable or constant", name, known, at)

    def variable(
        self,
        place: ir.Place,
        kind: Kind,
        writable: bool,
        defined: bool,
        written: syntax.Expression,
        pending: Pending | None = None,
    ) -> Value:
        """What is at a place. To read a simple variable that has no value is an error."""
        read: ir.Expression = place
        if is_simple(kind) and not defined:
            read = ir.Checked(place, kind.low, None, "undefined", syntax.show(written))
        if pending is not None and is_simple(kind):
            return Value(self._after(pending, read), kind, written.at)
        return Value(read, kind, written.at, place, writable, defined, pending)

    def _after(self, pending: Pending, value: ir.Expression) -> ir.Expression:
        """A value that needs calls before: a function of its own makes them."""
        name = self.function_name("value")
        parameters = tuple(parameter for parameter, _ in pending.passed)
        self.functions.append(Function(name, parameters, INT, (*pending.body, Return(value))))
        return ir.Call(name, tuple(given for _, given in pending.passed))

    def _passed(self, pending: Pending, value: Value) -> tuple[Pending, ir.Expression]:
        """A value of the place around, for use after the calls that are pending."""
        if value.pending is not None:
            assert value.place is not None
            return pending + value.pending, value.place
        by_place = value.place is not None and not is_simple(value.kind)
        kind = to_ir(value.kind) if by_place else INT
        parameter = Parameter(self.fresh.name("given"), kind, reference=by_place)
        given = value.place if by_place and value.place is not None else value.raw
        return pending + Pending(((parameter, given),)), ir.Ref(parameter.name)

    def _field(self, expression: syntax.Field, names: Names) -> Value:
        base = self.value(expression.base, names)
        if not isinstance(base.kind, RecordKind) or base.place is None:
            raise self.source.error(
                f"`.{expression.name}` of a {base.kind}, which is no record", expression.at, "only records have fields"
            )
        kind = base.kind.field(expression.name)
        if kind is None:
            raise self.source.unknown("field", expression.name, [name for name, _ in base.kind.fields], expression.at)
        place = ir.Field(base.place, expression.name)
        return self.variable(place, kind, base.writable, base.defined, expression, base.pending)

    def _element(self, expression: syntax.Element, names: Names) -> Value:
        base = self.value(expression.base, names)
        if not isinstance(base.kind, (Array, Multiset)) or base.place is None:
            raise self.source.error(
                f"an index of a {base.kind}, which is no array", expression.at, "only arrays have elements"
            )
        index = self.simple_value(expression.index, names)
        by = base.kind.index if isinstance(base.kind, Array) else Range(0, base.kind.size - 1)
        if not fits(index.kind, by):
            raise self.source.error(
                f"this array is indexed by {by}, not by {index.kind}", expression.index.at, _index(by)
            )
        assert is_simple(index.kind)
        self.leaves_array = self.leaves_array or not (by.low <= index.kind.low and index.kind.high <= by.high)
        pending, at = base.pending, index.ir
        if pending is not None:
            pending, at = self._passed(pending, index)
        place: ir.Place = ir.Index(base.place, _minus(at, by.low))
        if isinstance(base.kind, Multiset):
            place = ir.Field(place, ENTRY)
        return self.variable(place, base.kind.element, base.writable, base.defined, expression, pending)

    # Operators

    def _unary(self, expression: syntax.Unary, names: Names) -> Value:
        at = expression.at
        if expression.operator == "!":
            value = self.boolean(expression.operand, names)
            if value.constant is not None:
                return literal(1 - value.constant, BOOLEAN, at)
            return Value(ir.Unary("!", value.ir), BOOLEAN, at)
        value, kind = self.integer(expression.operand, names)
        if value.constant is not None:
            return self._known(-value.constant if expression.operator == "-" else ~value.constant, at)
        if expression.operator == "-":
            return self._bounded(ir.Unary("-", value.ir), Range(-kind.high, -kind.low), at)
        return Value(ir.Unary("~", value.ir), Range(~kind.high, ~kind.low), at)

    def _known(self, number: int, at: Source, most: int = INT_MAX) -> Value:
        if not INT_MIN <= number <= most:
            raise self.source.error(f"{number} does not fit into 32 bits", at, "use smaller numbers")
        return literal(number, Range(number, number), at)

    def _bounded(self, value: ir.Expression, kind: Range, at: Source) -> Value:
        if kind.low < INT_MIN or kind.high > INT_MAX:
            remedy = "use smaller subranges"
            raise self.source.error("this value may not fit into 32 bits", at, remedy)
        return Value(value, kind, at)

    def _binary(self, expression: syntax.Binary, names: Names) -> Value:
        operator = expression.operator
        if operator in ("->", "&&", "||"):
            return self._logic(expression, self.boolean(expression.left, names), names)
        if operator in ("=", "!="):
            return self._equality(expression, names)
        left = self.value(expression.left, names)
        if operator in ("&", "|") and left.kind == BOOLEAN:
            return self._logic(expression, left, names)
        first, kind = self._as_integer(left)
        second, other = self.integer(expression.right, names)
        if operator in ("<", "<=", ">", ">="):
            return self._comparison(operator, first, second, expression.at)
        if first.constant is not None and second.constant is not None:
            number = computed(operator, first.constant, second.constant)
            if number is not None:
                return self._known(number, expression.at)
        if operator in ("<<", ">>"):
            return Value(_shift(operator, first, second), arithmetic(operator, kind, other), expression.at)
        return self._bounded(ir.Binary(operator, first.ir, second.ir), arithmetic(operator, kind, other), expression.at)

    def _logic(self, expression: syntax.Binary, left: Value, names: Names) -> Value:
        """Conditions; what the left side decides, the right side does not matter for."""
        name = {"&": "&&", "&&": "&&", "|": "||", "||": "||", "->": "imply"}[expression.operator]
        decided = {"&&": 0, "||": 1, "imply": 0}[name]
        if left.constant == decided:
            self.boolean(expression.right, names)
            return literal(int(name != "&&"), BOOLEAN, expression.at)
        right = self.boolean(expression.right, names)
        if left.constant is not None:
            return replace(right, at=expression.at)
        return Value(ir.Binary(name, left.ir, right.ir), BOOLEAN, expression.at)

    def _comparison(self, operator: str, left: Value, right: Value, at: Source) -> Value:
        if left.constant is not None and right.constant is not None:
            truth = {
                "<": left.constant < right.constant,
                "<=": left.constant <= right.constant,
                ">": left.constant > right.constant,
                ">=": left.constant >= right.constant,
            }[operator]
            return literal(int(truth), BOOLEAN, at)
        return Value(ir.Binary(operator, left.ir, right.ir), BOOLEAN, at)

    def _equality(self, expression: syntax.Binary, names: Names) -> Value:
        left, right = self.value(expression.left, names), self.value(expression.right, names)
        if not (fits(left.kind, right.kind) or fits(right.kind, left.kind)):
            message = f"a value of type {left.kind} cannot be compared with one of type {right.kind}"
            raise self.source.error(message, expression.at, APART)
        operator = "==" if expression.operator == "=" else "!="
        if is_simple(left.kind):
            if left.constant is not None and right.constant is not None:
                return literal(int((left.constant == right.constant) == (operator == "==")), BOOLEAN, expression.at)
            return Value(ir.Binary(operator, left.ir, right.ir), BOOLEAN, expression.at)
        return Value(self._same(left, right, operator == "=="), BOOLEAN, expression.at)

    def _same(self, left: Value, right: Value, wanted: bool) -> ir.Expression:
        """Whether two records or arrays are equal in every part; parts without values are equal, too."""
        assert left.place is not None and right.place is not None
        one, other = left.place, right.place
        pending: Pending | None = None
        if left.pending is not None or right.pending is not None:
            pending, first = self._passed(Pending(), left)
            pending, second = self._passed(pending, right)
            assert isinstance(first, (ir.Ref, ir.Field, ir.Index)) and isinstance(second, (ir.Ref, ir.Field, ir.Index))
            one, other = first, second
        pairs = zip(leaves(one, left.kind), leaves(other, right.kind), strict=True)
        equal = ir.conjunction([ir.Binary("==", a, b) for (a, _), (b, _) in pairs])
        truth = equal if wanted else ir.negate(equal)
        return truth if pending is None else self._after(pending, truth)

    def _conditional(self, expression: syntax.Conditional, names: Names) -> Value:
        condition = self.boolean(expression.condition, names)
        then, otherwise = self.simple_value(expression.then, names), self.simple_value(expression.otherwise, names)
        if not (fits(then.kind, otherwise.kind) or fits(otherwise.kind, then.kind)):
            message = f"one side is of type {then.kind}, the other of type {otherwise.kind}"
            raise self.source.error(message, expression.at, APART)
        if condition.constant is not None:
            return replace(then if condition.constant else otherwise, at=expression.at, place=None)
        kind = _joined(then.kind, otherwise.kind)
        return Value(ir.Conditional(condition.ir, then.ir, otherwise.ir), kind, expression.at)

    # Quantifiers

    def _quantified(
        self, expression: syntax.Quantified, quantifiers: tuple[syntax.Quantifier, ...], names: Names
    ) -> Value:
        if not quantifiers:
            return self.boolean(expression.body, names)
        first, inside = quantifiers[0], names.inner()
        low, high, among, held = self.parameter(first, names, inside)
        body = self._quantified(expression, quantifiers[1:], inside).ir
        if among is not None:
            body = ir.Binary("&&" if expression.kind == "exists" else "imply", among, body)
        return Value(ir.Quantified(expression.kind, held, low, high, body), BOOLEAN, expression.at)

    def parameter(
        self, quantifier: syntax.Quantifier, names: Names, inside: Names
    ) -> tuple[int, int, ir.Expression | None, str]:
        """The bounds of a quantifier, a condition on the values between them that are meant (None: all), and the name
        that it gets in the network. The name is declared in `inside`."""
        name = self.fresh.name(quantifier.name)
        if isinstance(quantifier, syntax.Over):
            kind = self.simple(quantifier.type, names, "a parameter has as its type")
            inside.declare(quantifier.name, Held(ir.Ref(name), kind), quantifier.at)
            if has_members_alike(kind):
                self.over_sets[name] = f"`{kind}`"
            return *self._few(kind.low, kind.high, quantifier.at), among(kind, ir.Ref(name)), name
        first, last = self.bound(quantifier.first, names), self.bound(quantifier.last, names)
        low, high = min(first[1].low, last[1].low), max(first[1].high, last[1].high)
        conditions: list[ir.Expression] = []
        down = False
        step = 1
        if quantifier.step is not None:
            step = self.number(quantifier.step, names, "the step")
            if step == 0:
                raise self.source.error("a step of 0 comes to no end", quantifier.at, "leave out `by 0`")
            down = step < 0
        here = ir.Ref(name)
        begin, end = (last[0], first[0]) if down else (first[0], last[0])
        if begin.constant is None or begin.constant != low:
            conditions.append(ir.Binary("<=", begin.ir, here))
        if end.constant is None or end.constant != high:
            conditions.append(ir.Binary("<=", here, end.ir))
        if abs(step) != 1:
            conditions.append(
                ir.Binary("==", ir.Binary("%", ir.Binary("-", here, first[0].ir), ir.Literal(step)), ir.Literal(0))
            )
        inside.declare(quantifier.name, Held(here, Range(low, high)), quantifier.at)
        return *self._few(low, high, quantifier.at), ir.conjunction(conditions) if conditions else None, name

    def _few(self, low: int, high: int, at: Source) -> tuple[int, int]:
        if high - low >= MOST_ROUNDS:
            raise self.source.error(f"more than {MOST_ROUNDS} values are gone through", at, "make the range smaller")
        return low, high

    def entry(self, written: syntax.Among, names: Names, inside: Names) -> tuple[str, Multiset, ir.Expression]:
        """An entry of a multiset: its name in the network, and whether it is there. It is declared in `inside`."""
        multiset = self.value(written.multiset, names)
        if not isinstance(multiset.kind, Multiset) or multiset.place is None:
            raise self.source.error(
                f"a {multiset.kind} is no multiset",
                written.multiset.at,
                "go through other things by `for` or `ruleset`",
            )
        name = self.fresh.name(written.name)
        inside.declare(written.name, Held(ir.Ref(name), Range(0, multiset.kind.size - 1)), written.at)
        return name, multiset.kind, ir.Field(ir.Index(multiset.place, ir.Ref(name)), THERE)

    def _count(self, expression: syntax.MultisetCount, names: Names) -> Value:
        inside = names.inner()
        name, kind, there = self.entry(expression.entry, names, inside)
        condition = ir.Binary("&&", there, self.condition(expression.condition, inside))
        counted = ir.Conditional(condition, ir.Literal(1), ir.Literal(0))
        total = ir.Quantified("sum", name, 0, kind.size - 1, counted)
        return Value(total, Range(0, kind.size), expression.at)

    # Questions about variables

    def _is_undefined(self, written: syntax.Expression, names: Names, at: Source) -> Value:
        value = self.value(written, names)
        if not is_simple(value.kind):
            raise self.source.error(f"`isundefined` of a {value.kind}", at, "ask about each of its parts")
        if value.place is None:
            raise self.source.error("`isundefined` is asked of a variable", at, "name one")
        if value.defined:
            return literal(0, BOOLEAN, at)
        return Value(ir.Binary("==", value.place, ir.Literal(undefined(value.kind))), BOOLEAN, at)

    def _is_member(self, expression: syntax.IsMember, names: Names) -> Value:
        value = self.simple_value(expression.value, names)
        kind = self.simple(expression.type, names, "membership is asked of")
        if not fits(kind, value.kind):
            raise self.source.error(
                f"a value of type {value.kind} is never one of {kind}", expression.at, "ask of a value of a union"
            )
        assert is_simple(value.kind)
        truth = among(kind, value.ir, value.kind)
        return literal(1, BOOLEAN, expression.at) if truth is None else Value(truth, BOOLEAN, expression.at)

    # Calls

    def call(self, call: syntax.Call, names: Names) -> Value:
        """The value of a function."""
        signature = self.signature(call, names)
        if signature.returns is None:
            raise self.source.error(
                f"the procedure `{call.function}` has no value",
                call.at,
                "call it as a statement, or make it a function",
            )
        pending, given = self.arguments(call, signature, names)
        if is_simple(signature.returns):
            value: ir.Expression = ir.Call(signature.name, given)
            return Value(value if pending is None else self._after(pending, value), signature.returns, call.at)
        # The caller provides room for the result.
        room = self.fresh.name(RESULT)
        before = pending or Pending()
        passed: list[ir.Expression] = []
        if pending is None:
            for value_given, (name, kind, writable) in zip(given, signature.parameters, strict=True):
                by_place = writable or not is_simple(kind)
                parameter = Parameter(self.fresh.name(name), to_ir(kind), by_place)
                before += Pending(((parameter, value_given),))
                passed.append(ir.Ref(parameter.name))
        else:
            passed = list(given)
        body = (Declare(room, to_ir(signature.returns)), Do(ir.Call(signature.name, (ir.Ref(room), *passed)), call.at))
        after = before + Pending((), body)
        return Value(ir.Ref(room), signature.returns, call.at, ir.Ref(room), False, False, after)

    def signature(self, call: syntax.Call, names: Names) -> Signature:
        meant = names.find(call.function)
        if not isinstance(meant, Signature):
            if meant is not None:
                raise self.source.error(f"`{call.function}` is no function", call.at, "an element is written `a[i]`")
            known = [one for one in names.known() if isinstance(names.find(one), Signature)]
            raise self.source.unknown("function", call.function, known, call.at)
        if len(call.arguments) != len(meant.parameters):
            message = f"`{call.function}` takes {len(meant.parameters)} arguments, not {len(call.arguments)}"
            raise self.source.error(message, call.at, f"it is declared as `{_declared(call.function, meant)}`")
        if self.pure and meant.writes:
            message = f"`{call.function}` changes variables, and what is asked here must change nothing"
            raise self.source.error(message, call.at, "call it in the body of a rule")
        if self.claimed and meant.assumes:
            message = f"`{call.function}` assumes something, and what is claimed is claimed of all states"
            raise self.source.error(message, call.at, "call it in a rule")
        return meant

    def arguments(
        self, call: syntax.Call, signature: Signature, names: Names
    ) -> tuple[Pending | None, tuple[ir.Expression, ...]]:
        """What is passed for the parameters; if that takes calls first, all of it for use after them."""
        found: list[tuple[Value, ir.Expression]] = []
        for written, (name, kind, writable) in zip(call.arguments, signature.parameters, strict=True):
            if isinstance(written, syntax.Undefined):
                found.append(self._missing(kind, writable, written.at))
                continue
            value = self.value(written, names)
            self._check_argument(value, name, kind, writable)
            if writable or not is_simple(kind):
                assert value.place is not None
                found.append((value, value.place))
            else:
                found.append((value, copied(value, kind)))
        if not any(value.pending is not None for value, _ in found):
            return None, tuple(given for _, given in found)
        pending, passed = Pending(), []
        for value, given in found:
            by_place = value.place is not None and given is value.place
            plain = value if by_place else Value(given, value.kind, value.at)
            pending, one = self._passed(pending, plain)
            passed.append(one)
        return pending, tuple(passed)

    def _missing(self, kind: Kind, writable: bool, at: Source) -> tuple[Value, ir.Expression]:
        if writable or not is_simple(kind):
            raise self.source.error("`undefined` can be passed for a simple parameter only", at, "pass a variable")
        number = ir.Literal(undefined(kind))
        return Value(number, kind, at), number

    def _check_argument(self, value: Value, name: str, kind: Kind, writable: bool) -> None:
        if not fits(value.kind, kind):
            message = f"parameter `{name}` is of type {kind}, the argument of type {value.kind}"
            raise self.source.error(message, value.at, APART)
        if writable and (value.place is None or not value.writable or value.pending is not None):
            raise self.source.error(
                f"parameter `{name}` needs a variable that can be written", value.at, "pass a variable"
            )
        if writable and is_simple(kind) and _bounds(value.kind) != _bounds(kind):
            message = f"parameter `{name}` is a variable of type {kind}, this one is of type {value.kind}"
            raise self.source.error(message, value.at, "their ranges must be the same")
        if not is_simple(kind) and value.place is None:
            raise self.source.error(f"parameter `{name}` needs a variable", value.at, "pass a variable")


def _bounds(kind: Kind) -> tuple[int, int]:
    assert is_simple(kind)
    return kind.low, kind.high


def _made_condition(kind: Kind) -> str:
    return "compare it with a value, as in `x = 1`" if is_simple(kind) else "compare one of its parts"


def _no_number(kind: Kind) -> str:
    if isinstance(kind, Scalarset):
        return "members of a scalarset have no order: compare them with `=` and `!=` only"
    return "only subranges have numbers"


def _index(by: Simple) -> str:
    if isinstance(by, Scalarset):
        return "members of a scalarset have no numbers: go through them by `for` or `ruleset`"
    return f"use a value of type {by}"


def _declared(name: str, signature: Signature) -> str:
    """How a function is declared, in short."""
    parameters = (f"{'var ' * writable}{label}: {kind}" for label, kind, writable in signature.parameters)
    return f"{name}({'; '.join(parameters)})"


def _minus(value: ir.Expression, first: int) -> ir.Expression:
    if first == 0:
        return value
    if isinstance(value, ir.Literal):
        return ir.Literal(value.value - first)
    return ir.Binary("-", value, ir.Literal(first))


def _joined(one: Kind, other: Kind) -> Kind:
    """The type of what is of one or the other."""
    if isinstance(one, Range) and isinstance(other, Range):
        return Range(min(one.low, other.low), max(one.high, other.high))
    return other if isinstance(other, Union) else one


def _shift(operator: str, value: Value, by: Value) -> ir.Expression:
    """A shift by a negative number goes the other way, one by more bits than there are leaves nothing."""
    assert isinstance(by.kind, Range)
    other = ">>" if operator == "<<" else "<<"
    shifted = ir.Binary(operator, value.ir, by.ir)
    if by.kind.low >= 0 and by.kind.high < 32:
        return shifted
    back = ir.Binary(other, value.ir, ir.Unary("-", by.ir))
    small = ir.Binary("&&", ir.Binary("<", ir.Literal(-32), by.ir), ir.Binary("<", by.ir, ir.Literal(32)))
    either = ir.Conditional(ir.Binary("<=", ir.Literal(0), by.ir), shifted, back)
    return ir.Conditional(small, either, ir.Literal(0))


def among(kind: Simple, value: ir.Expression, whole: Simple | None = None) -> ir.Expression | None:
    """Whether a number is a value of a type, given that it is one of `whole`; None if it must be."""
    whole = whole or Range(kind.low, kind.high)
    parts = kind.parts if isinstance(kind, Union) else (kind,)
    if set(values(whole)) <= {number for part in parts for number in values(part)}:
        return None
    tests = [
        ir.Binary("&&", ir.Binary("<=", ir.Literal(part.low), value), ir.Binary("<=", value, ir.Literal(part.high)))
        for part in parts
    ]
    found: ir.Expression = tests[0]
    for test in tests[1:]:
        found = ir.Binary("||", found, test)
    return found


def leaves(place: ir.Place, kind: Kind) -> list[tuple[ir.Place, Simple | None]]:
    """The scalars of a place with their types (None for what only the network knows of)."""
    match kind:
        case Array(_, element):
            return [leaf for i in range(kind.size) for leaf in leaves(ir.Index(place, ir.Literal(i)), element)]
        case RecordKind(fields):
            return [leaf for name, part in fields for leaf in leaves(ir.Field(place, name), part)]
        case Multiset(size, element):
            found: list[tuple[ir.Place, Simple | None]] = []
            for i in range(size):
                entry = ir.Index(place, ir.Literal(i))
                found.append((ir.Field(entry, THERE), None))
                found += leaves(ir.Field(entry, ENTRY), element)
            return found
        case _:
            return [(place, kind)]
