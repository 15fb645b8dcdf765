"""What the printer writes, the parser reads back as the same syntax."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from solvent.boogie import parse_program, print_program
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.operators import LEVELS
from solvent.boogie.parser import parse_expression
from solvent.boogie.printer import expression_text
from solvent.boogie.walking import nodes_of, same
from tests.boogie.trees import expressions, programs

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


@given(expressions)
@settings(max_examples=200)
def test_expressions(expression: s.Expr) -> None:
    text = expression_text(expression)
    assert same(parse_expression(text), expression), text


@given(programs)
@settings(max_examples=150)
def test_programs(program: st.Program) -> None:
    text = print_program(program)
    assert same(parse_program(text=text), program), text
    assert print_program(parse_program(text=text)) == text


@given(programs)
@settings(max_examples=50)
def test_comments_and_spaces_do_not_matter(program: st.Program) -> None:
    text = print_program(program)
    # A line break is allowed wherever the printer wrote one.
    spaced = text.replace("\n", " /* /* inner */ ; */ // tail\n\t\r\n")
    assert same(parse_program(text=spaced), program)


def test_every_pair_of_operators() -> None:
    a, b, c = (s.Identifier(name) for name in "abc")
    for first, second in product(LEVELS, repeat=2):
        for tree in (
            s.Binary(first, s.Binary(second, a, b), c),
            s.Binary(first, a, s.Binary(second, b, c)),
            s.Binary(first, s.Unary("-", a), s.IfThenElse(a, b, s.Binary(second, b, c))),
        ):
            text = expression_text(tree)
            assert same(parse_expression(text), tree), text


def test_no_needless_parentheses() -> None:
    for text in (
        "a ==> b ==> c",
        "a <== b <== c",
        "a && b && c <==> d || e",
        "x - y - z == x - (y - z)",
        "x * (y + z) ** 2.0 ** r",
        "!(a && b)",
        "-x[1][2 := 3][8:0]",
        "(a ==> b) ==> c",
        "f(if a then b else c) ++ g(x: int)",
        "(forall<a> x: Field a, y: int :: {:weight 2} {f(x), g(y)} {:nopats h(x)} p(x))",
        "(var x, y := 1, 2; x + y) > 0",
    ):
        assert expression_text(parse_expression(text)) == text


def test_same_sees_every_difference() -> None:
    a = parse_program(text="var x: int where x > 0; procedure P() { x := m[1, 2][3 := 4]; }")
    b = parse_program(text="var x: int where x > 0; procedure P() { x := m[1, 2][3 := 5]; }")
    assert same(a, a)
    assert not same(a, b)
    assert not same(a, parse_program(text="var x: int where x > 0;"))
    names = [node.name for node in nodes_of(a) if isinstance(node, s.Identifier)]
    assert names == ["x", "x", "m"]
