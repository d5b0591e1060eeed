"""Control flow: the statements of one proctype as a graph of nodes, in the shape in which SPIN builds it.

Where a process can rest, and so how many states a model has, depends on this shape: the entry of an `if` or `do` is
no step of its own, a `goto` after another statement is none either, but an `atomic` or a block in braces has a
resting place before its first statement, and a `goto` that leaves an `atomic` is a step. Nodes are therefore made in
the same order and linked in the same way as in SPIN's verifier, whose `pan -d` shows the result.
"""

from __future__ import annotations

from beeline.model.source import Source
from beeline.records import Record, field

from .actions import Action


class Node(Record, eq=False):
    """A point of control. `kind` is one of

    ``basic`` (with an action), ``else``, ``end``, ``goto`` (also for `break`), ``join`` (where the options of an `if`
    meet, or the head of a loop), ``exit`` (behind a loop), ``choice``, ``loop``, ``unless``, ``block``, ``atomic``,
    ``d_step``."""

    kind: str
    source: Source
    number: int
    action: Action | None = None
    next: Node | None = None
    options: list[Sequence] = field(default_factory=list)  # of an unless: the body, then the escape
    body: Sequence | None = None  # of a block, atomic or d_step
    escapes: list[Sequence] = field(default_factory=list)  # the outermost first
    jump: Jump | None = None
    labels: list[str] = field(default_factory=list)
    atomic: bool = False  # the process keeps control after this step
    last_atomic: bool = False  # the last step of an atomic sequence
    deterministic: bool = False  # inside a d_step

    def has_label(self, *prefixes: str) -> bool:
        return any(label.startswith(prefixes) for label in self.labels)


class Sequence(Record, eq=False):
    """Nodes linked by `next`. `extent` is the last that belongs to the text; `last` may be a join added behind it."""

    first: Node | None = None
    last: Node | None = None
    extent: Node | None = None

    def add(self, node: Node) -> None:
        if self.last is None:
            self.first = node
        else:
            self.last.next = node
        self.last = node

    def close(self) -> Sequence:
        self.extent = self.last
        return self

    def nodes(self, upto: Node | None = None) -> list[Node]:
        """The nodes from the first up to `upto` (or the last)."""
        found: list[Node] = []
        node, stop = self.first, upto or self.last
        while node is not None:
            found.append(node)
            if node is stop:
                break
            node = node.next
        return found


class Jump(Record, eq=False):
    """Where a goto or break leads; `node` is filled in when it is known."""

    label: str
    scope: tuple[int, ...]
    source: Source
    d_step: int = 0  # number of the d_step that it stands in; 0 outside
    node: Node | None = None

    def target(self) -> Node:
        assert self.node is not None
        return self.node


class Label(Record):
    name: str
    scope: tuple[int, ...]
    node: Node
    d_step: int = 0


def attach_escape(body: Sequence, escape: Sequence) -> None:
    """Makes every node of `body` escape through `escape`, also those inside it."""
    for node in body.nodes(body.extent):
        _escape_from(node, escape)


def _escape_from(node: Node, escape: Sequence) -> None:
    if any(known is escape for known in node.escapes):
        return
    for inner in node.escapes:
        attach_escape(inner, escape)
    node.escapes.insert(0, escape)
    match node.kind:
        case "unless":
            attach_escape(node.options[0], escape)
        case "choice" | "loop":
            for option in node.options:
                attach_escape(option, escape)
        case "d_step":
            assert node.body is not None and node.body.first is not None
            _escape_from(node.body.first, escape)
        case "atomic" | "block":
            assert node.body is not None
            attach_escape(node.body, escape)


def make_atomic(sequence: Sequence, deterministic: bool) -> None:
    """Marks a sequence as uninterrupted, up to its last step, after which control is given up."""
    _mark(sequence, deterministic)
    last = sequence.last
    assert last is not None
    if last.kind in ("block", "atomic"):
        assert last.body is not None
        make_atomic(last.body, deterministic)
    elif last.kind == "unless":
        make_atomic(last.options[0], deterministic)
    else:
        last.atomic = False
        last.last_atomic = True


def _mark(sequence: Sequence, deterministic: bool) -> None:
    for node in sequence.nodes():
        node.atomic = True
        node.deterministic |= deterministic
        if node.kind == "atomic" or (node.kind == "d_step" and deterministic):
            node.kind = "block"
        if node.kind == "block":
            assert node.body is not None
            _mark(node.body, deterministic)
        for option in node.options:
            _mark(option, deterministic)


def prune_skips(option: Sequence) -> None:
    """Of several skips in a row only the first is a step, as in SPIN; a printf counts as one but always stays."""
    row, previous = 0, None
    node = option.first
    while node is not None:
        idle = node.kind == "basic" and node.action is not None and (node.action.skips or node.action.prints)
        if not idle or node.labels:
            row = 0
        else:
            row += 1
            assert node.action is not None
            if row > 1 and not node.action.prints and node not in (option.first, option.last):
                assert previous is not None
                previous.next = node.next
                node = previous
        previous, node = node, node.next
