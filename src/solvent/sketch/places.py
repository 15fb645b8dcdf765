"""Places: which call in the source is made, and what its constants are called.

In lifted code the rewriter tells the place, from the syntax tree; in plain code the caller's frame
does, which has the same line and column (both count from the start of the call).
"""

from __future__ import annotations

import linecache
import os
import sys
import threading
from itertools import islice
from types import CodeType, FrameType

from solvent.errors import SketchError
from solvent.lift.registry import Place
from solvent.vm.own import is_own

# The place of an instruction, by code object and offset; the value keeps the code alive.
_PLACES: dict[tuple[int, int], tuple[CodeType, Place]] = {}

# Code that was typed in, in the order in which it was met, by what else tells its places.
_TYPED: dict[Place, list[CodeType]] = {}

# How files are called in the names of constants, and which names are taken.
_SHORT: dict[str, str] = {}
_TAKEN: set[str] = set()
# Two threads must not give one name to two files.
_naming = threading.Lock()


def calling_place(what: str) -> Place:
    """The place from which a function of this package was called."""
    frame: FrameType = sys._getframe(2)
    while frame.f_back is not None and is_own(frame.f_code.co_filename):
        frame = frame.f_back
    code, offset = frame.f_code, frame.f_lasti
    known = _PLACES.get((id(code), offset))
    if known is None:
        known = _PLACES[id(code), offset] = (code, _place(code, offset, what))
    return known[1]


def _place(code: CodeType, offset: int, what: str) -> Place:
    line, end_line, column, end_column = next(islice(code.co_positions(), offset // 2, None))
    if line is None or column is None:
        raise SketchError(
            f"{code.co_filename}: {what} needs to know the column of its call; run Python without "
            "`-X no_debug_ranges`"
        )
    if (line, column) == (end_line, end_column):
        raise SketchError(
            f"{code.co_filename}:{line}: it is not known which call of {what} this is; call it by "
            "a name of the module"
        )
    place = (code.co_filename, line, column)
    if not code.co_filename.startswith("<") or linecache.getlines(code.co_filename):
        return place
    # Each input to the interpreter has lines of its own, from 1 on.
    with _naming:
        typed = _TYPED.setdefault(place, [])
        number = next((n for n, found in enumerate(typed) if found is code), len(typed))
        if number == len(typed):
            typed.append(code)
    return (f"{code.co_filename}#{number + 1}" if number else code.co_filename, line, column)


def short_name(filename: str) -> str:
    """The name of a file without its folder, or with as much of it as tells it from others.

    >>> short_name("/a/sketch_a.py"), short_name("/b/sketch_a.py"), short_name("/a/sketch_a.py")
    ('sketch_a.py', 'b/sketch_a.py', 'sketch_a.py')
    """
    known = _SHORT.get(filename)
    return _named(filename) if known is None else known


def _named(filename: str) -> str:
    """The name that a file gets now, unless another thread has given it one."""
    with _naming:
        if filename in _SHORT:
            return _SHORT[filename]
        name = filename
        if not filename.startswith("<"):
            parts = filename.replace(os.sep, "/").split("/")
            candidates = ("/".join(parts[-count:]) for count in range(1, len(parts) + 1))
            name = next((found for found in candidates if found not in _TAKEN), filename)
        _SHORT[filename] = name
        _TAKEN.add(name)
        return name


def shown(place: Place) -> str:
    """A place as it occurs in the names of constants.

    >>> shown(("/home/me/max.py", 12, 8))
    'max.py:12:8'
    """
    return f"{short_name(place[0])}:{place[1]}:{place[2]}"


def where(place: Place) -> str:
    """A place as it occurs in messages.

    >>> where(("/home/me/max.py", 12, 8))
    '/home/me/max.py:12'
    """
    return f"{place[0]}:{place[1]}"
