"""Towers of Hanoi with one automaton per disk: one that wants to move asks upwards that all smaller ones stand aside.

The request carries the third column; each smaller disk that stands there passes it on, and the answers lock the tower
until the move is done. A disk with k smaller ones moves in 4(k + 1) steps, the whole tower in 4(2^(n+1) - n - 2).
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def hanoi(disks: int) -> Generated:
    """Shortest solutions take 4, 16, 44, 104, 228, 480 steps for 1 to 6 disks."""
    if disks < 1:
        raise ValueError("at least one disk")
    declarations = [
        f"const int N = {disks};",
        "chan rq0[N], rq1[N], rq2[N]; // by column: they carry where the smaller disks must stand",
        "chan ok[N], dn[N], ak[N];",
    ]
    smallest = Process("Top", "free")
    for column in range(3):
        smallest.edge("free", "asked", sync=f"rq{column}[0]?")
    smallest.edge("asked", "allowed", sync="ok[0]!")
    smallest.edge("allowed", "told", sync="dn[0]?")
    smallest.edge("told", "free", sync="ak[0]!")
    disk = _disk(last=False)
    largest = _disk(last=True)
    lines = [f"D{k} = {'Largest' if k == disks - 1 else 'Disk'}({k});" for k in range(disks)]
    lines.append(f"system {', '.join(f'D{k}' for k in range(disks))}, Top;")
    query = "E<> " + " and ".join(f"D{k}.idle2" for k in range(disks))
    used = [smallest, largest] if disks == 1 else [smallest, disk, largest]
    return assemble(f"hanoi_{disks}", f"Towers of Hanoi with {disks} disks", declarations, used, lines, query)


def _disk(*, last: bool) -> Process:
    made = Process("Largest" if last else "Disk", "idle0", "const int k")
    for origin in range(3):
        for target in range(3):
            if origin != target:
                aside = 3 - origin - target
                made.edge(f"idle{origin}", f"wait{origin}{target}", sync=f"rq{aside}[k]!")
                made.edge(f"wait{origin}{target}", f"moved{target}", sync="ok[k]?")
    for column in range(3):
        made.edge(f"moved{column}", f"done{column}", sync="dn[k]!")
        made.edge(f"done{column}", f"idle{column}", sync="ak[k]?")
        if not last:
            _service(made, column)
    return made


def _service(made: Process, column: int) -> None:
    """What a disk that stands aside does for the next larger one."""
    chain = [f"idle{column}", *(f"s{step}_{column}" for step in range(7)), f"idle{column}"]
    labels = [
        f"rq{column}[k + 1]?",
        f"rq{column}[k]!",
        "ok[k]?",
        "ok[k + 1]!",
        "dn[k + 1]?",
        "dn[k]!",
        "ak[k]?",
        "ak[k + 1]!",
    ]
    for origin, target, label in zip(chain, chain[1:], labels, strict=False):
        made.edge(origin, target, sync=label)
