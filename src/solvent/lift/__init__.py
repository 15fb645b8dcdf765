"""Lifting: ordinary Python functions that run on symbolic values.

>>> from solvent import Int
>>> @lifted
... def clamp(x, low, high):
...     if x < low:
...         return low
...     return high if x > high else x
>>> clamp(Int("x"), 0, 9)
ite(x <= -1, 0, ite(x <= 9, x, 9))
"""

from solvent.lift import runtime as _runtime
from solvent.lift.api import lift, lifted
from solvent.lift.execution import execute
from solvent.lift.importer import install, uninstall
from solvent.lift.reflection import (
    assume,
    cardinality,
    for_all,
    is_symbolic,
    is_union,
    lift_with_for_all,
    members,
    state,
    symbolics,
    type_of,
)
from solvent.lift.under_model import evaluate
from solvent.vm.bounds import bounded
from solvent.vm.machine import Outcome
from solvent.vm.own import own
from solvent.vm.state import Failure
from solvent.vm.union import Union

__all__ = [
    "Failure",
    "Outcome",
    "Union",
    "assume",
    "bounded",
    "cardinality",
    "evaluate",
    "execute",
    "for_all",
    "install",
    "is_symbolic",
    "is_union",
    "lift",
    "lift_with_for_all",
    "lifted",
    "members",
    "state",
    "symbolics",
    "type_of",
    "uninstall",
]

assert _runtime

own(__file__)
