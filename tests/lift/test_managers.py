"""`with`: managers that are generators, objects or stacks, left by some paths with an exception.

PYTEST_DONT_REWRITE: the assertions in here are part of the programs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from typing import Any

import pytest

from solvent import Int, Options, verify
from solvent.errors import NotLiftedError
from tests.lift.cases import Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


# --- generators -----------------------------------------------------------------------------------


@contextmanager
def noting(log: list[Any], suppressing: bool) -> Iterator[int]:
    log.append("in")
    try:
        yield len(log)
    except ValueError:
        log.append("caught")
        if not suppressing:
            raise
    except KeyError as error:
        raise LookupError("other", *error.args) from error
    else:
        log.append("fine")
    finally:
        log.append("out")


@cases.on(range(-1, 5), [False, True])
def catches_translates_and_cleans_up(x, suppressing):
    log = []
    try:
        with noting(log, suppressing) as count:
            if x > 3:
                raise ValueError("big", x)
            if x < count:
                raise KeyError(x)
            log.append("body")
        log.append("after")
    except LookupError as error:
        log.append(error.args)
    return log


@contextmanager
def tag(out: list[str], name: str) -> Iterator[None]:
    out.append(f"<{name}>")
    yield
    out.append(f"</{name}>")


@cases
def returns_from_the_body(x):
    out = []
    with tag(out, "a"), tag(out, "b"):
        if x > 0:
            return out
        out.append("t")
    out.append("end")
    return out


@cases
def exception_past_a_manager_without_try(x):
    out = []
    try:
        with tag(out, "a"):
            if x > 1:
                raise ValueError(x)
            out.append("t")
    except ValueError as error:
        out.append(error.args[0])
    return out


@cases
def leaves_a_loop(x, y):
    out = []
    for n in range(4):
        with noting(out, y > 0):
            if n == x:
                break
            if n == y:
                continue
            if n == 2:
                raise ValueError(n)
            out.append(n)
    else:
        out.append("all")
    return out


@contextmanager
def transaction(account: dict[str, int]) -> Iterator[dict[str, int]]:
    before = dict(account)
    try:
        yield account
    except ArithmeticError:
        account.clear()
        account.update(before)
        raise


@cases
def rolls_back(balance, amount):
    account = {"a": balance, "b": 0}
    try:
        with transaction(account):
            account["a"] -= amount
            if account["a"] < 0:
                raise ArithmeticError("overdrawn")
            account["b"] = 6 // amount
    except ZeroDivisionError:
        account["z"] = 1
    except ArithmeticError:
        pass
    return account


@cases
def under_a_branch(x, y):
    log = []
    if x > 0:
        with noting(log, True):
            if y > 1:
                raise ValueError
            log.append(y)
    elif y == 0:
        with noting(log, False):
            log.append("zero")
    return log


@contextmanager
def sometimes(x: int) -> Iterator[int]:
    if x > 0:
        yield x


@cases
def yields_on_some_paths(x):
    with sometimes(x) as y:
        return y * 2


@contextmanager
def stubborn() -> Iterator[None]:
    try:
        yield
    except ValueError:
        yield


@cases
def goes_on_after_an_exception(x):
    with stubborn():
        raise ValueError(x)


@contextmanager
def twice() -> Iterator[None]:
    yield
    yield


@cases
def goes_on_in_any_case(x):
    with twice():
        return x


@cases.on([0])
def exceptions_of_generators(x):
    log = []
    try:
        with noting(log, False):
            raise StopIteration(x)
    except StopIteration as error:
        log.append(error.args)
    return log


@noting([], True)
def decorated(x):
    if x > 1:
        raise ValueError
    return x


@cases
def as_a_decorator(x):
    return decorated(x)


@cases
def body_that_binds(x):
    y = 0
    with noting([], True) as z:
        y = x
        if x > 1:
            raise ValueError
        w = 5
    if x > 1:
        return y, z
    return y, z, w


@cases
def manager_of_two_kinds(x):
    log = []
    with noting(log, True) if x > 0 else nullcontext(7) as n:
        log.append(n)
    return log


# --- objects, stacks, and the others --------------------------------------------------------------


class Undoing:
    def __init__(self, items: list[int]) -> None:
        self.items = items

    def __enter__(self) -> Undoing:
        self.saved = list(self.items)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if kind is not None and issubclass(kind, ValueError):
            self.items[:] = self.saved
            return error.args[0] > -2
        return False


@cases
def manager_with_a_class(x, y):
    out = [0]
    with Undoing(out):
        for item in (x, y):
            if item < 0:
                raise ValueError(item)
            out.append(item)
        return "done", out
    return out


@cases
def suppresses(x):
    result = -1
    with suppress(KeyError, ZeroDivisionError):
        result = 6 // {0: 0, 1: 2}[x]
    return result


class Thing:
    closed = 0

    def close(self) -> None:
        self.closed += 1


@cases
def closes(x):
    thing = Thing()
    try:
        with closing(thing) as found:
            if x == 2:
                raise ValueError
            found.closed += 2
    except ValueError:
        pass
    return thing.closed


@cases
def stack_of_callbacks(x, y):
    log = []
    with ExitStack() as stack:
        stack.callback(log.append, "first")
        if x > 0:
            stack.enter_context(suppress(ValueError))
        stack.callback(log.append, "second")
        if y > 0:
            stack.push(lambda kind, *_: log.append(kind is None))
        if x + y > 1:
            raise ValueError
        log.append("ok")
    return log


@cases
def stack_that_is_kept(x, y):
    with ExitStack() as stack:
        things = [Thing() for _ in range(3)]
        for thing in things[: x % 4]:
            stack.callback(thing.close)
        kept = stack.pop_all() if y > 1 else None
    return [thing.closed for thing in things], kept is None


class Decorating(contextlib.ContextDecorator):
    def __enter__(self) -> Decorating:
        return self

    def __exit__(self, *details: Any) -> bool:
        return details[0] is ValueError


@Decorating()
def inner(x):
    if x > 1:
        raise ValueError
    return x


@cases
def decorator_of_a_class(x):
    return inner(x)


# --- generators that are left by hand -------------------------------------------------------------


def listening(log: list[Any]) -> Iterator[int]:
    try:
        log.append((yield 1))
        log.append((yield 2))
    except ValueError as error:
        log.append(error.args)
        yield 3


def passing_on(log: list[Any]) -> Iterator[int]:
    yield from listening(log)
    yield from [4, 5]


@cases
def yield_from_gets_what_is_sent(x):
    log = []
    items = passing_on(log)
    return next(items), items.send(x), items.send(None), next(items, None), log


@cases
def yield_from_gets_what_is_thrown(x):
    log = []
    items = passing_on(log)
    return next(items), items.throw(ValueError(x)), next(items), log


@cases
def nothing_listens_in_a_list(x):
    items = passing_on([])
    for _ in range(3):
        next(items)
    items.throw(ValueError(x))


def test_exceptions_thrown_on_some_paths_into_a_delegate_are_refused() -> None:
    @contextmanager
    def manager(log: list[Any]) -> Iterator[int]:
        yield from listening(log)

    def program(x: int) -> None:
        with manager([]):
            if x > 1:
                raise ValueError

    with pytest.raises(NotLiftedError, match="yield from"):
        verify(program, Int("x"))


# --- exceptions that differ between paths ---------------------------------------------------------


def test_attributes_of_exceptions_that_hold_no_choice_are_refused() -> None:
    """Their setters raise errors that would be taken for the program's."""

    def program(x: int) -> None:
        error, other = ValueError("a"), KeyError("b")
        try:
            if x > 3:
                error.__cause__ = other
        except TypeError:
            return
        assert error.__cause__ is None

    with pytest.raises(NotLiftedError, match="__cause__"):
        verify(program, Int("x"))


def test_traceback_that_differs_is_no_error() -> None:
    def program(x: int) -> None:
        error = ValueError("a")
        try:
            if x > 3:
                raise KeyError
        except KeyError as other:
            error.__traceback__ = other.__traceback__
        assert x < 9

    assert verify(program, Int("x")).inputs["x"] >= 9


def test_proof_about_managers() -> None:
    """Path by path this would be as many paths as there are ways through the loop."""

    def program(xs: list[int]) -> None:
        log: list[Any] = []
        for x in xs:
            with noting(log, True):
                if x > 3:
                    raise ValueError
        assert log.count("in") == log.count("out") == len(xs)

    assert verify(program, options=Options(max_len=6)).holds
