"""Lifting functions: from a function object to one that runs on symbolic values."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from types import CellType, CodeType, FunctionType
from typing import TypeVar
from weakref import WeakSet

from solvent.lift import kept, source
from solvent.lift.codes import Codes
from solvent.lift.helpers import COMPREHENSION, GLOBALS, HELPERS, LAMBDA
from solvent.lift.rewrite import FunctionRewriter, Unit, macros
from solvent.lift.rewrite.functions import bare
from solvent.lift.rewrite.locating import names_when_located
from solvent.lift.rewrite.lowering import copied
from solvent.lift.typed import code_of
from solvent.vm.exceptions import LIFTED
from solvent.vm.probe import LIFTING, PROBE

Definition = TypeVar("Definition", bound=ast.FunctionDef | ast.Lambda)

UNLIFTED = os.environ.get("SOLVENT_UNLIFTED", "") not in ("", "0")

_REWRITTEN = Codes()

# The functions that were lifted, and who is told of new ones (see `lift.probes`).
LIFTED_FUNCTIONS: WeakSet[FunctionType] = WeakSet()
ON_LIFTING: list[Callable[[FunctionType], None]] = []
# What changes a rewritten function before it is compiled, given its definition.
Instrument = Callable[[ast.FunctionDef, ast.FunctionDef], None]


# Under this name a function knows itself: what was copied from it counts for no other.
OWNER = "__solvent_owner__"


def is_lifted(function: object) -> bool:
    """Whether a function object is a lifted one."""
    return type(function) is FunctionType and bool(function.__code__.co_flags & LIFTED)


def lift_function(function: FunctionType) -> FunctionType:
    """The lifted version of a function; made once."""
    if function.__code__.co_flags & LIFTED or UNLIFTED:
        return function
    try:
        known = function.__dict__["__solvent_lifted__"]
    except KeyError:
        pass
    else:
        if known.__code__ is not None and known.__wrapped__ is function:
            return known  # type: ignore[no-any-return]
    lifting = PROBE.enter(LIFTING)
    try:
        result = with_code(function, rewritten_code(function))
        function.__dict__["__solvent_lifted__"] = result
        LIFTED_FUNCTIONS.add(result)
        for tell in ON_LIFTING:
            tell(result)
    finally:
        PROBE.leave(lifting)
    return result


def with_code(function: FunctionType, code: CodeType) -> FunctionType:
    """A function like another one but with rewritten code."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = []
    for name in code.co_freevars:
        cell = cells.get(name)
        if cell is None:
            cell = CellType(function.__globals__) if name == GLOBALS else HELPERS[name]
        closure.append(cell)
    result = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, tuple(closure)
    )
    result.__kwdefaults__ = function.__kwdefaults__
    result.__qualname__ = function.__qualname__
    result.__module__ = function.__module__
    result.__doc__ = function.__doc__
    result.__annotations__ = function.__annotations__
    if hasattr(function, "__type_params__"):
        result.__type_params__ = function.__type_params__  # type: ignore[attr-defined]
    result.__dict__.update(function.__dict__)
    result.__dict__.pop("__solvent_lifted__", None)
    result.__dict__.pop("__solvent_call__", None)
    result.__dict__.pop(OWNER, None)
    result.__wrapped__ = function  # type: ignore[attr-defined]
    return result


def rewritten_code(function: FunctionType) -> CodeType:
    """The rewritten code of a function."""
    original = code_of(function)
    variant = macros.variant(function)

    def make() -> CodeType:
        shelf = None if variant else kept.shelf(original.co_filename)
        known = None if shelf is None else shelf.find(original, macros.lookup_in(function))
        if known is not None:
            return known
        unit, node, classes = definition_of(function, original)
        made = compile_function(unit, node, classes, original)
        if shelf is not None and not unit.is_placed:
            shelf.keep(original, source.text_of(original.co_filename), unit.called, made)
        return made

    return _REWRITTEN.of(original, variant, make)


def definition_of(
    function: FunctionType, original: CodeType
) -> tuple[Unit, ast.FunctionDef | ast.Lambda, tuple[str, ...]]:
    """What is needed to rewrite a function: its unit, its node and the classes around it."""
    node, classes = source.find(function)
    unit = Unit(original.co_filename, macros.lookup_in(function))
    if isinstance(node, ast.AsyncFunctionDef):
        unit.refuse(node, "an `async` function", "use an ordinary function")
    return unit, node, classes


def forget(function: FunctionType) -> None:
    """Give up what is kept for a function of a file that nobody will use any more."""
    _REWRITTEN.forget(function.__code__, macros.variant(function))
    source.forget(function.__code__.co_filename)


def compile_function(
    unit: Unit,
    node: ast.FunctionDef | ast.Lambda,
    classes: tuple[str, ...],
    original: CodeType,
    instrument: Instrument | None = None,
) -> CodeType:
    """Rewrite and compile one function."""
    node = definition(node, classes)
    statements = FunctionRewriter(unit, node, None).function()
    if instrument is not None:
        whole = ast.FunctionDef(node.name, node.args, statements, [], None)
        instrument(ast.copy_location(whole, node), node)
        statements = whole.body
    return _finished(compile_inside(unit, node, statements, original), original)


def definition(node: ast.FunctionDef | ast.Lambda, classes: tuple[str, ...]) -> ast.FunctionDef:
    """A function or lambda as a definition, with private names as its class has them."""
    if classes:
        node = _mangled(node, classes[-1])
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        return ast.copy_location(ast.FunctionDef(LAMBDA, node.args, body, [], None), node)
    return node


def compile_inside(
    unit: Unit, node: ast.FunctionDef, statements: list[ast.stmt], original: CodeType
) -> CodeType:
    """Compile another body of a function, as an inner function of one that has its free names."""
    plain = ast.FunctionDef("_sv_function", _bare(node.args), statements, [], None)
    ast.copy_location(plain, node)
    # Lines are counted from the first one, which is that of the decorators.
    plain.lineno = original.co_firstlineno
    used = names_when_located(plain)
    helpers = sorted(name for name in used if name in HELPERS or name == GLOBALS)
    outer = [ast.copy_location(ast.arg(name), node) for name in (*original.co_freevars, *helpers)]
    factory = ast.FunctionDef(
        "_sv_factory", ast.arguments([], outer, None, [], [], None, []), [plain], [], None
    )
    module = ast.Module([ast.copy_location(factory, node)], [])
    try:
        compiled = compile(module, unit.filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        unit.refuse(
            node, f"`{original.co_qualname}` ({error.msg})", "split it into smaller functions"
        )
    factory_code = next(c for c in compiled.co_consts if isinstance(c, CodeType))
    return next(c for c in factory_code.co_consts if isinstance(c, CodeType))


def _finished(code: CodeType, original: CodeType) -> CodeType:
    """Name and mark rewritten code, and the functions inside of it."""
    result = _marked(code, original.co_qualname)
    return result.replace(
        co_name=original.co_name,
        co_qualname=original.co_qualname,
    )


def _marked(code: CodeType, prefix: str) -> CodeType:
    constants = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            name = constant.co_name
            if name.startswith(LAMBDA):
                name = "<lambda>"
            elif name.startswith(COMPREHENSION):
                name = "<comprehension>"
            inner = f"{prefix}.<locals>.{name}"
            constant = _marked(constant, inner).replace(co_name=name, co_qualname=inner)
        constants.append(constant)
    return code.replace(co_consts=tuple(constants), co_flags=code.co_flags | LIFTED)


def _bare(arguments: ast.arguments) -> ast.arguments:
    """Parameters without defaults and annotations: the function object has them."""
    nothing = ast.Constant(None)
    return ast.arguments(
        posonlyargs=[bare(found) for found in arguments.posonlyargs],
        args=[bare(found) for found in arguments.args],
        vararg=bare(arguments.vararg) if arguments.vararg else None,
        kwonlyargs=[bare(found) for found in arguments.kwonlyargs],
        kw_defaults=[None if d is None else nothing for d in arguments.kw_defaults],
        kwarg=bare(arguments.kwarg) if arguments.kwarg else None,
        defaults=[nothing for _ in arguments.defaults],
    )


class _Mangler(ast.NodeTransformer):
    """Private names of a class, as the compiler would see them inside of it."""

    def __init__(self, class_name: str) -> None:
        self.prefix = "_" + class_name.lstrip("_")

    def name(self, text: str) -> str:
        if text.startswith("__") and not text.endswith("__") and "." not in text:
            return self.prefix + text
        return text

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.name(node.id), node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        value = self.visit(node.value)
        return ast.copy_location(ast.Attribute(value, self.name(node.attr), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.copy_location(ast.arg(self.name(node.arg)), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node


def _mangled(node: Definition, class_name: str) -> Definition:
    if not class_name.strip("_"):
        return node
    # The tree is kept for other functions: work on a copy.
    result: Definition = _Mangler(class_name).visit(copied(node))
    return result
