# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""The Sobel filter in the refinements of the paper: five sequential programs, then two kernels.

Each is compared with the one before it.  A component of the result is half of the root of the sum
of the squares of two gradients, computed with reals.  As in the paper's SynthCL, the root of the
sum of two squares is the sum of the two absolute values, which solvers can reason about.

>>> image = [x * y for y in range(3) for x in range(4) for component in range(4)]
>>> filter_0(4, 3, image)[20:28] == filter_vector(4, 3, image)[20:28] == [8] * 4 + [12] * 4
True
"""

from __future__ import annotations

import math

from solvent import Int
from solvent.languages.synthcl import (
    array,
    buffer,
    contents,
    get_global_id,
    global_,
    int4,
    int_,
    kernel,
    launch,
    read_buffer,
    read_only,
    write_buffer,
)
from solvent.languages.synthcl.types import Vector, new_vector, stored
from solvent.lift import lift_with_for_all
from solvent.sketch import hole
from solvent.terms import BV, BitVecTerm, IntTerm, sdiv, to_real
from solvent.vm.values import Value

# The weights of the pixels around one, row by row, for the gradients to the right and down.
ACROSS = (1, 2, 1, 0, 0, 0, -1, -2, -1)
DOWN = (1, 0, -1, 2, 0, -2, 1, 0, -1)


def root(total: Value) -> Value:
    """The root of the sum of two squares, as SynthCL models it.

    >>> from solvent import Real
    >>> root(Real("x") * Real("x") + Real("y") * Real("y"))
    ite(0 <= x, x, -x) + ite(0 <= y, y, -y)
    """
    first, second = total.args
    return abs(first.args[0]) + abs(second.args[0])


@lift_with_for_all
def magnitude(gx: Value, gy: Value) -> Value:
    """Half of the root of the sum of two squares, as an int.

    >>> magnitude(3, -4)
    3
    """
    if isinstance(gx, Vector):
        return new_vector(gx.type, tuple(map(magnitude, gx.items, gy.items)))
    if isinstance(gx, IntTerm) and isinstance(gy, IntTerm) and gx is not gy:
        x, y = to_real(gx), to_real(gy)
        return math.floor(root(x * x + y * y) / 2)
    if isinstance(gx, (BV, BitVecTerm)):
        # Bitvectors stand for reals too, as they do for the solver of the paper.
        return sdiv(abs(gx) + abs(gy), 2)
    return (abs(gx) + abs(gy)) // 2


# --- sequential programs -------------------------------------------------------------------------


def _around(image: Value, i: int, row: int) -> list[Value]:
    """The components at a place and around it."""
    return [
        image[i - 4 - row], image[i - row], image[i + 4 - row],
        image[i - 4], image[i], image[i + 4],
        image[i - 4 + row], image[i + row], image[i + 4 + row],
    ]  # fmt: skip


def _weighted(weights: tuple[int, ...], pixels: list[Value]) -> Value:
    k00, k01, k02, k10, k11, k12, k20, k21, k22 = weights
    i00, i01, i02, i10, i11, i12, i20, i21, i22 = pixels
    return (
        k00 * i00 + k01 * i01 + k02 * i02
        + k10 * i10 + k11 * i11 + k12 * i12
        + k20 * i20 + k21 * i21 + k22 * i22
    )  # fmt: skip


def _images(w: int, h: int, image: list[Value]) -> tuple[Value, Value]:
    """The image, and one of the same size that is black."""
    return array(int_, image), array(int_, stored(int_, [0]) * (w * h * 4))


def filter_0(w: int, h: int, image: list[Value]) -> list[Value]:
    """One loop over all components, which counts the rows; pixels are read for each gradient."""
    pixels, out = _images(w, h, image)
    row, k = w * 4, 1
    for i in range(row * (h - 1)):
        if i < (k + 1) * row and i >= 4 + k * row:
            gx = _weighted(ACROSS, _around(pixels, i, row))
            gy = _weighted(DOWN, _around(pixels, i, row))
            out[i] = magnitude(gx, gy)
        if i == (k + 1) * row - 5:
            k += 1
    return contents(out)


def filter_1(w: int, h: int, image: list[Value]) -> list[Value]:
    """Pixels are read once."""
    pixels, out = _images(w, h, image)
    row, k = w * 4, 1
    for i in range(row * (h - 1)):
        if i < (k + 1) * row and i >= 4 + k * row:
            around = _around(pixels, i, row)
            out[i] = magnitude(_weighted(ACROSS, around), _weighted(DOWN, around))
        if i == (k + 1) * row - 5:
            k += 1
    return contents(out)


def filter_2(w: int, h: int, image: list[Value]) -> list[Value]:
    """Two loops, over rows and over the components of a row."""
    pixels, out = _images(w, h, image)
    row, k = w * 4, 1
    for y in range(h - 1):
        for x in range(row):
            i = y * row + x
            if i < (k + 1) * row and i >= 4 + k * row:
                around = _around(pixels, i, row)
                out[i] = magnitude(_weighted(ACROSS, around), _weighted(DOWN, around))
            if i == (k + 1) * row - 5:
                k += 1
    return contents(out)


def filter_3(w: int, h: int, image: list[Value]) -> list[Value]:
    """Conditions on the loops' variables instead of a counter, as `sketch_3` is completed."""
    pixels, out = _images(w, h, image)
    row = w * 4
    for y in range(h - 1):
        for x in range(row):
            if 0 * row + 4 <= x and x < 1 * row - 4 and 0 * h + 1 <= y and y < 1 * h + 0:
                i = y * row + x
                around = _around(pixels, i, row)
                out[i] = magnitude(_weighted(ACROSS, around), _weighted(DOWN, around))
    return contents(out)


def filter_4(w: int, h: int, image: list[Value]) -> list[Value]:
    """The loops leave the border out."""
    pixels, out = _images(w, h, image)
    row = w * 4
    for y in range(1, h - 1):
        for x in range(4, row - 4):
            i = y * row + x
            around = _around(pixels, i, row)
            out[i] = magnitude(_weighted(ACROSS, around), _weighted(DOWN, around))
    return contents(out)


def filter_5(w: int, h: int, image: list[Value]) -> list[Value]:
    """The weights are put in."""
    pixels, out = _images(w, h, image)
    row = w * 4
    for y in range(1, h - 1):
        for x in range(4, row - 4):
            i = y * row + x
            i00, i01, i02, i10, _, i12, i20, i21, i22 = _around(pixels, i, row)
            gx = i00 + 2 * i01 + i02 + -1 * i20 + -2 * i21 + -1 * i22
            gy = i00 + -1 * i02 + 2 * i10 + -2 * i12 + i20 + -1 * i22
            out[i] = magnitude(gx, gy)
    return contents(out)


# --- kernels -------------------------------------------------------------------------------------


@kernel
def sf6(out: global_(int_), image: read_only(int_), w: int_) -> None:
    """One component."""
    i: int_ = (get_global_id(1) + 1) * w + get_global_id(0) + 4
    i00: int_ = image[i - 4 - w]
    i01: int_ = image[i - w]
    i02: int_ = image[i + 4 - w]
    i10: int_ = image[i - 4]
    i12: int_ = image[i + 4]
    i20: int_ = image[i - 4 + w]
    i21: int_ = image[i + w]
    i22: int_ = image[i + 4 + w]
    gx: int_ = i00 + 2 * i01 + i02 + -1 * i20 + -2 * i21 + -1 * i22
    gy: int_ = i00 + -1 * i02 + 2 * i10 + -2 * i12 + i20 + -1 * i22
    out[i] = magnitude(gx, gy)


@kernel
def sf7(out: global_(int4), image: read_only(int4), w: int_, offset: int_) -> None:
    """One pixel, as a vector of its components; the offset is to the next one."""
    i: int_ = (get_global_id(1) + 1) * w + get_global_id(0) + 1
    i00: int4 = image[i - offset - w]
    i01: int4 = image[i - w]
    i02: int4 = image[i + offset - w]
    i10: int4 = image[i - offset]
    i12: int4 = image[i + offset]
    i20: int4 = image[i - offset + w]
    i21: int4 = image[i + w]
    i22: int4 = image[i + offset + w]
    gx: int4 = i00 + 2 * i01 + i02 + -1 * i20 + -2 * i21 + -1 * i22
    gy: int4 = i00 + -1 * i02 + 2 * i10 + -2 * i12 + i20 + -1 * i22
    out[i] = magnitude(gx, gy)


def _buffers(w: int, h: int, image: list[Value]) -> tuple[Value, Value]:
    pixels, out = buffer(int_, w * h * 4), buffer(int_, w * h * 4)
    write_buffer(pixels, image)
    write_buffer(out, [0] * (w * h * 4))
    return pixels, out


def filter_scalar(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each component that is not on the border."""
    pixels, out = _buffers(w, h, image)
    launch(sf6, (w * 4 - 8, h - 2), out, pixels, w * 4)
    return read_buffer(out)


def filter_vector(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each pixel that is not on the border."""
    pixels, out = _buffers(w, h, image)
    launch(sf7, (w - 2, h - 2), out, pixels, w, 1)
    return read_buffer(out)


# --- sketches ------------------------------------------------------------------------------------


def sketch_3(w: int, h: int, image: list[Value]) -> list[Value]:
    """The bounds of the loops' variables are linear in the sizes, with unknown numbers."""
    pixels, out = _images(w, h, image)
    row = w * 4
    for y in range(h - 1):
        for x in range(row):
            if (
                hole(Int) * row + hole(Int) <= x
                and x < hole(Int) * row + hole(Int)
                and hole(Int) * h + hole(Int) <= y
                and y < hole(Int) * h + hole(Int)
            ):
                i = y * row + x
                around = _around(pixels, i, row)
                out[i] = magnitude(_weighted(ACROSS, around), _weighted(DOWN, around))
    return contents(out)


def sketch_7(w: int, h: int, image: list[Value]) -> list[Value]:
    """The offset to the next pixel is unknown."""
    pixels, out = _buffers(w, h, image)
    launch(sf7, (w - 2, h - 2), out, pixels, w, hole(Int))
    return read_buffer(out)
