"""`provided` clauses that divide or that have an index: they block as others do, and tell when they have no value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(("clause", "kind"), [("a[i] == 0", "index"), ("1 / (5 - i) == 0", "division")])
def test_a_clause_without_a_value_is_an_error(explore: Callable[..., Any], clause: str, kind: str) -> None:
    found = explore(f"byte a[2], i; active proctype P() provided ({clause}) {{ i = 5; i = 0 }} init {{ i = 5; i = 0 }}")
    assert set(found.errors) == {kind}


def test_a_clause_with_an_index_blocks_where_it_is_false(explore: Callable[..., Any], spin: Callable[..., Any]) -> None:
    text = """
        byte a[2], i; chan c = [0] of { byte };
        active proctype P() provided (a[i] == 0) {
            do
            :: c?i -> break
            :: else -> d_step { a[0] = 1 - a[0]; i = 1 - i; a[1] = a[0] }
            od
        }
        active proctype Q() { a[1] = 1; c!0; a[0] = 0; a[1] = 0 }
    """
    assert explore(text).states == spin(text).states()
