"""Valid Promela programs broken in one place: what SPIN refuses, Beeline has to refuse, and nothing else.

SPIN refuses a program if `spin -a` does, or if the C compiler does not take the verifier that it writes.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from .corners import TRAITS, Corners
from .dice import Dice
from .quick import LIMITS
from .spin import PLAIN_SPIN, Verifier, run_limited
from .tool import INTERNAL, Beeline

# Texts to be put in, one on each line; BYTE, CHAN and the like stand for declared names of a kind.
_TEXTS = Path(__file__).parent / "broken"
STATEMENTS = (_TEXTS / "statements.txt").read_text().splitlines()
UNITS = (_TEXTS / "units.txt").read_text().splitlines()

# What Beeline refuses although SPIN takes it, and what SPIN cannot compile or refuses by its own mistake;
# docs/promela.md gives the reasons.
STRICTER = re.compile(
    "embedded C|assertions are not supported|in a never claim|carries . fields|be part of an expression|"
    "in properties only|must be a constant|has capacity|':init:' is defined twice|is a member of an mtype and|"
    "'unless' inside a d_step|undeclared variable '_|"
    "set to another channel|priority .* is outside|cannot have a first value"
)
LENIENT = re.compile(r"‘Q\d+’ undeclared|expected predicate, saw 'X'|jump into d_step sequence")

_NAMES = {
    "BYTE": re.compile(r"^\s*(?:byte|bit|bool|short|int|pid) (\w+)(?: =[^;\[]*)?;", re.M),
    "ARRAY": re.compile(r"^\s*(?:byte|bit|bool|short|int|pid) (\w+)\[", re.M),
    "CHAN": re.compile(r"^\s*chan (\w+) =", re.M),
    "PAIR": re.compile(r"^\s*Pair (\w+);", re.M),
    "PROC": re.compile(r"proctype (\w+)\("),
    "LABEL": re.compile(r"^\s*(\w+):", re.M),
}
_NAME = re.compile("|".join(_NAMES))
_TOKEN = re.compile(r"\w+|[-+*/%!<>=?&|:]{1,2}|\S")


class Mutation(Dice):
    """Breaks a program in one place, or not at all: some changes leave it valid."""

    def __init__(self, choose: Callable[[int, int], int], text: str) -> None:
        super().__init__(choose)
        self.text = text

    def broken(self) -> str:
        """The program with one change."""
        ways = [
            (6, self.statement),
            (4, self.unit),
            (1, self.without),
            (1, self.twice),
            (1, self.swapped),
            (1, self.other),
        ]
        return self.weighted(ways)()

    def filled(self, template: str) -> str:
        """A template with names of this program in it."""
        known = {kind: sorted(set(pattern.findall(self.text))) or ["nothing"] for kind, pattern in _NAMES.items()}
        return _NAME.sub(lambda found: self.pick(known[found.group()]), template)

    def statement(self) -> str:
        """Puts in a statement."""
        lines = self.text.splitlines()
        places = [number for number, line in enumerate(lines, 1) if line.startswith(" ") and line.endswith(";")]
        if not places:
            return self.unit()
        place = self.pick(places)
        return "\n".join([*lines[:place], f"    {self.filled(self.pick(STATEMENTS))};", *lines[place:]]) + "\n"

    def unit(self) -> str:
        """Puts in a declaration, a proctype, a claim."""
        lines = self.text.splitlines()
        places = [number for number, line in enumerate(lines) if line.startswith(("active", "proctype", "init"))]
        place = self.pick([*places, len(lines)])
        return "\n".join([*lines[:place], self.filled(self.pick(UNITS)), *lines[place:]]) + "\n"

    def _token(self) -> re.Match[str]:
        return self.pick(list(_TOKEN.finditer(self.text)))

    def without(self) -> str:
        """Leaves out a word."""
        word = self._token()
        return self.text[: word.start()] + " " + self.text[word.end() :]

    def twice(self) -> str:
        """Writes a word twice."""
        word = self._token()
        return f"{self.text[: word.end()]} {word.group()} {self.text[word.end() :]}"

    def swapped(self) -> str:
        """Exchanges two neighbouring words."""
        words = list(_TOKEN.finditer(self.text))
        place = self.number(0, len(words) - 2)
        first, second = words[place : place + 2]
        between = self.text[first.end() : second.start()] or " "
        return self.text[: first.start()] + second.group() + between + first.group() + self.text[second.end() :]

    def other(self) -> str:
        """Puts a word of the program in the place of another."""
        word, instead = self._token(), self._token().group()
        return f"{self.text[: word.start()]} {instead} {self.text[word.end() :]}"


def mutant_of(seed: int) -> str:
    """The broken program of a seed."""
    dice = random.Random(seed)
    traits = frozenset(dice.sample(TRAITS, 2)) - {"ranges"} | {"records"}
    return Mutation(dice.randint, Corners(dice.randint, traits).program()).broken()


def spin_refuses(text: str, folder: Path) -> str:
    """Why SPIN refuses a program, or nothing."""
    (folder / "model.pml").write_text(text)
    verifier = Verifier(folder, LIMITS)
    accepted, message = verifier.generate(folder / "model.pml", [], PLAIN_SPIN)
    if not accepted:
        return message.strip() or "no verifier"
    status, complaint = run_limited(["gcc", "-w", "-fsyntax-only", "-DSAFETY", "-DNOREDUCE", "pan.c"], folder, 60)
    return complaint.strip() if status else ""


def refusals(text: str, beeline: Beeline) -> tuple[str, str]:
    """Whether both tools refuse a program or both accept it: `agrees`, `disagrees`, or a known exception, and how."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        folder = Path(name)
        theirs = spin_refuses(text, folder)
        ours = beeline.ask("explore", folder / "model.pml", ["--max-states", "1"])
        if ours.status == INTERNAL:
            return "disagrees", f"internal error: {ours.message}"
        if ours.refused == bool(theirs):
            return "agrees", ""
        if ours.refused:
            kind = "stricter" if STRICTER.search(ours.message) else "disagrees"
            return kind, f"only Beeline refuses: {ours.message.split(':', 1)[-1]}"
        kind = "more lenient" if LENIENT.search(theirs) else "disagrees"
        return kind, f"only SPIN refuses: {' '.join(theirs.split())[:200]}"
