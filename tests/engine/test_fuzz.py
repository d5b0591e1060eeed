"""Whatever is thrown at the border to the engine, a Python exception comes back at worst."""

import contextlib
import random
from collections.abc import Callable
from typing import Any

from beeline import _native
from beeline.engine import parse_size
from beeline.searches import find

EXPECTED = (TypeError, ValueError, OverflowError, IndexError, RuntimeError)


def odd_value(dice: random.Random) -> Any:
    """Return something that is usually not what was asked for."""
    return dice.choice(
        [
            None,
            dice.randrange(-3, 4),
            dice.randrange(-(2**70), 2**70),
            2 ** dice.choice([31, 32, 63, 64]) - dice.randrange(2),
            dice.choice([0.0, -1.5, float("nan"), float("inf"), 1e300]),
            dice.randbytes(dice.randrange(9)),
            "".join(chr(dice.randrange(1, 0x2FF)) for _ in range(dice.randrange(8))),
            [dice.randrange(-1, 2**32 + 1) for _ in range(dice.randrange(5))],
            object(),
            odd_value,
        ]
    )


def throw_at(call: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    with contextlib.suppress(*EXPECTED):
        call(*arguments, **named)


def test_a_hundred_thousand_odd_calls_do_not_crash() -> None:
    dice = random.Random(1)
    space = _native.CounterSpace(3, 2)
    names = ["seconds", "memory", "states", "depth", "progress", "cancellation"]
    for _ in range(16_000):
        value = odd_value(dice)
        throw_at(space.successor_arcs, value)
        throw_at(space.successor_arcs, [dice.randrange(5) for _ in range(3)])
        throw_at(_native.PythonSpace, value)
        throw_at(_native.time_store, value)
        throw_at(find, f"{dice.choice(['dfs', 'iddfs', 'x'])}:{value}")
        throw_at(parse_size, str(value))
        named = {name: odd_value(dice) for name in dice.sample(names, 2)}
        throw_at(lambda named=named: space.breadth_first(_native.Request(stop=dice.randrange(8), **named)))
    assert space.breadth_first(_native.Request(stop=0)).statistics.stored == 27
