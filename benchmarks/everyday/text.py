"""Everyday functions on text."""

from __future__ import annotations

from benchmarks.everyday.claims import all_texts, fails, holds

TEXTS = all_texts()


@holds(text=TEXTS)
def stripping_twice(text: str) -> None:
    assert text.strip().strip() == text.strip()


@holds(text=TEXTS)
def reversing_twice(text: str) -> None:
    assert text[::-1][::-1] == text


@fails(text=TEXTS)
def no_palindromes(text: str) -> None:
    assert len(text) < 2 or text != text[::-1]


@fails(text=TEXTS)
def upper_case_keeps_the_length(text: str) -> None:
    assert len(text.upper()) == len(text)


@holds(text=TEXTS)
def split_and_join(text: str) -> None:
    assert ",".join(text.split(",")) == text


@fails(text=TEXTS)
def one_field_in_a_row(text: str) -> None:
    first = text.split(",")[0]
    assert first == text


@holds(text=TEXTS)
def words_need_spaces(text: str) -> None:
    assert len(text.split()) <= (len(text) + 1) // 2


@holds(text=TEXTS)
def acronym(text: str) -> None:
    letters = "".join(word[0] for word in text.split())
    assert len(letters) == len(text.split())
    assert " " not in letters


@fails(text=TEXTS)
def usable_as_a_name(text: str) -> None:
    if text.isalnum():
        assert text.isidentifier()


@fails(text=TEXTS)
def prefix_and_strip_are_the_same(text: str) -> None:
    assert text.removeprefix("a") == text.lstrip("a")


@holds(text=all_texts("az m", 3), shift=range(-1, 27))
def rotated_and_back(text: str, shift: int) -> None:
    if not 0 <= shift < 26 or not all("a" <= c <= "z" for c in text):
        return
    rotated = "".join(chr((ord(c) - 97 + shift) % 26 + 97) for c in text)
    back = "".join(chr((ord(c) - 97 - shift) % 26 + 97) for c in rotated)
    assert back == text


@holds(text=all_texts("aeb ", 3))
def vowels(text: str) -> None:
    assert 0 <= sum(text.count(vowel) for vowel in "aeiou") <= len(text)


@fails(text=all_texts("abcdef", 3), limit=range(6))
def shortened(text: str, limit: int) -> None:
    """An ellipsis may be longer than the limit."""
    if limit < 0:
        return
    short = text if len(text) <= limit else text[: limit - 3] + "..."
    assert len(short) <= limit


@fails(text=TEXTS)
def number_read_and_written(text: str) -> None:
    if text.isdecimal():
        assert str(int(text)) == text


@holds(text=all_texts("\ta b", 3))
def tabs_are_gone(text: str) -> None:
    assert "\t" not in text.expandtabs(4)


@holds(text=TEXTS)
def padded_with_zeros(text: str) -> None:
    padded = text.zfill(4)
    assert len(padded) >= 4
    assert padded.endswith(text.lstrip("+-"))


@holds(text=TEXTS)
def partitioned(text: str) -> None:
    head, separator, tail = text.partition("-")
    assert head + separator + tail == text
    assert "-" not in head


@fails(text=all_texts("ab", 3), other=all_texts("ab", 3))
def contained_is_shorter(text: str, other: str) -> None:
    if text in other:
        assert len(text) < len(other)


@holds(text=all_texts('a"&<', 3))
def escaped_for_pages(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    assert "<" not in escaped
    assert escaped.replace("&lt;", "<").replace("&amp;", "&") == text


@holds(first=all_texts("ab", 3), second=all_texts("ab", 3))
def anagrams(first: str, second: str) -> None:
    assert (sorted(first) == sorted(second)) == all(
        first.count(c) == second.count(c) for c in first + second
    )
