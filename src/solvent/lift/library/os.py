"""`os`: paths that are texts."""

from __future__ import annotations

import os

from solvent.lift.registry import lifts
from solvent.lift.unlifted import Direct
from solvent.terms.term import Term
from solvent.vm.kinds import python_type
from solvent.vm.spread import over_members_of
from solvent.vm.values import Value


@lifts(os.fspath)
@over_members_of("path")
def fspath(path: Value) -> Value:
    """`os.fspath(path)`."""
    if isinstance(path, Term) and python_type(path) in (str, bytes):
        return path
    return Direct(os.fspath)(path)
