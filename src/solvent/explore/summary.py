"""Summaries of functions (section 5.2): what a call comes to, as a formula over its arguments.

A summary is the disjunction of the paths of a function, each with its condition on the arguments
and its result or exception.  It is made once, on constants that stand for the arguments, and used
wherever the function is called with arguments of the same kinds: the constants are replaced by the
actual arguments, and the results become one value.

A summary must say all that a call does, so there is one only for functions of numbers, truth
values and strings that return such values or tuples of them, and that neither depend on nor change
variables and objects around them.  All others are followed path by path, like the caller.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from types import CellType, FunctionType, ModuleType

from solvent.lift.debug_runs import is_users
from solvent.queries.inputs import Inputs
from solvent.queries.replay import names_used, plain
from solvent.queries.run import Run
from solvent.terms.booleans import or_
from solvent.terms.graph import substitute
from solvent.terms.kinds import Operand
from solvent.terms.term import Term
from solvent.vm.machine import Machine
from solvent.vm.spread import combine
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

ATOMS = (bool, int, float, complex, str, bytes, type(None))

# The kinds of the arguments of a call: sorts of symbolic ones, types and values of others.
Shape = tuple[object, ...]


class NoSummary(Exception):
    """Why a function has no summary."""


@dataclass(frozen=True, slots=True)
class Row:
    """One path: the condition on the arguments, and the result or the exception."""

    condition: Guard
    value: Value
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a function does, for arguments of one shape."""

    formals: tuple[Term, ...]
    rows: tuple[Row, ...]

    def apply(self, machine: Machine, actuals: tuple[Operand, ...]) -> Value:
        """The result of a call; where it raises, the machine's path ends."""
        chosen = dict(zip(self.formals, actuals, strict=True))
        raised: dict[object, tuple[list[Guard], BaseException]] = {}
        results: list[tuple[Guard, Value]] = []
        for row in self.rows:
            condition = substitute(row.condition, chosen)
            if condition is False:
                continue
            if row.error is None:
                results.append((condition, substituted(row.value, chosen)))
                continue
            error = error_with(row.error, substituted(row.error.args, chosen))
            key = (type(error), error.args) if _is_plain(error.args) else id(error)
            raised.setdefault(key, ([], error))[0].append(condition)
        for conditions, error in raised.values():
            machine.fail_if(True if not results else or_(conditions), error)
        results[-1] = (True, results[-1][1])
        return combine(results)


def _is_plain(arguments: tuple[Value, ...]) -> bool:
    return all(isinstance(argument, ATOMS) for argument in arguments)


def error_with(error: BaseException, arguments: tuple[Value, ...]) -> BaseException:
    """An exception like another one, with other arguments."""
    result = type(error).__new__(type(error), *arguments)
    result.args = arguments
    return result.with_traceback(error.__traceback__)


def substituted(value: Value, chosen: dict[Term, Operand]) -> Value:
    """A result with the actual arguments in the place of the formal ones."""
    if isinstance(value, Term):
        return substitute(value, chosen)
    if type(value) is tuple:
        return tuple([substituted(item, chosen) for item in value])
    if type(value) is Union:
        rows = [(substitute(g, chosen), substituted(m, chosen)) for g, m in choices_of(value)]
        return combine([*rows[:-1], (True, rows[-1][1])])
    return value


# --- what can be summarised -----------------------------------------------------------------------


def shape_of(arguments: dict[str, Value]) -> Shape:
    """The kinds of the arguments of a call."""
    kinds: list[object] = []
    for name, value in arguments.items():
        if isinstance(value, Term):
            kinds.append((name, value.sort))
        elif type(value) in ATOMS:
            kinds.append((name, type(value), repr(value)))
        else:
            raise NoSummary(f"`{name}` is neither a number, a truth value nor a string")
    return tuple(kinds)


def formal_inputs(function: FunctionType, arguments: dict[str, Value]) -> tuple[Inputs, list[Term]]:
    """Arguments like those of a call, with constants in the place of symbolic ones."""
    values: dict[str, Value] = {}
    formals: list[Term] = []
    for name, value in arguments.items():
        if isinstance(value, Term):
            value = value.sort.fresh(f"{function.__name__}.{name}")
            formals.append(value)
        values[name] = value
    bound = inspect.signature(function).bind_partial()
    bound.arguments.update(values)
    return Inputs(bound.args, bound.kwargs, (), values, {}), formals


def surroundings(function: FunctionType) -> tuple[object, ...]:
    """The values around a function and what it calls that a summary takes for constant.

    Raises `NoSummary` if there are objects that may change.
    """
    found: list[object] = []
    seen: dict[int, FunctionType] = {}
    stack = [function]
    while stack:
        function = stack.pop()
        if id(function) in seen:
            continue
        seen[id(function)] = function
        for name, value in sorted(_around(function), key=lambda row: row[0]):
            if type(value) in ATOMS:
                found.append((name, type(value), repr(value)))
            elif isinstance(value, FunctionType):
                if is_users(plain(value)):
                    stack.append(plain(value))
            elif not isinstance(value, (type, ModuleType)) and not callable(value):
                raise NoSummary(f"`{function.__name__}` refers to `{name}`, which may change")
    return tuple(found)


def _around(function: FunctionType) -> Iterator[tuple[str, Value]]:
    code = function.__code__
    for name in names_used(code):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:
            raise NoSummary(f"`{function.__name__}` refers to `{name}`, which is unset") from None


_SHARED = (type, ModuleType, FunctionType, CellType)


def check_effects(function: FunctionType, run: Run) -> None:
    """A summary says nothing of writes to what was there before."""
    for record in run.outcome.effects.values():
        if isinstance(record.owner, _SHARED) or record.owner is function.__globals__:
            raise NoSummary(f"`{function.__name__}` changes variables around it")


def check_value(function: FunctionType, value: Value) -> None:
    """A summary can only have results that no two callers share."""
    parts = [value]
    while parts:
        part = parts.pop()
        if type(part) is tuple:
            parts.extend(part)
        elif type(part) is Union:
            parts.extend(member for _, member in choices_of(part))
        elif not isinstance(part, (Term, *ATOMS)):
            raise NoSummary(f"`{function.__name__}` returns or raises a {type(part).__name__}")
