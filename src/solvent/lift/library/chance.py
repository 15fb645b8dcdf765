"""Functions whose result differs from run to run: chance and the clock.

A symbolic run gets one of their values, and remembers where.
"""

from __future__ import annotations

import _random
import datetime
import os
import random
import time
from collections.abc import Callable

from solvent.lift.calls import for_each
from solvent.lift.facts import possible
from solvent.lift.registry import FUNCTIONS, lifts_method
from solvent.lift.unlifted import Direct
from solvent.lift.varying import note_varying
from solvent.terms.booleans import eq
from solvent.terms.integers import IntTerm
from solvent.vm.merge import union_of
from solvent.vm.values import Choice, Value

# What `random`'s other functions are made of, `os.urandom` and the clocks.
_FUNCTIONS: tuple[Callable[..., Value], ...] = (
    random.random,
    random.getrandbits,
    os.urandom,
    time.time,
    time.time_ns,
    time.monotonic,
    time.monotonic_ns,
    time.perf_counter,
    time.perf_counter_ns,
    time.process_time,
    time.process_time_ns,
    datetime.datetime.now,
    datetime.datetime.today,
    datetime.datetime.utcnow,
    datetime.date.today,
)


def _noted(function: Callable[..., Value]) -> Callable[..., Value]:
    direct = Direct(function)

    def call(*args: Value, **named: Value) -> Value:
        note_varying(f"`{function.__qualname__}`")
        return direct(*args, **named)

    return call


for _function in _FUNCTIONS:
    FUNCTIONS[_function] = _noted(_function)


@lifts_method(random.Random, _random.Random)
def getrandbits(generator: Value, count: Value, /) -> Value:
    """`generator.getrandbits(count)`: a count with few values is told apart by them.

    Of this the seeded `randrange`, `choice`, `shuffle` and `sample` are made.
    """
    few = possible(count) if isinstance(count, IntTerm) else None
    if few is None:
        return Direct(generator.getrandbits)(count)
    rows: list[Choice] = [(eq(count, each), each) for each in few[:-1]]
    known = union_of((*rows, (True, few[-1])))
    return for_each(known, lambda each: Direct(generator.getrandbits)(each))
