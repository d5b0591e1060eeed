"""Clients and a server as systems: the example of Pasareanu and Giannakopoulou, SPIN 2006, figures 3 to 5."""

from __future__ import annotations

from beeline.compositional.systems import Automaton, System
from beeline.lts import Lts


def client(number: int) -> System:
    """Asks, is granted and gives back, or is denied."""
    arcs = [(0, f"request{number}", 1), (1, f"grant{number}", 2), (1, f"deny{number}", 0), (2, f"cancel{number}", 0)]
    return System.of(f"client{number}", Lts.of(3, 0, arcs))


def server(clients: int, grants_always: bool = False) -> System:
    """Grants to one at a time."""
    arcs = []
    width = clients + 1  # state: who has it, times width, plus who asks
    for holder in range(clients + 1):
        for who in range(1, clients + 1):
            arcs.append((holder * width, f"request{who}", holder * width + who))
            if holder == 0 or grants_always:
                arcs.append((holder * width + who, f"grant{who}", who * width))
            else:
                arcs.append((holder * width + who, f"deny{who}", holder * width))
            arcs.append((holder * width, f"cancel{who}", 0 if holder == who else holder * width))
    return System.of("server", Lts.of(width * width, 0, arcs))


def one_at_a_time(clients: int) -> Automaton:
    """A grant is followed by the same client's cancel, and only by that."""
    numbers = range(1, clients + 1)
    rows = ({f"grant{who}": who for who in numbers}, *({f"cancel{who}": 0} for who in numbers))
    return Automaton(rows, frozenset(f"{what}{who}" for what in ("grant", "cancel") for who in numbers))


def whole(clients: int, grants_always: bool = False) -> list[System]:
    return [*map(client, range(1, clients + 1)), server(clients, grants_always)]
