"""Calls as text: with the imports that are told, they run beside the function and do the same."""

from __future__ import annotations

import builtins
import collections
import datetime
import decimal
import enum
import fractions
import math
import runpy
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from solvent import verify
from solvent.queries.inputs import bind
from solvent.queries.problem import pose
from solvent.queries.results import Verification
from solvent.queries.spelling import Speller
from solvent.race.concrete import Program
from solvent.race.drawing import drawn
from solvent.race.hints import Hints
from solvent.terms import BitVec, Float32


class Outer:
    """Has a class of its own."""

    class Color(enum.Enum):
        """An enumeration in a class."""

        RED = "r"
        GREEN = "g"

    @dataclass
    class Box:
        """A dataclass in a class."""

        size: int
        tags: list[str] = field(default_factory=list)


class Pair(NamedTuple):
    """A named tuple."""

    left: int
    right: float


def twice(x: int) -> int:
    """A function of this module."""
    return 2 * x


def colors(color: Outer.Color, pair: Pair, box: Outer.Box) -> None:
    """Takes what is defined in this module."""


def library(
    money: Decimal,
    day: datetime.date,
    at: datetime.datetime,
    part: Fraction,
    span: datetime.timedelta,
) -> None:
    """Takes what is defined in the library."""


def containers(
    a: deque[float], b: Counter[str], c: defaultdict[int, list[int]], d: frozenset[int]
) -> None:
    """Takes containers of the library."""


def functions(f: Callable[[int], Decimal], cls: type[Decimal]) -> None:
    """Takes a function and a class."""


FUNCTIONS = (colors, library, containers, functions)
# Where the functions would stand in a module that has imported nothing else.
BARE: dict[str, Any] = {"__builtins__": builtins}


def same(left: Any, right: Any) -> bool:
    """Whether values are equal, functions on some arguments, and NaN to itself."""
    if callable(left) and not isinstance(left, type):
        return all(left(n) == right(n) for n in range(-3, 20))
    if isinstance(left, (list, tuple, deque)):
        pairs = zip(left, right, strict=True)
        return type(left) is type(right) and all(same(a, b) for a, b in pairs)
    if isinstance(left, float) and math.isnan(left):
        return math.isnan(right)
    return type(left) is type(right) and left == right


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_drawn_calls_can_be_pasted(function: Callable[..., Any]) -> None:
    program = Program(function, bind(function, (), {}))
    for model in drawn(program, Hints(), 40):
        args, named, made = program.call(model)
        assert not named
        speller = Speller(args, made)
        text = f"({', '.join(map(speller.text, args))},)"
        namespace = dict(BARE)
        exec(speller.setup(namespace), namespace)
        expected, _ = program.made((args, named, made))
        found = eval(text, namespace)
        assert all(same(a, b) for a, b in zip(found, expected, strict=True)), text


def test_names_that_are_known_need_no_import() -> None:
    speller = Speller([])
    text = speller.text([Decimal(1), deque([twice]), Outer.Color.RED, datetime.date.min])
    assert text == "[Decimal('1'), deque([twice]), Outer.Color.RED, datetime.date(1, 1, 1)]"
    assert speller.setup(globals()) == ""
    # Here the same names stand for something else.
    other = {**globals(), "datetime": datetime.datetime, "Decimal": decimal, "deque": collections}
    assert speller.setup(other) == (
        "from collections import deque; from decimal import Decimal; import datetime"
    )
    here = f"from {__name__} import Outer, twice"
    assert here in speller.setup({}).split("; ")


def test_values_of_solvers() -> None:
    speller = Speller([])
    values = [BitVec(8).default, Float32.default, fractions.Fraction(1, 2)]
    text = speller.text(values)
    namespace = dict(BARE)
    exec(speller.setup(namespace), namespace)
    assert eval(text, namespace) == values


def test_what_is_local_is_only_named() -> None:
    @dataclass
    class Local:
        x: int

    speller = Speller([])
    assert speller.text(Local(1)) == "Local(x=1)"
    assert speller.setup({}) == ""


def test_answers_have_it(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(
        "from decimal import Decimal as Money\ndef paid(money: Money):\n    assert money < 3\n"
    )
    space = runpy.run_path(str(file))
    paid = space["paid"]
    # The names of a module that was run in this way are gone.
    paid.__globals__.update(space)
    space = paid.__globals__
    result = verify(paid)
    assert isinstance(result, Verification)
    assert result.setup == "from decimal import Decimal"
    assert f"setup: {result.setup}" in str(result)
    assert result.as_dict()["setup"] == result.setup
    exec(result.setup, space)
    with pytest.raises(AssertionError):
        eval(result.call, space)
    # The name as the module has it is as good.
    space["Decimal"] = Decimal
    assert result.model is not None
    assert pose(paid, (), {}).written(result.model).setup == ""
