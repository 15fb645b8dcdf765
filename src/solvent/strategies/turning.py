"""Strategies of Hypothesis as spaces, by the class of the strategy.

Where a strategy sets no bound, such as the length of a list or the depth of a recursion, ours is
taken, and said.  `TURNED` is the table: a new class of strategies is a row.

>>> from hypothesis import strategies as st
>>> turned = Turning(max_len=3)
>>> print(turned.space(st.lists(st.integers(0, 9), min_size=1)), turned.bounds, sep="; ")
lists of 1 to 3 items, each Int from 0 to 9; ['lists of up to 3 items']
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any
from uuid import UUID

from hypothesis.errors import InvalidArgument
from hypothesis.strategies import floats

from solvent.contracts.sources import innermost
from solvent.errors import InputSpaceError, NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.calls import call
from solvent.lift.origins import is_users
from solvent.lift.reflection import assume
from solvent.queries.replay import cut, shown
from solvent.queries.spaces.annotations import of_annotation
from solvent.queries.spaces.base import DEFAULT_LENGTH, Making, Space
from solvent.queries.spaces.characters import Binary, Ranges, Texts
from solvent.queries.spaces.constrained import Constrained
from solvent.queries.spaces.constructing import computed
from solvent.queries.spaces.containers import Field, Lists, Records, Tuples
from solvent.queries.spaces.values import Choices, Exactly, Sorted, choice_of
from solvent.terms import Bool, Float16, Float32, Float64, Int, eq, is_nan, or_, to_float
from solvent.terms.sorts import FloatSort
from solvent.terms.term import Term
from solvent.vm.shapes import record_fields
from solvent.vm.values import Value

# How deep strategies that contain themselves are followed.
DEPTH = 2
# How many values the base of a `flatmap` may have.
MOST_VALUES = 16
# How many values are permuted at most.
MOST_PERMUTED = 6


class NotTurnedError(InputSpaceError):
    """A strategy of which no space is made, named with what it is."""


@dataclass(frozen=True)
class Alphabet(Texts):
    """Texts of characters in some ranges."""

    within: Ranges = ()

    def ranges(self) -> Ranges:
        return self.within

    def contents(self) -> str:
        first, last = self.within[0][0], self.within[-1][1]
        return f"{super().contents()} from {chr(first)!r} to {chr(last)!r}"


@dataclass(frozen=True)
class Mapped(Space):
    """What a function makes of the values of spaces."""

    function: Callable[..., Value]
    args: tuple[Space, ...]
    named: tuple[tuple[str, Space], ...] = ()

    def make(self, name: str, making: Making) -> Value:
        args = [space.make(f"{name}({place})", making) for place, space in enumerate(self.args)]
        named = {key: space.make(f"{name}({key})", making) for key, space in self.named}
        return computed(making, self.function, tuple(args), named)

    def __str__(self) -> str:
        told = [space.one() for space in self.args]
        told += [f"{name}: {space.one()}" for name, space in self.named]
        return f"{_name(self.function)}({', '.join(told)})"


@dataclass(frozen=True)
class Filtered(Constrained):
    """The values for which a function is true; it must not raise, as Hypothesis would then."""

    def make(self, name: str, making: Making) -> Value:
        value = self.of.make(name, making)
        making.assume_here(computed(making, self.holds, (value,)))
        return value


def _filtered_by(space: Space, condition: Callable[[Value], Value]) -> Space:
    holds = _called(_name(condition), _is, condition)
    return Filtered(space, f"where {_name(condition)} holds", holds)


def _called(name: str, function: Callable[..., Value], *args: Any) -> Callable[..., Value]:
    """A function with some arguments, and with a name for messages."""
    found = partial(function, *args)
    found.__qualname__ = name  # type: ignore[attr-defined]
    return found


def _name(function: object) -> str:
    return getattr(function, "__qualname__", None) or shown(function, 40)


class Turning:
    """Turns strategies into spaces, with our bounds where they have none."""

    def __init__(self, max_len: int = DEFAULT_LENGTH) -> None:
        self.max_len = max_len
        # The bounds that are ours, in words.
        self.bounds: list[str] = []
        # What is being turned: a strategy may contain itself.
        self.inside: list[Any] = []
        # What makes the default of the field whose values are being turned.
        self.factory: Callable[[], Value] | None = None

    def space(self, strategy: Any) -> Space:
        """The space of a strategy."""
        found = _symbolic_integers(strategy) or _expression(self, strategy)
        if found is not None:
            return found
        written, strategy = strategy, unwrapped(strategy)
        turn = TURNED.get(type(strategy).__name__)
        if turn is None or _is_composed_by_library(strategy):
            raise NotTurnedError(f"the strategy `{told(written)}` cannot be turned into a space")
        count = sum(one is strategy for one in self.inside)
        if count > DEPTH:
            raise _TooDeepError
        self.inside.append(strategy)
        try:
            found = turn(self, strategy)
        finally:
            self.inside.pop()
        for condition in _conditions(strategy):
            found = _filtered_by(found, condition)
        return found

    def bound(self, text: str) -> None:
        """Remember a bound of ours."""
        if text not in self.bounds:
            self.bounds.append(text)

    def sizes(self, strategy: Any, noun: str) -> tuple[int, int]:
        """The least and the greatest size, which is ours if the strategy's is larger."""
        least = int(strategy.min_size)
        most = strategy.max_size
        longest = max(least, self.max_len)
        if most is None or most == math.inf or most > longest:
            self.bound(f"{noun} of up to {longest} items")
            return least, longest
        return least, int(most)


def unwrapped(strategy: Any) -> Any:
    """The strategy behind what Hypothesis makes only when it is needed."""
    while True:
        name = _BEHIND.get(type(strategy).__name__)
        if name is None:
            return strategy
        strategy = getattr(strategy, name)


_BEHIND = {"LazyStrategy": "wrapped_strategy", "LimitedStrategy": "base_strategy"}


def told(strategy: object) -> str:
    """A strategy in so few words that it fits into a line."""
    return cut(repr(strategy), 80)


@lifted
def _is(condition: Callable[[Value], Value], value: Value) -> bool:
    return bool(condition(value))


def _conditions(strategy: Any) -> Sequence[Callable[[Value], Value]]:
    if type(strategy).__name__ == "FilteredStrategy":
        return tuple(strategy.flat_conditions)
    return ()


# --- one function for each class of strategies ----------------------------------------------------


def _integers(turning: Turning, strategy: Any) -> Space:
    return Sorted(Int, strategy.start, strategy.end)


def _booleans(turning: Turning, strategy: Any) -> Space:
    return Sorted(Bool)


@lifted
def _is_within(low: float, high: float, may_be_nan: bool, value: float) -> bool:
    if value != value:
        return may_be_nan
    return low <= value and value <= high


@lifted
def _is_not_tiny(least: float, value: float) -> bool:
    return value == 0 or value >= least or value <= -least or value != value


def _floats(turning: Turning, strategy: Any) -> Space:
    found: Space = Sorted(Float64)
    low, high, nan = strategy.min_value, strategy.max_value, strategy.allow_nan
    if (low, high, nan) != (-math.inf, math.inf, True):
        text = f"from {low} to {high}{' or NaN' if nan else ''}"
        found = Constrained(found, text, partial(_is_within, low, high, nan))
    # Zeros have a sign, by which bounds tell them apart.
    for bound, sign in ((low, 1.0), (high, -1.0)):
        if bound == 0 and math.copysign(1.0, bound) == sign:
            found = Constrained(found, "with its sign", partial(_has_no_other_zero, sign))
    least = strategy.smallest_nonzero_magnitude
    if least > 5e-324:
        found = Constrained(found, f"not below {least}", partial(_is_not_tiny, least))
    return found


@lifted
def _has_no_other_zero(sign: float, value: float) -> bool:
    return value != 0 or math.copysign(1.0, value) == sign


def _ranges(strategy: Any) -> Ranges:
    intervals = getattr(unwrapped(strategy), "intervals", None)
    if intervals is None:
        raise NotTurnedError(f"the alphabet `{told(strategy)}` cannot be turned into a space")
    ranges: Ranges = tuple((low, high) for low, high in intervals.intervals)
    if not ranges:
        raise NotTurnedError(f"the alphabet `{told(strategy)}` has no characters")
    return ranges


def _text(turning: Turning, strategy: Any) -> Space:
    least, most = turning.sizes(strategy, "texts")
    return Alphabet(least, most, within=_ranges(strategy.element_strategy))


def _character(turning: Turning, strategy: Any) -> Space:
    return Alphabet(1, 1, within=_ranges(strategy))


def _bytes(turning: Turning, strategy: Any) -> Space:
    return Binary(*turning.sizes(strategy, "bytes"))


def _lists(turning: Turning, strategy: Any) -> Space:
    least, most = turning.sizes(strategy, "lists")
    if most == 0:
        return Lists(Exactly(None), 0, 0)
    return Lists(turning.space(strategy.element_strategy), least, most)


@lifted
def _all_differ(keys: Sequence[Callable[[Value], Value]], values: list[Value]) -> bool:
    for key in keys:
        seen: list[Value] = []
        for value in values:
            found = key(value)
            if found in seen:
                return False
            seen.append(found)
    return True


def _unique_lists(turning: Turning, strategy: Any) -> Space:
    _refuse_nan(strategy)
    keys = tuple(_identity if one.__name__ == "identity" else one for one in strategy.keys)
    suffixes = getattr(strategy, "tuple_suffixes", None)
    if suffixes is None:
        return Filtered(_lists(turning, strategy), "all different", _different(keys))
    # Rows whose first item is different, as dictionaries are made of.
    least, most = turning.sizes(strategy, "dictionaries")
    others = [turning.space(one) for one in unwrapped(suffixes).element_strategies]
    row = Tuples((turning.space(strategy.element_strategy), *others))
    firsts = tuple(partial(_of_first, key) for key in keys)
    return Filtered(Lists(row, least, most), "all different", _different(firsts))


def _different(keys: Sequence[Any]) -> Callable[..., Value]:
    return _called("unique_by", _all_differ, keys)


@lifted
def _of_first(key: Callable[[Value], Value], row: tuple[Value, ...]) -> Value:
    return key(row[0])


def _refuse_nan(strategy: Any) -> None:
    # A NaN is found in a set by its identity, which a symbolic value does not have.
    inner = unwrapped(strategy.element_strategy)
    if getattr(inner, "allow_nan", False):
        raise NotTurnedError(f"`{told(strategy)}`: different NaNs cannot be told apart")


@lifted
def _identity(value: Value) -> Value:
    return value


def _tuples(turning: Turning, strategy: Any) -> Space:
    return Tuples(tuple(map(turning.space, strategy.element_strategies)))


def _one_of(turning: Turning, strategy: Any) -> Space:
    """The options, without those that are nested too deeply."""
    options: list[Space] = []
    for one in strategy.element_strategies:
        if one.is_empty:
            continue
        try:
            options.append(turning.space(one))
        except _TooDeepError:
            turning.bound(f"nested up to {DEPTH} times")
    if not options:
        raise _TooDeepError
    return Choices(tuple(options))


class _TooDeepError(Exception):
    """A part of a strategy is nested too deeply, so that it is left out."""


def _sampled(turning: Turning, strategy: Any) -> Space:
    elements = list(strategy.elements)
    if turning.factory is not None and len(elements) == 1 and elements[0] is _MADE:
        return Mapped(turning.factory, ())
    if not all(map(_is_fixed, elements)):
        raise NotTurnedError(
            f"the strategy `{told(strategy)}` gives objects that a test might change"
        )
    found = choice_of(elements)
    for kind, function, *_ in getattr(strategy, "_transformations", ()):
        if kind == "filter":
            found = _filtered_by(found, function)
        else:
            found = Mapped(function, (found,))
    return found


_PLAIN = (int, bool, float, str, bytes, type(None), complex, type, range,
          Decimal, Fraction, date, datetime, time, timedelta, UUID)  # fmt: skip


def _is_fixed(value: Any) -> bool:
    """Whether no test can change a value: plain data, members of enumerations, functions."""
    if type(value) in (tuple, frozenset):
        return all(map(_is_fixed, value))
    names = record_fields(type(value))
    if names is not None and not isinstance(value, Enum):
        # A named tuple or a frozen dataclass.
        return all(_is_fixed(getattr(value, name)) for name in names)
    return type(value) in _PLAIN or isinstance(value, (Enum, FunctionType, BuiltinFunctionType))


def _is_rounded(sort: FloatSort, value: Any) -> Value:
    """Whether a format of fewer bits has a float."""
    return or_(is_nan(value), eq(to_float(to_float(value, sort)), value))


# The function by which `floats(width=...)` rounds what it has drawn.
_ROUNDING = f"{floats.__name__}.<locals>.downcast"
_WIDTHS = {16: Float16, 32: Float32}


def _mapped(turning: Turning, strategy: Any) -> Space:
    pack = strategy.pack
    inner = turning.space(strategy.mapped_strategy)
    if getattr(pack, "__qualname__", "") == _ROUNDING and pack.__module__ == floats.__module__:
        width = inspect.getclosurevars(pack).nonlocals["width"]
        holds = _called("downcast", _is_rounded, _WIDTHS[width])
        return Constrained(inner, f"of {width} bits", holds)
    return Mapped(pack, (inner,))


def _filtered(turning: Turning, strategy: Any) -> Space:
    return turning.space(strategy.filtered_strategy)


def _builds(turning: Turning, strategy: Any) -> Space:
    args = tuple(map(turning.space, strategy.args))
    factories = _factories(strategy.target)
    named: list[tuple[str, Space]] = []
    for name, one in strategy.kwargs.items():
        before, turning.factory = turning.factory, factories.get(name)
        try:
            named.append((name, turning.space(one)))
        finally:
            turning.factory = before
    target = _complex if strategy.target is complex else strategy.target
    return Mapped(target, args, tuple(named))


def _factories(cls: object) -> dict[str, Callable[[], Value]]:
    """What makes the defaults of the fields of a dataclass."""
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        return {}
    made = [one for one in dataclasses.fields(cls) if callable(one.default_factory)]
    return {one.name: one.default_factory for one in made if callable(one.default_factory)}


# What stands for a default that a factory makes, and what `from_type` gives to such a parameter.
_MADE: object = vars(dataclasses)["_HAS_DEFAULT_FACTORY"]


@lifted
def _complex(real: Value, imag: Value) -> Value:
    """As `complex` in a program, which takes symbolic floats."""
    return complex(real, imag)


def _fixed_dictionary(turning: Turning, strategy: Any) -> Space:
    if type(strategy.mapping) is not dict or not all(
        isinstance(key, str) for key in (*strategy.mapping, *(strategy.optional or ()))
    ):
        raise NotTurnedError(f"`{told(strategy)}` has keys that are no texts")
    fields = [Field(name, turning.space(one)) for name, one in strategy.mapping.items()]
    optional = (strategy.optional or {}).items()
    fields += [Field(name, turning.space(one), False) for name, one in optional]
    return Records(tuple(fields))


def _flat_mapped(turning: Turning, strategy: Any) -> Space:
    old = "flatmapped_strategy"
    base = getattr(strategy, old) if hasattr(strategy, old) else strategy.base
    values = _few(unwrapped(base))
    if values is None:
        raise NotTurnedError(
            f"the strategy `{told(strategy)}` depends on a value with more than {MOST_VALUES} "
            "possibilities"
        )
    return Choices(tuple(turning.space(strategy.expand(value)) for value in values))


def _few(strategy: Any) -> list[Any] | None:
    """All values of a strategy, if they are few."""
    match type(strategy).__name__:
        case "IntegersStrategy":
            low, high = strategy.start, strategy.end
            if low is not None and high is not None and high - low < MOST_VALUES:
                return list(range(low, high + 1))
        case "BooleansStrategy":
            return [False, True]
        case "SampledFromStrategy" | "JustStrategy":
            if not getattr(strategy, "_transformations", ()):
                found = list(strategy.elements)
                return found if len(found) <= MOST_VALUES else None
    return None


def _deferred(turning: Turning, strategy: Any) -> Space:
    return turning.space(strategy.wrapped_strategy)


def _recursive(turning: Turning, strategy: Any) -> Space:
    """The base, and what extends it, so often."""
    # A list of each depth may be full: what has few leaves on purpose must not get more.
    deepest = [d for d in range(1, DEPTH + 1) if turning.max_len**d <= strategy.max_leaves]
    if not deepest or getattr(strategy, "min_leaves", None):
        raise NotTurnedError(
            f"the strategy `{told(strategy)}` has limits for its leaves, which are not counted"
        )
    turning.bound(f"nested up to {deepest[-1]} times")
    current = strategy.base
    options = [turning.space(current)]
    for _ in deepest:
        current = current | strategy.extend(current)
        options = [turning.space(current)]
    return options[0]


@dataclass(frozen=True)
class Composed(Space):
    """What a function makes of values that it draws itself, as `@composite` has it."""

    definition: Callable[..., Value]
    args: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]
    max_len: int

    def make(self, name: str, making: Making) -> Value:
        run = _called(_name(self.definition), _composed, self, name, making)
        return computed(making, run)

    def __str__(self) -> str:
        return f"what {_name(self.definition)} draws"


def _composed(space: Composed, name: str, making: Making) -> Value:
    draw = Drawing(name, space.max_len, making)
    return call(space.definition)(draw, *space.args, **dict(space.named))


class Drawing:
    """The function `draw` that a composite strategy is given in the symbolic run."""

    def __init__(self, name: str, max_len: int, making: Making) -> None:
        self.name = name
        self.max_len = max_len
        self.making = making
        self.count = 0

    def __call__(self, strategy: Any, label: object = None) -> Value:
        self.count += 1
        own = Making()
        value = drawn(strategy, f"{self.name}.{self.count}", self.max_len, own)
        self.making.made += own.made
        return value


def drawn(strategy: Any, name: str, max_len: int, making: Making) -> Value:
    """A value of a strategy in the run that goes on; what limits it is assumed there."""
    space, _ = turned(strategy, max_len)
    if isinstance(space, Between):
        call(_check_bounds)(space.low, space.high)
    value = space.make(name, making)
    for assumption in making.assumptions:
        assume(assumption)
    return value


class Between(Sorted):
    """Ints between bounds of which one is symbolic."""


@lifted
def _check_bounds(low: Value, high: Value) -> None:
    if low is not None and high is not None and low > high:
        raise InvalidArgument("there is no value between the bounds of `integers`")


def _symbolic_integers(strategy: Any) -> Space | None:
    """Ints between bounds that are symbolic, which Hypothesis has not looked at yet."""
    named = _given_to(strategy, "integers", ("min_value", "max_value"))
    if named is None:
        return None
    low, high = named.get("min_value"), named.get("max_value")
    if not isinstance(low, Term) and not isinstance(high, Term):
        return None
    return Between(Int, low, high)


def _expression(turning: Turning, strategy: Any) -> Space | None:
    """Texts that match a regular expression, if `from_regex` draws them of all characters."""
    given = _given_to(strategy, "from_regex", ("regex",))
    if given is None or given.get("alphabet") is not None:
        return None
    expression = re.compile(given["regex"])
    if isinstance(expression.pattern, bytes):
        return None
    is_whole = bool(given.get("fullmatch", False))
    least, most = re._parser.parse(expression.pattern, expression.flags).getwidth()  # type: ignore[attr-defined]
    longest = max(least, turning.max_len)
    if not is_whole or most > longest:
        turning.bound(f"texts of up to {longest} items")
    most = longest if not is_whole else min(most, longest)
    holds = _called("match", _matches, expression, is_whole)
    text = f"that {'match' if is_whole else 'have a match of'} {shown(expression.pattern, 40)}"
    return Constrained(Alphabet(least, most, within=_ENCODED), text, holds)


# The characters that UTF-8 has, of which `from_regex` draws.
_ENCODED: Ranges = ((0, 0xD7FF), (0xE000, 0x10FFFF))


@lifted
def _matches(expression: re.Pattern[str], is_whole: bool, text: str) -> bool:
    found = expression.fullmatch(text) if is_whole else expression.search(text)
    return found is not None


def _given_to(strategy: Any, name: str, parameters: tuple[str, ...]) -> dict[str, Any] | None:
    """What was given to a function of Hypothesis that has not looked at it yet."""
    function = getattr(strategy, "function", None)
    if type(strategy).__name__ != "LazyStrategy" or getattr(function, "__name__", "") != name:
        return None
    args = vars(strategy).get("_LazyStrategy__args", ())
    named = vars(strategy).get("_LazyStrategy__kwargs", {})
    return {**dict(zip(parameters, args, strict=False)), **named}


def _is_composed_by_library(strategy: Any) -> bool:
    is_composite = type(strategy).__name__ == "CompositeStrategy"
    return is_composite and not is_users(innermost(strategy.definition))


def _composite(turning: Turning, strategy: Any) -> Space:
    turning.bound(f"lists and texts that are drawn of up to {turning.max_len} items")
    named = tuple(strategy.kwargs.items())
    return Composed(strategy.definition, tuple(strategy.args), named, turning.max_len)


def _moments(turning: Turning, strategy: Any) -> Space:
    """Dates, times or durations between two of them."""
    zones = unwrapped(getattr(strategy, "tz_strat", None))
    low, high = strategy.min_value, strategy.max_value
    cls = type(low if low is not None else high)
    if zones is not None and list(getattr(zones, "elements", ())) != [None]:
        raise NotTurnedError(f"a `{cls.__name__}` with a time zone cannot be turned into a space")
    found = of_annotation(cls)
    if (low, high) == (cls.min, cls.max):
        return found
    return Constrained(found, f"from {low} to {high}", partial(_is_between, low, high))


@lifted
def _is_between(low: Value, high: Value, value: Value) -> Value:
    return low <= value and value <= high


def _permutations(turning: Turning, strategy: Any) -> Space:
    """The places of the values, which are all different."""
    values = list(strategy.values)
    if len(values) > MOST_PERMUTED or not all(map(_is_fixed, values)):
        raise NotTurnedError(
            f"the strategy `{told(strategy)}` permutes more than {MOST_PERMUTED} values, or such "
            "as a test might change"
        )
    places = Lists(Sorted(Int, 0, len(values) - 1), len(values), len(values))
    different = Filtered(places, "all different", _different((_identity,)))
    return Mapped(_called("permutations", _at_places, values), (different,))


@lifted
def _at_places(values: list[Value], places: list[int]) -> list[Value]:
    return [values[place] for place in places]


Turn = Callable[[Turning, Any], Space]

TURNED: dict[str, Turn] = {
    "IntegersStrategy": _integers,
    "BooleansStrategy": _booleans,
    "FloatStrategy": _floats,
    "TextStrategy": _text,
    "OneCharStringStrategy": _character,
    "BytesStrategy": _bytes,
    "ListStrategy": _lists,
    "UniqueListStrategy": _unique_lists,
    "UniqueSampledListStrategy": _unique_lists,
    "TupleStrategy": _tuples,
    "OneOfStrategy": _one_of,
    "SampledFromStrategy": _sampled,
    "JustStrategy": _sampled,
    "MappedStrategy": _mapped,
    "FilteredStrategy": _filtered,
    "BuildsStrategy": _builds,
    "FixedDictStrategy": _fixed_dictionary,
    "FlatMapStrategy": _flat_mapped,
    "DeferredStrategy": _deferred,
    "CompositeStrategy": _composite,
    "RecursiveStrategy": _recursive,
    "DateStrategy": _moments,
    "DatetimeStrategy": _moments,
    "TimeStrategy": _moments,
    "TimedeltaStrategy": _moments,
    "PermutationStrategy": _permutations,
}


def turned(strategy: Any, max_len: int = DEFAULT_LENGTH) -> tuple[Space, list[str]]:
    """The space of a strategy, and the bounds that are ours."""
    turning = Turning(max_len)
    try:
        return turning.space(strategy), turning.bounds
    except (_TooDeepError, NotLiftedError) as error:
        raise NotTurnedError(
            f"the strategy `{told(strategy)}` cannot be turned into a space: {error}"
        ) from None
