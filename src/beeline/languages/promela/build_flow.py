"""Builds the control flow of a proctype from its statements."""

from __future__ import annotations

from collections.abc import Sequence as Many

from beeline.model.source import Source
from beeline.model.types import CHANNEL, ArrayType, RecordType
from beeline.records import Record, field

from .actions import Action, ActionTranslator, end_action, skip_action
from .errors import PromelaError
from .flow import Jump, Label, Node, Sequence, attach_escape, make_atomic, prune_skips
from .refusals import check_initial
from .symbols import Scope, Symbol
from .syntax import (
    Assign,
    Binary,
    Block,
    Break,
    ChannelInit,
    ChannelTest,
    Choice,
    Condition,
    Declaration,
    Declarator,
    Else,
    Exclusive,
    Expression,
    For,
    ForIn,
    Goto,
    Labelled,
    Number,
    Receive,
    Reference,
    Select,
    Send,
    Statement,
    Step,
    Unless,
)

LISTED_SELECT = 32
"""SPIN writes a `select` over constants out as options if the last value is at most this much above the first."""


class Draft(Record, eq=False):
    """A statement whose inner sequences are built, but whose own nodes are not yet."""

    kind: str
    source: Source
    action: Action | None = None
    sequences: list[Sequence] = field(default_factory=list)
    jump: Jump | None = None  # of a goto; of a loop: where its breaks lead
    label: str = ""
    inner: Draft | None = None  # of a label


class FlowBuilder:
    """Turns the body of one proctype into nodes, numbered from 1 in the order in which SPIN makes them."""

    def __init__(self, translator: ActionTranslator, scope: Scope, is_claim: bool = False) -> None:
        self.translator = translator
        self.scope = scope
        self.is_claim = is_claim
        self.count = 0
        self.labels: list[Label] = []
        self.jumps: list[Jump] = []
        self.loops: list[Jump] = []
        self.path: list[int] = []
        self._blocks = 0
        self._d_step = 0  # number of the block of the d_step that is being read
        self.initial: list[Symbol] = []  # declared before the first statement: set when the process starts

    def build(self, body: list[Step], end: Source) -> Sequence:
        """The whole body, closed by the end of the process."""
        sequence = Sequence()
        self._steps(body, sequence)
        sequence.add(self._node("end", end, end_action(end)))
        self._resolve()
        return sequence.close()

    # Sequences

    def _node(self, kind: str, source: Source, action: Action | None = None) -> Node:
        self.count += 1
        return Node(kind, source, self.count, action)

    def _steps(self, steps: list[Step], sequence: Sequence) -> None:
        for step in steps:
            match step:
                case Declaration():
                    self._declare(step, sequence)
                case Exclusive():
                    self._claim(step)
                case _:
                    self._add(self._prepare(step, sequence), sequence)

    def _claim(self, step: Exclusive) -> None:
        """`xr` and `xs` say that one proctype alone receives or sends; no step depends on it."""
        for channel in step.channels:
            if isinstance(self.translator.place(Reference(channel.name, channel.source))[1], ArrayType):
                raise PromelaError(f"{step.kind} of an array of channels", channel.source, "leave it out")
            self.translator.channel(channel)
            symbol = self.scope.find(channel.name)
            if symbol is None or not symbol.is_global:  # each process has its own
                continue
            owner = self.scope.exclusive.setdefault((step.kind, channel.name), self.translator.proctype)
            if owner != self.translator.proctype:
                raise PromelaError(f"'{owner}' says {step.kind} {channel.name} already", channel.source)

    def _braced(self, steps: list[Step], sequence: Sequence) -> None:
        self._blocks += 1
        self.path.append(self._blocks)
        self.scope.open_block()
        self._steps(steps, sequence)
        self.scope.close_block()
        self.path.pop()

    def _closed(self, steps: list[Step], source: Source, braces: bool) -> Sequence:
        sequence = Sequence()
        if braces:
            self._braced(steps, sequence)
        else:
            self._steps(steps, sequence)
        if sequence.first is None:
            raise PromelaError("a sequence must have at least one statement", source, "write skip")
        return sequence.close()

    def _declare(self, declaration: Declaration, sequence: Sequence) -> None:
        """A declaration behind a statement or in an inner block sets its variables in steps of their own."""
        for symbol, declarator in zip(self.scope.declare(declaration), declaration.declarators, strict=True):
            check_initial(self.scope, symbol, declarator.initial)
            if declaration.at_start:
                self.initial.append(symbol)
                continue
            if symbol.channel is not None:
                raise PromelaError(
                    f"channel '{symbol.name}' is made in the middle of a proctype",
                    symbol.source,
                    "declare it at the start of the proctype",
                )
            sequence.add(self._node("basic", declarator.source, self._reset(symbol, declarator)))
            symbol.initial = None

    def _reset(self, symbol: Symbol, declarator: Declarator) -> Action:
        source = declarator.source
        kind = symbol.type.element if isinstance(symbol.type, ArrayType) else symbol.type
        if isinstance(kind, RecordType):  # SPIN makes a step of it that changes nothing
            return Action(f"{symbol.name} = 0", source)
        value = declarator.initial
        if isinstance(value, list):
            raise PromelaError("a list of values can only stand at the start of a proctype", source)
        assert not isinstance(value, ChannelInit)
        first = Number(0, source, "0") if isinstance(symbol.type, ArrayType) else None  # only this one is reset
        return self.translator.assign(Reference(symbol.name, source, first), value or Number(0, source, "0"), source)

    # Statements: first their inner sequences, then their own nodes

    def _prepare(self, statement: Statement, sequence: Sequence) -> Draft:
        source = statement.source
        match statement:
            case Labelled(label=label, statement=inner):
                return Draft("label", source, label=label, inner=self._prepare(inner, sequence))
            case Block(kind=kind, body=body):
                return self._prepare_block(kind, body, source)
            case Choice(options=options, repeats=repeats):
                return self._prepare_choice(options, repeats, source)
            case For() | ForIn():
                return self._prepare_for(statement, sequence)
            case Select():
                return self._prepare_select(statement, sequence)
            case Unless() if self._d_step:
                raise PromelaError("'unless' inside a d_step", source, "use atomic")
            case Unless(body=body, escape=escape):
                return self._prepare_unless(self._prepare(body, sequence), self._prepare(escape, sequence), source)
            case Goto(label=name):
                jump = Jump(name, tuple(self.path), source, self._d_step)
                self.jumps.append(jump)
                return Draft("goto", source, Action(f"goto {name}", source), jump=jump)
            case Break():
                return self._break(source)
            case Else():
                return Draft("else", source, Action("else", source))
            case Send() | Receive() if self.is_claim:
                raise PromelaError("a never claim that sends or receives", source, "a claim can only watch")
            case _:
                return Draft("basic", source, self.translator.action(statement))

    def _break(self, source: Source) -> Draft:
        if not self.loops:
            raise PromelaError("'break' outside a loop", source)
        if self.loops[-1].d_step != self._d_step:
            raise PromelaError("this 'break' leaves a d_step", source, "use atomic")
        return Draft("goto", source, Action("break", source), jump=self.loops[-1])

    def _prepare_block(self, kind: str, body: list[Step], source: Source) -> Draft:
        outside = self._d_step
        if kind == "d_step" and not outside:
            self._d_step = self._blocks + 1
        self.translator.in_d_step = self._d_step > 0
        sequence = self._closed(body, source, braces=True)
        self._d_step = outside
        self.translator.in_d_step = outside > 0
        if kind != "plain":
            make_atomic(sequence, deterministic=kind == "d_step")
        return Draft("block" if kind == "plain" else kind, source, sequences=[sequence])

    def _prepare_choice(self, options: list[list[Step]], repeats: bool, source: Source) -> Draft:
        if repeats:
            self.loops.append(Jump(":break", (), source, self._d_step))
        self._check_else(options)
        sequences = [self._closed(option, source, braces=False) for option in options]
        draft = Draft("loop" if repeats else "choice", source, sequences=sequences)
        if repeats:
            draft.jump = self.loops.pop()
        if not self.is_claim:
            for sequence in sequences:
                prune_skips(sequence)
        return draft

    def _check_else(self, options: list[list[Step]]) -> None:
        first = [option[0] for option in options if option]
        communicates = any(isinstance(step, (Send, Receive)) for step in first)
        if communicates and self.scope.exclusive:
            for step in first:
                if isinstance(step, Else):
                    raise PromelaError("'else' beside a send or receive in a model with xr or xs", step.source)

    def _prepare_for(self, statement: For | ForIn, sequence: Sequence) -> Draft:
        source = statement.source
        self.loops.append(Jump(":break", (), source, self._d_step))
        main = Sequence()
        counter = self._loop_head(statement, sequence, main)
        self._braced(statement.body, main)
        return self._loop(counter, main, source, with_else=True)

    def _loop_head(self, statement: For | ForIn, sequence: Sequence, main: Sequence) -> Reference:
        """The first value before the loop, the test in it, and what is fetched; returns the counter."""
        source = statement.source
        if isinstance(statement, For):
            low, high = statement.low, statement.high
            if isinstance(low, Number) and isinstance(high, Number) and low.value > high.value:
                raise PromelaError(f"a loop from {low.value} to {high.value} has no round", source)
            return self._count_up(statement.index, statement.low, statement.high, "<=", sequence, main)
        _, kind = self.translator.place(statement.over)
        if isinstance(kind, ArrayType):
            last = Number(kind.size - 1, source)
            return self._count_up(statement.index, Number(0, source, "0"), last, "<=", sequence, main)
        _, item = self.translator.place(statement.index)
        if kind != CHANNEL or not isinstance(item, RecordType) or not self._carries(statement.over, item):
            remedy = "use an array, or a record and a channel of such records"
            raise PromelaError(f"'{statement.over.name}' is no array", statement.over.source, remedy)
        counter = self._hidden_counter(source)
        length = ChannelTest("len", statement.over, source)
        self._count_up(counter, Number(0, source, "0"), length, "<", sequence, main)
        for step in (
            Receive(statement.over, [statement.index], False, False, source),
            Send(statement.over, [statement.index], False, source),
        ):
            self._basic(step, main)
        return counter

    def _carries(self, channel: Reference, item: RecordType) -> bool:
        """Whether messages are such records, as far as the channel's declaration says."""
        symbol = self.scope.find(channel.name)
        return symbol is None or symbol.channel is None or symbol.channel.fields == [item.name]

    def _hidden_counter(self, source: Source) -> Reference:
        name = f"_for_{self.count + 1}"
        self.scope.declare(Declaration("byte", [Declarator(name, source)], source))
        return Reference(name, source)

    def _count_up(
        self, index: Reference, low: Expression, high: Expression, test: str, before: Sequence, main: Sequence
    ) -> Reference:
        if index.index is not None or index.field is not None:
            raise PromelaError("the counter of a loop must be a simple variable", index.source)
        self._basic(Assign(index, low, index.source), before)
        self._basic(Condition(Binary(test, index, high, index.source), index.source), main)
        return index

    def _basic(self, statement: Statement, sequence: Sequence) -> None:
        sequence.add(self._node("basic", statement.source, self.translator.action(statement)))

    def _loop(self, counter: Reference, main: Sequence, source: Source, with_else: bool) -> Draft:
        """The rest of a counting loop: one more round, or out of it."""
        increment = Binary("+", counter, Number(1, source, "1"), source)
        self._basic(Assign(counter, increment, source), main)
        leave = Sequence()
        if with_else:
            leave.add(self._node("else", source, Action("else", source)))
        self._add(self._break(source), leave)
        return Draft("loop", source, sequences=[leave.close(), main.close()], jump=self.loops.pop())

    def _prepare_select(self, statement: Select, sequence: Sequence) -> Draft:
        source, index = statement.source, statement.index
        if statement.listed:
            assert isinstance(statement.low, Number) and isinstance(statement.high, Number)
            low, high = statement.low.value, statement.high.value
            if low > high:
                raise PromelaError(f"select from {low} to {high} has no value to choose", source)
            if high - low <= LISTED_SELECT:
                values = [Number(value, source, str(value)) for value in range(low, high + 1)]
                return self._prepare_choice([[Assign(index, value, source)] for value in values], False, source)
            self._basic(Assign(index, statement.low, source), sequence)
            more: list[Step] = [
                Condition(Binary("<", index, statement.high, source), source),
                Assign(index, Binary("+", index, Number(1, source, "1"), source), source),
            ]
            return self._prepare_choice([more, [Break(source)]], True, source)
        main = Sequence()
        self._count_up(index, statement.low, statement.high, "<", sequence, main)
        self.loops.append(Jump(":break", (), source, self._d_step))
        return self._loop(index, main, source, with_else=False)

    def _prepare_unless(self, body: Draft, escape: Draft, source: Source) -> Draft:
        if escape.kind == "block":
            way_out = escape.sequences[0]
        else:
            way_out = Sequence()
            self._add(escape, way_out)
            way_out.close()
        if body.kind == "block":
            return Draft("unless", source, sequences=[body.sequences[0], way_out])
        if body.kind == "label" and body.inner is not None and body.inner.kind in ("block", "atomic", "d_step"):
            lifted = Sequence()
            self._add(Draft("unless", source, sequences=[body.inner.sequences[0], way_out]), lifted)
            inner = Draft(body.inner.kind, source, sequences=[lifted.close()])
            return Draft("label", source, label=body.label, inner=inner)
        main = Sequence()
        self._add(body, main)
        return Draft("unless", source, sequences=[main.close(), way_out])

    # Nodes

    def _add(self, draft: Draft, sequence: Sequence) -> None:
        """Makes the nodes of a statement and appends them; labels go onto the one where it begins."""
        names: list[str] = []
        while draft.kind == "label":
            assert draft.inner is not None
            names.append(draft.label)
            draft = draft.inner
        match draft.kind:
            case "choice" | "loop":
                node = self._add_choice(draft, sequence)
            case "unless":
                node = self._add_unless(draft, sequence)
            case _:
                node = self._node(draft.kind, draft.source, draft.action)
                node.jump = draft.jump
                node.body = draft.sequences[0] if draft.sequences else None
                if draft.kind == "goto" and any(name.startswith(("end", "accept", "progress")) for name in names):
                    # A jump is passed over, so a label that marks states needs a place of its own. SPIN moves only
                    # the first of several labels there.
                    marked = self._node("basic", draft.source, skip_action(draft.source))
                    sequence.add(marked)
                    self._label(names[:1], marked)
                    names = names[1:]
                sequence.add(node)
        self._label(names, node)

    def _label(self, names: Many[str], node: Node) -> None:
        for name in names:
            here = tuple(self.path)
            if any(known.name == name and here[: len(known.scope)] == known.scope for known in self.labels):
                raise PromelaError(f"label '{name}' is defined twice", node.source)
            if self.scope.find(name) is not None:
                raise PromelaError(f"'{name}' is a variable and cannot be a label", node.source)
            node.labels.append(name)
            self.labels.append(Label(name, here, node, self._d_step))

    def _add_choice(self, draft: Draft, sequence: Sequence) -> Node:
        node = self._node(draft.kind, draft.source)
        join = self._node("join", draft.source, Action(".(goto)", draft.source))
        node.options = _else_last(draft.sequences)
        for option in node.options:
            option.add(join)
        if draft.kind == "loop":
            sequence.add(join)
            join = self._node("exit", draft.source, Action("break", draft.source))
            assert draft.jump is not None
            draft.jump.node = join
        sequence.add(node)
        sequence.add(join)
        return node

    def _add_unless(self, draft: Draft, sequence: Sequence) -> Node:
        node = self._node("unless", draft.source)
        join = self._node("join", draft.source, Action(".(goto)", draft.source))
        node.options = draft.sequences
        for option in node.options:
            option.add(join)
        attach_escape(node.options[0], node.options[1])
        sequence.add(node)
        sequence.add(join)
        return node

    # Jumps

    def _resolve(self) -> None:
        for jump in self.jumps:
            label = self.find_label(jump.label, jump.scope)
            if label is None:
                raise PromelaError(f"there is no label '{jump.label}' in this proctype", jump.source)
            if label.d_step != jump.d_step:
                way = "leaves a d_step" if jump.d_step else "leads into the middle of a d_step"
                raise PromelaError(f"'goto {jump.label}' {way}", jump.source, "use atomic")
            jump.node = label.node

    def find_label(self, name: str, scope: tuple[int, ...]) -> Label | None:
        """The label of the same block, else of an enclosing one, else of any."""
        known = [label for label in self.labels if label.name == name]
        for label in known:
            if label.scope == scope:
                return label
        for label in known:
            if scope[: len(label.scope)] == label.scope:
                return label
        return known[-1] if known else None


def _else_last(options: list[Sequence]) -> list[Sequence]:
    """SPIN tries an `else` after all other options."""
    others = [option for option in options if option.first is None or option.first.kind != "else"]
    elses = [option for option in options if option.first is not None and option.first.kind == "else"]
    if len(elses) > 1:
        assert elses[1].first is not None
        raise PromelaError("two 'else' options in one selection", elses[1].first.source)
    return others + elses
