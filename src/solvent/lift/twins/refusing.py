"""How the code of a twin says that something is not lifted, and what C says of wrong arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.lift.messages import message
from solvent.vm.machine import current


def refuse(what: str) -> NoReturn:
    """Say what is not lifted, and what to do instead."""
    raise NotLiftedError(what)


def unknown(what: str) -> None:
    """End this path, which may be one that no input takes: what it would do is not known."""
    current().end_unknown(True, NotLiftedError(what))


def template(operation: Callable[..., object], *arguments: object, value: object) -> list[str]:
    """The message of a failing operation, around the places where it shows a value.

    >>> import datetime
    >>> template(datetime.timedelta, 10**9, value=10**9)
    ['days=', '; must have magnitude <= 999999999']
    """
    return message(operation, *arguments).split(str(value))
