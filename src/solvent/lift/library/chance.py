"""Functions whose result differs from run to run: chance and the clock.

A symbolic run gets one of their values, and remembers where.
"""

from __future__ import annotations

import datetime
import os
import random
import time
from collections.abc import Callable

from solvent.lift.registry import FUNCTIONS
from solvent.lift.unlifted import Direct
from solvent.lift.varying import note_varying
from solvent.vm.values import Value

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
