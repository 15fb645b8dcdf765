# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""Matrix multiplication: the sequential program, a scalar kernel, a kernel on blocks of 4 by 4.

Matrices are stored row by row: `a` has n rows and p columns, `b` has p rows and m columns.

>>> multiply(1, 2, 1, [2, 3], [10, 100]), multiply_scalar(1, 2, 1, [2, 3], [10, 100])
([320], [320])
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
from solvent.vm.values import Value


def multiply(n: int, p: int, m: int, a: list[Value], b: list[Value]) -> list[Value]:
    """The reference: one cell after the other."""
    c = [0] * (n * m)
    for i in range(n):
        for j in range(m):
            total = 0
            for k in range(p):
                total += a[i * p + k] * b[k * m + j]
            c[i * m + j] = total
    return c


# --- first step: an instance for each cell of the product -----------------------------------------


@kernel
def mm1(
    c: global_(float_), a: read_only(float_), b: read_only(float_), p: int_, m: int_
) -> None:  # fmt: skip
    """One cell of the product."""
    i: int_ = get_global_id(0)
    j: int_ = get_global_id(1)
    total: float_ = 0
    for k in range(p):
        total += a[i * p + k] * b[k * m + j]
    c[i * m + j] = total


def multiply_scalar(n: int, p: int, m: int, a: list[Value], b: list[Value]) -> list[Value]:
    """An instance for each cell."""
    left, right, product = buffer(float_, n * p), buffer(float_, p * m), buffer(float_, n * m)
    write_buffer(left, a)
    write_buffer(right, b)
    launch(mm1, (n, m), product, left, right, p, m)
    return read_buffer(product)


# --- second step: an instance for each block of 4 by 4 --------------------------------------------


@kernel
def mm2(
    c: global_(float4), a: read_only(float4), b: read_only(float4), p: int_, m: int_
) -> None:  # fmt: skip
    """A block of 4 by 4 cells; p and m count vectors."""
    i: int_ = get_global_id(0) * 4
    j: int_ = get_global_id(1)
    sum0: float4 = float4(0)
    sum1: float4 = float4(0)
    sum2: float4 = float4(0)
    sum3: float4 = float4(0)
    for k in range(p):
        a0: float4 = a[(i + 0) * p + k]
        a1: float4 = a[(i + 1) * p + k]
        a2: float4 = a[(i + 2) * p + k]
        a3: float4 = a[(i + 3) * p + k]
        b0: float4 = b[(k * 4 + 0) * m + j]
        b1: float4 = b[(k * 4 + 1) * m + j]
        b2: float4 = b[(k * 4 + 2) * m + j]
        b3: float4 = b[(k * 4 + 3) * m + j]
        sum0 = sum0 + a0.x * b0 + a0.y * b1 + a0.z * b2 + a0.w * b3
        sum1 = sum1 + a1.x * b0 + a1.y * b1 + a1.z * b2 + a1.w * b3
        sum2 = sum2 + a2.x * b0 + a2.y * b1 + a2.z * b2 + a2.w * b3
        sum3 = sum3 + a3.x * b0 + a3.y * b1 + a3.z * b2 + a3.w * b3
    c[(i + 0) * m + j] = sum0
    c[(i + 1) * m + j] = sum1
    c[(i + 2) * m + j] = sum2
    c[(i + 3) * m + j] = sum3


def multiply_vector(n: int, p: int, m: int, a: list[Value], b: list[Value]) -> list[Value]:
    """An instance for each block; all dimensions are multiples of 4."""
    left, right, product = buffer(float_, n * p), buffer(float_, p * m), buffer(float_, n * m)
    write_buffer(left, a)
    write_buffer(right, b)
    launch(mm2, (n // 4, m // 4), product, left, right, p // 4, m // 4)
    return read_buffer(product)
