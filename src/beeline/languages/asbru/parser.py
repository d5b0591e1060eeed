"""Reads Asbru text, in the form of Fig. 3 of Bäumler et al. (2006), into the tree of `syntax.py`."""

from __future__ import annotations

import re

from beeline.languages.asbru import syntax
from beeline.languages.asbru.errors import SourceText
from beeline.languages.asbru.tokens import NAME, NUMBER, Cursor
from beeline.model.source import Source
from beeline.records import replace

MINUTES = {"min": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
DECLARATIONS = ("time-unit", "parameter", "variable", "plan")
_SECTIONS = ("intentions", "conditions", "plan-body")
_ACTIONS = ("do", "user-performed", "ask", "assign")
_INTENTION = re.compile(rf"({'|'.join(syntax.GOALS)})-({'|'.join(syntax.SPANS)})-({'|'.join(syntax.ABOUT)})")
MOST_VALUES = 256


def parse_text(text: str, file: str = "<asbru>") -> syntax.Text:
    """The syntax tree of a file; raises `AsbruError` with the place of the first mistake.

    >>> parse_text("plan rest plan-body user-performed").plans[0].name
    'rest'
    """
    return _Parser(SourceText(file, text)).whole()


class _Parser(Cursor):
    """One method for each kind of thing that can be written."""

    unit = MINUTES["h"]

    def whole(self) -> syntax.Text:
        parameters: list[syntax.Parameter] = []
        plans: list[syntax.Plan] = []
        while not self.at_end():
            word = self.expect(*DECLARATIONS).text
            if word == "plan":
                plans.append(self.plan())
            elif word == "time-unit":
                if plans:
                    raise self.source.error("the unit of time comes too late", self.here, "put it before all plans")
                at = self.here
                self.unit = self.minutes()
                if not self.unit:
                    raise self.source.error("no time passes in this unit", at, "use at least 1min")
            else:
                parameters.append(self.parameter(word == "variable"))
        if not plans:
            raise self.source.error("there is no plan", self.source.end(), "write one: plan NAME ..")
        return syntax.Text(tuple(parameters), tuple(plans), self.unit, self.source.file, self.source.text)

    # Numbers and times

    def number(self) -> int:
        sign = -1 if self.accept("-") else 1
        if self.token.kind != NUMBER or not self.token.text.isdigit():
            raise self.unexpected("a whole number")
        if len(self.token.text) > 6:
            raise self.source.error("this number is too large", self.here, "use a smaller one")
        return sign * int(self.advance().text)

    def minutes(self) -> int:
        """A time with its unit."""
        parts = re.fullmatch(r"(\d+)(min|h|d|w)", self.token.text)
        if self.token.kind != NUMBER or parts is None:
            raise self.unexpected("a time, such as `4h`; units are min, h, d and w")
        if len(parts[1]) > 6:
            raise self.source.error("this time is too long", self.here, "use a larger unit")
        self.advance()
        return int(parts[1]) * MINUTES[parts[2]]

    def units(self) -> int:
        """A time in units, perhaps one before the reference point."""
        sign = -1 if self.accept("-") else 1
        at = self.here
        if self.token.text == "0":
            self.advance()
            return 0
        minutes = self.minutes()
        if minutes % self.unit:
            remedy = f"choose a smaller `time-unit` (it is {self.unit} min)"
            raise self.source.error("this time is no multiple of the unit of time", at, remedy)
        return sign * (minutes // self.unit)

    # Declarations

    def parameter(self, variable: bool) -> syntax.Parameter:
        at, name = self.here, self.name()
        self.expect(":")
        domain, asked, initial = self.domain(), False, None
        if not variable and self.accept("asked"):
            asked = True
        if self.accept("="):
            initial = self.value()
        return syntax.Parameter(name, domain, at, asked, variable, initial)

    def domain(self) -> syntax.Domain:
        if self.accept("boolean"):
            return syntax.Domain()
        if self.accept("{"):
            members = [self.name("a value")]
            while self.expect(",", "}").text == ",":
                members.append(self.name("a value"))
            return syntax.Domain(tuple(members))
        at, low = self.here, self.number()
        self.expect("..")
        high = self.number()
        if high < low or high - low >= MOST_VALUES:
            raise self.source.error("this range is empty or too large", at, f"at most {MOST_VALUES} values")
        return syntax.Domain((), low, high)

    def value(self) -> str:
        return self.advance().text if self.token.kind == NAME else str(self.number())

    def plan(self) -> syntax.Plan:
        at, name = self.here, self.name("the name of a plan")
        plan = syntax.Plan(name, at)
        while self.at(*_SECTIONS):
            section = self.advance().text
            if section == "intentions":
                plan = replace(plan, intentions=plan.intentions + self.intentions())
            elif section == "conditions":
                self.conditions(plan)
            elif plan.body is None:
                plan = replace(plan, body=self.body(at))
            else:
                raise self.source.error("this plan has a body already", self.here, "a plan has one body")
        if not self.at_end() and not self.at(*DECLARATIONS):
            raise self.unexpected("a section of the plan (intentions, conditions, plan-body) or another plan")
        return plan

    def intentions(self) -> tuple[syntax.Intention, ...]:
        found = []
        while not self.at_end() and not self.at(*_SECTIONS, *DECLARATIONS):
            at = self.here
            form = _INTENTION.fullmatch(self.token.text)
            if form is None:
                raise self.unexpected("an intention, such as `maintain-intermediate-state`")
            self.advance()
            self.expect(":")
            start = self.token.offset
            condition = self.condition()
            found.append(syntax.Intention(form[1], form[2], form[3], condition, self.text_since(start), at))
        return tuple(found)

    def conditions(self, plan: syntax.Plan) -> None:
        while not self.at_end() and not self.at(*_SECTIONS, *DECLARATIONS):
            at, name = self.here, self.name("the name of a condition")
            self.expect(":")
            kind = name.removesuffix("-condition")
            own = kind != name
            if own and kind not in syntax.CONDITIONS:
                raise self.source.unknown("condition", name, [f"{one}-condition" for one in syntax.CONDITIONS], at)
            table, key = (plan.conditions, kind) if own else (plan.definitions, name)
            if key in table:
                raise self.source.error(f"`{name}` is given twice", at, "join them: (or (..) (..))")
            table[key] = self.condition()

    # Conditions

    def text_since(self, start: int) -> str:
        last = self.tokens[self.position - 1]
        return " ".join(self.source.text[start : last.offset + len(last.text)].split())

    def condition(self) -> syntax.Condition:
        start = self.token.offset
        found = self.plain()
        while self.at("in"):
            at = self.here
            self.advance()
            if self.accept(syntax.NOW):
                continue
            window = self.window()
            reference = self.name("a reference point: NOW, SELF or a plan")
            found = syntax.Timed(found, window, reference, self.text_since(start), at)
        return found

    def plain(self) -> syntax.Condition:
        at = self.here
        if self.accept("("):
            return self.bracketed(at)
        if self.token.kind != NAME:
            raise self.unexpected("a condition")
        name = self.advance().text
        if name in ("true", "false"):
            return syntax.Truth(name == "true", at)
        if not self.at(*COMPARISONS):
            return syntax.Named(name, at)
        operator, value_at = self.advance().text, self.here
        return syntax.Comparison(name, operator, self.value(), at, value_at)

    def bracketed(self, at: Source) -> syntax.Condition:
        found: syntax.Condition
        if self.at("and", "or"):
            operator, parts = self.advance().text, [self.condition()]
            while not self.at(")"):
                parts.append(self.condition())
            found = syntax.Junction(operator, tuple(parts), at)
        elif self.accept("not"):
            found = syntax.Not(self.condition(), at)
        else:
            found = self.condition()
        self.expect(")")
        return found

    def window(self) -> syntax.Window:
        self.expect("[")
        first = self.range()
        self.expect(",")
        second = self.range()
        self.expect(",")
        third = self.range()
        self.expect("]")
        return syntax.Window(*first, *second, *third)

    def range(self) -> tuple[syntax.Bound, syntax.Bound]:
        self.expect("[")
        at, low = self.here, self.bound()
        self.expect(",")
        high = self.bound()
        self.expect("]")
        if low is not None and high is not None and low > high:
            raise self.source.error("this range of times is empty", at, "put the earlier time first")
        return low, high

    def bound(self) -> syntax.Bound:
        if self.at("-") and self.ahead().text in (",", "]"):
            self.advance()
            return None
        return self.units()

    # Bodies

    def body(self, at: Source, column: int = 0) -> syntax.Body:
        """A body whose elements stand further right than `column`."""
        body = self.options(syntax.Body((), at))
        elements: list[syntax.Element] = []
        while self.token.kind == NAME and not self.at(*_SECTIONS, *DECLARATIONS) and self.here.column > column:
            elements.append(self.element())
        if not elements:
            raise self.unexpected("what the plan does: subplans, `user-performed`, `ask` or `assign`")
        return replace(body, elements=tuple(elements))

    def element(self) -> syntax.Element:
        at, word = self.here, self.advance().text
        if word == "do":
            return self.body(at, at.column)
        if word == "user-performed":
            return syntax.UserPerformed(at)
        if word == "ask":
            return syntax.Ask(self.name("the parameter to ask for"), at)
        if word == "assign":
            return self.assignment(at)
        return syntax.Subplan(word, at)

    def assignment(self, at: Source) -> syntax.Put:
        name = self.name("a variable")
        self.expect(":=")
        value, sign = self.value(), 0
        if self.at("+", "-"):
            sign = 1 if self.advance().text == "+" else -1
        return syntax.Put(name, value, sign, self.number() if sign else 0, at)

    def options(self, body: syntax.Body) -> syntax.Body:
        while self.at("type", "wait-for", "retry-aborted-subplans", "every"):
            at, word = self.here, self.advance().text
            if word == "type":
                self.expect("=")
                body = replace(body, type=self.expect(*syntax.BODY_TYPES).text)
            elif word == "wait-for":
                body = replace(body, wait_for=self.waited_for(), wait_at=at)
            elif word == "every":
                body = replace(body, every=self.period(at))
            else:
                self.expect("=")
                body = replace(body, retry=self.expect("yes", "no").text == "yes")
            if not self.accept(","):
                break
        return body

    def waited_for(self) -> tuple[str, ...]:
        if not self.accept("("):
            return (self.name("all, one, none or a subplan"),)
        names = [self.name("a subplan")]
        while not self.accept(")"):
            names.append(self.name("a subplan"))
        return tuple(names)

    def period(self, at: Source) -> tuple[int, int]:
        low, high = self.range()
        if low is None or high is None or low < 0 or high < 1:
            raise self.source.error("a period needs both bounds", at, "write it as every [12h,24h]")
        return low, high
