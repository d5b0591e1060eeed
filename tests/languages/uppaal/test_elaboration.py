"""What UPPAAL models mean as networks: names, types, instances, side effects, clocks, priorities."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline import check
from beeline.languages.uppaal import Unsupported, UppaalError, ask, load, load_text
from beeline.model.expressions import conjuncts
from beeline.model.network import Network, Receive, Send
from beeline.model.printer import show_expression
from beeline.model.property import Goal
from beeline.model.semantics import Semantics
from beeline.model.validation import validate
from beeline.timed.semantics import TimedSemantics, TimedState
from beeline.timed.trace import describe

SMALL = "process P() { state s; init s; } system P;"
EDGE = "process P() {{ state s, t; init s; trans s -> t {{ {} }}; }} system P;"
STRUCT = "typedef struct { int x; bool y[2]; } S; S s = {4, {true, false}}; "
INDEX = "typedef int[0,2] I; "


def network(declarations: str, edge: str = "", system: str = "system P;", local: str = "") -> Network:
    """One process with a self-loop, in the midst of declarations."""
    loop = f"trans s -> t {{ {edge} }};" if edge else ""
    made = load_text(f"{declarations} process P() {{ {local} state s, t; init s; {loop} }} {system}")
    validate(made)
    return made


def after(declarations: str, updates: str, local: str = "") -> dict[str, str]:
    """What variables hold after one step with these updates."""
    made = network(declarations, f"assign {updates};", local=local)
    semantics = TimedSemantics(made)
    state = semantics.initial_state()
    assert state is not None
    (step,) = semantics.steps(state)
    assert isinstance(step.target, TimedState), step.error
    return describe(semantics, step.target)


# Instances


def test_open_parameters_give_one_process_for_each_value() -> None:
    made = load_text(
        """typedef int[1,3] id_t; typedef scalar[2] pid;
        process T(const id_t i, const pid p) { state s; init s; } process G() { state s; init s; }
        system T, G;"""
    )
    names = ["T(1,0)", "T(1,1)", "T(2,0)", "T(2,1)", "T(3,0)", "T(3,1)", "G"]
    assert [start.name for start in made.initial] == names


def test_partial_instantiation_passes_arguments_on() -> None:
    made = load_text(
        """const int N = 2; int a[N], b; chan c[N];
        process T(const int k, int &v, chan &d, int w) { state s, t; init s;
            trans s -> t { guard v == k + w; sync d!; assign v = k, w = w + 1; }; }
        U(const int[0,1] i, int &x) = T(i + 10, x, c[i], 5);
        V(const int[0,1] i) = U(i, a[i]);
        W = U(0, b);
        system V, W;"""
    )
    assert [start.name for start in made.initial] == ["V(0)", "V(1)", "W"]
    edges = [process.edges[0] for process in made.processes]
    assert [show_expression(edge.guard) for edge in edges] == ["a[0] == 10 + w", "a[1] == 11 + w", "b == 10 + w"]
    assert [show_expression(edge.sync.channel) for edge in edges if isinstance(edge.sync, Send)] == [
        "c[0]",
        "c[1]",
        "c[0]",
    ]
    assert made.processes[0].variables[0].initial == (5,)


def test_priorities_of_processes_and_channels() -> None:
    made = load_text(
        """chan a, b, c; chan priority a < default < b;
        process P() { state s; init s; } process Q() { state s; init s; } process R() { state s; init s; }
        system P, Q < R;"""
    )
    assert {channel.name: channel.priority for channel in made.channels} == {"a": -1, "b": 1, "c": 0}
    assert [start.priority for start in made.initial] == [0, 0, 1]
    assert made.rules.priorities


def test_selections_are_written_out_and_impossible_choices_dropped() -> None:
    made = network(
        "typedef int[0,3] T; int v; chan c[4];", "select i : T, j : bool; guard i != 2 && !j; sync c[i]?; assign v = i;"
    )
    edges = made.processes[0].edges
    assert [show_expression(e.sync.channel) for e in edges if isinstance(e.sync, Receive)] == ["c[0]", "c[1]", "c[3]"]
    assert edges[0].text.startswith("with i = 0, j = 0")


def test_locals_never_hide_what_a_reference_means() -> None:
    made = load_text(
        """int n; process T(int &x) { int n = 7; state s, t; init s; trans s -> t { assign x = n; }; }
        P = T(n); system P;"""
    )
    semantics = TimedSemantics(made)
    state = semantics.initial_state()
    assert state is not None
    target = semantics.steps(state)[0].target
    assert target is not None
    assert describe(semantics, target)["n"] == "7"


# Side effects


@pytest.mark.parametrize(
    ("declarations", "updates", "expected"),
    [
        ("int a, b;", "a = 3, b = a + 1", {"a": "3", "b": "4"}),
        ("int a, b = 5;", "a = b++", {"a": "5", "b": "6"}),
        ("int a, b = 5;", "a = --b", {"a": "4", "b": "4"}),
        ("int a, b;", "a = b = 4", {"a": "4", "b": "4"}),
        ("int a = 2, b;", "b = a + a++ + a", {"a": "3", "b": "7"}),
        ("int a[3], n;", "a[n++] = 5, a[n++] = 6", {"a[0]": "5", "a[1]": "6", "n": "2"}),
        ("int a = 7, b;", "a += 3, b = a / 4, a %= 4, b <<= 2", {"a": "2", "b": "8"}),
        ("int a; bool b;", "b = 5, a = b + b", {"a": "2", "b": "1"}),
        ("int a = 1, b, c;", "c = (a == 2 && b++ == 0), a = (a == 1 || b++ == 0)", {"a": "1", "b": "0", "c": "0"}),
        ("int a = -7, b, c;", "b = a / 2, c = a % 2", {"b": "-3", "c": "-1"}),
        ("int a = 3, b = 5, c;", "c = a <? b, b = a >? b, a = abs(-4)", {"a": "4", "b": "5", "c": "3"}),
        ("int a, b = 1;", "a = b ? b++ : b--", {"a": "1", "b": "2"}),
        ("int a, b;", "a = (1 imply 0) + (true xor false), b = not a", {"a": "1", "b": "0"}),
    ],
)
def test_updates_run_in_order_with_their_side_effects(
    declarations: str, updates: str, expected: dict[str, str]
) -> None:
    found = after(declarations, updates)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("function", "call", "value"),
    [
        ("int f(int n) { int s = 0; int i; for (i = 0; i < n; i++) s += i; return s; }", "f(5)", 10),
        ("int f(int n) { int s; for (i : int[1,4]) { if (i > n) return s; s += i; } return -s; }", "f(2)", 3),
        ("int f(int n) { int s; while (n-- > 0) { s = s + 2; } return s; }", "f(3)", 6),
        ("int f(int n) { int s; do { s++; } while (s < n); return s; }", "f(0)", 1),
        ("int f(int n) { if (n > 2) { return 1; } else if (n == 2) return 2; return 3; }", "f(2)", 2),
        ("void g(int &x) { x = x + 1; } int f(int n) { g(n); g(n); return n; }", "f(5)", 7),
        ("int f(int a[3]) { a[0] = 9; return a[0] + a[1]; } int b[3] = {1, 2, 3};", "f(b) + b[0]", 12),
        (STRUCT + "int f(S t) { S u = t; u.x++; return u.x + u.y[0]; }", "f(s)", 6),
        ("const int T[3] = {5, 6, 7}; int f(int i) { return T[i] + sum (k : int[0,2]) T[k]; }", "f(2)", 25),
        ("int f(int n) { int i = 1; { int i = 5; n = n + i; } return n + i; }", "f(0)", 6),
        (INDEX + "int f() { int c[I] = {1, 2, 3}; int r = 0; for (i : I) r = r * 10 + c[i]; return r; }", "f()", 123),
        ("int a[int[2,4]] = {7, 8, 9}; int f(int i) { return a[i]; }", "f(3)", 8),
    ],
)  # fmt: skip
def test_functions(function: str, call: str, value: int) -> None:
    assert after(f"int r; {function}", f"r = {call}")["r"] == str(value)


def test_structs_are_copied_and_compared_as_a_whole() -> None:
    text = "typedef struct { int x; int y; } S; S a = {1, 2}, b; int e1, e2;"
    found = after(text, "e1 = (a == b), b = a, e2 = (a == b), b.y = 9")
    assert (found["e1"], found["e2"], found["b.y"], found["a.y"]) == ("0", "1", "9", "2")


def test_functions_return_structs_and_arrays() -> None:
    text = """typedef struct { int x; int y; } S; typedef int[0,9] Row[2]; S a, b; Row row; int r;
    S swapped(const S s) { S t = { s.y, s.x }; return t; }
    S twice(S s) { if (s.x == 0) return s; return swapped(swapped(s)); }
    Row pair(int[0,9] n) { Row found; found[0] = n; found[1] = n + 1; return found; }"""
    found = after(text, "a.x = 3, a.y = 4, b = swapped(a), a = twice(b), r = swapped(a).x, row = pair(7)")
    assert [found[name] for name in ("b.x", "b.y", "a.x", "a.y", "r", "row[1]")] == ["4", "3", "4", "3", "3", "8"]


def test_values_out_of_range_are_errors_of_the_step() -> None:
    semantics = TimedSemantics(network("int[0,3] a = 3;", "assign a++;"))
    state = semantics.initial_state()
    assert state is not None
    (step,) = semantics.steps(state)
    assert step.error is not None and step.error.kind == "range"


# Clocks


@pytest.mark.parametrize(
    ("guard", "shown"),
    [
        ("5 < x", "x > 5"),
        ("x <= n + 1 && n > 0", "x <= n + 1 && n > 0"),
        ("x - y < 3", "x - y < 3"),
        ("y + 2 >= x", "y - x >= -2"),
        ("x == y", "x - y == 0"),
        ("n > 0 imply x < 3", "n <= 0 || x < 3"),
        ("n == 1 || (x < 3 && y > 2)", "(n == 1 || x < 3) && (n == 1 || y > 2)"),
        ("!(x < 3)", "x >= 3"),
        ("forall (i : int[0,1]) z[i] > i", "z[0] > 0 && z[1] > 1"),
        ("n ? x < 3 : y < 4", "(!n || x < 3) && (n || y < 4)"),
        ("z[n] >= 2", "z[n] >= 2"),
    ],
)
def test_clock_guards_come_in_one_form(guard: str, shown: str) -> None:
    made = network("clock x, y, z[2]; int n;", f"guard {guard};")
    assert show_expression(made.processes[0].edges[0].guard) == shown


@pytest.mark.parametrize("guard", ["x < 3 || y < 3", "x != 3", "!(x < 3 && y > 2)"])
def test_guards_that_are_not_convex_are_mistakes(guard: str) -> None:
    with pytest.raises(UppaalError, match="non-convex"):
        network("clock x, y;", f"guard {guard};")


def test_urgent_channels_have_no_clock_guards() -> None:
    with pytest.raises(UppaalError, match="urgent channel"):
        network("clock x; urgent chan c;", "guard x > 1; sync c!;")


# Queries


def test_queries_become_properties() -> None:
    made = load_text(
        """clock x; int v; process P(const int[0,1] id) { clock y; int w = 3; state s, t; init s; }
        system P;
        query { E<> P(0).t and P(1).y > 2 and P(1).w == 3 and P(1).id == 1 }
        query { A[] forall (i : int[0,1]) (P(i).s imply x <= 5 or v == i) }
        query { A[] not deadlock }
        query { E<> deadlock and P(0).s }
        query { P(0).s --> P(0).t }"""
    )
    kinds = [asked.kind for asked in made.properties]
    assert kinds == ["goal", "invariant", "deadlock", "goal", "leads to"]
    assert isinstance(made.properties[0], Goal)
    assert show_expression(made.properties[0].expression) == "P(0)@t && P(1).y > 2 && P(1).w == 3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int x; int x; process P() { state s; init s; } system P;", "declared twice"),
        ("process P() { state s; init s; } system Q;", "no process Q"),
        ("process P(int x) { state s; init s; } system P;", "left open"),
        ("process P() { state s; init s; } Q = P(1); system Q;", "takes 0 arguments"),
        ("process P(const int[0,1] x) { state s; init s; } Q = P(5); system Q;", "outside 0..1"),
        ("int x = y; process P() { state s; init s; } system P;", "unknown name y"),
        ("unknown x; process P() { state s; init s; } system P;", "unknown type unknown"),
        ("int x[2] = {1, 2, 3}; process P() { state s; init s; } system P;", "2 values are needed"),
        ("int v; int a[v]; process P() { state s; init s; } system P;", "must be a constant"),
        ("typedef scalar[2] S; S a; bool b = a < a; " + SMALL, "a number is needed|no order"),
        ("int f() { return 1; } process P() { state s { f }; init s; } system P;", "is a function"),
        ("int v; void f() { v = 1; }" + EDGE.format("guard f() == 0;"), "side effects"),
        ("clock x;" + EDGE.format("assign x += 1;"), "only be set"),
        (EDGE.format("sync c!;"), "unknown name c"),
        ("const int c = 1;" + EDGE.format("assign c = 2;"), "must be a variable"),
    ],
)  # fmt: skip
def test_mistakes_of_meaning(text: str, message: str) -> None:
    with pytest.raises(UppaalError, match=message):
        load_text(text)


BRANCH = "process P() {{ state s; branchpoint b; init s; trans s -> b {{ }}, b -> s {{ probability {}; }}; }} system P;"
USED = "process P() {{ {} state s, t; init s; trans s -> t {{ {} }}; }} system P;"


@pytest.mark.parametrize(
    ("text", "construct", "line"),
    [
        ("double d;\n" + USED.format("", "assign d = 1;"), "the type double", 2),
        ("hybrid clock y;\n" + USED.format("", "assign y = 0;"), "hybrid clocks", 2),
        ("clock y = 3;\n" + USED.format("", "guard y > 2;"), "clocks with an initial value", 2),
        ("int v;\n" + USED.format("", "guard v * 0.5 > 1;"), "arithmetic on doubles, other than of constants,", 2),
        ("clock x;\n" + USED.format("", "guard x > 1.5;"), "comparing clocks with numbers that are not whole", 2),
        ("int f() { return random(3); }\n" + USED.format("int v;", "assign v = f();"),
         "functions on doubles and random numbers (random)", 2),
        ("int v;\n" + USED.format("", "assign v = random(3);"), "functions on doubles and random numbers (random)", 2),
        (USED.format("", "\nsync a;"), "synchronisation without ! or ? (CSP style)", 2),
        ("\n" + USED.format("", "probability 3;"), "probabilities on edges", 2),
        ("int a[2], b[2];\n" + USED.format("", "guard (a[0] > 0 ? a : b) == b;"),
         "choices between structs or arrays (c ? a : b), outside of updates and functions,", 2),
        ("int w;\n" + BRANCH.format("w"),
         "branches whose weight is not a positive constant", 2),
        ("clock x;\n" + USED.format("", "guard 0.5 * x > 3;"), "arithmetic on clocks, other than differences,", 2),
        ("clock x;\n" + USED.format("", "guard 2 * x > 3;"), "arithmetic on clocks, other than differences,", 2),
        (BRANCH.format("0"),
         "branches whose weight is not a positive constant", 1),
    ],
)  # fmt: skip
def test_what_goes_beyond_timed_automata_is_refused_where_it_is_used(text: str, construct: str, line: int) -> None:
    with pytest.raises(Unsupported) as refusal:
        load_text(text)
    assert (refusal.value.construct, refusal.value.source.line) == (construct, line)


@pytest.mark.parametrize(
    "unused",
    [
        "double d = 1.5; hybrid clock h; clock c = 3; double half(double x) { return x / 2; }",
        "int f() { return random(3); } process Q() { state s; init s; trans s -> s { assign f(); }; }",
        "process Q(double d) { state s; init s; trans s -> s { probability 3; }; } R = Q(1.5);",
        "process Q() { state s; init s; trans s -> s { sync c; }; }",
    ],
)
def test_what_is_not_used_is_not_refused(unused: str) -> None:
    assert len(network(f"{unused}").processes) == 1


def test_branches_are_choices() -> None:
    """Whatever the weights, each branch is possible, and its update comes after that of the edge."""
    made = load_text(
        """const double W = 0.5; int v, w[3];
        process P() { state s, t; branchpoint b; init s; trans
            s -> b { guard v < 6; assign v = v + 1; },
            b -> s { assign v = 2 * v; probability W; },
            b -> t { select k : int[1,2]; assign w[k] = v; probability k + 1; }; }
        system P;"""
    )
    validate(made)
    semantics = TimedSemantics(made)
    state = semantics.initial_state()
    assert state is not None
    shown = [describe(semantics, step.target) for step in semantics.steps(state) if step.target is not None]
    found = {(one["P"], one["v"], one["w[1]"], one["w[2]"]) for one in shown}
    assert found == {("s", "2", "0", "0"), ("t", "1", "1", "0"), ("t", "1", "0", "1")}


def test_constants_may_be_computed_by_functions() -> None:
    made = network(
        """const int T[3] = {5, 6, 7}; int v = 4;
        int pick(int i) { int j = 0; while (T[j] < i) j++; return j + 1; }
        const int K = pick(6); int a[pick(7)]; int[0, pick(5)] r = pick(5);""",
        local="const int M = pick(K + 4); int b[M];",
    )
    sizes = {variable.name: variable.type for variable in (*made.variables, *made.processes[0].variables)}
    assert str(sizes["a"]).endswith("[3]") and str(sizes["b"]).endswith("[2]") and str(sizes["r"]) == "int[0,1]"


@pytest.mark.parametrize("value", ["reads()", "endless()", "v + 1"])
def test_constants_do_not_depend_on_the_state(value: str) -> None:
    functions = "int v; int reads() { return v; } int endless() { while (true) { } return 1; } "
    with pytest.raises(UppaalError, match="must be a constant"):
        network(f"{functions} const int K = {value};")


# Errors


def test_errors_show_the_line_and_point_into_it(tmp_path: Path) -> None:
    (tmp_path / "m.xta").write_text("int v;\n\tint w = v + nothing; // é\n" + SMALL)
    with pytest.raises(UppaalError) as mistake:
        load(tmp_path / "m.xta")
    shown = str(mistake.value).split("\n")
    assert shown[0] == f"{tmp_path / 'm.xta'}:2:14: unknown name nothing"
    assert shown[1:] == ["     int w = v + nothing; // é", "                 ^"]


def test_errors_in_xml_show_the_line_of_the_file(tmp_path: Path) -> None:
    text = (
        "<nta><declaration>\nint v;</declaration><template><name>P</name><location id='s'/><init ref='s'/>"
        "<transition><source ref='s'/><target ref='s'/>\n"
        "<label kind='guard'>v &lt; 2 &amp;&amp; v &gt; wrong</label></transition></template>\n"
        "<system>system P;</system></nta>"
    )
    (tmp_path / "m.xml").write_text(text)
    with pytest.raises(UppaalError) as mistake:
        load(tmp_path / "m.xml")
    place, line, caret = str(mistake.value).split("\n")[:3]
    assert place.startswith(f"{tmp_path / 'm.xml'}:3:") and "unknown name wrong" in place
    assert line[caret.index("^") :].startswith("wrong")


def test_an_error_of_the_model_is_not_shown_in_the_query(tmp_path: Path) -> None:
    file = tmp_path / "m.xta"
    file.write_text(SMALL)
    made = load(file)
    load_text(SMALL)  # another model is known last, so that the file is read again
    file.write_text("int v = nothing;\n" + SMALL)
    with pytest.raises(UppaalError) as mistake:
        ask(made, "E<> P.s")
    assert "    int v = nothing;\n" in str(mistake.value)


def test_a_long_line_is_shown_around_the_mistake() -> None:
    with pytest.raises(UppaalError) as mistake:
        load_text("int v; " * 1 + "/* " + "x" * 500 + " */ int w = nothing; /* " + "y" * 500 + " */" + SMALL)
    line, caret = str(mistake.value).split("\n")[1:3]
    assert len(line) < 140 and line[caret.index("^") :].startswith("nothing")


RACE = """
chan c[2][2], d; chan priority {};
process S(const int[0,1] i, const int[0,1] j) {{ state s, t; init s; trans s -> t {{ sync c[i][j]!; }}; }}
process R() {{ state s; init s; trans s -> s {{ select i : int[0,1], j : int[0,1]; sync c[i][j]?; }}; }}
system S, R;"""


@pytest.mark.parametrize(
    ("priorities", "first"),
    [
        ("c[1][0] < default < c[0][1]", {"S(0,1)"}),
        ("c[1] < c[0]", {"S(0,0)", "S(0,1)"}),
        ("c[0] < c[1][1] < c[1][0] < d", {"S(1,0)"}),
        ("c < d", {"S(0,0)", "S(0,1)", "S(1,0)", "S(1,1)"}),
    ],
)
def test_single_channels_of_an_array_have_priorities(priorities: str, first: set[str]) -> None:
    made = load_text(RACE.format(priorities))
    validate(made)
    semantics = Semantics(made)
    (start,) = semantics.initial_states()
    steps = semantics.steps(start)
    assert {made.initial[step.moves[0].pid].name for step in steps} == first
    moves = set(first)
    for name in ("S(0,0)", "S(0,1)", "S(1,0)", "S(1,1)"):  # the engine agrees on who may be first
        others = " && ".join(f"{one}.s" for one in ("S(0,0)", "S(0,1)", "S(1,0)", "S(1,1)") if one != name)
        found = check(made, ask(made, f"E<> {name}.t && {others}"), shrink="none").verdict == "holds"
        assert found == (name in moves)


def test_the_index_of_a_channel_with_a_priority_is_a_constant_of_the_array() -> None:
    with pytest.raises(UppaalError, match="must be a constant within its array"):
        network("chan c[2]; chan priority c[2] < default;")


def test_a_loaded_model_can_be_asked_more(tmp_path: Path) -> None:
    (tmp_path / "m.xta").write_text("process P(const int[0,1] i) { state s, t; init s; } system P;")
    made = load(tmp_path / "m.xta")
    asked = ask(made, "E<> P(1).t and not P(0).t")
    assert isinstance(asked, Goal)
    assert show_expression(asked.expression) == "P(1)@t && !P(0)@t"
    with pytest.raises(UppaalError, match="no process P"):
        ask(made, "E<> P(2).t")


def test_an_invariant_of_a_thousand_parts_is_not_too_deep() -> None:
    made = load_text(
        "clock x[1000]; process P() { state s { forall (i : int[0,999]) x[i] <= i + 2 }; init s; } system P;"
    )
    parts = conjuncts(made.processes[0].locations[0].invariant)
    assert [show_expression(part) for part in (parts[0], parts[-1])] == ["x[0] <= 2", "x[999] <= 1001"]
    assert TimedSemantics(made).initial_state() is not None


def test_a_parameter_that_functions_only_read_is_a_constant() -> None:
    made = load_text(
        """int plus(int a) { return a + 1; } void set(int &a) { a = 3; }
        process P(int i, int j, int k) { void mine(int &a, int b) { a = b; }
            state s, t; init s; trans s -> t { guard plus(i) == 2; assign set(j), mine(k, 2); }; }
        Q = P(1, 2, 3); system Q;"""
    )
    validate(made)
    assert [variable.name for variable in made.processes[0].variables] == ["j", "k"]


def test_updates_choose_between_arrays_and_structs() -> None:
    declarations = STRUCT + "int a[2] = {1, 2}, b[2] = {3, 4}; const int K[2] = {5, 6}; S t; int v;"
    shown = after(declarations, "a = (v > 0 ? a : b), b = (v == 0 ? K : b), t = (v > 0 ? t : s)")
    assert [shown[name] for name in ("a[0]", "a[1]", "b[1]", "t.x", "t.y[0]")] == ["3", "4", "6", "4", "1"]
