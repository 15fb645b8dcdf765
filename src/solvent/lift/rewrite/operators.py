"""Operators: Python's own on concrete ints, a call of the lifted operator otherwise."""

from __future__ import annotations

import ast
from collections.abc import Callable

from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.base import Base, constant_int
from solvent.lift.rewrite.templates import expression

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift",
    ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor", ast.MatMult: "matmul",
}  # fmt: skip

COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "is_", ast.IsNot: "is_not", ast.In: "contained", ast.NotIn: "not_contained",
}  # fmt: skip

# Operators that mean what Python means as soon as the left operand is an int.
LEFT_INT = (ast.Add, ast.Sub)

ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def load(found: str | ast.expr, at: ast.AST) -> ast.expr:
    """A variable by its name; an expression as it is."""
    return ast.copy_location(ast.Name(found, ast.Load()), at) if isinstance(found, str) else found


class Operators(Base):
    """Rewrites operators and comparisons."""

    def ex_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.exprs([node.left, node.right])
        return self.binary(node.op, left, right, node)

    def binary(self, op: ast.operator, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
        """A binary operator on rewritten operands."""
        name = BINARY[type(op)]
        if isinstance(op, ast.Pow):
            return expression(f"_sv_{name}(_L, _R)", at, _L=left, _R=right)
        constant = isinstance(right, ast.Constant) and type(right.value) is int
        safe = constant and right.value > 0  # type: ignore[attr-defined]
        return self.fast_on_ints(
            f"_sv_{name}",
            lambda a, b: ast.BinOp(a, op, b),
            left,
            right,
            isinstance(op, LEFT_INT) or safe,
            at,
        )

    def fast_on_ints(
        self,
        helper: str,
        native: Callable[[ast.expr, ast.expr], ast.expr],
        left: ast.expr,
        right: ast.expr,
        left_decides: bool,
        at: ast.AST,
    ) -> ast.expr:
        """An operator that stays Python's own if the operands are ints, and a call otherwise.

        If `left_decides`, the right operand does not matter once the left one is an int.
        """
        test = "_sv_type(_A) is _sv_int"
        holes: dict[str, ast.expr | str] = {"_L": left, "_R": right}
        if not isinstance(left, ast.Name) or self.may_change(left.id, right):
            holes["_L"] = self.temporary(at)
            holes["_V"] = left
            test = "_sv_type(_L := _V) is _sv_int"
        test = test.replace("_A", "_L")
        simple = isinstance(right, (ast.Name, ast.Constant))
        if not simple:
            holes["_R"] = self.temporary(at)
            holes["_U"] = right
            # `&` rather than `and`: the right operand is evaluated in any case.
            test = f"({test}) & (_sv_type(_R := _U) is _sv_int)"
        elif not left_decides and not constant_int(right):
            test = f"{test} and _sv_type(_R) is _sv_int"
        fast = ast.copy_location(native(load(holes["_L"], at), load(holes["_R"], at)), at)
        return expression(f"_N if {test} else {helper}(_L, _R)", at, _N=fast, **holes)

    def ex_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        value = self.expr(node.operand)
        if isinstance(value, ast.Constant):
            return ast.copy_location(ast.UnaryOp(node.op, value), node)
        if isinstance(node.op, ast.Not):
            return self.negation(value, node)
        name = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}[type(node.op)]
        return expression(f"_sv_{name}(_V)", node, _V=value)

    def negation(self, value: ast.expr, at: ast.AST) -> ast.expr:
        """`not` of a rewritten value."""
        if isinstance(value, ast.Name):
            return expression("not _X if _sv_type(_X) is _sv_bool else _sv_not(_X)", at, _X=value)
        return expression(
            "not _X if _sv_type(_X := _V) is _sv_bool else _sv_not(_X)", at,
            _X=self.temporary(at), _V=value,
        )  # fmt: skip

    def ex_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) > 1:
            return self.expr(lowering.lower_comparisons(node, self))
        left, right = self.exprs([node.left, node.comparators[0]])
        return self.compare(node.ops[0], left, right, node)

    def compare(self, op: ast.cmpop, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
        """A comparison of rewritten operands."""
        name = COMPARE[type(op)]
        simple = isinstance(right, (ast.Constant, ast.Name))
        if isinstance(op, (ast.Is, ast.IsNot)):
            if isinstance(right, ast.Constant) and right.value is None:
                held: ast.expr = left
                if isinstance(left, ast.Name):
                    variable = left.id
                else:
                    variable = self.temporary(at)
                    store = ast.Name(variable, ast.Store())
                    held = ast.copy_location(ast.NamedExpr(store, left), at)
                fixed = ast.Name(variable, ast.Load())
                native = ast.Compare(ast.copy_location(fixed, at), [op], [right])
                return expression(
                    f"_N if _sv_type(_H) is not _sv_Union else _sv_{name}(_L, None)", at,
                    _N=ast.copy_location(native, at), _H=held, _L=ast.copy_location(fixed, at),
                )  # fmt: skip
            return expression(f"_sv_{name}(_L, _R)", at, _L=left, _R=right)
        if isinstance(op, ORDER):
            return self.fast_on_ints(
                f"_sv_{name}", lambda a, b: ast.Compare(a, [op], [b]), left, right, simple, at
            )
        return expression(f"_sv_{name}(_L, _R)", at, _L=left, _R=right)

    def in_place(self, op: ast.operator, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
        """An in-place operator on rewritten operands."""
        name = BINARY[type(op)].rstrip("_")
        if isinstance(op, ast.Pow):
            return expression(f"_sv_i{name}(_L, _R)", at, _L=left, _R=right)
        native = lambda a, b: ast.BinOp(a, op, b)  # noqa: E731
        # Both must be ints: messages about other operands name the in-place operator.
        return self.fast_on_ints(f"_sv_i{name}", native, left, right, False, at)
