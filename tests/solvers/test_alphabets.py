"""Small alphabets: the same answers as with all code points, and models that hold."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from solvent import Bool, Int, Options, texts, verify
from solvent.solvers import Solver, Status
from solvent.solvers.alphabets import CannotCompressError, Compression
from solvent.terms import (
    Array,
    Function,
    and_,
    constants,
    eq,
    forall,
    ite,
    not_,
    or_,
    select,
)
from solvent.terms.classes import character_class, in_class
from solvent.terms.model import Model
from solvent.verdicts import Verdict

CODES = [Int(f"code{place}") for place in range(4)]
CLASSES = [
    character_class(ranges)
    for ranges in (
        ((48, 57), (1632, 1641)),
        ((48, 57), (65, 90), (97, 122), (170, 170), (1632, 1641)),
        ((9, 13), (32, 32), (133, 133)),
        ((0, 1),),
    )
]
KNOWN = [-1, 0, 32, 44, 48, 57, 58, 97, 133, 1632, 0x10FFFF]


def random_number(chance: random.Random, depth: int) -> Any:
    if depth == 0 or chance.random() < 0.5:
        return chance.choice([*CODES, *CODES, chance.choice(KNOWN)])
    return ite(
        random_guard(chance, depth - 1),
        random_number(chance, depth - 1),
        random_number(chance, depth - 1),
    )


def random_guard(chance: random.Random, depth: int) -> Any:
    kind = chance.randrange(7 if depth else 4)
    if kind == 0:
        number = random_number(chance, depth)
        return in_class(chance.choice(CLASSES), number)
    if kind == 1:
        return eq(random_number(chance, depth), chance.choice(KNOWN))
    if kind == 2:
        return random_number(chance, depth) <= chance.choice(KNOWN)
    if kind == 3:
        return eq(random_number(chance, depth), random_number(chance, depth))
    if kind == 4:
        return not_(random_guard(chance, depth - 1))
    parts = [random_guard(chance, depth - 1) for _ in range(2)]
    return (and_ if kind == 5 else or_)(parts)


def status_of(formulas: Sequence[Any]) -> Status:
    with Solver() as solver:
        solver.add(*formulas)
        return solver.check()


@pytest.mark.parametrize("seed", range(150))
def test_random_formulas_have_the_same_answer(seed: int) -> None:
    chance = random.Random(seed)
    formulas = [random_guard(chance, 4) for _ in range(chance.randrange(2, 7))]
    if not constants(*formulas):
        return
    small, compression = Compression.of(formulas)
    expected = status_of(formulas)
    with Solver() as solver:
        solver.add(*small)
        assert solver.check() is expected
        if expected is Status.UNSAT:
            return
        found = solver.model()
    model = Model(
        {code: compression.value(code, found[one]) for code, one in compression.constants.items()}
    )
    assert all(model.evaluate(formula) is True for formula in formulas)


@pytest.mark.parametrize(("members", "expected"), [(2, Status.UNSAT), (3, Status.SAT)])
def test_there_are_as_many_letters_as_characters_that_may_differ(
    members: int, expected: Status
) -> None:
    few = character_class(((5, 4 + members),))
    inside = [in_class(few, code) for code in CODES[:3]]
    apart = [not_(eq(a, b)) for a, b in itertools.combinations(CODES[:3], 2)]
    small, _ = Compression.of([*inside, *apart])
    assert status_of([*inside, *apart]) is expected
    assert status_of(small) is expected


def test_a_letter_that_nobody_compares_has_one_member_of_each_cell() -> None:
    first = CODES[0]
    _, compression = Compression.of([and_(0 <= first, first <= 0x10FFFF), first > 127])
    assert compression.constants[first].sort.width == 2


def test_numbers_with_which_a_program_calculates_stay() -> None:
    first, second, third, p = *CODES[:3], Bool("p")
    for formulas in (
        [first + second == 5],
        [first <= second],
        [eq(ite(p, first, second), 4), first + second == 6],
        [eq(first, second), second + third == 6, eq(third, 3)],
        [Function("f", [Int], Bool)(first)],
        [select(Array(Int, Int)("a"), first) == 3],
    ):
        with pytest.raises(CannotCompressError):
            Compression(formulas)
    _, compression = Compression.of([first + third == 5, eq(second, 3)])
    assert list(compression.constants) == [second]


def test_formulas_with_quantifiers_stay() -> None:
    with pytest.raises(CannotCompressError):
        Compression([forall([CODES[0]], or_(CODES[0] <= 3, CODES[1] == 5))])


def words(text: str) -> None:
    """Wrong for two words that are the same."""
    parts = text.split()
    assert len(set(parts)) == len(parts)


def test_a_counterexample_over_all_characters_is_confirmed() -> None:
    result = verify(words, texts(max_len=7, min_len=7), options=Options(timeout=600))
    assert result.verdict is Verdict.VIOLATED
    assert result.confirmed
