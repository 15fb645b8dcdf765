"""Every method of `bytes` on symbolic bytes, against CPython on all bytes of small alphabets."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Int
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.terms.texts import octets
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

Function = Callable[..., Any]

# Letters, a digit, white space of Latin-1 that is none for bytes, and both ends of the range.
HOSTILE = b"\x00Az1 \x85\xa0\xff"


def method(name: str, *arguments: Any, **named: Any) -> Function:
    def calls(data: Any) -> Any:
        return getattr(data, name)(*arguments, **named)

    calls.__name__ = name
    return calls


TABLE = bytes(range(255, -1, -1))

CASES: list[tuple[bytes, str, tuple[Any, ...]]] = [
    *((HOSTILE, name, ()) for name in (
        "upper", "lower", "title", "capitalize", "swapcase", "isalnum", "isalpha", "isascii",
        "isdigit", "islower", "isspace", "istitle", "isupper", "strip", "lstrip", "rstrip",
        "split", "rsplit", "splitlines", "hex",
    )),
    (b"a\r\n\x0b", "splitlines", ()), (b"a\r\n\x85", "splitlines", (True,)),
    (b"ab ", "split", (None, 1)), (b"ab ", "rsplit", (None, 1)), (b"ab,", "split", (b",", 1)),
    (b"ab,", "rsplit", (b",", 1)), (b"ab", "split", (b"ab",)), (b"ab", "rsplit", (b"aa", 1)),
    (b"ab", "split", (bytearray(b"b"),)), (b"ab,", "partition", (b",",)),
    (b"ab,", "rpartition", (b",",)), (b"ab", "partition", (bytearray(b"b"),)),
    (b"ab", "find", (b"a",)), (b"ab", "find", (97,)), (b"ab", "find", (bytearray(b"b"), 1)),
    (b"ab", "rfind", (b"ab",)), (b"ab", "rfind", (b"b", 0, -1)), (b"ab", "find", (b"", 5)),
    (b"ab", "count", (b"aa",)), (b"ab", "count", (98, 1)), (b"ab", "index", (b"ab",)),
    (b"ab", "rindex", (97, 1)), (b"ab", "startswith", (b"ab",)),
    (b"ab", "startswith", ((b"b", b"aa"),)), (b"ab", "endswith", (b"b", 0, 2)),
    (b"ab", "startswith", (bytearray(b"a"),)), (b"ab", "endswith", ((b"", b"b"), 1)),
    (b"ab", "replace", (b"a", b"xy")), (b"ab", "replace", (b"", b"-", 2)),
    (b"ab", "replace", (bytearray(b"a"), b"b", 1)), (b"ab", "removeprefix", (b"a",)),
    (b"ab", "removesuffix", (b"ab",)), (b"ab ", "strip", (b"ab",)), (b"ab ", "rstrip", (b"b ",)),
    (b"ab", "center", (4,)), (b"ab", "center", (5, b"-")), (b"ab", "ljust", (3, b"\xff")),
    (b"ab", "rjust", (2,)), (b"ab", "ljust", (3, bytearray(b"-"))), (b"+-1", "zfill", (4,)),
    (b"a\t\n", "expandtabs", ()), (b"a\t\n", "expandtabs", (2,)), (b"ab", "translate", (TABLE,)),
    (b"ab", "translate", (None, b"b")), (b"ab", "translate", (TABLE, b"a")),
    (b"ab", "join", ((b"x", b"y", bytearray(b"z")),)), (b"ab", "join", ([],)),
    (b"\x00\xab", "hex", (":",)), (b"\x00\xab", "hex", ("-", 2)), (b"\x00\xab", "hex", (b":", -2)),
    (b"ab", "__len__", ()), (b"ab", "__contains__", (b"ab",)), (b"ab", "__contains__", (97,)),
    (b"ab", "__getitem__", (1,)), (b"ab", "__add__", (b"c",)), (b"ab", "__mul__", (2,)),
    (b"ab", "__eq__", (b"ab",)), (b"ab", "__lt__", (b"b",)), (b"ab", "__eq__", ("ab",)),
    (b"ab", "decode", ()),
]  # fmt: skip


@pytest.mark.parametrize(("alphabet", "name", "arguments"), CASES)
def test_method(alphabet: bytes, name: str, arguments: tuple[Any, ...]) -> None:
    longest = 2 if len(alphabet) > 4 else 3
    texts_agree(method(name, *arguments), alphabet=alphabet, longest=longest)


def test_every_method_is_there() -> None:
    tried = {name for _, name, _ in CASES}
    missing = {name for name in dir(bytes) if not name.startswith("_")} - tried
    assert missing == {"fromhex", "maketrans"}


WRONG: list[tuple[str, tuple[Any, ...]]] = [
    ("find", ("a",)), ("find", (256,)), ("find", (-1,)), ("split", (b"",)), ("split", ("a",)),
    ("startswith", ("a",)), ("startswith", (97,)), ("replace", (b"a", "b")),
    ("replace", (None, b"")),
    ("partition", (b"",)), ("partition", (97,)), ("strip", ("a",)), ("strip", (97,)),
    ("center", (5, b"ab")), ("center", (5, "a")), ("ljust", (b"a",)), ("removeprefix", ("a",)),
    ("count", ("a",)), ("index", (b"c",)), ("zfill", (b"1",)), ("split", (None, b"a")),
    ("translate", (b"abc",)), ("translate", (1,)), ("join", ((b"a", "b"),)), ("join", (1,)),
    ("join", ((b"a", 1),)), ("hex", ("ab",)), ("hex", (1,)), ("hex", ("\xff",)), ("isalpha", (1,)),
    ("__add__", ("a",)), ("__contains__", ("a",)), ("__contains__", (256,)),
    ("__getitem__", ("a",)),
    ("__getitem__", (9,)), ("endswith", ((b"a", "b"),)), ("split", (97,)), ("rpartition", ("a",)),
    ("find", (b"a", 0, 1, 2)), ("rfind", (b"a", None, None, None)), ("count", (b"a", 0, 1, 2)),
    ("startswith", (b"a", 0, 1, 2)), ("__mul__", ()), ("__getitem__", (1, 2)),
    ("isdigit", (42,)), ("removesuffix", (42, b"h")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), WRONG)
def test_wrong_arguments(name: str, arguments: tuple[Any, ...]) -> None:
    texts_agree(method(name, *arguments), alphabet=b"ab", longest=2)


@pytest.mark.parametrize(("name", "arguments"), [("isdigit", (42,)), ("removesuffix", (42, b"h"))])
def test_wrong_arguments_of_bytearrays(name: str, arguments: tuple[Any, ...]) -> None:
    called = method(name, *arguments)
    texts_agree(lambda data: called(bytearray(data)), alphabet=b"ab", longest=1)


def sliced(data: bytes, start: int, stop: int) -> Any:
    return data[start:stop], data.find(b"a", start, stop), data[start::2]


def item(data: bytes, place: int) -> Any:
    return data[place], place in data, data.count(place + 97), data.find(97 + place)


def repeated(data: bytes, count: int) -> Any:
    return data * count + count * b"x", data.split(b"a", count), data.replace(b"a", b"", count)


def test_symbolic_bounds() -> None:
    texts_agree(sliced, range(-3, 4), range(-3, 4), alphabet=b"ab", longest=2)


def test_symbolic_places() -> None:
    texts_agree(item, range(-3, 4), alphabet=b"ab")
    texts_agree(repeated, range(-1, 3), alphabet=b"ab")


def as_values(data: bytes) -> Any:
    table = {b"a": 1, b"ab": 2, data: 3}
    seen = {data, b"ba"}
    total = 0
    for place, byte in enumerate(data):
        total += byte << place
    return (
        table[data], b"a" in table, data in seen, len(seen), total, list(data), tuple(data),
        sorted(data), data == b"ab", data != b"ab", b"ab" < data, data <= b"b", bool(data),
        data == "ab", data is None, [*reversed(data)], max(data, default=0), hash(b"a"),
    )  # fmt: skip


def test_values() -> None:
    texts_agree(as_values, alphabet=b"ab", longest=2)


def built(data: bytes) -> Any:
    result = b""
    for byte in data:
        if byte == 97:
            result += b"<>"
        elif byte != 98:
            result = bytes([byte]) + result
    return result, result[::-1], bytes(reversed(result)), bytes(map(abs, data)), data + b"!" + data


def test_building_in_a_loop() -> None:
    texts_agree(built, alphabet=b"abc")


def quoted(data: bytes) -> Any:
    return repr(data), str(data), f"<{data}>", ascii(data), [data]


def test_quoting() -> None:
    texts_agree(quoted, alphabet=b"a'\"\\\n\x7f\xe9", longest=2)


def read(data: bytes) -> Any:
    try:
        return int(data)
    except ValueError as error:
        return str(error)


def read_from_bytearray(data: bytes) -> Any:
    return int(bytearray(data), 16)


@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_other_containers_are_not_in_bytes(kind: Any) -> None:
    owner = kind(b"ab")
    agree(lambda n: [n] in owner, [0, 97])
    agree(lambda n: (n,) in owner, [0, 97])
    agree(lambda n: {n: n} in owner, [0, 97])
    agree(lambda n: (n in owner, array("b", [97]) in owner, memoryview(b"b") in owner), [0, 97])


def test_reading_ints() -> None:
    texts_agree(read, alphabet=b"-1 \x85", longest=3)
    texts_agree(read_from_bytearray, alphabet=b"0xFg", longest=3)


def converted(data: bytes) -> Any:
    array = bytearray(data)
    array.append(1)
    view = memoryview(data)
    return (
        bytes(array), array, array + data, data + array, bytes(data), array == data + b"\x01",
        data == bytearray(b"a"), data < array, array > data, data in array, len(view), list(view),
        view.tobytes(), bytes(view[1:]), bytearray(view), view == data, view.tolist(), view.hex(),
        array.find(data), b"-".join([data, array, view, b"x"]), array.join([data, data]),
        isinstance(data, bytes), type(data), bytes(3), bytes([*data, 7]), ord(data[:1] or b"z"),
    )  # fmt: skip


def test_conversions() -> None:
    texts_agree(converted, alphabet=b"ab", longest=2)


def viewed(data: bytes, place: int) -> Any:
    view = memoryview(data)
    return view[place], view[place:].tobytes()


def test_views() -> None:
    texts_agree(viewed, range(-3, 4), alphabet=b"ab")


def changed(data: bytes) -> Any:
    array = bytearray(b"xyz")
    array[1:2] = data
    array += data
    array.extend(data)
    other = bytearray(data)
    del other[:1]
    return array, other, array.count(b"a"), array.index(b"z")


def test_bytearrays_of_bytes() -> None:
    texts_agree(changed, alphabet=b"ab", longest=2)


@pytest.mark.parametrize(("alphabet", "name", "arguments"), CASES)
def test_method_of_bytearray(alphabet: bytes, name: str, arguments: tuple[Any, ...]) -> None:
    def calls(data: Any) -> Any:
        return getattr(bytearray(data), name)(*arguments)

    texts_agree(calls, alphabet=alphabet[:4], longest=2)


def from_hex(text: str) -> Any:
    return bytes.fromhex(text), bytearray.fromhex(text)


def test_fromhex() -> None:
    texts_agree(from_hex, alphabet="aF0 g\xe9", longest=3)


def tables(data: bytes) -> Any:
    return data.translate(bytes.maketrans(b"ab", b"xy"))


def test_maketrans() -> None:
    texts_agree(tables, alphabet=b"abc", longest=2)


def made(number: int) -> Any:
    return bytes([number, 1]), bytearray((number,)), bytes([number]).hex()


def test_bytes_of_numbers() -> None:
    agree(made, [-1, 0, 1, 3, 255, 256])


def counted(number: int) -> Any:
    return bytes(number), bytes([True, number == 1]), bytes(range(number))


def test_bytes_of_counts() -> None:
    agree(counted, [-1, 0, 1, 3])


ODD = {
    "encoding of bytes": lambda data: bytes(data, "utf-8"),
    "encoding of a number": lambda data: bytearray(data[0], "utf-8"),
    "many arguments": lambda data: data.decode("utf-8", "strict", 1),
    "unknown argument": lambda data: data.decode(encode="utf-8"),
    "view beyond": lambda data: memoryview(data)[5],
    "view by name": lambda data: memoryview(data)["a"],
    "sum of kinds": lambda data: data + 1,
    "sum with text": lambda data: "a" + data,
    "order of kinds": lambda data: data < "a",
    "list of texts": lambda data: b"".join(["a", data]),
    "list of numbers": lambda data: b",".join(data),
    "attribute": lambda data: data.casefold(),
    "byte of none": lambda data: bytes([data[0], None]),
    "byte of bytes": lambda data: bytes([data]),
}


@pytest.mark.parametrize("name", ODD)
def test_what_fails(name: str) -> None:
    texts_agree(ODD[name], alphabet=b"ab", longest=1)


def percent(data: bytes) -> Any:
    first = data[0] if data else 7
    return (
        b"%s|%5b|%-4.1s|%c|%d" % (data, data, data, data[:1], first % 16),
        b"%(k)b%%%(n)r" % {b"k": data, b"n": "é"}, b"<%b>" % data, b"%*x%a" % (3, first, data),
        bytearray(b"%b-%c") % (data, first), b"%s%.2f" % (bytearray(b"x"), first / 4),
    )  # fmt: skip


def test_percent() -> None:
    texts_agree(percent, alphabet=b"a'\xff", longest=2)


WRONG_PERCENT: dict[str, Function] = {
    "a number of bytes": lambda data: b"%d" % data,
    "bytes of a text": lambda data: b"%s" % chr(data[0]),
    "bytes of a number": lambda data: b"%b" % data[0],
    "a character beyond bytes": lambda data: b"%c" % (data[0] * 3),
    "several characters": lambda data: b"%c" % (data + b"x"),
    "a key that is a text": lambda data: b"%(k)s" % {"k": data},
    "too many": lambda data: b"%b" % (data, data),
    "not enough": lambda data: b"%b%b" % (data,),
}


@pytest.mark.parametrize("name", WRONG_PERCENT)
def test_wrong_percent(name: str) -> None:
    texts_agree(WRONG_PERCENT[name], alphabet=b"a\xff", longest=1)


PERCENT_REFUSED: dict[str, Function] = {
    "with a symbolic template": lambda data: data % 1,
    "of a symbolic bytearray": lambda data: b"%s" % bytearray(data),
    "of a symbolic memoryview": lambda data: b"%s" % memoryview(data),
    "of a symbolic number without known bounds": lambda data: b"%d" % data[0],
}


@pytest.mark.parametrize("message", PERCENT_REFUSED)
def test_percent_is_refused(message: str) -> None:
    with pytest.raises(NotLiftedError, match=f"{message}.* is not lifted"):
        execute(PERCENT_REFUSED[message], octets([Int("x")]))


def parts_of_known(data: bytes) -> Any:
    return data in b"aab", data + b"a" in b"aab", data in bytearray(b"aab"), data[:1] in b"b"


def test_parts_of_known_bytes() -> None:
    texts_agree(parts_of_known, alphabet=b"abc", longest=3)


def by_named_buffers(data: bytes) -> Any:
    part = bytearray(data[:1] or b"a")
    return (
        data.rsplit(sep=part), bytearray(data).split(sep=part, maxsplit=1),
        data.translate(None, delete=part),
    )  # fmt: skip


def test_buffers_that_are_given_by_name() -> None:
    texts_agree(by_named_buffers, alphabet=b"ab", longest=3)
