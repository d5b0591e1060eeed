"""Members of scalarsets are interchangeable unless a loop or a quantifier tells them apart."""

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
