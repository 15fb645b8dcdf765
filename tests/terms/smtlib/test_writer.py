"""What the writer writes: text, names, sharing, scopes, logics."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import cvc5
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solvent.errors import SolventError, SortError
from solvent.terms import (
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Element,
    Float,
    Function,
    Int,
    Real,
    Str,
    and_,
    bv,
    const_array,
    contains,
    div,
    eq,
    exists,
    forall,
    in_re,
    int_to_bv,
    is_int,
    length,
    not_,
    re_all,
    re_star,
    to_float,
    to_real,
    uninterpreted_sort,
)
from solvent.terms.smtlib import Writer, logic_of, parse_smtlib, to_smtlib, write_script
from solvent.terms.smtlib.literals import string_value, value_text
from solvent.terms.smtlib.names import Names
from tests.terms.smtlib.generators import terms
from tests.terms.smtlib.solvers import z3_answer

X, Y = Int("x"), Int("y")
P, Q = Bool("p"), Bool("q")
B = BitVec("b", 8)
U = uninterpreted_sort("U")
ROW = ArrayValue(Array(Int, Bool), False, {1: True})


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (X + 1, "(+ x 1)"),
        (X - 5, "(+ x (- 5))"),
        (X > Y, "(not (<= x y))"),
        (B + 3, "(bvadd b #x03)"),
        (BitVec("c", 3) & 5, "(bvand c #b101)"),
        (B[5:2], "((_ extract 5 2) b)"),
        (Real("r") * Fraction(-1, 3), "(* r (- (/ 1.0 3.0)))"),
        (int_to_bv(X, 8), "((_ int_to_bv 8) x)"),
        (to_real(X), "(to_real x)"),
        (div(X, 3), "(div x 3)"),
        (div(X, Y), "(ite (= y 0) 0 (div x y))"),
        (Float("f") * 2.5, f"(fp.mul RNE f (fp #b0 #b10000000000 #b01{'0' * 50}))"),
        (eq(Str("s"), 'a"b'), '(= s "a""b")'),
        (in_re(Str("s"), re_star(re_all())), "(str.in_re s (re.* re.all))"),
        (const_array(Int, X), "((as const (Array Int Int)) x)"),
        (forall([X], X > Y), "(forall ((x Int)) (not (<= x y)))"),
        (exists([X, Y], X > Y), "(exists ((x Int) (y Int)) (not (<= x y)))"),
        (True, "true"),
        (-5, "(- 5)"),
        (bv(5, 4), "#x5"),
        (ROW, "(store ((as const (Array Int Bool)) false) 1 true)"),
    ],
    ids=str,
)
def test_text(term: Any, text: str) -> None:
    assert to_smtlib(term) == text


@given(st.text(st.characters(max_codepoint=0x2FFFF, exclude_categories=("Cs",))))
def test_strings_come_back(text: str) -> None:
    literal = value_text(text)
    assert literal.isascii()
    assert literal.isprintable()
    assert string_value(literal) == text


def test_what_has_no_literal() -> None:
    with pytest.raises(SortError, match="no literal"):
        value_text(object())


def test_large_numbers() -> None:
    assert to_smtlib(X + 10**5000) == f"(+ x 1{'0' * 5000})"
    assert to_smtlib(Real("r") + Fraction(1, 10**5000)) == f"(+ r (/ 1.0 1{'0' * 5000}.0))"


# --- sharing and depth -------------------------------------------------------------------------


def test_shared_terms_are_written_once() -> None:
    total: Any = X
    for _ in range(200):
        total = total * total + 1
    assert len(to_smtlib(total)) < 10_000
    assert len(write_script([total > 1])) < 20_000
    assert to_smtlib(total).count("(* ") == 200


def test_a_long_chain_is_written_without_nesting() -> None:
    x, y = BitVec("x", 32), BitVec("y", 32)
    total: Any = x
    for i in range(200_000):
        total = total + (y if i % 2 else x) if i % 3 else total ^ y
    text = write_script([eq(total, 7)])
    deepest = depth = 0
    for line in text.splitlines():
        depth = line.count("(")
        deepest = max(deepest, depth)
    assert deepest < 100
    assert text.count("bvadd") + text.count("bvxor") > 190_000


def test_large_arrays_are_written_without_nesting() -> None:
    array = ArrayValue(Array(Int, Int), 0, {i: i + 1 for i in range(1000)})
    text = write_script([eq(Array("a", Int, Int), array)])
    assert max(line.count("(store") for line in text.splitlines()) <= 40
    assert text.count("(store") == 1000


def test_deep_terms_below_a_quantifier() -> None:
    total: Any = X
    for _ in range(5000):
        total = total * Y + X
    formula = forall([X], total > Y)
    text = write_script([formula])
    assert "define-fun" not in text
    assert parse_smtlib(text) == [formula]


# --- incremental writing -----------------------------------------------------------------------


class Session:
    """A solver to which only what is new is sent."""

    def __init__(self, global_declarations: bool) -> None:
        self.writer = Writer(global_declarations=global_declarations)
        self.solver = cvc5.Solver(cvc5.TermManager())
        self.parser = cvc5.InputParser(self.solver)
        self.symbols = self.parser.getSymbolManager()
        self.send("(set-option :incremental true)")
        if global_declarations:
            self.send("(set-option :global-declarations true)")
        self.send("(set-logic ALL)")

    def send(self, text: str) -> str:
        self.parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "session")
        printed = []
        while not (command := self.parser.nextCommand()).isNull():
            printed.append(str(command.invoke(self.solver, self.symbols)))
        answer = "".join(printed)
        assert "error" not in answer
        return answer.strip()

    def add(self, term: Any) -> None:
        for command in self.writer.declarations_for(term):
            self.send(command)
        self.send(f"(assert {self.writer.reference(term)})")

    def push(self) -> None:
        self.writer.push()
        self.send("(push 1)")

    def pop(self) -> None:
        self.writer.pop()
        self.send("(pop 1)")

    def check(self) -> str:
        return self.send("(check-sat)")


@pytest.mark.parametrize("global_declarations", [False, True])
def test_scopes_agree_with_a_solvers(global_declarations: bool) -> None:
    session = Session(global_declarations)
    shared = X * 3 + Y
    f = Function("f", [U], Int)
    u = U("u")
    session.add(shared > 3)
    session.push()
    session.add(and_(shared < 5, f(u) > shared, not_(eq(u, Element(U, 0)))))
    assert session.check() == "sat"
    session.push()
    session.add(eq(Element(U, 1), u))
    session.add(eq(Element(U, 2), u))
    assert session.check() == "unsat"
    session.pop()
    assert session.check() == "sat"
    session.add(and_(eq(Element(U, 2), u), f(u) > 1))
    assert session.check() == "sat"
    session.add(eq(Element(U, 1), u))
    assert session.check() == "unsat"
    session.pop()
    session.add(and_(f(u) > shared + shared, shared < 10))
    assert session.check() == "sat"
    for _ in range(3):
        session.push()
        session.add(and_(eq(Element(U, 1), u), f(u) < 100))
        assert session.check() == "sat"
        session.add(eq(Element(U, 2), u))
        assert session.check() == "unsat"
        session.pop()
    session.add(shared + shared == 3)
    assert session.check() == "unsat"


def test_only_what_is_new_is_written() -> None:
    writer = Writer()
    shared = (X + Y) * (X + Y)
    first = writer.declarations_for(shared > 1, shared < 9)
    assert [line.split()[0] for line in first] == [
        "(declare-const",
        "(declare-const",
        "(define-fun",
        "(define-fun",
    ]
    assert writer.declarations_for(shared > 1) == []
    assert writer.declarations_for(shared == 4) == []
    (named,) = writer.declarations_for(not_(shared == 4) & (X > 1))
    assert writer.reference(shared == 4) == named.split()[1]


def test_a_single_text_declares_nothing() -> None:
    writer = Writer()
    assert to_smtlib(Int("and") > 1, writer) == "(not (<= and!1 1))"
    assert writer.declarations_for(Int("and") > 1) == ["(declare-const and!1 Int)"]


def test_references_need_declarations() -> None:
    writer = Writer()
    with pytest.raises(SolventError, match="declarations_for"):
        writer.reference(X > 1)
    assert writer.reference(True) == "true"
    with pytest.raises(SolventError, match="1 scopes cannot be closed, as 0 are open"):
        writer.pop()
    writer.push()
    writer.declarations_for(X > 1)
    writer.pop()
    with pytest.raises(SolventError, match="declarations_for"):
        writer.reference(X > 1)
    assert writer.declarations_for(X > 1) == ["(declare-const x Int)"]
    writer.reset()
    assert "(declare-const x Int)" in writer.declarations_for(X > 1)


@settings(max_examples=60)
@given(st.lists(terms((Bool,), depth=3), min_size=1, max_size=4))
def test_written_one_by_one_or_at_once(formulas: list[Any]) -> None:
    writer = Writer()
    lines: list[str] = []
    for formula in formulas:
        lines += writer.declarations_for(formula)
        lines.append(f"(assert {writer.reference(formula)})")
    assume(all(thing.name == symbol for symbol, thing in writer.names.items()))
    read = parse_smtlib(write_script(formulas, check=False))
    assert all(a is b for a, b in zip(parse_smtlib("\n".join(lines)), read, strict=True))


# --- names -------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=4), max_size=8))
def test_symbols_are_unique_and_legal(names: list[str]) -> None:
    table = Names()
    constants = [sort(name) for name in names for sort in (Int, Bool)]
    constants += [Int.fresh(name) for name in names]
    constants += [uninterpreted_sort(name) for name in names if name]
    symbols = {table.of(constant) for constant in constants}
    assert len(symbols) == len({id(constant) for constant in constants})
    for constant in constants:
        assert table.object(table.of(constant)) is constant
    assert table.object("nothing like that") is None
    declared = "".join(f"(declare-const {s} Bool)" for s in sorted(symbols))
    assert parse_smtlib(f"{declared} (assert true)") == [True]


def test_sorts_with_odd_names() -> None:
    odd = [uninterpreted_sort(name) for name in ("Int", "a b", "a|b", "U", "let")]
    cell = Array("m", odd[0], odd[2])[odd[0]("c")]
    formula = and_(*(eq(sort("c"), sort("d")) for sort in odd), cell == odd[2]("c"))
    assert z3_answer(write_script([formula])).strip() == "sat"


def test_symbols_that_solvers_reserve_can_be_names() -> None:
    words = (
        "select store concat abs exp sin bag tuple str.len re.all fp.add set.union int.pow2 is_int"
    )
    constants = [Bool(word) for word in words.split()]
    text = write_script([and_(*constants)])
    assert z3_answer(text).strip() == "sat"
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "names")
    symbols = parser.getSymbolManager()
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers.append(str(command.invoke(solver, symbols)))
    assert "".join(answers).strip() == "sat"


# --- scripts and logics ------------------------------------------------------------------------


def test_script_options() -> None:
    text = write_script([P, False], logic="ALL", get_model=True, options={"random-seed": "1"})
    assert text.splitlines() == [
        "(set-option :random-seed 1)",
        "(set-option :produce-models true)",
        "(set-logic ALL)",
        "(declare-const p Bool)",
        "(assert p)",
        "(assert false)",
        "(check-sat)",
        "(get-model)",
    ]


R, S = Real("r"), Str("s")
F = Function("f", [Int], Int)


@pytest.mark.parametrize(
    ("term", "logic"),
    [
        (P & Q, "QF_UF"),
        (True, "QF_UF"),
        (X + Y > 1, "QF_LIA"),
        (X * Y > 1, "QF_NIA"),
        (div(X, 3) > 1, "QF_LIA"),
        (div(X, Y) > 1, "QF_NIA"),
        (R > 1, "QF_LRA"),
        (R * R > 1, "QF_NRA"),
        (to_real(X) > R, "QF_LIRA"),
        (is_int(R), "QF_LIRA"),
        (F(X) > 1, "QF_UFLIA"),
        (eq(U("u"), U("v")), "QF_UF"),
        (B > 1, "QF_BV"),
        (Function("g", [BitVec(8)], Bool)(B), "QF_UFBV"),
        (Array("a", BitVec(8), BitVec(8))[B] == 1, "QF_ABV"),
        (Array("a", Int, Int)[X] == 1, "QF_ALIA"),
        (Array("a", U, U)[U("u")] == U("v"), "QF_AX"),
        (Array("a", Int, BitVec(8))[X] == 1, "ALL"),
        (ArrayValue(Array(Int, Int), 0, {1: 2})[1] == X, "QF_LIA"),
        (Float("x") < 1.0, "QF_FP"),
        (to_float(R) < 1.0, "QF_FPLRA"),
        (contains(S, "a"), "QF_S"),
        (length(S) > X, "QF_SLIA"),
        (forall([X], X > Y), "LIA"),
        (exists([B], eq(B, BitVec("c", 8))), "BV"),
        (int_to_bv(X, 8) == B, "ALL"),
    ],
    ids=str,
)
def test_logics(term: Any, logic: str) -> None:
    assert logic_of([term]) == logic


def test_the_text_does_not_depend_on_hashes() -> None:
    program = (
        "from solvent.terms import Function, Int, forall, uninterpreted_sort\n"
        "from solvent.terms.smtlib import write_script\n"
        "U = uninterpreted_sort('U'); f = Function('f', [U, Int], U); x = Int('x')\n"
        "print(write_script([f(U('a'), x) == U('b'), forall([x], f(U('c'), x) != U('a')), x > 1]))"
    )
    source = str(Path(__file__).parents[3] / "src")
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": source},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
