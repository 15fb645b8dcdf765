"""Branches."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from solvent.lift.rewrite import lowering, patterns
from solvent.lift.rewrite.base import Base, Statements
from solvent.lift.rewrite.context import Loop, Wrapper
from solvent.lift.rewrite.templates import statements

FORK = """
_T = _T != 0 if _sv_type(_T) is _sv_int else _sv_test(_T)
if _T is not True and _T is not False:
    _SCOPES
    _F = _sv_Fork(_T, _W)
    _T = True
"""

IF = """
_F = None
_DECIDED
while True:
    try:
        if _T:
            _THEN
        else:
            _ELSE
    except _sv_BaseException as _sv_x:
        if _F is None:
            raise
        _F.end(_sv_x)
    if _F is None:
        break
    _CLEAR
    if _T:
        _T = False
        _W = _F.flip(_W)
    else:
        _W = _F.join(_W)
        break
"""

CHAIN = """
_F = None
_A = 0
while True:
    try:
        _ARMS
    except _sv_BaseException as _sv_x:
        if _F is None:
            raise
        _F.end(_sv_x)
    if _F is None:
        break
    _CLEAR
    _W = _F.next(_W)
    if _F.done:
        break
"""

ARM = """
if _A < _N:
    _TEST
    if _T is not True and _T is not False:
        _T = _T != 0 if _sv_type(_T) is _sv_int else _sv_test(_T)
        if _T is not True and _T is not False:
            _SCOPES
            _F = _sv_chain(_F, _T, _W)
            _T = True
else:
    _T = False
if _T:
    _A = _N
    _THEN
else:
    _ELSE
"""


# A place that no side has.
_NOWHERE: dict[int, ast.Name] = {0: ast.Name("")}


def _places_of_names(nodes: Sequence[ast.AST]) -> set[int]:
    """The nodes that are names, by identity."""
    return {id(found) for node in nodes for found in ast.walk(node) if isinstance(found, ast.Name)}


class Arm:
    """One test of several, and what to do where it holds."""

    def __init__(self, test: Callable[[], ast.expr], then: Callable[[], None], at: ast.AST) -> None:
        self.test = test
        self.then = then
        self.at = at


class Branches(Base):
    """Rewrites what decides."""

    def do_If(self, node: ast.If) -> None:
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self.chain(node)
            return
        test = self.expr(node.test)
        inside = (*node.body, *node.orelse)
        self.branch(
            test,
            lambda: self.block(node.body),
            lambda: self.block(node.orelse),
            self.shared_names(node),
            inside,
            node,
        )
        self.after_wrapper(inside, node)

    def shared_names(self, node: ast.If) -> tuple[str, ...]:
        """The variables that a fork saves and merges: others are used on one of its sides only."""
        names = self.merged_names((*node.body, *node.orelse))
        is_repeated = self.is_generator or any(isinstance(entry, Loop) for entry in self.context)
        if not names or is_repeated or self.in_class_body or self.shows_variables:
            return names
        sides = [_places_of_names(side) for side in (node.body, node.orelse)]
        return tuple([
            name for name in names
            if not any(self.places_of_names.get(name, _NOWHERE).keys() <= found for found in sides)
        ])  # fmt: skip

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
        number = self.number()
        variable, fork = f"_sv_t{number}", f"_sv_f{number}"
        scopes = self.scopes(inside, at)
        check = statements(FORK, at, _T=variable, _F=fork, _SCOPES=scopes, _W=names)
        decided = self.decided(variable, test, check, at)
        before = set(self.bound)
        with self.inside(Wrapper(), blocks=2):
            first = self.collect(then)
            after_first, self.bound = self.bound, before
            second = self.collect(otherwise)
            self.bound &= after_first
        self.emit(
            IF, at, _T=variable, _F=fork, _DECIDED=decided, _W=names,
            _THEN=first, _ELSE=second, _CLEAR=self.clear(),
        )  # fmt: skip

    def chain(self, node: ast.If) -> None:
        """`if`, `elif`, `else`."""
        found = [node]
        while len(found[-1].orelse) == 1 and isinstance(found[-1].orelse[0], ast.If):
            found.append(found[-1].orelse[0])
        last = found[-1].orelse
        arms = [
            Arm(lambda arm=arm: self.expr(arm.test), lambda arm=arm: self.block(arm.body), arm)  # type: ignore[misc]
            for arm in found
        ]
        self.arms(arms, lambda: self.block(last), self.merged_names((node,)), node)
        self.after_wrapper([child for arm in found for child in arm.body] + last, node)

    def arms(
        self, arms: list[Arm], otherwise: Callable[[], None], names: tuple[str, ...], at: ast.AST
    ) -> None:
        """Several tests one after the other: one generated loop, however many there are."""
        number = self.number()
        scopes = self.scopes((at,), at)
        results: list[set[str]] = []
        variable = f"_sv_t{number}"

        def emit_test(arm: Arm) -> None:
            self.emit("_T = _TEST", arm.at, _T=variable, _TEST=arm.test())

        def code(place: int) -> Statements:
            if place == len(arms):
                last = self.collect(otherwise)
                results.append(self.bound)
                return last
            arm = arms[place]
            test = self.collect(lambda: emit_test(arm))
            before = set(self.bound)
            then = self.collect(arm.then)
            results.append(self.bound)
            self.bound = before
            rest = code(place + 1)
            return statements(
                ARM, arm.at, _A=f"_sv_a{number}", _N=ast.Constant(place + 1), _TEST=test,
                _T=variable, _SCOPES=scopes, _F=f"_sv_f{number}", _W=names, _THEN=then, _ELSE=rest,
            )  # fmt: skip

        with self.inside(Wrapper(), blocks=2):
            whole = code(0)
        self.bound = set.intersection(*results)
        self.emit(
            CHAIN, at, _F=f"_sv_f{number}", _A=f"_sv_a{number}", _W=names, _ARMS=whole,
            _CLEAR=self.clear(),
        )  # fmt: skip

    def do_Match(self, node: ast.Match) -> None:
        self.lowered(patterns.lower_match(node, self.number()))

    def do_Assert(self, node: ast.Assert) -> None:
        if node.msg is None or isinstance(node.msg, ast.Constant):
            message = node.msg or ast.Constant(None)
            arguments = [message] if node.msg is not None else []
            test = self.keep(self.expr(node.test), node)
            self.emit(
                "if _T is not True:\n    _sv_check(_T, _M)", node,
                _T=test, _M=ast.Tuple([ast.copy_location(a, node) for a in arguments], ast.Load()),
            )  # fmt: skip
        else:
            self.block(lowering.lower_assert(node))

    # --- control flow inside of expressions ---

    def ex_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = f"_sv_o{self.number()}"
        result = ast.copy_location(ast.Name(name, ast.Load()), node)
        *first, last = node.values
        names = self.merged_names(node.values, name)
        negate = isinstance(node.op, ast.And)

        def test(operand: ast.expr) -> ast.expr:
            """Whether an operand decides."""
            self.emit("_X = _V", operand, _X=name, _V=self.expr(operand))
            return self.negation(result, operand) if negate else result

        def evaluate(operand: ast.expr) -> None:
            self.emit("_X = _V", operand, _X=name, _V=self.expr(operand))

        nothing: Callable[[], None] = lambda: None  # noqa: E731
        if len(first) == 1:
            value = self.expr(first[0])
            self.emit("_X = _V", node, _X=name, _V=value)
            sides = (lambda: evaluate(last), nothing)
            if not negate:
                sides = (nothing, lambda: evaluate(last))
            self.branch(result, *sides, names, (last,), node)
            return result
        self.emit("_X = None", node, _X=name)
        arms = [Arm(lambda operand=operand: test(operand), nothing, operand) for operand in first]  # type: ignore[misc]
        self.arms(arms, lambda: evaluate(last), names, node)
        return result

    def ex_IfExp(self, node: ast.IfExp) -> ast.expr:
        name = f"_sv_o{self.number()}"
        found = [node]
        while isinstance(found[-1].orelse, ast.IfExp):
            found.append(found[-1].orelse)
        last = found[-1].orelse

        def evaluate(operand: ast.expr) -> None:
            self.emit("_X = _V", operand, _X=name, _V=self.expr(operand))

        if len(found) == 1:
            test = self.expr(node.test)
            names = self.merged_names((node.body, last), name)
            self.emit("_X = None", node, _X=name)
            sides = (lambda: evaluate(node.body), lambda: evaluate(last))
            self.branch(test, *sides, names, (node.body, last), node)
        else:
            names = self.merged_names((node,), name)
            self.emit("_X = None", node, _X=name)
            arms = [
                Arm(lambda arm=arm: self.expr(arm.test), lambda arm=arm: evaluate(arm.body), arm)  # type: ignore[misc]
                for arm in found
            ]
            self.arms(arms, lambda: evaluate(last), names, node)
        return ast.copy_location(ast.Name(name, ast.Load()), node)
