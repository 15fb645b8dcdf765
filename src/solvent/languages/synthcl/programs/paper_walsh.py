# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""The fast Walsh transform with the kernels and the sketches of the paper.

The vector program does the first two steps with the scalar kernel.  Division by 0 gives 0.

>>> transform_vector([1, 0, 1, 0, 0, 1, 1, 0])
[4, 2, 0, -2, 0, 2, 0, 2]
"""

from __future__ import annotations

from solvent import lifted
from solvent.languages.synthcl import (
    Kernel,
    buffer,
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
from solvent.languages.synthcl.types import div, rem, stored
from solvent.sketch import choose, hole
from solvent.terms.sorts import BitVecSort
from solvent.vm.values import Value


@lifted
def quotient(a: Value, b: Value) -> Value:
    """The quotient rounded towards zero, or 0 if there is none.

    >>> quotient(-7, 2), quotient(3, 0)
    (-3, 0)
    """
    return div(a, b) if b != 0 else a - a


@lifted
def remainder(a: Value, b: Value) -> Value:
    """The remainder of that division, or 0 if there is none.

    >>> remainder(-7, 2), remainder(3, 0)
    (-1, 0)
    """
    return rem(a, b) if b != 0 else a - a


@kernel
def fwt1(numbers: global_(float_), step: int_) -> None:
    """One butterfly."""
    i: int_ = get_global_id(0)
    group: int_ = i % step
    pair: int_ = 2 * step * (i // step) + group
    match: int_ = pair + step
    a: float_ = numbers[pair]
    b: float_ = numbers[match]
    numbers[pair] = a + b
    numbers[match] = a - b


@kernel
def fwt2(numbers: global_(float4), length: int_) -> None:
    """Four butterflies; the length of a step counts numbers."""
    i: int_ = get_global_id(0)
    step: int_ = length // 4
    group: int_ = i % step
    pair: int_ = 2 * step * (i // step) + group
    match: int_ = pair + step
    a: float4 = numbers[pair]
    b: float4 = numbers[match]
    numbers[pair] = a + b
    numbers[match] = a - b


def _vector(numbers: list[Value], inside: Kernel) -> list[Value]:
    """The transform: two steps for single numbers, and a kernel for vectors for the others."""
    count = len(numbers)
    found = buffer(float_, count)
    write_buffer(found, numbers)
    step = 1
    while step < min(count, 4):
        launch(fwt1, count // 2, found, step)
        step *= 2
    while step < count:
        launch(inside, count // 8, found, step)
        step *= 2
    return read_buffer(found)


def transform_vector(numbers: list[Value]) -> list[Value]:
    """A launch for each step, from the third on with vectors."""
    return _vector(numbers, fwt2)


# --- sketches ------------------------------------------------------------------------------------


@kernel
def fwt1_sketch(numbers: global_(float_), step: int_) -> None:
    """A butterfly whose place is computed by two unknown operations on unknown operands."""
    i: int_ = stored(int_, [get_global_id(0)])[0]
    s: int_ = stored(int_, [step])[0]
    x1: int_ = choose(i, s, hole(BitVecSort(8)))
    y1: int_ = choose(i, s, hole(BitVecSort(8)))
    group: int_ = choose(x1 + y1, x1 - y1, quotient(x1, y1), x1 * y1, remainder(x1, y1))
    x2: int_ = choose(i, s, hole(BitVecSort(8)))
    y2: int_ = choose(i, s, hole(BitVecSort(8)))
    row: int_ = choose(x2 + y2, x2 - y2, quotient(x2, y2), x2 * y2, remainder(x2, y2))
    pair: int_ = 2 * s * row + group
    match: int_ = pair + s
    a: float_ = numbers[pair]
    b: float_ = numbers[match]
    numbers[pair] = a + b
    numbers[match] = a - b


@kernel
def fwt2_sketch(numbers: global_(float4), length: int_) -> None:
    """Four butterflies; what the step counts is unknown."""
    i: int_ = get_global_id(0)
    step: int_ = choose(length, length // 4, length * 4, length % 4)
    group: int_ = remainder(i, step)
    pair: int_ = 2 * step * quotient(i, step) + group
    match: int_ = pair + step
    a: float4 = numbers[pair]
    b: float4 = numbers[match]
    numbers[pair] = a + b
    numbers[match] = a - b


def sketch_scalar(numbers: list[Value]) -> list[Value]:
    """A launch for each step."""
    found = buffer(float_, len(numbers))
    write_buffer(found, numbers)
    step = 1
    while step < len(numbers):
        launch(fwt1_sketch, len(numbers) // 2, found, step)
        step *= 2
    return read_buffer(found)


def sketch_vector(numbers: list[Value]) -> list[Value]:
    """A launch for each step, from the third on with vectors."""
    return _vector(numbers, fwt2_sketch)
