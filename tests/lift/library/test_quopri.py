"""Quoted-printable and uuencode on symbolic bytes, against CPython."""

from __future__ import annotations

import binascii
import quopri
from typing import Any

import pytest

from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

FLAGS = [False, True]


def quoted(data: bytes, quotetabs: bool, istext: bool, header: bool) -> Any:
    return binascii.b2a_qp(data, quotetabs, istext, header)


def test_quoting() -> None:
    texts_agree(quoted, FLAGS, FLAGS, [False], alphabet=b"\n\r .", longest=3)
    texts_agree(quoted, [False], [True], FLAGS, alphabet=b"_=\t\x00\xff", longest=2)


def quoted_in_long_lines(data: bytes, before: int) -> Any:
    return binascii.b2a_qp(b"a" * before + data + b"bc")


@pytest.mark.parametrize("before", [72, 73, 74, 75])
def test_long_lines(before: int) -> None:
    texts_agree(quoted_in_long_lines, [before], alphabet=b"=\n.a", longest=2)


def with_crlf(data: bytes) -> Any:
    return binascii.b2a_qp(b"\r\n" + data + b"\n", istext=True)


def unquoted(data: Any, header: bool) -> Any:
    return binascii.a2b_qp(data, header)


def test_reading_what_is_quoted() -> None:
    texts_agree(with_crlf, alphabet=b" \r\n", longest=3)
    texts_agree(unquoted, [False], alphabet=b"=a\n\r", longest=4)
    texts_agree(unquoted, FLAGS, alphabet=b"=Fg_0", longest=3)
    texts_agree(unquoted, [False], alphabet="=A\xe9", longest=2)


def there_and_back(data: bytes) -> Any:
    return quopri.decodestring(quopri.encodestring(data)) == data


def test_there_and_back() -> None:
    texts_agree(there_and_back, alphabet=b" \n\xe9", longest=2)


def uuencoded(data: bytes, backtick: bool) -> Any:
    return binascii.b2a_uu(data, backtick=backtick)


def uuencoded_line(data: bytes) -> Any:
    return binascii.b2a_uu(b"a" * 44 + data)


def uudecoded(data: Any) -> Any:
    return binascii.a2b_uu(data)


def uudecoded_behind(data: bytes) -> Any:
    return binascii.a2b_uu(b"#86)" + data)


def test_uuencode() -> None:
    texts_agree(uuencoded, FLAGS, alphabet=b"\x00a\xff", longest=4)
    texts_agree(uuencoded_line, alphabet=b"a", longest=2)


def test_uudecode() -> None:
    texts_agree(uudecoded, alphabet=b"!` a", longest=2)
    texts_agree(uudecoded, alphabet="\n#\xe9", longest=2)
    texts_agree(uudecoded_behind, alphabet=b"\r`C\x1f", longest=2)


def test_flags_beside_known_bytes() -> None:
    agree(lambda flag: binascii.b2a_qp(b"a b_", header=flag), FLAGS)
    agree(lambda flag: binascii.b2a_uu(b"", backtick=flag), FLAGS)
