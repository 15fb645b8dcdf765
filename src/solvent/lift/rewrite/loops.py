"""Loops, and leaving them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from solvent.lift.rewrite.base import Base, Statements
from solvent.lift.rewrite.context import Loop, Protected, Wrapper
from solvent.lift.rewrite.scoping import leaves
from solvent.lift.rewrite.templates import expression, statements

FOR = """
for _V in _sv_iterate(_ITER):
    if _sv_type(_V) is _sv_Maybe:
        _SCOPES
        if _L is None:
            _L = _sv_Scope()
        _CLEAR
        _L.item(_V.guard, _W)
        _V = _V.value
    _BODY
"""

LEAVE_OR_STAY = """
_T = _sv_truth(_T)
if _T is not True and _T is not False:
    _SCOPES
    if _L is None:
        _L = _sv_Scope()
    _CLEAR
    _T = _L.test(_T, _W)
"""

WHILE = """
while True:
    _TEST
    if not _T:
        break
    _BODY
"""

ELSE = """
_LOOP
if not _BROKEN:
    _FINISH
    _ELSE
"""

# A region that paths may leave early has a scope from the first one that does.
SCOPED = """
_L = None
try:
    _BODY
except _sv_BaseException as _sv_x:
    if _L is None:
        raise
    _W = _L.escape(_sv_x)
    _L = None
"""

# All paths are done, or the current one leaves.
FINISH = """
if _L is not None:
    _CLEAR
    _W = _L.finish(_W)
    _L = None
"""
LEAVE = FINISH.replace("finish", "leave")


class Loops(Base):
    """Rewrites loops."""

    def do_For(self, node: ast.For) -> None:
        iterable = self.source(node.iter)
        number = self.number()
        names = self.merged_names((node.target, *node.body))
        loop = Loop(number, node, names, self.merged_names(node.orelse))
        item = f"_sv_v{number}"
        scopes = self.scopes((node,), node)
        if loop.outer and loop.breaks:
            scopes += statements("if _L is None:\n    _L = _sv_Scope()", node, _L=loop.outer)

        def body() -> None:
            self.assign(node.target, ast.copy_location(ast.Name(item, ast.Load()), node), node)
            self.iteration(loop, node)

        before = set(self.bound)
        with self.inside(loop, blocks=2 + bool(loop.outer)):
            code = self.collect(body)
        self.bound = before
        whole = statements(
            FOR, node, _L=loop.scope, _V=item, _ITER=iterable, _SCOPES=scopes, _W=loop.names,
            _BODY=code, _CLEAR=self.clear(),
        )  # fmt: skip
        self.finish_loop(loop, whole, node)

    def scoped(self, body: Statements, scope: str, names: tuple[str, ...], at: ast.AST) -> None:
        """A region that paths may leave early, to the place behind it."""
        self.emit(SCOPED, at, _L=scope, _BODY=body, _W=names)
        self.emit(FINISH, at, _L=scope, _W=names, _CLEAR=self.clear())

    def do_While(self, node: ast.While) -> None:
        number = self.number()
        names = self.merged_names((node.test, *node.body))
        loop = Loop(number, node, names, self.merged_names(node.orelse))
        variable = f"_sv_t{number}"
        scopes = self.scopes((node,), node)
        if loop.outer and loop.breaks:
            scopes += statements("if _L is None:\n    _L = _sv_Scope()", node, _L=loop.outer)
        before = set(self.bound)
        blocks = 2 + bool(loop.outer)
        self.blocks += blocks
        check = statements(
            LEAVE_OR_STAY, node, _T=variable, _L=loop.scope, _SCOPES=scopes, _W=loop.names,
            _CLEAR=self.clear(),
        )  # fmt: skip
        test = self.collect(
            lambda: self.emit(
                "_DECIDED",
                node,
                _DECIDED=self.decided(variable, self.expr(node.test), check, node),
            )
        )
        self.blocks -= blocks
        with self.inside(loop, blocks=blocks):
            code = self.collect(lambda: self.iteration(loop, node))
        self.bound = before
        whole = statements(
            WHILE, node, _T=variable, _TEST=test, _BODY=code
        )  # fmt: skip
        self.finish_loop(loop, whole, node)

    def iteration(self, loop: Loop, node: ast.For | ast.While) -> None:
        """The body of a loop, with a scope of its own if paths may skip the rest of it."""
        if not loop.iteration:
            self.block(node.body)
            return
        self.blocks += 1
        code = self.inner_block(node.body)
        self.blocks -= 1
        self.scoped(code, loop.iteration, loop.names, node)

    def finish_loop(self, loop: Loop, whole: Statements, node: ast.For | ast.While) -> None:
        """After the loop: merge the paths that left it, run its `else` clause."""
        self.emit("_K = 0", node, _K=loop.flag)
        if not loop.outer:
            self.scoped(whole, loop.scope, loop.names, node)
            if leaves(node.body, (ast.Break, ast.Continue)):
                self.emit("_K = 0", node, _K=loop.flag)
            return
        inner = statements(SCOPED, node, _L=loop.scope, _BODY=whole, _W=loop.names)
        finish = statements(FINISH, node, _L=loop.scope, _W=loop.names, _CLEAR=self.clear())
        otherwise = self.inner_block(node.orelse)
        broken = expression("_K == 1", node, _K=loop.flag)
        code = statements(
            ELSE, node, _LOOP=inner, _BROKEN=broken, _FINISH=finish, _ELSE=otherwise
        )  # fmt: skip
        self.scoped(code, loop.outer, loop.all_names, node)

    # --- leaving ---

    def loop(self) -> Loop:
        """The loop of the source around the current statement."""
        for entry in reversed(self.context):
            if isinstance(entry, Loop):
                return entry
        raise AssertionError("outside of a loop")

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

    def do_Break(self, node: ast.Break) -> None:
        loop = self.loop()
        if self.nearest_final(loop):
            self.emit('raise _sv_Leave("break")', node)
        else:
            if loop.outer:
                self.emit(LEAVE, node, _L=loop.outer, _W=loop.all_names, _CLEAR=self.clear())
            else:
                self.emit(LEAVE, node, _L=loop.scope, _W=loop.names, _CLEAR=self.clear())
            self.jump(loop, 1, node)
        self.bound = set(self.locals)

    def do_Continue(self, node: ast.Continue) -> None:
        loop = self.loop()
        if self.nearest_final(loop):
            self.emit('raise _sv_Leave("continue")', node)
        else:
            if loop.iteration:
                self.emit(LEAVE, node, _L=loop.iteration, _W=loop.names, _CLEAR=self.clear())
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
