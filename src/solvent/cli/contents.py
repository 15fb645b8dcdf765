"""What modules of a program hold, as texts that are equal only if the values are."""

from __future__ import annotations

import enum
import functools
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

from solvent.cli.importing import is_users_module
from solvent.lift.origins import is_generated, is_library_file
from solvent.queries.owners import taking_instances
from solvent.queries.replay import plain

# Modules that compute, and look at nothing outside.
_PURE = """
    __future__ abc array ast base64 binascii bisect calendar cmath collections colorsys contextlib
    copy csv dataclasses datetime decimal enum fractions functools graphlib hashlib heapq html
    ipaddress itertools json keyword math numbers operator re statistics string struct textwrap
    types typing typing_extensions unicodedata urllib zlib solvent
"""
PURE = frozenset(_PURE.split())


class DependsOnMoreError(Exception):
    """An answer may depend on something that is not known."""


# --- modules that only compute --------------------------------------------------------------------


def is_pure(name: str) -> bool:
    """Whether a module of a library only computes, or the one in C that it has."""
    if name.startswith("urllib") and name not in ("urllib", "urllib.parse"):
        return False
    top = name.partition(".")[0]
    return top in _PURE_PARTS or top.removeprefix("_") in _PURE_PARTS


# Under these names the parts of pure modules that are written in C say that they are.
_PURE_PARTS = PURE | {"builtins", "blake2", "md5", "sha1", "sha2", "sha256", "sha3", "sha512"}


def hidden() -> frozenset[str]:
    """By which names pure modules have others that are not, such as `contextlib.os`."""
    return frozenset(
        key
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in _PURE_HERE and not is_users_module(module)
        for key, value in list(vars(module).items())
        if isinstance(value, ModuleType) and not is_pure(value.__name__)
    )


_PURE_HERE = PURE - {"solvent"}


# --- names of files, and values -------------------------------------------------------------------


class Named:
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


_SIMPLE = (bool, int, float, complex, str, bytes, type(None), type(...), range)

# What Python itself puts into modules and classes, from their source.
_NOTES = """
    __name__ __doc__ __package__ __loader__ __spec__ __builtins__ __file__ __cached__ __path__
    __annotations__ __conditional_annotations__ __annotate__ __annotate_func__ __module__
    __qualname__ __dict__ __weakref__ __annotations_cache__ __static_attributes__ __firstlineno__
    __dataclass_fields__ __dataclass_params__ __orig_bases__ __parameters__ _abc_impl
"""
NOTES = frozenset(_NOTES.split())


class Values:
    """Values as texts that are equal only if the values are."""

    def __init__(self, named: Named, modules: Mapping[str, ModuleType]) -> None:
        self.named = named
        # Those whose source counts: nothing of other modules of the program may be reached.
        self.modules = modules
        self.files = {getattr(module, "__file__", None) for module in modules.values()}
        # What was written down, by identity, with its number; and the values to keep them alive.
        self.seen: dict[int, int] = {}
        self.kept: list[object] = []

    def of_modules(self) -> Iterator[str]:
        """What the modules hold after their import."""
        for name, module in sorted(self.modules.items()):
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
            self._check_known(value.__name__)
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
            if isinstance(value, BuiltinFunctionType):
                self._check_known(value.__module__)
            yield f"{type(value).__name__} {value!r}"
        elif isinstance(value, (MemberDescriptorType, GetSetDescriptorType)):
            yield f"slot {value.__name__}"
        elif isinstance(value, (GenericAlias, UnionType)) or _is_notation(value):
            yield f"notation {value!r}"
        else:
            raise DependsOnMoreError

    def _check_known(self, module: str | None) -> None:
        """Refuse what is of a module that may look outside, or whose source does not count."""
        if module not in self.modules and not (
            is_pure(module or "builtins") and not is_users_module(sys.modules.get(module or ""))
        ):
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
            if module is not None:
                self._check_known(value.__module__)
            return
        self._check_known(value.__module__)
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
            self._check_known(value.__module__)
            return
        if not is_generated(code.co_filename) and code.co_filename not in self.files:
            # Another module has put it there.
            raise DependsOnMoreError
        yield from self.of(value.__dict__)
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
