# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""The fast Walsh transform of 2**k numbers: the sequential program, a scalar and a vector kernel.

>>> transform([1, 0, 1, 0, 0, 1, 1, 0])
[4, 2, 0, -2, 0, 2, 0, 2]
>>> transform_vector([1, 0, 1, 0, 0, 1, 1, 0])
[4, 2, 0, -2, 0, 2, 0, 2]
"""

from __future__ import annotations

from solvent.languages.synthcl import (
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
from solvent.vm.values import Value


def transform(numbers: list[Value]) -> list[Value]:
    """The reference: butterflies of a growing step, one after the other."""
    result = list(numbers)
    step = 1
    while step < len(result):
        for start in range(0, len(result), 2 * step):
            for i in range(start, start + step):
                first, second = result[i], result[i + step]
                result[i] = first + second
                result[i + step] = first - second
        step *= 2
    return result


# --- first step: an instance for each butterfly ---------------------------------------------------


@kernel
def fwt1(numbers: global_(float_), step: int_) -> None:
    """One butterfly."""
    i: int_ = get_global_id(0)
    first: int_ = i // step * 2 * step + i % step
    second: int_ = first + step
    a: float_ = numbers[first]
    b: float_ = numbers[second]
    numbers[first] = a + b
    numbers[second] = a - b


def transform_scalar(numbers: list[Value]) -> list[Value]:
    """A launch for each step."""
    found = buffer(float_, len(numbers))
    write_buffer(found, numbers)
    step = 1
    while step < len(numbers):
        launch(fwt1, len(numbers) // 2, found, step)
        step *= 2
    return read_buffer(found)


# --- second step: four butterflies at once --------------------------------------------------------


@kernel
def fwt2_inside(numbers: global_(float4)) -> None:
    """The first two steps, which are inside of a vector."""
    i: int_ = get_global_id(0)
    v: float4 = numbers[i]
    v = float4(v.x + v.y, v.x - v.y, v.z + v.w, v.z - v.w)
    numbers[i] = float4(v.lo + v.hi, v.lo - v.hi)


@kernel
def fwt2(numbers: global_(float4), step: int_) -> None:
    """Four butterflies; the step counts vectors."""
    i: int_ = get_global_id(0)
    first: int_ = i // step * 2 * step + i % step
    second: int_ = first + step
    a: float4 = numbers[first]
    b: float4 = numbers[second]
    numbers[first] = a + b
    numbers[second] = a - b


def transform_vector(numbers: list[Value]) -> list[Value]:
    """A launch for the first two steps, and one for each other; few numbers are not worth it."""
    if len(numbers) < 4:
        return transform_scalar(numbers)
    found = buffer(float_, len(numbers))
    write_buffer(found, numbers)
    launch(fwt2_inside, len(numbers) // 4, found)
    step = 4
    while step < len(numbers):
        launch(fwt2, len(numbers) // 8, found, step // 4)
        step *= 2
    return read_buffer(found)
