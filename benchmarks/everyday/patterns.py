"""Everyday functions with regular expressions."""

from __future__ import annotations

import re

from benchmarks.everyday.claims import all_texts, fails, holds

DIGITS = all_texts("1 -a", 4)


@holds(text=DIGITS)
def number_of_a_house(text: str) -> None:
    found = re.fullmatch(r"(\d+)([a-z]?)", text)
    if found:
        assert found[1].isdecimal()
        assert len(found[2]) <= 1


@holds(text=all_texts("29:5", 4))
def time_of_day(text: str) -> None:
    found = re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d", text)
    if found:
        assert int(found[1]) < 24


@fails(text=all_texts("a=1", 3))
def setting_with_a_value(text: str) -> None:
    found = re.match(r"(\w+)=(\w*)", text)
    if found:
        assert found[2]


@holds(text=all_texts("a -", 3))
def spaces_collapsed(text: str) -> None:
    assert "  " not in re.sub(r" +", " ", text)


@holds(text=all_texts("a,;", 3))
def split_at_either(text: str) -> None:
    parts = re.split(r"[,;]", text)
    assert len(parts) == text.count(",") + text.count(";") + 1


@fails(text=all_texts("a\n1", 3))
def a_line_without_its_end(text: str) -> None:
    """A dollar sign matches before the last end of a line too."""
    if re.match(r"^\w+$", text):
        assert "\n" not in text


@holds(text=all_texts("aB -!", 3))
def slug(text: str) -> None:
    found = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    assert "--" not in found
    assert not found.startswith("-")


@fails(text=all_texts("ab", 3))
def all_numbers_found(text: str) -> None:
    assert len(re.findall(r"a*", text)) == text.count("a")
