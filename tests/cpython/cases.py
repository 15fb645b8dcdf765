"""A case: an expression of plain values, and the function that computes it."""

from __future__ import annotations

import base64
import binascii
import bisect
import calendar
import datetime
import difflib
import fractions
import functools
import heapq
import itertools
import json
import linecache
import re
import shlex
import statistics
import string
import struct
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

# The modules that an expression may name.
MODULES = {
    module.__name__: module
    for module in (
        base64, binascii, bisect, calendar, datetime, difflib, fractions, heapq, json, re, shlex,
        statistics, string, struct, textwrap,
    )
}  # fmt: skip

ATOMS = frozenset((str, bytes, bytearray, int, float, bool, type(None)))

PRELUDE = (
    "import "
    + ", ".join(MODULES)
    + "\n"
    + '''
def shown(match):
    """What a match says, as plain values."""
    if match is None:
        return None
    return match.group(), match.groups(), match.span(), match.lastindex, match.lastgroup


'''
)


@dataclass(frozen=True)
class Case:
    """An expression over `v0`, `v1`, ..., their values, and how it was met."""

    area: str
    test: str
    source: str
    values: tuple[Any, ...]
    # Which values are templates: formats, regular expressions, names of encodings, bases.
    fixed: frozenset[int] = frozenset()

    def __str__(self) -> str:
        given = ", ".join(f"v{place}={value!r}" for place, value in enumerate(self.values))
        return f"{self.source}  with {given}  ({self.test})"


def is_plain(value: Any, depth: int = 3) -> bool:
    """Whether a value is a number, a text, or a container of such."""
    kind = type(value)
    if kind in ATOMS:
        return True
    if kind in (list, tuple) and depth:
        return all(is_plain(item, depth - 1) for item in value)
    if kind is dict and depth:
        return all(type(k) in ATOMS and is_plain(v, depth - 1) for k, v in value.items())
    return False


def size(value: Any) -> int:
    """How large a plain value is, in characters, digits and items."""
    match value:
        case str() | bytes() | bytearray():
            return len(value)
        case int():
            return 1 + value.bit_length() // 30
        case list() | tuple():
            return 1 + sum(map(size, value))
        case dict():
            return 1 + sum(size(k) + size(v) for k, v in value.items())
    return 1


def copied(value: Any) -> Any:
    """A plain value that shares nothing that can change."""
    match value:
        case bytearray():
            return bytearray(value)
        case list():
            return [copied(item) for item in value]
        case tuple():
            return tuple(copied(item) for item in value)
        case dict():
            return {key: copied(item) for key, item in value.items()}
    return value


_FILES = itertools.count()


@functools.cache
def function_of(source: str, buffers: frozenset[int], count: int) -> Callable[..., Any]:
    """The function of a case, whose text the lifter finds; it makes bytearrays of some bytes."""
    names = [f"v{place}" for place in range(count)]
    lines = [f"def case({', '.join(names)}):"]
    lines += [f"    v{place} = bytearray(v{place})" for place in sorted(buffers)]
    lines += [f"    result = {source}"]
    # What became of the arguments is part of the result.
    lines += [f"    return (result, {', '.join(f'v{place}' for place in sorted(buffers))})"]
    text = PRELUDE + "\n".join(lines) + "\n"
    name = f"/cpython/case{next(_FILES)}.py"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "cpython_case"}
    exec(compile(text, name, "exec", dont_inherit=True), namespace)
    found = namespace["case"]
    assert isinstance(found, FunctionType)
    return found


def prepared(case: Case) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The function of a case and its arguments, in which bytes stand for bytearrays."""
    buffers = frozenset(p for p, value in enumerate(case.values) if type(value) is bytearray)
    values = tuple(bytes(v) if type(v) is bytearray else copied(v) for v in case.values)
    return function_of(case.source, buffers, len(values)), values
