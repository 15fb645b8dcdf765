"""Calling code that is not lifted where a call may have to be taken back.

Before such code runs, everything that it can get at is looked at (`Survey`): containers and
attributes are told to the journal, the state of C objects is kept (`vm.hidden`), and what nobody
can put back is refused if the call is made on some paths only.  An object that was made on the path
that uses it, with no branch in between, needs no putting back: it is gone with its path.

If an object is divided (paths left it in different states), the call is made once for each state.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any, TypeVar

from solvent.errors import NotLiftedError
from solvent.lift import terminal
from solvent.lift.purity import FIXED, TRANSPARENT, changes_nothing, is_reader
from solvent.terms.term import Term
from solvent.vm import hidden
from solvent.vm.buffers import shadow
from solvent.vm.limits import OWN_FILES, position
from solvent.vm.machine import Machine, current
from solvent.vm.owned import Elements
from solvent.vm.places import ATTRIBUTES, BYTES, ENTRIES, ITEMS, MEMBERS, QUEUE, Kind
from solvent.vm.spread import over
from solvent.vm.state import Path, is_below
from solvent.vm.union import UNBOUND, Maybe, Union

ATOMIC = frozenset((int, float, bool, str, bytes, type(None), complex, range, type, ModuleType))
_SYMBOLIC = (Term, Union, Maybe, Elements)


Found = TypeVar("Found")


def by_class(function: Callable[[type], Found]) -> Callable[[type], Found]:
    """Compute something once per class."""
    known: dict[type, Found] = {}

    def look_up(cls: type) -> Found:
        try:
            return known[cls]
        except KeyError:
            result = known[cls] = function(cls)
            return result

    return look_up


class Survey:
    """What code that is not lifted can get at from some values."""

    __slots__ = ("decimal", "divided", "hidden", "slots", "strange", "symbolic", "values", "wholes")

    def __init__(self) -> None:
        # Everything that was looked at, by identity.
        self.values: dict[int, Any] = {}
        self.symbolic = False
        # An object whose state differs between paths.
        self.divided: Any = None
        # Contents and attributes that the journal can put back.
        self.wholes: list[tuple[Kind, Any]] = []
        self.slots: list[tuple[Any, str]] = []
        # Objects of C types whose state can be put back, and those of which nothing is known.
        self.hidden: list[Any] = []
        self.strange: list[Any] = []
        # Whether numbers are computed in the current context of `decimal`.
        self.decimal = False

    def look(self, *values: Any) -> None:
        """Look at values and at all that they hold."""
        seen = self.values
        stack = list(values)
        while stack:
            value = stack.pop()
            cls = type(value)
            if cls in ATOMIC or id(value) in seen or isinstance(value, type):
                continue
            if isinstance(value, _SYMBOLIC):
                self.symbolic = True
                return
            seen[id(value)] = value
            for part in parts_of(cls):
                part(self, value, stack)

    def look_at_owner(self, owner: Any) -> None:
        """Look at the object of a method; one of a C type does not look at attributes."""
        if hidden.strategy_of(type(owner)) is None:
            self.look(owner)
            return
        inside = Survey()
        inside.look(owner)
        self.values[id(owner)] = owner
        self.divided = inside.divided
        self.hidden = inside.hidden
        self.slots = inside.slots

    def look_at_context(self) -> None:
        """Look at the context that `decimal` computes with."""
        self.decimal = False
        if hidden.states_of(hidden.CURRENT_CONTEXT) is not None:
            self.divided = hidden.CURRENT_CONTEXT
            return
        self.hidden.append(hidden.CURRENT_CONTEXT)
        self.look(sys.modules["decimal"].getcontext())

    def note(self) -> None:
        """Tell the journal about everything that may be changed."""
        machine = current()
        for kind, owner in self.wholes:
            machine.write_whole(kind, owner)
        for owner, name in self.slots:
            machine.write_slot(ATTRIBUTES, owner, name)
        for owner in self.hidden:
            hidden.note(owner)


# --- the parts of a value, by its class ----------------------------------------------------------

Part = Callable[[Survey, Any, list[Any]], None]


def _push(values: Any, stack: list[Any]) -> None:
    """Look at values later, unless they are plain data."""
    if not set(map(type, values)) <= ATOMIC:
        stack.extend(values)


def _list(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.wholes.append((ITEMS, value))
    _push(list.copy(value), stack)


def _queue(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.wholes.append((QUEUE, value))
    _push(list(value), stack)


def _dict(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.wholes.append((ENTRIES, value))
    _push([*dict.keys(value), *dict.values(value)], stack)


def _set(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.wholes.append((MEMBERS, value))
    _push(list(value), stack)


def _bytearray(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.wholes.append((BYTES, value))
    items = shadow(value)
    if items is not None:
        survey.symbolic = True


def _sequence(survey: Survey, value: Any, stack: list[Any]) -> None:
    _push(list(value), stack)


def _slice(survey: Survey, value: Any, stack: list[Any]) -> None:
    stack += (value.start, value.stop, value.step)


def _exception(survey: Survey, value: Any, stack: list[Any]) -> None:
    stack.append(value.args)


def _function(survey: Survey, value: Any, stack: list[Any]) -> None:
    if not is_lifted_code(value):
        survey.strange.append(value)


def _nothing(survey: Survey, value: Any, stack: list[Any]) -> None:
    return


def _decimal(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.decimal = True


def _through(survey: Survey, value: Any, stack: list[Any]) -> None:
    if type(value) is memoryview:
        stack.append(value.obj)
        return
    stack.extend(found for found in gc.get_referents(value) if not isinstance(found, type))


def _stateful(survey: Survey, value: Any, stack: list[Any]) -> None:
    if hidden.states_of(value) is not None:
        survey.divided = value
    survey.hidden.append(value)


def _strange(survey: Survey, value: Any, stack: list[Any]) -> None:
    survey.strange.append(value)


def _instance(survey: Survey, value: Any, stack: list[Any]) -> None:
    """Attributes, in a `__dict__` or in slots."""
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        attributes = {}
    found = []
    for name in list(attributes):
        survey.slots.append((value, name))
        found.append(attributes[name])
    for name in _slot_names(type(value)):
        survey.slots.append((value, name))
        held = ATTRIBUTES.read(value, name)
        if held is not UNBOUND:
            found.append(held)
    _push(found, stack)


@by_class
def _slot_names(cls: type) -> tuple[str, ...]:
    names: list[str] = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{base.__name__.lstrip('_')}{name}"
            if name not in ("__dict__", "__weakref__"):
                names.append(name)
    return tuple(dict.fromkeys(names))


_CONTAINERS: dict[type, Part] = {
    list: _list, dict: _dict, set: _set, deque: _queue, bytearray: _bytearray, tuple: _sequence,
    frozenset: _sequence, slice: _slice, BaseException: _exception, FunctionType: _function,
    Path: _nothing,
}  # fmt: skip


# Values of terms never change, and what stands for functions looks at every call by itself.
_SEES_TO_ITSELF = (
    "solvent.terms.", "solvent.lift.calls", "solvent.lift.foreign", "solvent.lift.iterators",
)  # fmt: skip


@by_class
def parts_of(cls: type) -> tuple[Part, ...]:
    """How to look at objects of a class: by the C type that it derives from, and attributes."""
    if cls.__module__.startswith(_SEES_TO_ITSELF):
        return ()
    result: list[Part] = []
    attributes = False
    for base in cls.__mro__:
        part = _part_of(base)
        if part is not None:
            result.append(part)
            break
        if has_own_state(base):
            result.append(_strange)
            break
        attributes = attributes or base is not object
    if attributes or issubclass(cls, BaseException):
        result.append(_instance)
    return tuple(result)


def _part_of(base: type) -> Part | None:
    if base in _CONTAINERS:
        return _CONTAINERS[base]
    name = hidden.name_of(base)
    if name == "decimal.Decimal":
        return _decimal
    if name in FIXED:
        return _nothing
    if name in TRANSPARENT:
        return _through
    if name in hidden.STRATEGIES or name in hidden.COPYABLE:
        return _stateful
    return None


_POINTER = 8


def has_own_state(cls: type) -> bool:
    """Whether objects of a class have more in memory than attributes, compared with its base.

    >>> import random
    >>> class Point:
    ...     __slots__ = ("x", "y")
    >>> has_own_state(Point), has_own_state(random._random.Random)
    (False, True)
    """
    base = cls.__base__
    if base is None:
        return False
    if cls.__itemsize__ != base.__itemsize__:
        return True
    slots = cls.__dict__.get("__slots__", ())
    names = {slots} if isinstance(slots, str) else set(slots)
    known = len(names - {"__dict__", "__weakref__"})
    known += cls.__weakrefoffset__ > 0 and base.__weakrefoffset__ <= 0
    known += cls.__dictoffset__ > 0 and base.__dictoffset__ <= 0
    return cls.__basicsize__ - base.__basicsize__ > known * _POINTER


def is_lifted_code(function: FunctionType) -> bool:
    """Whether the writes of a function are told to the journal, or it is Solvent's own."""
    from solvent.lift.function import is_lifted

    return is_lifted(function) or function.__code__.co_filename.startswith(OWN_FILES)


@by_class
def uses_state(cls: type) -> bool:
    """Whether operators on objects of a class read or change a state in C."""
    return hidden.strategy_of(cls) is not None or _decimal in parts_of(cls)


def target(proxy: Any) -> Any:
    """The mapping that a `MappingProxyType` shows.

    >>> from types import MappingProxyType
    >>> target(MappingProxyType({1: 2}))
    {1: 2}
    """
    return next(found for found in gc.get_referents(proxy) if not isinstance(found, type))


# --- objects made on the path that uses them ------------------------------------------------------

_BIRTHS = "made by code that is not lifted"


class _Birth:
    """Where an object was made, and on which path it was used last."""

    __slots__ = ("fork", "path", "value")

    def __init__(self, machine: Machine, value: Any) -> None:
        # Keeps the object alive, so that its identity stays its own.
        self.value = value
        self.fork = machine.forks[-1] if machine.forks else None
        self.path = machine.state.path


def note_birth(machine: Machine, value: Any) -> None:
    """Remember where an object was made of which nothing is known."""
    if machine.layers and type(value) not in ATOMIC and _strange in parts_of(type(value)):
        births = machine.notes.setdefault(_BIRTHS, {})
        births.setdefault(id(value), _Birth(machine, value))


def is_born_here(machine: Machine, value: Any) -> bool:
    """Whether only paths that follow one another have used an object since it was made.

    There is no open fork that it did not see, and no path that left early used it otherwise.
    """
    found = machine.notes.get(_BIRTHS, {}).get(id(value))
    if found is None or found.fork is not (machine.forks[-1] if machine.forks else None):
        return False
    path = machine.state.path
    if not is_below(path, found.path):
        return False
    found.path = path
    return True


# --- the call -------------------------------------------------------------------------------------


def _depends_on_call(function: Any) -> bool:
    """Whether what a function of a module changes depends on more than its arguments' types."""
    return function is open or _is_of_decimal(function)


# Functions of modules that change nothing if their arguments cannot be changed.
_FREE: set[Any] = set()


def _all_atomic(args: tuple[Any, ...], named: dict[str, Any]) -> bool:
    return all(type(value) in ATOMIC for value in args) and all(
        type(value) in ATOMIC for value in named.values()
    )


def run(
    direct: Callable[..., Any],
    function: Any,
    args: tuple[Any, ...],
    named: dict[str, Any],
    symbolic: Callable[[tuple[Any, ...], dict[str, Any]], Any],
) -> Any:
    """Call a function that is not lifted; what it changes can be taken back, or it is refused.

    `direct` is what makes the same call again, `symbolic` what to do with symbolic arguments.
    """
    if type(function) is BuiltinFunctionType and function in _FREE and _all_atomic(args, named):
        return function(*args, **named)
    from solvent.lift.iterators import Checked

    owner = getattr(function, "__self__", None)
    machine = current()
    if isinstance(owner, ModuleType):
        owner = None
        if changes_nothing(function, args, named) and not _depends_on_call(function):
            _FREE.add(function)
    elif machine.is_divided and terminal.is_terminal(machine, owner):
        if not terminal.can_do(function.__name__):
            refuse(function, owner)
        return terminal.do(owner, function.__name__, args, named)
    # Generated code and constructors store functions, other code may call them.
    calls_back = not isinstance(function, (FunctionType, type))
    if calls_back:
        args = tuple(map(_handed_over, args))
        named = {name: _handed_over(value) for name, value in named.items()}
    survey = Survey()
    survey.look_at_owner(owner)
    survey.look(*args, *named.values())
    if not survey.symbolic and (survey.decimal or _is_of_decimal(function)):
        survey.look_at_context()
    divided = survey.divided
    if divided is not None:
        states = hidden.states_of(divided)
        assert states is not None
        # Each state is given the same items.
        args = tuple(list(value) if isinstance(value, Checked) else value for value in args)
        return over(states, lambda state: _in_state(divided, state, direct, args, named))
    if survey.symbolic:
        return symbolic(args, named)
    if machine.layers:
        if machine.is_divided:
            if not calls_back:
                survey.strange = [f for f in survey.strange if not isinstance(f, FunctionType)]
            check(machine, function, owner, args, named, survey)
        survey.note()
    if hidden.ELSEWHERE:
        result = _by_versions(survey, function, owner, args, named)
    else:
        result = function(*args, **named)
    note_birth(machine, result)
    return result


class Callback:
    """A lifted function in the hands of code that is not: what it gives must be concrete."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        result = self.function(*args, **named)
        if is_symbolic(result):
            raise NotLiftedError(
                f"{position()}: a function that code which is not lifted calls gives a symbolic "
                "value; call it from lifted code"
            )
        return result


def _handed_over(value: Any) -> Any:
    """An argument as other code gets it, which may call functions and advance iterators."""
    from solvent.lift.calls import call
    from solvent.lift.iterators import Checked, Stateful

    if isinstance(value, (FunctionType, MethodType)):
        # Lifted, so that its writes are known.
        return Callback(call(value))
    if isinstance(value, (GeneratorType, Stateful)):
        return Checked(value)
    return value


def _is_of_decimal(function: Any) -> bool:
    return "decimal" in sys.modules and (
        getattr(function, "__module__", None) in ("decimal", "_decimal")
        or getattr(getattr(function, "__objclass__", None), "__module__", None) == "decimal"
    )


def _in_state(
    divided: Any,
    state: Any,
    direct: Callable[..., Any],
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> Any:
    hidden.settle(divided, state)
    return direct(*args, **named)


def check(
    machine: Machine,
    function: Any,
    owner: Any,
    args: tuple[Any, ...],
    named: dict[str, Any],
    survey: Survey,
) -> None:
    """Refuse a call on some paths only that could not be taken back."""
    for value in survey.strange:
        receiver = owner if owner is not None else args[0] if args else None
        if not is_born_here(machine, value) and not (
            value is receiver and is_reader(function, value)
        ):
            refuse(function, value)
    if not changes_nothing(function, args, named):
        refuse(function, None)


def refuse(function: Any, value: Any) -> None:
    """Say why a call is not made."""
    name = getattr(function, "__qualname__", None) or repr(function)
    module = getattr(function, "__module__", None)
    full = f"{module}.{name}" if module and module != "builtins" else name
    why = (
        "its effect cannot be undone"
        if value is None
        else f"it may change a `{type(value).__name__}`, which cannot be undone"
    )
    raise NotLiftedError(
        f"{position()}: `{full}` is not lifted and would be called under a symbolic condition, and "
        f"{why}; call it before the program branches, or make what it changes inside of the branch"
    )


def _by_versions(
    survey: Survey, function: Any, owner: Any, args: tuple[Any, ...], named: dict[str, Any]
) -> Any:
    """Call a function with the versions that stand for objects which could not be set back."""
    given = {id(owner), *map(id, args), *map(id, named.values())}
    back: dict[int, Any] = {}
    for value in survey.hidden:
        version = hidden.version_of(value)
        if version is not value:
            back[id(version)] = value
            if id(value) not in given:
                refuse(function, value)
    if owner is not None and hidden.version_of(owner) is not owner:
        function = getattr(hidden.version_of(owner), function.__name__)
    result = function(
        *map(hidden.version_of, args),
        **{name: hidden.version_of(value) for name, value in named.items()},
    )
    return back.get(id(result), result)


def note_sources(iterator: Any) -> None:
    """Called before an iterator of a library takes a step: what it takes items from changes too."""
    machine = current()
    survey = Survey()
    survey.look(*(found for found in gc.get_referents(iterator) if not isinstance(found, type)))
    if survey.divided is not None or survey.symbolic:
        raise NotLiftedError(
            f"{position()}: a `{type(iterator).__name__}` takes its items from something that "
            "differs between paths, which is not lifted; make a list of its items first"
        )
    if machine.is_divided:
        for value in survey.strange:
            if hasattr(type(value), "__next__") and not is_born_here(machine, value):
                refuse(type(iterator).__next__, value)
    survey.note()


def read(owner: Any, name: str) -> Any:
    """`owner.name` of an object whose state is elsewhere."""
    states = hidden.states_of(owner)
    if states is None:
        return getattr(hidden.version_of(owner), name)

    def in_state(state: Any) -> Any:
        hidden.settle(owner, state)
        found = getattr(hidden.version_of(owner), name)
        if type(found) not in ATOMIC and not isinstance(found, (BuiltinFunctionType, partial)):
            raise NotLiftedError(
                f"{position()}: `{name}` of a `{type(owner).__name__}` that was changed on some "
                "paths only is not lifted; read it before the paths meet"
            )
        return found

    return over(states, in_state)


def write(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value` of an object of a C type whose state can be put back."""
    states = hidden.states_of(owner)
    if states is not None:
        over(states, lambda state: _write_in(owner, state, name, value))
        return
    in_c = hasattr(type(getattr(type(owner), name, None)), "__set__")
    if in_c and is_symbolic(value):
        raise NotLiftedError(
            f"{position()}: a symbolic value for `{name}` of a `{type(owner).__name__}` is not "
            "lifted; choose between concrete ones"
        )
    machine = current()
    if in_c:
        hidden.note(owner)
        setattr(owner, name, value)
        return
    old = ATTRIBUTES.read(owner, name)
    setattr(owner, name, value)
    machine.wrote_slot(ATTRIBUTES, owner, name, old)


def _write_in(owner: Any, state: Any, name: str, value: Any) -> None:
    hidden.settle(owner, state)
    write(owner, name, value)


def is_symbolic(value: Any) -> bool:
    """Whether a value holds anything symbolic."""
    survey = Survey()
    survey.look(value)
    return survey.symbolic
