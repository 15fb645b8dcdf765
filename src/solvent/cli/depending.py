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
import enum
import functools
import hashlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import (
    BuiltinFunctionType,
    FunctionType,
    GenericAlias,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    UnionType,
)

import solvent
from solvent.cli.importing import brought, entered, is_users_module
from solvent.lift.origins import is_library_file
from solvent.queries.owners import taking_instances
from solvent.queries.replay import plain
from solvent.units.versions import versions

# Modules that compute, and look at nothing outside.
_PURE = """
    __future__ abc array ast base64 binascii bisect calendar cmath collections colorsys contextlib
    copy csv dataclasses datetime decimal enum fractions functools graphlib hashlib heapq html
    ipaddress itertools json keyword math numbers operator re statistics string struct textwrap
    types typing typing_extensions unicodedata urllib zlib solvent
"""
PURE = frozenset(_PURE.split())

# Names by which a program may look at, or change, what is not in its source.
_OUTSIDE = """
    open input exec eval compile globals breakpoint id hash setattr delattr vars Type
    __import__ __builtins__ __globals__ __subclasses__ __loader__ __spec__
    now today utcnow fromtimestamp timestamp astimezone request urlopen samples
    register setcontext getcontext localcontext
"""
OUTSIDE = frozenset(_OUTSIDE.split())

# How long before the import a file must have been changed at the latest, in nanoseconds: clocks of
# file systems are coarse.
MARGIN = 100_000_000

# What in the environment may matter to Python, to Solvent, and to texts of dates and numbers.
_ENVIRONMENT = re.compile(r"(SOLVENT|PYTHON|LC_)\w*|LANG|LANGUAGE|TZ")


class DependsOnMoreError(Exception):
    """An answer may depend on something that is not known."""


def dependencies(
    function: object, options: Mapping[str, object], project: Path | None = None
) -> str | None:
    """What an answer about a function depends on, `None` if that is not known.

    With the folder of a project it is the same wherever that folder is, on all machines with the
    same Python, Solvent and solvers.
    """
    try:
        modules = _imported_by(_module_of(function))
        named = _Named(project)
        parts = [
            *(_surroundings() if project is None else _surroundings_of(project)),
            *sorted(f"{name}={value!r}" for name, value in options.items()),
            *_sources(modules, named),
            *_Values(named).of_modules(modules),
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


class _Named:
    """Names of files: as they are, or as they are seen from the folder of a project."""

    def __init__(self, project: Path | None) -> None:
        self.project = project

    def __call__(self, file: str) -> str:
        if self.project is None or is_library_file(file):
            return file if self.project is None else Path(file).name
        try:
            return Path(file).resolve().relative_to(self.project.resolve()).as_posix()
        except ValueError:
            raise DependsOnMoreError from None


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
    yield _Named(project)(os.path.join(os.getcwd(), "here"))
    yield from _environment()
    if any(name in sys.modules for name in ("sitecustomize", "usercustomize")):
        raise DependsOnMoreError


@functools.cache
def _own_source() -> tuple[str, ...]:
    """Solvent itself: the version alone does not tell one working copy from another."""
    folder = Path(solvent.__file__).parent
    files = (path for kind in ("*.py", "*.so", "*.pyd") for path in folder.rglob(kind))
    return tuple(map(_stamp, sorted(files)))


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
    found = path.stat()
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
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            known = sys.modules.get(name)
            if known is not None and is_users_module(known):
                yield name
            elif top not in PURE or (name.startswith("urllib") and name != "urllib.parse"):
                raise DependsOnMoreError


def _sources(modules: Mapping[str, ModuleType], named: _Named) -> Iterator[str]:
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
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="re"), attr="compile"):
                pass
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in OUTSIDE:
                raise DependsOnMoreError
            case ast.ImportFrom(names=aliases) if any(one.name in OUTSIDE for one in aliases):
                raise DependsOnMoreError
            case ast.Subscript(value=ast.Name(id="type")):
                # It stands for all classes that derive from one, wherever they are.
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


_CHANGING = frozenset(("setattr", "delattr", "register", "setcontext", "getcontext", "modules"))


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
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if _root(node) in imported:
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


# --- the values that modules hold -----------------------------------------------------------------

_SIMPLE = (bool, int, float, complex, str, bytes, type(None), type(...), range)

# What Python itself puts into modules and classes, from their source.
_NOTES = """
    __name__ __doc__ __package__ __loader__ __spec__ __builtins__ __file__ __cached__ __path__
    __annotations__ __conditional_annotations__ __annotate__ __annotate_func__ __module__
    __qualname__ __dict__ __weakref__ __annotations_cache__ __static_attributes__ __firstlineno__
    __dataclass_fields__ __dataclass_params__ __orig_bases__ __parameters__ _abc_impl
"""
NOTES = frozenset(_NOTES.split())


class _Values:
    """Values as texts that are equal only if the values are."""

    def __init__(self, named: _Named) -> None:
        self.named = named
        # What was written down, by identity, with its number; and the values to keep them alive.
        self.seen: dict[int, int] = {}
        self.kept: list[object] = []

    def of_modules(self, modules: Mapping[str, ModuleType]) -> Iterator[str]:
        """What modules hold after their import."""
        for name, module in sorted(modules.items()):
            yield name
            for key, value in sorted(vars(module).items()):
                if key not in NOTES:
                    yield key
                    yield from self.of(value)

    def of(self, value: object) -> Iterator[str]:
        """A value, with all that it holds."""
        if type(value) in _SIMPLE:
            yield f"{type(value).__name__} {value!r}"
            return
        if isinstance(value, FunctionType):
            # The class may have a lifted one meanwhile.
            value = plain(value)
        known = self.seen.get(id(value))
        if known is not None:
            yield f"again {known}"
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        yield from self._new(value)

    def _new(self, value: object) -> Iterator[str]:
        if type(value) in (list, tuple, frozenset, set, dict):
            yield from self._container(value)
        elif isinstance(value, ModuleType):
            yield f"module {value.__name__}"
        elif isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, FunctionType):
            yield from self._function(value)
        elif isinstance(value, MethodType):
            yield "method"
            yield from self.of(value.__self__)
            yield from self.of(value.__func__)
        elif isinstance(value, functools._lru_cache_wrapper):
            yield f"cached {value.cache_parameters()}"
            yield from self.of(value.__wrapped__)
        elif isinstance(value, (BuiltinFunctionType, enum.Enum, re.Pattern)):
            yield f"{type(value).__name__} {value!r}"
        elif isinstance(value, (MemberDescriptorType, GetSetDescriptorType)):
            yield f"slot {value.__name__}"
        elif isinstance(value, (GenericAlias, UnionType)) or _is_notation(value):
            yield f"notation {value!r}"
        else:
            raise DependsOnMoreError

    def _container(self, value: object) -> Iterator[str]:
        items: list[object]
        if isinstance(value, dict):
            items = [part for pair in value.items() for part in pair]
        elif isinstance(value, (set, frozenset)):
            if not all(type(item) in (int, str, bool) for item in value):
                raise DependsOnMoreError
            items = sorted(value, key=lambda item: (type(item).__name__, item))
        else:
            items = list(value)  # type: ignore[call-overload]
        yield f"{type(value).__name__} {len(items)}"
        for item in items:
            yield from self.of(item)

    def _class(self, value: type) -> Iterator[str]:
        yield f"class {value.__module__} {value.__qualname__}"
        module = sys.modules.get(value.__module__)
        if module is None or not is_users_module(module):
            return
        for base in value.__mro__[1:]:
            yield from self.of(base)
        for name, member in sorted(vars(value).items()):
            if name in NOTES or name.startswith("__solvent_"):
                continue
            yield name
            if isinstance(member, (staticmethod, classmethod)):
                yield type(member).__name__
                yield from self.of(member.__func__)
                continue
            functions = [one for _, one in taking_instances(member)]
            for one in functions or [member]:
                yield from self.of(one)

    def _function(self, value: FunctionType) -> Iterator[str]:
        code = value.__code__
        yield f"function {value.__module__} {value.__qualname__} {self.named(code.co_filename)}"
        yield f"line {code.co_firstlineno}"
        if is_library_file(code.co_filename):
            return
        yield from self.of(value.__defaults__)
        yield from self.of(value.__kwdefaults__)
        for cell in value.__closure__ or ():
            try:
                content = cell.cell_contents
            except ValueError:
                content = None
            yield from self.of(content)


def _is_notation(value: object) -> bool:
    """Whether a value is part of an annotation, or a `from __future__ import`."""
    return type(value).__module__ in ("typing", "__future__")
