"""What a run swallows: found, with a path and an input that CPython takes to the same place."""

from __future__ import annotations

import pytest

from solvent import assume
from solvent.profiling import trace
from solvent.profiling.tracing import ASSUMED, FAILED, HANDLED, UNKNOWN
from solvent.queries import solve
from solvent.solvers.status import Status


def interpreter(program: list[int], x: int) -> int:
    """A bug: the second operation pops twice, and then pushes what is not there."""
    stack = [x]
    for op in program:
        if op == 0:
            stack.append(1)
        elif op == 1:
            stack.append(stack.pop() + stack.pop())
        else:
            assert op == 2, "no such operation"
            try:
                stack[-1] = 10 // stack[-1]
            except ZeroDivisionError:
                stack[-1] = 0
    return stack[-1]


def test_what_solve_does_not_tell_is_told() -> None:
    assert solve(interpreter, max_len=2).found
    told = trace(interpreter, max_len=2)
    assert {(one.how, one.what.partition(":")[0]) for one in told.happening} == {
        (FAILED, "IndexError"),
        (FAILED, "AssertionError"),
        (HANDLED, "ZeroDivisionError"),
    }
    for one in told.happening:
        if one.how is FAILED:
            name = one.what.partition(":")[0]
            with pytest.raises((IndexError, AssertionError)) as raised:
                eval(one.call, {"interpreter": interpreter})
            assert raised.type.__name__ == name
            where = raised.tb
            while where.tb_next is not None:
                where = where.tb_next
            assert one.position == f"{__file__}:{where.tb_lineno}"


def unhandled(stack: list[int]) -> int:
    try:
        return 10 // stack[0]
    except ZeroDivisionError:
        return 0


def test_what_no_handler_wants_is_told_once_where_it_was_raised() -> None:
    told = trace(unhandled, max_len=1)
    line = unhandled.__code__.co_firstlineno + 2
    assert {(one.how, one.what.partition(":")[0]) for one in told.swallowed} == {
        (FAILED, "IndexError"),
        (HANDLED, "ZeroDivisionError"),
    }
    assert {one.position for one in told.swallowed} == {f"{__file__}:{line}"}


def never(x: int) -> int:
    if x > 5:
        if x * x < 20:
            raise ValueError("not possible")
        return x
    return 0


def test_what_cannot_happen_comes_last_and_says_so() -> None:
    told = trace(never)
    (one,) = told.swallowed
    assert one.status is Status.UNSAT
    assert told.happening == ()
    assert "no input gets there" in str(told)


def assuming(x: int) -> int:
    assume(x > 3)
    return x


def test_assumptions_of_the_program_are_told_and_those_of_inputs_are_not() -> None:
    (one,) = trace(assuming).swallowed
    assert one.how is ASSUMED
    assert one.status is Status.SAT
    assert int(one.call.removeprefix("assuming(x=").removesuffix(")")) <= 3


def looping(n: int) -> int:
    while n > 0:
        n -= 1
    return n


def test_bounds_are_told() -> None:
    (one,) = trace(looping, bound=2).swallowed
    assert one.how is UNKNOWN
    assert "bound of 2" in one.what


def leaving(xs: list[int]) -> int:
    count = 0
    for x in xs:
        try:
            if x == 0:
                return 1 // x
            if x > 3:
                break
        finally:
            count += 1
    return count


def test_leaving_through_a_clause_is_no_loss() -> None:
    assert {one.what.partition(":")[0] for one in trace(leaving, max_len=2).swallowed} == {
        "ZeroDivisionError"
    }


def harmless(x: int) -> int:
    return x + 1


def test_nothing_lost() -> None:
    assert str(trace(harmless)) == "harmless: no path was lost"


class Refused(Exception):
    """An exception with a symbolic argument, and an `__init__` that wants others."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "refused")


def refusing(x: int, text: str) -> int:
    if x > 5:
        raise Refused(x * 2)
    if x == 3:
        raise KeyError(x)
    return int(text)


def test_a_symbolic_message_is_told_as_the_example_has_it() -> None:
    found = trace(refusing, max_len=1)
    told = {one.raised for one in found.happening}
    assert "KeyError: 3" in told
    (refused,) = [one for one in found.happening if one.what.startswith("Refused")]
    number = int(refused.call.split("x=")[1].split(",")[0])
    assert refused.raised == f"Refused: ({2 * number}, 'refused')"
    assert refused.as_dict()["raised"] == refused.raised
    literals = [one for one in found.happening if one.what.startswith("ValueError")]
    # That of the empty text is the same for all inputs that get there.
    (unreadable,) = [one for one in literals if one.raised]
    assert "invalid literal for int() with base 10" in unreadable.raised
    # Its symbolic text has many alternatives, of which nobody wants to read the beginning.
    assert len(unreadable.what) > 120
    assert "ValueError (ended by an exception" in str(unreadable)
    assert all(len(line) < 400 for line in str(found).splitlines())
