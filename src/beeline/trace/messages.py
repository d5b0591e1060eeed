"""Messages of a trace: who put each into a channel, at which step, and who took it out."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.records import Record
from beeline.trace.trace import TraceStep


class Message(Record, frozen=True):
    """A message that went through a channel, or a list that is used as one: sent by a step, received by a later one.
    Steps are counted from 0."""

    channel: str
    text: str
    sent: int
    received: int


def messages(steps: Sequence[TraceStep]) -> list[Message]:
    """The messages that were both sent and received, in the order of their sending.

    >>> sends = TraceStep(1, "S", "c!7", {"c": ("[]", "[7]")})
    >>> takes = TraceStep(2, "R", "c?x", {"c": ("[7]", "[]")})
    >>> messages([sends, takes])
    [Message(channel='c', text='7', sent=0, received=1)]
    """
    found: list[Message] = []
    inside: dict[str, list[tuple[str, int] | None]] = {}  # what is in each channel: its text, and the step that sent it
    for number, step in enumerate(steps):
        for name, (before, after) in step.changes.items():
            old, new = contents(before), contents(after)
            if old is None or new is None:
                continue
            queue = inside.setdefault(name, [None] * len(old))
            if len(new) == len(old) + 1:
                place = _difference(old, new)
                queue.insert(place, (new[place], number))
            elif len(new) == len(old) - 1:
                place = _difference(new, old)
                while place > 0 and old[place - 1] == old[place]:  # of equal messages in a row the first was taken
                    place -= 1
                sent = queue.pop(place)
                if sent is not None:
                    found.append(Message(name, sent[0], sent[1], number))
            else:
                inside[name] = [None] * len(new)
    return sorted(found, key=lambda one: (one.sent, one.received))


def contents(text: str | None) -> list[str] | None:
    """The messages in the text of a channel such as ``[1, (2, 3)]``, or of a list or tuple of Python; None if it is
    neither.

    >>> contents("[1, (2, 3)]"), contents("('a, b',)"), contents("7")
    (['1', '(2, 3)'], ["'a, b'"], None)
    """
    if text is None or len(text) < 2 or (text[0], text[-1]) not in (("[", "]"), ("(", ")")):
        return None
    inner = text[1:-1].rstrip().removesuffix(",")
    if not inner:
        return []
    found, start, depth, quote = [], 0, 0, ""
    for place, letter in enumerate(inner):
        if quote:
            quote = "" if letter == quote and inner[place - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            found.append(inner[start:place].strip())
            start = place + 1
    return [*found, inner[start:].strip()]


def _difference(shorter: list[str], longer: list[str]) -> int:
    """Where two lists begin to differ."""
    pairs = zip(shorter, longer, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), len(shorter))
