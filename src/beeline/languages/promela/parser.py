"""From a file to its syntax tree: preprocessing, inlines, separators, then the units of a model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from beeline.model.source import Source

from .errors import PromelaError, UnsupportedPromela, read_text
from .inlines import expand_inlines
from .parse_expressions import EMBEDDED_C, embedded_c
from .parse_statements import StatementParser
from .separators import insert_separators
from .syntax import (
    Declaration,
    Expression,
    Formula,
    Model,
    MtypeMembers,
    Never,
    Number,
    Proctype,
    Typedef,
)
from .tokens import Token, read_tokens


def parse_file(path: str | Path, defines: Iterable[str] = (), claim: str | None = None) -> Model:
    """The syntax tree of the model at `path`, with what stands in the file `claim` behind it; `defines` as after `-D`
    on a command line."""
    tokens = read_tokens(path, defines) if claim is None else read_tokens(path, defines, _with_claim(path, claim))
    return _parse(tokens, str(path))


def _with_claim(path: str | Path, claim: str) -> str:
    if not Path(claim).is_file():
        raise PromelaError("no such file", Source(claim), "check --claim")
    return f'{read_text(path)}\n#include "{Path(claim).resolve()}"\n'


def parse_text(text: str, file: str = "<text>", defines: Iterable[str] = ()) -> Model:
    """The syntax tree of a model given as text.

    >>> parse_text("active proctype P() { skip }").units[0].name
    'P'
    """
    return _parse(read_tokens(file, defines, text), file)


def parse_expression(text: str, proctypes: Iterable[str] = (), mtypes: dict[str, int] | None = None) -> Expression:
    """An expression given as text, for instance on a command line."""
    parser = UnitParser(read_tokens("<expression>", (), text))
    parser.proctypes.update(proctypes)
    parser.mtypes.update(mtypes or {})
    parser.watching = parser.is_question = True
    found = parser.expression()
    if not parser.at("end"):
        raise parser.unexpected("the end of the expression")
    return found


def _parse(tokens: list[Token], file: str) -> Model:
    return UnitParser(insert_separators(expand_inlines(tokens))).model(file)


class UnitParser(StatementParser):
    """Adds what stands at the top level of a model."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self._formulas: list[int] = []
        self._claims: set[str] = set()
        self._mtype_counts: dict[str | None, int] = {}

    def model(self, file: str) -> Model:
        model = Model(file)
        while not self.at("end"):
            if self.at(";", "->"):
                self.advance()
            elif self.at("ltl"):
                self._skip_formula()
            else:
                model.units.append(self._unit(len([u for u in model.units if isinstance(u, Never)])))
        for number, position in enumerate(self._formulas):
            self.goto(position)
            model.formulas.append(self._formula(number))
        return model

    def _unit(self, claims: int) -> Declaration | MtypeMembers | Typedef | Proctype | Never:
        token = self.token
        match token.kind:
            case "active" | "proctype" | "D_proctype":
                return self._proctype()
            case "init":
                self.advance()
                priority = self.priority()
                return Proctype(":init:", [], self.body(), token.source, Number(1, token.source), priority=priority)
            case "never":
                self.advance()
                return self._never(claims, token.source)
            case "typedef":
                return self._typedef()
            case "trace" | "notrace":
                raise UnsupportedPromela(
                    f"'{token.kind}' assertions are not supported", token.source, "use a never claim or an assertion"
                )
            case kind if kind in EMBEDDED_C:
                raise embedded_c(token)
        if not self.starts_declaration():
            raise self._no_unit(token)
        return self._mtype_members() if self._starts_members() else self.declaration()

    def _never(self, claims: int, source: Source) -> Never:
        name = self.token
        text = self.advance().text if self.at("name") else f"never_{claims}"
        self._announce_claim(text, name.source)
        self.watching = True
        claim = Never(text, self.body(), source)
        self.watching = False
        return claim

    def _announce_claim(self, name: str, source: Source) -> None:
        if name in self._claims:
            raise PromelaError(f"claim '{name}' is defined twice", source)
        self._claims.add(name)

    def _no_unit(self, token: Token) -> PromelaError:
        if token.kind == "}":
            return PromelaError("'}' without a '{'", token.source)
        if token.kind == "name":
            return PromelaError(
                f"{token} cannot stand here", token.source, "statements belong into a proctype, types before their use"
            )
        return PromelaError(f"expected a declaration or a proctype, found {token}", token.source)

    # Processes

    def _proctype(self) -> Proctype:
        active: Expression | None = None
        start = self.token.source
        if self.accept("active"):
            active = Number(1, start)
            if self.accept("["):
                active = self.expression()
                self.expect("]")
        keyword = self.advance()
        if keyword.kind not in ("proctype", "D_proctype"):
            raise PromelaError(f"expected 'proctype' after 'active', found {keyword}", keyword.source)
        name = self.expect("name", where="of the proctype")
        if name.text in self.mtypes or name.text in self.typedefs:
            raise PromelaError(f"'{name.text}' has another meaning and cannot be a proctype", name.source)
        self.proctypes.add(name.text)
        self.expect("(")
        parameters = self._declarations(")")
        self.expect(")")
        found = Proctype(name.text, parameters, [], name.source, active, keyword.kind == "D_proctype")
        found.priority = self.priority()
        if self.accept("provided"):
            self.expect("(")
            found.provided = self.expression()
            self.expect(")")
        self.proctype = name.text
        found.body = self.body()
        self.proctype = ""
        return found

    def _declarations(self, end: str) -> list[Declaration]:
        found: list[Declaration] = []
        while not self.at(end):
            if not self.starts_declaration():
                raise self.unexpected("a declaration")
            found.append(self.declaration())
            while self.accept(";"):
                pass
        return found

    # Types

    def _typedef(self) -> Typedef:
        source = self.advance().source
        name = self.expect("name", where="of the type")
        self.expect("{")
        fields = self._declarations("}")
        if not fields:
            raise self.unexpected("a field of the type")
        self.expect("}")
        self.typedefs.add(name.text)
        return Typedef(name.text, fields, source)

    def _starts_members(self) -> bool:
        if not self.at("mtype"):
            return False
        ahead = 3 if self.ahead().kind == ":" else 1
        return self.ahead(ahead).kind == "{" or (self.ahead(ahead).kind == "=" and self.ahead(ahead + 1).kind == "{")

    def _mtype_members(self) -> MtypeMembers:
        source = self.advance().source
        which = self.expect("name", where="of the mtype set").text if self.accept(":") else None
        self.accept("=")
        self.expect("{")
        written: list[str] = []
        if self.at("}", ","):
            raise self.unexpected("a member")
        while not self.at("}"):
            if not self.accept(","):
                token = self.expect("name", where="of an mtype member")
                if token.text in self.mtypes or token.text in written:
                    raise PromelaError(f"'{token.text}' is a member of an mtype already", token.source)
                written.append(token.text)
        self.advance()
        # SPIN numbers the members of one declaration from the last to the first, after those already there.
        count = self._mtype_counts.get(which, 0)
        members = {member: count + len(written) - place for place, member in enumerate(written)}
        self.mtypes.update(members)
        self._mtype_counts[which] = count + len(written)
        return MtypeMembers(which, members, source)

    # Formulas

    def _skip_formula(self) -> None:
        """Formulas are read last, so that they may name what is declared after them."""
        self._formulas.append(self.position)
        self.advance()
        while not self.at("{", "end"):
            self.advance()
        depth = 0
        while not self.at("end"):
            kind = self.advance().kind
            depth += (kind == "{") - (kind == "}")
            if depth == 0:
                return
        raise self.unexpected("'}' to close the formula")

    def _formula(self, number: int) -> Formula:
        source = self.expect("ltl").source
        name = self.advance().text if self.at("name") else f"ltl_{number}"
        self._announce_claim(name, source)
        self.expect("{")
        start = self.position
        self.in_formula = True
        formula = self.expression()
        self.in_formula = False
        text = _tight(" ".join(token.text for token in self.tokens[start : self.position]))
        self.accept(";")
        self.expect("}")
        return Formula(name, text, formula, source)


def _tight(text: str) -> str:
    """A formula without needless blanks.

    >>> _tight("[ ] ( < > p && ! q [ 0 ] . f )")
    '[](<>p && !q[0].f)'
    """
    for loose, tight in (("[ ]", "[]"), ("< >", "<>"), ("< ->", "<->")):
        text = text.replace(loose, tight)
    text = re.sub(r"(?<=\w) (?=\[(?!\]))|(?<=\[) | (?=\])| (?=[.,@])|(?<=[.@]) ", "", text)
    return re.sub(r"(?<=[(!]) | (?=\))|(?<=\[\]) |(?<=<>) ", "", text)
