"""Trams on a line segment with a single track, watched by a controller that polls its sensors in cycles.

In the spirit of the case study known as the single-track line segment: trams come from both sides, sensors report that
one approaches or has left, and the controller gives way to one side at a time. It reads its inputs only once per
cycle, so that it acts on what was true a little while ago. The faulty controller gives way to the other side after a
while, whether or not the segment is empty.
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def single_track(trams: int, *, faulty: bool = True, cycle: int = 2, crossing: int = 10) -> Generated:
    """`trams` trams, by turns from the left and from the right."""
    if trams < 2:
        raise ValueError("at least two trams")
    declarations = [
        f"const int N = {trams}; const int CYCLE = {cycle}; const int CROSS = {crossing};",
        "typedef int[0,1] side_t;",
        "int[0,N] coming[side_t]; // counted by the entry sensors",
        "int[0,N] on[side_t];     // trams on the segment",
        "bool green[side_t];",
    ]
    tram = Process("Tram", "away", "const side_t side", "clock x;", {"near": "x <= 5", "crossing": "x <= CROSS"})
    tram.edge("away", "near", guard="coming[side] < N", assign="coming[side]++, x = 0")
    tram.edge("near", "stopped", guard="x >= 3 && !green[side]")
    tram.edge("near", "crossing", guard="x >= 3 && green[side]", assign="on[side]++, x = 0")
    tram.edge("stopped", "crossing", guard="green[side]", assign="on[side]++, x = 0")
    tram.edge("crossing", "away", guard="x >= CROSS - 2", assign="on[side]--, coming[side]--, x = 0")
    control = Process(
        "Control",
        "closed",
        "",
        "clock z, y;",
        dict.fromkeys(("closed", "open0", "open1", "drain0", "drain1"), "z <= CYCLE"),
    )
    for side in (0, 1):
        other = 1 - side
        opened = f"z = 0, y = 0, green[{side}] = true"
        asked = f"z > 0 && coming[{side}] > 0"
        control.edge("closed", f"open{side}", guard=asked if side == 0 else f"{asked} && coming[0] == 0", assign=opened)
        stay = f"z > 0 && coming[{other}] == 0"
        control.edge(f"open{side}", f"open{side}", guard=stay, assign="z = 0")
        turn = f"z > 0 && coming[{other}] > 0"
        control.edge(f"open{side}", f"drain{side}", guard=turn, assign=f"z = 0, y = 0, green[{side}] = false")
        empty = f"z > 0 && on[{side}] == 0"
        control.edge(f"drain{side}", "closed", guard=empty, assign="z = 0")
        control.edge(f"drain{side}", f"drain{side}", guard=f"z > 0 && on[{side}] > 0", assign="z = 0")
        if faulty:
            control.edge(f"drain{side}", "closed", guard="z > 0 && y > CROSS - CYCLE", assign="z = 0")
    control.edge("closed", "closed", guard="z > 0 && coming[0] == 0 && coming[1] == 0", assign="z = 0")
    lines = [f"T{at} = Tram({at % 2});" for at in range(trams)]
    lines.append(f"system {', '.join(f'T{at}' for at in range(trams))}, Control;")
    word = "faulty" if faulty else "correct"
    comment = f"Single-track line segment with {trams} trams, {word} controller"
    query = "A[] not (on[0] > 0 and on[1] > 0)"
    return assemble(f"single_track_{trams}_{word}", comment, declarations, [tram, control], lines, query)
