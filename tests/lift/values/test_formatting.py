"""f-strings, `str`, `repr`, `format` and `int` of strings against CPython."""

from __future__ import annotations

from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass, field
from typing import Any

import pytest

from solvent import Int, Real, Str
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree

BITS = [False, True]
NUMBERS = [-120, -1, 0, 7, 1000]
TEXTS = ["", "a", "abc", "abcdef"]

Point = namedtuple("Point", "x y")


@dataclass
class Card:
    name: str
    value: int
    secret: int = field(default=0, repr=False)


class Temperature:
    def __init__(self, degrees: int) -> None:
        self.degrees = degrees

    def __str__(self) -> str:
        return f"{self.degrees}C" if self.degrees >= 0 else "cold"

    def __repr__(self) -> str:
        return f"Temperature({self.degrees})"

    def __format__(self, spec: str) -> str:
        return str(self) + spec


class OnlyRepr:
    def __repr__(self) -> str:
        return "only"


def test_f_strings() -> None:
    def f(n: int, text: str, p: bool) -> Any:
        return f"n={n}, {text!s}/{p}{{}}", f"{n!r}", f"{p!r:>6}", f"{1 + 1} {'é'!a} {2.5:.2f}"

    agree(f, NUMBERS, TEXTS, BITS)


def test_f_strings_of_objects() -> None:
    def f(n: int) -> Any:
        t = Temperature(n)
        return f"{t}|{t!r}|{t:x}|{t!s:>8}", str(t), repr(t), format(t, "y"), f"{OnlyRepr()}"

    agree(f, NUMBERS)


def test_choices_stay_choices_of_concrete_strings() -> None:
    def f(p: bool) -> Any:
        key = f"k{1 if p else 'x'}!"
        return {"k1!": 1, "kx!": 2}[key], key.upper()

    agree(f, BITS)


def test_format_specifications() -> None:
    def f(n: int, p: bool) -> Any:
        return (
            f"{n:5}", f"{n:<6}|", f"{n:^6}|", f"{n:+d}", f"{n: d}", f"{n:06d}", f"{n:x>8}",
            f"{n:=+6}", f"{p:3d}", f"{p}", format(n, "d"), format(n), f"{n:{6}}",
        )  # fmt: skip

    def g(text: str) -> Any:
        return f"{text:5}|", f"{text:>5}|", f"{text:*^6}", f"{text:.2}", f"{text:<4.1s}|"

    agree(f, NUMBERS, BITS)
    agree(g, TEXTS)


@pytest.mark.parametrize("spec", ["x", ",", ".2f", "b", "e"])
def test_refused_specifications(spec: str) -> None:
    with pytest.raises(NotLiftedError, match="format specification"):
        execute(lambda n: format(n, spec), Int("n"))


def test_refused_values() -> None:
    with pytest.raises(NotLiftedError, match="sort Real"):
        execute(lambda r: str(r), Real("r"))
    with pytest.raises(NotLiftedError, match="symbolic format"):
        execute(lambda s: format(3, s), Str("s"))


def test_unsupported_format_string() -> None:
    def f(p: bool) -> Any:
        return format([1] if p else "a", ">3")

    agree(f, BITS)


def test_containers() -> None:
    def f(n: int, p: bool, text: str) -> Any:
        items = [n, "x"]
        if p:
            items.append(text)
        return (
            str(items), repr((n,)), str({"a": n}), f"{(n, None)!r}", str([]), str(Point(n, 2)),
            str(Card("c", n)), repr(deque([n])), str([Temperature(n)]),
        )  # fmt: skip

    agree(f, NUMBERS, BITS, ["", "ab"])


class Row(list[Any]):
    pass


class Bag(set[Any]):
    pass


class Line(deque[Any]):
    pass


class Table(OrderedDict[Any, Any]):
    pass


def test_containers_of_derived_classes() -> None:
    def f(n: int, p: bool) -> Any:
        row, table = Row([n]), Table(a=n)
        if p:
            row.append("x")
            table["b"] = None
        line = Line([n, 1], maxlen=2)
        return (
            repr(row),
            repr(table),
            repr(line),
            repr(Bag([OnlyRepr()])),
            repr(deque([n], maxlen=3)),
        )

    agree(f, [0, 7], BITS)


def test_exceptions() -> None:
    def f(n: int) -> Any:
        return (
            str(ValueError(n)),
            str(KeyError("k")),
            str(ValueError(n, 1)),
            repr(ValueError(n)),
            str(ValueError()),
        )

    agree(f, NUMBERS)


def test_messages_with_values() -> None:
    def f(n: int) -> Any:
        if n < 0:
            raise ValueError(f"negative: {n}")
        try:
            raise KeyError(n)
        except KeyError as error:
            return str(error)

    agree(f, NUMBERS)


def test_repr_of_strings() -> None:
    def f(text: str) -> Any:
        return repr(text), ascii(text), f"{text!r}"

    agree(f, TEXTS)
    outcome = execute(f, Str("s"))
    assert not evaluate(outcome.asserts, {Str("s"): "it's"})
    assert isinstance(outcome.failures[0].exception, NotLiftedError)


def test_str_of_numbers() -> None:
    def f(n: int, p: bool) -> Any:
        return str(n), str(p), str(n > 0), str(n) + "!", len(str(n)), str(None), ""

    agree(f, NUMBERS, BITS)


def test_int_of_strings() -> None:
    def f(text: str) -> Any:
        return int(text)

    def base(text: str) -> Any:
        return int(text, 10)

    def caught(text: str) -> Any:
        try:
            return int(text)
        except ValueError:
            return None

    domain = ["0", "007", "12", "-5", "+6", "", "-", "a", "1a", "--1", "5-", "- 1"]
    agree(f, domain)
    agree(base, domain)
    agree(caught, domain)


def test_int_of_odd_strings_is_not_claimed() -> None:
    def f(text: str) -> Any:
        return int(text)

    outcome = execute(f, Str("s"))
    for odd in (" 1", "1_000", "٣"):
        assert not evaluate(outcome.asserts, {Str("s"): odd})
        failing = [f for f in outcome.failures if evaluate(f.condition, {Str("s"): odd})]
        assert [type(f.exception) for f in failing] == [NotLiftedError]


def test_round_trip() -> None:
    def f(n: int) -> Any:
        return int(str(n)), int(f"{n:+05d}")

    agree(f, NUMBERS)


def test_int_of_other_things() -> None:
    def f(n: int, p: bool) -> Any:
        return int(n), int(p), int(n / 2), int(2.7), 0, int("12"), int("ff", 16), int(" 7 ")

    agree(f, [-3, 0, 5], BITS)


def test_float() -> None:
    def f(n: int, p: bool) -> Any:
        return float(n), float(p), 0.0, float("1.5"), float(n) / 2

    agree(f, [-3, 0, 5], BITS)
    with pytest.raises(NotLiftedError, match="float"):
        execute(lambda s: float(s), Str("s"))
