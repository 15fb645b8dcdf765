"""The attributes that objects of a class have in slots, by the names that reach them.

A class body spells `__slots__ = ("__items",)`, but what is read and written is `_Box__items`: who
looks into objects asks here, so that nobody overlooks what has a private name.
"""

from __future__ import annotations

from functools import lru_cache

# What Python makes itself where it is listed, and is no attribute of the program's.
_OF_PYTHON = ("__dict__", "__weakref__")


def slot_names(cls: type) -> tuple[str, ...]:
    """The names of all slots of a class, those of its bases first.

    >>> class Box:
    ...     __slots__ = ("__items", "size", "__weakref__")
    >>> slot_names(Box)
    ('_Box__items', 'size')
    """
    return _names(cls)


@lru_cache(maxsize=4096)
def _names(cls: type) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in _OF_PYTHON:
                found[_outside(base, name)] = None
    return tuple(found)


def _outside(cls: type, name: str) -> str:
    """What an attribute is called outside of the class that names it."""
    private = name.startswith("__") and not name.endswith("__")
    owner = cls.__name__.lstrip("_")
    return f"_{owner}{name}" if private and owner else name
