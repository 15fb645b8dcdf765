"""What an answer about a function depends on, as one text to compare: equal texts, equal answers.

A proof that is out of date would be a false one, so all that could matter counts: the bytes of all
files that the function's module imports from the program, directly or not, the values that these
modules hold, the options, what is installed, Python, Solvent and its solvers.  Where something else
may matter there is no such text, and no answer is kept: if one of these files imports a library, or
a module of the standard library of which it is not known that it only computes, if it uses what
looks at the clock, at files or at the interpreter, or if a module of the program changes others.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import solvent
from solvent.cli.contents import DependsOnMoreError, Named, Values, hidden, is_pure
from solvent.cli.importing import brought, entered, is_users_module
from solvent.queries.replay import plain
from solvent.units.versions import versions

# Names by which a program may look at, or change, what is not in its source.
_OUTSIDE = """
    open input exec eval compile globals breakpoint id hash setattr delattr vars Type
    __import__ __builtins__ __globals__ __subclasses__ __loader__ __spec__
    now today utcnow fromtimestamp timestamp astimezone request urlopen samples
    register setcontext getcontext localcontext
"""
OUTSIDE = frozenset(_OUTSIDE.split())

# A text with the annotation that stands for all classes that derive from one, wherever they are.
_CLASSES = re.compile(r"\b[Tt]ype\s*\[")

# How long before the import a file must have been changed at the latest, in nanoseconds: clocks of
# file systems are coarse.
MARGIN = 100_000_000

# What in the environment may matter to Python, to Solvent, and to texts of dates and numbers.
_ENVIRONMENT = re.compile(r"(SOLVENT|PYTHON|LC_)\w*|LANG|LANGUAGE|TZ")


def dependencies(
    function: object, options: Mapping[str, object], project: Path | None = None
) -> str | None:
    """What an answer about a function depends on, `None` if that is not known.

    With the folder of a project it is the same wherever that folder is, on all machines with the
    same Python, Solvent and solvers.
    """
    try:
        modules = _imported_by(_module_of(function))
        named = Named(project)
        parts = [
            *(_surroundings() if project is None else _surroundings_of(project)),
            *sorted(f"{name}={value!r}" for name, value in options.items()),
            *_sources(modules, named),
            *Values(named, modules).of_modules(),
        ]
    except (DependsOnMoreError, OSError, RecursionError, SyntaxError, ValueError):
        return None
    return digest(parts)


def surroundings() -> str:
    """What all answers of this process depend on, beside what they are about."""
    return digest(list(_surroundings()))


def digest(parts: list[str]) -> str:
    """One short text for several, other for all others."""
    found = hashlib.sha256()
    for part in parts:
        # With its length, so that no two lists of parts look alike.
        data = part.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


# --- what is around the program -------------------------------------------------------------------


def _surroundings() -> Iterator[str]:
    """Python, Solvent, what is installed, and what they read from the environment."""
    yield f"{solvent.__version__} {sys.version} {sys.flags} {sys.platform} {sys.byteorder}"
    yield f"{sys.getrecursionlimit()} {os.getcwd()}"
    yield from _environment()
    yield from _own_source()
    yield from _installed(tuple(sys.path))
    for name in ("sitecustomize", "usercustomize"):
        if name in sys.modules:
            yield _stamp(Path(sys.modules[name].__file__ or ""))


def _environment() -> Iterator[str]:
    for name, value in sorted(os.environ.items()):
        if _ENVIRONMENT.fullmatch(name) and not name.startswith("SOLVENT_CACHE"):
            yield f"{name}={value}"


def _surroundings_of(project: Path) -> Iterator[str]:
    """The same for all machines that have the same: no paths but those below the project."""
    yield from (f"{name} {version}" for name, version in sorted(versions().items()))
    yield f"{sys.implementation.name} {sys.platform} {sys.byteorder} {sys.getrecursionlimit()}"
    yield Named(project)(os.path.join(os.getcwd(), "here"))
    yield from _environment()
    if any(name in sys.modules for name in ("sitecustomize", "usercustomize")):
        raise DependsOnMoreError


# How the names of files end that Solvent consists of.
_SOURCES = (".py", ".so", ".pyd")


@functools.cache
def _own_source() -> tuple[str, ...]:
    """Solvent itself: the version alone does not tell one working copy from another."""
    found: list[str] = []
    pending = [os.path.dirname(solvent.__file__)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(_SOURCES):
                    found.append(_stamped(entry.path, entry.stat()))
                elif entry.is_dir() and entry.name != "__pycache__":
                    pending.append(entry.path)
    return tuple(sorted(found))


@functools.cache
def _installed(path: tuple[str, ...]) -> tuple[str, ...]:
    """What is installed, the solvers too: folders whose names say which version of what it is."""
    found: list[str] = []
    for folder in dict.fromkeys(path):
        if os.path.isdir(folder):
            names = (name for name in os.listdir(folder) if name.endswith(".dist-info"))
            found += [_stamp(Path(folder, name)) for name in sorted(names)]
    return tuple(found)


def _stamp(path: Path) -> str:
    return _stamped(str(path), path.stat())


def _stamped(path: str, found: os.stat_result) -> str:
    return f"{path} {found.st_mtime_ns} {found.st_size}"


# --- the source -----------------------------------------------------------------------------------


def _module_of(function: object) -> ModuleType:
    found = sys.modules.get(getattr(plain(function), "__module__", None) or "")
    if found is None or not is_users_module(found):
        raise DependsOnMoreError
    return found


@functools.lru_cache(maxsize=1_000)
def _parsed(data: bytes) -> ast.Module:
    return ast.parse(data)


def _tree(module: ModuleType) -> ast.Module:
    return _parsed(Path(_file(module)).read_bytes())


def _file(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    if not isinstance(file, str):
        raise DependsOnMoreError
    return file


def _imported_by(module: ModuleType) -> dict[str, ModuleType]:
    """A module and those of the program that it imports, directly or not, with their packages."""
    found: dict[str, ModuleType] = {}
    pending = [module.__name__]
    while pending:
        name = pending.pop()
        if name in found:
            continue
        one = sys.modules.get(name)
        if one is None:
            # It is imported only later, when nobody looks.
            raise DependsOnMoreError
        found[name] = one
        pending += [".".join(name.split(".")[:count]) for count in range(1, name.count(".") + 1)]
        if getattr(one, "__file__", None) is not None:
            pending += _imports(_tree(one), one)
    return found


def _imports(tree: ast.Module, module: ModuleType) -> Iterator[str]:
    """The modules of the program that one imports anywhere in its source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = module.__package__ or ""
            start = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            inner = [f"{base}.{alias.name}" for alias in node.names]
            names = [base, *(one for one in inner if one in sys.modules)]
            if any(_is_later(base, alias.name) for alias in node.names):
                raise DependsOnMoreError
        else:
            continue
        for name in names:
            known = sys.modules.get(name)
            if known is not None and is_users_module(known):
                yield name
            elif not is_pure(name):
                raise DependsOnMoreError
            elif known is None:
                # It is looked into below; whoever imports it later finds the same.
                with contextlib.suppress(ImportError):
                    importlib.import_module(name)


def _is_later(base: str, name: str) -> bool:
    """Whether a part of a package of the program is imported only when a function is called."""
    package = sys.modules.get(base)
    return is_users_module(package) and name != "*" and not hasattr(package, name)


def _sources(modules: Mapping[str, ModuleType], named: Named) -> Iterator[str]:
    """The files of modules, none of which looks outside; and no other changes them."""
    for name, module in sorted(modules.items()):
        if getattr(module, "__file__", None) is None:
            yield f"{name} {[named(str(one)) for one in module.__path__]}"
            continue
        _check_inside(_tree(module))
        if named.project is not None:
            _check_placeless(_tree(module))
        if os.stat(_file(module)).st_ctime_ns > entered() - MARGIN:
            # What was imported may be older than what is read here.
            raise DependsOnMoreError
        data = Path(_file(module)).read_bytes()
        yield f"{name} {named(_file(module))} {hashlib.sha256(data).hexdigest()}"
    for name, module in sorted(brought().items()):
        if name not in modules and getattr(module, "__file__", None) is not None:
            _check_changes_nothing(_tree(module))


def _check_inside(tree: ast.Module) -> None:
    """Refuse a source that may look at something outside of it."""
    outside = OUTSIDE | hidden()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="re"), attr="compile"):
                pass
            case ast.Name(id=name) if name in OUTSIDE:
                raise DependsOnMoreError
            case ast.Attribute(attr=name) | ast.alias(name=name) if name in outside:
                raise DependsOnMoreError
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
                if name in outside:
                    raise DependsOnMoreError
            case ast.Subscript(value=ast.Name(id="type")):
                # It stands for all classes that derive from one, wherever they are.
                raise DependsOnMoreError
            case ast.Constant(value=str(text)) if _CLASSES.search(text):
                raise DependsOnMoreError
    _check_changes_nothing(tree)


# Names by which a program may look at where it is.
_PLACE = frozenset(("__file__", "__path__", "__cached__", "co_filename", "__code__", "__module__"))


def _check_placeless(tree: ast.Module) -> None:
    """Refuse a source that may look at where it is, which is not the same everywhere."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _PLACE:
                raise DependsOnMoreError


_CHANGES = """
    setattr delattr register setcontext getcontext modules
    register_dialect unregister_dialect field_size_limit setfirstweekday
"""
_CHANGING = frozenset(_CHANGES.split())


def _check_changes_nothing(tree: ast.Module) -> None:
    """Refuse a source that may change another module when it is imported."""
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _CHANGING:
                raise DependsOnMoreError
            case ast.Attribute() | ast.Subscript() if (
                isinstance(node.ctx, (ast.Store, ast.Del)) and _root(node) in imported
            ):
                raise DependsOnMoreError


def _root(node: ast.expr) -> str:
    """The name with which an expression begins."""
    while True:
        match node:
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=inner):
                node = inner
            case ast.Name(id=name):
                return name
            case _:
                return ""
