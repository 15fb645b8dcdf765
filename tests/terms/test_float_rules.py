"""Every rewriting rule of floats is proved by Z3 over small formats."""

from __future__ import annotations

import inspect
import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
import z3

from solvent.terms import Bool, Float, ite, not_, sort_of
from solvent.terms import softfloat as soft
from solvent.terms.float_ops import (
    FP_ADD,
    FP_EQ,
    FP_IS_INFINITE,
    FP_IS_NAN,
    FP_IS_NORMAL,
    FP_IS_SUBNORMAL,
    FP_IS_ZERO,
    FP_LEQ,
    FP_LT,
    FP_MUL,
    FP_SUB,
    TO_FP_FROM_FLOAT,
)
from solvent.terms.memory import TABLE
from solvent.terms.rules import RULES, Rule
from solvent.terms.softfloat import FP, RNE, RTN, RoundingMode
from solvent.terms.sorts import FloatSort, Sort, float_sort
from solvent.terms.term import Term, raw
from tests.terms.float_solvers import declarations, text

FORMATS = (float_sort(2, 3), float_sort(3, 3))
FLOAT_RULES = [declared for declared in RULES if declared.theories == ("Float",)]
# At most this many combinations of operands are tried for each format.
COMBINATIONS = 16


def units(sort: FloatSort) -> list[FP]:
    """Values for which some rule may treat a constant specially."""
    numbers = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1.5]
    special = [soft.nan(sort), soft.infinity(sort), soft.infinity(sort, negative=True)]
    smallest = soft.from_bits(sort, 1)
    return [*(soft.from_number(RNE, sort, number) for number in numbers), *special, smallest]


def pool(name: str, sort: FloatSort) -> list[Any]:
    """What a parameter of an example may stand for."""
    if name in ("x", "y", "z"):
        return [sort(name), sort("x")]
    if name in ("p", "q", "r"):
        return [Bool(name)]
    if name == "m":
        return list(RoundingMode)
    if name == "u":
        return units(sort)
    assert name in ("c", "d", "e"), f"an example has an unknown parameter {name}"
    return [value for value in units(sort) if not soft.is_zero(value)]


def instances(declared: Rule, sort: FloatSort) -> Iterator[tuple[Any, ...]]:
    names = list(inspect.signature(declared.example).parameters)
    combinations = list(itertools.product(*(pool(name, sort) for name in names)))
    random.Random(declared.statement).shuffle(combinations)
    for combination in combinations[: 4 * COMBINATIONS]:
        yield declared.example(*combination)


def split(operands: tuple[Any, ...]) -> int:
    """How many of the leading operands are parameters of the operator."""
    return sum(isinstance(operand, (RoundingMode, Sort)) for operand in operands)


def rewritings(declared: Rule, sort: FloatSort) -> list[tuple[Any, Any]]:
    """Unsimplified applications with what the rule, and the constructor, make of them."""
    pairs: list[tuple[Any, Any]] = []
    for operands in instances(declared, sort):
        count = split(operands)
        args = operands[count:]
        if len(pairs) >= 2 * COMBINATIONS or not any(isinstance(arg, Term) for arg in args):
            continue
        result = declared.function(*operands)
        if result is not None:
            op = declared.op.at(*operands[:count]) if count else declared.op
            pairs += [(raw(op, *args), result), (raw(op, *args), op(*args))]
    return pairs


@pytest.mark.parametrize("declared", FLOAT_RULES, ids=lambda d: f"{d.name}: {d.statement}")
def test_rule_is_proved(declared: Rule) -> None:
    for sort in FORMATS:
        pairs = rewritings(declared, sort)
        assert pairs, "the rule never applies to its example"
        for application, result in pairs:
            assert sort_of(result) is application.sort
            assert isinstance(result, (Term, FP, bool))
        for application, built in pairs[1::2]:
            # The constructor must not build the unsimplified term.
            assert not isinstance(built, Term) or TABLE.get(application.key) is not built
        roots = [term for pair in pairs for term in pair if isinstance(term, Term)]
        differences = "\n".join(f"(not (= {text(a)} {text(b)}))" for a, b in pairs)
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.from_string(f"{declarations(*roots)}(assert (or false {differences}))")
        assert solver.check() == z3.unsat, f"{declared.statement} over {sort}: {solver}"


def test_rules_are_those_of_the_constructors() -> None:
    x, y, p = Float("x"), Float("y"), Bool("p")
    minus = -x
    assert -minus is x
    assert abs(-x) is abs(x) is abs(abs(x))
    assert x - 1.5 is x + -1.5
    assert x - -y is x + y is y + x
    assert -x + y is y - x
    assert -x + 1.5 is 1.5 - x
    assert x + -0.0 is x
    assert x + 0.0 is not x
    assert x * 1 is x is x / 1
    assert x / -1 is -x
    assert x / 4 is x * 0.25
    assert x / 3 is not x * (1 / 3)
    assert (x < x) is False
    assert (x <= x) is not_(FP_IS_NAN(x))
    assert (ite(p, 1.0, 2.0) < 1.5) is p
    assert (ite(p, 1.0, 2.0) == 1.0) is p
    assert (ite(p, 1.0, 2.0) + 1) is ite(p, 2.0, 3.0)
    assert (x == float("nan")) is False
    assert (x <= float("-inf")) is (x == float("-inf"))


@pytest.mark.parametrize(
    ("ebits", "sbits", "exact"),
    [(8, 24, True), (8, 30, True), (9, 24, True), (9, 30, True), (7, 30, False), (9, 23, False)],
)
def test_a_detour_over_a_wider_format_is_left_out(ebits: int, sbits: int, exact: bool) -> None:
    start, goal = float_sort(8, 24), float_sort(5, 11)
    x = start("x")
    direct = TO_FP_FROM_FLOAT.at(RNE, goal)(x)
    detour = TO_FP_FROM_FLOAT.at(RNE, goal)(TO_FP_FROM_FLOAT.at(RNE, float_sort(ebits, sbits))(x))
    assert (detour is direct) == exact


@pytest.mark.parametrize(
    "op", [FP_IS_NAN, FP_IS_INFINITE, FP_IS_ZERO, FP_IS_NORMAL, FP_IS_SUBNORMAL], ids=str
)
def test_classes_that_do_not_depend_on_the_sign(op: Any) -> None:
    x = Float("x")
    assert op(-x) is op(abs(x)) is op(x)
    assert op(-abs(-x)) is op(x)


@pytest.mark.parametrize(
    ("op", "args"),
    [
        (FP_ADD.at(RNE), ("x", 0.0)),
        (FP_ADD.at(RTN), ("x", -0.0)),
        (FP_SUB.at(RNE), ("x", "x")),
        (FP_MUL.at(RNE), ("x", 0.0)),
        (FP_EQ, ("x", "x")),
        (FP_LEQ, ("x", "x")),
        (FP_LT, ("x", float("inf"))),
    ],
)
def test_tempting_rules_that_do_not_hold_are_not_applied(op: Any, args: tuple[Any, ...]) -> None:
    values = [Float("x") if arg == "x" else soft.from_python(arg) for arg in args]
    result = op(*values)
    assert isinstance(result, Term)
    assert result is not Float("x")
