"""Writes models of this folder: ``python generate.py fischer b 5``; without arguments it lists what there is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from arbiter_tree import arbiter_tree
from fischer import fischer
from hanoi import hanoi
from message_mutex import message_mutex
from random_network import random_network
from single_track import single_track
from wheels import wheels
from writing import Generated

FAMILIES: dict[str, tuple[str, Callable[[list[str]], Generated]]] = {
    "fischer": ("a|b|c PROCESSES [correct]", lambda a: fischer(a[0], int(a[1]), faulty="correct" not in a)),
    "arbiter_tree": ("HEIGHT [keeps|repeats|none]", lambda a: arbiter_tree(int(a[0]), fault=(a[1:] or ["keeps"])[0])),
    "hanoi": ("DISKS", lambda a: hanoi(int(a[0]))),
    "random": ("PROCESSES SEED", lambda a: random_network(int(a[0]), int(a[1]))),
    "single_track": ("TRAMS [correct]", lambda a: single_track(int(a[0]), faulty="correct" not in a)),
    "wheels": ("COUNT [correct]", lambda a: wheels(int(a[0]), faulty="correct" not in a)),
    "message_mutex": ("STATIONS [correct]", lambda a: message_mutex(int(a[0]), faulty="correct" not in a)),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", nargs="?", choices=sorted(FAMILIES))
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the .xta and .q files go")
    asked = parser.parse_args()
    if asked.family is None:
        for name, (usage, _) in FAMILIES.items():
            print(f"{name} {usage}")
        return 0
    usage, make = FAMILIES[asked.family]
    try:
        made = make(asked.arguments)
    except (ValueError, IndexError) as mistake:
        print(f"usage: generate.py {asked.family} {usage} ({mistake})", file=sys.stderr)
        return 2
    (asked.folder / f"{made.name}.xta").write_text(made.xta)
    (asked.folder / f"{made.name}.q").write_text(made.query)
    print(asked.folder / f"{made.name}.xta")
    return 0


if __name__ == "__main__":
    sys.exit(main())
