"""`try` statements: what they pass on and what they merge, as in CPython."""

from __future__ import annotations

from typing import Any

from tests.lift.differential import agree

BOOLS = [False, True]


def a_handler_inside_of_finally(p: bool, q: bool) -> Any:
    log = []
    try:
        try:
            if p:
                return log
            if q:
                raise ValueError("q")
            log.append("stayed")
        except BaseException as error:
            log.append(type(error).__name__)
        log.append("after")
    finally:
        log.append("finally")
    return log


def test_handlers_do_not_see_a_return_on_its_way_to_finally() -> None:
    agree(a_handler_inside_of_finally, BOOLS, BOOLS)


def a_handler_inside_of_finally_in_a_loop(p: bool, q: bool) -> Any:
    log = []
    for turn in range(2):
        try:
            try:
                if p:
                    break
                if q:
                    continue
                log.append(turn)
            except:  # noqa: E722
                log.append("caught")
        finally:
            log.append("finally")
    return log


def test_handlers_do_not_see_break_and_continue_on_their_way_to_finally() -> None:
    agree(a_handler_inside_of_finally_in_a_loop, BOOLS, BOOLS)


class Same(Exception):
    """An exception that equals all others of its class; without a weak reference, like builtins."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same)

    def __hash__(self) -> int:
        return 0


def equal_exceptions(p: bool, q: bool) -> Any:
    try:
        if p:
            raise Same(1)
        if q:
            raise Same(2)
    except Same as error:
        return error.args
    return None


def test_exceptions_that_are_equal_are_not_the_same() -> None:
    agree(equal_exceptions, BOOLS, BOOLS)
