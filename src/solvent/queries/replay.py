"""Replaying an answer: the plain function, run by CPython on the concrete inputs.

A query may be about a function whose symbolic values are not its arguments: they are then in
variables around it.  `concrete_function` gives the plain function with those evaluated.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, CoroutineType, FunctionType, GeneratorType, MethodType, ModuleType

from solvent.errors import AssumptionError, EvaluationError, SolventError
from solvent.lift.function import is_lifted
from solvent.lift.lazily import cells_for, lazy_code
from solvent.lift.origins import is_library_file, is_users
from solvent.lift.reflection import symbolics
from solvent.lift.under_model import evaluate
from solvent.queries.recipes import Recipe, remade
from solvent.terms.kinds import Concrete
from solvent.terms.model import Model
from solvent.terms.softfloat import external
from solvent.terms.sorts import Sort
from solvent.terms.term import Term, constants_are
from solvent.verdicts.cells import in_cells
from solvent.verdicts.texts import cut as cut
from solvent.verdicts.texts import described as described
from solvent.verdicts.texts import message_of as message_of
from solvent.verdicts.texts import shown as shown
from solvent.vm.exceptions import is_raised_on_purpose, position_of
from solvent.vm.machine import Machine, isolated, running
from solvent.vm.own import is_own_frame
from solvent.vm.union import choices_of
from solvent.vm.values import Value


@dataclass(frozen=True, slots=True)
class Replay:
    """What CPython did with the plain function on the concrete inputs."""

    # `None` if the function could not be run at all.
    returned: bool | None
    value: Value = None
    exception: BaseException | None = None
    position: str = ""
    output: str = ""
    problem: str = ""
    # The line of the program that called the library which raised the exception, if one did.
    called: str = ""

    def __str__(self) -> str:
        if self.returned is None:
            return self.problem
        if self.returned:
            return f"returned {shown(self.value)}"
        where = f" at {relative(self.position)}" if self.position else ""
        return f"raised {described(self.exception)}{where}"


def relative(position: str) -> str:
    """A position in a file below the working directory, without the path to that."""
    return in_cells(position.removeprefix(os.getcwd() + os.sep))


def _called(error: BaseException) -> str:
    """The line of the program at which it called the library that raised an exception."""
    found, is_below = "", False
    traceback = error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        if not is_own_frame(frame):
            is_below = is_library_file(frame.f_code.co_filename)
            if not is_below:
                found = f"{frame.f_code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found if is_below else ""


def plain(function: Value) -> Value:
    """The function as the user wrote it."""
    if isinstance(function, MethodType):
        return MethodType(plain(function.__func__), function.__self__)
    while is_lifted(function) and hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def names_used(code: CodeType) -> set[str]:
    """The global names and attributes that some code refers to."""
    result = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            result |= names_used(constant)
    return result


def variables_around(function: FunctionType) -> dict[str, Value]:
    """The variables that a function refers to but does not own, by name."""
    namespace = function.__globals__
    found = {name: namespace[name] for name in names_used(function.__code__) if name in namespace}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):
            found[name] = cell.cell_contents
    return {name: value for name, value in found.items() if not isinstance(value, _FIXED)}


_FIXED = (ModuleType, type, int, str, float, bytes)


def symbolic_surroundings(function: Callable[..., Value]) -> dict[str, Value]:
    """The variables around a function that hold something symbolic, by name."""
    function = plain(function)
    if isinstance(function, MethodType):
        function = function.__func__
    if not isinstance(function, FunctionType):
        return {}
    around = variables_around(function)
    return {name: around[name] for name in sorted(around) if symbolics(around[name])}


class Concretizer:
    """Makes plain functions that refer to no symbolic variables, directly or through others."""

    def __init__(self, model: Model) -> None:
        self.model = model
        # What each function is replaced by, by identity, with the function to keep it alive.
        self.known: dict[int, tuple[FunctionType, FunctionType]] = {}

    def function(self, function: Value) -> Value:
        """The plain function with the symbolic variables around it evaluated."""
        function = plain(function)
        if isinstance(function, MethodType):
            owner = evaluate(function.__self__, self.model)
            return MethodType(self.function(function.__func__), owner)
        if not isinstance(function, FunctionType):
            return evaluate(function, self.model)
        for found in self.to_replace(function):
            self.known[id(found)] = (found, self.copied(found))
        for found, replacement in self.known.values():
            self.fill(found, replacement)
        return self.replaced(function)

    def to_replace(self, root: FunctionType) -> list[FunctionType]:
        """The functions reachable from one that lead to a symbolic variable."""
        users: dict[int, list[FunctionType]] = {}
        seen = {id(root): root}
        tainted: list[FunctionType] = []
        stack = [root]
        while stack:
            function = stack.pop()
            for value in variables_around(function).values():
                for found in functions_in(value):
                    users.setdefault(id(found), []).append(function)
                    if id(found) not in seen and is_user_code(found):
                        seen[id(found)] = found
                        stack.append(found)
            if symbolic_surroundings(function) or lazy_code(function) is not function.__code__:
                tainted.append(function)
        result: dict[int, FunctionType] = {}
        while tainted:
            function = tainted.pop()
            if id(function) not in result:
                result[id(function)] = function
                tainted.extend(users.get(id(function), []))
        return list(result.values())

    def copied(self, function: FunctionType) -> FunctionType:
        """A copy with variables of its own, not filled yet."""
        code = lazy_code(function)
        cells = cells_for(code)
        result = FunctionType(
            code,
            dict(function.__globals__),
            function.__name__,
            function.__defaults__,
            cells,
        )
        result.__kwdefaults__ = function.__kwdefaults__
        return result

    def fill(self, function: FunctionType, replacement: FunctionType) -> None:
        """Give a copied function its variables."""
        free = function.__code__.co_freevars
        names = replacement.__code__.co_freevars
        cells = dict(zip(names, replacement.__closure__ or (), strict=True))
        for name, cell in zip(free, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):
                cells[name].cell_contents = self.value(cell.cell_contents)
        for name, value in variables_around(function).items():
            if name not in cells:
                replacement.__globals__[name] = self.value(value)

    def replaced(self, function: FunctionType) -> FunctionType:
        known = self.known.get(id(function))
        return function if known is None else known[1]

    def value(self, value: Value) -> Value:
        """A variable around a function under the model."""
        if symbolics(value):
            value = evaluate(value, self.model)
        if isinstance(value, FunctionType):
            replacement = self.replaced(plain(value))
            return value if replacement is plain(value) else replacement
        return value


def functions_in(value: Value) -> list[FunctionType]:
    """The plain functions that a variable is, or may be."""
    members = [plain(member) for _, member in choices_of(value)]
    return [member for member in members if isinstance(member, FunctionType)]


def is_user_code(function: FunctionType) -> bool:
    """Whether a function is neither Solvent's nor the standard library's."""
    return is_users(function)


def values_under(model: Model) -> Callable[[Sort[Term], str, bool], Concrete]:
    """What stands for the constants that the function itself makes when it is replayed."""
    by_name = {(key.name, key.sort): key for key in model if isinstance(key, Term)}

    def value(sort: Sort[Term], name: str, fresh: bool) -> Concrete:
        if fresh:
            raise EvaluationError("it makes fresh constants, which have other names when it is run")
        key = by_name.get((name, sort))
        found: Concrete = model[key] if key is not None else external(sort.default)
        return found

    return value


@isolated
def replay(
    function: Callable[..., Value],
    args: tuple[Value, ...],
    named: dict[str, Value],
    model: Model,
    made: Sequence[tuple[Value, Recipe]] = (),
) -> Replay:
    """Run the plain function on the inputs that a model gives; `made` has a recipe of some."""
    try:
        concrete = Concretizer(model).function(function)
        # Together, so that what is one object stays one.
        *found, recipes = evaluate((args, named, made), model)
        concrete_args, concrete_named = remade(found, recipes)
    except Exception as error:
        return Replay(None, problem=f"the inputs cannot be made concrete: {described(error)}")
    return executed(concrete, concrete_args, concrete_named, model)


# What is said of inputs with which an assumption of the program is false.
NOT_ASSUMED = "an assumption is false in CPython"
NOT_AWAITED = "it gives a coroutine, of which nothing runs until it is awaited"


def executed(
    function: Callable[..., Value],
    args: Sequence[Value],
    named: dict[str, Value],
    model: Model,
) -> Replay:
    """Run a plain function on concrete inputs; a model tells of the constants that it makes."""
    output = io.StringIO()
    try:
        with (
            running(Machine()),
            constants_are(values_under(model)),
            contextlib.redirect_stdout(output),
        ):
            value = function(*args, **named)
            if isinstance(value, GeneratorType):
                value = list(value)
            elif isinstance(value, CoroutineType):
                value.close()
                return Replay(None, output=output.getvalue(), problem=NOT_AWAITED)
    except AssumptionError:
        return Replay(None, output=output.getvalue(), problem=NOT_ASSUMED)
    except SolventError as error:
        return Replay(None, output=output.getvalue(), problem=described(error))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not is_raised_on_purpose(error):
            raise
        return Replay(
            False,
            exception=error,
            position=position_of(error),
            output=output.getvalue(),
            called=_called(error),
        )
    return Replay(True, value, output=output.getvalue())
