"""`enum.Flag`: members by symbolic numbers, and the flags of a member.

There are as many members as combinations of flags.  Which of them a number stands for is asked of
the class itself, number by number; what numbers beyond all flags do is the class's boundary.
"""

from __future__ import annotations

from enum import CONFORM, EJECT, STRICT, EnumMeta, Flag

from solvent.errors import NotLiftedError
from solvent.lift import operators
from solvent.lift.calls import Enumerated, call
from solvent.lift.leaves import MOST_LEAVES, each_leaf
from solvent.lift.registry import ENUMERATIONS, lifts
from solvent.lift.values.protocol import iter_of
from solvent.terms.booleans import BoolTerm, eq
from solvent.terms.integers import IntTerm
from solvent.vm.machine import current
from solvent.vm.own import position
from solvent.vm.spread import over
from solvent.vm.union import Union
from solvent.vm.values import Choice, Value

# Stands for the numbers that are out of range.
_BEYOND = object()
# A class may have a way of its own to make members.
_MISSING = Flag._missing_.__func__  # type: ignore[attr-defined]


def member_of(cls: type[Flag], value: Value) -> Value:
    """`cls(value)` for a symbolic number."""
    if type(value) is BoolTerm:
        value = value.as_int()
    count = cls._all_bits_ + 1  # type: ignore[attr-defined]
    boundary = cls._boundary_  # type: ignore[attr-defined]
    if boundary is CONFORM:
        # Only the lowest bits count, as of a number of so many bits.
        value = operators.mod(value, count)
    few = each_leaf(value)
    if few is not None:
        return over(few, cls)
    if 2 * count > MOST_LEAVES:
        return _as_written(cls, value)
    rows: list[Choice] = [(eq(value, number), number) for number in range(-count, count)]

    def found(number: Value) -> Value:
        return _beyond(cls, boundary, value) if number is _BEYOND else cls(number)

    return over(Union((*rows, (True, _BEYOND))), found)


def _beyond(cls: type[Flag], boundary: Value, value: Value) -> Value:
    """What the class makes of a number that has other bits than its flags."""
    if boundary is EJECT:
        return value
    if boundary is STRICT:
        return _as_written(cls, value)
    chosen = current().concretely(cls.__qualname__, ((value,), {}), lambda one: cls(*one[0]))
    if chosen is not NotImplemented:
        return chosen
    raise NotLiftedError(
        f"{position()}: `{cls.__qualname__}` keeps all bits of a number, so that a symbolic one "
        "has as many members as values; take those that are flags, as in `n & 7`, or bound it"
    )


def _as_written(cls: type[Flag], value: Value) -> Value:
    """As Python's own code finds the member, or raises."""
    return call(type(cls).__call__)(cls, value)


class Flags(Enumerated):
    """A class of flags that is called with a number."""

    __slots__ = ()

    def symbolic(self, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        cls = self.function
        usual = cls._missing_.__func__ is _MISSING and type(cls).__call__ is EnumMeta.__call__
        if usual and len(args) == 1 and not named and type(args[0]) in (IntTerm, BoolTerm):
            return member_of(cls, args[0])
        return super().symbolic(args, named)


ENUMERATIONS[Flag] = Flags


@lifts(Flag.__invert__)
def inverted(flag: Flag) -> Flag:
    """`~flag`, which the flag remembers on all paths."""
    return Flag.__invert__(flag)


@lifts(Flag.__iter__)
def flags_in(flag: Flag) -> Value:
    """`iter(flag)`: known flags, so that paths may take more of them than others."""
    return iter_of(list(Flag.__iter__(flag)))
