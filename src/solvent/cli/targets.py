"""Targets as people type them: files, folders, modules, classes, functions and lines.

`FILE.py`, `FILE.py::Class.method`, `FILE.py:LINE`, `FOLDER`, `package.module` and
`package.module.Class.method`.  Below a folder all Python files count but for hidden folders,
environments, tests, and files that run something when they are imported.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType

from solvent.cli.common import InputError
from solvent.cli.importing import Place, place_of
from solvent.cli.members import Member, at_line, by_name, members
from solvent.queries.replay import shown

# Folders below which no program is looked for, unless one of them is named.
_TESTS = ("test", "tests")
_NO_PROGRAM = ("__pycache__", "node_modules", "site-packages", "venv", "env", *_TESTS)
_NO_MODULE = ("conftest.py", "setup.py", "__main__.py")
_TEST_MODULE = ("test_*.py", "*_test.py")

_AT_LINE = re.compile(r"(?P<file>.+\.py):(?P<line>\d+)")


@dataclass(frozen=True, slots=True)
class Target:
    """A file of which some functions are asked about."""

    place: Place
    # The function, method or class; empty for the whole file.
    name: str = ""
    line: int = 0

    def members(self, module: ModuleType) -> list[Member]:
        """What is asked about, in the module that the file was imported as."""
        file = self.place.text
        if self.line:
            return at_line(module, self.line, file)
        return by_name(module, self.name, file) if self.name else members(module)


def targets(text: str, exclude: Iterable[str] = ()) -> list[Target]:
    """The files that a target stands for; patterns say which files below a folder are left out.

    >>> [target.name for target in targets("solvent.cli.targets.targets")]
    ['targets']
    """
    if not text:
        raise InputError("an empty text is no target; name a file, a folder, or package.module")
    file, colons, name = text.partition("::")
    if colons:
        return [Target(place_of(file), name)]
    match = _AT_LINE.fullmatch(text)
    path = Path(text)
    try:
        if path.is_dir():
            return [Target(place_of(str(one))) for one in _below(path, tuple(exclude))]
        exists = path.exists()
    except ValueError as error:
        raise InputError(f"{shown(text)}: {error}") from None
    if match and not exists:
        return [Target(place_of(match["file"]), line=int(match["line"]))]
    if not exists and not text.endswith(".py") and all(map(str.isidentifier, text.split("."))):
        return _dotted(text, tuple(exclude))
    return [Target(place_of(text))]


def _below(folder: Path, exclude: tuple[str, ...]) -> list[Path]:
    """The Python files of a program below a folder."""
    found: list[Path] = []
    seen_as = (*Path(os.path.relpath(folder)).parts, folder.resolve().name)
    with_tests = any(part in _TESTS for part in seen_as)
    left_out = _NO_MODULE if with_tests else (*_NO_MODULE, *_TEST_MODULE)
    for current, folders, files in os.walk(folder):
        # Links are not followed, so that there is no circle.
        folders[:] = sorted(
            name for name in folders if not _is_left_out(Path(current, name), exclude)
        )
        for name in sorted(files):
            path = Path(current, name)
            if (
                name.endswith(".py")
                and not name.startswith(".")
                and not any(fnmatchcase(name, pattern) for pattern in left_out)
                and not _is_excluded(path, exclude)
                and path.is_file()
            ):
                found.append(path)
    if not found:
        raise InputError(f"{folder}: there are no Python files to check in this folder")
    return found


def _is_left_out(path: Path, exclude: tuple[str, ...]) -> bool:
    return (
        path.name.startswith(".")
        or path.name in _NO_PROGRAM
        or (path / "pyvenv.cfg").exists()
        or _is_excluded(path, exclude)
    )


def _is_excluded(path: Path, patterns: tuple[str, ...]) -> bool:
    """Whether a pattern fits a path, as it is seen from the working directory, or a part of it."""
    text = Path(os.path.relpath(path)).as_posix()
    return any(
        fnmatchcase(text, pattern.rstrip("/")) or fnmatchcase(path.name, pattern.rstrip("/"))
        for pattern in patterns
    )


def _dotted(text: str, exclude: tuple[str, ...]) -> list[Target]:
    """What a dotted name stands for: a package, a module, or something in a module."""
    parts = text.split(".")
    for base in _bases(parts[0]):
        found = _longest(base, parts)
        if found is None:
            continue
        path, count = found
        file = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
        name, rest = ".".join(parts[:count]), ".".join(parts[count:])
        if path.is_dir():
            if rest:
                continue
            return [Target(_inside(one, base)) for one in _below(Path(file), exclude)]
        if path.name == "__init__.py" and not rest:
            below = _below(Path(file).parent, exclude)
            return [Target(_inside(one, base)) for one in below]
        return [Target(Place(file, path.resolve(), base.resolve(), name), rest)]
    raise InputError(
        f"{text}: there is no such file, folder or module; write FILE.py, FILE.py::FUNCTION, a "
        "folder, or package.module.function"
    )


def _bases(top: str) -> Iterator[Path]:
    """The folders in which a module may be."""
    yield Path.cwd()
    yield Path.cwd() / "src"
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return
    if spec is not None:
        for folder in spec.submodule_search_locations or ():
            yield Path(folder).parent
        if spec.origin and spec.origin.endswith(".py"):
            yield Path(spec.origin).parent


def _longest(base: Path, parts: list[str]) -> tuple[Path, int] | None:
    """The module that most of a dotted name stands for, and how many parts that are."""
    for count in range(len(parts), 0, -1):
        path = base.joinpath(*parts[:count])
        if (path / "__init__.py").is_file():
            return path / "__init__.py", count
        if path.with_suffix(".py").is_file():
            return path.with_suffix(".py"), count
        if count == len(parts) and path.is_dir():
            return path, count
    return None


def _inside(path: Path, base: Path) -> Place:
    """A file below a folder that is on the path, whether or not each folder is a package."""
    resolved = path.resolve()
    parts = list(resolved.relative_to(base.resolve()).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return Place(str(path), resolved, base.resolve(), ".".join(parts))
