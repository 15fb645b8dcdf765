"""While a check lasts, the functions of the program are called as their contracts say.

In the symbolic run a function with a contract is called by its guard instead.  In CPython the
decorators of a library do that themselves; for contracts that nobody checks, such as docstrings,
the code of a function is exchanged for a call of its guard, so that whoever refers to the function
meets its contract.  Afterwards everything is as it was.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

from solvent.contracts import of_deal
from solvent.contracts.bare import Bare
from solvent.contracts.guards import PROGRESS, as_it_is, as_lifted, guarded_call, lifted_guard
from solvent.contracts.model import Condition, Contract
from solvent.contracts.reading import contract_of
from solvent.contracts.sources import innermost
from solvent.errors import ContractError, NotLiftedError, SolventError
from solvent.lift.function import is_lifted, lift_function
from solvent.lift.origins import is_generated, is_library_file, is_users
from solvent.vm.own import is_own
from solvent.vm.values import Value

_KEPT = ("__solvent_call__", "__solvent_lifted__")


class Enforced:
    """What was changed at the functions of a program, to be changed back."""

    def __init__(self) -> None:
        self.undo: list[Callable[[], None]] = []
        self.seen: dict[int, Value] = {}
        self.contracts: dict[int, Contract] = {}
        self.guards: list[FunctionType] = []
        # What classes check themselves.
        self.invariants: list[Condition] = []

    @property
    def size(self) -> int:
        """How much there is to enforce and to change back."""
        return len(self.contracts) + len(self.undo) + len(self.invariants)

    @property
    def is_empty(self) -> bool:
        """Whether there are no contracts at all."""
        return not self.size

    def module(self, namespace: dict[str, Value], name: str) -> None:
        """All functions and classes that a module defines."""
        for value in list(namespace.values()):
            if of_deal.is_invarianted(value):
                self.invariants += of_deal.invariants_of(value)
                for base in value.__mro__:
                    if base.__module__ == name:
                        self.cls(base)
            elif isinstance(value, type):
                if value.__module__ == name:
                    self.cls(value)
            elif getattr(value, "__module__", None) == name:
                self.function(value)

    def cls(self, cls: type) -> None:
        """All methods of a class."""
        if id(cls) in self.seen:
            return
        self.seen[id(cls)] = cls
        for name, value in list(vars(cls).items()):
            if isinstance(value, type) and value.__qualname__ == f"{cls.__qualname__}.{name}":
                self.cls(value)
            elif isinstance(value, property):
                for part in (value.fget, value.fset, value.fdel):
                    self.function(part, cls)
            elif isinstance(value, (staticmethod, classmethod)):
                self.function(value.__func__)
            elif of_deal.is_inherited(value):
                self.function(value.__wrapped__, cls)
            else:
                self.function(value, cls)
                self._lifted_before(cls, name, value)

    def _lifted_before(self, cls: type, name: str, value: Value) -> None:
        """A method that was lifted in place before is called by its guard, too."""
        inner = getattr(value, "__wrapped__", None)
        if not is_lifted(value) or type(inner) is not FunctionType:
            return
        self.function(inner, cls)
        guard = vars(inner).get("__solvent_call__")
        if id(inner) in self.contracts and guard is not None:
            setattr(cls, name, guard)
            self.undo.append(partial(setattr, cls, name, value))

    def function(self, function: Value, cls: type | None = None) -> None:
        """A function, and the wrappers of libraries inside of it."""
        if type(function) is not FunctionType or id(function) in self.seen:
            return
        file = function.__code__.co_filename
        if is_lifted(function) or is_own(file) or is_generated(file):
            return
        self.seen[id(function)] = function
        try:
            contract = contract_of(function, cls)
        except SolventError as error:
            self._refuse(function, error)
            return
        if contract is None:
            self._behind(function, cls)
            return
        self.contracts[id(function)] = contract
        if contract.body is not function:
            self.function(contract.body, cls)
        elif not contract.is_enforced:
            contract.body = self._exchange(contract, function)
        guard = lifted_guard(contract)
        self._call_instead(function, guard)

    def _behind(self, function: FunctionType, cls: type | None) -> None:
        """The functions to which a wrapper leads: those that it wraps or has in its closure."""
        found: list[Value] = [getattr(function, "__wrapped__", None)]
        for cell in function.__closure__ or ():
            # A cell may be empty still.
            with suppress(ValueError):
                found.append(cell.cell_contents)
        for one in found:
            if type(one) is FunctionType and is_users(innermost(one)):
                self.function(one, cls)

    def _call_instead(self, function: FunctionType, guard: FunctionType) -> None:
        attributes = vars(function)
        self.guards.append(guard)
        before = {name: attributes.get(name) for name in _KEPT}
        attributes.update(dict.fromkeys(_KEPT, guard))

        def restore() -> None:
            for name, value in before.items():
                if value is None:
                    attributes.pop(name, None)
                else:
                    attributes[name] = value

        self.undo.append(restore)

    def _exchange(self, contract: Contract, function: FunctionType) -> FunctionType:
        """Let CPython call the guard; the function as it was is given back."""
        code = function.__code__
        before = FunctionType(
            code, function.__globals__, function.__name__, function.__defaults__,
            function.__closure__,
        )  # fmt: skip
        before.__kwdefaults__ = function.__kwdefaults__
        before.__qualname__, before.__module__ = function.__qualname__, function.__module__
        before.__annotations__ = function.__annotations__
        target = partial(_guarded_in_cpython, contract)
        function.__code__ = _calling(code, target)
        self.undo.append(partial(setattr, function, "__code__", code))
        return before

    def _refuse(self, function: FunctionType, error: SolventError) -> None:
        """Whoever calls a function whose contract is not understood is told so."""
        kind = type(error) if isinstance(error, (ContractError, NotLiftedError)) else NotLiftedError
        text = str(error)

        def refuse(*args: Value, **named: Value) -> Value:
            raise kind(text)

        self._call_instead(function, as_lifted(refuse, function))
        code = function.__code__
        function.__code__ = _calling(code, refuse)
        self.undo.append(partial(setattr, function, "__code__", code))

    def end(self) -> None:
        """Change everything back."""
        while self.undo:
            # What an interrupt leaves is done again.
            self.undo[-1]()
            self.undo.pop()
        for cls in self.seen.values():
            for name, value in list(vars(cls).items()) if isinstance(cls, type) else ():
                # A class that was lifted meanwhile has the guards as its methods.
                if any(value is guard for guard in self.guards):
                    setattr(cls, name, lift_function(value.__wrapped__))


def _guarded_in_cpython(contract: Contract, *args: Value, **named: Value) -> Value:
    return guarded_call(contract, as_it_is, args, named)


@contextmanager
def enforced(function: Value, cls: type | None = None) -> Iterator[Enforced]:
    """The contracts of a function, and of the program that it is a part of, are checked."""
    release_left()
    with _LOCK:
        inside = _CURRENT[-1] if _CURRENT else None
        found = inside or Enforced()
        for name, namespace in _modules(function):
            if not _BARE.knows(name, namespace):
                before = found.size
                found.module(namespace, name)
                # Inside of another check, what has been seen before is not counted again.
                if inside is None and found.size == before:
                    _BARE.remember(name, namespace)
        found.function(function, cls)
        if found.is_empty:
            # Others need not wait until this check ends.
            held = None
        else:
            held = found
            _LOCK.acquire()
    if held is None:
        yield found
        return
    try:
        _CURRENT.append(held)
        with PROGRESS.afresh():
            yield held
    finally:
        # Ctrl-C in the middle of this must not keep others out for ever.
        try:
            try:
                _CURRENT.pop()
            finally:
                if inside is None:
                    held.end()
        finally:
            _LOCK.release()


def release_left() -> None:
    """Release what this thread holds though it checks nothing: Ctrl-C came in the wrong moment."""
    while not _CURRENT and _LOCK._is_owned():  # type: ignore[attr-defined]
        _LOCK.release()


# The functions of a program are shared: one check with contracts at a time, and those inside of it.
_LOCK = threading.RLock()
_CURRENT: list[Enforced] = []
_BARE = Bare()


def _modules(function: Value) -> Iterator[tuple[str, dict[str, Value]]]:
    """The modules of the program: those that are imported and that the user wrote."""
    inner = innermost(function)
    own = getattr(inner, "__globals__", None)
    for module in list(sys.modules.values()):
        if not isinstance(module, ModuleType) or vars(module) is own:
            continue
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and not is_library_file(file) and not is_own(file):
            yield module.__name__, vars(module)
    if own is not None and type(inner) is FunctionType and is_users(inner):
        yield own.get("__name__", ""), own


# --- code that calls something else ---------------------------------------------------------------

_PLACEHOLDER = "<what is called>"


def _calling(code: CodeType, target: Callable[..., Value]) -> CodeType:
    """Code with the parameters and free variables of another one, which calls a function."""
    names = code.co_varnames
    count, keyword = code.co_argcount, code.co_kwonlyargcount
    positional, by_name = names[:count], names[count : count + keyword]
    rest = list(names[count + keyword :])
    starred = rest.pop(0) if code.co_flags & 0x04 else None
    double = rest.pop(0) if code.co_flags & 0x08 else None
    only = code.co_posonlyargcount
    parameters = ast.arguments(
        [ast.arg(name) for name in positional[:only]],
        [ast.arg(name) for name in positional[only:]],
        ast.arg(starred) if starred else None,
        [ast.arg(name) for name in by_name],
        [None] * keyword,
        ast.arg(double) if double else None,
        [],
    )
    args: list[ast.expr] = [_name(name) for name in positional]
    args += [ast.Starred(_name(starred), ast.Load())] if starred else []
    keywords = [ast.keyword(name, _name(name)) for name in by_name]
    keywords += [ast.keyword(None, _name(double))] if double else []
    # A text that is called would be warned of.
    target_of = ast.NamedExpr(ast.Name("_sv_target", ast.Store()), ast.Constant(_PLACEHOLDER))
    called = ast.Call(target_of, args, keywords)
    # Free variables that nobody uses would not be free.
    used = ast.Lambda(_no_arguments(), ast.Tuple([_name(n) for n in code.co_freevars], ast.Load()))
    body: list[ast.stmt] = [ast.Return(called)]
    if code.co_freevars:
        body.insert(0, ast.Expr(used))
    inner = ast.FunctionDef("inner", parameters, body, [])
    outer = ast.FunctionDef("outer", _no_arguments(code.co_freevars), [inner], [])
    module = ast.fix_missing_locations(ast.Module([outer], []))
    ast.increment_lineno(module, code.co_firstlineno - 1)
    whole: Any = compile(module, code.co_filename, "exec", dont_inherit=True)
    for _ in range(2):
        whole = next(found for found in whole.co_consts if isinstance(found, CodeType))
    constants = tuple(target if one == _PLACEHOLDER else one for one in whole.co_consts)
    made: CodeType = whole.replace(
        co_consts=constants, co_name=code.co_name, co_qualname=code.co_qualname
    )
    assert made.co_freevars == code.co_freevars
    return made


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _no_arguments(names: tuple[str, ...] = ()) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
