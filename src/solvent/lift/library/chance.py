"""Functions whose result differs from run to run: chance and the clock.

A symbolic run gets one of their values.  What it shows is true of that value only, so the run
remembers where it got the first one, and queries do not call the rest a proof.
"""

from __future__ import annotations

import datetime
import os
import random
import time
from collections.abc import Callable

from solvent.lift.registry import FUNCTIONS
from solvent.lift.unlifted import Direct
from solvent.vm.machine import current
from solvent.vm.own import position
from solvent.vm.values import Value

# Under which name a run remembers the place.
VARYING = "varying"

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
        current().notes.setdefault(VARYING, f"{position()}: `{function.__qualname__}`")
        return direct(*args, **named)

    return call


for _function in _FUNCTIONS:
    FUNCTIONS[_function] = _noted(_function)
