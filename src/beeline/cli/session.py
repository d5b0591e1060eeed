"""A person walks through a model: chooses steps by number or by text, goes back, looks around."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TextIO

import click

from beeline.columns import Column, Look, laid_out, look
from beeline.records import replace
from beeline.simulate import NoSuchStep, Turn, Walk, World
from beeline.trace import Trace, to_json
from beeline.trace.chart import to_chart
from beeline.trace.formats import show_changes
from beeline.trace.table import to_table
from beeline.trace.trace import show_place

HELP = """NUMBER, or TEXT   take the step with that number, or the only one whose process or action says so
enter             the first step, or the next one of the trace that is replayed
random [N]        take a step at random, or N of them
wait TIME         let time pass (models with clocks)
back [N]          go back one step, or N; also `undo`
goto N            go to the state after step N, back or forward again
state [NAME]      print the state, or what of it has NAME in its name; also `print`
trace, chart      the steps so far, as a table or as a chart
save FILE         write the steps so far as JSON
quit              end the walk"""
PLAN = "next in the trace"


class Session:
    """The walk, and what a person can say to it. Everything is shown on standard error; what comes of it goes to `out`,
    if that is given."""

    def __init__(self, world: World, plan: Sequence[Turn], most: int, seed: int, out: TextIO | None) -> None:
        self.walk, self.most, self.out = Walk(world, plan), most, out
        self.random = random.Random(seed)
        self.how = look(stream=sys.stderr)
        self.commands: dict[str, Callable[[str], None]] = {
            "random": self._random,
            "wait": self._wait,
            "back": self._back,
            "undo": self._back,
            "goto": self._goto,
            "state": self._state,
            "print": self._state,
            "trace": lambda _: self._say(to_table(self._trace(), self._whole())),
            "chart": lambda _: self._say(to_chart(self._trace(), self.how)),
            "save": self._save,
            "help": lambda _: self._say(HELP),
        }

    def run(self) -> list[Turn]:
        """The turns that were taken in the end."""
        self._show_choices()
        while True:
            said = self._read()
            if said is None or said in ("q", "quit", "exit"):
                break
            before = list(self.walk.taken)
            self._obey(said)
            if self.walk.taken != before:
                if len(self.walk.taken) >= self.most:
                    break
                self._show_choices()
        if self.out is not None and self.walk.taken:
            how = replace(look(stream=self.out), fold=False)
            click.echo(to_table(self._trace(), how), self.out, color=how.colour)
        return self.walk.taken

    def _read(self) -> str | None:
        """What the person says; None at the end of the input."""
        prompt = f"step {len(self.walk.taken) + 1}> "
        if sys.stdin.isatty():
            import readline  # noqa: F401  # lines can be edited and come again

            try:
                return input(prompt).strip()
            except EOFError:
                self._say("")
                return None
        click.echo(prompt, err=True, nl=False)
        line = sys.stdin.readline()
        self._say("")
        return line.strip() if line else None

    def _obey(self, said: str) -> None:
        word, _, rest = said.partition(" ")
        try:
            if word in self.commands:
                self.commands[word](rest.strip())
            elif word == "?":
                self._say(HELP)
            else:
                self._choose(said)
        except NoSuchStep as error:
            self._say(str(error))

    # Steps

    def _choose(self, said: str) -> None:
        possible = self.walk.possible()
        if not possible:
            raise NoSuchStep("there is no step to take: `back` goes back, `quit` ends the walk")
        if not said:
            self._take(self.walk.planned() or possible[0])
        elif said.isdecimal():
            if int(said) >= len(possible):
                numbers = f"a number from 0 to {len(possible) - 1}" if len(possible) > 1 else "0"
                raise NoSuchStep(f"{numbers}, a text, or `help`")
            self._take(possible[int(said)])
        else:
            found = self.walk.find(said)
            if len(found) != 1:
                told = "; ".join(f"{turn.step.process}: {turn.step.action}" for turn in found)
                raise NoSuchStep(f"'{said}' could be {told}" if found else f"no step says '{said}'; `help` tells more")
            self._take(found[0])

    def _take(self, turn: Turn) -> None:
        self.walk.take(turn)
        if turn.step.error:
            self._say(self.how.paint(f"! {turn.step.error}", "bad"))
        for line in turn.step.output:
            self._say(f"prints: {line.rstrip()}")

    def _random(self, rest: str) -> None:
        for _ in range(_number(rest, 1)):
            possible = self.walk.possible()
            if not possible or len(self.walk.taken) >= self.most:
                return
            self._take(self.random.choice(possible))

    def _wait(self, rest: str) -> None:
        try:
            amount = Fraction(rest)
        except (ValueError, ZeroDivisionError):
            raise NoSuchStep(f"'{rest}' is no time to wait: a number such as 2.5") from None
        turn = self.walk.world.wait(self.walk.state, amount, len(self.walk.taken) + 1)
        if turn is None:
            raise NoSuchStep(f"time cannot pass for {rest} here")
        self._take(turn)

    def _back(self, rest: str) -> None:
        if not self.walk.taken:
            raise NoSuchStep("this is the beginning")
        self.walk.go_to(max(0, len(self.walk.taken) - _number(rest, 1)))
        self._show_choices()

    def _goto(self, rest: str) -> None:
        self.walk.go_to(_number(rest, 0))
        self._show_choices()

    # What is shown

    def _show_choices(self) -> None:
        if self.walk.taken:
            last = self.walk.taken[-1].step
            self._say(f"{last.number}. {last.process}: {last.action}   {show_changes(last.shown_changes)}".rstrip())
        possible = self.walk.possible()
        if not possible:
            if not self.walk.has_failed:
                self._say(self.walk.world.ending(self.walk.state))
            return
        planned = self.walk.planned()
        rows = [
            (f"[{place}]", f"{turn.step.process}:", turn.step.action, show_changes(turn.step.shown_changes, brief=True))
            for place, turn in enumerate(possible)
        ]
        for line in laid_out(rows, [Column(), Column(), Column(20), Column(20)], self.how, _choice_style):
            self._say(f"  {line}")
        if planned is not None:
            self._say(f"  {PLAN}: {planned.step.process}: {planned.step.action}")

    def _state(self, rest: str) -> None:
        values = self.walk.world.describe(self.walk.state)
        shown = {name: show_place(value) for name, value in values.items() if rest in name}
        if not shown:
            raise NoSuchStep(f"nothing in the state is called '{rest}'")
        for line in laid_out(list(shown.items()), [Column(), Column(20)], self.how):
            self._say(f"  {line}")

    def _save(self, rest: str) -> None:
        try:
            Path(rest).write_text(json.dumps({"trace": to_json(self._trace())}))
        except OSError as error:
            raise NoSuchStep(f"{rest or 'save'}: {error.strerror}") from None
        self._say(f"wrote {rest}")

    def _trace(self) -> Trace:
        return Trace(self.walk.world.describe(self.walk.start), tuple(self.walk.steps))

    def _whole(self) -> Look:
        return replace(self.how, fold=False)

    def _say(self, text: str) -> None:
        click.echo(text, err=True, color=self.how.colour)


def _choice_style(row: int, column: int) -> str | None:
    return "process" if column == 1 else None


def _number(text: str, otherwise: int) -> int:
    if text and not text.isdecimal():
        raise NoSuchStep(f"'{text}' is no number of steps")
    return int(text) if text else otherwise
