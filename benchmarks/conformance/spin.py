"""Runs SPIN on one Promela file under limits and reads what its verifier prints.

Three questions are asked of every model:

* the *plain count*: every state of the unreduced space, with SPIN's count-changing optimisations switched off
  (`spin -a -o1 -o2 -o3`, `-DNOREDUCE -DSAFETY -DNOCLAIM`, `./pan -E -A -c0`);
* the *verdict* as a SPIN user gets it (`spin -a`, `-DSAFETY`, `./pan`), once with and once without the claim;
* the *shortest error* by `-DBFS`, which is exact only without rendezvous; with rendezvous by `-DREACH` and
  `-i`, which counts a handshake as two steps.
"""

from __future__ import annotations

import dataclasses
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

PLAIN_SPIN = ("-o1", "-o2", "-o3")
PLAIN_CC = ("-DNOREDUCE", "-DSAFETY", "-DNOCLAIM")


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one run of a verifier may use; time is processor time, so that a busy machine changes nothing."""

    cpu_s: int = 6
    memory_mb: int = 3000
    depth: int = 1_000_000
    depth_again: int = 20_000_000
    brief: bool = False  # only the plain count and its verdict, by a verifier that is quick to compile


@dataclasses.dataclass(frozen=True)
class PanRun:
    """What one run of `pan` said. `complete` is false when a limit cut the search."""

    states: int | None = None
    transitions: int | None = None
    atomic_steps: int | None = None
    depth: int | None = None
    errors: int | None = None
    error: str = ""
    error_depth: int | None = None
    complete: bool = False
    reason: str = ""

    @property
    def verdict(self) -> str:
        """`holds`, `violated` or `unknown`, as far as this run looked."""
        if self.error:
            return "violated"
        return "holds" if self.complete else "unknown"


@dataclasses.dataclass(frozen=True)
class SpinFacts:
    """Everything that SPIN said about one model under one set of macros."""

    accepted: bool
    message: str = ""
    states: int | None = None
    transitions: int | None = None
    depth: int | None = None
    complete: bool = False
    reason: str = ""
    verdict: str = "unknown"
    kind: str = ""
    claim_verdict: str = ""
    claim_kind: str = ""
    plain_verdict: str = "unknown"
    shortest: int | None = None
    shortest_kind: str = ""
    shortest_exact: bool = False
    shortest_two_step: int | None = None
    has_claim: bool = False
    rendezvous: bool = False
    cpu_limit_s: int = 0


class SpinMissing(RuntimeError):
    """SPIN or a C compiler is not installed."""


def kind_of(error: str) -> str:
    """The kind of an error line of `pan`: `deadlock`, `assertion`, `claim`, `index` or `other`.

    >>> kind_of("invalid end state")
    'deadlock'
    """
    for pattern, kind in (
        ("invalid end state", "deadlock"),
        ("assertion violated", "assertion"),
        ("end state in claim reached", "claim"),
        ("claim violated", "claim"),
        ("indexing", "index"),
        ("invalid array index", "index"),
    ):
        if pattern in error:
            return kind
    return "other" if error else ""


def steps_to_error(run: PanRun, breadth_first: bool) -> int | None:
    """The number of statements executed up to the error, a failing `assert` included.

    `pan` numbers depths from -1 or 0, depending on the search and on the kind of error; this is one measure.
    """
    if not run.error or run.error_depth is None:
        return None
    if breadth_first and kind_of(run.error) == "deadlock":
        return run.error_depth
    return run.error_depth + 1


_INTEGER_LINES = {
    "states": re.compile(r"^\s*(\d+) states, stored", re.M),
    "transitions": re.compile(r"^\s*(\d+) transitions", re.M),
    "atomic_steps": re.compile(r"^\s*(\d+) atomic steps", re.M),
    "depth": re.compile(r"depth reached (\d+)"),
    "errors": re.compile(r"errors: (\d+)"),
}
_ERROR = re.compile(r"^pan:\s*1: (.*?) \(at depth (-?\d+)\)", re.M)
_LIMIT_SIGNS = (
    ("max search depth too small", "depth"),
    ("VECTORSZ is too small", "vector"),
    ("recompile with -DVECTORSZ", "vector"),
    ("out of memory", "memory"),
    ("reached -DMEMLIM bound", "memory"),
    ("too many queues", "queues"),
)


def read_pan(output: str) -> PanRun:
    """Reads the report of one run of `pan`."""
    numbers = {
        name: int(found.group(1)) if (found := pattern.search(output)) else None
        for name, pattern in _INTEGER_LINES.items()
    }
    failed = _ERROR.search(output)
    reason = next((word for sign, word in _LIMIT_SIGNS if sign in output), "")
    if numbers["states"] is None and not reason:
        reason = "no report: " + " ".join(output.split())[-200:]
    return PanRun(
        error=failed.group(1).strip() if failed else "",
        error_depth=int(failed.group(2)) if failed else None,
        complete=not reason and "Search not completed" not in output,
        reason=reason,
        **numbers,
    )


def quick_compiler() -> str:
    """For small verifiers that run for a moment: tcc, if it is installed, takes a fortieth of the time of gcc."""
    return "tcc" if shutil.which("tcc") else "gcc"


def _limited(cpu_s: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_limited(command: Sequence[str], folder: Path, cpu_s: int) -> tuple[int, str]:
    """Runs a command under a limit of processor time; returns its exit status and all that it printed."""
    with subprocess.Popen(
        list(command),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=lambda: _limited(cpu_s),
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=20 * cpu_s + 60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        return process.returncode, output.decode("utf-8", "replace")


class Verifier:
    """A folder with `pan.c` of one model; builds and runs verifiers from it."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits

    def generate(
        self, source: Path, macros: Sequence[str], options: Sequence[str] = (), cpu_s: int = 30
    ) -> tuple[bool, str]:
        """Runs `spin -a`; returns whether it made a verifier, and what it said."""
        for old in self.folder.glob("pan*"):
            old.unlink()
        command = ["spin", "-a", *options, *macros, str(source)]
        status, output = run_limited(command, self.folder, cpu_s)
        return status == 0 and (self.folder / "pan.c").exists(), output

    def build(
        self, name: str, flags: Sequence[str], vector: int = 2048, optimise: str = "-O1", compiler: str = "gcc"
    ) -> str:
        """Compiles `pan.c`; returns the complaint of the compiler, empty when all is well."""
        command = [compiler, optimise, "-w", f"-DMEMLIM={self.limits.memory_mb}", f"-DVECTORSZ={vector}", *flags]
        status, output = run_limited([*command, "-o", name, "pan.c"], self.folder, 120)
        return "" if status == 0 else " ".join(output.split())[:300] or "the compiler was stopped"

    def search(self, name: str, options: Sequence[str]) -> PanRun:
        """Runs a verifier, once more with a deeper stack when the first was too shallow."""
        run = self._search(name, [f"-m{self.limits.depth}", *options])
        if run.reason == "depth" and not run.error and self.limits.depth_again > self.limits.depth:
            run = self._search(name, [f"-m{self.limits.depth_again}", *options])
        return run

    def _search(self, name: str, options: Sequence[str]) -> PanRun:
        status, output = run_limited([f"./{name}", *options], self.folder, self.limits.cpu_s)
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            found = read_pan(output)
            return PanRun(error=found.error, error_depth=found.error_depth, reason="time")
        return read_pan(output)

    def build_and_search(self, name: str, flags: Sequence[str], options: Sequence[str]) -> PanRun:
        """Builds and runs once more with a larger state vector when the first was too small."""
        for vector in (2048, 65536):
            complaint = self.build(name, flags, vector, "-O0" if self.limits.brief else "-O1")
            if complaint:
                return PanRun(reason="not compiled: " + complaint)
            run = self.search(name, options)
            if run.reason != "vector":
                break
        return run


_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", re.S)


def without_comments(text: str) -> str:
    """Promela text with comments and strings blanked, for looking for words in it."""
    return _COMMENT.sub(" ", text)


def has_rendezvous(pan_c: str) -> bool:
    """Whether the generated verifier knows a channel of capacity zero: its `q_zero` answers 1 for it."""
    body = re.search(r"^q_zero\(int from\)\n(.*?)^}", pan_c, re.M | re.S)
    return body is not None and re.search(r"case \d+: return 1;", body.group(1)) is not None


def has_claim(pan_h: str) -> bool:
    """Whether the generated verifier carries a never claim, written out or made from an `ltl` block."""
    return re.search(r"#ifndef NOCLAIM\s+#define NCLAIMS", pan_h) is not None


def _first_complaint(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return next((line for line in lines if "rror" in line), lines[0] if lines else "no message")[:300]


def ask_spin(source: Path, macros: Sequence[str] = (), limits: Limits | None = None) -> SpinFacts:
    """Asks SPIN all three questions about one file.

    >>> ask_spin(Path("models/promela/philosophers.pml"), ["-DN=3"])  # doctest: +SKIP
    """
    limits = limits or Limits()
    source = source.resolve()
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        verifier = Verifier(Path(name), limits)
        try:
            accepted, message = verifier.generate(source, macros, PLAIN_SPIN)
        except FileNotFoundError as missing:
            raise SpinMissing(f"{missing.filename} is not installed") from missing
        if not accepted:
            return SpinFacts(accepted=False, message=_first_complaint(message.replace(f"{source.parent}/", "")))
        return _ask_accepted(verifier, source, macros)


def _ask_accepted(verifier: Verifier, source: Path, macros: Sequence[str]) -> SpinFacts:
    rendezvous = has_rendezvous((verifier.folder / "pan.c").read_text(errors="replace"))
    claim = has_claim((verifier.folder / "pan.h").read_text(errors="replace"))
    count = verifier.build_and_search("plain", PLAIN_CC, ["-E", "-A", "-c0"])
    if count.reason.startswith("not compiled"):
        return SpinFacts(accepted=False, message=count.reason)
    # A search that did not finish when it only counted will not finish when it looks for errors.
    plain = verifier.search("plain", []) if count.complete else PanRun(reason=count.reason)
    usual = PanRun()
    if not verifier.limits.brief:
        verifier.generate(source, macros)
        usual = verifier.build_and_search("usual", ["-DSAFETY", "-DNOCLAIM"], [])
    claimed = verifier.build_and_search("claimed", ["-DSAFETY"], []) if claim else PanRun()
    shortest, shortest_kind, two_step = None, "", None
    if "violated" in (plain.verdict, usual.verdict) and not verifier.limits.brief:
        verifier.generate(source, macros, PLAIN_SPIN)
        shortest, shortest_kind = _shortest(verifier)
        two_step = shortest_two_step(verifier) if rendezvous else None
    finished = count.complete
    return SpinFacts(
        accepted=True,
        states=count.states if finished else None,
        transitions=count.transitions if finished else None,
        depth=count.depth if finished else None,
        complete=finished,
        reason=count.reason,
        verdict=usual.verdict,
        kind=kind_of(usual.error),
        claim_verdict=claimed.verdict if claim else "",
        claim_kind=kind_of(claimed.error),
        plain_verdict=plain.verdict,
        shortest=shortest,
        shortest_kind=shortest_kind,
        shortest_exact=shortest is not None and not rendezvous,
        shortest_two_step=two_step,
        has_claim=claim,
        rendezvous=rendezvous,
        cpu_limit_s=verifier.limits.cpu_s,
    )


def _shortest(verifier: Verifier) -> tuple[int | None, str]:
    """The length and the kind of the shortest error by breadth-first search.

    A deadlock is seen when its state is expanded and a failing assertion when it is generated, so the first
    error of one run may be one step too long: the two kinds are searched apart, and the shorter one counts.
    """
    if verifier.build("breadth", ["-DBFS", *PLAIN_CC], vector=4096):
        return None, ""
    found: list[tuple[int, str]] = []
    for option in ("-E", "-A"):
        run = verifier.search("breadth", [option])
        length = steps_to_error(run, breadth_first=True)
        if length is not None:
            found.append((length, kind_of(run.error)))
        elif not run.complete:
            return None, ""
    return min(found, default=(None, ""))


_SHRUNK = re.compile(r"^pan: reducing search depth to (\d+)", re.M)


def shortest_two_step(verifier: Verifier) -> int | None:
    """The shortest error by depth-first search with a shrinking bound, exact also with rendezvous.

    Every half of a handshake is a step of its own here, as in all numbers that `pan` prints.
    """
    if verifier.build("shrinking", ["-DREACH", *PLAIN_CC]):
        return None
    command = ["./shrinking", "-i", "-m100000"]
    status, output = run_limited(command, verifier.folder, verifier.limits.cpu_s)
    found = _SHRUNK.findall(output)
    return int(found[-1]) if status == 0 and found else None
