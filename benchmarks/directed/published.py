"""What the papers report for instances of these names: explored states and length of the trace in steps.

Greedy search: Wehrle and Helmert, The causal graph revisited for directed model checking, SAS 2009. A* and useless
transitions: Wehrle, Kupferschmid and Podelski, Transition-based directed model checking, TACAS 2009 (whose greedy
figures agree). A dash stands for a run that ended without an answer."""

from __future__ import annotations

ARBITER_GREEDY = {
    2: ("27, 22", "23, 13", "36, 21", "25, 21", "13, 12"),
    3: ("344, 169", "296, 39", "206, 24", "82, 18", "199, 24"),
    4: ("38209, 867", "19034, 129", "76811, 42", "39, 28", "179, 36"),
    5: ("-", "-", "263346, 112", "4027, 47", "188499, 56"),
    6: ("-", "-", "-", "-", "-"),
}
FISCHER_A_GREEDY = ("271, 218", "271, 218", "9, 8", "9, 8", "11, 8")
FISCHER_B_GREEDY = {
    5: ("496, 79", "9, 6", "179, 12", "7, 6", "9, 6"),
    10: ("6.73e6, 27107", "9, 6", "86378, 22", "7, 6", "9, 6"),
    15: ("-", "9, 6", "-", "7, 6", "9, 6"),
}
# dL, hL, hU
ARBITER_USELESS = {
    2: ("334, 12", "15, 12", "20, 18"),
    3: ("49652, 17", "32, 17", "27, 17"),
    4: ("-", "95, 22", "34, 22"),
    5: ("-", "34, 27", "42, 27"),
    6: ("-", "39, 32", "50, 32"),
}
ARBITER_ASTAR = {
    2: ("359, 12", "73, 12", "20, 12"),
    3: ("61633, 17", "5168, 17", "25, 17"),
    4: ("-", "4.44e6, 22", "213, 22"),
    5: ("-", "-", "187148, 27"),
    6: ("-", "-", "-"),
}
FISCHER_A_USELESS = {5: ("658, 8", "9, 8", "9, 8"), 10: ("13623, 8", "9, 8", "9, 8"), 15: ("109773, 8", "9, 8", "9, 8")}
FISCHER_B_USELESS = {5: ("9, 6", "7, 6", "7, 6"), 10: ("9, 6", "7, 6", "7, 6"), 15: ("9, 6", "7, 6", "7, 6")}
FISCHER_A_ASTAR = {
    5: ("658, 8", "71, 8", "9, 8"),
    10: ("13623, 8", "511, 8", "9, 8"),
    15: ("109773, 8", "1701, 8", "9, 8"),
}
FISCHER_B_ASTAR = {5: ("78, 6", "54, 6", "7, 6"), 10: ("523, 6", "429, 6", "7, 6"), 15: ("1718, 6", "1504, 6", "7, 6")}

GREEDY_NAMES = ("dL", "dU", "hL", "hU", "hCG")
OTHER_NAMES = ("dL", "hL", "hU")


def _collected() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}

    def add(instance: str, search: str, names: tuple[str, ...], figures: tuple[str, ...]) -> None:
        for name, figure in zip(names, figures, strict=True):
            found[instance, f"{search} {name}"] = figure
            if search == "greedy":
                found[instance, f"{search} {name} lifo"] = figure
            if search == "ut":
                found[instance, f"{search} {name} fifo"] = figure

    for height, figures in ARBITER_GREEDY.items():
        add(f"arbiter {height}", "greedy", GREEDY_NAMES, figures)
        add(f"arbiter {height}", "ut", OTHER_NAMES, ARBITER_USELESS[height])
        add(f"arbiter {height}", "astar", OTHER_NAMES, ARBITER_ASTAR[height])
    for processes, figures in FISCHER_B_GREEDY.items():
        add(f"fischer A {processes}", "greedy", GREEDY_NAMES, FISCHER_A_GREEDY)
        add(f"fischer B {processes}", "greedy", GREEDY_NAMES, figures)
        add(f"fischer A {processes}", "ut", OTHER_NAMES, FISCHER_A_USELESS[processes])
        add(f"fischer B {processes}", "ut", OTHER_NAMES, FISCHER_B_USELESS[processes])
        add(f"fischer A {processes}", "astar", OTHER_NAMES, FISCHER_A_ASTAR[processes])
        add(f"fischer B {processes}", "astar", OTHER_NAMES, FISCHER_B_ASTAR[processes])
    return found


PUBLISHED = _collected()
"""By instance and configuration: "explored, length"."""
