"""The JSON object of a command: one envelope, made here and nowhere else.

Whatever a command does, its object says which form it has (`solvent: 1`), which command it was and
on what, the verdict with the findings, what was covered, and the seconds.  What only one command
knows stands beside that under names of its own.  A command that could not be understood, or that
failed, has the same object, with an `error`.  `docs/envelope.schema.json` describes it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import solvent
from solvent.cli.cases import Case, Told
from solvent.cli.progress import Work
from solvent.errors import SolventError
from solvent.verdicts import Answer, Together, Verdict, as_json
from solvent.verdicts.rendering import Json
from solvent.verdicts.texts import shown

# The form of the object; another number if a name is gone, or means something else.
FORM = 1

# What there is to say if a command has no question to answer, but something to do.
JOB_DONE = Answer(verdict=Verdict.HOLDS)


@dataclass(slots=True)
class Running:
    """The command that runs, and whether its object was printed."""

    command: str = ""
    target: tuple[str, ...] = ()
    work: Work = field(default_factory=Work)
    has_json: bool = False


# There is one command in a process, and at most one object of it.
_NOW = Running()


def begin(command: str, target: Sequence[str], work: Work) -> None:
    """A command starts: its object will say what it is about."""
    _NOW.command = command
    _NOW.target = tuple(target)
    _NOW.work = work
    _NOW.has_json = False


def has_json() -> bool:
    """Whether the object of the running command was printed."""
    return _NOW.has_json


def wants_json(options: argparse.Namespace) -> bool:
    """Whether the answer of a command is its JSON object."""
    return bool(getattr(options, "json", False))


def is_for_people(options: argparse.Namespace) -> bool:
    """Whether the answer of a command is lines that somebody reads."""
    return not wants_json(options) and getattr(options, "format", "text") == "text"


def envelope(
    fields: Mapping[str, object], answer: Answer = JOB_DONE, coverage: Json | None = None
) -> Json:
    """The object: what all commands say, and the fields of one command.

    >>> begin("doctor", (), Work())
    >>> list(envelope({"healthy": True}))[:7]
    ['solvent', 'version', 'command', 'target', 'verdict', 'holds', 'bound']
    """
    core: Json = {
        "solvent": FORM,
        "version": solvent.__version__,
        "command": _NOW.command,
        "target": list(_NOW.target),
        **as_json(answer),
        "coverage": coverage,
        "seconds": round(_NOW.work.deadline.spent(), 6),
    }
    if coverage is None and answer.verdict is Verdict.UNKNOWN and _NOW.work.deadline.is_over:
        core["coverage"] = covered(_NOW.work.covered)
    return {**core, **{name: value for name, value in fields.items() if name not in core}}


def covered(text: str, still_open: Sequence[str] = ()) -> Json:
    """The entry `coverage`: what is known in words, and what is not.

    >>> covered("2 of 3 procedures verified", ["third"])
    {'covered': '2 of 3 procedures verified', 'open': ['third']}
    """
    return {"covered": text or "nothing is decided", "open": list(still_open)}


def cases_of(answer: Answer) -> list[Case]:
    """The parts of an answer as cases, for commands that have no better names for them."""
    parts = answer.answers if isinstance(answer, Together) else ()
    return [Case(_name(part), part) for part in parts] or [Case(_name(answer), answer)]


def _name(answer: Answer) -> str:
    for name in ("function", "procedure", "label"):
        found = getattr(answer, name, None)
        if isinstance(found, str) and found:
            return found
    return " ".join(_NOW.target) or _NOW.command


def told(
    options: argparse.Namespace,
    fields: Mapping[str, object],
    answer: Answer = JOB_DONE,
    *,
    coverage: Json | None = None,
    cases: Sequence[Case] | None = None,
) -> bool:
    """Give the answer in every form that was asked for; whether none of them is for people."""
    if any(getattr(options, name, None) for name in ("sarif", "junit")) or _annotates(options):
        parts = cases_of(answer) if cases is None else cases
        _report(options, answer, tuple(parts), str(fields.get("error") or ""))
    if wants_json(options):
        write(envelope(fields, answer, coverage))
    return not is_for_people(options)


def _annotates(options: argparse.Namespace) -> bool:
    return getattr(options, "format", "text") == "github"


def _report(
    options: argparse.Namespace, answer: Answer, cases: tuple[Case, ...], error: str
) -> None:
    """Write the reports for other tools."""
    # Few ask for them.
    from solvent.cli import github, junit, sarif

    said = Told(_NOW.command, _NOW.target, answer, cases, _NOW.work.deadline.spent(), error)
    files = {"sarif": sarif.as_sarif, "junit": junit.as_junit}
    for name, written in files.items():
        path = getattr(options, name, None)
        if path is not None:
            try:
                Path(path).write_text(written(said), encoding="utf-8", errors="backslashreplace")
            except OSError as problem:
                if not error:
                    raise ReportError(f"--{name} {path}: {problem.strerror}") from None
    if _annotates(options):
        _NOW.has_json = True
        print(*github.as_annotations(said), sep="\n")


class ReportError(SolventError):
    """A report that cannot be written."""


def write(result: Json) -> None:
    """Print the object, which then was printed."""
    with _any_digits():
        text = json.dumps(result, indent=2, ensure_ascii=False, default=shown)
        if printable(text) != text:
            text = json.dumps(result, indent=2, default=shown)
    _NOW.has_json = True
    print(text)


def printable(text: str) -> str:
    """Text that standard output can take: other characters are written as SMT-LIB escapes them."""
    encoding = sys.stdout.encoding or "utf-8"

    def escaped(character: str) -> str:
        try:
            character.encode(encoding)
        except UnicodeEncodeError:
            return f"\\u{{{ord(character):x}}}"
        return character

    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(map(escaped, text))
    return text


@contextmanager
def _any_digits() -> Iterator[None]:
    """Convert numbers of any length meanwhile."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)
