"""What is written means the same to the solvers: their models satisfy the formulas here."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Float,
    Function,
    FunctionValue,
    Int,
    Model,
    Real,
    Str,
    Term,
    and_,
    constants,
    distinct,
    eq,
    evaluate,
    ite,
    not_,
    or_,
    uninterpreted_sort,
)
from solvent.terms.arrays import CONST_ARRAY
from solvent.terms.graph import applied_functions, reachable
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.smtlib import Writer, read_model, read_values, write_script
from solvent.terms.values import ArrayValue, Element
from tests.terms.smtlib.generators import B4, B7, BIT_ARRAY, BIT_SORTS, term
from tests.terms.smtlib.solvers import bitwuzla_answer, cvc5_answer, z3_answer

ANSWERS = {"z3": z3_answer, "cvc5": cvc5_answer}


@st.composite
def formulas(draw: Any, depth: int = 3) -> Any:
    formula = and_(*(term(draw, Bool, depth) for _ in range(2)))
    assume(isinstance(formula, Term))
    # cvc5 has constant arrays of concrete elements only.
    found = list(reachable([formula]))
    assume(not any(t.op.base in (*QUANTIFIERS, CONST_ARRAY) for t in found))
    # Its reader does not take `(- 1)` for one.
    values = [arg for t in found for arg in t.args if isinstance(arg, ArrayValue)]
    assume(not any(isinstance(v.default, (int, Fraction)) and v.default < 0 for v in values))
    return formula


def check(solver: str, formula: Any, limit: int = 10_000) -> tuple[str, Model | None]:
    """The answer of a solver, and its model."""
    writer = Writer()
    answer = ANSWERS[solver](write_script([formula], get_model=True, writer=writer), limit)
    result, _, rest = answer.strip().partition("\n")
    return result, read_model(rest, writer) if result == "sat" else None


@pytest.mark.parametrize("solver", ANSWERS)
@settings(max_examples=60)
@given(formula=formulas())
def test_models_satisfy(solver: str, formula: Any) -> None:
    result, model = check(solver, formula, limit=150)
    if model is not None:
        assert model.inexact or evaluate(formula, model) is True
    elif result == "unsat":
        # Then no assignment at all satisfies it, the default one for example.
        assert evaluate(formula, Model()) is False
        result, _ = check("cvc5" if solver == "z3" else "z3", formula, limit=150)
        assert result != "sat"


@st.composite
def bit_formulas(draw: Any) -> Any:
    """Formulas of sorts that bitwuzla has, and that it takes as they are."""
    sort = draw(st.sampled_from((B4, B7, BIT_ARRAY)))
    formula = eq(term(draw, sort, 2), term(draw, sort, 2))
    assume(isinstance(formula, Term))
    for each in reachable([formula]):
        assume(each.sort in BIT_SORTS and each.op.base not in QUANTIFIERS)
    assume(not applied_functions(formula))
    return formula


@settings(max_examples=80)
@given(bit_formulas())
def test_bitwuzla_models_satisfy(formula: Any) -> None:
    writer = Writer()
    script = write_script([formula], check=False, writer=writer)
    found = constants(formula)
    result, values = bitwuzla_answer(script, [writer.name_of(c) for c in found])
    if result == "sat":
        model = Model(dict(zip(found, read_values(values, found, writer), strict=True)))
        assert evaluate(formula, model) is True
    elif result == "unsat":
        assert evaluate(formula, Model()) is False


U = uninterpreted_sort("U")
F = Function("f", [Int, Int], Int)
P = Function("p", [Int, Bool], Bool)
G = Function("g", [U, U], U)
A = Array("a", Int, Int)
N = Array("n", Int, Array(Int, Bool))
u, v, w = U("u"), U("v"), U("w")

SATISFIABLE = [
    and_(F(1, 2) == 3, F(-1, 2) == 4, F(1, 5) == 7),
    and_(P(1, True), P(2, False), not_(P(3, True)), not_(P(1, False))),
    and_(distinct(u, v, w), eq(G(u, v), w), eq(G(v, v), u), eq(G(G(u, v), w), v)),
    and_(A[1] == 2, A[-3] == 5, A[7] == 2),
    and_(N[1][2], not_(N[1][3]), not_(N[2][2])),
    and_(Real("r") * 3 == -2, Real("q") > Real("r")),
    and_(Str("s") != "", or_(Str("s") == 'say "hi"\\u{41}\\', Str("s") == "é\U0001f600|")),
    and_(Int("i") > 10**30, Int("i") < 10**30 + 2),
    and_(eq(u, Element(U, 0)), not_(eq(v, Element(U, 0))), eq(w, Element(U, 5))),
    and_(
        eq(A, ArrayValue(Array(Int, Int), 3, {i: i * i for i in range(4, 60)})), A[Int("i")] == 81
    ),
    ite(Bool("|"), Int("a b") == 1, Int("and") == Int("let")),
    Float("x", 8, 24) + 1.5 == 4.0,
]


@pytest.mark.parametrize("solver", ANSWERS)
@pytest.mark.parametrize("formula", SATISFIABLE, ids=lambda formula: repr(formula)[:40])
def test_values_of_all_sorts_come_back(solver: str, formula: Any) -> None:
    result, model = check(solver, formula)
    assert result == "sat"
    assert model is not None
    assert evaluate(formula, model) is True
    for function in applied_functions(formula):
        assert isinstance(model[function], FunctionValue)


@pytest.mark.parametrize("solver", ANSWERS)
def test_elements_are_distinct(solver: str) -> None:
    formula = and_(eq(u, Element(U, 0)), eq(v, Element(U, 1)), eq(u, v))
    assert isinstance(formula, Term)
    assert check(solver, formula)[0] == "unsat"


def test_solvers_parse_deep_terms() -> None:
    x, y = BitVec("x", 32), BitVec("y", 32)
    total: Any = x
    for i in range(200_000):
        total = total ^ (total << 1 if i % 1000 == 0 else y) if i % 2 else total + x
    text = write_script([eq(total, 7)], check=False)
    context = z3.Context()
    assert len(z3.parse_smt2_string(text, ctx=context)) == 1
    assert bitwuzla_parses(text)


def bitwuzla_parses(text: str) -> bool:
    import bitwuzla

    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text, True, False)
    return len(parser.bitwuzla().get_assertions()) == 1
