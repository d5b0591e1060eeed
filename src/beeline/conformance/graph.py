"""The complete test graph: all that a specification may do on its way to what a purpose asks for.

States are pairs of the specification's and the purpose's. Those from which an accepted word is still possible make the
graph; an output that leads out of it is allowed and makes a test inconclusive; one that the specification does not have
is a failure."""

from __future__ import annotations

from beeline.conformance.suspension import Suspension
from beeline.lts import Lts
from beeline.lts.lts import Arc
from beeline.mu.actions import Regular
from beeline.mu.runs import Runs
from beeline.records import Record

PASS, INCONCLUSIVE, FAIL = "pass", "inconclusive", "fail"


class TestGraph(Record, frozen=True):
    """By state, 0 the first: the labels with their targets, None where the way to what is asked for is lost.
    `accepting` states have done what is asked for, and `distance` is how many labels that takes at least."""

    __test__ = False  # a class of ours, not a test of pytest's

    suspension: Suspension
    rows: tuple[dict[str, int | None], ...]
    accepting: frozenset[int]
    distance: tuple[int, ...]
    arcs_before: int
    """Arcs of the product of which this is a part."""

    def outputs(self, state: int) -> dict[str, int | None]:
        return {label: to for label, to in self.rows[state].items() if not self.suspension.is_stimulus(label)}

    def stimuli(self, state: int) -> dict[str, int]:
        found = self.rows[state].items()
        return {label: to for label, to in found if to is not None and self.suspension.is_stimulus(label)}

    def lts(self) -> Lts:
        """As an automaton: accepting states have a loop `PASS`, and the last state, where the way is lost, a loop
        `INCONCLUSIVE`."""
        lost = len(self.rows)
        arcs: list[Arc] = []
        for state, row in enumerate(self.rows):
            arcs += [(state, label, lost if to is None else to) for label, to in row.items()]
        verdicts = [(state, PASS.upper(), state) for state in sorted(self.accepting)]
        return Lts.of(lost + 1, 0, [*arcs, *verdicts, (lost, INCONCLUSIVE.upper(), lost)])


def complete_graph(suspension: Suspension, purpose: Regular, refused: Regular | None = None) -> TestGraph | None:
    """All ways to words that a purpose describes, and that have not been `refused` before; None if there are none."""
    sought, avoided = Runs(purpose), None if refused is None else Runs(refused)
    nowhere: frozenset[int] = frozenset()
    start = (0, sought.first, nowhere if avoided is None else avoided.first)
    numbers, order = {start: 0}, [start]
    arcs: list[dict[str, int]] = []
    accepting = set()
    for number, (state, wanted, unwanted) in enumerate(order):
        row: dict[str, int] = {}
        arcs.append(row)
        if sought.ends(wanted):
            accepting.add(number)
        if sought.ends(wanted) or (avoided is not None and avoided.ends(unwanted)):
            continue
        for label, target in suspension.rows[state].items():
            after = nowhere if avoided is None else avoided.after(unwanted, label)
            key = target, sought.after(wanted, label), after
            if key not in numbers:
                numbers[key] = len(numbers)
                order.append(key)
            row[label] = numbers[key]
    return _leading(suspension, arcs, accepting)


def _leading(suspension: Suspension, arcs: list[dict[str, int]], accepting: set[int]) -> TestGraph | None:
    """The part of a product that leads to accepting states."""
    distance = distances(arcs, accepting)
    if 0 not in distance:
        return None
    kept = sorted(distance)
    place = {state: number for number, state in enumerate(kept)}
    rows = []
    for state in kept:
        leaving = arcs[state].items()
        rows.append({label: place.get(to) for label, to in leaving if to in place or not suspension.is_stimulus(label)})
    return TestGraph(
        suspension,
        tuple(rows),
        frozenset(place[state] for state in accepting),
        tuple(distance[state] for state in kept),
        sum(map(len, arcs)),
    )


def distances(arcs: list[dict[str, int]], targets: set[int]) -> dict[int, int]:
    """By state from which a target can be reached: how many arcs that takes."""
    before: dict[int, list[int]] = {}
    for source, row in enumerate(arcs):
        for target in row.values():
            before.setdefault(target, []).append(source)
    found = dict.fromkeys(sorted(targets), 0)
    for state in (order := list(found)):
        for source in before.get(state, []):
            if source not in found:
                found[source] = found[state] + 1
                order.append(source)
    return found
