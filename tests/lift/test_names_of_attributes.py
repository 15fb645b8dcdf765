"""`getattr` and its like with symbolic texts as names, against CPython."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from solvent import NotLiftedError, Str
from solvent.lift import execute
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree

SMALL = [0, 1, 2]


class Record:
    k = 5

    def __init__(self, x: Any) -> None:
        self.a = x
        self.b = x + 1

    @property
    def p(self) -> Any:
        return self.b * 2


class Slotted:
    __slots__ = ("a", "b")


class Computed:
    def __getattr__(self, name: str) -> str:
        return name + "!"


def letter(n: Any) -> Any:
    return chr(97 + n)


def test_reading() -> None:
    def f(n: int, x: int) -> Any:
        record = Record(x)
        name = letter(n)
        found = getattr(record, name, "none"), hasattr(record, name), hasattr(Record, name)
        return found, getattr(record, "a" + name, 1), getattr(Computed(), name)

    agree(f, SMALL, SMALL)


def test_missing_attributes() -> None:
    agree(lambda n, x: getattr(Record(x), letter(n)), SMALL, SMALL)
    agree(lambda n, x: getattr(Record(x), letter(n) * 2), SMALL, SMALL)


def test_writing() -> None:
    def f(n: int, x: int) -> Any:
        record, slotted = Record(x), Slotted()
        setattr(record, letter(n), 9)
        setattr(slotted, letter(x), n)
        return record, slotted

    agree(f, SMALL, SMALL)


def test_deleting() -> None:
    def f(n: int, x: int) -> Any:
        record = Record(x)
        delattr(record, letter(n))
        return record

    agree(f, SMALL, SMALL)


def test_attributes_that_only_some_paths_have() -> None:
    def f(n: int, x: int) -> Any:
        record = Record(x)
        if x > 1:
            record.c = 7  # type: ignore[attr-defined]
        return getattr(record, letter(n), None), hasattr(record, letter(n))

    agree(f, SMALL, SMALL)


def test_any_text_names_one_of_the_attributes() -> None:
    def f(name: str) -> Any:
        return getattr(Record(1), name, "none"), hasattr(Record(1), name)

    texts_agree(f, alphabet="abkpß")


def test_getters() -> None:
    agree(lambda n, x: operator.attrgetter(["a", "b", "k"][n])(Record(x)), SMALL, SMALL)
    agree(lambda n, x: operator.attrgetter(letter(n), "k")(Record(x)), SMALL, SMALL)


def test_too_many_names() -> None:
    def f(name: Any) -> None:
        setattr(Record(1), name, 2)

    with pytest.raises(NotLiftedError, match="at most 128"):
        execute(f, Str("name"))


class Counted:
    """A descriptor that writes to the object."""

    def __get__(self, owner: Any, _: type) -> int:
        if owner.limit > owner.count:
            owner.count += 1
        return int(owner.count)


class Turnstile:
    size = 3
    passed = Counted()

    def __init__(self, limit: int) -> None:
        self.limit, self.count = limit, 0


class OnlyDescribed:
    count = limit = 1
    passed = Counted()


def test_descriptors_of_the_program() -> None:
    def f(p: bool, limit: int) -> Any:
        gate = Turnstile(limit)
        if p:
            gate.passed
        return gate.passed, gate.count

    def g(p: bool, limit: int) -> Any:
        gate = OnlyDescribed()
        if p:
            gate.limit = limit
        return gate.passed, gate.count

    agree(f, [False, True], [0, 1, 2])
    agree(g, [False, True], [0, 1, 2])


def test_what_only_some_paths_have_set_is_read_of_the_class_elsewhere() -> None:
    def f(p: bool) -> Any:
        gate = Turnstile(1)
        if p:
            gate.size = 4
        return getattr(gate, "size"), hasattr(gate, "size"), getattr(gate, "size", 0), gate.size  # noqa: B009

    agree(f, [False, True])
