"""Operators: Python's own on concrete ints, a call of the lifted operator otherwise."""

from __future__ import annotations

import ast
from collections.abc import Callable

from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.base import Base, constant_int
from solvent.lift.rewrite.context import Whole
from solvent.lift.rewrite.templates import expression

# What makes an operator's node from operands.
Native = Callable[[ast.expr, ast.expr], ast.expr]

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

# Operators that give ints on ints; others are not tried on more than two operands at once.
CLOSED = (
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod,
    ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor,
)  # fmt: skip

# So many variables are asked at once whether they are ints.
MOST_NAMES = 3

ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def load(found: str | ast.expr, at: ast.AST) -> ast.expr:
    """A variable by its name; an expression as it is."""
    return ast.copy_location(ast.Name(found, ast.Load()), at) if isinstance(found, str) else found


def _same_name(one: ast.expr, other: ast.expr) -> bool:
    """Whether two operands are the same variable."""
    return isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id


class Operators(Base):
    """Rewrites operators and comparisons."""

    def whole(self, found: ast.expr) -> Whole | None:
        """How a rewritten expression looks if all its variables are ints."""
        if constant_int(found):
            return Whole((), found, found)
        if isinstance(found, ast.Name):
            steady = found.id in self.locals and found.id not in self.shared
            if steady or found.id.startswith("_sv_o"):
                return Whole((found.id,), found, found)
        return self.wholes.get(id(found), (found, None))[1]

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
        native: Native,
        left: ast.expr,
        right: ast.expr,
        left_decides: bool,
        at: ast.AST,
    ) -> ast.expr:
        """An operator that stays Python's own if the operands are ints, and a call otherwise.

        If `left_decides`, the right operand does not matter once the left one is an int.  The
        variables of nested operators are asked once, all together.
        """
        first, second = self.whole(left), self.whole(right)
        names: tuple[str, ...] = ()
        if first is not None and second is not None:
            names = tuple(dict.fromkeys((*first.names, *second.names)))
        if first is None or second is None or not 0 < len(names) <= MOST_NAMES:
            return self.operator(helper, native, left, right, left_decides, at)
        result = self.operator(
            helper, native, first.otherwise, second.otherwise, left_decides, at
        )  # fmt: skip
        fast = ast.copy_location(native(first.native, second.native), at)
        found = Whole(names, fast, result)
        is_nested = first.native is not first.otherwise or second.native is not second.otherwise
        if is_nested:
            result = expression(f"_N if {found.test} else _O", at, _N=fast, _O=result)
        if isinstance(fast, ast.Compare) and (is_nested or len(names) == 1):
            self.whole_tests[id(result)] = (result, found)
        elif isinstance(fast, ast.BinOp) and isinstance(fast.op, CLOSED):
            self.wholes[id(result)] = (result, found)
        return result

    def is_small(self, found: ast.expr) -> bool:
        """Whether a rewritten expression is short enough to stand in two places: an item."""
        return (
            isinstance(found, ast.Call)
            and isinstance(found.func, ast.Name)
            and found.func.id == "_sv_getitem"
            and all(isinstance(part, ast.Name) or self.whole(part) for part in found.args)
        )

    def operator(
        self,
        helper: str,
        native: Native,
        left: ast.expr,
        right: ast.expr,
        left_decides: bool,
        at: ast.AST,
    ) -> ast.expr:
        """An operator on two operands, each of which is asked whether it is an int."""
        holes: dict[str, ast.expr | str] = {"_L": left, "_R": right}
        tests = ["_sv_type(_L) is _sv_int"]
        if constant_int(left):
            tests = []
        elif not isinstance(left, ast.Name) or self.may_change(left.id, right):
            holes["_L"] = self.temporary(at)
            holes["_V"] = left
            tests = ["_sv_type(_L := _V) is _sv_int"]
        if left_decides and self.is_small(right):
            # It is evaluated after the left operand in either case.
            pass
        elif not isinstance(right, (ast.Name, ast.Constant)):
            holes["_R"] = self.temporary(at)
            holes["_U"] = right
            tests.append("_sv_type(_R := _U) is _sv_int")
        elif not left_decides and not constant_int(right) and not _same_name(left, right):
            tests.append("_sv_type(_R) is _sv_int")
        fast = ast.copy_location(native(load(holes["_L"], at), load(holes["_R"], at)), at)
        if not tests:
            return fast
        # `&` rather than `and` where the right operand must be evaluated in any case.
        test = " and ".join(tests) if "_U" not in holes else " & ".join(f"({t})" for t in tests)
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
            return expression(
                "not _X if _X is True or _X is False else _sv_not(_X)", at, _X=value
            )  # fmt: skip
        return expression(
            "not _X if (_X := _V) is True or _X is False else _sv_not(_X)", at,
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
                f"_sv_{name}", lambda a, b: ast.Compare(a, [op], [b]), left, right, True, at
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
