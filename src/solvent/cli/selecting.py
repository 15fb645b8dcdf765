"""Which functions commands ask about, one after the other, while their module is in use."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from solvent.cli.answers import Report
from solvent.cli.changed import Revision, is_revision, revision
from solvent.cli.common import InputError, contained
from solvent.cli.importing import Importer
from solvent.cli.loading import Subject
from solvent.cli.members import Member
from solvent.cli.targets import Target, targets
from solvent.queries.meant import exception_named
from solvent.queries.replay import plain


@dataclass(slots=True)
class Selection:
    """The functions that the targets of a command stand for."""

    options: argparse.Namespace
    report: Report
    # How many files were looked at.
    files: int = field(default=0, init=False)
    revision: Revision | None = field(default=None, init=False)
    # Where the function is that was given last: the file, and its number among those there.
    target: Target | None = field(default=None, init=False)
    index: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        options = self.options
        if options.changed is not None:
            name, here = options.changed, Path.cwd()
            if not is_revision(name, here) and Path(name).exists():
                # `--changed FOLDER` names no revision, but a target.
                options.target.insert(0, name)
                name = "HEAD"
            self.revision = revision(name, here)
            options.target = options.target or ["."]
        if not options.target:
            raise InputError("verify needs a target: a file, a folder, or package.module")

    @property
    def alone(self) -> bool:
        """Whether there is only one target, so that there is nothing to say if it is none."""
        return len(self.options.target) == 1

    def __iter__(self) -> Iterator[Member]:
        """Each function once, while the module that it is in is imported."""
        importer = Importer(getattr(self.options, "budget", None))
        seen: set[tuple[object, ...]] = set()
        chosen: list[Target] = []
        for text in self.options.target:
            try:
                chosen += targets(text, self.options.exclude)
            except InputError as error:
                self._bad(error)
        alone = len(chosen) == 1 and self.alone
        try:
            for target in chosen:
                self.files += 1
                try:
                    module = importer.module(target.place)
                    found = target.members(module)
                except InputError as error:
                    if alone:
                        raise
                    self.report.bad(error)
                    continue
                numbers = {id(member): number for number, member in enumerate(found)}
                if self.revision is not None:
                    found = self.revision.changed(found, {*importer.files(), target.place.path})
                for member in found:
                    key = (target.place.path, id(member.function), id(member.owner))
                    if key not in seen:
                        seen.add(key)
                        self.target, self.index = target, numbers[id(member)]
                        yield member
        finally:
            importer.leave()

    def _bad(self, error: InputError) -> None:
        if self.alone:
            raise error
        self.report.bad(error)

    def nothing(self) -> str:
        """Why no answer at all is a mistake, if it is one."""
        if self.revision is not None:
            return ""
        file = self.options.target[0] if self.alone else f"{self.files} files"
        name = f"; name one: {file}::NAME" if self.alone and file.endswith(".py") else ""
        return f"{file}: no function has annotated parameters{name}"


def one_function(text: str) -> tuple[str, Subject]:
    """The file and the function of a target that stands for one function."""
    found = targets(text)
    file = text.partition("::")[0]
    if len(found) != 1 or not (found[0].name or found[0].line):
        raise InputError(f"{file}: name a function: {file}::NAME")
    members = found[0].members(Importer().module(found[0].place))
    if len(members) != 1:
        raise InputError(f"{text}: these are several functions; name one of them")
    return file, members[0].function


def named_exceptions(given: list[str], function: Subject) -> tuple[type[BaseException], ...]:
    """The exceptions that `--raises` names, as seen from the module of a function."""
    return tuple(_exception(name.strip(), function) for text in given for name in text.split(","))


def _exception(name: str, function: Subject) -> type[BaseException]:
    found = exception_named(name, plain(getattr(function, "__wrapped__", function)))
    if found is not None:
        return found
    module, _, last = name.rpartition(".")
    try:
        with contained():
            value = getattr(importlib.import_module(module), last)
    except (Exception, SystemExit):
        value = None
    if isinstance(value, type) and issubclass(value, BaseException):
        return value
    raise InputError(f"--raises {name}: there is no exception with this name")


def add_selection_options(parser: argparse.ArgumentParser, *, changed: bool = True) -> None:
    """Which functions are asked about, and what counts as a failure."""
    if changed:
        parser.add_argument(
            "--changed",
            nargs="?",
            const="HEAD",
            metavar="REV",
            help="only functions that differ from a revision of git's, in themselves or in what "
            "they use (HEAD)",
        )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out files and folders below a folder, such as 'build/*'",
    )
    parser.add_argument(
        "--raises",
        action="append",
        default=[],
        metavar="NAMES",
        help="exceptions that are meant, such as ValueError,package.Error",
    )
    parser.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        default=True,
        help="ask again about functions that have not changed",
    )
    parser.add_argument(
        "--cache-at",
        default=os.environ.get("SOLVENT_CACHE") or None,
        metavar="PLACE",
        help="a folder, or an address for fsspec such as s3://bucket/solvent, where answers are "
        "kept for all who work on the project (SOLVENT_CACHE, else .solvent_cache of the project)",
    )
    parser.add_argument(
        "--assertions-only", action="store_true", help="only failing assertions are findings"
    )
    parser.add_argument(
        "--allow-unknown",
        action="store_true",
        help="exit with 0 also if something is not known, or if there is nothing to check",
    )
