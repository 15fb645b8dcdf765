"""Running the source of a twin in a module that nobody else sees.

The module is not in `sys.modules`.  Its source is what Python would import, but without the parts
in C, so that those in Python remain.  In it `isinstance` and `type` know that an instance of
a C class and one of its twin are the same thing.
"""

from __future__ import annotations

import builtins
import copyreg
import importlib.util
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, ModuleType

from solvent.lift.function import lift_function
from solvent.lift.twins.table import BY_MODULE, Twin
from solvent.vm.kinds import python_type
from solvent.vm.shapes import is_record_of
from solvent.vm.slotted import slot_names
from solvent.vm.spread import over, over_members_of
from solvent.vm.twins import APART, HOOKS, MARK, NATIVE, entered
from solvent.vm.union import Union
from solvent.vm.values import Value

# What is told of each new class of a twin.
ON_NEW_CLASS: list[Callable[[type], None]] = []


# The modules of twins; one thread at a time makes one, so that each class has one twin.
_LOADED: dict[str, ModuleType] = {}
_LOADING = threading.RLock()


def loaded(twin: Twin) -> ModuleType:
    """The private module of a twin."""
    found = _LOADED.get(twin.module)
    if found is None:
        with _LOADING:
            found = _LOADED.get(twin.module)
            if found is None:
                found = _LOADED[twin.module] = _load(twin)
    return found


def _load(twin: Twin) -> ModuleType:
    module = ModuleType(twin.module)
    namespace = vars(module)
    namespace["__builtins__"] = {**vars(builtins), "__import__": _importer(twin, module)}
    namespace[MARK] = twin
    for source in twin.sources:
        path = _path(source) or _path(twin.module)
        assert path is not None
        namespace["__file__"] = path
        namespace["__name__"] = twin.module
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec", dont_inherit=True), namespace)
    namespace["__name__"] = twin.module
    _connect(twin, namespace)
    namespace["isinstance"] = is_kind
    namespace["type"] = kind_of
    return module


def _path(source: str) -> str | None:
    """The file of a module, which is not imported."""
    name = f"solvent.lift.twins{source}" if source.startswith(".") else source
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin != "frozen":
        return None if spec is None else spec.origin
    # The source of what is part of the interpreter is in the library, too.
    return os.path.join(os.path.dirname(threading.__file__), f"{name.replace('.', os.sep)}.py")


def _importer(twin: Twin, module: ModuleType) -> Callable[..., ModuleType]:
    """The `import` of a twin: it does not find C modules, and the twins of others."""

    def import_(
        name: str,
        namespace: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        names: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if name in twin.without:
            raise ImportError(name)
        if name in twin.private:
            return loaded(BY_MODULE[name])
        found = builtins.__import__(name, namespace, local, names or (), level)
        inner = [part for part in names or () if f"{name}.{part}" in twin.private]
        if inner:
            copied = ModuleType(name)
            vars(copied).update(vars(found))
            for part in inner:
                of = BY_MODULE[f"{name}.{part}"]
                setattr(copied, part, module if of is twin else loaded(of))
            return copied
        return found

    return import_


def _connect(twin: Twin, namespace: dict[str, Value]) -> None:
    """Say which classes of a twin stand for which; exceptions are those of the module."""
    original = vars(sys.modules[twin.module])
    kept = namespace.get("__keep__", ())
    apart = namespace.get("__apart__", {})
    for name, cls in list(namespace.items()):
        native = original.get(name)
        if not isinstance(cls, type) or not isinstance(native, type) or cls is native:
            continue
        if cls.__name__ != name or cls.__module__ != twin.module:
            continue
        if issubclass(cls, BaseException) and name not in kept:
            namespace[name] = native
            continue
        NATIVE[cls] = native
        if name in twin.values:
            is_record_of(cls, slot_names(cls))
        if name in apart:
            APART[cls] = apart[name]
        for tell in ON_NEW_CLASS:
            tell(cls)
        for field, found in list(vars(cls).items()):
            if isinstance(found, property) and type(found.fget) is FunctionType:
                setattr(cls, field, property(*map(_lazily, (found.fget, found.fset, found.fdel))))
            elif field in _REFLECTED:
                setattr(cls, field, _lazily(found))


# Python itself calls these for numbers of its own on the left.
_REFLECTED = frozenset(
    (
        *(f"__r{name}__" for name in (
            "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod",
        )),
        *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge")),
    )
)  # fmt: skip


def _lazily(function: Value) -> Value:
    """A function that Python itself calls, which is lifted when it is called."""
    if type(function) is not FunctionType:
        return function
    return lambda *args: lift_function(function)(*map(entered, args))


# --- from one side to the other -------------------------------------------------------------------


def twin_class(cls: type) -> type | None:
    """The twin of a class, which is loaded if need be, or None."""
    twin = BY_MODULE.get(cls.__module__)
    if twin is None or cls in NATIVE:
        return None
    module = sys.modules.get(twin.module)
    if getattr(module, cls.__name__, None) is not cls or issubclass(cls, BaseException):
        return None
    found = getattr(loaded(twin), cls.__name__, None)
    return found if found in NATIVE else None


def _find(cls: type) -> type | None:
    """The twin of a class whose instances are values, or of its twin."""
    twin = BY_MODULE.get(cls.__module__)
    if twin is None or cls.__name__ not in twin.values:
        return None
    return cls if cls in NATIVE else twin_class(cls)


def made_twin(value: Value) -> Value:
    """The instance of the twin that stands for an instance of a C class."""
    known = STANDS_FOR.get(id(value))
    if known is not None:
        return known[1]
    cls = twin_class(type(value))
    assert cls is not None
    result = _rebuilt(value, cls, lambda part: made_twin(part) if _find(type(part)) else part)
    if _find(type(value)) is None:
        # What has an identity has one twin; it is kept alive, so that its number stays its own.
        STANDS_FOR[id(value)] = (value, result)
    return result


# By number of an instance of a C class that is no value: the instance, and that of the twin.
STANDS_FOR: dict[int, tuple[Value, Value]] = {}


def made_native(value: Value) -> Value:
    """The instance of the C class that a concrete instance of a twin stands for."""
    return _rebuilt(
        value,
        NATIVE[type(value)],
        lambda part: made_native(part) if type(part) in NATIVE else part,
    )


def _rebuilt(value: Value, cls: Value, part: Callable[[Value], Value]) -> Value:
    """An instance of another class that is like a value, whose parts are converted."""
    how, arguments = value.__reduce_ex__(4)[:2]
    if how is type(value) or how is NATIVE.get(type(value)):
        return cls(*map(part, arguments))
    if how is copyreg.__newobj__ and len(arguments) > 1:  # type: ignore[attr-defined]
        return cls(*map(part, arguments[1:]))
    # Both classes are in Python, with the same attributes.
    result = object.__new__(cls)
    for name in (*slot_names(type(value)), *getattr(value, "__dict__", ())):
        object.__setattr__(result, name, part(getattr(value, name)))
    return result


def with_fields(sample: Value, **fields: Value) -> Value:
    """The instance of the twin that is like a value of C, but for some fields."""
    result = made_twin(sample)
    for name, value in fields.items():
        object.__setattr__(result, f"_{name}", value)
    return result


HOOKS.find = _find
HOOKS.enter = made_twin


def is_inside(function: FunctionType) -> bool:
    """Whether a function is part of a twin."""
    return MARK in function.__globals__


# --- what the code of twins has instead of builtins -----------------------------------------------


def _native_classes(classes: Value) -> Value:
    if isinstance(classes, tuple):
        return tuple(map(_native_classes, classes))
    return NATIVE.get(classes, classes)


@over_members_of("value")
def is_kind(value: Value, classes: Value) -> Value:
    """`isinstance(value, classes)`."""
    return isinstance(value, classes) or issubclass(python_type(value), _native_classes(classes))


def kind_of(value: Value, *rest: Value) -> Value:
    """`type(value)`: of an instance of a twin, the twin."""
    if rest:
        return type(value, *rest)
    if type(value) is Union:
        return over(value, kind_of)
    return type(value) if type(value) in NATIVE else python_type(value)
