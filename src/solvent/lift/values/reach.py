"""What the code of a suspended generator can read and others can write.

Whoever wants to run a step of a generator for other paths, or again later, has to know that nobody
changes what the step reads.  So this goes through everything that the frame gets at: its variables
and its stack, what functions close over, the global variables that their code names, the attributes
of objects and classes.  Objects of C types of which nothing is known, and more than can be looked
at, make the answer useless, which `strange` says.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Iterable
from functools import cache
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    ModuleType,
)
from weakref import ref

from solvent.lift.progress import Progress, TrackedIterator
from solvent.lift.survey import parts_of, strange
from solvent.terms.term import Term
from solvent.vm.machine import Machine
from solvent.vm.own import is_own
from solvent.vm.scopes import Scope
from solvent.vm.state import Path
from solvent.vm.values import Value

# How many objects, and how many references between them, are looked at.
_MOST = 5_000

_FIXED = frozenset(
    (int, float, bool, str, bytes, type(None), complex, range, CodeType, Path, Machine)
)
_MACHINERY = (Term, Scope, Progress)
# What a loop has on the stack of its frame, as the iterators of `itertools`: lifted code gets at
# none of them, and who gives it one cannot advance it on some paths.
_NATIVE: frozenset[type] = frozenset(
    map(type, (
        iter([]), iter(()), iter(range(0)), iter(range(1 << 70)), iter(""), iter("é"), iter(b""),
        iter(bytearray()), iter(set()), iter({}), iter({}.items()), iter({}.values()),
        iter(deque()), reversed([]), enumerate(()), zip(), map(abs, ()), filter(None, ()),
    ))
)  # fmt: skip
# Descriptors, whose functions run when an attribute is read.
_WRAPPING = (property, staticmethod, classmethod)


@cache
def names_in(code: CodeType) -> frozenset[str]:
    """The names of global variables and attributes in some code, functions inside included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return frozenset(names)


# Terms and what makes them hold nothing of a program; operators remember more the longer one runs.
_TERMS = "solvent.terms."


def _is_library(module: object) -> bool:
    """Whether a module belongs to Python or to what runs the program, whose state none sets."""
    top = module.partition(".")[0] if isinstance(module, str) else ""
    return top == "solvent" or top in sys.stdlib_module_names


class Reach:
    """The objects that some values lead to."""

    __slots__ = ("count", "item", "modules", "names", "owners", "seen", "strange")

    def __init__(self, item: Value = None) -> None:
        # What the generator has yielded: that a frame still holds it does not mean that it uses it.
        self.item = item
        # What a write may be told of, by identity.
        self.owners: dict[int, object] = {}
        self.seen: dict[int, object] = {}
        self.strange = False
        self.names: set[str] = set()
        self.modules: list[ModuleType] = []
        self.count = 0

    def look(self, *values: Value) -> Reach:
        """Look at values and all that they lead to."""
        pending = list(values)
        while not self.strange:
            while pending and not self.strange:
                self._look_at(pending.pop(), pending)
            found = [
                vars(module)[name]
                for module in self.modules
                for name in self.names
                if name in vars(module)
            ]
            pending = [value for value in found if id(value) not in self.seen]
            pending = [value for value in pending if type(value) not in _FIXED]
            if not pending:
                break
        return self

    def _look_at(self, value: Value, pending: list[Value]) -> None:
        if isinstance(value, TrackedIterator):
            # Its progress is told to nobody.
            self.strange = True
        if id(value) in self.seen or isinstance(value, _MACHINERY):
            return
        self.seen[id(value)] = value
        found = [part for part in self._inside(value) if type(part) not in _FIXED]
        self.count += len(found) + 1
        if self.count > _MOST:
            self.strange = True
        pending += found

    def _inside(self, value: Value) -> Iterable[Value]:
        cls = type(value)
        if cls is FunctionType:
            return self._of_function(value)
        if cls.__module__.startswith(_TERMS):
            return ()
        if isinstance(value, type):
            return self._of_class(value)
        if cls is GeneratorType:
            return self._of_generator(value)
        if isinstance(value, ModuleType):
            if not _is_library(value.__name__):
                self.modules.append(value)
                self.owners[id(value)] = value
                self.owners[id(vars(value))] = vars(value)
            return ()
        if cls is BuiltinFunctionType:
            owner = value.__self__
            return () if isinstance(owner, ModuleType) else (owner,)
        if cls in _NATIVE or cls.__module__ == "itertools" or isinstance(value, _WRAPPING):
            return gc.get_referents(value)
        if isinstance(value, BaseException):
            self.owners[id(value)] = value
            return (value.args, vars(value), cls)
        own = is_own_class(cls)
        if isinstance(value, (ref, FrameType)) or not (
            own or cls is CellType or strange not in parts_of(cls)
        ):
            self.strange = True
            return ()
        self.owners[id(value)] = value
        return gc.get_referents(value)

    def _of_function(self, function: FunctionType) -> Iterable[Value]:
        if (function.__module__ or "").startswith(_TERMS):
            return ()
        self.owners[id(function)] = function
        result: list[Value] = [*(function.__closure__ or ()), function.__defaults__]
        result += [function.__kwdefaults__, function.__dict__]
        code = function.__code__
        if is_own(code.co_filename) or _is_library(function.__module__):
            return result
        names = names_in(code)
        self.names |= names
        variables = function.__globals__
        self.owners[id(variables)] = variables
        result += [variables[name] for name in names if name in variables]
        return result

    def _of_class(self, cls: type) -> Iterable[Value]:
        if _is_library(cls.__module__):
            return ()
        self.owners[id(cls)] = cls
        return [*vars(cls).values(), *cls.__bases__, type(cls)]

    def _of_generator(self, generator: Value) -> Iterable[Value]:
        if generator.gi_running:
            # Nobody knows what is on the stack of a frame that runs.
            self.strange = True
            return ()
        frame = generator.gi_frame
        if frame is None:
            return ()
        variables = frame.f_locals
        holding = [name for name, found in variables.items() if found is self.item]
        drop = is_own(generator.gi_code.co_filename) or all(map(_is_temporary, holding))
        # The function is among them, whose code names global variables.
        return [
            found
            for found in gc.get_referents(generator)
            if found is not frame and found is not variables and not (drop and found is self.item)
        ]


def _is_temporary(name: str) -> bool:
    """Whether a variable is one of those that lifting introduces, which are used only once."""
    return name.startswith("_sv_")


def is_own_class(cls: type) -> bool:
    """Whether a class is Solvent's own."""
    return cls.__module__.startswith("solvent.")
