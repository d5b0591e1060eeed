"""Runs Rumur and CMurphi on one Murphi file under limits, and reads what their verifiers print.

Rumur is found by its name. CMurphi is not packaged anywhere: the variable CMURPHI names a folder that has its compiler
as `mu` and the headers of its verifiers in `include`; without it there is nothing to compare with.
"""

from __future__ import annotations

import dataclasses
import os
import re
import resource
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as xml
from collections.abc import Sequence
from pathlib import Path

CC = ("cc", "-std=c11", "-w", "-mcx16")
FASTEST = ("-O3", "-march=native")
PLAIN = ("--symmetry-reduction", "off", "--value-type", "int32_t")
FOLDED = ("--symmetry-reduction", "exhaustive", "--value-type", "int32_t")
EVERY_ERROR = 1_000_000_000
UNKNOWN_TO_CMURPHI = re.compile(r"^(cover|liveness)\b.*?;$", re.MULTILINE | re.DOTALL)
"""Properties that only Rumur has; they change no state."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one run of a verifier may use; time is processor time, so that a busy machine changes nothing."""

    cpu_s: int = 20
    memory_mb: int = 6000


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a tool says of a model. `kinds` are those of all errors that it reports, `length` counts the steps of the
    first trace. `complete` is false when a limit cut the search."""

    accepted: bool
    verdict: str = "unknown"
    states: int | None = None
    rules_fired: int | None = None
    kinds: tuple[str, ...] = ()
    length: int | None = None
    complete: bool = False
    message: str = ""


class PeerMissing(RuntimeError):
    """A tool is not installed."""


def kind_of(message: str) -> str:
    """The kind of an error of Rumur's.

    >>> kind_of("Assertion failed: b.m:1.79-97: oops"), kind_of('invariant "mutex" failed')
    ('assertion', 'invariant')
    """
    for pattern, kind in (
        ("Assertion failed", "assertion"),
        (r"^invariant .* failed", "invariant"),
        ("deadlock", "deadlock"),
        ("read of undefined", "undefined"),
        ("out-of-range", "range"),
        ("index out of range", "index"),
        ("division by zero|overflow in (division|modulo)|mod by 0|by 0", "division"),
        ("cover", "cover"),
        ("liveness", "liveness"),
    ):
        if re.search(pattern, message):
            return kind
    return "error"


class Rumur:
    """Rumur with some of its options."""

    def __init__(self, *options: str, limits: Limits | None = None, optimise: Sequence[str] = ("-O1",)) -> None:
        if shutil.which("rumur") is None:
            raise PeerMissing("rumur is not installed")
        self.options = options or ("--symmetry-reduction", "off")
        self.limits = limits or Limits()
        self.optimise = optimise

    def ask(self, path: Path, *options: str) -> Answer:
        """Generates, compiles and runs a verifier."""
        with tempfile.TemporaryDirectory(prefix="rumur-") as name:
            binary = Path(name) / "verifier"
            mistake = self.build(path, binary, *options)
            return Answer(False, message=mistake) if mistake else read_rumur(_run([str(binary)], self.limits))

    def build(self, path: Path, binary: Path, *options: str) -> str:
        """Generates and compiles a verifier; what went wrong, if anything did."""
        source = binary.with_suffix(".c")
        made = _run(
            ["rumur", *self.options, *options, "--threads", "1", "--output-format", "machine-readable",
             "--output", str(source), str(path)], self.limits
        )  # fmt: skip
        if made.returncode:
            return made.stderr.strip()
        built = _run([*CC, *self.optimise, str(source), "-o", str(binary), "-lpthread"], self.limits)
        return f"cc: {built.stderr[:300]}" if built.returncode else ""


def read_rumur(done: subprocess.CompletedProcess[str]) -> Answer:
    """What a verifier of Rumur's says, in its machine-readable form."""
    text = done.stdout
    errors = re.findall(r"<message>(.*?)</message>", text, re.DOTALL)
    summary = re.search(r'<summary states="(\d+)" rules_fired="(\d+)" errors="(\d+)"', text)
    if summary is None:
        return Answer(True, message=f"no summary, exit status {done.returncode}: {done.stderr[:200]}")
    failed = int(summary[3]) > 0 or done.returncode != 0
    return Answer(
        True,
        "violated" if failed else "holds",
        int(summary[1]),
        int(summary[2]),
        tuple(kind_of(xml.fromstring(f"<m>{error}</m>").text or "") for error in errors),
        _first_length(text),
        True,
        errors[0] if errors else "",
    )


def _first_length(text: str) -> int | None:
    """Steps of the first trace that is printed."""
    error = re.search(r"<error.*?</error>", text, re.DOTALL)
    return None if error is None else error[0].count("<transition>Rule")


class CMurphi:
    """CMurphi as `CMURPHI` has it. Its compiler says nothing useful of errors in models, and its verifiers stop at the
    first error."""

    def __init__(self, *options: str, limits: Limits | None = None, optimise: Sequence[str] = ("-O1",)) -> None:
        self.home = Path(os.environ.get("CMURPHI", "")).absolute()
        if not os.environ.get("CMURPHI") or not (self.home / "mu").exists():
            raise PeerMissing("CMURPHI names no folder with CMurphi's compiler `mu` and its `include`")
        self.options = options or ("-nosym",)
        self.limits = limits or Limits()
        self.optimise = optimise

    def ask(self, path: Path, *options: str) -> Answer:
        with tempfile.TemporaryDirectory(prefix="cmurphi-") as name:
            binary = Path(name) / "verifier"
            if mistake := self.build(path, binary):
                return Answer(False, message=mistake)
            megabytes = f"-m{self.limits.memory_mb // 4}"
            return read_cmurphi(_run([str(binary), "-tv", megabytes, *self.options, *options], self.limits, name))

    def build(self, path: Path, binary: Path) -> str:
        """Generates and compiles a verifier; what went wrong, if anything did."""
        copy = binary.with_name("model.m")
        copy.write_text(UNKNOWN_TO_CMURPHI.sub("", path.read_text(errors="replace")))
        made = _run([str(self.home / "mu"), str(copy)], self.limits, str(copy.parent))
        generated = copy.with_suffix(".cpp")
        if not generated.exists() or "Code generated" not in made.stdout:
            return (made.stdout + made.stderr).strip()[-300:]
        compiler = ["c++", "-w", "-fpermissive", *self.optimise, f"-I{self.home / 'include'}", str(generated)]
        built = _run([*compiler, "-o", str(binary)], self.limits)
        return f"c++: {built.stderr[:300]}" if built.returncode else ""


def read_cmurphi(done: subprocess.CompletedProcess[str]) -> Answer:
    """What a verifier of CMurphi's prints."""
    text = done.stdout
    counts = re.search(r"(\d+) states, (\d+) rules fired in", text)
    if "No error found" in text and counts is not None:
        return Answer(True, "holds", int(counts[1]), int(counts[2]), complete=True)
    error = re.search(r"\n(?:Error|Result):\n\s*(.*?)\n", text)
    if error is None or "Internal Error" in error[1]:
        return Answer(True, message=(error[1] if error else f"exit status {done.returncode}"))
    fired = len(re.findall(r"^Rule .* fired\.$", text, re.MULTILINE))
    return Answer(True, "violated", kinds=(_cmurphi_kind(error[1]),), length=fired, complete=True, message=error[1])


def _cmurphi_kind(message: str) -> str:
    for pattern, kind in (
        ("Invariant", "invariant"),
        ("Deadlocked", "deadlock"),
        ("ssertion", "assertion"),
        ("undefined", "undefined"),
        ("not in range|out of range", "range"),
        ("ndex", "index"),
        ("division", "division"),
    ):
        if re.search(pattern, message):
            return kind
    return "error"


def _run(command: Sequence[str], limits: Limits, folder: str | None = None) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 1))
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_mb << 20, limits.memory_mb << 20))

    return subprocess.run(
        list(command), capture_output=True, text=True, errors="replace", preexec_fn=limit, cwd=folder, check=False
    )
