"""Random SMV programs with questions of all kinds."""

from __future__ import annotations

from random import Random

BOOLEAN = ("TRUE", "FALSE")


class Generator:
    """One program; `seed` decides everything. With `plain` it has one module alone, and no fairness."""

    def __init__(self, seed: int, plain: bool = False) -> None:
        self.random, self.plain = Random(seed), plain
        self.variables: dict[str, str | tuple[str, ...]] = {}
        self.inputs: list[str] = []

    def text(self) -> str:
        random = self.random
        processes = not self.plain and random.random() < 0.3
        modules = not self.plain and not processes and random.random() < 0.4
        kinds: list[str | tuple[str, ...]] = ["boolean", "boolean", ("red", "green", "blue"), "0..3", "1..2"]
        self.variables = {f"v{i}": random.choice(kinds) for i in range(random.randint(2, 4))}
        lines = ["MODULE main", "VAR", *(f"  {name} : {_type(kind)};" for name, kind in self.variables.items())]
        if processes or modules:
            word = "process " if processes else ""
            lines += [f"  part{i} : {word}part({self.boolean(1)}, {self._of('boolean')});" for i in range(2)]
        state = dict(self.variables)
        if random.random() < 0.25:
            lines += ["FROZENVAR f : boolean;"]
            self.variables["f"] = "boolean"
        defined = random.random() < 0.3
        if defined:
            lines += [f"DEFINE d := {self.boolean(2)};"]
        if not processes and random.random() < 0.25:
            lines += ["IVAR i : boolean;"]
            self.inputs = ["i"]
        else:
            self.inputs = []
        lines += self._assignments(state)
        lines += self._constraints(state)
        lines += self._questions(processes or modules)
        if processes or modules:
            lines += self._part(processes)
        return "\n".join(lines) + "\n"

    def _of(self, kind: str) -> str:
        fitting = [name for name, other in self.variables.items() if other == kind]
        return self.random.choice(fitting) if fitting else "TRUE"

    def _assignments(self, state: dict[str, str | tuple[str, ...]]) -> list[str]:
        random = self.random
        found = ["ASSIGN"]
        for name, kind in state.items():
            if random.random() < 0.7:
                found.append(f"  init({name}) := {self.choice(kind, 0)};")
            if random.random() < 0.85:
                found.append(f"  next({name}) := {self.choice(kind, 2, steps=True)};")
        return found if len(found) > 1 else []

    def _constraints(self, state: dict[str, str | tuple[str, ...]]) -> list[str]:
        random = self.random
        found = []
        if random.random() < 0.2:
            found.append(f"INIT {self.boolean(2)};")
        if random.random() < 0.25:
            found.append(f"TRANS {self.boolean(1, steps=True)} | {self.following(state)};")
        if random.random() < 0.2:
            found.append(f"INVAR {self.boolean(1)} | {self.boolean(1)};")
        if not self.plain and random.random() < 0.3:
            found.append(f"FAIRNESS {self.boolean(1)};")
        return found

    def following(self, state: dict[str, str | tuple[str, ...]]) -> str:
        one, other = self.random.choice(list(state)), self.random.choice(list(state))
        if state[one] == state[other]:
            return f"next({one}) = next({other})"
        return f"next({one}) = {self.constant(state[one])}"

    def _questions(self, parts: bool) -> list[str]:
        found = [f"INVARSPEC NAME invariant := {self.boolean(2)};"]
        found += [f"CTLSPEC NAME branching{i} := {self.branching(2)};" for i in range(3)]
        found += [f"LTLSPEC NAME linear{i} := {self.linear(2)};" for i in range(2)]
        if parts:
            found.append("CTLSPEC NAME parts := AG (part0.x -> EF part1.x);")
        return found

    def _part(self, processes: bool) -> list[str]:
        random = self.random
        fair = ["FAIRNESS running"] if processes and random.random() < 0.6 else []
        step = random.choice(["a & !x", "{x, a}", "b union !x", "case b : !x; a : {TRUE, FALSE}; TRUE : x; esac"])
        return ["MODULE part(a, b)", "VAR x : boolean;", f"ASSIGN init(x) := FALSE; next(x) := {step};", *fair]

    # Expressions

    def constant(self, kind: str | tuple[str, ...]) -> str:
        if kind == "boolean":
            return self.random.choice(BOOLEAN)
        if isinstance(kind, tuple):
            return self.random.choice(kind)
        low, high = map(int, kind.split(".."))
        return str(self.random.randint(low, high))

    def choice(self, kind: str | tuple[str, ...], depth: int, steps: bool = False) -> str:
        """What may be assigned to a variable."""
        random = self.random
        shape = random.random()
        if depth == 0 or shape < 0.25:
            if shape < 0.5:
                return "{" + f"{self.constant(kind)}, {self.constant(kind)}" + "}"
            return self.constant(kind)
        if shape < 0.35:
            return f"{self.choice(kind, 0)} union {self.choice(kind, 0)}"
        if shape < 0.45 and kind == "boolean":
            return self.boolean(depth, now=steps)
        if shape < 0.55 and kind == "0..3":
            return f"({self._number()} + {random.randint(1, 3)}) mod 4"
        if shape < 0.65:
            same = [name for name, other in self.variables.items() if other == kind]
            if same:
                return random.choice(same)
        condition, other = self.boolean(1, now=steps), self.boolean(1, now=steps)
        branches = [f"{condition} : {self.choice(kind, depth - 1, steps)};", f"{other} : {self.choice(kind, 0)};"]
        return f"case {' '.join(branches)} TRUE : {self.choice(kind, depth - 1, steps)}; esac"

    def _number(self) -> str:
        fitting = [name for name, kind in self.variables.items() if kind in ("0..3", "1..2")]
        return self.random.choice(fitting) if fitting else str(self.random.randint(0, 3))

    def boolean(self, depth: int, steps: bool = False, now: bool = False) -> str:
        """A condition; with `steps` also about what comes next, with `now` also about inputs."""
        random = self.random
        if depth == 0:
            return self._atom(steps, now)
        operator = random.choice(["&", "|", "->", "<->", "xor", "!", "atom"])
        if operator == "atom":
            return self._atom(steps, now)
        if operator == "!":
            return f"!({self.boolean(depth - 1, steps, now)})"
        return f"({self.boolean(depth - 1, steps, now)} {operator} {self.boolean(depth - 1, steps, now)})"

    def _atom(self, steps: bool, now: bool) -> str:
        random = self.random
        if (now or steps) and self.inputs and random.random() < 0.3:
            return "i"
        name, kind = random.choice(list(self.variables.items()))
        written = f"next({name})" if steps and name != "f" and random.random() < 0.4 else name
        if kind == "boolean":
            return written
        if isinstance(kind, tuple) or random.random() < 0.5:
            return f"{written} = {self.constant(kind)}"
        return random.choice([f"{written} < {self.constant(kind)}", f"{written} in {{{self.constant(kind)}, 3}}"])

    def branching(self, depth: int) -> str:
        random = self.random
        if depth == 0:
            return f"({self.boolean(1)})"
        operator = random.choice(["AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "&", "->", "!"])
        if operator in ("AU", "EU"):
            return f"{operator[0]}[{self.branching(depth - 1)} U {self.branching(depth - 1)}]"
        if operator in ("&", "->"):
            return f"({self.branching(depth - 1)} {operator} {self.branching(depth - 1)})"
        return f"{operator} ({self.branching(depth - 1)})"

    def linear(self, depth: int) -> str:
        random = self.random
        if depth == 0:
            return f"({self.boolean(1, now=not self.plain)})"
        operator = random.choice(["G", "F", "X", "U", "V", "&", "->", "!"])
        if operator in ("U", "V", "&", "->"):
            return f"({self.linear(depth - 1)} {operator} {self.linear(depth - 1)})"
        return f"{operator} ({self.linear(depth - 1)})"


def _type(kind: str | tuple[str, ...]) -> str:
    return "{" + ", ".join(kind) + "}" if isinstance(kind, tuple) else kind
