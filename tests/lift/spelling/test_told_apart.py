"""What is known of characters decides questions about them, on the path where it is known."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from solvent import Bool, Int, texts, verify
from solvent.lift.spelling.alphabets import is_code, is_in
from solvent.lift.spelling.changes import after, change
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


METHODS = [str.lower, str.upper, str.casefold, str.title]


@pytest.mark.parametrize("first", METHODS)
@pytest.mark.parametrize("second", METHODS)
def test_two_changes_are_one_table(
    first: Callable[[str], str], second: Callable[[str], str]
) -> None:
    both = after(change(first), change(second))
    turns = [both]
    for method in (first, second) * 4:
        turns.append(after(turns[-1], change(method)))
    assert len(set(turns)) < 8
    vowels = ((65, 65), (69, 69), (73, 73), (97, 97), (0x391, 0x391), (0x3C9, 0x3C9))
    sources = both.sources(vowels)
    for code in (*range(0x600), *range(0x1E00, 0x2200), *range(0xFB00, 0xFB20)):
        expected = second(first(chr(code))[0])
        assert both.image(code) == expected
        assert is_in(code, sources) is is_in(ord(expected[0]), vowels)


def twice(text: str) -> tuple[object, ...]:
    """Each change of what it has made, also of both ways of a condition."""
    small = text.lower()
    other = small if len(text) > 1 else text
    return small.lower(), other.lower(), text.casefold().casefold(), (small + text[:1]).lower()


@pytest.mark.parametrize("alphabet", ["aZΣİ", "ßAŉ"])
def test_changes_of_what_was_changed(alphabet: str) -> None:
    texts_agree(twice, alphabet=alphabet, longest=2)


# A mark over a letter, a digit that is none of ASCII, half of a pair, an end of a line.
MIXED = "aßİ\u0301٣\ud800\x85"


def chained(text: str) -> tuple[object, ...]:
    upper, lower = text.upper(), text.lower()
    return upper.lower(), lower.upper(), text.casefold().upper(), upper.lower().upper().lower()


def questions(text: str) -> tuple[object, ...]:
    """Questions about characters that a change has made."""
    upper, mixed = text.upper(), text.lower().swapcase()
    return upper == "S", "s" in upper.lower(), mixed.isalpha(), upper.title(), mixed.isupper()


def shrunk(text: str) -> tuple[object, ...]:
    seen = []
    while text:
        seen.append(text)
        text = text.upper()[1:].lower()
    return tuple(seen)


@pytest.mark.parametrize("function", [chained, questions, shrunk])
@pytest.mark.parametrize("alphabet", [MIXED, "Aσ\u0301Σ.", "ǅŉﬃΐK"])
def test_changes_of_other_changes(function: Callable[[str], object], alphabet: str) -> None:
    texts_agree(function, alphabet=alphabet, longest=2)


def test_a_character_has_the_sources_of_each_change() -> None:
    def folded(text: str) -> tuple[str, str]:
        # Among these characters, both changes are alike but for one that becomes several.
        return text.casefold(), text.lower().casefold()

    texts_agree(folded, alphabet="ŉŊŋ", longest=1)


@pytest.mark.parametrize(
    "function",
    [
        lambda text: text.upper().lower(),
        lambda text: text.lower().upper(),
        lambda text: text.casefold().upper().lower(),
    ],
)
def test_terms_of_changes_of_changes_are_few(function: Callable[[str], str]) -> None:
    def claim(text: str) -> None:
        assert function(text) is not None

    # What one character becomes is one table; of many, their places are merged.
    for longest, most in ((1, 5_000), (4, 25_000), (8, 130_000)):
        assert verify(claim, texts(max_len=longest)).stats.run.terms < most


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
