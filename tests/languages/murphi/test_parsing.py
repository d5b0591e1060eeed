"""Every mistake in a Murphi text is told with its place, the line, a caret and a way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from beeline.cli.main import main
from beeline.languages.murphi import read_murphi
from beeline.languages.murphi.errors import MurphiError

GOOD = "var x: 0 .. 3;\nstartstate x := 0; end;\nrule x := 0; end;\n"

MISTAKES = [
    ("var x: 0 .. 3\nvar x: boolean;", (2, 5), "`x` is declared twice"),
    ("var x: 0 .. 3;\nstartstate x = 0; end;", (2, 14), "`=` compares"),
    ("var x: 3 .. 0;", (1, 8), "the subrange 3..0 is empty"),
    ("var x: 0 .. N;", (1, 13), "no variable or constant called `N`"),
    ("var x: flag;", (1, 8), "no type called `flag`"),
    ("const C: 1;\nvar x: C;", (2, 8), "`C` is no type"),
    ("var x: boolean;\nstartstate x := 1; end;", (2, 12), "a value of type 1..1 cannot be stored"),
    ("var x: 0 .. 1;\nstartstate y := 1; end;", (2, 12), "no variable or constant called `y`"),
    ("var x: 0 .. 1;\nstartstate x := 1 end rule x + 1 ==> end", (2, 30), "expected a condition"),
    ("var x: 0 .. 1;\nstartstate x := f(1); end;", (2, 17), "no function called `f`"),
    ("var r: record a: 0 .. 1; end;\nstartstate r.b := 1; end;", (2, 13), "no field called `b`"),
    ("var x: 0 .. 1;\nstartstate x[1] := 1; end;", (2, 13), "which is no array"),
    ("var x: 0 .. 1;\nstartstate x := 1; end;\nrule x := 1", (3, 12), "expected `;`"),
    ("var x: 0 .. 1;\nstartstate for i: 0 .. 1 do i := 1; end; end;", (2, 29), "`i` cannot be changed here"),
    ("var x: 0 .. 1; /* open", (1, 16), "this comment is never closed"),
    ('var x: 0 .. 1; invariant "open', (1, 26), "this string is never closed"),
    ("var x: 0 .. 1.5;", (1, 13), "real numbers are not supported"),
    ("var x: real(4, 99);", (1, 8), "real numbers are not supported"),
    ("var x: 0 .. 4294967296;", (1, 13), "does not fit into 32 bits"),
    ("var x: 0 .. 1 < 2 < 3;", (1, 19), "`<` does not chain"),
    ("var begin: 0 .. 1;", (1, 5), "expected a name, found `begin`"),
    ("type e: enum { a, a };", (1, 19), "`a` is declared twice"),
    ("type r: record a: 0 .. 1; a: 0 .. 1; end;", (1, 27), "the field `a` is declared twice"),
    ("type u: union { 0 .. 1 };", (1, 17), "a union joins enumerations and scalarsets"),
    ("var x: 0 .. 1;\nstartstate return 1; end;", (2, 12), "returns no value"),
    ("function f(): boolean; begin return 1; end;", (1, 30), "`f` returns a boolean"),
    ("procedure p(); begin end;\nvar x: boolean;\nstartstate x := p(); end;", (3, 17), "has no value"),
    ("var x: 0 .. 1;\nprocedure p(var a: 0 .. 2); begin end;\nrule p(x); end;", (3, 8), "this one is of type 0..1"),
    ("var x: 0 .. 1;\nprocedure p(); begin x := 1; end;\nfunction f(): boolean; begin p(); return true; end;\n"
     "startstate x := 1; end; rule f() ==> end;", (4, 30), "changes variables"),
    ("var x: 0 .. 65535;\nstartstate x := (x * x) * x; end;", (2, 20), "may not fit into 32 bits"),
    ("var x: 0 .. 1; rule x := 1; end;", (1, 33), "there is no startstate"),
    ("var x: 0 .. 010; y: 0 .. 09;", (1, 26), "a number that begins with 0 is octal"),
    ("type s: scalarset(0);", (1, 19), "a scalarset has one value at least"),
    ("type s: scalarset(2); t: scalarset(2); var a: s; b: t;\nstartstate a := b; end;", (2, 12), "cannot be stored"),
    ("type s: scalarset(2); var a: s;\nstartstate a := a + 1; end;", (2, 17), "expected a number"),
    ("var x: 0 .. 1;\nstartstate liveness x = 1; end;", (2, 12), "outside of rules"),
    ("var x: 0 .. 1;\nstartstate x := undefined + 1; end;", (2, 17), "`undefined` can only be assigned or passed"),
    ("const C: 0 / 0;", (1, 12), "division by zero"),
    ("type t: 0 .. 1 % 0;", (1, 16), "division by zero"),
    ("var x: boolean;\nstartstate for i := 0 to 1 / 0 do x := true; end; end;", (2, 28), "division by zero"),
    ("var x: boolean;\ninvariant forall i := 0 to 1 by 0 / 0 do x end;", (2, 35), "division by zero"),
    ("var x: 0 .. 9;\nrule x < 2000000000 + 2000000000 ==> x := 1; end;", (2, 21), "4000000000 does not fit"),
    ("var x: 0 .. 9;\nrule x = 4294967296 ==> x := 1; end;", (2, 10), "4294967296 does not fit"),
    ("var x: array [0 .. 9999999] of boolean;", (1, 8), "a state can have"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message"), MISTAKES, ids=[message for _, _, message in MISTAKES])
def test_a_mistake_is_told_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(MurphiError) as caught:
        read_murphi(text, "model.m")
    error = caught.value
    assert message in error.message
    assert error.remedy
    assert (error.source.line, error.source.column) == place
    assert error.excerpt == text.splitlines()[place[0] - 1]
    assert str(error).startswith(f"model.m:{place[0]}:{place[1]}: ")
    assert str(error).splitlines()[2].index("^") == place[1] + 3


KNOWN = """type node: scalarset(2); st: enum { idle, busy };
var x: 0 .. 3; b: boolean; a: array [node] of st;
function f(n: 0 .. 3; s: st): boolean; begin return n = 1 & s = idle; end;
procedure p(var n: 0 .. 3); begin n := 0; end;
startstate begin x := 0; b := false; end;
"""
SLIPS = [
    ("rule x := 1 b := true; end;", (6, 13), "end what stands before with `;`"),
    ("rule if x = 1 then x := 2;\nend;", (7, 5), "the `rule` in line 6 has no `end`: write one"),
    ("rule x := 2;\nrule x := 1; end;", (7, 1), "the `rule` in line 6 has no `end`: write one"),
    ("rule\nif b then x := 0; else\nif x = 2 then x := 1; end;\nend;\nrule x := 1; end;", (10, 1),
     "the `rule` in line 6 has no `end`: write one"),
    ("rule\nif b then x := 0; else if b then x := 1; end;\nrule x := 1; end;", (8, 1),
     "the `if` in line 7 has no `end`: write one"),
    ("rule\nif b then x := 0;\nelse if b then x := 1;\n", (8, 23), "the `if` in line 8 has no `end`: write `elsif`"),
    ("ruleset i: node do rule x := 1; end;", (6, 37), "the `ruleset` in line 6 has no `end`"),
    ("rule x := 1; end; end;", (6, 19), "nothing left to end"),
    ("rule if x = 1 x := 2; end; end;", (6, 15), "write `then` behind the condition"),
    ("rule for i: node a[i] := idle; end; end;", (6, 18), "write `do` in front"),
    ("rule x := 3 ==> x := 1; end;", (6, 13), "compare with `=`"),
    ("rule x = 3 begin x := 1; end;", (6, 12), "write `==>` between the guard"),
    ("rule x = 3 => x := 1; end;", (6, 12), "write `==>` behind a guard"),
    ("rule b => x := 1; end;", (6, 9), "write `==>` behind a guard"),
    ("rule x = 3 -> begin x := 1; end;", (6, 15), "write `==>` once behind it"),
    ("rule x = 1 and b ==> x := 1; end;", (6, 12), "write `&`"),
    ("rule not b ==> x := 1; end;", (6, 10), "write `!`"),
    ("rule x <> 1 ==> x := 1; end;", (6, 9), "write `!=`"),
    ("rule begin x++; end;", (6, 13), "write `x := x + 1`"),
    ("rule b ==> { x := 1; }", (6, 12), "between `begin` and `end`"),
    ("rule 'up' b ==> x := 1; end;", (6, 6), 'texts stand between `"` and `"`'),
    ("// up\nrule b ==> x := 1; end;", (6, 1), "a comment begins with `--`"),
    ("rule a[1] := idle; end;", (6, 8), "members of a scalarset have no numbers"),
    ("rule for i: node do a[i + 1] := idle; end; end;", (6, 23), "members of a scalarset have no order"),
    ("rule x := true; end;", (6, 6), "use a value of that type"),
    ("rule if x then x := 0; end; end;", (6, 9), "compare it with a value"),
    ("rule f(1) ==> x := 1; end;", (6, 6), "`f(n: 0..3; s: st)`"),
    ("rule f(idle, idle) ==> x := 1; end;", (6, 8), "use a value of that type"),
    ("rule p(3); end;", (6, 8), "pass a variable"),
    ("rule y := 1; end;", (6, 6), "known: a, b"),
    ("rule a[ := idle; end;", (6, 9), "a value is missing here"),
    ("rule (x = 1 ==> x := 2; end;", (6, 13), "close the parenthesis"),
    ("invariant forall i: node do a[i] = idle;", (6, 40), "end the quantifier with `end`"),
    ("var y: int;", (6, 8), "numbers have bounds"),
    ("var y: 0 .. 3 := 0;", (6, 15), "first values in a startstate"),
    ("var y: array [3] of boolean;", (6, 16), "a subrange is written `0 .. 3`"),
    ("var y: array [node] boolean;", (6, 21), "an array is written"),
    ("type t = 0 .. 3;", (6, 8), "a declaration is written `name : type`"),
    ("type t: enum { one two };", (6, 20), "put `,` between the members"),
    ("const N: x;", (6, 10), "constants that are declared before"),
]  # fmt: skip


@pytest.mark.parametrize(("slip", "place", "remedy"), SLIPS, ids=[slip for slip, _, _ in SLIPS])
def test_a_slip_is_told_with_a_way_out(slip: str, place: tuple[int, int], remedy: str) -> None:
    with pytest.raises(MurphiError) as caught:
        read_murphi(KNOWN + slip, "model.m")
    assert (caught.value.source.line, caught.value.source.column) == place
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    "statement",
    ["if y then x := 1; elsif z then x := 2; else x := w; end;", "switch y case z: x := w; else x := v; end;"],
)
def test_the_first_mistake_is_told(statement: str) -> None:
    with pytest.raises(MurphiError, match="no variable or constant called `y`"):
        read_murphi(f"{KNOWN}rule {statement} end;")
    with pytest.raises(MurphiError, match="no variable or constant called `z`"):
        read_murphi(f"{KNOWN}rule {statement.replace('y', 'b' if statement[0] == 'i' else 'x')} end;")


def test_the_command_line_shows_the_line_with_a_caret(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.m"
    file.write_text(GOOD.replace("rule x", "rule y"))
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file)])
    assert ended.value.code == 2
    said = capfd.readouterr().err
    assert f"{file}:3:6: no variable or constant called `y`" in said
    assert "    rule y := 0; end;\n         ^" in said


def test_keywords_are_the_same_in_small_and_large_letters() -> None:
    read_murphi("VAR x: BOOLEAN; Startstate BEGIN x := True; END; Rule Begin x := FALSE; EndRule;")


def test_names_are_not() -> None:
    with pytest.raises(MurphiError, match="no variable or constant called `X`"):
        read_murphi(GOOD.replace("rule x", "rule X"))


def test_signs_of_mathematics_and_round_quotes_are_read() -> None:
    signs = "rule “up” x ≠ 3 ∧ ¬(x ≥ 3) ⇒ x ≔ x × 1 + 1 − 0; end;"
    read_murphi(f"var x: 0 .. 3; startstate x ≔ 0; end; {signs} invariant ∀ i: 0 .. 1 do i ≤ 1 → true end;")


def test_words_of_rumur_can_be_names() -> None:
    start = "startstate cover := true; assume := cover; end;"
    read_murphi(f"var cover, assume: boolean; {start} rule assume := !cover; end;")


def test_ends_name_what_they_end_or_nothing() -> None:
    read_murphi(
        """type r: record a: 0 .. 1; endrecord;
        var x: r; n: 0 .. 2;
        procedure p(); begin if n = 0 then n := 1; elsif n = 1 then n := 2; endif; endprocedure;
        function f(): boolean;
        begin return forall i: 0 .. 1 do exists j: 0 .. 1 do i = j endexists endforall; endfunction;
        startstate for i: 0 .. 1 do x.a := i; endfor; n := 0; endstartstate;
        ruleset i: 0 .. 1 do
          alias a: x.a do
            rule "r" f() ==> while n > 1 do n := n - 1; endwhile; switch n case 0: p(); else n := 0; endswitch; endrule;
          endalias;
        endruleset;"""
    )


def test_a_file_of_the_last_century_is_read(tmp_path: Path) -> None:
    from beeline.languages.murphi import load_murphi

    file = tmp_path / "model.m"
    file.write_bytes(b"-- caf\xe9\n" + GOOD.encode())
    assert load_murphi(file).name == "model"
