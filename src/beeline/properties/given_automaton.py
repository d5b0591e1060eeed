"""Automata of bad runs, brought from elsewhere in the HOA format: their propositions are expressions of the model."""

from __future__ import annotations

from pathlib import Path

from beeline.automata.hoa import from_hoa, quoted
from beeline.automata.hoa_text import HoaError
from beeline.model.expressions import Expression
from beeline.model.names import Resolver
from beeline.model.network import Network
from beeline.model.property import Claim
from beeline.model.source import UNKNOWN, ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.model.validation import validate_property
from beeline.properties.linear import automaton_property


def read_automaton(network: Network, text: str) -> Claim:
    """The question that ``hoa: FILE`` is: no run is accepted by the automaton in the file."""
    file = text.partition(":")[2].strip()
    try:
        content = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise HoaError(error.strerror or "it cannot be read", Source(file), "write --property hoa:FILE") from None
    except UnicodeDecodeError:
        raise HoaError("this is no text", Source(file), "an HOA file begins with `HOA: v1`") from None
    automaton = from_hoa(content, file)
    atoms = {name: _read(network, name, content, file) for name in automaton.propositions}
    return automaton_property(text.strip(), Source(file, 1), automaton, atoms, network.times_out)


def _read(network: Network, name: str, content: str, file: str) -> Expression:
    try:
        expression = Resolver(network).resolve(parse_expression(name))
        validate_property(network, expression)
    except ModelError as error:
        column = error.within(UNKNOWN, name).source.column
        remedy = error.remedy or "propositions are expressions of the model"
        raise HoaError(error.message, *_place(name, column, content, file, remedy)) from None
    return expression


def _place(name: str, column: int, content: str, file: str, remedy: str) -> tuple[Source, str, str]:
    """Where a proposition stands in the list of them, the remedy, and the line."""
    offset = max(0, content.find(quoted(name), max(0, content.find("AP:"))))
    line, start = content.count("\n", 0, offset) + 1, content.rfind("\n", 0, offset) + 1
    excerpt = content[start:].splitlines()[0].replace("\t", " ")
    return Source(file, line, offset - start + 1 + max(1, column)), remedy, excerpt
