"""`os`: paths that are texts."""

from __future__ import annotations

import os

from solvent.lift.registry import lifts
from solvent.lift.unlifted import Direct
from solvent.terms.term import Term
from solvent.vm.kinds import python_type
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Value


@lifts(os.fspath)
def fspath(path: Value) -> Value:
    """`os.fspath(path)`."""
    if type(path) is Union:
        return over(path, fspath)
    if isinstance(path, Term) and python_type(path) in (str, bytes):
        return path
    return Direct(os.fspath)(path)
