"""Declarations: variables, types, functions with their statements, channel priorities, instantiations."""

from __future__ import annotations

from beeline.languages.uppaal.expressions import ExpressionParser
from beeline.languages.uppaal.lexer import Kind
from beeline.languages.uppaal.syntax import (
    Assert,
    Block,
    ChannelPriority,
    Declaration,
    Declarator,
    Evaluate,
    Expression,
    For,
    ForEach,
    Function,
    If,
    Index,
    Instantiation,
    Name,
    Return,
    Statement,
    Typedef,
    TypeExpression,
    While,
)


class DeclarationParser(ExpressionParser):
    """Parses what stands in a `declaration` element, in a process body and before a `system` line."""

    def declarations(self) -> list[Declaration]:
        """Declarations up to the end of the text or a word that cannot begin one."""
        found: list[Declaration] = []
        while not self.at_end():
            more = self.declaration()
            if more is None:
                return found
            found.extend(more)
        return found

    def declaration(self) -> list[Declaration] | None:
        """One declaration, which may declare several names; None where none begins."""
        token = self.token
        if self.accept(";"):
            return []
        if self.at("typedef"):
            return list(self.typedef())
        if self.at("before_update", "after_update"):
            raise self.refuse(token.text)
        if token.text == "import" and self.ahead(1).kind is Kind.STRING:
            raise self.refuse("functions imported from libraries", token.source)
        if token.text == "dynamic" and self.ahead(1).kind is Kind.NAME:
            raise self.refuse("dynamic templates", token.source)
        if token.text == "IO" and self.ahead(1).kind is Kind.NAME:
            raise self.refuse("input and output declarations (IO)", token.source)
        if self.at("chan") and self.ahead(1).text == "priority":
            return [self.channel_priority()]
        if self.at("const") and self.ahead(1).kind is Kind.NAME and self.ahead(2).kind is not Kind.NAME:
            return list(self.old_constants())
        if self.at_instantiation():
            return [self.instantiation()]
        if not self.at_type() and self.token.kind is not Kind.NAME:
            return None
        kind = self.type_expression()
        if self.token.kind is Kind.NAME and self.ahead(1).text == "(":
            return [self.function(kind)]
        return list(self.variables(kind))

    def variables(self, kind: TypeExpression) -> list[Declarator]:
        found: list[Declarator] = []
        while True:
            token = self.expect_name("the name of a variable")
            dimensions = self.dimensions()
            value = self.initialiser() if self.accept("=", ":=") else None
            found.append(Declarator(kind, token.text, dimensions, value, source=token.source))
            if not self.accept(","):
                break
        self.expect(";", where="after a declaration")
        return found

    def old_constants(self) -> list[Declarator]:
        """UPPAAL 3.x: ``const N 5, M 7;``."""
        source = self.expect("const").source
        kind = TypeExpression("int", frozenset(("const",)), source=source)
        found: list[Declarator] = []
        while True:
            token = self.expect_name("the name of a constant")
            dimensions = self.dimensions()
            self.accept("=", ":=")
            found.append(Declarator(kind, token.text, dimensions, self.initialiser(), source=token.source))
            if not self.accept(","):
                break
        self.expect(";", where="after a declaration")
        return found

    def typedef(self) -> list[Typedef]:
        self.expect("typedef")
        kind = self.type_expression()
        found: list[Typedef] = []
        while True:
            token = self.expect_name("the name of a type")
            found.append(Typedef(kind, token.text, self.dimensions(), token.source))
            if not self.accept(","):
                break
        self.expect(";", where="after a type definition")
        return found

    def channel_priority(self) -> ChannelPriority:
        source = self.expect("chan").source
        self.expect("priority")
        levels: list[tuple[Expression | None, ...]] = []
        level: list[Expression | None] = [self.priority_element()]
        while self.at(",", "<"):
            if self.advance().text == "<":
                levels.append(tuple(level))
                level = []
            level.append(self.priority_element())
        self.expect(";", where="after channel priorities")
        return ChannelPriority((*levels, tuple(level)), source)

    def priority_element(self) -> Expression | None:
        if self.accept("default"):
            return None
        token = self.expect_name("a channel or 'default'")
        channel: Expression = Name(token.text, token.source)
        while bracket := self.accept("["):
            channel = Index(channel, self.expression(), bracket.source)
            self.expect("]")
        return channel

    # functions and parameters

    def parameters(self) -> tuple[Declarator, ...]:
        """Parameters between parentheses that the caller has seen to; nothing for an empty list."""
        if self.at(")") or self.at_end():
            return ()
        if self.old:
            return self.old_parameters()
        found: list[Declarator] = []
        while True:
            kind = self.type_expression()
            reference = self.accept("&") is not None
            token = self.expect_name("the name of a parameter")
            dimensions = self.dimensions()
            found.append(Declarator(kind, token.text, dimensions, None, reference, token.source))
            if not self.accept(","):
                return tuple(found)

    def old_parameters(self) -> tuple[Declarator, ...]:
        """UPPAAL 3.x: groups of one type between ``;``, all by reference but constants."""
        found: list[Declarator] = []
        while True:
            constant = self.at("const") and self.ahead(1).kind is Kind.NAME
            if constant:
                kind = TypeExpression("int", frozenset(("const",)), source=self.advance().source)
            else:
                kind = self.type_expression()
            while True:
                self.accept("&")
                token = self.expect_name("the name of a parameter")
                found.append(Declarator(kind, token.text, self.dimensions(), None, not constant, token.source))
                if not self.accept(","):
                    break
            if not self.accept(";"):
                return tuple(found)

    def function(self, result: TypeExpression) -> Function:
        token = self.expect_name("the name of a function")
        self.expect("(")
        parameters = self.parameters()
        self.expect(")", where="after the parameters")
        return Function(result, token.text, parameters, self.block(), token.source)

    def at_instantiation(self) -> bool:
        """``P = T(..)`` or ``P(parameters) = T(..)``: a name, then ``=``, or a list in parentheses and then ``=``."""
        if self.token.kind is not Kind.NAME:
            return False
        if self.ahead(1).text in ("=", ":="):
            return True
        if self.ahead(1).text != "(":
            return False
        depth, distance = 0, 1
        while self.ahead(distance).kind is not Kind.END:
            depth += {"(": 1, ")": -1}.get(self.ahead(distance).text, 0)
            distance += 1
            if depth == 0:
                return self.ahead(distance).text in ("=", ":=")
        return False

    def instantiation(self) -> Instantiation:
        token = self.expect_name("the name of a process")
        parameters: tuple[Declarator, ...] = ()
        if self.accept("("):
            parameters = self.parameters()
            self.expect(")", where="after the parameters")
        if not self.accept("=", ":="):
            raise self.unexpected("'='")
        template = self.expect_name("the name of a template")
        arguments: tuple[Expression, ...] = ()
        self.expect("(", where="after the name of a template")
        if not self.at(")"):
            arguments = self.expression_list()
        self.expect(")", where="after the arguments")
        self.expect(";", where="after an instantiation")
        return Instantiation(token.text, parameters, template.text, arguments, token.source)

    # statements

    def block(self) -> Block:
        source = self.expect("{").source
        declarations: list[Declarator | Typedef] = []
        while self.at_type() or self.at("typedef"):
            if self.at("typedef"):
                declarations.extend(self.typedef())
            else:
                declarations.extend(self.variables(self.type_expression()))
        statements: list[Statement] = []
        while not self.accept("}"):
            if self.at_end():
                raise self.error("expected '}' before the end of the text")
            if statement := self.statement():
                statements.append(statement)
        return Block(tuple(declarations), tuple(statements), source)

    def statement(self) -> Statement | None:
        """One statement; None for a lone semicolon."""
        token = self.token
        if self.accept(";"):
            return None
        if self.at("{"):
            return self.block()
        if self.accept("if"):
            condition = self.condition()
            then = self.body()
            otherwise = self.body() if self.accept("else") else None
            return If(condition, then, otherwise, token.source)
        if self.accept("while"):
            condition = self.condition()
            return While(condition, self.body(), False, token.source)
        if self.accept("do"):
            body = self.body()
            self.expect("while", where="after the body of 'do'")
            condition = self.condition()
            self.expect(";")
            return While(condition, body, True, token.source)
        if self.accept("for"):
            return self.loop()
        if self.accept("return"):
            value = None if self.at(";") else self.expression()
            self.expect(";", where="after 'return'")
            return Return(value, token.source)
        if self.accept("assert"):
            condition = self.expression()
            self.expect(";", where="after 'assert'")
            return Assert(condition, token.source)
        expressions = self.expression_list()
        self.expect(";", where="after a statement")
        return Evaluate(expressions, token.source)

    def body(self) -> Statement:
        source = self.token.source
        return self.statement() or Block((), (), source)

    def condition(self) -> Expression:
        self.expect("(")
        condition = self.expression()
        self.expect(")", where="after the condition")
        return condition

    def loop(self) -> Statement:
        source = self.expect("(", where="after 'for'").source
        if self.token.kind is Kind.NAME and self.ahead(1).text == ":":
            name = self.advance().text
            self.advance()
            domain = self.type_expression()
            self.expect(")")
            return ForEach(name, domain, self.body(), source)
        start = () if self.at(";") else self.expression_list()
        self.expect(";")
        condition = None if self.at(";") else self.expression()
        self.expect(";")
        step = () if self.at(")") else self.expression_list()
        self.expect(")")
        return For(start, condition, step, self.body(), source)
