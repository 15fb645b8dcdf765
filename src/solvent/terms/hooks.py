"""What modules of terms ask of modules above them, so that none imports one that imports it.

Each function is set by the module that is named beside it; `solvent.terms` imports all of them.
None of them is on the way of building a term.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvent.terms.kinds import Floating, RealLike
    from solvent.terms.term import Term

# A function of two operands, such as those of the module `operator`.
BinaryFunction = Callable[[Any, Any], Any]


class Hooks:
    """The functions of modules above, as `HOOKS.pretty(term, None)`."""

    __slots__ = ("pretty", "promoted", "reduced", "to_float")

    # The text of a term, cut after so many characters: set by `printing`.
    pretty: Callable[[Term, int | None], str]
    # How a term is pickled: set by `graph`.
    reduced: Callable[[Term], tuple[object, ...]]
    # An operator between a symbolic number and a concrete float: set by `floats`.
    promoted: Callable[[BinaryFunction, object, object], Any]
    # A number as a float of double precision: set by `floats`.
    to_float: Callable[[RealLike], Floating]


HOOKS = Hooks()
