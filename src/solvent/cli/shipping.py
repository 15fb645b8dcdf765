"""What must be sent with a function so that another machine can check it.

These are the files of the program that its module imports, directly or not, wherever an import
stands in them, and what `--ship` names.  A program that looks for more while it runs, at files or
at the interpreter, might see something else there and get another answer: it is checked here.
"""

from __future__ import annotations

import ast
import functools
import glob
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solvent.cli.common import InputError
from solvent.cli.importing import NEEDED, Place, brought
from solvent.units.bundle import Bundle
from solvent.units.versions import installed

# Modules and names by which a program finds what no import names.
_LOOKING_MODULES = """
    os io pathlib importlib pkgutil runpy sys subprocess socket glob shutil tempfile sqlite3
    fileinput multiprocessing ctypes platform site sysconfig zipimport linecache inspect locale
"""
_LOOKING = frozenset(_LOOKING_MODULES.split())
_LOOKING_NAMES = frozenset(("open", "__import__", "__file__", "exec", "eval", "input", "__path__"))


@dataclass(slots=True)
class Sources:
    """What a module of the program is made of."""

    bundle: Bundle
    # The libraries that it imports, with their versions.
    libraries: dict[str, str]
    # Why it is checked here, if it is.
    only_here: str = ""


@dataclass(slots=True)
class _Found:
    """What was found so far, file by file."""

    root: Path
    paths: dict[Path, None] = field(default_factory=dict)
    pending: list[tuple[Path, str]] = field(default_factory=list)
    libraries: dict[str, None] = field(default_factory=dict)
    only_here: str = ""

    def add(self, path: Path, name: str) -> None:
        """A file, and the name of its module."""
        if path not in self.paths:
            self.paths[path] = None
            self.pending.append((path, name))

    def imported(self, name: str) -> bool:
        """Follow an import; whether the program has such a module."""
        parts = name.split(".")
        found = False
        for count in range(1, len(parts) + 1):
            base = self.root.joinpath(*parts[:count])
            for path in (base / "__init__.py", base.with_suffix(".py")):
                if path.is_file():
                    self.add(path, ".".join(parts[:count]))
                    found = True
                    break
            else:
                found = found or base.is_dir()
        return found

    def outside(self, name: str) -> None:
        """An import of what is not the program's own, or not in its folder."""
        top = name.partition(".")[0]
        if top in _LOOKING:
            self.only_here = self.only_here or f"it imports {top}"
        elif top in brought():
            self.only_here = self.only_here or f"{top} is in another folder"
        elif top not in sys.stdlib_module_names and top not in NEEDED:
            self.libraries[top] = None


def sources_of(place: Place, ship: Sequence[str] = ()) -> Sources:
    """The sources of a module, as they are now."""
    found = _Found(place.root)
    found.imported(place.name)
    found.add(place.path, place.name)
    while found.pending:
        _follow(found, *found.pending.pop())
    more = list(_shipped(ship))
    if more:
        # Who names files knows what the program looks for.
        found.only_here = ""
    libraries = {name: version_of(name) for name in found.libraries}
    # What is in other folders is not sent, but answers depend on it.
    elsewhere = [] if more else [path for path in _files() if not path.is_relative_to(place.root)]
    return Sources(Bundle.of([*found.paths, *more, *elsewhere]), libraries, found.only_here)


def _files() -> Iterator[Path]:
    """The files of all modules of the program that are imported."""
    for module in brought().values():
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and Path(file).is_file():
            yield Path(file)


def _follow(found: _Found, path: Path, name: str) -> None:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        # Nobody will import it there either.
        return
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if not found.imported(alias.name):
                        found.outside(alias.name)
            case ast.ImportFrom():
                _follow_from(found, node, package)
            case ast.Name(id=one) | ast.Attribute(attr=one) if one in _LOOKING_NAMES:
                found.only_here = found.only_here or f"it uses {one}"


def _follow_from(found: _Found, node: ast.ImportFrom, package: str) -> None:
    parts = package.split(".") if package else []
    start = parts[: len(parts) - node.level + 1] if node.level else []
    base = ".".join([*start, *([node.module] if node.module else [])])
    known = bool(base) and found.imported(base)
    for alias in node.names:
        known = found.imported(f"{base}.{alias.name}" if base else alias.name) or known
    if not known:
        found.outside(base)


def _shipped(patterns: Sequence[str]) -> Iterator[Path]:
    for pattern in patterns:
        names = glob.glob(pattern, recursive=True)
        if not names:
            raise InputError(f"--ship {pattern}: there is no such file")
        for name in names:
            path = Path(name)
            below = path.rglob("*") if path.is_dir() else [path]
            yield from (one for one in below if one.is_file() and "__pycache__" not in one.parts)


@functools.cache
def _distributions() -> dict[str, list[str]]:
    # Only libraries that a program imports are looked for.
    from importlib import metadata

    return {name: list(found) for name, found in metadata.packages_distributions().items()}


def version_of(module: str) -> str:
    """The version of the library that has a module."""
    names = _distributions().get(module, [module])
    return ", ".join(f"{name} {installed(name)}" for name in sorted(set(names)))
