"""Finding the functions that a command is about: `FILE.py::FUNCTION`."""

from __future__ import annotations

import functools
import importlib.util
import linecache
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import solvent
from solvent import queries, terms
from solvent.cli.common import InputError, contained
from solvent.errors import NotLiftedError
from solvent.queries.replay import described, shown
from solvent.vm.exceptions import is_raised_on_purpose

# A function of a program, perhaps with a cache around it.
Subject = Callable[..., object]
# What options say about its inputs, by name.
Inputs = dict[str, Any]


def split(target: str) -> tuple[str, str]:
    """The file and the name of the function, which may be empty."""
    file, _, name = target.partition("::")
    return file, name


def load(file: str) -> ModuleType:
    """Run a Python file as a module: it is the code that the user asked to check."""
    source = _read(file)
    path = Path(file).resolve()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None:
        raise InputError(f"{file}: not a Python file; its name must end in .py")
    code = _compiled(source, str(path), file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    # As for a script: modules beside the file can be imported.
    sys.path.insert(0, str(path.parent))
    linecache.cache.pop(str(path), None)
    try:
        with redirect_stdout(sys.stderr), contained():
            # What was compiled above, and not what a cache beside the file may hold.
            exec(code, vars(module))
    except SystemExit as error:
        where = _last_line(error, str(path), file)
        raise InputError(f"{where}: the file ends the program when it is imported") from None
    except NotLiftedError as error:
        raise InputError(f"{_last_line(error, str(path), file)}: {error}") from None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not is_raised_on_purpose(error):
            raise
        where = _last_line(error, str(path), file)
        raise InputError(f"{where}: {described(error)}, while the file is imported") from None
    return module


def _read(file: str) -> bytes:
    """The bytes of a file; Python itself knows how they are encoded."""
    path = Path(file)
    try:
        if path.exists() and not path.is_dir() and not path.is_file():
            raise InputError(f"{file}: this is no regular file; put the program into one")
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{file}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{file}: this is a directory, a file is needed") from None
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{shown(file)}: {error}") from None


def _compiled(source: bytes, path: str, file: str) -> CodeType:
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        where = f"{file}:{error.lineno}" if error.lineno else file
        raise InputError(f"{where}: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    except (RecursionError, MemoryError):
        raise InputError(
            f"{file}: an expression is nested too deeply for Python; split it into smaller ones"
        ) from None


def _last_line(error: BaseException, path: str, file: str) -> str:
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path
    ]
    return f"{file}:{lines[-1]}" if lines else file


def find(module: ModuleType, name: str, file: str) -> Subject:
    """The function with a name, which may have dots: `Class.method`."""
    found: object = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            known = ", ".join(function.__name__ for function in functions(module)) or "none"
            raise InputError(f"{file}: there is no function {name!r}; it has: {known}") from None
    if not callable(found):
        raise InputError(f"{file}: {name!r} is not a function")
    return found


def functions(module: ModuleType) -> list[FunctionType]:
    """The functions that a module defines, in the order of their lines."""
    return [found for found in subjects(module) if isinstance(found, FunctionType)]


def subjects(module: ModuleType) -> list[Subject]:
    """The functions that a module defines, and those among them that are cached."""
    found = {
        id(value): value
        for value in vars(module).values()
        if (isinstance(value, FunctionType) or is_cached(value))
        and value.__module__ == module.__name__
    }
    return sorted(found.values(), key=lambda function: unwrapped(function).__code__.co_firstlineno)


def is_cached(value: object) -> bool:
    """Whether a value is a function with a cache around it."""
    return type(value) is functools._lru_cache_wrapper and type(value.__wrapped__) is FunctionType


def unwrapped(function: Any) -> FunctionType:
    """The function inside of its cache."""
    return function.__wrapped__ if is_cached(function) else function  # type: ignore[no-any-return]


def parse_inputs(given: list[str]) -> Inputs:
    """Inputs from the command line: `name=EXPRESSION`, with names of Solvent in it."""
    result: Inputs = {}
    for text in given:
        name, equals, expression = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise InputError(f"--input {text!r}: write it as name=expression")
        try:
            value = eval(expression, {**vars(terms), **vars(queries), **vars(solvent)})
        except (Exception, SystemExit) as error:
            raise InputError(f"--input {shown(text)}: {described(error)}") from None
        if isinstance(value, (terms.Sort, type)):
            value = queries.space(value)
        result[name.strip()] = value
    return result
