"""The compositional mode: calls of functions that have a summary are not followed path by path.

The functions that are explored are compiled anew, with `f(x)` as `_sv_summarised(f)(x)` wherever
`f` is a function of the user.  What that calls is decided then, see `Composer.called`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Self

from solvent.errors import NotLiftedError
from solvent.explore.directing import is_merging
from solvent.explore.searching import Bounds, Search
from solvent.explore.solving import PathSolver
from solvent.explore.summary import (
    NoSummary,
    Row,
    Shape,
    Summary,
    check_effects,
    check_value,
    formal_inputs,
    shape_of,
    surroundings,
)
from solvent.lift.calls import call
from solvent.lift.codes import Codes
from solvent.lift.debug_runs import is_users
from solvent.lift.function import compile_function, definition_of, is_lifted, with_code
from solvent.lift.helpers import provide
from solvent.lift.registry import placed
from solvent.lift.rewrite import macros
from solvent.lift.rewrite.lowering import copied
from solvent.queries.replay import plain
from solvent.terms.term import Term
from solvent.verdicts.rendering import Json
from solvent.vm.machine import Machine, current, running
from solvent.vm.values import Value


@dataclass(slots=True)
class SummaryUse:
    """What became of the calls of one function."""

    function: str
    # Paths of its summaries, how often one was used, and why a call was followed instead.
    paths: int = 0
    uses: int = 0
    reason: str = ""

    def as_dict(self) -> Json:
        """The figures for JSON."""
        return {
            "function": self.function,
            "paths": self.paths,
            "uses": self.uses,
            "reason": self.reason,
        }

    def __str__(self) -> str:
        if not self.uses:
            return f"none of {self.function}: {self.reason}"
        return f"{self.function}, {self.paths} paths, used {self.uses} times"


class Composer:
    """Makes summaries and uses them, for one exploration."""

    def __init__(self, root: Callable[..., Value], solver: PathSolver, bounds: Bounds) -> None:
        self.solver = solver
        self.bounds = bounds
        self.known: dict[tuple[int, Shape, Shape], Summary | NoSummary] = {}
        self.variants: dict[int, tuple[FunctionType, Callable[..., Value]]] = {}
        self.uses: dict[int, SummaryUse] = {}
        # Functions that are being explored: a recursive call of one is followed.
        self.open: list[FunctionType] = [plain(root)]
        self.runs = 0

    def __enter__(self) -> Self:
        self.token = _ACTIVE.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _ACTIVE.reset(self.token)

    def variant(self, function: Callable[..., Value]) -> Callable[..., Value]:
        """The function with calls that may be summarised."""
        function = plain(function)
        if not isinstance(function, FunctionType) or not is_users(function):
            return call(function)
        known = self.variants.get(id(function))
        if known is None:
            try:
                result: Callable[..., Value] = with_code(function, composed_code(function))
            except NotLiftedError:
                result = call(function)
            known = self.variants[id(function)] = (function, result)
        return known[1]

    def called(
        self, function: FunctionType, args: tuple[Value, ...], named: dict[str, Value]
    ) -> Value:
        """Call a function: by its summary, or followed path by path."""
        machine = current()
        use = self.uses.setdefault(id(function), SummaryUse(function.__qualname__))
        try:
            if not machine.limits.directed or is_merging(machine):
                raise NoSummary("it is called where paths are merged")
            arguments = bound_arguments(function, args, named)
            summary = self.summary(function, arguments, use)
        except NoSummary as reason:
            use.reason = str(reason)
            return self.variant(function)(*args, **named)
        use.uses += 1
        actuals = tuple(value for value in arguments.values() if isinstance(value, Term))
        return summary.apply(machine, actuals)

    def summary(
        self, function: FunctionType, arguments: dict[str, Value], use: SummaryUse
    ) -> Summary:
        """The summary for some arguments, made now if it is not known."""
        shape = shape_of(arguments)
        if not any(isinstance(value, Term) for value in arguments.values()):
            raise NoSummary("its arguments are concrete")
        if function in self.open:
            raise NoSummary("it is recursive")
        key = (id(function), shape, surroundings(function))
        known = self.known.get(key)
        if known is None:
            self.open.append(function)
            try:
                known = self.made(function, arguments)
                use.paths += len(known.rows)
            except NoSummary as reason:
                known = reason
            finally:
                self.open.pop()
            self.known[key] = known
        if isinstance(known, NoSummary):
            raise known
        return known

    def made(self, function: FunctionType, arguments: dict[str, Value]) -> Summary:
        """Explore a function on its own."""
        inputs, formals = formal_inputs(function, arguments)
        search = Search(self.variant(function), inputs, self.solver, "depth", self.bounds)
        rows: list[Row] = []
        # The path of the caller is none of the summary's business.
        with running(Machine()):
            for end in search:
                check_effects(function, end.run)
                error = None if end.failure is None else end.failure.exception
                value = end.run.outcome.value if error is None else None
                check_value(function, value if error is None else error.args)
                rows.append(Row(end.condition, value, error))
        self.runs += search.runs
        if not search.complete:
            raise NoSummary(f"not all of its paths are known: {search.unexplored[0].reason}")
        if search.discarded:
            raise NoSummary("it makes assumptions")
        return Summary(tuple(formals), tuple(rows))


def bound_arguments(
    function: FunctionType, args: tuple[Value, ...], named: dict[str, Value]
) -> dict[str, Value]:
    """The arguments of a call by the names of the parameters, with the defaults."""
    signature = inspect.signature(function)
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        raise NoSummary("it takes any number of arguments")
    try:
        bound = signature.bind(*args, **named)
    except TypeError as error:
        raise NoSummary("it is called with wrong arguments") from error
    bound.apply_defaults()
    return dict(bound.arguments)


# --- functions with calls that may be summarised --------------------------------------------------

_ACTIVE: ContextVar[Composer | None] = ContextVar("solvent_composer", default=None)

_COMPOSED = Codes()


def composed_code(function: FunctionType) -> CodeType:
    """The rewritten code of a function, with `_sv_summarised` around what it calls."""
    original = function.__code__

    def make() -> CodeType:
        unit, node, classes = definition_of(function, original)
        changed = _Wrapper(macros.lookup_in(function)).visit(copied(node))
        return compile_function(unit, changed, classes, original)

    return _COMPOSED.of(original, macros.variant(function), make)


class _Wrapper(ast.NodeTransformer):
    """Wraps what is called, if it is a function of the user."""

    def __init__(self, find: macros.Lookup) -> None:
        self.find = find
        self.local: list[set[str]] = []

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.local.append(macros.local_names(node))
        result = super().generic_visit(node)
        self.local.pop()
        return result

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if (
            isinstance(root, ast.Name)
            and not any(root.id in names for names in self.local)
            and can_be_summarised(macros.resolved(node.func, self.find))
        ):
            wrapped = ast.Call(ast.Name("_sv_summarised", ast.Load()), [node.func], [])
            node.func = ast.fix_missing_locations(ast.copy_location(wrapped, node.func))
        return node


def can_be_summarised(found: Value) -> bool:
    """Whether something is a function of the user that returns when it is called."""
    if not isinstance(found, FunctionType) or placed(found) is not None:
        return False
    inner = plain(found)
    return isinstance(inner, FunctionType) and is_users(inner) and not _is_lazy(inner)


def _is_lazy(function: FunctionType) -> bool:
    return inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function)


def _summarised(function: Callable[..., Value]) -> Callable[..., Value]:
    """What to call instead of a function."""
    composer = _ACTIVE.get()
    if composer is None or not can_be_summarised(function):
        return function if is_lifted(function) else call(function)
    inner = plain(function)
    return lambda *args, **named: composer.called(inner, args, named)


provide("_sv_summarised", _summarised)
