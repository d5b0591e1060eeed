"""UPPAAL's XML files, read without entity expansion and without touching anything outside the file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat
from xml.sax import SAXParseException, handler
from xml.sax.xmlreader import AttributesImpl, InputSource

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from beeline.languages.uppaal.branches import joined
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.processes import ProcessParser
from beeline.languages.uppaal.queries import listed, plain_text
from beeline.languages.uppaal.syntax import (
    Declaration,
    Declarator,
    Document,
    Edge,
    Instantiation,
    Location,
    Query,
    Template,
)
from beeline.languages.uppaal.text import Piece
from beeline.model.source import Source
from beeline.records import Record, field, replace


class Element(Record):
    """An XML element with its own text and the place of every run of it."""

    tag: str
    attributes: dict[str, str]
    source: Source
    children: list[Element] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    marks: list[tuple[int, int, int]] = field(default_factory=list)
    length: int = 0

    def all(self, tag: str) -> Iterator[Element]:
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        return next(self.all(tag), None)

    def piece(self, context: str) -> Piece:
        marks = tuple(self.marks) or ((0, self.source.line, self.source.column),)
        return Piece("".join(self.runs), self.source.file, context, marks)

    def text(self) -> str:
        return "".join(self.runs).strip()

    def label(self, kind: str) -> Element | None:
        """The label of this kind, unless there is none or it is blank."""
        found = next((one for one in self.all("label") if one.attributes.get("kind") == kind), None)
        return found if found is not None and found.text() else None


class _Reader(DefusedExpatParser):
    """Never asks for the document type's external subset, and gives text run by run, so that each keeps its place."""

    def reset(self) -> None:
        super().reset()
        self._parser: Any
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.buffer_text = False


class _Builder(handler.ContentHandler):
    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:
        self.locator = locator

    def _place(self) -> tuple[int, int]:
        return self.locator.getLineNumber(), self.locator.getColumnNumber() + 1

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        element = Element(name, dict(attrs.items()), Source(self.file, *self._place()))
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def endElement(self, name: str) -> None:
        self.stack.pop()

    def skippedEntity(self, name: str) -> None:
        raise UppaalError(f"unknown XML entity &{name};", Source(self.file, *self._place()))

    def characters(self, content: str) -> None:
        element = self.stack[-1]
        element.marks.append((element.length, *self._place()))
        element.runs.append(content)
        element.length += len(content)


def read_elements(text: str, file: str = "") -> Element:
    """The element tree of an XML text; entity declarations and malformed XML are errors."""
    builder = _Builder(file)
    reader = _Reader(forbid_dtd=False, forbid_entities=True, forbid_external=True)
    reader.setContentHandler(builder)
    source = InputSource(file)
    source.setByteStream(io.BytesIO(text.encode()))
    source.setEncoding("utf-8")
    try:
        reader.parse(source)
    except SAXParseException as error:
        place = Source(file, error.getLineNumber() or 0, (error.getColumnNumber() or 0) + 1)
        raise UppaalError(f"not well-formed XML: {error.getMessage()}", place) from None
    except DefusedXmlException:
        raise UppaalError("XML entities are not allowed in a model", Source(file)) from None
    if builder.root is None or builder.root.tag not in ("nta", "project"):
        raise UppaalError("not an UPPAAL model: the root element is not <nta>", Source(file, 1, 1))
    return builder.root


class _Model:
    """Turns the element tree into a syntax tree, gathering notes on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.notes: list[tuple[str, Source]] = []

    def parser(self, element: Element, context: str) -> ProcessParser:
        return ProcessParser(element.piece(context))

    def declarations(self, element: Element | None, context: str) -> list[Declaration]:
        if element is None:
            return []
        parser = self.parser(element, context)
        found = parser.declarations()
        parser.expect_end()
        return found

    def usable_template(self, element: Element) -> Template:
        """A template, or if it goes beyond timed automata just its name: it may never be used."""
        try:
            return self.template(element)
        except Unsupported as refusal:
            name = element.first("name")
            return Template(
                name.text() if name is not None else "", (), (), (), "", (), refusal.source, refusal.construct
            )

    def template(self, element: Element) -> Template:
        name = element.first("name")
        if name is None or not name.text():
            raise UppaalError("a template has no name", element.source)
        title = f"template {name.text()}"
        parameters: tuple[Declarator, ...] = ()
        if (given := element.first("parameter")) is not None:
            parser = self.parser(given, f"{title}, parameters")
            parameters = parser.parameters()
            parser.expect_end()
        declarations = self.declarations(element.first("declaration"), title)
        locations = [self.location(place, title) for place in element.all("location")]
        keys = {place.key: place.name or place.key for place in locations}
        points = frozenset(point.attributes.get("id", "") for point in element.all("branchpoint"))
        ends = keys | {point: point for point in points}
        edges = joined((self.edge(edge, title, ends) for edge in element.all("transition")), points, title)
        initial = element.first("init")
        start = initial.attributes.get("ref", "") if initial is not None else ""
        if start not in keys:
            raise UppaalError("the template has no initial location", element.source, context=title)
        return Template(name.text(), parameters, tuple(declarations), tuple(locations), start, edges, name.source)

    def location(self, element: Element, title: str) -> Location:
        name_element = element.first("name")
        name = name_element.text() if name_element is not None else ""
        key = element.attributes.get("id", name)
        context = f"{title}, location {name or key}"
        invariant = None
        if (label := element.label("invariant")) is not None:
            parser = self.parser(label, f"{context}, invariant")
            invariant = parser.conjunction()
            parser.expect_end()
        if (rate := element.label("exponentialrate")) is not None:
            self.notes.append(("exponential rates are ignored", rate.source))
        urgent = element.first("urgent") is not None
        committed = element.first("committed") is not None
        return Location(key, name, invariant, urgent, committed, element.source)

    def edge(self, element: Element, title: str, keys: dict[str, str]) -> Edge:
        ends: list[str] = []
        for tag in ("source", "target"):
            end = element.first(tag)
            key = end.attributes.get("ref", "") if end is not None else ""
            if key not in keys:
                raise UppaalError(f"the {tag} of an edge is not a location", element.source, context=title)
            ends.append(key)
        context = f"{title}, edge {keys[ends[0]]} -> {keys[ends[1]]}"
        controllable = element.attributes.get("controllable", "true") == "true"
        edge = Edge(ends[0], ends[1], controllable=controllable, source=element.source)
        if (label := element.label("select")) is not None:
            parser = self.parser(label, f"{context}, select")
            edge = replace(edge, select=parser.selections())
            parser.accept(";")
            parser.expect_end()
        if (label := element.label("guard")) is not None:
            parser = self.parser(label, f"{context}, guard")
            edge = replace(edge, guard=parser.conjunction())
            parser.expect_end()
        if (label := element.label("synchronisation")) is not None:
            parser = self.parser(label, f"{context}, synchronisation")
            if not parser.at_end():
                edge = replace(edge, sync=parser.synchronisation())
            parser.expect_end()
        if (label := element.label("assignment")) is not None:
            parser = self.parser(label, f"{context}, update")
            if not parser.at_end():
                edge = replace(edge, updates=parser.expression_list())
            parser.accept(";")
            parser.expect_end()
        if (label := element.label("probability")) is not None:
            parser = self.parser(label, f"{context}, weight")
            edge = replace(edge, weights=(parser.expression(),))
            parser.expect_end()
        return edge

    def queries(self, root: Element) -> list[Query]:
        found: list[Query] = []
        for group in root.all("queries"):
            for query in group.all("query"):
                formula, comment = query.first("formula"), query.first("comment")
                if formula is not None and plain_text(formula.text()):
                    said = comment.text() if comment is not None else ""
                    found.append(listed(formula.piece("query"), said))
        return found


def _is_chart(declaration: Declaration, charts: set[str]) -> bool:
    """Whether a declaration makes an instance of a chart; such instances can be instantiated again."""
    if isinstance(declaration, Instantiation) and declaration.template in charts:
        charts.add(declaration.name)
        return True
    return False


def queries_of(text: str, file: str = "") -> list[Query]:
    """The queries inside an XML model, whatever the rest of it is."""
    return _Model(file).queries(read_elements(text, file))


def parse_xml(text: str, file: str = "") -> Document:
    """The syntax tree of an UPPAAL XML model with the queries inside it."""
    root = read_elements(text, file)
    model = _Model(file)
    declarations: list[Declaration] = []
    charts: set[str] = set()
    for chart in root.all("lsc"):
        model.notes.append(("live sequence charts are ignored", chart.source))
        title = chart.first("name")
        charts.add(title.text() if title is not None else "")
    for element in root.all("declaration"):
        declarations += model.declarations(element, "declarations")
    declarations += [model.usable_template(element) for element in root.all("template")]
    for element in root.all("instantiation"):
        declarations += model.declarations(element, "process assignments")
    final = root.first("system")
    if final is None:
        raise UppaalError("there is no <system> element", root.source)
    parser = model.parser(final, "system declaration")
    declarations += parser.declarations()
    system = parser.system()
    parser.expect_end()
    notes = (*model.notes, *parser.notes)
    kept = [one for one in declarations if not _is_chart(one, charts)]
    return Document(file, tuple(kept), system, tuple(model.queries(root)), notes)
