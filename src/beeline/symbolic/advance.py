"""The whole relation before a search: what searches backward and estimates need.

A set that has all reachable states is closed under steps cell by cell: it is the product of the values that each cell
can take, if every other cell may take any of its own. All that can happen in it is learned. Where that is too much, or
processes are started, which would go on forever, the reachable states themselves are found first.
"""

from __future__ import annotations

from beeline.engine import Found, core
from beeline.symbolic import whole
from beeline.symbolic.diagrams import Diagram, union
from beeline.symbolic.meter import Meter
from beeline.symbolic.quest import Quest
from beeline.symbolic.system import System

MOST_QUESTIONS = 30_000


def learn_in_advance(system: System, meter: Meter) -> Diagram:
    """Learns all steps, and returns a set of states that no step leaves and that has all reachable ones."""
    closed = _closed_product(system, meter)
    return whole.search(Quest(system, Found.NOTHING, None, meter)).reached if closed is None else closed


def _closed_product(system: System, meter: Meter) -> Diagram | None:
    """The least product of values that is closed, if it can be found."""
    values = [{value} for value in system.encoding.start]
    movers = system.everyone
    while True:
        states = _product(system, values)
        try:
            for mover in movers:
                meter.tick(states, phase="learning")
                mover.learn(states & system.may_ask(mover))
                if sum(one.questions for one in movers) > MOST_QUESTIONS:
                    return None
        except (core.TooManyProcesses, ValueError):
            return None  # no state of the model
        written = {pair for mover in movers for pair in mover.written}
        fresh = [(cell, value) for cell, value in written if value not in values[cell]]
        if not fresh:
            return states
        for cell, value in fresh:
            values[cell].add(value)


def _product(system: System, values: list[set[int]]) -> Diagram:
    """The states in which each cell has one of its values, and whoever is in control is there."""
    found = system.diagrams.true
    for cell in sorted(system.encoding.all_cells, key=lambda cell: -system.encoding.bits[cell][0]):
        found = found & union([system.encoding.cube([(cell, value)]) for value in values[cell]], system.diagrams.false)
    return found
