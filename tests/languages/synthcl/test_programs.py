"""The programs of the paper: plain runs on random numbers, small proofs, and mistakes found."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solvent.languages.synthcl import Device, using, verify
from solvent.languages.synthcl.benchmarks import benchmarks, images, matrices, powers
from solvent.languages.synthcl.programs import matrix, sobel, walsh
from solvent.terms import bv

PROGRAMS: list[tuple[Any, Any, list[tuple[Any, ...]]]] = [
    (matrix.multiply_scalar, matrix.multiply, matrices([4, 8])),
    (matrix.multiply_vector, matrix.multiply, matrices([4, 8])),
    *[(getattr(sobel, f"sobel_{n}"), sobel.sobel, images(range(1, 5))) for n in range(1, 6)],
    *[(getattr(sobel, f"sobel_{n}"), sobel.sobel, images(range(3, 5))) for n in (6, 7)],
    (walsh.transform_scalar, walsh.transform, powers(range(6))),
    (walsh.transform_vector, walsh.transform, powers(range(6))),
]
IDS = [program.__name__ for program, _, _ in PROGRAMS]


@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize(("program", "reference", "cases"), PROGRAMS, ids=IDS)
def test_random_numbers(program: Any, reference: Any, cases: Any, lifted: bool) -> None:
    source = random.Random(0)
    for case in cases[-3:]:
        args = [
            arg if isinstance(arg, int) else [source.randrange(-99, 99) for _ in range(arg.count)]
            for arg in case
        ]
        with using(Device(lifted=lifted)):
            assert program(*args) == reference(*args)


@pytest.mark.parametrize(("program", "reference", "cases"), PROGRAMS, ids=IDS)
def test_proved_without_a_solver_and_without_unions(
    program: Any, reference: Any, cases: Any
) -> None:
    found = verify(program, reference, cases)
    assert found.holds
    assert found.cost.checks == found.cost.unions == found.cost.joins == 0


def test_the_transform_of_a_transform() -> None:
    numbers = [bv(n * n, 32) for n in range(16)]
    twice = walsh.transform_vector(walsh.transform_vector(numbers))
    assert twice == [number * 16 for number in numbers]


def test_benchmarks_have_the_rows_of_the_paper() -> None:
    found = benchmarks()
    paper = {row.name: row.paper for row in found if row.paper is not None}
    assert len(paper) == 16
    assert sum(row.joins for row in paper.values()) == 7_487_257
    assert len({(row.name, row.kind) for row in found}) == len(found)


@pytest.mark.mass
@pytest.mark.parametrize("found", benchmarks(), ids=lambda b: f"{b.name} {b.kind.name}")
def test_benchmarks_at_the_full_bounds(found: Any) -> None:
    outcome = found.run(300.0)
    assert outcome.expected
    if "verify" in found.name:
        assert outcome.unions == 0
