"""Members of scalarsets are interchangeable unless a loop, or an error in a quantifier, tells them apart."""

from __future__ import annotations

import pytest

from beeline import check, explore
from beeline.languages.murphi import read_murphi

TEXT = """
type node: scalarset(3); word: 0 .. 3;
var a: array [node] of boolean; b: array [node] of boolean; p: node; n: word;
procedure mark(var place: array [node] of boolean; who: node); begin place[who] := true; end;
procedure count(); begin n := 0; end;
startstate for k: node do a[k] := false; b[k] := false; end; n := 0; undefine p; end;
ruleset me: node do
  rule "one" !a[me] ==> a[me] := true; end;
  rule "two" BODY end;
end;
"""
IN_ANY_ORDER = [
    "for k: node do a[k] := b[k]; end;",
    "for k: node do if a[k] then n := 2; end; end;",
    "n := 0; for k: node do if a[k] then n := n + 1; end; end;",
    "for k: node do mark(b, k); end;",
    "for k: node do alias x: a[k] do x := !x; end; end;",
    "for k: node do for j: node do if j = me then b[k] := false; end; end; end;",
    "if exists k: node do a[k] & !b[k] end then b[me] := true; end;",
]
IN_ORDER = [
    "for k: node do p := k; end;",
    "for k: node do if a[k] then n := 2; else n := 1; end; end;",
    "for k: node do a[me] := b[k]; end;",
    "for k: node do b[k] := a[me]; a[me] := !a[me]; end;",
    "for k: node do mark(b, k); mark(a, me); a[me] := !a[me]; end;",
    "for k: node do if a[k] then b[k] := true; return; end; end;",
    "n := 0; for k: node do n := n + 1; count(); end;",
    "if exists k: node do a[k] | p = k end then b[me] := true; end;",
]


@pytest.mark.parametrize("body", IN_ANY_ORDER)
def test_what_goes_in_any_order_keeps_members_alike(body: str) -> None:
    network = read_murphi(TEXT.replace("BODY", body))
    plain, folded = explore(network), explore(network, symmetry="exact")
    assert folded.symmetry == "exact" and not folded.symmetry_note
    assert folded.represented == plain.statistics.stored > folded.statistics.stored


@pytest.mark.parametrize("body", IN_ORDER)
def test_what_tells_members_apart_is_named(body: str) -> None:
    network = read_murphi(TEXT.replace("BODY", body))
    found = explore(network, symmetry="exact")
    assert found.symmetry == "none"
    assert "told apart" in found.symmetry_note


MAY_ERR = """
type node: scalarset(3);
var a: array [node] of boolean; p: node;
startstate for k: node do a[k] := false; end; undefine p; end;
ruleset me: node do
  rule "mark" !a[me] ==> a[me] := true; p := me; end;
  rule "clear" exists k: node do a[k] & p = k end ==> a[me] := false; end;
end;
"""


def test_quantifiers_that_could_err_but_never_do_keep_members_alike() -> None:
    network = read_murphi(MAY_ERR)
    plain, folded = explore(network), explore(network, symmetry="exact")
    assert network.rules.stopping and (folded.symmetry, folded.symmetry_note) == ("exact", "")
    assert folded.represented == plain.statistics.stored
    assert check(network, "safety", symmetry="exact").symmetry == "exact"


def test_errors_that_only_the_order_of_members_hides_are_none() -> None:
    network = read_murphi(MAY_ERR.replace("a[k] & p = k", "k = me | a[k] | p = k").replace("p := me;", "", 1))
    assert check(network, "safety", search="bfs", symmetry="exact").verdict == "violated"
    only = MAY_ERR.replace("exists k: node do a[k] & p = k end", "(exists k: node do a[k] end) -> REST")
    hidden = read_murphi(only.replace("REST", "exists k: node do a[k] | p = k end").replace("p := me;", "", 1))
    plain, folded = (check(hidden, "safety", search="bfs", symmetry=one) for one in ("none", "exact"))
    assert folded.verdict == plain.verdict and "told apart" in folded.symmetry_note


def test_questions_that_name_a_member_are_searched_without() -> None:
    network = read_murphi(TEXT.replace("BODY", "b[me] := true;"))
    assert "may name a member" in check(network, "E<> a[0] and not a[1]", symmetry="exact").symmetry_note
    assert check(network, "E<> n == 0", symmetry="exact").symmetry == "exact"


def test_steps_are_left_out_beside_it() -> None:
    network = read_murphi(TEXT.replace("BODY", "b[me] := true;"))
    result = check(network, "E<> n == 0", symmetry="exact", reduce="stubborn")
    assert (result.symmetry, result.reduction) == ("exact", "stubborn")


def test_a_symmetry_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(ValueError, match="did you mean exact"):
        explore(read_murphi(TEXT.replace("BODY", "")), symmetry="exat")
