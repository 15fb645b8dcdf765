"""Importing the program that a command is about, under the names that it uses itself.

A file in a package is imported by its full name, with the folder around the outermost package on
the path, so that relative imports work; any other file is a module beside those in its folder.  Of
several such folders only one is in use at a time: modules with the same name in two of them are
not mixed up.  Modules of the standard library, and the libraries that Solvent needs, are never
hidden by a file of the program with the same name.
"""

from __future__ import annotations

import ast
import importlib.util
import linecache
import os
import sys
import sysconfig
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, ModuleType

from solvent.cli.common import InputError, contained
from solvent.errors import NotLiftedError
from solvent.lift.origins import is_library_file
from solvent.queries.replay import described, relative, shown
from solvent.race.making import made_until
from solvent.verdicts import Deadline
from solvent.vm.exceptions import is_raised_on_purpose

# What Solvent imports itself, also later: a program may not take the place of these.
NEEDED = frozenset(("solvent", "bitwuzla", "cvc5", "dd", "lxml", "rich", "z3"))
PROTECTED = sys.stdlib_module_names | NEEDED


@dataclass(frozen=True, slots=True)
class Place:
    """Where a module of the program is, and under which name the program imports it."""

    # How the user called the file.
    text: str
    path: Path
    # The folder that is on the path.
    root: Path
    name: str


def place_of(file: str) -> Place:
    """Where a file is: inside of its packages, if it is in any.

    >>> place_of("program.py").name
    'program'
    >>> place_of("program.v2.py").name
    'program-v2'
    """
    try:
        path = Path(file).resolve()
    except (OSError, RuntimeError) as error:
        raise InputError(f"{file}: {getattr(error, 'strerror', error)}") from None
    except ValueError as error:
        raise InputError(f"{shown(file)}: {error}") from None
    # A dot in the name of a file is none between a package and its module.
    stem = path.stem.replace(".", "-")
    parts = [] if path.name == "__init__.py" else [stem]
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        parts.insert(0, folder.name)
        folder = folder.parent
    return Place(file, path, folder, ".".join(parts) or stem)


class _StandardFirst:
    """Finds what is protected where it has always been, whatever the program has on the path."""

    def __init__(self) -> None:
        found = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
        folders = [folder for folder in dict.fromkeys(found) if folder]
        self.standard = [*folders, *(os.path.join(folder, "lib-dynload") for folder in folders)]
        self.root = ""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a protected module is; the others are not found here."""
        if path is not None or name not in PROTECTED:
            return None
        if name in NEEDED:
            return PathFinder.find_spec(name, [one for one in sys.path if one != self.root])
        return PathFinder.find_spec(name, self.standard)


_STANDARD_FIRST = _StandardFirst()

# The modules that were imported for commands, by name: another command starts without them.
_BROUGHT: dict[str, ModuleType] = {}


# When the first file of the folder in use was imported, in nanoseconds since the epoch.
_ENTERED = [0]


def brought() -> dict[str, ModuleType]:
    """All modules of the program that are imported now, by name."""
    return dict(_BROUGHT)


def entered() -> int:
    """When the folder in use was entered: nothing was imported from it before."""
    return _ENTERED[0]


class Importer:
    """Imports files of a program; one that was imported stays what it is."""

    def __init__(self, limit: float | None = None) -> None:
        self.root: Path | None = None
        # How many seconds the import of a file may take.
        self.limit = limit
        # What other modules had the names of the program's own, to be put back.
        self.aside: dict[str, ModuleType] = {}
        self.before: set[str] = set()
        self._forget(_BROUGHT)

    def module(self, place: Place) -> ModuleType:
        """The module in a file, run now unless the program has imported it already."""
        source = read(place.text)
        code = compiled(source, str(place.path), place.text)
        if self.root != place.root:
            self.leave()
            self._enter(place.root)
        name = self._name_for(place)
        known = sys.modules.get(name)
        if known is not None and self._is_same(known, place):
            return known
        earlier = self.brought()
        with self._telling(place):
            module = made_until(Deadline(self.limit), lambda: self._run(name, place, code))
        if module is None:
            raise InputError(
                f"{place.text}: its import has not ended within {self.limit:g} s; what takes long "
                'belongs into functions, or behind `if __name__ == "__main__":`'
            )
        self._refuse_hidden(place, earlier)
        return module

    def leave(self) -> None:
        """Take the folder in use off the path, and forget what was imported from it."""
        if self.root is None:
            return
        self._forget(self.brought())
        sys.modules.update(self.aside)
        self.aside.clear()
        if str(self.root) in sys.path:
            sys.path.remove(str(self.root))
        self.root = None

    def brought(self) -> dict[str, ModuleType]:
        """The modules of the program that were imported since its folder is in use."""
        return {
            name: module
            for name, module in list(sys.modules.items())
            if name not in self.before and is_users_module(module)
        }

    def files(self) -> list[Path]:
        """The files of the program that are imported."""
        found = (getattr(one, "__file__", None) for one in self.brought().values())
        return sorted({Path(file) for file in found if file})

    def _forget(self, modules: dict[str, ModuleType]) -> None:
        for name, module in list(modules.items()):
            if sys.modules.get(name) is module:
                del sys.modules[name]
            _BROUGHT.pop(name, None)

    def _enter(self, root: Path) -> None:
        _ENTERED[0] = time.time_ns()
        self.root = root
        self.before = set(sys.modules)
        # As for a script: modules beside the file can be imported.
        sys.path.insert(0, str(root))
        _STANDARD_FIRST.root = str(root)
        if _STANDARD_FIRST not in sys.meta_path:
            places = [p for p, one in enumerate(sys.meta_path) if one is PathFinder]
            sys.meta_path.insert(min(places, default=0), _STANDARD_FIRST)

    def _name_for(self, place: Place) -> str:
        """The name under which a file is imported, which no other module has."""
        top, inside, _ = place.name.partition(".")
        is_alone = not inside and place.path.name != "__init__.py"
        taken = sys.modules.get(top)
        if taken is not None and _is_below(taken, place.root):
            return place.name
        if top in PROTECTED:
            if is_alone:
                return f"{top}__file"
            raise InputError(
                f"{place.text}: the package {top!r} has the name of a module that Solvent needs; "
                "rename it"
            )
        if taken is not None:
            # Another module with this name is put back when the folder is left.
            for name in [one for one in sys.modules if one == top or one.startswith(f"{top}.")]:
                self.aside[name] = sys.modules.pop(name)
                self.before.discard(name)
        return place.name

    def _is_same(self, module: ModuleType, place: Place) -> bool:
        """Whether a module is the one in a file, as it is now."""
        file = getattr(module, "__file__", None)
        if file is None or not _same_file(file, place.path):
            return False
        # A file that is no part of a package may have changed since another command.
        return module.__name__ not in self.before or "." in place.name

    def _run(self, name: str, place: Place, code: CodeType) -> ModuleType:
        parent, _, last = name.rpartition(".")
        if parent:
            importlib.import_module(parent)
            known = sys.modules.get(name)
            if known is not None:
                # Its own package imports it.
                return known
        folders = [str(place.path.parent)] if place.path.name == "__init__.py" else None
        spec = importlib.util.spec_from_file_location(
            name, place.path, submodule_search_locations=folders
        )
        if spec is None:
            raise InputError(f"{place.text}: not a Python file; its name must end in .py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = _BROUGHT[name] = module
        self.before.discard(name)
        linecache.cache.pop(str(place.path), None)
        try:
            # What was compiled above, and not what a cache beside the file may hold.
            exec(code, vars(module))
        except BaseException:
            sys.modules.pop(name, None)
            raise
        if parent:
            setattr(sys.modules[parent], last, module)
        return module

    @contextmanager
    def _telling(self, place: Place) -> Iterator[None]:
        """Say in one sentence why a file cannot be imported."""
        try:
            with redirect_stdout(sys.stderr), contained():
                yield
        except InputError:
            raise
        except SystemExit as error:
            where = last_line(error, place)
            raise InputError(f"{where}: the file ends the program when it is imported") from None
        except NotLiftedError as error:
            raise InputError(f"{last_line(error, place)}: {error}") from None
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and not is_raised_on_purpose(error):
                raise
            where = last_line(error, place)
            raise InputError(f"{where}: {described(error)}, while the file is imported") from None
        finally:
            _BROUGHT.update(self.brought())

    def _refuse_hidden(self, place: Place, earlier: dict[str, ModuleType]) -> None:
        """Refuse a program that imports a module of its own with a protected name."""
        hidden = _protected_in(place.root)
        if not hidden:
            return
        for name, module in self.brought().items():
            if name in earlier:
                continue
            file = getattr(module, "__file__", None) or ""
            for line, other in _imported(file):
                if other in hidden:
                    raise InputError(
                        f"{relative(file)}:{line}: the program has a module {other!r} of its own, "
                        "but Solvent needs the one that everybody has; rename the file"
                    )


def is_users_module(module: object) -> bool:
    """Whether a module is the program's own, not a library's and not Solvent's."""
    if not isinstance(module, ModuleType) or module.__name__.partition(".")[0] in NEEDED:
        return False
    file = getattr(module, "__file__", None)
    if file is None:
        # A folder without `__init__.py` is a package, too.
        folders = list(getattr(module, "__path__", ()))
        return bool(folders) and not is_library_file(os.path.join(str(folders[0]), ""))
    return isinstance(file, str) and not is_library_file(file)


def _is_below(module: ModuleType, root: Path) -> bool:
    """Whether a module is directly in a folder."""
    file = getattr(module, "__file__", None)
    if file is None:
        return any(Path(one).parent == root for one in getattr(module, "__path__", ()))
    path = Path(file)
    return root == (path.parent.parent if path.name == "__init__.py" else path.parent)


def _same_file(file: str, path: Path) -> bool:
    try:
        return os.path.samefile(file, path)
    except OSError:
        return False


def _protected_in(root: Path) -> set[str]:
    """The protected names that files in a folder have, but for those that always win."""
    try:
        entries = os.listdir(root)
    except OSError:
        return set()
    found = {
        name
        for name in (entry.removesuffix(".py") for entry in entries)
        if name in PROTECTED
        and ((root / f"{name}.py").is_file() or (root / name / "__init__.py").is_file())
    }
    return {
        name
        for name in found
        if BuiltinImporter.find_spec(name) is None
        and FrozenImporter.find_spec(name) is None
        # Solvent's own source is a program like any other.
        and not _is_below(sys.modules.get(name) or ModuleType(name), root)
    }


def _imported(file: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that import something by its full name, with the first part of that."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for found in ast.walk(tree):
        if isinstance(found, ast.Import):
            for alias in found.names:
                yield found.lineno, alias.name.partition(".")[0]
        elif isinstance(found, ast.ImportFrom) and not found.level:
            yield found.lineno, (found.module or "").partition(".")[0]


def read(file: str) -> bytes:
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


def compiled(source: bytes, path: str, file: str) -> CodeType:
    """The code of a file, or what is wrong with it."""
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


def last_line(error: BaseException, place: Place) -> str:
    """The line of a file in which an exception came up while it was imported."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(place.path)]
    if lines:
        return f"{place.text}:{lines[-1]}"
    # It came up in a package around the file.
    others = [
        frame
        for frame in frames
        if not is_library_file(frame.filename) and frame.filename != __file__
    ]
    return f"{relative(others[-1].filename)}:{others[-1].lineno}" if others else place.text
