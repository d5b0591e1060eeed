"""Trams on a line segment with a single track, watched by a controller that polls its sensors in cycles.

In the spirit of the case study known as the single-track line segment: trams come from both sides, sensors report that
one approaches or has left, and the controller gives way to one side at a time. It reads its inputs only once per
cycle, so that it acts on what was true a little while ago. The faulty controller gives way to the other side after a
while, whether or not the segment is empty. Level crossings have barriers that go up and down as the road wants, and a
tram starts to cross only while its barriers are down; nothing else depends on them, nor they on anything.
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def single_track(
    trams: int, *, faulty: bool = True, cycle: int = 2, crossing: int = 10, barriers: int = 0
) -> Generated:
    """`trams` trams, by turns from the left and from the right; barriers belong to the trams by turns."""
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
    lines = [f"T{at} = Tram({at % 2});" for at in range(trams)]
    processes = [tram]
    names = [f"T{at}" for at in range(trams)]
    if barriers:
        _add_barriers(trams, barriers, declarations, processes, lines)
        names += [f"B{at}" for at in range(barriers)]
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
    lines.append(f"system {', '.join(names)}, Control;")
    word = "faulty" if faulty else "correct"
    comment = f"Single-track line segment with {trams} trams, {word} controller"
    query = "A[] not (on[0] > 0 and on[1] > 0)"
    suffix = f"_{barriers}" if barriers else ""
    return assemble(f"single_track_{trams}{suffix}_{word}", comment, declarations, [*processes, control], lines, query)


def _add_barriers(
    trams: int, barriers: int, declarations: list[str], processes: list[Process], lines: list[str]
) -> None:
    """Barriers, and trams that wait for theirs: each tram is a kind of its own then."""
    declarations.append(f"bool down[{barriers}];")
    (tram,) = processes
    processes.clear()
    lines.clear()
    for at in range(trams):
        mine = "".join(f" && down[{one}]" for one in range(at, barriers, trams))
        edges = [
            edge.replace("green[side];", f"green[side]{mine};") if "-> crossing" in edge else edge
            for edge in tram.edges
        ]
        kind = Process(f"Tram{at}", tram.initial, tram.parameters, tram.locals, tram.invariants)
        kind.locations, kind.edges = dict(tram.locations), edges
        processes.append(kind)
        lines.append(f"T{at} = Tram{at}({at % 2});")
    barrier = Process("Barrier", "up", f"const int[0,{barriers - 1}] me")
    barrier.edge("up", "falling")
    barrier.edge("falling", "down", assign="down[me] = true")
    barrier.edge("down", "rising", assign="down[me] = false")
    barrier.edge("rising", "up")
    processes.append(barrier)
    lines += [f"B{at} = Barrier({at});" for at in range(barriers)]
