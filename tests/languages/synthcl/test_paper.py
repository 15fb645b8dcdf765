"""The programs as the paper has them: against plain arithmetic, each other, and small proofs."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from solvent import BitVec, evaluate
from solvent.languages.synthcl import synthesize, verify
from solvent.languages.synthcl.benchmarks import benchmarks, images, matrices, powers
from solvent.languages.synthcl.programs import (
    matrix,
    paper_matrix,
    paper_sobel,
    paper_walsh,
    walsh,
)
from solvent.lift import execute
from solvent.terms import bv

FILTERS = [getattr(paper_sobel, f"filter_{n}") for n in (*range(6), "scalar", "vector")]


def plain_filter(w: int, h: int, image: list[int]) -> list[int]:
    """The filter by its definition."""
    out = [0] * (w * h * 4)
    for y, x, c in product(range(1, h - 1), range(1, w - 1), range(4)):
        gx = gy = 0
        for dy, dx in product((-1, 0, 1), repeat=2):
            pixel = image[((y + dy) * w + x + dx) * 4 + c]
            gx += -dy * (2 - abs(dx)) * pixel
            gy += -dx * (2 - abs(dy)) * pixel
        out[(y * w + x) * 4 + c] = (abs(gx) + abs(gy)) // 2
    return out


@pytest.mark.parametrize("program", FILTERS, ids=lambda program: program.__name__)
def test_filters_on_random_images(program: Any) -> None:
    source = random.Random(0)
    first = 3 if program.__name__ in ("filter_scalar", "filter_vector") else 1
    for w, h in product(range(first, 6), repeat=2):
        image = [source.randrange(-99, 99) for _ in range(w * h * 4)]
        assert program(w, h, image) == plain_filter(w, h, image)


@pytest.mark.parametrize("bits", [None, 32])
def test_refinements_are_the_same(bits: int | None) -> None:
    for program, reference in zip(FILTERS[1:6], FILTERS[:5], strict=True):
        assert verify(program, reference, images((2, 3, 4)), bits=bits).holds
    for program in FILTERS[6:]:
        assert verify(program, paper_sobel.filter_5, images((3, 4)), bits=bits).holds


def test_a_wrong_filter_is_found() -> None:
    def wrong(w: int, h: int, image: list[Any]) -> list[Any]:
        out: list[Any] = paper_sobel.filter_5(w, h, image)
        return out[1:] + out[:1]

    found = verify(wrong, paper_sobel.filter_5, images([3]), bits=None)
    assert found.confirmed


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (paper_walsh.quotient, lambda a, b: int(a / b) if b else 0),
        (paper_walsh.remainder, lambda a, b: a - b * int(a / b) if b else 0),
    ],
    ids=["quotient", "remainder"],
)
def test_division(function: Any, expected: Any) -> None:
    a, b = BitVec("a", 4), BitVec("b", 4)
    symbolic = execute(function, a, b)
    assert symbolic.asserts is True
    for x, y in product(range(-7, 8), repeat=2):
        assert function(x, y) == expected(x, y)
        found = evaluate(symbolic.value, {a: bv(x % 16, 4), b: bv(y % 16, 4)})
        assert found.signed == expected(x, y)


def test_the_transform_with_vectors() -> None:
    assert verify(paper_walsh.transform_vector, walsh.transform, powers(range(6))).holds


@pytest.mark.parametrize(
    ("sketch", "reference", "cases"),
    [
        (paper_sobel.sketch_3, paper_sobel.filter_2, images((3, 4))),
        (paper_walsh.sketch_vector, walsh.transform, powers([3])),
        (paper_matrix.sketch, matrix.multiply, matrices([4])),
    ],
    ids=["SF3", "FWT2", "MM2"],
)
def test_sketches_are_completed(sketch: Any, reference: Any, cases: Any) -> None:
    found = synthesize(sketch, reference, cases)
    assert found.confirmed
    assert found.completed is not None
    # What was found is proved again, with wider numbers and by another solver.
    assert verify(found.completed, reference, cases[-1:], bits=16, solver="z3").holds


def test_numbers_of_choices() -> None:
    """As many as the paper's sketches have: 8 ints, one int, 8 choices and 4 ints, one choice."""
    found = synthesize(paper_walsh.sketch_vector, walsh.transform, powers([3]))
    # A choice between four is made by three constants.
    assert len(found.holes) == 3
    found = synthesize(paper_sobel.sketch_3, paper_sobel.filter_2, images([3]))
    assert len(found.holes) == 8


def test_constants_have_names_of_their_own_for_each_size() -> None:
    case = powers([1])[0]

    def terms(factor: int, cases: int) -> int:
        def program(numbers: list[Any]) -> list[Any]:
            return [number * factor for number in numbers]

        return verify(program, program, [case] * cases).cost.terms

    # With the same names the terms of the first case would be found again in the second.
    assert terms(9_875, 2) == 2 * terms(9_877, 1)


def test_rows_of_both_kinds() -> None:
    rows = benchmarks()
    paper = {row.name for row in rows if row.paper is not None}
    assert len(paper) == 16
    assert {row.name for row in rows if str(row.kind) == "same program"} >= paper
