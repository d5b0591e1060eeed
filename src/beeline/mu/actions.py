"""Sets of labels of steps, and regular expressions over them.

A name stands for all labels that begin with that word: ``put`` for ``put!3``, ``put?3`` and ``put(3)``. In quotes is a
whole label, in which ``*`` is any text. A label of several events, ``a!1; b?2``, is in a set if one of them is.
"""

from __future__ import annotations

import re
from functools import cached_property

from beeline.records import Record

TAU = "tau"


class Actions(Record, frozen=True, dict=True):
    """A set of labels: ``any``; ``label``, those that a pattern tells; ``not``, ``and``, ``or`` of others."""

    kind: str
    parts: tuple[Actions, ...] = ()
    pattern: str = ""

    def __str__(self) -> str:
        inner = [str(part) for part in self.parts]
        match self.kind:
            case "any":
                return "-"
            case "label":
                return self.pattern
            case "not":
                return f"not {inner[0]}"
        return "(" + f" {self.kind} ".join(inner) + ")"

    def has(self, label: str) -> bool:
        """Whether a label is in the set.

        >>> Actions("label", (), "put").has("put!3"), Actions("label", (), '"put!*"').has("put?3")
        (True, False)
        """
        match self.kind, self.parts:
            case "any", _:
                return True
            case "not", (part,):
                return not part.has(label)
            case "and", parts:
                return all(part.has(label) for part in parts)
            case "or", parts:
                return any(part.has(label) for part in parts)
        return any(self._form.fullmatch(event) is not None for event in (label, *label.split("; ")))

    @cached_property
    def _form(self) -> re.Pattern[str]:
        if self.pattern[0] in "\"'":
            return re.compile(".*".join(re.escape(part) for part in self.pattern[1:-1].split("*")), re.DOTALL)
        return re.compile(re.escape(self.pattern) + r"(?!\w).*", re.DOTALL)


ANY = Actions("any")


class Regular(Record, frozen=True):
    """``actions``, one step of a set; ``sequence``, ``choice``; ``star``, ``plus``, ``option`` of one part."""

    kind: str
    parts: tuple[Regular, ...] = ()
    actions: Actions = ANY

    def __str__(self) -> str:
        inner = [str(part) for part in self.parts]
        match self.kind:
            case "actions":
                return str(self.actions)
            case "sequence":
                return ".".join(inner)
            case "choice":
                return "(" + " | ".join(inner) + ")"
        sign = {"star": "*", "plus": "+", "option": "?"}[self.kind]
        return f"({inner[0]}){sign}"
