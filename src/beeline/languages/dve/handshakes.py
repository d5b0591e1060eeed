"""Finds handshakes whose outcome depends on whose effects run first.

DVE runs the receiver's effects before the sender's; the IR runs the sender's first, and moves both to their targets
after that. Hardly any model can see the difference. One that could is refused rather than explored differently.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from beeline.languages.dve import syntax
from beeline.languages.dve.names import Scope
from beeline.model.source import ModelError
from beeline.records import Record

# Something shared: a variable and the process that owns it, or where a process is, as (process, "").
Thing = tuple[str | None, str]


class Half(Record, frozen=True):
    """One side of a handshake: what its effects read, and what it writes, its own place included."""

    process: str
    transition: syntax.Transition
    reads: frozenset[Thing]
    writes: frozenset[Thing]

    def disturbs(self, other: Half) -> Thing | None:
        """Something that this one writes and the other one reads or writes."""
        return min(self.writes & (other.reads | other.writes), default=None, key=str)


def check_handshakes(processes: list[syntax.Process], channels: Mapping[str, syntax.Channel], scope: Scope) -> None:
    """Raises `DveError` at the first pair of partners for which the order of effects matters."""
    senders: dict[str, list[Half]] = {}
    receivers: dict[str, list[Half]] = {}
    for process in processes:
        for transition in process.transitions:
            sync = transition.sync
            if sync is not None and channels[sync.channel].capacity == 0:
                side = senders if sync.sends else receivers
                side.setdefault(sync.channel, []).append(_half(process.name, transition, scope))
    for channel, halves in senders.items():
        for sender in halves:
            for receiver in receivers.get(channel, ()):
                shared = sender.disturbs(receiver) or receiver.disturbs(sender)
                if shared is not None and sender.process != receiver.process:
                    raise _order_matters(sender, receiver, shared, scope)


def _order_matters(sender: Half, receiver: Half, shared: Thing, scope: Scope) -> ModelError:
    owner, name = shared
    what = f"`{name}`" if name else f"the state of {owner}"
    message = (
        f"the effects of both partners of this handshake depend on {what} "
        f"(the other one is in line {receiver.transition.at.line}), so that their order would matter"
    )
    remedy = "move one of the assignments into a transition of its own"
    return scope.source.error(message, sender.transition.at, remedy)


def _half(process: str, transition: syntax.Transition, scope: Scope) -> Half:
    own = scope.locals_of[process]
    reads: set[Thing] = set()
    writes: set[Thing] = {(process, "")}
    for assignment in transition.effects:
        target = assignment.target
        writes.add((process if target.name in own else None, target.name))
        reads.update(_read_by(assignment.value, process, own))
        if target.index is not None:
            reads.update(_read_by(target.index, process, own))
    return Half(process, transition, frozenset(reads), frozenset(writes))


def _read_by(expression: syntax.Expression, process: str, own: Container[str]) -> Iterator[Thing]:
    match expression:
        case syntax.Reference(name, index, owner):
            yield owner or (process if name in own else None), name
            if index is not None:
                yield from _read_by(index, process, own)
        case syntax.InState(other) if other != process:
            yield other, ""
        case syntax.Unary(operand=operand):
            yield from _read_by(operand, process, own)
        case syntax.Binary(left=left, right=right):
            yield from _read_by(left, process, own)
            yield from _read_by(right, process, own)
        case _:
            return
