"""What Python 3.12 and 3.13 added works in lifted code; what they changed is as they changed it.

The programs are texts, as older versions cannot read some of them.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
from collections import OrderedDict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from solvent import Float, Int, verify
from solvent.errors import NotLiftedError
from solvent.lift import evaluate, execute, install, uninstall
from solvent.lift.messages import message, raised
from tests.lift.differential import agree

SMALL = [-1, 0, 1, 2]

needs_3_12 = pytest.mark.skipif(sys.version_info < (3, 12), reason="new in Python 3.12")
needs_3_13 = pytest.mark.skipif(sys.version_info < (3, 13), reason="new in Python 3.13")

TYPES = """
from dataclasses import dataclass

def largest[T](xs: list[T], best: T) -> T:
    for x in xs:
        if x > best:
            best = x
    return best

class Stack[T]:
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, x: T) -> None:
        if x > 0:
            self.items.append(x)

    def pop[U](self, default: U) -> T | U:
        return self.items.pop() if self.items else default

@dataclass
class Pair[A, B]:
    first: A
    second: B

def of_module(a, b):
    stack = Stack[int]()
    stack.push(a)
    stack.push(b)
    pair = Pair(stack.pop(0), stack.pop(1))
    return pair.first, pair.second, largest([a, b], 0), largest.__type_params__[0].__name__

def of_function(a, b):
    limit = 1
    type Number[T] = int | list[T]

    def pick[T: (int, str)](x: T, y: T) -> T:
        if x > y:
            return x
        return y

    class Box[T]:
        type Held = T

        def __init__(self, value: T) -> None:
            self.value = value

        def get[U](self, other: U) -> T | U:
            if self.value > other:
                return self.value
            return T.__name__, limit

    names = [found.__name__ for found in Box.__type_params__]
    return pick(a, b), Box(a).get(b), Box[int](a).get(1), Number.__name__, names

def of_paths(a, b):
    if a > b:
        type Found = int
    else:
        Found = None
    return Found is None

def of_locals(a):
    type Later = held
    held = a
    return Later.__value__
"""

TEXTS = """
def nested(a, b):
    x = f"{f"{a}" + "!" if a > b else f'{b:>{len("abc")}}'}"
    y = f"{a!r:{"5" if a > 1 else '3'}}"
    z = f"{', '.join([str(v) for v in (a, b)])}\\n{
        a + b  # a comment
    }"
    return x, y, z
"""


def load(text: str, folder: Path, name: str = "newer") -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_3_12
def test_type_parameters(tmp_path: Path) -> None:
    module = load(TYPES, tmp_path)
    for name in ("of_module", "of_function", "of_paths"):
        agree(getattr(module, name), SMALL, SMALL)
    agree(module.of_locals, SMALL)


@needs_3_12
def test_type_parameters_of_installed_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "newer_installed.py").write_text(TYPES)
    monkeypatch.syspath_prepend(tmp_path)
    install("newer_installed")
    try:
        import newer_installed  # type: ignore[import-not-found]

        found = execute(newer_installed.of_module, Int("a"), Int("b")).value
        assert evaluate(found, {"a": 3, "b": -1}) == (3, 1, 3, "T")
        assert newer_installed.largest.__type_params__[0].__name__ == "T"
    finally:
        uninstall("newer_installed")
        sys.modules.pop("newer_installed", None)


@needs_3_12
def test_nested_texts(tmp_path: Path) -> None:
    agree(load(TEXTS, tmp_path).nested, SMALL, SMALL)


def test_comprehensions_have_variables_of_their_own() -> None:
    def f(a: Any, b: Any) -> Any:
        x = 5
        made = [lambda: i + a for i in range(2)]  # noqa: B023
        rows = [[x for x in range(i) if x != b] for i in (1, 2)]
        return x, [x + i for i in range(2) if a > i], [call() for call in made], rows

    agree(f, SMALL, SMALL)


@needs_3_12
def test_batches() -> None:
    batched: Any = getattr(itertools, "batched", None)

    def f(a: Any, b: Any) -> Any:
        xs = [a, b, a + b, 1, 2]
        if a > b:
            xs.append(a)
        source = iter(xs)
        first = next(batched(source, 2))
        return first, list(batched(source, 2)), list(source), list(batched(xs, n=4))

    def sizes(a: Any) -> Any:
        return list(batched([1, 2, 3, a], a)), list(batched("", a + 1))

    def wrong(a: Any) -> Any:
        return batched(a, 2), batched([a], "x" if a else 0)

    agree(f, SMALL, SMALL)
    agree(sizes, SMALL)
    agree(wrong, SMALL)


@needs_3_12
def test_a_batch_of_a_huge_size() -> None:
    batched: Any = getattr(itertools, "batched", None)

    def sized(n: int) -> None:
        if n > 2**40:
            batched([1], n)

    result = verify(sized)
    assert result.confirmed
    assert isinstance(result.failure.exception, OverflowError)


@needs_3_13
def test_strict_batches() -> None:
    batched: Any = getattr(itertools, "batched", None)

    def f(a: Any, b: Any) -> Any:
        source = batched([1, 2, 3] if a > b else [1, 2, 3, a], 2, strict=b > 0)
        found = [next(source)]
        try:
            found.append(next(source))
        except ValueError as error:
            found.append(str(error))
        return found, list(source)

    agree(f, SMALL, SMALL)


@needs_3_12
def test_sums_of_products() -> None:
    sumprod: Any = getattr(math, "sumprod", None)

    def f(a: Any, b: Any) -> Any:
        return sumprod([a, b, 2], (b, 3, a)), sumprod([a] if a > b else [a, 1], [b])

    def of_floats(a: Any) -> Any:
        return sumprod([a, 1.5], [1, 2])

    agree(f, SMALL, SMALL)
    with pytest.raises(NotLiftedError, match="sumprod"):
        execute(of_floats, Float("a"))


def test_sums_of_floats_lose_as_much_as_python_does() -> None:
    def f(a: Any, b: Any) -> Any:
        small = sum([a * 0.1, 0.2, b * 1e16, 0.3, a, -b * 1e16, 1], 0.5)
        huge = sum([a, b, 0.1, 0.7, a * 1e300 * 1e300])
        return small, huge, sum([0.1, a, 2**70 + a, 0.1, 0.2 * b])

    agree(f, SMALL, SMALL)


def test_sums_of_items_that_are_there_on_some_paths() -> None:
    def f(a: Any, b: Any) -> Any:
        xs = [1, a] if a > b else [2]
        if b > 0:
            xs.append(0.5)
        return sum(x for x in xs if x != b), sum(iter(xs)), sum(x * 0.1 for x in xs)

    agree(f, SMALL, SMALL)


@needs_3_13
def test_multiply_and_add() -> None:
    fma: Any = getattr(math, "fma", None)

    def f(a: Any) -> Any:
        return fma(a * 0.1, 10.0, -1.0), fma(a, 1e300, 1.0)

    def wrong(a: Any) -> Any:
        return fma(a * 1e300, 1e300, 0.0), fma(a, math.inf, 1.0)

    agree(f, SMALL)
    agree(wrong, SMALL)


COPIES = """
import copy
from collections import namedtuple
from dataclasses import dataclass

Point = namedtuple("Point", "x y")

@dataclass
class Pair:
    a: int
    b: int

def replaced(a, b):
    pair = Pair(a, b)
    other = copy.replace(pair, a=b if a > b else 7)
    return pair, other, copy.replace(Point(a, b), y=a)

def deprecated(a, b):
    import warnings

    @warnings.deprecated("use another")
    def old(x):
        return x if x > 0 else b

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return old(a)
"""


@needs_3_13
def test_copies_with_changes_and_deprecation(tmp_path: Path) -> None:
    module = load(COPIES, tmp_path)
    agree(module.replaced, SMALL, SMALL)
    agree(module.deprecated, SMALL, SMALL)


def test_messages_are_those_of_this_python() -> None:
    def f(a: Any, b: Any) -> Any:
        return a // b, a % b, a / b, divmod(a, b)

    def of_floats(a: Any, b: Any) -> Any:
        return (a * 1.0) % (b * 0.0)

    def divided(a: Any, b: Any) -> Any:
        return divmod(a * 1.0, b * 0.0)

    def largest(a: Any, b: Any) -> Any:
        return max([x for x in (a, b) if x > 5])

    def sorted_by(a: Any, b: Any) -> Any:
        return sorted([a, b], reverse=None)  # type: ignore[arg-type]

    def shown(a: Any, b: Any) -> Any:
        return repr(OrderedDict({"a": a, "b": [b]})), repr(OrderedDict())

    for function in (f, of_floats, divided, largest, sorted_by, shown):
        agree(function, SMALL, SMALL)


def test_a_message_is_asked_for() -> None:
    assert message(lambda: 1 % 0) == str(raised(lambda: 1 % 0))
    assert raised(int, "x").__traceback__ is None
    with pytest.raises(AssertionError, match="does not fail"):
        raised(int, "1")


def test_variables_by_name_are_refused() -> None:
    def listed(x: Any) -> Any:
        return [1 for _ in range(2) if "x" in locals()]

    def evaluated(x: Any) -> Any:
        return eval("x + 1")

    def executed(x: Any) -> Any:
        exec("x = 1")

    def given(x: Any) -> Any:
        return eval("y + 1", {"y": 2}) + x

    for function, what in ((listed, "locals"), (evaluated, "eval"), (executed, "exec")):
        with pytest.raises(NotLiftedError, match=f"`{what}"):
            execute(function, Int("x"))
    agree(given, SMALL)


def test_docstrings_and_names_stay() -> None:
    def documented(a: int) -> int:
        """Docstrings

        are indented.
        """
        return a

    from solvent.lift import lift

    assert lift(documented).__doc__ == documented.__doc__


def test_unbound_variables_in_comprehensions_are_those_of_this_python() -> None:
    def listed(a: Any, b: Any) -> Any:
        if a > 0:
            c = a
        return [k + c for k in (b,)]

    def nested(a: Any, b: Any) -> Any:
        c = a
        del c
        return {j: [c for _ in (b,)] for j in (1,)}  # noqa: F821

    def generated(a: Any, b: Any) -> Any:
        if a > 0:
            c = a
        return sum(k + c for k in (b,))

    def called(a: Any, b: Any) -> Any:
        if a > 0:
            c = a
        return [(lambda: c + k)() for k in (b,)]

    for function in (listed, nested, generated, called):
        agree(function, SMALL, SMALL)
