"""Fischer's mutual exclusion in the three variants of the papers on directed checking of real-time systems.

Correct with ``x > K`` at the entry, faulty with ``x >= K``. Variant A reports entries to an observer by messages, B
asks for two named processes, C counts in a variable.
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def fischer(variant: str, processes: int, *, faulty: bool = True, limit: int = 2) -> Generated:
    """`variant` is "a", "b" or "c"; shortest errors take 8, 6 and 6 steps whatever the number of processes."""
    if variant not in ("a", "b", "c") or processes < 2:
        raise ValueError("a variant a, b or c, and at least two processes")
    one = Process("P", "idle", "const pid_t i", "clock x;", {"req": "x <= K"})
    one.edge("idle", "req", guard="id == 0", assign="x = 0")
    one.edge("req", "wait", guard="x <= K", assign="id = i, x = 0")
    one.edge("wait", "req", guard="id == 0", assign="x = 0")
    entry = f"x {'>=' if faulty else '>'} K && id == i"
    declarations = [f"const int N = {processes};", f"const int K = {limit};", "typedef int[1,N] pid_t;", "int[0,N] id;"]
    made = [one]
    system = ["system P;"]
    if variant == "a":
        declarations.append("chan enter, leave;")
        one.edge("wait", "cs", guard=entry)
        one.edge("cs", "seen", sync="enter!")
        one.edge("seen", "idle", sync="leave!", assign="id = 0")
        observer = Process("Observer", "none")
        observer.edge("none", "one", sync="enter?")
        observer.edge("one", "none", sync="leave?")
        observer.edge("one", "error", sync="enter?")
        made.append(observer)
        system = ["system P, Observer;"]
        query = "A[] not Observer.error"
    elif variant == "b":
        one.edge("wait", "cs", guard=entry)
        one.edge("cs", "idle", assign="id = 0")
        query = "A[] not (P(1).cs and P(2).cs)"
    else:
        declarations.append("int[0,N] inside;")
        one.edge("wait", "cs", guard=entry, assign="inside++")
        one.edge("cs", "idle", assign="id = 0, inside--")
        query = "A[] inside < 2"
    word = "faulty" if faulty else "correct"
    name = f"fischer_{variant}_{processes}_{word}"
    return assemble(name, f"Fischer's protocol, variant {variant.upper()}, {word}", declarations, made, system, query)
