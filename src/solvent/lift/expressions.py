"""Rewriting a function so that it can run on symbolic values: expressions and assignments.

Operators on concrete numbers stay operators: the generated code tests for an `int` and calls the
lifted operator otherwise.  An expression with control flow in it (`and`, `or`, a conditional
expression, a comprehension) becomes statements before the one that it is part of; what Python
evaluates earlier is kept in a variable first, so that everything is evaluated in Python's order.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from solvent.lift import lowering
from solvent.lift.templates import expression, statements

if TYPE_CHECKING:
    from solvent.lift.rewrite import FunctionRewriter, Statements, Unit

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
LEFT_INT = (ast.Add, ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


# Written at once if the list is an ordinary one and no path has to be able to undo it.
STORE_ITEM = """
if (
    _sv_type(_O) is _sv_list and _sv_type(_K) is _sv_int and not _sv_journaling
    and -1 < _K < _sv_length(_O) and _sv_type(_O[_K]) is not _sv_Maybe
):
    _O[_K] = _V
else:
    _sv_setitem(_O, _K, _V)
"""


STORE_ATTRIBUTE = """
if _sv_journaling or _sv_type(_O) not in _sv_simple:
    _sv_setattr(_O, _N, _V)
else:
    _DIRECT
"""


class Expressions:
    """The part of the rewriter that deals with expressions; see `rewrite` for the rest."""

    unit: Unit
    out: Statements
    bound: set[str]
    locals: set[str]
    globals: set[str]
    nonlocals: set[str]
    unsteady: set[str]
    starts_unbound: dict[str, None]
    cells: dict[str, None]
    outer: FunctionRewriter | None
    is_generator: bool
    parameters: list[str]

    if TYPE_CHECKING:

        def number(self) -> int: ...
        def refuse(self, node: ast.AST, what: str, instead: str = "") -> Any: ...
        def emit(self, text: str, at: ast.AST, **holes: object) -> None: ...
        def collect(self, action: Any) -> Statements: ...
        def branch(self, test: Any, then: Any, otherwise: Any, names: Any, at: ast.AST) -> None: ...
        def merged_names(self, nodes: Any, *extra: str) -> tuple[str, ...]: ...
        def inner_function(self, node: ast.FunctionDef) -> ast.FunctionDef: ...

    # --- evaluation order -------------------------------------------------------------------------

    def exprs(self, nodes: list[Any]) -> list[Any]:
        """Rewrite expressions that Python evaluates one after the other."""
        results: list[Any] = []
        for node in nodes:
            mark = len(self.out)
            result = self.expr(node)
            if len(self.out) > mark:
                # The statements before this expression must not overtake the earlier ones.
                keeping: Statements = []
                for place, earlier in enumerate(results):
                    if not _is_stable(earlier):
                        name = f"_sv_o{self.number()}"
                        starred = isinstance(earlier, ast.Starred)
                        value = earlier.value if starred else earlier
                        keeping += statements("_X = _V", node, _X=name, _V=value)
                        kept: ast.expr = ast.copy_location(ast.Name(name, ast.Load()), node)
                        if starred:
                            kept = ast.copy_location(ast.Starred(kept, ast.Load()), node)
                        results[place] = kept
                self.out[mark:mark] = keeping
            results.append(result)
        return results

    def keep(self, value: ast.expr, at: ast.AST) -> ast.expr:
        """A name or constant that stands for a rewritten expression."""
        if _is_stable(value):
            return value
        name = f"_sv_o{self.number()}"
        self.emit("_X = _V", at, _X=name, _V=value)
        return ast.copy_location(ast.Name(name, ast.Load()), at)

    def only_expression(self, node: ast.expr) -> ast.expr:
        """Rewrite an expression where no statement can come before."""
        mark = len(self.out)
        result = self.expr(node)
        if len(self.out) > mark:
            self.refuse(node, "control flow in this expression", "assign it to a variable first")
        return result

    def temporary(self, node: ast.AST) -> str:
        """The name of a variable inside one expression."""
        return f"_sv_i{self.number()}"

    # --- expressions ------------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> ast.expr:
        """Rewrite one expression."""
        method = getattr(self, f"ex_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"`{lowering.keyword(node)}`", lowering.advice(node))
        result: ast.expr = method(node)
        return result

    def ex_Constant(self, node: ast.Constant) -> ast.expr:
        return node

    def ex_Rewritten(self, node: Any) -> ast.expr:
        result: ast.expr = node.value
        return result

    def ex_Name(self, node: ast.Name) -> ast.expr:
        if self.may_be_unbound(node.id):
            return expression(
                "_X if _sv_type(_X) is not _sv_Maybe else _sv_unbound(_X, _N)", node,
                _X=node.id, _N=ast.copy_location(ast.Constant(node.id), node),
            )  # fmt: skip
        return node

    def may_be_unbound(self, name: str) -> bool:
        """Whether a name is a local variable that some path has not bound here."""
        if name in self.globals:
            return False
        if name in self.locals:
            if name in self.bound:
                return False
            self.starts_unbound[name] = None
            return True
        outer = self.outer
        while outer is not None:
            if name in outer.locals:
                return name not in outer.bound and name in outer.starts_unbound
            outer = outer.outer
        return False

    def ex_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        value = self.keep(self.expr(node.value), node)
        self.assign(node.target, value, node)
        return value

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
        native: Any,
        left: ast.expr,
        right: ast.expr,
        left_decides: bool,
        at: ast.AST,
    ) -> ast.expr:
        """An operator that stays Python's own if the operands are ints, and a call otherwise.

        If `left_decides`, the right operand does not matter once the left one is an int.
        """
        test = "_sv_type(_A) is _sv_int"
        holes: dict[str, Any] = {"_L": left, "_R": right}
        if not isinstance(left, ast.Name):
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
        load = lambda found: (  # noqa: E731
            ast.copy_location(ast.Name(found, ast.Load()), at) if isinstance(found, str) else found
        )
        fast = ast.copy_location(native(load(holes["_L"]), load(holes["_R"])), at)
        return expression(f"_N if {test} else {helper}(_L, _R)", at, _N=fast, **holes)

    def ex_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        value = self.expr(node.operand)
        if isinstance(value, ast.Constant):
            return ast.copy_location(ast.UnaryOp(node.op, value), node)
        if isinstance(node.op, ast.Not):
            if isinstance(value, ast.Name):
                return expression(
                    "not _X if _sv_type(_X) is _sv_bool else _sv_not(_X)", node, _X=value
                )
            return expression(
                "not _X if _sv_type(_X := _V) is _sv_bool else _sv_not(_X)", node,
                _X=self.temporary(node), _V=value,
            )  # fmt: skip
        name = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}[type(node.op)]
        return expression(f"_sv_{name}(_V)", node, _V=value)

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
                variable: Any = left if isinstance(left, ast.Name) else self.temporary(at)
                held = (
                    left
                    if isinstance(left, ast.Name)
                    else ast.copy_location(ast.NamedExpr(ast.Name(variable, ast.Store()), left), at)
                )
                fixed = ast.Name(
                    variable.id if isinstance(variable, ast.Name) else variable, ast.Load()
                )
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

    # --- control flow inside of expressions -------------------------------------------------------

    def ex_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = f"_sv_o{self.number()}"
        self.emit("_X = _V", node, _X=name, _V=self.expr(node.values[0]))
        self._rest(node, 1, name)
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def _rest(self, node: ast.BoolOp, place: int, name: str) -> None:
        """The operands of `and` or `or` after the first, one inside the other."""
        operand = node.values[place]

        def evaluate() -> None:
            self.emit("_X = _V", node, _X=name, _V=self.expr(operand))
            if place + 1 < len(node.values):
                self._rest(node, place + 1, name)

        names = self.merged_names(node.values[place:], name)
        test = ast.copy_location(ast.Name(name, ast.Load()), node)
        nothing = lambda: None  # noqa: E731
        if isinstance(node.op, ast.And):
            self.branch(test, evaluate, nothing, names, node)
        else:
            self.branch(test, nothing, evaluate, names, node)

    def ex_IfExp(self, node: ast.IfExp) -> ast.expr:
        name = f"_sv_o{self.number()}"
        test = self.expr(node.test)
        self.emit("_X = None", node, _X=name)
        names = self.merged_names((node.body, node.orelse), name)
        self.branch(
            test,
            lambda: self.emit("_X = _V", node, _X=name, _V=self.expr(node.body)),
            lambda: self.emit("_X = _V", node, _X=name, _V=self.expr(node.orelse)),
            names,
            node,
        )
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    # --- attributes, items, calls -----------------------------------------------------------------

    def ex_Attribute(self, node: ast.Attribute) -> ast.expr:
        value = self.expr(node.value)
        read = ast.copy_location(ast.Attribute(value, node.attr, ast.Load()), node)
        return expression(
            "_X if _sv_type(_X := _V) is not _sv_Maybe else _sv_absent(_X, _N)", node,
            _X=self.temporary(node), _V=read, _N=ast.copy_location(ast.Constant(node.attr), node),
        )  # fmt: skip

    def ex_Subscript(self, node: ast.Subscript) -> ast.expr:
        value, key = self.exprs([node.value, node.slice])
        return self.item(value, key, node)

    def item(self, value: ast.expr, key: ast.expr, at: ast.AST) -> ast.expr:
        """Reading an item; both operands are rewritten."""
        if not isinstance(key, (ast.Name, ast.Constant, ast.IfExp)):
            return expression("_sv_getitem(_O, _K)", at, _O=value, _K=key)
        holes: dict[str, Any] = {"_O": value, "_K": key}
        owner, index = "_sv_type(_O) is _sv_list", "_sv_type(_K) is _sv_int"
        if not isinstance(value, ast.Name):
            holes["_O"], holes["_V"] = self.temporary(at), value
            owner = "_sv_type(_O := _V) is _sv_list"
        if isinstance(key, ast.IfExp):
            holes["_K"], holes["_J"] = self.temporary(at), key
            index = "_sv_type(_K := _J) is _sv_int"
        elif isinstance(key, ast.Constant):
            if type(key.value) is not int or key.value < 0:
                return expression("_sv_getitem(_O, _K)", at, _O=value, _K=key)
        names = {
            part: ast.copy_location(ast.Name(found, ast.Load()), at)
            if isinstance(found, str)
            else found
            for part, found in holes.items()
        }
        read = ast.copy_location(ast.Subscript(names["_O"], names["_K"], ast.Load()), at)
        both = f"{owner} and {index}" if isinstance(key, ast.Name) else f"({owner}) & ({index})"
        if isinstance(key, ast.Constant):
            both = owner
        else:
            both += " and _K >= 0"
        return expression(
            f"_X if {both} and _sv_type(_X := _I) is not _sv_Maybe else _sv_getitem(_O, _K)",
            at, _X=self.temporary(at), _I=read, **holes,
        )  # fmt: skip

    def ex_Slice(self, node: ast.Slice) -> ast.expr:
        nothing = ast.copy_location(ast.Constant(None), node)
        parts = self.exprs([node.lower or nothing, node.upper or nothing, node.step or nothing])
        return expression("_sv_slice(_A, _B, _C)", node, _A=parts[0], _B=parts[1], _C=parts[2])

    def ex_Starred(self, node: ast.Starred) -> ast.expr:
        value = expression("_sv_spread_out(_V)", node, _V=self.expr(node.value))
        return ast.copy_location(ast.Starred(value, ast.Load()), node)

    def ex_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals"):
            if not node.args and not node.keywords and node.func.id not in self.locals:
                if node.func.id == "super" and self.is_generator and self.parameters:
                    return expression("super(__class__, _S)", node, _S=self.parameters[0])
                return node
        if isinstance(node.func, ast.Name) and node.func.id.startswith("_sv_"):
            arguments = self.exprs(node.args)
            return ast.copy_location(ast.Call(node.func, arguments, []), node)
        function: ast.expr
        owner: list[ast.expr] = []
        if isinstance(node.func, ast.Attribute):
            owner = [node.func.value]
        else:
            owner = [node.func]
        keywords = [keyword.value for keyword in node.keywords]
        results = self.exprs([*owner, *node.args, *keywords])
        if isinstance(node.func, ast.Attribute):
            function = expression(
                "_sv_method(_O, _N)", node.func,
                _O=results[0], _N=ast.copy_location(ast.Constant(node.func.attr), node.func),
            )  # fmt: skip
        else:
            function = expression("_sv_call(_F)", node.func, _F=results[0])
        count = len(node.args)
        named = []
        for keyword, value in zip(node.keywords, results[1 + count :], strict=True):
            if keyword.arg is None:
                value = expression("_sv_spread_named(_V)", node, _V=value)
            named.append(ast.copy_location(ast.keyword(keyword.arg, value), node))
        return ast.copy_location(ast.Call(function, results[1 : 1 + count], named), node)

    # --- displays ---------------------------------------------------------------------------------

    def ex_Tuple(self, node: ast.Tuple) -> ast.expr:
        return ast.copy_location(ast.Tuple(self.exprs(node.elts), ast.Load()), node)

    def ex_List(self, node: ast.List) -> ast.expr:
        return ast.copy_location(ast.List(self.exprs(node.elts), ast.Load()), node)

    def ex_Set(self, node: ast.Set) -> ast.expr:
        elements = self.exprs(node.elts)
        if all(isinstance(element, ast.Constant) for element in elements):
            return ast.copy_location(ast.Set(elements), node)
        listed = ast.copy_location(ast.Tuple(elements, ast.Load()), node)
        return expression("_sv_make_set(_V)", node, _V=listed)

    def ex_Dict(self, node: ast.Dict) -> ast.expr:
        parts: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            parts += [key, value] if key is not None else [value]
        results = iter(self.exprs(parts))
        keys: list[ast.expr | None] = []
        values: list[ast.expr] = []
        for key in node.keys:
            keys.append(None if key is None else next(results))
            values.append(next(results))
        if all(isinstance(key, ast.Constant) for key in keys):
            return ast.copy_location(ast.Dict(keys, values), node)
        rows = []
        for key, value in zip(keys, values, strict=True):
            row = [value] if key is None else [key, value]
            rows.append(ast.copy_location(ast.Tuple(row, ast.Load()), node))
        listed = ast.copy_location(ast.Tuple(rows, ast.Load()), node)
        return expression("_sv_make_dict(_V)", node, _V=listed)

    def ex_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        rows: list[ast.expr] = []
        pieces: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                pieces.append(part.value)
                if part.format_spec is not None:
                    pieces.append(part.format_spec)
        results = iter(self.exprs(pieces))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                row = [next(results), ast.Constant(part.conversion)]
                row.append(ast.Constant("") if part.format_spec is None else next(results))
                rows.append(ast.Tuple(row, ast.Load()))
            else:
                rows.append(part)
        for row_ in rows:
            ast.fix_missing_locations(ast.copy_location(row_, node))
        listed = ast.copy_location(ast.Tuple(rows, ast.Load()), node)
        return expression("_sv_format_parts(_V)", node, _V=listed)

    def ex_Yield(self, node: ast.Yield) -> ast.expr:
        from solvent.lift.rewrite import YIELD

        value: ast.expr = ast.copy_location(ast.Constant(None), node)
        if node.value is not None:
            value = self.keep(self.expr(node.value), node)
        result = f"_sv_o{self.number()}"
        self.emit(YIELD, node, _V=value, _R=result)
        return ast.copy_location(ast.Name(result, ast.Load()), node)

    def ex_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        result = f"_sv_o{self.number()}"
        self.emit("_R = None", node, _R=result)
        self.lowered(lowering.lower_yield_from(node, self.number()))  # type: ignore[attr-defined]
        return ast.copy_location(ast.Name(result, ast.Load()), node)

    # --- functions and comprehensions -------------------------------------------------------------

    def rewrite_arguments(self, arguments: ast.arguments) -> ast.arguments:
        """The parameters of an inner function, with rewritten defaults and no annotations."""
        present = [default for default in arguments.kw_defaults if default is not None]
        results = self.exprs([*arguments.defaults, *present])
        count = len(arguments.defaults)
        named = iter(results[count:])
        bare = lambda found: ast.copy_location(ast.arg(found.arg), found)  # noqa: E731
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
        name = f"_sv_lambda{self.number()}"
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
        function = ast.copy_location(ast.FunctionDef(name, node.args, body, [], None), node)
        result = self.inner_function(function)
        if len(result.body) == 1 and isinstance(result.body[0], ast.Return):
            value = result.body[0].value
            assert value is not None
            return ast.copy_location(ast.Lambda(result.args, value), node)
        self.out.append(result)
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def comprehension(self, node: Any) -> ast.expr:
        """A comprehension becomes a call of an inner function with a loop."""
        name = f"_sv_comp{self.number()}"
        first = self.expr(node.generators[0].iter)
        function = lowering.lower_comprehension(node, name, self)
        self.out.append(self.inner_function(function))
        return expression("_F(_V)", node, _F=name, _V=first)

    ex_ListComp = ex_SetComp = ex_DictComp = ex_GeneratorExp = comprehension

    # --- assignments ------------------------------------------------------------------------------

    def note_bound(self, name: str) -> None:
        """The name is bound from here on."""
        if name in self.locals and name not in self.unsteady:
            self.bound.add(name)

    def assign(self, target: ast.expr, value: ast.expr, at: ast.AST) -> None:
        """Assign a rewritten value to a target."""
        if isinstance(target, ast.Name):
            name = target.id
            if name in self.globals:
                value = self.keep(value, at)
                self.emit(
                    "_sv_set_global(_sv_globals, _N, _V)",
                    at,
                    _N=ast.copy_location(ast.Constant(name), at),
                    _V=value,
                )
                return
            if name in self.nonlocals:
                self.cells[name] = None
                value = self.keep(value, at)
                self.emit("_sv_note_cell(_C)", at, _C=f"_sv_cell_{name}")
            stored = ast.copy_location(ast.Name(name, ast.Store()), target)
            self.out.append(ast.copy_location(ast.Assign([stored], value), at))
            self.note_bound(name)
        elif isinstance(target, ast.Attribute):
            value = self.keep(value, at)
            owner = self.expr(target.value)
            owner = self.keep(owner, at) if not isinstance(owner, ast.Name) else owner
            stored = ast.copy_location(ast.Attribute(owner, target.attr, ast.Store()), target)
            direct: Statements = [ast.copy_location(ast.Assign([stored], value), at)]
            name_ = ast.copy_location(ast.Constant(target.attr), at)
            self.emit(STORE_ATTRIBUTE, at, _O=owner, _N=name_, _V=value, _DIRECT=direct)
        elif isinstance(target, ast.Subscript):
            value = self.keep(value, at)
            owner, key = self.exprs([target.value, target.slice])
            self.store_item(owner, key, value, at)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.assign_all(target.elts, value, at)
        else:
            self.refuse(target, "this target of an assignment")

    def store_item(self, owner: ast.expr, key: ast.expr, value: ast.expr, at: ast.AST) -> None:
        """Write an item; the operands are rewritten and the value is kept."""
        if isinstance(owner, ast.Name) and not isinstance(key, ast.Constant):
            if not isinstance(key, ast.Name):
                key = self.keep(key, at)
            self.emit(STORE_ITEM, at, _O=owner, _K=key, _V=value)
        else:
            self.emit("_sv_setitem(_O, _K, _V)", at, _O=owner, _K=key, _V=value)

    def assign_all(self, targets: list[ast.expr], value: ast.expr, at: ast.AST) -> None:
        """Unpack a rewritten value into several targets."""
        star = [place for place, found in enumerate(targets) if isinstance(found, ast.Starred)]
        count = len(targets)
        direct = (
            isinstance(value, ast.Tuple) and len(value.elts) == count and not star
            and not any(isinstance(part, ast.Starred) for part in value.elts)
        )  # fmt: skip
        if not direct:
            text = "_sv_unpack(_V, _N)"
            before = ast.copy_location(ast.Constant(count), at)
            if star:
                text = "_sv_unpack_star(_V, _N, _M)"
                before = ast.copy_location(ast.Constant(star[0]), at)
            after = ast.copy_location(ast.Constant(count - 1 - star[0] if star else 0), at)
            value = expression(text, at, _V=value, _N=before, _M=after)
        plain = all(
            isinstance(found, ast.Name) and found.id not in self.globals | self.nonlocals
            for found in targets
        )
        if plain:
            names = [ast.copy_location(ast.Name(f.id, ast.Store()), f) for f in targets]  # type: ignore[attr-defined]
            target = ast.copy_location(ast.Tuple(names, ast.Store()), at)  # type: ignore[arg-type]
            self.out.append(ast.copy_location(ast.Assign([target], value), at))
            for found in names:
                self.note_bound(found.id)
            return
        held = [f"_sv_p{self.number()}" for _ in targets]
        self.emit("_T = _V", at, _T=tuple(held), _V=value)
        for name, found in zip(held, targets, strict=True):
            inner = found.value if isinstance(found, ast.Starred) else found
            self.assign(inner, ast.copy_location(ast.Name(name, ast.Load()), at), at)

    def augment(self, node: ast.AugAssign) -> None:
        """An augmented assignment."""
        target = node.target
        if isinstance(target, ast.Name):
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            left, right = self.exprs([load, node.value])
            self.assign(target, self.in_place(node.op, left, right, node), node)
        elif isinstance(target, ast.Attribute):
            owner = self.keep(self.expr(target.value), node)
            rewritten = lowering.Rewritten(owner)
            read = ast.copy_location(ast.Attribute(rewritten, target.attr, ast.Load()), target)
            left, right = self.exprs([read, node.value])
            value = self.keep(self.in_place(node.op, left, right, node), node)
            store = ast.copy_location(ast.Attribute(rewritten, target.attr, ast.Store()), target)
            self.assign(store, value, node)
        else:
            assert isinstance(target, ast.Subscript)
            owner, key = [
                self.keep(part, node) for part in self.exprs([target.value, target.slice])
            ]
            current = self.keep(self.item(owner, key, node), node)
            right = self.expr(node.value)
            value = self.keep(self.in_place(node.op, current, right, node), node)
            self.store_item(owner, key, value, node)

    def in_place(self, op: ast.operator, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
        """An in-place operator on rewritten operands."""
        name = BINARY[type(op)].rstrip("_")
        if isinstance(op, ast.Pow):
            return expression(f"_sv_i{name}(_L, _R)", at, _L=left, _R=right)
        native = lambda a, b: ast.BinOp(a, op, b)  # noqa: E731
        # Both must be ints: messages about other operands name the in-place operator.
        return self.fast_on_ints(f"_sv_i{name}", native, left, right, False, at)

    def delete(self, target: ast.expr, at: ast.AST) -> None:
        """Delete a target."""
        if isinstance(target, ast.Name):
            name = target.id
            if name in self.globals or name in self.nonlocals:
                self.refuse(at, "`del` of a global or nonlocal variable", "assign None to it")
            self.starts_unbound[name] = None
            load = ast.copy_location(ast.Name(name, ast.Load()), target)
            if not isinstance(at, ast.ExceptHandler):
                self.out.append(ast.copy_location(ast.Expr(self.ex_Name(load)), at))
            self.emit("_X = _sv_UNBOUND", at, _X=name)
        elif isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            self.emit(
                "_sv_delattr(_O, _N)",
                at,
                _O=owner,
                _N=ast.copy_location(ast.Constant(target.attr), at),
            )
        elif isinstance(target, ast.Subscript):
            owner, key = self.exprs([target.value, target.slice])
            self.emit("_sv_delitem(_O, _K)", at, _O=owner, _K=key)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.delete(part, at)


def constant_int(node: ast.expr) -> bool:
    """Whether an expression is a literal int."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_stable(node: ast.expr) -> bool:
    """Whether evaluating a rewritten expression later gives the same."""
    if isinstance(node, ast.Constant):
        return True
    return isinstance(node, ast.Name) and node.id.startswith(("_sv_o", "_sv_p", "_sv_v", "_sv_r"))
