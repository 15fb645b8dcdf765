"""Values and exceptions of a program in messages: as they say it themselves, cut if it is long."""

from __future__ import annotations

from typing import Any


def described(error: BaseException | None) -> str:
    """An exception as the last line of a traceback shows it, in one line.

    >>> described(ValueError("first:\\n  second"))
    'ValueError: first: second'
    """
    name = type(error).__name__
    text = " ".join(filter(None, map(str.strip, message_of(error).split("\n"))))
    return f"{name}: {text}" if text else name


# How much of the message of an exception is shown.
LONGEST_MESSAGE = 1_000


def message_of(error: BaseException | None) -> str:
    """The message of an exception of the program, cut if it is long."""
    try:
        text = str(error)
    except Exception as problem:
        if error is not None and len(error.args) == 1 and _is_long(problem):
            return shown(error.args[0], LONGEST_MESSAGE)
        return f"<a message whose str raises {type(problem).__name__}>"
    return cut(text, LONGEST_MESSAGE)


def cut(text: str, most: int) -> str:
    """A text, without its end if it is too long.

    >>> cut("abcdefgh", 6)
    'abc...'
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."


def shown(value: object, most: int = 200) -> str:
    """The `repr` of a value of the program, cut if it is long."""
    try:
        text = repr(value)
    except Exception as error:
        if not _is_long(error):
            return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
        text = _long_repr(value)
    return text if len(text) <= most else cut(text, most)


def _is_long(error: Exception) -> bool:
    """Whether Python refused to print an int because of its length."""
    return type(error) is ValueError and "integer string conversion" in str(error)


# Python prints ints with so many digits at least, whatever limit is set for them.
_DIGITS = 600


def _long_repr(value: Any) -> str:
    """The `repr` of plain data in which there are ints that Python does not print."""
    cls: type = type(value)
    if isinstance(value, int):
        parts: list[str] = []
        rest = abs(value)
        while rest:
            rest, last = divmod(rest, 10**_DIGITS)
            parts.append(str(last).zfill(_DIGITS))
        return "-" * (value < 0) + "".join(reversed(parts)).lstrip("0")
    if cls is dict:
        pairs = [f"{shown(k, 10_000)}: {shown(v, 10_000)}" for k, v in value.items()]
        return f"{{{', '.join(pairs)}}}"
    if cls in (list, tuple, set):
        text = ", ".join(shown(item, 10_000) for item in value)
        if cls is tuple:
            return f"({text},)" if len(value) == 1 else f"({text})"
        return f"[{text}]" if cls is list else f"{{{text}}}"
    return f"<{cls.__name__} with an int that is too long to be shown>"
