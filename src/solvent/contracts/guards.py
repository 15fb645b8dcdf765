"""Calling a function as its contract says: conditions before, the call, conditions after.

The same code serves the symbolic run, in which every function is called in its lifted version, and
CPython, for contracts that nobody else checks.  It is not lifted itself: what depends on a symbolic
value is left to the small lifted functions at its end and to those at the lines of the contracts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any

from solvent.contracts.model import Condition, Contract, Raises, Run, named_values
from solvent.contracts.places import raiser
from solvent.contracts.violations import VIOLATIONS
from solvent.lift.api import lifted
from solvent.lift.calls import call, for_each
from solvent.lift.function import is_lifted
from solvent.lift.reflection import assume
from solvent.vm.exceptions import LIFTED
from solvent.vm.machine import current
from solvent.vm.own import is_own
from solvent.vm.values import Value

Function = Callable[..., Value]
Violation = Callable[[], BaseException]


def as_it_is(function: Any) -> Any:
    """How CPython calls a function: ours, too, since lifted ones lift what they are given."""
    while is_lifted(function) and is_own(function.__code__.co_filename):
        function = function.__wrapped__
    return function


class Progress:
    """What is being checked at this moment, in this run."""

    def __init__(self) -> None:
        # Functions and instances whose contracts are not looked at again inside of a call.
        self.active: list[object] = []
        # The contracts whose preconditions are assumed when they are called next.
        self.assumed: list[Contract] = []
        # How many conditions are being evaluated: what they call is not checked.
        self.conditions = 0
        # In CPython, what has violated contracts that nobody else checks: it may be caught.
        self.violations: list[BaseException] | None = None

    @contextmanager
    def inside(self, what: object) -> Iterator[None]:
        """While something is being called."""
        self.active.append(what)
        try:
            yield
        finally:
            self.active.pop()

    def is_active(self, what: object) -> bool:
        """Whether something is being called already."""
        return any(what is known for known in self.active)

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """While a condition is evaluated."""
        self.conditions += 1
        try:
            yield
        finally:
            self.conditions -= 1

    @contextmanager
    def afresh(self, violations: list[BaseException] | None = None) -> Iterator[None]:
        """A run of its own, after which all is as before."""
        kept = self.active, self.assumed, self.conditions, self.violations
        self.active, self.assumed, self.conditions, self.violations = [], [], 0, violations
        try:
            yield
        finally:
            self.active, self.assumed, self.conditions, self.violations = kept


PROGRESS = Progress()


class Bundle(SimpleNamespace):
    """Values by name, as attributes and as items."""

    def __getitem__(self, name: str) -> Value:
        return getattr(self, name)


class Guarded:
    """One call of a function with a contract."""

    def __init__(self, contract: Contract, run: Run, args: Any, named: Any) -> None:
        self.contract = contract
        self.run = run
        self.args = args
        self.named = named
        # Whether the check is about this very call.
        self.is_subject = False
        self.values = self._values()

    def _values(self) -> dict[str, Any]:
        values = named_values(self.contract.signature, self.args, self.named)
        return {**values, "_ARGS": self.args, "_KWARGS": dict(self.named)}

    # --- evaluating -----------------------------------------------------------------------------

    def evaluated(self, condition: Condition) -> Value:
        """What a condition comes to."""
        function = self.run(condition.function)
        with PROGRESS.evaluating():
            if condition.bundled:
                found = function(Bundle(**self.values))
            elif condition.explicit:
                more = {n: self.values[n] for n in self.contract.result_names if n in self.values}
                found = function(*self.args, **{**self.named, **more})
            else:
                found = function(**self._selected(condition.wanted))
            return found if condition.judge is None else self.run(condition.judge)(found)

    def _selected(self, wanted: tuple[str, ...]) -> dict[str, Any]:
        return {name: self.values[name] for name in wanted if name in self.values}

    def require(self, condition: Condition, unless: Value = False) -> None:
        """Raise where a condition does not hold, at its line."""
        holds = self.run(_or_else)(unless, partial(self.evaluated, condition))
        self._raise_unless(holds, condition, partial(self._violation, condition))

    def _raise_unless(self, holds: Value, condition: Condition, error: Violation) -> None:
        if not self.contract.is_enforced:
            error = partial(self._final, error)
        self.run(raiser(condition.file, condition.line))(holds, error)

    def _final(self, error: Violation) -> BaseException:
        """A violation that no handler of the program may take for an exception of its own.

        Where nobody checks the contract, the program goes on otherwise than in its handlers.
        """
        found = error()
        if PROGRESS.violations is not None:
            PROGRESS.violations.append(found)
        elif self.run is call:
            current().end_unknown(True, found)
        return found

    def _violation(self, condition: Condition) -> BaseException:
        found = condition.violation(self.values, self.run)
        if self.is_subject and not isinstance(found, AssertionError):
            # What the function must do is not forgiven because a class of exceptions is meant.
            return VIOLATIONS[condition.kind](f"{condition} is violated: {found!r}")
        return found

    # --- the parts of a call --------------------------------------------------------------------

    def before(self) -> None:
        """The preconditions: one group of them must hold."""
        groups = self.contract.groups
        if any(self.contract is known for known in PROGRESS.assumed):
            PROGRESS.assumed = [one for one in PROGRESS.assumed if one is not self.contract]
            self.is_subject = True
            self.suppose()
            return
        if groups:
            # The last group tells what is wrong.
            earlier = self.run(_satisfied)(self._thunks(groups[:-1]))
            for condition in groups[-1]:
                self.require(condition, earlier)

    def suppose(self) -> None:
        """Assume the preconditions."""
        self.run(_assume)(self._thunks(self.contract.groups))

    def _thunks(self, groups: list[list[Condition]]) -> list[list[Function]]:
        return [[partial(self.evaluated, one) for one in group] for group in groups]

    def satisfied(self) -> Value:
        """Whether the preconditions hold."""
        groups = self.contract.groups
        return not groups or self.run(_satisfied)(self._thunks(groups))

    def capture(self) -> None:
        """Compute what conditions after the call want to know of before."""
        if not self.contract.snapshots:
            return
        old = Bundle()
        for snapshot in self.contract.snapshots:
            with PROGRESS.evaluating():
                found = self.run(snapshot.capture)(**self._selected(snapshot.wanted))
            setattr(old, snapshot.name, found)
        self.values[self.contract.old_name] = old

    def after(self, result: Value) -> None:
        """The postconditions."""
        self.values |= dict.fromkeys(self.contract.result_names, result)
        for condition in self.contract.posts:
            self.require(condition)

    def check_invariants(self) -> None:
        """The invariants of the instance, which is the first argument."""
        assert self.contract.invariants is not None
        instance = next(iter(self.values.values()))
        for condition in self.contract.invariants(instance):
            holds = invariant_holds(condition, instance, self.run)
            error = partial(condition.violation, {"self": instance}, self.run)
            self._raise_unless(holds, condition, error)

    # --- the call -------------------------------------------------------------------------------

    def called(self) -> Value:
        """The result of the call, if all conditions hold."""
        if self.contract.invariants is None:
            return self._called()
        instance = next(iter(self.values.values()))
        if PROGRESS.is_active(instance):
            return self.body()
        with PROGRESS.inside(instance):
            if not self.contract.is_init:
                self.check_invariants()
            result = self._called()
            self.check_invariants()
        return result

    def _called(self) -> Value:
        contract = self.contract
        self.before()
        self.capture()
        if not contract.skips_recursion:
            return self._finished()
        with PROGRESS.inside(contract):
            return self._finished()

    def _finished(self) -> Value:
        result = self.body()
        if self.contract.each_item:
            items = self.run(list)(result)
            self.run(_each)(items, self.after)
            return self.run(iter)(items)
        self.after(result)
        return result

    def body(self) -> Value:
        """The call itself, with what its contract says of exceptions."""
        contract = self.contract
        body = self.run(contract.body)
        if not contract.raises and not contract.reasons:
            return body(*self.args, **self.named)
        if contract.each_item:
            body = partial(_listed, self.run, body)
        return self.run(_with_exceptions)(body, self.args, self.named, self.escaped)

    def escaped(self, error: BaseException) -> None:
        """An exception escapes: raise another one where it may not."""
        for_each(error, self._escaped)

    def _escaped(self, error: BaseException) -> None:
        if isinstance(error, self.contract.own_errors):
            return
        for allowed in self.contract.raises:
            if allowed.error is not None and not allowed.allows(error):
                self._refuse(allowed)
        for reason in self.contract.reasons:
            if type(error) is reason.event:
                self.require(reason.condition)

    def _refuse(self, allowed: Raises) -> None:
        assert allowed.error is not None
        self.run(raiser(allowed.file, allowed.line))(False, allowed.error)


def invariant_holds(condition: Condition, instance: Value, run: Run) -> Value:
    """Whether an invariant holds of an instance."""
    with PROGRESS.evaluating():
        given = (instance,) if condition.wanted else ()
        return run(condition.function)(*given)


def guarded_call(contract: Contract, run: Run, args: Any, named: Any) -> Value:
    """Call a function as its contract says."""
    if contract.is_over:
        # What an earlier check has left may be the guard of the next one.
        return run(contract.function)(*args, **named)
    library_is_quiet = contract.library != "icontract" and PROGRESS.conditions > 0
    if library_is_quiet or (contract.skips_recursion and PROGRESS.is_active(contract)):
        return run(contract.body)(*args, **named)
    try:
        call_of = Guarded(contract, run, args, named)
    except TypeError:
        # As the function itself says it.
        return run(contract.body)(*args, **named)
    return call_of.called()


def lifted_guard(contract: Contract) -> FunctionType:
    """The lifted version of a function with a contract."""

    def guard(*args: Value, **named: Value) -> Value:
        return guarded_call(contract, call, args, named)

    return as_lifted(guard, contract.function)


def as_lifted(guard: Function, function: Any) -> FunctionType:
    """A function of Solvent's own that passes for the lifted version of another one."""
    assert isinstance(guard, FunctionType)
    code = guard.__code__.replace(co_flags=guard.__code__.co_flags | LIFTED)
    result = FunctionType(code, guard.__globals__, function.__name__, None, guard.__closure__)
    result.__qualname__ = function.__qualname__
    result.__module__ = function.__module__
    result.__doc__ = function.__doc__
    result.__annotations__ = function.__annotations__
    result.__wrapped__ = function  # type: ignore[attr-defined]
    return result


# --- what is lifted -------------------------------------------------------------------------------


@lifted
def _or_else(holds: Value, thunk: Function) -> Value:
    if holds:
        return True
    return thunk()


@lifted
def _satisfied(groups: list[list[Function]]) -> bool:
    for group in groups:
        holds = True
        for thunk in group:
            if not thunk():
                holds = False
                break
        if holds:
            return True
    return False


@lifted
def _assume(groups: list[list[Function]]) -> None:
    # An input with which a precondition cannot be evaluated does not satisfy it; a name that
    # nobody knows is a mistake in the contract.
    if groups:
        try:
            holds = _satisfied(groups)
        except NameError:
            raise
        except Exception:
            holds = False
        assume(holds)


@lifted
def _with_exceptions(
    body: Function, args: tuple[Value, ...], named: dict[str, Value], escaped: Function
) -> Value:
    try:
        return body(*args, **named)
    except Exception as error:
        escaped(error)
        raise


@lifted
def _each(items: list[Value], check: Function) -> None:
    for item in items:
        check(item)


def _listed(run: Run, body: Function, *args: Any, **named: Any) -> Value:
    return run(list)(body(*args, **named))
