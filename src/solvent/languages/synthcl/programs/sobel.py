# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""The Sobel filter, which finds edges in an image, in seven steps of refinement.

An image of w by h pixels is a list of w * h * 4 ints, row by row, four components a pixel.  The
result is the square of the gradient in each component; it is 0 on the border of the image.

>>> image = [x * y for y in range(3) for x in range(4) for component in range(4)]
>>> sobel(4, 3, image)[20:28] == sobel_7(4, 3, image)[20:28] == [128] * 4 + [320] * 4
True
"""

from __future__ import annotations

from solvent.languages.synthcl import (
    buffer,
    get_global_id,
    get_global_size,
    global_,
    int4,
    int_,
    kernel,
    launch,
    read_buffer,
    read_only,
    write_buffer,
)
from solvent.vm.values import Value


def sobel(w: int, h: int, image: list[Value]) -> list[Value]:
    """The reference: one component after the other."""
    out = [0] * (w * h * 4)
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            for c in range(4):
                i00 = image[((y - 1) * w + x - 1) * 4 + c]
                i10 = image[((y - 1) * w + x) * 4 + c]
                i20 = image[((y - 1) * w + x + 1) * 4 + c]
                i01 = image[(y * w + x - 1) * 4 + c]
                i21 = image[(y * w + x + 1) * 4 + c]
                i02 = image[((y + 1) * w + x - 1) * 4 + c]
                i12 = image[((y + 1) * w + x) * 4 + c]
                i22 = image[((y + 1) * w + x + 1) * 4 + c]
                gx = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22
                gy = i00 - i20 + 2 * i01 - 2 * i21 + i02 - i22
                out[(y * w + x) * 4 + c] = gx * gx + gy * gy
    return out


def _buffers(w: int, h: int, image: list[Value]) -> tuple[Value, Value]:
    """The image on the device, and the result, which is 0 on the border."""
    pixels, out = buffer(int_, w * h * 4), buffer(int_, w * h * 4)
    write_buffer(pixels, image)
    write_buffer(out, [0] * (w * h * 4))
    return pixels, out


# --- first step: an instance for each component ---------------------------------------------------


@kernel
def sf1(out: global_(int_), image: read_only(int_)) -> None:
    """One component of one pixel."""
    y: int_ = get_global_id(0)
    x: int_ = get_global_id(1)
    c: int_ = get_global_id(2)
    h: int_ = get_global_size(0)
    w: int_ = get_global_size(1)
    if x >= 1 and x < w - 1 and y >= 1 and y < h - 1:
        i00: int_ = image[((y - 1) * w + x - 1) * 4 + c]
        i10: int_ = image[((y - 1) * w + x) * 4 + c]
        i20: int_ = image[((y - 1) * w + x + 1) * 4 + c]
        i01: int_ = image[(y * w + x - 1) * 4 + c]
        i21: int_ = image[(y * w + x + 1) * 4 + c]
        i02: int_ = image[((y + 1) * w + x - 1) * 4 + c]
        i12: int_ = image[((y + 1) * w + x) * 4 + c]
        i22: int_ = image[((y + 1) * w + x + 1) * 4 + c]
        gx: int_ = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22
        gy: int_ = i00 - i20 + 2 * i01 - 2 * i21 + i02 - i22
        out[(y * w + x) * 4 + c] = gx * gx + gy * gy


def sobel_1(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each component of the image."""
    pixels, out = _buffers(w, h, image)
    launch(sf1, (h, w, 4), out, pixels)
    return read_buffer(out)


# --- second step: an instance for each pixel ------------------------------------------------------


@kernel
def sf2(out: global_(int_), image: read_only(int_)) -> None:
    """The four components of one pixel, one after the other."""
    y: int_ = get_global_id(0)
    x: int_ = get_global_id(1)
    h: int_ = get_global_size(0)
    w: int_ = get_global_size(1)
    if x >= 1 and x < w - 1 and y >= 1 and y < h - 1:
        above: int_ = ((y - 1) * w + x) * 4
        here: int_ = (y * w + x) * 4
        below: int_ = ((y + 1) * w + x) * 4
        for c in range(4):
            i00: int_ = image[above - 4 + c]
            i10: int_ = image[above + c]
            i20: int_ = image[above + 4 + c]
            i01: int_ = image[here - 4 + c]
            i21: int_ = image[here + 4 + c]
            i02: int_ = image[below - 4 + c]
            i12: int_ = image[below + c]
            i22: int_ = image[below + 4 + c]
            gx: int_ = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22
            gy: int_ = i00 - i20 + 2 * i01 - 2 * i21 + i02 - i22
            out[here + c] = gx * gx + gy * gy


def sobel_2(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each pixel of the image."""
    pixels, out = _buffers(w, h, image)
    launch(sf2, (h, w), out, pixels)
    return read_buffer(out)


# --- third step: a pixel is a vector --------------------------------------------------------------


@kernel
def sf3(out: global_(int4), image: read_only(int4)) -> None:
    """The four components of one pixel at once."""
    y: int_ = get_global_id(0)
    x: int_ = get_global_id(1)
    h: int_ = get_global_size(0)
    w: int_ = get_global_size(1)
    if x >= 1 and x < w - 1 and y >= 1 and y < h - 1:
        i00: int4 = image[(y - 1) * w + x - 1]
        i10: int4 = image[(y - 1) * w + x]
        i20: int4 = image[(y - 1) * w + x + 1]
        i01: int4 = image[y * w + x - 1]
        i21: int4 = image[y * w + x + 1]
        i02: int4 = image[(y + 1) * w + x - 1]
        i12: int4 = image[(y + 1) * w + x]
        i22: int4 = image[(y + 1) * w + x + 1]
        gx: int4 = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22
        gy: int4 = i00 - i20 + 2 * i01 - 2 * i21 + i02 - i22
        out[y * w + x] = gx * gx + gy * gy


def sobel_3(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each pixel, on vectors."""
    pixels, out = _buffers(w, h, image)
    launch(sf3, (h, w), out, pixels)
    return read_buffer(out)


# --- fourth step: the border has no instances -----------------------------------------------------


@kernel
def sf4(out: global_(int4), image: read_only(int4)) -> None:
    """One pixel inside of the border, which the range leaves out."""
    w: int_ = get_global_size(1) + 2
    here: int_ = (get_global_id(0) + 1) * w + get_global_id(1) + 1
    i00: int4 = image[here - w - 1]
    i10: int4 = image[here - w]
    i20: int4 = image[here - w + 1]
    i01: int4 = image[here - 1]
    i21: int4 = image[here + 1]
    i02: int4 = image[here + w - 1]
    i12: int4 = image[here + w]
    i22: int4 = image[here + w + 1]
    gx: int4 = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22
    gy: int4 = i00 - i20 + 2 * i01 - 2 * i21 + i02 - i22
    out[here] = gx * gx + gy * gy


def sobel_4(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each pixel that is not on the border."""
    pixels, out = _buffers(w, h, image)
    if w > 2 and h > 2:
        launch(sf4, (h - 2, w - 2), out, pixels)
    return read_buffer(out)


# --- fifth step: no multiplication by 2 -----------------------------------------------------------


@kernel
def sf5(out: global_(int4), image: read_only(int4)) -> None:
    """As before with shifts, and each pixel used as soon as it is there."""
    w: int_ = get_global_size(1) + 2
    here: int_ = (get_global_id(0) + 1) * w + get_global_id(1) + 1
    gx: int4 = image[here - w - 1]
    gy: int4 = gx - image[here - w + 1]
    gx = gx + (image[here - w] << 1) + image[here - w + 1]
    gy += image[here - 1] << 1
    gy -= image[here + 1] << 1
    gx -= image[here + w - 1]
    gy += image[here + w - 1]
    gx -= image[here + w] << 1
    out[here] = (gx - image[here + w + 1]) * (gx - image[here + w + 1]) + (
        gy - image[here + w + 1]
    ) * (gy - image[here + w + 1])


def sobel_5(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each pixel that is not on the border, with few variables."""
    pixels, out = _buffers(w, h, image)
    if w > 2 and h > 2:
        launch(sf5, (h - 2, w - 2), out, pixels)
    return read_buffer(out)


# --- sixth step: an instance for each row, which loads each pixel once ---------------------------


@kernel
def sf6(out: global_(int4), image: read_only(int4), w: int_) -> None:
    """One row: a window of three by three pixels moves along it."""
    above: int_ = get_global_id(0) * w
    here: int_ = above + w
    below: int_ = here + w
    i00: int4 = image[above]
    i01: int4 = image[here]
    i02: int4 = image[below]
    i10: int4 = image[above + 1]
    i11: int4 = image[here + 1]
    i12: int4 = image[below + 1]
    for x in range(1, w - 1):
        i20: int4 = image[above + x + 1]
        i21: int4 = image[here + x + 1]
        i22: int4 = image[below + x + 1]
        gx: int4 = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22
        gy: int4 = i00 - i20 + 2 * i01 - 2 * i21 + i02 - i22
        out[here + x] = gx * gx + gy * gy
        i00 = i10
        i01 = i11
        i02 = i12
        i10 = i20
        i11 = i21
        i12 = i22


def sobel_6(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each row; the image has at least 3 by 3 pixels."""
    pixels, out = _buffers(w, h, image)
    launch(sf6, h - 2, out, pixels, w)
    return read_buffer(out)


# --- seventh step: an instance for each column -------------------------------------------------


@kernel
def sf7(out: global_(int4), image: read_only(int4), h: int_) -> None:
    """One column: a window of three by three pixels moves down."""
    w: int_ = get_global_size(0) + 2
    here: int_ = get_global_id(0) + 1
    l0: int4 = image[here - 1]
    m0: int4 = image[here]
    r0: int4 = image[here + 1]
    l1: int4 = image[here + w - 1]
    m1: int4 = image[here + w]
    r1: int4 = image[here + w + 1]
    for y in range(1, h - 1):
        row: int_ = here + (y + 1) * w
        l2: int4 = image[row - 1]
        m2: int4 = image[row]
        r2: int4 = image[row + 1]
        gx: int4 = l0 + 2 * m0 + r0 - l2 - 2 * m2 - r2
        gy: int4 = l0 - r0 + 2 * l1 - 2 * r1 + l2 - r2
        out[row - w] = gx * gx + gy * gy
        l0 = l1
        m0 = m1
        r0 = r1
        l1 = l2
        m1 = m2
        r1 = r2


def sobel_7(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each column; the image has at least 3 by 3 pixels."""
    pixels, out = _buffers(w, h, image)
    launch(sf7, w - 2, out, pixels, h)
    return read_buffer(out)
