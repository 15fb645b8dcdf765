# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""Sketches of the fast Walsh transform: which numbers meet, and what becomes of them."""

from __future__ import annotations

from solvent.languages.synthcl import (
    buffer,
    float2,
    float4,
    float_,
    get_global_id,
    global_,
    int_,
    kernel,
    launch,
    read_buffer,
    write_buffer,
)
from solvent.sketch import choose
from solvent.vm.values import Value


@kernel
def fwt1(numbers: global_(float_), step: int_) -> None:
    """A butterfly: where it is, and what it computes."""
    i: int_ = get_global_id(0)
    group: int_ = choose(i, i // step, i % step)
    offset: int_ = choose(i, i // step, i % step)
    first: int_ = group * choose(1, 2, 4) * choose(1, step) + offset
    second: int_ = first + choose(1, 2, step)
    a: float_ = numbers[first]
    b: float_ = numbers[second]
    numbers[first] = choose(a, b, -a, -b) + choose(a, b, -a, -b)
    numbers[second] = choose(a, b, -a, -b) + choose(a, b, -a, -b)


def transform_scalar(numbers: list[Value]) -> list[Value]:
    """A launch for each step."""
    found = buffer(float_, len(numbers))
    write_buffer(found, numbers)
    step = 1
    while step < len(numbers):
        launch(fwt1, len(numbers) // 2, found, step)
        step *= 2
    return read_buffer(found)


@kernel
def fwt2_inside(numbers: global_(float4)) -> None:
    """The first two steps, which are inside of a vector."""
    i: int_ = get_global_id(0)
    v: float4 = numbers[i]
    u: float2 = choose(v.lo, v.hi, v.even, v.odd) + choose(v.lo, v.hi, v.even, v.odd)
    t: float2 = choose(v.lo, v.hi, v.even, v.odd) - choose(v.lo, v.hi, v.even, v.odd)
    numbers[i] = float4(
        choose(u.x, u.y, t.x, t.y) + choose(u.x, u.y, t.x, t.y),
        choose(u.x, u.y, t.x, t.y) + choose(u.x, u.y, t.x, t.y),
        choose(u.x, u.y, t.x, t.y) - choose(u.x, u.y, t.x, t.y),
        choose(u.x, u.y, t.x, t.y) - choose(u.x, u.y, t.x, t.y),
    )


@kernel
def fwt2(numbers: global_(float4), step: int_) -> None:
    """Four butterflies; the step counts vectors."""
    i: int_ = get_global_id(0)
    first: int_ = i // step * choose(1, 2) * step + choose(i // step, i % step)
    second: int_ = first + choose(1, 2, step)
    a: float4 = numbers[first]
    b: float4 = numbers[second]
    numbers[first] = choose(a + b, a - b, b - a)
    numbers[second] = choose(a + b, a - b, b - a)


def transform_vector(numbers: list[Value]) -> list[Value]:
    """A launch for the first two steps, and one for each other; there are at least 4 numbers."""
    found = buffer(float_, len(numbers))
    write_buffer(found, numbers)
    launch(fwt2_inside, len(numbers) // 4, found)
    step = 4
    while step < len(numbers):
        launch(fwt2, len(numbers) // 8, found, step // 4)
        step *= 2
    return read_buffer(found)
