"""What Murphi means: small programs with answers that follow from the reference manual, from Rumur or from CMurphi."""

from __future__ import annotations

from typing import Any

import pytest

from beeline import check, explore
from beeline.checking import Result
from beeline.languages.murphi import read_murphi
from beeline.languages.murphi.errors import MurphiError
from beeline.model.expressions import conjuncts
from beeline.model.network import Network

FLIP = "rule x := !x; end;"


def states(text: str, **dialect: Any) -> int:
    found = explore(read_murphi(text, **dialect))
    assert found.complete
    return found.statistics.stored


def safety(text: str, **dialect: Any) -> Result:
    return check(read_murphi(text, **dialect), "safety", search="bfs")


def steps(result: Result) -> list[str]:
    assert result.trace is not None
    return [step.process for step in result.trace]


def body(declarations: str, statements: str) -> str:
    """A program whose only startstate runs statements that end in assertions."""
    return f"var x: boolean; {declarations} startstate x := true; {statements} end; {FLIP}"


def holds(declarations: str, statements: str) -> bool:
    result = safety(body(declarations, statements))
    assert result.verdict in ("holds", "violated")
    return result.verdict == "holds"


def fails(declarations: str, statements: str) -> str:
    """The error that statements end in."""
    result = safety(body(declarations, statements))
    assert result.verdict == "violated"
    assert result.trace is not None and len(result.trace) == 1, "the start itself fails"
    return result.reason


# Values


def test_a_variable_has_no_value_before_it_is_assigned() -> None:
    assert fails("n: 0 .. 3;", "n := n + 1;") == "'n' has no value"
    assert holds("n: 0 .. 3;", "assert isundefined(n); n := 0; assert !isundefined(n); undefine n;")


def test_a_value_out_of_range_is_an_error() -> None:
    assert "outside 0..3" in fails("n: 0 .. 3;", "n := 3; n := n + 1;")
    assert "outside 0..3" in fails("n: 0 .. 3;", "n := 0; n := n - 1;"), "-1 is no number of the type, not `undefined`"


def test_an_index_out_of_bounds_is_told_as_the_author_counts() -> None:
    reason = fails("a: array [2 .. 4] of boolean; n: 0 .. 9;", "n := 5; a[n] := true;")
    assert reason == "index 5 outside 2..4"


def test_records_and_arrays_are_copied_and_compared_whole_undefined_parts_included() -> None:
    declarations = "r, s: record a: 0 .. 1; b: array [1 .. 2] of boolean; end;"
    assert holds(declarations, "r.a := 1; s := r; assert r = s & isundefined(s.b[1]); s.b[2] := true; assert r != s;")


def test_clear_gives_the_lowest_values() -> None:
    declarations = "r: record a: 2 .. 5; b: array [boolean] of boolean; end; e: enum { one, two };"
    assert holds(declarations, "clear r; clear e; assert r.a = 2 & !r.b[true] & !r.b[false] & e = one;")


def test_division_truncates_and_the_remainder_has_the_sign_of_the_dividend() -> None:
    assert holds("n: -9 .. 9;", "n := -7; assert n / 2 = -3 & n % 2 = -1 & n / -2 = 3;")
    assert fails("n: -9 .. 9;", "n := 0; n := 1 / n;") == "division by zero"


@pytest.mark.parametrize("operator", ["/", "%"])
def test_a_division_that_never_has_a_value_is_an_error_where_it_is_made(operator: str) -> None:
    zero = f"(1 {operator} 0)"
    for statement in (
        f"n := {zero};",
        f"n := -{zero};",
        f"a[{zero}] := true;",
        f"assert {zero} = 0;",
        f"if n < {zero} then n := 1; end;",
        f"while n < {zero} do n := 9; end;",
        f"switch n case {zero}: n := 1; end;",
        f"assert forall i: 0 .. 1 do i < {zero} end;",
        f"alias m: {zero} do n := 1; end;",
        f"put {zero};",
    ):
        reason = fails("n: 0 .. 9; a: array [0 .. 1] of boolean;", f"n := 0; {statement}")
        assert reason == "division by zero", statement


@pytest.mark.parametrize("text", ["true | {} = 1", "false & {} = 1", "n = 1 -> {} = 1", "(n = 0 ? 0 : {}) = 0"])
def test_a_division_without_value_does_not_matter_where_none_is_made(text: str) -> None:
    negated = "!" * text.startswith("false")
    assert holds("n: 0 .. 9;", f"n := 0; assert {negated}({text.format('(1 / 0)')});")


def test_a_division_without_value_fails_in_guards_and_invariants() -> None:
    start = "var x: boolean; startstate begin x := true; end;"
    failing = safety(f"{start} rule x = (1 / 0 > 0) ==> x := !x; end;")
    assert (failing.verdict, failing.reason, len(steps(failing))) == ("violated", "division by zero", 1)
    failing = safety(f"{start} {FLIP} invariant 1 / 0 > 1;")
    assert failing.verdict == "violated" and "division by zero" in failing.reason


def test_shifts_by_a_negative_number_go_the_other_way() -> None:
    assert holds(
        "n: 0 .. 40;", "n := 3; assert n << 2 = 12 & n >> 1 = 1 & n << (1 - n) = 0 & (n & 6) = 2 & (n | 4) = 7;"
    )
    assert holds("n: 0 .. 40;", "n := 40; assert 5 << n = 0 & (~n & 63) = 23 & (n ^ 1) = 41;")


def test_conditions_need_not_look_at_what_does_not_matter() -> None:
    assert holds("n: 0 .. 3;", "assert isundefined(n) | n = 1; assert !(!isundefined(n) & n = 1);")
    assert holds("n: 0 .. 3;", "assert !isundefined(n) -> n = 1;")


# Statements


def test_an_alias_of_a_variable_stays_with_it() -> None:
    declarations = "a: array [1 .. 2] of 0 .. 9; i: 1 .. 2;"
    statements = """a[1] := 0; a[2] := 1; i := 2;
      alias foo: a[i]; bar: a[i] + 1 do
        a[i] := 3; i := 1; assert foo = 3 & bar = 2; foo := 4;
      end;
      assert a[2] = 4 & a[1] = 0;"""
    assert holds(declarations, statements)


@pytest.mark.parametrize(
    ("alias", "reason"),
    [("1 / n", "division by zero"), ("a[n]", "index 0 outside 1..2"), ("m + 1", "'m' has no value")],
)
def test_an_alias_around_rules_must_mean_something_whether_it_is_used_or_not(alias: str, reason: str) -> None:
    start = "var n: 0 .. 2; m: 0 .. 2; a: array [1 .. 2] of 0 .. 2; startstate begin n := 1; a[1] := 2; end;"
    rules = f'rule n := 0; end; alias q: {alias} do rule "r" n = 2 ==> n := 1; end; end;'
    failing = safety(f"{start} {rules}")
    assert (failing.verdict, failing.reason) == ("violated", reason)
    claimed = safety(f"{start} rule n := 1 - n; end; alias q: {alias} do invariant n >= 0; end;")
    assert claimed.verdict == "violated" and reason in claimed.reason


def test_an_alias_that_always_means_something_costs_no_condition() -> None:
    rules = "ruleset i: 1 .. 2 do alias q: a[i] do rule q = 1 ==> q := 2; end; end; end;"
    network = read_murphi(f"var a: array [1 .. 2] of 0 .. 2; startstate begin a[1] := 1; a[2] := 1; end; {rules}")
    assert len(conjuncts(network.processes[1].edges[0].guard)) == 1


def test_loops_count_as_they_say() -> None:
    declarations = "n: 0 .. 99; last: 0 .. 9;"
    assert holds(declarations, "n := 0; for i := 1 to 4 do n := n + i; end; assert n = 10;")
    assert holds(declarations, "n := 0; for i := 9 to 1 by -3 do n := n + i; end; assert n = 18;")
    assert holds(
        declarations, "n := 0; last := 4; for i := 1 to last by 2 do n := n + i; last := 1; end; assert n = 4;"
    )
    assert holds(declarations, "n := 5; while n > 0 do n := n - 1; end; assert n = 0;")
    assert holds(declarations, "n := 0; last := 0; for i := 1 to last do n := n + 1; end; assert n = 0;")
    assert holds(declarations, "n := 0; for i: 0 .. 1; j: boolean do n := n + 1; end; assert n = 4;")


def test_a_loop_without_end_is_an_error() -> None:
    assert "iterations" in fails("n: 0 .. 9;", "n := 0; while n < 5 do n := 1; end;")


def test_long_loops_are_not_written_out() -> None:
    declarations = "a: array [0 .. 9999] of 0 .. 1; n: 0 .. 10000;"
    assert holds(
        declarations, "n := 0; for i: 0 .. 9999 do a[i] := i % 2; n := n + 1; end; assert n = 10000 & a[7] = 1;"
    )


def test_switch_takes_the_first_case_that_fits() -> None:
    declarations = "n: 0 .. 9; m: 0 .. 9;"
    for value, expected in ((1, 1), (2, 2), (3, 2), (4, 9)):
        cases = "switch n case 1: m := 1; case 2, 3: m := 2; case 3: m := 3; else m := 9; end;"
        assert holds(declarations, f"n := {value}; {cases} assert m = {expected};")


def test_quantifiers_over_what_is_known_at_run_time_only() -> None:
    declarations = "a: array [0 .. 3] of 0 .. 9; n: 0 .. 3;"
    statements = """for i: 0 .. 3 do a[i] := i; end; n := 2;
      assert forall i := 0 to n do a[i] < 3 end & !exists i := n to 2 do a[i] = 3 end;
      assert exists i := 0 to 3 by 3 do a[i] = 3 end & !exists i := 0 to 3 by 2 do a[i] = 3 end;"""
    assert holds(declarations, statements)


def test_a_rule_can_end_early() -> None:
    text = "var x: 0 .. 3; startstate x := 0; end; rule if x = 2 then return; end; x := x + 1; end;"
    assert states(text) == 3


def test_error_statements_say_what_they_say() -> None:
    result = safety('var x: 0 .. 3; startstate x := 0; end; rule "up" x := x + 1; if x = 2 then error "two"; end; end;')
    assert (result.verdict, result.reason) == ("violated", "assertion failed: two")
    assert steps(result) == ["up", "up"]


# Functions


def test_procedures_write_what_they_are_given_as_variables() -> None:
    declarations = """n, m: 0 .. 9;
      procedure swap(var a, b: 0 .. 9); var t: 0 .. 9; begin t := a; a := b; b := t; end;"""
    text = (
        f"var x: boolean; {declarations} startstate x := true; n := 1; m := 2; swap(n, m); assert n = 2 & m = 1; end;"
    )
    assert safety(text + FLIP).verdict == "holds"


def test_functions_return_records_that_can_be_looked_into() -> None:
    text = """
      type pair: record a: 0 .. 9; b: array [1 .. 2] of 0 .. 9; end;
      var x: boolean; p: pair;
      function make(n: 0 .. 9): pair; var made: pair; begin made.a := n; made.b[2] := n + 1; return made; end;
      function sum(p: pair): 0 .. 99; begin return p.a + p.b[2]; end;
      function again(n: 0 .. 9): pair; begin return make(n); end;
      startstate
        x := true; p := again(3);
        assert p.a = 3 & make(4).b[2] = 5 & sum(make(2)) = 5 & make(3) = p & make(1) != make(2);
        assert make(make(1).a).a = 1;
      end;
      rule make(2).a = 2 & sum(make(1)) = 3 ==> x := !x; end;"""
    assert safety(text).verdict == "holds"
    assert states(text) == 2


def test_a_function_can_call_itself() -> None:
    text = """
      var n: 0 .. 99;
      function fib(n: 0 .. 10): 0 .. 99; var less: 0 .. 99;
      begin
        if n < 2 then return n; end;
        less := fib(n - 1);
        return less + fib(n - 2);
      end;
      startstate n := fib(10); assert n = 55; end;
      rule n := fib(9) + fib(3) - n + 19; end;"""
    assert safety(text).verdict == "holds"
    assert states(text) == 2


def test_a_function_that_never_stops_calling_itself_is_an_error() -> None:
    text = """var n: 0 .. 9; function f(n: 0 .. 9): 0 .. 9; begin return f(n); end;
      startstate n := 0; end; rule n := f(n); end;"""
    result = safety(text)
    assert (result.verdict, result.reason) == ("violated", "'f' calls itself too often")


def test_an_undefined_variable_can_be_passed_and_asked_about() -> None:
    text = """var x: boolean; n: 2 .. 5; function known(m: 0 .. 9): boolean; begin return !isundefined(m); end;
      startstate x := true; assert !known(n); n := 4; assert known(n) & !known(undefined); end;"""
    assert safety(text + FLIP).verdict == "holds"


def test_a_function_without_a_value_at_its_end_is_an_error() -> None:
    text = "var x: boolean; function f(): boolean; begin if x then return false; end; end; startstate x := false; end;"
    result = safety(text + "rule x := f(); end;")
    assert "ends without a value" in result.reason


# States


def test_every_startstate_and_every_value_of_its_parameters_is_a_beginning() -> None:
    text = """var x, y: 0 .. 3; ruleset i: 1 .. 2; j: 0 .. 1 do startstate "of two" x := i; y := j; end; end;
      startstate x := 3; y := 3; end; rule x = 3 & y = 3 ==> y := 2; end;"""
    assert states(text) == 6
    result = check(read_murphi(text), "E<> y == 2", search="bfs")
    assert result.trace is not None and result.trace.opening == "startstate startstate in line 2"
    result = check(read_murphi(text), "E<> x == 2 && y == 1", search="bfs")
    assert result.trace is not None and result.trace.opening == "startstate of two(i=2, j=1)"
    assert len(result.trace) == 0


@pytest.mark.parametrize(
    ("deadlock", "rule", "verdict"),
    [
        ("stuttering", "rule x := x; end;", "violated"),
        ("stuck", "rule x := x; end;", "holds"),
        ("stuck", "rule x ==> x := true; end;", "violated"),
        ("off", "rule x ==> x := true; end;", "holds"),
        ("stuttering", "invariant !x;", "violated"),
        ("stuck", "invariant !x;", "violated"),
        ("off", "invariant !x;", "holds"),
        ("stuttering", "rule x := x; end; rule x := !x; end;", "holds"),
    ],
)
def test_what_counts_as_a_deadlock_can_be_chosen(deadlock: str, rule: str, verdict: str) -> None:
    result = safety(f"var x: boolean; startstate x := false; end; {rule}", deadlock=deadlock)
    assert result.verdict == verdict
    assert result.reason == ("deadlock" if verdict == "violated" else "exhausted")


def test_rules_of_the_lowest_priority_number_go_first() -> None:
    text = "var x: 0 .. 9; startstate x := 0; end; rule 2 x := 5; end; rule 1 x < 3 ==> x := x + 1; end;"
    assert states(text) == 5, "0, 1, 2, 3, 5"


def test_assumptions_rule_out_steps_and_states() -> None:
    count = "var x: 0 .. 9; startstate x := 0; end; rule x := x + 1; assume x < 4; end;"
    assert states(count) == 4
    assert safety(count).reason == "deadlock", "a step that is assumed away is none"
    whole = "var x: 0 .. 9; startstate x := 0; end; rule x := x + 1; end; assume x < 4;"
    assert states(whole) == 4
    assert safety(whole).verdict == "holds", "as in Rumur, a step out of what is assumed is one"


def test_covers_are_goals() -> None:
    text = """var x: 0 .. 3; startstate x := 0; end;
      rule x := (x + 1) % 3; cover "two" x = 2; cover "three" x = 3; end;
      cover "one" x = 1; cover "never" x = 3;"""
    network = read_murphi(text)
    assert [check(network, name).verdict for name in ("two", "three", "one", "never")] == [
        "holds",
        "violated",
        "holds",
        "violated",
    ]
    found = check(network, "two", search="bfs")
    assert found.trace is not None and len(found.trace) == 2


def test_an_invariant_without_a_value_is_violated() -> None:
    result = safety('var x: boolean; y: 0 .. 1; startstate x := true; end; invariant "y" y = 0;' + FLIP)
    assert (result.verdict, result.reason) == ("violated", "the property has no value: 'y' has no value")


def test_the_invariant_that_is_violated_is_named_and_can_be_asked_alone() -> None:
    text = """var x: 0 .. 5; startstate x := 0; end; rule x < 5 ==> x := x + 1; end; rule x = 5 ==> x := 0; end;
      invariant "small" x < 3; ruleset n: 4 .. 5 do invariant "smaller" x < n; end;"""
    network = read_murphi(text)
    assert check(network).reason == "invariant violated: small"
    assert {name: check(network, name, search="bfs").verdict for name in ("small", "smaller")} == {
        "small": "violated",
        "smaller": "violated",
    }


def test_constants_can_be_given_from_outside() -> None:
    text = "const N: 2; FAST: false; var x: 0 .. N; startstate x := 0; end; rule x < N ==> x := FAST ? N : x + 1; end;"
    assert states(text) == 3
    assert states(text, constants={"N": "5"}) == 6
    assert states(text, constants={"N": "5", "FAST": "true"}) == 2


# Scalarsets, unions, multisets


def network_of_unions() -> Network:
    return read_murphi(
        """type P: scalarset(2); H: enum { home }; N: union { P, H }; A: array [N] of 0 .. 1;
        var at: N; seen: A; who: P;
        startstate undefine at; undefine who; for n: N do seen[n] := 0; end; end;
        ruleset n: N do rule "go" at := n; seen[n] := 1; end; end;
        rule "know" !isundefined(at) & ismember(at, P) ==> who := at; end;
        invariant "home is no P" isundefined(at) | (at = home -> ismember(at, H));"""
    )


def test_unions_join_values_and_remember_the_types() -> None:
    network = network_of_unions()
    assert check(network).verdict == "holds"
    result = check(network, "E<> who == P_2", search="bfs")
    assert result.trace is not None
    assert [step.process for step in result.trace] == ["go(n=P_2)", "know"]
    assert result.trace.final()["seen[P_2]"] == "1"


def test_a_value_of_another_part_of_a_union_does_not_fit() -> None:
    text = """type P: scalarset(2); H: enum { home }; N: union { P, H }; var at: N; who: P; x: boolean;
      startstate x := true; at := home; end; rule who := at; end;"""
    assert "outside" in safety(text).reason


def test_scalarsets_stay_known_to_the_network() -> None:
    network = network_of_unions()
    kinds = {variable.name: variable.type for variable in network.variables}
    assert kinds["who"].interchangeable  # type: ignore[union-attr]
    assert kinds["seen"].index.parts == (network.processes[1].parameters[0].type.parts)  # type: ignore[union-attr]
    assert [start.arguments for start in network.initial if start.process == "go"] == [(0,), (1,), (2,)]


def test_multisets_are_equal_whatever_the_order() -> None:
    text = """
      type M: record a: 0 .. 2; end;
      var net: multiset [2] of M; n: 0 .. 2;
      startstate undefine net; n := 0; end;
      ruleset v: 0 .. 2 do rule "add" n < 2 ==> var m: M; begin m.a := v; multisetadd(m, net); n := n + 1; end; end;
      choose i: net do rule "take" net[i].a > 0 ==> multisetremove(i, net); n := n - 1; end; end;
      rule "clean" multisetcount(i: net, net[i].a = 0) = 2 ==> multisetremovepred(i: net, net[i].a = 0); n := 0; end;
      invariant "counted" multisetcount(i: net, true) = n;"""
    assert states(text) == 1 + 3 + 6
    assert safety(text).verdict == "holds"


def test_a_full_multiset_takes_no_more() -> None:
    text = """var net: multiset [1] of 0 .. 1; x: 0 .. 1; startstate undefine net; x := 0; end;
      rule multisetadd(x, net); end;"""
    assert "room for 1" in safety(text).reason


@pytest.mark.parametrize(("undefined", "verdict"), [("error", "violated"), ("copied", "holds"), ("auto", "violated")])
def test_whether_a_variable_without_a_value_can_be_copied(undefined: str, verdict: str) -> None:
    text = "var x: boolean; e, f: enum { a, b }; startstate x := true; f := e; end;" + FLIP
    assert safety(text, undefined=undefined).verdict == verdict


def test_a_claim_may_pass_on_a_variable_without_a_value() -> None:
    text = """var x: 1 .. 4; y: boolean; function four(n: 1 .. 4): boolean; begin return true; end;
      startstate y := true; undefine x; end; rule y := !y; end; rule y ==> x := 1; end; rule !y ==> undefine x; end;
      invariant "unread" four(x);"""
    assert safety(text).verdict == "holds"


ASSUMES = """
var x: 0 .. 3; y: boolean;
function is_even(n: 0 .. 3): boolean; begin assume "small" n < 3; return n % 2 = 0; end;
startstate x := 0; y := false; end;
rule "up" x < 3 ==> x := x + 1; end;
rule "flip" is_even(x) ==> y := !y; end;
rule "down" x > 0 ==> x := x - 1; end;
"""


def test_a_guard_whose_function_assumes_something_else_is_false() -> None:
    assert explore(read_murphi(ASSUMES)).statistics.generated == 16


def test_claims_assume_nothing() -> None:
    with pytest.raises(MurphiError, match="claimed of all states"):
        read_murphi(ASSUMES + 'invariant "even" is_even(x);')
