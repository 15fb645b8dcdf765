"""Truth values, assertions and what may go wrong when a variable is read."""

from __future__ import annotations

import sys
from collections import deque
from types import MemberDescriptorType
from typing import Any, NoReturn

from solvent.errors import NotLiftedError
from solvent.terms.booleans import BoolTerm, not_, or_
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.vm.kinds import type_name
from solvent.vm.machine import _MACHINE, current
from solvent.vm.owned import Elements
from solvent.vm.spread import over
from solvent.vm.union import Maybe, Union

_CONCRETE = frozenset((bool, int, float, complex, str, bytes, type(None), tuple, range))


def test(value: Any) -> Any:
    """The test of a branch: a bool, or a symbolic truth value if both sides are possible."""
    result = value if type(value) is BoolTerm else truth(value)
    if type(result) is BoolTerm:
        try:
            machine = _MACHINE.get()
        except LookupError:
            machine = current()
        scopes, limits = machine.scopes, machine.limits
        if (
            len(machine.forks) + len(scopes) > 3
            or limits.bound is not None
            or (scopes and scopes[-1].left > limits.ask_after)
        ):
            return limits.decide(machine, result, sys._getframe(1).f_code)
    return result


def truth(value: Any) -> Any:
    """The truth value of anything: a bool or a symbolic one.

    >>> from solvent.terms import Int
    >>> truth(Int("x")), truth([]), truth("a")
    (x != 0, False, True)
    """
    cls = type(value)
    if cls is BoolTerm:
        return value
    if cls in _CONCRETE:
        return bool(value)
    if isinstance(value, Term):
        term: Any = value
        if cls is StringTerm:
            return not_(term == "")
        if type(term.sort).__name__ in _NUMERIC:
            return term != 0
        raise NotLiftedError(f"a value of sort {value.sort} has no truth value")
    if cls is Union:
        return over(value, truth)
    if cls is list or cls is deque:
        if not value:
            return False
        first = value[0]
        return first.guard if type(first) is Maybe else True
    if isinstance(value, dict) and cls.__len__ is dict.__len__:
        if any(type(entry) is not Maybe for entry in dict.values(value)):
            return True
        return or_([entry.guard for entry in dict.values(value)])
    if cls is set or cls is frozenset:
        if len(value) == 1:
            (only,) = value
            if type(only) is Elements:
                return or_(list(only.guards.values()))
        return bool(value)
    return _by_method(value, cls)


_NUMERIC = frozenset(("IntSort", "RealSort", "FloatSort", "BitVecSort"))


def _by_method(value: Any, cls: type) -> Any:
    from solvent.lift.calls import call

    method = getattr(cls, "__bool__", None)
    if method is not None:
        result = call(method)(value)
        if type(result) not in (bool, BoolTerm):
            raise TypeError(f"__bool__ should return bool, returned {type_name(result)}")
        return result
    method = getattr(cls, "__len__", None)
    if method is not None:
        return truth(call(method)(value))
    return True


def negation(value: Any) -> Any:
    """`not value`."""
    return not_(truth(value))


def check(value: Any, message: tuple[Any, ...]) -> None:
    """`assert value, message` where the value is not simply `True`."""
    holds = truth(value)
    if holds is not True:
        current().fail_if(not_(holds), AssertionError(*message))


def unbound(slot: Maybe, name: str, free: bool) -> Any:
    """Read a variable that some paths have not bound, of this function or one around it."""
    error: NameError
    if free:
        error = NameError(
            f"cannot access free variable '{name}' where it is not associated with a value in "
            "enclosing scope"
        )
    else:
        error = UnboundLocalError(
            f"cannot access local variable '{name}' where it is not associated with a value"
        )
    current().fail_if(not_(slot.guard), error)
    return slot.value


def absent(slot: Maybe, name: str, owner: Any) -> Any:
    """Read an attribute that some paths have not set: there the class decides."""
    from solvent.lift.mappings import either

    return either(slot.guard, lambda: slot.value, lambda: _from_class(owner, name))


def _from_class(owner: Any, name: str) -> Any:
    """What an attribute is for an object that has none of its own."""
    from solvent.lift.calls import call

    if isinstance(owner, type):
        for base in owner.__mro__[1:]:
            if name in base.__dict__:
                return getattr(base, name)
        raise AttributeError(f"type object '{owner.__name__}' has no attribute '{name}'")
    cls = type(owner)
    for base in cls.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            if type(found) is MemberDescriptorType:
                break
            get = getattr(type(found), "__get__", None)
            return found if get is None else get(found, owner, cls)
    computed = getattr(cls, "__getattr__", None)
    if computed is not None:
        return call(computed)(owner, name)
    raise AttributeError(f"'{type_name(owner)}' object has no attribute '{name}'")


def exception(value: Any) -> BaseException:
    """What `raise value` raises: an instance, made if it is a class."""
    if type(value) is Union:
        return over(value, _raise)  # type: ignore[no-any-return]
    if isinstance(value, type):
        from solvent.lift.calls import call

        return call(value)()  # type: ignore[no-any-return]
    return value  # type: ignore[no-any-return]


def _raise(value: Any) -> NoReturn:
    raise exception(value)


def matches(error: BaseException, kinds: Any) -> Any:
    """Whether `except kinds` catches an exception."""
    if type(kinds) is Union:
        return over(kinds, lambda member: matches(error, member))
    if type(kinds) is tuple:
        return or_([matches(error, kind) for kind in kinds])
    if not (isinstance(kinds, type) and issubclass(kinds, BaseException)):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return isinstance(error, kinds)
