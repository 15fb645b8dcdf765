"""The tests of branches, assertions, `raise` and `except`, and variables that are not bound."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

from solvent.lift.calls import call
from solvent.lift.values.protocol import truth
from solvent.terms.booleans import NOT, BoolTerm, not_, or_
from solvent.terms.core import COMPILED
from solvent.vm.limits import Limits
from solvent.vm.machine import MACHINE, current
from solvent.vm.scopes import Scope
from solvent.vm.slots import opened
from solvent.vm.spread import over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


def test(value: Value) -> Guard:
    """The test of a branch: a bool, or a symbolic truth value if both sides are possible."""
    result = value if type(value) is BoolTerm else truth(value)
    if type(result) is BoolTerm:
        try:
            machine = MACHINE.get()
        except LookupError:
            machine = current()
        scopes, limits = machine.scopes, machine.limits
        if (
            len(machine.forks) + len(scopes) > 3
            or limits.bound is not None
            or (scopes and scopes[-1].left > limits.ask_after)
        ):
            result = limits.decide(machine, result, sys._getframe(1).f_code)
    return result


def negation(value: Value) -> Guard:
    """`not value`."""
    return not_(truth(value))


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_tests

    setup_tests(Scope, Limits)
    test, negation = fast(test), fast(negation, NOT.construct)


def check(value: Value, message: tuple[Value, ...]) -> None:
    """`assert value, message` where the value is not simply `True`."""
    holds = truth(value)
    if holds is not True:
        current().fail_if(not_(holds), AssertionError(*message))


def unbound(content: Value, name: str, free: bool) -> Value:
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
    guard, value = opened(content)
    current().fail_if(not_(guard), error)
    return value


def exception(value: Value) -> BaseException:
    """What `raise value` raises: an instance, made if it is a class."""
    if type(value) is Union:
        return over(value, _raise)  # type: ignore[no-any-return]
    if isinstance(value, type):
        return call(value)()  # type: ignore[no-any-return]
    return value  # type: ignore[no-any-return]


def _raise(value: Value) -> NoReturn:
    raise exception(value)


@over_members_of("kinds")
def matches(error: BaseException, kinds: Value) -> Guard:
    """Whether `except kinds` catches an exception."""
    if type(kinds) is tuple:
        return or_([matches(error, kind) for kind in kinds])
    if not (isinstance(kinds, type) and issubclass(kinds, BaseException)):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return isinstance(error, kinds)
