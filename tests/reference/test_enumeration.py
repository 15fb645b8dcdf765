"""Numbers and programs correspond one to one, and tests have the sizes of table 1."""

from __future__ import annotations

import pickle
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.reference import enumeration
from solvent.reference.concrete import Stuck
from solvent.reference.enumeration import (
    SORTS,
    VARIABLES,
    NotEnumeratedError,
    Test,
    choice,
    join,
    listed,
    number,
    program,
    split,
)
from solvent.reference.naive import NaiveFactory
from solvent.reference.symbolic import SymbolicEvaluator
from solvent.reference.syntax import (
    OPERATORS,
    Abort,
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Let,
    Literal,
    Operation,
    Variable,
    free_variables,
    parse,
    show,
    size,
    walk,
)

names = st.sampled_from(VARIABLES)
literals = st.one_of(st.booleans(), st.integers(), st.just(())).map(Literal)


def operations() -> st.SearchStrategy[Operation]:
    return st.sampled_from(sorted(OPERATORS)).flatmap(
        lambda operator: st.tuples(*[names] * OPERATORS[operator]).map(
            lambda arguments: Operation(operator, arguments)
        )
    )


leaves = st.one_of(
    literals,
    names.map(Variable),
    st.just(Error()),
    st.just(Abort()),
    operations(),
    st.builds(Call, names, names),
)
programs: st.SearchStrategy[Expression] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Lambda, names, inner),
        st.builds(Let, names, inner, inner),
        st.builds(If, names, inner, inner),
    ),
    max_leaves=12,
)


# --- combinators -------------------------------------------------------------------------------


@given(st.integers(0, 2**200))
def test_a_number_is_a_pair(n: int) -> None:
    assert join(*split(n)) == n


@given(st.integers(0, 2**100), st.integers(0, 2**100))
def test_a_pair_is_a_number(a: int, b: int) -> None:
    assert split(join(a, b)) == (a, b)


def test_pairs_are_fair() -> None:
    # All pairs of small numbers come before any with a large one.
    assert {split(n) for n in range(100)} == {(a, b) for a in range(10) for b in range(10)}


@pytest.mark.parametrize("weights", [(1, 1, 1), (3, 1, 2), (2, 5, 1), (7, 7, 7)])
@pytest.mark.parametrize("counts", [(2, 5, 0), (1, 1, 9), (4, 4, 4)])
def test_choices_deal_everything_once(weights: tuple[int, ...], counts: tuple[int, ...]) -> None:
    rows = [
        (weight, listed([(kind, index) for index in range(count)]))
        for kind, weight, count in zip("abc", weights, counts, strict=True)
    ]
    mixed = choice(rows)
    assert mixed.count == sum(counts)
    found = [mixed.decode(n) for n in range(sum(counts))]
    assert len(set(found)) == sum(counts)
    assert [mixed.encode(value) for value in found] == list(range(sum(counts)))
    with pytest.raises(NotEnumeratedError):
        mixed.decode(sum(counts))
    with pytest.raises(NotEnumeratedError):
        mixed.encode(("d", 0))


# --- the bijection -----------------------------------------------------------------------------


def test_the_first_numbers_are_different_programs() -> None:
    seen = set()
    for n in range(100_000):
        found = program(n)
        assert number(found) == n
        seen.add(found)
    assert len(seen) == 100_000


@given(st.integers(0, 2**400))
def test_a_number_is_a_program(n: int) -> None:
    assert number(program(n)) == n


def test_random_numbers_of_all_lengths_are_programs() -> None:
    random = Random(7)
    for length in range(1, 1000):
        n = random.getrandbits(length)
        assert number(program(n)) == n


@given(programs)
def test_a_program_is_a_number(found: Expression) -> None:
    assert program(number(found)) == found


def test_numbers_and_booleans_are_different_literals() -> None:
    assert Literal(1) != Literal(True)
    assert Literal(0) != Literal(False)
    assert len({number(Literal(value)) for value in (0, 1, False, True, ())}) == 5


@pytest.mark.parametrize("text", ["z", "(λ z . x)", "(+ x)", "(let (x (if b x y)) x)"])
def test_other_programs_have_no_number(text: str) -> None:
    with pytest.raises(NotEnumeratedError, match="only programs with the variables"):
        number(parse(text))


def test_negative_numbers_are_no_programs() -> None:
    with pytest.raises(NotEnumeratedError, match="-1"):
        program(-1)


def test_larger_numbers_tend_to_be_larger_programs() -> None:
    random = Random(3)

    def average(length: int) -> float:
        return sum(size(program(random.getrandbits(length))) for _ in range(300)) / 300

    averages = [average(length) for length in range(40, 440, 80)]
    assert averages == sorted(averages)
    # The size grows linearly: three times as many bits here.
    assert 2.5 < averages[4] / averages[1] < 3.5


# --- tests -------------------------------------------------------------------------------------


def test_sizes_are_those_of_table_1() -> None:
    sizes = [test.size for test in enumeration.tests(10_000, seed=0)]
    assert min(sizes) == 1
    assert 130 <= max(sizes) <= 158
    assert 60 <= sum(sizes) / len(sizes) <= 66
    # The buckets of the table have about 1,000 tests each; the last one had 711.
    buckets = [12, 24, 38, 50, 65, 77, 88, 102, 119, 158]
    counts = [sum(low < n <= high for n in sizes) for low, high in pairwise([0, *buckets])]
    assert all(500 < count < 1500 for count in counts)


def test_tests_are_different_and_depend_on_the_seed_only() -> None:
    tests = list(enumeration.tests(500, seed=5))
    assert len({test.program for test in tests}) == 500
    assert tests == list(enumeration.tests(500, seed=5))
    assert tests != list(enumeration.tests(500, seed=6))


def test_few_bits_still_give_different_tests() -> None:
    assert len({test.program for test in enumeration.tests(200, seed=1, k=3)}) == 200


def test_all_kinds_of_expressions_occur() -> None:
    kinds = {
        found.operator if isinstance(found, Operation) else type(found)
        for test in enumeration.tests(300, seed=2)
        for found in walk(test.program)
    }
    assert kinds == {*OPERATORS, Literal, Variable, Lambda, Call, Let, If, Error, Abort}


def test_many_states_are_not_trivial() -> None:
    factory = NaiveFactory()
    interesting = 0
    for test in enumeration.tests(500, seed=4):
        try:
            found = SymbolicEvaluator(factory).evaluate(test.program, test.environment(factory))
        except Stuck:
            continue
        parts = (found.state.assumes, found.state.asserts)
        interesting += not all(factory.is_tt(b) or factory.is_ff(b) for b in parts)
    # 40 percent in the paper.
    assert interesting > 0.4 * 500


def test_a_test_knows_its_inputs() -> None:
    for test in enumeration.tests(100, seed=8):
        assert list(test.sorts) == free_variables(test.program)
        assert all(SORTS[name] == sort for name, sort in test.sorts.items())
    assert Test.of(parse("(+ n p)"), {"p": "int"}).sorts == {"n": "int", "p": "int"}


def test_the_text_of_a_test_is_its_program() -> None:
    for test in enumeration.tests(100, seed=9):
        assert parse(str(test)) == test.program
        assert parse(show(test.program)) == test.program


def test_tests_can_be_sent_to_other_processes() -> None:
    for test in enumeration.tests(20, seed=10):
        assert pickle.loads(pickle.dumps(test)) == test
