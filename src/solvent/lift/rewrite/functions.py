"""Functions, generators, classes, lambdas and comprehensions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import Any

from solvent.lift.helpers import COMPREHENSION, LAMBDA
from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.base import Base, Statements
from solvent.lift.rewrite.context import Protected
from solvent.lift.rewrite.lowering import Comprehension
from solvent.lift.rewrite.scoping import type_parameters, walk
from solvent.lift.rewrite.templates import expression, statements

FUNCTION = """
_sv_s = None
try:
    _BODY
    if _sv_s is None:
        return None
    return _sv_s.give((None,))[0]
except _sv_BaseException as _sv_x:
    if _sv_s is None:
        raise
    return _sv_s.escape(_sv_x)[0]
"""

# The variable gives up the value, so that only the tuple refers to it when results are merged.
RETURN = """
if _sv_s is None:
    _DROP
    return _R
_R = (_R,)
_CLEAR
return _sv_s.give(_R)[0]
"""

# As long as nothing had to be undone since the generator was made, `yield` is Python's own.
YIELD = """
if (_sv_journaling or not _sv_gen.plain or _GUARDED) and _sv_gen.buffering():
    _sv_gen.put(_V)
    _R = None
else:
    try:
        _R = yield _V
    except _sv_GeneratorExit:
        raise
    except _sv_BaseException:
        if _sv_journaling or not _sv_gen.plain:
            _sv_gen.resume()
        raise
    if _sv_journaling or not _sv_gen.plain:
        _sv_gen.resume()
"""


# The same where the item comes from a generator inside, which gets what is sent or thrown.
DELEGATED = """
if (_sv_journaling or not _sv_gen.plain or _GUARDED) and _sv_gen.buffering():
    _sv_gen.put(_V)
else:
    _sv_gen.delegates = True
    try:
        _S.sent = yield _V
    except _sv_GeneratorExit:
        raise
    except _sv_BaseException as _sv_x:
        _S.raised = _sv_x
    if _sv_journaling or not _sv_gen.plain:
        _sv_gen.resume()
    _sv_gen.delegates = False
"""


def bare(found: ast.arg) -> ast.arg:
    """A parameter without its annotation."""
    return ast.copy_location(ast.arg(found.arg), found)


class Functions(Base):
    """Rewrites definitions."""

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
        self.fill_clearing(at)
        start: Statements = []
        for name in self.cells:
            start += statements(
                "_C = (lambda: _X).__closure__[0]", at, _C=f"_sv_cell_{name}", _X=name
            )
        for known in self.resolved.values():
            start += statements("_P = _sv_UNRESOLVED", at, _P=known)
        for name in self.starts_unbound:
            if name not in self.parameters:
                start += statements("_X = _sv_UNBOUND", at, _X=name)
        whole = [*declarations, *start, *inner] or [ast.copy_location(ast.Pass(), at)]
        if self.is_generator:
            whole = self.generator(whole, at)
        return [*docstring, *whole]

    def fill_clearing(self, at: ast.AST) -> None:
        """All variables inside of expressions are known now."""
        body: Statements = [ast.Pass()]
        if self.temporaries:
            targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in self.temporaries]
            body = [ast.Assign(targets, ast.Constant(None))]
        self.clearing.body = [ast.fix_missing_locations(ast.copy_location(b, at)) for b in body]

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
            *statements("return _sv_generate(_sv_GeneratorState(), _sv_body, *_A)", at, _A=given),
        ]

    def do_Return(self, node: ast.Return) -> None:
        value = self.expr(node.value) if node.value is not None else ast.Constant(None)
        final = self.nearest_final(None)
        if final:
            self.emit('raise _sv_Leave("return", _V)', node, _V=value)
        elif self.returns_inside:
            name = f"_sv_r{self.number()}"
            self.emit("_R = _V", node, _R=name, _V=value)
            self.forget(value, node)
            self.emit(RETURN, node, _R=name, _DROP=self.drops(None, node), _CLEAR=self.clear())
        else:
            self.out.append(ast.copy_location(ast.Return(value), node))
        self.bound = set(self.locals)

    def do_FunctionDef(self, node: ast.FunctionDef) -> None:
        decorators = self.exprs(node.decorator_list)
        if node.name in self.globals or node.name in self.nonlocals:
            self.refuse(node, "a function definition for a `global` or `nonlocal` name", "")
        # Decorators are evaluated before the function is made.
        kept = [self.keep(decorator, node) for decorator in decorators]
        # Whoever calls the function finds its name bound.
        self.note_bound(node.name)
        result = self.inner_function(node)
        result.decorator_list = []
        if node.name in self.captured:
            self.note_cell(node.name, node)
        self.out.append(result)
        for decorator in reversed(kept):
            self.emit("_F = _sv_call(_D)(_F)", node, _F=node.name, _D=decorator)
        self.note_bound(node.name)

    def inner_function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """An inner function, rewritten; its defaults are evaluated here."""
        arguments = self.rewrite_arguments(node.args)
        inner = type(self)(self.unit, node, self)
        body = inner.function()
        return ast.copy_location(
            ast.FunctionDef(
                node.name, arguments, body, list(node.decorator_list), None,
                **type_parameters(node),
            ), node,
        )  # fmt: skip

    def do_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.refuse(node, "an `async` function", "use an ordinary function")

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        if node.name in self.globals or node.name in self.nonlocals:
            self.refuse(node, "a class definition for a `global` or `nonlocal` name", "")
        made = self.inner_class(node)
        if node.name in self.captured:
            self.note_cell(node.name, node)
        self.out.append(made)
        self.note_bound(node.name)

    def do_TypeAlias(self, node: Any) -> None:
        name = node.name.id
        if name in self.globals or name in self.nonlocals:
            self.refuse(node, "a `type` statement for a `global` or `nonlocal` name", "")
        if name in self.captured:
            self.note_cell(name, node)
        self.out.append(node)
        self.note_bound(name)

    def inner_class(self, node: ast.ClassDef) -> ast.ClassDef:
        """A class, which Python itself makes; values are computed before that."""
        known: dict[str, ast.expr | None] = {}
        body = [self.in_class(child, known) for child in node.body]
        return ast.copy_location(
            ast.ClassDef(
                node.name, node.bases, node.keywords, body, node.decorator_list,
                **type_parameters(node),
            ), node,
        )  # fmt: skip

    def in_class(self, node: ast.stmt, known: dict[str, ast.expr | None]) -> ast.stmt:
        """A statement in the body of a class.

        `known` are its variables so far, with their values or `None` for what is made inside.
        """
        if isinstance(node, ast.FunctionDef):
            known[node.name] = None
            return self.method(node, known)
        if isinstance(node, ast.ClassDef):
            known[node.name] = None
            return self.inner_class(node)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            return self.class_variable(node, known)
        if type(node).__name__ == "TypeAlias":
            return node
        if isinstance(node, ast.Pass) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            return node
        what = type(node).__name__.lower()
        return self.refuse(
            node,
            f"`{what}` in the body of a class inside of a function",
            "move it out of there",
        )

    def class_variable(
        self, node: ast.Assign | ast.AnnAssign, known: dict[str, ast.expr | None]
    ) -> ast.stmt:
        """An assignment in the body of a class."""
        if node.value is None:
            return node
        targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else [node.target]
        value = self.value_in_class(node.value, known)
        for target in targets:
            if not isinstance(target, ast.Name):
                return self.refuse(
                    target, "unpacking in the body of a class inside of a function",
                    "assign the names one by one",
                )  # fmt: skip
            known[target.id] = value if _is_outside(value) else None
        result: ast.stmt = ast.Assign(targets, value)
        if isinstance(node, ast.AnnAssign):
            result = ast.AnnAssign(node.target, node.annotation, value, node.simple)
        return ast.copy_location(result, node)

    def method(
        self, node: ast.FunctionDef, known: Mapping[str, ast.expr | None]
    ) -> ast.FunctionDef:
        """A function in the body of a class, whose defaults are computed before it is made."""
        arguments = copy.copy(node.args)
        arguments.defaults = [self.value_in_class(found, known) for found in arguments.defaults]
        arguments.kw_defaults = [
            found and self.value_in_class(found, known) for found in arguments.kw_defaults
        ]
        inner = type(self)(self.unit, node, self)
        return ast.copy_location(
            ast.FunctionDef(
                node.name, arguments, inner.function(), node.decorator_list, None,
                **type_parameters(node),
            ), node,
        )  # fmt: skip

    def value_in_class(self, value: ast.expr, known: Mapping[str, ast.expr | None]) -> ast.expr:
        """What stands for an expression in the body of a class, computed before that is made."""
        if any(isinstance(found, ast.NamedExpr) for found in ast.walk(value)):
            what = "`:=` in the body of a class inside of a function"
            self.refuse(value, what, "assign before the class")
        names = [found.id for found in ast.walk(value) if isinstance(found, ast.Name)]
        made_inside = any(known.get(name, value) is None for name in names)
        if made_inside or isinstance(value, ast.Constant):
            # Properties and the like, made of methods.
            return value
        self.in_class_body = True
        try:
            return self.keep(self.expr(_InClass(known).visit(lowering.copied(value))), value)
        finally:
            self.in_class_body = False

    def rewrite_arguments(self, arguments: ast.arguments) -> ast.arguments:
        """The parameters of an inner function, with rewritten defaults and no annotations."""
        present = [default for default in arguments.kw_defaults if default is not None]
        results = self.exprs([*arguments.defaults, *present])
        count = len(arguments.defaults)
        named = iter(results[count:])
        return ast.arguments(
            posonlyargs=[bare(found) for found in arguments.posonlyargs],
            args=[bare(found) for found in arguments.args],
            vararg=bare(arguments.vararg) if arguments.vararg else None,
            kwonlyargs=[bare(found) for found in arguments.kwonlyargs],
            kw_defaults=[next(named) if d is not None else None for d in arguments.kw_defaults],
            kwarg=bare(arguments.kwarg) if arguments.kwarg else None,
            defaults=results[:count],
        )

    def ex_Lambda(self, node: ast.Lambda) -> ast.expr:
        name = f"{LAMBDA}{self.number()}"
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        function = ast.copy_location(ast.FunctionDef(name, node.args, body, [], None), node)
        result = self.inner_function(function)
        if len(result.body) == 1 and isinstance(result.body[0], ast.Return):
            value = result.body[0].value
            assert value is not None
            return ast.copy_location(ast.Lambda(result.args, value), node)
        self.out.append(result)
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def comprehension(self, node: Comprehension) -> ast.expr:
        """A comprehension becomes a call of an inner function with a loop."""
        name = f"{COMPREHENSION}{self.number()}"
        first = self.source(node.generators[0].iter)
        function = lowering.lower_comprehension(node, name, self)
        self.out.append(self.inner_function(function))
        return expression("_F(_V)", node, _F=name, _V=first)

    ex_ListComp = ex_SetComp = ex_DictComp = ex_GeneratorExp = comprehension

    def ex_Yield(self, node: ast.Yield) -> ast.expr:
        value: ast.expr = ast.copy_location(ast.Constant(None), node)
        if node.value is not None:
            value = self.keep(self.expr(node.value), node)
        result = f"_sv_o{self.number()}"
        # A `try` statement around is a scope of the frame, which is left for a while.
        guarded = any(isinstance(entry, Protected) for entry in self.context)
        guarded_ = ast.copy_location(ast.Constant(guarded), node)
        self.emit(YIELD, node, _V=value, _R=result, _GUARDED=guarded_)
        return ast.copy_location(ast.Name(result, ast.Load()), node)

    def ex_Delegated(self, node: lowering.Delegated) -> ast.expr:
        guarded = any(isinstance(entry, Protected) for entry in self.context)
        guarded_ = ast.copy_location(ast.Constant(guarded), node)
        self.emit(DELEGATED, node, _V=node.value, _S=node.delegate, _GUARDED=guarded_)
        return ast.copy_location(ast.Constant(None), node)

    def ex_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        number = self.number()
        source = f"_sv_from{number}"
        self.lowered(lowering.lower_yield_from(node, source, f"_sv_item{number}"))
        return expression("_S.value", node, _S=source)


def _is_outside(value: ast.expr) -> bool:
    """Whether an expression in the body of a class is known outside of it."""
    return isinstance(value, ast.Constant) or (
        isinstance(value, ast.Name) and value.id.startswith("_sv_")
    )


class _InClass(ast.NodeTransformer):
    """Replaces the variables of a class in an expression of its body."""

    def __init__(self, known: Mapping[str, ast.expr | None]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return (isinstance(node.ctx, ast.Load) and self.known.get(node.id)) or node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        # Functions inside of a class do not see its variables.
        return node

    def visit_comprehension_scope(self, node: Comprehension) -> ast.AST:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_scope
