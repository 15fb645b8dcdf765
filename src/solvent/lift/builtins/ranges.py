"""`range` with symbolic bounds, and what is asked of ranges about symbolic numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.calls import Direct
from solvent.lift.iteration import SymbolicRange
from solvent.lift.messages import raised
from solvent.lift.registry import Function, lifts, lifts_method
from solvent.terms.booleans import BoolTerm, and_, ite, not_, or_
from solvent.terms.integers import IntTerm
from solvent.terms.term import Term
from solvent.vm.kinds import python_type, type_name
from solvent.vm.machine import current
from solvent.vm.spread import over
from solvent.vm.union import Union

Range = range | SymbolicRange


@lifts(range)
def make_range(*bounds: Any) -> Any:
    """`range(...)`."""
    for place, bound in enumerate(bounds):
        if type(bound) is Union:
            return over(bound, lambda m: make_range(*bounds[:place], m, *bounds[place + 1 :]))  # noqa: B023
    if not any(isinstance(bound, Term) for bound in bounds) or not 1 <= len(bounds) <= 3:
        return range(*bounds)
    whole = [_whole(bound) for bound in bounds]
    start, stop, step = (0, *whole, 1) if len(whole) == 1 else (*whole, 1)[:3]
    zero = step == 0
    if zero is not False:
        current().fail_if(zero, raised(range, 0, 0, 0))
    return SymbolicRange(start, stop, step)


def _whole(bound: Any) -> Any:
    if type(bound) is IntTerm:
        return bound
    if type(bound) is BoolTerm:
        return bound.as_int()
    if isinstance(bound, Term):
        raise TypeError(f"'{type_name(bound)}' object cannot be interpreted as an integer")
    return range(bound).stop


def as_symbolic(found: Range) -> SymbolicRange:
    """A range as one that takes symbolic numbers."""
    if isinstance(found, SymbolicRange):
        return found
    return SymbolicRange(found.start, found.stop, found.step)


def contains(found: Range, item: Any) -> Any:
    """`item in found`."""
    if type(item) is Union:
        return over(item, lambda member: contains(found, member))
    kind = python_type(item)
    if issubclass(kind, int):
        return as_symbolic(found).holds(item.as_int() if type(item) is BoolTerm else item)
    if isinstance(found, range):
        return or_([operators.eq(item, number) for number in found])
    if issubclass(kind, (str, bytes, list, tuple, dict, set, type(None))):
        return False
    raise NotLiftedError(
        f"looking for a {kind.__name__} in a range with symbolic bounds is not lifted; compare it "
        "with the bounds"
    )


def _method(name: str) -> Callable[[Function], Function]:
    """Register a method of ranges, for symbolic ones and for symbolic numbers in concrete ones."""
    native = getattr(range, name)

    def register(function: Function) -> Function:
        def method(found: Any, *arguments: Any) -> Any:
            symbolic = isinstance(found, SymbolicRange)
            if len(arguments) == 1 and (symbolic or isinstance(arguments[0], (Term, Union))):
                return function(found, *arguments)
            return Direct(native)(found, *arguments)

        lifts_method(range, SymbolicRange, name=name)(method)
        return function

    return register


@_method("count")
def count(found: Any, value: Any) -> Any:
    """`found.count(value)`."""
    inside = contains(found, value)
    return int(inside) if type(inside) is bool else ite(inside, 1, 0)


@_method("index")
def index(found: Any, value: Any) -> Any:
    """`found.index(value)`."""
    if type(value) is Union:
        return over(value, lambda member: index(found, member))
    from solvent.lift.formatting import join_texts, representation

    missing = not_(contains(found, value))
    if missing is not False:
        text = join_texts([representation(value), " is not in range"])
        current().fail_if(missing, ValueError(text))
    row = as_symbolic(found)
    number = value.as_int() if type(value) is BoolTerm else value
    return (number - row.start) // row.concrete_step()


def equal(a: Any, b: Any) -> Any:
    """`a == b` for ranges: whether they hold the same numbers."""
    first, second = as_symbolic(a), as_symbolic(b)
    size = first.size()
    same_step = first.concrete_step() == second.concrete_step()
    same_start = first.start == second.start
    rest = or_(size == 0, and_(same_start, or_(size == 1, same_step)))
    return and_(size == second.size(), rest)


lifts_method(SymbolicRange, name="__contains__")(contains)
