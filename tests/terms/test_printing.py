"""Terms as text: precedence, sharing, limits, and the same text in every run."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent import terms
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Function,
    Int,
    Real,
    and_,
    ashr,
    bv,
    bv_to_int,
    concat,
    const_array,
    distinct,
    div,
    eq,
    evaluate,
    exists,
    extract,
    forall,
    int_to_bv,
    ite,
    lshr,
    mod,
    not_,
    or_,
    pretty,
    sign_extend,
    store,
    to_real,
    udiv,
    ule,
    urem,
    zero_extend,
)
from tests.patience import FOREVER
from tests.terms.expressions import Operator, programs, run

# Operands are printed in order of age, so these names are used by no other test.
x, y = Int("x_"), Int("y_")
p, q, r = Bool("p_"), Bool("q_"), Bool("r_")
u = Real("u_")
b, c = BitVec("b_", 8), BitVec("c_", 8)
a = Array("a_", Int, Int)
f = Function("f_", [Int], Int)
compared = (x <= y, eq(p, q), eq(x, y))
s = Bool("s_")


def named(text: str) -> str:
    """The text with `x_` for `x` and so on."""
    return re.sub(r"\b([a-z])\b", r"\1_", text)


CASES: list[tuple[Any, str]] = [
    (x, "x"),
    (x + y, "x + y"),
    (x - y, "x - y"),
    (x + 1, "x + 1"),
    (x - 1, "x - 1"),
    (-x, "-x"),
    (-(x + y), "-(x + y)"),
    ((x + y) * x, "x * (x + y)"),
    (x * 2 + y, "y + x * 2"),
    (x * -2, "x * (-2)"),
    (x - (y + f(x)), "x - (y + f(x))"),
    (x <= y, "x <= y"),
    (x < y, "y > x"),
    (x > 4, "x > 4"),
    (eq(x, y), "x == y"),
    (not_(eq(x, y)), "x != y"),
    (p & q, "p and q"),
    (or_(p & q, r), "r or p and q"),
    ((p | q) & r, "r and (p or q)"),
    (not_(p), "not p"),
    (not_(p & q), "not (p and q)"),
    (eq(p, q), "p == q"),
    (eq(p & q, r), "r == (p and q)"),
    (eq(x <= y, s), "(x <= y) == s"),
    (eq(eq(p, q), s), "(p == q) == s"),
    (not_(eq(eq(x, y), s)), "(x == y) != s"),
    (ite(p, x, y + 1), "ite(p, x, y + 1)"),
    (div(x, 3), "div(x, 3)"),
    (mod(x, y), "mod(x, y)"),
    (to_real(x), "to_real(x)"),
    (u * Fraction(1, 2), "u * 1/2"),
    (u - Fraction(1, 2), "u - 1/2"),
    (b + 1, "b + 1"),
    (b & c | 3, "b & c | 3"),
    ((b | c) & 3, "(b | c) & 3"),
    (b ^ c, "b ^ c"),
    (b << 3, "b << 3"),
    (ashr(b, c), "b >> c"),
    (lshr(b, 3), "lshr(b, bv(3, 8))"),
    (~b, "~b"),
    (-b, "-b"),
    (b - c, "b - c"),
    (udiv(b, c), "udiv(b, c)"),
    (urem(b, 3), "urem(b, bv(3, 8))"),
    (ule(b, c), "ule(b, c)"),
    (b <= c, "b <= c"),
    (extract(5, 2, b), "b[5:2]"),
    (extract(5, 2, b + c), "(b + c)[5:2]"),
    (concat(b, c), "concat(b, c)"),
    (zero_extend(4, b), "zero_extend(4, b)"),
    (sign_extend(4, b), "sign_extend(4, b)"),
    (bv_to_int(b), "bv_to_int(b)"),
    (int_to_bv(x, 5), "int_to_bv(5, x)"),
    (a[x + 1], "a[x + 1]"),
    (store(a, x, 1), "store(a, x, 1)"),
    (store(a, x, 1)[y], "store(a, x, 1)[y]"),
    (const_array(Int, x), "const_array(x)"),
    (f(x) + f(3), "f(x) + f(3)"),
    (forall([x], x > y), "forall(x, x > y)"),
    (exists([x, y], x > y), "exists([x, y], x > y)"),
]


@pytest.mark.parametrize(("term", "text"), CASES, ids=[text for _, text in CASES])
def test_text(term: Any, text: str) -> None:
    assert pretty(term) == named(text)
    assert str(term) == named(text)
    assert repr(term) == named(text)


def test_values_are_printed_as_python_does() -> None:
    assert pretty(3) == "3"
    assert pretty("a") == "'a'"
    assert pretty(bv(3, 8)) == "bv(3, 8)"


def test_a_limit_cuts_the_text() -> None:
    for limit in (5, 8, 20):
        text = pretty(sum((f(x + i) for i in range(50)), start=x), limit=limit)
        assert len(text) <= limit
        assert text.endswith("...")
    assert pretty(x + y, limit=20) == "x_ + y_"


def test_large_shared_terms_are_printed_with_names() -> None:
    term: Any = x
    for number in range(100):
        term = f(term) * f(term) + number
    text = pretty(term)
    lines = text.splitlines()
    assert lines[0] == "t1 = f_(x_)"
    assert lines[1].startswith("t2 = f_(t1 * t1")
    assert len(text) < 5_000


def test_names_of_shared_terms_are_not_those_of_constants() -> None:
    term: Any = Int("t1") + Int("t2")
    for number in range(40):
        term = f(term) * f(term) + number
    names = [line.split(" = ")[0] for line in pretty(term).splitlines()[:-1]]
    assert len(names) == len(set(names))
    assert not {"t1", "t2"} & set(names)


# --- the text means the term -------------------------------------------------------------------

OPERATORS = [
    Operator("+", lambda a, b: a + b, "int int", "int"),
    Operator("-", lambda a, b: a - b, "int int", "int"),
    Operator("*", lambda a, b: a * b, "int int", "int"),
    Operator("neg", lambda a: -a, "int", "int"),
    Operator("+c", lambda a: a - 3, "int", "int"),
    Operator("*c", lambda a: a * -2, "int", "int"),
    Operator("mod", lambda a: mod(a, 5), "int", "int"),
    Operator("<=", lambda a, b: a <= b, "int int", "bool"),
    Operator("<", lambda a, b: a < b, "int int", "bool"),
    Operator("==", eq, "int int", "bool"),
    Operator("and", and_, "bool bool", "bool"),
    Operator("or", or_, "bool bool", "bool"),
    Operator("not", not_, "bool", "bool"),
    Operator("bool ==", eq, "bool bool", "bool"),
    Operator("ite", ite, "bool int int", "int"),
    Operator("bv +", lambda a, b: a + b, "bits bits", "bits"),
    Operator("bv -", lambda a, b: a - b, "bits bits", "bits"),
    Operator("bv *", lambda a, b: a * b, "bits bits", "bits"),
    Operator("bv &", lambda a, b: a & b, "bits bits", "bits"),
    Operator("bv |", lambda a, b: a | b, "bits bits", "bits"),
    Operator("bv ^", lambda a, b: a ^ b, "bits bits", "bits"),
    Operator("bv ~", lambda a: ~a, "bits", "bits"),
    Operator("bv neg", lambda a: -a, "bits", "bits"),
    Operator("bv <<", lambda a, b: a << b, "bits bits", "bits"),
    Operator("bv >>", lambda a, b: a >> b, "bits bits", "bits"),
    Operator("bv lshr", lshr, "bits bits", "bits"),
    Operator("bv c", lambda a: (a | 5) + 3, "bits", "bits"),
    Operator("bv <=", lambda a, b: a <= b, "bits bits", "bool"),
    Operator("bv ule", ule, "bits bits", "bool"),
    Operator("bv ==", eq, "bits bits", "bool"),
    Operator("bv ite", ite, "bool bits bits", "bits"),
    Operator("bv concat", lambda a, b: extract(11, 4, concat(a, b)), "bits bits", "bits"),
]
NAMES = {name: getattr(terms, name) for name in dir(terms) if not name.startswith("_")}


@given(
    programs(OPERATORS, longest=9),
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)),
    st.tuples(st.integers(0, 255), st.integers(0, 255)),
    st.booleans(),
)
def test_text_read_as_python_has_the_value_of_the_term(
    program: Any, ints: Any, bits: Any, flag: bool
) -> None:
    concrete = {
        "x_": ints[0],
        "y_": ints[1],
        "p_": flag,
        "b_": bv(bits[0], 8),
        "c_": bv(bits[1], 8),
    }
    inputs = {"int": [x, y], "bool": [p, not_(p)], "bits": [b, c]}
    for term in run(program, inputs):
        text = pretty(term, limit=100_000)
        value = eval(text, {**NAMES, **concrete})
        assert value == evaluate(term, concrete), text


def test_python_reads_what_is_printed_for_reals() -> None:
    for term, text in [
        (u * Fraction(1, 2) + 3, "u * 1/2 + 3"),
        (u * Fraction(-3, 4), "u * (-3/4)"),
    ]:
        assert pretty(term) == named(text)
        value = eval(text, {"u": Fraction(8)})
        assert math.isclose(value, evaluate(term, {u: 8}))


# --- the same in every run ---------------------------------------------------------------------

SOURCE = Path(__file__).parents[2] / "src"
CONSTRUCTION = """
from solvent.terms import (
    Array, BitVec, Bool, Function, Int, Model, and_, applied_functions, constants, distinct, forall,
    ite, or_, pretty, store, ule,
)
from solvent.terms.graph import reachable
names = [f"v{i}" for i in range(12)]
ints = [Int(n) for n in names]
bits = [BitVec(n, 8) for n in names]
bools = [Bool(n) for n in names]
f = Function("f", [Int, Bool], BitVec(8))
term = Int("start")
for i in range(60):
    term = ite(bools[i % 12], term * ints[i % 7] + i, ints[i % 5] - term)
    bits.append(f(term, bools[i % 11]) + bits[i % 9] ^ bits[-1])
formula = and_(ule(bits[-1], bits[3]), distinct(*ints), forall(ints[:3], term > ints[4]),
               or_(*bools), store(Array("m", Int, Int), term, 1)[ints[2]] == 4)
print(pretty(formula))
print([t.id for t in reachable([formula])][-1], constants(formula), applied_functions(formula))
print(Model({c: c.sort.default for c in constants(formula)}))
"""


def test_two_runs_print_the_same() -> None:
    outputs = []
    for seed in ("0", "1", "42"):
        completed = subprocess.run(
            [sys.executable, "-c", CONSTRUCTION],
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": seed},
            timeout=FOREVER,
            check=False,
        )
        assert completed.returncode == 0, completed.stderr
        outputs.append(completed.stdout)
    assert len(outputs[0]) > 1_000
    assert outputs[0] == outputs[1] == outputs[2]


def test_distinct_prints_pairs() -> None:
    assert pretty(distinct(x, y)) == "x_ != y_"


def test_format_specifications() -> None:
    x = Int("x")
    assert f"{x + 1:>8}|{x}" == "   x + 1|x"


def test_numbers_too_long_for_decimals() -> None:
    x, r, w = Int("x"), Real("r"), BitVec("w", 30000)
    for term in (x == 7**6000, r * Fraction(7**6000, 2), w == 1 << 29999):
        assert "0x" in str(term)
    assert repr(bv(1 << 29999, 30000)).startswith("bv(0x8000")
