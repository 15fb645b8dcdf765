"""Assignments, deletions, imports."""

from __future__ import annotations

import ast

from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.base import Base, Statements
from solvent.lift.rewrite.scoping import bound_names
from solvent.lift.rewrite.templates import expression
from solvent.terms.core import COMPILED

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


class Assignments(Base):
    """Rewrites what binds and unbinds."""

    def do_Pass(self, node: ast.Pass) -> None:
        self.out.append(node)

    def do_Expr(self, node: ast.Expr) -> None:
        value = self.expr(node.value)
        if not isinstance(value, (ast.Name, ast.Constant)) or isinstance(node.value, ast.Name):
            self.out.append(ast.copy_location(ast.Expr(value), node))

    def do_Global(self, node: ast.Global) -> None:
        pass

    do_Nonlocal = do_Global

    def do_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        if self.noted.isdisjoint(bound_names((node,))):
            self.out.append(node)
            for name in bound_names((node,)):
                self.note_bound(name)
            return
        # Each name is imported as a temporary one, and assigned.
        for alias in node.names:
            held = f"_sv_m{self.number()}"
            one = ast.copy_location(ast.alias(alias.name, held), alias)
            if isinstance(node, ast.ImportFrom):
                self.out.append(
                    ast.copy_location(ast.ImportFrom(node.module, [one], node.level), node)
                )
            else:
                self.out.append(ast.copy_location(ast.Import([one]), node))
                if alias.asname is None and "." in alias.name:
                    # `import a.b` binds `a`.
                    top = ast.copy_location(ast.alias(alias.name.split(".")[0], held), alias)
                    self.out.append(ast.copy_location(ast.Import([top]), node))
            target = ast.copy_location(
                ast.Name(alias.asname or alias.name.split(".")[0], ast.Store()), node
            )
            self.assign(target, ast.copy_location(ast.Name(held, ast.Load()), node), node)

    do_ImportFrom = do_Import

    def do_Assign(self, node: ast.Assign) -> None:
        if self.is_conditional(node):
            self.block(lowering.lower_conditional(node))
            return
        value = self.expr(node.value)
        if len(node.targets) == 1:
            self.assign(node.targets[0], value, node)
            self.forget(value, node)
            return
        kept = self.keep(value, node)
        for target in node.targets:
            self.assign(target, kept, node)

    def is_conditional(self, node: ast.Assign) -> bool:
        """Whether a local variable is assigned a conditional expression."""
        return (
            len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id in self.locals
            and isinstance(node.value, ast.IfExp)
        )

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expr(node.value), node)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        self.augment(node)

    def do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.delete(target, node)

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
            if name in self.nonlocals or name in self.captured:
                value = self.keep(value, at)
                self.note_cell(name, at)
            stored = ast.copy_location(ast.Name(name, ast.Store()), target)
            self.out.append(ast.copy_location(ast.Assign([stored], value), at))
            self.note_bound(name)
        elif isinstance(target, ast.Attribute):
            original, value = value, self.hold(value, at, target)
            owner = self.expr(target.value)
            owner = self.keep(owner, at) if not isinstance(owner, ast.Name) else owner
            place = ast.copy_location(ast.Attribute(owner, target.attr, ast.Store()), target)
            direct: Statements = [ast.copy_location(ast.Assign([place], value), at)]
            name_ = ast.copy_location(ast.Constant(target.attr), at)
            self.emit(STORE_ATTRIBUTE, at, _O=owner, _N=name_, _V=value, _DIRECT=direct)
            if value is not original:
                self.forget(value, at)
        elif isinstance(target, ast.Subscript):
            original, value = value, self.hold(value, at, target)
            owner, key = self.exprs([target.value, target.slice])
            self.store_item(owner, key, value, at)
            if value is not original:
                self.forget(value, at)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.assign_all(target.elts, value, at)
        else:
            self.refuse(target, "this target of an assignment")

    def store_item(self, owner: ast.expr, key: ast.expr, value: ast.expr, at: ast.AST) -> None:
        """Write an item; the operands are rewritten and the value is kept."""
        # The compiled core is faster than tests here.
        if isinstance(owner, ast.Name) and not isinstance(key, ast.Constant) and not COMPILED:
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
            # A tuple of the right length is what it is.
            held = self.temporary(at)
            text = (
                "_T if _sv_type(_T := _V) is _sv_tuple and _sv_length(_T) == _N "
                "else _sv_unpack(_T, _N)"
            )
            before = ast.copy_location(ast.Constant(count), at)
            if star:
                text = "_sv_unpack_star(_V, _N, _M)"
                before = ast.copy_location(ast.Constant(star[0]), at)
            after = ast.copy_location(ast.Constant(count - 1 - star[0] if star else 0), at)
            value = expression(text, at, _T=held, _V=value, _N=before, _M=after)
        plain = all(isinstance(found, ast.Name) and found.id not in self.noted for found in targets)
        if plain:
            names = [ast.copy_location(ast.Name(f.id, ast.Store()), f) for f in targets]  # type: ignore[attr-defined]
            target = ast.copy_location(ast.Tuple(names, ast.Store()), at)  # type: ignore[arg-type]
            self.out.append(ast.copy_location(ast.Assign([target], value), at))
            for name in names:
                self.note_bound(name.id)
            return
        names_ = [f"_sv_p{self.number()}" for _ in targets]
        self.emit("_T = _V", at, _T=tuple(names_), _V=value)
        for variable, found in zip(names_, targets, strict=True):
            inner = found.value if isinstance(found, ast.Starred) else found
            self.assign(inner, ast.copy_location(ast.Name(variable, ast.Load()), at), at)

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
            if name in self.captured:
                self.note_cell(name, at)
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
