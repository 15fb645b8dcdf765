"""Answers as the lines that GitHub shows beside the code (`--format github`).

>>> from solvent.verdicts import Finding
>>> print(annotation("error", Place("a.py", 3), "10% off", "two\\nlines"))
::error file=a.py,line=3,title=10%25 off::two%0Alines
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.cli.cases import Case, Place, Told, sentence
from solvent.verdicts import Verdict


def as_annotations(told: Told) -> Iterator[str]:
    """One line for each finding, and one for each case that is open or was not looked at."""
    if told.error:
        yield annotation("error", Place(), "", told.error)
        return
    for case in told.cases:
        yield from _of(case)


def _of(case: Case) -> Iterator[str]:
    if case.skipped:
        text = f"{case.name}: not checked: {case.skipped}"
        yield annotation("notice", case.place, "not checked", text)
        return
    if case.is_bad:
        place, text = case.mistake
        yield annotation("error", place, "bad input", text)
        return
    for finding in case.answer.findings:
        place = Place(finding.file, finding.line)
        yield annotation("error", place, finding.kind or "violation", sentence(finding))
    if case.answer.verdict is Verdict.VIOLATED and not case.answer.findings:
        yield annotation("error", case.place, "violation", f"{case.name}: violated")
    if case.is_open:
        yield annotation("warning", case.place, case.answer.verdict.value, case.why)


def annotation(level: str, place: Place, title: str, message: str) -> str:
    """A line of this kind, with what has a meaning in it written otherwise."""
    parts = {"file": place.file, "line": str(place.line or ""), "title": title}
    given = ",".join(f"{name}={_property(text)}" for name, text in parts.items() if text)
    return f"::{level} {given}::{_data(message)}" if given else f"::{level}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Beside what messages may not have, properties end at commas and begin after colons.

    >>> _property("C:\\\\a,b.py")
    'C%3A\\\\a%2Cb.py'
    """
    return _data(text).replace(":", "%3A").replace(",", "%2C")
