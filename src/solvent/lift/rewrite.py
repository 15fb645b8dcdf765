"""Rewriting a function so that it can run on symbolic values: statements.

Code is never duplicated, and every generated node carries the line of the source it stands for, so
that tracebacks, debuggers and coverage show the user's own file.  A symbolic `if` becomes a loop
that runs once if the test is concrete and twice if it is symbolic:

    t = <test>                          f = None
    if t is symbolic:                   f = Fork(t, (x, y)); t = True
    while True:
        try:
            if t: <then>
            else: <else>
        except BaseException as e:      if f is None: raise;  f.end(e)
        if f is None: break
        if t:  t = False;               x, y = f.flip((x, y))
        else:                           x, y = f.join((x, y)); break

`x` and `y` are the local variables that the branches assign.  Variables that may be unbound hold
`UNBOUND` from the start, and reading them is checked.  `return`, `break` and `continue` leave a
scope (see `solvent.vm.machine`), natively as long as nothing is symbolic.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NoReturn

from solvent.errors import NotLiftedError
from solvent.lift import lowering
from solvent.lift.expressions import Expressions
from solvent.lift.scoping import bound_names, declared, leaves, parameters, walk
from solvent.lift.templates import expression, statements

Statements = list[ast.stmt]

IF = """
_F = None
if _sv_type(_T) is not _sv_bool:
    _T = _sv_test(_T)
    if _sv_type(_T) is not _sv_bool:
        _SCOPES
        _F = _sv_Fork(_T, _W)
        _T = True
while True:
    try:
        if _T:
            _THEN
        else:
            _ELSE
    except _sv_BaseException as _sv_x:
        if _F is None:
            raise
        _F.end(_sv_x)
    if _F is None:
        break
    if _T:
        _T = False
        _W = _F.flip(_W)
    else:
        _W = _F.join(_W)
        break
"""

CHAIN = """
_F = None
_A = 0
while True:
    try:
        _ARMS
    except _sv_BaseException as _sv_x:
        if _F is None:
            raise
        _F.end(_sv_x)
    if _F is None:
        break
    _W = _F.next(_W)
    if _F.done:
        break
"""

ARM = """
if _A < _N:
    _TEST
    if _sv_type(_T) is not _sv_bool:
        _T = _sv_test(_T)
        if _sv_type(_T) is not _sv_bool:
            _SCOPES
            _F = _sv_chain(_F, _T, _W)
            _T = True
else:
    _T = False
if _T:
    _A = _N
    _THEN
else:
    _ELSE
"""

FOR = """
_L = None
try:
    for _V in _sv_iterate(_ITER):
        if _sv_type(_V) is _sv_Maybe:
            _SCOPES
            if _L is None:
                _L = _sv_Scope()
            _L.item(_V.guard, _W)
            _V = _V.value
        _BODY
except _sv_BaseException as _sv_x:
    if _L is None:
        raise
    _W = _L.escape(_sv_x)
    _L = None
"""

WHILE = """
_L = None
try:
    while True:
        _TEST
        if _sv_type(_T) is not _sv_bool:
            _T = _sv_truth(_T)
            if _sv_type(_T) is not _sv_bool:
                _SCOPES
                if _L is None:
                    _L = _sv_Scope()
                _T = _L.test(_T, _W)
        if not _T:
            break
        _BODY
except _sv_BaseException as _sv_x:
    if _L is None:
        raise
    _W = _L.escape(_sv_x)
    _L = None
"""

FINISH = """
if _L is not None:
    _W = _L.finish(_W)
    _L = None
"""

ITERATION = """
_C = None
try:
    _BODY
except _sv_BaseException as _sv_x:
    if _C is None:
        raise
    _W = _C.escape(_sv_x)
    _C = None
if _C is not None:
    _W = _C.finish(_W)
    _C = None
"""

LEAVE = """
if _L is not None:
    _W = _L.leave(_W)
    _L = None
"""

ELSE = """
_B = None
try:
    _LOOP
    if not _BROKEN:
        _FINISH
        _ELSE
except _sv_BaseException as _sv_x:
    if _B is None:
        raise
    _W = _B.escape(_sv_x)
    _B = None
if _B is not None:
    _W = _B.finish(_W)
    _B = None
"""

FUNCTION = """
_sv_s = None
try:
    _BODY
    if _sv_s is None:
        return None
    return _sv_s.leave((None,))[0]
except _sv_BaseException as _sv_x:
    if _sv_s is None:
        raise
    return _sv_s.escape(_sv_x)[0]
"""

RETURN = """
_R = _VALUE
if _sv_s is None:
    _DROP
    return _R
return _sv_s.leave((_R,))[0]
"""

YIELD = """
if _sv_gen.buffering():
    _sv_gen.put(_V)
    _R = None
else:
    _sv_gen.suspend()
    try:
        _R = yield _V
    except _sv_GeneratorExit:
        _sv_gen.resume(True)
        raise
    except _sv_BaseException:
        _sv_gen.resume()
        raise
    _sv_gen.resume()
"""

TRY = """
_SCOPES
_Y = _sv_Try(_NAMES, _FINAL)
try:
    _BODY
except _sv_BaseException as _sv_x:
    _W = _Y.begin(_sv_x, _W)
else:
    _W = _Y.begin(None, _W)
while True:
    try:
        _PHASE
    except _sv_BaseException as _sv_x:
        _Y.fail(_sv_x)
    if _Y.single:
        break
    _W = _Y.next(_W)
    if _Y.done:
        break
"""


class Loop:
    """A loop of the source around the statement that is being rewritten."""

    def __init__(
        self, number: int, node: ast.For | ast.While, names: tuple[str, ...], later: tuple[str, ...]
    ) -> None:
        inner = [child for child in node.body if not isinstance(child, ast.Continue)]
        self.names = names
        # Those that the `else` clause assigns too.
        self.all_names = tuple(dict.fromkeys((*names, *later)))
        self.scope = f"_sv_l{number}"
        # With an `else` clause, paths that break out and paths that finish have scopes of their own.
        self.outer = f"_sv_b{number}" if node.orelse else None
        self.iteration = f"_sv_c{number}" if leaves(inner, (ast.Continue,)) else None
        self.breaks = leaves(node.body, (ast.Break,))
        self.flag = f"_sv_k{number}"


class Wrapper:
    """A generated loop around the statement that is being rewritten: it catches `break`."""


class Protected:
    """A `try` statement of the source around the statement that is being rewritten."""

    def __init__(self, variable: str, final: bool) -> None:
        self.variable = variable
        self.final = final


class FunctionRewriter(Expressions):
    """Rewrites the body of one function, and the functions inside of it."""

    def __init__(
        self, unit: Unit, node: ast.FunctionDef | ast.Lambda, outer: FunctionRewriter | None
    ) -> None:
        body = node.body if isinstance(node.body, list) else [ast.Expr(node.body)]
        self.unit = unit
        self.node = node
        self.outer = outer
        self.globals = declared(body, ast.Global)
        self.nonlocals = declared(body, ast.Nonlocal)
        self.parameters = parameters(node.args)
        self.locals = {*self.parameters, *bound_names(body)} - self.globals - self.nonlocals
        deleted = {
            found.id
            for found in walk(body)
            if isinstance(found, ast.Name) and isinstance(found.ctx, ast.Del)
        }
        handled = {f.name for f in walk(body) if isinstance(f, ast.ExceptHandler) and f.name}
        # Names that can become unbound again are never taken for bound.
        self.unsteady = deleted | handled
        self.bound: set[str] = set(self.parameters) - self.unsteady
        self.starts_unbound: dict[str, None] = {}
        self.cells: dict[str, None] = {}
        self.returns_inside = any(
            isinstance(found, ast.Return)
            for top in body
            if not isinstance(top, ast.Return)
            for found in walk((top,))
        )
        self.context: list[Loop | Wrapper | Protected] = []
        self.out: Statements = []
        self.counter = 0
        self.is_generator = any(isinstance(f, (ast.Yield, ast.YieldFrom)) for f in walk(body))

    # --- small things -----------------------------------------------------------------------------

    def number(self) -> int:
        """A number for the names of generated variables."""
        self.unit.counter += 1
        return self.unit.counter

    def refuse(self, node: ast.AST, what: str, instead: str = "") -> NoReturn:
        """Report a construct that cannot be lifted."""
        self.unit.refuse(node, what, instead)

    def emit(self, text: str, at: ast.AST, **holes: object) -> None:
        """Append generated statements."""
        self.out.extend(statements(text, at, **holes))  # type: ignore[arg-type]

    def collect(self, action: Callable[[], None]) -> Statements:
        """The statements that an action emits."""
        saved, self.out = self.out, []
        try:
            action()
            return self.out
        finally:
            self.out = saved

    def merged_names(self, nodes: Sequence[ast.AST], *extra: str) -> tuple[str, ...]:
        """The local variables that a fork around these nodes saves and merges."""
        names = [name for name in bound_names(nodes) if name in self.locals]
        for name in names:
            if name not in self.bound:
                self.starts_unbound[name] = None
        return (*names, *extra)

    def scopes(self, at: ast.AST) -> Statements:
        """What a fork does first: open the scopes around it that its paths may leave."""
        names = ["_sv_s"] if self.returns_inside else []
        for entry in self.context:
            if isinstance(entry, Loop):
                if entry.outer and entry.breaks:
                    names.append(entry.outer)
                if entry.breaks and not entry.outer:
                    names.append(entry.scope)
                if entry.iteration:
                    names.append(entry.iteration)
        result: Statements = []
        for name in names:
            result += statements("if _L is None:\n    _L = _sv_Scope()", at, _L=name)
        return result

    # --- functions --------------------------------------------------------------------------------

    def function(self) -> Statements:
        """The rewritten body."""
        assert isinstance(self.node, ast.FunctionDef)
        body = self.node.body
        docstring: Statements = []
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            docstring, body = [body[0]], body[1:]
        at: ast.AST = body[0] if body else self.node
        declarations = [
            ast.copy_location(type(found)(list(found.names)), found)
            for found in walk(body)
            if isinstance(found, (ast.Global, ast.Nonlocal))
        ]
        inner = self.collect(lambda: self.block(body))
        if self.returns_inside:
            inner = statements(FUNCTION, at, _BODY=inner)
        start: Statements = []
        for name in self.cells:
            start += statements(
                "_C = (lambda: _X).__closure__[0]", at, _C=f"_sv_cell_{name}", _X=name
            )
        for name in self.starts_unbound:
            if name not in self.parameters:
                start += statements("_X = _sv_UNBOUND", at, _X=name)
        whole = [*declarations, *start, *inner] or [ast.copy_location(ast.Pass(), at)]
        if self.is_generator:
            whole = self.generator(whole, at)
        return [*docstring, *whole]

    def generator(self, body: Statements, at: ast.AST) -> Statements:
        """A generator function makes the generator of an inner function, and drives it."""
        names = ["_sv_gen", *self.parameters]
        arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
        for argument in arguments.args:
            ast.copy_location(argument, at)
        inner = ast.FunctionDef("_sv_body", arguments, body, [], None)
        given = tuple(self.parameters)
        return [
            ast.copy_location(inner, at),
            *statements("return _sv_drive(_sv_GeneratorState(), _sv_body, *_A)", at, _A=given),
        ]

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Rewrite statements in order."""
        for node in body:
            self.statement(node)

    def inner_block(self, body: Sequence[ast.stmt]) -> Statements:
        """Rewrite statements on their own; the names they bind are bound only inside."""
        return self.collect(lambda: self.block(body))

    def statement(self, node: ast.stmt) -> None:
        """Rewrite one statement."""
        method = getattr(self, f"do_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"`{lowering.keyword(node)}`", lowering.advice(node))
        method(node)

    # --- simple statements ------------------------------------------------------------------------

    def do_Pass(self, node: ast.Pass) -> None:
        self.out.append(node)

    def do_Expr(self, node: ast.Expr) -> None:
        value = self.expr(node.value)
        if not isinstance(value, (ast.Name, ast.Constant)) or isinstance(node.value, ast.Name):
            self.out.append(ast.copy_location(ast.Expr(value), node))

    def do_Global(self, node: ast.Global) -> None:
        pass

    do_Nonlocal = do_Global

    def do_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.out.append(node)
        for name in bound_names((node,)):
            self.note_bound(name)

    do_ImportFrom = do_Import

    def do_Assign(self, node: ast.Assign) -> None:
        value = self.expr(node.value)
        if len(node.targets) == 1:
            self.assign(node.targets[0], value, node)
            return
        kept = self.keep(value, node)
        for target in node.targets:
            self.assign(target, kept, node)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expr(node.value), node)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        self.augment(node)

    def do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.delete(target, node)

    def do_Assert(self, node: ast.Assert) -> None:
        if node.msg is None or isinstance(node.msg, ast.Constant):
            message = node.msg or ast.Constant(None)
            arguments = [message] if node.msg is not None else []
            test = self.keep(self.expr(node.test), node)
            self.emit(
                "if _T is not True:\n    _sv_check(_T, _M)", node,
                _T=test, _M=ast.Tuple([ast.copy_location(a, node) for a in arguments], ast.Load()),
            )  # fmt: skip
        else:
            self.block(lowering.lower_assert(node))

    def do_Raise(self, node: ast.Raise) -> None:
        if node.exc is None:
            self.out.append(node)
            return
        parts = [node.exc] if node.cause is None else [node.exc, node.cause]
        values = self.exprs(parts)
        exception = expression("_sv_exception(_E)", node, _E=values[0])
        cause = values[1] if len(values) > 1 else None
        self.out.append(ast.copy_location(ast.Raise(exception, cause), node))

    def do_Return(self, node: ast.Return) -> None:
        value = self.expr(node.value) if node.value is not None else ast.Constant(None)
        final = self.nearest_final(None)
        if final:
            self.emit('raise _sv_Leave("return", _V)', node, _V=value)
        elif self.returns_inside:
            self.emit(
                RETURN, node, _R=f"_sv_r{self.number()}", _VALUE=value, _DROP=self.drops(None, node)
            )
        else:
            self.out.append(ast.copy_location(ast.Return(value), node))
        self.bound = set(self.locals)

    def nearest_final(self, until: Loop | None) -> bool:
        """Whether a `finally` clause is between here and the loop, or the end of the function."""
        for entry in reversed(self.context):
            if entry is until:
                return False
            if isinstance(entry, Protected) and entry.final:
                return True
        return False

    def drops(self, until: Loop | None, at: ast.AST) -> Statements:
        """Close the outermost `try` statement that is left."""
        inside = self.context[self.context.index(until) :] if until else self.context
        for entry in inside:
            if isinstance(entry, Protected):
                return statements("_Y.drop()", at, _Y=entry.variable)
        return []

    def loop(self) -> Loop:
        """The loop of the source around the current statement."""
        for entry in reversed(self.context):
            if isinstance(entry, Loop):
                return entry
        raise AssertionError("outside of a loop")

    def do_Break(self, node: ast.Break) -> None:
        loop = self.loop()
        if self.nearest_final(loop):
            self.emit('raise _sv_Leave("break")', node)
        else:
            if loop.outer:
                self.emit(LEAVE, node, _L=loop.outer, _W=loop.all_names)
            else:
                self.emit(LEAVE, node, _L=loop.scope, _W=loop.names)
            self.jump(loop, 1, node)
        self.bound = set(self.locals)

    def do_Continue(self, node: ast.Continue) -> None:
        loop = self.loop()
        if self.nearest_final(loop):
            self.emit('raise _sv_Leave("continue")', node)
        else:
            if loop.iteration:
                self.emit(LEAVE, node, _L=loop.iteration, _W=loop.names)
            self.jump(loop, 2, node)
        self.bound = set(self.locals)

    def jump(self, loop: Loop, how: int, node: ast.stmt) -> None:
        """Leave the loop, or its iteration, through the generated loops on the way."""
        self.out += self.drops(loop, node)
        wrapped = isinstance(self.context[-1], Wrapper) or any(
            isinstance(entry, Wrapper) for entry in self.context[self.context.index(loop) :]
        )
        if wrapped or loop.outer:
            self.emit("_K = _N", node, _K=loop.flag, _N=ast.Constant(how))
        if wrapped:
            self.out.append(ast.copy_location(ast.Break(), node))
        else:
            self.out.append(node)

    def after_wrapper(self, body: Sequence[ast.stmt], node: ast.stmt) -> None:
        """After a generated loop: go on with a `break` or `continue` that was on its way."""
        if not leaves(list(body), (ast.Break, ast.Continue)):
            return
        loop = self.loop()
        place = self.context.index(loop)
        if any(isinstance(entry, Wrapper) for entry in self.context[place:]):
            self.emit("if _K:\n    break", node, _K=loop.flag)
            return
        if leaves(list(body), (ast.Break,)):
            self.emit("if _K == 1:\n    break", node, _K=loop.flag)
        if leaves(list(body), (ast.Continue,)):
            self.emit("if _K == 2:\n    _K = 0\n    continue", node, _K=loop.flag)

    # --- branches ---------------------------------------------------------------------------------

    def do_If(self, node: ast.If) -> None:
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self.chain(node)
            return
        names = None
        test = self.expr(node.test)
        names = self.merged_names((*node.body, *node.orelse))
        self.branch(
            test, lambda: self.block(node.body), lambda: self.block(node.orelse), names, node
        )
        self.after_wrapper((*node.body, *node.orelse), node)

    def branch(
        self,
        test: ast.expr,
        then: Callable[[], None],
        otherwise: Callable[[], None],
        names: tuple[str, ...],
        at: ast.AST,
    ) -> None:
        """A fork on a rewritten test."""
        number = self.number()
        variable = f"_sv_t{number}"
        self.emit("_T = _TEST", at, _T=variable, _TEST=test)
        before = set(self.bound)
        scopes = self.scopes(at)
        self.context.append(Wrapper())
        first = self.collect(then)
        after_first, self.bound = self.bound, before
        second = self.collect(otherwise)
        self.bound &= after_first
        self.context.pop()
        self.emit(
            IF, at, _T=variable, _F=f"_sv_f{number}", _SCOPES=scopes, _W=names,
            _THEN=first, _ELSE=second,
        )  # fmt: skip

    def chain(self, node: ast.If) -> None:
        """`if`, `elif`, `else`: one generated loop, however many arms there are."""
        arms: list[ast.If] = [node]
        while len(arms[-1].orelse) == 1 and isinstance(arms[-1].orelse[0], ast.If):
            arms.append(arms[-1].orelse[0])
        number = self.number()
        names = self.merged_names((node,))
        scopes = self.scopes(node)
        everything = [child for arm in arms for child in arm.body] + arms[-1].orelse
        self.context.append(Wrapper())
        results: list[set[str]] = []

        def arm(place: int) -> Statements:
            if place == len(arms):
                result = self.inner_block(arms[-1].orelse)
                results.append(self.bound)
                return result
            current = arms[place]
            variable = f"_sv_t{number}"
            test = self.collect(
                lambda: self.emit("_T = _TEST", current, _T=variable, _TEST=self.expr(current.test))
            )
            before = set(self.bound)
            then = self.inner_block(current.body)
            results.append(self.bound)
            self.bound = before
            otherwise = arm(place + 1)
            return statements(
                ARM, current, _A=f"_sv_a{number}", _N=ast.Constant(place + 1), _TEST=test,
                _T=variable, _SCOPES=scopes, _F=f"_sv_f{number}", _W=names, _THEN=then,
                _ELSE=otherwise,
            )  # fmt: skip

        code = arm(0)
        self.context.pop()
        self.bound = set.intersection(*results)
        self.emit(CHAIN, node, _F=f"_sv_f{number}", _A=f"_sv_a{number}", _W=names, _ARMS=code)
        self.after_wrapper(everything, node)

    def do_Match(self, node: ast.Match) -> None:
        self.lowered(lowering.lower_match(node, self.number()))

    # --- loops ------------------------------------------------------------------------------------

    def do_For(self, node: ast.For) -> None:
        iterable = self.expr(node.iter)
        number = self.number()
        names = self.merged_names((node.target, *node.body))
        loop = Loop(number, node, names, self.merged_names(node.orelse))
        item = f"_sv_v{number}"
        scopes = self.scopes(node)
        if loop.outer and loop.breaks:
            scopes += statements("if _L is None:\n    _L = _sv_Scope()", node, _L=loop.outer)

        def body() -> None:
            self.assign(node.target, ast.copy_location(ast.Name(item, ast.Load()), node), node)
            self.iteration(loop, node)

        before = set(self.bound)
        self.context.append(loop)
        code = self.collect(body)
        self.context.pop()
        self.bound = before
        whole = statements(
            FOR, node, _L=loop.scope, _V=item, _ITER=iterable, _SCOPES=scopes, _W=loop.names,
            _BODY=code,
        )  # fmt: skip
        self.finish_loop(loop, whole, node)

    def do_While(self, node: ast.While) -> None:
        number = self.number()
        names = self.merged_names((node.test, *node.body))
        loop = Loop(number, node, names, self.merged_names(node.orelse))
        variable = f"_sv_t{number}"
        scopes = self.scopes(node)
        if loop.outer and loop.breaks:
            scopes += statements("if _L is None:\n    _L = _sv_Scope()", node, _L=loop.outer)
        before = set(self.bound)
        self.context.append(loop)
        test = self.collect(
            lambda: self.emit("_T = _TEST", node, _T=variable, _TEST=self.expr(node.test))
        )
        code = self.collect(lambda: self.iteration(loop, node))
        self.context.pop()
        self.bound = before
        whole = statements(
            WHILE, node, _L=loop.scope, _T=variable, _TEST=test, _SCOPES=scopes, _W=loop.names,
            _BODY=code,
        )  # fmt: skip
        self.finish_loop(loop, whole, node)

    def iteration(self, loop: Loop, node: ast.For | ast.While) -> None:
        """The body of a loop, with a scope of its own if paths may skip the rest of it."""
        if not loop.iteration:
            self.block(node.body)
            return
        code = self.inner_block(node.body)
        self.emit(ITERATION, node, _C=loop.iteration, _BODY=code, _W=loop.names)

    def finish_loop(self, loop: Loop, whole: Statements, node: ast.For | ast.While) -> None:
        """After the loop: merge the paths that left it, run its `else` clause."""
        self.emit("_K = 0", node, _K=loop.flag)
        finish = statements(FINISH, node, _L=loop.scope, _W=loop.names)
        if not loop.outer:
            self.out += whole
            self.out += finish
            if leaves(node.body, (ast.Break, ast.Continue)):
                self.emit("_K = 0", node, _K=loop.flag)
            return
        otherwise = self.inner_block(node.orelse)
        self.emit(
            ELSE, node, _B=loop.outer, _LOOP=whole, _BROKEN=expression("_K == 1", node, _K=loop.flag),
            _FINISH=finish, _ELSE=otherwise, _W=loop.all_names,
        )  # fmt: skip

    # --- exceptions -------------------------------------------------------------------------------

    def do_Try(self, node: ast.Try) -> None:
        if node.finalbody:
            self.try_finally(node)
        else:
            self.try_except(node)

    def do_TryStar(self, node: ast.stmt) -> None:
        self.refuse(node, "`except*`", "use `except` instead")

    def try_except(self, node: ast.Try) -> None:
        number = self.number()
        variable = f"_sv_y{number}"
        names = self.merged_names((node,))
        before = set(self.bound)
        self.context.append(Protected(variable, False))
        body = self.inner_block(node.body)
        self.context.pop()
        after_body = self.bound
        self.context.append(Wrapper())
        otherwise = self.inner_block(node.orelse)
        results = [self.bound]
        handlers = []
        for handler in node.handlers:
            self.bound = set(before)
            handlers.append(self.handler(handler))
            results.append(self.bound)
        self.bound = set.intersection(*results) if after_body is not None else results[0]
        self.context.pop()
        phase = statements(
            "if _Y.error is None:\n    _ELSE\nelse:\n    try:\n        raise _Y.error\n"
            "    except _sv_BaseException:\n        raise",
            node, _Y=variable, _ELSE=otherwise,
        )  # fmt: skip
        inner = phase[0]
        assert isinstance(inner, ast.If) and isinstance(inner.orelse[0], ast.Try)
        inner.orelse[0].handlers = handlers
        self.emit_try(node, variable, names, False, body, phase)
        self.after_wrapper(
            [*node.body, *node.orelse, *(child for h in node.handlers for child in h.body)], node
        )

    def handler(self, handler: ast.ExceptHandler) -> ast.ExceptHandler:
        caught = f"_sv_e{self.number()}" if handler.name else None
        kind = self.only_expression(handler.type) if handler.type is not None else None

        def action() -> None:
            if handler.name:
                value = ast.copy_location(ast.Name(caught, ast.Load()), handler)  # type: ignore[arg-type]
                target = ast.copy_location(ast.Name(handler.name, ast.Store()), handler)
                self.assign(target, value, handler)
            self.block(handler.body)
            if handler.name:
                self.delete(ast.copy_location(ast.Name(handler.name, ast.Del()), handler), handler)

        return ast.copy_location(ast.ExceptHandler(kind, caught, self.collect(action)), handler)

    def try_finally(self, node: ast.Try) -> None:
        number = self.number()
        variable = f"_sv_y{number}"
        names = self.merged_names((node,))
        before = set(self.bound)
        inside: list[ast.stmt] = list(node.body)
        if node.handlers or node.orelse:
            inside = [ast.copy_location(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        self.context.append(Protected(variable, True))
        body = self.inner_block(inside)
        self.context.pop()
        after = self.bound
        self.bound = before
        self.context.append(Wrapper())

        def phase() -> None:
            self.block(node.finalbody)
            self.emit(
                "if _Y.error is None:\n    pass\nelse:\n    _AGAIN",
                node,
                _Y=variable,
                _AGAIN=self.collect(again),
            )

        def again() -> None:
            kept = set(self.bound)
            for how, kinds in (
                ("return", (ast.Return,)),
                ("break", (ast.Break,)),
                ("continue", (ast.Continue,)),
            ):
                if how == "return":
                    used = any(isinstance(found, ast.Return) for found in walk(inside))
                else:
                    used = leaves(inside, kinds)  # type: ignore[arg-type]
                if not used:
                    continue
                value = expression("_Y.error.value", node, _Y=variable)
                leaving: ast.stmt = (
                    ast.Return(lowering.Rewritten(value)) if how == "return" else kinds[0]()
                )
                code = self.inner_block([ast.copy_location(leaving, node)])
                self.emit(
                    "if _sv_type(_Y.error) is _sv_Leave and _Y.error.how == _H:\n    _CODE",
                    node, _Y=variable, _H=ast.Constant(how), _CODE=code,
                )  # fmt: skip
                self.bound = set(kept)
            self.emit("raise _Y.error", node, _Y=variable)

        code = self.collect(phase)
        self.bound |= after
        self.context.pop()
        self.emit_try(node, variable, names, True, body, code)
        self.after_wrapper([*inside, *node.finalbody], node)

    def emit_try(
        self,
        node: ast.stmt,
        variable: str,
        names: tuple[str, ...],
        final: bool,
        body: Statements,
        phase: Statements,
    ) -> None:
        listed = ast.Tuple([ast.copy_location(ast.Constant(n), node) for n in names], ast.Load())
        self.emit(
            TRY, node, _SCOPES=self.scopes(node), _Y=variable, _NAMES=ast.copy_location(listed, node),
            _FINAL=ast.copy_location(ast.Constant(final), node), _BODY=body, _W=names, _PHASE=phase,
        )  # fmt: skip

    def do_With(self, node: ast.With) -> None:
        self.lowered(lowering.lower_with(node, self.number()))

    def lowered(self, body: Statements) -> None:
        """Rewrite generated statements; the variables that they introduce are local."""
        self.locals |= set(bound_names(body)) - self.globals - self.nonlocals
        self.block(body)

    # --- definitions ------------------------------------------------------------------------------

    def do_FunctionDef(self, node: ast.FunctionDef) -> None:
        decorators = self.exprs(node.decorator_list)
        if node.name in self.globals or node.name in self.nonlocals:
            self.refuse(node, "a function definition for a `global` or `nonlocal` name", "")
        # Decorators are evaluated before the function is made.
        kept = [self.keep(decorator, node) for decorator in decorators]
        result = self.inner_function(node)
        result.decorator_list = []
        self.out.append(result)
        for decorator in reversed(kept):
            self.emit("_F = _sv_call(_D)(_F)", node, _F=node.name, _D=decorator)
        self.note_bound(node.name)

    def inner_function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """An inner function, rewritten; its defaults are evaluated here."""
        arguments = self.rewrite_arguments(node.args)
        inner = FunctionRewriter(self.unit, node, self)
        body = inner.function()
        return ast.copy_location(
            ast.FunctionDef(node.name, arguments, body, list(node.decorator_list), None), node
        )

    def do_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.refuse(node, "an `async` function", "use an ordinary function")

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        body = [
            self.in_class(child, node) if isinstance(child, ast.FunctionDef) else child
            for child in node.body
        ]
        self.out.append(
            ast.copy_location(
                ast.ClassDef(node.name, node.bases, node.keywords, body, node.decorator_list), node
            )
        )
        self.note_bound(node.name)

    def in_class(self, node: ast.FunctionDef, inside: ast.ClassDef) -> ast.FunctionDef:
        inner = FunctionRewriter(self.unit, node, self)
        return ast.copy_location(
            ast.FunctionDef(node.name, node.args, inner.function(), node.decorator_list, None), node
        )


class Unit:
    """One piece of source that is rewritten as a whole: a function or a module."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.counter = 0

    def refuse(self, node: ast.AST, what: str, instead: str = "") -> NoReturn:
        """Report a construct that cannot be lifted, with its position."""
        line = getattr(node, "lineno", 0)
        advice = f"; {instead}" if instead else ""
        raise NotLiftedError(f"{self.filename}:{line}: {what} cannot be lifted{advice}")
