"""Functions of C modules that are called with a wrong number of arguments.

Python names the function and the numbers in other words than those about a function in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature

from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.vm.values import Value


def lifts_counted(
    native: Callable[..., Value],
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function; Python says what is wrong with the number of its arguments."""

    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        parameters = signature(function)

        @wraps(function)
        def lifted(*args: Value, **named: Value) -> Value:
            try:
                parameters.bind(*args, **named)
            except TypeError:
                wrong = partial(native, **dict.fromkeys(named))
                raise raised(wrong, *[None] * len(args)) from None
            return function(*args, **named)

        return lifts(native)(lifted)

    return register
