"""JUnit XML, as continuous integration servers read it: a model is a suite, a property a test case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from beeline.report.verdicts import Case

# What XML 1.0 has no way to write.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(cases: Sequence[Case]) -> str:
    """The report. A verdict that was not expected is a failure, a model that could not be checked an error.

    >>> print(to_junit([Case("a.pml", "safe", "holds", "exhausted")]).splitlines()[1])
    <testsuites tests="1" failures="0" errors="0" time="0.000">
    """
    root = ElementTree.Element("testsuites", _totals(cases))
    for model in dict.fromkeys(case.model for case in cases):
        own = [case for case in cases if case.model == model]
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(model), **_totals(own)})
        for case in own:
            _add(suite, case)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _totals(cases: Sequence[Case]) -> dict[str, str]:
    errors = sum(case.verdict == "error" for case in cases)
    return {
        "tests": str(len(cases)),
        "failures": str(sum(not case.as_expected for case in cases) - errors),
        "errors": str(errors),
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _add(suite: ElementTree.Element, case: Case) -> None:
    attributes = {"name": _clean(case.asked), "classname": _clean(case.model), "time": f"{case.seconds:.3f}"}
    if case.source.line:
        attributes |= {"file": _clean(case.source.file or case.model), "line": str(case.source.line)}
    element = ElementTree.SubElement(suite, "testcase", attributes)
    if case.as_expected:
        # What was found: the values of a range, the witness of a goal, the counterexample of a known bug.
        told = "\n\n".join(part for part in (f"{case.verdict}: {case.reason}", case.text) if part)
        ElementTree.SubElement(element, "system-out").text = _clean(told)
        return
    wanted = "" if case.expected == "holds" else f", expected {case.expected}"
    message = f"{case.verdict}: {case.reason}{wanted}"
    kind = "error" if case.verdict == "error" else "failure"
    bad = ElementTree.SubElement(element, kind, {"message": _clean(message), "type": case.verdict})
    bad.text = _clean(case.text or message)


def _clean(text: str) -> str:
    return FORBIDDEN.sub("�", text)
