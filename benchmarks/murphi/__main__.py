"""``python -m benchmarks.murphi``: Murphi models by Rumur, by CMurphi if there is one, and by Beeline.

    python -m benchmarks.murphi answers                  measures models/murphi/answers.toml again
    python -m benchmarks.murphi speed                    states per second of processor time, in turns, on this machine
    python -m benchmarks.murphi speed --symmetry exact   with symmetry: Rumur's exhaustive one, CMurphi's default
    python -m benchmarks.murphi public FOLDER            models from elsewhere: the same states and verdicts as Rumur's
    python -m benchmarks.murphi public FOLDER --symmetry exact

Rumur's verifiers are compiled as its manual says, with `-O3 -march=native`; compiling counts on neither side. Beeline
counts with `--tier native`, warm: its code is compiled in a first run. The start of its command counts.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.beem.tables import grouped, table
from benchmarks.murphi.peers import FASTEST, Answer, CMurphi, Limits, PeerMissing, Rumur

FOLDER = Path(__file__).resolve().parents[2] / "models" / "murphi"
ANSWERS = FOLDER / "answers.toml"
PLAIN = ("--symmetry-reduction", "off", "--value-type", "int32_t")
FOLDED = ("--symmetry-reduction", "exhaustive", "--value-type", "int32_t")
LARGE = (
    ("german.m", ("N=6",)), ("flash.m", ()), ("flash.m", ("NODES=4",)), ("directory.m", ("CACHES=6",)),
    ("mcs_lock.m", ("N=6",)), ("mcs_lock.m", ("HASTY=true", "N=5")), ("peterson.m", ("N=6",)),
    ("sliding_window.m", ("MODULUS=6", "CAPACITY=4")), ("snooping.m", ("CACHES=5", "LINES=2")),
)  # fmt: skip


@contextmanager
def with_constants(model: str, constants: Sequence[str]) -> Iterator[Path]:
    """A copy of a model that declares these constants: Rumur and CMurphi take them from the text only."""
    text = (FOLDER / model).read_text()
    for constant in constants:
        name, value = constant.split("=")
        text, count = re.subn(rf"^(\s*){name}: [^;]*;", rf"\g<1>{name}: {value};", text, flags=re.MULTILINE)
        if count != 1:
            raise SystemExit(f"{model} declares no constant {name}")
    with tempfile.TemporaryDirectory(prefix="murphi-") as folder:
        path = Path(folder) / model
        path.write_text(text)
        yield path


def entry(model: str, constants: Sequence[str], answer: Answer) -> str:
    """What Rumur says of a model, as the file keeps it."""
    quoted = ", ".join(f'"{constant}"' for constant in constants)
    lines = ["[[answer]]", f'model = "{model}"', f"constants = [{quoted}]", f'verdict = "{answer.verdict}"']
    if answer.kinds:
        lines.append(f'kind = "{answer.kinds[0]}"')
    if answer.length is not None:
        lines.append(f"shortest = {answer.length}")
    if answer.verdict == "holds":
        lines.append(f"states = {answer.states}")
    return "\n".join(lines) + "\n"


def measure_answers() -> None:
    """Asks Rumur for every entry of the file, and writes it again below its first comment."""
    text = ANSWERS.read_text()
    rumur = Rumur(*PLAIN, limits=Limits(cpu_s=400, memory_mb=8000), optimise=("-O2",))
    entries = []
    for known in tomllib.loads(text)["answer"]:
        with with_constants(known["model"], known["constants"]) as path:
            entries.append(entry(known["model"], known["constants"], rumur.ask(path)))
    ANSWERS.write_text(text[: text.index("[[answer]]")] + "\n".join(entries))


class Rate:
    """States per second of processor time of one tool on one model."""

    def __init__(self, states: int, seconds: float) -> None:
        self.states, self.seconds = states, seconds

    @property
    def per_second(self) -> float:
        return self.states / max(self.seconds, 1e-3)


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_rumur(binary: Path) -> Rate:
    """One run of a verifier that was compiled before."""
    before = _spent()
    done = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
    found = re.search(r'<summary states="(\d+)"', done.stdout)
    if found is None:
        raise SystemExit(f"Rumur: {done.stderr[:300]}")
    return Rate(int(found[1]), _spent() - before)


def run_cmurphi(binary: Path, options: Sequence[str]) -> Rate:
    """One run of a verifier that was compiled before."""
    before = _spent()
    done = subprocess.run([str(binary), "-tn", "-m3000", *options], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+) states, \d+ rules fired in", done.stdout)
    if found is None:
        raise SystemExit(f"CMurphi: {done.stdout[-300:]}")
    return Rate(int(found[1]), _spent() - before)


def run_beeline(path: Path, symmetry: str) -> Rate:
    """The whole command, its start and the reading of the model included."""
    before = _spent()
    beeline = Path(sys.executable).with_name("beeline")
    command = [str(beeline), "explore", str(path), "--json", "--tier", "native"]
    done = subprocess.run([*command, "--symmetry", symmetry], capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return Rate(found["states"], _spent() - before)


def speed(arguments: argparse.Namespace) -> str:
    """A table of medians, each tool in its turn."""
    options = PLAIN if arguments.symmetry == "none" else FOLDED
    rumur = Rumur(*options, limits=Limits(cpu_s=600, memory_mb=12000), optimise=FASTEST)
    try:
        cmurphi = CMurphi(limits=Limits(cpu_s=600, memory_mb=12000), optimise=FASTEST)
    except PeerMissing:
        cmurphi = None
    rows = []
    for model, constants in LARGE:
        if not any(word in model for word in arguments.models):
            continue
        with with_constants(model, constants) as path:
            binary = path.with_name("rumur")
            if mistake := rumur.build(path, binary):
                raise SystemExit(f"Rumur does not take {model}: {mistake}")
            other = path.with_name("cmurphi")
            has_peer = cmurphi is not None and not cmurphi.build(path, other)
            run_beeline(path, arguments.symmetry)  # its native code is compiled and kept
            runs: dict[str, list[Rate]] = {"rumur": [], "cmurphi": [], "beeline": []}
            for _ in range(arguments.repeats):
                runs["rumur"].append(run_rumur(binary))
                if has_peer:
                    runs["cmurphi"].append(run_cmurphi(other, ("-nosym",) if arguments.symmetry == "none" else ()))
                runs["beeline"].append(run_beeline(path, arguments.symmetry))
        rows.append(_row(" ".join([model, *constants]), runs))
        print(" | ".join(rows[-1]), flush=True)
    head = ("model", "states", "Rumur's", "Rumur/s", "CMurphi/s", "Beeline/s", "to Rumur", "to CMurphi")
    return table(head, rows)


def _row(name: str, runs: dict[str, list[Rate]]) -> tuple[str, ...]:
    rates = {tool: statistics.median(run.per_second for run in found) for tool, found in runs.items() if found}
    ours = rates["beeline"]
    peer = rates.get("cmurphi")
    return (
        name,
        grouped(runs["beeline"][0].states),
        grouped(runs["rumur"][0].states),
        grouped(round(rates["rumur"])),
        "" if peer is None else grouped(round(peer)),
        grouped(round(ours)),
        f"{ours / rates['rumur']:.2f}",
        "" if peer is None else f"{ours / peer:.2f}",
    )


def compare_public(arguments: argparse.Namespace) -> str:
    """What became of the models in a folder, and in what the tools differ."""
    from benchmarks.conformance.murphi import murphi_differences, symmetry_differences
    from benchmarks.conformance.tool import Beeline, Inside, ToolLimits

    examine = murphi_differences if arguments.symmetry == "none" else symmetry_differences
    beeline = Beeline(Inside(), ToolLimits(time_s=20))
    became: Counter[str] = Counter()
    for path in sorted(arguments.folder.rglob("*.m")):
        if not any(word in path.name for word in arguments.models):
            continue
        kind, difference = examine(path.read_text(errors="replace"), beeline)
        became[kind] += 1
        if kind == "disagrees":
            print(f"{path.name}: {difference}", flush=True)
    return ", ".join(f"{count} {kind}" for kind, count in became.most_common())


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.murphi", description=__doc__)
    parser.add_argument("part", choices=("answers", "speed", "public"))
    parser.add_argument("folder", nargs="?", type=Path, help="with models, for `public`")
    parser.add_argument("--symmetry", choices=("none", "exact", "auto", "quick"), default="none")
    parser.add_argument("--models", nargs="+", default=[""], metavar="WORD", help="whose name contains one of these")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.part == "answers":
        measure_answers()
    elif arguments.part == "public":
        if arguments.folder is None or not arguments.folder.is_dir():
            parser.error("public needs a folder with models")
        print(compare_public(arguments))
    else:
        print(speed(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
