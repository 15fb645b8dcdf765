"""What Python 3.12 and newer add to `itertools` and `math`."""

from __future__ import annotations

import itertools
import math
import sys
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.builtins.itertools_ import Stepped
from solvent.lift.builtins.math_ import _math, _number
from solvent.lift.calls import _is_data
from solvent.lift.iterators import iter_of
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.sequences import whole
from solvent.terms import fma, is_infinite, is_nan
from solvent.terms.booleans import and_, not_, or_
from solvent.terms.integers import IntTerm
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union

_BATCHED: Any = getattr(itertools, "batched", None)
_SUMPROD: Any = getattr(math, "sumprod", None)
_FMA: Any = getattr(math, "fma", None)


class Batched(Stepped):
    """`itertools.batched(iterable, n, strict=...)`."""

    __slots__ = ("done", "size", "strict")

    def __init__(self, iterable: Any, n: Any, **options: Any) -> None:
        # Python itself knows which options there are.
        _BATCHED((), 1, **dict.fromkeys(options, False))
        self.size = whole(n)
        self.check()
        self.strict = options.get("strict", False)
        self.source = iter_of(iterable)
        self.done: Any = False

    def check(self) -> None:
        """Raise what Python raises for a wrong size."""
        if type(self.size) is not IntTerm:
            _BATCHED((), self.size)
            return
        machine = current()
        huge = or_([self.size > sys.maxsize, self.size < -sys.maxsize - 1])
        machine.fail_if(huge, raised(_BATCHED, (), sys.maxsize + 1))
        machine.fail_if(self.size < 1, raised(_BATCHED, (), 0))

    @staticmethod
    @lifted
    def take(self: Any, end: Any) -> Any:
        if self.done:
            return end
        batch: list[Any] = []
        while len(batch) < self.size:
            for item in self.source:
                batch.append(item)
                break
            else:
                break
        if not batch:
            self.done = True
            return end
        if self.strict and len(batch) < self.size:
            self.done = True
            raise ValueError("batched(): incomplete batch")
        return tuple(batch)


def batched(iterable: Any, n: Any, **options: Any) -> Any:
    """`itertools.batched`; the number of items may differ between paths."""
    if type(n) is Union:
        return over(n, lambda member: batched(iterable, member, **options))
    return Batched(iterable, n, **options)


if _BATCHED is not None:
    lifts(_BATCHED)(batched)


def sumprod(p: Any, q: Any, /) -> Any:
    """`math.sumprod(p, q)` of whole numbers; that of floats is rounded only once."""
    if _is_data(p) and _is_data(q):
        return _SUMPROD(p, q)
    unequal = raised(_SUMPROD, (1,), ())
    return _products(p, q, lambda: unequal, _check_summand)


def _check_summand(value: Any) -> None:
    if isinstance(value, float):
        raise NotLiftedError(
            "`math.sumprod` of symbolic floats is not lifted: solvers cannot round it as the "
            "machine does; use `sum` of products"
        )


@lifted
def _products(p: Any, q: Any, unequal: Any, check: Any) -> Any:
    total = 0
    rest = iter(q)
    for a in p:
        for b in rest:
            check(a)
            check(b)
            total += a * b
            break
        else:
            raise unequal()
    for _ in rest:
        raise unequal()
    return total


if _SUMPROD is not None:
    lifts(_SUMPROD)(sumprod)

if _FMA is not None:

    @_math(_FMA)
    def multiply_add(x: Any, y: Any, z: Any, /) -> Any:
        """`math.fma(x, y, z)`."""
        x, y, z = (_number(value) for value in (x, y, z))
        result = fma(x, y, z)
        machine = current()
        given = or_([is_nan(value) for value in (x, y, z)])
        machine.fail_if(and_(is_nan(result), not_(given)), raised(_FMA, 0.0, math.inf, 1.0))
        infinite = or_([is_infinite(value) for value in (x, y, z)])
        machine.fail_if(and_(is_infinite(result), not_(infinite)), raised(_FMA, 1e300, 1e300, 1.0))
        return result
