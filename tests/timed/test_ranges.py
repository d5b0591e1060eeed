"""What functions can give back, which decides how far zones may be widened."""

from __future__ import annotations

import pytest

from beeline.languages.uppaal import load_text
from beeline.timed.discrete import take_apart
from beeline.timed.limits import analyse


@pytest.mark.parametrize(
    ("body", "greatest"),
    [
        ("if (hops > 0) return 15 + 3 * hops; return 10;", 63),
        ("return hops;", 16),
        ("return 2000;", 1000),  # every call fails
        ("int i = 5; return i;", 1000),
        ("return twice();", 1000),
    ],
    ids=["computed", "variable", "outside", "local", "call"],
)
def test_a_clock_counts_up_to_what_a_function_can_give_back(body: str, greatest: int) -> None:
    network = load_text(f"""int[0,16] hops; int[0,1000] twice() {{ return 2 * hops; }} int[0,1000] late() {{ {body} }}
process P() {{ clock x; state a {{ x <= late() }}, b; init a; trans a -> b {{ guard x > late(); }}; }} system P;""")
    limits = analyse(take_apart(network)).locations[0, 0]
    assert (limits.lower[1], limits.upper[1]) == (greatest, greatest)
