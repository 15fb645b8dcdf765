"""Calling functions that depend on the place of the call in the source, from lifted code."""

from __future__ import annotations

from collections.abc import Callable

from solvent.errors import NotLiftedError
from solvent.lift.registry import Place, Placed, placed
from solvent.vm.values import Guard, Value


def at(function: object, place: Place) -> Callable[..., Value]:
    """The function as it is called at a place."""
    return _known(function, place).at(place)


def picks(function: object, place: Place, count: int, which: int) -> Guard:
    """Whether an argument is the one to evaluate, if none before it is."""
    return _known(function, place).picks(place, count, which)


def _known(function: object, place: Place) -> Placed:
    known = placed(function)
    if known is None:
        raise NotLiftedError(
            f"{place[0]}:{place[1]}: a name that stood for a function of Solvent when this was "
            f"lifted stands for {function!r} now; lift it afterwards"
        )
    return known
