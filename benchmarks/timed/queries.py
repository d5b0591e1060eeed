"""``python -m benchmarks.timed.queries``: every query of the public UPPAAL models, answered or named.

Each query, of the file or of a query file beside it, gets a line: its verdict, or why it was not checked. Where the
answer is known from elsewhere, it is compared. With `--table` only the table of docs/timed-automata.md is printed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.folders import ROOT
from benchmarks.timed.known import known

from beeline import Limits
from beeline.checking import Result, check_all
from beeline.languages.uppaal import UppaalError, ask, load
from beeline.languages.uppaal.errors import decode
from beeline.languages.uppaal.markup import queries_of
from beeline.languages.uppaal.queries import parse_queries
from beeline.languages.uppaal.syntax import Query
from beeline.model.network import Network
from beeline.model.source import BeelineError, ModelError

MODELS = ROOT.parent / "shared" / "models"
COLLECTIONS = ("uppaal-models", "utap-models")
NOT_CHECKED = "not checked"
COLUMNS = ("holds", "violated", "open", "other kinds", "model refused", "mistakes")
"""Answers, and reasons why a query was not checked: it is of another kind (probabilities, simulations, games, charts);
its model goes beyond timed automata; it names what the model has not."""


@dataclass(frozen=True)
class Answer:
    """What became of a query: holds, violated, unknown (a limit) or not checked, and what is known of it."""

    file: str
    query: str
    verdict: str
    reason: str
    seconds: float = 0.0

    @property
    def column(self) -> str:
        """Where it is counted: its verdict, or why it was not checked."""
        if self.verdict != NOT_CHECKED:
            return "open" if self.verdict == "unknown" else self.verdict
        if self.reason.startswith("the model: "):
            return "model refused"
        return "other kinds" if "not supported: " in self.reason else "mistakes"

    @property
    def agrees(self) -> bool | None:
        """Whether it is as known; None where nothing is known, or no answer was found."""
        expected = known(self.file, self.query)
        if expected is None or self.verdict not in ("holds", "violated"):
            return None
        return self.verdict == expected.verdict and (not expected.reason or expected.reason == self.reason)


@dataclass
class Row:
    """The answers of one folder."""

    files: int = 0
    answers: list[Answer] = field(default_factory=list)

    def cells(self, folder: str) -> str:
        count = Counter(answer.column for answer in self.answers)
        compared = [answer.agrees for answer in self.answers if answer.agrees is not None]
        agree = f"{sum(compared)} of {len(compared)}" if compared else ""
        counts = " | ".join(str(count[column] or "") for column in COLUMNS)
        return f"| `{folder}` | {self.files} | {len(self.answers)} | {counts} | {agree} |"


def queries_beside(file: Path) -> list[Query]:
    """The queries of files in the same folder that belong to no model by their name."""
    files = [one for one in sorted(file.parent.glob("*.q")) if not one.with_suffix(".xml").exists()]
    return [query for one in files for query in parse_queries(decode(one.read_bytes()), str(one))]


def answers(file: Path, limits: Limits) -> Iterator[Answer]:
    name, beside = str(file.relative_to(MODELS)), queries_beside(file)
    try:
        network = load(file)
    except UppaalError as error:
        for query in (*own_queries(file), *beside):
            yield Answer(name, query.text, NOT_CHECKED, f"the model: {error.plain}")
        return
    for asked in network.properties:
        if asked.unsupported_reason:
            yield Answer(name, asked.text, NOT_CHECKED, asked.unsupported_reason)
        else:
            yield answer(name, asked.text, network, asked.name, limits)
    for query in beside:
        yield answer(name, query.text, network, query.text, limits)


def own_queries(file: Path) -> list[Query]:
    try:
        inside = queries_of(decode(file.read_bytes()), str(file))
    except UppaalError:
        return []
    other = file.with_suffix(".q")
    return [*inside, *(parse_queries(decode(other.read_bytes()), str(other)) if other.exists() else ())]


def answer(name: str, text: str, network: Network, asked: str, limits: Limits) -> Answer:
    started = time.monotonic()
    try:
        question = network.property(asked) or ask(network, asked)
        if question.unsupported_reason:
            return Answer(name, text, NOT_CHECKED, question.unsupported_reason)
        result: Result = check_all(network, [question], limits=limits)[0]
    except BeelineError as error:
        return Answer(name, text, NOT_CHECKED, _said(error))
    return Answer(name, text, result.verdict, result.reason, time.monotonic() - started)


def _said(error: BeelineError) -> str:
    """The message without its place, which is the same for many queries."""
    if isinstance(error, UppaalError):
        return error.plain
    return error.message if isinstance(error, ModelError) else str(error)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", default=COLLECTIONS, help="below shared/models")
    parser.add_argument("--time", type=float, default=10.0, metavar="SECONDS", help="for each query")
    parser.add_argument("--memory", type=int, default=2048, metavar="MIB", help="for each query")
    parser.add_argument("--table", action="store_true", help="only the table")
    options = parser.parse_args(arguments)
    if not MODELS.is_dir():
        print(f"the public models are not there (expected in {MODELS})", file=sys.stderr)
        return 2
    limits = Limits(time=options.time, memory=options.memory * 2**20)
    rows: dict[str, Row] = {}
    for file in sorted(file for folder in options.folders for file in (MODELS / folder).rglob("*.xml")):
        row = rows.setdefault(str(file.parent.relative_to(MODELS)), Row())
        row.files += 1
        for found in answers(file, limits):
            row.answers.append(found)
            if not options.table:
                mark = {None: "", True: "  as known", False: "  NOT AS KNOWN"}[found.agrees]
                print(f"{found.file}: {found.query}: {found.verdict} ({found.reason}), {found.seconds:.1f} s{mark}")
                sys.stdout.flush()
    print(f"| folder | files | queries | {' | '.join(COLUMNS)} | as known |")
    print("|---|" + "--:|" * (len(COLUMNS) + 2) + "---|")
    for folder, row in rows.items():
        print(row.cells(folder))
    return int(any(found.agrees is False for row in rows.values() for found in row.answers))


if __name__ == "__main__":
    sys.exit(main())
