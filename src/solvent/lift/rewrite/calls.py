"""Calls: what a name stands for is found once per loop, methods of builtin types at once."""

from __future__ import annotations

import ast

from solvent.lift.helpers import OWNERS, owned
from solvent.lift.rewrite import macros
from solvent.lift.rewrite.base import Base
from solvent.lift.rewrite.context import Loop
from solvent.lift.rewrite.lowering import Rewritten
from solvent.lift.rewrite.templates import expression

# Methods of concrete strings are Python's own if what they are given is as simple.
OF_TEXTS = frozenset(name for name in dir(str) if not name.startswith("_")) - {
    "format", "format_map", "join", "maketrans", "translate",
}  # fmt: skip


class Calls(Base):
    """Rewrites calls."""

    def looks_at_frame(self, node: ast.Call) -> bool:
        """Whether a call means the function that it is in, so that it must stay there."""
        return (
            isinstance(node.func, ast.Name)
            and node.func.id in ("super", "globals")
            and node.func.id not in self.locals
            and not node.args
            and not node.keywords
        )

    def ex_Call(self, node: ast.Call) -> ast.expr:
        if self.looks_at_frame(node):
            if isinstance(node.func, ast.Name) and node.func.id == "super" and self.is_generator:
                return expression("super(__class__, _S)", node, _S=self.parameters[0])
            return node
        if isinstance(node.func, Rewritten):
            return ast.copy_location(ast.Call(node.func.value, self.exprs(node.args), []), node)
        if isinstance(node.func, ast.Name) and node.func.id.startswith("_sv_"):
            return ast.copy_location(ast.Call(node.func, self.exprs(node.args), []), node)
        placed = macros.rewritten(self, node)
        if placed is not None:
            return placed
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        if any(isinstance(argument, ast.Starred) for argument in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            return self.call_with_star(node, owner)
        values = [keyword.value for keyword in node.keywords]
        found, *results = self.exprs([owner, *node.args, *values])
        if isinstance(node.func, ast.Attribute):
            return self.call_method(node, node.func.attr, found, results)
        return self.called(self.function_of(node.func, found), results, node)

    def called(self, function: ast.expr, results: list[ast.expr], node: ast.Call) -> ast.expr:
        """A call with rewritten arguments, the named ones last."""
        count = len(results) - len(node.keywords)
        named = [
            ast.copy_location(ast.keyword(keyword.arg, value), node)
            for keyword, value in zip(node.keywords, results[count:], strict=True)
        ]
        return ast.copy_location(ast.Call(function, results[:count], named), node)

    def function_of(self, node: ast.expr, found: ast.expr) -> ast.expr:
        """What to call for a rewritten function."""
        if not (isinstance(node, ast.Name) and self.is_global(node.id) and self.is_in_loop()):
            return expression("_sv_call(_F)", node, _F=found)
        known = self.resolved.setdefault(node.id, f"_sv_known{self.number()}")
        return expression(
            "_P[1] if _P[0] is _F else (_P := _sv_resolve(_F))[1]", node, _P=known, _F=found
        )

    def is_global(self, name: str) -> bool:
        """Whether a name is one of the module or of Python itself."""
        function: Base | None = self
        while function is not None:
            if name in function.locals:
                return False
            function = function.outer
        return True

    def is_in_loop(self) -> bool:
        """Whether the code that is being rewritten may run several times in one call."""
        return any(isinstance(entry, Loop) for entry in self.context)

    # --- methods ---

    def call_method(
        self, node: ast.Call, name: str, owner: ast.expr, results: list[ast.expr]
    ) -> ast.expr:
        """`owner.name(...)`; owner and arguments are rewritten."""
        if name in OF_TEXTS:
            return self.call_of_text(node, name, owner, results)
        name_ = ast.copy_location(ast.Constant(name), node.func)
        if name not in OWNERS:
            function = expression("_sv_method(_O, _N)", node.func, _O=owner, _N=name_)
            return self.called(function, results, node)
        owner, held = self.held(owner, node)
        function = expression(
            f"_M if _sv_type(_H) is _sv_{OWNERS[name]} else _sv_method_of(_O, _N)", node.func,
            _M=owned(name), _H=held, _O=owner, _N=name_,
        )  # fmt: skip
        return self.called(function, [owner, *results], node)

    def call_of_text(
        self, node: ast.Call, name: str, owner: ast.expr, results: list[ast.expr]
    ) -> ast.expr:
        """A method that strings have, at once if the owner is one and the arguments are plain."""
        simple = all(isinstance(result, (ast.Name, ast.Constant)) for result in results)
        owner, held = self.held(owner, node, simple)
        holes: dict[str, ast.expr | str] = {
            "_O": owner, "_H": held, "_N": ast.copy_location(ast.Constant(name), node.func),
        }  # fmt: skip
        method, also, test = "_sv_method(_O, _N)", "and", "_sv_type(_H) is _sv_str"
        if not simple:
            # The method is looked up before the arguments are evaluated, which happens here.
            holes["_M"] = self.temporary(node)
            test = f"((_M := None if {test} else {method}) is None)"
            method, also = f"({method} if _M is None else _M)", "&"
        arguments = []
        for place, result in enumerate(results):
            if not isinstance(result, ast.Constant):
                result, holes[f"_A{place}"] = self.held(result, node, simple)
                test += f" {also} (_sv_type(_A{place}) in _sv_atoms)"
            arguments.append(result)
        native = ast.copy_location(ast.Attribute(owner, name, ast.Load()), node.func)
        holes["_FAST"] = self.called(native, arguments, node)
        slow = expression(method, node.func, **holes)
        holes["_SLOW"] = self.called(slow, arguments, node)
        return expression(f"_FAST if {test} else _SLOW", node, **holes)

    def call_with_star(self, node: ast.Call, owner: ast.expr) -> ast.expr:
        """`function(*arguments, **named)`."""
        target = self.keep(self.expr(owner), node)
        function = expression("_sv_call(_F)", node.func, _F=target)
        if isinstance(node.func, ast.Attribute):
            name = ast.copy_location(ast.Constant(node.func.attr), node.func)
            function = expression("_sv_method(_O, _N)", node.func, _O=target, _N=name)
        # CPython takes the items of `f(*items, k=...)` last, those of `f(a, *items, k=...)` first.
        later = [keyword.value for keyword in node.keywords] if len(node.args) > 1 else []
        arguments = self.keep(self.parts(node.args, node, later), node)
        values = self.exprs([keyword.value for keyword in node.keywords])
        for place, keyword in enumerate(node.keywords):
            if keyword.arg is None and place + 1 < len(values):
                values[place] = expression("_sv_dict_snapshot(_V)", node, _V=values[place])
        rows: list[ast.expr] = []
        for keyword, value in zip(node.keywords, values, strict=True):
            row: list[ast.expr] = [ast.Constant(keyword.arg), value]
            rows.append(ast.Tuple(row, ast.Load()))
        named = ast.copy_location(ast.Tuple(rows, ast.Load()), node)
        ast.fix_missing_locations(named)
        return expression("_sv_apply(_F, _A, _K)", node, _F=function, _A=arguments, _K=named)
