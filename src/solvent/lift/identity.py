"""Whether two values are one object, and whether containers take them for the same.

Terms have no identity of their own: two that are computed alike are one term, but two objects in
CPython.  For most values nobody can tell; for NaN, which is not equal to itself, containers can.
"""

from __future__ import annotations

from math import isnan
from types import FunctionType
from typing import TYPE_CHECKING

from solvent.errors import NotLiftedError
from solvent.lift.computed import is_computed
from solvent.lift.facts import bounds
from solvent.lift.operators import eq
from solvent.lift.values.protocol import truth
from solvent.terms.booleans import ITE, and_, ite, not_, or_
from solvent.terms.core import COMPILED
from solvent.terms.float_functions import is_nan
from solvent.terms.floats import FloatTerm
from solvent.terms.term import Term
from solvent.vm.kinds import python_type
from solvent.vm.machine import current
from solvent.vm.spread import either, over
from solvent.vm.twins import NATIVE, twin_of_values
from solvent.vm.union import Union, choices_of, exclusive
from solvent.vm.values import Guard, Value

# --- `is` -----------------------------------------------------------------------------------------


def is_(a: Value, b: Value) -> Guard:
    """`a is b`."""
    if type(a) is Union:
        return over(a, lambda member: is_(member, b))  # type: ignore[no-any-return]
    if type(b) is Union:
        return over(b, lambda member: is_(a, member))  # type: ignore[no-any-return]
    if a is b:
        return True
    if isinstance(a, Term) or isinstance(b, Term) or _is_twin_value(a) or _is_twin_value(b):
        kind = python_type(a)
        return kind is python_type(b) and _is_equal_object(a, b, kind)
    return False


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast

    is_ = fast(is_)


def _is_twin_value(value: Value) -> bool:
    """Whether a value is of a twin, and has no identity of its own."""
    return type(value) in NATIVE and twin_of_values(type(value)) is not None


def _is_equal_object(a: Value, b: Value, kind: type) -> Guard:
    """Whether two values of a builtin type, of which one is symbolic, are one object."""
    equal: Guard = eq(a, b)
    if equal is False or kind is bool:
        return equal
    if kind is int and (_is_single(a) or _is_single(b)):
        return equal
    raise NotLiftedError(
        f"whether two equal values of `{kind.__name__}` are one object is up to the interpreter, "
        "so that `is` between symbolic ones is not lifted; compare them with `==`"
    )


def _is_single(number: Value) -> bool:
    """Whether CPython keeps one object for every value that an int may have."""
    low, high = bounds(number)
    return low is not None and high is not None and low >= -5 and high <= 256


def is_not(a: Value, b: Value) -> Guard:
    """`a is not b`."""
    return not_(is_(a, b))


# --- elements of containers -----------------------------------------------------------------------


def same(a: Value, b: Value) -> Guard:
    """Whether two elements of containers are the same or equal, as Python compares them."""
    if _may_both_be_nan(a, b):
        return _same_floats(True, a, b)
    if (type(a) is Union or type(b) is Union) and _may_members_be_nan(a, b):
        return _same_members(True, a, b)
    if a is b:
        return True
    result = eq(a, b)
    return result if type(result) is bool else truth(result)


def same_where(guard: Guard, a: Value, b: Value) -> Guard:
    """Whether a condition holds and two elements are the same or equal.

    An object that exists on some paths only is compared on these by a method of its own.
    """
    if _may_both_be_nan(a, b):
        return and_(guard, _same_floats(guard, a, b))
    if (type(a) is Union or type(b) is Union) and _may_members_be_nan(a, b):
        return _same_members(guard, a, b)
    if guard is not True and (_is_own_object(a) or _is_own_object(b)):
        result: Guard = either(guard, lambda: same(a, b), lambda: False)
        return result
    return and_(guard, same(a, b))


def _is_own_object(value: Value) -> bool:
    return not isinstance(value, Term) and type(type(value).__eq__) is FunctionType


# --- NaN ------------------------------------------------------------------------------------------

# How many pairs of parts of two floats are looked at.
_PAIRS = 500


def _may_both_be_nan(a: Value, b: Value) -> bool:
    """Whether two values are floats of which one is symbolic, and none a known number."""
    if type(a) is FloatTerm:
        return type(b) is FloatTerm or _is_known_nan(b)
    return type(b) is FloatTerm and _is_known_nan(a)


def _may_members_be_nan(a: Value, b: Value) -> bool:
    """Whether two members of unions, or a member and a value, may be NaN."""
    second = [member for _, member in choices_of(b)]
    return any(_may_both_be_nan(one, other) for _, one in choices_of(a) for other in second)


def _same_members(where: Guard, a: Value, b: Value) -> Guard:
    """Whether a condition holds and what two unions are then is the same or equal."""
    second = exclusive(choices_of(b))
    return or_(
        [
            same_where(and_(where, is_one, is_other), one, other)
            for is_one, one in exclusive(choices_of(a))
            for is_other, other in second
        ]
    )


def _is_known_nan(value: Value) -> bool:
    return type(value) is float and isnan(value)


def _same_floats(where: Guard, a: Value, b: Value) -> Guard:
    """Whether two floats are equal, or the same object and NaN."""
    result: Guard = a == b
    if result is True or where is False:
        return result
    one, unclear = _Objects().are_one(a, b)
    if one is False and unclear is False:
        return result
    nan = and_(is_nan(a), is_nan(b))
    in_doubt = and_(where, and_(unclear, nan))
    if in_doubt is not False:
        current().end_unknown(
            in_doubt,
            NotLiftedError(
                "whether two NaN that are computed alike are one object, which decides whether "
                "containers take them for equal, is not lifted; compare with `==`, or assume that "
                "they are not NaN"
            ),
        )
    return or_(result, and_(one, nan))


class _Objects:
    """Where two floats are one object.

    Inputs are objects that are handed on, also by choices between them.  What is computed is one
    object if it was computed once, which its term does not say.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[Guard, Guard]] = {}
        self.left = _PAIRS

    def are_one(self, a: Value, b: Value) -> tuple[Guard, Guard]:
        """Where two floats are one object, and where that is unclear."""
        key = (id(a), id(b))
        found = self.known.get(key)
        if found is None:
            self.left -= 1
            if self.left < 0:
                return False, True
            found = self.known[key] = self._found(a, b)
        return found

    def _found(self, a: Value, b: Value) -> tuple[Guard, Guard]:
        if is_computed(a) or is_computed(b):
            # It may be what was made, or what it was made of.
            one, unclear = self._of_parts(a, b)
            return False, or_(one, unclear)
        return self._of_parts(a, b)

    def _of_parts(self, a: Value, b: Value) -> tuple[Guard, Guard]:
        if a is b and _is_choice(a):
            test, then, otherwise = a.args
            return self._either(test, (then, then), (otherwise, otherwise))
        for first, second in ((a, b), (b, a)):
            if _is_choice(first):
                test, then, otherwise = first.args
                return self._either(test, (then, second), (otherwise, second))
        if _is_known_nan(a) and _is_known_nan(b):
            # Terms do not tell one NaN from another.
            return False, True
        is_handed_on = isinstance(a, Term) and a.is_constant
        return (is_handed_on, not is_handed_on) if a is b else (False, False)

    def _either(
        self, test: Guard, then: tuple[Value, Value], otherwise: tuple[Value, Value]
    ) -> tuple[Guard, Guard]:
        one, unclear = self.are_one(*then)
        other, dim = self.are_one(*otherwise)
        return ite(test, one, other), ite(test, unclear, dim)


def _is_choice(value: Value) -> bool:
    return isinstance(value, Term) and value.op.base is ITE
