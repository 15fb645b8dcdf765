"""What instances of twins know of themselves beside their fields."""

from __future__ import annotations

from solvent.lift.twins.loading import STANDS_FOR
from solvent.vm.values import Value


def known_ordinal(day: Value) -> Value:
    """The number of a day that was made from it, or None.

    The slot of the hash, which is computed otherwise, has it in a tuple, so that paths that know it
    merge with each other and not with those that do not.
    """
    found = day._hashcode
    return found[0] if type(found) is tuple else None


def is_one(value: Value, twin: Value) -> bool:
    """Whether a value is an instance of a twin, or the one of C that this stands for."""
    known = STANDS_FOR.get(id(value))
    return value is twin or (known is not None and known[1] is twin)
