"""Texts that are longer than was asked for, where the program looks for such."""

from __future__ import annotations

import re

import pytest

from solvent import Bool, verify
from solvent.lift.longer import noting_lengths
from solvent.lift.spelling.choosing import same_texts
from solvent.vm.merge import merge
from tests.patience import FOREVER


def minutes(s: str) -> None:
    if re.fullmatch(r"\d\d:\d\d", s):
        assert int(s[:2]) < 24


def secret(s: str) -> None:
    assert s != "secret"


def chosen(s: str) -> None:
    match s:
        case "restart":
            raise KeyError(s)


def address(s: str) -> None:
    if s.startswith("https://"):
        assert s.endswith("/")


def octets(s: bytes) -> None:
    assert not s.endswith(b"\r\n\r\n")


def after_another(s: str) -> None:
    if s.startswith("key="):
        assert s[4:] != "7"


@pytest.mark.parametrize(
    ("function", "longest", "fails"),
    [
        (minutes, 5, lambda s: int(s[:2]) >= 24),
        (chosen, 7, lambda s: s == "restart"),
        (address, 9, lambda s: len(s) == 9),
        (octets, 5, lambda s: s[-4:] == b"\r\n\r\n"),
        (after_another, 5, lambda s: s == "key=7"),
    ],
)
def test_what_the_program_looks_for_is_tried(function, longest, fails):
    found = verify(function, budget=FOREVER)
    assert found.confirmed
    assert fails(found.inputs["s"])
    unit = "bytes of up to {}" if function is octets else "texts of up to {} characters"
    assert found.derived["s"] == unit.format(longest)


def test_a_proof_says_how_long_texts_were():
    def whole(s: str) -> None:
        if re.fullmatch(r"\d{4}-\d\d", s, re.ASCII):
            assert s[4] == "-"
            assert int(s[:4]) >= 0

    found = verify(whole, budget=FOREVER)
    assert found.holds
    assert found.derived == {"s": "texts of up to 7 characters"}
    assert found.coverage.proved == "by merged execution"


def test_what_takes_too_long_texts_is_told():
    def distant(s: str) -> None:
        assert s != "a text that nobody tries"

    found = verify(distant, budget=FOREVER)
    assert found.holds
    assert found.derived == {"s": "texts of up to 3 characters"}
    assert found.coverage.proved == ("by merged execution (the program also looks for texts of 24)")


def a_part(a: str, b: str) -> None:
    if a in b:
        assert len(a) <= len(b)


def an_end(a: str, b: str) -> None:
    assert not b.endswith(a) or b.endswith(a[-1:])


@pytest.mark.parametrize("function", [a_part, an_end])
def test_what_inputs_have_in_common_is_not_looked_for(function):
    found = verify(function, budget=FOREVER)
    assert found.holds
    assert set(found.derived.values()) == {"texts of up to 3 characters"}
    assert found.coverage.proved == "by merged execution"


def test_one_of_several_texts_is_made_and_not_looked_for():
    of_two = merge(Bool("c"), "twelve chars", "a")

    def asked_by(a: object, b: object) -> set[int]:
        asked: set[int] = set()
        with noting_lengths(asked):
            same_texts(a, b)
        return asked

    assert asked_by(of_two, merge(Bool("d"), "", "b")) == set()
    assert asked_by(of_two, "another") == asked_by("another", of_two) == {7}


def test_a_length_that_was_asked_for_is_kept():
    assert verify(secret, budget=FOREVER, max_len=4).holds


def test_what_is_refused_for_longer_texts_leaves_the_proof():
    def refused(s: str) -> None:
        if s.startswith("data"):
            memoryview(s.encode()).cast("b", [2, 2])  # type: ignore[call-overload]

    found = verify(refused, budget=FOREVER)
    assert found.holds
    assert found.derived == {"s": "texts of up to 3 characters"}
    assert "texts of 5, that the program looks for, are not decided" in found.coverage.proved
