# Parameters are annotated with types of SynthCL, which are made by calls.
# mypy: disable-error-code="valid-type"
"""Sketches of the Sobel filter: its third and its seventh step, with pieces left open."""

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
from solvent.sketch import choose
from solvent.vm.values import Value


@kernel
def sf3(out: global_(int4), image: read_only(int4)) -> None:
    """A pixel: where the border is, which pixels are read, and with what weight."""
    y: int_ = get_global_id(0)
    x: int_ = get_global_id(1)
    h: int_ = get_global_size(0)
    w: int_ = get_global_size(1)
    if (
        x >= choose(0, 1, 2)
        and x < w - choose(0, 1, 2)
        and y >= choose(0, 1, 2)
        and y < h - choose(0, 1, 2)
    ):
        i00: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i10: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i20: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i01: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i21: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i02: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i12: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        i22: int4 = image[(y + choose(-1, 0, 1)) * w + x + choose(-1, 0, 1)]
        gx: int4 = i00 + choose(1, 2) * i10 + i20 - i02 - choose(1, 2) * i12 - i22
        gy: int4 = i00 - i20 + choose(1, 2) * i01 - choose(1, 2) * i21 + i02 - i22
        out[y * w + x] = gx * gx + gy * gy


@kernel
def sf7(out: global_(int4), image: read_only(int4), h: int_) -> None:
    """A column: what is read, what moves where as the window moves on, and what is added up."""
    w: int_ = get_global_size(0) + 2
    here: int_ = get_global_id(0) + 1
    l0: int4 = image[here - 1]
    m0: int4 = image[here]
    r0: int4 = image[here + 1]
    l1: int4 = image[here + choose(0, w) - 1]
    m1: int4 = image[here + choose(0, w)]
    r1: int4 = image[here + choose(0, w) + 1]
    for y in range(1, h - choose(0, 1, 2)):
        row: int_ = here + (y + choose(0, 1, 2)) * w
        l2: int4 = image[row - choose(0, 1)]
        m2: int4 = image[row]
        r2: int4 = image[row + choose(0, 1)]
        gx: int4 = l0 + choose(1, 2) * m0 + r0 - l2 - choose(1, 2) * m2 - r2
        gy: int4 = l0 - r0 + choose(1, 2) * l1 - choose(1, 2) * r1 + l2 - r2
        out[row - choose(0, w)] = gx * gx + gy * gy
        l0 = choose(l0, l1, l2)
        m0 = choose(m0, m1, m2)
        r0 = choose(r0, r1, r2)
        l1 = choose(l0, l1, l2)
        m1 = choose(m0, m1, m2)
        r1 = choose(r0, r1, r2)


def _buffers(w: int, h: int, image: list[Value]) -> tuple[Value, Value]:
    """The image on the device, and the result, which is 0 on the border."""
    pixels, out = buffer(int_, w * h * 4), buffer(int_, w * h * 4)
    write_buffer(pixels, image)
    write_buffer(out, [0] * (w * h * 4))
    return pixels, out


def sobel_3(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each pixel, on vectors."""
    pixels, out = _buffers(w, h, image)
    launch(sf3, (h, w), out, pixels)
    return read_buffer(out)


def sobel_7(w: int, h: int, image: list[Value]) -> list[Value]:
    """An instance for each column; the image has at least 3 by 3 pixels."""
    pixels, out = _buffers(w, h, image)
    launch(sf7, w - 2, out, pixels, h)
    return read_buffer(out)
