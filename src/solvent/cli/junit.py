"""Answers as JUnit XML, which continuous integration reads: each case is a test.

What holds has passed, and what is violated has failed.  What is not known is skipped, as is what
was not looked at: neither has failed, and neither has passed.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from solvent.cli.cases import Case, Told, sentence
from solvent.verdicts import Verdict

# What XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(told: Told) -> str:
    """The text of the file."""
    cases = () if told.error else told.cases
    failures = sum(case.answer.verdict is Verdict.VIOLATED for case in cases)
    errors = sum(case.is_bad for case in cases) + bool(told.error)
    skipped = sum(bool(case.skipped) or case.is_open for case in cases)
    name = f"solvent {told.command}".strip()
    counts = {
        "tests": str(max(len(cases), int(bool(told.error)))),
        "failures": str(failures),
        "errors": str(errors),
        "skipped": str(skipped),
        "time": f"{told.seconds:.3f}",
    }
    top = Element("testsuites", {"name": name, **counts})
    suite = SubElement(top, "testsuite", {"name": name, **counts})
    for case in cases:
        _add(suite, case, name)
    if told.error:
        test = SubElement(suite, "testcase", {"classname": name, "name": _target(told, name)})
        SubElement(test, "error", {"message": xml_text(told.error)})
    indent(top)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(top, "unicode") + "\n"


def _target(told: Told, otherwise: str) -> str:
    return xml_text(" ".join(told.target) or otherwise)


def _add(suite: Element, case: Case, command: str) -> None:
    """The test of a case: `file` and `line` are what pytest writes, too."""
    place = case.place
    attributes = {
        "classname": xml_text(place.file or command),
        "name": xml_text(case.name),
        "time": f"{case.answer.seconds:.3f}",
    }
    if place.file:
        attributes |= {"file": xml_text(place.file), "line": str(place.line)}
    test = SubElement(suite, "testcase", attributes)
    if case.skipped:
        SubElement(test, "skipped", {"message": xml_text(f"not checked: {case.skipped}")})
    elif case.is_bad:
        SubElement(test, "error", {"message": xml_text(case.mistake[1])})
    elif case.answer.verdict is Verdict.VIOLATED:
        _add_failure(test, case)
    elif case.is_open:
        SubElement(test, "skipped", {"message": xml_text(case.why)})


def _add_failure(test: Element, case: Case) -> None:
    findings = case.answer.findings
    said = [f"{one.where}: {sentence(one)}" if one.where else sentence(one) for one in findings]
    first = findings[0] if findings else None
    failure = SubElement(
        test,
        "failure",
        {
            "type": (first.kind if first else "") or "violation",
            "message": xml_text(sentence(first) if first else case.answer.headline()),
        },
    )
    details = [f"  {line}" for line in case.answer.details()]
    failure.text = xml_text("\n".join([*said, *details]) or case.answer.headline())


def xml_text(text: str) -> str:
    """Text of which XML can be made: other characters are written as Python writes them.

    >>> print(xml_text("a < b \\x00"))
    a < b \\x00
    """
    return _NOT_XML.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
