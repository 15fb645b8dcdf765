"""`struct`, `int.to_bytes` and `int.from_bytes` of symbolic values, against CPython."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest

from solvent import Int, assume, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.queries.spaces.making import binary
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

NUMBERS = [-(1 << 70), -(1 << 63) - 1, -(1 << 63), -129, -128, -1, 0, 1, 127, 128, 255, 256, 65535,
           65536, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64]  # fmt: skip


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("order", ["big", "little"])
@pytest.mark.parametrize("size", [0, 1, 2, 8])
def test_to_bytes(size: int, order: Any, signed: bool) -> None:
    def convert(number: Any) -> Any:
        return number.to_bytes(size, order, signed=signed)

    def there_and_back(number: Any) -> Any:
        data = number.to_bytes(size, order, signed=signed)
        return int.from_bytes(data, order, signed=signed) == number

    agree(convert, NUMBERS)
    agree(there_and_back, NUMBERS)


def defaults(number: int) -> Any:
    return number.to_bytes(), number.to_bytes(length=2), (number > 5).to_bytes(1, "big")


def test_defaults() -> None:
    agree(defaults, NUMBERS)


@pytest.mark.parametrize("arguments", [(-1, "big"), (1, "middle"), ("a", "big"), (1, 2)])
def test_wrong_arguments(arguments: Any) -> None:
    def convert(number: Any) -> Any:
        return number.to_bytes(*arguments)

    agree(convert, [0, 1])


def number_of(data: bytes) -> Any:
    return (
        int.from_bytes(data, "big"), int.from_bytes(data, "little", signed=True),
        int.from_bytes(bytearray(data), "big", signed=True), int.from_bytes([*data, 1], "little"),
    )  # fmt: skip


def test_from_bytes() -> None:
    texts_agree(number_of, alphabet=b"\x00\x7f\x80\xff", longest=3)


def from_wrong_order(data: bytes) -> Any:
    return int.from_bytes(data, "middle")  # type: ignore[arg-type]


def test_from_bytes_in_a_wrong_order() -> None:
    texts_agree(from_wrong_order, alphabet=b"ab", longest=1)


INTEGERS = [order + code for order in "@<>" for code in "bBhHiIlLqQ"] + ["@n", "@N"]


@pytest.mark.parametrize("form", INTEGERS)
def test_integers(form: str) -> None:
    def packed(number: Any) -> Any:
        data = struct.pack(form, number)
        return data, struct.unpack(form, data)

    agree(packed, NUMBERS)


@pytest.mark.parametrize("form", ["bhi", "<bhi", "!bhi", "b0i", "2xbxh", "h2b", "<2h b", "bq0i"])
def test_layouts(form: str) -> None:
    count = len(struct.unpack(form, bytes(struct.calcsize(form))))

    def packed(number: Any, other: Any) -> Any:
        values = [number, other, 7][:count]
        data = struct.pack(form, *values)
        return data, struct.unpack(form, data), struct.Struct(form).pack(*values)

    agree(packed, [-1, 0, 100], [-2, 200])


def other_codes(data: bytes) -> Any:
    packed = struct.pack("<3s?4p2s", data, data == b"a", data, bytearray(data))
    return (
        packed,
        struct.unpack("<3s?4p2s", packed),
        struct.pack("p", data),
        struct.pack("0s", data),
    )


def test_bytes_and_truth() -> None:
    texts_agree(other_codes, alphabet=b"ab\xff", longest=3)


def test_truth_of_containers() -> None:
    agree(lambda n: struct.pack("<?b??", (n,), n, [[n]] * 2, {n: 1}), [0, 1])
    agree(lambda n: (struct.pack("?", [n][n:]), struct.pack("?", (n,)[n:])), [0, 1])
    agree(lambda n: struct.pack("B", (n,)), [0, 1])


def characters(data: bytes) -> Any:
    return struct.pack("cc", data, b"x")


def test_characters() -> None:
    texts_agree(characters, alphabet=b"ab", longest=2)


def pascal(data: bytes) -> Any:
    return struct.unpack("4p", data + b"xyz"), struct.unpack_from("<H?", data + b"12", 1)


def test_pascal_strings() -> None:
    texts_agree(pascal, alphabet=b"\x00\x01\x02\x03\x04\xff", longest=1)


def unpacked(data: bytes) -> Any:
    return (
        struct.unpack("<H", data), struct.unpack_from(">h", data),
        struct.unpack_from("b", data, -1),
        list(struct.iter_unpack("B", data)), struct.Struct("<H").unpack(data),
    )  # fmt: skip


def test_unpacking() -> None:
    texts_agree(unpacked, alphabet=b"\x00\x7f\x80", longest=3)


FAILING = {
    "few": lambda x: struct.pack("bb", x),
    "many": lambda x: struct.pack("b", x, x),
    "kind": lambda x: struct.pack("2b", x, "a"),
    "bytes": lambda x: struct.pack("bs", x, "a"),
    "number as bytes": lambda x: struct.pack("s", x),
    "number as character": lambda x: struct.pack("c", x),
    "code": lambda x: struct.pack("v", x),
    "far": lambda x: struct.unpack_from("b", bytes([x]), 3),
    "before": lambda x: struct.unpack_from("b", bytes([x]), -3),
    "short": lambda x: struct.unpack("h", bytes([x])),
    "rest": lambda x: struct.iter_unpack("h", bytes([x])),
    "nothing": lambda x: struct.iter_unpack("", bytes([x])),
}


@pytest.mark.parametrize("name", FAILING)
def test_failing(name: str) -> None:
    agree(FAILING[name], [0, 1, 200])


def written(data: bytes, number: int) -> Any:
    array = bytearray(b"12345")
    struct.pack_into("<Hb", array, 1, number, 5)
    struct.pack_into("s", array, -1, data)
    return array, struct.unpack_from("<H", array, 1)


def test_pack_into() -> None:
    texts_agree(written, [0, 7, 65535, 65536], alphabet=b"ab", longest=1)


def written_beyond(number: int) -> Any:
    struct.pack_into("<H", bytearray(b"123"), 2, number)


def test_pack_beyond_the_end() -> None:
    agree(written_beyond, [0, 1])


@pytest.mark.parametrize("form", ["<d", ">d", "<f", ">f", "@f", "<e", ">e"])
def test_unpacking_floats(form: str) -> None:
    size = struct.calcsize(form)

    def unpacked(data: Any) -> Any:
        whole = (b"\x12\x34\x56\x78\x9a\xbc" + data)[-size:]
        return struct.unpack(form, whole[::-1] if form[0] == ">" else whole)

    texts_agree(unpacked, alphabet=b"\x00\x3f\x80\x7b\xff", longest=2)


def not_numbers(data: bytes) -> Any:
    (number,) = struct.unpack("<f", data + b"\x80\xff")
    return number != number, number < 0, number


def test_floats_that_are_no_numbers() -> None:
    texts_agree(not_numbers, alphabet=b"\x00\x01\x80", longest=2)


def known_floats(number: int) -> Any:
    return struct.pack("<bd?e", number, 1.5, number, 0.1)


def test_floats_beside_symbolic_values() -> None:
    agree(known_floats, [-128, -3, 0, 1, 127, 128])


# Smallest and largest numbers of each size, what is rounded, and both zeros.
FLOATS = [0.0, -0.0, 1.5, -0.1, 65504.0, 5e-324, 6e-8, 3.4028234663852886e38, 1e300, math.inf]


@pytest.mark.parametrize("form", ["<d", ">f", "@e"])
def test_packing_floats(form: str) -> None:
    def packed(x: float, place: int) -> None:
        for number in FLOATS:
            if x == number and math.copysign(1, x) == math.copysign(1, number):
                try:
                    expected = struct.pack(form, number)
                except OverflowError as error:
                    expected = str(error)
                try:
                    found: Any = struct.pack(form, x)
                except OverflowError as error:
                    found = str(error)
                assert found == expected

    def too_large(x: float) -> None:
        assume(x > 1)
        struct.pack(form, x)

    def back(x: float) -> None:
        assume(-60000 < x < 60000)
        (found,) = struct.unpack(form, struct.pack(form, x))
        assert abs(found - x) <= 32
        assert found == x or form != "<d"

    assert verify(packed).holds
    assert verify(back).holds
    found = verify(too_large)
    assert found.holds == (form == "<d")
    if not found.holds:
        assert found.confirmed
        assert "OverflowError" in str(found)


def test_packing_symbolic_ints_as_floats() -> None:
    def packed(n: int) -> None:
        assume(0 <= n < 100)
        assert struct.unpack("<d", struct.pack("<d", n)) == (n,)

    assert verify(packed).holds


def test_bits_of_a_nan_are_not_known() -> None:
    def again(data: bytes) -> None:
        assert struct.pack("<f", *struct.unpack("<f", data)) == data

    found = verify(again, binary(min_len=4, max_len=4))
    assert not found.holds
    assert "its bits may have changed" in str(found.reason)

    def numbers(data: bytes) -> None:
        (x,) = struct.unpack("<f", data)
        assume(x == x)
        assert struct.pack("<f", x) == data

    assert verify(numbers, binary(min_len=4, max_len=4)).holds


def test_formats_that_differ_between_paths() -> None:
    def packed(n: int, p: bool) -> Any:
        form = f"<{n}B" if n else ("B" if p else "<0s")
        record = struct.Struct(form)
        return struct.pack(form, *range(n)), record.size, record.pack(*range(n)), form

    agree(packed, [0, 1, 2], [False, True])


@pytest.mark.parametrize("form", ["P"])
def test_codes_that_are_refused(form: str) -> None:
    with pytest.raises(NotLiftedError, match=f"format code '{form}'"):
        execute(lambda number: struct.pack(form, number), Int("n"))


@pytest.mark.parametrize("form", ["B", "<H", "!q"])
def test_values_of_wrong_types(form: str) -> None:
    def packed(text: Any) -> Any:
        return struct.pack(form, text)

    texts_agree(packed, alphabet="a", longest=1)
    texts_agree(packed, alphabet=b"a", longest=1)
    agree(lambda number: struct.pack(form, number / 2), [1, 2])
