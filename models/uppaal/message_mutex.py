"""Mutual exclusion by asynchronous messages with bounded delay, and time instead of acknowledgements.

In the spirit of the case study of distributed real-time mutual exclusion: a station that wants the resource announces
it to all others over links that take a while, waits longer than that, and enters if it has heard of no other by then.
A wait that is only as long as the delay is the fault: two stations can then miss each other.
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def message_mutex(stations: int, *, faulty: bool = True, delay: int = 2) -> Generated:
    """Links deliver within `delay`; a withdrawal is seen at once."""
    if stations < 2:
        raise ValueError("at least two stations")
    wait = delay if faulty else delay + 1
    declarations = [
        f"const int N = {stations}; const int D = {delay}; const int W = {wait};",
        "typedef int[0,N-1] id_t;",
        "broadcast chan announce[N], withdraw[N];",
        "bool busy[N][N]; // busy[i][j]: station i has heard that j wants or holds the resource",
        "bool alone(id_t i) { return forall (j : id_t) !busy[i][j]; }",
    ]
    station = Process("Station", "idle", "const id_t i", "clock x;", {"wanting": "x <= W", "cs": "x <= 3"})
    station.edge("idle", "wanting", guard="alone(i)", sync="announce[i]!", assign="x = 0")
    station.edge("wanting", "cs", guard="x >= W && alone(i)", assign="x = 0")
    station.edge("wanting", "idle", guard="x >= W && !alone(i)", sync="withdraw[i]!")
    station.edge("cs", "idle", guard="x >= 1", sync="withdraw[i]!")
    link = Process("Link", "quiet", "const id_t from, const id_t to", "clock y;", {"carrying": "y <= D"})
    link.edge("quiet", "carrying", sync="announce[from]?", assign="y = 0")
    link.edge("carrying", "shown", assign="busy[to][from] = true")
    link.edge("shown", "quiet", sync="withdraw[from]?", assign="busy[to][from] = false")
    link.edge("carrying", "quiet", sync="withdraw[from]?")
    pairs = [(a, b) for a in range(stations) for b in range(stations) if a != b]
    lines = [f"L{a}_{b} = Link({a}, {b});" for a, b in pairs]
    lines.append(f"system Station, {', '.join(f'L{a}_{b}' for a, b in pairs)};")
    word = "faulty" if faulty else "correct"
    comment = f"Mutual exclusion by messages, {stations} stations, {word} waiting time"
    query = "A[] forall (a : id_t) forall (b : id_t) (Station(a).cs and Station(b).cs imply a == b)"
    name = f"message_mutex_{stations}_{word}"
    return assemble(name, comment, declarations, [station, link], lines, query)
