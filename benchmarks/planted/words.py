"""Text: empty texts, separators, case, digits that are none, patterns."""

from __future__ import annotations

import re

from benchmarks.everyday.claims import all_texts, fails, holds

TEXTS = all_texts()


@fails(text=TEXTS)
def first_letter_up(text: str) -> None:
    assert (text[0].upper() + text[1:])[1:] == text[1:]


@fails(text=[*TEXTS, "²"])
def digits_are_numbers(text: str) -> None:
    if text.isdigit():
        assert int(text) >= 0


@fails(text=TEXTS)
def key_and_value(text: str) -> None:
    if "-" in text:
        key, value = text.split("-")
        assert "-" not in key + value


@fails(text=TEXTS)
def initials(text: str) -> None:
    assert all(word[0] for word in text.split(" "))


@fails(text=TEXTS)
def swapped_case_comes_back(text: str) -> None:
    assert text.swapcase().swapcase() == text


@fails(text=[*TEXTS, "a\n", "0\n"])
def whole_line_is_a_name(text: str) -> None:
    if re.match(r"[a-z0-9]+$", text):
        assert "\n" not in text


@fails(text=[*TEXTS, "--0", "0-0"])
def signed_number(text: str) -> None:
    if text and all(c in "-0123456789" for c in text):
        assert text.count("-") <= 1 or text == ""


@fails(text=TEXTS)
def cut_to_two(text: str) -> None:
    short = text if len(text) <= 2 else text[:2] + "…"
    assert len(short) <= 2


@fails(name=[*TEXTS, "a,,"])
def empty_fields(name: str) -> None:
    fields = [field for field in name.split(",") if field]
    assert ",".join(fields) == name


@fails(word=[*all_texts("ab", 3), "key"])
def password(word: str) -> None:
    if len(word) == 3 and word[0] == "k" and ord(word[1]) == 101 and word.endswith("y"):
        raise PermissionError("open")


@holds(text=TEXTS)
def reversed_length(text: str) -> None:
    assert len(text[::-1]) == len(text)


@holds(text=TEXTS)
def parts_of_a_line(text: str) -> None:
    head, separator, tail = text.partition("-")
    assert head + separator + tail == text
    assert "-" not in head


@holds(text=TEXTS)
def no_space_at_the_ends(text: str) -> None:
    trimmed = text.strip(" ")
    assert not trimmed.startswith(" ")
    assert not trimmed.endswith(" ")


@holds(number=range(0, 1000, 37))
def number_to_text_and_back(number: int) -> None:
    if 0 <= number < 1000:
        assert int(str(number)) == number


@holds(text=TEXTS)
def vowels_replaced(text: str) -> None:
    result = "".join("*" if c in "aeiou" else c for c in text)
    assert "a" not in result
    assert len(result) == len(text)
