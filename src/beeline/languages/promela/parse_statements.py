"""Statements and declarations of Promela: recursive descent over the tokens of a body."""

from __future__ import annotations

from .errors import PromelaError
from .parse_expressions import EMBEDDED_C, ExpressionParser, embedded_c
from .syntax import (
    Assert,
    Assign,
    Binary,
    Block,
    Break,
    ChannelInit,
    Choice,
    Condition,
    Declaration,
    Declarator,
    Else,
    Exclusive,
    Expression,
    For,
    ForIn,
    Goto,
    Labelled,
    Number,
    Print,
    Receive,
    Reference,
    Select,
    Send,
    SetPriority,
    Statement,
    Step,
    Unless,
)
from .tokens import TYPE_NAMES, Token

_CLOSERS = ("}", "::", "fi", "od", "end")
_VISIBILITY = ("hidden", "show", "local")
_PREDEFINED = {"_", "_pid", "_nr_pr", "_last", "_priority"}


class StatementParser(ExpressionParser):
    """Adds statements and declarations to the expressions."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.typedefs: set[str] = set()
        self.at_start = True  # only declarations so far in this proctype

    # Sequences

    def body(self) -> list[Step]:
        """``{ steps }`` of a proctype or claim."""
        self.at_start = True
        self.labels = set()
        steps = self.block()
        self.at_start = True
        return steps

    def block(self) -> list[Step]:
        opening = self.expect("{")
        steps = self.sequence()
        if not self.at("}"):
            raise self._not_closed(opening, "}")
        if not steps:
            raise PromelaError("nothing stands between these braces", opening.source, "write skip")
        self.advance()
        return steps

    def sequence(self) -> list[Step]:
        """Steps up to a closing word, which is left standing."""
        steps: list[Step] = []
        if self.at(";", "->"):
            raise self.unexpected("a statement")
        while not self.at(*_CLOSERS):
            steps.append(self.step())
            if not self.at(";", "->", *_CLOSERS):
                raise self._no_separator()
            while self.at(";", "->"):
                self.advance()
        return steps

    def _no_separator(self) -> PromelaError:
        token = self.token
        if token.kind in EMBEDDED_C:
            return embedded_c(token)
        return PromelaError(f"{token} cannot follow here", token.source, "a ';' or '->' may be missing before it")

    def _not_closed(self, opening: Token, closing: str) -> PromelaError:
        return PromelaError(
            f"expected '{closing}', found {self.token}",
            self.token.source,
            f"'{opening.text}' at line {opening.source.line} is not closed",
        )

    def step(self) -> Step:
        if self.starts_declaration():
            declaration = self.declaration()
            declaration.at_start = self.at_start
            return declaration
        if self.at("xr", "xs"):
            token = self.advance()
            channels = [self.reference()]
            while self.accept(","):
                channels.append(self.reference())
            return Exclusive(token.kind, channels, token.source)
        statement = self.statement()
        self.at_start = False
        if self.at("unless"):
            source = self.advance().source
            return Unless(statement, self.statement(), source)
        return statement

    # Statements

    def statement(self) -> Statement:
        token = self.token
        match token.kind:
            case "name" if self.ahead().kind == ":" and token.text not in self.proctypes:
                return self._labelled()
            case "name" if token.text not in self.mtypes and not self._starts_remote():
                return self._on_reference(self.reference())
            case "{":
                return self._block("plain")
            case "atomic" | "d_step":
                self.advance()
                return self._block(token.kind)
            case "if" | "do":
                return self._choice()
            case "for":
                return self._for()
            case "select":
                return self._select()
            case "goto":
                self.advance()
                return Goto(self.expect("name", where="of a label after 'goto'").text, token.source)
            case "break":
                self.advance()
                return Break(token.source)
            case "else":
                self.advance()
                return Else(token.source)
            case "assert":
                self.advance()
                return Assert(self.expression(), token.source)
            case "printf" | "printm":
                return self._print()
            case "set_priority":
                return self._set_priority()
            case "return":
                raise PromelaError("'return' outside an inline", token.source)
            case kind if kind in EMBEDDED_C:
                raise embedded_c(token)
        return Condition(self.expression(), token.source)

    def _labelled(self) -> Statement:
        token = self.advance()
        if token.text in self.mtypes:
            raise PromelaError(f"'{token.text}' is a member of an mtype and cannot be a label", token.source)
        self.advance()
        self.labels.add(token.text)
        if self.at(";", "->", *_CLOSERS):
            one = Number(1, token.source, "skip")
            return Labelled(token.text, Condition(one, token.source), token.source)
        if self.starts_declaration() or self.at("xr", "xs"):
            raise PromelaError(
                f"label '{token.text}' stands before a declaration", token.source, "put the label on a statement"
            )
        return Labelled(token.text, self.statement(), token.source)

    def _on_reference(self, reference: Reference) -> Statement:
        """The statement that begins with a place."""
        source = reference.source
        match self.token.kind:
            case "=":
                self.advance()
                return Assign(reference, self.expression(), source)
            case "++" | "--":
                operator = self.advance().kind[0]
                return Assign(reference, Binary(operator, reference, Number(1, source, "1"), source), source)
            case "!" | "!!":
                is_sorted = self.advance().kind == "!!"
                return Send(reference, self._message(), is_sorted, source)
            case "?" | "??" if self.ahead().kind != "[":
                anywhere = self.advance().kind == "??"
                keep = self.accept("<") is not None
                patterns = self.patterns()
                if keep:
                    self.expect(">")
                return Receive(reference, patterns, anywhere, keep, source)
            case "?" | "??":
                return Condition(self.climb(self.poll(reference), 0), source)
        return Condition(self.climb(reference, 0), source)

    def _message(self) -> list[Expression]:
        """``a, b, c``, also written ``a(b, c)``."""
        found = [self.expression()]
        if self.accept("("):
            found += self.arguments(")")
            self.expect(")")
        while self.accept(","):
            found.append(self.expression())
        return found

    def _block(self, kind: str) -> Block:
        self.at_start = False
        source = self.token.source
        steps = self.block()
        if isinstance(steps[0], Labelled):
            word, label = "" if kind == "plain" else f"{kind} ", steps[0].label
            remedy = f"write  {label}: {word}{{ .. }}  instead of  {word}{{ {label}: .. }}"
            raise PromelaError(f"label '{label}' cannot stand at the beginning of a block", steps[0].source, remedy)
        return Block(kind, steps, source)

    def _choice(self) -> Choice:
        opening = self.advance()
        closing = "fi" if opening.kind == "if" else "od"
        self.at_start = False
        options: list[list[Step]] = []
        while self.accept("::"):
            options.append(self.sequence())
        if not options:
            raise self.unexpected(f"'::' to begin an option of this '{opening.kind}'")
        if not self.accept(closing):
            raise self._not_closed(opening, closing)
        return Choice(options, opening.kind == "do", opening.source)

    def _for(self) -> Statement:
        source = self.advance().source
        self.at_start = False
        self.expect("(")
        index = self.reference()
        if self.at("name") and self.token.text == "in":
            self.advance()
            over = self.reference()
            self.expect(")")
            return ForIn(index, over, self._for_body(), source)
        self.expect(":", where="or 'in' after the loop's variable")
        low = self.expression()
        self.expect("..")
        high = self.expression()
        self.expect(")")
        return For(index, low, high, self._for_body(), source)

    def _for_body(self) -> list[Step]:
        while self.at(";", "->"):
            self.advance()
        return self.block()

    def _select(self) -> Select:
        token = self.advance()
        self.expect("(")
        index = self.reference()
        self.expect(":")
        low_token = self.token
        low = self.expression()
        self.expect("..")
        high_token = self.token
        high = self.expression()
        self.expect(")")
        plain = low_token.kind == high_token.kind == "number" and isinstance(low, Number) and isinstance(high, Number)
        plain = plain and index.index is None and index.field is None and index.name.isalnum()
        return Select(index, low, high, token.source, listed=plain and not token.inlined)

    def _print(self) -> Print:
        token = self.advance()
        self.expect("(")
        if token.kind == "printm":
            found = Print("%e", [self.expression()], token.source)
        else:
            text = self.expect("string", where="first in printf").text
            arguments = []
            while self.accept(","):
                arguments.append(self.expression())
            found = Print(text, arguments, token.source)
        self.expect(")")
        return found

    def _set_priority(self) -> SetPriority:
        source = self.advance().source
        self.expect("(")
        process = self.expression()
        self.expect(",")
        priority = self.expression()
        self.expect(")")
        return SetPriority(process, priority, source)

    # Declarations

    def starts_declaration(self) -> bool:
        token = self.token
        if token.kind in TYPE_NAMES or token.kind in _VISIBILITY:
            return True
        return token.kind == "name" and token.text in self.typedefs

    def declaration(self) -> Declaration:
        source = self.token.source
        visibility = self.advance().kind if self.at(*_VISIBILITY) else None
        kind = self.advance()
        if kind.kind not in TYPE_NAMES and kind.text not in self.typedefs:
            raise PromelaError(f"'{kind.text}' is not a type", kind.source, "declare it with typedef first")
        mtype_set = None
        if kind.kind == "mtype" and self.accept(":"):
            mtype_set = self.expect("name", where="of an mtype set").text
        declarators = [self._declarator()]
        while self.accept(","):
            declarators.append(self._declarator())
        return Declaration(kind.text, declarators, source, visibility, mtype_set)

    def _declarator(self) -> Declarator:
        name = self.expect("name", where="of the variable that is declared")
        taken = {
            "a proctype": self.proctypes,
            "a type": self.typedefs,
            "a label": self.labels,
            "predefined": _PREDEFINED,
        }
        for what, names in taken.items():
            if name.text in names:
                raise PromelaError(f"'{name.text}' is {what} and cannot be a variable", name.source)
        found = Declarator(name.text, name.source)
        if self.accept(":"):
            found.bits = self.expect("number", where="of bits").value
            if self.at("["):
                raise PromelaError("an array cannot have elements of a given width", self.token.source, "use byte")
        if self.accept("["):
            found.size = self.expression()
            self.expect("]")
        if self.accept("="):
            if self.at("["):
                found.initial = self._channel_init()
            elif self.accept("{"):
                found.initial = self.arguments("}")
                self.expect("}")
            else:
                found.initial = self.expression()
        return found

    def _channel_init(self) -> ChannelInit:
        source = self.advance().source
        capacity = self.expression()
        self.expect("]")
        self.expect("of")
        self.expect("{")
        fields = [self._field()]
        while self.accept(","):
            fields.append(self._field())
        self.accept(";")
        self.expect("}")
        return ChannelInit(capacity, fields, source)

    def _field(self) -> str:
        token = self.advance()
        if token.kind == "unsigned":
            raise PromelaError("'unsigned' cannot be the type of a message field", token.source, "use byte or int")
        if token.kind not in TYPE_NAMES and token.text not in self.typedefs:
            raise PromelaError(f"expected the type of a message field, found {token}", token.source)
        if token.kind == "mtype" and self.accept(":"):
            return f"mtype:{self.expect('name').text}"
        return token.text
