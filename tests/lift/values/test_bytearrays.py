"""Bytearrays under symbolic conditions, with symbolic bytes, against CPython."""

from __future__ import annotations

import copy
import gc
import struct
import zlib
from typing import Any

import pytest

from solvent import Bool, Float, Int, evaluate, lifted
from solvent.errors import NotLiftedError
from solvent.lift import Outcome, execute, is_symbolic, symbolics
from solvent.vm import buffers
from tests.lift.differential import agree

BOOLS = [False, True]


def two(*inputs: Any) -> tuple[Any, ...]:
    """The inputs after a bytearray, another and an alias of the first."""
    data = bytearray(b"abc")
    return (data, bytearray(b"z"), [data], *inputs)


# --- writing under a condition --------------------------------------------------------------------


def write_item(data: Any, other: Any, alias: Any, p: Any) -> Any:
    seen = alias[0]
    if p:
        data[1] = 7
    else:
        seen[-1] = 9
    return data is seen, seen[1], data[2], len(data)


def test_item_under_condition() -> None:
    agree(write_item, BOOLS, make=two)


def write_symbolic(data: Any, other: Any, alias: Any, i: Any, x: Any) -> Any:
    data[i] = x
    other[0] = x
    return sum(alias[0]), other[0] + 1


def test_symbolic_index_and_value() -> None:
    agree(write_symbolic, range(-5, 5), [-1, 0, 1, 255, 256], make=two)


def write_caught(data: Any, other: Any, alias: Any, i: Any, x: Any) -> Any:
    try:
        data[i] = x
    except ValueError as error:
        return str(error), data[0]
    except IndexError as error:
        data.append(1)
        return str(error), data[-1]
    return data[i]


def test_exceptions_are_caught() -> None:
    agree(write_caught, [-4, -1, 0, 2, 3], [-1, 5, 300], make=two)


def write_bool(data: Any, other: Any, alias: Any, p: Any) -> Any:
    data[0] = p
    if p:
        data[p] = True
    return data[0], type(data[1])


def test_bools_become_ints() -> None:
    agree(write_bool, BOOLS, make=two)


class Three:
    """Something that Python takes as an int."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __index__(self) -> Any:
        return self.value


def write_indices(data: Any, other: Any, alias: Any, x: Any) -> Any:
    data[Three(1)] = Three(x)
    data.append(Three(x))
    return data


def test_objects_with_index() -> None:
    agree(write_indices, [0, 3], make=two)


METHODS = {
    "append": lambda d, o, p, x: d.append(x),
    "extend list": lambda d, o, p, x: d.extend([1, x]),
    "extend bytes": lambda d, o, p, x: d.extend(b"xy"),
    "extend itself": lambda d, o, p, x: d.extend(d),
    "extend generator": lambda d, o, p, x: d.extend(x + k for k in range(2)),
    "insert": lambda d, o, p, x: d.insert(1, x),
    "insert at symbolic": lambda d, o, p, x: d.insert(x, 5),
    "insert at the end": lambda d, o, p, x: d.insert(-1, 5),
    "pop": lambda d, o, p, x: d.pop(),
    "pop first": lambda d, o, p, x: d.pop(0),
    "pop symbolic": lambda d, o, p, x: d.pop(x),
    "remove": lambda d, o, p, x: d.remove(98),
    "remove symbolic": lambda d, o, p, x: d.remove(x + 97),
    "clear": lambda d, o, p, x: d.clear(),
    "reverse": lambda d, o, p, x: d.reverse(),
    "iadd": lambda d, o, p, x: d.__iadd__(o),
    "iadd itself": lambda d, o, p, x: d.__iadd__(d),
    "imul": lambda d, o, p, x: d.__imul__(2),
    "imul symbolic": lambda d, o, p, x: d.__imul__(x),
    "delete": lambda d, o, p, x: d.__delitem__(0),
    "delete last": lambda d, o, p, x: d.__delitem__(-1),
    "delete symbolic": lambda d, o, p, x: d.__delitem__(x),
    "delete slice": lambda d, o, p, x: d.__delitem__(slice(1, None)),
    "delete step": lambda d, o, p, x: d.__delitem__(slice(None, None, 2)),
    "set slice": lambda d, o, p, x: d.__setitem__(slice(1, 2), b"123"),
    "set slice list": lambda d, o, p, x: d.__setitem__(slice(0, 1), [x, x]),
    "set slice itself": lambda d, o, p, x: d.__setitem__(slice(1, 1), d),
    "set symbolic slice": lambda d, o, p, x: d.__setitem__(slice(x, None), o),
    "set step": lambda d, o, p, x: d.__setitem__(slice(None, None, 2), [x, 1]),
    "set step wrong": lambda d, o, p, x: d.__setitem__(slice(None, None, 2), [x]),
    "set step empty": lambda d, o, p, x: d.__setitem__(slice(None, None, 2), []),
    "set far": lambda d, o, p, x: d.__setitem__(3, x),
    "set near the end": lambda d, o, p, x: d.__setitem__(-3, x),
}


@pytest.mark.parametrize("name", METHODS)
def test_changing_under_a_condition(name: str) -> None:
    change = METHODS[name]

    def once(data: Any, other: Any, alias: Any, p: Any, x: Any) -> Any:
        if p:
            result = change(data, other, p, x)
        else:
            result = None
            data[0] = 1
        return result is data, list(alias[0]), len(data)

    agree(once, BOOLS, [-1, 0, 1, 2], make=two)


@pytest.mark.parametrize("name", METHODS)
def test_changing_a_ragged_one(name: str) -> None:
    change = METHODS[name]

    def ragged(data: Any, other: Any, alias: Any, p: Any, x: Any) -> Any:
        if p:
            data.append(7)
        result = change(data, other, p, x)
        if x == 1:
            data += b"!"
        return result is data, bytearray(data), data == alias[0]

    agree(ragged, BOOLS, [-1, 0, 1, 2], make=two)


@pytest.mark.parametrize("name", METHODS)
def test_changing_an_empty_one(name: str) -> None:
    change = METHODS[name]

    def empty(data: Any, other: Any, p: Any, x: Any) -> Any:
        if p:
            data.append(x + 1)
        try:
            return type(change(data, other, p, x))
        except (IndexError, ValueError) as error:
            return str(error), len(data)

    agree(empty, BOOLS, [-1, 0, 1], make=lambda *xs: (bytearray(), bytearray(b"ab"), *xs))


def in_a_loop(data: Any, other: Any, alias: Any, a: Any, b: Any) -> Any:
    for x in (a, b):
        for place, byte in enumerate(data):
            if byte == x + 97:
                data[place] = 0
                break
        else:
            data.append(x)
    while data and data[-1] < 2:
        data.pop()
    return data


def test_in_a_loop() -> None:
    agree(in_a_loop, range(4), range(4), make=two)


def changed_while_iterating(data: Any, p: Any) -> Any:
    seen = []
    for byte in data:
        seen.append(byte)
        if p and len(data) < 5:
            data.append(byte + 1)
        elif byte == 97:
            data[1] = 5
    return seen


def test_iteration_sees_changes() -> None:
    agree(changed_while_iterating, BOOLS, make=lambda p: (bytearray(b"abc"), p))


def left_early(data: Any, x: Any) -> Any:
    try:
        data[0] = 1
        if x == 0:
            return data
        data.extend(b"xy")
        if x == 1:
            raise KeyError(data)
        data[1] = x
    except KeyError as error:
        del data[0]
        return error.args[0] is data
    finally:
        data.append(9)
    return data[1]


def test_paths_that_leave() -> None:
    agree(left_early, range(4), make=lambda x: (bytearray(b"abc"), x))


def raised(data: Any, p: Any) -> Any:
    if p:
        data[0] = 1
    error = ValueError(data)
    data.append(2)
    if len(data) > 0:
        raise error
    data.append(3)


def test_exceptions_show_the_contents() -> None:
    agree(raised, BOOLS, make=lambda p: (bytearray(b"abc"), p))


def chosen(p: Any, q: Any, x: Any) -> Any:
    first, second = bytearray(b"ab"), bytearray(b"c")
    both = [first, second]
    data = first if p else second
    data[0] = x
    data.append(1)
    if q:
        data = second
    data += b"!"
    return both, data, len(data), data is first


def test_unions_of_bytearrays() -> None:
    agree(chosen, BOOLS, BOOLS, [3, 300])


def mixed(p: Any, x: Any) -> Any:
    data = bytearray(b"ab") if p else [1, 2]
    data[0] = x
    data.append(4)
    return data, x in data, len(data)


def test_unions_with_other_classes() -> None:
    agree(mixed, BOOLS, [0, 255, 256])


def rebuilt(xs: Any) -> Any:
    result = bytearray()
    for x in xs:
        if x > 1:
            result = result + bytearray([x])
        else:
            result = bytearray(b"\x00") + result
    return result


def test_those_that_nobody_else_sees_merge() -> None:
    outcome = agree(rebuilt, range(4), range(4), range(4), make=lambda *xs: (list(xs),))
    assert type(outcome.value) is bytearray


# --- reading --------------------------------------------------------------------------------------

READS = {
    "item": lambda d, x: d[x],
    "last": lambda d, x: d[-1],
    "far": lambda d, x: d[3],
    "slice": lambda d, x: (d[1:], d[:-1], d[::-1], d[5:]),
    "symbolic slice": lambda d, x: (d[x:], d[:x]),
    "length": lambda d, x: (len(d), bool(d), not d),
    "list": lambda d, x: (list(d), tuple(d), sorted(d), sum(d), max(d), min(d)),
    "iterators": lambda d, x: (
        list(enumerate(d)),
        list(zip(d, d, strict=True)),
        list(reversed(d)),
    ),
    "next": lambda d, x: next(iter(d)),
    "star": lambda d, x: [*d, *d[1:]],
    "comprehension": lambda d, x: [byte + x for byte in d if byte != 98],
    "in": lambda d, x: (x in d, 98 in d, b"bc" in d, bytearray(b"a") in d, b"" in d),
    "in out of range": lambda d, x: x + 254 in d,
    "in str": lambda d, x: "a" in d,
    "equal": lambda d, x: (d == b"abc", d != bytearray(b"abc"), b"abc" == d, d == d, d == [97]),
    "equal by name": lambda d, x: (d.__eq__(b"abc"), d.__eq__(3), d.__lt__(b"b")),
    "order": lambda d, x: (d < b"abd", d >= bytearray(b"ab"), b"abc" <= d, d > d),
    "order of others": lambda d, x: d < [1],
    "count": lambda d, x: (d.count(98), d.count(b"b"), d.count(b""), d.count(x), d.count(b"bb")),
    "count from": lambda d, x: (d.count(98, 1), d.count(98, x), d.count(b"b", -2, -1)),
    "find": lambda d, x: (d.find(98), d.find(b"bc"), d.rfind(b"b"), d.find(b"z"), d.find(b"")),
    "find from": lambda d, x: (d.find(98, x), d.find(b"", 3), d.find(b"", 9), d.rfind(98, 0, -1)),
    "index": lambda d, x: d.index(99),
    "rindex": lambda d, x: d.rindex(b"bc", 1),
    "find str": lambda d, x: d.find("a"),
    "starts": lambda d, x: (d.startswith(b"ab"), d.endswith(b"c"), d.startswith((b"x", b"a"))),
    "starts from": lambda d, x: (d.startswith(b"b", x), d.endswith(b"b", 0, -1)),
    "starts with str": lambda d, x: d.startswith("a"),
    "copies": lambda d, x: (d.copy(), copy.copy(d), copy.deepcopy([d, d]), bytearray(d)),
    "add": lambda d, x: (d + b"x", d + d, d * 2, 2 * d, d * 0),
    "repeated": lambda d, x: d * x,
    "add wrong": lambda d, x: d + list(d),
    "multiply wrong": lambda d, x: d * 1.5,
    "add to list": lambda d, x: list(d) + d,
    "bytes": lambda d, x: (bytes(d), b"<" + d, bytes(d) == b"abc"),
    "text": lambda d, x: (d.hex(), d.decode(), repr(d), f"{d}", str(d, "ascii"), str([d])),
    "parts": lambda d, x: (
        d.split(b"b"),
        d.upper(),
        d.strip(b"a"),
        d.isalpha(),
        d.replace(b"a", d),
    ),
    "number": lambda d, x: (int.from_bytes(d, "big"), int.from_bytes(d, "little", signed=True)),
    "unpacked": lambda d, x: [a + b for a, b, *_ in [d]],
    "exactly": lambda d, x: [c for _, _, c in [d]],
    "any": lambda d, x: (any(d), all(d), isinstance(d, bytearray), type(d)),
    "wrong index": lambda d, x: d["a"],
}


@pytest.mark.parametrize("name", READS)
def test_reading(name: str) -> None:
    read = READS[name]

    def use(data: Any, p: Any, q: Any, x: Any) -> Any:
        if p:
            data[1] = 0x42
        if q:
            data.append(98)
        return read(data, x)

    agree(use, BOOLS, BOOLS, range(-1, 4), make=lambda *xs: (bytearray(b"abc"), *xs))


@pytest.mark.parametrize("name", list(READS))
def test_reading_symbolic_bytes(name: str) -> None:
    read = READS[name]

    def use(data: Any, x: Any) -> Any:
        data[0] = x + 97
        return read(data, x)

    agree(use, range(-1, 4), make=lambda x: (bytearray(b"abc"), x))


def numbers(data: Any) -> Any:
    return int(data), float(data), ord(data[:1])


def test_numbers_in_text() -> None:
    def use(p: Any) -> Any:
        data = bytearray(b"12")
        if p:
            data[0] = 51
        return numbers(data)

    agree(use, BOOLS)


# --- making ---------------------------------------------------------------------------------------

SOURCES = {
    "list": lambda x: bytearray([1, x]),
    "generator": lambda x: bytearray(k + x for k in range(3)),
    "range": lambda x: bytearray(range(x)),
    "count": lambda x: bytearray(x),
    "bytes of count": lambda x: bytearray(bytes(3)),
    "text": lambda x: bytearray("é", "utf8"),
    "text without encoding": lambda x: bytearray("a"),
    "nothing": lambda x: bytearray(),
    "none": lambda x: bytearray([None, x]),
    "index": lambda x: bytearray(Three(x)),
    "float": lambda x: bytearray(1.5),
    "union": lambda x: bytearray([x] if x > 1 else b"a"),
    "view": lambda x: bytearray(memoryview(b"ab")),
}


@pytest.mark.parametrize("name", SOURCES)
def test_making(name: str) -> None:
    source = SOURCES[name]

    def make(x: Any) -> Any:
        result = source(x)
        result.append(x + 1)
        return result

    agree(make, range(-2, 4))


def bytes_of(p: Any, q: Any) -> Any:
    return bytes([1 if p else 2, 3 if q else 4]), {bytes([p]): q}


def test_bytes_of_choices() -> None:
    agree(bytes_of, BOOLS, BOOLS)


def wrong_bytes(p: Any) -> Any:
    return bytes([1 if p else 300])


def test_bytes_out_of_range() -> None:
    agree(wrong_bytes, BOOLS)


def consumed(x: Any) -> Any:
    taken = []

    def source() -> Any:
        for item in (1, x, 2):
            taken.append(item)
            yield item

    data = bytearray(b"a")
    try:
        data.extend(source())
    except ValueError:
        data.append(0)
    return data, taken


def test_nothing_is_taken_after_a_wrong_byte() -> None:
    agree(consumed, [5, 300])


# --- code that is not lifted ----------------------------------------------------------------------


def packed(data: Any, p: Any) -> Any:
    if p:
        struct.pack_into("<H", data, 1, 513)
        return struct.unpack_from("<H", data, 0)
    return None


def test_native_effects_are_undone() -> None:
    agree(packed, BOOLS, make=lambda p: (bytearray(b"abc"), p))


def refused(function: Any) -> str:
    """The message with which a run on a truth value and a number is refused."""
    with pytest.raises(NotLiftedError) as caught:
        execute(function, Bool("p"), Int("x"))
    return str(caught.value)


def symbolic_to_native(p: Any, x: Any) -> Any:
    data = bytearray(b"abc")
    if p:
        data[0] = 7
    return zlib.compress(data)


def symbolic_inside(p: Any, x: Any) -> Any:
    data = bytearray(b"abc")
    if p:
        data[0] = 7
    return zlib.compress(b"".join([data, b"x"]))


def symbolic_view(p: Any, x: Any) -> Any:
    data = bytearray(b"abc")
    if p:
        data[0] = 7
    return memoryview(data)


@pytest.mark.parametrize("function", [symbolic_to_native, symbolic_inside, symbolic_view])
def test_symbolic_contents_are_not_given_away(function: Any) -> None:
    assert "is not lifted and was called with a symbolic value" in refused(function)


def unknown_number(p: Any, x: Any) -> Any:
    return float(bytearray([x]))


def unknown_template(p: Any, x: Any) -> Any:
    return bytearray([x]) % 1


@pytest.mark.parametrize("function", [unknown_number, unknown_template])
def test_unknown_bytes_are_refused(function: Any) -> None:
    assert "cannot be used as concrete bytes" in refused(function)


def known_by_items(x: Any) -> Any:
    data = bytearray(2)
    data[0] = x
    return bytes(data), f"{data}", data.hex(), data + b"!", b"".join([data, data])


def test_bytes_of_symbolic_contents() -> None:
    agree(known_by_items, [-1, 0, 39, 92, 127, 200, 255, 256])


def viewed(p: Any, x: Any) -> Any:
    data = bytearray(b"abc")
    view = memoryview(data)
    if p:
        data[0] = 7
    return view[0]


def written_view(p: Any, x: Any) -> Any:
    data = bytearray(b"abc")
    view = memoryview(data)
    if p:
        view[0] = 7
    return data


@pytest.mark.parametrize("function", [viewed, written_view])
def test_views_are_refused(function: Any) -> None:
    assert "`memoryview`" in refused(function)


def view_of_concrete(p: Any) -> Any:
    data = bytearray(b"abc")
    view = memoryview(data)
    view[0] = 7
    if p:
        view[1] = 5
        data[2] = view[0]
        data[1:] = b"bc"
    return bytes(view), data


def test_views_of_concrete_contents() -> None:
    agree(view_of_concrete, BOOLS)


# --- what the caller sees -------------------------------------------------------------------------


def change_first(data: Any, p: Any, x: Any) -> None:
    if p:
        data[0] = x


def test_concrete_contents_show() -> None:
    data = bytearray(b"abc")

    def both(data: Any, p: Any) -> None:
        if p:
            data[0] = 120
            data.append(1)
        else:
            data.append(1)
            data[0] = 120

    execute(both, data, Bool("p"))
    assert data == b"xbc\x01"


def test_symbolic_contents_show_a_text() -> None:
    data = bytearray(b"abc")
    p, x = Bool("p"), Int("x")
    outcome = execute(change_first, data, p, x)
    assert isinstance(outcome, Outcome)
    assert data.startswith(b"<symbolic bytes ")
    assert is_symbolic(data)
    assert set(symbolics(data)) == {p, x}
    assert evaluate(data, {p: True, x: 5}) == b"\x05bc"
    assert evaluate([data, data], {p: False, x: 5}) == [b"abc", b"abc"]
    execute(lambda data: data.pop(0), data)
    assert data == b"bc"
    assert evaluate(data, {}) is data


def test_a_second_run_goes_on() -> None:
    data = bytearray(b"abc")
    p, x = Bool("p"), Int("x")
    execute(change_first, data, p, x)
    outcome = execute(lambda data: data[0] + 1, data)
    assert evaluate(outcome.value, {p: True, x: 5}) == 6
    assert evaluate(outcome.value, {p: False, x: 5}) == 98


def test_new_contents_count() -> None:
    data = bytearray(b"abc")
    execute(change_first, data, Bool("p"), Int("x"))
    data[:] = b"new"
    assert execute(lambda data: list(data), data).value == [110, 101, 119]
    assert not is_symbolic(data)


def test_a_changed_text_is_refused() -> None:
    data = bytearray(b"abc")
    execute(change_first, data, Bool("p"), Int("x"))
    data.append(1)
    with pytest.raises(NotLiftedError, match="changed by code that is not lifted"):
        execute(lambda data: data[0], data)


def test_outside_of_a_run() -> None:
    @lifted
    def first(data: Any, p: Any) -> Any:
        if p:
            data[0] = 1
        return data[0]

    data = bytearray(b"a")
    assert str(first(data, Bool("p"))) == "ite(p, 1, 97)"
    assert evaluate(data, {"p": True}) == b"\x01"


def test_shadows_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever other tests have left.
    monkeypatch.setattr(buffers, "_limit", 0)
    p = Bool("p")
    kept = bytearray(b"a")
    execute(change_first, kept, p, 1)
    gc.collect()
    # Others may be alive, and they are swept when there are twice as many as were left.
    before = len(buffers._SHADOWS)
    for _ in range(2 * before + 500):
        execute(change_first, bytearray(b"a"), p, 1)
    gc.collect()
    assert len(buffers._SHADOWS) < 2 * before + 400
    assert evaluate(kept, {p: True}) == b"\x01"


class Labelled(bytearray):
    """A bytearray with a method of its own."""

    def first(self) -> Any:
        return self[0]


def derived(data: Any, p: Any, x: Any) -> Any:
    if p:
        data[0] = x
        data.append(x)
    return data.first(), len(data), list(data), [byte + 1 for byte in data], x in data


def test_derived_classes() -> None:
    agree(derived, BOOLS, range(3), make=lambda *xs: (Labelled(b"abc"), *xs))


WRONG = {
    "too few": lambda d: d.append(),
    "too many": lambda d: d.pop(1, 2),
    "keyword": lambda d: d.append(value=1),
    "order": lambda d: int.from_bytes(d, "middle"),
    "kind": lambda d: bytearray.append([d], 1),
    "codec": lambda d: d.decode("none"),
    "start": lambda d: sum([d], d),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls(name: str) -> None:
    wrong = WRONG[name]

    def use(data: Any, p: Any, q: Any) -> Any:
        if p:
            data[0] = 98
        return wrong(data) if q else None

    agree(use, BOOLS, BOOLS, make=lambda *xs: (bytearray(b"abc"), *xs))


def test_floats_are_refused_as_in_cpython() -> None:
    def made(x: float) -> Any:
        try:
            return bytearray(x)  # type: ignore[arg-type]
        except TypeError as error:
            return str(error)

    assert execute(made, Float("x")).value == made(1.5)
