"""`--jobs`, `--cluster`, `--resume`: where the units of a command are done, and what is kept."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from solvent.cli.common import InputError, natural
from solvent.cli.envelope import is_for_people
from solvent.cli.progress import LiveLine, Work, live_line
from solvent.units.journal import Journal
from solvent.units.unit import Limits, Reply, Unit, digest

if TYPE_CHECKING:
    from solvent.units.local import Show

# Below the folder of the cache.
JOURNALS = ".solvent_cache/journals"

# What neither the units of a command nor their answers depend on.
_NOT_ABOUT_UNITS = """
    advice allow_unknown budget cache cache_at cluster cluster_ca cluster_cert cluster_key command
    format html jobs json junit memory pieces quiet resume run sarif ship spent_code split_tree
    supervised work
"""
_NO_MATTER = frozenset(_NOT_ABOUT_UNITS.split())

# Which part of the budget a question has before it is divided.
SHARE = 0.25

Replies = Iterator[tuple[int, Unit, Reply]]


class Pool(Protocol):
    """Where units are done."""

    def run(self, units: Iterable[Unit | None], show: Show) -> Replies:
        """Replies as they come, each with the number of its unit."""

    def executor(self) -> Executor | None:
        """What runs functions, if that is not this machine."""


def add_spread_options(
    parser: argparse.ArgumentParser, *, cluster: bool = True, jobs: int | None = None
) -> None:
    """The options of a command with several units of work."""
    parser.add_argument(
        "--jobs",
        type=natural,
        default=jobs or os.cpu_count() or 1,
        metavar="N",
        help="how many units are worked on at a time (default: "
        + ("all processors)" if jobs is None else f"{jobs})"),
    )
    parser.add_argument(
        "--memory",
        type=natural,
        metavar="MB",
        help="how much memory each process of a unit may use (no limit)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the run of this command that was stopped, without what it has finished",
    )
    if cluster:
        add_cluster_options(parser)


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """The options of a command whose units can be done elsewhere."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="send the units to the workers of a Dask scheduler, such as tcp://127.0.0.1:8786",
    )
    for name, what in (
        ("ca", "the certificate of the authority"),
        ("cert", "the certificate of this client"),
        ("key", "the key of this client"),
    ):
        parser.add_argument(
            f"--cluster-{name}", metavar="FILE", help=f"{what}, for an address with tls://"
        )
    parser.add_argument(
        "--ship",
        action="append",
        default=[],
        metavar="PATH",
        help="send these files to the workers, too, beside the sources of the program",
    )


def add_split_options(parser: argparse.ArgumentParser) -> None:
    """The options of a command that may divide questions."""
    parser.add_argument(
        "--split",
        action="store_true",
        help="divide questions that are not answered in a quarter of the budget into pieces",
    )
    parser.add_argument(
        "--split-tree", action="store_true", help="show what became of the pieces (with --split)"
    )
    parser.add_argument(
        "--pieces",
        type=natural,
        metavar="N",
        help="how many pieces are solved at a time (default: as --jobs; more on a cluster)",
    )


def limits_of(options: argparse.Namespace, seconds: float | None) -> Limits:
    """What a unit of a command may use."""
    return Limits(seconds, None if options.memory is None else options.memory << 20)


def is_spread(options: argparse.Namespace) -> bool:
    """Whether units are done elsewhere than in this very process."""
    return options.jobs > 1 or getattr(options, "cluster", None) is not None


@dataclass(frozen=True, slots=True)
class Spread:
    """Where the units of a command are done, and what is told meanwhile."""

    pool: Pool
    journal: Journal
    show: Show
    line: LiveLine

    def __call__(self, units: Iterable[Unit]) -> Replies:
        """Do units; replies as they come, each with the number of its unit."""
        for reply in _replies(self.pool, units, self.journal, self.show):
            # Who hears of it prints an answer, which stands on a line of its own.
            self.line.clear()
            yield reply


@contextmanager
def spread(options: argparse.Namespace, identity: list[str]) -> Iterator[Spread]:
    """What does the units of a command: it takes them, and gives replies as they come.

    `identity` says which command it is, so that it is found again if it is to go on.
    """
    # What looks at Python programs takes a while to import.
    from solvent.cli.depending import surroundings

    path = _journal_path(options, identity)
    journal = Journal(path, surroundings(), resume=options.resume)
    complete = False
    try:
        with live_line(options.quiet) as line, pool_of(options) as pool:
            if options.resume and is_for_people(options):
                line.update(f"{len(journal)} units are known from the run that was stopped")
            yield Spread(pool, journal, _shower(options, line), line)
        complete = True
    finally:
        journal.close(complete=complete)


def _journal_path(options: argparse.Namespace, identity: list[str]) -> Path:
    from solvent.cli.settings import project

    matter = [
        f"{name}={value!r}"
        for name, value in sorted(vars(options).items())
        if name not in _NO_MATTER and not callable(value)
    ]
    return project() / JOURNALS / f"{digest([*identity, os.getcwd(), *matter])[:32]}.jsonl"


def _shower(options: argparse.Namespace, line: LiveLine) -> Show:
    work: Work = options.work

    def show(text: str) -> None:
        work.update(text)
        line.update(f"{work.deadline.spent():.0f} s  {text}")

    return show


@contextmanager
def pool_of(options: argparse.Namespace) -> Iterator[Pool]:
    """Where the units of a command are done: here, or on a cluster."""
    # It takes a while to import, and is not needed for one unit.
    from solvent.units.local import Local

    address = getattr(options, "cluster", None)
    if address is None:
        yield Local(options.jobs)
        return
    # Few have a cluster, and Dask takes a while to import.
    try:
        from solvent.units.cluster import Cluster, Security
    except ModuleNotFoundError as error:
        raise InputError(
            f"--cluster needs Dask ({error.name} is not installed): pip install 'solvent[cluster]'"
        ) from None
    security = Security(options.cluster_ca, options.cluster_cert, options.cluster_key)
    with Cluster(address, security, Local(options.jobs)) as pool:
        yield pool


def _replies(pool: Pool, units: Iterable[Unit], journal: Journal, show: Show) -> Replies:
    """The replies, of which some are known."""
    known: list[tuple[int, Unit, Reply]] = []
    numbers: list[int] = []

    def unknown() -> Iterator[Unit]:
        for number, unit in enumerate(units):
            answer = journal.answer(unit)
            if answer is not None:
                known.append((number, unit, Reply(answer)))
            else:
                numbers.append(number)
                yield unit

    for index, unit, reply in pool.run(unknown(), show):
        journal.add(unit, reply)
        yield from _taken(known)
        yield numbers[index], unit, reply
    yield from _taken(known)


def _taken(known: list[tuple[int, Unit, Reply]]) -> Replies:
    while known:
        yield known.pop(0)
