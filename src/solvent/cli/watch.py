"""`solvent watch`: what is known about a program, kept up to date while it is written.

When a file changes, the functions that differ or reach something that does are checked again, with
the smallest budget first.  While nothing changes, those about which nothing is known get more and
more time.  On a terminal there is one screen, elsewhere a line for each thing that is news.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from solvent.cli.checking import add_race_options
from solvent.cli.common import Commands, InputError, add_solver_options
from solvent.cli.envelope import envelope, wants_json
from solvent.cli.programs import add_program_options
from solvent.cli.rounds import Doing, Done, Key, Line, Listed, Round, Snapshot, chosen
from solvent.cli.selecting import add_selection_options
from solvent.cli.settings import configured
from solvent.queries.replay import shown
from solvent.race.lanes import Broken, Lane, wait_for
from solvent.verdicts import DONE, Answer, Finding, Stated, Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

# Seconds for each function in the first round, and how many times as many in the next.
FIRST_BUDGET = 1.0
GROWTH = 4.0
# How often files are looked at.
PAUSE_SECONDS = 0.2


class View(Protocol):
    """Who is shown what is known."""

    def update(self, state: State) -> None:
        """Something may be news."""

    def settled(self, state: State) -> None:
        """A round is over, and nothing has changed since."""


@dataclass(slots=True)
class Files:
    """The files that matter, as they were when they were last looked at."""

    stamps: dict[Path, tuple[int, int]] = field(default_factory=dict)
    texts: dict[Path, bytes] = field(default_factory=dict)

    def watch(self, paths: Iterator[Path] | tuple[Path, ...]) -> None:
        """Look at these, too; that they were not looked at before is no change."""
        for path in paths:
            if path not in self.stamps:
                self._look(path)

    def changed(self) -> list[Path]:
        """Those whose text is not what it was, which is what it is now."""
        return [path for path in list(self.stamps) if self._look(path)]

    def _look(self, path: Path) -> bool:
        try:
            found = path.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            if self.stamps.get(path) == stamp:
                return False
            text = path.read_bytes()
        except OSError:
            self.stamps[path] = (0, -1)
            return self.texts.pop(path, None) is not None
        self.stamps[path] = stamp
        before = self.texts.get(path)
        self.texts[path] = text
        return before != text


@dataclass(slots=True)
class State:
    """What is known about all functions, and what is being done about the others."""

    options: argparse.Namespace
    lines: dict[Key, Line] = field(default_factory=dict)
    files: Files = field(default_factory=Files)
    # The files as they were when the last round about what changed was complete.
    known: Snapshot = field(default_factory=lambda: Snapshot({}))
    doing: Key | None = None
    budget: float = 0.0
    lane: Lane | None = None
    # What the files were when the round began, if it is about what has changed.
    begun: Snapshot | None = None
    news: list[str] = field(default_factory=list)

    # --- rounds ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Check what has changed, in a round with the smallest budget."""
        self.stop()
        self.files.watch(target.place.path for target in chosen(self.options))
        self.begun = Snapshot(dict(self.files.texts))
        budget = min(FIRST_BUDGET, self.options.budget)
        self._start(Round(budget, self.known, dict(self.lines)))

    def grow(self) -> bool:
        """Check what is open with more time; whether there is anything to do."""
        still_open = {
            key: line.budget
            for key, line in self.lines.items()
            if line.verdict is Verdict.UNKNOWN and not line.final
        }
        # Those that had the least time come first.
        least = min(still_open.values(), default=self.options.budget)
        if least >= self.options.budget:
            return False
        self.begun = None
        budget = min(least * GROWTH, self.options.budget)
        keys = frozenset(key for key, given in still_open.items() if given == least)
        self._start(Round(budget, self.known, dict(self.lines), keys))
        return True

    def _start(self, round: Round) -> None:
        self.budget = round.budget
        # Read now: the fork has its own copy.
        options = self.options
        self.lane = Lane("watch", lambda report: round.work(options, report))

    def stop(self) -> None:
        """End the round that is going on."""
        if self.lane is not None:
            self.lane.stop()
        self.lane = self.doing = None

    def hear(self) -> bool:
        """Take in what the round has found; whether it is over."""
        lane = self.lane
        if lane is None:
            return False
        wait_for([lane], PAUSE_SECONDS)
        ended = lane.ended
        for message in lane.received():
            match message:
                case Line():
                    self._learn(message)
                case Listed():
                    self._list(message)
                case Doing(key):
                    self.doing = key
                case Broken(reason=reason):
                    self.news.append(f"the round failed: {reason}")
                case Done():
                    if self.begun is not None:
                        self.known = self.begun
        if not ended:
            return False
        if lane.death:
            self.news.append(f"the round has no answer: {lane.death}")
        self.stop()
        return True

    def _learn(self, line: Line) -> None:
        before = self.lines.get(line.key)
        self.lines[line.key] = line
        if before is None or before.text != line.text:
            self.news.append(line.text)

    def _list(self, found: Listed) -> None:
        """A file could be imported: forget what is not in it any more."""
        self.files.watch(found.files)
        names = set(found.functions)
        for key in [key for key in self.lines if key.file == found.file]:
            if key.function not in names:
                del self.lines[key]

    def forget(self) -> None:
        """Forget files that are no targets any more."""
        files = {target.place.text for target in chosen(self.options)}
        for key in [key for key in self.lines if key.file not in files]:
            del self.lines[key]

    # --- what is known --------------------------------------------------------------------------

    def counts(self) -> str:
        """How many functions there are of each kind, in words."""
        known = [line for key, line in self.lines.items() if key.function]
        verdicts = [line.verdict for line in known if not line.final]
        parts = {
            "verified": verdicts.count(Verdict.HOLDS),
            "failing": verdicts.count(Verdict.VIOLATED),
            "unknown": len(verdicts) - sum(one.is_definite for one in verdicts),
            "not checked": sum(line.final for line in known),
            "files that cannot be read": sum(not key.function for key in self.lines),
        }
        return ", ".join(f"{count} {name}" for name, count in parts.items() if count) or "nothing"

    def answer(self) -> Answer:
        """All of it as one answer."""
        lines = self.lines.values()
        wrong = tuple(
            Finding(line.text, line.position.rpartition(":")[0] or line.position)
            for line in lines
            if line.verdict is Verdict.VIOLATED
        )
        verdict = Verdict.worst(line.verdict for line in lines)
        reason = self.counts() if verdict is Verdict.UNKNOWN else ""
        return Stated(wrong, verdict=verdict, reason=reason)


# --- views --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Lines:
    """What is news, line by line, for who is not looking at a terminal."""

    shown: str = ""

    def update(self, state: State) -> None:
        """Print what is news."""
        for text in state.news:
            print(text, flush=True)
        state.news.clear()

    def settled(self, state: State) -> None:
        """Say how many there are of what, if that has changed."""
        text = state.counts()
        if text != self.shown:
            print(f"up to date: {text}", flush=True)
        self.shown = text


class Objects:
    """One JSON object in a line whenever all is up to date."""

    def update(self, state: State) -> None:
        """There is no object yet."""
        state.news.clear()

    def settled(self, state: State) -> None:
        """Print the object."""
        rows = [
            {
                "function": key.function,
                "position": line.position,
                "status": "error" if not key.function else "not checked" if line.final else "",
                "verdict": line.verdict.value,
                "text": line.text,
            }
            for key, line in state.lines.items()
        ]
        result = envelope({"functions": rows}, state.answer())
        print(json.dumps(result, default=shown), flush=True)


class Screen:
    """One screen with all functions: first what fails, then what is open, then what is proved."""

    def __init__(self, show: Callable[[RenderableType], object], height: Callable[[], int]) -> None:
        self._show = show
        self._height = height

    def update(self, state: State) -> None:
        """Draw it anew."""
        from rich.console import Group
        from rich.text import Text

        from solvent.verdicts import color

        state.news.clear()
        order = (Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.BOUNDED, Verdict.HOLDS)
        lines = sorted(
            state.lines.values(), key=lambda line: (line.final, order.index(line.verdict))
        )
        room = max(1, self._height() - 3)
        texts = [
            Text(
                line.text.partition("\n")[0],
                style="dim" if line.final else color(line.verdict),
                no_wrap=True,
                overflow="ellipsis",
            )
            for line in lines[:room]
        ]
        more = len(lines) - room
        if more > 0:
            texts.append(Text(f"... and {more} more", style="dim"))
        self._show(Group(Text(self._title(state), style="bold"), *texts))

    def settled(self, state: State) -> None:
        """Draw it anew."""
        self.update(state)

    def _title(self, state: State) -> str:
        what = "up to date"
        if state.lane is not None:
            name = "" if state.doing is None else f" {state.doing.function}"
            what = f"checking{name}, up to {state.budget:g} s each"
        return f"solvent watch: {state.counts()}; {what}; Ctrl-C ends"


@contextmanager
def _view(options: argparse.Namespace) -> Iterator[View]:
    if wants_json(options):
        yield Objects()
    elif not sys.stdout.isatty():
        yield Lines()
    else:
        from rich.live import Live

        from solvent.cli.terminal import console

        shown = console()
        # Drawn by us and by nobody else: a round is a fork of this process, which has no threads.
        with Live(console=shown, screen=True, auto_refresh=False) as live:
            yield Screen(lambda text: live.update(text, refresh=True), lambda: shown.height)


# --- the command --------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> int:
    """Watch until Ctrl-C."""
    options.target = options.target or ["."]
    state = State(options)
    try:
        with _view(options) as view:
            _watch(state, view)
    except KeyboardInterrupt:
        pass
    finally:
        state.stop()
    if not wants_json(options):
        print(f"at the end: {state.counts()}")
    return DONE


def _watch(state: State, view: View) -> None:
    # Said now, before anybody waits for a file that is none.
    list(chosen(state.options))
    state.begin()
    view.update(state)
    while True:
        over = state.hear()
        view.update(state)
        if _has_changed(state):
            state.begin()
        elif over:
            view.settled(state)
            state.grow()
        elif state.lane is None:
            time.sleep(PAUSE_SECONDS)


def _has_changed(state: State) -> bool:
    """Whether a file has changed, is new or is gone."""
    changed = state.files.changed()
    try:
        files = {target.place.path for target in chosen(state.options)}
        state.forget()
    except InputError:
        # A target may be gone for a moment while it is written.
        return False
    new = files - set(state.files.stamps)
    return bool(changed or new)


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("watch", help="check again whatever changes, until Ctrl-C")
    parser.add_argument(
        "target",
        nargs="*",
        metavar="TARGET",
        help="as for `solvent verify`; this folder if there is none",
    )
    add_program_options(parser)
    add_race_options(parser)
    add_selection_options(parser, changed=False)
    add_solver_options(parser)
    configured(parser, run)
