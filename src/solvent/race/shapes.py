"""Inputs as one strategy of Hypothesis: which constants belong together, and what each may be.

The items of a container are drawn as a list, so that Hypothesis leaves out, copies and exchanges
whole items, and of several options only the one that is taken is drawn.  Whatever has constants
can be drawn like this, also inputs for whose space nobody has written a strategy.

>>> from hypothesis import find
>>> from solvent.queries.inputs import bind
>>> from solvent.terms import Model
>>> def f(rows: list[list[int]], other: int | None) -> None: ...
>>> program = Program(f, bind(f, (), {}))
>>> drawn = assignments(program, Hints())
>>> found = find(drawn, lambda values: "], [0, 0]" in program.text(Model(values)))
>>> program.text(Model(found))
'([[], [0, 0]], None)'
"""

from __future__ import annotations

import re
from typing import Any

from solvent.race.concrete import Program
from solvent.race.drawing import Assignment
from solvent.race.hints import Hints
from solvent.race.leaves import Leaf, Role, leaves_of
from solvent.race.pools import Pool, Pools
from solvent.terms.softfloat import BINARY64
from solvent.terms.sorts import BitVecSort
from solvent.terms.strings import MAX_CODE
from solvent.terms.texts import LAST_CODE
from solvent.terms.values import bv

# Names of constants, as far as they are not told from the one around, with the values.
Rows = dict[str, Leaf]
Drawn = dict[str, Any]

_ITEM = re.compile(r"\[(\d+)\](.*)", re.DOTALL)
_OPTION = re.compile(r"\.(\d+)(?!\d)(.*)", re.DOTALL)
_LENGTH, _WHICH = "#", ".which"
_PRINTABLE = (32, 126)


def assignments(program: Program, hints: Hints) -> Any:
    """A strategy whose values give each constant of the inputs a value."""
    pools = Pools(hints)
    leaves = leaves_of(program)
    rows = {_path(leaf): leaf for leaf in leaves}
    # What is not drawn, such as items of a shorter list, must be something that it may be.
    base: Assignment = {leaf.constant: pools.of(leaf).small[0] for leaf in leaves}

    def assigned(found: Drawn) -> Assignment:
        return base | {rows[path].constant: value for path, value in found.items()}

    return _Shaper(pools).of(rows).map(assigned)


def _path(leaf: Leaf) -> str:
    """A name that begins with the name of what the leaf is part of."""
    return f"{leaf.owner}{_LENGTH}" if leaf.owner else leaf.name


def _merged(parts: tuple[Drawn, ...]) -> Drawn:
    return {path: value for part in parts for path, value in part.items()}


class _Shaper:
    def __init__(self, pools: Pools) -> None:
        self.pools = pools
        # The same strategy for the same kind of leaf: Hypothesis exchanges what comes from one.
        self._known: dict[object, Any] = {}

    def of(self, rows: Rows) -> Any:
        """A strategy for some constants."""
        from hypothesis import strategies as st

        parts: list[Any] = []
        left = dict(rows)
        for path in sorted(rows, key=len):
            if path not in left:
                continue
            if path.endswith((_LENGTH, _WHICH)):
                parts.append(self._group(path, left))
        parts += [
            self.leaf(leaf).map(lambda value, path=path: {path: value})
            for path, leaf in left.items()
        ]
        return parts[0] if len(parts) == 1 else st.tuples(*parts).map(_merged)

    def _group(self, path: str, left: Rows) -> Any:
        """A container or options, which are taken out of what is left with all that is in them."""
        is_container = path.endswith(_LENGTH)
        name = path.removesuffix(_LENGTH if is_container else _WHICH)
        leaf = left.pop(path)
        inside: dict[int, Rows] = {}
        for other in [other for other in left if other.startswith(name)]:
            found = (_ITEM if is_container else _OPTION).fullmatch(other, len(name))
            if found is not None:
                inside.setdefault(int(found[1]), {})[found[2]] = left.pop(other)
        make = self._container if is_container else self._options
        return make(name, leaf, inside)

    def _container(self, name: str, leaf: Leaf, items: dict[int, Rows]) -> Any:
        from hypothesis import strategies as st

        low, high = leaf.low or 0, len(items) if leaf.high is None else leaf.high
        first = items.get(0, {})
        if not items or high > len(items) or not all(_alike(first, one) for one in items.values()):
            # Items of which each is of its own kind, or of which there is nothing to choose.
            rest = {
                f"{name}[{n}]{path}": one for n, row in items.items() for path, one in row.items()
            }
            length = self.leaf(leaf).map(lambda value: {name + _LENGTH: value})
            return st.tuples(length, self.of(rest)).map(_merged) if rest else length

        def placed(found: list[Drawn]) -> Drawn:
            rows = {
                f"{name}[{place}]{path}": value
                for place, item in enumerate(found)
                for path, value in item.items()
            }
            return {name + _LENGTH: len(found), **rows}

        drawn = st.lists(self.of(first), min_size=low, max_size=high)
        if leaf.conditions:
            drawn = drawn.filter(lambda found: leaf.allows(len(found)))
        return drawn.map(placed)

    def _options(self, name: str, leaf: Leaf, options: dict[int, Rows]) -> Any:
        from hypothesis import strategies as st

        def option(number: int) -> Any:
            chosen = {name + _WHICH: number}
            rows = options.get(number)
            if not rows:
                return st.just(chosen)

            def named(found: Drawn) -> Drawn:
                return chosen | {f"{name}.{number}{path}": value for path, value in found.items()}

            return self.of(rows).map(named)

        return st.one_of(*(option(number) for number in self.pools.of(leaf).small))

    def leaf(self, leaf: Leaf) -> Any:
        """A strategy for one constant."""
        key: object = (leaf.role, leaf.sort, leaf.low, leaf.high)
        if leaf.conditions or leaf.role is Role.FUNCTION:
            key = leaf.constant
        if key not in self._known:
            made = _values(leaf, self.pools.of(leaf))
            self._known[key] = made.filter(leaf.allows) if leaf.conditions else made
        return self._known[key]


def _alike(one: Rows, other: Rows) -> bool:
    """Whether the constants of two items may have the same values."""
    return one.keys() == other.keys() and all(
        (leaf.role, leaf.sort, leaf.low, leaf.high, len(leaf.conditions))
        == (twin.role, twin.sort, twin.low, twin.high, len(twin.conditions))
        for leaf, twin in zip(one.values(), (other[path] for path in one), strict=True)
    )


def _values(leaf: Leaf, pool: Pool) -> Any:
    """What is worth trying for a constant, and anything else that it may be."""
    from hypothesis import strategies as st

    known = st.sampled_from([*pool.small, *pool.big])
    match leaf.role:
        case Role.TRUTH:
            return st.booleans()
        case Role.NUMBER | Role.LENGTH | Role.CHOICE:
            return known | st.integers(leaf.low, leaf.high)
        case Role.CHARACTER:
            return known | st.integers(*_PRINTABLE) | st.integers(0, LAST_CODE)
        case Role.FLOAT if leaf.sort is BINARY64:
            return known | st.floats()
        case Role.FRACTION:
            return known | st.fractions(max_denominator=1000)
        case Role.BITS if isinstance(leaf.sort, BitVecSort):
            width = leaf.sort.width
            return known | st.integers(0, (1 << width) - 1).map(lambda number: bv(number, width))
        case Role.TEXT:
            codes = st.integers(*_PRINTABLE) | st.integers(0, MAX_CODE)
            return known | st.lists(codes).map(lambda found: "".join(map(chr, found)))
        case _:
            return known
