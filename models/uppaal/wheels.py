"""A lock and the wheels that turn by themselves: the running example of safe abstraction, for any number of wheels.

Step by step the lock wants each wheel to be half way round, and at last all of them to be where they began. Two wheels
of four places are the example of the paper, whose shortest trace has 11 steps.
"""

from __future__ import annotations

from writing import Generated, Process, assemble


def wheels(count: int, places: int = 4, *, faulty: bool = True) -> Generated:
    """`count` wheels; without the fault the last step of the lock is missing."""
    if count < 1 or places < 2:
        raise ValueError("at least one wheel of two places")
    declarations = [f"int[0,{places - 1}] at[{count}];"]
    wheel = Process("Wheel", "p0", f"const int[0,{count - 1}] me")
    for place in range(places):
        following = (place + 1) % places
        wheel.edge(f"p{place}", f"p{following}", assign=f"at[me] = {following}")
    lock = Process("Lock", "s0")
    for number in range(count):
        lock.edge(f"s{number}", f"s{number + 1}", guard=f"at[{number}] == {places // 2}")
    if faulty:
        lock.edge(f"s{count}", "open", guard=" && ".join(f"at[{number}] == 0" for number in range(count)))
    else:
        lock.locations["open"] = None
    lines = [f"W{number} = Wheel({number});" for number in range(count)]
    lines.append(f"system {', '.join(f'W{number}' for number in range(count))}, Lock;")
    word = "faulty" if faulty else "correct"
    comment = f"A lock and {count} wheels of {places} places"
    return assemble(f"wheels_{count}_{word}", comment, declarations, [wheel, lock], lines, "A[] not Lock.open")
