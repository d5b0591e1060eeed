"""Random Promela programs with processes that are alike, and a few in which something tells them apart."""

from __future__ import annotations

from random import Random


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = random.choice((2, 3, 3, 3, 4))
        self.by_number = random.random() < 0.5  # processes know themselves by `_pid`, else by a parameter
        self.nested = random.random() < 0.5  # their channels are in an array, else parameters
        self.ring = not self.nested and random.random() < 0.3
        self.first = 1 if self.by_number else 0
        self.ids = [self.first + i for i in range(self.count)]
        self.me = "_pid" if self.by_number else "me"
        self.mine = f"link[{self.me}]" if self.nested else "mine"
        self.odd = random.random() < 0.15

    def program(self) -> str:
        size = self.count + self.first
        channels = (
            f"chan link[{size}] = [1] of {{ byte }};\n"
            if self.nested
            else "".join(f"chan l{i} = [1] of {{ byte }};\n" for i in self.ids)
        )
        parameters = [] if self.by_number else ["byte me"]
        parameters += [] if self.nested else ["chan mine", "chan next"] if self.ring else ["chan mine"]
        options = "\n".join(f"  :: {self._option()}" for _ in range(self.random.randint(2, 4)))
        return (
            f"bool flag[{size}]; byte st[{size}]; byte x; byte turn = {self.random.choice(self.ids)};\n"
            f"byte owner = {self._nobody()};\nchan box = [1] of {{ byte, byte }};\n{channels}"
            f"proctype client({'; '.join(parameters)}) {{\n  byte v = {self._nobody()};\n  do\n{options}\n  od\n}}\n"
            f"{self._server()}init {{ atomic {{\n{self._runs()}}} }}\n"
        )

    def _nobody(self) -> int:
        return 0 if self.by_number else 9

    def _runs(self) -> str:
        runs = []
        for position, i in enumerate(self.ids):
            given = [] if self.by_number else [str(i)]
            if not self.nested:
                given.append(f"l{i}")
                given += [f"l{self.ids[(position + 1) % self.count]}"] if self.ring else []
            runs.append(f"  run client({', '.join(given)});\n")
        extra = (
            [f"  st[{i}] = {self.random.choice((0, 0, 1))};\n" for i in self.ids] if self.random.random() < 0.3 else []
        )
        serves = ["  run server();\n"] if self.serves else []
        return "".join((*runs, *serves, *extra))

    def _server(self) -> str:
        self.serves = self.random.random() < 0.4
        if not self.serves:
            return ""
        answers = "\n".join(f"  :: box ? w, {i} -> {self._link(i)} ! w" for i in self.ids)
        return f"proctype server() {{\n  byte w;\n  do\n{answers}\n  :: x == 2 -> x = 0\n  od\n}}\n"

    def _link(self, i: int) -> str:
        return f"link[{i}]" if self.nested else f"l{i}"

    def _option(self) -> str:
        steps = [self._guard(), *(self._step() for _ in range(self.random.randint(1, 3)))]
        body = "; ".join(steps)
        return self.random.choice((body, body, f"atomic {{ {body} }}", f"d_step {{ {steps[0]}; {self._plain()} }}"))

    def _all(self, form: str, between: str) -> str:
        parts = [form.format(i) for i in self.ids]
        self.random.shuffle(parts)
        return f"({f' {between} '.join(parts)})"

    def _guard(self) -> str:
        me, mine = self.me, self.mine
        if self.odd and self.random.random() < 0.2:
            return self.random.choice((f"{me} != {self.ids[0]}", f"flag[{self.ids[-1]}]", f"{me} < turn"))
        return self.random.choice(
            (
                f"flag[{me}]", f"!flag[{me}]", f"turn == {me}", f"turn != {me}", f"st[{me}] < 2", "x < 2",
                f"owner == {self._nobody()}", f"owner == {me}", f"len({mine}) == 0", f"nempty({mine})", "!flag[turn]",
                self._all("!flag[{0}]", "&&"), self._all("st[{0}] == 1", "||"), "true",
                self._all(f"({me} == {{0}} || st[{{0}}] != 1)", "&&"), f"v == {me}", "empty(box)",
            )
        )  # fmt: skip

    def _plain(self) -> str:
        me = self.me
        return self.random.choice(
            (
                f"flag[{me}] = 1", f"flag[{me}] = 0", f"turn = {me}", f"owner = {me}", f"owner = {self._nobody()}",
                f"st[{me}] = (st[{me}] + 1) % 3", "x = (x + 1) % 3", f"v = {me}", f"v = {self._nobody()}", "v = turn",
            )
        )  # fmt: skip

    def _step(self) -> str:
        me, mine = self.me, self.mine
        if self.odd and self.random.random() < 0.1:
            return f"turn = {self.ids[0]}"
        choices = "if " + " ".join(f":: turn = {i}" for i in self.ids) + " fi"
        further = ["next ! turn", f"next ! {me}"] if self.ring else [f"{mine} ! turn"]
        return self.random.choice(
            (
                self._plain(), self._plain(), self._plain(), choices, f"{mine} ! {me}", f"{mine} ? v", f"{mine} ? turn",
                f"box ! {me}, turn", f"box ? turn, eval({me})", f"assert(x != 2 || owner != {me} || flag[{me}])",
                f"assert(st[{me}] != 2 || turn != {me})", *further,
            )
        )  # fmt: skip

    def question(self) -> str:
        if self.random.random() < 0.2:
            return f"E<> flag[{self.ids[0]}] && x == 1"
        return self.random.choice(
            (
                "E<> x == 2",
                f"E<> {self._all('flag[{0}]', '&&')}",
                f"E<> {self._all('st[{0}] == 2', '||')} && x == 1",
                f"E<> {self._all('st[{0}] == 1', '&&')}",
            )
        )


def symmetric_promela_of(seed: int) -> tuple[str, str]:
    """A program, and a question about it."""
    writer = _Writer(Random(seed))
    return writer.program(), writer.question()
