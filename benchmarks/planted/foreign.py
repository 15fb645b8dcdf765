"""Code behind libraries that are not lifted: hashes, compression, dates of C, random numbers."""

from __future__ import annotations

import array
import colorsys
import hashlib
import sqlite3
import time
import unicodedata
import zlib

from benchmarks.everyday.claims import all_lists, all_texts, fails, holds

TEXTS = all_texts("ab0 ", 2)
OCTETS = [bytes(found) for found in all_lists([0, 97, 255], 2)]


@fails(data=OCTETS)
def compression_makes_small(data: bytes) -> None:
    assert len(data) < 2 or len(zlib.compress(data)) <= len(data) + 7


@fails(data=OCTETS)
def checksum_of_something(data: bytes) -> None:
    assert 1000 // zlib.crc32(data) >= 0


@fails(n=range(-5, 60))
def fingerprint(n: int) -> None:
    digest = hashlib.sha256(str(n).encode()).hexdigest()
    if n > 10:
        assert not digest.startswith("0")


@fails(n=range(-3, 40))
def short_name(n: int) -> None:
    digest = hashlib.md5(str(n).encode()).hexdigest()
    assert digest[n] in "0123456789abcdef"


@fails(text=[*TEXTS, "\u00e9"])
def composed_is_as_long(text: str) -> None:
    assert len(unicodedata.normalize("NFD", text)) <= len(text)


@fails(month=range(-1, 15))
def month_name(month: int) -> None:
    name = time.strftime("%B", (2024, month, 1, 0, 0, 0, 0, 1, 0))
    assert name


@fails(red=[0.0, 0.5, 1.0], green=[0.0, 0.5, 1.0])
def has_a_hue(red: float, green: float) -> None:
    if 0 <= red <= 1 and 0 <= green <= 1:
        _, saturation, _ = colorsys.rgb_to_hsv(red, green, 0.0)
        assert saturation > 0


@fails(xs=all_lists([0, 1, 300], 2))
def packed_in_octets(xs: list[int]) -> None:
    packed = array.array("B", xs)
    assert list(packed) == xs


@fails(limit=range(-2, 12))
def rows_of_a_table(limit: int) -> None:
    table = sqlite3.connect(":memory:")
    table.execute("create table t (n integer)")
    table.executemany("insert into t values (?)", [(n,) for n in range(8)])
    (count,) = table.execute("select count(*) from t where n < ?", (limit,)).fetchone()
    assert limit < 0 or count == limit


@fails(text=[*TEXTS, "½", "0"])
def numeric_is_whole(text: str) -> None:
    if len(text) == 1 and text.isnumeric():
        assert unicodedata.numeric(text) == int(unicodedata.numeric(text))


@holds(data=OCTETS)
def unpacked_again(data: bytes) -> None:
    assert zlib.decompress(zlib.compress(data)) == data


@holds(text=TEXTS)
def digest_has_a_length(text: str) -> None:
    assert len(hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()) == 40


@holds(text=TEXTS)
def normal_form_is_stable(text: str) -> None:
    once = unicodedata.normalize("NFC", text)
    assert unicodedata.normalize("NFC", once) == once


@holds(xs=all_lists([0, 1, 2], 2))
def array_keeps_items(xs: list[int]) -> None:
    if all(0 <= x < 100 for x in xs):
        assert array.array("i", xs).tolist() == xs


@holds(data=OCTETS)
def checksum_is_32_bits(data: bytes) -> None:
    assert 0 <= zlib.adler32(data) < 2**32
