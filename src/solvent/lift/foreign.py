"""Calling code that is not lifted where a call may have to be taken back.

Before such code runs, everything that it can get at is looked at (`survey`): containers and
attributes are told to the journal, the state of C objects is kept (`vm.hidden`), and what nobody
can put back is refused if the call is made on some paths only.  An object that was made on the path
that uses it, with no branch in between, needs no putting back: it is gone with its path.

If an object is divided (paths left it in different states), the call is made once for each state.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.lift import terminal
from solvent.lift.purity import changes_nothing, is_reader
from solvent.lift.survey import ATOMIC, Survey, is_symbolic, parts_of, strange
from solvent.lift.values.protocol import lent
from solvent.vm import hidden
from solvent.vm.machine import Machine, current
from solvent.vm.own import position
from solvent.vm.places import ATTRIBUTES
from solvent.vm.spread import over
from solvent.vm.state import is_below
from solvent.vm.values import Value

# --- objects made on the path that uses them ------------------------------------------------------

_BIRTHS = "made by code that is not lifted"


class _Birth:
    """Where an object was made, and on which path it was used last."""

    __slots__ = ("fork", "path", "value")

    def __init__(self, machine: Machine, value: Value) -> None:
        # Keeps the object alive, so that its identity stays its own.
        self.value = value
        self.fork = machine.forks[-1] if machine.forks else None
        self.path = machine.state.path


def note_birth(machine: Machine, value: Value) -> None:
    """Remember where an object was made of which nothing is known."""
    if machine.layers and type(value) not in ATOMIC and strange in parts_of(type(value)):
        births = machine.notes.setdefault(_BIRTHS, {})
        births.setdefault(id(value), _Birth(machine, value))


def is_born_here(machine: Machine, value: Value) -> bool:
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


def _depends_on_call(function: object) -> bool:
    """Whether what a function of a module changes depends on more than its arguments' types."""
    return function is open or _is_of_decimal(function)


# Functions of modules that change nothing if their arguments cannot be changed.
_FREE: set[object] = set()


def _all_atomic(args: tuple[Value, ...], named: dict[str, Value]) -> bool:
    return all(type(value) in ATOMIC for value in args) and all(
        type(value) in ATOMIC for value in named.values()
    )


def run(
    direct: Callable[..., Value],
    function: Callable[..., Value],
    args: tuple[Value, ...],
    named: dict[str, Value],
    symbolic: Callable[[tuple[Value, ...], dict[str, Value]], Value],
) -> Value:
    """Call a function that is not lifted; what it changes can be taken back, or it is refused.

    `direct` is what makes the same call again, `symbolic` what to do with symbolic arguments.
    """
    if type(function) is BuiltinFunctionType and function in _FREE and _all_atomic(args, named):
        return function(*args, **named)
    owner: Value = getattr(function, "__self__", None)
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
        args = tuple(map(lent, args))
        named = {name: lent(value) for name, value in named.items()}
    survey = Survey()
    survey.look_at_owner(owner)
    survey.look(*args, *named.values())
    if not survey.symbolic and (survey.decimal or _is_of_decimal(function)):
        survey.look_at_context()
    if survey.divided is not None:
        return _in_each_state(survey.divided, direct, args, named)
    if survey.symbolic:
        return symbolic(args, named)
    if machine.listens:
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


class Lent:
    """What code that is not lifted has instead of a value of the program."""

    __slots__ = ()


class Callback(Lent):
    """A lifted function in the hands of code that is not: what it gives must be concrete."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Value]) -> None:
        self.function = function

    def __call__(self, /, *args: Value, **named: Value) -> Value:
        result = self.function(*args, **named)
        if is_symbolic(result):
            raise NotLiftedError(
                f"{position()}: a function that code which is not lifted calls gives a symbolic "
                "value; call it from lifted code"
            )
        return result


def _is_of_decimal(function: object) -> bool:
    return "decimal" in sys.modules and (
        getattr(function, "__module__", None) in ("decimal", "_decimal")
        or getattr(getattr(function, "__objclass__", None), "__module__", None) == "decimal"
    )


def _in_each_state(
    divided: Value, direct: Callable[..., Value], args: tuple[Value, ...], named: dict[str, Value]
) -> Value:
    """Make a call once for each of the states that paths left an object in."""
    states = hidden.states_of(divided)
    assert states is not None
    # Each state is given the same items.
    args = tuple(
        list(value) if isinstance(value, Lent) and hasattr(value, "__iter__") else value
        for value in args
    )

    def call(state: object) -> Value:
        hidden.settle(divided, state)
        return direct(*args, **named)

    return over(states, call)


def check(
    machine: Machine,
    function: Callable[..., Value],
    owner: Value,
    args: tuple[Value, ...],
    named: dict[str, Value],
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


def refuse(function: object, value: object) -> NoReturn:
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
    survey: Survey,
    function: Callable[..., Value],
    owner: Value,
    args: tuple[Value, ...],
    named: dict[str, Value],
) -> Value:
    """Call a function with the versions that stand for objects which could not be set back."""
    given = {id(owner), *map(id, args), *map(id, named.values())}
    back: dict[int, Value] = {}
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


def note_sources(iterator: Iterator[Value]) -> None:
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


def read(owner: Value, name: str) -> Value:
    """`owner.name` of an object whose state is elsewhere."""
    states = hidden.states_of(owner)
    if states is None:
        if name == "closed" and hidden.is_held(owner):
            return hidden.held(owner).closed
        return getattr(hidden.version_of(owner), name)

    def in_state(state: object) -> Value:
        hidden.settle(owner, state)
        found = getattr(hidden.version_of(owner), name)
        if type(found) not in ATOMIC and not isinstance(found, (BuiltinFunctionType, partial)):
            raise NotLiftedError(
                f"{position()}: `{name}` of a `{type(owner).__name__}` that was changed on some "
                "paths only is not lifted; read it before the paths meet"
            )
        return found

    return over(states, in_state)


def write(owner: Value, name: str, value: Value) -> None:
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


def _write_in(owner: Value, state: object, name: str, value: Value) -> None:
    hidden.settle(owner, state)
    write(owner, name, value)
