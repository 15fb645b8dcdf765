"""While a check lasts, the functions of the program are called as their contracts say.

In the symbolic run a function with a contract is called by its guard instead.  In CPython the
decorators of a library do that themselves; for contracts that nobody checks, such as docstrings,
the code of a function is exchanged for a call of its guard, so that whoever refers to the function
meets its contract.  Afterwards everything is as it was.
"""

from __future__ import annotations

import ast
import operator
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from solvent.contracts import generated, of_deal
from solvent.contracts.bare import Bare
from solvent.contracts.guards import PROGRESS, as_it_is, as_lifted, guarded_call, lifted_guard
from solvent.contracts.inner import refuse_inner
from solvent.contracts.late import BODY, met, refusing
from solvent.contracts.model import Condition, Contract, Run
from solvent.contracts.reaching import inside, reached
from solvent.contracts.reading import contract_of
from solvent.contracts.sources import innermost
from solvent.errors import ContractError, NotLiftedError, SolventError
from solvent.lift.calls import call, made_by
from solvent.lift.function import OWNER, is_lifted, lift_function
from solvent.lift.origins import is_generated, is_library_file, is_users, program_modules
from solvent.lift.survey import is_symbolic
from solvent.vm.exceptions import LIFTED
from solvent.vm.own import is_own
from solvent.vm.values import Value

_KEPT = ("__solvent_call__", "__solvent_lifted__", OWNER)

# So many values are looked at where functions may be put away.
_MOST = 20_000


class Enforced:
    """What was changed at the functions of a program, to be changed back."""

    def __init__(self) -> None:
        self.undo: list[Callable[[], None]] = []
        self.seen: dict[int, Value] = {}
        self.contracts: dict[int, Contract] = {}
        self.guards: list[FunctionType] = []
        # The lifted functions that call a guard now.
        self.led: dict[int, FunctionType] = {}
        # What classes check themselves.
        self.invariants: list[Condition] = []
        # How many values may still be looked at where functions are put away.
        self.left = _MOST

    @property
    def size(self) -> int:
        """How much there is to enforce and to change back."""
        return len(self.contracts) + len(self.undo) + len(self.invariants)

    @property
    def is_empty(self) -> bool:
        """Whether there are no contracts at all."""
        return not self.size

    def has_seen(self, value: Value) -> bool:
        """Whether a function or class was looked at."""
        return self.seen.get(id(value)) is value

    def module(self, namespace: dict[str, Value], name: str) -> None:
        """All functions and classes that a module defines, and those that its values lead to."""
        for value in list(namespace.values()):
            if of_deal.is_invarianted(value):
                self.invariants += of_deal.invariants_of(value)
                for base in value.__mro__:
                    if base.__module__ == name:
                        self.cls(base)
            elif isinstance(value, type):
                if value.__module__ == name:
                    self.cls(value)
            elif type(value) is FunctionType:
                # What decorators of libraries leave may lead to functions of the program.
                if value.__module__ == name or value.__closure__:
                    self.function(value)
            else:
                self.hidden(value)

    def hidden(self, value: Value, cls: type | None = None) -> None:
        """The functions and classes of the program that a value leads to."""
        for found in reached(value, _is_programs, min(self.left, 1000)):
            self.left -= 1
            if type(found) is not FunctionType:
                if _is_programs(found):
                    self.cls(found)
            elif cls is not None and _is_member(found, cls):
                self.function(found, cls)
            else:
                self.function(found)

    def cls(self, cls: type) -> None:
        """All methods of a class, and how its instances are made."""
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
            elif type(value) is FunctionType:
                self.function(value, cls)
            elif not name.startswith("__"):
                self.hidden(value, cls)
        self._making(cls)

    def _making(self, cls: type) -> None:
        """What a program wrote that makes the instances of a class, such as a dataclass."""
        try:
            contract = generated.contract_of(cls)
        except SolventError as error:
            self._make_instead(cls, _refusing(error))
            return
        if contract is None:
            return
        if id(contract.function) not in self.contracts:
            function: Any = contract.function
            self.seen[id(function)] = function
            self.contracts[id(function)] = contract
            contract.body = self._exchange(contract, function)
            # It only stores its arguments, and is called as it is.
            vars(contract.body).update({"__solvent_call__": contract.body, OWNER: contract.body})
            self._call_instead(function, lifted_guard(contract))
        else:
            # A class above has the same.
            contract = self.contracts[id(contract.function)]
        self._make_instead(cls, generated.making(cls, contract))

    def _make_instead(self, cls: type, make: Callable[..., Value]) -> None:
        self.undo.append(made_by(cls, make))

    def function(self, function: Value, cls: type | None = None) -> None:
        """A function, and those that it leads to, such as what it wraps."""
        if type(function) is not FunctionType or id(function) in self.seen:
            return
        if cls is None:
            # A table or a variable may lead to a method before its class does.
            cls = _class_of(function)
        file = function.__code__.co_filename
        if is_lifted(function):
            self._lifted_before(function, cls)
            return
        if is_own(file) or is_generated(file):
            return
        self.seen[id(function)] = function
        try:
            contract = contract_of(function, cls, is_library=_is_librarys(function))
            if is_users(function):
                refuse_inner(function)
        except SolventError as error:
            self._refuse(function, error)
            return
        if contract is None or not contract.is_enforced:
            self._behind(function, cls)
        if contract is None:
            return
        self.contracts[id(function)] = contract
        if contract.body is not function:
            self.function(contract.body, cls)
        elif not contract.is_enforced:
            contract.body = self._exchange(contract, function)
        guard = lifted_guard(contract)
        self._call_instead(function, guard)

    def _lifted_before(self, function: FunctionType, cls: type | None) -> None:
        """A function that was lifted before, perhaps in place, leads to its guard, too."""
        inner = getattr(function, "__wrapped__", None)
        if type(inner) is not FunctionType or id(function) in self.seen:
            return
        self.seen[id(function)] = function
        self.function(inner, cls)
        self._lead_to_guard(function, inner)

    def _lead_to_guard(self, function: FunctionType, inner: FunctionType) -> None:
        """Let the lifted version of a function call its guard, if it has one."""
        guard = vars(inner).get("__solvent_call__")
        if guard is None or not any(guard is one for one in self.guards):
            return
        code = function.__code__
        # A guard of an earlier check asks what to call, as one that leads to its guard does.
        if is_own(code.co_filename) or id(function) in self.led:
            return
        self.led[id(function)] = function
        target = _calling(code, partial(_called, inner))
        function.__code__ = target.replace(co_flags=target.co_flags | LIFTED)
        self.undo.append(partial(setattr, function, "__code__", code))

    def _behind(self, function: FunctionType, cls: type | None) -> None:
        """The functions to which a wrapper leads, and those that it has in tables or defaults."""
        for one in inside(function, _is_programs):
            if type(one) is FunctionType:
                self.function(one, cls if cls is not None and _is_member(one, cls) else None)
            elif not isinstance(one, type):
                self.hidden(one, cls)

    def _call_instead(self, function: FunctionType, guard: FunctionType) -> None:
        attributes = vars(function)
        self.guards.append(guard)
        before: dict[str, Value] = {name: attributes.get(name) for name in _KEPT}
        attributes.update({**dict.fromkeys(_KEPT, guard), OWNER: function})

        def restore() -> None:
            for name, value in before.items():
                if value is None:
                    attributes.pop(name, None)
                else:
                    attributes[name] = value

        self.undo.append(restore)
        for lifted in before.values():
            if is_lifted(lifted) and vars(lifted).get("__wrapped__") is function:
                self._lead_to_guard(lifted, function)

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
        vars(before)[BODY] = True
        target = partial(_guarded_in_cpython, contract)
        function.__code__ = _calling(code, target)
        self.undo.append(partial(setattr, function, "__code__", code))
        return before

    def _refuse(self, function: FunctionType, error: SolventError) -> None:
        """Whoever calls a function whose contract is not understood is told so."""
        refuse = _refusing(error)
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
        for contract in self.contracts.values():
            contract.is_over = True
        for cls in self.seen.values():
            for name, value in list(vars(cls).items()) if isinstance(cls, type) else ():
                # A class that was lifted meanwhile has the guards as its methods.
                found = self._without_guards(value)
                if found is not value:
                    setattr(cls, name, found)

    def _without_guards(self, value: Value) -> Value:
        """A member of a class, with lifted functions instead of guards."""
        kind: Value = type(value)
        if kind is FunctionType:
            is_guard = any(value is guard for guard in self.guards)
            return lift_function(value.__wrapped__) if is_guard else value
        if kind in (staticmethod, classmethod):
            inner = self._without_guards(value.__func__)
            return value if inner is value.__func__ else kind(inner)
        if kind is property:
            before = (value.fget, value.fset, value.fdel)
            get, put, drop = parts = [self._without_guards(part) for part in before]
            is_same = all(map(operator.is_, parts, before))
            return value if is_same else property(get, put, drop, value.__doc__)
        return value


def _guarded_in_cpython(contract: Contract, *args: Value, **named: Value) -> Value:
    if contract.is_generated and is_own(sys._getframe(2).f_code.co_filename):
        # We make objects ourselves, too.
        return contract.body(*args, **named)
    # What is not lifted, such as a cached property, may call it in the symbolic run.
    run: Run = call if is_symbolic([args, named]) else as_it_is
    return guarded_call(contract, run, args, named)


def _called(function: FunctionType, *args: Value, **named: Value) -> Value:
    """Call a function as it is called now."""
    return call(function)(*args, **named)


def _refusing(error: SolventError) -> Callable[..., Value]:
    """What fails when it is called, because a contract is not understood."""
    kind = type(error) if isinstance(error, (ContractError, NotLiftedError)) else NotLiftedError
    text = str(error)

    def refuse(*args: Value, **named: Value) -> Value:
        raise kind(text)

    return refuse


def _is_librarys(function: FunctionType) -> bool:
    """Whether a function is of a library, and so is what it wraps."""
    inner = innermost(function)
    return type(inner) is not FunctionType or not is_users(inner)


def _is_member(function: FunctionType, cls: type) -> bool:
    """Whether a function was written as a member of a class."""
    is_inside = function.__qualname__.rpartition(".")[0] == cls.__qualname__
    return is_inside and function.__module__ == cls.__module__


def _class_of(function: FunctionType) -> type | None:
    """The class that has a function as a method or property, under the name of the function."""
    inner = innermost(function)
    first, *path = inner.__qualname__.split(".")[:-1] or [""]
    found: Value = inner.__globals__.get(first)
    for name in path:
        found = vars(found).get(name) if isinstance(found, type) else None
    for cls in found.__mro__ if isinstance(found, type) else ():
        if _is_member(inner, cls):
            member: Any = vars(cls).get(inner.__name__)
            is_property = isinstance(member, property)
            parts = (member.fget, member.fset, member.fdel) if is_property else (member,)
            if any(type(one) is FunctionType and innermost(one) is inner for one in parts):
                return cls
    return None


def _is_programs(cls: type) -> bool:
    """Whether a class is one of the program."""
    name = getattr(cls, "__module__", None)
    module = sys.modules.get(name) if isinstance(name, str) else None
    if name == "__main__":
        return True
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and not is_library_file(file) and not is_own(file)


@contextmanager
def enforced(function: Value, cls: type | None = None) -> Iterator[Enforced]:
    """The contracts of a function, and of the program that it is a part of, are checked."""
    release_left()
    found, depth, is_first = Enforced(), 0, False
    try:
        with _LOCK:
            depth, is_first = len(_CURRENT), not _CURRENT
            if is_first:
                _end_left()
                _CHANGED.append(found)
            else:
                found = _CURRENT[-1]
            _look_through(found, function, cls, is_first)
            if found.is_empty:
                # Others need not wait until a check without contracts ends.
                _CHANGED.remove(found)
            else:
                _LOCK.acquire()
                _CURRENT.append(found)
        if found.is_empty:
            with refusing(found.has_seen):
                yield found
        else:
            with PROGRESS.afresh(), refusing(found.has_seen):
                yield found
    finally:
        # Ctrl-C, also while the program is looked through, leaves no function changed.
        if not found.is_empty:
            _give_back(found, depth, is_first)


def look_ahead() -> None:
    """Look through the modules of the program now.

    Which of them have no contracts is remembered: processes that are forked later need not find it
    out again, each for itself.
    """
    with enforced(look_ahead):
        pass


def _look_through(found: Enforced, function: Value, cls: type | None, is_first: bool) -> None:
    """Enforce the contracts of all modules of the program, of what was met late, and of one."""
    bare: list[tuple[str, dict[str, Value]]] = []
    for name, namespace in _modules(function):
        if not _BARE.knows(name, namespace):
            before = found.size
            found.module(namespace, name)
            if found.size == before:
                bare.append((name, namespace))
    # Inside of another check, what has been seen before is not counted again.
    if is_first:
        # What has contracts may have been reached from another module, which need not stay so.
        others = {contract.function.__module__ for contract in found.contracts.values()}
        for name, namespace in bare:
            if name not in others:
                _BARE.remember(name, namespace)
    for late in met():
        (found.cls if isinstance(late, type) else found.function)(late)
    found.function(function, cls)


def _give_back(found: Enforced, depth: int, is_first: bool) -> None:
    """Change the functions back, if no check around this one needs them, and let others in."""
    try:
        if is_first:
            found.end()
            _CHANGED.remove(found)
    finally:
        # Ctrl-C in the middle of this must not keep others out for ever.
        while _LOCK._is_owned() and len(_CURRENT) > depth:  # type: ignore[attr-defined]
            _CURRENT.pop()
            _LOCK.release()


def _end_left() -> None:
    """Change back what Ctrl-C has kept an earlier check from changing back."""
    while _CHANGED:
        _CHANGED[-1].end()
        _CHANGED.pop()


def release_left() -> None:
    """Release what this thread holds though it checks nothing: Ctrl-C came in the wrong moment."""
    while not _CURRENT and _LOCK._is_owned():  # type: ignore[attr-defined]
        _LOCK.release()


# The functions of a program are shared: one check with contracts at a time, and those inside of it.
_LOCK = threading.RLock()
_CURRENT: list[Enforced] = []
# Those that are not over.
_CHANGED: list[Enforced] = []
_BARE = Bare()


def _modules(function: Value) -> Iterator[tuple[str, dict[str, Value]]]:
    """The modules of the program: those that are imported and that the user wrote."""
    inner = innermost(function)
    own = getattr(inner, "__globals__", None)
    for module in program_modules():
        if vars(module) is not own:
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
