"""`json` on symbolic texts says what the scanner in C says, of wrong texts as well."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree


def outcome(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return error.msg, error.pos, error.lineno, error.colno


def test_texts() -> None:
    texts_agree(lambda s: outcome('"' + s), alphabet='\\nu"\t', longest=2)
    texts_agree(lambda s: outcome(' "a\\' + s + 'b"'), alphabet='\\/u"\x1f', longest=1)


# Digits, and what `int` takes for some.
DIGITS = [ord(c) for c in "0aF+_ g\u0663"]


@pytest.mark.parametrize(
    "text",
    [
        '"\\u{}123"',
        '"\\u12{}4"',
        '"\\u123{}',
        '"\\u123{}"',
        '"\\ud83d\\u{}e00"',
        '"\\ud83d\\ude0{}',
    ],
)
def test_codes(text: str) -> None:
    start, end = text.split("{}")
    agree(lambda c: outcome(start + chr(c) + end), DIGITS)


def test_surrogates() -> None:
    pairs = ["d83d\\ude0", "d83d\\ud83", "de00\\ud83", "0041\\ude0", "d83d\\n00"]
    for pair in pairs:
        agree(lambda c, pair=pair: outcome('"\\u' + pair + chr(c) + '"'), DIGITS[:4])


def test_only_texts_stand_between_items() -> None:
    def written(a: int, item: Any, key: Any) -> str:
        return json.dumps({"a": a}, separators=(item, key))

    for item, key in ((b",", b":"), (",", b":"), (1, ":"), (";", "=")):
        agree(lambda a, item=item, key=key: written(a, item, key), [0, 1])


@pytest.mark.parametrize("indent", [None, 1])
def test_floats_that_json_does_not_have(indent: int | None) -> None:
    # With an indentation the encoder in Python does it, whose message may be another one.
    agree(lambda x: json.dumps([x], allow_nan=False, indent=indent), [0.5, math.inf, math.nan])
