"""What is written and read back is the same term, or one that z3 proves equal."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.terms import (
    Bool,
    Function,
    Int,
    Real,
    Term,
    and_,
    constants,
    div,
    eq,
    exists,
    forall,
    ite,
    mod,
    not_,
    sort_of,
)
from solvent.terms.graph import applied_functions, reachable
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.reals import divide
from solvent.terms.smtlib import (
    Writer,
    assertions_of,
    parse_smtlib,
    read_script,
    read_term,
    to_smtlib,
    write_script,
)
from solvent.terms.softfloat import from_python
from tests.terms.smtlib.generators import BIT_SORTS, SORTS, terms, value
from tests.terms.smtlib.solvers import z3_answer


def read_back(term: Any) -> Any:
    """The term that the text of a term is read as, all names as the writer gave them."""
    writer = Writer()
    text = to_smtlib(term, writer)
    return read_term(text, known(writer, term))


def known(writer: Writer, *roots: Any) -> dict[str, Any]:
    """The constants and functions in terms under the names that a writer gave them."""
    objects = [*constants(*roots), *applied_functions(*roots)]
    return {writer.name_of(thing).strip("|"): thing for thing in objects}


def is_rebuilt(term: Any, again: Any) -> bool:
    """Whether there is a reason why a term that was read back is not the same one.

    The reader is exact where SMT-LIB leaves a result open, the writer put a guard there; and
    bound variables have other names where two have one.
    """
    if any(function.name.startswith("@") for function in applied_functions(again)):
        return True
    bound = bound_variables(term)
    return len({variable.name for variable in bound | set(constants(term))}) < len(
        bound | set(constants(term))
    )


def bound_variables(*roots: Any) -> set[Any]:
    quantified = (term for term in reachable(roots) if term.op.base in QUANTIFIERS)
    return {variable for term in quantified for variable in term.op.params[0]}


def assert_same(term: Any, again: Any) -> None:
    if not isinstance(term, Term):
        assert again == (from_python(term) if isinstance(term, float) else term)
        assert sort_of(again) is sort_of(term)
    elif again is not term:
        assert is_rebuilt(term, again)
        answer = z3_answer(write_script([not_(eq(term, again))]), 500)
        assert answer.strip() in ("unsat", "unknown", "timeout")


@settings(max_examples=250)
@given(terms())
def test_terms(term: Any) -> None:
    assert_same(term, read_back(term))


@settings(max_examples=100)
@given(terms(BIT_SORTS, depth=6))
def test_bitvector_terms(term: Any) -> None:
    assert_same(term, read_back(term))


@settings(max_examples=100)
@given(st.data())
def test_values(data: st.DataObject) -> None:
    sort = data.draw(st.sampled_from([sort for sort in SORTS if str(sort) != "U"]))
    given_value = value(data.draw, sort)
    assert_same(given_value, read_back(given_value))


@settings(max_examples=60)
@given(st.lists(terms((Bool,)), min_size=1, max_size=3))
def test_scripts(formulas: list[Any]) -> None:
    """A script read in a new world has other constants where names had to be changed."""
    writer = Writer()
    script = read_script(write_script(formulas, writer=writer))
    read = assertions_of(script)
    assert len(read) == len(formulas)
    named = {term for term in reachable(formulas) if term.is_constant} | bound_variables(*formulas)
    unchanged = all(writer.name_of(constant) == constant.name for constant in named)
    if unchanged:
        for formula, again in zip(formulas, read, strict=True):
            assert_same(formula, again)


def test_reading_twice_gives_the_same_terms() -> None:
    text = """(declare-const x Int) (declare-fun f (Int) Int)
    (assert (forall ((x Int)) (> (f x) (let ((y x)) (+ y 1)))))
    (assert (exists ((y Int)) (forall ((z Int)) (! (= (f y) (f z) x) :pattern ((f z))))))"""
    assert all(a is b for a, b in zip(parse_smtlib(text), parse_smtlib(text), strict=True))


# --- divisions ---------------------------------------------------------------------------------

X, Y = Int("x"), Int("y")
A, B = Real("a"), Real("b")


@pytest.mark.parametrize(
    "term",
    [
        div(X, Y),
        mod(X, Y),
        mod(X + 1, Y * 2 + 3),
        div(div(X, Y), mod(Y, X)),
        div(X, ite(Bool("p"), 1, 0)),
        divide(A, B),
        divide(Fraction(1), A + B),
        divide(A, divide(A, B)),
    ],
    ids=str,
)
def test_total_divisions_come_back(term: Any) -> None:
    assert read_back(term) is term


@pytest.mark.parametrize("term", [div(X, Y), mod(X, Y), divide(A, B)], ids=str)
def test_written_division_has_solvents_meaning_at_zero(term: Any) -> None:
    _, dividend, divisor = term.key
    at_zero = dividend if term.op.name == "mod" else term.sort.coerce(0)
    formula = and_(eq(divisor, term.sort.coerce(0)), not_(eq(term, at_zero)))
    # Solvent itself does not simplify this, so the solver has to see it in the text.
    assert isinstance(formula, Term)
    assert z3_answer(write_script([formula])).strip() == "unsat"


@pytest.mark.parametrize("name", ["div", "mod", "/"])
def test_read_division_by_zero_is_open(name: str) -> None:
    sort = "Real" if name == "/" else "Int"
    declarations = f"(declare-const x {sort}) (declare-const y {sort}) (declare-const z {sort})"
    # Any result is possible, but it is the same for equal dividends.
    for assertion, expected in (
        (f"(and (= y 0) (= ({name} x y) 7))", "sat"),
        (f"(= ({name} x 0) 5)", "sat"),
        (f"(and (= y 0) (= x z) (distinct ({name} x y) ({name} z 0)))", "unsat"),
        (f"(and (= y 2) (= x 4) (= ({name} x y) 3))", "unsat"),
    ):
        text = f"{declarations} (assert {assertion}) (check-sat)"
        written = write_script(parse_smtlib(text))
        assert z3_answer(text).strip() == z3_answer(written).strip() == expected


# --- quantifiers -------------------------------------------------------------------------------

F = Function("f", [Int, Int], Int)
SHARED = F(X, Y) + F(Y, X)
QUANTIFIED = [
    forall([X], X > Y),
    forall([X], exists([Y], F(X, Y) > SHARED * SHARED)),
    and_(forall([X], SHARED * SHARED > Y), SHARED > 1, exists([Y], SHARED < X)),
    forall([X], and_(SHARED > 1, forall([Y], SHARED * SHARED == X), SHARED < 2)),
    forall([X, Y], F(X, Y) > 0, patterns=[F(X, Y), (F(X, X), F(Y, Y))]),
]


@pytest.mark.parametrize("formula", QUANTIFIED, ids=str)
def test_quantifiers_come_back(formula: Any) -> None:
    assert read_back(formula) is formula
    assert parse_smtlib(write_script([formula])) == [formula]


@pytest.mark.parametrize("formula", QUANTIFIED, ids=str)
def test_solvers_read_quantifiers_alike(formula: Any) -> None:
    text = write_script([formula], check=False)
    (as_written,) = z3.parse_smt2_string(text)
    (as_read,) = z3.parse_smt2_string(write_script(parse_smtlib(text), check=False))
    solver = z3.Solver()
    solver.add(as_written != as_read)
    assert solver.check() == z3.unsat


def test_what_is_shared_below_a_quantifier_is_not_defined_outside() -> None:
    formula = and_(SHARED > 1, forall([X], SHARED > 1))
    text = write_script([formula])
    # The sum outside is about the constant x, the one inside about the variable.
    answer = z3_answer(text.replace("(check-sat)", "(assert (= (f x y) 5)) (check-sat)"))
    assert answer.strip() == "sat"
    assert read_back(formula) is formula


def test_a_variable_does_not_capture_what_a_let_stands_for() -> None:
    text = "(declare-const x Int) (assert (let ((y x)) (forall ((x Int)) (= x y)))) (check-sat)"
    (formula,) = parse_smtlib(text)
    assert constants(formula) == [X] or constants(formula)[0] is X
    assert z3_answer(write_script([formula])).strip() == z3_answer(text).strip() == "unsat"


def test_names_that_clash() -> None:
    fresh = Int.fresh("v")
    same = Int(fresh.name)
    names = ["and", "let", "a b", "p\\q", "p_q", "@x", ".x", "$1", "$2", "é", ""]
    names += ["Int", "5", "(x", "bvadd", "-5", "x!1"]
    odd = [Bool("v"), Real("v"), fresh, same, Int("p|q"), *(Int(name) for name in ["v", *names])]
    total = sum(
        (ite(c, 1, 0) if c.sort is Bool else ite(c > 1, 1, 0) for c in odd), start=Int("start")
    )
    formula = and_(total > 3, total * total < 400)
    writer = Writer()
    text = write_script([formula], writer=writer)
    names = [writer.name_of(constant) for constant in odd]
    assert len(set(names)) == len(odd)
    assert all(
        writer.constant_of(name) is constant for name, constant in zip(names, odd, strict=True)
    )
    (again,) = parse_smtlib(text)
    assert len(constants(again)) == len(constants(formula))
    assert len(reachable([again])) == len(reachable([formula]))
    assert z3_answer(text).strip() == "sat"
