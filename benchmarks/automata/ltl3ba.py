"""The automata that LTL3BA makes of formulas: how many states they have.

Its sources are in public mirrors, as https://github.com/lkm1321/ltl3ba; in their folder, with Debian's package
`libbdd-dev`, it is built by `g++ -O2 -w -DNXT -o ltl3ba *.cpp -lbdd`.
"""

from __future__ import annotations

import shutil
import subprocess

from benchmarks.automata.spin import text_of

from beeline.automata import Automaton, Formula
from beeline.automata.hoa import from_hoa
from beeline.automata.normal import normal_form

_GENERAL, _BUCHI = "-H2", "-H3"


def is_present() -> bool:
    return shutil.which("ltl3ba") is not None


def automata(formula: Formula, seconds: float = 10.0) -> tuple[Automaton, Automaton] | None:
    """Its generalised automaton and its Büchi automaton, read from what it writes; None if it takes too long."""
    text = text_of(normal_form(formula))
    try:
        return _made(_GENERAL, text, seconds), _made(_BUCHI, text, seconds)
    except subprocess.TimeoutExpired:
        return None


def sizes(formula: Formula, seconds: float = 10.0) -> tuple[int, int] | None:
    """Their states. An automaton that accepts nothing has one state here, and none there: it counts as one."""
    made = automata(formula, seconds)
    return None if made is None else (max(1, made[0].states), max(1, made[1].states))


def _made(kind: str, text: str, seconds: float) -> Automaton:
    command = ["ltl3ba", kind, "-f", text]
    return from_hoa(subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True).stdout)
