"""The expression that a call of a grammar stands for, in terms of the arguments of the call."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from types import ModuleType

from solvent.errors import SketchError
from solvent.lift.rewrite.lowering import copied
from solvent.lift.rewrite.macros import Lookup, place_of, resolved
from solvent.lift.rewrite.scoping import bound_names, parameters
from solvent.sketch.choices import Chooser, Hole
from solvent.sketch.filling import Filling
from solvent.sketch.grammars import Expansion, Grammar
from solvent.sketch.literals import Knows
from solvent.sketch.texts import expression

# What is evaluated only sometimes, or more than once.
_LOOSE = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
          ast.GeneratorExp, ast.Compare)  # fmt: skip

# What may be evaluated never, or more than once: it fails with no numbers.
_HARMLESS = (ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.BitAnd,
             ast.BitOr, ast.BitXor, ast.unaryop, ast.expr_context)  # fmt: skip

# What has no effects and gives the same whenever it is evaluated, as far as operators go.
_QUIET = (ast.Name, ast.Constant, ast.Attribute, ast.UnaryOp, ast.BinOp, ast.Subscript,
          ast.operator, ast.unaryop, ast.expr_context)  # fmt: skip


class Site:
    """Where an expression is put: the file, and which names mean the same there."""

    def __init__(self, filename: str, knows: Knows, local: Callable[[str], bool]) -> None:
        self.filename = filename
        self.knows = knows
        # Whether a name is a local variable there.
        self.local = local

    def check(self, name: str, grammar: Grammar) -> None:
        """Complain if a name of a grammar means something else at the site."""
        same_file = grammar.shape.filename == self.filename
        if self.local(name) or not (same_file or self.knows(name, grammar.shape.find(name))):
            raise SketchError(
                f"{grammar.where}: the grammar `{grammar.name}` uses the name `{name}`, which "
                f"means something else where it is called in {self.filename}; rename it"
            )


def inlined(
    filling: Filling, site: Site, expansion: Expansion, actuals: list[ast.expr], node: ast.Call
) -> ast.expr:
    """The expression of an expansion; the actual arguments are completed already."""
    grammar = expansion.grammar
    body = _Filler(filling, site, expansion).visit(copied(_returned(grammar)))
    bound = _bound(grammar, actuals, node)
    if bound is not None and all(_may_substitute(name, bound, body) for name in bound):
        result = _Substitution(bound).visit(body)
    else:
        result = ast.Call(ast.Lambda(_parameters(grammar), body), actuals, node.keywords)
    answer: ast.expr = ast.fix_missing_locations(ast.copy_location(result, node))
    return answer


def _parameters(grammar: Grammar) -> ast.arguments:
    """The parameters of a grammar, for a lambda."""
    arguments: ast.arguments = copied(grammar.shape.node.args)
    for found in ast.walk(arguments):
        if isinstance(found, ast.arg):
            found.annotation = None
    for default in (*arguments.defaults, *arguments.kw_defaults):
        if not isinstance(default, (ast.Constant, ast.UnaryOp, type(None))):
            raise SketchError(
                f"{grammar.where}: the grammar `{grammar.name}` has a default that is no literal, "
                "so its calls cannot be completed"
            )
    return arguments


def _returned(grammar: Grammar) -> ast.expr:
    """The expression that a grammar returns."""
    body = grammar.shape.node.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        raise SketchError(
            f"{grammar.where}: the grammar `{grammar.name}` does more than return an expression, "
            "so its calls cannot be completed"
        )
    return body[0].value


class _Filler(ast.NodeTransformer):
    """Fills the holes in the body of a grammar."""

    def __init__(self, filling: Filling, site: Site, expansion: Expansion) -> None:
        self.filling = filling
        self.site = site
        self.expansion = expansion
        self.shape = expansion.grammar.shape
        self.own = {*self.shape.parameters, *_inner_names(_returned(expansion.grammar))}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.own:
            self.site.check(node.id, self.expansion.grammar)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = self.shape.called(node)
        place = place_of(node, self.shape.filename)
        if isinstance(called, Chooser):
            chosen = self.filling.option(node, called, place, self.expansion)
            result: ast.AST = self.visit(chosen)
            return result
        if isinstance(called, Hole):
            return expression(
                self.filling.literal(
                    node, called, place, self.expansion, self.shape.find, self.site.knows
                )
            )
        if isinstance(called, Grammar):
            inner = self.expansion.inner(called, place)
            actuals = [self.visit(actual) for actual in actuals_of(node, self.shape.find)]
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)
            return inlined(self.filling, self.site, inner, actuals, node)
        return self.generic_visit(node)


def actuals_of(node: ast.Call, find: Lookup) -> list[ast.expr]:
    """The positional arguments of a call, the owner of a method first."""
    if isinstance(node.func, ast.Attribute):
        owner = resolved(node.func.value, find)
        if not isinstance(owner, (ModuleType, type)):
            return [node.func.value, *node.args]
    return list(node.args)


def _inner_names(node: ast.AST) -> set[str]:
    """The names that are bound inside of an expression."""
    result: set[str] = set()
    for found in ast.walk(node):
        if isinstance(found, ast.Lambda):
            result.update(parameters(found.args))
        elif isinstance(found, ast.comprehension):
            result.update(bound_names((found.target,)))
        elif isinstance(found, ast.NamedExpr):
            result.add(found.target.id)
    return result


# --- arguments ---------------------------------------------------------------------------------


def _bound(grammar: Grammar, actuals: list[ast.expr], node: ast.Call) -> dict[str, ast.expr] | None:
    """The arguments by parameter; `None` if only a call can tell."""
    if any(isinstance(actual, ast.Starred) for actual in actuals):
        return None
    named = {keyword.arg or "": keyword.value for keyword in node.keywords}
    if "" in named:
        return None
    signature = inspect.signature(grammar.function)
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        return None
    found = dict(signature.bind(*actuals, **named).arguments)
    for name, parameter in signature.parameters.items():
        if name not in found:
            if type(parameter.default) not in (int, bool, str, float, type(None)):
                return None
            found[name] = ast.Constant(parameter.default)
    return found


def _may_substitute(name: str, bound: dict[str, ast.expr], body: ast.expr) -> bool:
    """Whether putting an argument for each use of a parameter does what calling does."""
    actual = bound[name]
    if (_names(actual) | {name}) & _inner_names(body):
        return False
    if all(isinstance(part, _HARMLESS) for part in ast.walk(actual)):
        return True
    uses = _Uses(name)
    uses.visit(body)
    quiet = all(isinstance(part, _QUIET) for part in ast.walk(actual))
    if quiet:
        return uses.strict > 0
    others = [found for other, found in bound.items() if other != name]
    return uses.strict == 1 and not uses.loose and all(map(_is_atom, others))


def _is_atom(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
        return isinstance(node, ast.Constant)
    return isinstance(node, (ast.Name, ast.Constant))


def _names(node: ast.AST) -> set[str]:
    return {found.id for found in ast.walk(node) if isinstance(found, ast.Name)}


class _Uses(ast.NodeVisitor):
    """Counts the uses of a parameter: those evaluated exactly once, and the others."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.strict = self.loose = self.depth = 0

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and node.id == self.name:
            if self.depth:
                self.loose += 1
            else:
                self.strict += 1
        loose = isinstance(node, _LOOSE)
        self.depth += loose
        self.generic_visit(node)
        self.depth -= loose


class _Substitution(ast.NodeTransformer):
    """Puts expressions for names."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.values.get(node.id)
        return node if found is None else copied(found)
