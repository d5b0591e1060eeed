"""Reads Murphi text into the tree of `syntax.py`."""

from __future__ import annotations

from beeline.languages.murphi import syntax
from beeline.languages.murphi.errors import SourceText
from beeline.languages.murphi.parse_statements import STATEMENT_WORDS, StatementReader
from beeline.languages.murphi.tokens import KEYWORD, NAME, NUMBER, STRING, UNSUPPORTED
from beeline.model.source import Source

_DECLARING = ("const", "type", "var")
_RULES = ("rule", "startstate", "invariant", "assert", "ruleset", "alias", "choose")


def parse_model(text: str, file: str = "<murphi>") -> syntax.Model:
    """The syntax tree of a whole file; raises `MurphiError` with the place of the first mistake.

    >>> parse_model("var x: boolean; startstate x := true; end; rule x := !x; end").items[0].names[0].name
    'x'
    """
    return _Parser(SourceText(file, text)).model()


class _Parser(StatementReader):
    def model(self) -> syntax.Model:
        items: list[syntax.Item] = []
        while not self.at_end():
            if self.accept(";"):
                continue
            if self.at(*_DECLARING):
                items += self._declarations()
            elif self.at("function", "procedure"):
                items.append(self._function())
            else:
                items.append(self._rule())
        return syntax.Model(tuple(items), self.source.file, self.source.text)

    # Declarations

    def _declarations(self) -> list[syntax.Declaration]:
        """All that stand here, of constants, types and variables."""
        found: list[syntax.Declaration] = []
        while self.at(*_DECLARING):
            word = self.advance().text
            while self.token.kind == NAME and not self.soft_word():
                found += self._declaration(word)
                while self.accept(";"):
                    pass
            if self.token.kind == KEYWORD and self.ahead().text in (":", ","):
                self.expect_name()
        return found

    def _declaration(self, word: str) -> list[syntax.Declaration]:
        at = self.here
        names = self.names()
        self.expect(":")
        if word == "const":
            value = self.expression()
            return [syntax.Constant(label.name, value, label.at) for label in names]
        kind = self.type_expression()
        if word == "type":
            return [syntax.NamedType(label.name, kind, label.at) for label in names]
        return [syntax.Variables(names, kind, at)]

    def _function(self) -> syntax.Function:
        self.advance()
        name = self.expect_name("the name of a function")
        self.expect("(")
        parameters: list[syntax.Parameters] = []
        while not self.accept(")"):
            writable = self.accept("var") is not None
            parameters.append(syntax.Parameters(self.typed_names(), writable))
            if self.at(","):
                raise self.error("parameters of different types are separated by `;`", "write `;` here")
            while self.accept(";"):
                pass
        returns = self.type_expression() if self.accept(":") else None
        while self.accept(";"):
            pass
        declarations, body = self._body("end", "endfunction", "endprocedure")
        return syntax.Function(name.text, tuple(parameters), returns, declarations, body, self.place(name))

    def _body(self, *ends: str) -> tuple[tuple[syntax.Declaration, ...], tuple[syntax.Statement, ...]]:
        """``declarations begin statements end``; the end is read."""
        declarations = tuple(self._declarations())
        if declarations and not self.at("begin"):
            raise self.unexpected("`begin`")
        self.accept("begin")
        statements = self.statements(*ends)
        self.advance()
        return declarations, statements

    # Rules

    def _rule(self) -> syntax.RuleItem:
        at = self.here
        soft = self.soft_word()
        if soft:
            self.advance()
            return self.claim(soft, at)
        if self.accept("rule"):
            return self._simple_rule(at)
        if self.accept("startstate"):
            name = self._name()
            declarations, body = self._body("end", "endstartstate")
            return syntax.Startstate(name, declarations, body, at)
        if self.accept("invariant", "assert"):
            return self.claim("invariant", at)
        if self.accept("ruleset"):
            quantifiers = self.quantifiers()
            self.expect("do", ":")
            return syntax.Ruleset(quantifiers, self._rules("end", "endruleset"), at)
        if self.accept("choose"):
            entries = [self.among()]
            while self.accept(";"):
                entries.append(self.among())
            self.expect("do", ":")
            return syntax.Ruleset(tuple(entries), self._rules("end", "endchoose"), at)
        if self.accept("alias"):
            aliases = self.aliases()
            return syntax.AliasRules(aliases, self._rules("end", "endalias"), at)
        if self.token.text.lower() in UNSUPPORTED:
            raise self.error(UNSUPPORTED[self.token.text.lower()])
        raise self.unexpected("a declaration, a function or a rule")

    def _rules(self, *ends: str) -> tuple[syntax.RuleItem, ...]:
        found: list[syntax.RuleItem] = []
        while not self.accept(*ends):
            if not self.accept(";"):
                found.append(self._rule())
        return tuple(found)

    def _name(self) -> str:
        return self.advance().text if self.token.kind == STRING else ""

    def _simple_rule(self, at: Source) -> syntax.Rule:
        priority = int(self.advance().text[:9]) if self._at_priority() else 0
        name = self._name()
        guard = self._guard()
        declarations, body = self._body("end", "endrule")
        return syntax.Rule(name, priority, guard, declarations, body, at)

    def _at_priority(self) -> bool:
        """Whether the number that is next is a priority: an expression does not go on behind it."""
        following = self.ahead()
        return self.token.kind == NUMBER and (following.kind in (NAME, STRING) or following.text in ("begin", "!", "("))

    def _guard(self) -> syntax.Expression | None:
        """The condition in front of ``==>``. Without one, what could be its beginning is that of a statement."""
        if self.at("begin", "end", "endrule", ";", *_DECLARING, *STATEMENT_WORDS) or self.soft_word():
            return None
        before = self.position
        guard = self.expression()
        if self.accept("==>"):
            return guard
        if not self.at(":=", ";", "end", "endrule"):
            raise self.unexpected("`==>`")
        self.goto(before)
        return None
