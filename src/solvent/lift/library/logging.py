"""The module `logging`: a program does not read what it has logged.

So a message with symbolic values is left out, and one of some paths only unless it goes to the
terminal, where it says so.  Handlers that the program
reads from, those that it has written itself and those with streams that it made, are called.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from solvent.lift.api import lifted
from solvent.lift.origins import is_users
from solvent.lift.registry import lifts
from solvent.lift.terminal import MADE, is_terminal
from solvent.lift.unlifted import Library, is_concrete
from solvent.vm.machine import current
from solvent.vm.values import Guard, Value

_LOG = logging.Logger._log
_LIFTED_LOG = Library(_LOG)


@lifts(logging.Logger.isEnabledFor)
@lifted
def is_enabled_for(logger: logging.Logger, level: Value) -> Guard:
    """`logger.isEnabledFor(level)`, without the cache that would differ between paths."""
    if logger.disabled or logger.manager.disable >= level:
        return False
    return level >= logger.getEffectiveLevel()  # type: ignore[no-any-return]


@lifts(_LOG)
def log(logger: logging.Logger, /, *args: Value, **named: Value) -> None:
    """What every method of a logger calls once it has found that the level is high enough."""
    handlers = list(_handlers(logger))
    known = all(map(is_concrete, (*args, *named.values())))
    printed = known and (not current().is_divided or all(map(_is_printed, handlers)))
    if printed or not all(map(_is_unread, handlers)):
        _LIFTED_LOG(logger, *args, **named)


def _handlers(logger: logging.Logger) -> Iterator[logging.Handler]:
    """The handlers that a message of a logger reaches."""
    found: logging.Logger | None = logger
    while found is not None:
        yield from found.handlers
        found = found.parent if found.propagate else None


def _is_printed(handler: logging.Handler) -> bool:
    """Whether a handler writes to the terminal, which is told on which paths."""
    return type(handler) is logging.StreamHandler and is_terminal(current(), handler.stream)


def _is_unread(handler: logging.Handler) -> bool:
    """Whether the program cannot notice what a handler does."""
    if handler.filters or getattr(handler, "stream", None) in MADE:
        return False
    return not is_users(type(handler).emit)  # type: ignore[arg-type]
