"""What a query has no room for or does not support, told with the place in the program."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, TracebackType

from solvent.contracts.sources import innermost
from solvent.errors import (
    NotLiftedError,
    SortError,
    SymbolicBoolError,
    UnboundedError,
    WidthError,
)
from solvent.lift.origins import is_library_file
from solvent.queries.replay import plain
from solvent.queries.subjects import name_of
from solvent.vm.own import is_own

# Commands are not looked at; small languages are written in Python as other programs are.
_COMMANDS = str(Path(__file__).parents[1] / "cli")


def _is_ours(filename: str) -> bool:
    return is_own(filename) or filename.startswith(_COMMANDS)


_POSITION = re.compile(r"[^\n]+?:\d+: ")


@contextmanager
def telling_limits(function: object) -> Iterator[None]:
    """Turn exhausted memory and stack into `UnboundedError`, and say where something is refused."""
    try:
        yield
    except RecursionError as error:
        where = _place(error.__traceback__)
        if where is None:
            raise UnboundedError(
                f"{defined_at(function)}: `{name_of(function)}` is nested too deeply; split its "
                "expressions, or the values that it makes"
            ) from None
        raise UnboundedError(
            f"{where}: this recursion does not end within the {sys.getrecursionlimit()} calls that "
            "Python allows; end it earlier, or assume a bound on its inputs"
        ) from None
    except MemoryError as error:
        where = _place(error.__traceback__) or defined_at(function)
        raise UnboundedError(
            f"{where}: this needs more memory than there is; assume a bound on its inputs"
        ) from None
    except (NotLiftedError, SortError, SymbolicBoolError, WidthError) as error:
        where = _place(error.__traceback__)
        if where is None and isinstance(error, NotLiftedError):
            where = defined_at(function)
        if where is not None:
            error.args = (located(str(error), where),)
        raise


def located(message: str, position: str) -> str:
    """A message with a position before it, unless it has one."""
    return message if _POSITION.match(message) else f"{position}: {message}"


def _place(traceback: TracebackType | None) -> str | None:
    """File and line of the program under test in which an exception was raised, if in any."""
    found = None
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not _is_ours(file) and not is_library_file(file):
            found = f"{file}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found


def defined_at(function: object) -> str:
    """File and line where a function is defined, its name if that is not known."""
    found = plain(function)
    found = plain(innermost(plain(getattr(found, "func", found))))
    code = getattr(found, "__code__", None)
    if not isinstance(code, CodeType):
        code = getattr(getattr(type(found), "__call__", None), "__code__", None)  # noqa: B004
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else name_of(function)
