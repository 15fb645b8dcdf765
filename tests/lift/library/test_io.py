"""`StringIO` and `BytesIO` with symbolic contents, against CPython."""

from __future__ import annotations

import contextlib
import csv
import io
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from solvent import verify
from solvent.errors import NotLiftedError
from solvent.lift import execute
from solvent.lift.registry import TRUSTED
from solvent.lift.under_model import evaluate
from solvent.terms import Bool, Int
from solvent.vm import hidden
from solvent.vm.union import choices_of
from tests.lift.differential import agree

LETTERS = [ord("a"), ord("\n")]
BOOLS = [False, True]


def read_parts(a: int, b: int) -> Any:
    s = io.StringIO(chr(a) + chr(b) + "c")
    first = s.read(1)
    place = s.tell()
    line = s.readline()
    rest = s.read()
    return first, place, line, rest, s.read(2), s.tell(), s.getvalue()


def lines_of(a: int, b: int) -> Any:
    s = io.StringIO("x" + chr(a) + chr(b) + "y")
    found = list(s)
    s.seek(0)
    return found, s.readlines(), s.seek(1), next(s, ""), s.seek(0, 2), s.readline()


def lines_of_limited_length(a: int, n: int) -> Any:
    s = io.StringIO("x" + chr(a) + "yz\nuv")
    t = io.BytesIO(b"x" + bytes([a]) + b"yz\nuv")
    return s.readline(n), s.readlines(2), s.read(None), t.readlines(5), t.tell()


def written(a: int, p: bool) -> Any:
    s = io.StringIO()
    if p:
        s.write("start")
    count = s.write(chr(a) + "!")
    s.writelines(["x", chr(a)])
    return count, s.getvalue(), s.tell(), s.read()


def written_in_the_middle(a: int, n: int) -> Any:
    s = io.StringIO("abc")
    s.seek(n)
    s.write(chr(a) * 2)
    return s.getvalue(), s.tell(), s.read()


def written_behind_the_end(a: int, n: int) -> Any:
    s = io.StringIO(chr(a))
    s.seek(n)
    s.write("")
    empty = s.getvalue(), s.tell(), s.read()
    s.write("z")
    return empty, s.getvalue()


def shortened(a: int, n: int) -> Any:
    s = io.StringIO(chr(a) + "bcd")
    s.read(2)
    return s.truncate(n), s.tell(), s.getvalue(), s.write("!"), s.getvalue(), s.truncate()


def failing(a: int, n: int) -> Any:
    s: Any = io.StringIO(chr(a))
    if n == 0:
        s.seek(-1)
    elif n == 1:
        s.seek(1, 1)
    elif n == 2:
        s.seek(0, 5)
    elif n == 3:
        s.truncate(-1)
    elif n == 4:
        s.write(a)
    elif n == 5:
        return io.StringIO(a)  # type: ignore[arg-type]
    else:
        s.write(None)
    return None


def closed(a: int, p: bool) -> Any:
    s = io.StringIO(chr(a))
    if p:
        s.close()
    found = s.closed
    try:
        return found, s.read(), s.readable()
    except ValueError as error:
        return found, str(error)


def closed_by_with(a: int, p: bool) -> Any:
    with io.StringIO() as s:
        s.write(chr(a))
        if p:
            return s.getvalue(), s.isatty(), s.seekable(), s.writable()
    return s.closed, s.write("x")


def octets(a: int, n: int) -> Any:
    s = io.BytesIO(bytes([a, 10, 7]))
    line = s.readline()
    s.seek(-n, 2)
    s.write(bytearray([a]))
    s.seek(-1, 1)
    return line, s.tell(), s.read(), s.getvalue(), s.seek(n + 2), s.write(b"z"), s.getvalue()


def octets_failing(a: int, n: int) -> Any:
    s: Any = io.BytesIO(bytes([a]))
    if n == 0:
        s.seek(-1)
    elif n == 1:
        s.write("x")
    else:
        s.write(a)


def printed(a: int, p: bool) -> Any:
    s = io.StringIO()
    print("n", a, sep="=", file=s)
    if p:
        with contextlib.redirect_stdout(s):
            print(a)
    return s.getvalue()


def merged(a: int, p: bool, q: bool) -> Any:
    s = io.StringIO("abc")
    other = s
    if p:
        s.write(chr(a))
    if q:
        other.read(1)
    return s.read(), other.getvalue(), s is other


def returned(a: int, p: bool) -> Any:
    s = io.StringIO("x")
    s.seek(0, 2)
    s.write(chr(a))
    if p:
        s.seek(1)
    return s


class Loud(io.StringIO):
    """A stream of the program's own."""

    def write(self, text: str) -> int:
        return super().write(text.upper())


def derived(a: int, p: bool) -> Any:
    s = Loud()
    if p:
        s.write(chr(a))
    s.write("b")
    return s.getvalue()


def rows(a: int, b: int) -> Any:
    out = io.StringIO()
    csv.writer(out).writerow(["x", chr(a), b])
    return out.getvalue(), list(csv.reader(io.StringIO("a," + chr(a) + "b\n" + chr(b))))


def words(a: int, b: int) -> Any:
    return shlex.split(chr(a) + chr(b) + " x")


@pytest.mark.parametrize(
    ("function", "domains"),
    [
        (read_parts, (LETTERS, LETTERS)), (lines_of, (LETTERS, LETTERS)),
        (lines_of_limited_length, (LETTERS, range(-1, 4))), (written, (LETTERS, BOOLS)),
        (written_in_the_middle, (LETTERS, range(5))), (written_behind_the_end, (LETTERS, range(4))),
        (shortened, (LETTERS, range(6))), (failing, (LETTERS, range(7))),
        (closed, (LETTERS, BOOLS)), (closed_by_with, (LETTERS, BOOLS)),
        (octets, (LETTERS, range(4))), (octets_failing, (LETTERS, range(3))),
        (printed, (range(3), BOOLS)), (merged, (LETTERS, BOOLS, BOOLS)),
        (derived, ([97, 0xDF], BOOLS)), (rows, ([97, 44, 34], [97, 10])),
        (words, ([97, 32, 39, 92], [97, 32, 39])),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_agrees(function: Callable[..., Any], domains: tuple[Any, ...]) -> None:
    agree(function, *domains)


def test_a_stream_under_a_model() -> None:
    def look(a: int, p: bool) -> Any:
        s = returned(a, p)
        return s.getvalue(), s.tell()

    a, p = Int("a"), Bool("p")
    outcome = execute(returned, a, p)
    for letter in LETTERS:
        for flag in BOOLS:
            found = evaluate(outcome.value, {a: letter, p: flag})
            assert (found.getvalue(), found.tell()) == look(letter, flag)


def test_writes_under_conditions_have_a_member_for_each_length() -> None:
    def collect(flags: list[bool], a: int) -> Any:
        s = io.StringIO()
        s.write(chr(a))
        for flag in flags:
            if flag:
                s.write(chr(a))
        return s.getvalue()

    flags = [Bool(f"p{n}") for n in range(12)]
    outcome = execute(collect, flags, Int("a"))
    assert len(choices_of(outcome.value)) == 13


def test_contents_that_are_concrete_again_are_the_objects_own() -> None:
    def overwritten(a: int) -> Any:
        s = io.StringIO(chr(a))
        s.write("x")
        return s

    found = execute(overwritten, Int("a")).value
    assert found.getvalue() == "x"
    assert not hidden.is_held(found)


def test_line_ends_that_are_translated_are_refused() -> None:
    def translated(a: int) -> Any:
        s = io.StringIO(newline=None)
        s.write(chr(a))

    with pytest.raises(NotLiftedError, match="newline"):
        execute(translated, Int("a"))


def test_code_that_is_not_lifted_is_given_no_old_contents() -> None:
    def state(a: int) -> Any:
        s: Any = io.StringIO()
        s.write(chr(a))
        return s.__getstate__()

    with pytest.raises(NotLiftedError, match="symbolic"):
        execute(state, Int("a"))


def test_a_stream_that_was_changed_behind_the_back_of_lifted_code() -> None:
    stream = io.StringIO()

    def change(a: int) -> Any:
        stream.write(chr(a))
        behind()
        return stream.getvalue()

    def behind() -> None:
        io.StringIO.write(stream, "b")

    TRUSTED.add(behind)
    with pytest.raises(NotLiftedError, match="used by code that is not lifted"):
        execute(change, Int("a"))


def test_a_query_leaves_the_streams_of_others_as_they_are() -> None:
    stream = io.StringIO("abc")

    def change(a: int) -> None:
        stream.write(str(a))
        assert stream.getvalue() != "bc"

    assert verify(change).holds
    assert (stream.getvalue(), stream.tell()) == ("abc", 0)
