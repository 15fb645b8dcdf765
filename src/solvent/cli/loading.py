"""Finding the functions that a command is about: `FILE.py::FUNCTION`."""

from __future__ import annotations

import importlib.util
import linecache
import sys
import traceback
from contextlib import redirect_stdout
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import solvent
from solvent.cli.common import InputError, read_text


def split(target: str) -> tuple[str, str]:
    """The file and the name of the function, which may be empty."""
    file, _, name = target.partition("::")
    return file, name


def load(file: str) -> ModuleType:
    """Run a Python file as a module: it is the code that the user asked to check."""
    source = read_text(file)
    path = Path(file).resolve()
    try:
        compile(source, file, "exec")
    except SyntaxError as error:
        raise InputError(f"{file}:{error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{file}: not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    # As for a script: modules beside the file can be imported.
    sys.path.insert(0, str(path.parent))
    linecache.checkcache(str(path))
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except Exception as error:
        where = _last_line(error, str(path), file)
        raise InputError(f"{where}: {type(error).__name__}: {error}") from None
    except SystemExit as error:
        raise InputError(f"{file}: the file ends the program when it is imported") from error
    return module


def _last_line(error: BaseException, path: str, file: str) -> str:
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == path
    ]
    return f"{file}:{lines[-1]}" if lines else file


def find(module: ModuleType, name: str, file: str) -> Any:
    """The function with a name, which may have dots: `Class.method`."""
    found: Any = module
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
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    return sorted(found, key=lambda function: function.__code__.co_firstlineno)


def parse_inputs(given: list[str]) -> dict[str, Any]:
    """Inputs from the command line: `name=EXPRESSION`, with the names of `solvent` in it."""
    result: dict[str, Any] = {}
    for text in given:
        name, equals, expression = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise InputError(f"--input {text!r}: write it as name=expression")
        try:
            value = eval(expression, dict(vars(solvent)))
        except Exception as error:
            raise InputError(f"--input {text!r}: {type(error).__name__}: {error}") from None
        if isinstance(value, (solvent.Sort, type)):
            value = solvent.space(value)
        result[name.strip()] = value
    return result
