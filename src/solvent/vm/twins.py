"""Values of C classes that hold something symbolic: instances of a twin of the class, in Python.

A C class such as `datetime.date` has no place for a term.  Its twin has, and its methods can be
lifted.  For the program an instance of the twin is one of the class itself; `python_type` of
`vm.kinds` says so.  Instances of some classes are values without identity: the twin and the C class
then merge with each other, field by field.

Which classes have a twin, and how one becomes the other, is set by `lift.twins.loading`.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.vm.values import Value

# The name in a namespace that says that it is that of a twin.
MARK = "__solvent_twin__"

# The class that a program knows, by its twin.
NATIVE: dict[type, type] = {}


# What tells values of one twin apart that do not merge, by the twin.
APART: dict[type, Callable[[Value], tuple[Value, ...]]] = {}


class Hooks:
    """What `lift.twins.loading` sets."""

    __slots__ = ("enter", "find")

    # The twin of a class whose instances are values, or None.
    find: Callable[[type], type | None]
    # The instance of the twin that stands for a concrete value.
    enter: Callable[[Value], Value]


HOOKS = Hooks()
HOOKS.find = lambda cls: None
HOOKS.enter = lambda value: value

# What was found: the twins of classes whose instances are values.
_FOUND: dict[type, type | None] = {}


def twin_of_values(cls: type) -> type | None:
    """The twin of a class, or of itself, if its instances are values that merge."""
    try:
        return _FOUND[cls]
    except KeyError:
        result = _FOUND[cls] = HOOKS.find(cls)
        return result


def entered(value: Value) -> Value:
    """The instance of a twin that stands for a value; other values are what they are."""
    cls = type(value)
    if cls in NATIVE or twin_of_values(cls) is None:
        return value
    return HOOKS.enter(value)


def is_one_number(a: Value, b: Value) -> bool:
    """Whether two concrete values of a class whose twin keeps them apart are the same one.

    They stay what they are: code in C goes on with them in the context that each path has.
    """
    cls = type(a)
    return (
        cls is type(b) and cls not in NATIVE and twin_of_values(cls) in APART and repr(a) == repr(b)
    )
