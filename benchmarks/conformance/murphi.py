"""Random Murphi programs: Beeline against Rumur, and its searches and tiers against each other.

States are counted without what the program claims of them: Rumur does not keep states that violate an invariant. Of
several errors, Rumur reports the one that it comes to first: a deadlock a step nearer than another error may come after
it, in the same layer.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.murphi.peers import EVERY_ERROR, FOLDED, PLAIN, Answer, Limits, Rumur

from .tool import INTERNAL, Beeline
from .tool import Answer as Ours

COUNTING = ("--counterexample-trace", "off", "--max-errors", str(EVERY_ERROR))
MOST_STATES = 20_000
WAYS = (
    ["--search", "dfs"],
    ["--search", "auto"],
    ["--search", "bfs", "--store", "tree"],
    ["--search", "bfs", "--threads", "2"],
)
OUT_OF_TIME = "time limit"
NATIVE = ["--search", "bfs", "--tier", "native"]
"""It takes a compiler's time, and so not all programs are asked for it."""


def murphi_differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a program (`agrees`, `disagrees`, `too large`, `rejected`), and the disagreement."""
    rumur = Rumur(*PLAIN, limits=Limits(cpu_s=10), optimise=("-O0",))
    with tempfile.TemporaryDirectory(prefix="random-murphi-") as name:
        path, bare = Path(name) / "model.m", Path(name) / "bare.m"
        path.write_text(text)
        bare.write_text(re.sub(r"^(invariant|cover) .*$", "", text, flags=re.MULTILINE))
        counted = rumur.ask(bare, *COUNTING)
        if not counted.accepted:
            return "rejected", counted.message
        if counted.states is None or counted.states > MOST_STATES:
            return "too large", ""
        answered, ours = rumur.ask(path), beeline.ask("explore", bare)
        if ours.values.get("complete") is False:
            return "too large", ""  # or the machine too busy
        difference = _counts_differ(counted, ours) or verdicts_differ(path, answered, beeline)
        return ("disagrees" if difference else "agrees"), difference


def symmetry_differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """The same for a program with scalarsets: states up to their names, where no error ends Rumur's search."""
    rumur = Rumur(*FOLDED, limits=Limits(cpu_s=10), optimise=("-O0",))
    with tempfile.TemporaryDirectory(prefix="random-murphi-") as name:
        path, bare = Path(name) / "model.m", Path(name) / "bare.m"
        path.write_text(text)
        bare.write_text(re.sub(r"^invariant .*$", "", text, flags=re.MULTILINE))
        counted = rumur.ask(bare, *COUNTING)
        if not counted.accepted:
            return "rejected", counted.message
        ours = beeline.ask("explore", bare, ["--symmetry", "exact"])
        if counted.states is None or counted.states > MOST_STATES or ours.values.get("complete") is False:
            return "too large", ""
        if counted.states != ours.values.get("states"):
            return "disagrees", f"states: Rumur {counted.states}, Beeline {ours.values.get('states')} {ours.message}"
        verdicts = [
            str(beeline.ask("check", path, ["--search", "bfs", "--symmetry", name]).values.get("verdict"))
            for name in ("exact", "quick", "none")
        ]
        answer = rumur.ask(path).verdict
        if set(verdicts) != {answer}:
            return "disagrees", f"verdict: Rumur {answer}, Beeline {', '.join(verdicts)}"
        return "agrees", ""


def _counts_differ(rumur: Answer, ours: Ours) -> str:
    if ours.refused or ours.status == INTERNAL:
        return f"refused: {ours.message}"
    values = ours.values
    if rumur.states != values["states"]:
        return f"states: Rumur {rumur.states}, Beeline {values['states']}"
    errors = sum(kind not in ("deadlock", "cover", "liveness") for kind in rumur.kinds)
    if errors != values["errors"]:
        return f"errors: Rumur {errors}, Beeline {values['errors']}"
    deadlocks = rumur.kinds.count("deadlock")
    if deadlocks != values["deadlocks"] and not errors:  # where all rules fail, Rumur goes on to call that a deadlock
        return f"deadlocks: Rumur {deadlocks}, Beeline {values['deadlocks']}"
    return ""


def verdicts_differ(path: Path, rumur: Answer, beeline: Beeline, options: Sequence[str] = ()) -> str:
    """In what the verdict or the length of the shortest trace differs, by any search; `options` go with each."""
    ours = beeline.ask("check", path, ["--search", "bfs", *options])
    verdict, length = str(ours.values.get("verdict", "")), ours.values.get("trace_length")
    if _out_of_time(ours):
        return ""
    found = set(rumur.kinds) - {"cover"}
    has_covers = "cover" in path.read_text()
    if rumur.verdict != verdict and found and has_covers:
        rumur = _asked_without_covers(path)  # it reads them in every state, and may fail at that
    if rumur.verdict != verdict:
        return f"verdict: Rumur {rumur.verdict} {rumur.kinds}, Beeline {verdict} {ours.message}"
    if verdict == "violated" and found:
        length = 0 if _fails_at_start(ours) else length
        is_deadlock = ours.values.get("reason") == "deadlock"
        if rumur.length != length and has_covers:
            rumur = _asked_without_covers(path)
        if rumur.length != length and not (is_deadlock and rumur.length == (length or 0) + 1):
            return f"length: Rumur {rumur.length} {rumur.kinds}, Beeline {length}, {ours.values.get('reason')}"
    ways = [*WAYS, NATIVE] if len(path.read_text()) % 5 == 0 else WAYS
    for way in ways:
        other = beeline.ask("check", path, [*way, *options])
        if not _out_of_time(other) and other.values.get("verdict") != verdict:
            return f"verdict: {verdict} by bfs, {other.values.get('verdict')} by {' '.join(way)}"
    return ""


def _out_of_time(ours: Ours) -> bool:
    """Whether the time was up, also while the model was read."""
    return str(ours.values.get("reason")).startswith(OUT_OF_TIME)


def _asked_without_covers(path: Path) -> Answer:
    """What Rumur says of the same program when it claims nothing to be reachable, as the question `safety` does."""
    bare = path.with_name("uncovered.m")
    bare.write_text(re.sub(r"^cover .*$", "", path.read_text(), flags=re.MULTILINE))
    return Rumur(*PLAIN, limits=Limits(cpu_s=10), optimise=("-O0",)).ask(bare)


def _fails_at_start(ours: Ours) -> bool:
    trace = ours.values.get("trace")
    return isinstance(trace, list) and len(trace) == 1 and str(trace[0].get("action", "")).startswith("startstate ")
