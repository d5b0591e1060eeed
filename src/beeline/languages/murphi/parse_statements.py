"""Reads statements of Murphi."""

from __future__ import annotations

from beeline.languages.murphi import syntax
from beeline.languages.murphi.parse_expressions import ExpressionReader
from beeline.languages.murphi.tokens import NAME, NUMBER, SOFT_WORDS, STRING
from beeline.model.source import Source

STATEMENT_WORDS = (
    "alias", "assert", "clear", "error", "for", "if", "invariant", "multisetadd", "multisetremove",
    "multisetremovepred", "put", "return", "switch", "undefine", "while",
)  # fmt: skip
_BEGINNINGS = ("(", "!", "~", "-", "+", "forall", "exists", "isundefined", "ismember", "multisetcount")
"""Of expressions, besides names and numbers."""


class StatementReader(ExpressionReader):
    """A cursor that reads statements."""

    def statements(self, *ends: str) -> tuple[syntax.Statement, ...]:
        """Statements up to one of the words, which is left to be read."""
        found: list[syntax.Statement] = []
        while True:
            while self.accept(";"):
                pass
            if self.at(*ends):
                return tuple(found)
            found.append(self.statement())
            if not self.at(";", *ends):
                raise self.unexpected("`;`")

    def soft_word(self) -> str:
        """The word of Rumur's that is next, unless it is a name here."""
        word = self.token.text.lower()
        if self.token.kind != NAME or word not in SOFT_WORDS:
            return ""
        following = self.ahead()
        begins = following.kind in (NAME, STRING, NUMBER) or following.text in _BEGINNINGS
        return word if begins else ""

    def statement(self) -> syntax.Statement:
        at = self.here
        soft = self.soft_word()
        if soft:
            if soft == "liveness":
                raise self.error("a liveness property stands outside of rules", "move it behind the rule")
            self.advance()
            return self.claim(soft, at)
        if self.accept("assert", "invariant"):
            return self.claim("assert", at)
        if self.accept("if"):
            return self._if(at)
        if self.accept("for"):
            quantifiers = self.quantifiers()
            self.expect("do", ":")
            body = self.statements("end", "endfor")
            self.advance()
            return syntax.For(quantifiers, body, at)
        if self.accept("while"):
            condition = self.expression()
            self.expect("do", ":")
            body = self.statements("end", "endwhile")
            self.advance()
            return syntax.While(condition, body, at)
        if self.accept("switch"):
            return self._switch(at)
        if self.accept("alias"):
            aliases = self.aliases()
            body = self.statements("end", "endalias")
            self.advance()
            return syntax.AliasBlock(aliases, body, at)
        return self._simple(at)

    def _simple(self, at: Source) -> syntax.Statement:
        """A statement without statements in it."""
        if self.accept("clear"):
            return syntax.Clear(self.designator(), at)
        if self.accept("undefine"):
            return syntax.Undefine(self.designator(), at)
        if self.accept("error"):
            return syntax.Error(self.string(), at)
        if self.accept("put"):
            return syntax.Put(self.string() if self.token.kind == STRING else self.expression(), at)
        if self.accept("return"):
            ends = self.at(";", "elsif", "else", "case") or self.token.text.startswith("end")
            return syntax.Return(None if ends else self.expression(), at)
        if self.accept("multisetadd", "multisetremove") is not None:
            adds = self.tokens[self.position - 1].text == "multisetadd"
            self.expect("(")
            value = self.expression()
            self.expect(",")
            multiset = self.designator()
            self.expect(")")
            return (syntax.MultisetAdd if adds else syntax.MultisetRemove)(value, multiset, at)
        if self.accept("multisetremovepred"):
            return syntax.MultisetRemovePred(*self.predicate(), at)
        if self.token.kind != NAME:
            raise self.unexpected("a statement")
        if self.ahead().text == "(" and self.ahead().kind != STRING:
            call = self.operand()
            if isinstance(call, syntax.Call):
                return syntax.Procedure(call, at)
            raise self.source.error("the result of a call cannot be assigned to", at, "assign to a variable")
        target = self.designator()
        if self.at("="):
            raise self.error("`=` compares", "assign with `:=`")
        self.expect(":=")
        return syntax.Assignment(target, self.expression(), at)

    def string(self) -> str:
        if self.token.kind != STRING:
            raise self.unexpected("a text in quotes")
        return self.advance().text

    def claim(self, kind: str, at: Source) -> syntax.Claim:
        """What follows the word: a condition with a text before or behind it, or none."""
        message = self.advance().text if self.token.kind == STRING else ""
        condition = self.expression()
        if not message and self.token.kind == STRING:
            message = self.advance().text
        return syntax.Claim(kind, condition, message, at)

    def aliases(self) -> tuple[syntax.Alias, ...]:
        """``name : expression;`` up to ``do``, which is read."""
        found: list[syntax.Alias] = []
        while not self.accept("do"):
            at = self.here
            labels = self.names()
            self.expect(":")
            value = self.expression()
            found += [syntax.Alias(label.name, value, at) for label in labels]
            while self.accept(";"):
                pass
        return tuple(found)

    def _if(self, at: Source) -> syntax.Statement:
        ends = ("elsif", "else", "end", "endif")
        clauses: list[syntax.Clause] = []
        word = "if"
        while word in ("if", "elsif"):
            condition = self.expression()
            self.expect("then")
            clauses.append(syntax.Clause(condition, self.statements(*ends)))
            word = self.advance().text
        if word == "else":
            clauses.append(syntax.Clause(None, self.statements("end", "endif")))
            self.advance()
        return syntax.If(tuple(clauses), at)

    def _switch(self, at: Source) -> syntax.Statement:
        ends = ("case", "else", "end", "endswitch")
        value = self.expression()
        cases: list[syntax.Case] = []
        while self.accept("case"):
            values = [self.expression()]
            while self.accept(","):
                values.append(self.expression())
            self.expect(":")
            cases.append(syntax.Case(tuple(values), self.statements(*ends)))
        if self.accept("else"):
            cases.append(syntax.Case((), self.statements("end", "endswitch")))
        self.expect("end", "endswitch")
        return syntax.Switch(value, tuple(cases), at)
