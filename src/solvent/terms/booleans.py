"""Booleans, equality and if-then-else: the operators that every theory needs.

`and_` and `or_` are binary inside: a rule then costs the same however long the conjunction is.
The rules are the equivalences that formulas of merged states meet: units, complements,
absorption, and tests that an enclosing guard has decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solvent.errors import SortError
from solvent.terms.memory import next_id
from solvent.terms.ops import Op
from solvent.terms.rules import rule
from solvent.terms.softfloat import external
from solvent.terms.sorts import TERM_CLASSES, Bool, BoolSort, Sort, describe
from solvent.terms.term import (
    Construct,
    Term,
    commutative,
    intern,
    lookup,
    new,
    node,
    same_sort,
    unary,
)
from solvent.terms.values import sort_of

AND = Op("and", lambda a, b: a and b, lambda a, b: Bool)
OR = Op("or", lambda a, b: a or b, lambda a, b: Bool)
NOT = Op("not", lambda a: not a, lambda a: Bool)
EQ = Op("=", lambda a, b: a == b, lambda a, b: Bool)
ITE = Op("ite", lambda sort, c, a, b: a if c else b, lambda sort, c, a, b: sort, lambda sort: "ite")

_and = commutative(AND, (BoolSort,))
_or = commutative(OR, (BoolSort,))
_not = unary(NOT)


class BoolTerm(Term):
    """A symbolic truth value.  `&`, `|`, `^` and `~` are its connectives.

    Like Python's `bool` it counts as 0 or 1 in arithmetic.

    >>> from solvent.terms import Bool, Int
    >>> p, q = Bool("p"), Bool("q")
    >>> p & (p | q)
    p
    >>> ~(~p)
    p
    >>> p + Int("x")
    x + ite(p, 1, 0)
    """

    __slots__ = ()
    __hash__ = object.__hash__

    __and__ = _and
    __rand__ = _and
    __or__ = _or
    __ror__ = _or
    __invert__ = _not

    def __xor__(self, other: Any) -> Any:
        return _via_eq(self, other, negate=True)

    __rxor__ = __xor__

    def __eq__(self, other: object) -> Any:
        if isinstance(other, int) and not isinstance(other, bool):
            return self.as_int() == other
        return equals(self, other)

    def __ne__(self, other: object) -> Any:
        result = self.__eq__(other)
        return result if result is NotImplemented else not_(result)

    def as_int(self) -> Any:
        """0 or 1, as Python's `int(b)`."""
        return ite(self, 1, 0)

    def __add__(self, other: Any) -> Any:
        return self.as_int() + _number(other)

    def __radd__(self, other: Any) -> Any:
        return other + self.as_int()

    def __sub__(self, other: Any) -> Any:
        return self.as_int() - _number(other)

    def __rsub__(self, other: Any) -> Any:
        return other - self.as_int()

    def __mul__(self, other: Any) -> Any:
        return self.as_int() * _number(other)

    def __rmul__(self, other: Any) -> Any:
        return other * self.as_int()

    def __neg__(self) -> Any:
        return -self.as_int()

    def __pos__(self) -> Any:
        return self.as_int()

    def __abs__(self) -> Any:
        return self.as_int()

    def __floordiv__(self, other: Any) -> Any:
        return self.as_int() // _number(other)

    def __rfloordiv__(self, other: Any) -> Any:
        return other // self.as_int()

    def __mod__(self, other: Any) -> Any:
        return self.as_int() % _number(other)

    def __rmod__(self, other: Any) -> Any:
        return other % self.as_int()

    def __divmod__(self, other: Any) -> Any:
        return divmod(self.as_int(), _number(other))

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(other, self.as_int())

    def __pow__(self, exponent: Any) -> Any:
        return self.as_int() ** exponent

    def __truediv__(self, other: Any) -> Any:
        return self.as_int() / _number(other)

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.as_int()

    def __lshift__(self, other: Any) -> Any:
        return self.as_int() << _number(other)

    def __rlshift__(self, other: Any) -> Any:
        return other << self.as_int()

    def __rshift__(self, other: Any) -> Any:
        return self.as_int() >> _number(other)

    def __rrshift__(self, other: Any) -> Any:
        return other >> self.as_int()

    def __lt__(self, other: Any) -> Any:
        return self.as_int() < _number(other)

    def __le__(self, other: Any) -> Any:
        return self.as_int() <= _number(other)

    def __gt__(self, other: Any) -> Any:
        return self.as_int() > _number(other)

    def __ge__(self, other: Any) -> Any:
        return self.as_int() >= _number(other)


def _number(value: Any) -> Any:
    return value.as_int() if isinstance(value, BoolTerm) else value


TERM_CLASSES[BoolSort] = BoolTerm
Bool.term_class = BoolTerm


def _coerce_bool(sort: BoolSort, value: Any) -> Any:
    return value if isinstance(value, (BoolTerm, bool)) else NotImplemented


Sort.coercers[BoolSort] = _coerce_bool
Sort.defaults[BoolSort] = lambda sort: False


# --- connectives -------------------------------------------------------------------------------


def _flat(operands: tuple[Any, ...]) -> Iterable[Any]:
    if (
        len(operands) == 1
        and isinstance(operands[0], Iterable)
        and not isinstance(operands[0], Term)
    ):
        return operands[0]
    return operands


def and_(*operands: Any) -> Any:
    """The conjunction of terms and Python booleans, or of one iterable of them.

    >>> from solvent.terms import Bool
    >>> p, q = Bool("p"), Bool("q")
    >>> and_(p, True, q), and_(p, ~p), and_()
    (p and q, False, True)
    """
    result: Any = True
    for operand in _flat(operands):
        if operand is True or operand is False:
            result = result if operand else False
        elif result is True or result is False:
            result = Bool.require(operand) if result else False
        else:
            result = _and(result, Bool.require(operand))
    return result


def or_(*operands: Any) -> Any:
    """The disjunction of terms and Python booleans, or of one iterable of them.

    >>> from solvent.terms import Bool
    >>> p, q = Bool("p"), Bool("q")
    >>> or_(p, False, q), or_([p, ~p]), or_()
    (p or q, True, False)
    """
    result: Any = False
    for operand in _flat(operands):
        if operand is True or operand is False:
            result = True if operand else result
        elif result is True or result is False:
            result = True if result else Bool.require(operand)
        else:
            result = _or(result, Bool.require(operand))
    return result


def not_(operand: Any) -> Any:
    """The negation.

    >>> from solvent.terms import Bool
    >>> not_(Bool("p")), not_(True)
    (not p, False)
    """
    if operand is True or operand is False:
        return not operand
    return _not(Bool.require(operand))


def implies(premise: Any, conclusion: Any) -> Any:
    """`premise` implies `conclusion`.

    >>> from solvent.terms import Bool
    >>> implies(Bool("p"), False)
    not p
    """
    return or_(not_(premise), conclusion)


def iff(a: Any, b: Any) -> Any:
    """`a` holds exactly if `b` does.

    >>> from solvent.terms import Bool
    >>> iff(Bool("p"), True)
    p
    """
    a, b = Bool.require(a), Bool.require(b)
    return eq(a, b)


def xor(a: Any, b: Any) -> Any:
    """Exactly one of `a` and `b` holds.

    >>> from solvent.terms import Bool
    >>> xor(Bool("p"), Bool("p"))
    False
    """
    return not_(iff(a, b))


@rule(AND, "p and p = p", lambda p: (p, p), same=True)
@rule(OR, "p or p = p", lambda p: (p, p), same=True)
def idempotent(p: Any, _: Any) -> Any:
    return p


@rule(AND, "p and True = p, p and False = False", lambda p, c: (p, c), constant=True)
def and_constant(p: Any, c: Any) -> Any:
    return p if c else False


@rule(OR, "p or True = True, p or False = p", lambda p, c: (p, c), constant=True)
def or_constant(p: Any, c: Any) -> Any:
    return True if c else p


@rule(NOT, "not not p = p", lambda p: (raw_not(p),), on=NOT)
def double_negation(p: Any) -> Any:
    return p.key[1]


def raw_not(p: Any) -> Any:
    """The negation of a term, built without rules, for examples of rules."""
    return node(BoolTerm, NOT, Bool, p)


@rule(AND, "not p and p = False", lambda p: (~p, p), on=NOT)
def and_complement(n: Any, p: Any) -> Any:
    return False if n.key[1] is p else None


@rule(OR, "not p or p = True", lambda p: (~p, p), on=NOT)
def or_complement(n: Any, p: Any) -> Any:
    return True if n.key[1] is p else None


@rule(AND, "not (p or q) and p = False", lambda p, q: (~(p | q), p), on=NOT)
def and_negated_or(n: Any, p: Any) -> Any:
    inner = n.key[1]
    if inner.op is OR and (inner.key[1] is p or inner.key[2] is p):
        return False
    return None


@rule(OR, "not (p and q) or p = True", lambda p, q: (~(p & q), p), on=NOT)
def or_negated_and(n: Any, p: Any) -> Any:
    inner = n.key[1]
    if inner.op is AND and (inner.key[1] is p or inner.key[2] is p):
        return True
    return None


@rule(AND, "not (p and q) and p = p and not q", lambda p, q: (~(p & q), p), on=NOT)
def and_negated_and(n: Any, p: Any) -> Any:
    inner = n.key[1]
    if inner.op is AND:
        _, a, b = inner.key
        if a is p:
            return _and(p, _not(b))
        if b is p:
            return _and(p, _not(a))
    return None


@rule(OR, "not (p or q) or p = p or not q", lambda p, q: (~(p | q), p), on=NOT)
def or_negated_or(n: Any, p: Any) -> Any:
    inner = n.key[1]
    if inner.op is OR:
        _, a, b = inner.key
        if a is p:
            return _or(p, _not(b))
        if b is p:
            return _or(p, _not(a))
    return None


@rule(AND, "(p and q) and p = p and q", lambda p, q: (p & q, p), on=AND)
@rule(OR, "(p or q) or p = p or q", lambda p, q: (p | q, p), on=OR)
def absorbed(pair: Any, p: Any) -> Any:
    _, a, b = pair.key
    return pair if a is p or b is p else None


@rule(AND, "(p and q) and not p = False", lambda p, q: (p & q, ~p), on=AND)
def and_absorbed_complement(pair: Any, n: Any) -> Any:
    _, a, b = pair.key
    if n.op is NOT:
        p = n.key[1]
        if a is p or b is p:
            return False
    if (a.op is NOT and a.key[1] is n) or (b.op is NOT and b.key[1] is n):
        return False
    return None


@rule(OR, "(p or q) or not p = True", lambda p, q: (p | q, ~p), on=OR)
def or_absorbed_complement(pair: Any, n: Any) -> Any:
    _, a, b = pair.key
    if n.op is NOT:
        p = n.key[1]
        if a is p or b is p:
            return True
    if (a.op is NOT and a.key[1] is n) or (b.op is NOT and b.key[1] is n):
        return True
    return None


@rule(AND, "(p or q) and p = p", lambda p, q: (p | q, p), on=OR)
@rule(OR, "(p and q) or p = p", lambda p, q: (p & q, p), on=AND)
def absorbing(pair: Any, p: Any) -> Any:
    _, a, b = pair.key
    return p if a is p or b is p else None


def _without_complement(pair: Any, n: Any) -> Any:
    """The other half of a pair, if one half is the complement of `n`."""
    _, a, b = pair.key
    if n.op is NOT:
        p = n.key[1]
        if a is p:
            return b
        if b is p:
            return a
    if a.op is NOT and a.key[1] is n:
        return b
    if b.op is NOT and b.key[1] is n:
        return a
    return None


@rule(AND, "(p or q) and not p = q and not p", lambda p, q: (p | q, ~p), on=OR)
def and_unit_resolution(pair: Any, n: Any) -> Any:
    rest = _without_complement(pair, n)
    return None if rest is None else _and(rest, n)


@rule(OR, "(p and q) or not p = q or not p", lambda p, q: (p & q, ~p), on=AND)
def or_unit_resolution(pair: Any, n: Any) -> Any:
    rest = _without_complement(pair, n)
    return None if rest is None else _or(rest, n)


def _resolve(first: Any, second: Any) -> Any:
    """The common half of two pairs whose other halves are complements."""
    _, a, b = first.key
    _, c, d = second.key
    for common, left, other, right in ((a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)):
        if common is other and (
            (left.op is NOT and left.key[1] is right) or (right.op is NOT and right.key[1] is left)
        ):
            return common
    return None


@rule(AND, "(p or q) and (p or not q) = p", lambda p, q: (p | q, p | ~q), on=OR)
def and_resolution(first: Any, second: Any) -> Any:
    return _resolve(first, second) if second.op is OR else None


@rule(OR, "(p and q) or (p and not q) = p", lambda p, q: (p & q, p & ~q), on=AND)
def or_resolution(first: Any, second: Any) -> Any:
    return _resolve(first, second) if second.op is AND else None


# --- equality ----------------------------------------------------------------------------------


def eq(a: Any, b: Any) -> Any:
    """Logical equality (SMT-LIB's `=`) of values of one sort.

    This is what `==` builds, except on floats, where `==` is IEEE's comparison.

    >>> from solvent.terms import Int
    >>> eq(Int("x") + 1, 3)
    x == 2
    """
    if not isinstance(a, Term) and not isinstance(b, Term):
        sort = common_sort(a, b)
        return bool(sort.require(a) == sort.require(b))
    result = _eq(a, b)
    if result is NotImplemented:
        result = _eq(b, a)
    if result is NotImplemented:
        raise SortError(f"= needs operands of one sort: {describe(a)} and {describe(b)}")
    return result


def _eq_construct() -> Construct:
    heads = EQ.rules.get
    constant_heads = EQ.constant_rules.get

    def construct(a: Any, b: Any) -> Any:
        if b.__class__ is not a.__class__ or b.sort is not a.sort:
            return mixed(a, b)
        if a is b:
            return True
        if a.id > b.id:
            a, b = b, a
        key = (EQ, a, b)
        term = lookup(key)
        if term is not None:
            return term
        for rule_ in heads(a.op.base, ()):
            result = rule_(a, b)
            if result is not None:
                return result
        for rule_ in heads(b.op.base, ()):
            result = rule_(b, a)
            if result is not None:
                return result
        term = new(BoolTerm)
        term.op = EQ
        term.key = key
        term.sort = Bool
        term.id = next_id()
        return intern(key, term)

    def mixed(a: Any, b: Any) -> Any:
        a, b = same_sort(EQ, a, b)
        if a is NotImplemented:
            return a
        if not isinstance(a, Term):
            a, b = b, a
        elif isinstance(b, Term):
            return construct(a, b)
        term = lookup((EQ, a, b))
        if term is not None:
            return term
        for head in (a.sort.__class__, a.op.base):
            for rule_ in constant_heads(head, ()):
                result = rule_(a, b)
                if result is not None:
                    return result
        return node(BoolTerm, EQ, Bool, a, b)

    EQ.construct = construct
    return construct


_eq = _eq_construct()


def equals(a: Any, b: Any) -> Any:
    """What `==` builds."""
    return _eq(a, b)


def not_equals(a: Any, b: Any) -> Any:
    """What `!=` builds."""
    result = _eq(a, b)
    return result if result is NotImplemented else not_(result)


def _via_eq(a: Any, b: Any, negate: bool) -> Any:
    if Bool.coerce(b) is NotImplemented:
        return NotImplemented
    return not_(_eq(a, b)) if negate else _eq(a, b)


def distinct(*operands: Any) -> Any:
    """All operands differ from each other.

    >>> from solvent.terms import Int
    >>> distinct(Int("x"), 1, 1)
    False
    """
    values = list(_flat(operands))
    return and_(not_(eq(a, b)) for position, a in enumerate(values) for b in values[position + 1 :])


@rule(
    EQ, "(p == True) = p, (p == False) = not p", lambda p, b: (p, b), constant=True, on=(BoolSort,)
)
def bool_eq_constant(p: Any, c: Any) -> Any:
    return p if c else _not(p)


@rule(EQ, "(not p == p) = False, (not p == q) = not (p == q)", lambda p, q: (~p, q), on=NOT)
def bool_eq_not(n: Any, q: Any) -> Any:
    p = n.key[1]
    if p is q:
        return False
    if q.op is NOT:
        return _eq(p, q.key[1])
    return not_(_eq(p, q))


# Chains of if-then-else are searched to this depth for constant leaves.
CHAIN_LIMIT = 64


@rule(
    EQ,
    "(ite(p, c, x) == d) = (p and c == d) or (not p and x == d)",
    lambda p, q, c, d, x: (ite(p, c, ite(q, d, x)), d),
    on=ITE,
    constant=True,
    theories=("Int", "Real", "BitVec", "Str"),
)
def eq_ite_constant(chain: Any, d: Any) -> Any:
    """Push a comparison with a constant into a chain of choices between constants."""
    steps: list[tuple[Any, Any]] = []
    x = chain
    while isinstance(x, Term) and x.op.base is ITE and len(steps) < CHAIN_LIMIT:
        _, test, a, b = x.key
        if not isinstance(a, Term):
            steps.append((test, a == d))
            x = b
        elif not isinstance(b, Term):
            steps.append((_not(test), b == d))
            x = a
        else:
            break
    if not steps or (isinstance(x, Term) and x.op.base is ITE):
        return None
    result = _eq(x, d) if isinstance(x, Term) else x == d
    for test, holds in reversed(steps):
        result = or_(test, result) if holds else and_(_not(test), result)
    return result


@rule(
    EQ,
    "(ite(p, x, y) == x) = p or y == x",
    lambda p, x, y: (ite(p, x, y), x),
    on=ITE,
    theories=("Int", "BitVec"),
)
def eq_ite_branch(choice: Any, x: Any) -> Any:
    _, test, a, b = choice.key
    if a is x:
        return or_(test, eq(b, x))
    if b is x:
        return or_(_not(test), eq(a, x))
    return None


def _pair(term: Any) -> Any:
    """The compared term and constant of an equation with a constant, or None."""
    _, x, c = term.key
    return None if isinstance(c, Term) else (x, c)


@rule(
    AND,
    "x == c and x == d = False for different constants",
    lambda x, c, d: (eq(x, c), eq(x, d)),
    on=EQ,
    theories=("Int", "BitVec"),
)
def and_different_constants(first: Any, second: Any) -> Any:
    if second.op is not EQ:
        return None
    one, two = _pair(first), _pair(second)
    if one is None or two is None or one[0] is not two[0] or one[1] == two[1]:
        return None
    return False


@rule(
    AND,
    "x == c and not x == d = x == c for different constants",
    lambda x, c, d: (eq(x, c), not_(eq(x, d))),
    on=EQ,
    theories=("Int", "BitVec"),
)
def and_different_constant_negated(first: Any, negated: Any) -> Any:
    if negated.op is not NOT or negated.key[1].op is not EQ:
        return None
    one, two = _pair(first), _pair(negated.key[1])
    if one is None or two is None or one[0] is not two[0] or one[1] == two[1]:
        return None
    return first


@rule(
    OR,
    "x == c or not x == d = not x == d for different constants",
    lambda x, c, d: (eq(x, c), not_(eq(x, d))),
    on=EQ,
    theories=("Int", "BitVec"),
)
def or_different_constant_negated(first: Any, negated: Any) -> Any:
    return None if and_different_constant_negated(first, negated) is None else negated


# --- if-then-else ------------------------------------------------------------------------------


def common_sort(a: Any, b: Any) -> Sort[Any]:
    """The sort that two values or terms can both be brought to.

    >>> from solvent.terms import Real
    >>> common_sort(1, Real("x")), common_sort(True, 2)
    (Real, Int)
    """
    first, second = sort_of(a), sort_of(b)
    if first is second or first.coerce(b) is not NotImplemented:
        return first
    if second.coerce(a) is not NotImplemented:
        return second
    raise SortError(f"{describe(a)} and {describe(b)} have no common sort")


def ite(test: Any, a: Any, b: Any) -> Any:
    """`a` if the test holds, else `b`; both must have a common sort.

    >>> from solvent.terms import Bool, Int
    >>> p, x = Bool("p"), Int("x")
    >>> ite(p, x, 0), ite(p, x, x), ite(p, True, False)
    (ite(p, x, 0), x, p)
    """
    if test.__class__ is not BoolTerm:
        if test is True:
            return a
        if test is False:
            return b
        Bool.require(test)
    if a is b:
        return a
    if a.__class__ is b.__class__ and isinstance(a, Term) and a.sort is b.sort:
        sort = a.sort
    else:
        sort = common_sort(a, b)
        if isinstance(a, float) or isinstance(b, float):
            return external(_ite(sort, test, sort.coerce(a), sort.coerce(b)))
        a, b = sort.coerce(a), sort.coerce(b)
    return _ite(sort, test, a, b)


def ite_op(sort: Sort[Any]) -> Op:
    """The if-then-else of a sort."""
    try:
        return sort.ite_op
    except AttributeError:
        sort.ite_op = ITE.at(sort)
        return sort.ite_op


def _ite(sort: Sort[Any], test: Any, a: Any, b: Any) -> Any:
    try:
        op = sort.ite_op
    except AttributeError:
        op = ite_op(sort)
    key = (op, test, a, b)
    term = lookup(key)
    if term is not None:
        return term
    if test.op is NOT:
        return _negated_rules[0](sort, test, a, b)
    if sort is Bool:
        for rule_ in _bool_ite_rules:
            result = rule_(Bool, test, a, b)
            if result is not None:
                return result
    elif not isinstance(a, Term) and not isinstance(b, Term) and a == b:
        return a
    for branch in (a, b):
        if isinstance(branch, Term) and branch.op is op:
            for rule_ in _ite_rules:
                result = rule_(sort, test, a, b)
                if result is not None:
                    return result
            break
    term = new(sort.term_class)
    term.op = op
    term.key = key
    term.sort = sort
    term.id = next_id()
    return intern(key, term)


ITE.construct = lambda sort, test, a, b: ite(test, a, b)

_ite_rules = ITE.rules.setdefault(ITE, [])
_negated_rules = ITE.rules.setdefault(NOT, [])
_bool_ite_rules = ITE.rules.setdefault(BoolSort, [])


@rule(
    ITE,
    "ite(not p, x, y) = ite(p, y, x)",
    lambda p, x, y: (x.sort, ~p, x, y),
    on=NOT,
    theories=("Int", "BitVec", "Bool"),
)
def ite_negated_test(_: Any, test: Any, a: Any, b: Any) -> Any:
    return ite(test.key[1], b, a)


@rule(ITE, "ite(p, True, q) = p or q and so on", lambda p, q, b: (Bool, p, b, q), on=(BoolSort,))
def bool_ite_constant_then(_: Any, test: Any, a: Any, b: Any) -> Any:
    if a is True or a is test:
        return or_(test, b)
    if a is False:
        return and_(_not(test), b)
    return None


@rule(
    ITE, "ite(p, q, True) = not p or q and so on", lambda p, q, b: (Bool, p, q, b), on=(BoolSort,)
)
def bool_ite_constant_else(_: Any, test: Any, a: Any, b: Any) -> Any:
    if b is True:
        return or_(_not(test), a)
    if b is False or b is test:
        return and_(test, a)
    return None


@rule(
    ITE,
    "ite(p, ite(p, x, y), z) = ite(p, x, z)",
    lambda p, x, y, z: (x.sort, p, ite(p, x, y), z),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_repeated_test_then(sort: Any, test: Any, a: Any, b: Any) -> Any:
    if isinstance(a, Term) and a.op.base is ITE and a.key[1] is test:
        return ite(test, a.key[2], b)
    return None


@rule(
    ITE,
    "ite(p, x, ite(p, y, z)) = ite(p, x, z)",
    lambda p, x, y, z: (x.sort, p, x, ite(p, y, z)),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_repeated_test_else(sort: Any, test: Any, a: Any, b: Any) -> Any:
    if isinstance(b, Term) and b.op.base is ITE and b.key[1] is test:
        return ite(test, a, b.key[3])
    return None


def _same(a: Any, b: Any) -> bool:
    return a is b or (not isinstance(a, Term) and not isinstance(b, Term) and bool(a == b))


@rule(
    ITE,
    "ite(p, x, ite(q, x, y)) = ite(p or q, x, y)",
    lambda p, q, x, y: (x.sort, p, x, ite(q, x, y)),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_shared_then(sort: Any, test: Any, a: Any, b: Any) -> Any:
    if isinstance(b, Term) and b.op.base is ITE:
        if _same(b.key[2], a):
            return ite(or_(test, b.key[1]), a, b.key[3])
        if _same(b.key[3], a):
            return ite(or_(test, _not(b.key[1])), a, b.key[2])
    return None


@rule(
    ITE,
    "ite(p, ite(q, x, y), y) = ite(p and q, x, y)",
    lambda p, q, x, y: (x.sort, p, ite(q, x, y), y),
    on=ITE,
    theories=("Int", "BitVec", "Bool"),
)
def ite_shared_else(sort: Any, test: Any, a: Any, b: Any) -> Any:
    if isinstance(a, Term) and a.op.base is ITE:
        if _same(a.key[3], b):
            return ite(and_(test, a.key[1]), a.key[2], b)
        if _same(a.key[2], b):
            return ite(and_(test, _not(a.key[1])), a.key[3], b)
    return None
