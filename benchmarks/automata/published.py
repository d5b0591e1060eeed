"""The sizes that Spot keeps for itself: states of its generalised and of its state-based Büchi automata for the same
formulas, as its own regression test has them (A. Duret-Lutz et al., Spot, ``tests/core/ltl2tgba2.test`` of 2023,
columns of ``ltl2tgba`` and of ``ltl2tgba -B``). A formula that Spot's list has under another number is ``-``.
"""

from __future__ import annotations

Sizes = tuple[int, int] | None


def _read(text: str) -> tuple[Sizes, ...]:
    found: list[Sizes] = []
    for word in text.split():
        if word == "-":
            found.append(None)
        else:
            general, _, buchi = word.partition("/")
            found.append((int(general), int(buchi or general)))
    return tuple(found)


SPOT: dict[str, tuple[Sizes, ...]] = {
    "Dwyer": _read(
        "1 3 2 3 2 2 2 3 2 2 5 7 6 7 6 1 3 2 3 2 2 3 5 3 2 2 3 3 3 3 3 4 4 4 3 3 4 4 4 3"
        " 4 6 5 10/13 10/9 4/5 4 3/4 4 6/7 4/5 4 3/4 4 6/7"
    ),
    "Etessami-Holzmann": _read("2 3 7 2 4 3 3/4 2 1/4 1/6 2 4"),
    "Somenzi-Bloem": _read("2 3 3 3/4 3 4 3 2/3 3/5 2 1 1 2 2 - 3 1/3 1/3 4 5 4/6 3 6 4 3 1 2"),
    "!Dwyer": _read(
        "2 3 3 4 3 1 2 2 3 3 6 7 7 8 7 2 3 3 4 3 2 3 3 4 3 2 3 3 4 4 3 4 4 5 4 3 4 4 5 4"
        " 3 4 4 5 4 3 4 4 5 8/9 3 4 4 5 11/13"
    ),
    "!Etessami-Holzmann": _read("4 4 8 2/3 3 2 2/3 3 5 6 2 6/8"),
    "!Somenzi-Bloem": _read("2 - - - 2/3 3 4 - 3/5 2 1 1 2 2 - 2 3 3 3 4 - - - - 4 2 2"),
}
