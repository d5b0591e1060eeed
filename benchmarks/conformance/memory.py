"""What SPIN said before, kept by content, so that a comparison does not wait for SPIN again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from .corpus import Model
from .spin import Limits, SpinFacts, ask_spin

DEFAULT = Path(__file__).parent / "spin-results.jsonl"


class Memory:
    """Answers of SPIN in a file of JSON lines, one per model and content.

    An answer is asked for again when the model changed, or when a smaller time limit cut the earlier run.
    """

    def __init__(self, path: Path = DEFAULT) -> None:
        self.path = path
        self._known = self._read()
        self._learned: dict[str, tuple[str, SpinFacts]] = {}

    def _read(self) -> dict[str, tuple[str, SpinFacts]]:
        known: dict[str, tuple[str, SpinFacts]] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                name, digest = record.pop("name"), record.pop("digest")
                known[name] = (digest, SpinFacts(**record))
        return known

    def recall(self, model: Model, limits: Limits) -> SpinFacts | None:
        """What SPIN said about this very content, if it is known well enough."""
        digest, facts = self._known.get(model.name, ("", None))
        if facts is None or digest != model.digest():
            return None
        if facts.accepted and facts.reason == "time" and facts.cpu_limit_s < limits.cpu_s:
            return None
        return facts

    def ask(self, model: Model, limits: Limits) -> SpinFacts:
        """The known answer, else a fresh one, which is then known."""
        facts = self.recall(model, limits)
        if facts is None:
            facts = ask_spin(model.path, model.macros, limits)
            self.learn(model, facts)
        return facts

    def learn(self, model: Model, facts: SpinFacts) -> None:
        """Keeps an answer in memory; `save` writes it down."""
        self._known[model.name] = self._learned[model.name] = (model.digest(), facts)

    def save(self) -> None:
        """Writes all answers, sorted by name, leaving out fields that say nothing.

        What another process has written in the meantime is kept."""
        empty = SpinFacts(accepted=True)
        lines = []
        self._known = {**self._known, **self._read(), **self._learned}
        for name, (digest, facts) in sorted(self._known.items()):
            record: dict[str, object] = {"name": name, "digest": digest, "accepted": facts.accepted}
            for field in dataclasses.fields(facts):
                value = getattr(facts, field.name)
                if field.name != "accepted" and value != getattr(empty, field.name):
                    record[field.name] = value
            lines.append(json.dumps(record))
        partial = self.path.with_suffix(".partial")
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
        partial.replace(self.path)
