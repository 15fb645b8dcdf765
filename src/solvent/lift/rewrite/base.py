"""What all parts of the rewriter share: the function at work, emitting, evaluation order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import NoReturn

from solvent.lift.helpers import COMPREHENSION
from solvent.lift.rewrite import lowering
from solvent.lift.rewrite.context import Loop, Protected, Unit, Whole, Wrapper
from solvent.lift.rewrite.scoping import (
    all_below,
    bound_by,
    bound_names,
    captured_names,
    declared_by,
    may_leave,
    parameters,
    walk,
)
from solvent.lift.rewrite.templates import statements

Statements = list[ast.stmt]

# Two comparisons of identity take half of the time of asking for the type.
CHECKED = "\nif _T is not True and _T is not False:\n    _CHECK"


# Statements that open blocks of their own, and how deep they may be without being moved.
COMPOUND = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)
DEEPEST = 11


def _of_comprehension() -> list[int]:
    return [number + 1 for number in (1,)]


# Whether comprehensions are part of the function they stand in, as from Python 3.12 on.
INLINES = not any(isinstance(value, CodeType) for value in _of_comprehension.__code__.co_consts)


# Functions that see the variables of their caller.
_SHOWING = frozenset(("locals", "vars", "eval", "exec", "dir"))


class Base:
    """The state of rewriting one function; the parts of the rewriter derive from it."""

    def __init__(self, unit: Unit, node: ast.FunctionDef | ast.Lambda, outer: Base | None) -> None:
        body = node.body if isinstance(node.body, list) else [ast.Expr(node.body)]
        self.unit = unit
        self.node = node
        self.outer = outer
        here = list(walk(body))
        self.globals = declared_by(here, ast.Global)
        self.nonlocals = declared_by(here, ast.Nonlocal)
        self.parameters = parameters(node.args)
        self.locals = {*self.parameters, *bound_by(here)} - self.globals - self.nonlocals
        # Local variables that outlive their path in functions made here: their values are kept in
        # the journal, like those of nonlocal ones, and not by the forks.
        self.captured = captured_names(body) & self.locals
        # Variables that cannot be assigned without a word to the journal.
        self.noted = self.globals | self.nonlocals | self.captured
        # Names that functions inside of this one may assign.
        self.shared = {
            name
            for found in all_below(body)
            if isinstance(found, ast.Nonlocal)
            for name in found.names
        }
        deleted = {
            found.id
            for found in here
            if isinstance(found, ast.Name) and isinstance(found.ctx, ast.Del)
        }
        handled = {f.name for f in here if isinstance(f, ast.ExceptHandler) and f.name}
        # Names that can become unbound again are never taken for bound.
        self.unsteady = deleted | handled
        self.bound: set[str] = set(self.parameters) - self.unsteady
        self.starts_unbound: dict[str, None] = {}
        self.cells: dict[str, None] = {}
        # Whether what is being rewritten stands in the body of a class inside of the function.
        self.in_class_body = False
        # Functions of the module that loops call, and the variables with what they resolve to.
        self.resolved: dict[str, str] = {}
        # Where each name stands in the function, and whether it may show its variables otherwise.
        self.places_of_names: dict[str, dict[int, ast.Name]] = {}
        for found in all_below(body):
            if isinstance(found, ast.Name):
                self.places_of_names.setdefault(found.id, {})[id(found)] = found
        self.shows_variables = not _SHOWING.isdisjoint(self.places_of_names)
        # Whether there is a `return` inside of another statement.
        returns = [found for found in here if isinstance(found, ast.Return)]
        self.returns_inside = len(returns) > sum(isinstance(top, ast.Return) for top in body)
        self.context: list[Loop | Wrapper | Protected] = []
        self.out: Statements = []
        # What is known about operators and comparisons of ints, by the identity of the rewritten
        # expressions, which the values keep.
        self.wholes: dict[int, tuple[ast.expr, Whole]] = {}
        self.whole_tests: dict[int, tuple[ast.expr, Whole]] = {}
        # Generated variables inside of expressions, and the statement that clears them, which
        # gets its body when all of them are known.
        self.temporaries: list[str] = []
        self.clearing = ast.If(ast.Constant(True), [], [])
        ast.fix_missing_locations(ast.copy_location(self.clearing, node))
        # How many loops and `try` statements are open in the generated code: CPython allows 20.
        self.blocks = int(self.returns_inside)
        self.is_generator = any(isinstance(f, (ast.Yield, ast.YieldFrom)) for f in here)
        name = getattr(node, "name", "")
        self.is_inlined = INLINES and name.startswith(COMPREHENSION) and not self.is_generator

    def number(self) -> int:
        """A number for the names of generated variables."""
        self.unit.counter += 1
        return self.unit.counter

    def refuse(self, node: ast.AST, what: str, instead: str = "") -> NoReturn:
        """Report a construct that cannot be lifted."""
        self.unit.refuse(node, what, instead)

    def emit(self, text: str, at: ast.AST, **holes: object) -> None:
        """Append generated statements."""
        self.out.extend(statements(text, at, **holes))  # type: ignore[arg-type]

    def decided(self, variable: str, test: ast.expr, check: Statements, at: ast.AST) -> Statements:
        """Put a rewritten test into a variable; `check` goes on where it is no truth value."""
        known = self.whole_tests.get(id(test))
        if known is None:
            return statements(f"_T = _TEST{CHECKED}", at, _T=variable, _TEST=test, _CHECK=check)
        whole = known[1]
        inner = statements(
            f"_T = _TEST{CHECKED}", at, _T=variable, _TEST=whole.otherwise, _CHECK=check
        )
        return statements(
            f"if {whole.test}:\n    _T = _N\nelse:\n    _INNER",
            at, _T=variable, _N=whole.native, _INNER=inner,
        )  # fmt: skip

    def collect(self, action: Callable[[], None]) -> Statements:
        """The statements that an action emits."""
        saved, self.out = self.out, []
        try:
            action()
            return self.out
        finally:
            self.out = saved

    @contextmanager
    def inside(self, entry: Loop | Wrapper | Protected, blocks: int) -> Iterator[None]:
        """Rewrite something inside of a loop or `try` statement."""
        self.context.append(entry)
        self.blocks += blocks
        try:
            yield
        finally:
            self.context.pop()
            self.blocks -= blocks

    def merged_names(self, nodes: Sequence[ast.AST], *extra: str) -> tuple[str, ...]:
        """The local variables that a fork around these nodes saves and merges."""
        names = [name for name in bound_names(nodes) if name in self.locals]
        for name in names:
            if name not in self.bound:
                self.starts_unbound[name] = None
        return (*(name for name in names if name not in self.captured), *extra)

    def scopes(self, inside: Iterable[ast.AST], at: ast.AST) -> Statements:
        """What a fork around some nodes does first: open the scopes that its paths may leave to."""
        if not may_leave(inside):
            return []
        names = ["_sv_s"] if self.returns_inside else []
        for entry in self.context:
            if isinstance(entry, Loop):
                if entry.outer and entry.breaks:
                    names.append(entry.outer)
                if entry.breaks and not entry.outer:
                    names.append(entry.scope)
                if entry.iteration:
                    names.append(entry.iteration)
        result: Statements = []
        for name in names:
            result += statements("if _L is None:\n    _L = _sv_Scope()", at, _L=name)
        return result

    # --- statements ---

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Rewrite statements in order."""
        for node in body:
            self.statement(node)

    def inner_block(self, body: Sequence[ast.stmt]) -> Statements:
        """Rewrite statements on their own; the names they bind are bound only inside."""
        return self.collect(lambda: self.block(body))

    def lowered(self, body: Statements) -> None:
        """Rewrite generated statements; the variables that they introduce are local."""
        self.locals |= set(bound_names(body)) - self.globals - self.nonlocals
        self.block(body)

    def statement(self, node: ast.stmt) -> None:
        """Rewrite one statement."""
        if self.blocks > DEEPEST and isinstance(node, COMPOUND):
            self.outline(node)
        else:
            self.rewrite(node)

    def rewrite(self, node: ast.stmt) -> None:
        """Rewrite one statement, however deep it is."""
        method = getattr(self, f"do_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"`{lowering.keyword(node)}`", lowering.advice(node))
        method(node)

    def outline(self, node: ast.stmt) -> None:
        """Move a statement that is nested too deep for CPython into an inner function."""
        if any(isinstance(found, (ast.Yield, ast.YieldFrom)) for found in walk((node,))):
            self.refuse(node, "`yield` nested this deep", "move it into a function of its own")
        names = [name for name in bound_names((node,)) if name in self.locals]
        for name in names:
            self.starts_unbound[name] = None
            self.unsteady.add(name)
            self.bound.discard(name)
        bound = bound_names((node,))
        shared = [*names, *(name for name in bound if name in self.nonlocals)]
        of_module = [name for name in bound if name in self.globals]
        first = self.parameters[0] if self.parameters else None
        moved = lowering.lower_nested(node, self.number(), shared, of_module, first)
        self.locals |= set(bound_names(moved)) - self.globals - self.nonlocals
        for part in moved:
            self.rewrite(part)

    # --- evaluation order ---

    def exprs(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        """Rewrite expressions that Python evaluates one after the other."""
        results: list[ast.expr] = []
        for node in nodes:
            mark = len(self.out)
            result = self.expr(node)
            if len(self.out) > mark:
                # The statements before this expression must not overtake the earlier ones.
                keeping: Statements = []
                for place, earlier in enumerate(results):
                    if not _is_stable(earlier):
                        name = f"_sv_o{self.number()}"
                        value = earlier.value if isinstance(earlier, ast.Starred) else earlier
                        keeping += statements("_X = _V", node, _X=name, _V=value)
                        kept: ast.expr = ast.copy_location(ast.Name(name, ast.Load()), node)
                        if value is not earlier:
                            kept = ast.copy_location(ast.Starred(kept, ast.Load()), node)
                        results[place] = kept
                self.out[mark:mark] = keeping
            results.append(result)
        return results

    def may_change(self, name: str, later: ast.expr) -> bool:
        """Whether a variable may be another when a rewritten expression has been evaluated."""
        if isinstance(later, (ast.Name, ast.Constant)) or name.startswith("_sv_"):
            return False
        return name not in self.locals or name in self.shared

    def keep(self, value: ast.expr, at: ast.AST) -> ast.expr:
        """A name or constant that stands for a rewritten expression."""
        if _is_stable(value):
            return value
        name = f"_sv_o{self.number()}"
        self.emit("_X = _V", at, _X=name, _V=value)
        return ast.copy_location(ast.Name(name, ast.Load()), at)

    def hold(self, value: ast.expr, at: ast.AST, later: ast.AST) -> ast.expr:
        """Keep a rewritten value that is used after `later` is evaluated."""
        if isinstance(value, (ast.Name, ast.Constant)) and not any(
            isinstance(found, (ast.NamedExpr, ast.Yield)) for found in ast.walk(later)
        ):
            return value
        return self.keep(value, at)

    def forget(self, value: ast.expr, at: ast.AST) -> None:
        """Clear a generated variable after its only use: it would look like an alias."""
        if isinstance(value, ast.Name) and value.id.startswith("_sv_o"):
            self.emit("_X = None", at, _X=value.id)

    def only_expression(self, node: ast.expr) -> ast.expr:
        """Rewrite an expression where no statement can come before."""
        mark = len(self.out)
        result = self.expr(node)
        if len(self.out) > mark:
            self.refuse(node, "control flow in this expression", "assign it to a variable first")
        return result

    def temporary(self, node: ast.AST) -> str:
        """The name of a variable inside one expression."""
        name = f"_sv_i{self.number()}"
        self.temporaries.append(name)
        return name

    def clear(self) -> Statements:
        """Clear all variables inside of expressions: they would look like aliases when merging."""
        return [self.clearing]

    def expr(self, node: ast.expr) -> ast.expr:
        """Rewrite one expression."""
        method = getattr(self, f"ex_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"`{lowering.keyword(node)}`", lowering.advice(node))
        result: ast.expr = method(node)
        return result

    # --- variables ---

    def note_cell(self, name: str, at: ast.AST) -> None:
        """Tell the journal that a variable which other functions share is about to change."""
        self.cells[name] = None
        self.emit("_sv_note_cell(_C)", at, _C=f"_sv_cell_{name}")

    def note_bound(self, name: str) -> None:
        """The name is bound from here on."""
        if name in self.locals and name not in self.unsteady:
            self.bound.add(name)

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
                # The function may be called when paths have met again that have not bound it.
                if name in outer.parameters and name not in outer.unsteady:
                    return False
                outer.starts_unbound[name] = None
                return True
            outer = outer.outer
        return False

    def is_free(self, name: str) -> bool:
        """Whether a name is a variable of an enclosing function for the Python that runs."""
        function: Base | None = self
        while function is not None:
            if name in function.locals:
                return False
            if not function.is_inlined:
                return True
            function = function.outer
        return True

    # --- what the other parts provide ---

    def assign(self, target: ast.expr, value: ast.expr, at: ast.AST) -> None:
        """Assign a rewritten value to a target."""
        raise NotImplementedError

    def delete(self, target: ast.expr, at: ast.AST) -> None:
        """Delete a target."""
        raise NotImplementedError

    def branch(
        self,
        test: ast.expr,
        then: Callable[[], None],
        otherwise: Callable[[], None],
        names: tuple[str, ...],
        inside: Sequence[ast.AST],
        at: ast.AST,
    ) -> None:
        """A fork on a rewritten test, around some nodes."""
        raise NotImplementedError

    def after_wrapper(self, body: Sequence[ast.stmt], node: ast.stmt) -> None:
        """After a generated loop: go on with a `break` or `continue` that was on its way."""
        raise NotImplementedError

    def item(self, value: ast.expr, key: ast.expr, at: ast.AST) -> ast.expr:
        """Reading an item; both operands are rewritten."""
        raise NotImplementedError

    def in_place(self, op: ast.operator, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
        """An in-place operator on rewritten operands."""
        raise NotImplementedError

    def nearest_final(self, until: Loop | None) -> bool:
        """Whether a `finally` clause is between here and the loop, or the end of the function."""
        raise NotImplementedError

    def drops(self, until: Loop | None, at: ast.AST) -> Statements:
        """Close the outermost `try` statement that is left."""
        raise NotImplementedError

    def negation(self, value: ast.expr, at: ast.AST) -> ast.expr:
        """`not` of a rewritten value."""
        raise NotImplementedError

    def source(self, node: ast.expr) -> ast.expr:
        """What a loop iterates over."""
        raise NotImplementedError

    def held(self, value: ast.expr, at: ast.AST, steady: bool = True) -> tuple[ast.expr, ast.expr]:
        """A name for a rewritten expression, and what evaluates it and binds the name."""
        raise NotImplementedError

    def parts(self, nodes: list[ast.expr], at: ast.AST, later: Sequence[ast.expr] = ()) -> ast.expr:
        """Rewritten expressions in order, each with whether a `*` is before it."""
        raise NotImplementedError

    def ex_Name(self, node: ast.Name) -> ast.expr:
        """Read a variable."""
        raise NotImplementedError


def constant_int(node: ast.expr) -> bool:
    """Whether an expression is a literal int."""
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_stable(node: ast.expr) -> bool:
    """Whether evaluating a rewritten expression later gives the same."""
    if isinstance(node, ast.Constant):
        return True
    return isinstance(node, ast.Name) and node.id.startswith(("_sv_o", "_sv_p", "_sv_v", "_sv_r"))
