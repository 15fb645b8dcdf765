"""Whose code a function is: Solvent's own, a library's, the user's, typed in or generated.

Where a package was installed says little about it.  Solvent's languages and commands are clients of
the rest like any other, also from `site-packages`, and so is an installed package that is asked
about or that uses Solvent; every other installed package is a library, as the standard library is.
"""

from __future__ import annotations

import operator
import os
import sys
import sysconfig
from collections.abc import Mapping
from types import FunctionType, ModuleType

from solvent.vm.own import is_own

# How modules that are part of the interpreter are called; their source is in the library, too.
FROZEN = "<frozen "

# How code that was typed in is called; its source can be found nevertheless.
INTERACTIVE = ("<stdin", "<doctest", "<ipython", "<console", "<python-input", "<solvent-input")


def _folders(names: tuple[str, ...], scheme: str) -> tuple[str, ...]:
    found = (sysconfig.get_path(name, scheme) for name in names)
    return tuple(dict.fromkeys(path + os.sep for path in found if path))


_INSTALLED = (
    *_folders(("purelib", "platlib"), sysconfig.get_default_scheme()),
    *_folders(("purelib", "platlib"), sysconfig.get_preferred_scheme("user")),
)
_LIBRARY = (
    *_folders(("stdlib", "platstdlib"), sysconfig.get_default_scheme()),
    os.path.dirname(os.__file__) + os.sep,
    *_INSTALLED,
)

_SOLVENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

# Packages below the folders of installed ones that are the user's: their paths.
_CLAIMED: set[str] = set()

# By file: whether it is a library's.
_KNOWN: dict[str, bool] = {}

# How many packages were claimed, the modules that were imported, and the program's among them.
_MODULES: tuple[int, list[ModuleType], list[ModuleType]] = (0, [], [])


def is_generated(filename: str) -> bool:
    """Whether code was made by a program: it has no source, but no branches either."""
    return filename.startswith("<") and not filename.startswith((*INTERACTIVE, FROZEN))


def is_library_file(filename: str) -> bool:
    """Whether a file is of the standard library or of an installed package that is not asked about.

    >>> import json
    >>> is_library_file(json.__file__), is_library_file("/home/me/program.py")
    (True, False)
    """
    return filename.startswith((FROZEN, *_LIBRARY)) and not filename.startswith(
        (_SOLVENT, *_CLAIMED)
    )


def is_programs_file(filename: str) -> bool:
    """Whether a file is neither of a library nor of Solvent, with its languages and commands.

    >>> is_programs_file(__file__), is_programs_file("/home/me/program.py")
    (False, True)
    """
    return not is_library_file(filename) and not filename.startswith(_SOLVENT)


def program_modules() -> list[ModuleType]:
    """The modules that are imported and belong to the program, not to a library or to Solvent.

    >>> import json
    >>> json in program_modules()
    False
    """
    global _MODULES
    claimed = len(_CLAIMED)
    modules = list(sys.modules.values())
    known_claimed, known, found = _MODULES
    # Every check asks this, and hardly ever was something imported or claimed since.
    if (
        known_claimed != claimed
        or len(known) != len(modules)
        or not all(map(operator.is_, known, modules))
    ):
        found = []
        for module in modules:
            if isinstance(module, ModuleType):
                # Modules that are loaded when something is read of them are not asked by `getattr`.
                file = vars(module).get("__file__")
                if isinstance(file, str) and is_programs_file(file):
                    found.append(module)
        _MODULES = claimed, modules, found
    return found


def is_library(function: FunctionType) -> bool:
    """Whether a function is of the standard library or of an installed package."""
    filename = function.__code__.co_filename
    known = _KNOWN.get(filename)
    if known is None:
        known = is_library_file(filename) and not (
            filename.startswith(_INSTALLED) and _uses_solvent(function.__globals__)
        )
        _KNOWN[filename] = known
    return known


def is_users(function: FunctionType) -> bool:
    """Whether the user wrote a function: neither Solvent nor a library."""
    return not is_own(function.__code__.co_filename) and not is_library(function)


def claim(function: object) -> None:
    """An installed package of which a function is asked about is the user's."""
    code = getattr(function, "__code__", None)
    filename = getattr(code, "co_filename", "")
    if not filename.startswith(_INSTALLED):
        return
    folder = max((path for path in _INSTALLED if filename.startswith(path)), key=len)
    package = os.path.join(folder, filename[len(folder) :].split(os.sep)[0])
    if package not in _CLAIMED:
        _CLAIMED.add(package)
        _KNOWN.clear()


def _uses_solvent(namespace: Mapping[str, object]) -> bool:
    """Whether a module has imported anything of Solvent's."""
    for value in list(namespace.values()):
        if isinstance(value, ModuleType):
            name = value.__name__
        elif isinstance(value, (FunctionType, type)):
            name = value.__module__ or ""
        else:
            name = type(value).__module__
        if name == "solvent" or name.startswith("solvent."):
            return True
    return False
