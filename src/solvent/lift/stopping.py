"""`StopIteration` in functions that iterators call: it ends what asked for the item.

This is what `try: ... except StopIteration:` in lifted code does, without a function of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.errors import NotLiftedError
from solvent.vm.own import position
from solvent.vm.trying import TryScope
from solvent.vm.values import Value


def unless_stopped(
    function: Callable[..., Value], arguments: tuple[Value, ...], end: Value
) -> Value:
    """What a function returns, or `end` where it raises `StopIteration`."""
    value: Value = end
    scope = TryScope(("value",))
    try:
        value = function(*arguments)
    except BaseException as error:
        (value,) = scope.begin(error, (value,))
    else:
        if not scope.exits:
            scope.drop()
            return value
        (value,) = scope.begin(None, (value,))
    while True:
        try:
            value = _handled(scope.error, value, end)
        except BaseException as error:
            scope.end(error)
        if scope.single:
            return value
        (value,) = scope.next((value,))
        if scope.done:
            return value


def _handled(error: BaseException | None, value: Value, end: Value) -> Value:
    """The value of a phase: what was returned, or the end."""
    if error is None:
        return value
    if not isinstance(error, StopIteration):
        raise error
    if error.args:
        raise NotLiftedError(
            f"{position()}: a function that an iterator calls raised `StopIteration` with a value, "
            "which is not lifted; raise it without one"
        )
    return end
