"""Asynchronous circuits as SMV text: arbiters in a tree, and mutual exclusion in a ring.

A circuit is made of modules, a module of gates. A gate takes the value of its function, or keeps the one that it has:
nobody knows how slow it is. The kinds of steps are

    interleaving   the gates of one module move, any of them
    any            any gates of all modules move
    synchronous    all gates of all modules move at once

    python models/smv/circuits.py tree 15 --steps interleaving > tree_15.smv
    python models/smv/circuits.py ring 6 --tokens 2 > ring_6.smv
    python models/smv/circuits.py dme 6 --tokens 2 > dme_6.smv

In the tree each module grants what it got from the module above to one of two sides at a time. In the faulty one, as in
early designs, the other side may be granted while the acknowledgement of the first one has not fallen yet.

In `dme` and in `ring` one token goes round: a cell whose user wants to enter asks its right neighbour for the token,
who asks on. `dme` is the netlist of Martin (The design of a self-timed circuit for distributed mutual exclusion, 1985),
as it is known in model checking since Burch, Clarke, McMillan, Dill and Hwang (1990); `ring` has the same idea and a
third of the gates. With two tokens two users may enter at once."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

STEPS = ("interleaving", "any", "synchronous")


def gate(name: str, function: str, steps: str) -> str:
    """What a gate does."""
    return f"  next({name}) := {function if steps == 'synchronous' else f'({function}) union {name}'};"


def instance(steps: str) -> str:
    return "process " if steps == "interleaving" else ""


def tree_arbiter(modules: int, steps: str = "interleaving", faulty: bool = True) -> str:
    """A tree with so many modules. Those without modules below them have users. What is asked is that the last module
    never acknowledges both of its sides."""
    lines = ["MODULE main", "VAR", "  top : boolean;"]
    for number in range(modules, 0, -1):
        sides = [f"m{2 * number + side}" for side in (0, 1)]
        below = [
            f"{name}.req" if 2 * number + side <= modules else f"u{number}_{side}.req"
            for side, name in enumerate(sides)
        ]
        above = "m1.req" if number == 1 else f"m{number // 2}.ack{number % 2}"
        lines.append(f"  m{number} : {instance(steps)}arbiter({below[0]}, {below[1]}, {above});")
        for side in (0, 1):
            if 2 * number + side > modules:
                lines.append(f"  u{number}_{side} : {instance(steps)}user(m{number}.ack{side});")
    lines += ["ASSIGN init(top) := FALSE; next(top) := top;"]
    lines += [f"INVARSPEC !(m{modules}.ack0 & m{modules}.ack1);", ""]
    free = "!ack0 & !ack1" if not faulty else "TRUE"
    lines += [
        "MODULE arbiter(req0, req1, granted)",
        "VAR side : {none, zero, one}; req : boolean; ack0 : boolean; ack1 : boolean;",
        "ASSIGN",
        "  init(side) := none; init(req) := FALSE; init(ack0) := FALSE; init(ack1) := FALSE;",
        "  next(side) := case",
        f"      side = none & {free} : (req0 ? zero : none) union (req1 ? one : none);",
        "      side = zero & !req0 : {zero, none};",
        "      side = one & !req1 : {one, none};",
        "      TRUE : side;",
        "    esac;",
        gate("req", "side != none", steps),
        gate("ack0", "side = zero & granted", steps),
        gate("ack1", "side = one & granted", steps),
        "",
        "MODULE user(ack)",
        "VAR req : boolean;",
        "ASSIGN init(req) := FALSE;",
        "  next(req) := !ack union req;",
    ]
    return "\n".join(lines) + "\n"


def _around(cells: int, steps: str, tokens: int) -> list[str]:
    """Cells in a ring, what is asked of them, and the beginning of a cell."""
    holders = {number * cells // tokens for number in range(tokens)}
    lines = ["MODULE main", "VAR"]
    for number in range(cells):
        left, right = (number - 1) % cells, (number + 1) % cells
        token = "TRUE" if number in holders else "FALSE"
        lines.append(f"  c{number} : {instance(steps)}cell(c{left}.ask, c{right}.give, {token});")
    pairs = [f"!(c{i}.enter & c{j}.enter)" for i in range(cells) for j in range(i)]
    lines += [f"INVARSPEC {' & '.join(pairs) or 'TRUE'};", ""]
    lines += [
        "-- asked: the left neighbour wants the token; given: the right one gives it.",
        "MODULE cell(asked, given, holds)",
        "VAR",
    ]
    return lines


def ring(cells: int, steps: str = "interleaving", tokens: int = 1) -> str:
    """A ring of so many cells; the tokens are as far from each other as they can be."""
    lines = _around(cells, steps, tokens)
    lines += [
        "  want : boolean; side : {none, user, left}; ask : boolean; give : boolean; token : boolean; enter : boolean;",
        "ASSIGN",
        "  init(want) := FALSE; init(side) := none; init(ask) := FALSE; init(give) := FALSE;",
        "  init(token) := holds; init(enter) := FALSE;",
        "  next(want) := !enter union want;",
        "  next(side) := case",
        "      side = none : (want ? user : none) union (asked ? left : none);",
        "      side = user & !want & !enter : {user, none};",
        "      side = left & !asked & !give : {left, none};",
        "      TRUE : side;",
        "    esac;",
        gate("ask", "side != none & !token & !give & (ask | !given)", steps),
        gate("give", "side = left & (give ? asked | token : token & asked & !ask)", steps),
        gate("token", "give ? FALSE : (ask & given) | token", steps),
        gate("enter", "side = user & token & !given & want", steps),
    ]
    return "\n".join(lines) + "\n"


DME_GATES = {
    "mine": "granted = user & !give",
    "theirs": "granted = left & !enter",
    "busy": "mine | theirs",
    "seek": "busy & !done",
    "ask": "seek & away",
    "here": "seek & token",
    "got": "here | given",
    "done": ("busy", "got"),
    "ready": "done & !got",
    "to_user": ("mine", "ready"),
    "to_left": ("theirs", "ready"),
    "enter": "to_user & token",
    "give": "to_left & away",
    "token": "!to_left & !away",
    "away": "!to_user & !token",
}
"""What each gate of a cell computes. A pair is a C-element: it follows its inputs when they agree."""


def dme(cells: int, steps: str = "interleaving", tokens: int = 1) -> str:
    """A ring of so many cells with Martin's gates; the tokens are as far from each other as they can be."""
    idle = "want & asked : {user, left}; TRUE : want ? user : asked ? left : none"
    if steps != "synchronous":
        idle = "TRUE : granted union none union (want ? user : none) union (asked ? left : none)"
    lines = _around(cells, steps, tokens)
    lines += [
        f"  want : boolean; granted : {{none, user, left}}; {' '.join(f'{name} : boolean;' for name in DME_GATES)}",
        "ASSIGN",
        "  init(want) := FALSE; init(granted) := none; init(token) := holds; init(away) := !holds;",
        *(f"  init({name}) := FALSE;" for name in DME_GATES if name not in ("token", "away")),
        "  next(want) := !enter union want;",
        f"  next(granted) := case granted = user & want | granted = left & asked : granted; {idle}; esac;",
    ]
    for name, function in DME_GATES.items():
        if isinstance(function, tuple):
            one, other = function
            function = f"{one} = {other} ? {one} : {name}"
        lines.append(gate(name, function, steps))
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("circuit", choices=("tree", "ring", "dme"))
    parser.add_argument("size", type=int, help="modules of the tree, cells of the ring")
    parser.add_argument("--steps", choices=STEPS, default="interleaving")
    parser.add_argument("--correct", action="store_true", help="the tree without the fault")
    parser.add_argument("--tokens", type=int, default=1)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    if given.circuit == "tree":
        made = tree_arbiter(given.size, given.steps, not given.correct)
    else:
        made = (dme if given.circuit == "dme" else ring)(given.size, given.steps, given.tokens)
    if given.output is None:
        sys.stdout.write(made)
    else:
        given.output.write_text(made)


if __name__ == "__main__":
    main()
