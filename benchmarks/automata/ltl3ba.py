"""The automata that LTL3BA makes of formulas: how many states they have.

Its sources are in public mirrors, as https://github.com/lkm1321/ltl3ba; in their folder, with Debian's package
`libbdd-dev`, it is built by `g++ -O2 -w -DNXT -o ltl3ba *.cpp -lbdd`.
"""

from __future__ import annotations

import re
import shutil
import subprocess

from benchmarks.automata.spin import text_of

from beeline.automata import Formula
from beeline.automata.normal import normal_form

_GENERAL, _BUCHI = "-H2", "-H3"


def is_present() -> bool:
    return shutil.which("ltl3ba") is not None


def sizes(formula: Formula, seconds: float = 10.0) -> tuple[int, int] | None:
    """States of its generalised automaton and of its Büchi automaton; None if it takes too long. An automaton that
    accepts nothing has one state here, and none there: it counts as one."""
    text = text_of(normal_form(formula))
    try:
        return _states(_GENERAL, text, seconds), _states(_BUCHI, text, seconds)
    except subprocess.TimeoutExpired:
        return None


def _states(kind: str, text: str, seconds: float) -> int:
    command = ["ltl3ba", kind, "-f", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    found = re.search(r"^States: (\d+)", done.stdout, re.M)
    if found is None:
        raise ValueError(f"ltl3ba failed for {text}: {done.stdout[:200]}{done.stderr[:200]}")
    return max(1, int(found[1]))
