"""Floats and rounding modes: against Python's own floats, and what `==` means."""

from __future__ import annotations

import math
from itertools import product

import pytest

from solvent.boogie.encoding import Encoder
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import MODES, UnsupportedError
from solvent.terms import eq
from solvent.terms.softfloat import RoundingMode
from tests.boogie.helpers import checked, failing_lines, fails_as_marked

NUMBERS = [0.0, -0.0, 1.0, -1.5, 2.0**-1074, -(2.0**1023), 0.1, math.inf, -math.inf, math.nan]


def literal(number: float) -> str:
    """A double as Boogie writes it."""
    if math.isnan(number):
        return "0NaN53e11"
    if math.isinf(number):
        return "0+oo53e11" if number > 0 else "0-oo53e11"
    numerator, denominator = abs(number).as_integer_ratio()
    # A power of two below as one of sixteen.
    digits = (denominator.bit_length() + 2) // 4
    numerator = numerator * 16**digits // denominator
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    return f"{sign}0x{numerator:x}.0e-{digits}f53e11"


def value(text: str) -> object:
    """The value of an expression without variables."""
    program = checked(f"axiom 0 == 0; function value(): {_type(text)} {{ {text} }}")
    body = program.functions["value"].declaration.body
    assert body is not None
    return Encoder(program).encode(body, Scope({}))


def _type(text: str) -> str:
    return "bool" if any(f" {op} " in text for op in ("==", "!=", "<", "<=", ">", ">=")) else FLOAT


FLOAT = "float53e11"


def same(a: object, b: object) -> bool:
    """Whether two floats are the same: NaN is, the zeros are not."""
    return eq(a, b) is True


@pytest.mark.parametrize("a", NUMBERS)
def test_literals(a: float) -> None:
    assert same(value(literal(a)), a)


@pytest.mark.parametrize(("a", "b"), [*product(NUMBERS, repeat=2)])
def test_operators_are_those_of_python(a: float, b: float) -> None:
    x, y = literal(a), literal(b)
    assert same(value(f"{x} + {y}"), a + b)
    assert same(value(f"{x} - {y}"), a - b)
    assert same(value(f"{x} * {y}"), a * b)
    if b:
        assert same(value(f"{x} / {y}"), a / b)
    assert value(f"{x} < {y}") is (a < b)
    assert value(f"{x} <= {y}") is (a <= b)
    assert value(f"{x} > {y}") is (a > b)
    assert value(f"{x} >= {y}") is (a >= b)


@pytest.mark.parametrize(("a", "b"), [*product(NUMBERS, repeat=2)])
def test_equality_is_that_of_the_logic(a: float, b: float) -> None:
    """As in Boogie: not IEEE's, which Python has; that is the function fp.eq."""
    signs = math.copysign(1.0, a) == math.copysign(1.0, b)
    equal = (math.isnan(a) and math.isnan(b)) or (a == b and signs)
    assert value(f"{literal(a)} == {literal(b)}") is equal
    assert value(f"{literal(a)} != {literal(b)}") is not equal


def test_division_by_zero() -> None:
    assert same(value(f"{literal(1.0)} / {literal(0.0)}"), math.inf)
    assert same(value(f"{literal(1.0)} / {literal(-0.0)}"), -math.inf)
    assert same(value(f"{literal(0.0)} / {literal(0.0)}"), math.nan)


def test_floats_that_are_not_known() -> None:
    fails_as_marked("""
function {:builtin "fp.eq"} ieee(float24e8, float24e8) returns (bool);
function {:builtin "fp.isNaN"} nan(float24e8) returns (bool);
procedure Equality(x, y: float24e8) {
  assert x == x;
  assert x - y == x - y;
  assert nan(x) || ieee(x, x);
  assert ieee(x, x); // fails
  assert x == y ==> ieee(x, y) || nan(x);
  assert ieee(x, y) ==> x == y; // fails
  assert ieee(0x0.0e0f24e8, -0x0.0e0f24e8);
  assert 0x0.0e0f24e8 != -0x0.0e0f24e8;
}
procedure Order(x, y: float24e8) {
  assert x <= x; // fails
  assert !nan(x) ==> x <= x;
  assert x <= y && y <= x ==> ieee(x, y);
  assert x < y || x >= y; // fails
  assert !(x < y) ==> x >= y || nan(x) || nan(y);
}
procedure Arithmetic(x: float24e8) {
  assert -(-x) == x;
  assert x + 0x0.0e0f24e8 == x; // fails
  assert x + -0x0.0e0f24e8 == x;
  assert (0x0.0e0f24e8 / 0x0.0e0f24e8) == 0NaN24e8;
  assert x / 0x1.0e0f24e8 == x;
}
function f<a>(x: a): bool;
procedure Generic(x: float24e8) {
  assume f(x);
  assert f(x);
}
procedure Maps(m: [float24e8]int, x: float24e8) {
  assert m[0NaN24e8 := 3][0NaN24e8] == 3;
  assert m[0x0.0e0f24e8 := 3][-0x0.0e0f24e8] == 3; // fails
  assert m[x := 1][x] == 1;
}
""")


def test_numbers_of_floats() -> None:
    fails_as_marked("""
procedure P(x: float24e8) {
  assert real(0x3.8e0f24e8) == 3.5;
  assert int(0x3.8e0f24e8) == 3 && int(-0x3.8e0f24e8) == -4;
  assume x == 0x3.8e0f24e8;
  assert real(x) == 3.5 && int(x) == 3;
  assert real(x) == 3.0; // fails
}
""")


# --- rounding modes ------------------------------------------------------------------------------

ROUND = """
function {:builtin "fp.roundToIntegral"} round(rmode, float24e8) returns (float24e8);
function {:builtin "fp.add"} add(rmode, float24e8, float24e8) returns (float24e8);
"""


@pytest.mark.parametrize("number", ["0x2.8", "0x2.4", "-0x2.8", "0x3.8", "-0x2.c"])
@pytest.mark.parametrize("name", MODES)
def test_modes_in_variables(name: str, number: str) -> None:
    """A mode that the solver has to find out rounds as one that is written."""
    text = f"""{ROUND}
var mode: rmode;
procedure P(m: rmode, x: float24e8) modifies mode; {{
  mode := {name};
  assert round(mode, {number}e0f24e8) == round({name}, {number}e0f24e8);
  assume m == {name} && x == {number}e0f24e8;
  assert add(m, round(m, x), x) == add({name}, round({name}, x), x);
  assert add(m, round(m, x), x) == add({name}, x, x); // fails
}}
"""
    fails_as_marked(text)


def test_modes_are_values() -> None:
    fails_as_marked(f"""{ROUND}
var mode: rmode;
var table: [int]rmode;
const fixed: rmode;
axiom fixed != RNE && fixed != RNA;
function number(rmode): int;
function other(m: rmode): rmode {{ if m == RTP then RTN else RTP }}
procedure P(m: rmode, x: float24e8) modifies mode, table; {{
  assert m == RNE || m == RNA || m == RTP || m == RTN || m == RTZ;
  assert (forall n: rmode :: n == RNE || n == RNA || n == RTP || n == RTN || n == RTZ);
  assert m == RNE || m == RNA || m == RTP || m == RTN; // fails
  assert table[3] == RNE || table[3] == RNA || table[3] == RTP || number(table[3]) == number(RTN)
    || table[3] == RTZ;
  assert roundTowardZero == RTZ && roundNearestTiesToAway == RNA;
  table[0], mode := m, RTZ;
  havoc mode;
  assert table[0] == m;
  assert mode == RTZ; // fails
  assert fixed == RTP || fixed == RTN || fixed == RTZ;
  assert other(other(m)) == m; // fails
  assert round(other(RTP), 0x2.8e0f24e8) == 0x2.0e0f24e8;
  assume number(m) == 3 && m == RTN;
  assert number(RTN) == 3;
  assert number(RTP) == 3; // fails
}}
procedure Either(m: rmode) {{
  assert round(m, 0x2.4e0f24e8) == 0x2.0e0f24e8 || round(m, 0x2.4e0f24e8) == 0x3.0e0f24e8;
  assert round(m, 0x2.4e0f24e8) == 0x2.0e0f24e8; // fails
}}
procedure Caller() {{
  var m: rmode;
  call m := Choose();
  assert round(m, 0x2.4e0f24e8) == 0x3.0e0f24e8;
}}
procedure Choose() returns (m: rmode); ensures m == RTP;
""")


def test_all_modes_are_known() -> None:
    assert [RoundingMode[name].name for name in MODES] == list(MODES)


def test_builtins_that_give_modes() -> None:
    fails_as_marked("""
function {:builtin "RNE"} nearest(): rmode;
procedure P() {
  assert nearest() == RNE;
  assert nearest() == RTZ; // fails
}
""")


def test_builtins_of_other_types_are_refused() -> None:
    text = """function {:bvbuiltin "bvult"} less(bv8, bv8): bv8;
procedure P(x: bv8) { assert less(x, x) == x; }"""
    message = "the function bvult of less gives a Bool, not a BitVec"
    with pytest.raises(UnsupportedError, match=rf"t.bpl\(2,30\): Error: {message}"):
        failing_lines(text)
