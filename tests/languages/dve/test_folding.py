"""Folding constants never changes a value nor hides an error: checked on random expressions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beeline.languages.dve import fold
from beeline.languages.dve.parse_expressions import PRECEDENCE
from beeline.languages.dve.parser import parse_expression
from beeline.languages.dve.syntax import Binary, Expression, Number, Reference, Unary
from beeline.model import expressions as ir
from beeline.model.builder import NetworkBuilder
from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.scope import Scope
from beeline.model.semantics import Semantics
from beeline.model.state import Draft

OPERATORS = [operator for level in PRECEDENCE for operator in level]
IR = {"and": "&&", "or": "||", "not": "!"}


def trees() -> st.SearchStrategy[Expression]:
    leaves = st.one_of(
        st.integers(0, 40).map(Number),
        st.sampled_from([Reference("x"), Reference("a", Number(1)), Reference("a", Reference("x"))]),
    )

    def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        unary = st.builds(Unary, st.sampled_from(["-", "~", "not"]), inner)
        return st.one_of(unary, st.builds(Binary, st.sampled_from(OPERATORS), inner, inner))

    return st.recursive(leaves, grow, max_leaves=12)


def built(tree: Expression, folded: bool) -> ir.Expression:
    """The IR of a tree, folded on the way or as it stands."""
    match tree:
        case Number(value):
            return ir.Literal(value)
        case Reference(name, index):
            return ir.Ref(name) if index is None else ir.Index(ir.Ref(name), built(index, folded))
        case Unary(operator, operand):
            make_one = fold.unary if folded else ir.Unary
            return make_one(IR.get(operator, operator), built(operand, folded))
        case Binary(operator, left, right):
            make_two = fold.binary if folded else ir.Binary
            return make_two(IR.get(operator, operator), built(left, folded), built(right, folded))
        case _:
            raise AssertionError(tree)


def value(expression: ir.Expression, x: int) -> int | str:
    """The expression's value with `x` set and ``a`` an array of three, or the kind of its error."""
    builder = NetworkBuilder("values")
    builder.variable("x", -1000, 1000, initial=x)
    builder.variable("a", 0, 9, size=3)
    builder.process("P").location("here")
    network = builder.build()
    state = Semantics(network).initial_states()[0]
    try:
        return evaluate(expression, Context(Scope(network), Draft(state), -1))
    except StepError as error:
        return error.kind


@given(trees(), st.integers(-2, 5))
def test_a_folded_expression_has_the_same_value_or_error(tree: Expression, x: int) -> None:
    assert value(built(tree, folded=True), x) == value(built(tree, folded=False), x)


def written(tree: Expression, outer: int = -1) -> str:
    """DVE text with no more parentheses than needed."""
    match tree:
        case Number(number):
            return str(number)
        case Reference(name, index):
            return name if index is None else f"{name}[{written(index)}]"
        case Unary(operator, operand):
            inside = written(operand, len(PRECEDENCE))
            return f"{operator} {inside}"
        case Binary(operator, left, right):
            level = next(i for i, operators in enumerate(PRECEDENCE) if operator in operators)
            text = f"{written(left, level)} {operator} {written(right, level + 1)}"
            return f"({text})" if level < outer else text
        case _:
            raise AssertionError(tree)


@given(trees())
def test_text_with_few_parentheses_is_read_back_as_it_was(tree: Expression) -> None:
    assert written(parse_expression(written(tree))) == written(tree)
    assert value(built(parse_expression(written(tree)), False), 1) == value(built(tree, False), 1)
