"""Values: arithmetic, types, arrays, records, temporaries, functions, hidden variables."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.model.world import World

from beeline import NetworkBuilder
from beeline.model.expressions import Binary, Call, Field, Index, Literal, Ref
from beeline.model.network import Function, Parameter, Variable
from beeline.model.statements import Assign, Declare, Do, If, Return, Statement
from beeline.model.syntax import parse_effect
from beeline.model.types import (
    BIT,
    BOOL,
    BYTE,
    INT,
    INT_MAX,
    INT_MIN,
    SHORT,
    ArrayType,
    EnumType,
    IntType,
    Overflow,
    RecordType,
    Type,
    bounds,
    scalars,
    store_value,
    width,
    wrap32,
)
from beeline.records import replace


def after(effect: str, **variables: int) -> World:
    """The world after one edge with this effect; every variable is a 32-bit integer."""
    builder = NetworkBuilder("effect")
    for name, value in variables.items():
        builder.variables.append(Variable(name, INT, (value,)))
    builder.process("P").location("s").location("t").edge("s", "t", effect=effect)
    return World(builder).go("P")


def run(statements: tuple[Statement, ...], *variables: Variable, functions: tuple[Function, ...] = ()) -> World:
    """Likewise with statements and variables of any type."""
    builder = NetworkBuilder("effect")
    builder.variables.extend(variables)
    builder.functions.extend(functions)
    process = builder.process("P").location("s").location("t").edge("s", "t")
    process.edges[0] = replace(process.edges[0], effect=statements)
    return World(builder)


# Arithmetic


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 / -2", -3),
        ("-7 % 2", -1),
        ("7 % -2", 1),
        ("min(3, -4)", -4),
        ("max(3, -4)", 3),
        ("6 & 3", 2),
        ("6 | 3", 7),
        ("6 ^ 3", 5),
        ("~0", -1),
        ("1 << 4", 16),
        ("1 << 33", 2),
        ("-8 >> 1", -4),
        ("1 << 31", INT_MIN),
        ("2147483647 + 1", INT_MIN),
        ("-2147483647 - 2", INT_MAX),
        ("65536 * 65536", 0),
        ("!5", 0),
        ("!0", 1),
        ("3 && 4", 1),
        ("0 || 4", 1),
        ("2 imply 0", 0),
        ("0 imply 0", 1),
        ("1 ? 5 : 6", 5),
        ("(2 < 3) + (3 <= 3) + (3 == 3) + (4 > 3) + (4 >= 4) + (4 != 3)", 6),
        ("forall (i : 0..3) i < 4", 1),
        ("forall (i : 0..3) i < 3", 0),
        ("exists (i : 0..3) i == 3", 1),
        ("exists (i : 1..0) 1", 0),
        ("forall (i : 1..0) 0", 1),
        ("sum (i : 1..4) i * i", 30),
    ],
)
def test_the_value_of_an_expression(expression: str, value: int) -> None:
    # Once with constants, which the compiler folds, and once with variables, which it cannot.
    assert after(f"x = {expression}", x=0)["x"] == str(value)
    if "(i" not in expression:
        numbers = {f"n{number}": int(number) for number in re.findall(r"\d+", expression)}
        unfolded = re.sub(r"(\d+)", r"n\1", expression)
        # Written by the effect, so that they count as variables.
        touched = "; ".join(f"{name} = {name}" for name in numbers)
        assert after(f"x = {unfolded}; {touched}", x=0, **numbers)["x"] == str(value)


@given(
    st.sampled_from(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "min", "max"]),
    st.integers(INT_MIN, INT_MAX),
    st.integers(INT_MIN, INT_MAX).filter(bool),
)
def test_arithmetic_is_that_of_32_bits(operator: str, left: int, right: int) -> None:
    text = f"{operator}(a, b)" if operator.isalpha() else f"a {operator} b"
    value = int(after(f"x = {text}", x=0, a=left, b=right)["x"])
    exact = {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "/": abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1),
        "%": abs(left) % abs(right) * (-1 if left < 0 else 1),
        "&": left & right,
        "|": left | right,
        "^": left ^ right,
        "<<": left << (right % 32),
        ">>": left >> (right % 32),
        "<": left < right,
        "<=": left <= right,
        "==": left == right,
        "min": min(left, right),
        "max": max(left, right),
    }[operator]
    assert value == wrap32(int(exact))


@pytest.mark.parametrize("guarded", ["x != 0 && 1 / x == 1", "x == 0 || 1 / x == 1", "x == 0 imply 1 || 1 / x"])
def test_logic_evaluates_only_what_it_needs(guarded: str) -> None:
    builder = NetworkBuilder("lazy")
    builder.variable("x", 0, 1)
    builder.process("P").location("s").edge("s", "s", guard=guarded)
    assert World(builder).errors() == []


# Types


@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        (BIT, 3, 1),
        (BOOL, 2, 0),
        (BYTE, 256, 0),
        (BYTE, -1, 255),
        (SHORT, 2**15, -(2**15)),
        (INT, 2**31 - 1, 2**31 - 1),
        (IntType(4, 7, Overflow.WRAP), 8, 4),
        (IntType(0, 3), 3, 3),
        (IntType(0, 3), 4, None),
        (IntType(-2, 3), -3, None),
        (EnumType("colour", ("red", "green")), 1, 1),
        (EnumType("colour", ("red", "green")), 2, None),
    ],
)
def test_what_a_type_does_with_a_value(kind: IntType | EnumType, value: int, stored: int | None) -> None:
    assert store_value(kind, value) == stored
    world = run((Assign(Ref("v"), Literal(value)),), Variable("v", kind))
    if stored is None:
        assert world.errors() == ["range"]
    else:
        world.go("P")
        assert world.state.variables == (stored,)


@given(st.integers(INT_MIN, INT_MAX), st.integers(0, 30), st.integers(-1000, 1000))
def test_wrapping_keeps_the_value_modulo_the_width(value: int, bits: int, low: int) -> None:
    kind = IntType(low, low + 2**bits - 1, Overflow.WRAP)
    stored = store_value(kind, value)
    assert stored is not None
    assert kind.low <= stored <= kind.high
    assert (stored - value) % 2**bits == 0


def test_arrays_and_records_are_flattened_in_order() -> None:
    inner = RecordType("inner", (("a", BIT), ("b", ArrayType(BYTE, 2))))
    whole: Type = ArrayType(inner, 2)
    assert scalars(whole) == [BIT, BYTE, BYTE] * 2
    assert width(whole) == 6
    assert bounds(EnumType("e", ("x", "y"), first=3)) == (3, 4)


PAIR = RecordType("pair", (("first", IntType(0, 9)), ("rest", ArrayType(BYTE, 2))))


def test_fields_and_elements_can_be_read_and_written() -> None:
    effect = parse_effect("p[1].first = 3; p[1].rest[p[1].first - 2] = 7; x = p[1].rest[1] + p[1].first")
    world = run(effect, Variable("p", ArrayType(PAIR, 2)), Variable("x", INT)).go("P")
    assert (world["p[1].first"], world["p[1].rest[1]"], world["x"]) == ("3", "7", "10")
    assert world["p[0].first"] == "0"


def test_whole_records_and_arrays_can_be_copied() -> None:
    copying = (Assign(Index(Ref("p"), Literal(0)), Index(Ref("p"), Literal(1))), Assign(Ref("a"), Ref("b")))
    world = run(
        copying,
        Variable("p", ArrayType(PAIR, 2), (0, 0, 0, 1, 2, 3)),
        Variable("a", ArrayType(BYTE, 2)),
        Variable("b", ArrayType(BYTE, 2), (8, 9)),
    ).go("P")
    assert [world[name] for name in ("p[0].first", "p[0].rest[0]", "p[0].rest[1]")] == ["1", "2", "3"]
    assert (world["a[0]"], world["a[1]"]) == ("8", "9")


def test_enumeration_members_have_names_in_expressions_and_traces() -> None:
    builder = NetworkBuilder("colours")
    builder.enumeration("light", ["red", "green", "blue"], initial="green")
    builder.process("P").location("s").edge("s", "s", guard="light == green", effect="light = blue")
    world = World(builder)
    assert world["light"] == "green"
    assert world.go("P")["light"] == "blue"
    assert world.movers() == []


def test_initial_values_are_zero_or_the_nearest_that_the_type_has() -> None:
    builder = NetworkBuilder("initial")
    builder.variable("x", 0, 3)
    builder.variable("a", 0, 3, initial=[1, 2], size=2)
    builder.boolean("b", initial=True)
    world = World(builder_with_idle(builder))
    assert [world[name] for name in ("x", "a[0]", "a[1]", "b")] == ["0", "1", "2", "1"]


def builder_with_idle(builder: NetworkBuilder) -> NetworkBuilder:
    builder.process("idle").location("s", end=True)
    return builder


# Statements


@pytest.mark.parametrize(
    ("effect", "value"),
    [
        ("x = 2; x++; x += 3; x *= 2", 12),
        ("x = 7; x--; x -= 1; x /= 2; x %= 2", 0),
        ("if (x == 0) { x = 1 } else { x = 2 }", 1),
        ("if (x == 1) x = 1; else x = 2", 2),
        ("if (x == 1) { x = 5 }", 0),
        ("while (x < 10) { x = x + 3 }", 12),
        ("int t = 4; t = t + 1; x = t", 5),
        ("int t; while (t < 3) { int u = t; x = x + u; t++ }", 3),
        ("assert(x == 0); x = 1", 1),
    ],
)
def test_the_effect_of_statements(effect: str, value: int) -> None:
    assert after(effect, x=0)["x"] == str(value)


def test_a_temporary_ends_with_its_block_and_hides_what_has_the_same_name() -> None:
    inner = (Declare("x", INT, Literal(5)), Assign(Ref("y"), Ref("x")))
    statements = (If(Literal(1), inner), Assign(Ref("x"), Binary("+", Ref("x"), Ref("y"))))
    world = run(statements, Variable("x", INT, (1,)), Variable("y", INT)).go("P")
    assert (world["x"], world["y"]) == ("6", "5")


def test_locals_hide_the_networks_variables() -> None:
    builder = NetworkBuilder("scopes")
    builder.variable("x", 0, 9, initial=1)
    builder.process("P").variable("x", 0, 9, initial=5).location("s").edge("s", "s", guard="x < 6", effect="x = x + 1")
    world = World(builder).go("P")
    assert (world["x"], world["P.x"]) == ("1", "6")


def test_hidden_variables_are_forgotten_after_each_step() -> None:
    builder = NetworkBuilder("hidden")
    builder.variable("x", 0, 9)
    builder.variables.append(Variable("scratch", BYTE, (3,), hidden=True))
    process = builder.process("P").location("s").location("t")
    process.edge("s", "t", effect="scratch = 7; x = scratch")
    world = World(builder).go("P")
    assert world.state.variables == (7, 3)


def test_hidden_variables_live_while_a_process_keeps_control() -> None:
    builder = NetworkBuilder("hidden")
    builder.variable("x", 0, 9)
    builder.variables.append(Variable("scratch", BYTE, hidden=True))
    process = builder.process("P").location("s").location("t").location("u")
    process.edge("s", "t", effect="scratch = 7", keeps_control=True).edge("t", "u", effect="x = scratch")
    world = World(builder).go("P", "P")
    assert world.state.variables == (7, 0)


# Functions

DOUBLE = Function("double", (Parameter("n", INT),), INT, (Return(Binary("*", Ref("n"), Literal(2))),))
SWAP = Function(
    "swap",
    (Parameter("p", INT, reference=True), Parameter("q", INT, reference=True)),
    None,
    (Declare("t", INT, Ref("p")), Assign(Ref("p"), Ref("q")), Assign(Ref("q"), Ref("t"))),
)
BUMP = Function("bump", (), INT, (Assign(Ref("x"), Binary("+", Ref("x"), Literal(1))), Return(Ref("x"))))


def test_functions_return_values_and_may_call_each_other() -> None:
    quadruple = Function("quadruple", DOUBLE.parameters, INT, (Return(Call("double", (Call("double", (Ref("n"),)),))),))
    statements = (Assign(Ref("x"), Call("quadruple", (Literal(3),))),)
    assert run(statements, Variable("x", INT), functions=(DOUBLE, quadruple)).go("P")["x"] == "12"


def test_a_function_without_return_gives_zero() -> None:
    nothing = Function("nothing", (), INT, ())
    assert run((Assign(Ref("x"), Call("nothing", ())),), Variable("x", INT, (5,)), functions=(nothing,)).go("P")[
        "x"
    ] == "0"  # fmt: skip


def test_reference_parameters_write_to_their_arguments() -> None:
    cells = (Index(Ref("a"), Literal(0)), Index(Ref("a"), Ref("i")))
    world = run(
        (Do(Call("swap", cells)),),
        Variable("a", ArrayType(INT, 3), (7, 8, 9)),
        Variable("i", INT, (2,)),
        functions=(SWAP,),
    ).go("P")
    assert (world["a[0]"], world["a[2]"]) == ("9", "7")


def test_a_reference_stays_with_the_cell_it_was_given() -> None:
    move = Function(
        "move",
        (Parameter("cell", INT, reference=True),),
        None,
        (Assign(Ref("i"), Literal(1)), Assign(Ref("cell"), Literal(5))),
    )
    world = run(
        (Do(Call("move", (Index(Ref("a"), Ref("i")),))),),
        Variable("a", ArrayType(INT, 2)),
        Variable("i", INT),
        functions=(move,),
    ).go("P")
    assert (world["a[0]"], world["a[1]"], world["i"]) == ("5", "0", "1")


def test_arrays_are_passed_by_value() -> None:
    clear = Function(
        "clear",
        (Parameter("a", ArrayType(INT, 2)),),
        INT,
        (Assign(Index(Ref("a"), Literal(0)), Literal(0)), Return(Index(Ref("a"), Literal(1)))),
    )
    world = run(
        (Assign(Ref("x"), Call("clear", (Ref("b"),))),),
        Variable("b", ArrayType(INT, 2), (3, 4)),
        Variable("x", INT),
        functions=(clear,),
    ).go("P")
    assert (world["b[0]"], world["x"]) == ("3", "4")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (Binary("+", Ref("x"), Call("bump", ())), 3),
        (Binary("+", Call("bump", ()), Ref("x")), 4),
        (Binary(">", Ref("x"), Call("bump", ())), 0),
        (Binary("-", Call("bump", ()), Call("bump", ())), -1),
    ],
)
def test_operands_are_evaluated_from_left_to_right(expression: Binary, value: int) -> None:
    world = run((Assign(Ref("y"), expression),), Variable("x", INT, (1,)), Variable("y", INT), functions=(BUMP,)).go(
        "P"
    )
    assert world["y"] == str(value)


def test_a_target_is_found_before_its_value_is_computed() -> None:
    world = run(
        (Assign(Index(Ref("a"), Ref("x")), Call("bump", ())),),
        Variable("x", INT),
        Variable("a", ArrayType(INT, 2)),
        functions=(BUMP,),
    ).go("P")
    assert (world["a[0]"], world["a[1]"]) == ("1", "0")


def test_a_process_has_functions_that_see_its_locals() -> None:
    builder = NetworkBuilder("own")
    builder.process("P", parameters={"me": (0, 9)}).variable("got", 0, 9).location("s").location("t").edge("s", "t")
    builder.start("P", me=4)
    network = builder.build()
    own = Function("own", (), INT, (Return(Binary("+", Ref("me"), Literal(1))),))
    process = network.processes[0]
    edge = replace(process.edges[0], effect=(Assign(Ref("got"), Call("own", ())),))
    world = World(replace(network, processes=(replace(process, functions=(own,), edges=(edge,)),)))
    assert world.go("P")["P.got"] == "5"


def test_guards_may_call_functions_with_loops() -> None:
    builder = NetworkBuilder("loops")
    builder.variable("n", 0, 200, initial=200)
    count = Function(
        "count",
        (Parameter("upto", INT),),
        INT,
        (*parse_effect("int i = 0; while (i < upto) { i++ }"), Return(Ref("i"))),
    )
    builder.functions.append(count)
    builder.process("P").location("s").location("t").edge("s", "t", guard="count(n) == 200").edge(
        "s", "s", guard="count(n) < 200"
    )
    assert World(builder).targets("P") == [("t",)]


def test_fields_of_records_are_named_in_traces() -> None:
    world = run((Assign(Field(Ref("p"), "first"), Literal(2)),), Variable("p", PAIR)).go("P")
    assert world["p.first"] == "2"
