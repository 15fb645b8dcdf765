"""Names, attributes, items, calls and displays."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from solvent.lift.rewrite.base import Base
from solvent.lift.rewrite.lowering import Rewritten
from solvent.lift.rewrite.templates import expression
from solvent.terms.core import COMPILED

# What terms have as attributes must not be seen by a program; special methods of unions are those
# of the members.
OF_TERMS = frozenset(
    ("__class__", "args", "as_int", "id", "imag", "is_constant", "key", "name", "numerator",
     "denominator", "op", "real", "sort")
)  # fmt: skip

# Methods of what terms stand for, which a program may keep before it calls them.
OF_VALUES = frozenset(
    name for cls in (str, bytes, int, float) for name in dir(cls) if not name.startswith("_")
)

# Attributes of C types that change with a state which may differ between paths.
OF_STATES = frozenset(
    ("Emax", "Emin", "capitals", "clamp", "closed", "eof", "flags", "newlines", "prec", "rounding",
     "traps", "unconsumed_tail", "unused_data")
)  # fmt: skip


class Expressions(Base):
    """Rewrites expressions without control flow."""

    def ex_Constant(self, node: ast.Constant) -> ast.expr:
        return node

    def ex_Rewritten(self, node: Rewritten) -> ast.expr:
        return node.value

    def ex_Name(self, node: ast.Name) -> ast.expr:
        if self.may_be_unbound(node.id):
            free = self.in_class_body or self.is_free(node.id)
            return expression(
                "_X if _sv_type(_X) is not _sv_Maybe else _sv_unbound(_X, _N, _F)", node,
                _X=node.id, _N=ast.copy_location(ast.Constant(node.id), node),
                _F=ast.copy_location(ast.Constant(free), node),
            )  # fmt: skip
        return node

    def ex_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        value = self.keep(self.expr(node.value), node)
        self.assign(node.target, value, node)
        return value

    def ex_Attribute(self, node: ast.Attribute) -> ast.expr:
        value = owner = self.expr(node.value)
        name_ = ast.copy_location(ast.Constant(node.attr), node)
        if not isinstance(value, ast.Name):
            name = self.temporary(node)
            value = expression("(_O := _V)", node, _O=name, _V=value)
            owner = ast.copy_location(ast.Name(name, ast.Load()), node)
        read: ast.expr = ast.copy_location(ast.Attribute(value, node.attr, ast.Load()), node)
        special = node.attr.startswith("__") and node.attr.endswith("__")
        if special or node.attr in OF_TERMS or node.attr in OF_STATES:
            read = expression("_sv_getattr(_V, _N)", node, _V=value, _N=name_)
        elif node.attr in OF_VALUES:
            read = expression("_sv_of_value(_V, _N)", node, _V=value, _N=name_)
        return expression(
            "_X if _sv_type(_X := _V) is not _sv_Maybe else _sv_absent(_X, _N, _O)", node,
            _X=self.temporary(node), _V=read, _O=owner, _N=name_,
        )  # fmt: skip

    def ex_Subscript(self, node: ast.Subscript) -> ast.expr:
        value, key = self.exprs([node.value, node.slice])
        return self.item(value, key, node)

    def item(self, value: ast.expr, key: ast.expr, at: ast.AST) -> ast.expr:
        """Reading an item; both operands are rewritten."""
        if isinstance(key, ast.Constant) and type(key.value) is str:
            return self.entry(value, key, at)
        odd = isinstance(key, ast.Constant) and not (type(key.value) is int and key.value >= 0)
        # The compiled core is faster than tests here.
        if odd or COMPILED or not isinstance(key, (ast.Name, ast.Constant, ast.IfExp)):
            return expression("_sv_getitem(_O, _K)", at, _O=value, _K=key)
        holes: dict[str, ast.expr | str] = {"_O": value, "_K": key}
        owner, index = "_sv_type(_O) is _sv_list", "_sv_type(_K) is _sv_int"
        if not isinstance(value, ast.Name) or self.may_change(value.id, key):
            holes["_O"], holes["_V"] = self.temporary(at), value
            owner = "_sv_type(_O := _V) is _sv_list"
        if isinstance(key, ast.IfExp):
            holes["_K"], holes["_J"] = self.temporary(at), key
            index = "_sv_type(_K := _J) is _sv_int"
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

    def entry(self, value: ast.expr, key: ast.Constant, at: ast.AST) -> ast.expr:
        """Reading under a literal string, which is what dicts have."""
        owner, held = self.held(value, at)
        return expression(
            "_X if _sv_type(_H) is _sv_dict "
            "and _sv_type(_X := _O.get(_K, _sv_UNBOUND)) is not _sv_Maybe else _sv_getitem(_O, _K)",
            at, _X=self.temporary(at), _H=held, _O=owner, _K=key,
        )  # fmt: skip

    def held(self, value: ast.expr, at: ast.AST, steady: bool = True) -> tuple[ast.expr, ast.expr]:
        """A name for a rewritten expression, and what evaluates it and binds the name.

        A variable is its own name if it is `steady`: nothing that is evaluated later changes it.
        """
        if steady and isinstance(value, ast.Name):
            return value, value
        name = self.temporary(at)
        variable = ast.copy_location(ast.Name(name, ast.Load()), at)
        return variable, expression("(_X := _V)", at, _X=name, _V=value)

    def ex_Slice(self, node: ast.Slice) -> ast.expr:
        nothing = ast.copy_location(ast.Constant(None), node)
        parts = self.exprs([node.lower or nothing, node.upper or nothing, node.step or nothing])
        return expression("_sv_slice(_A, _B, _C)", node, _A=parts[0], _B=parts[1], _C=parts[2])

    def parts(self, nodes: list[ast.expr], at: ast.AST, later: Sequence[ast.expr] = ()) -> ast.expr:
        """Rewritten expressions in order, each with whether a `*` is before it.

        `later` is evaluated before they are used.
        """
        values = self.exprs([n.value if isinstance(n, ast.Starred) else n for n in nodes])
        for place, node in enumerate(nodes):
            after = [*values[place + 1 :], *later]
            if isinstance(node, ast.Starred) and not _are_simple(after):
                values[place] = expression("_sv_snapshot(_V)", node, _V=values[place])
        rows: list[ast.expr] = []
        for node, value in zip(nodes, values, strict=True):
            row: list[ast.expr] = [ast.Constant(isinstance(node, ast.Starred)), value]
            rows.append(ast.Tuple(row, ast.Load()))
        listed = ast.copy_location(ast.Tuple(rows, ast.Load()), at)
        return ast.fix_missing_locations(listed)

    def source(self, node: ast.expr) -> ast.expr:
        """What a loop iterates over; an iterator that is made here belongs to the loop alone."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("enumerate", "map", "zip")
            and node.func.id not in self.locals
            and not node.keywords
            and not any(isinstance(argument, ast.Starred) for argument in node.args)
        ):
            values = self.exprs([node.func, *node.args])
            called = ast.Name("_sv_once", ast.Load())
            return ast.fix_missing_locations(ast.copy_location(ast.Call(called, values, []), node))
        return self.expr(node)

    # --- displays ---

    def ex_Tuple(self, node: ast.Tuple) -> ast.expr:
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return expression("_sv_tuple_display(_V)", node, _V=self.parts(node.elts, node))
        return ast.copy_location(ast.Tuple(self.exprs(node.elts), ast.Load()), node)

    def ex_List(self, node: ast.List) -> ast.expr:
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return expression("_sv_list_display(_V)", node, _V=self.parts(node.elts, node))
        return ast.copy_location(ast.List(self.exprs(node.elts), ast.Load()), node)

    def ex_Set(self, node: ast.Set) -> ast.expr:
        if any(isinstance(element, ast.Starred) for element in node.elts):
            parts = self.parts(node.elts, node)
            return expression("_sv_make_set(_sv_set_parts(_V))", node, _V=parts)
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
        for place, key in enumerate(keys):
            if key is None and not _are_simple([*filter(None, keys[place:]), *values[place + 1 :]]):
                values[place] = expression("_sv_dict_snapshot(_V)", node, _V=values[place])
        if all(isinstance(key, ast.Constant) for key in keys):
            return ast.copy_location(ast.Dict(keys, values), node)
        rows: list[ast.expr] = []
        for key, value in zip(keys, values, strict=True):
            row = [value] if key is None else [key, value]
            rows.append(ast.copy_location(ast.Tuple(row, ast.Load()), node))
        listed = ast.copy_location(ast.Tuple(rows, ast.Load()), node)
        return expression("_sv_make_dict(_V)", node, _V=listed)

    def ex_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        pieces: list[ast.expr] = []
        for field in fields:
            pieces.append(field.value)
            pieces.append(field.format_spec or ast.copy_location(ast.Constant(""), node))
        if not fields:
            text = "".join(part.value for part in node.values)  # type: ignore[attr-defined]
            return ast.copy_location(ast.Constant(text), node)
        results = self.exprs(pieces)
        if all(isinstance(spec, ast.Constant) for spec in results[1::2]):
            return self.simple_text(node, fields, results)
        return self.text_of_parts(node, results)

    def simple_text(
        self, node: ast.JoinedStr, fields: list[ast.FormattedValue], results: list[ast.expr]
    ) -> ast.expr:
        """An f-string that is Python's own if all of its values are plain."""
        names = []
        tests: dict[str, ast.expr | str] = {}
        for place, value in enumerate(results[::2]):
            name, tests[f"_A{place}"] = self.held(value, node, False)
            names.append(name)
        rest = iter(names)
        native: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part = ast.FormattedValue(next(rest), part.conversion, part.format_spec)
            native.append(ast.copy_location(part, node))
        given = [found for pair in zip(names, results[1::2], strict=True) for found in pair]
        # `&` rather than `and`: all values are evaluated in any case.
        test = " & ".join(f"(_sv_type({hole}) in _sv_atoms)" for hole in tests)
        return expression(
            f"_N if {test} else _P", node,
            _N=ast.copy_location(ast.JoinedStr(native), node),
            _P=self.text_of_parts(node, given), **tests,
        )  # fmt: skip

    def text_of_parts(self, node: ast.JoinedStr, results: list[ast.expr]) -> ast.expr:
        """An f-string of rewritten values and specifications, whatever they are."""
        rest = iter(results)
        rows: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                row = [next(rest), ast.Constant(part.conversion), next(rest)]
                rows.append(ast.Tuple(row, ast.Load()))
            else:
                rows.append(part)
        for row_ in rows:
            ast.fix_missing_locations(ast.copy_location(row_, node))
        listed = ast.copy_location(ast.Tuple(rows, ast.Load()), node)
        return expression("_sv_format_parts(_V)", node, _V=listed)


def _are_simple(values: list[ast.expr]) -> bool:
    """Whether evaluating rewritten expressions changes nothing."""
    return all(isinstance(value, (ast.Name, ast.Constant)) for value in values)
