"""The automaton of a proctype: its transition table as locations and edges of the Network."""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model.network import Edge, Location, Receive, Send
from beeline.records import replace

from .actions import Action
from .errors import UnsupportedPromela
from .flow import Node
from .transitions import Table, Transition, entry


class AutomatonBuilder:
    """Numbers the reachable places of a table as locations and makes the edges between them."""

    def __init__(self, table: Table, lossy: bool = False) -> None:
        self.table = table
        self.lossy = lossy
        self.locations: list[Location] = []
        self.edges: list[Edge] = []
        self._places: dict[int, int] = {}  # location by number of the resting place
        self._inner: dict[int, int] = {}  # location by number of a node inside a d_step

    def build(self) -> tuple[tuple[Location, ...], tuple[Edge, ...], int]:
        """Locations, edges, and the index of the first location."""
        places = self.table.reachable()
        for place in (*places, *self._only_named(places)):
            self._places[place] = len(self.locations)
            self.locations.append(self._location(place))
        for place in places:
            self._leave(place)
        return tuple(self.locations), tuple(self.edges), self._places[self.table.initial]

    def _only_named(self, reachable: list[int]) -> list[int]:
        """Places that no process comes to, but whose label can be asked about from outside."""
        known = {label for place in reachable for label in self.table.nodes[place].labels}
        return [n for n, node in sorted(self.table.nodes.items()) if not known.issuperset(node.labels)]

    def _location(self, place: int) -> Location:
        node = self.table.nodes[place]
        return Location(
            node.labels[0] if len(node.labels) == 1 and self._is_unique(node.labels[0]) else _place_name(node),
            end=place in self.table.end,
            accept=place in self.table.accept,
            progress=place in self.table.progress,
            labels=tuple(node.labels),
            source=node.source,
        )

    def _is_unique(self, label: str) -> bool:
        return sum(label in node.labels for node in self.table.nodes.values()) == 1

    # Edges between resting places

    def _leave(self, place: int) -> None:
        """The edges out of a place. Escapes and `else` become ranks: a lower rank goes first."""
        transitions = self.table.transitions.get(place, [])
        group = -1
        last_escape: int | None = None
        for position, transition in enumerate(transitions):
            if transition.escape != last_escape:
                group, last_escape = group + 1, transition.escape
            more = any(following.escape == transition.escape for following in transitions[position + 1 :])
            self._edge(place, transition, 2 * group, more)

    def _edge(self, place: int, transition: Transition, rank: int, more: bool) -> None:
        """`more`: others of the same rank follow."""
        node = transition.node
        source = self._places[place]
        if node.kind == "d_step":
            self._enter_d_step(source, transition, rank, more)
            return
        assert node.action is not None
        edge = self._of_action(source, self._places.get(transition.target, source), node.action, node.atomic)
        edge = _as_else(edge, rank, more) if node.kind == "else" else replace(edge, rank=rank)
        self.edges.append(edge)

    def _of_action(self, source: int, target: int, action: Action, keeps_control: bool) -> Edge:
        return Edge(
            source,
            target,
            action.guard,
            action.sync,
            action.effect,
            keeps_control=keeps_control,
            text=action.text,
            source=action.source,
        )

    # d_step

    def _enter_d_step(self, source: int, transition: Transition, rank: int, more: bool) -> None:
        """A d_step begins with its first statement; if that is a selection, with a look at all its guards."""
        region = _DStep(transition.node, self._places[transition.target])
        assert region.node.body is not None and region.node.body.first is not None
        first = region.resolve(region.node.body.first)
        assert first is not None
        if first.kind in ("choice", "loop"):
            guard = entry_guard(first, self.lossy)
            edge = Edge(source, self._inside(first, region), guard, text="d_step", source=first.source)
        else:
            assert first.action is not None
            edge = self._of_action(source, self._beyond(first, region), first.action, region.node.atomic)
        edge = _as_else(edge, rank, more) if first.kind == "else" else replace(edge, rank=rank)
        self.edges.append(replace(edge, keeps_control=region.node.atomic))

    def _beyond(self, node: Node, region: _DStep) -> int:
        """Where a statement inside a d_step leads to."""
        assert node.next is not None
        following = region.resolve(node.next if node.kind != "goto" else node)
        return region.exit if following is None else self._inside(following, region)

    def _inside(self, node: Node, region: _DStep) -> int:
        """The location of a node inside a d_step; made, with its edges, when first asked for."""
        if node.number in self._inner:
            return self._inner[node.number]
        index = len(self.locations)
        self._inner[node.number] = index
        self.locations.append(Location(_place_name(node), deterministic=True, source=node.source))
        if node.kind in ("choice", "loop"):
            for option in node.options:
                assert option.first is not None
                self._option(index, entry(option.first), region)
        else:
            assert node.action is not None
            target = self._beyond(node, region)
            self.edges.append(self._of_action(index, target, node.action, region.node.atomic))
        return index

    def _option(self, index: int, first: Node, region: _DStep) -> None:
        """An option of a selection inside a d_step: only a basic statement is a guard there."""
        if first.kind in ("basic", "else"):
            assert first.action is not None
            edge = self._of_action(index, self._beyond(first, region), first.action, region.node.atomic)
        else:
            following = region.resolve(first)
            target = region.exit if following is None else self._inside(following, region)
            edge = Edge(index, target, keeps_control=region.node.atomic, text="goto", source=first.source)
        self.edges.append(edge)


def _as_else(edge: Edge, rank: int, more: bool) -> Edge:
    """The `else` of a selection looks at all other options; one of an inner selection only at what is tried before."""
    return replace(edge, rank=rank, otherwise=True) if more else replace(edge, rank=rank + 1)


def _place_name(node: Node) -> str:
    """The line, and the number that SPIN gives to the place; no label looks like this."""
    return f"{node.source.line}#{node.number}"


class _DStep:
    """One d_step sequence: its node and the location behind it."""

    def __init__(self, node: Node, exit_location: int) -> None:
        self.node = node
        self.exit = exit_location

    def resolve(self, node: Node) -> Node | None:
        """The node that acts when control comes to `node`, or None outside the sequence."""
        seen: set[int] = set()
        following: Node | None = node
        while following is not None and following.deterministic:
            if following.number in seen:
                raise UnsupportedPromela("these jumps inside a d_step lead in a circle", following.source)
            seen.add(following.number)
            match following.kind:
                case "goto":
                    assert following.jump is not None
                    following = following.jump.target()
                case "join" | "exit":
                    following = following.next
                case "block":
                    assert following.body is not None
                    following = following.body.first
                case "unless":
                    following = following.options[0].first
                case _:
                    return following
        return None


def entry_guard(selection: Node, lossy: bool) -> ir.Expression:
    """When SPIN lets a d_step begin that starts with a selection: some option's guard holds.

    Options that start with an assignment or another statement that never waits do not count, unless there is no
    other: that is how SPIN's verifier decides, and it decides here too."""
    guards = _collect_guards(selection, lossy)
    result: ir.Expression | None = None
    for guard in guards:
        result = guard if result is None else ir.Binary("||", result, guard)
    return ir.TRUE if result is None else result


def _collect_guards(selection: Node, lossy: bool) -> list[ir.Expression]:
    found: list[ir.Expression] = []
    for option in selection.options:
        assert option.first is not None
        first = entry(option.first)
        if first.kind == "else":
            found.append(ir.TRUE)
        elif first.kind == "choice":
            found += _collect_guards(first, lossy)
        elif first.kind == "block":
            assert first.body is not None and first.body.first is not None
            found += _collect_guards(first.body.first, lossy)
        elif first.kind == "basic" and first.action is not None and _waits(first.action):
            found.append(possible(first.action, lossy))
    return found


def _waits(action: Action) -> bool:
    return action.sync is not None or not (action.effect or action.prints)


def possible(action: Action, lossy: bool) -> ir.Expression:
    """Whether an action could be executed now, as an expression; a handshake counts as impossible."""
    match action.sync:
        case Send(channel=channel):
            return ir.TRUE if lossy else _buffered(channel, ir.ChannelInfo("nfull", channel))
        case Receive(channel=channel, patterns=patterns, anywhere=anywhere):
            asked = tuple(p if isinstance(p, ir.Match) else ir.Skip() for p in patterns)
            return _buffered(channel, ir.Poll(channel, asked, anywhere))
    return action.guard


def _buffered(channel: ir.Expression, condition: ir.Expression) -> ir.Expression:
    return ir.Binary("&&", ir.Binary(">", ir.ChannelInfo("capacity", channel), ir.Literal(0)), condition)
