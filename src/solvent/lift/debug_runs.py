"""Debug runs: functions with marked expressions, and what happens to the values of those.

A `Relaxation` is active in a `with` block.  Marked functions that run in it show it the value of
each marked expression and go on with what it answers.  Functions and classes of the user are
marked when a marked function meets them; methods are marked in place until the block ends.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Self
from weakref import WeakSet

from solvent.errors import NotLiftedError
from solvent.lift import origins
from solvent.lift.classes import is_own_class, lift_class
from solvent.lift.codes import Codes
from solvent.lift.function import compile_function, definition_of, is_lifted, with_code
from solvent.lift.helpers import provide
from solvent.lift.registry import FUNCTIONS, TRUSTED
from solvent.lift.rewrite import macros
from solvent.lift.rewrite.marking import PLACES, Place, marked
from solvent.lift.typed import code_of, is_made
from solvent.lift.values.protocol import truth
from solvent.terms.term import Term
from solvent.vm.spread import over_pure
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

_MARKED_CODES = Codes()

_ATOMIC = frozenset((int, float, bool, str, bytes, type(None)))


class Relaxation:
    """What a debug run does with the values of marked expressions."""

    def __init__(self) -> None:
        # Marked functions by the identity of the plain ones, which the value keeps alive.
        self.functions: dict[int, tuple[FunctionType, FunctionType]] = {}
        self.classes: dict[type, list[tuple[str, object]]] = {}
        # By the number of a call: whether it was to a marked function.
        self.sites: dict[int, bool] = {}

    def relax(self, value: Value, place: Place, read: bool) -> Value:
        """What the value of an expression is replaced by; `read` if it only passes a value on."""
        raise NotImplementedError

    def enter_loop(self, number: int) -> None:
        """A loop is about to start."""

    def step_loop(self, number: int) -> None:
        """A loop runs once more."""

    def __enter__(self) -> Self:
        self.token = _ACTIVE.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _ACTIVE.reset(self.token)
        for cls, attributes in self.classes.items():
            for name, value in attributes:
                setattr(cls, name, value)
        self.classes.clear()

    # --- marking ---

    def marked(self, found: Value) -> tuple[Value, bool]:
        """What to use instead of any value, and whether it is a function with marks."""
        cls = type(found)
        if cls in _ATOMIC or isinstance(found, Term):
            return found, False
        if cls is FunctionType:
            return self.function(found)
        if cls is MethodType:
            self.meet(type(found.__self__))
            inner, is_marked = self.marked(found.__func__)
            return MethodType(inner, found.__self__), is_marked
        if cls is partial:
            inner, is_marked = self.marked(found.func)
            return partial(inner, *found.args, **found.keywords), is_marked
        if cls is Union:
            results = [self.marked(member)[1] for _, member in choices_of(found)]
            return over_pure(found, lambda member: self.marked(member)[0]), all(results)
        if isinstance(found, type):
            self.meet(found)
            return found, False
        self.meet(cls)
        method = getattr(cls, "__call__", None)  # noqa: B004
        return found, type(method) is FunctionType and self.function(method)[1]

    def function(self, function: FunctionType) -> tuple[FunctionType, bool]:
        """The marked version of a function, if it is the user's."""
        while is_lifted(function) and hasattr(function, "__wrapped__"):
            if function.__code__ in _MARKED:
                return function, True
            function = function.__wrapped__
        if is_lifted(function):
            # Made by a marked function, of which it is a part.
            return function, is_users(function)
        known = self.functions.get(id(function))
        if known is not None:
            return known[1], known[1] is not function
        result = function
        if is_users(function):
            with contextlib.suppress(NotLiftedError):
                result = with_code(function, marked_code(function))
        self.functions[id(function)] = (function, result)
        if result is not function:
            self.look_around(function)
        return result, result is not function

    def look_around(self, function: FunctionType) -> None:
        """Meet the classes of the objects that a function refers to."""
        namespace = function.__globals__
        for name in function.__code__.co_names:
            self.meet_value(namespace.get(name))
        for cell in function.__closure__ or ():
            with contextlib.suppress(ValueError):
                self.meet_value(cell.cell_contents)

    def meet_value(self, value: Value, depth: int = 4) -> None:
        """Meet the classes of objects in a value."""
        if type(value) in _ATOMIC or isinstance(value, (Term, ModuleType, FunctionType)):
            return
        if isinstance(value, type):
            self.meet(value)
            return
        if isinstance(value, (list, tuple, set, frozenset, dict)):
            if depth:
                for part in value.values() if isinstance(value, dict) else value:
                    self.meet_value(part, depth - 1)
            return
        if type(value) in self.classes:
            return
        self.meet(type(value))
        if type(value) in self.classes and depth:
            for part in list(getattr(value, "__dict__", {}).values()):
                self.meet_value(part, depth - 1)

    def meet(self, cls: type) -> None:
        """Mark the methods of a class of the user and of its bases."""
        if cls in self.classes:
            return
        for base in reversed(cls.__mro__):
            if base not in self.classes and is_own_class(base):
                self.mark_class(base)

    def mark_class(self, cls: type) -> None:
        """Mark the methods of one class in place."""
        self.classes[cls] = changed = []
        try:
            lift_class(cls)
        except NotLiftedError:
            return
        for name, value in list(vars(cls).items()):
            result = self.attribute(value)
            if result is not value:
                with contextlib.suppress(AttributeError, TypeError):
                    setattr(cls, name, result)
                    changed.append((name, value))

    def attribute(self, value: Value) -> Value:
        """The marked version of an attribute of a class."""
        if type(value) is FunctionType:
            result, is_marked = self.function(value)
            return result if is_marked else value
        if type(value) in (staticmethod, classmethod):
            inner = self.attribute(value.__func__)
            return value if inner is value.__func__ else type(value)(inner)
        if type(value) is property:
            parts = [value.fget, value.fset, value.fdel]
            found = [part and self.attribute(part) for part in parts]
            if any(a is not b for a, b in zip(parts, found, strict=True)):
                return property(found[0], found[1], found[2], value.__doc__)
        return value


_ACTIVE: ContextVar[Relaxation | None] = ContextVar("solvent_relaxation", default=None)

# Marked code objects.
_MARKED: WeakSet[CodeType] = WeakSet()


def is_users(function: FunctionType) -> bool:
    """Whether a function was written by the user: neither Solvent's, nor a library's."""
    if is_made(function) or not origins.is_users(function):
        return False
    try:
        return function not in FUNCTIONS and function not in TRUSTED
    except TypeError:
        return True


def marked_code(function: FunctionType) -> CodeType:
    """The rewritten code of a function with its expressions marked."""
    original = code_of(function)

    def make() -> CodeType:
        unit, node, classes = definition_of(function, original)
        code = compile_function(unit, marked(function, node), classes, original)
        _MARKED.add(code)
        return code

    return _MARKED_CODES.of(original, macros.variant(function), make)


# --- what marked code calls ---------------------------------------------------------------------


def _relax(value: Value, number: int) -> Value:
    """The value of an expression that computes."""
    run = _ACTIVE.get()
    return value if run is None else run.relax(value, PLACES[number], False)


def _relax_read(value: Value, number: int) -> Value:
    """The value of an expression that passes a value on."""
    run = _ACTIVE.get()
    if run is None:
        return value
    return run.relax(run.marked(value)[0], PLACES[number], True)


def _relax_call(value: Value, number: int) -> Value:
    """The result of a call: what a marked function returns was relaxed inside of it."""
    run = _ACTIVE.get()
    if run is None or run.sites.get(number):
        return value
    return run.relax(value, PLACES[number], True)


def _relax_test(value: Value, number: int) -> Value:
    """What decides a branch."""
    run = _ACTIVE.get()
    if run is None:
        return value
    if type(value) not in _ATOMIC and not isinstance(value, Term):
        value = truth(value)
    return run.relax(value, PLACES[number], True)


def _relaxed(function: Value, number: int) -> Value:
    """What is called, or might be."""
    run = _ACTIVE.get()
    if run is None:
        return function
    result, run.sites[number] = run.marked(function)
    return result


def _relaxed_owner(owner: Value, name: str, number: int) -> Value:
    """The owner of a method that is called."""
    run = _ACTIVE.get()
    if run is None:
        return owner
    run.sites[number] = False
    if isinstance(owner, ModuleType):
        found, run.sites[number] = run.marked(getattr(owner, name))
        return SimpleNamespace(**{name: found}) if run.sites[number] else owner
    members = [member for _, member in choices_of(owner)]
    kinds = [member if isinstance(member, type) else type(member) for member in members]
    for kind in kinds:
        run.meet(kind)
    run.sites[number] = all(_has_marked(run, kind, name) for kind in kinds)
    return owner


def _has_marked(run: Relaxation, cls: type, name: str) -> bool:
    """Whether a method of a class has marks."""
    for base in cls.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            inner = getattr(found, "__func__", found)
            return type(inner) is FunctionType and run.function(inner)[1]
    return False


def _enter_loop(number: int) -> None:
    """A loop is about to start."""
    run = _ACTIVE.get()
    if run is not None:
        run.enter_loop(number)


def _step_loop(number: int) -> None:
    """A loop runs once more."""
    run = _ACTIVE.get()
    if run is not None:
        run.step_loop(number)


for _function in (
    _relax, _relax_read, _relax_call, _relax_test, _relaxed, _relaxed_owner, _enter_loop,
    _step_loop,
):  # fmt: skip
    provide(f"_sv{_function.__name__}", _function)
