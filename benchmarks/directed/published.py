"""What the papers report: explored states and length of the trace in steps, by the names of our instances.

Greedy search: Wehrle and Helmert, The causal graph revisited for directed model checking, SAS 2009. A* and useless
transitions: Wehrle, Kupferschmid and Podelski, Transition-based directed model checking, TACAS 2009 (whose greedy
figures agree). Their models M1, M2 and M4 have as many automata as the public mutual exclusion with 2, 3 and 4
processes, C1 one more than the public single-tracked segment with 2 trains: these stand next to them. A dash is a run
that ended without an answer."""

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

# greedy dU, hL, hU; ut hL, hU; astar hL
NEAREST = {
    "mutex 2": ("185416, 106224", "4581, 457", "7668, 71", "4256, 97", "4366, 73", "34680, 47"),
    "mutex 3": ("56240, 13952", "15832, 1124", "18847, 119", "8186, 146", "2036, 81", "135073, 50"),
    "mutex 4": ("726691, 290937", "71033, 3381", "46170, 160", "22412, 136", "9873, 97", "584221, 53"),
    "sts 2": ("16817, 1058", "1928, 100", "715, 73", "1658, 91", "277, 59", "22501, 54"),
}
NEAREST_NAMES = ("greedy dU", "greedy hL", "greedy hU", "ut hL", "ut hU", "astar hL")

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
    for instance, nearest in NEAREST.items():
        for name, figure in zip(NEAREST_NAMES, nearest, strict=True):
            found[instance, name] = figure
            if name.startswith("greedy"):
                found[instance, f"{name} lifo"] = figure
    return found


PUBLISHED = _collected()
"""By instance and configuration: "explored, length"."""
