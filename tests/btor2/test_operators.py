"""Every operator on all values of small widths, on numbers and on terms, against the reference."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import pytest

from solvent.btor2.guards import Guards
from solvent.btor2.operators import OPERATORS, SortProblem, concrete, result_sort
from solvent.btor2.symbolic import lift, lower, symbolic, term_sort
from solvent.terms import BitVec, evaluate
from solvent.terms.sorts import array_sort, bitvec_sort
from solvent.terms.term import Term, constant
from tests.btor2.reference import BINARY, UNARY, bits

WIDTHS = (1, 2, 3)


def widths_of(name: str) -> list[tuple[int, ...]]:
    """The widths at which an operator is tried."""
    if name in ("iff", "implies"):
        return [(1, 1)]
    if name == "concat":
        return list(product(WIDTHS, WIDTHS))
    return [(w,) * OPERATORS[name].arity for w in WIDTHS]


def expected(name: str, widths: tuple[int, ...], values: tuple[int, ...]) -> int:
    texts = [bits(value, width) for value, width in zip(values, widths, strict=True)]
    table: Any = UNARY if len(texts) == 1 else BINARY
    return int(table[name](*texts), 2)


def constants_of(widths: tuple[int, ...]) -> list[Any]:
    return [constant(term_sort(bitvec_sort(w)), f"v{k}") for k, w in enumerate(widths)]


def test_the_reference_has_all_operators() -> None:
    others = {"sext", "uext", "slice", "ite", "read", "write"}
    assert set(OPERATORS) == set(BINARY) | set(UNARY) | others


@pytest.mark.parametrize("name", sorted({**BINARY, **UNARY}))
def test_operator(name: str) -> None:
    for widths in widths_of(name):
        number = concrete(name, widths)
        variables = constants_of(widths)
        term = symbolic(name, widths)(Guards(), *variables)
        for values in product(*[range(1 << width) for width in widths]):
            wanted = expected(name, widths, values)
            assert number(*values) == wanted, (name, widths, values)
            model = {v: lift(x, w) for v, x, w in zip(variables, values, widths, strict=True)}
            found = evaluate(term, model) if isinstance(term, Term) else term
            assert lower(found) == wanted, (name, widths, values, term)


@pytest.mark.parametrize("name", sorted(BINARY))
def test_operator_with_one_symbolic_operand(name: str) -> None:
    for widths in widths_of(name):
        first, second = constants_of(widths)
        apply = partial(symbolic(name, widths), Guards())
        for a, b in product(range(1 << widths[0]), range(1 << widths[1])):
            wanted = expected(name, widths, (a, b))
            for term, variable, value, width in (
                (apply(first, b), first, a, widths[0]),
                (apply(a, second), second, b, widths[1]),
            ):
                found = (
                    evaluate(term, {variable: lift(value, width)})
                    if isinstance(term, Term)
                    else term
                )
                assert lower(found) == wanted, (name, widths, a, b, term)


def test_slices_and_extensions() -> None:
    for width in WIDTHS:
        (variable,) = constants_of((width,))
        for value in range(1 << width):
            text = bits(value, width)
            cases = [("uext", (n,), "0" * n + text) for n in (0, 1, 2)]
            cases += [("sext", (n,), text[0] * n + text) for n in (0, 1, 2)]
            cases += [
                ("slice", (u, low), text[width - 1 - u : width - low])
                for u in range(width)
                for low in range(u + 1)
            ]
            for name, numbers, wanted in cases:
                assert concrete(name, (width,), numbers)(value) == int(wanted, 2)
                term = symbolic(name, (width,), numbers)(Guards(), variable)
                found = evaluate(term, {variable: lift(value, width)})
                assert lower(found) == int(wanted, 2), (name, numbers, text)


def test_choices() -> None:
    for width in WIDTHS:
        test, a, b = constants_of((1, width, width))
        term = symbolic("ite", (1, width, width))(Guards(), test, a, b)
        for c, x, y in product((0, 1), range(1 << width), range(1 << width)):
            model = {test: bool(c), a: lift(x, width), b: lift(y, width)}
            assert lower(evaluate(term, model)) == (x if c else y)
            assert concrete("ite", (1, width, width))(c, x, y) == (x if c else y)


BYTE, BIT = bitvec_sort(8), bitvec_sort(1)
MEMORY = array_sort(bitvec_sort(4), BYTE)


@pytest.mark.parametrize(
    ("name", "sorts", "numbers", "position"),
    [
        ("not", [MEMORY], [], 0),
        ("add", [BYTE, BIT], [], 1),
        ("redor", [MEMORY], [], 0),
        ("iff", [BIT, BYTE], [], 1),
        ("implies", [BYTE, BIT], [], 0),
        ("eq", [BYTE, BIT], [], 1),
        ("ult", [MEMORY, MEMORY], [], 0),
        ("saddo", [BYTE, BIT], [], 1),
        ("concat", [BYTE, MEMORY], [], 1),
        ("read", [BYTE, BYTE], [], 0),
        ("read", [MEMORY, BYTE], [], 1),
        ("write", [MEMORY, bitvec_sort(4), BIT], [], 2),
        ("ite", [BYTE, BIT, BIT], [], 0),
        ("ite", [BIT, BIT, BYTE], [], 2),
        ("uext", [MEMORY], [2], 0),
        ("slice", [BYTE], [8, 0], 1),
        ("slice", [BYTE], [2, 3], 2),
    ],
)
def test_sorts_that_do_not_fit(
    name: str, sorts: list[Any], numbers: list[int], position: int
) -> None:
    with pytest.raises(SortProblem) as caught:
        result_sort(OPERATORS[name], sorts, numbers)
    assert caught.value.position == position


def test_equality_of_arrays_has_a_sort() -> None:
    assert result_sort(OPERATORS["eq"], [MEMORY, MEMORY], []) is BIT
    assert result_sort(OPERATORS["ite"], [BIT, MEMORY, MEMORY], []) is MEMORY
    assert result_sort(OPERATORS["write"], [MEMORY, bitvec_sort(4), BYTE], []) is MEMORY


def test_wide_numbers() -> None:
    assert concrete("mul", (64, 64))(1 << 63, 3) == 1 << 63
    assert concrete("redxor", (128,))(1 << 127) == 1
    assert BitVec("x", 64).sort.width == 64
