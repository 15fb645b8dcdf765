"""Examples with which a test fails, written where Hypothesis keeps its own: it replays them first.

Hypothesis remembers the choices that its strategies made.  `choices` finds those that lead to
given values, by the class of each strategy; Hypothesis itself then draws from them, and only if
this gives the very values they are written.

>>> from hypothesis import strategies as st
>>> list(choices(st.lists(st.integers()), [3, 4])), list(choices(st.none() | st.booleans(), True))
([True, 3, True, 4, False], [1, True])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from solvent.strategies.given import Given
from solvent.strategies.turning import unwrapped

Choice = bool | int | float | str | bytes


class NoChoicesError(Exception):
    """It is not known which choices lead to a value."""


def choices(strategy: Any, value: Any) -> Iterator[Choice]:
    """The choices that lead a strategy to a value."""
    strategy = unwrapped(strategy)
    find = _CHOICES.get(type(strategy).__name__)
    if find is not None:
        yield from find(strategy, value)
        return
    # Newer versions of Hypothesis know it of some strategies themselves.
    invert = getattr(strategy, "_invert", None)
    if invert is None:
        raise NoChoicesError
    try:
        yield from invert(value)
    except Exception as error:
        raise NoChoicesError from error


def _itself(strategy: Any, value: Any) -> Iterator[Choice]:
    yield value


def _items(strategy: Any, value: Any) -> Iterator[Choice]:
    is_fixed = strategy.min_size == strategy.max_size
    suffixes = getattr(strategy, "tuple_suffixes", None)
    for item in value:
        if not is_fixed:
            yield True
        if suffixes is None:
            yield from choices(strategy.element_strategy, item)
        else:
            yield from choices(strategy.element_strategy, item[0])
            yield from choices(suffixes, item[1:])
    if not is_fixed:
        yield False


def _sampled_items(strategy: Any, value: Any) -> Iterator[Choice]:
    """Different elements of a sequence: each choice is a place among those that remain."""
    remaining = list(unwrapped(strategy.element_strategy).elements)
    is_fixed = strategy.min_size == strategy.max_size
    if strategy.tuple_suffixes is not None:
        raise NoChoicesError
    for item in value:
        if not is_fixed:
            yield True
        place = next((p for p, one in enumerate(remaining) if _same(one, item)), None)
        if place is None:
            raise NoChoicesError
        remaining.pop(place)
        yield place
    if not is_fixed and remaining:
        yield False


def _each(strategy: Any, value: Any) -> Iterator[Choice]:
    for part, item in zip(strategy.element_strategies, value, strict=True):
        yield from choices(part, item)


def _option(strategy: Any, value: Any) -> Iterator[Choice]:
    for place, option in enumerate(strategy.element_strategies):
        try:
            found = list(choices(option, value))
        except (NoChoicesError, TypeError, ValueError, AttributeError):
            continue
        if _drawn(option, found, value):
            yield from (place, *found)
            return
    raise NoChoicesError


def _element(strategy: Any, value: Any) -> Iterator[Choice]:
    for place, element in enumerate(strategy.elements):
        if _same(element, value):
            if len(strategy.elements) > 1:
                yield place
            return
    raise NoChoicesError


def _filtered(strategy: Any, value: Any) -> Iterator[Choice]:
    yield from choices(strategy.filtered_strategy, value)


# The functions behind `sets`, `dictionaries` and the like, and how they are undone.
_UNDONE: dict[object, Callable[[Any], Any]] = {
    set: list,
    frozenset: list,
    dict: lambda value: list(value.items()),
    list: list,
    tuple: list,
}


def _mapped(strategy: Any, value: Any) -> Iterator[Choice]:
    undo = _UNDONE.get(strategy.pack) if isinstance(strategy.pack, type) else None
    if undo is None:
        raise NoChoicesError
    yield from choices(strategy.mapped_strategy, undo(value))


def _fixed_dictionary(strategy: Any, value: Any) -> Iterator[Choice]:
    if strategy.optional:
        raise NoChoicesError
    for name, part in strategy.mapping.items():
        yield from choices(part, value[name])


def _deferred(strategy: Any, value: Any) -> Iterator[Choice]:
    yield from choices(strategy.wrapped_strategy, value)


_CHOICES: dict[str, Callable[[Any, Any], Iterator[Choice]]] = {
    **dict.fromkeys(("IntegersStrategy", "BooleansStrategy", "FloatStrategy"), _itself),
    **dict.fromkeys(("TextStrategy", "BytesStrategy", "OneCharStringStrategy"), _itself),
    **dict.fromkeys(("ListStrategy", "UniqueListStrategy"), _items),
    "UniqueSampledListStrategy": _sampled_items,
    "TupleStrategy": _each,
    "OneOfStrategy": _option,
    "SampledFromStrategy": _element,
    "JustStrategy": _element,
    "FilteredStrategy": _filtered,
    "MappedStrategy": _mapped,
    "FixedDictStrategy": _fixed_dictionary,
    "DeferredStrategy": _deferred,
}


def _same(a: Any, b: Any) -> bool:
    """Whether two values look the same, which equal ones of different types do not."""
    return type(a) is type(b) and repr(a) == repr(b)


def _drawn(strategy: Any, found: list[Choice], value: Any) -> bool:
    """Whether Hypothesis draws this value from these choices."""
    from hypothesis.control import BuildContext
    from hypothesis.internal.conjecture.data import ConjectureData

    # Choices that do not fit make all kinds of code fail; `StopTest` is no `Exception`.
    try:
        data = ConjectureData.for_choices(tuple(found))
        with BuildContext(data, wrapped_test=_drawn):
            return _same(data.draw(strategy), value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False


def written(given: Given, inputs: Mapping[str, Any]) -> bool:
    """Write an example into the database of Hypothesis; whether this could be done."""
    try:
        from hypothesis import settings
        from hypothesis.database import choices_to_bytes
        from hypothesis.internal.reflection import function_digest
    except ImportError:
        return False
    if given.data or set(inputs) != set(given.strategies):
        return False
    found: list[Choice] = []
    for name, strategy in given.strategies.items():
        try:
            part = list(choices(strategy, inputs[name]))
        except (NoChoicesError, TypeError, ValueError, AttributeError, KeyError):
            return False
        if not _drawn(strategy, part, inputs[name]):
            return False
        found += part
    own: Any = getattr(given.test, "_hypothesis_internal_use_settings", None) or settings.default
    database = own.database
    if database is None:
        return False
    key = getattr(given.test, "_hypothesis_internal_database_key", None)
    database.save(key or function_digest(given.inner), choices_to_bytes(found))
    return True
