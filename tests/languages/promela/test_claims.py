"""Never claims: when they move, what they see, and what counts as a violation. SPIN is asked about every model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.compile.test_agreement import explore_both

from beeline import check
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.errors import PromelaError
from beeline.languages.promela.parser import parse_text

COUNT = "byte x; active proctype P() { x = 1; x = 2; x = 3 }"
WAIT = "byte x; active proctype P() { x = 1; x = 2; timeout; x == 5 }"
BLOCKS = "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2 } } active proctype Q() { y = 1 }"
ARRAY = "byte x; byte a[2]; active proctype P() { x = 1; x = 2; x = 3 }"

CLAIMS = {
    "a state inside an atomic run is not seen": (
        "byte x; active proctype P() { atomic { x = 1; x = 2 }; x = 0 } never { do :: x == 1 -> break :: else od }",
        "holds",
    ),
    "a claim makes one move for a whole atomic run": (
        "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 } } never { x == 0; x == 3 }",
        "violated",
    ),
    "a claim looks where an atomic run blocks": (f"{BLOCKS} never {{ do :: x == 1 -> break :: else od }}", "violated"),
    "a d_step is passed over": (
        "byte x; active proctype P() { d_step { x = 1; x = 2 }; x = 0 } never { do :: x == 1 -> break :: else od }",
        "holds",
    ),
    "a timeout that no process waits for is never seen": (
        "byte x; active proctype P() { x = 1; x == 5 } never { do :: timeout -> break :: else od }",
        "holds",
    ),
    "a timeout is seen where processes wait for it": (
        f"{WAIT} never {{ do :: timeout -> break :: else od }}",
        "violated",
    ),
    "a timeout is not seen where processes move": (
        f"{WAIT} never {{ do :: timeout && x < 2 -> break :: else od }}",
        "holds",
    ),
    "a claim that can only move by a timeout has one": (f"{WAIT} never {{ do :: timeout -> break od }}", "violated"),
    "a claim that waits lets processes time out": (
        "byte x; active proctype P() { do :: x = 1 :: x = 2 od } active proctype Q() { timeout; x = 7 }"
        "never { timeout; true; x == 7 }",
        "violated",
    ),
    "after the end of all the timeout stays": (
        f"{WAIT} never {{ do :: timeout -> goto L :: else od; L: timeout; !timeout }}",
        "holds",
    ),
    "a claim that begins at an end label is violated at once": (f"{COUNT} never {{ end: do :: x < 9 od }}", "violated"),
    "a claim that comes to an end label is violated": (
        f"{COUNT} never {{ do :: x == 2 -> goto end1 :: else od; end1: false }}",
        "violated",
    ),
    "an index out of range is an error in a claim, too": (f"{ARRAY} never {{ do :: a[x] == 0 od }}", "violated"),
    "an index that is not evaluated is none": (f"{ARRAY} never {{ do :: x < 2 && a[x] == 0 :: else od }}", "holds"),
    "the claim is counted as a process": (f"{COUNT} never {{ do :: _nr_pr == 2 -> break :: else od }}", "violated"),
    "the claim is alone after all others": (
        f"{COUNT} never {{ do :: _nr_pr == 0 -> break :: else od }}",
        "holds",
    ),
    "processes count the claim": (
        "byte x; active proctype P() { x = _nr_pr; assert(x == 2) } never { do :: true od }",
        "holds",
    ),
    "the claim is process number 0": (f"{COUNT} never {{ do :: _pid == 0 -> break :: else od }}", "violated"),
    "processes keep their numbers beside a claim": (
        "byte x; active proctype P() { x = _pid; assert(x == 0) } never { do :: true od }",
        "holds",
    ),
    "np_ is false when all have come to a halt": (f"{COUNT} never {{ do :: !np_ -> break :: else od }}", "violated"),
    "np_ is true once in the last state": (
        "byte x; active proctype P() { x = 1; x == 2 } never { x == 0; np_; !np_; !np_ }",
        "violated",
    ),
    "an assertion in a claim fails": (f"{COUNT} never {{ do :: assert(x != 2) od }}", "violated"),
    "an assertion in an atomic step of a claim fails, whatever follows it": (
        f"{COUNT} never {{ do :: atomic {{ x == 2; assert(x != 2); false }} :: else od }}",
        "violated",
    ),
    "an assertion in a claim that cannot be reached does not": (
        f"{COUNT} never {{ do :: x < 3 :: atomic {{ x == 3; assert(x == 3) }} od }}",
        "holds",
    ),
    "an else inside an atomic step of a claim is the last choice": (
        f"{COUNT} never {{ atomic {{ x == 0; if :: x == 0 -> false :: else -> skip fi }} }}",
        "holds",
    ),
    "a claim waits for its own partners in vain": (
        f"{COUNT} chan c = [1] of {{ byte }}; never {{ do :: c?[1] -> break :: else od }}",
        "holds",
    ),
    "a d_step of a claim is one move": (
        f"{COUNT} never {{ d_step {{ x == 0; x < 3 }}; d_step {{ skip; x == 1; x != 2 }}; x == 2 }}",
        "violated",
    ),
    "a d_step of a claim cannot begin where its first guard does not hold": (
        f"{COUNT} never {{ do :: x < 9 :: d_step {{ x == 7; skip }} -> break od }}",
        "holds",
    ),
    "a d_step that blocks in a claim is an error": (f"{COUNT} never {{ d_step {{ x == 0; x == 1 }} }}", "violated"),
    "a selection in a d_step of a claim takes the first option": (
        f"{COUNT} never {{ do :: x < 2 :: d_step {{ x == 2; if :: x > 1 -> skip :: x > 0 -> assert(false) fi }} od }}",
        "holds",
    ),
    "an assertion in a d_step of a claim fails": (
        f"{COUNT} never {{ do :: d_step {{ skip; if :: x == 2 -> assert(false) :: else fi }} od }}",
        "violated",
    ),
    "an escape of a claim goes first": (f"{COUNT} never {{ {{ x == 0; x == 1; false }} unless x == 2 }}", "violated"),
}


@pytest.mark.parametrize(("text", "verdict"), CLAIMS.values(), ids=CLAIMS)
def test_a_claim(text: str, verdict: str) -> None:
    network = elaborate(parse_text(text))
    explore_both(network)
    for search in ("bfs", "dfs", "auto"):
        assert check(network, "claim", search=search).verdict == verdict, search


@pytest.mark.parametrize(("text", "verdict"), CLAIMS.values(), ids=CLAIMS)
def test_spin_says_the_same_of_a_claim(text: str, verdict: str, spin: Callable[..., Any]) -> None:
    assert (spin(text, claim=True).errors() > 0) == (verdict == "violated")


def test_a_failing_assertion_of_a_claim_is_named() -> None:
    result = check(elaborate(parse_text(f"{COUNT} never {{ do :: assert(x != 2) od }}")))
    assert result.reason == "assertion failed: x!=2"
    assert result.trace is not None and result.trace.steps[-1].process == "monitor"


def test_an_error_in_a_claim_is_named_with_its_line() -> None:
    result = check(elaborate(parse_text(f"{ARRAY}\nnever {{\ndo :: a[x] == 0 od }}")))
    assert "index 2" in result.reason
    assert result.trace is not None and result.trace.steps[-1].source.line == 3


@pytest.mark.parametrize("statement", ["x = 3", "c!1", "c?x", "run P()"])
def test_a_claim_can_only_watch(statement: str) -> None:
    with pytest.raises(PromelaError, match="a claim can only watch"):
        elaborate(parse_text(f"chan c = [1] of {{ byte }}; {COUNT} never {{ {statement} }}"))


def test_a_d_step_that_blocks_in_a_claim_is_named() -> None:
    result = check(elaborate(parse_text(f"{COUNT} never {{ d_step {{ x == 0; x == 3 }} }}")))
    assert result.reason == "assertion failed: a deterministic sequence blocks in the middle"
