"""Strategies of Hypothesis from spaces: the other way round.

>>> from hypothesis import find
>>> from solvent import Int, integers, lists
>>> find(strategy(lists(integers(0, 9), min_len=2)), lambda xs: xs[0] > 3)
[4, 0]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solvent.errors import InputSpaceError
from solvent.lift.under_model import evaluate
from solvent.queries.spaces.base import Space
from solvent.queries.spaces.characters import Binary, Buffers, Texts
from solvent.queries.spaces.constrained import Constrained
from solvent.queries.spaces.containers import (
    Deques,
    Dicts,
    Lists,
    Records,
    Sets,
    Tuples,
    VariableTuples,
)
from solvent.queries.spaces.making import space as space_of
from solvent.queries.spaces.objects import Objects
from solvent.queries.spaces.values import Choices, Exactly, Sorted
from solvent.terms import Bool, Float64, Int, Real
from solvent.terms.model import Model


def strategy(space: object) -> Any:
    """A strategy whose values are those of a space, a sort, a type or a list of values."""
    found = space_of(space)
    make = _STRATEGIES.get(type(found))
    if make is None:
        raise InputSpaceError(f"no strategy is known for the space `{found}`")
    return make(found)


def _sorted(space: Sorted) -> Any:
    from hypothesis import strategies as st

    if space.sort is Int:
        return st.integers(space.low, space.high)
    if space.sort is Bool:
        return st.booleans()
    if space.sort is Float64:
        return st.floats()
    if space.sort is Real:
        return st.fractions(space.low, space.high)
    raise InputSpaceError(f"no strategy is known for the sort {space.sort}")


def _exactly(space: Exactly) -> Any:
    from hypothesis import strategies as st

    # A value that is not to be shared between examples is made anew.
    return st.builds(lambda: evaluate(space.value, Model({})))


def _choices(space: Choices) -> Any:
    from hypothesis import strategies as st

    return st.one_of(*map(strategy, space.options))


def _texts(space: Texts) -> Any:
    from hypothesis import strategies as st

    codes = [code for low, high in space.ranges() for code in (low, high)]
    if (codes[0], codes[-1]) == (0, 0x10FFFF) and len(codes) == 2:
        alphabet: Any = st.characters()
    else:
        letters = [chr(code) for low, high in space.ranges() for code in range(low, high + 1)]
        alphabet = st.sampled_from(letters)
    return st.text(alphabet, min_size=space.min_len, max_size=space.max_len)


def _binary(space: Binary | Buffers) -> Any:
    from hypothesis import strategies as st

    found = st.binary(min_size=space.min_len, max_size=space.max_len)
    return found.map(bytearray) if isinstance(space, Buffers) else found


def _lists(space: Lists | VariableTuples) -> Any:
    from collections import deque

    from hypothesis import strategies as st

    found = st.lists(strategy(space.items), min_size=space.min_len, max_size=space.max_len)
    if isinstance(space, VariableTuples):
        return found.map(tuple)
    return found.map(deque) if isinstance(space, Deques) else found


def _tuples(space: Tuples) -> Any:
    from hypothesis import strategies as st

    found = st.tuples(*map(strategy, space.items))
    return found if space.cls is tuple else found.map(lambda items: space.cls(*items))


def _sets(space: Sets) -> Any:
    from hypothesis import strategies as st

    make = st.frozensets if space.frozen else st.sets
    return make(strategy(space.items), max_size=space.max_len)


def _dicts(space: Dicts) -> Any:
    from hypothesis import strategies as st

    return st.dictionaries(strategy(space.keys), strategy(space.values), max_size=space.max_len)


def _records(space: Records) -> Any:
    from hypothesis import strategies as st

    required = {one.name: strategy(one.values) for one in space.fields if one.required}
    optional = {one.name: strategy(one.values) for one in space.fields if not one.required}
    return st.fixed_dictionaries(required, optional=optional)


def _objects(space: Objects) -> Any:
    from hypothesis import strategies as st

    return st.builds(space.cls, **{name: strategy(part) for name, part in space.fields})


def _constrained(space: Constrained) -> Any:
    return strategy(space.of).filter(space.holds)


_STRATEGIES: dict[type[Space], Callable[[Any], Any]] = {
    Sorted: _sorted,
    Exactly: _exactly,
    Choices: _choices,
    Texts: _texts,
    Binary: _binary,
    Buffers: _binary,
    Lists: _lists,
    Deques: _lists,
    VariableTuples: _lists,
    Tuples: _tuples,
    Sets: _sets,
    Dicts: _dicts,
    Records: _records,
    Objects: _objects,
    Constrained: _constrained,
}
