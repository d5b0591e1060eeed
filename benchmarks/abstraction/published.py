"""What the paper reports: explored states and length of the trace, in states (steps plus one), for N = 50 and N = 100.

Draeger, Finkbeiner and Podelski, Directed model checking with distance-preserving abstractions, SPIN 2006, tables 1 and
2. Random systems are means over 15; `*` is a time-out, `**` out of memory. FSM is our dL."""

from __future__ import annotations

# FSM, N50, N100
GREEDY = {
    "A2": ("54, 45", "53, 37", "46, 25"),
    "A3": ("420, 183", "174, 79", "187, 43"),
    "A4": ("1.3e5, 1003", "1.5e5, 509", "10633, 157"),
    "A5": ("9.9e5, 5213", "7619, 3869", "10673, 1151"),
    "A6": ("**", "4.3e5, 2.0e5", "5.2e5, 55535"),
    "H4": ("4996, 761", "1283, 181", "711, 125"),
    "H5": ("57600, 3705", "6497, 381", "6368, 405"),
    "H6": ("5.0e5, 26605", "1.1e5, 1445", "63403, 1317"),
    "H7": ("4.5e6, 2.0e5", "7.4e5, 3377", "7.5e5, 3177"),
    "H8": ("1.6e7, 1.5e6", "8.6e6, 12073", "4.5e6, 6705"),
    "R5": ("4177", "697, 62", "443, 64"),
    "R6": ("19903", "395, 43", "363, 41"),
    "R7": ("83582", "6656, 56", "8199, 50"),
    "R8": ("2.7e5", "2.2e5, 58", "1.2e5, 59"),
    "R9": ("**", "2.9e5, 77", "4.9e5, 80"),
    "R10": ("**", "**", "2.6e5, 122"),
}
ASTAR = {
    "A2": ("498, 25", "215, 25", "46, 25"),
    "A3": ("81883, 35", "32106, 35", "20658, 35"),
    "H4": ("6289, 105", "3876, 105", "3348, 105"),
    "H5": ("67202, 229", "52348, 229", "48361, 229"),
    "H6": ("627669, 481", "540286, 481", "516242, 481"),
    "H7": ("5.8e6, 989", "5.4e6, 989", "5.3e6, 989"),
    "R5": ("35784, 27", "4642, 27", "2392, 27"),
    "R8": ("2.1e6, 23", "98420, 23", "60322, 23"),
    "R10": ("**", "271935, 25", "279693, 25"),
}
NAMES = ("dL", "hAA:50;ranking", "hAA:100;ranking")


def figure(instance: str, search: str, heuristic: str) -> str:
    """The published figure, or nothing."""
    rows = {"greedy": GREEDY, "astar": ASTAR}.get(search, {})
    if instance not in rows or heuristic not in NAMES:
        return ""
    return rows[instance][NAMES.index(heuristic)]
