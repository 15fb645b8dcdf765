"""What is known of characters decides questions about them, on the path where it is known."""

from __future__ import annotations

import itertools

from solvent import Bool, Int, texts, verify
from solvent.lift.spelling.alphabets import is_code, is_in
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
