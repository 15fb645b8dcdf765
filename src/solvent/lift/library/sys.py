"""`sys`: texts that are interned."""

from __future__ import annotations

import sys

from solvent.lift.registry import lifts
from solvent.lift.unlifted import Direct
from solvent.terms.term import Term
from solvent.vm.kinds import python_type
from solvent.vm.spread import over_members_of
from solvent.vm.values import Value


@lifts(sys.intern)
@over_members_of("string")
def intern(string: Value, /) -> Value:
    """`sys.intern(string)`: the same text, whose identity is not told."""
    if isinstance(string, Term) and python_type(string) is str:
        return string
    return Direct(sys.intern)(string)
