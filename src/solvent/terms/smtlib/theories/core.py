"""The Core theory: connectives, equality, if-then-else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from solvent.terms.booleans import AND, EQ, ITE, NOT, OR, BoolTerm, and_, eq, ite
from solvent.terms.integers import DIV, MOD, IntTerm
from solvent.terms.ops import Op
from solvent.terms.reals import RDIV, RealTerm
from solvent.terms.smtlib.signatures import (
    ROUNDING,
    Args,
    Argument,
    Head,
    Problem,
    alike,
    arguments,
    booleans,
    chainable,
    check_arity,
    left_associative,
    sort_of,
)
from solvent.terms.sorts import Bool
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Operand


def _connective(name: str, op: Op[Guard]) -> Head:
    construct = op.construct
    general = left_associative(name, op, booleans, least=1)

    def apply(args: Args) -> Argument:
        if len(args) == 2:
            a, b = args
            if a.__class__ is BoolTerm and b.__class__ is BoolTerm:
                return construct(a, b)
        return general(args)

    return apply


def _not(args: Args) -> Argument:
    (arg,) = arguments("not", args, (Bool,))
    return NOT(arg)


def _implies(args: Args) -> Argument:
    check_arity("=>", args, 2)
    *premises, conclusion = booleans("=>", args)
    for premise in reversed(premises):
        conclusion = OR(NOT(premise), conclusion)
    return conclusion


def _equal(args: Args) -> Argument:
    if len(args) == 2:
        a, b = args
        if a.__class__ is b.__class__ and isinstance(a, Term) and a.sort is b.sort:
            return EQ.construct(a, b)
    return _equal_chain(args)


_equal_chain = chainable("=", eq, alike)


def _distinct(args: Args) -> Argument:
    check_arity("distinct", args, 2)
    values = alike("distinct", args)
    return and_(NOT(eq(a, b)) for position, a in enumerate(values) for b in values[position + 1 :])


def _ite(args: Args) -> Argument:
    check_arity("ite", args, 3, 3)
    test, a, b = args
    if test.__class__ is not BoolTerm and test.__class__ is not bool:
        raise Problem(f"the test of ite is of sort {sort_of(test).smt}, not Bool")
    sort = sort_of(a)
    if sort is not sort_of(b):
        a, b = alike("ite", [a, b])
    elif sort is ROUNDING and a is not b:
        raise Problem("a rounding mode that depends on a test is not supported")
    result: Operand = ite(test, a, b)
    return _without_test(result) if isinstance(result, (IntTerm, RealTerm)) else result


_AT_ZERO: dict[Op[object], Callable[[Operand, Operand], bool]] = {
    DIV: lambda dividend, value: _is_zero(value),
    MOD: lambda dividend, value: value is dividend,
    RDIV: lambda dividend, value: _is_zero(value),
}


def _is_zero(value: Operand) -> bool:
    return not isinstance(value, Term) and bool(value == 0)


def _without_test(choice: IntTerm | RealTerm) -> Operand:
    """A division in a test for zero, as the writer makes them, is Solvent's division."""
    if choice.op.base is ITE:
        _, test, a, b = choice.key
        for value, division, positive in ((a, b, True), (b, a, False)):
            if isinstance(division, Term) and division.op in _AT_ZERO:
                _, dividend, divisor = division.key
                zero = eq(divisor, sort_of(divisor).coerce(0))
                is_tested = (test if positive else NOT(test)) is zero
                if is_tested and _AT_ZERO[division.op](dividend, value):
                    return division
    return choice


HEADS: dict[str, Head] = {
    "not": _not,
    "and": _connective("and", AND),
    "or": _connective("or", OR),
    "xor": left_associative("xor", lambda a, b: NOT(eq(a, b)), booleans),
    "=>": _implies,
    "=": _equal,
    "distinct": _distinct,
    "ite": _ite,
}
VALUES: dict[str, Argument] = {"true": True, "false": False}
