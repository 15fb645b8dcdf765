"""Trying all models of a sketch."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from solvent import BitVec, Bool, Int
from solvent.terms import Model, bv


def models(constants: list[Any], numbers: range = range(-1, 2)) -> Iterator[Model]:
    """All models that give the constants small values."""
    domains = []
    for constant in constants:
        if constant.sort is Bool:
            domains.append([False, True])
        elif constant.sort is Int:
            domains.append(list(numbers))
        else:
            assert type(constant.sort) is type(BitVec(8))
            domains.append([bv(n, constant.sort.width) for n in (0, 1, 3)])
    for values in itertools.product(*domains):
        yield Model(dict(zip(constants, values, strict=True)))
