"""`binascii`, `base64` and the checksums of `zlib` on symbolic bytes, against CPython."""

from __future__ import annotations

import base64
import binascii
import hashlib
import random
import zlib
from typing import Any

import pytest

from solvent import Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from solvent.terms.texts import octets
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

DATA = b"\x00\x3e\xab\xff"


def hexadecimal(data: bytes) -> Any:
    return (
        binascii.hexlify(data), binascii.b2a_hex(bytearray(data), ":"), base64.b16encode(data),
        binascii.unhexlify(binascii.hexlify(data)) == data,
    )  # fmt: skip


def by_name(data: bytes) -> Any:
    return binascii.hexlify(data=data), base64.b16decode(s=base64.b16encode(s=data))


def test_data_by_its_name() -> None:
    texts_agree(by_name, alphabet=DATA, longest=2)
    for function in (binascii.crc32, binascii.hexlify, base64.b64decode):
        texts_agree(lambda data, function=function: function(), alphabet=b"a", longest=1)
    texts_agree(lambda data: binascii.crc32(data=data), alphabet=b"a", longest=1)


def encoded(data: bytes) -> Any:
    return binascii.b2a_base64(data), base64.b64encode(data), base64.urlsafe_b64encode(data)


def encoded_by_32(data: bytes) -> Any:
    return base64.b32encode(data)


def checked(data: bytes) -> Any:
    sums = zlib.adler32(data), zlib.adler32(data, 1 << 31)
    return zlib.crc32(data), binascii.crc32(data, 7), binascii.crc_hqx(data, 0x1FFFF), *sums


@pytest.mark.parametrize("function", [hexadecimal, encoded, encoded_by_32, checked])
def test_writing(function: Any) -> None:
    texts_agree(function, alphabet=DATA, longest=3)


def from_hexadecimal(data: Any) -> Any:
    return binascii.unhexlify(data)


def from_base_16(data: Any) -> Any:
    return base64.b16decode(data)


def from_base_16_folded(data: Any) -> Any:
    return base64.b16decode(data, casefold=True)


@pytest.mark.parametrize("function", [from_hexadecimal, from_base_16, from_base_16_folded])
def test_reading_hexadecimal(function: Any) -> None:
    texts_agree(function, alphabet=b"0aFg", longest=3)
    texts_agree(function, alphabet="0aF\xe9", longest=2)


def from_base_64(data: Any) -> Any:
    return base64.b64decode(data)


def from_base_64_behind(data: Any) -> Any:
    return binascii.a2b_base64(b"QQ" + data + b"=")


def from_urlsafe(data: Any) -> Any:
    return base64.urlsafe_b64decode(data + b"A=")


def test_reading_base_64() -> None:
    texts_agree(from_base_64, alphabet=b"=A\n", longest=4)
    texts_agree(from_base_64_behind, alphabet=b"=z\xff", longest=3)
    texts_agree(from_base_64, alphabet="A=\xe9", longest=2)
    texts_agree(from_urlsafe, alphabet=b"-_+a", longest=2)


def strictly(data: Any) -> Any:
    return base64.b64decode(data, validate=True)


def strictly_behind(data: bytes) -> Any:
    return base64.b64decode(b"QUJDQ" + data, validate=True)


def test_reading_base_64_strictly() -> None:
    texts_agree(strictly, alphabet=b"=A!", longest=4)
    texts_agree(strictly, alphabet="A=\xe9", longest=2)
    texts_agree(strictly_behind, alphabet=b"=/\n", longest=4)


def test_reading_base_64_strictly_or_not() -> None:
    for domain in ([False, True], [0, 2]):
        agree(lambda strict: binascii.a2b_base64(b"QQ=!=", strict_mode=strict), domain)


def from_base_32(data: Any) -> Any:
    return base64.b32decode(b"AZ72M" + data)


def from_base_32_folded(data: Any) -> Any:
    return base64.b32decode(data + b"======", casefold=True)


def test_reading_base_32() -> None:
    texts_agree(from_base_32, alphabet=b"Bb7=", longest=3)
    texts_agree(from_base_32_folded, alphabet=b"Bb1=", longest=2)


def there_and_back(*items: Any) -> Any:
    data = bytes(items)
    return base64.b64decode(base64.b64encode(data)) == data, binascii.crc32(data)


def test_random_bytes() -> None:
    drawn = random.Random(7)
    names = [Int(f"b{place}") for place in range(8)]
    outcome = execute(there_and_back, *names)
    for _ in range(20):
        model = dict(zip(names, drawn.choices(range(256), k=8), strict=True))
        expected = there_and_back(*model.values())
        assert evaluate(outcome.value, model) == expected


def some(number: int) -> Any:
    return binascii.hexlify(number), binascii.unhexlify(number)  # type: ignore[arg-type]


def test_wrong_arguments() -> None:
    agree(some, [0, 1])
    agree(lambda n: binascii.crc_hqx("ab", n), [0, 1])  # type: ignore[arg-type]
    texts_agree(lambda text: binascii.b2a_uu(text, backtick=True), alphabet="a", longest=1)


def digest(data: bytes) -> Any:
    return hashlib.sha256(data).hexdigest()


def test_refused() -> None:
    with pytest.raises(NotLiftedError):
        execute(digest, octets([Int("x"), 65]))


def from_known_text(casefold: bool) -> Any:
    return base64.b32decode("é", casefold)


def test_known_texts_beside_symbolic_options() -> None:
    agree(from_known_text, [False, True])
    with pytest.raises(NotLiftedError, match="casefold"):
        agree(lambda casefold: base64.b32decode("", casefold), [False, True])
