"""Malformed texts: each gives one sentence with the line and column."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from solvent.errors import SmtLibError, SolventError
from solvent.terms import Array, Int, Real
from solvent.terms.smtlib import Writer, read_file, read_model, read_script, read_term, read_values

DECLARED = """\
(declare-const p Bool)
(declare-const i Int)
(declare-const r Real)
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 16))
(declare-const a (Array Int Bool))
(declare-const s String)
(declare-const x (_ FloatingPoint 8 24))
(declare-fun f (Int Bool) Int)
(declare-sort U 0)
(declare-const u U)
"""
LINE = DECLARED.count("\n") + 1

# The text on the line after the declarations, the column of the error, and words in its message.
IN_SCRIPT = [
    # parentheses and tokens
    ("(assert (and p p)", 1, "parenthesis is not closed"),
    ("(assert (and p (or p p", 16, "parenthesis is not closed"),
    ("(check-sat", 1, "parenthesis is not closed"),
    ("(", 1, "parenthesis is not closed"),
    ("(assert", 1, "parenthesis is not closed"),
    ("(declare-const", 1, "parenthesis is not closed"),
    ("(declare-const q", 1, "parenthesis is not closed"),
    ("(declare-const q (Array Int", 18, "parenthesis is not closed"),
    ("(declare-fun q (Int", 16, "parenthesis is not closed"),
    ("(set-info", 1, "parenthesis is not closed"),
    ("(set-info :a (b", 14, "parenthesis is not closed"),
    ("(get-value (p", 12, "parenthesis is not closed"),
    ("(assert (let ((y", 15, "parenthesis is not closed"),
    ("(assert (forall ((y Int", 18, "parenthesis is not closed"),
    ("(assert ((_ extract 7", 10, "parenthesis is not closed"),
    ("(assert p))", 11, "command in parentheses instead of )"),
    ("assert p", 1, "command in parentheses instead of assert"),
    ('(echo "abc)', 7, "string is not closed"),
    ("(assert |abc)", 9, "quoted symbol is not closed"),
    ("(assert |a\\b|)", 9, "neither a symbol nor a literal"),
    ("(assert p'q)", 9, "p'q is neither a symbol nor a literal"),
    ("(assert #xG)", 9, "#xG is neither"),
    ("(assert (= i 007))", 14, "007 is neither"),
    ("(assert ())", 10, "expected a function instead of )"),
    ("(assert (p))", 10, "p is a constant and takes no arguments"),
    ("(assert (5 p))", 10, "expected a function instead of 5"),
    ("()", 2, "name of a command"),
    # commands
    ("(assert p p)", 11, "the end of assert"),
    ("(assert)", 8, "expected a term instead of )"),
    ("(check-sat p)", 12, "the end of check-sat"),
    ("(frobnicate)", 2, "command frobnicate is not supported"),
    ("(declare-datatypes ((L 0)) (((nil))))", 2, "no datatypes"),
    ("(define-fun-rec g ((n Int)) Int n)", 2, "recursive"),
    ("(set-logic 5)", 12, "name of a logic instead of 5"),
    ("(set-option produce-models true)", 13, "keyword"),
    ("(echo hello)", 7, "expected a string"),
    ("(push x)", 7, "number of levels instead of x"),
    ("(push -1)", 7, "number of levels instead of -1"),
    ("(pop 1)", 6, "1 levels cannot be popped, as 0 are open"),
    ("(push 1) (pop 2)", 15, "2 levels cannot be popped, as 1 are open"),
    ("(push 99999999999)", 7, "levels are not supported"),
    ("(get-value ())", 12, "at least one term"),
    ("(check-sat-assuming (i))", 22, "of sort Bool"),
    # declarations
    ("(declare-const p Int)", 16, "p is already declared"),
    ("(declare-const and Bool)", 16, "and is a symbol of the logic"),
    ("(declare-fun f (Int) Int)", 14, "f is already declared"),
    ("(declare-sort U 0)", 15, "U is already declared"),
    ("(declare-sort Int 0)", 15, "Int is already declared"),
    ("(declare-sort V 2)", 17, "parameters"),
    ("(declare-const let Bool)", 16, "name of a constant instead of let"),
    ("(declare-const 5 Bool)", 16, "name of a constant instead of 5"),
    ("(declare-const q Colour)", 18, "unknown sort Colour"),
    ("(declare-const q (_ BitVec 0))", 28, "at least 1 bit"),
    ("(declare-const q (_ BitVec 99999999999))", 28, "not supported"),
    ("(declare-const q (_ BitVec))", 27, "a width instead of )"),
    ("(declare-const q (_ Complex 1))", 21, "unknown sort (_ Complex"),
    ("(declare-const q (Array Int))", 18, "Array takes 2 sorts, not 1"),
    ("(declare-const q Array)", 18, "Array takes 2 sorts, not 0"),
    ("(declare-const q (Int))", 18, "Int takes no sorts"),
    ("(declare-const q (_ FloatingPoint 1 24))", 35, "not supported"),
    ("(declare-const q RoundingMode)", 16, "rounding mode q is symbolic"),
    ("(declare-fun q (RoundingMode) Int)", 14, "rounding modes"),
    ("(declare-const q (Array Int RoundingMode))", 18, "rounding modes"),
    ("(define-sort I () Wrong)", 19, "unknown sort Wrong"),
    ("(define-sort P (X) (Array X X)) (declare-const q (P Int Int))", 50, "takes 1 sort, not 2"),
    ("(define-fun g ((n Int)) Bool n)", 30, "body of g is of sort Int, not Bool"),
    ("(define-fun g ((n Int) (n Int)) Int n)", 25, "n is listed twice"),
    ("(define-fun g ((m RoundingMode)) Int 1)", 17, "rounding modes are not supported"),
    ("(define-fun g ((n Int)) Int n) (assert (= (g p) 1))", 43, "of sort Bool, not Int"),
    ("(define-const q Bool i)", 22, "body of q is of sort Int, not Bool"),
    # symbols
    ("(assert q)", 9, "unknown symbol q"),
    ("(assert (q p))", 10, "unknown function q"),
    ("(assert (and p |a b|))", 16, "unknown symbol |a b|"),
    ("(assert and)", 9, "function and needs arguments"),
    ("(assert f)", 9, "function f needs arguments"),
    ("(assert let)", 9, "expected a term instead of let"),
    ("(assert :named)", 9, "expected a term instead of :named"),
    ("(assert (extract p))", 10, "function extract needs indices"),
    ("(assert ((_ shrink 3) b))", 13, "unknown function (_ shrink"),
    ("(assert (_ bv256 8))", 12, "256 does not fit in 8 bits"),
    ("(assert (_ thing 8))", 12, "unknown constant (_ thing"),
    ("(assert (match p))", 10, "match is not supported in terms"),
    ("(assert (lambda ((y Int)) p))", 10, "lambda is not supported in terms"),
    ("(push 1) (declare-const q Bool) (pop 1) (assert q)", 49, "unknown symbol q"),
    # arity and sorts
    ("(assert (not p p))", 9, "not takes 1 argument, not 2"),
    ("(assert (=> p))", 9, "=> takes at least 2 arguments, not 1"),
    ("(assert (and))", 9, "and takes at least 1 argument"),
    ("(assert (ite p p))", 9, "ite takes 3 arguments, not 2"),
    ("(assert (ite i p p))", 9, "test of ite is of sort Int, not Bool"),
    ("(assert (ite p i b))", 9, "Int and (_ BitVec 8)"),
    ("(assert i)", 9, "an assertion is of sort Int, not Bool"),
    ("(assert (and p i))", 9, "argument 2 of and is of sort Int, not Bool"),
    ("(assert (= p i))", 9, "Bool and Int"),
    ("(assert (= b c))", 9, "(_ BitVec 8) and (_ BitVec 16)"),
    ("(assert (distinct s i))", 9, "String and Int"),
    ("(assert (= b 5))", 9, "(_ BitVec 8) and Int"),
    ("(assert (< i b))", 9, "< needs numbers, not (_ BitVec 8)"),
    ("(assert (= (+ i p) 1))", 12, "+ needs numbers, not Bool"),
    ("(assert (= (div r r) 1))", 12, "argument 1 of div is of sort Real, not Int"),
    ("(assert (bvult b c))", 9, "one width, not (_ BitVec 8) and (_ BitVec 16)"),
    ("(assert (= b (bvadd b c)))", 14, "one width, not (_ BitVec 8) and (_ BitVec 16)"),
    ("(assert (= b (bvadd b 1)))", 14, "bvadd needs bitvectors, not Int"),
    ("(assert (= b (bvnot b b)))", 14, "bvnot takes 1 argument, not 2"),
    ("(assert (= b (bvsub b b b)))", 14, "bvsub takes 2 arguments, not 3"),
    ("(assert (= b ((_ extract 8 0) b)))", 14, "bits 8 down to 0 do not exist"),
    ("(assert (= b ((_ extract 0 3) b)))", 14, "bits 0 down to 3 do not exist"),
    ("(assert (= b ((_ extract 3) b)))", 18, "(_ extract n m)"),
    ("(assert (= b ((_ extract p 3) b)))", 26, "numeral instead of p"),
    ("(assert (= b ((_ zero_extend 99999999) b)))", 14, "not supported"),
    ("(assert (= b ((_ repeat 0) b)))", 18, "repeat 0"),
    ("(assert (= b ((_ int_to_bv 0) i)))", 18, "at least 1 bit"),
    ("(assert ((_ divisible 0) i))", 13, "divisible 0"),
    ("(assert (select a p))", 9, "argument 2 of select is of sort Bool, not Int"),
    ("(assert (select i i))", 9, "argument 1 of select is of sort Int, not an array"),
    ("(assert (= a (store a i i)))", 14, "argument 3 of store is of sort Int, not Bool"),
    ("(assert (= a ((as const Int) p)))", 25, "const makes arrays, not Int"),
    ("(assert (= a ((as const (Array Int Bool)) i)))", 14, "of sort Int, not Bool"),
    ("(assert (as p Int))", 13, "p is of sort Bool, not Int"),
    ("(assert (= i ((as f Bool) i p)))", 14, "f gives Int, not Bool"),
    ("(assert (= i (f i)))", 14, "f takes 2 arguments, not 1"),
    ("(assert (= i (f p p)))", 14, "argument 1 of f is of sort Bool, not Int"),
    ("(assert (= u i))", 9, "U and Int"),
    ("(assert (fp.lt x (fp.add x x)))", 18, "takes 3 arguments"),
    ("(assert (fp.lt x (fp.add x x x)))", 18, "rounding mode such as RNE"),
    ("(assert (fp.lt x (fp #b00 #b0 #b0)))", 18, "sign of a float is 1 bit wide, not 2"),
    ("(assert (fp.lt x ((_ to_fp 8 24) b)))", 18, "needs 32 of them, not 8"),
    ("(assert (fp.lt x ((_ to_fp 8 24) RNE s)))", 18, "not String"),
    ("(assert (fp.isNaN r))", 9, "fp.isNaN needs floats, not Real"),
    ("(assert (str.contains s i))", 9, "argument 2 of str.contains is of sort Int, not String"),
    # let, quantifiers, annotations
    ("(assert (let () p))", 15, "a binding in parentheses instead of )"),
    ("(assert (let p p))", 14, "bindings of let in parentheses"),
    ("(assert (let ((y p p)) y))", 15, "a symbol and one term"),
    ("(assert (let ((y)) y))", 15, "a symbol and one term"),
    ("(assert (let ((5 p)) y))", 16, "name of a binding instead of 5"),
    ("(assert (let ((y p) (y p)) y))", 26, "bound twice"),
    ("(assert (let ((y p)) y y))", 9, "let contains one term, not 2"),
    ("(assert (let ((y p))))", 9, "let contains one term, not 0"),
    ("(assert (let ((y p) y) p))", 21, "a binding, or the end of the bindings,"),
    ("(assert (and (let ((y p)) y) y))", 30, "unknown symbol y"),
    ("(assert (let ((y p) (z y)) z))", 24, "unknown symbol y"),
    ("(assert (forall () p))", 17, "at least one variable"),
    ("(assert (forall ((y Int) (y Int)) p))", 27, "y is listed twice"),
    ("(assert (forall ((y Int)) y))", 9, "body of a quantifier is of sort Int, not Bool"),
    ("(assert (forall ((y Int)) p p))", 9, "a quantifier contains one term, not 2"),
    ("(assert (forall y p))", 17, "variables in parentheses"),
    ("(assert (forall ((y Colour)) p))", 21, "unknown sort Colour"),
    ("(assert (! p :named))", 20, "a name instead of )"),
    ("(assert (! p :named p))", 9, "p is already declared"),
    ("(assert (! :named q))", 12, "begins with a term"),
    ("(assert (! p :pattern ()))", 24, "at least one term"),
    ("(assert (forall ((y Int)) (! (> y 0) :named q)))", 27, "mentions a bound variable"),
]


@pytest.mark.parametrize(("text", "column", "words"), IN_SCRIPT, ids=lambda value: str(value)[:40])
def test_malformed_script(text: str, column: int, words: str) -> None:
    with pytest.raises(SmtLibError) as caught:
        read_script(DECLARED + text, "file.smt2")
    error = caught.value
    assert words in error.message
    assert (error.line, error.column) == (LINE, column)
    assert str(error) == f"file.smt2:{LINE}:{column}: {error.message}"


@pytest.mark.parametrize(
    "text",
    [
        "(assert (= b ((_ extract {} 0) b)))",
        "(assert (= b (_ bv{} 8)))",
        "(declare-const q (_ BitVec {}))",
        "(assert (= b {}))",
        "(assert (bvult b {}))",
        "(assert (select a {} {}))",
        "(push {})",
        "(assert ((_ divisible {}) p))",
    ],
)
def test_numbers_with_thousands_of_digits(text: str) -> None:
    with pytest.raises(SmtLibError) as caught:
        read_script(DECLARED + text.replace("{}", "7" * 5000))
    assert len(str(caught.value)) < 400


def test_positions_count_comments_strings_and_line_ends() -> None:
    text = '; comment with ( and "\n(set-info :a "two\nlines")\r\n\t(assert nothing)'
    with pytest.raises(SmtLibError) as caught:
        read_script(text)
    assert (caught.value.line, caught.value.column) == (4, 10)


def test_commands_have_positions() -> None:
    script = read_script("(push 1)\n ; nothing\n  (pop 1) (check-sat)\n")
    assert [(command.line, command.column) for command in script.commands] == [
        (1, 1),
        (3, 3),
        (3, 11),
    ]


def test_a_long_token_does_not_make_a_long_message() -> None:
    with pytest.raises(SmtLibError) as caught:
        read_script(f"(assert {'x' * 10_000})")
    assert len(str(caught.value)) < 400


def test_the_error_is_one_of_ours_and_can_be_pickled() -> None:
    with pytest.raises(SolventError) as caught:
        read_script("(assert q)")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) == "<smtlib>:1:9: unknown symbol q"


def test_terms() -> None:
    for text, words in (
        ("", "no term"),
        ("(+ x 1) 2", "end of the text"),
        ("(+ x", "not closed"),
        ("y", "unknown symbol y"),
    ):
        with pytest.raises(SmtLibError, match=words):
            read_term(text, [Int("x")])


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "bad.smt2"
    path.write_bytes(b"(check-sat)\n; caf\xe9\n")
    with pytest.raises(SmtLibError, match=r"bad\.smt2:2:6: this byte is not UTF-8"):
        read_file(path)
    path.write_text("(check-sat)\n(assert p)\n")
    with pytest.raises(SmtLibError, match=r"bad\.smt2:2:9: unknown symbol p"):
        read_file(path)


ANSWERS = [
    ("", "no answer in parentheses"),
    ("sat", "no answer in parentheses"),
    ('(error "model is not available")', "model is not available"),
    ("((define-fun x () Int", "not closed"),
    ("((define-fun x () Int true))", "of sort Bool, not Int"),
    ("((define-fun x () Int y))", "unknown symbol y"),
    ("((define-fun x () Real (root-obj (^ x 2) 2)))", "irrational"),
    ("((define-fun x () Real (root-obj (^ x 1000000) 1)))", "no polynomial"),
    ("((define-fun x () Real (root-obj (sin x) 1)))", "no polynomial"),
    ("((define-fun x () Real (_ real_algebraic_number <what, (5/4, 3/2)>)))", "irrational"),
    ("((define-fun x () Int (y 1)) (define-fun y ((a Int)) Int x))", "circular"),
    ("((define-fun x () (Array Int Int) (_ as-array k!0)))", "k!0 is no table"),
]


@pytest.mark.parametrize(("text", "words"), ANSWERS)
def test_malformed_answers(text: str, words: str) -> None:
    writer = Writer()
    sort = Real if "Real" in text else Array(Int, Int) if "Array" in text else Int
    writer.name_of(sort("x"))
    with pytest.raises(SmtLibError) as caught:
        read_model(text, writer)
    assert words in caught.value.message


def test_an_answer_with_other_sorts() -> None:
    writer = Writer()
    writer.name_of(Int("x"))
    with pytest.raises(SmtLibError, match="x was declared with other sorts"):
        read_model("((define-fun x () Bool true))", writer)


def test_malformed_values() -> None:
    for text, words in (
        ("((x 1)", "not closed"),
        ("((x 1) (y 2))", "end of the values"),
        ("((x true))", "of sort Bool, not Int"),
        ("((x))", "instead of )"),
        ("()", "a pair of a term and its value"),
        ("((x (root-obj (+ (^ x 2) (- 2)) 1)))", "irrational"),
    ):
        with pytest.raises(SmtLibError) as caught:
            read_values(text, [Int("x")])
        assert words in caught.value.message
