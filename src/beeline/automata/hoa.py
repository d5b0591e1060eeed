"""Reads and writes automata in the Hanoi Omega-Automata format, version 1 (Babiak et al. 2015).

Read are automata without alternation, with acceptance of any kind (Büchi, Rabin, Streett, parity, ..) on states or on
transitions, with explicit or implicit labels and aliases. What else the format knows is refused with a reason.
"""

from __future__ import annotations

import re

from beeline.automata.acceptance import ALWAYS, NEVER, Acceptance, Option, all_sets, both, either
from beeline.automata.automaton import Automaton, Edge
from beeline.automata.hoa_text import HoaError, Tokens
from beeline.automata.letters import ALL, NONE, Cube, Guard, Letters
from beeline.model.reading import Token

_IMPLICIT_LIMIT = 16  # propositions with implicit labels: two to that power edges for each state
_PROPOSITIONS = 1000
_OPTIONS = 256  # of an acceptance condition: each is a copy of the automaton
_CONVERT = "convert it first, for instance with Spot: autfilt --gba, or autfilt -B"


def to_hoa(automaton: Automaton, name: str = "") -> str:
    """The automaton in the HOA format.

    >>> from beeline.automata import parse_ltl, translate
    >>> print(to_hoa(translate(parse_ltl("F p"))), end="")
    HOA: v1
    States: 2
    Start: 0
    acc-name: Buchi
    Acceptance: 1 Inf(0)
    AP: 1 "p"
    properties: trans-labels explicit-labels trans-acc deterministic
    --BODY--
    State: 0
    [!0] 0
    [0] 1
    State: 1
    [t] 1 {0}
    --END--
    """
    sets = automaton.sets
    acc_name = {0: "all", 1: "Buchi"}.get(sets, f"generalized-Buchi {sets}")
    acceptance = "&".join(f"Inf({index})" for index in range(sets)) or "t"
    names = "".join(f" {quoted(proposition)}" for proposition in automaton.propositions)
    kind = "state-acc" if automaton.state_based else "trans-acc"
    lines = [
        "HOA: v1",
        *([f"name: {quoted(name)}"] if name else []),
        f"States: {automaton.states}",
        f"Start: {automaton.initial}",
        f"acc-name: {acc_name}",
        f"Acceptance: {sets} {acceptance}",
        f"AP: {len(automaton.propositions)}{names}",
        f"properties: trans-labels explicit-labels {kind}" + " deterministic" * automaton.is_deterministic(),
        "--BODY--",
    ]
    for state, edges in enumerate(automaton.edges):
        marks = edges[0].marks if automaton.state_based and edges else 0
        lines.append(f"State: {state}{show_marks(marks)}")
        for edge in edges:
            own = "" if automaton.state_based else show_marks(edge.marks)
            lines.append(f"[{_label(edge.guard)}] {edge.target}{own}")
    return "\n".join([*lines, "--END--", ""])


def quoted(text: str) -> str:
    """The text in quotes, as HOA and Graphviz write it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def show_marks(marks: int) -> str:
    """The acceptance sets of a mask, behind a space."""
    sets = [str(index) for index in range(marks.bit_length()) if marks >> index & 1]
    return f" {{{' '.join(sets)}}}" if sets else ""


def _label(guard: Guard) -> str:
    if not guard:
        return "f"
    return " | ".join(_cube(cube) for cube in guard)


def _cube(cube: Cube) -> str:
    true, false = cube
    used = true | false
    literals = ["!" * (false >> index & 1) + str(index) for index in range(used.bit_length()) if used >> index & 1]
    return "&".join(literals) or "t"


def from_hoa(text: str, file: str = "") -> Automaton:
    """The automaton that `text` describes. Raises `HoaError` with the line and a way out.

    >>> from beeline.automata import parse_ltl, translate
    >>> automaton = translate(parse_ltl("[] (p -> <> q)"))
    >>> from_hoa(to_hoa(automaton)) == automaton
    True
    """
    return _Reader(Tokens(text, file)).automaton()


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.letters = Letters()
        self.aliases: dict[str, int] = {}
        self.names: tuple[str, ...] | None = None
        self.states: int | None = None
        self.starts: list[int] = []
        self.sets: int | None = None
        self.acceptance: Acceptance = ALWAYS
        self.rows: dict[int, list[tuple[int, int, int]]] = {}

    def automaton(self) -> Automaton:
        self._header()
        self._body()
        rows, sets = all_sets([self.rows.get(state, []) for state in range(self._count())], self.acceptance)
        if len(self.starts) == 1:
            initial = self.starts[0]
        else:  # one more state, which can do what any of them can
            initial = len(rows)
            rows.append([arc for start in dict.fromkeys(self.starts) for arc in rows[start]])
        edges = tuple(
            tuple(Edge(self.letters.cubes(guard), marks, target) for guard, marks, target in row if guard != NONE)
            for row in rows
        )
        state_based = all(len({edge.marks for edge in row}) <= 1 for row in edges)
        declared = "state-acc" in self.tokens.properties
        return Automaton(self.names or (), initial, edges, sets, state_based and declared)

    def _count(self) -> int:
        if self.states is not None:
            return self.states
        used = [*self.rows, *self.starts, *(target for row in self.rows.values() for _, _, target in row)]
        return max(used, default=-1) + 1

    def _header(self) -> None:
        tokens = self.tokens
        first = tokens.take()
        if first.text != "HOA:":
            raise tokens.wrong("this is no HOA file", first, "it must begin with `HOA: v1`")
        version = tokens.take()
        if not re.fullmatch(r"v1(\.\d+)?", version.text):
            raise tokens.wrong(f"version '{version.text}' of the format is not known", version, "version 1 is: v1")
        while (token := tokens.take()).text != "--BODY--":
            if token.kind != "header":
                raise tokens.wrong(f"expected an item of the header, saw {token}", token, "or --BODY--")
            self._item(token)
        if self.sets is None:
            raise tokens.wrong("the header has no `Acceptance:`", token, "write, for instance, Acceptance: 1 Inf(0)")

    def _item(self, token: Token) -> None:
        tokens = self.tokens
        match token.text:
            case "States:":
                self.states = tokens.number("the number of states", 10_000_000)
            case "Start:":
                self.starts.append(tokens.number("a state", 10_000_000))
                self._no_conjunction()
            case "AP:":
                count = tokens.number("the number of propositions", _PROPOSITIONS)
                names = tuple(tokens.string() for _ in range(count))
                if len(set(names)) < count:
                    raise tokens.wrong("a proposition is listed twice", token, "list each one once")
                self.names = names
            case "Alias:":
                alias = tokens.take()
                if alias.kind != "alias":
                    raise tokens.wrong(f"expected an alias such as @a, saw {alias}", alias, "it begins with @")
                self.aliases[alias.text] = self._expression(0)
            case "Acceptance:":
                self.sets = tokens.number("the number of acceptance sets", 1000)
                self.acceptance = self._acceptance(0)
            case "properties:":
                while tokens.token.kind == "word":
                    tokens.properties.add(tokens.take().text)
            case "HOA:" | "--END--":
                raise tokens.wrong(f"{token} cannot stand here", token, "the header ends with --BODY--")
            case _:
                if token.text[0].isupper():  # by the standard: it may change the meaning
                    remedy = "items that begin with a capital letter may change the meaning; take it out if it does not"
                    raise tokens.wrong(f"the item '{token.text}' is not known", token, remedy)
                while tokens.token.kind != "header" and tokens.token.text not in ("--BODY--", ""):
                    tokens.take()

    def _acceptance(self, depth: int) -> Acceptance:
        """``Inf(set)``, ``Fin(set)``, ``t`` and ``f``, joined by ``&``, ``|`` and parentheses."""
        result = self._acceptance_of_all(depth)
        while self.tokens.accept("|"):
            result = self._few(either(result, self._acceptance_of_all(depth)))
        return result

    def _acceptance_of_all(self, depth: int) -> Acceptance:
        result = self._accepting_atom(depth)
        while self.tokens.accept("&"):
            result = self._few(both(result, self._accepting_atom(depth)))
        return result

    def _few(self, acceptance: Acceptance) -> Acceptance:
        if len(acceptance) > _OPTIONS:
            message = f"this acceptance can be met in more than {_OPTIONS} ways"
            raise self.tokens.wrong(message, self.tokens.token, _CONVERT)
        return acceptance

    def _accepting_atom(self, depth: int) -> Acceptance:
        tokens = self.tokens
        token = tokens.take()
        if depth > 100:
            raise tokens.wrong("the acceptance is nested too deep", token, _CONVERT)
        match token.text:
            case "(":
                inner = self._acceptance(depth + 1)
                if not tokens.accept(")"):
                    raise tokens.wrong("a parenthesis is not closed", tokens.token, "add `)`")
                return inner
            case "Inf" | "Fin":
                tokens.expect("(")
                outside = tokens.accept("!") is not None
                named = frozenset({(tokens.number("an acceptance set", (self.sets or 0) - 1), outside)})
                tokens.expect(")")
                return (Option(often=named) if token.text == "Inf" else Option(seldom=named),)
            case "t" | "f":
                return ALWAYS if token.text == "t" else NEVER
        raise tokens.wrong(f"expected Inf(..), Fin(..), t or f, saw {token}", token, "write, for instance, Inf(0)")

    def _body(self) -> None:
        tokens = self.tokens
        state: int | None = None
        shared_label: int | None = None
        shared_marks = implicit = 0
        while (token := tokens.take()).text != "--END--":
            if token.text == "State:":
                self._complete(state, implicit, token)
                shared_label = self._bracketed() if tokens.token.text == "[" else None
                place = tokens.token
                state = tokens.number("a state", 10_000_000 if self.states is None else self.states - 1)
                if state in self.rows:
                    raise tokens.wrong(f"state {state} is described twice", place, "describe each state once")
                self.rows[state] = []
                if tokens.token.kind == "string":
                    tokens.take()
                shared_marks, implicit = self._sets(), 0
                continue
            if token.text == "--ABORT--":
                raise tokens.wrong("the automaton was aborted by its writer", token, "write it again")
            if state is None:
                raise tokens.wrong(f"expected State:, saw {token}", token, "edges belong to a state")
            tokens.goto(tokens.position - 1)
            implicit += self._edge(state, shared_label, shared_marks, implicit)
        self._complete(state, implicit, token)
        for start in self.starts:
            if start >= self._count():
                raise tokens.wrong(f"there is no state {start} to start in", token, "mend `Start:`")
        if tokens.token.kind != "end":
            raise tokens.wrong("there is more than one automaton here", tokens.token, "keep each in its own file")

    def _edge(self, state: int, shared_label: int | None, shared_marks: int, implicit: int) -> int:
        """Reads one edge; 1 if its label is the next implicit one."""
        tokens = self.tokens
        begin = tokens.token
        explicit = begin.text == "["
        if explicit and shared_label is not None:
            raise tokens.wrong("the state has a label already", begin, "label the state or its edges, not both")
        label = self._bracketed() if explicit else shared_label
        target = tokens.number("a state", 10_000_000 if self.states is None else self.states - 1)
        self._no_conjunction()
        counted = label is None
        if label is None:
            label = self._implicit(implicit, begin)
        self.rows[state].append((label, shared_marks | self._sets(), target))
        return int(counted)

    def _implicit(self, number: int, token: Token) -> int:
        count = len(self.names or ())
        if count > _IMPLICIT_LIMIT or number >= 1 << count:
            remedy = f"with {count} propositions there are {1 << count if count <= 60 else 'too many'} implicit labels"
            raise self.tokens.wrong("this edge has no label", token, remedy)
        return self.letters.cube(number, ((1 << count) - 1) & ~number)

    def _complete(self, state: int | None, implicit: int, token: Token) -> None:
        wanted = 1 << len(self.names or ())
        if state is not None and implicit not in (0, wanted):
            message = f"state {state} has {implicit} edges without labels, and {wanted} letters"
            raise self.tokens.wrong(message, token, "give one edge for each letter, or labels")

    def _sets(self) -> int:
        marks = 0
        if self.tokens.accept("{"):
            while not self.tokens.accept("}"):
                marks |= 1 << self.tokens.number("an acceptance set", (self.sets or 0) - 1)
        return marks

    def _no_conjunction(self) -> None:
        if self.tokens.token.text == "&":
            raise self.tokens.wrong("alternating automata are not read", self.tokens.token, _CONVERT)

    def _bracketed(self) -> int:
        self.tokens.expect("[")
        label = self._expression(0)
        self.tokens.expect("]")
        return label

    def _expression(self, depth: int) -> int:
        result = self._conjunction(depth)
        while self.tokens.accept("|"):
            result = self.letters.either(result, self._conjunction(depth))
        return result

    def _conjunction(self, depth: int) -> int:
        result = self._literal(depth)
        while self.tokens.accept("&"):
            result = self.letters.both(result, self._literal(depth))
        return result

    def _literal(self, depth: int) -> int:
        tokens = self.tokens
        token = tokens.take()
        if depth > 100:
            raise tokens.wrong("the label is nested too deep", token, "use aliases")
        if token.text == "!":
            return self.letters.complement(self._literal(depth + 1))
        if token.text == "(":
            inner = self._expression(depth + 1)
            tokens.expect(")")
            return inner
        if token.text in ("t", "f"):
            return ALL if token.text == "t" else NONE
        if token.kind == "alias":
            if token.text not in self.aliases:
                raise tokens.wrong(f"the alias {token.text} is not known", token, "define it before with Alias:")
            return self.aliases[token.text]
        tokens.goto(tokens.position - 1)
        return self.letters.variable(tokens.number("a proposition's number", len(self.names or ()) - 1))


__all__ = ["HoaError", "from_hoa", "to_hoa"]
