"""Builtin functions against CPython."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

from solvent import Bool, Float, Int, Str
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [-1, 0, 1, 2]


def ragged(n: Any) -> list[Any]:
    result = []
    if n > 0:
        result.append(n + 5)
    if n > 1:
        result.append(n)
    return result


class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __add__(self, other: Any) -> Any:
        return Money(self.cents + (other if isinstance(other, int) else other.cents))

    __radd__ = __add__

    def __lt__(self, other: Money) -> bool:
        return self.cents < other.cents

    def __abs__(self) -> Money:
        return Money(-self.cents if self.cents < 0 else self.cents)

    def __int__(self) -> int:
        return self.cents // 100

    def __divmod__(self, other: int) -> Any:
        return self.cents // other, self.cents % other

    def __round__(self, digits: int = 0) -> int:
        return self.cents + digits

    def __bool__(self) -> bool:
        return self.cents != 0

    def __hash__(self) -> int:
        return 17


def test_sum() -> None:
    def f(n: int) -> Any:
        return sum(ragged(n)), sum([n, True, 2], 10), sum([]), sum([[1], [n]], [])  # noqa: RUF017

    def g(n: int) -> Any:
        return sum([Money(n), Money(1)]).cents

    def strings(n: int) -> Any:
        return sum(ragged(n), "")

    agree(f, SMALL)
    agree(g, SMALL)
    agree(strings, SMALL)


def test_any_and_all_stop_early() -> None:
    def f(n: int, m: int) -> Any:
        log = []

        def note(x: int) -> bool:
            log.append(x)
            return x > 0

        found = any(map(note, [n, m, 1]))
        every = all(note(x) for x in (n, m))
        return found, every, log, any([]), all([]), any(ragged(n)), all(ragged(m))

    agree(f, SMALL, SMALL)


def test_min_and_max() -> None:
    def f(n: int, m: int) -> Any:
        return (
            min(n, m), max(n, m, 1), min([n, m]), max((n, 0)), min(ragged(n), default="none"),
            max([n, m], key=lambda x: -x), min([(n, 1), (m, 0)]), max(n, m, key=abs),
        )  # fmt: skip

    def empty(n: int) -> Any:
        return max(ragged(n))

    agree(f, SMALL, SMALL)
    agree(empty, SMALL)


def test_min_keeps_the_first_of_equals() -> None:
    def f(n: int, a: Any, b: Any) -> Any:
        a.cents = n
        return min(a, b) is a, max(a, b) is a, min([b, a], key=lambda m: m.cents % 2) is b

    agree(f, SMALL, make=lambda n: (n, Money(0), Money(1)))


def test_numbers() -> None:
    def f(n: int) -> Any:
        return (
            abs(n), abs(n > 0), pow(n, 3), pow(n, 3, 5), round(n, -1), round(n > 0), divmod(n, 2),
            abs(Money(n)).cents, divmod(Money(n), 3), round(Money(n)), round(Money(n), 2),
        )  # fmt: skip

    def g(n: int, m: int) -> Any:
        return divmod(n, m)

    def h(n: int, m: int) -> Any:
        return pow(n, 2, m)

    agree(f, SMALL)
    agree(g, SMALL, SMALL)
    agree(h, SMALL, SMALL)


def test_ord_and_chr() -> None:
    def f(n: int) -> Any:
        return chr(n + 97)

    def g(text: str) -> Any:
        return ord(text)

    def outside(n: int) -> Any:
        return chr(n)

    agree(f, SMALL)
    agree(g, ["", "a", "é", "ab", "abc"])
    agree(outside, SMALL)


def test_unions_are_spread() -> None:
    def f(p: bool, n: int) -> Any:
        x = n if p else "7"
        return int(x), str(x), isinstance(x, int), callable(x), repr(x)

    agree(f, BITS, SMALL)


def test_attributes_by_name() -> None:
    def f(p: bool, q: bool, box: Any) -> Any:
        if p:
            box.b = 5
        if q:
            delattr(box, "cents")
        name = "b" if q else "cents"
        return hasattr(box, "b"), getattr(box, "b", None), hasattr(box, "cents"), hasattr(box, name)

    def missing(p: bool, box: Any) -> Any:
        if p:
            box.b = 1
        return getattr(box, "b")  # noqa: B009

    def read(n: int, box: Any) -> Any:
        box.cents = n
        return vars(box), getattr(box, "cents")  # noqa: B009

    agree(f, BITS, BITS, make=lambda p, q: (p, q, Money(3)))
    agree(missing, BITS, make=lambda p: (p, Money(3)))
    agree(read, SMALL, make=lambda n: (n, Money(3)))


class Lazy:
    def __init__(self, n: int) -> None:
        self.n = n

    @property
    def value(self) -> int:
        if self.n < 0:
            raise AttributeError("negative")
        return self.n


def test_getattr_of_a_property_that_raises() -> None:
    def f(n: int) -> Any:
        return getattr(Lazy(n), "value", "none"), hasattr(Lazy(n), "value")

    agree(f, SMALL)


def test_classes() -> None:
    def f(p: bool) -> Any:
        kind = type(1 if p else "a")
        return issubclass(kind, int), issubclass(bool, int), callable(f), callable(p)

    agree(f, BITS)


def test_super_with_arguments() -> None:
    class Child(Money):
        def __abs__(self) -> Any:
            return super().__abs__().cents + 1

    def f(n: int) -> Any:
        return abs(Child(n))

    agree(f, SMALL)


def test_hash() -> None:
    def f(n: int) -> Any:
        return hash(Money(n)), hash("a") == hash("a"), hash((1, 2)) == hash((1, 2))

    agree(f, SMALL)
    with pytest.raises(NotLiftedError, match="hash"):
        execute(lambda x: hash((1, x)), Float("x"))
    with pytest.raises(NotLiftedError, match="id"):
        execute(lambda x: id(x), Int("x"))


def test_slice_and_object() -> None:
    def f(n: int) -> Any:
        part = slice(0, n)
        return [1, 2, 3][part], object() is object()

    agree(f, SMALL)


@pytest.mark.parametrize("convert", [bin, hex, oct])
def test_refused_conversions(convert: Any) -> None:
    def f(n: int) -> Any:
        return convert(n)

    with pytest.raises(NotLiftedError, match=r"symbolic"):
        execute(f, Int("n"))
    assert execute(f, 5).value == convert(5)


def printed(function: Any, *args: Any) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        execute(function, *args)
    return out.getvalue()


def test_print_says_under_which_condition() -> None:
    def f(p: bool, n: int) -> None:
        print("start", n, sep="-")
        if p:
            print("yes", [n + 1], end="!\n")
        else:
            print("a\nb")
        print()

    assert printed(f, Bool("p"), Int("n")) == (
        "start-n\n[if p] yes [n + 1]!\n[if not p] a\n[if not p] b\n\n"
    )
    assert printed(f, True, 3) == "start-3\nyes [4]!\n\n"


def test_print_of_objects_and_unions() -> None:
    class Named:
        def __init__(self, n: int) -> None:
            self.n = n

        def __str__(self) -> str:
            return f"<{self.n}>"

    def f(p: bool, n: int) -> None:
        print(Named(n), None if p else "x")

    assert printed(f, True, 3) == "<3> None\n"
    assert printed(f, Bool("p"), 3) == "<3> Union(None if p, 'x')\n"


def test_input_is_refused_under_a_condition() -> None:
    def f(p: bool) -> Any:
        if p:
            return input()
        return ""

    with pytest.raises(NotLiftedError, match="input"):
        execute(f, Bool("p"))


def test_symbolic_attribute_names_are_refused() -> None:
    with pytest.raises(NotLiftedError, match="name"):
        execute(lambda s: getattr(3, s), Str("s"))
