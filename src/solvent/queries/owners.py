"""Whose method a function is: the class of which its first argument is an instance.

Nobody annotates `self`.  The class is found again by the full name of the function, and only if it
still has this very function.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import FunctionType

from solvent.contracts.sources import innermost
from solvent.contracts.subjects import FACE_OF
from solvent.queries.replay import plain


def owner_of(function: object) -> type | None:
    """The class of which a function takes an instance, as methods and properties do.

    >>> owner_of(functools.partialmethod.__get__).__name__, owner_of(owner_of)
    ('partialmethod', None)
    """
    inner = _inner(function)
    found: object = None
    if isinstance(inner, FunctionType):
        *path, _ = inner.__qualname__.split(".")
        # A decorator may have put a function of a library around it.
        around = getattr(innermost(inner), "__globals__", inner.__globals__)
        for place, name in enumerate(path):
            if place == 0:
                found = around.get(name)
            else:
                found = vars(found).get(name) if isinstance(found, type) else None
    if not isinstance(found, type):
        return None
    members = [one for value in vars(found).values() for _, one in taking_instances(value)]
    return found if any(_inner(one) is inner for one in members) else None


def _inner(function: object) -> object:
    """The function that the user wrote: the class may have a lifted one, or one with a cache."""
    found = plain(function)
    found = plain(getattr(found, FACE_OF, found))
    return plain(found.__wrapped__) if _is_cached(found) else found


def taking_instances(member: object) -> Iterator[tuple[str, object]]:
    """The functions of a member of a class that take an instance, and how each is got from it.

    >>> [text for text, _ in taking_instances(property(len, print))]
    ['.fget', '.fset']
    """
    if isinstance(member, FunctionType) or _is_cached(member):
        yield "", member
    elif isinstance(member, property):
        for name in ("fget", "fset", "fdel"):
            part = getattr(member, name)
            if part is not None:
                yield f".{name}", part
    elif isinstance(member, functools.cached_property):
        yield ".func", member.func


def _is_cached(member: object) -> bool:
    return type(member) is functools._lru_cache_wrapper


def accessor_of(function: object) -> str:
    """What follows the name of a property to get its function, to be pasted: `.fget`."""
    owner = owner_of(function)
    for member in vars(owner).values() if owner is not None else ():
        for text, one in taking_instances(member):
            if _inner(one) is _inner(function):
                return text
    return ""
