"""What is known of characters decides questions about them, on the path where it is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from solvent import Bool, Int, texts, verify
from solvent.lift.spelling.alphabets import change, is_code, is_in, is_left_alone
from solvent.terms import evaluate, ite
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

N, P, Q = Int("n"), Bool("p"), Bool("q")
DIGIT = N % 10 + 48
MERGED = ite(P, 45, ite(Q, DIGIT, ite(N < 3, 43, Int("c") % 128)))


def test_parts_of_a_choice_are_told_apart() -> None:
    for wanted in (44, 45, 43, 48, 57, 58, 128):
        found = is_code(MERGED, wanted)
        for n, p, q, c in itertools.product(range(12), (False, True), (False, True), (44, 45, 57)):
            model = {N: n, P: p, Q: q, Int("c"): c}
            assert evaluate(found, model) is (evaluate(MERGED, model) == wanted)
            inside = evaluate(is_in(MERGED, ((43, 44), (50, 52))), model)
            assert inside is (evaluate(MERGED, model) in (43, 44, 50, 51, 52))
    assert is_code(MERGED, 128) is False
    assert is_code(ite(P, 45, DIGIT), 45) is P
    assert is_code(45, 45) is True
    assert is_code(44, DIGIT) is False


def test_what_one_path_knows_is_not_said_on_another() -> None:
    def letters(code: int) -> bool:
        ascii_letter = chr(code).isalpha() if 0 <= code < 128 else False
        return ascii_letter or chr(code).isalpha()

    agree(letters, range(100, 200))

    def wrong(code: int) -> None:
        if 0 <= code < 128:
            chr(code).isalpha()
        if code == 233:
            assert not chr(code).isalpha()

    assert verify(wrong, Int("code")).failure is not None


def test_a_change_of_case_is_asked_of_each_character() -> None:
    def lowered(word: str, flag: bool) -> str:
        chosen = word[0] if flag else word[-1]
        return chosen.lower() + chosen.upper()

    texts_agree(lowered, (False, True), alphabet="aAÉßİΣǅ", longest=2)


def test_the_table_of_a_case_is_said_once_for_each_character() -> None:
    def same(first: str, second: str, flag: bool) -> bool:
        chosen = first if flag else second
        return chosen.lower() == (first.lower() if flag else second.lower())

    one = texts(max_len=1, min_len=1)
    assert verify(same, one, one, P).stats.run.terms < 2600


@pytest.mark.parametrize("method", [str.lower, str.upper, str.casefold, str.title])
def test_characters_that_a_change_leaves_alone(method: Callable[[str], str]) -> None:
    for code in (*range(0x600), *range(0x1E00, 0x2000)):
        assert is_left_alone(code, change(method)) is (method(chr(code)) == chr(code))
    assert not is_left_alone(Int("code"), change(method))


def twice(text: str) -> tuple[object, ...]:
    """Each change of what it has made, also of both ways of a condition."""
    small = text.lower()
    other = small if len(text) > 1 else text
    return small.lower(), other.lower(), text.casefold().casefold(), (small + text[:1]).lower()


@pytest.mark.parametrize("alphabet", ["aZΣİ", "ßAŉ"])
def test_changes_of_what_was_changed(alphabet: str) -> None:
    texts_agree(twice, alphabet=alphabet, longest=2)


def test_what_is_small_on_one_path_is_not_on_another() -> None:
    def wrong(code: int) -> None:
        if 97 <= code <= 122:
            chr(code).lower()
        if 60 < code < 100:
            assert code == 98 or chr(code).lower() != "b"

    assert verify(wrong, Int("code")).call == "wrong(code=66)"


def test_a_second_change_costs_nothing() -> None:
    def slug(title: str) -> str:
        return "-".join(title.lower().split())

    def twice_is_once(title: str) -> None:
        assert slug(slug(title)) == slug(title)

    def lowered(title: str) -> None:
        assert title.lower().lower() == title.lower()

    for function in (twice_is_once, lowered):
        found = verify(function, max_len=1)
        assert found.holds
        assert found.stats.run.terms < 10_000
