# mypy: disable-error-code="valid-type"
"""Kernels whose source means something else in OpenCL are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solvent.languages.synthcl import (
    SynthCLError,
    buffer,
    global_,
    int4,
    int_,
    kernel,
    launch,
    minimum,
    read_buffer,
    write_buffer,
)
from solvent.sketch import choose


def alias(out: global_(int4)) -> None:
    v: int4 = out[0]
    u: int4 = v
    u.x = 1
    out[0] = v


def alias_of_the_other(out: global_(int4)) -> None:
    v: int4 = out[0]
    u: int4 = int4(0)
    u = v
    v.x = 1
    out[0] = u


def alias_by_condition(out: global_(int4), n: int_) -> None:
    v: int4 = out[0]
    u: int4 = v if n > 1 else int4(2)
    u.yz = 1
    out[0] = v


def alias_by_choice(out: global_(int4)) -> None:
    v: int4 = out[0]
    u: int4 = choose(v + 1, v)
    u.x += 1
    out[0] = v


def alias_by_function(out: global_(int4)) -> None:
    v: int4 = out[0]
    u: int4 = minimum(v, v)
    u.x = 1
    out[0] = v


def alias_in_a_tuple(out: global_(int4)) -> None:
    v: int4 = out[0]
    u, w = v, 1
    u.x = w
    out[0] = v


@pytest.mark.parametrize(
    "function",
    [
        alias,
        alias_of_the_other,
        alias_by_condition,
        alias_by_choice,
        alias_by_function,
        alias_in_a_tuple,
    ],
)
def test_shared_vectors_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(SynthCLError, match=rf"test_checking.py:\d+: in {function.__name__}, `u"):
        kernel(function)


def element(out: global_(int4)) -> None:
    out[0].x = 1


def test_components_of_elements_are_refused() -> None:
    with pytest.raises(SynthCLError, match=r"`out\[0\].x` is assigned; load the vector"):
        kernel(element)


def copies(out: global_(int4)) -> None:
    v: int4 = out[0]
    u: int4 = int4(v)
    w: int4 = v.xyzw
    u.x = 7
    w.y = 8
    t: int4 = v + 0
    t.z = 9
    out[0] = u + w + t
    out[1] = v


def test_copies_are_fine() -> None:
    found = kernel(copies)
    out = buffer(int4, 2)
    write_buffer(out, [1, 1, 1, 1, 0, 0, 0, 0])
    launch(found, 1, out)
    assert read_buffer(out) == [9, 10, 11, 3, 1, 1, 1, 1]


def untyped(out: global_(int4), n) -> None:  # type: ignore[no-untyped-def]
    out[0] = n


def python_types(out: global_(int4), n: int) -> None:
    out[0] = n


def many(*out: global_(int4)) -> None:
    pass


def unknown(out: nothing(int4)) -> None:  # type: ignore[name-defined]  # noqa: F821
    pass


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (untyped, "the parameter n of the kernel untyped needs a type"),
        (python_types, "such as int_, float4 or global_"),
        (many, "fixed number of parameters"),
        (unknown, "name 'nothing' is not defined"),
        (3, "a kernel is a function"),
    ],
)
def test_parameters_need_types(function: Any, message: str) -> None:
    with pytest.raises(SynthCLError, match=message):
        kernel(function)
