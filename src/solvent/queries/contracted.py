"""A check of a function whose program has contracts: what is asked about, and what is meant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import MethodType

from solvent.contracts.subjects import checked
from solvent.queries.meant import Meant, meant_by
from solvent.queries.options import Options
from solvent.queries.owners import owner_of
from solvent.queries.replay import plain, symbolic_surroundings
from solvent.queries.signatures import Function


@contextmanager
def contracted(function: Function, options: Options) -> Iterator[tuple[Function, Meant]]:
    """What to ask about instead of a function, and what is meant.

    >>> def half(n: int) -> int:
    ...     "pre: n > 1"
    ...     return 10 // n
    >>> with contracted(half, Options()) as (found, _):
    ...     found.__name__
    'half'
    """
    meant = meant_by(function, options.raises, assertions_only=options.assertions_only)
    found = plain(function)
    target = found.__func__ if isinstance(found, MethodType) else found
    with checked(target, owner_of(target)) as contracts:
        # Symbolic variables around a function are looked for in itself.
        if contracts is None or (not contracts.layers and symbolic_surroundings(function)):
            yield function, meant
            return
        subject: Function = contracts.subject()
        if isinstance(found, MethodType):
            subject = MethodType(subject, found.__self__)
        meant = replace(meant, classes={**meant.classes, **contracts.raises()})
        yield subject, meant
