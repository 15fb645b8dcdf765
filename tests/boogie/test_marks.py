"""What Boogie rejects about assumption variables, statement ids and attributes."""

from __future__ import annotations

import pytest

from tests.boogie.helpers import messages

# The messages are those that Boogie gives for the same texts.
REJECTED = {
    "var {:assumption} a: bool; var b: bool; a := b;": (
        "RHS of assignment to assumption variable a must match expression "
        '"a && <boolean expression>"'
    ),
    "var {:assumption} a: bool; a := true && a;": (
        "RHS of assignment to assumption variable a must match expression "
        '"a && <boolean expression>"'
    ),
    "var {:assumption} a: bool; if (*) { a := a && true; } else { a := a && false; }": (
        "assumption variable may not be assigned to more than once"
    ),
    "var {:assumption} a: int;": "assumption variable must be of type 'bool'",
    "var {:assumption} a: bool where a;": (
        "assumption variable may not be declared with a where clause"
    ),
    'assert {:id "x"} true; while (*) { assume {:id "x"} true; }': (
        "more than one statement with same id: x"
    ),
    'assert {:id "x"} true; while (*) invariant {:id "x"} true; { }': (
        "more than one statement with same id: x"
    ),
    "while (*) invariant {:verified_under 3} true; { }": (
        "attribute :verified_under accepts only one argument of type bool"
    ),
    "var b: bool; assume {:minimize b} true;": (
        "attributes :minimize and :maximize accept only one argument of type int, real or bv"
    ),
    "var b: int; assume {:maximize b, b} true;": (
        "attributes :minimize and :maximize accept only one argument"
    ),
    "assert {:verified_under 3} true;": (
        "attribute :verified_under accepts only one argument of type bool"
    ),
    "assert {:verified_under true, true} true;": (
        "attribute :verified_under accepts only one argument of type bool"
    ),
}
ACCEPTED = [
    "var x: int; var b: bv8; assume {:minimize x} {:maximize b} true;",
    "var {:assumption} a, b: bool; a := a && b; b := b && a;",
    "var {:assumption false} a: bool; a := true; a := false;",
    'assert {:id "x"} true; assert {:id "y"} true; assume true;',
    "var b: bool; assert {:verified_under b} true;",
]


@pytest.mark.parametrize("text", REJECTED)
def test_rejected(text: str) -> None:
    (found,) = messages(f"procedure p() {{ {text} }}")
    assert found.partition("Error: ")[2] == REJECTED[text]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert messages(f"procedure p() {{ {text} }}") == []


def test_ids_are_those_of_the_whole_program() -> None:
    body = '{ assert {:id "x"} true; }'
    (found,) = messages(f"procedure p() {body} procedure q() {body}")
    assert found.endswith("more than one statement with same id: x")


# Whole programs, and what is wrong with them.
DECLARED = {
    "function f(int): int; axiom (forall x: int :: {f(x)} {:nopats} f(x) > 3);": (
        "the 'nopats' attribute of a quantifier expects one expression"
    ),
    "function f([int]int): int; axiom (forall x: int :: {f((lambda y: int :: x))} x > 3);": (
        "quantifiers are not allowed in triggers"
    ),
    "function f<a>(a): int; axiom (forall<a> x: int :: {f(x)} f(x) > 3);": (
        "trigger does not mention a, which does not occur in variables types either"
    ),
    "type C _; function f<a>(int): C a; axiom (forall<a> x: int :: {f(x): C a} x > x);": "",
    "function {:define} f(x: int): int { g(x) } function {:define} g(x: int): int { f(x) }": (
        "call cycle among functions with {:define}: f, g"
    ),
    "function {:define} f(x: int): int { g(x) } function g(x: int): int { f(x) }": "",
    "function {:define} {:inline} f(x: int): int { x }": (
        "a function has either {:define} or {:inline}"
    ),
}


@pytest.mark.parametrize("text", DECLARED)
def test_declarations(text: str) -> None:
    found = [one.partition("Error: ")[2] for one in messages(text)]
    assert found == ([DECLARED[text]] if DECLARED[text] else [])


GLOBAL = """
var {:assumption} g: bool;
procedure p() modifies g; { %s }
procedure q() modifies g; { %s }
"""
TWICE = "assumption variable may not be assigned to more than once"


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("g := g && true;", "", []),
        ("g := g && true;", "g := g && false;", [TWICE]),
        (
            "g := true;",
            "",
            [
                "RHS of assignment to assumption variable g must match expression "
                '"g && <boolean expression>"'
            ],
        ),
    ],
)
def test_global_assumption_variables(first: str, second: str, found: list[str]) -> None:
    """They are assigned to once in the whole program."""
    said = messages(GLOBAL % (first, second))
    assert [text.partition("Error: ")[2] for text in said] == found


def test_a_global_assumption_variable_is_boolean() -> None:
    (found,) = messages("var {:assumption} g: int;")
    assert found.endswith("assumption variable must be of type 'bool'")
