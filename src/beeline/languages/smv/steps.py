"""Constraints made into processes that step together.

Variables whose next values depend on each other form a cluster, which is one process; a step is one edge of each, all
with the same label. An edge sets the variables of its cluster to constants, and its guard says in which states it may.
So all guards are read in the state before the step, whatever the order in which edges take effect. A variable with many
values is set to an expression instead, where none of those that come before it has changed what that reads.

The first process takes part in every step. It opens the network, and remembers who ran and which inputs there were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beeline.languages.smv.constraints import Constraint, Constraints, Label
from beeline.languages.smv.scopes import Scalar
from beeline.model import expressions as ir
from beeline.model import folding as fold
from beeline.model.network import Edge, Location, Process, Together
from beeline.model.source import Source
from beeline.model.statements import Assign, Statement
from beeline.records import Record

MOST_TRIED = 50_000  # combinations of values that are looked at for one cluster and one label
FEW_VALUES = 8  # of a variable that is set to constants

Cluster = tuple[Scalar, ...]


class Option(Record, frozen=True):
    """A way for a cluster to go on: where it may, and the values of its variables."""

    guard: ir.Expression
    values: tuple[ir.Expression, ...]


class Steps:
    """The processes of a model with these variables in its states."""

    def __init__(self, constraints: Constraints, labels: Sequence[Label], scalars: Sequence[Scalar]) -> None:
        self._constraints, self._labels, self._scalars = constraints, labels, list(scalars)
        self._options: dict[Cluster, dict[Label, list[Option]]] = {}
        self._common: dict[Label, ir.Expression] = {}
        for label in labels:
            self._divide(label)

    def processes(self, remembered: dict[Label, tuple[Statement, ...]], at: Source) -> list[Process]:
        """The first process, and one for each cluster."""
        edges = []
        for label in self._labels:
            sync, effect = Together(label.name), remembered[label]
            edges.append(Edge(int(not label.opens), 1, self._common[label], sync, effect, text=label.name, source=at))
        first = Process("step", (Location("before"), Location("running")), tuple(edges), source=at)
        return [first, *(self._process(cluster) for cluster in self._ordered())]

    def _process(self, cluster: Cluster) -> Process:
        at = cluster[0].at
        edges = []
        for label, options in self._options[cluster].items():
            if not options:  # it takes part all the same, and so there is no such step
                edges.append(Edge(0, 0, ir.FALSE, Together(label.name), text="no value is possible", source=at))
            for option in options:
                effect = tuple(
                    Assign(scalar.place, value, at)
                    for scalar, value in zip(cluster, option.values, strict=True)
                    if value != scalar.place
                )
                text = ", ".join(
                    f"{one.name} := {self._shown(one, value)}"
                    for one, value in zip(cluster, option.values, strict=True)
                )
                edges.append(Edge(0, 0, option.guard, Together(label.name), effect, text=text, source=at))
        return Process(" ".join(one.name for one in cluster), (Location("here"),), tuple(edges), source=at)

    def _shown(self, scalar: Scalar, value: ir.Expression) -> str:
        from beeline.model.printer import show_expression

        if isinstance(value, ir.Literal):
            return self._constraints.values.show(scalar, value.value)
        return show_expression(value)

    # Clusters

    def _divide(self, label: Label) -> None:
        """Finds the clusters of one kind of step, and what each can do."""
        changing = self._constraints.changing(label, self._scalars)
        about: list[tuple[Constraint, list[Scalar]]] = []
        whole: ir.Expression = ir.TRUE
        for one in self._constraints.of(label):
            support = self._support(one, label, changing)
            if support:
                about.append((one, support))
            else:
                whole = fold.binary("&&", whole, self._constraints.guard(one, label, lambda scalar: scalar.place))
        self._common[label] = whole
        for cluster in _components(changing, [support for _, support in about]):
            members = set(cluster)
            own = [(one, support) for one, support in about if members.issuperset(support)]
            self._options.setdefault(cluster, {})[label] = self._ways(cluster, label, own)

    def _support(self, one: Constraint, label: Label, changing: list[Scalar]) -> list[Scalar]:
        """The changing variables whose next values matter to a constraint."""
        found: dict[Scalar, None] = {}
        may_change = set(changing)

        def after(scalar: Scalar) -> ir.Expression:
            if scalar in may_change:
                found[scalar] = None
            return scalar.place

        self._constraints.guard(one, label, after)
        return list(found)

    def _ways(self, cluster: Cluster, label: Label, own: list[tuple[Constraint, list[Scalar]]]) -> list[Option]:
        if len(cluster) == 1 and len(cluster[0].domain) > FEW_VALUES and len(own) == 1:
            found = self._computed(cluster[0], label, own[0][0])
            if found is not None:
                return found
        return list(self._enumerated(cluster, label, own))

    def _computed(self, scalar: Scalar, label: Label, one: Constraint) -> list[Option] | None:
        """One way for each value that is written, if these are fewer and what they read is still unchanged."""
        if one.target is not scalar:
            return None
        values = self._constraints.values
        reads: set[Scalar] = set()

        def unknown(other: Scalar) -> ir.Expression:
            reads.add(other)
            return other.place

        moment = self._constraints.moment(one, label, unknown)
        choices = values.choices(one.tree, one.scope, moment)
        if len(choices) > len(scalar.domain) or (one.still and reads):
            return None
        reading = {part for _, value, _ in choices for part in ir.walk(value)}
        others = [other for other in self._scalars if other is not scalar and other.place in reading]
        if any(len(other.domain) > FEW_VALUES for other in others) or len(scalar.domain) != _span(scalar):
            return None
        return [Option(condition, (value,)) for condition, value, _ in choices]

    def _ordered(self) -> list[Cluster]:
        """Those that are set to expressions come first: these read nothing that is not set to constants."""
        computed = [c for c, found in self._options.items() if any(_computes(options) for options in found.values())]
        return [*computed, *(cluster for cluster in self._options if cluster not in computed)]

    def _enumerated(
        self, cluster: Cluster, label: Label, own: list[tuple[Constraint, list[Scalar]]]
    ) -> Iterator[Option]:
        """One way for each combination of values that is possible in some state."""
        place = {scalar: number for number, scalar in enumerate(cluster)}
        due: list[list[Constraint]] = [[] for _ in cluster]
        for one, support in own:
            due[max(place[scalar] for scalar in support)].append(one)
        chosen: dict[Scalar, int] = {}
        tried = 0

        def after(scalar: Scalar) -> ir.Expression:
            return ir.Literal(chosen[scalar]) if scalar in chosen else scalar.place

        def extended(position: int, guard: ir.Expression) -> Iterator[Option]:
            nonlocal tried
            if position == len(cluster):
                yield Option(guard, tuple(ir.Literal(chosen[scalar]) for scalar in cluster))
                return
            for value in cluster[position].domain:
                tried += 1
                if tried > MOST_TRIED:
                    raise self._too_many(cluster, own)
                chosen[cluster[position]] = value
                here = guard
                for one in due[position]:
                    here = fold.binary("&&", here, self._constraints.guard(one, label, after))
                    if here == ir.FALSE:
                        break
                if here != ir.FALSE:
                    yield from extended(position + 1, here)
            del chosen[cluster[position]]

        return extended(0, ir.TRUE)

    def _too_many(self, cluster: Cluster, own: list[tuple[Constraint, list[Scalar]]]) -> Exception:
        names = ", ".join(scalar.name for scalar in cluster[:6]) + (", .." if len(cluster) > 6 else "")
        largest = max(own, key=lambda pair: len(pair[1]), default=None)
        at = cluster[0].at if largest is None else largest[0].at
        message = f"the next values of {names} are tied together, with too many combinations"
        return self._constraints.world.error(message, at, "assign them one by one, with next(..) := ..")


def _span(scalar: Scalar) -> int:
    return max(scalar.domain) - min(scalar.domain) + 1


def _computes(options: list[Option]) -> bool:
    return any(not isinstance(value, ir.Literal) for option in options for value in option.values)


def _components(scalars: Sequence[Scalar], joined: Sequence[Sequence[Scalar]]) -> list[Cluster]:
    """The sets of variables that are tied together, in the order of declaration."""
    leader = {scalar: scalar for scalar in scalars}

    def find(scalar: Scalar) -> Scalar:
        while leader[scalar] is not scalar:
            leader[scalar] = leader[leader[scalar]]
            scalar = leader[scalar]
        return scalar

    for support in joined:
        for other in support[1:]:
            leader[find(other)] = find(support[0])
    found: dict[Scalar, list[Scalar]] = {}
    for scalar in scalars:
        found.setdefault(find(scalar), []).append(scalar)
    return [tuple(cluster) for cluster in found.values()]
