"""What a slot holds: a variable, an attribute, a key of a dict, an item of a list.

A slot that every path has filled holds a value.  One that only some have filled is *partial* and
holds a `Maybe`, an empty one `UNBOUND`.  How that is represented is known here: `slot` makes the
content of a slot, `opened` takes it apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.vm.values import Choice, Guard, Value


class Maybe:
    """The content of a slot that is empty unless `guard` holds: a variable that only one branch
    bound, an attribute or key that only one branch set, an item beyond the shortest length.

    A `Maybe` is never a value of the program: reading the slot raises under `not guard`.
    """

    __slots__ = ("guard", "value")

    def __init__(self, guard: Guard, value: Value) -> None:
        self.guard = guard
        self.value = value

    def __repr__(self) -> str:
        return f"<{self.value!r} if {self.guard}>"


def _unseen(content: Maybe, *_: object) -> NoReturn:
    raise NotLiftedError(
        "code that is not lifted reads something that only some paths have set; set it on every "
        "path, or read it in lifted code"
    )


for _name in (
    "bool", "len", "iter", "next", "getitem", "setitem", "contains", "call", "int", "float",
    "index", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod",
    "lt", "le", "gt", "ge", "enter",
):  # fmt: skip
    setattr(Maybe, f"__{_name}__", _unseen)


UNBOUND = Maybe(False, None)


def slot(guard: Guard, value: Value) -> Value:
    """The content of a slot that holds a value where the guard holds, and nothing elsewhere.

    >>> from solvent.terms import Bool
    >>> slot(Bool("p"), 1), slot(True, 1), slot(False, 1) is UNBOUND
    (<1 if p>, 1, True)
    """
    if guard is True:
        return value
    return UNBOUND if guard is False else Maybe(guard, value)


def opened(content: Value) -> Choice:
    """Where a slot is filled, and the value that it has there.

    >>> from solvent.terms import Bool
    >>> opened(slot(Bool("p"), 1)), opened(1)
    ((p, 1), (True, 1))
    """
    return (content.guard, content.value) if type(content) is Maybe else (True, content)


def is_partial(content: Value) -> bool:
    """Whether a slot is empty on some paths, or on all."""
    return type(content) is Maybe


def guard_of(content: Value) -> Guard:
    """Where a slot is filled."""
    guard: Guard = content.guard if type(content) is Maybe else True
    return guard


def value_in(content: Value) -> Value:
    """The value that a slot has where it is filled."""
    return content.value if type(content) is Maybe else content


def mapped(function: Callable[[Value], Value], content: Value) -> Value:
    """The content of a slot with what a function makes of its value; an empty one stays empty.

    >>> from solvent.terms import Bool
    >>> mapped(str, slot(Bool("p"), 1)), mapped(str, 1)
    (<'1' if p>, '1')
    """
    if type(content) is not Maybe:
        return function(content)
    return content if content is UNBOUND else Maybe(content.guard, function(content.value))
