"""What the running Python says when an operation fails: its messages differ between versions."""

from __future__ import annotations

from collections.abc import Callable


def raised(operation: Callable[..., object], *args: object) -> Exception:
    """The exception that an operation on representative values raises, without its traceback.

    >>> raised(lambda: [].pop())
    IndexError('pop from empty list')
    """
    try:
        operation(*args)
    except Exception as error:
        error.__traceback__ = error.__context__ = None
        return error
    raise AssertionError(f"{operation!r} of {args!r} does not fail in this Python")


def message(operation: Callable[..., object], *args: object) -> str:
    """The message of the exception that an operation on representative values raises.

    >>> message(lambda: "a".index("b"))
    'substring not found'
    """
    return str(raised(operation, *args))
