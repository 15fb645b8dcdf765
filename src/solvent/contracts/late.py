"""Contracts of functions and classes that come to light only when they are called.

Before a check the program is looked through.  A function that was put away where nobody looks, or
made since, may have a contract, too: it must not be called as if it had none.  While a check lasts
it is refused; the next check knows of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from weakref import WeakSet

from solvent.contracts.inner import refuse_inner
from solvent.contracts.invariants import has_invariants
from solvent.contracts.reading import contract_of
from solvent.contracts.sources import place_of
from solvent.errors import NotLiftedError, SolventError
from solvent.lift.classes import ON_CLASS
from solvent.lift.function import ON_LIFTING
from solvent.lift.origins import is_generated, is_users
from solvent.vm.values import Value

# Marks copies of functions that guards call: their contract is being checked.
BODY = "__solvent_body__"

# What has a contract and was met, and no check has enforced it.
_MET: WeakSet[Value] = WeakSet()
# For each check that runs: whether it has seen a function or class.
_LOOKING: list[Callable[[Value], bool]] = []


def met() -> list[Value]:
    """The functions and classes with contracts that were met outside of a check."""
    return list(_MET)


@contextmanager
def refusing(has_seen: Callable[[Value], bool]) -> Iterator[None]:
    """While a check lasts, what has a contract and was not seen before is refused."""
    _LOOKING.append(has_seen)
    try:
        yield
    finally:
        _LOOKING.remove(has_seen)


def _told_of_function(lifted: FunctionType) -> None:
    """A function is lifted for the first time."""
    function: Value = getattr(lifted, "__wrapped__", lifted)
    if hasattr(function, BODY) or any(has_seen(function) for has_seen in _LOOKING):
        return
    code = function.__code__
    if is_generated(code.co_filename) or not is_users(function):
        return
    try:
        refuse_inner(function)
        is_meant = contract_of(function) is not None
    except SolventError:
        is_meant = True
    if is_meant:
        _MET.add(function)
        if _LOOKING:
            # It must not count as lifted afterwards.
            function.__dict__.pop("__solvent_lifted__", None)
            _refuse(function, f"`{function.__qualname__}`")


def _told_of_class(cls: type) -> None:
    """The methods of a class are about to be lifted in place."""
    if any(has_seen(cls) for has_seen in _LOOKING) or not _has_contracts(cls):
        return
    _MET.add(cls)
    if _LOOKING:
        methods = [one for one in vars(cls).values() if type(one) is FunctionType]
        _refuse(methods[0] if methods else cls, f"the class `{cls.__qualname__}`")


def _has_contracts(cls: type) -> bool:
    try:
        return has_invariants(cls)
    except SolventError:
        return True


def _refuse(target: Value, name: str) -> None:
    file, line = place_of(target)
    raise NotLiftedError(
        f"{file}:{line}: {name} has a contract and was found only when it was used; "
        "give it a name in its module"
    )


ON_LIFTING.append(_told_of_function)
ON_CLASS.append(_told_of_class)
