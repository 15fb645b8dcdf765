"""`statistics`: the mean of exact numbers, which are no ratios of ints for a solver."""

from __future__ import annotations

import statistics
from fractions import Fraction

from solvent.lift.api import lifted
from solvent.lift.function import lift_function
from solvent.lift.registry import lifts
from solvent.lift.values.sequences import walk
from solvent.terms.integers import IntTerm
from solvent.terms.reals import RealTerm
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

# As Python has it.
_MEAN: Value = statistics.mean

_EXACT = (RealTerm, IntTerm, int, Fraction)


@lifts(statistics.mean)
def mean(data: Value) -> Value:
    """`statistics.mean(data)`: of exact numbers it is exact."""
    if type(data) is Union:
        return over(data, mean)
    if type(data) in (list, tuple) and _is_exact([item for _, item in walk(data)]):
        return _exact_mean(data)
    return lift_function(_MEAN)(data)


def _is_exact(items: list[Value]) -> bool:
    """Whether the mean is exact on all paths: that of ints alone may be rounded."""
    members = [member for item in items for _, member in choices_of(item)]
    return bool(items) and type(items[0]) is RealTerm and all(type(m) in _EXACT for m in members)


@lifted
def _exact_mean(data: Value) -> Value:
    total, count = 0, 0
    for item in data:
        total += item
        count += 1
    if count < 1:
        raise statistics.StatisticsError("mean requires at least one data point")
    return total / count
