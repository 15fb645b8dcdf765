"""Constants of the source, which tell of values that are worth trying.

Nothing is run: they are read from the code of the function and of the user's functions that it
refers to.

>>> def is_answer(x):
...     return x == 42 or x in ("yes", 0.5)
>>> found = hints_of(is_answer)
>>> found.ints, found.texts, found.floats
((42,), ('yes', '42'), (0.5,))
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType

from solvent.queries.replay import functions_in, is_user_code, plain, variables_around
from solvent.vm.values import Value

# How many functions are read at most, and how many constants of each kind are kept.
_MOST_FUNCTIONS = 50
_MOST_CONSTANTS = 30
# A container that is a variable around a function tells of its first members only.
_MOST_MEMBERS = 20


@dataclass(frozen=True, slots=True)
class Hints:
    """Constants of the source, in order of first occurrence."""

    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    octets: tuple[bytes, ...] = ()
    # The name of a variable around that holds an open file or connection.
    opened: str = ""


class _Reader:
    def __init__(self) -> None:
        self.ints: dict[int, None] = {}
        self.floats: dict[str, float] = {}
        self.texts: dict[str, None] = {}
        self.octets: dict[bytes, None] = {}
        self.opened = ""

    def value(self, value: Value) -> None:
        """Take what a constant tells."""
        cls = type(value)
        if cls is int:
            self.ints[value] = None
        elif cls is float:
            self.floats.setdefault(repr(value), value)
        elif cls is str:
            self.texts[value] = None
        elif cls is bytes:
            self.octets[value] = None
        elif cls in (tuple, frozenset, list, set, dict):
            # The order of a set is another one each time Python starts.
            members = sorted(value, key=repr) if cls in (frozenset, set) else list(value)
            for member in members[:_MOST_MEMBERS]:
                self.value(member)
            if cls is dict:
                self.value(list(value.values())[:_MOST_MEMBERS])

    def code(self, code: CodeType) -> None:
        """Take the constants of some code and of what is defined in it."""
        for constant in code.co_consts[_describes(code) :]:
            if isinstance(constant, CodeType):
                self.code(constant)
            else:
                self.value(constant)

    def hints(self) -> Hints:
        most = _MOST_CONSTANTS
        spelled = [text for text in map(_number_in, self.texts) if text]
        ints = dict.fromkeys((*self.ints, *(int(text) for text in spelled if "." not in text)))
        floats = dict.fromkeys((*self.floats, *(repr(float(t)) for t in spelled if "." in t)))
        texts = dict.fromkeys((*self.texts, *(str(n) for n in self.ints if abs(n) < _LONG)))
        return Hints(
            tuple(ints)[:most],
            tuple(map(float, floats))[:most],
            tuple(texts)[:most],
            tuple(self.octets)[:most],
            self.opened,
        )


# A number in a text, also with a sign of a currency or the like: `$1.50`, `12 %`.
_NUMBER = re.compile(r"[^\w.+-]*([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?)[^\w.]*")
# Ints from here on are not written as texts to try.
_LONG = 10**9


def _number_in(text: str) -> str:
    """The number that a text spells, which may be what a program makes a text of.

    >>> _number_in("$1.50"), _number_in("12 %"), _number_in("v2"), _number_in("1.2.3")
    ('1.50', '12', '', '')
    """
    found = _NUMBER.fullmatch(text)
    return found[1] if found is not None else ""


# From Python 3.14 on, a flag says that the first constant is a text that describes the function.
_HAS_TEXT = 0x4000000


def _describes(code: CodeType) -> int:
    """How many of the first constants describe the function, and are no values."""
    constants = code.co_consts
    if not constants or not isinstance(constants[0], str) or code.co_name.startswith("<"):
        return 0
    return 1 if sys.version_info < (3, 14) or code.co_flags & _HAS_TEXT else 0


def _is_open(value: Value) -> bool:
    """Whether a variable holds a file or a connection that was opened before."""
    if isinstance(value, (io.StringIO, io.BytesIO)):
        return False
    if any(value is stream for stream in (sys.stdin, sys.stdout, sys.stderr)):
        return False
    return callable(getattr(type(value), "fileno", None))


def hints_of(function: Callable[..., Value]) -> Hints:
    """The constants of a function and of the user's functions that it leads to."""
    reader = _Reader()
    for found in _functions_from(function):
        reader.code(found.__code__)
        for name, value in sorted(around(found).items()):
            if _is_open(value):
                reader.opened = reader.opened or name
            reader.value(value)
    return reader.hints()


def around(function: FunctionType) -> dict[str, Value]:
    """The variables that a function refers to, with numbers and texts among them."""
    namespace = function.__globals__
    names = function.__code__.co_names
    plain_ones = {n: namespace[n] for n in names if type(namespace.get(n)) in _SIMPLE}
    return {**plain_ones, **variables_around(function)}


_SIMPLE = (int, float, str, bytes)


def _functions_from(function: Callable[..., Value]) -> Iterator[FunctionType]:
    start = plain(function)
    pending: list[Value] = [start]
    if isinstance(start, MethodType):
        pending = [start.__func__, *vars(type(start.__self__)).values()]
    elif not isinstance(start, FunctionType):
        pending = list(vars(type(start)).values())
    seen: set[int] = set()
    while pending and len(seen) < _MOST_FUNCTIONS:
        found = plain(pending.pop(0))
        if not isinstance(found, FunctionType) or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        for _, value in sorted(variables_around(found).items()):
            pending += [member for member in functions_in(value) if is_user_code(member)]
        for name in found.__code__.co_names:
            value = found.__globals__.get(name)
            if isinstance(value, type):
                methods = [m for m in vars(value).values() if isinstance(m, FunctionType)]
                pending += [method for method in methods if is_user_code(method)]
