"""Lifting whole modules as they are imported: `install("my_package")`.

The functions and methods of a module are rewritten before it is compiled.  The bytecode goes into
a cache file of its own, with Solvent's name in it, so that lifted and plain code never mix.
"""

from __future__ import annotations

import ast
import importlib.util
import marshal
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from solvent.lift.function import UNLIFTED
from solvent.lift.helpers import GLOBALS, HELPERS
from solvent.lift.rewrite import FunctionRewriter, Unit, macros
from solvent.lift.rewrite.scoping import type_parameters
from solvent.lift.source import first_line
from solvent.vm.exceptions import LIFTED

# Changes whenever rewritten code from another version must not be used any more.
FORMAT = 4


class LiftingLoader(SourceFileLoader):
    """Loads a module with its functions lifted."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        cached = importlib.util.cache_from_source(path, optimization=f"solvent{FORMAT}")
        status = self.path_stats(path)
        header = _header(status)
        try:
            data = self.get_data(cached)
        except OSError:
            data = b""
        if data[:16] == header:
            try:
                return marshal.loads(data[16:])  # type: ignore[no-any-return]
            except (EOFError, ValueError, TypeError):
                # A damaged cache file is as good as none.
                pass
        code = lifted_module(self.get_data(path), path)
        if not sys.dont_write_bytecode:
            self.set_data(cached, header + marshal.dumps(code))
        return code

    def exec_module(self, module: ModuleType) -> None:
        for name, cell in HELPERS.items():
            module.__dict__[name] = cell.cell_contents
        module.__dict__[GLOBALS] = module.__dict__
        super().exec_module(module)


def _header(status: Mapping[str, float]) -> bytes:
    parts = (0, int(status["mtime"]) & 0xFFFFFFFF, int(status["size"]) & 0xFFFFFFFF)
    return importlib.util.MAGIC_NUMBER + b"".join(part.to_bytes(4, "little") for part in parts)


def lifted_module(source: bytes, filename: str) -> CodeType:
    """The code of a module whose functions are lifted."""
    tree = ast.parse(source, filename)
    rewriter = _ModuleRewriter(Unit(filename, macros.of_imports(tree)))
    tree = rewriter.visit(tree)
    code = compile(tree, filename, "exec", dont_inherit=True)
    return _marked(code, rewriter.rewritten, False)


class _ModuleRewriter(ast.NodeTransformer):
    """Rewrites the functions of a module and of its classes."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.rewritten: set[tuple[str, int]] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        body = FunctionRewriter(self.unit, node, None).function()
        self.rewritten.add((node.name, first_line(node)))
        result = ast.FunctionDef(
            node.name, node.args, body, node.decorator_list, node.returns, **type_parameters(node)
        )
        return ast.fix_missing_locations(ast.copy_location(result, node))

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self.unit.refuse(node, "an `async` function", "keep it in a module that is not installed")

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        # Lifted on demand, from its source, when lifted code calls it.
        return node


def _marked(code: CodeType, rewritten: set[tuple[str, int]], inside: bool) -> CodeType:
    constants = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            lifted = inside or (constant.co_name, constant.co_firstlineno) in rewritten
            constant = _marked(constant, rewritten, lifted)
        constants.append(constant)
    flags = code.co_flags | LIFTED if inside else code.co_flags
    return code.replace(co_consts=tuple(constants), co_flags=flags)


class LiftingFinder(MetaPathFinder):
    """Finds the modules that are to be lifted."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def wants(self, fullname: str) -> bool:
        """Whether a module belongs to one of the installed packages."""
        parts = fullname.split(".")
        return any(".".join(parts[:count]) in self.names for count in range(1, len(parts) + 1))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not self.wants(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = LiftingLoader(fullname, spec.loader.path)
        return spec


_FINDER = LiftingFinder()


def install(*names: str) -> None:
    """Lift these modules and packages, with everything in them, when they are imported.

    Modules that are imported already stay as they are; use `lift(module)` for those.
    """
    if UNLIFTED:
        return
    _FINDER.names.update(names)
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def uninstall(*names: str) -> None:
    """Take back `install`; without names, for all."""
    _FINDER.names.difference_update(names or set(_FINDER.names))
    if not _FINDER.names and _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
