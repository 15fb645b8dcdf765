"""Uninterpreted sorts and uninterpreted functions."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from solvent.errors import EvaluationError, SortError
from solvent.terms.booleans import equals, not_equals
from solvent.terms.ops import Op
from solvent.terms.sorts import (
    TERM_CLASSES,
    Sort,
    SortLike,
    UninterpretedSort,
    as_sort,
    as_sorts,
    describe,
)
from solvent.terms.term import Term, node

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Operand


class UninterpretedTerm(Term):
    """A term of an uninterpreted sort: it can only be compared."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        return equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        return not_equals(self, other)


TERM_CLASSES[UninterpretedSort] = UninterpretedTerm


def _no_interpretation(function: FunctionSymbol, *args: object) -> NoReturn:
    raise EvaluationError(f"the function {function.name} has a value only under a model")


APPLY: Op[Any] = Op(
    "apply",
    _no_interpretation,
    lambda function, *args: function.range,
    lambda function: function.name,
)


def _apply_construct(function: FunctionSymbol, *args: Operand) -> Term:
    sort = function.range
    return node(sort.term_class, APPLY.at(function), sort, *args)


APPLY.construct = _apply_construct
APPLY.builds = True


class FunctionSymbol:
    """An uninterpreted function; applying it gives a term.

    >>> from solvent.terms import Function, Int
    >>> FunctionSymbol("f", [Int], Int) is Function("f", [Int], Int)
    True
    """

    __slots__ = ("domain", "index", "range", "symbol")

    symbol: str
    domain: tuple[Sort[Term], ...]
    range: Sort[Term]
    index: int | None

    def __new__(
        cls, symbol: str, domain: Sequence[SortLike], range: SortLike, index: int | None = None
    ) -> FunctionSymbol:
        key = (symbol, as_sorts(domain), as_sort(range), index)
        found = _symbols.get(key)
        if found is None:
            found = object.__new__(cls)
            found.symbol, found.domain, found.range, found.index = key
            found = _symbols.setdefault(key, found)
        return found

    @property
    def name(self) -> str:
        """The name; that of a fresh function carries its number."""
        return self.symbol if self.index is None else f"{self.symbol}!{self.index}"

    # The sort of the result is known to the running program only.
    def __call__(self, *args: Operand) -> Any:
        if len(args) != len(self.domain):
            raise SortError(f"{self.name} takes {len(self.domain)} arguments, not {len(args)}")
        values = []
        for position, (sort, arg) in enumerate(zip(self.domain, args, strict=True), 1):
            value = sort.coerce(arg)
            if value is NotImplemented:
                raise SortError(
                    f"argument {position} of {self.name} is of sort {sort}, not {describe(arg)}"
                )
            values.append(value)
        return _apply_construct(self, *values)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        return (FunctionSymbol, (self.symbol, self.domain, self.range, self.index))


_symbols: dict[tuple[object, ...], FunctionSymbol] = {}


class FunctionFamily:
    """`Function("f", [Int, Int], Bool)`: the uninterpreted function of a name and signature.

    >>> from solvent.terms import Bool, Function, Int
    >>> f = Function("f", [Int, Int], Bool)
    >>> f(1, Int("x"))
    f(1, x)
    """

    def __init__(self) -> None:
        self._numbers: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)

    def __call__(self, name: str, domain: Sequence[SortLike], range: SortLike) -> FunctionSymbol:
        return FunctionSymbol(name, self._domain(name, domain), range)

    def fresh(self, name: str, domain: Sequence[SortLike], range: SortLike) -> FunctionSymbol:
        """A new function, different from every other."""
        number = next(self._numbers[name])
        return FunctionSymbol(name, self._domain(name, domain), range, number)

    @staticmethod
    def _domain(name: str, domain: Sequence[SortLike]) -> tuple[Sort[Term], ...]:
        if not domain:
            raise SortError(f"the function {name} needs at least one argument sort")
        return as_sorts(domain)


Function = FunctionFamily()
