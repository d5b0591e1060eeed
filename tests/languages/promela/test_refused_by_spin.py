"""What SPIN does not take is not taken here either, with the place and what to do about it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.conformance.mutations import spin_refuses

from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.errors import PromelaError
from beeline.languages.promela.parser import parse_expression, parse_text

START = "byte x; byte a[2]; typedef Pair { byte one }; Pair p, q; chan c = [1] of { byte }; proctype Q() { skip }\n"
BODIES = [
    ("skip; { L: skip }", "label 'L' cannot stand at the beginning of a block"),
    ("atomic { L: skip }", "label 'L' cannot stand at the beginning of a block"),
    ("L: skip; { skip; L: skip }", "label 'L' is defined twice"),
    ("L: skip; byte L", "'L' is a label"),
    ("byte Q", "'Q' is a proctype"),
    ("byte _pid", "'_pid' is predefined"),
    ("byte v : 3", "only an unsigned variable"),
    ("unsigned v", "'v' has no width"),
    ("unsigned v : 3 [2]", "an array cannot have elements"),
    ("hidden byte v", "'v' is not global"),
    ("skip; Pair v = 1", "the record 'v' cannot have a first value"),
    ("x!1", "'x' is no channel"),
    ("empty(x)", "'x' is no channel"),
    ("xr x", "'x' is no channel"),
    ("c = 1", "'c' can only be set to another channel"),
    ("c++", "'c' can only be set to another channel"),
    ("p = q", "the record 'p' cannot be assigned to"),
    ("(!full(c))", "'full' cannot be negated"),
    ("(!(nempty(c)) && x == 1)", "'nempty' cannot be negated"),
    ("(np_)", "'np_' outside a never claim"),
    ("d_step { skip; run Q() }", "'run' inside a d_step"),
    ("byte v; d_step { skip; (P:v == 1) }", "a remote reference inside a d_step"),
    ("(Later@L)", "there is no proctype 'Later' above"),
    ("d_step { { skip; skip } unless { skip } }", "'unless' inside a d_step"),
    ("for (x in x) { skip }", "'x' is no array"),
    ("for (x in c) { skip }", "'c' is no array"),
    ("for (x : 2 .. 1) { skip }", "a loop from 2 to 1 has no round"),
    ("for (x : 1 .. 2) { }", "nothing stands between these braces"),
    ("inline f() { skip }", "an inline inside braces"),
    ("if :: -> skip fi", "expected a statement, found '->'"),
    ("; skip", "expected a statement, found ';'"),
    ("do ; :: break od", "expected '::'"),
]
COLOURS = (
    "mtype = { red }; mtype:state = { up }; mtype:state s;"
    "proctype M(mtype m) { skip } proctype S(byte n; mtype:state m) { skip }"
)
UNITS = [
    (COLOURS + " init { run M(x) }", "'x' is not of the mtype without a name"),
    (COLOURS + " init { run M(a[1]) }", "'a[1]' is not of the mtype without a name"),
    (COLOURS + " init { run M(s) }", "'s' is not of the mtype without a name"),
    (COLOURS + " init { run M(_pid) }", "'_pid' is not of the mtype without a name"),
    (COLOURS + " init { run M(up) }", "'up' is a member of mtype:state, not of the mtype without a name"),
    (COLOURS + " init { run S(1, x) }", "'x' is not of mtype:state"),
    ("proctype N() { }", "nothing stands between these braces"),
    ("init { }", "nothing stands between these braces"),
    ("never { }", "nothing stands between these braces"),
    ("mtype = { };", "expected a member"),
    ("mtype = { , red };", "expected a member"),
    ("typedef Void { };", "expected a field"),
    ("never a { skip } never a { skip }", "claim 'a' is defined twice"),
    ("inline Q() { skip }", "'Q' is a proctype"),
    ("#define", "#define says nothing"),
    ("chan r = [0] of { byte }; never { enabled(0) }", "enabled() cannot be combined with rendezvous"),
    ("never { do :: skip od; c?_ }", "a never claim that sends or receives"),
    ("ltl p { true } ltl p { true }", "claim 'p' is defined twice"),
    ("inline R() { skip } proctype R() { skip }", "'R' is an inline"),
    ("active proctype R() { (R@L); L: skip }", "there is no label 'L' above"),
    ("chan r = [0] of { byte }; proctype N() priority 3 { skip }", "priorities cannot be combined with rendezvous"),
]
MODELS = [
    *((f"{START}active proctype P() {{ {body} }}\nproctype Later() {{ L: skip }}\n", told) for body, told in BODIES),
    *((f"{START}active proctype P() {{ skip }}\n{unit}\n", told) for unit, told in UNITS),
]


@pytest.mark.parametrize(("text", "told"), MODELS)
def test_a_mistake_is_named(text: str, told: str) -> None:
    with pytest.raises(PromelaError, match=re.escape(told)):
        elaborate(parse_text(text))


@pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN is not installed")
@pytest.mark.parametrize("text", [text for text, _ in MODELS])
def test_spin_refuses_it_too(text: str, tmp_path: Path) -> None:
    assert spin_refuses(text, tmp_path)


def test_what_is_asked_may_negate_tests_of_channels() -> None:
    parse_expression("!full(c) && np_")


def test_a_proctype_may_refer_to_itself(explore: Callable[..., Any], spin: Callable[..., Any]) -> None:
    text = "active [2] proctype P() { byte i; L: i = 1; (P[1 - _pid]:i == 1 && P[0]@L || P[0]:i == 1); i = 2 }"
    assert explore(text).states == spin(text).states()


def test_proctypes_claim_channels_of_their_own(explore: Callable[..., Any], spin: Callable[..., Any]) -> None:
    text = """
        chan a = [1] of { byte }; chan b = [1] of { byte };
        proctype P(chan q) { xs q; q!1 } proctype R(chan q) { xs q; q!2 }
        init { run P(a); run R(b) }
    """
    assert explore(text).states == spin(text).states()
