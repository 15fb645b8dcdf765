"""`with` statements.

A manager that is an object of a class is left by each group of paths alone, like a `finally`
clause, and its method sees what that group does.  The frame of a generator cannot be left twice:
where `contextlib.contextmanager` made the manager, what leaves the body is put into variables
(nothing, an exception, a `return`, `break` or `continue`), the paths meet, and go on together in
the generator, which raises the exceptions where it had yielded, each on its own paths.
"""

from __future__ import annotations

import ast

from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.base import Statements
from solvent.lift.rewrite.context import Protected, Wrapper
from solvent.lift.rewrite.templates import expression, statements
from solvent.lift.rewrite.trying import Trying, ways_out
from solvent.vm.trying import WAYS

ENTER = """
_M = _E
_X = _sv_exit_of(_M)
_MEET = _sv_meets(_M)
_V = _sv_enter(_M)
"""

# What each group of paths does when it is done with the body.
PHASE = """
if _MEET:
    _LEFT = _sv_left(_Y.error)
elif _Y.error is None or _sv_type(_Y.error) is _sv_Leave:
    _X(None, None, None)
    _AGAIN
else:
    _RAISED
"""

# What all of them do then, if they have met.
TOGETHER = """
if _MEET:
    _sv_leave_together(_M, _X, _RAISED)
    _AGAIN
"""


class Managing(Trying):
    """Rewrites `with` statements."""

    def do_With(self, node: ast.With) -> None:
        item, *rest = node.items
        number = self.number()
        holes = {hole: f"_sv_with_{hole[1:].lower()}{number}" for hole in ("_M", "_X", "_MEET")}
        value = f"_sv_with_v{number}"
        self.lowered(statements(ENTER, node, _E=item.context_expr, _V=value, **holes))
        body = node.body
        if rest:
            body = [ast.copy_location(ast.With(rest, body), node)]
        if item.optional_vars is not None:
            held = ast.copy_location(ast.Name(value, ast.Load()), node)
            body = [ast.copy_location(ast.Assign([item.optional_vars], held), node), *body]
        self.managed(node, body, holes)

    def managed(self, node: ast.With, body: list[ast.stmt], holes: dict[str, str]) -> None:
        """The body, and how it is left."""
        number = self.number()
        variable = f"_sv_y{number}"
        left = tuple(f"_sv_with_{part}{number}" for part in ("how", "given", "raised"))
        self.locals |= set(left)
        names = self.merged_names(body, *left)
        for name in left:
            self.starts_unbound[name] = None
        before = set(self.bound)
        with self.inside(Protected(variable, True), blocks=1):
            code = self.inner_block(body)
        # A manager may catch what the body raises before it has bound its variables.
        self.bound = before
        with self.inside(Wrapper(), blocks=2):
            again = self.collect(lambda: self.leave_again(body, variable, node))
            self.bound = set(before)
            raised = self.collect(lambda: self.fail(node, variable, holes["_X"]))
            phase = statements(
                PHASE, node, _Y=variable, _LEFT=left, _AGAIN=again, _RAISED=raised, **holes
            )
        self.bound = set(before)
        self.emit_try(node, variable, names, True, code, phase)
        self.after_wrapper(body, node)
        further = self.collect(lambda: self.leave_together(node, body, left))
        self.emit(TOGETHER, node, _RAISED=left[2], _AGAIN=further, **holes)

    def fail(self, node: ast.With, variable: str, leave: str) -> None:
        """The body raised: the manager says whether that goes on."""
        details = "_X(_sv_type(_Y.error), _Y.error, _Y.error.__traceback__)"
        suppressed = lowering.Rewritten(expression(details, node, _X=leave, _Y=variable))
        error = lowering.Rewritten(expression("_Y.error", node, _Y=variable))
        self.block(statements("if not _S:\n    raise _E", node, _S=suppressed, _E=error))

    def leave_together(self, node: ast.With, body: Statements, left: tuple[str, ...]) -> None:
        """Go on with the `return`, `break` or `continue` of some of the paths."""
        how, given, _ = left
        kept = set(self.bound)
        for way, leaving in ways_out(body):
            done = leaving
            if way == "return":
                value = expression("_sv_value_in(_GIVEN)", node, _GIVEN=given)
                done = ast.Return(lowering.Rewritten(value))
            taken = lowering.Rewritten(expression("_H", node, _H=how))
            test = expression("_T == _N", node, _T=taken, _N=ast.Constant(WAYS.index(way)))
            self.block([ast.copy_location(ast.If(test, [ast.copy_location(done, node)], []), node)])
            self.bound = set(kept)
