"""`encode` and `decode` of symbolic texts and bytes, against CPython."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solvent import Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from solvent.terms.texts import octets, text
from tests.lift.spelling.agreement import texts_agree

# One character of each length in UTF-8, surrogates of both halves, one that stands for a byte, and
# the last character.
CHARACTERS = "aé€\U00010348\ud800\udc80"
# First bytes of all lengths, the limits of what may follow them, and what may never be there.
UTF_8 = b"a\x80\xa0\xc3\xe0\xed\xf4\xff"
UNITS = b"\x00a\xd8\xdc\xfe\xff"

HANDLERS = [
    "strict", "ignore", "replace", "backslashreplace", "surrogatepass", "surrogateescape",
]  # fmt: skip
ENCODINGS = ["utf-8", "ascii", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"]
PAGES = ["cp1252", "koi8-r", "cp437", "iso8859-15", "mac-roman"]


@pytest.mark.parametrize("errors", ["xmlcharrefreplace", *HANDLERS])
@pytest.mark.parametrize("encoding", [*ENCODINGS, *PAGES])
def test_encode(encoding: str, errors: str) -> None:
    def encode(text: Any) -> Any:
        return text.encode(encoding, errors)

    if encoding in PAGES and errors == "surrogateescape":
        with pytest.raises(NotLiftedError):
            execute(encode, text([Int("c")]))
        return

    texts_agree(encode, alphabet=CHARACTERS, longest=2)


@pytest.mark.parametrize("errors", HANDLERS)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_encode_beside_known_characters(encoding: str, errors: str) -> None:
    def encode(text: Any) -> Any:
        return (text + "\udcb3").encode(encoding, errors), ("€" + text).encode(encoding, errors)

    texts_agree(encode, alphabet="aé\udc80", longest=2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-32-be"])
def test_decode_surrogates(encoding: str) -> None:
    def decode(data: Any) -> Any:
        try:
            return data.decode(encoding, "surrogatepass")
        except UnicodeDecodeError as error:
            return error.start, error.end, error.reason

    known = "\ud800".encode(encoding, "surrogatepass")
    for place in range(len(known) - 1):
        before, after = known[:place], known[place + 2 :]
        texts_agree(
            lambda data, a=before, b=after: decode(a + data + b),
            alphabet=b"\x00\xd8\xdc\xa0\xed",
            longest=2,
        )


def test_bytes_that_are_wrong_behind_a_surrogate() -> None:
    outcome = execute(
        lambda data: data.decode("utf-8", "surrogatepass"), octets([0xED, 0xA0, 0x80, Int("b")])
    )
    (refused,) = [f for f in outcome.failures if isinstance(f.exception, NotLiftedError)]
    assert evaluate(refused.condition, {Int("b"): 0xFF})
    assert evaluate(outcome.value, {Int("b"): 97}) == "\ud800a"


@pytest.mark.parametrize("errors", HANDLERS)
def test_decode_utf_8(errors: str) -> None:
    def decode(data: Any) -> Any:
        return data.decode("utf-8", errors)

    texts_agree(decode, alphabet=UTF_8, longest=2)
    texts_agree(decode, alphabet=b"\x80\xed\xa0", longest=3)


@pytest.mark.parametrize("errors", HANDLERS)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", *PAGES])
def test_decode_bytes(encoding: str, errors: str) -> None:
    def decode(data: Any) -> Any:
        return str(data, encoding, errors), bytearray(data).decode(encoding, errors)

    texts_agree(decode, alphabet=b"a\x7f\x81\xff", longest=2)


@pytest.mark.parametrize("errors", HANDLERS[:4])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_decode_utf_16(encoding: str, errors: str) -> None:
    def decode(data: Any) -> Any:
        return (b"\x00\xd8" + data).decode(encoding, errors)

    def decode_marked(data: Any) -> Any:
        return (data + b"\xdc").decode(encoding, errors)

    texts_agree(decode, alphabet=UNITS, longest=2)
    texts_agree(decode_marked, alphabet=b"a\xfe\xff", longest=3)


@pytest.mark.parametrize("errors", HANDLERS[:4])
@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
def test_decode_utf_32(encoding: str, errors: str) -> None:
    def decode(data: Any) -> Any:
        return (b"\x00" + data + b"\x00\xff\xfe\x00").decode(encoding, errors)

    texts_agree(decode, alphabet=UNITS, longest=2)


def told(text: Any) -> Any:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        return str(error), error.start, error.end, error.object, error.reason, error.encoding, error


def told_of_bytes(data: Any) -> Any:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        return str(error), error.start, error.end, error.object, error.reason, type(error).__name__


def test_exceptions_tell() -> None:
    texts_agree(told, alphabet="aé€\U00010348", longest=2)
    texts_agree(told_of_bytes, alphabet=b"a\xc3\xa9\xff", longest=2)


def caught(data: Any) -> Any:
    try:
        return data.decode("ascii").upper()
    except ValueError:
        return data.decode("latin-1").encode()


def test_exceptions_are_caught() -> None:
    texts_agree(caught, alphabet=b"a\x7f\xe9", longest=2)


def made(text: Any) -> Any:
    return bytes(text, "utf-8"), bytearray(text, encoding="utf-8"), text.encode().decode() == text


def test_making_bytes_of_text() -> None:
    texts_agree(made, alphabet="aé€", longest=2)


WRONG = [("utf-99",), ("utf-8", 1), (1,)]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_arguments(arguments: Any) -> None:
    def encode(text: Any) -> Any:
        return text.encode(*arguments)

    def decode(data: Any) -> Any:
        return data.decode(*arguments)

    texts_agree(encode, alphabet="ab", longest=1)
    texts_agree(decode, alphabet=b"ab", longest=1)


@pytest.mark.parametrize("arguments", [("cp500",), ("utf-8", "namereplace"), ("punycode",)])
def test_others_are_refused(arguments: Any) -> None:
    def encode(text: Any) -> Any:
        return text.encode(*arguments)

    with pytest.raises(NotLiftedError, match="is not lifted; use"):
        texts_agree(encode, alphabet="ab", longest=1)


def outcome_of(function: Any, value: Any) -> Any:
    try:
        return function(value)
    except UnicodeError as error:
        return type(error), error.args


def lifted_outcome(outcome: Any, model: dict[Any, int]) -> Any:
    failed = [f.exception for f in outcome.failures if evaluate(f.condition, model)]
    if failed:
        error = evaluate(failed[0], model)
        return type(error), error.args
    return evaluate(outcome.value, model)


SIZE = 8
PIECES = [
    b"a", b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\xe0\x80", b"\xff", b"\x80", b"\xc2", b"\xf0\x9f", b"\x00\xd8", b"\x00\xdc", b"\xff\xfe",
]  # fmt: skip


@pytest.mark.parametrize(
    ("encoding", "errors"),
    [("utf-8", "strict"), ("utf-8", "replace"), ("utf-8", "surrogateescape"), ("utf-16", "strict"),
     ("utf-16-be", "ignore"), ("utf-32", "backslashreplace"), ("cp1252", "strict")],
)  # fmt: skip
def test_random_bytes(encoding: str, errors: str) -> None:
    drawn = random.Random(5)
    names = [Int(f"b{place}") for place in range(SIZE)]

    def decode(data: Any) -> Any:
        return data.decode(encoding, errors)

    outcome = execute(decode, octets(names))
    for _ in range(20):
        data = b"".join(drawn.choices(PIECES, k=SIZE))[:SIZE]
        found = lifted_outcome(outcome, dict(zip(names, data, strict=True)))
        assert found == outcome_of(decode, data), data


@pytest.mark.parametrize(
    ("encoding", "errors"),
    [("utf-8", "strict"), ("utf-8", "surrogateescape"), ("ascii", "backslashreplace"),
     ("utf-16", "replace"), ("latin-1", "strict"), ("cp1252", "xmlcharrefreplace"),
     ("utf-8", "surrogatepass")],
)  # fmt: skip
def test_random_texts(encoding: str, errors: str) -> None:
    drawn = random.Random(6)
    names = [Int(f"c{place}") for place in range(6)]

    def encode(source: Any) -> Any:
        return source.encode(encoding, errors)

    outcome = execute(encode, text(names))
    characters = [0, 97, 127, 128, 255, 256, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDC80, 0xDCFF, 0xDFFF,
                  0xE000, 0xFFFF, 0x10000, 0x10FFFF]  # fmt: skip
    for _ in range(20):
        codes = drawn.choices(characters, k=6)
        found = lifted_outcome(outcome, dict(zip(names, codes, strict=True)))
        assert found == outcome_of(encode, "".join(map(chr, codes))), codes
