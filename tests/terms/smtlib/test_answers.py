"""Models and values as z3, cvc5 and bitwuzla print them."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from solvent.terms import (
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Element,
    Float,
    Function,
    FunctionValue,
    Int,
    Real,
    Str,
    and_,
    bv,
    eq,
    evaluate,
    fp,
    uninterpreted_sort,
)
from solvent.terms.smtlib import DefinedFunction, Writer, read_model, read_symbols, read_values

U = uninterpreted_sort("U")
A, B, C = U("a"), U("b"), U("c")
F = Function("f", [U, U], U)
P = Function("p", [U], Bool)
G = Function("g", [Int, Int], Int)
Q = Function("q", [Int, Bool], Bool)
H = Function("h", [Bool, Int], Real)
ROW = Array("row", Int, Int)


def writer_of(*terms: Any) -> Writer:
    writer = Writer()
    writer.declarations_for(*terms)
    return writer


UNINTERPRETED = {
    "z3": """(
      ;; universe for U:
      ;;   U!val!1 U!val!0 U!val!2
      (declare-fun U!val!1 () U)
      (forall ((x U)) (or (= x U!val!1) (= x U!val!0) (= x U!val!2)))
      (define-fun b () U
        U!val!0)
      (define-fun a () U U!val!1)
      (define-fun c () U U!val!2)
      (define-fun p ((x!0 U)) Bool (ite (= x!0 U!val!0) false true))
      (define-fun f ((x!0 U) (x!1 U)) U
        (ite (and (= x!0 U!val!1) (= x!1 U!val!0)) U!val!2 U!val!1)))""",
    "cvc5": """(
    ; cardinality of U is 3
    ; rep: (as @U_0 U)
    (define-fun a () U (as @U_1 U))
    (define-fun b () U (as @U_0 U))
    (define-fun c () U (as @U_2 U))
    (define-fun f ((_arg_1 U) (_arg_2 U)) U (ite (= (as @U_1 U) _arg_1)
      (ite (= (as @U_0 U) _arg_2) (as @U_2 U) (as @U_1 U)) (as @U_1 U)))
    (define-fun p ((_arg_1 U)) Bool (not (= (as @U_0 U) _arg_1))))""",
    "older": """(model (define-fun a () U @uc_U_1) (define-fun b () U (as @uc_U_0 U))
    (define-fun c () U (as @uc_U_2 U)) (define-fun @uc_U_1 () U (as @uc_U_1 U))
    (define-fun f ((x U) (y U)) U (let ((z (= x a))) (ite (and z (= y b)) c a)))
    (define-fun p ((x U)) Bool (ite (= b x) false true)))""",
}


@pytest.mark.parametrize("solver", UNINTERPRETED)
def test_uninterpreted_sorts(solver: str) -> None:
    model = read_model(UNINTERPRETED[solver], writer_of(eq(F(A, B), C), P(A)))
    zero, one, two = (Element(U, number) for number in range(3))
    assert (model[A], model[B], model[C]) == (one, zero, two)
    assert model[F] == FunctionValue(U, one, {(one, zero): two})
    assert model[P] == FunctionValue(Bool, True, {(zero,): False})
    assert model.evaluate(and_(eq(F(A, B), C), P(A), eq(F(B, B), A))) is True


def test_elements_that_were_written_keep_their_numbers() -> None:
    writer = writer_of(and_(eq(A, Element(U, 7)), eq(B, Element(U, 0))))
    text = """((define-fun U!7 () U U!val!0) (define-fun U!0 () U U!val!3)
    (define-fun a () U U!val!0) (define-fun b () U U!val!3) (define-fun c () U U!val!7))"""
    writer.name_of(C)
    model = read_model(text, writer)
    assert (model[A], model[B]) == (Element(U, 7), Element(U, 0))
    assert model[C] not in (Element(U, 7), Element(U, 0))


TABLES = {
    "a chain": "(ite (and (= x 1) (= y 2)) 3 (ite (and (= x (- 1)) (= y 2)) 4 7))",
    "nested": "(ite (= x 1) (ite (= y 2) 3 7) (ite (= x (- 1)) (ite (= y 2) 4 7) 7))",
    "let": "(let ((p (and (= x 1) (= 2 y))) (v 4)) (ite p 3 (ite (and (= (- 1) x) (= y 2)) v 7)))",
    "negated": "(ite (or (not (= x 1)) (not (= y 2))) (ite (and (= y 2) (= x (- 1))) 4 7) 3)",
    "first counts": "(ite (and (= x 1) (= y 2)) 3 (ite (and (= x 1) (= y 2)) 9 "
    "(ite (and (= x (- 1)) (= y 2)) 4 7)))",
}


@pytest.mark.parametrize("body", TABLES.values(), ids=TABLES)
def test_tables(body: str) -> None:
    writer = writer_of(eq(G(1, 2), 3))
    model = read_model(f"((define-fun g ((x Int) (y Int)) Int {body}))", writer)
    assert model[G] == FunctionValue(Int, 7, {(1, 2): 3, (-1, 2): 4})


PREDICATES = [
    "(ite (= i 1) b (and (= i 2) (not b)))",
    "(or (and (= i 1) b) (and (= i 2) (not b)))",
    "(ite (and (= i 1) (= b true)) true (ite (and (= i 2) (= b false)) true false))",
    "(and (or (= i 1) (= i 2)) (or (not (= i 1)) b) (or (not (= i 2)) (not b)))",
    "(ite (= i 1) b (ite (= i 2) (not b) false))",
]


@pytest.mark.parametrize("body", PREDICATES)
def test_predicates(body: str) -> None:
    model = read_model(f"((define-fun q ((i Int) (b Bool)) Bool {body}))", writer_of(Q(1, True)))
    for number, flag in itertools.product(range(4), (False, True)):
        assert model[Q](number, flag) is ((number, flag) in ((1, True), (2, False)))


def test_an_earlier_case_hides_a_later_one() -> None:
    body = "(ite (= x 1) (ite (= y 2) 3 7) (ite (and (= x 1) (= y 5)) 9 7))"
    model = read_model(f"((define-fun g ((x Int) (y Int)) Int {body}))", writer_of(eq(G(1, 2), 3)))
    assert model[G] == FunctionValue(Int, 7, {(1, 2): 3})


def test_a_function_that_is_no_table() -> None:
    body = "(ite (= x 1) (ite (= y 2) 3 7) (ite (and (= x 1) (= y 5)) 9 (ite (= x 2) 8 7)))"
    model = read_model(f"((define-fun g ((x Int) (y Int)) Int {body}))", writer_of(eq(G(1, 2), 3)))
    function = model[G]
    # Where x is 2 there are infinitely many entries, so this is no table.
    assert isinstance(function, DefinedFunction)
    assert [function(*point) for point in ((1, 2), (1, 5), (2, 0), (0, 0))] == [3, 7, 8, 7]


def test_functions_by_auxiliary_functions() -> None:
    text = """((define-fun g ((x!0 Int) (x!1 Int)) Int (g!1 (k!9 x!0) (+ x!1 1)))
    (define-fun g!1 ((x!0 Int) (x!1 Int)) Int (ite (= x!0 5) x!1 7))
    (define-fun k!9 ((x!0 Int)) Int (ite (>= x!0 3) 5 4)) (define-fun unused () Int (nothing 1)))"""
    model = read_model(text, writer_of(eq(G(1, 2), 3)))
    assert model.evaluate(G(9, 3)) == 4
    assert model.evaluate(G(1, 3)) == 7
    assert model[G] == model[G]


ARRAYS = [
    "(store (store ((as const (Array Int Int)) 0) 1 2) (- 3) 5)",
    "(let ((a!1 (store ((as const (Array Int Int)) 0) 1 2))) (store a!1 (- 3) 5))",
    "(_ as-array k!0)",
    "(lambda ((x!1 Int)) (ite (= x!1 1) 2 (ite (= x!1 (- 3)) 5 0)))",
    "(store (_ as-array k!0) 7 0)",
    "(store (store (store ((as const (Array Int Int)) 0) 1 9) (- 3) 5) 1 2)",
]


@pytest.mark.parametrize("text", ARRAYS)
def test_arrays(text: str) -> None:
    model = read_model(
        f"""((define-fun row () (Array Int Int) {text})
        (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 2 (ite (= x!0 (- 3)) 5 0))))""",
        writer_of(eq(ROW[1], 2)),
    )
    assert model[ROW] == ArrayValue(Array(Int, Int), 0, {1: 2, -3: 5})


def test_large_arrays_and_tables() -> None:
    count = 5000
    stores = "".join(f" {i} {i + 1})" for i in range(count))
    cases = "".join(f"(ite (and (= x {i}) (= y {i + 1})) {i + 7} " for i in range(count))
    stored = f"{'(store ' * count}((as const (Array Int Int)) 0){stores}"
    model = read_model(
        f"""((define-fun row () (Array Int Int) {stored})
        (define-fun g ((x Int) (y Int)) Int {cases} 0{")" * count}))""",
        writer_of(eq(ROW[1], G(1, 2))),
    )
    assert model[ROW] == ArrayValue(Array(Int, Int), 0, {i: i + 1 for i in range(count)})
    assert model[G] == FunctionValue(Int, 0, {(i, i + 1): i + 7 for i in range(count)})


VALUES = [
    (Int("x"), "(- 5)", -5),
    (Real("r"), "(- (/ 2.0 3.0))", Fraction(-2, 3)),
    (Real("r"), "(/ (- 2) 3)", Fraction(-2, 3)),
    (Real("r"), "2", Fraction(2)),
    (Bool("p"), "true", True),
    (BitVec("b", 4), "#b0101", bv(5, 4)),
    (BitVec("b", 4), "#x5", bv(5, 4)),
    (BitVec("b", 4), "(_ bv5 4)", bv(5, 4)),
    (Float("x", 5, 11), "(fp #b0 #b01111 #b1000000000)", fp(1.5, Float(5, 11))),
    (Float("x", 5, 11), "(_ -oo 5 11)", fp(float("-inf"), Float(5, 11))),
    (Float("x", 5, 11), "(fp #b0 #b11111 #b1000000000)", fp(float("nan"), Float(5, 11))),
    (Float("x", 5, 11), "(fp #b1 #b00000 #b0000000000)", fp(-0.0, Float(5, 11))),
    (Str("s"), '"a""b\\u{e9}\\u{5c}x"', 'a"b\u00e9\\x'),
    (A, "U!val!3", Element(U, 3)),
    (A, "(as @a4 U)", Element(U, 4)),
    (ROW, "((as const (Array Int Int)) 1)", ArrayValue(Array(Int, Int), 1)),
]


@pytest.mark.parametrize(("constant", "text", "value"), VALUES, ids=[text for _, text, _ in VALUES])
def test_values(constant: Any, text: str, value: Any) -> None:
    writer = writer_of(constant)
    assert read_values(f"((e {text}))", [constant], writer) == [value]
    name, sort = writer.name_of(constant), writer.sort_text(constant.sort)
    model = read_model(f"sat\n((define-fun {name} () {sort} {text}))", writer)
    assert model.internal(constant) == value
    assert len(model) == 1


ROOTS = [
    ("(root-obj (+ (^ x 2) (- 2)) 1)", -(2**0.5)),
    ("(root-obj (+ (^ x 2) (- 2)) 2)", 2**0.5),
    ("(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)", 2**0.5),
    ("(_ real_algebraic_number <1*x^2 + (-2), (-3/2, -5/4)>)", -(2**0.5)),
    ("(root-obj (- (* 2 x x x) 10) 1)", 5 ** (1 / 3)),
    ("(root-obj (* (+ (^ x 2) (- 2)) (- x 1)) 2)", 1),
    ("(root-obj (+ (* 3 (^ x 5)) (* (- 2) x) (- 7)) 1)", 1.2597935222477121),
]


@pytest.mark.parametrize(("text", "number"), ROOTS)
def test_irrational_numbers_are_approximated(text: str, number: float) -> None:
    r, i = Real("r"), Int("i")
    model = read_model(f"((define-fun r () Real {text}) (define-fun i () Int 1))", writer_of(r, i))
    assert float(model[r]) == pytest.approx(number, abs=1e-15)
    assert model.inexact == (r,) or model.inexact[0] is r


def test_several_values() -> None:
    x = Int("x")
    assert read_values("((x 3)\n ((+ x (* 2 x)) 9)\n (|a b| true))", [x, x * 3, Bool("a b")]) == [
        3,
        9,
        True,
    ]


def test_constants_with_changed_names() -> None:
    odd = [Int("and"), Int("a b"), Bool("and"), Int.fresh("v"), Int("p|q")]
    writer = writer_of(*odd)
    values = [1, 2, True, 4, 5]
    text = " ".join(
        f"(define-fun {writer.name_of(constant)} () {constant.sort.smt} {str(value).lower()})"
        for constant, value in zip(odd, values, strict=True)
    )
    model = read_model(f"({text})", writer)
    assert [model[constant] for constant in odd] == values


def test_the_solvers_own_names_do_not_disturb() -> None:
    # A parameter may have the name of a constant, and z3 repeats definitions.
    x = Int("x!0")
    f = Function("f", [Int], Int)
    writer = writer_of(eq(f(x), 3))
    model = read_model(
        """((define-fun f ((x!0 Int)) Int (ite (= x!0 5) 3 4)) (define-fun x!0 () Int 5)
        (define-fun $1 () Bool (= (f x!0) 3)))""",
        writer,
    )
    assert evaluate(eq(f(x), 3), model) is True
    assert len(model) == 2


def test_cores() -> None:
    assert read_symbols("(a1 |b 2|\n a3)") == ["a1", "b 2", "a3"]
    assert read_symbols("()") == []
