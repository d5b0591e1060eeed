"""What NuSMV says of a program."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = shutil.which("NuSMV")
needs_nusmv = pytest.mark.skipif(PROGRAM is None, reason="NuSMV is not installed; .ci/run tells how it is built")


class Answer:
    """The number of states, and which questions hold; `total` is false where some state has no successor."""

    def __init__(self, said: str, names: list[str]) -> None:
        found = re.search(r"reachable states: ([\d.e+]+)", said)
        assert found is not None, said
        self.states = float(found[1])
        self.total = "transition relation is total" in said
        told = re.findall(r"-- (?:specification|invariant) .*?\s+is (true|false)", said, re.DOTALL)
        self.holds = {name: verdict == "true" for name, verdict in zip(names, told, strict=True)}


def ask(text: str, folder: Path) -> Answer:
    """Runs NuSMV; every question of the text has a name."""
    model, script = folder / "model.smv", folder / "script"
    model.write_text(text)
    names = re.findall(r"NAME (\w+)", text)
    commands = [f"read_model -i {model}", "go", "check_fsm", "print_reachable_states"]
    commands += [*(f"check_property -P {name}" for name in names), "quit"]
    script.write_text("\n".join(commands) + "\n")
    done = subprocess.run([PROGRAM or "", "-source", script], capture_output=True, text=True, timeout=120, check=False)
    return Answer(done.stdout, names)
