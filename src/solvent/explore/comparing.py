"""Whether two concrete values are the same, as tests mean it.

`same` is also copied into the test files that need it, so it uses nothing but Python itself.
"""

from __future__ import annotations

import math
from fractions import Fraction

from solvent.vm.values import Value


def same(found: Value, expected: Value) -> bool:
    """Whether two values have equal types and contents; NaN is the same as NaN.

    >>> same([1.5, float("nan")], [1.5, float("nan")]), same(1, True), same(0.0, -0.0)
    (True, False, False)
    """
    if type(found) is not type(expected):
        return False
    if isinstance(expected, float):
        return repr(found) == repr(expected)
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, dict):
        return same(list(found.items()), list(expected.items()))
    by_identity = getattr(type(expected), "__eq__", None) is object.__eq__
    if hasattr(expected, "__dict__") and (by_identity or hasattr(expected, "__match_args__")):
        return same(vars(found), vars(expected))
    return bool(found == expected)


def agrees(predicted: Value, observed: Value) -> bool:
    """Whether a result of a symbolic run is what CPython gave.

    Symbolic reals are exact, so a fraction stands for the float that is nearest to it.

    >>> agrees(Fraction(1, 10), 0.1), agrees([Fraction(2)], [3.0]), agrees(1, True)
    (True, False, False)
    """
    if isinstance(predicted, Fraction) and isinstance(observed, float):
        return math.isfinite(observed) and math.isclose(float(predicted), observed, rel_tol=1e-9)
    if type(predicted) is not type(observed):
        return False
    if isinstance(observed, (list, tuple)):
        return len(predicted) == len(observed) and all(map(agrees, predicted, observed))
    if isinstance(observed, dict):
        return agrees(list(predicted.items()), list(observed.items()))
    by_identity = getattr(type(observed), "__eq__", None) is object.__eq__
    if hasattr(observed, "__dict__") and (by_identity or hasattr(observed, "__match_args__")):
        return agrees(vars(predicted), vars(observed))
    return same(predicted, observed)
