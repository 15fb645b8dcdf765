"""Exceptions that are meant are no failures, and nothing else is forgiven with them."""

from __future__ import annotations

import functools
import os

import pytest

from solvent import Options, verify, verify_all
from solvent.errors import QueryError
from solvent.queries.meant import COMMENT, DOCSTRING, OPTION, Meant, meant_by, named_in
from solvent.solvers import Status


def failing(function: object, **options: object) -> list[str]:
    """The exceptions with which a function fails."""
    found = verify_all(function, Options(**options))  # type: ignore[arg-type]
    assert all(one.confirmed for one in found if one.failure)
    return [type(one.failure.exception).__name__ for one in found if one.failure]


def several(x: int) -> int:
    if x < 0:
        raise ValueError(x)
    if x == 1:
        raise UnicodeError
    assert x != 5
    return 10 // x


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["ValueError", "UnicodeError", "AssertionError", "ZeroDivisionError"]),
        ({"raises": (ValueError,)}, ["AssertionError", "ZeroDivisionError"]),
        ({"raises": UnicodeError}, ["ValueError", "AssertionError", "ZeroDivisionError"]),
        ({"raises": (Exception,)}, ["AssertionError"]),
        ({"raises": (BaseException,)}, ["AssertionError"]),
        ({"raises": (Exception, AssertionError)}, []),
        ({"assertions_only": True}, ["AssertionError"]),
        ({"assertions_only": True, "raises": (AssertionError,)}, []),
    ],
)
def test_what_is_meant_is_no_failure(options: dict[str, object], expected: list[str]) -> None:
    assert failing(several, **options) == expected


def test_only_what_escapes_counts() -> None:
    def caught(x: int) -> int:
        try:
            if x > 3:
                raise ValueError
        except ValueError:
            return 1 // (x - 7)
        return x

    assert failing(caught, raises=(ValueError,)) == ["ZeroDivisionError"]


def test_an_exception_that_differs_between_paths() -> None:
    def either(x: int) -> None:
        raise ValueError("a") if x > 8 else KeyError("b")

    assert failing(either, raises=(ValueError,)) == ["KeyError"]
    assert failing(either, raises=(LookupError,)) == ["ValueError"]
    assert failing(either, raises=(LookupError, ValueError)) == []


def test_a_limit_is_never_meant() -> None:
    def count(n: int) -> None:
        while n > 0:
            n -= 1

    assert verify(count, bound=2, raises=(BaseException,)).status is Status.UNKNOWN


def test_the_class_counts_and_not_what_its_metaclass_says() -> None:
    class Everything(type):
        def __subclasscheck__(cls, other: type) -> bool:
            return True

        def __instancecheck__(cls, other: object) -> bool:
            return True

    class Odd(Exception, metaclass=Everything):
        pass

    assert not Meant({Odd: OPTION}).allows(ValueError())
    assert Meant({Odd: OPTION}).allows(Odd())


# --- what the function says -----------------------------------------------------------------------

STYLES = {
    "google": "What.\n\n    Raises:\n        ValueError: at times,\n            KeyError: too.\n",
    "google, with others": "What.\n\n    Args:\n        x: no\n\n    Raises:\n"
    "        ValueError: a\n\n"
    "    Returns:\n        IndexError: no\n",
    "numpy": "What.\n\n    Raises\n    ------\n    ValueError\n        At times, as in\n"
    "        KeyError: no.\n\n    Notes\n    -----\n    IndexError\n",
    "sphinx": "What.\n\n    :param x: KeyError: no\n    :raises ValueError: at times\n",
    "one line": "Raises:\n ValueError: at times.",
    "quoted": "What.\n\n    Raises:\n        `ValueError`: at times\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_docstrings(style: str) -> None:
    assert named_in(STYLES[style]) == ["ValueError"]


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "Raises ValueError at times.",
        "Raises:",
        "It raises:\n    ValueError: no",
        "Raises:\nValueError: not indented",
        "Raises:\n    A ValueError: prose",
    ],
)
def test_prose_means_nothing(text: str | None) -> None:
    assert named_in(text) == []


def test_several_names_in_one_entry() -> None:
    text = "Raises:\n    ValueError, os.error: a\n    KeyError or `IndexError`: b\n"
    assert named_in(text) == ["ValueError", "os.error", "KeyError", "IndexError"]
    assert named_in(":raises ValueError, TypeError: x") == ["ValueError", "TypeError"]


class Refused(Exception):
    pass


def documented(x: int) -> int:
    """Something.

    Raises:
        Refused: if x is negative.
        os.error: never.
        Exception: at times.
        NoSuchError: what is not known means nothing.
    """
    if x < 0:
        raise Refused
    assert x != 3
    return x


# Before it,
# solvent: raises Refused, os.error
@functools.lru_cache
def commented(
    x: int,
    y: str = "# solvent: raises KeyError",
) -> int:  # solvent: raises ZeroDivisionError
    # solvent: raises AssertionError
    if x < 0:
        raise Refused
    assert x != 3
    return 1 // x


# solvent: raises Missing
def mistaken(x: int) -> None:
    pass


def test_what_the_function_says() -> None:
    assert meant_by(documented).classes == {
        Refused: DOCSTRING,
        os.error: DOCSTRING,
        Exception: DOCSTRING,
    }
    assert failing(documented) == ["AssertionError"]
    assert meant_by(commented).classes == {
        Refused: COMMENT,
        os.error: COMMENT,
        ZeroDivisionError: COMMENT,
    }
    assert failing(commented) == ["AssertionError"]


def test_a_comment_must_be_right() -> None:
    with pytest.raises(QueryError, match=r"test_meant.py:\d+: .*there is no exception 'Missing'"):
        verify(mistaken)


def test_the_answer_says_what_was_meant() -> None:
    result = verify(commented, raises=(AssertionError,))
    assert result.holds
    text = str(result)
    assert "AssertionError is meant, as the option `raises` says" in text
    assert "Refused, OSError, ZeroDivisionError are meant, as the comment says" in text
    assert result.as_dict()["raises"]["Refused"] == COMMENT
    only = verify(several, assertions_only=True)
    assert "only failing assertions are failures" in str(only)
    assert only.as_dict()["assertions_only"] is True


@pytest.mark.parametrize("value", [ValueError(), int, [ValueError], (int,), "ValueError"])
def test_what_is_no_exception(value: object) -> None:
    with pytest.raises(QueryError, match="classes of exceptions"):
        verify(several, raises=value)  # type: ignore[arg-type]
