"""Random SMV programs against NuSMV: states, invariants, CTL and LTL under fairness, by both engines.

python -m benchmarks.conformance.smv --programs 1000 --seed 0
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.languages.smv.nusmv import PROGRAM, ask
from tests.languages.smv.random_models import Generator

from beeline import check, explore
from beeline.languages.smv import read_smv


def differences(seed: int, folder: Path) -> tuple[int, list[str]]:
    """How many answers were compared for a program, and those that differ."""
    text = Generator(seed).text()
    network, theirs = read_smv(text), ask(text, folder)
    found: list[str] = []
    single, sets = explore(network).statistics.stored, explore(network, engine="bdd").statistics.stored
    remembers = any(one.name == "ran" or one.name.startswith("last_") for one in network.variables)
    if single != sets or (not remembers and single != theirs.states):
        found.append(f"program {seed}: {single} and {sets} states, NuSMV {theirs.states}")
    compared = 1
    for name, holds in theirs.holds.items():
        if not theirs.total and name != "invariant":
            continue
        for engine in ("explicit",) if name.startswith("linear") else ("explicit", "bdd"):
            compared += 1
            verdict = check(network, name, engine=engine).verdict
            if verdict != ("holds" if holds else "violated"):
                found.append(f"program {seed}, {name}, {engine}: {verdict}, NuSMV {holds}")
    return compared, found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if PROGRAM is None:
        raise SystemExit("NuSMV is not installed: see benchmarks/conformance/build_nusmv.sh")
    compared, different = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.seed, given.seed + given.programs):
            count, found = differences(seed, Path(folder))
            compared += count
            different += len(found)
            for line in found:
                print(line, flush=True)
    print(f"{given.programs} programs, {compared} answers compared, {different} different")


if __name__ == "__main__":
    main()
