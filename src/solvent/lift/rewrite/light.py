"""What is light: statements that usually do nothing but arithmetic of plain integers.

The rewriter writes `x + y if type(x) is int and type(y) is int else add(x, y)`.  As long as numbers
are plain, such a statement makes no terms and takes less time than asking what time it is.  The
profiler measures several of them at once; what else they may do is in the arms that are not usual.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

# What can take a while, or make terms.
_WORK = (
    ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute, ast.Yield,
    ast.JoinedStr,
)  # fmt: skip
# What takes no time on integers, as long as they are not very large.
_QUICK = (
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor,
)  # fmt: skip
# What fails when it divides by zero.
_DIVIDING = (ast.FloorDiv, ast.Mod)
_JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield)


def is_work(node: ast.AST) -> bool:
    """Whether there is anything in it that can take a while.

    >>> is_work(ast.parse("x = y").body[0]), is_work(ast.parse("x = f(y)").body[0])
    (False, True)
    """
    return any(isinstance(found, _WORK) for found in ast.walk(node))


def is_light(node: ast.expr, integers: bool = False) -> bool:
    """Whether an expression usually does arithmetic of plain integers only.

    >>> light = lambda text: is_light(ast.parse(text, mode="eval").body)
    >>> light("x + 1 if _sv_type(x) is _sv_int else _sv_add(x, 1)")
    True
    >>> light("x + 1"), light("f(x)"), light("x + y if _sv_type(x) is _sv_str else _sv_add(x, y)")
    (False, False, False)
    """
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.NamedExpr):
        return is_light(node.value, integers)
    if isinstance(node, ast.Call):
        return _is_name(node.func, "_sv_type") and all(is_light(arg) for arg in node.args)
    if isinstance(node, ast.BoolOp):
        return all(is_light(value, integers) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        # A test that the rewriter has made of something: true or false.
        made = isinstance(node.op, ast.Not) and _is_made(node.operand)
        return made or (integers and is_light(node.operand, integers))
    if isinstance(node, ast.Compare):
        plain = integers or all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
        return plain and all(is_light(part, integers) for part in (node.left, *node.comparators))
    if isinstance(node, ast.BinOp):
        # Types that are asked for at once: `(type(x) is int) & (type(y) is int)`.
        asked = isinstance(node.left, ast.Compare) and isinstance(node.right, ast.Compare)
        plain = asked or (integers and isinstance(node.op, _QUICK))
        return plain and is_light(node.left, integers) and is_light(node.right, integers)
    if isinstance(node, ast.IfExp):
        return is_light(node.test) and is_light(node.body, ensures_integers(node.test))
    return False


def ensures_integers(test: ast.expr) -> bool:
    """Whether a test says of values that they are integers or truth values, and nothing else.

    >>> says = lambda text: ensures_integers(ast.parse(text, mode="eval").body)
    >>> says("_sv_type(x) is _sv_int and _sv_type(y) is _sv_int"), says("x is True or x is False")
    (True, True)
    >>> says("_sv_type(x) is _sv_list and _sv_type(y) is _sv_int"), says("x is None"), says("x")
    (False, False, False)
    """
    types = [found for found in ast.walk(test) if isinstance(found, ast.Compare)]
    return bool(types) and all(
        isinstance(found.ops[0], ast.Is)
        and (
            _is_name(found.comparators[0], "_sv_int")
            or (
                isinstance(found.comparators[0], ast.Constant)
                and isinstance(found.comparators[0].value, bool)
            )
        )
        for found in types
        if not _is_inside_of_value(found, test)
    )


def _is_inside_of_value(node: ast.Compare, test: ast.expr) -> bool:
    """Whether a comparison belongs to a value whose type is asked for, and not to the question."""
    return any(
        node is found
        for named in ast.walk(test)
        if isinstance(named, ast.NamedExpr)
        for found in ast.walk(named.value)
    )


def is_light_statement(node: ast.stmt, integers: bool = False) -> bool:
    """Whether a statement is light, and so is each that stands in its usual arm."""
    if isinstance(node, ast.If):
        # One statement of the source, written twice: for integers and for everything else.
        working = [part for part in node.body if is_work(part)]
        return (
            bool(working)
            and is_light(node.test)
            and ensures_integers(node.test)
            and all(
                part.lineno == node.lineno and is_light_statement(part, True) for part in working
            )
        )
    if isinstance(node, ast.Assign):
        return all(isinstance(t, ast.Name) for t in node.targets) and is_light(node.value, integers)
    if isinstance(node, (ast.Return, ast.Expr)):
        return node.value is not None and is_light(node.value, integers)
    return False


def may_end(node: ast.stmt) -> bool:
    """Whether what comes after a light statement may be left out, though it does what is usual."""
    return any(
        isinstance(found, _JUMPS)
        or (isinstance(found, ast.BinOp) and isinstance(found.op, _DIVIDING))
        for found in ast.walk(node)
    )


class Announced(ast.NodeTransformer):
    """Puts something before the arms of an expression that are not usual.

    >>> node = ast.parse("x + 1 if _sv_type(x) is _sv_int else _sv_add(x, 1)", mode="eval").body
    >>> ast.unparse(Announced(lambda: ast.Name("told")).visit(node))
    'x + 1 if _sv_type(x) is _sv_int else told and _sv_add(x, 1)'
    """

    def __init__(self, announcement: Callable[[], ast.expr]) -> None:
        self.announcement = announcement

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        """Only where something is done there."""
        node.test = self.visit(node.test)
        node.body = self.visit(node.body)
        if is_work(node.orelse):
            arm = ast.BoolOp(ast.And(), [self.announcement(), node.orelse])
            node.orelse = ast.copy_location(arm, node.orelse)
        return node


def _is_made(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.startswith("_sv_t")


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
