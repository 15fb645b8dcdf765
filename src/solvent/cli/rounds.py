"""Rounds of `solvent watch`: some functions are checked in a fork, which tells what it finds.

The program is imported in the fork only, so that each round sees it as it is then, and a round can
be ended at any moment.  Which functions are checked is told by what has changed since another
round, itself or in what it reaches, or by their names.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from solvent.cli.answers import Unanswered, position_of
from solvent.cli.asking import checked
from solvent.cli.changed import Revision
from solvent.cli.common import InputError
from solvent.cli.importing import Importer
from solvent.cli.limits import is_lasting, marked
from solvent.cli.loading import parse_inputs
from solvent.cli.members import Member, inputs_for, unsaid
from solvent.cli.targets import Target, targets
from solvent.queries.subjects import name_of
from solvent.race.lanes import Report
from solvent.verdicts import Answer, Verdict


class Key(NamedTuple):
    """A function: the file that the targets name, and what it is called there."""

    file: str
    function: str


@dataclass(frozen=True, slots=True)
class Line:
    """What is known about a function, or about a file that is none (its function is empty)."""

    key: Key
    position: str
    verdict: Verdict
    text: str
    # How many seconds its check was given.
    budget: float = 0.0
    # Whether nobody could ask about it, so that more time would not help.
    final: bool = False

    def moved(self, position: str) -> Line:
        """The same about a function that stands elsewhere now."""
        text = position + self.text.removeprefix(self.position)
        return replace(self, position=position, text=text)


@dataclass(frozen=True, slots=True)
class Listed:
    """The functions of a file, and the files that it depends on."""

    file: str
    functions: tuple[str, ...]
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Doing:
    """The function that is checked now."""

    key: Key


class Done:
    """The round is over."""


class Snapshot(Revision):
    """The files as they were at a moment, to compare the program with; none if there is none.

    >>> Snapshot({}).difference(Path("no such file")).names
    frozenset()
    """

    def __init__(self, texts: Mapping[Path, bytes]) -> None:
        super().__init__("", Path.cwd())
        self.texts = texts

    def source(self, path: Path) -> bytes | None:
        """The text of a file at that moment, if it was there."""
        return self.texts.get(path.resolve())

    def is_other(self, path: Path) -> bool:
        """Whether a file has another text now."""
        try:
            return path.read_bytes() != self.source(path)
        except OSError:
            return True


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be checked, for how many seconds each at most."""

    budget: float
    # Functions that differ from this, or reach something that does.
    since: Snapshot
    # What is known so far.
    known: Mapping[Key, Line]
    # If they are named, these and no others.
    only: frozenset[Key] | None = None

    def work(self, options: argparse.Namespace, report: Report) -> None:
        """Check the functions, and report what is found."""
        given = argparse.Namespace(**{**vars(options), "budget": self.budget, "quiet": True})
        importer = Importer()
        for target in chosen(options):
            file = target.place.text
            if self.only is not None and not any(key.file == file for key in self.only):
                continue
            try:
                found = target.members(importer.module(target.place))
            except InputError as error:
                text = f"{file}: {str(error).removeprefix(f'{file}: ')}"
                report(Line(Key(file, ""), file, Verdict.UNKNOWN, text, final=True))
                continue
            files = {*importer.files(), target.place.path}
            members = {_key(file, member): member for member in found}
            report(Listed(file, tuple(key.function for key in members), tuple(sorted(files))))
            for key in self._wanted(members, files, report):
                self._check(given, key, members[key], report)
        report(Done())

    def _wanted(
        self, members: Mapping[Key, Member], files: set[Path], report: Report
    ) -> Iterator[Key]:
        """The functions to check; proofs stay what they are if their functions only moved."""
        if self.only is not None:
            yield from (key for key in members if key in self.only)
            return
        differing = {id(member) for member in self.since.changed(members.values(), files)}
        edited = any(self.since.is_other(path) for path in files)
        for key, member in members.items():
            line = self.known.get(key)
            # Answers that are no proofs name lines, which may have moved.
            stays = line is not None and (line.verdict is Verdict.HOLDS or not edited)
            if line is None or not stays or id(member) in differing:
                yield key
            elif line.position != position_of(member.function):
                report(line.moved(position_of(member.function)))

    def _check(self, options: argparse.Namespace, key: Key, member: Member, report: Report) -> None:
        position = position_of(member.function)
        given = inputs_for(member, parse_inputs(options.input), options.max_len)
        problem = "" if member.named else unsaid(member, given)
        if problem:
            text = f"{position}: {key.function}: not checked: {marked(problem)}"
            report(Line(key, position, Verdict.UNKNOWN, text, final=True))
            return
        report(Doing(key))
        found = checked(options, member, given)
        if isinstance(found, Unanswered):
            report(Line(key, position, Verdict.UNKNOWN, str(found), final=True))
            return
        worst = Verdict.worst(one.verdict for one in found)
        text = "\n".join(_said(one, position) for one in found if one.verdict is worst)
        # What is not lifted is not lifted with more time either.
        lasting = any(is_lasting(one.reason) for one in found)
        report(Line(key, position, worst, text, math.inf if lasting else self.budget))


def _key(file: str, member: Member) -> Key:
    """What tells a function from the others of a file, also if classes inherit it."""
    name = name_of(member.function)
    return Key(file, name if member.owner is None else f"{member.owner.__qualname__}: {name}")


def _said(answer: Answer, position: str) -> str:
    """An answer in a line; a failure has a place of its own."""
    text = answer.headline()
    if answer.verdict is Verdict.UNKNOWN and answer.reason:
        text = f"{text}: {answer.reason}"
    return text if answer.findings else f"{position}: {text}"


def chosen(options: argparse.Namespace) -> Iterator[Target]:
    """The files that the targets of a command stand for now, each once."""
    seen: set[tuple[Path, str, int]] = set()
    for text in options.target:
        for target in targets(text, options.exclude):
            key = (target.place.path, target.name, target.line)
            if key not in seen:
                seen.add(key)
                yield target
