"""Rewritten code that outlives the process: rewriting takes a hundred times as long as reading.

For each file with functions that were lifted there is another in `__pycache__`, or in the user's
folder of caches where that cannot be written.  Code is found by the code object that it was made
from, compared down to the columns, so that an edit of the source is no danger; and only if it was
written by the same rewriter, byte for byte.  A source that was edited after it was imported is none
of the code that runs, hence nothing of it is kept.  Whatever goes wrong with such a file, it is as
if there were none.

Calls that depend on their place are rewritten by what their names stand for, which code does not
tell: functions with one are not kept, and the others are only used where none of the names that
they call stands for such a function.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import marshal
import os
import stat
import sys
import zlib
from collections.abc import Iterable
from types import CodeType
from typing import TypeAlias

from solvent.lift.rewrite import macros
from solvent.terms.core import COMPILED
from solvent.vm.exceptions import LIFTED

# What tells code objects apart, of plain data that `marshal` can write.
Shape: TypeAlias = "tuple[object, ...]"
# The code that something was made from, the names that it calls, and what was made, marshalled.
Row: TypeAlias = tuple[Shape, tuple[str, ...], bytes]

# How many functions of a file are kept; one that is edited again and again has ever more.
MOST = 500


def shape(code: CodeType) -> Shape:
    """What tells a code object apart from all others.

    >>> one, other = (compile(text, "f.py", "eval") for text in ("1 + x", "1.0 + x"))
    >>> shape(one) == shape(one), shape(one) == shape(other)
    (True, False)
    """
    return (
        code.co_code, code.co_linetable, code.co_exceptiontable, code.co_firstlineno,
        code.co_filename, code.co_name, code.co_qualname, code.co_flags, code.co_argcount,
        code.co_posonlyargcount, code.co_kwonlyargcount, code.co_names, code.co_varnames,
        code.co_freevars, code.co_cellvars, *map(_constant, code.co_consts),
    )  # fmt: skip


def _constant(value: object) -> Shape | str:
    """A constant; as text, since numbers that are equal may still differ."""
    if isinstance(value, CodeType):
        return shape(value)
    if isinstance(value, frozenset):
        return tuple(sorted(map(repr, value)))
    return repr(value)


def _shapes(text: str, filename: str) -> frozenset[Shape]:
    """What tells all codes apart that a text is compiled to."""
    try:
        pending = [compile(text, filename, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return frozenset()
    result = set()
    while pending:
        code = pending.pop()
        result.add(shape(code))
        pending += [value for value in code.co_consts if isinstance(value, CodeType)]
    return frozenset(result)


class Shelf:
    """What is kept for one file."""

    def __init__(self, filename: str) -> None:
        self._places = _places(filename)
        self._rows = self._read()
        # The rows that this process needs, and whether it has made some of them.
        self._needed: dict[tuple[str, int], Row] = {}
        self._is_new = False
        # A text of the file, and the shapes of all codes that it is compiled to.
        self._compiled: tuple[str, frozenset[Shape]] = ("", frozenset())

    def find(self, original: CodeType, lookup: macros.Lookup) -> CodeType | None:
        """What was made of a code, where names stand for what `lookup` says."""
        key = (original.co_qualname, original.co_firstlineno)
        row = self._rows.get(key)
        if row is None or row[0] != shape(original):
            return None
        if any(macros.stands_for(name, lookup) is not None for name in row[1]):
            return None
        self._needed[key] = row
        return marshal.loads(row[2])  # type: ignore[no-any-return]

    def keep(self, original: CodeType, text: str, names: Iterable[str], made: CodeType) -> None:
        """Keep what was made of a text, if it is that of this code; it calls these names."""
        if sys.dont_write_bytecode:
            return
        if self._compiled[0] != text:
            self._compiled = (text, _shapes(text, original.co_filename))
        row = (shape(original), tuple(names), marshal.dumps(made))
        if row[0] in self._compiled[1]:
            key = (original.co_qualname, original.co_firstlineno)
            self._needed[key] = self._rows[key] = row
            self._is_new = True

    def write(self) -> None:
        """Write what is new into the first place that can be written."""
        if not self._is_new:
            return
        self._is_new = False
        # Others may have written meanwhile.
        rows = {**self._read(), **self._needed}
        content = marshal.dumps(rows if len(rows) <= MOST else self._needed)
        with contextlib.suppress(OSError):
            data = _header(content) + content
            any(_write(place, data) for place in self._places)

    def _read(self) -> dict[tuple[str, int], Row]:
        for place in self._places:
            with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
                data = _trusted(place)
                content = data[_HEADER:]
                if data[:_HEADER] == _header(content):
                    return marshal.loads(content)  # type: ignore[no-any-return]
        return {}


def _places(filename: str) -> list[str]:
    """Where the rows of a file may be, the best place first."""
    beside = importlib.util.cache_from_source(filename, optimization="lifted")
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    apart = filename.replace("%", "%%").replace(os.sep, "%")
    name = f"{apart}.{os.path.basename(beside)}"
    return [beside, os.path.join(caches, "solvent", name)]


def _trusted(place: str) -> bytes:
    """What is in a file; nothing if somebody else could have written it, as below `/tmp`."""
    with open(place, "rb") as file:
        status = os.fstat(file.fileno())
        if status.st_uid not in (0, os.geteuid()) or status.st_mode & stat.S_IWOTH:
            return b""
        return file.read()


def _write(place: str, data: bytes) -> bool:
    """Write a file, all of it at once; whether that was possible."""
    unfinished = f"{place}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(unfinished, "wb") as file:
            file.write(data)
        os.replace(unfinished, place)
    except OSError:
        return False
    finally:
        # Nothing is left behind, whatever happened.
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
    return True


# --- what has to be the same ----------------------------------------------------------------------

# The length of what is in front of the rows: who has written them, and that they are undamaged.
_HEADER = 16


def _header(content: bytes) -> bytes:
    """What is in front of rows that this rewriter has written."""
    sums = (*_rewriter(), zlib.crc32(content))
    return importlib.util.MAGIC_NUMBER + b"".join(number.to_bytes(4, "little") for number in sums)


def _rewriter() -> tuple[int, int]:
    """Two checksums of the rewriter that runs."""
    if not _CHECKSUMS:
        folder = os.path.dirname(__file__)
        rewriting = os.path.join(folder, "rewrite")
        files = [os.path.join(rewriting, name) for name in sorted(os.listdir(rewriting))]
        files += [os.path.join(folder, name) for name in ("function.py", "helpers.py", "source.py")]
        first, second = zlib.crc32(f"{LIFTED} {sys.flags.optimize} {COMPILED}".encode()), 0
        for name in [name for name in files if name.endswith(".py")]:
            with open(name, "rb") as file:
                text = file.read()
            first, second = zlib.crc32(text, first), zlib.adler32(text, second)
        _CHECKSUMS.append((first, second))
    return _CHECKSUMS[0]


_CHECKSUMS: list[tuple[int, int]] = []

_SHELVES: dict[str, Shelf] = {}


def shelf(filename: str) -> Shelf | None:
    """What is kept for the functions of a file, if it is one."""
    known = _SHELVES.get(filename)
    if known is None and filename.endswith(".py") and os.path.isabs(filename):
        known = _SHELVES[filename] = Shelf(filename)
    return known


@atexit.register
def write() -> None:
    """Write what this process has rewritten."""
    for found in list(_SHELVES.values()):
        found.write()
