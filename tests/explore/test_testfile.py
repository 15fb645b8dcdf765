"""The tests that are written pass with plain pytest, and fail when the function changes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solvent import Options
from solvent.cli.loading import load
from solvent.errors import QueryError
from solvent.explore import Suite, explore, suite
from solvent.explore.comparing import agrees, same
from solvent.explore.literals import NotWritableError, Writer
from solvent.terms import bv
from tests.patience import FOREVER

SOURCE = """
import enum
import math
from dataclasses import dataclass
from typing import NamedTuple

class Colour(enum.Enum):
    RED = 1
    BLUE = "b"

class Refused(Exception):
    pass

@dataclass
class Point:
    x: int
    y: float = 0.0

class Pair(NamedTuple):
    a: int
    b: bool

class Thing:
    def __init__(self, v):
        self.v = v

def price(n: int, vip: bool, c: Colour):
    if n < 0:
        raise Refused("bad")
    if c is Colour.RED and vip:
        return n
    return 0.0 if n == 0 else n / 2

def shorten(xs: list[int], k: int):
    xs.sort()
    if len(xs) > 1 and xs[0] == k:
        xs.pop()
    return xs[-1]

def move(p: Point, q: Pair):
    if p.x > q.a:
        p.x = 9
        return p
    return q if q.b else {"p": p}

def floats(x: float):
    if x != x:
        return [x]
    if x > 1e300:
        return math.inf
    return -x if x < 0 else x

def positive(xs: list[int]):
    for x in xs:
        if x > 0:
            yield x

def texts(s: str | None, found: set[int]):
    if s is None:
        return len(found)
    return s + "!" if s != "a'b" else found

def checked(x: int):
    assert x != 4, "four"
    return {"x": x}["x" if x > 0 else "y"]

def thing(x: int):
    return Thing(x) if x > 3 else None

CALLS = 0

def counting(x: int):
    global CALLS
    CALLS += 1
    return CALLS if x > 0 else x

def function(x: int):
    return (lambda: 3) if x > 3 else 2

def outer():
    def inner(x: int):
        return x > 0
    return inner
"""

NAMES = ["price", "shorten", "move", "floats", "positive", "texts", "checked", "thing"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file = tmp_path_factory.mktemp("shop") / "sold_here.py"
    file.write_text(SOURCE)
    before = list(sys.path)
    yield load(str(file))
    sys.path[:] = before
    sys.modules.pop("sold_here", None)


def written(shop: Any, name: str, folder: Path) -> Suite:
    """Write the tests of a function."""
    function = getattr(shop, name)
    file = folder / f"test_{name}.py"
    made = suite(explore(function, max_len=2), function, file)
    file.write_text(made.text)
    return made


# A module that is there but None would trouble pytest, which looks at installed plugins.
WITHOUT_SOLVENT = """
import sys
import pytest

class Blocked:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "solvent":
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
"""


def run_pytest(*files: Path) -> subprocess.CompletedProcess[str]:
    """Plain pytest in a process of its own, where Solvent cannot be imported."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    plugins = ("no:cacheprovider", "no:hypothesispytest", "no:solvent")
    arguments = ["-q", *(f"-p{one}" for one in plugins), *map(str, files)]
    return subprocess.run(
        [sys.executable, "-c", f"{WITHOUT_SOLVENT}sys.exit(pytest.main({arguments!r}))"],
        capture_output=True,
        text=True,
        timeout=FOREVER,
        check=False,
        cwd=files[0].parent,
        env=environment,
    )


def test_tests_pass_and_fail_when_a_function_changes(shop: Any) -> None:
    home = Path(shop.__file__).parent
    elsewhere = home / "tests"
    elsewhere.mkdir()
    count = 0
    for place, name in enumerate(NAMES):
        made = written(shop, name, elsewhere if place % 2 else home)
        assert not made.left_out, made.left_out
        assert "solvent" not in made.text
        count += made.tests
    done = run_pytest(home)
    assert f"{count} passed" in done.stdout, done.stdout

    changes = {
        "return n\n": "return n + 1\n",
        "xs.pop()": "pass",
        "p.x = 9": "p.x = 8",
        "return [x]\n    if": "return [0.0]\n    if",
        "yield x": "yield -x",
        's + "!"': 's + "?"',
        '"four"': '"4"',
        "Thing(x) if": "Thing(x + 1) if",
    }
    file = Path(shop.__file__)
    try:
        for name, (old, new) in zip(NAMES, changes.items(), strict=True):
            assert SOURCE.count(old) == 1
            file.write_text(SOURCE.replace(old, new))
            (found,) = home.rglob(f"test_{name}.py")
            done = run_pytest(found)
            assert done.returncode == 1, f"{name}: {done.stdout}"
    finally:
        file.write_text(SOURCE)


def test_exceptions_and_changed_arguments_are_in_the_text(shop: Any, tmp_path: Path) -> None:
    text = written(shop, "price", tmp_path).text
    assert "with pytest.raises(sold_here.Refused) as caught:" in text
    assert "assert str(caught.value) == 'bad'" in text
    assert "Branch coverage: 8 of 8 sides of 4 branches." in text
    text = written(shop, "shorten", tmp_path).text
    assert "    xs = [0, 0]\n    assert sold_here.shorten(xs, 0) == 0\n    assert xs == [0]" in text
    assert "same(" not in text


def test_what_cannot_be_written_is_left_out(shop: Any, tmp_path: Path) -> None:
    made = written(shop, "counting", tmp_path)
    assert made.tests == 1
    assert made.left_out == (("counting(x=1)", "CPython does not do the same each time"),)
    assert "# Not tested: counting(x=1)" in made.text
    made = written(shop, "function", tmp_path)
    assert made.tests == 1
    assert "cannot be imported" in made.left_out[0][1]


def joined(xs: list[int], ys: list[int]) -> None:
    """A function that tells one list from two."""
    if xs is ys:
        xs.append(0)


def test_objects_that_are_there_twice_are_left_out(tmp_path: Path) -> None:
    found = explore(joined, options=Options(alias=True, max_len=0))
    made = suite(found, joined, tmp_path / "test_joined.py")
    assert made.tests == 1
    assert made.left_out == (
        ("joined(xs=(shared := []), ys=shared)", "two of its inputs are the same object"),
    )


def test_functions_that_no_test_can_call_are_refused(shop: Any) -> None:
    inner = shop.outer()
    with pytest.raises(QueryError, match="at the top of a file"):
        suite(explore(inner), inner)


# --- values as source -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        None, True, -3, 2.5, -0.0, float("nan"), float("-inf"), complex(1, -2), "a'\"\n", b"\0",
        bytearray(b"ab"), [1, [2]], (), (1,), {1: {"a": None}}, set(), {3, 1}, frozenset(),
        frozenset({2}), range(3), Fraction(-1, 3), deque([1, 2], maxlen=4), int, ...,
    ],
    ids=repr,
)  # fmt: skip
def test_values_are_read_back(value: Any) -> None:
    writer = Writer()
    assert same(writer.read(writer.checked(value)), value)


def test_values_that_have_no_source_are_refused() -> None:
    class Local:
        pass

    loop: list[Any] = []
    loop.append(loop)
    for value in (Local(), object(), lambda: 1, loop, bv(3, 8), Writer()):
        with pytest.raises(NotWritableError):
            Writer().checked(value)


def test_same_and_agrees() -> None:
    assert same([{"a": float("nan")}], [{"a": float("nan")}])
    for a, b in ((1, 1.0), (1, True), (0.0, -0.0), ([1], (1,)), ({1: 2}, {1: 3}), ("a", "b")):
        assert not same(a, b)
        assert not agrees(a, b)
    assert agrees((Fraction(1, 3),), (1 / 3,))
    assert not agrees(Fraction(1, 3), 0.3)
