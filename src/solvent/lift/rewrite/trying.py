"""Exceptions: `try`, `raise`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.base import Base, Statements
from solvent.lift.rewrite.context import Protected, Wrapper
from solvent.lift.rewrite.scoping import bound_names, leaves, walk
from solvent.lift.rewrite.templates import expression, statements

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
        _Y.end(_sv_x)
    if _Y.single:
        break
    _W = _Y.next(_W)
    if _Y.done:
        break
"""


def ways_out(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """How statements leave what is around them: each way with a statement that does so."""
    if any(isinstance(found, ast.Return) for found in walk(body)):
        yield "return", ast.Return()
    if leaves(list(body), (ast.Break,)):
        yield "break", ast.Break()
    if leaves(list(body), (ast.Continue,)):
        yield "continue", ast.Continue()


class Trying(Base):
    """Rewrites what raises and handles."""

    def do_Raise(self, node: ast.Raise) -> None:
        if node.exc is None:
            self.out.append(node)
            return
        parts = [node.exc] if node.cause is None else [node.exc, node.cause]
        values = self.exprs(parts)
        exception = expression("_sv_exception(_E)", node, _E=values[0])
        cause = values[1] if len(values) > 1 else None
        self.out.append(ast.copy_location(ast.Raise(exception, cause), node))

    def do_Try(self, node: ast.Try) -> None:
        if node.finalbody:
            self.try_finally(node)
        else:
            self.try_except(node)

    def do_TryStar(self, node: ast.stmt) -> None:
        self.refuse(node, "`except*`", "use `except` instead")

    def try_except(self, node: ast.Try) -> None:
        if any(self.is_computed(handler.type) for handler in node.handlers):
            node = lowering.lower_handlers(node, self.number())
            self.locals |= set(bound_names((node,))) - self.globals - self.nonlocals
        number = self.number()
        variable = f"_sv_y{number}"
        names = self.merged_names((node,))
        before = set(self.bound)
        with self.inside(Protected(variable, False), blocks=1):
            body = self.inner_block(node.body)
        with self.inside(Wrapper(), blocks=3):
            otherwise = self.inner_block(node.orelse)
            results = [self.bound]
            handlers = []
            for handler in node.handlers:
                self.bound = set(before)
                handlers.append(self.handler(handler))
                results.append(self.bound)
            self.bound = set.intersection(*results)
        phase = statements(
            "if _Y.error is None:\n    _ELSE\nelse:\n    try:\n        raise _Y.error\n"
            "    except _sv_BaseException:\n        raise",
            node, _Y=variable, _ELSE=otherwise,
        )  # fmt: skip
        inner = phase[0]
        assert isinstance(inner, ast.If)
        assert isinstance(inner.orelse[0], ast.Try)
        inner.orelse[0].handlers = handlers
        self.emit_try(node, variable, names, False, body, phase)
        self.after_wrapper(
            [*node.body, *node.orelse, *(child for h in node.handlers for child in h.body)], node
        )

    def is_computed(self, kind: ast.expr | None) -> bool:
        """Whether a handler's class may differ between paths."""
        return kind is not None and any(
            (isinstance(found, ast.Name) and found.id in self.locals)
            or isinstance(found, (ast.Call, ast.IfExp, ast.BoolOp, ast.Subscript))
            for found in ast.walk(kind)
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
        with self.inside(Protected(variable, True), blocks=1):
            body = self.inner_block(inside)
        after = self.bound
        self.bound = before

        def phase() -> None:
            self.block(node.finalbody)
            self.emit(
                "if _Y.error is None:\n    pass\nelse:\n    _AGAIN",
                node,
                _Y=variable,
                _AGAIN=self.collect(again),
            )

        def again() -> None:
            self.leave_again(inside, variable, node)
            self.emit("raise _Y.error", node, _Y=variable)

        with self.inside(Wrapper(), blocks=2):
            code = self.collect(phase)
        self.bound |= after
        self.emit_try(node, variable, names, True, body, code)
        self.after_wrapper([*inside, *node.finalbody], node)

    def leave_again(self, body: Sequence[ast.stmt], variable: str, node: ast.stmt) -> None:
        """After a clause: go on with a `return`, `break` or `continue` that was on its way."""
        kept = set(self.bound)
        for how, leaving in ways_out(body):
            done = leaving
            if how == "return":
                value = expression("_Y.error.value", node, _Y=variable)
                done = ast.Return(lowering.Rewritten(value))
            code = self.inner_block([ast.copy_location(done, node)])
            self.emit(
                "if _sv_type(_Y.error) is _sv_Leave and _Y.error.how == _H:\n    _CODE",
                node, _Y=variable, _H=ast.Constant(how), _CODE=code,
            )  # fmt: skip
            self.bound = set(kept)

    def emit_try(
        self,
        node: ast.stmt,
        variable: str,
        names: tuple[str, ...],
        final: bool,
        body: Statements,
        phase: Statements,
    ) -> None:
        constants: list[ast.expr] = [ast.copy_location(ast.Constant(n), node) for n in names]
        listed = ast.copy_location(ast.Tuple(constants, ast.Load()), node)
        self.emit(
            TRY, node, _SCOPES=self.scopes((node,), node), _Y=variable, _NAMES=listed,
            _FINAL=ast.copy_location(ast.Constant(final), node), _BODY=body, _W=names, _PHASE=phase,
        )  # fmt: skip
