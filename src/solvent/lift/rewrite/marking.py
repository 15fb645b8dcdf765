"""Marking the expressions of a function whose values a debug run may relax.

A pass over the syntax tree of a function, before it is rewritten: an expression `e` becomes
`_sv_relax(e, number)`, where the number stands for its place in the source, and what is called is
looked up with `_sv_relaxed`, so that it is marked as well.

Marked are constants, operators, comparisons, conditional expressions, items and calls, that is,
whatever computes a value.  Names and attributes only pass values on; they are marked where nothing
around them is: as arguments, and where they are returned, stored, or decide a branch.  Assertions,
assumptions and `raise` statements say what is right, so nothing is marked in them.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from solvent.lift.registry import placed
from solvent.lift.rewrite.lowering import Comprehension, copied
from solvent.lift.rewrite.scoping import bound_names, parameters
from solvent.terms.values import bv
from solvent.vm.own import is_own
from solvent.vm.values import Value

Definition = TypeVar("Definition", bound=ast.FunctionDef | ast.Lambda)
Node = TypeVar("Node", bound=ast.expr)


@dataclass(frozen=True, slots=True)
class Place:
    """An expression of the source; lines are counted from 1, columns from 0."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = field(compare=False)
    # The function that it is in, and what it only reads if that is a parameter of it.
    function: str = field(compare=False)
    module: str = field(compare=False)
    code: CodeType = field(compare=False, repr=False)
    parameter: bool = field(compare=False, default=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"


# All places that were marked, by number.
PLACES: dict[int, Place] = {}
# Counted by a C function, so that two threads never get one number.
_numbers = itertools.count()

# Functions of Solvent whose arguments belong to the specification, or must stay concrete.
_SPECIFICATION = ("solvent.lift", "solvent.vm", "solvent.queries", "solvent.sketch")
_FRAME = ("super", "locals", "globals")
_LITERALS = (bool, int, float, str)
_UNKNOWN = object()

# The number of what has no mark.
NOWHERE = -1


def marked(function: FunctionType, node: Definition) -> Definition:
    """A copy of the syntax tree of a function with its expressions marked."""
    return _Marker(function, node).whole(copied(node))


class _Marker:
    def __init__(self, function: FunctionType, node: ast.FunctionDef | ast.Lambda) -> None:
        self.code = function.__code__
        self.qualname = function.__qualname__
        self.module = function.__module__ or ""
        self.lines = linecache.getlines(self.code.co_filename, function.__globals__)
        self.namespace = {**vars(builtins), **function.__globals__}
        for name, cell in zip(self.code.co_freevars, function.__closure__ or (), strict=True):
            try:
                self.namespace[name] = cell.cell_contents
            except ValueError:
                self.namespace.pop(name, None)
        names = [found for found in ast.walk(node) if isinstance(found, ast.Name)]
        self.bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        self.bound |= {found.arg for found in ast.walk(node) if isinstance(found, ast.arg)}
        body = node.body if isinstance(node.body, list) else []
        # Parameters that hold what the caller gave from start to end.
        self.inputs = set(parameters(node.args)) - set(bound_names(body))
        # Whether the code at hand says what is right.
        self.specification = False

    def whole(self, node: Definition) -> Definition:
        """The function itself; its defaults and decorators were evaluated before."""
        if isinstance(node, ast.Lambda):
            node.body = self.expr(node.body)
        else:
            node.body = self.block(node.body)
        return node

    # --- marks ---

    def mark(self, helper: str, value: ast.expr, at: ast.AST, parameter: bool = False) -> ast.expr:
        """`helper(value, number)`; nothing in a specification."""
        if self.specification:
            return value
        return self.helper(helper, at, value, ast.Constant(self.number(at, parameter)))

    def number(self, at: ast.AST, parameter: bool = False) -> int:
        """A number for the place of a node."""
        number = next(_numbers)
        PLACES[number] = self.place(at, parameter)
        return number

    def helper(self, name: str, at: ast.AST, *args: ast.expr) -> ast.expr:
        """The call of a helper, located at a node."""
        result = ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(args), []), at)
        return ast.fix_missing_locations(result)

    def place(self, at: Any, parameter: bool) -> Place:
        """Where a node is in the source."""
        first, last = self.line(at.lineno), self.line(at.end_lineno)
        start = len(first.encode()[: at.col_offset].decode(errors="replace"))
        end = len(last.encode()[: at.end_col_offset].decode(errors="replace"))
        lines = [self.line(number) for number in range(at.lineno, at.end_lineno + 1)]
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return Place(
            self.code.co_filename, at.lineno, start, at.end_lineno, end,
            "\n".join(lines), self.qualname, self.module, self.code, parameter,
        )  # fmt: skip

    def line(self, number: int) -> str:
        """A line of the source."""
        if number > len(self.lines):
            return ""
        return self.lines[number - 1].rstrip("\n")

    @contextmanager
    def specifying(self) -> Iterator[None]:
        """Mark nothing, but what is called."""
        before, self.specification = self.specification, True
        try:
            yield
        finally:
            self.specification = before

    # --- statements ---

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements in order."""
        result: list[ast.stmt] = []
        for node in body:
            result += self.statement(node)
        return result

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """One statement, and those around it that its marks need."""
        method = getattr(self, f"do_{type(node).__name__}", None)
        found = node if method is None else method(node)
        return found if isinstance(found, list) else [found]

    def do_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Call):
            # Nobody uses the value.
            node.value = self.call(node.value)
        elif not isinstance(node.value, ast.Constant):
            node.value = self.expr(node.value, covered=True)
        return node

    def do_Assign(self, node: ast.Assign) -> ast.stmt:
        node.value = self.expr(node.value)
        node.targets = [self.target(target) for target in node.targets]
        return node

    def do_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is not None:
            node.value = self.expr(node.value)
            node.target = self.target(node.target)
        return node

    def do_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        target = node.target
        node.value = value = self.expr(node.value, covered=True)
        if isinstance(target, ast.Name):
            # The result is what the variable has afterwards.
            read = ast.copy_location(ast.Name(target.id, ast.Load()), node)
            store = ast.copy_location(ast.Name(target.id, ast.Store()), node)
            again = ast.Assign([store], self.mark("_sv_relax", read, node))
            return [node, ast.copy_location(again, node)]
        node.target = self.target(target)
        if isinstance(value, (ast.Name, ast.Attribute)):
            node.value = self.mark("_sv_relax", value, node)
        return node

    def do_Return(self, node: ast.Return) -> ast.stmt:
        if node.value is not None:
            node.value = self.expr(node.value)
        return node

    def do_If(self, node: ast.If) -> ast.stmt:
        node.test = self.test(node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def do_While(self, node: ast.While) -> list[ast.stmt]:
        node.test = self.test(node.test)
        return self.loop(node)

    def do_For(self, node: ast.For) -> list[ast.stmt]:
        node.iter = self.iterable(node.iter)
        return self.loop(node)

    def loop(self, node: ast.For | ast.While) -> list[ast.stmt]:
        """A loop tells when it starts and when it goes on."""
        number = ast.Constant(self.number(node))
        enter, step = [
            ast.copy_location(ast.Expr(self.helper(name, node, number)), node)
            for name in ("_sv_enter_loop", "_sv_step_loop")
        ]
        node.body, node.orelse = [step, *self.block(node.body)], self.block(node.orelse)
        return [enter, node]

    def do_With(self, node: ast.With) -> ast.stmt:
        for item in node.items:
            item.context_expr = self.iterable(item.context_expr)
        node.body = self.block(node.body)
        return node

    def do_Try(self, node: ast.Try) -> ast.stmt:
        for handler in node.handlers:
            handler.body = self.block(handler.body)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        node.finalbody = self.block(node.finalbody)
        return node

    def do_Match(self, node: ast.Match) -> ast.stmt:
        node.subject = self.expr(node.subject, covered=True)
        for case in node.cases:
            if case.guard is not None:
                case.guard = self.test(case.guard)
            case.body = self.block(case.body)
        return node

    def do_Assert(self, node: ast.Assert) -> ast.stmt:
        with self.specifying():
            node.test = self.expr(node.test)
            if node.msg is not None:
                node.msg = self.expr(node.msg)
        return node

    def do_Raise(self, node: ast.Raise) -> ast.stmt:
        with self.specifying():
            node.exc = None if node.exc is None else self.expr(node.exc)
        return node

    def do_Delete(self, node: ast.Delete) -> ast.stmt:
        node.targets = [self.target(target) for target in node.targets]
        return node

    def do_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.decorator_list = [self.expr(found, covered=True) for found in node.decorator_list]
        self.inner(node)
        return node

    def do_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        for child in node.body:
            if isinstance(child, ast.FunctionDef):
                self.inner(child)
        return node

    def inner(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """The body of an inner function, which hides variables of this one."""
        before = self.inputs, self.qualname
        self.inputs = self.inputs - set(parameters(node.args))
        if isinstance(node, ast.Lambda):
            node.body = self.expr(node.body)
        else:
            self.qualname = f"{self.qualname}.<locals>.{node.name}"
            node.body = self.block(node.body)
        self.inputs, self.qualname = before

    def target(self, node: Node) -> Node:
        """What is assigned to: an index decides where."""
        if isinstance(node, ast.Subscript):
            node.value = self.expr(node.value, covered=True)
            node.slice = self.expr(node.slice)
        elif isinstance(node, ast.Attribute):
            node.value = self.expr(node.value, covered=True)
        elif isinstance(node, (ast.Tuple, ast.List)):
            node.elts = [self.target(part) for part in node.elts]
        elif isinstance(node, ast.Starred):
            node.value = self.target(node.value)
        return node

    # --- expressions ---

    def test(self, node: ast.expr) -> ast.expr:
        """What decides a branch: its truth value, if it is no value of a sort itself."""
        if isinstance(node, ast.Call):
            return self.mark("_sv_relax_test", self.call(node), node)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            inner = self.parts(node)
            return self.mark("_sv_relax_test", inner, node, self.is_input(node))
        return self.expr(node)

    def iterable(self, node: ast.expr) -> ast.expr:
        """What is iterated over, or entered: never a value that can be relaxed."""
        if isinstance(node, ast.Call):
            return self.call(node)
        return self.expr(node, covered=True)

    def is_input(self, node: ast.expr) -> bool:
        """Whether a parameter is only read."""
        return isinstance(node, ast.Name) and node.id in self.inputs

    def expr(self, node: ast.expr, covered: bool = False) -> ast.expr:
        """An expression; `covered` if an expression around it is marked."""
        method = getattr(self, f"ex_{type(node).__name__}", None)
        if method is None:
            return self.parts(node)
        result: ast.expr = method(node, covered)
        return result

    def parts(self, node: Node) -> Node:
        """The expressions inside of one."""
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.expr(value, covered=True))
            elif isinstance(value, list):
                items = [self.expr(v, True) if isinstance(v, ast.expr) else v for v in value]
                setattr(node, name, items)
        return node

    def ex_Constant(self, node: ast.Constant, covered: bool) -> ast.expr:
        if type(node.value) not in _LITERALS:
            return node
        return self.mark("_sv_relax", node, node)

    def ex_UnaryOp(self, node: ast.UnaryOp, covered: bool) -> ast.expr:
        if not isinstance(node.operand, ast.Constant):
            self.parts(node)
        return self.mark("_sv_relax", node, node)

    def computed(self, node: ast.BinOp | ast.BoolOp, covered: bool) -> ast.expr:
        """What computes a value from others."""
        return self.mark("_sv_relax", self.parts(node), node)

    ex_BinOp = ex_BoolOp = computed

    def ex_Compare(self, node: ast.Compare, covered: bool) -> ast.expr:
        operands = [node.left, *node.comparators]
        by_identity = any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
        for place, operand in enumerate(operands):
            # `is True` asks for that very object.
            if not (by_identity and isinstance(operand, ast.Constant)):
                operands[place] = self.expr(operand, covered=True)
        node.left, *node.comparators = operands
        return self.mark("_sv_relax", node, node)

    def ex_IfExp(self, node: ast.IfExp, covered: bool) -> ast.expr:
        node.test = self.test(node.test)
        node.body = self.expr(node.body, covered=True)
        node.orelse = self.expr(node.orelse, covered=True)
        return self.mark("_sv_relax", node, node)

    def ex_JoinedStr(self, node: ast.JoinedStr, covered: bool) -> ast.expr:
        with self.specifying():
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    part.value = self.expr(part.value, covered=True)
        return self.mark("_sv_relax", node, node)

    def ex_Subscript(self, node: ast.Subscript, covered: bool) -> ast.expr:
        return self.mark("_sv_relax_read", self.parts(node), node)

    def ex_Slice(self, node: ast.Slice, covered: bool) -> ast.expr:
        if node.lower is not None:
            node.lower = self.expr(node.lower)
        if node.upper is not None:
            node.upper = self.expr(node.upper)
        return node

    def ex_Name(self, node: ast.Name, covered: bool) -> ast.expr:
        if covered or not isinstance(node.ctx, ast.Load):
            return node
        return self.mark("_sv_relax_read", node, node, self.is_input(node))

    def ex_Attribute(self, node: ast.Attribute, covered: bool) -> ast.expr:
        node.value = self.expr(node.value, covered=True)
        return node if covered else self.mark("_sv_relax_read", node, node)

    def ex_NamedExpr(self, node: ast.NamedExpr, covered: bool) -> ast.expr:
        node.value = self.expr(node.value)
        return node

    def displayed(self, node: ast.Tuple | ast.List | ast.Set | ast.Dict, covered: bool) -> ast.expr:
        """A display: what it holds is stored."""
        if isinstance(node, ast.Dict):
            node.keys = [key and self.expr(key) for key in node.keys]
            node.values = [
                self.expr(value, covered=key is None)
                for key, value in zip(node.keys, node.values, strict=True)
            ]
        else:
            node.elts = [self.expr(part) for part in node.elts]
        return node

    ex_Tuple = ex_List = ex_Set = ex_Dict = displayed

    def ex_Yield(self, node: ast.Yield, covered: bool) -> ast.expr:
        if node.value is not None:
            node.value = self.expr(node.value)
        return node

    def ex_Lambda(self, node: ast.Lambda, covered: bool) -> ast.expr:
        self.inner(node)
        return node

    def comprehension(self, node: Comprehension, covered: bool) -> ast.expr:
        """A comprehension: elements are stored, conditions decide."""
        for clause in node.generators:
            clause.iter = self.iterable(clause.iter)
            clause.ifs = [self.test(test) for test in clause.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.expr(getattr(node, name)))
        return node

    ex_ListComp = ex_SetComp = ex_DictComp = ex_GeneratorExp = comprehension

    # --- calls ---

    def ex_Call(self, node: ast.Call, covered: bool) -> ast.expr:
        if self.specification:
            return self.call(node)
        if _is_specification(self.known(node.func)) or self.looks_at_frame(node):
            return node
        number = self.number(node)
        value = self.call(node, number)
        return self.helper("_sv_relax_call", node, value, ast.Constant(number))

    def looks_at_frame(self, node: ast.Call) -> bool:
        """Whether a call means the function that it is in."""
        return isinstance(node.func, ast.Name) and node.func.id in _FRAME

    def call(self, node: ast.Call, number: int = NOWHERE) -> ast.Call:
        """A call without its mark, which has this number: what is called is marked as well."""
        found = self.known(node.func)
        if _is_specification(found) or self.looks_at_frame(node):
            return node
        of_terms = _module_of(found).startswith("solvent.terms")
        # A function that only computes from its arguments covers them.
        covered = of_terms or isinstance(found, (BuiltinFunctionType, type))
        func = node.func
        site = ast.Constant(number)
        if not isinstance(func, ast.Attribute):
            if not covered:
                node.func = self.helper("_sv_relaxed", func, self.expr(func, True), site)
        elif not self.looks_like_super(func.value):
            owner = self.expr(func.value, True)
            name = ast.Constant(func.attr)
            func.value = self.helper("_sv_relaxed_owner", func.value, owner, name, site)
        node.args = [self.argument(given, covered, of_terms) for given in node.args]
        for keyword in node.keywords:
            hidden = covered or keyword.arg is None
            keyword.value = self.argument(keyword.value, hidden, of_terms)
        return node

    def looks_like_super(self, node: ast.expr) -> bool:
        """Whether this is `super()`."""
        return isinstance(node, ast.Call) and self.looks_at_frame(node)

    def argument(self, node: ast.expr, covered: bool, of_terms: bool) -> ast.expr:
        """An argument; literal ones of functions on terms are widths and the like."""
        if isinstance(node, ast.Constant) and of_terms:
            return node
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return self.expr(node, covered)
        # It may be a function that is going to be called.
        given = self.helper("_sv_relaxed", node, self.parts(node), ast.Constant(NOWHERE))
        if covered:
            return given
        return self.mark("_sv_relax", given, node, self.is_input(node))

    def known(self, node: ast.expr) -> Value:
        """What a name or an attribute of a module stands for, if that is fixed."""
        if isinstance(node, ast.Name) and node.id not in self.bound:
            return self.namespace.get(node.id, _UNKNOWN)
        if isinstance(node, ast.Attribute):
            owner = self.known(node.value)
            if isinstance(owner, ModuleType):
                return getattr(owner, node.attr, _UNKNOWN)
        return _UNKNOWN


def _module_of(found: object) -> str:
    if found is _UNKNOWN:
        return ""
    if isinstance(found, FunctionType) and not is_own(found.__code__.co_filename):
        # The user's, whatever the module calls itself.
        return ""
    module = getattr(found, "__module__", None)
    return module if isinstance(module, str) else type(found).__module__


def _is_specification(found: object) -> bool:
    """Whether a call makes an input or an assumption."""
    module = _module_of(found)
    if placed(found) is not None:
        return True
    if isinstance(found, FunctionType):
        return module.startswith(_SPECIFICATION) or found is bv
    return module.startswith("solvent.")
