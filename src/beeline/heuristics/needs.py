"""What an expression still needs, read off its structure.

For each operator the table says how many steps are missing at least until the expression holds, and for its negation as
well (the dual, used below `!`): a conjunction needs the most of its parts (or their sum), a disjunction the least, a
process its distance to the location in its own graph, a channel as many messages as it lacks, anything else one step.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from beeline.heuristics.formula import DEAD_END, Formula
from beeline.heuristics.graphs import distances_to, lives_for_ever, with_births
from beeline.model.expressions import (
    At,
    Binary,
    Call,
    ChannelInfo,
    Checked,
    Conditional,
    Expression,
    Index,
    Instance,
    Literal,
    Numbered,
    Poll,
    Quantified,
    Rate,
    Ref,
    Remote,
    Unary,
    walk,
)
from beeline.records import Record, replace

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
MOST_COPIES = 64  # of a quantified formula; beyond that it is one condition


def may_fail(expression: Expression, channels: Collection[str]) -> bool:
    """Whether evaluating an expression could end in an error, as far as its shape tells."""
    for part in walk(expression):
        match part:
            case Binary("/" | "%", _, Literal(value)) if value != 0:
                continue
            case Binary("/" | "%") | Call() | Checked() | Remote(Numbered(), _) | Remote(_, Call()) | Poll() | Rate():
                return True
            case Index(_, index) if not isinstance(index, Literal):
                return True
            case ChannelInfo(_, channel) if not (isinstance(channel, Ref) and channel.name in channels):
                return True
            case _:
                continue
    return False


class Needs:
    """From a formula to the nodes that estimate its distance."""

    def __init__(self, formula: Formula, add: bool) -> None:
        self.formula = formula
        self.channels = formula.program.layout.scope.channels
        self.conjunction = formula.total if add else formula.maximum
        network = formula.program.network
        # Several edges in one step: then a channel can gain or lose several messages in it.
        self.long_steps = any(location.deterministic for process in network.processes for location in process.locations)

    def node(self, wanted: Expression, holds: bool) -> int:
        """Steps until `wanted` holds, or until it does not."""
        match wanted:
            case Literal(value):
                return self.formula.constant(0 if bool(value) == holds else DEAD_END)
            case Unary("!", operand):
                return self.node(operand, not holds)
            case Binary("&&" | "||", left, right):
                parts = [self.node(left, holds), self.node(right, holds)]
                return self.join(parts, (wanted.operator == "&&") == holds)
            case Binary("imply", left, right):
                return self.join([self.node(left, not holds), self.node(right, holds)], not holds)
            case Conditional(condition, then, otherwise):
                first = self.join([self.node(condition, True), self.node(then, holds)], True)
                second = self.join([self.node(condition, False), self.node(otherwise, holds)], True)
                return self.join([first, second], False)
            case Quantified(kind, name, low, high, body) if kind != "sum" and high - low < MOST_COPIES:
                parts = [self.node(_with(body, name, value), holds) for value in range(low, high + 1)]
                return self.join(parts, (kind == "forall") == holds)
            case At():
                return self._at(wanted) if holds else self._condition(wanted, False)
            case ChannelInfo():
                return self._channel(wanted, holds)
            case Binary(operator, left, right) if operator in OPPOSITE:
                return self._comparison(operator if holds else OPPOSITE[operator], left, right)
            case _:
                return self._condition(wanted, holds)

    def join(self, parts: list[int], all_of_them: bool) -> int:
        """Steps until all of several things are so, or one of them."""
        if not parts:
            return self.formula.constant(0 if all_of_them else DEAD_END)
        return self.conjunction(parts) if all_of_them else self.formula.minimum(parts)

    def _condition(self, wanted: Expression, holds: bool) -> int:
        """One step if it is not as it should be."""
        once = Unary("!", wanted)
        return self.formula.value(once if holds else Unary("!", once))

    def _at(self, wanted: At) -> int:
        layout = self.formula.program.layout
        network = self.formula.program.network
        match wanted.process:
            case Instance(name):
                numbers = [network.instance_numbers[name]]
                kind = network.process_index[network.initial[numbers[0]].process]
            case Numbered(process, Literal(number)):
                numbers = [number]
                kind = network.process_index[process]
            case Numbered(process, _):
                kind = network.process_index[process]
                numbers = list(range(len(layout.processes)))
        numbers = [n for n in numbers if n < len(layout.processes) and kind in layout.processes[n].kinds]
        places = layout.scope.processes[kind].location_index[wanted.location]
        return self.join([self.place(n, kind, places) for n in numbers], False)

    def place(self, number: int, kind: int, locations: Collection[int]) -> int:
        """Steps until a process number is at one of these locations of a kind, by that kind's own graph."""
        layout = self.formula.program.layout
        process = self.formula.program.network.processes[kind]
        distance = distances_to(process, locations)
        if lives_for_ever(layout, number):
            return self.formula.place(number, {kind: distance}, DEAD_END, DEAD_END)
        distance, absent = with_births(process, distance)
        return self.formula.place(number, {kind: distance}, absent, absent)

    def _channel(self, wanted: ChannelInfo, holds: bool) -> int:
        """`full` and `empty` by the messages that are missing or too many."""
        what = wanted.what
        if what in ("nempty", "nfull"):
            return self.node(ChannelInfo(what[1:], wanted.channel), not holds)
        if what not in ("empty", "full") or not holds or self.long_steps or not self._is_queue(wanted.channel):
            return self._condition(wanted, holds)
        length = ChannelInfo("len", wanted.channel)
        if what == "empty":
            return self.formula.value(length)
        return self.formula.value(Binary("-", ChannelInfo("capacity", wanted.channel), length))

    def _is_queue(self, channel: Expression) -> bool:
        """Whether this surely names a channel that keeps messages."""
        known = self.channels.get(channel.name) if isinstance(channel, Ref) else None
        return known is not None and known.capacity > 0

    def _comparison(self, operator: str, left: Expression, right: Expression) -> int:
        """The length of a channel against a number: as many messages as are missing or too many."""
        if isinstance(right, ChannelInfo) and isinstance(left, Literal):
            operator, left, right = TURNED[operator], right, left
        if (
            operator == "!="
            or self.long_steps
            or not (isinstance(left, ChannelInfo) and left.what == "len" and isinstance(right, Literal))
            or not self._is_queue(left.channel)
        ):
            return self._condition(Binary(operator, left, right), True)
        bound = Literal(right.value + {">": 1, "<": -1}.get(operator, 0))
        missing = self.formula.value(Binary("-", bound, left))
        surplus = self.formula.value(Binary("-", left, bound))
        if operator in (">", ">="):
            return missing
        return surplus if operator in ("<", "<=") else self.formula.maximum([missing, surplus])


def _with(part: Any, name: str, value: int) -> Any:
    """An expression, or a part of one, with a number in place of a quantified name."""
    if part == Ref(name):
        return Literal(value)
    if isinstance(part, tuple):
        return tuple(_with(inner, name, value) for inner in part)
    if not isinstance(part, Record) or (isinstance(part, Quantified) and part.name == name):
        return part
    return replace(part, **{label: _with(getattr(part, label), name, value) for label in part.__struct_fields__})
