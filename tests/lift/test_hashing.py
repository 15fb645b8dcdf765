"""Hashes of symbolic values, and objects with hashes of their own as keys, against CPython."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import pytest

from solvent import Float, Int, NotLiftedError, Str, evaluate
from solvent.lift import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]
PRIME = 2**61 - 1


class Point:
    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self) -> int:
        return hash((self.x, self.y))


class Path:
    """Its hash is that of a list."""

    __slots__ = ("steps",)

    def __init__(self, *steps: Any) -> None:
        self.steps = list(steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self.steps == other.steps

    def __hash__(self) -> int:
        return hash(tuple(self.steps))


class Careless:
    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def __hash__(self) -> int:
        return hash((self.parts, 1))


class Numbered:
    def __init__(self, number: Any) -> None:
        self.number = number

    def __hash__(self) -> int:
        return self.number  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Frozen:
    a: int
    b: Any
    ignored: int = field(default=0, hash=False, compare=False)


@dataclass(unsafe_hash=True)
class Mutable:
    a: int


@pytest.mark.parametrize(
    "number",
    [0, 1, -1, -2, 7, PRIME - 1, PRIME, PRIME + 1, -PRIME, -PRIME - 1, 1 - PRIME, 2**64, 3**90],
)
def test_the_hash_of_an_int(number: int) -> None:
    n = Int("n")
    outcome = execute(lambda n: hash(n), n)
    assert evaluate(outcome.value, {n: number}) == hash(number)


def test_hashes_of_small_values() -> None:
    agree(
        lambda n, p: (hash(n), hash(p), hash((n, p)), hash(((n,), -1, ())), hash(())),
        range(-3, 4),
        BITS,
    )
    agree(lambda p, n: hash((n, 2) if p else n), BITS, SMALL)
    agree(lambda n: (hash(Frozen(n, 3, 5)), hash(Mutable(n)), hash(Point(n, 1))), range(-2, 3))


def test_hashes_of_tuples_of_large_numbers() -> None:
    a, b = Int("a"), Int("b")
    outcome = execute(lambda a, b: hash((a, 5, (b, a))), a, b)
    for x, y in itertools.product([0, -1, PRIME, -PRIME, 2**70, -(2**63)], repeat=2):
        assert evaluate(outcome.value, {a: x, b: y}) == hash((x, 5, (y, x)))


def test_a_number_from_a_method_is_cut() -> None:
    n = Int("n")
    outcome = execute(lambda n: hash(Numbered(n)), n)
    for number in (0, -1, -2, 2**63 - 1, -(2**63), 2**63, 2**100, -(2**100)):
        assert evaluate(outcome.value, {n: number}) == hash(Numbered(number))
    agree(lambda p: hash(Numbered(1.5 if p else "a")), BITS)
    agree(lambda p: hash(Numbered(p)), BITS)


@pytest.mark.parametrize(
    "value", [Str("word"), Float("part"), (1, Float("part")), frozenset((Int("member"),))]
)
def test_other_hashes_are_refused(value: Any) -> None:
    with pytest.raises(NotLiftedError, match="hash of a symbolic"):
        execute(lambda v: hash(v), value)


def test_unhashable_values() -> None:
    agree(lambda p, n: hash([n] if p else (n, [1])), BITS, SMALL)
    agree(lambda p, n: {Careless([n] if p else n): 1}[0], BITS, SMALL, messages=False)
    agree(lambda n: {Careless([n]): 1}, SMALL)
    agree(lambda n: {n, Careless((n, {}))}, SMALL)


def test_objects_as_keys_of_dicts() -> None:
    def f(x: int, y: int, p: bool) -> Any:
        found = {Point(x, y): "a"}
        found[Point(1, 2)] = "b"
        if p:
            found[Point(y, x)] = "c"
            del found[Point(x, y)]
        keys = [(key.x, key.y, value) for key, value in found.items()]
        return (
            keys,
            found.get(Point(2, 1)),
            Point(x, y) in found,
            found.setdefault(Point(0, x), "d"),
        )

    agree(f, SMALL, SMALL, BITS)


def test_objects_as_elements_of_sets() -> None:
    def f(x: int, y: int, p: bool) -> Any:
        found = {Point(x, 0), Point(y, 0), Point(1, 0)}
        if p:
            found.add(Point(2, y))
            found.discard(Point(x, 0))
        return len(found), sorted((q.x, q.y) for q in found), Point(0, 0) in found

    agree(f, SMALL, SMALL, BITS)


def test_attributes_that_merged() -> None:
    def f(p: bool, q: bool) -> Any:
        point = Point(1, 2)
        if p:
            point.x = 3
        found = {point: 1}
        if q:
            found[Point(3, 2)] = 2
        return len(found), found[point], found.get(Point(1, 2))

    agree(f, BITS, BITS)


def test_symbolic_values_inside_of_attributes() -> None:
    def f(x: int, y: int) -> Any:
        found = {Path(x, 1): "a", Path(y, 1): "b", Path(): "c"}
        nested = {Point(Point(x, 1), [0][0]): x}
        return len(found), found[Path(x, 1)], Path(1, y) in found, nested.get(Point(Point(y, 1), 0))

    agree(f, SMALL, SMALL)


def test_records_as_keys() -> None:
    def f(x: int, y: int, p: bool) -> Any:
        found = {Frozen(x, "a" if p else 1): 1, Frozen(y, 1, 7): 2}
        elements = {Mutable(x), Mutable(y), Mutable(2)}
        return len(found), found.get(Frozen(1, 1)), len(elements), Mutable(1) in elements

    agree(f, SMALL, SMALL, BITS)


def test_frozen_sets_as_keys() -> None:
    def f(x: int, y: int) -> Any:
        found = {frozenset((x, y)): 1, frozenset((1,)): 2}
        return len(found), found.get(frozenset((y, x, x))), frozenset((x,)) in found

    agree(f, SMALL, SMALL)


def test_plain_code_sees_the_hash_of_the_class() -> None:
    execute(lambda x: {Point(x, 1): 1}, Int("x"))
    assert hash(Point(3, 4)) == hash((3, 4))
    assert {Point(3, 4): 1}[Point(3, 4)] == 1


def test_a_hash_of_something_else() -> None:
    state = {"salt": Int("salt")}

    class Salted:
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Salted)

        def __hash__(self) -> int:
            return hash(state["salt"])

    with pytest.raises(NotLiftedError, match="other than its attributes"):
        execute(lambda: {Salted(): 1})
