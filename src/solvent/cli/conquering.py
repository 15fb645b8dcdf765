"""`--split`: questions that are not answered in a share of the budget are divided into pieces."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from solvent.cli.envelope import is_for_people
from solvent.cli.spreading import Spread
from solvent.queries.asking import SPLIT
from solvent.solvers.status import Status

if TYPE_CHECKING:
    from solvent.solvers.splitting import Conquered

# Seconds of a whole question where there is no budget.
_SHARE_SECONDS = 5.0


@contextmanager
def splitting(
    options: argparse.Namespace, doing: Spread, share: float | None = None
) -> Iterator[list[Conquered]]:
    """Divide what is asked meanwhile, if it is hard; the trees of pieces are what this gives."""
    # Few questions are divided.
    from solvent.solvers.splitting import Split
    from solvent.units.pieces import on_pool

    found: list[Conquered] = []
    width = options.pieces or doing.pool.width
    memory = None if options.memory is None else options.memory << 20
    solve = on_pool(doing, doing.show, memory)
    split = Split(solve, width, share or _SHARE_SECONDS, watch=found.append)
    token = SPLIT.set(split)
    try:
        yield found
    finally:
        SPLIT.reset(token)
        doing.open.extend(one.reason for one in found if one.status is Status.UNKNOWN)
        # Not before: what is printed while a program runs is taken for its own.
        if options.split_tree:
            for conquered in found:
                _print_tree(options, conquered)


def _print_tree(options: argparse.Namespace, conquered: Conquered) -> None:
    said = {Status.UNSAT: "all pieces are closed", Status.SAT: "a piece has a model"}
    head = said.get(conquered.status, conquered.reason)
    stream = sys.stdout if is_for_people(options) else sys.stderr
    print(f"pieces: {head}", *conquered.tree.lines(1), sep="\n", file=stream)


class Over(KeyboardInterrupt):
    """The time for running a function is over."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `Over` in the middle of whatever is done here, as Ctrl-C would."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Over

    before: Callable[..., object] | int | None = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
