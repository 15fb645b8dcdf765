# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""A sketch of matrix multiplication on blocks of 4 by 4: what is multiplied is left open."""

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
    read_only,
    write_buffer,
)
from solvent.sketch import choose
from solvent.vm.values import Value


@kernel
def mm2(
    c: global_(float4), a: read_only(float4), b: read_only(float4), p: int_, m: int_
) -> None:  # fmt: skip
    """A block of 4 by 4 cells; p and m count vectors."""
    i: int_ = get_global_id(0) * 4
    j: int_ = get_global_id(1)
    for r in range(4):
        total: float4 = float4(0)
        for k in range(p):
            row: float4 = a[(choose(i, j, k) + r) * p + choose(i, j, k)]
            b0: float4 = b[(k * 4 + choose(0, 1, 2, 3)) * m + choose(i, j, k)]
            b1: float4 = b[(k * 4 + choose(0, 1, 2, 3)) * m + choose(i, j, k)]
            b2: float4 = b[(k * 4 + choose(0, 1, 2, 3)) * m + choose(i, j, k)]
            b3: float4 = b[(k * 4 + choose(0, 1, 2, 3)) * m + choose(i, j, k)]
            total += choose(row.x, row.y, row.z, row.w) * b0
            total += choose(row.x, row.y, row.z, row.w) * b1
            total += choose(row.x, row.y, row.z, row.w) * b2
            total += choose(row.x, row.y, row.z, row.w) * b3
        c[(choose(i, j) + r) * m + choose(i, j)] = total


def multiply(n: int, p: int, m: int, a: list[Value], b: list[Value]) -> list[Value]:
    """An instance for each block; all dimensions are multiples of 4."""
    left, right, product = buffer(float_, n * p), buffer(float_, p * m), buffer(float_, n * m)
    write_buffer(left, a)
    write_buffer(right, b)
    launch(mm2, (n // 4, m // 4), product, left, right, p // 4, m // 4)
    return read_buffer(product)
