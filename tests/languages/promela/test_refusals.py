"""Models that SPIN does not accept are not accepted here: with the place and the reason."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.errors import PromelaError
from beeline.languages.promela.parser import parse_text

CHANNEL = "chan c = [1] of { byte }; byte x; "
SETS = "mtype:f = { a, b }; mtype:g = { d, e }; mtype:f m; "

REFUSED = {
    # Names
    "mtype = { a, a }; init { skip }": "1:14: 'a' is a member of an mtype already",
    "mtype = { a }; proctype a() { skip } init { skip }": "'a' has another meaning and cannot be a proctype",
    "mtype = { L }; init { L: skip }": "'L' is a member of an mtype and cannot be a label",
    "byte x; proctype x() { skip } init { skip }": "'x' is a variable and cannot be a proctype",
    "active proctype P() { byte P; P = 1 }": "'P' is a proctype and cannot be a variable",
    "typedef R { byte a }; byte R; init { skip }": "'R' is a type and cannot be a variable",
    "byte _pid; init { skip }": "'_pid' is predefined and cannot be a variable",
    "inline f(a) { a = 1 } inline f(a) { a = 2 } byte y; init { f(y) }": "inline 'f' is defined twice",
    "never n { true } never n { true } init { skip }": "claim 'n' is defined twice",
    "init { L: skip; { skip; L: skip } }": "label 'L' is defined twice",
    "proctype A() { L: skip } init { run A(); A[1]@K }": "1:42: proctype 'A' has no label 'K'",
    "active proctype A() { skip } ltl p { <> A@K }": "1:41: proctype 'A' has no label 'K'",
    "init { byte L; L: skip }": "'L' is a variable and cannot be a label",
    "byte x = y; byte y; init { skip }": "1:10: undeclared variable 'y'",
    "int y = 2, z = y; init { skip }": "undeclared variable 'y'",
    "init { byte k = k; skip }": "undeclared variable 'k'",
    # Numbers
    "active [300] proctype P() { skip }": "300 processes are more than 255",
    "active [0] proctype P() { skip }": "no process runs at the start",
    "active proctype P() priority 256 { skip }": "priority 256 is outside 1..255",
    "active proctype P() priority 0 { skip }": "priority 0 is outside 1..255",
    "init { run P() priority 256 } proctype P() { skip }": "priority 256 is outside 0..255",
    # Sequences
    "active proctype P() { }": "1:21: nothing stands between these braces",
    "byte x; init { for (x : 1 .. 3) { } }": "nothing stands between these braces",
    "init { atomic { L: skip; skip } }": "label 'L' cannot stand at the beginning of a block",
    "init { { skip; skip } unless { M: skip } }": "label 'M' cannot stand at the beginning of a block",
    # d_step
    "byte x; init {\ndo\n:: d_step { x = 1;\nbreak }\nod }": "4:1: this 'break' leaves a d_step",
    "byte x; init {\ndo\n:: d_step { x = 1; if :: x -> break :: else fi }\nod }": "3:31: this 'break' leaves a d_step",
    "init {\nd_step { goto L };\nL: skip }": "2:10: 'goto L' leaves a d_step",
    "byte x; init {\nd_step { x = 1; goto L };\nL: skip }": "'goto L' leaves a d_step",
    "byte x; init {\nL: d_step { x = 1; goto L } }": "'goto L' leaves a d_step",
    "byte x; init {\ngoto L;\nd_step { x = 1;\nL: x = 2 } }": "2:1: 'goto L' leads into the middle of a d_step",
    "byte x; init {\nd_step { x = 1;\nL: x = 2 };\nd_step { x = 3; goto L } }": "'goto L' leaves a d_step",
    "byte x; init { d_step { x = 1; run P() } } proctype P() { skip }": "'run' inside a d_step",
    "byte x; init { d_step { x = run P(); x = 1 } } proctype P() { skip }": "'run' inside a d_step",
    # Channels
    CHANNEL + "init { x!1 }": "'x' is no channel",
    CHANNEL + "init { x?1 }": "'x' is no channel",
    CHANNEL + "init { full(x) }": "'x' is no channel",
    CHANNEL + "proctype P(byte y) { y!1 } init { run P(c) }": "'y' is no channel",
    CHANNEL + "chan d; init { d!1,2 }": "a message of 2 fields",
    CHANNEL + "init { c = 1 }": "'c' can only be set to another channel",
    CHANNEL + "init { c++ }": "'c' can only be set to another channel",
    CHANNEL + "init { x = c + 1 }": "'c' is a channel and cannot be part of a value",
    CHANNEL + "init { byte y = c + 1; skip }": "'c' is a channel and cannot be part of a value",
    "chan c = [1] of { byte, byte }; byte x; init { c?x,x }": "two fields of a message go into 'x'",
    CHANNEL + "init { for (x in c) { skip } }": "'c' is no array",
    CHANNEL + "byte y; init { for (x in y) { skip } }": "'y' is no array",
    CHANNEL + "active proctype P() { xr x; skip }": "'x' is no channel",
    CHANNEL + "active proctype P() { xr c; c?x } active proctype Q() { xr c; c?x }": "'P' says xr c already",
    CHANNEL + "active proctype P() { xr c; if :: c?x :: else fi }": "'else' beside a send or receive",
    # Types
    "hidden chan c = [1] of { byte }; init { skip }": "'c' is a chan and cannot be hidden",
    "hidden bit b; init { skip }": "'b' is a bit and cannot be hidden",
    "init { hidden byte x; x = 1 }": "'x' is not global and cannot be hidden",
    "init { np_ }": "'np_' outside a never claim",
    "typedef R { byte a }; R r, s; init { r = s }": "the record 'r' cannot be assigned to",
    SETS + "init { m = d }": "'d' is a member of mtype:g, not of mtype:f",
    SETS + "mtype:f n = d; init { skip }": "'d' is a member of mtype:g, not of mtype:f",
    SETS + "proctype P(mtype:f n) { skip } init { run P(d) }": "'d' is a member of mtype:g, not of mtype:f",
}

ACCEPTED = [
    "byte x; init { d_step { x = 1; goto L; x = 3; L: x = 2 } }",
    "byte x; init { d_step { x = 0; do :: x < 3 -> x++ :: else -> break od } }",
    "byte x; init { do :: x = 0; d_step { x == 0; do :: x < 3 -> x++ :: else -> break od } od }",
    "init { { skip; L: skip }; L: skip }",
    "byte x; init { for (x : 1 .. 3) { L: skip; skip } }",
    "typedef R { byte a; byte b }; R r; chan c = [1] of { R }; init { for (r in c) { skip } }",
    CHANNEL + "chan d; init { d = c; x = len(c) + 1; x = c }",
    CHANNEL + "active proctype P() { xr c; c?x } active proctype Q() { xs c; c!1 }",
    SETS + "mtype n; init { m = a; n = d; m == d }",
    "hidden byte x; init { x = 1 }",
    "mtype = { a, b }; mtype y = a; byte k = a; init { skip }",
]


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_a_model_is_refused_with_place_and_reason(text: str, message: str) -> None:
    with pytest.raises(PromelaError) as caught:
        elaborate(parse_text(text))
    assert message in str(caught.value)
    assert caught.value.source.line > 0


@pytest.mark.parametrize("text", ACCEPTED)
def test_a_model_is_accepted(text: str) -> None:
    elaborate(parse_text(text))


@pytest.mark.parametrize(("text", "accepted"), [*((t, False) for t in REFUSED), *((t, True) for t in ACCEPTED)])
def test_spin_decides_the_same(text: str, accepted: bool, tmp_path: Path) -> None:
    if shutil.which("spin") is None:
        pytest.skip("SPIN is not installed")
    (tmp_path / "model.pml").write_text(text + "\n")
    done = subprocess.run(["spin", "-a", "model.pml"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode == 0) == accepted, done.stdout
