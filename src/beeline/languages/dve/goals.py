"""The goals and LTL formulas that the BEEM collection defines for its models.

They stand in ``NAME.xml`` beside ``generated_files/NAME.N.dve``: atomic propositions, which are DVE expressions
over the instance's parameters, and formulas over these propositions. A parameter that an instance does not set
has its default in ``NAME.mdve``. Propositions may use the few macros of that generator that `_expand` knows.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from beeline.languages.dve import syntax
from beeline.languages.dve.errors import DveError
from beeline.languages.dve.parser import parse_expression
from beeline.model.source import Source
from beeline.records import Record, replace

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INSTANCE_FILE = re.compile(r"(?P<name>.+?)\.(?P<number>\d+)(\.prop\d+)?\.dve")
_DEFAULT = re.compile(r"\bdefault\(\s*(\w+)\s*,\s*((?:[^()]|\([^()]*\))*)\)")


class Goal(Record, frozen=True):
    """A named state predicate; `name` is ``goal`` and the number that the collection gives it."""

    name: str
    expression: syntax.Expression
    description: str
    source: Source


class LinearGoal(Record, frozen=True):
    """A formula about runs; `name` is ``ltl`` and the number that the collection gives it, `atoms` are what the names
    of its propositions mean."""

    name: str
    formula: str
    atoms: dict[str, syntax.Expression]
    description: str
    source: Source


def find_goals(file: Path) -> list[Goal | LinearGoal]:
    """The goals of a BEEM instance, in the order of its XML file; none for any other file. The formulas are left out
    where the file has a property of its own."""
    match = _INSTANCE_FILE.fullmatch(file.name)
    if match is None or file.parent.name != "generated_files":
        return []
    folder, name = file.parent.parent, match["name"]
    description = folder / f"{name}.xml"
    if not description.is_file():
        return []
    from defusedxml import ElementTree

    root = ElementTree.parse(description).getroot()
    assert root is not None
    macros = _macros(root, match["number"], folder / f"{name}.mdve")
    propositions = {_text(ap, "ap-name"): _text(ap, "ap-expression") for ap in root.iter("ap")}
    goals: list[Goal | LinearGoal] = []
    for found in root.iter("property"):
        number, formula = found.get("id", ""), _text(found, "formula")
        about = " ".join(_text(found, "description").split()), Source(str(description))
        if found.get("prop-type") == "reachability":
            goals.append(Goal(f"goal{number}", _formula(formula, propositions, macros, str(description)), *about))
        elif found.get("prop-type") == "LTL" and match[3] is None:
            atoms = {
                name: parse_expression(_expand(text, macros), str(description))
                for name, text in propositions.items()
                if re.search(rf"\b{name}U?\b", formula)
            }
            goals.append(LinearGoal(f"ltl{number}", _spaced(formula, propositions), atoms, *about))
    return goals


def _spaced(formula: str, propositions: dict[str, str]) -> str:
    """The collection writes ``GF p`` for ``G F p``, and ``pU(q)`` for ``p U (q)``.

    >>> _spaced("GF p && pU(q)", {"p": "", "q": ""})
    'G F p && p U (q)'
    """
    apart = re.sub(r"\b[GFX]{2,}\b", lambda operators: " ".join(operators[0]), formula)
    for name in propositions:
        apart = re.sub(rf"\b{name}U(?=\()", f"{name} U ", apart)
    return apart


def _text(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()


def _macros(root: Element, number: str, generator: Path) -> dict[str, str]:
    """Values of the parameters as text: the instance's own over the generator's defaults."""
    macros: dict[str, str] = {}
    if generator.is_file():
        text = generator.read_text(errors="replace")
        macros.update((name, value.strip()) for name, value in _DEFAULT.findall(text))
    for instance in root.iter("instance"):
        if instance.get("id") == number:
            for setting in _text(instance, "parameters").split(","):
                name, _, value = setting.partition("=")
                macros[name.strip()] = value.strip()
    return macros


def _formula(text: str, propositions: dict[str, str], macros: dict[str, str], file: str) -> syntax.Expression:
    """The formula with each proposition's name replaced by its expression."""
    formula = parse_expression(text, file)

    def fill(node: syntax.Expression) -> syntax.Expression:
        match node:
            case syntax.Reference(name, None, None):
                if name not in propositions:
                    raise DveError(f"the formula `{text}` uses the unknown proposition {name}", Source(file))
                return parse_expression(_expand(propositions[name], macros), file)
            case syntax.Unary(operand=operand):
                return replace(node, operand=fill(operand))
            case syntax.Binary(left=left, right=right):
                return replace(node, left=fill(left), right=fill(right))
            case _:
                return node

    return fill(formula)


def _expand(text: str, macros: dict[str, str]) -> str:
    """Parameters put in, ``myloop(variable, from, to, body, separator)`` written out, quotes dropped.

    >>> _expand("myloop(i,0,decr(N), `P_`'i.CS', ` + ') > 1", {"N": "3"})
    'P_0.CS + P_1.CS + P_2.CS > 1'
    """
    while (start := text.find("myloop(")) >= 0:
        arguments, end = _arguments(text, start + len("myloop("))
        variable, low, high, body, separator = arguments
        rounds = range(_number(low, macros), _number(high, macros) + 1)
        turns = [_substitute(body, {variable.strip(): str(turn)}) for turn in rounds]
        text = text[:start] + separator.join(turns) + text[end:]
    return _substitute(text, macros).replace("`", "").replace("'", "")


def _substitute(text: str, macros: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        word = match[0]
        if word not in macros:
            return word
        inner = {name: text for name, text in macros.items() if name != word}
        replacement = _substitute(macros[word].replace("eval(", "("), inner)
        return replacement if replacement.isalnum() else f"({replacement})"

    return _WORD.sub(value, text)


def _number(text: str, macros: dict[str, str]) -> int:
    """A whole number, a parameter, or ``decr`` of one."""
    text = text.strip()
    if text.startswith("decr(") and text.endswith(")"):
        return _number(text[len("decr(") : -1], macros) - 1
    return int(_substitute(text, macros))


def _arguments(text: str, start: int) -> tuple[list[str], int]:
    """The arguments from `start` to the closing parenthesis, without their outer quotes, and where they end."""
    arguments, current, quotes, depth = [], "", 0, 0
    for position in range(start, len(text)):
        character = text[position]
        if character == "`":
            quotes += 1
            current += character if quotes > 1 else ""
        elif character == "'":
            quotes -= 1
            current += character if quotes > 0 else ""
        elif quotes == 0 and depth == 0 and character in ",)":
            arguments.append(current)
            current = ""
            if character == ")":
                return arguments, position + 1
        else:
            depth += (character == "(") - (character == ")") if quotes == 0 else 0
            # Blanks before a quoted argument are not part of it.
            current += "" if character == " " and not current and quotes == 0 else character
    raise DveError("a macro's arguments are never closed")
