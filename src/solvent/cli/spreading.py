"""`--jobs`, `--cluster`, `--resume`: where the units of a command are done, and what is kept."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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

    @property
    def width(self) -> int:
        """How many at a time."""

    def run(self, units: Iterable[Unit | None], show: Show) -> Replies:
        """Replies as they come, each with the number of its unit."""


def add_spread_options(
    parser: argparse.ArgumentParser, *, cluster: bool = True, jobs: int | None = None
) -> None:
    """The options of a command with several units of work."""
    parser.add_argument(
        "--jobs",
        type=natural,
        default=jobs or processors(),
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
        help="how many pieces are solved at a time (default: --jobs, or what the cluster does)",
    )


def only_units(options: argparse.Namespace, when: str) -> None:
    """Refuse what is about units where there are none, rather than do without a word."""
    for name, given in (
        ("cluster", options.cluster),
        ("ship", options.ship),
        ("resume", options.resume),
        ("memory", options.memory),
    ):
        if given:
            raise InputError(f"--{name} is for units of work, and there are none {when}")


def limits_of(options: argparse.Namespace, seconds: float | None) -> Limits:
    """What a unit of a command may use."""
    return Limits(seconds, None if options.memory is None else options.memory << 20)


def is_spread(options: argparse.Namespace, count: int) -> bool:
    """Whether so many units are done elsewhere than in this very process.

    One alone may be, if nobody wants to have it limited, noted or sent.
    """
    wants = options.cluster is not None or options.resume or options.memory is not None
    return count > 1 or bool(wants)


def processors() -> int:
    """How many processors this process may use.

    >>> 1 <= processors() <= (os.cpu_count() or 1)
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Spread:
    """Where the units of a command are done, and what is told meanwhile."""

    pool: Pool
    journal: Journal
    show: Show
    line: LiveLine
    # What is open in the end, so that another run may want to go on with what is known.
    open: list[str] = field(default_factory=list)

    def __call__(self, units: Iterable[Unit | None]) -> Replies:
        """Do units; replies as they come, each with the number of its unit."""
        for reply in self.run(units, self.show):
            # Who hears of it prints an answer, which stands on a line of its own.
            self.line.clear()
            yield reply

    def run(self, units: Iterable[Unit | None], show: Show) -> Replies:
        """The same for who prints nothing; what it tells meanwhile is shown by another."""
        yield from _replies(self.pool, units, self.journal, show)


@contextmanager
def spread(
    options: argparse.Namespace, identity: list[str], *, one_by_one: bool = False
) -> Iterator[Spread]:
    """What does the units of a command: it takes them, and gives replies as they come.

    `identity` says which command it is, so that it is found again if it is to go on.  Units that
    can be done `one_by_one` need no processes of their own if nobody asks for any.
    """
    # What looks at Python programs takes a while to import.
    from solvent.cli.depending import surroundings

    path = _journal_path(options, identity)
    journal = Journal(path, surroundings(), resume=options.resume)
    complete = False
    try:
        # Who waits for this process shows how far it is.
        quiet = options.quiet or options.work.watch is not None
        with live_line(quiet) as line, pool_of(options, one_by_one) as pool:
            if options.resume and is_for_people(options):
                line.update(f"{len(journal)} units are known from the run that was stopped")
            doing = Spread(pool, journal, _shower(options, line), line)
            yield doing
        complete = not doing.open
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
def pool_of(options: argparse.Namespace, one_by_one: bool) -> Iterator[Pool]:
    """Where the units of a command are done: here, or on a cluster."""
    # It takes a while to import, and is not needed for one unit.
    from solvent.units.local import Here, Local

    address = getattr(options, "cluster", None)
    if address is None:
        apart = options.jobs > 1 or options.memory is not None or not one_by_one
        yield Local(options.jobs) if apart else Here()
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


def _replies(pool: Pool, units: Iterable[Unit | None], journal: Journal, show: Show) -> Replies:
    """The replies, of which some are known; `None` says that there is no unit before a reply."""
    waiting = _Waiting(units, journal)
    while not waiting.is_over:
        told = 0
        for index, unit, reply in pool.run(waiting, show):
            journal.add(unit, reply)
            for found in (*waiting.known(), (waiting.numbers[index], unit, reply)):
                yield found
                told += 1
        for found in waiting.known():
            yield found
            told += 1
        # Whoever waits for a reply, and gets none, has nothing more to say.
        if not told:
            return


class _Waiting:
    """Units that are not known yet; those that are known are kept for who asks."""

    def __init__(self, units: Iterable[Unit | None], journal: Journal) -> None:
        self._units = _numbered(units)
        self._journal = journal
        self._known: list[tuple[int, Unit, Reply]] = []
        # Of what was given since somebody began to ask, the number in the whole.
        self.numbers: list[int] = []
        self.is_over = False

    def known(self) -> Replies:
        """What an earlier run has found, once."""
        while self._known:
            yield self._known.pop(0)

    def __iter__(self) -> Iterator[Unit | None]:
        self.numbers.clear()
        return self

    def __next__(self) -> Unit | None:
        for number, unit in self._units:
            if unit is None:
                self.numbers.append(-1)
                return None
            answer = self._journal.answer(unit)
            if answer is None:
                self.numbers.append(number)
                return unit
            self._known.append((number, unit, Reply(answer)))
        self.is_over = True
        raise StopIteration


def _numbered(units: Iterable[Unit | None]) -> Iterator[tuple[int, Unit | None]]:
    """Units with their numbers; what stands for none has that of the next one."""
    number = 0
    for unit in units:
        yield number, unit
        number += unit is not None
