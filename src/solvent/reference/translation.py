"""Core programs as Python, run by the real virtual machine.

A procedure becomes a nested function, a list a tuple, an error a failed assertion, and an abort a
failed assumption.  Every binding has a Python variable of its own, as functions of Python capture
variables and not values.

>>> from solvent.reference.syntax import parse
>>> print(to_python(parse("(let (z 0) (if p (error) (+ x z)))"), ["p", "x"]))
def program(fuel, p_1, x_2):
    z_3 = 0
    if p_1 is not False:
        raise AssertionError("(error)")
    else:
        return add(x_2, z_3)
<BLANKLINE>
"""

from __future__ import annotations

import itertools
import linecache
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from solvent.depth import deep_recursion
from solvent.errors import UnboundedError
from solvent.lift.execution import execute
from solvent.lift.function import forget
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.reference.concrete import DEFAULT_FUEL, Abt, Ans, Closure, Err, Outcome, Stuck, Value
from solvent.reference.enumeration import Test
from solvent.reference.factory import SymClosure, SymValue
from solvent.reference.syntax import (
    OPERATORS,
    Abort,
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Let,
    Literal,
    Operation,
    Variable,
)
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.terms.sorts import Bool, Int
from solvent.vm.slots import value_in
from solvent.vm.union import Union, choices_of, exclusive

# --- operators ---------------------------------------------------------------------------------

# These run lifted; `type` tells Booleans from integers, as `concrete.operate` does.


def add(a: SymValue, b: SymValue) -> SymValue:
    """`+`."""
    assert type(a) is int
    assert type(b) is int
    return a + b


def multiply(a: SymValue, b: SymValue) -> SymValue:
    """`*`."""
    assert type(a) is int
    assert type(b) is int
    return a * b


def negate(a: SymValue) -> SymValue:
    """`-`."""
    assert type(a) is int
    return -a


def equal(a: SymValue, b: SymValue) -> Guard:
    """`=`."""
    assert type(a) is int
    assert type(b) is int
    return a == b


def less(a: SymValue, b: SymValue) -> Guard:
    """`<`."""
    assert type(a) is int
    assert type(b) is int
    return a < b


def cons(first: SymValue, rest: SymValue) -> SymValue:
    """`cons`."""
    assert type(rest) is tuple
    return (first, *rest)


def car(items: SymValue) -> SymValue:
    """`car`."""
    assert type(items) is tuple
    assert len(items) > 0
    return items[0]


def cdr(items: SymValue) -> SymValue:
    """`cdr`."""
    assert type(items) is tuple
    assert len(items) > 0
    return items[1:]


def is_null(items: SymValue) -> Guard:
    """`null?`."""
    assert type(items) is tuple
    return len(items) == 0


FUNCTIONS: dict[str, Callable[..., SymValue]] = {
    "+": add,
    "*": multiply,
    "-": negate,
    "=": equal,
    "<": less,
    "cons": cons,
    "car": car,
    "cdr": cdr,
    "null?": is_null,
}

# --- fuel --------------------------------------------------------------------------------------

# Branches multiply the calls of a recursive program, although none is deep: their number is
# limited too.
DEFAULT_CALLS = 20_000

_calls_left: ContextVar[list[int]] = ContextVar("solvent_reference_calls")


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Limit the number of calls of procedures inside."""
    token = _calls_left.set([calls])
    try:
        yield
    finally:
        _calls_left.reset(token)


def enter(fuel: int) -> None:
    """The first statement of every procedure: calls are neither too deep nor too many."""
    if fuel < 0:
        raise Stuck("no fuel is left")
    left = _calls_left.get()
    left[0] -= 1
    if left[0] < 0:
        raise Stuck("there are too many calls")


# It counts all calls that are made, on whatever path: nothing of it is undone.
TRUSTED.add(enter)

# --- translation -------------------------------------------------------------------------------

Names = Mapping[str, str]


class _Translator:
    """Writes the lines of one program."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0
        # For the name of each function: the procedure, and the variables in its environment.
        self.procedures: dict[str, tuple[Lambda, Names]] = {}

    def fresh(self, name: str) -> str:
        """A new Python variable."""
        self.count += 1
        plain = re.sub(r"\W", "_", name)
        usable = plain.isidentifier() and not plain.startswith("_")
        return f"{plain if usable else 'v' + plain}_{self.count}"

    def write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def give(self, depth: int, target: str | None, text: str) -> None:
        """Assign a value to a variable, or return it."""
        self.write(depth, f"return {text}" if target is None else f"{target} = {text}")

    def program(self, e: Expression, inputs: Sequence[str]) -> None:
        names = {name: self.fresh(name) for name in inputs}
        self.write(0, f"def program({', '.join(['fuel', *names.values()])}):")
        self.expression(e, names, None, 1)

    def expression(self, e: Expression, names: Names, target: str | None, depth: int) -> None:
        """Statements that give the value of an expression."""
        match e:
            case Literal(value):
                self.give(depth, target, repr(value))
            case Variable(name):
                self.give(depth, target, self.name(names, name))
            case Lambda():
                self.give(depth, target, self.procedure(e, names, depth))
            case Operation(operator, arguments):
                found = [self.name(names, name) for name in arguments]
                if OPERATORS.get(operator) != len(found):
                    self.write(depth, 'raise AssertionError("wrong number of operands")')
                else:
                    function = FUNCTIONS[operator].__name__
                    self.give(depth, target, f"{function}({', '.join(found)})")
            case Call(function, argument):
                called, given = self.name(names, function), self.name(names, argument)
                self.give(depth, target, f"{called}({given}, fuel - 1)")
            case Let(name, value, body):
                variable = self.fresh(name)
                self.expression(value, names, variable, depth)
                self.expression(body, {**names, name: variable}, target, depth)
            case If(test, then, otherwise):
                self.write(depth, f"if {self.name(names, test)} is not False:")
                self.expression(then, names, target, depth + 1)
                self.write(depth, "else:")
                self.expression(otherwise, names, target, depth + 1)
            case Error():
                self.write(depth, 'raise AssertionError("(error)")')
            case Abort():
                self.write(depth, "assume(False)")

    def name(self, names: Names, name: str) -> str:
        if name not in names:
            raise Stuck(f"the variable `{name}` has no value")
        return names[name]

    def text(self) -> str:
        """The source."""
        return "".join(f"{line}\n" for line in self.lines)

    def procedure(self, e: Lambda, names: Names, depth: int) -> str:
        """Define a function; its last parameter remembers the environment."""
        function = self.fresh("procedure")
        variable = self.fresh(e.variable)
        self.procedures[function] = (e, dict(names))
        environment = "".join(f"{name}, " for name in names.values())
        self.write(depth, f"def {function}({variable}, fuel, environment=({environment})):")
        self.write(depth + 1, "enter(fuel)")
        self.expression(e.body, {**names, e.variable: variable}, None, depth + 1)
        return function


def to_python(program: Expression, inputs: Sequence[str]) -> str:
    """The source of a Python function `program(fuel, *inputs)` that is a core program.

    >>> from solvent.reference.syntax import parse
    >>> print(to_python(parse("(λ y . (x y))"), ["x"]))
    def program(fuel, x_1):
        def procedure_2(y_3, fuel, environment=(x_1, )):
            enter(fuel)
            return x_1(y_3, fuel - 1)
        return procedure_2
    <BLANKLINE>
    """
    return _translate(program, inputs).text()


def _translate(program: Expression, inputs: Sequence[str]) -> _Translator:
    translator = _Translator()
    with deep_recursion():
        translator.program(program, inputs)
    return translator


# --- running -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MachineResult:
    """What the virtual machine makes of a test.

    The value is one of lifted code (a constant, a term, a tuple, a `Union`), with a `SymClosure`
    for each function; there is none if the run is halted.
    """

    assumes: Guard
    asserts: Guard
    value: SymValue
    halted: bool

    def parts(self, value: SymValue) -> list[tuple[Guard, SymValue]]:
        """The values that are no unions, each with its guard."""
        return exclusive(choices_of(value))

    def under(self, model: Model | Mapping[str, bool | int]) -> Outcome:
        """The concrete outcome under a model.

        >>> from solvent.reference.syntax import parse
        >>> found = run(Test.of(parse("(if p (error) x)")))
        >>> found.under({"p": True, "x": 3}), found.under({"p": False, "x": 3})
        (Err(), Ans(value=3))
        """
        if not isinstance(model, Model):
            model = _model(model)
        assumes, asserts = model.evaluate(self.assumes), model.evaluate(self.asserts)
        if assumes and asserts and not self.halted:
            return Ans(self._value_under(model, self.value))
        return Abt() if asserts and not assumes else Err()

    def _value_under(self, model: Model, value: SymValue) -> Value:
        part = next(part for guard, part in choices_of(value) if model.evaluate(guard))
        if isinstance(part, tuple):
            return tuple(self._value_under(model, item) for item in part)
        if isinstance(part, SymClosure):
            environment = {
                name: self._value_under(model, item) for name, item in part.environment.items()
            }
            return Closure(part.variable, part.body, environment)
        result: bool | int = model.evaluate(part)
        return result


def _model(values: Mapping[str, bool | int]) -> Model:
    return Model(
        {(Bool if type(value) is bool else Int)(name): value for name, value in values.items()}
    )


def run(test: Test, fuel: int = DEFAULT_FUEL, calls: int = DEFAULT_CALLS) -> MachineResult:
    """Run a test on the virtual machine; raise `Stuck` if it does not end.

    >>> from solvent.reference.syntax import parse
    >>> run(Test.of(parse("(let (n (+ x y)) (if p n (abort)))")))
    MachineResult(assumes=p, asserts=True, value=x + y, halted=False)
    >>> run(Test.of(parse("(let (w (λ x . (x x))) (w w))")))
    Traceback (most recent call last):
    solvent.reference.concrete.Stuck: no fuel is left
    """
    translator = _translate(test.program, list(test.sorts))
    inputs = [(Int if sort == "int" else Bool)(name) for name, sort in test.sorts.items()]
    with deep_recursion(), _compiled(translator.text()) as function, at_most(calls):
        try:
            outcome = execute(function, fuel, *inputs)
        except (UnboundedError, RecursionError) as error:
            raise Stuck(f"the machine gives up: {error}") from error
        value = None if outcome.halted else _Reader(translator.procedures).value(outcome.value)
    return MachineResult(outcome.assumes, outcome.asserts, value, outcome.halted)


_numbers = itertools.count(1)


@contextmanager
def _compiled(text: str) -> Iterator[FunctionType]:
    """The function of a source text, whose lines can be found as long as it is used."""
    # A name that is no file, but does not look like code without a source either.
    filename = f"core-program-{next(_numbers)}.py"
    namespace: dict[str, Any] = {found.__name__: found for found in FUNCTIONS.values()}
    namespace |= {"assume": assume, "enter": enter}
    try:
        exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    except (SyntaxError, MemoryError) as error:
        raise Stuck(f"the program is too deeply nested for Python ({error})") from error
    function: FunctionType = namespace["program"]
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    try:
        yield function
    finally:
        del linecache.cache[filename]
        forget(function)


class _Reader:
    """Reads the closures of a value of the machine."""

    def __init__(self, procedures: Mapping[str, tuple[Lambda, Names]]) -> None:
        self.procedures = procedures
        self.known: dict[int, SymClosure] = {}

    def value(self, value: SymValue) -> SymValue:
        """A value with closures in place of functions."""
        if type(value) is Union:
            return Union(tuple((guard, self.value(part)) for guard, part in choices_of(value)))
        if type(value) is tuple:
            return tuple(map(self.value, value))
        return self.closure(value) if isinstance(value, FunctionType) else value

    def closure(self, function: FunctionType) -> SymClosure:
        """The closure that a function is.

        Its variables are what the function captured, and what it was given in its last parameter if
        it does not use them.
        """
        if id(function) not in self.known:
            procedure, names = self.procedures[function.__name__]
            (given,) = function.__defaults__ or ()
            captured = dict(
                zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            )
            environment = {}
            for (name, variable), value in zip(names.items(), given, strict=True):
                found = captured[variable].cell_contents if variable in captured else value
                environment[name] = self.value(value_in(found))
            self.known[id(function)] = SymClosure(procedure.variable, procedure.body, environment)
        return self.known[id(function)]
