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
    "assert {:verified_under 3} true;": (
        "attribute :verified_under accepts only one argument of type bool"
    ),
    "assert {:verified_under true, true} true;": (
        "attribute :verified_under accepts only one argument of type bool"
    ),
}
ACCEPTED = [
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


def test_ids_are_those_of_one_body() -> None:
    body = '{ assert {:id "x"} true; }'
    assert messages(f"procedure p() {body} procedure q() {body}") == []
