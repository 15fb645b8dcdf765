"""Which floats arithmetic made, where their terms do not show it.

`x * 1.0` is the term `x`, but in CPython a new object, which NaN in a container is told apart by.
"""

from __future__ import annotations

from solvent.terms.booleans import ITE
from solvent.terms.floats import FloatTerm
from solvent.terms.term import CONSTANT
from solvent.vm.machine import current
from solvent.vm.values import Value

# Under this key a machine remembers such terms, by identity; they stay, so that it means them.
_COMPUTED = object()


def computed(value: Value) -> Value:
    """A result of arithmetic, which is remembered where its term is one of an input or a choice."""
    if type(value) is FloatTerm and (value.op is CONSTANT or value.op.base is ITE):
        current().notes.setdefault(_COMPUTED, {})[id(value)] = value
    return value


def is_computed(value: Value) -> bool:
    """Whether arithmetic gave this term on some path."""
    return id(value) in current().notes.get(_COMPUTED, ())
