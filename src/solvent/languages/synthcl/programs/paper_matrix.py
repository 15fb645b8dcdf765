# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""The sketch of matrix multiplication of the paper: how the three matrices are indexed is unknown.

A place in a matrix is a row times a width plus a column, each of which is one of three numbers to
which the number of the row of the block may be added: 18 choices in all.
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
    read_only,
    write_buffer,
)
from solvent.sketch import choose
from solvent.vm.values import Value


def index_a(off: int, i: int, k: int, p: int) -> Value:
    """Where a row of the first matrix is."""
    row = choose(i, i // 4, i * 4) + choose(off, 0)
    column = choose(k, k // 4, k * 4) + choose(off, 0)
    width = choose(p, p // 4, p * 4) + choose(off, 0)
    return row * width + column


def index_b(off: int, k: int, j: int, m: int) -> Value:
    """Where a row of the second matrix is."""
    row = choose(k, k // 4, k * 4) + choose(off, 0)
    column = choose(j, j // 4, j * 4) + choose(off, 0)
    width = choose(m, m // 4, m * 4) + choose(off, 0)
    return row * width + column


def index_c(off: int, i: int, j: int, m: int) -> Value:
    """Where a row of the product is."""
    row = choose(i, i // 4, i * 4) + choose(off, 0)
    column = choose(j, j // 4, j * 4) + choose(off, 0)
    width = choose(m, m // 4, m * 4) + choose(off, 0)
    return row * width + column


def combined(a: Value, b0: Value, b1: Value, b2: Value, b3: Value) -> Value:
    """A row of four numbers times a block of four rows."""
    return a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3


@kernel
def mm2(
    c: global_(float4), a: read_only(float4), b: read_only(float4), p: int_, m: int_
) -> None:  # fmt: skip
    """A block of 4 by 4 cells."""
    i: int_ = get_global_id(0)
    j: int_ = get_global_id(1)
    sum0: float4 = float4(0)
    sum1: float4 = float4(0)
    sum2: float4 = float4(0)
    sum3: float4 = float4(0)
    for k in range(0, p, 4):
        a0: float4 = a[index_a(0, i, k, p)]
        a1: float4 = a[index_a(1, i, k, p)]
        a2: float4 = a[index_a(2, i, k, p)]
        a3: float4 = a[index_a(3, i, k, p)]
        b0: float4 = b[index_b(0, k, j, m)]
        b1: float4 = b[index_b(1, k, j, m)]
        b2: float4 = b[index_b(2, k, j, m)]
        b3: float4 = b[index_b(3, k, j, m)]
        sum0 = sum0 + combined(a0, b0, b1, b2, b3)
        sum1 = sum1 + combined(a1, b0, b1, b2, b3)
        sum2 = sum2 + combined(a2, b0, b1, b2, b3)
        sum3 = sum3 + combined(a3, b0, b1, b2, b3)
    c[index_c(0, i, j, m)] = sum0
    c[index_c(1, i, j, m)] = sum1
    c[index_c(2, i, j, m)] = sum2
    c[index_c(3, i, j, m)] = sum3


def sketch(n: int, p: int, m: int, a: list[Value], b: list[Value]) -> list[Value]:
    """An instance for each block; all dimensions are multiples of 4."""
    left, right, product = buffer(float_, n * p), buffer(float_, p * m), buffer(float_, n * m)
    write_buffer(left, a)
    write_buffer(right, b)
    launch(mm2, (n // 4, m // 4), product, left, right, p, m)
    return read_buffer(product)
