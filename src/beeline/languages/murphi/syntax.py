"""What the parser makes of a Murphi text: one record for each construct, with its place."""

from __future__ import annotations

from beeline.model.source import Source
from beeline.records import Record

# Types


class TypeName(Record, frozen=True):
    name: str
    at: Source


class Subrange(Record, frozen=True):
    low: Expression
    high: Expression
    at: Source


class EnumOf(Record, frozen=True):
    members: tuple[Label, ...]
    at: Source


class ScalarsetOf(Record, frozen=True):
    size: Expression
    at: Source


class UnionOf(Record, frozen=True):
    members: tuple[TypeExpression, ...]
    at: Source


class RecordOf(Record, frozen=True):
    fields: tuple[Variables, ...]
    at: Source


class ArrayOf(Record, frozen=True):
    index: TypeExpression
    element: TypeExpression
    at: Source


class MultisetOf(Record, frozen=True):
    size: Expression
    element: TypeExpression
    at: Source


TypeExpression = TypeName | Subrange | EnumOf | ScalarsetOf | UnionOf | RecordOf | ArrayOf | MultisetOf

# Expressions


class Label(Record, frozen=True):
    """A name where it is declared."""

    name: str
    at: Source


class Number(Record, frozen=True):
    value: int
    at: Source


class Name(Record, frozen=True):
    name: str
    at: Source


class Field(Record, frozen=True):
    base: Expression
    name: str
    at: Source


class Element(Record, frozen=True):
    base: Expression
    index: Expression
    at: Source


class Unary(Record, frozen=True):
    """`operator` is one of ``- ! ~``."""

    operator: str
    operand: Expression
    at: Source


class Binary(Record, frozen=True):
    operator: str
    left: Expression
    right: Expression
    at: Source


class Conditional(Record, frozen=True):
    condition: Expression
    then: Expression
    otherwise: Expression
    at: Source


class Over(Record, frozen=True):
    """``name : type``."""

    name: str
    type: TypeExpression
    at: Source


class Counted(Record, frozen=True):
    """``name := first to last by step``."""

    name: str
    first: Expression
    last: Expression
    step: Expression | None
    at: Source


class Among(Record, frozen=True):
    """``name : multiset``: an entry that is there."""

    name: str
    multiset: Expression
    at: Source


Quantifier = Over | Counted


class Quantified(Record, frozen=True):
    """`kind` is ``forall`` or ``exists``."""

    kind: str
    quantifiers: tuple[Quantifier, ...]
    body: Expression
    at: Source


class Call(Record, frozen=True):
    function: str
    arguments: tuple[Expression, ...]
    at: Source


class IsMember(Record, frozen=True):
    value: Expression
    type: TypeExpression
    at: Source


class IsUndefined(Record, frozen=True):
    place: Expression
    at: Source


class Undefined(Record, frozen=True):
    """The word ``undefined``, as a value to assign or to pass."""

    at: Source


class MultisetCount(Record, frozen=True):
    entry: Among
    condition: Expression
    at: Source


Expression = (
    Number | Name | Field | Element | Unary | Binary | Conditional | Quantified | Call | IsMember | IsUndefined
    | Undefined | MultisetCount
)  # fmt: skip

# Declarations


class Constant(Record, frozen=True):
    name: str
    value: Expression
    at: Source


class NamedType(Record, frozen=True):
    name: str
    type: TypeExpression
    at: Source


class Variables(Record, frozen=True):
    """Variables, fields or parameters of one type."""

    names: tuple[Label, ...]
    type: TypeExpression
    at: Source


Declaration = Constant | NamedType | Variables


class Parameters(Record, frozen=True):
    """Parameters of one type; with `writable`, the caller's variables."""

    variables: Variables
    writable: bool


class Function(Record, frozen=True):
    """A function, or without `returns` a procedure."""

    name: str
    parameters: tuple[Parameters, ...]
    returns: TypeExpression | None
    declarations: tuple[Declaration, ...]
    body: tuple[Statement, ...]
    at: Source


# Statements


class Assignment(Record, frozen=True):
    target: Expression
    value: Expression
    at: Source


class Alias(Record, frozen=True):
    name: str
    value: Expression
    at: Source


class AliasBlock(Record, frozen=True):
    aliases: tuple[Alias, ...]
    body: tuple[Statement, ...]
    at: Source


class Clear(Record, frozen=True):
    place: Expression
    at: Source


class Undefine(Record, frozen=True):
    place: Expression
    at: Source


class Clause(Record, frozen=True):
    """``if condition then body``, or without a condition ``else body``."""

    condition: Expression | None
    body: tuple[Statement, ...]


class If(Record, frozen=True):
    clauses: tuple[Clause, ...]
    at: Source


class Case(Record, frozen=True):
    """``case values: body``, or without values ``else body``."""

    values: tuple[Expression, ...]
    body: tuple[Statement, ...]


class Switch(Record, frozen=True):
    value: Expression
    cases: tuple[Case, ...]
    at: Source


class For(Record, frozen=True):
    quantifiers: tuple[Quantifier, ...]
    body: tuple[Statement, ...]
    at: Source


class While(Record, frozen=True):
    condition: Expression
    body: tuple[Statement, ...]
    at: Source


class Return(Record, frozen=True):
    value: Expression | None
    at: Source


class Procedure(Record, frozen=True):
    """A call as a statement."""

    call: Call
    at: Source


class Error(Record, frozen=True):
    message: str
    at: Source


class Put(Record, frozen=True):
    value: Expression | str
    at: Source


class Claim(Record, frozen=True):
    """`kind` is ``assert``, ``assume`` or ``cover``; ``invariant`` and ``liveness`` stand outside of rules only."""

    kind: str
    condition: Expression
    message: str
    at: Source


class MultisetAdd(Record, frozen=True):
    value: Expression
    multiset: Expression
    at: Source


class MultisetRemove(Record, frozen=True):
    index: Expression
    multiset: Expression
    at: Source


class MultisetRemovePred(Record, frozen=True):
    entry: Among
    condition: Expression
    at: Source


Statement = (
    Assignment | AliasBlock | Clear | Undefine | If | Switch | For | While | Return | Procedure | Error | Put | Claim
    | MultisetAdd | MultisetRemove | MultisetRemovePred
)  # fmt: skip

# Rules


class Rule(Record, frozen=True):
    """A rule; of those that are enabled, the ones of the lowest `priority` are possible."""

    name: str
    priority: int
    guard: Expression | None
    declarations: tuple[Declaration, ...]
    body: tuple[Statement, ...]
    at: Source


class Startstate(Record, frozen=True):
    name: str
    declarations: tuple[Declaration, ...]
    body: tuple[Statement, ...]
    at: Source


class Ruleset(Record, frozen=True):
    """Rules for every value of quantifiers, or for every entry of a multiset."""

    quantifiers: tuple[Quantifier | Among, ...]
    rules: tuple[RuleItem, ...]
    at: Source


class AliasRules(Record, frozen=True):
    aliases: tuple[Alias, ...]
    rules: tuple[RuleItem, ...]
    at: Source


RuleItem = Rule | Startstate | Claim | Ruleset | AliasRules
Item = Declaration | Function | RuleItem


class Model(Record, frozen=True):
    """A whole text. What it declares is visible behind its place."""

    items: tuple[Item, ...]
    file: str
    text: str


def show(expression: Expression) -> str:
    """A designator as it was written; other parts are left out."""
    match expression:
        case Number(value):
            return str(value)
        case Name(name):
            return name
        case Field(base, name):
            return f"{show(base)}.{name}"
        case Element(base, index):
            return f"{show(base)}[{show(index)}]"
        case Binary(operator, left, right):
            return f"{show(left)} {operator} {show(right)}"
        case Call(function):
            return f"{function}(..)"
        case _:
            return ".."
