"""An interpreter of core programs as an ordinary Python program, run by the virtual machine.

Core programs change nothing, so that their translation into Python hardly uses the journal of
writes.  This interpreter does: it keeps the variables in a list and values in attributes,
overwrites them, writes through references that depend on a condition, and leaves branches early.
What a branch has overwritten is only put back when an enclosing `let` or call needs it, so both
sides of a symbolic branch see each other's writes unless the machine undoes and merges them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from solvent.depth import deep_recursion
from solvent.errors import UnboundedError
from solvent.lift.execution import execute
from solvent.lift.reflection import assume
from solvent.reference.concrete import DEFAULT_FUEL, Stuck
from solvent.reference.enumeration import Test
from solvent.reference.factory import SymClosure, SymValue
from solvent.reference.syntax import (
    OPERATORS,
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Let,
    Literal,
    Operation,
    Variable,
    used,
    walk,
)
from solvent.reference.translation import DEFAULT_CALLS, FUNCTIONS, MachineResult, at_most, enter
from solvent.terms.kinds import Guard
from solvent.terms.sorts import Bool, Int
from solvent.vm.union import Union, choices_of


class Unbound:
    """What is in the slot of a variable that is not bound."""


UNBOUND = Unbound()


class Register:
    """A place for a value."""

    def __init__(self) -> None:
        self.value: SymValue = None


class Process:
    """The state of the interpreter: a slot for each variable, and the value found last."""

    def __init__(self, places: Mapping[str, int], slots: list[SymValue]) -> None:
        self.places = places
        self.slots = slots
        self.result: SymValue = None
        # For the values of the branches of conditionals.
        self.first, self.second = Register(), Register()


# --- lifted ------------------------------------------------------------------------------------


def perform(process: Process, e: Any, fuel: int) -> None:
    """Evaluate an expression; its value is the result, and the slots may be overwritten."""
    kind = type(e)
    if kind is Literal:
        process.result = e.value
        return
    if kind is Let:
        perform_let(process, e, fuel)
        return
    if kind is If:
        perform_if(process, e, fuel)
        return
    if kind is Lambda:
        process.result = procedure_of(process, e)
        return
    perform_simple(process, e, fuel)


def perform_let(process: Process, e: Let, fuel: int) -> None:
    """LET: the slots are those from before, but for the variable."""
    saved = process.slots[:]
    perform(process, e.value, fuel)
    process.slots[:] = saved
    process.slots[process.places[e.variable]] = process.result
    perform(process, e.body, fuel)


def perform_if(process: Process, e: If, fuel: int) -> None:
    """IFTRUE, IFFALSE: the value goes into a register that is chosen symbolically."""
    holds = is_true(read(process, e.test))
    register = process.first if holds else process.second
    perform_branch(process, e, holds, fuel)
    register.value = process.result
    process.result = process.first.value if holds else process.second.value


def is_true(value: SymValue) -> bool:
    """Whether a value is not `#f`, by returns of which the first one counts."""
    if value is False:
        return False
    if type(value) is bool:
        return True
    return value is not None


def perform_branch(process: Process, e: If, holds: Guard, fuel: int) -> None:
    """The branch of a conditional that is taken."""
    if holds:
        perform(process, e.then, fuel)
        return
    perform(process, e.otherwise, fuel)


def perform_simple(process: Process, e: Any, fuel: int) -> None:
    """Everything without expressions in it."""
    kind = type(e)
    if kind is Variable:
        process.result = read(process, e.name)
    elif kind is Operation:
        values = [read(process, name) for name in e.arguments]
        assert OPERATORS[e.operator] == len(values)
        function: Callable[..., SymValue] = FUNCTIONS[e.operator]
        process.result = function(*values)
    elif kind is Call:
        read(process, e.function)(read(process, e.argument), fuel - 1)
    elif kind is Error:
        raise AssertionError("(error)")
    else:
        assume(False)


def read(process: Process, name: str) -> SymValue:
    """The value of a variable."""
    return process.slots[process.places[name]]


def procedure_of(process: Process, e: Lambda) -> Callable[..., None]:
    """A function that runs the body of a procedure; its defaults remember what it is."""

    def procedure(
        argument: SymValue,
        fuel: int,
        code: Lambda = e,
        slots: tuple[SymValue, ...] = (*process.slots,),
    ) -> None:
        enter(fuel)
        process.slots[:] = slots
        process.slots[process.places[code.variable]] = argument
        perform(process, code.body, fuel)

    return procedure


def interpret(process: Process, e: Expression, fuel: int) -> SymValue:
    """The value of a program."""
    perform(process, e, fuel)
    return process.result


# --- running -----------------------------------------------------------------------------------


def run(test: Test, fuel: int = DEFAULT_FUEL) -> MachineResult:
    """Interpret a test on the virtual machine.

    >>> from solvent.reference.syntax import parse
    >>> run(Test.of(parse("(let (n (+ x y)) (if p n (abort)))")))
    MachineResult(assumes=p, asserts=True, value=x + y, halted=False)
    """
    places = {name: place for place, name in enumerate(_names(test.program))}
    slots: list[SymValue] = [UNBOUND] * len(places)
    for name, sort in test.sorts.items():
        slots[places[name]] = Int(name) if sort == "int" else Bool(name)
    process = Process(places, slots)
    try:
        with deep_recursion(), at_most(DEFAULT_CALLS):
            outcome = execute(interpret, process, test.program, fuel)
    except (UnboundedError, RecursionError) as error:
        raise Stuck(f"the machine gives up: {error}") from error
    value = None if outcome.halted else _Reader(places).value(outcome.value)
    return MachineResult(outcome.assumes, outcome.asserts, value, outcome.halted)


def _names(program: Expression) -> list[str]:
    """All variables of a program."""
    found: dict[str, None] = {}
    for e in walk(program):
        found.update(dict.fromkeys(used(e)))
        if isinstance(e, (Lambda, Let)):
            found[e.variable] = None
    return list(found)


class _Reader:
    """Reads the closures of a value."""

    def __init__(self, places: Mapping[str, int]) -> None:
        self.places = places
        self.known: dict[int, SymClosure] = {}

    def value(self, value: SymValue) -> SymValue:
        """A value with closures in place of functions."""
        if type(value) is Union:
            return Union(tuple((guard, self.value(part)) for guard, part in choices_of(value)))
        if type(value) is tuple:
            return tuple(map(self.value, value))
        return self.closure(value) if isinstance(value, FunctionType) else value

    def closure(self, function: FunctionType) -> SymClosure:
        """The closure that a function is."""
        if id(function) not in self.known:
            code, slots = function.__defaults__ or ()
            environment = {
                name: self.value(slots[place])
                for name, place in self.places.items()
                if slots[place] is not UNBOUND
            }
            self.known[id(function)] = SymClosure(code.variable, code.body, environment)
        return self.known[id(function)]
