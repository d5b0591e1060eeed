"""From control flow to transitions: which steps leave which resting place, in the order in which SPIN tries them.

This is the reading of SPIN's transition table: jumps, joins and the ends of loops are passed over, unless that would
leave an atomic sequence unseen; selections take over the first steps of their options; escapes of `unless` come
first, the outermost before all others.
"""

from __future__ import annotations

from beeline.model.expressions import FALSE
from beeline.records import Record, field

from .errors import PromelaError
from .flow import Node, Sequence

_PASSED_OVER = 500  # longest chain of jumps


class Transition(Record, frozen=True):
    """A step out of a resting place: the node that is executed, the place it leads to, and the escape it belongs to."""

    node: Node
    target: int
    escape: int = 0


class Table(Record):
    """The transitions of a proctype by number of the resting place, and the marks of places."""

    initial: int
    transitions: dict[int, list[Transition]]
    nodes: dict[int, Node]
    end: set[int] = field(default_factory=set)
    accept: set[int] = field(default_factory=set)
    progress: set[int] = field(default_factory=set)

    def reachable(self) -> list[int]:
        """The places that a process can come to, by number."""
        seen, waiting = {self.initial}, [self.initial]
        while waiting:
            for transition in self.transitions.get(waiting.pop(), ()):
                if transition.node.kind != "end" and transition.target not in seen:
                    seen.add(transition.target)
                    waiting.append(transition.target)
        return sorted(seen)


def tabulate(body: Sequence) -> Table:
    """The transition table of a proctype."""
    return _Tabulator(body).run()


def settle(node: Node, atomic: bool) -> Node:
    """The node at which a process rests that was sent to `node` by a step that keeps control (or not)."""
    for _ in range(_PASSED_OVER):
        following = _following(node, atomic)
        if following is None or (atomic and not following.atomic):
            return node
        node = following
    raise PromelaError("these jumps lead in a circle", node.source)


def _following(node: Node, atomic: bool) -> Node | None:
    """The next node if `node` is one that is passed over."""
    match node.kind:
        case "goto":
            assert node.jump is not None
            target = node.jump.target()
            if target is node:
                raise PromelaError("this goto leads to itself", node.source)
            return target
        case "join" | "exit":
            return node.next
        case "unless":
            assert node.options[0].first is not None
            return settle(node.options[0].first, atomic)
    return None


def entry(node: Node) -> Node:
    """The node whose step begins the sequence that starts with `node`."""
    for _ in range(_PASSED_OVER):
        if node.kind == "join" and node.next is not None:
            node = node.next
        elif node.kind == "unless":
            assert node.options[0].first is not None
            node = node.options[0].first
        else:
            return node
    raise PromelaError("this control structure leads in a circle", node.source)


class _Tabulator:
    def __init__(self, body: Sequence) -> None:
        assert body.first is not None
        self.body = body
        self.nodes: dict[int, Node] = {}
        self.pointers: dict[int, list[Node]] = {}  # of compound nodes: what they begin with
        self.simple: dict[int, Transition] = {}
        self.table = Table(settle(body.first, body.first.atomic).number, {}, self.nodes)

    def run(self) -> Table:
        self._link(self.body)
        self._collect(self.body)
        for number in sorted(self.nodes):
            if number in self.pointers:
                self._flatten(number)
            elif number in self.simple:
                self.table.transitions[number] = [self.simple[number]]
        for number in sorted(self.table.transitions):
            self._add_escapes(number)
        self._pass_on_ends()
        return self.table

    # Linking blocks into their surroundings

    def _link(self, sequence: Sequence) -> None:
        for node in sequence.nodes(sequence.extent):
            if node.body is not None:
                _bridge_jumps(node.body)
                assert node.body.last is not None
                node.body.last.next = node.next
                self._link(node.body)
            for option in node.options:
                self._link(option)

    # Nodes

    def _collect(self, sequence: Sequence) -> None:
        for node in sequence.nodes():
            if node.number in self.nodes:
                continue
            self.nodes[node.number] = node
            self._mark(node)
            self._enter(node)
            for inner in (*node.options, *([node.body] if node.body else []), *node.escapes):
                self._collect(inner)

    def _mark(self, node: Node) -> None:
        if node.has_label("end") or node.kind == "end":
            self.table.end.add(node.number)
        if node.has_label("accept"):
            self.table.accept.add(node.number)
        if node.has_label("progress"):
            self.table.progress.add(node.number)

    def _enter(self, node: Node) -> None:
        match node.kind:
            case "choice" | "loop":
                starts = [entry(option.first) for option in node.options if option.first is not None]
                self.pointers[node.number] = [start for start in starts if not _never_true(start)]
            case "block" | "atomic":
                assert node.body is not None and node.body.first is not None
                self.pointers[node.number] = [entry(node.body.first)]
            case "unless":
                pass  # its nodes carry the escape
            case "goto":
                assert node.jump is not None
                self.simple[node.number] = Transition(node, settle(node.jump.target(), node.atomic).number)
            case "end":
                self.simple[node.number] = Transition(node, node.number)
            case _:
                assert node.next is not None
                self.simple[node.number] = Transition(node, settle(node.next, node.atomic).number)

    def _flatten(self, number: int) -> None:
        self.table.transitions[number] = [
            self.simple[start.number] for start in self._starts(number, ()) if start.number in self.simple
        ]

    def _starts(self, number: int, above: tuple[int, ...]) -> list[Node]:
        """The simple nodes that a compound one begins with; marks of what is passed through go on to what follows."""
        found: list[Node] = []
        for start in self.pointers[number]:
            if start.number in above:
                raise PromelaError("this control structure leads in a circle", start.source)
            if start.number in self.pointers:
                inner = self._starts(start.number, (*above, number))
                for node in inner:
                    self._pass_on(start.number, node.number)
                found += inner
            else:
                found.append(start)
        for node in found:
            if node.number in self.simple and not above:
                self._pass_on(node.number, self.simple[node.number].target)
        return found

    def _pass_on(self, source: int, target: int) -> None:
        for marks in (self.table.end, self.table.accept, self.table.progress):
            if source in marks:
                marks.add(target)

    def _pass_on_ends(self) -> None:
        for number, transitions in self.table.transitions.items():
            if len(transitions) == 1 and transitions[0].node.kind == "join" and number in self.table.end:
                self.table.end.add(transitions[0].target)

    # Escapes

    def _add_escapes(self, number: int) -> None:
        """Puts the first steps of escapes before the others; each node appears once."""
        own = list(self.table.transitions[number])
        result = list(own)
        for transition in own:
            if transition.node.kind == "join":
                continue
            for escape in reversed(transition.node.escapes):
                assert escape.first is not None
                place = settle(escape.first, transition.node.atomic).number
                for step in list(self.table.transitions.get(place, ())):
                    if all(step.node is not known.node for known in result):
                        result.insert(0, Transition(step.node, step.target, place))
        self.table.transitions[number] = result


def _never_true(node: Node) -> bool:
    return node.kind == "basic" and node.action is not None and node.action.guard == FALSE and not node.escapes


def _bridge_jumps(sequence: Sequence) -> None:
    """A jump out of an atomic sequence ends it; one from the end of an atomic sequence into another goes on with it."""
    for node in sequence.nodes(sequence.extent):
        if node.kind == "goto":
            assert node.jump is not None
            target = node.jump.target()
            inside = target.atomic or target.last_atomic
            if (node.atomic or node.last_atomic) and not inside:
                node.atomic, node.last_atomic = False, True
            if node.last_atomic and inside:
                node.atomic, node.last_atomic = True, False
        else:
            for option in node.options:
                _bridge_jumps(option)
