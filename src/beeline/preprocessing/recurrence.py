"""The states that a component of a network gets into by itself, and what it can always come back to."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.expressions import FALSE, Expression
from beeline.model.network import Edge, Network
from beeline.model.semantics import Semantics
from beeline.model.state import Draft, State
from beeline.preprocessing.touching import EdgeTouch
from beeline.records import Record, field, replace

MOST_STATES = 500  # of one component


class Refused(Exception):
    """Something stands against taking a component out."""


class Demand(Record):
    """What somebody wants of a component: conditions over it, and a place of one of its processes."""

    process: int  # who evaluates the conditions; -1: the goal
    conditions: list[Expression] = field(default_factory=list)
    place: tuple[int, int] | None = None  # process and location
    touch: EdgeTouch | None = None
    met: set[int] = field(default_factory=set)  # the component's states that do


class Graph(Record):
    """The states that a component can get into by itself, and the last places of no return among them."""

    semantics: Semantics
    states: list[State]
    following: list[list[int]]
    recurrent: list[set[int]] = field(default_factory=list)

    @classmethod
    def explore(cls, discrete: Network, edges: Sequence[EdgeTouch]) -> Graph:
        """The states of the component that `edges` move. Raises `Refused` if there are too many, or only one, or if a
        step fails."""
        semantics = Semantics(_alone(discrete, edges))
        moving = {(touch.process, touch.position) for touch in edges}
        states = semantics.initial_states()
        index = {states[0]: 0}
        following: list[list[int]] = []
        for state in states:
            targets: list[int] = []
            for step in semantics.steps(state):
                if any((move.pid, move.edge) not in moving for move in step.moves):
                    continue
                if step.target is None:
                    raise Refused
                if step.target not in index:
                    if len(states) >= MOST_STATES:
                        raise Refused
                    index[step.target] = len(states)
                    states.append(step.target)
                targets.append(index[step.target])
            following.append(targets)
        graph = cls(semantics, states, following)
        if len(states) == 1:
            raise Refused  # nothing to gain
        graph.recurrent = [part for part in _strong_parts(following) if _is_closed(part, following)]
        return graph

    def meets(self, demand: Demand) -> set[int]:
        """The states in which a demand is met."""
        return {number for number, state in enumerate(self.states) if self._meets(state, demand)}

    def _meets(self, state: State, demand: Demand) -> bool:
        if demand.place is not None and state.processes[demand.place[0]].location != demand.place[1]:
            return False
        context = Context(self.semantics.scope, Draft(state), demand.process)
        try:
            return all(evaluate(condition, context.fresh()) != 0 for condition in demand.conditions)
        except StepError:
            raise Refused from None

    def check_recurs(self, where: set[int]) -> None:
        """What can be met at all can be met from everywhere."""
        if where and not all(part & where for part in self.recurrent):
            raise Refused


def _alone(discrete: Network, edges: Sequence[EdgeTouch]) -> Network:
    """The network in which only these edges can be taken, by processes of the kinds whose they are."""
    moving = {(touch.kind, touch.position) for touch in edges}
    processes = tuple(
        replace(
            process,
            edges=tuple(edge if (kind, at) in moving else _never(edge) for at, edge in enumerate(process.edges)),
        )
        if any(one == kind for one, _ in moving)
        else replace(process, edges=())
        for kind, process in enumerate(discrete.processes)
    )
    return replace(discrete, processes=processes, properties=())


def _never(edge: Edge) -> Edge:
    """An edge that keeps its number and cannot be taken."""
    return Edge(edge.source_location, edge.target_location, FALSE)


def _is_closed(part: set[int], following: list[list[int]]) -> bool:
    return all(target in part for state in part for target in following[state])


def _strong_parts(following: list[list[int]]) -> list[set[int]]:
    """The strongly connected parts of a graph (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[set[int]] = []
    for root in range(len(following)):
        if root in order:
            continue
        work = [(root, iter(following[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            target = next(targets, None)
            if target is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    part: set[int] = set()
                    while node not in part:
                        part.add(stack.pop())
                    on_stack -= part
                    found.append(part)
            elif target not in order:
                order[target] = low[target] = len(order)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter(following[target])))
            elif target in on_stack:
                low[node] = min(low[node], order[target])
    return found
