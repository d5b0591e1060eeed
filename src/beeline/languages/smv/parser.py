"""Reads SMV text into the tree of `syntax.py`."""

from __future__ import annotations

from beeline.languages.smv.errors import SourceText
from beeline.languages.smv.parse_expressions import ADDITIVE, ExpressionReader
from beeline.languages.smv.syntax import (
    Assignment,
    Constraint,
    Define,
    Item,
    Model,
    Module,
    Specification,
    Tree,
    Type,
    Variable,
)
from beeline.languages.smv.tokens import NUMBER
from beeline.model.reading import END, Token, alternatives

_VARIABLES = ("VAR", "IVAR", "FROZENVAR")
_CONSTRAINTS = ("INIT", "TRANS", "INVAR", "FAIRNESS", "JUSTICE", "COMPASSION")
_SPECIFICATIONS = ("CTLSPEC", "SPEC", "LTLSPEC", "INVARSPEC")
_REFUSED = ("ISA", "PRED", "MIRROR", "COMPUTE", "PSLSPEC")
SECTIONS = (*_VARIABLES, "DEFINE", "CONSTANTS", "ASSIGN", *_CONSTRAINTS, *_SPECIFICATIONS)


def parse_model(text: str, file: str = "<smv>") -> Model:
    """The syntax tree of a whole file; raises `SmvError` with the place of the first mistake.

    >>> list(parse_model("MODULE main VAR x : boolean;").modules)
    ['main']
    """
    return _Parser(SourceText(file, text)).model()


class _Parser(ExpressionReader):
    """One method for each kind of section."""

    def model(self) -> Model:
        modules: dict[str, Module] = {}
        self.symbols: list[str] = []
        while self.token.kind != END:
            module = self.module()
            if module.name in modules:
                raise self.source.error(f"there are two modules called `{module.name}`", module.at, "rename one")
            modules[module.name] = module
        if "main" not in modules:
            raise self.source.error("there is no module called `main`", self.source.end(), "write MODULE main")
        return Model(modules, tuple(self.symbols), self.source.file, self.source.text)

    def module(self) -> Module:
        self.expect("MODULE")
        name = self.expect_name("the name of a module")
        parameters: list[str] = []
        if self.accept("(") and not self.accept(")"):
            parameters.append(self.expect_name().text)
            while self.expect(",", ")").text == ",":
                parameters.append(self.expect_name().text)
        items: list[Item] = []
        while not self.at("MODULE") and self.token.kind != END:
            items += self.section()
        return Module(name.text, tuple(parameters), tuple(items), self.place(name))

    def section(self) -> list[Item]:
        token = self.token
        if token.text in _REFUSED:
            raise self.error(f"{token.text} is not supported")
        if token.text not in SECTIONS:
            raise self.unexpected(f"a section such as {alternatives(('VAR', 'ASSIGN', 'TRANS', 'CTLSPEC'))}")
        self.advance()
        if token.text in _CONSTRAINTS:
            return [self.constraint(token)]
        if token.text in _SPECIFICATIONS:
            return [self.specification(token)]
        found: list[Item] = []
        if token.text == "CONSTANTS":
            self.constants()
        while not self._at_section():
            if token.text in _VARIABLES:
                found.append(self.variable(token.text))
            elif token.text == "DEFINE":
                found.append(self.define())
            else:
                found.append(self.assignment())
        return found

    def _at_section(self) -> bool:
        return self.token.kind == END or self.at("MODULE", *SECTIONS, *_REFUSED)

    def constants(self) -> None:
        self.symbols.append(self.expect_name().text)
        while self.expect(",", ";").text == ",":
            self.symbols.append(self.expect_name().text)

    # Declarations

    def variable(self, section: str) -> Variable:
        name = self.expect_name()
        self.expect(":")
        kind = self.type()
        if section != "VAR" and kind.kind == "module":
            raise self.source.error("only VAR has instances of modules", kind.at)
        self.expect(";")
        return Variable(section, name.text, kind, self.place(name))

    def type(self) -> Type:
        token, at = self.token, self.place(self.token)
        if self.accept("boolean"):
            return Type("boolean", at)
        if self.accept("{"):
            return Type("enumeration", at, tuple(self.row("}")))
        if self.accept("array"):
            low = self.bound()
            self.expect("..")
            high = self.bound()
            self.expect("of")
            element = self.type()
            if element.kind == "module":
                raise self.source.error("arrays of modules are not supported", element.at)
            return Type("array", at, (low, high), element)
        if token.text in ("word", "unsigned", "signed", "integer", "real"):
            remedy = "use a range of integers, such as 0..255"
            raise self.source.error(f"the type `{token.text}` is not supported", at, remedy)
        if token.kind == NUMBER or token.text in ("-", "("):
            low = self.bound()
            self.expect("..")
            return Type("range", at, (low, self.bound()))
        is_process = self.accept("process") is not None
        name = self.expect_name("a type")
        if not is_process and self.at(".."):
            self.advance()
            return Type("range", at, (Tree("name", at, (), name.text), self.bound()))
        arguments: list[Tree] = []
        if self.accept("(") and not self.accept(")"):
            arguments = self.row(")")
        return Type("module", self.place(name), tuple(arguments), None, name.text, is_process)

    def bound(self) -> Tree:
        """One end of a range: what binds more tightly than the two dots."""
        return self.expression(ADDITIVE)

    def define(self) -> Define:
        name = self.expect_name()
        self.expect(":=")
        value = self.expression()
        self.expect(";", where="or an operator")
        return Define(name.text, value, self.place(name))

    def assignment(self) -> Assignment:
        token, kind = self.token, "now"
        if self.at("init", "next"):
            kind = self.advance().text
            self.expect("(")
            target = self._followed(self._simple())
            self.expect(")")
        else:
            target = self._followed(self._simple())
        self.expect(":=")
        value = self.expression()
        self.expect(";", where="or an operator")
        return Assignment(kind, target, value, self.place(token))

    # Constraints and questions

    def constraint(self, token: Token) -> Constraint:
        section = "JUSTICE" if token.text == "FAIRNESS" else token.text
        if section == "COMPASSION":
            self.expect("(")
            first = self.expression()
            self.expect(",")
            parts: tuple[Tree, ...] = (first, self.expression())
            self.expect(")")
        else:
            parts = (self.expression(),)
        self._end(token)
        return Constraint(section, parts, self.place(token))

    def specification(self, token: Token) -> Specification:
        section, name = "CTLSPEC" if token.text == "SPEC" else token.text, ""
        if self.token.text == "NAME":
            self.advance()
            name = self.expect_name().text
            self.expect(":=")
        first = self.token
        formula = self.expression()
        last = self.tokens[self.position - 1]
        text = " ".join(self.source.text[first.offset : last.offset + len(last.text)].split())
        self._end(token)
        return Specification(section, formula, name, text, self.place(token))

    def _end(self, token: Token) -> None:
        """A semicolon may stand behind; else another section must begin."""
        if self.accept(";") is None and not self._at_section():
            raise self.unexpected(f"an operator, `;` or another section after {token.text}")
