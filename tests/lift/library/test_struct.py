"""`struct`, `int.to_bytes` and `int.from_bytes` of symbolic values, against CPython."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from solvent import Float, Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
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


@pytest.mark.parametrize("form", ["P", "d", "f"])
def test_codes_that_are_refused(form: str) -> None:
    with pytest.raises(NotLiftedError, match=f"format code '{form}'"):
        execute(lambda number: struct.pack(form, number), Int("n"))
    with pytest.raises(NotLiftedError, match=f"format code '{form}'"):
        execute(lambda number: struct.pack(form, number), Float("x"))


@pytest.mark.parametrize("form", ["B", "<H", "!q"])
def test_values_of_wrong_types(form: str) -> None:
    def packed(text: Any) -> Any:
        return struct.pack(form, text)

    texts_agree(packed, alphabet="a", longest=1)
    texts_agree(packed, alphabet=b"a", longest=1)
    agree(lambda number: struct.pack(form, number / 2), [1, 2])
