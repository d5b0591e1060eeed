"""What models do: verdicts, errors, claims, losses, and mistakes that only the meaning of names reveals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.compile.test_agreement import explore_both

from beeline.languages import LoadOptions, load
from beeline.languages.promela.elaborate import elaborate
from beeline.languages.promela.errors import PromelaError, UnsupportedPromela
from beeline.languages.promela.parser import parse_text
from beeline.model.network import Network
from beeline.model.semantics import Semantics

Explore = Callable[..., Any]


def network(text: str) -> Network:
    return elaborate(parse_text(text))


def test_a_blocked_process_is_a_deadlock(explore: Explore) -> None:
    assert explore("byte x; active proctype P() { x == 1 }").deadlocks == 1


def test_end_labels_excuse_a_blocked_process(explore: Explore) -> None:
    assert explore("byte x; active proctype P() { endhere: x == 1 }").deadlocks == 0
    assert explore("byte x; active proctype P() { end: do :: x == 1 -> skip od }").deadlocks == 0


def test_processes_that_wait_for_younger_ones_to_die_are_no_deadlock(explore: Explore) -> None:
    found = explore("byte x; active proctype A() { skip } active proctype B() { end: x == 1 }")
    assert found.deadlocks == 0


def test_assertions_indices_divisions_and_channels_fail(explore: Explore) -> None:
    assert explore("byte x; active proctype P() { x = 1; assert(x == 2) }").errors == ("assertion",)
    assert explore("byte a[2], i = 2; active proctype P() { a[i] = 1 }").errors == ("index",)
    assert explore("byte x; active proctype P() { x = 1 / x }").errors == ("division",)
    assert explore("chan c, d = [1] of { byte }; active proctype P() { c!1 }").errors == ("channel",)


def test_a_d_step_that_blocks_is_an_error(explore: Explore) -> None:
    assert explore("byte x; active proctype P() { d_step { x = 1; x == 2; x = 3 } }").errors == ("blocked",)


SENDS = {
    "into a full channel": ("chan c = [1] of { byte }", "c!1; x = 5; c!a[x]", ()),
    "into a channel with room": ("chan c = [1] of { byte }", "x = 5; c!a[x]", ("index",)),
    "to nobody": ("chan c = [0] of { byte }", "x = 5; c!a[x]", ("index",)),  # SPIN looks for a receiver after that
}


@pytest.mark.parametrize(("channel", "body", "errors"), SENDS.values(), ids=SENDS)
def test_values_of_a_send_are_evaluated_where_spin_does(
    channel: str, body: str, errors: tuple[str, ...], explore: Explore, spin: Callable[..., Any]
) -> None:
    text = f"{channel}; byte a[2], x; active proctype P() {{ {body} }}"
    assert explore(text).errors == errors
    assert ("invalid array index" in spin(text).run("-E")) == bool(errors)


FIELDS = {
    "too few are sent": ("c!1", True),
    "too few are received": ("c!1,2; c?x", True),
    "too few are compared": ("c!1,2; c?1", True),
    "some are looked at": ("c!1,2; c?<x>", False),
    "some are asked for": ("c!1,2; c?[1]", False),
    "all are there": ("c!1,2; c?x,_", False),
    "a channel for handshakes is polled": ("d?[1]", True),
}


@pytest.mark.parametrize(("body", "fails"), FIELDS.values(), ids=FIELDS)
def test_fields_of_messages(body: str, fails: bool, explore: Explore, spin: Callable[..., Any]) -> None:
    text = f"chan c = [1] of {{ byte, byte }}; chan d = [0] of {{ byte }}; byte x; init {{ {body} }}"
    assert explore(text).errors == (("channel",) if fails else ())
    explore_both(elaborate(parse_text(text)))
    assert (spin(text).errors() > 0) == fails


ELSES = {
    "sent": "if :: if :: c!1 -> x = 1 :: else -> x = 2 fi :: x = 3 fi",
    "sent in a loop": "do :: if :: c!1 -> x = 1 :: else -> x = 2 fi :: x = 3; break od",
    "received": "do :: if :: c?1 -> x = 1 :: else -> x = 2 fi :: x = 3; break od",
    "sent in an atomic": "if :: atomic { if :: c!1 -> x = 1 :: else -> x = 2 fi; x++ } :: x = 3 fi",
    "behind a d_step": "if :: if :: d_step { if :: x == 7 -> x = 1 fi; x++ } :: else -> x = 2 fi :: x = 3 fi",
}


@pytest.mark.parametrize("body", ELSES.values(), ids=ELSES)
def test_an_inner_else_heeds_a_handshake_that_is_ready(body: str, explore: Explore, spin: Callable[..., Any]) -> None:
    text = f"""
        chan c = [0] of {{ byte }}; byte x;
        active proctype P() {{ {body} }}
        active proctype Q() {{ byte y; if :: c?y :: c!1 :: x = 4; c?y fi }}
    """
    assert explore(text).states == spin(text).states()
    explore_both(elaborate(parse_text(text)))


def test_lossy_channels(explore: Explore, spin: Callable[..., Any]) -> None:
    text = "chan c = [1] of { byte }; byte x; active proctype P() { c!1; c!2; c!3; c?x }"
    assert explore(text, lossy=True).states == spin(text, "-m").states()
    assert explore(text).deadlocks == 1


def test_never_claims_are_monitors() -> None:
    found = network("""
        byte x; active proctype P() { x = 1; x = 2 }
        never { do :: x < 2 :: x == 2 -> break od }
    """)
    claim = found.properties[1]
    semantics = Semantics(claim.watched(found))
    waiting = semantics.initial_states()
    seen = set(waiting)
    while waiting:
        for step in semantics.steps(waiting.pop()):
            if step.target is not None and step.target not in seen:
                seen.add(step.target)
                waiting.append(step.target)
    assert any(semantics.claim_completed(state) for state in seen)
    assert [asked.kind for asked in found.properties] == ["assertions", "claim"]


def test_formulas_are_kept_by_name() -> None:
    found = network("byte x; active proctype P() { x = 1 } ltl goal { <> (x == 1) }")
    (formula,) = [asked for asked in found.properties if asked.kind == "ltl"]
    assert (formula.name, formula.text) == ("goal", "<>(x == 1)")
    assert formula.seeks_cycle


def test_processes_start_in_the_order_written() -> None:
    found = network("active [2] proctype A() { skip } init { skip } active proctype B() { skip }")
    assert [start.process for start in found.initial] == ["A", "A", "init", "B"]


def test_channels_that_are_assigned_to_are_variables() -> None:
    found = network("chan a = [1] of { byte }; chan b = [2] of { byte }; active proctype P() { b = a; a!1 }")
    assert [channel.name for channel in found.channels] == ["a", "b@start"]
    assert [(variable.name, variable.initial) for variable in found.variables] == [("b", (2,))]


def test_global_values_are_set_by_type() -> None:
    """SPIN sets bytes before ints: `x` sees the zero that `y` still holds."""
    found = {v.name: v.initial for v in network("int y = 5; byte x = y + 1; active proctype P() { skip }").variables}
    assert found == {"y": (5,), "x": (1,)}


def test_most_processes_are_counted_where_no_loop_starts_them() -> None:
    found = network("proctype P() { skip } proctype Q() { run P(); run P() } init { run Q(); run Q() }")
    assert found.rules.max_processes == 7


def test_a_proctype_that_nobody_starts_starts_nobody() -> None:
    found = network("proctype P() { skip } proctype Q() { do :: run P() od } init { run P() }")
    assert found.rules.max_processes == 2


def test_priorities_count_only_where_they_are_mentioned() -> None:
    assert not network("active proctype P() { skip }").rules.priorities
    assert network("active proctype P() priority 2 { skip }").rules.priorities


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("active proctype P() { x = 1 }", "undeclared variable 'x'"),
        ("byte count; active proctype P() { cout = 1 }", "did you mean 'count'"),
        ("byte x; active proctype P() { byte x; skip }", "redeclaration of 'x'"),
        ("active proctype P() { byte x; { byte x; skip } }", "redeclaration of 'x'"),
        ("active proctype P() { goto L }", "there is no label 'L'"),
        ("active proctype P() { L: skip; L: skip }", "label 'L' is defined twice"),
        ("active proctype P() { break }", "'break' outside a loop"),
        ("init { run Q() }", "there is no proctype 'Q'"),
        ("proctype Q(byte a) { skip } init { run Q() }", "takes 1 arguments, not 0"),
        ("typedef R { byte a } R r; init { r.b = 1 }", "has no field 'b'"),
        ("byte x; init { x.y = 1 }", "is no record"),
        ("byte a[3]; init { a = 1 }", "missing array index for 'a'"),
        ("byte x; init { x[1] = 1 }", "is no array but has an index"),
        ("init { if :: else :: else fi }", "two 'else' options"),
        ("byte x; init { x = 1 + run P() } proctype P() { skip }", "'run' cannot be part of an expression"),
        ("proctype P() { skip }", "no process runs at the start"),
        ("init { skip; chan c = [1] of { byte } }", "made in the middle of a proctype"),
        ("init { _pid = 1 }", "'_pid' cannot be assigned to"),
        ("byte x; active proctype P() { x = _ }", "the value of '_' cannot be read"),
        ("byte a[0]; init { skip }", "has size 0"),
        ("never { byte x; skip } init { skip }", "declares 'x'"),
    ],
)
def test_mistakes_are_explained(text: str, message: str) -> None:
    with pytest.raises(PromelaError, match=message):
        network(text)


def test_what_is_not_supported_says_so() -> None:
    with pytest.raises(UnsupportedPromela, match="not constant"):
        network("byte x = 2; active proctype P() { byte a[2] = x; skip }")


def test_files_are_loaded_with_definitions(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("active [N] proctype P() { skip }")
    assert len(load(path, options=LoadOptions(defines={"N": "3"})).initial) == 3


def test_a_mistake_shows_the_line(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("byte x;\nactive proctype P() {\n\tx = y\n}\n")
    with pytest.raises(PromelaError) as caught:
        load(path)
    assert str(caught.value).splitlines()[1:3] == ["     x = y", "         ^"]
