"""A second opinion: terms in Z3's Python API, translated operator by operator.

This knows nothing of the package's own conversion to solvers.  It is simple and slow, for tests.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import z3

from solvent.terms.graph import reachable
from solvent.terms.ops import Op
from solvent.terms.sorts import (
    ArraySort,
    BitVecSort,
    Bool,
    Int,
    Real,
    Sort,
    Str,
    UninterpretedSort,
)
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, ArrayValue, sort_of


def z3_sort(sort: Sort[Any]) -> Any:
    """Z3's sort of that name."""
    if isinstance(sort, BitVecSort):
        return z3.BitVecSort(sort.width)
    if isinstance(sort, ArraySort):
        return z3.ArraySort(z3_sort(sort.index), z3_sort(sort.element))
    if isinstance(sort, UninterpretedSort):
        return z3.DeclareSort(sort.name)
    return {Bool: z3.BoolSort, Int: z3.IntSort, Real: z3.RealSort, Str: z3.StringSort}[sort]()


def z3_value(value: Any) -> Any:
    """A concrete value of the core sorts."""
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, int):
        return z3.IntVal(value)
    if isinstance(value, Fraction):
        return z3.Q(value.numerator, value.denominator)
    if isinstance(value, str):
        return z3.StringVal(value)
    if isinstance(value, BV):
        return z3.BitVecVal(value.value, value.width)
    if isinstance(value, ArrayValue):
        array = z3.K(z3_sort(value.sort.index), z3_value(value.default))
        for index, element in value.items.items():
            array = z3.Store(array, z3_value(index), z3_value(element))
        return array
    raise NotImplementedError(f"no translation of the value {value!r}")


def _constant(term: Any) -> Any:
    # Constants of one name and different sorts are different.
    return z3.Const(f"{term.name}:{term.sort}", z3_sort(term.sort))


def _function(symbol: Any) -> Any:
    return z3.Function(symbol.name, *map(z3_sort, symbol.domain), z3_sort(symbol.range))


def _quantified(quantifier: Any) -> Callable[..., Any]:
    return lambda bound, _sizes, body, *_patterns: quantifier(
        [_constant(variable) for variable in bound], body
    )


# Each operator by its name: its parameters come first.  Division by zero is 0 on Int and Real,
# and the remainder is then the dividend.
OPERATORS: dict[str, Callable[..., Any]] = {
    "and": z3.And,
    "or": z3.Or,
    "not": z3.Not,
    "=": lambda a, b: a == b,
    "ite": lambda _sort, c, a, b: z3.If(c, a, b),
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a: -a,
    "<=": lambda a, b: a <= b,
    "div": lambda a, b: z3.If(b == 0, z3.IntVal(0), a / b),
    "mod": lambda a, b: z3.If(b == 0, a, a % b),
    "to_real": z3.ToReal,
    "/": lambda a, b: z3.If(b == 0, z3.RealVal(0), a / b),
    "to_int": z3.ToInt,
    "is_int": z3.IsInt,
    "bvadd": lambda a, b: a + b,
    "bvmul": lambda a, b: a * b,
    "bvneg": lambda a: -a,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvnot": lambda a: ~a,
    "bvshl": lambda a, b: a << b,
    "bvlshr": z3.LShR,
    "bvashr": lambda a, b: a >> b,
    "bvudiv": z3.UDiv,
    "bvurem": z3.URem,
    "bvsdiv": lambda a, b: a / b,
    "bvsrem": z3.SRem,
    "bvsmod": lambda a, b: a % b,
    "bvule": z3.ULE,
    "bvsle": lambda a, b: a <= b,
    "concat": z3.Concat,
    "extract": z3.Extract,
    "zero_extend": z3.ZeroExt,
    "sign_extend": z3.SignExt,
    "ubv_to_int": lambda a: z3.BV2Int(a, is_signed=False),
    "int_to_bv": lambda width, a: z3.Int2BV(a, width),
    "select": z3.Select,
    "store": z3.Store,
    "const_array": lambda sort, v: z3.K(z3_sort(sort.index), v),
    "apply": lambda symbol, *args: _function(symbol)(*args),
    "forall": _quantified(z3.ForAll),
    "exists": _quantified(z3.Exists),
}

# How many of the leading operands of a rule are parameters of the operator.
PARAMETERS = {"ite": 1, "extract": 2, "zero_extend": 1, "sign_extend": 1, "int_to_bv": 1}


def to_z3(root: Any) -> Any:
    """A term or value as a Z3 expression."""
    if not isinstance(root, Term):
        return z3_value(root)
    done: dict[Any, Any] = {}
    for term in reachable([root]):
        if term.op is CONSTANT:
            done[term] = _constant(term)
        else:
            args = [done[arg] if isinstance(arg, Term) else z3_value(arg) for arg in term.args]
            done[term] = OPERATORS[term.op.name](*term.op.params, *args)
    return done[root]


def applied(op: Op, operands: tuple[Any, ...]) -> tuple[Op, tuple[Any, ...]]:
    """The operator and arguments of a rule's operands, which begin with the parameters."""
    count = PARAMETERS.get(op.name, 0)
    return (op.at(*operands[:count]) if count else op), operands[count:]


def counterexample(pairs: list[tuple[Any, Any]]) -> str | None:
    """How some pair of terms can differ, or None if each pair is equal under every assignment."""
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    differences = []
    for a, b in pairs:
        if sort_of(a) is not sort_of(b):
            return f"{a!r} is of sort {sort_of(a)}, {b!r} of sort {sort_of(b)}"
        if a is not b:
            differences.append(to_z3(a) != to_z3(b))
    solver.add(z3.Or(differences))
    answer = solver.check()
    if answer == z3.unsat:
        return None
    if answer == z3.unknown:
        return f"unknown: {solver.reason_unknown()}"
    model = solver.model()
    wrong = next(
        index
        for index, d in enumerate(differences)
        if z3.is_true(model.eval(d, model_completion=True))
    )
    a, b = [pair for pair in pairs if pair[0] is not pair[1]][wrong]
    return f"{a!r} and {b!r} differ under {model}"


def equal(a: Any, b: Any) -> bool:
    """Whether two terms or values are equal under every assignment."""
    return counterexample([(a, b)]) is None
