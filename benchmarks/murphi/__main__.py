"""``python -m benchmarks.murphi``: Murphi models by Rumur, by CMurphi if there is one, and by Beeline.

python -m benchmarks.murphi answers                  measures models/murphi/answers.toml again
python -m benchmarks.murphi speed                    states per second of processor time and bytes per state, in turns
python -m benchmarks.murphi speed --symmetry exact   with symmetry: Rumur's exhaustive one, CMurphi's default
python -m benchmarks.murphi command                  processor time from a command to its verdict, small models
python -m benchmarks.murphi eddy                     the same counts by threads and by processes (beeline[cluster])
python -m benchmarks.murphi gain                     what symmetry costs and gains, for 2 to 8 processes
python -m benchmarks.murphi poem --sizes 6 8 10      POeM's tables on German's protocol (beeline[smt])
python -m benchmarks.murphi poem-models [FOLDER]     its table of other models, some of CMurphi's `ex` too
python -m benchmarks.murphi public FOLDER            models from elsewhere: the same states and verdicts
python -m benchmarks.murphi public FOLDER --most 20000   only those whose error or end comes in so many states
python -m benchmarks.murphi public FOLDER --symmetry exact
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from benchmarks.murphi.eddy import eddy
from benchmarks.murphi.models import FOLDER, with_constants
from benchmarks.murphi.peers import PLAIN, Answer, Limits, Rumur
from benchmarks.murphi.poem import poem
from benchmarks.murphi.poem_models import poem_models
from benchmarks.murphi.public import public
from benchmarks.murphi.speed import command, speed
from benchmarks.murphi.symmetry import gain

ANSWERS = FOLDER / "answers.toml"


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


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.murphi", description=__doc__)
    parser.add_argument(
        "part", choices=("answers", "speed", "command", "eddy", "gain", "poem", "poem-models", "public")
    )
    parser.add_argument("folder", nargs="?", type=Path, help="with models, for `public` and `poem-models`")
    parser.add_argument("--symmetry", choices=("none", "exact", "auto", "quick"), default="none")
    parser.add_argument("--models", nargs="+", default=[""], metavar="WORD", help="whose name contains one of these")
    parser.add_argument("--sizes", nargs="+", default=["6", "8"], choices=("6", "8", "10"), help="clients, for `poem`")
    parser.add_argument("--seconds", type=int, default=60, help="of processor time for each tool, for `public`")
    parser.add_argument("--most", type=int, help="states of a model that is compared by `public`")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--peers", nargs="+", default=["Rumur", "CMurphi"], help="the tools beside Beeline, for `speed`"
    )
    arguments = parser.parse_args()
    if arguments.part == "answers":
        measure_answers()
    elif arguments.part == "public":
        if arguments.folder is None or not arguments.folder.is_dir():
            parser.error("public needs a folder with models")
        print(public(arguments))
    elif arguments.part == "eddy":
        print(eddy(arguments.symmetry))
    elif arguments.part == "gain":
        print(gain())
    elif arguments.part == "poem":
        print(poem(tuple(arguments.sizes)))
    elif arguments.part == "poem-models":
        print(poem_models(arguments.folder, arguments.models))
    elif arguments.part == "command":
        print(command(arguments))
    else:
        print(speed(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
