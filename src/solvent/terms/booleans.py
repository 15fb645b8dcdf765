"""Booleans, equality and if-then-else: the operators that every theory needs.

`and_` and `or_` are binary inside: a rule then costs the same however long the conjunction is.
The rules are in `boolean_rules` and `choice_rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from solvent.errors import SortError
from solvent.terms.core import COMPILED
from solvent.terms.operators import (
    comparison,
    connective,
    int_division,
    int_divmod,
    int_floor_division,
    int_operator,
)
from solvent.terms.ops import Op
from solvent.terms.softfloat import external
from solvent.terms.sorts import TERM_CLASSES, Bool, BoolSort, Sort, describe
from solvent.terms.term import Term, TermT, added, commutative, lookup, same_operand, unary
from solvent.terms.values import sort_of

if TYPE_CHECKING:
    from solvent.terms.integers import IntTerm
    from solvent.terms.kinds import (
        ArrayLike,
        Bits,
        BitVecLike,
        Datum,
        Floating,
        FloatLike,
        Guard,
        Integer,
        IntLike,
        Operand,
        Rational,
        RealLike,
        StringLike,
        Text,
    )

if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_booleans

AND: Op[Guard] = Op("and", lambda a, b: a and b, lambda a, b: Bool)
OR: Op[Guard] = Op("or", lambda a, b: a or b, lambda a, b: Bool)
NOT: Op[Guard] = Op("not", lambda a: not a, lambda a: Bool)
EQ: Op[Guard] = Op("=", lambda a, b: a == b, lambda a, b: Bool)
ITE: Op[Any] = Op(
    "ite", lambda sort, c, a, b: a if c else b, lambda sort, c, a, b: sort, lambda sort: "ite"
)

_and = commutative(AND, (BoolSort,))
_or = commutative(OR, (BoolSort,))
_not = unary(NOT)
_eq = commutative(EQ, sort=Bool)


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

    __and__ = connective(_and)
    __rand__ = connective(_and)
    __or__ = connective(_or)
    __ror__ = connective(_or)

    if TYPE_CHECKING:

        def __invert__(self) -> Guard: ...
    else:
        __invert__ = _not

    def __xor__(self, other: Guard) -> Guard:
        return NotImplemented if Bool.coerce(other) is NotImplemented else not_(_eq(self, other))

    __rxor__ = __xor__

    def __eq__(self, other: object) -> Guard:  # type: ignore[override]
        if isinstance(other, int) and not isinstance(other, bool):
            return self.as_int() == other
        return equals(self, other)

    def __ne__(self, other: object) -> Guard:  # type: ignore[override]
        result = self.__eq__(other)
        return result if result is NotImplemented else not_(result)

    def as_int(self) -> IntTerm:
        """0 or 1, as Python's `int(b)`."""
        return ite(self, 1, 0)  # type: ignore[return-value]  # as it is symbolic, so is this

    @int_operator
    def __add__(self, other: FloatLike) -> object:
        return self.as_int() + _number(other)

    @int_operator
    def __radd__(self, other: FloatLike) -> object:
        return other + self.as_int()

    @int_operator
    def __sub__(self, other: FloatLike) -> object:
        return self.as_int() - _number(other)

    @int_operator
    def __rsub__(self, other: FloatLike) -> object:
        return other - self.as_int()

    @int_operator
    def __mul__(self, other: FloatLike) -> object:
        return self.as_int() * _number(other)

    @int_operator
    def __rmul__(self, other: FloatLike) -> object:
        return other * self.as_int()

    def __neg__(self) -> Integer:
        return -self.as_int()

    def __pos__(self) -> Integer:
        return self.as_int()

    def __abs__(self) -> Integer:
        return self.as_int()

    @int_floor_division
    def __floordiv__(self, other: FloatLike) -> object:
        return self.as_int() // _number(other)

    @int_floor_division
    def __rfloordiv__(self, other: FloatLike) -> object:
        return other // self.as_int()

    @int_operator
    def __mod__(self, other: FloatLike) -> object:
        return self.as_int() % _number(other)

    @int_operator
    def __rmod__(self, other: FloatLike) -> object:
        return other % self.as_int()

    @int_divmod
    def __divmod__(self, other: FloatLike) -> object:
        return divmod(self.as_int(), _number(other))

    @int_divmod
    def __rdivmod__(self, other: FloatLike) -> object:
        return divmod(other, self.as_int())

    def __pow__(self, exponent: int) -> Integer:
        return self.as_int() ** exponent

    @int_division
    def __truediv__(self, other: FloatLike) -> object:
        return self.as_int() / _number(other)

    @int_division
    def __rtruediv__(self, other: FloatLike) -> object:
        return other / self.as_int()

    def __lshift__(self, other: IntLike) -> Integer:
        return self.as_int() << _number(other)

    def __rlshift__(self, other: IntLike) -> Integer:
        return other << self.as_int()

    def __rshift__(self, other: IntLike) -> Integer:
        return self.as_int() >> _number(other)

    def __rrshift__(self, other: IntLike) -> Integer:
        return other >> self.as_int()

    @comparison
    def __lt__(self, other: FloatLike) -> object:
        return self.as_int() < _number(other)

    @comparison
    def __le__(self, other: FloatLike) -> object:
        return self.as_int() <= _number(other)

    @comparison
    def __gt__(self, other: FloatLike) -> object:
        return self.as_int() > _number(other)

    @comparison
    def __ge__(self, other: FloatLike) -> object:
        return self.as_int() >= _number(other)


def _number(value: FloatLike) -> Any:
    return value.as_int() if isinstance(value, BoolTerm) else value


TERM_CLASSES[BoolSort] = BoolTerm
Bool.term_class = BoolTerm


def _coerce_bool(sort: BoolSort, value: object) -> Guard:
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


def and_(*operands: Guard | Iterable[Guard]) -> Guard:
    """The conjunction of terms and Python booleans, or of one iterable of them.

    >>> from solvent.terms import Bool
    >>> p, q = Bool("p"), Bool("q")
    >>> and_(p, True, q), and_(p, ~p), and_()
    (p and q, False, True)
    """
    if len(operands) == 2:
        a, b = operands
        if a.__class__ is BoolTerm:
            if b.__class__ is BoolTerm:
                return _and(a, b)
            if b is True or b is False:
                return a if b else False
        elif a is True and b.__class__ is BoolTerm:
            return b
    result: Guard = True
    for operand in _flat(operands):
        if operand is True or operand is False:
            result = result if operand else False
        elif result is True or result is False:
            result = Bool.require(operand) if result else False
        else:
            result = _and(result, Bool.require(operand))
    return result


def conjuncts(condition: Guard) -> list[Guard]:
    """The parts of a conjunction, from left to right; nothing for True.

    >>> from solvent.terms import Bool
    >>> p, q, r = Bool("p"), Bool("q"), Bool("r")
    >>> conjuncts(and_(p, or_(q, r))), conjuncts(True), conjuncts(False)
    ([p, q or r], [], [False])
    """
    found: list[Guard] = []
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, BoolTerm) and part.op is AND:
            pending += reversed(part.key[1:])
        elif part is not True:
            found.append(part)
    return found


def or_(*operands: Guard | Iterable[Guard]) -> Guard:
    """The disjunction of terms and Python booleans, or of one iterable of them.

    >>> from solvent.terms import Bool
    >>> p, q = Bool("p"), Bool("q")
    >>> or_(p, False, q), or_([p, ~p]), or_()
    (p or q, True, False)
    """
    if len(operands) == 2:
        a, b = operands
        if a.__class__ is BoolTerm:
            if b.__class__ is BoolTerm:
                return _or(a, b)
            if b is True or b is False:
                return True if b else a
        elif a is False and b.__class__ is BoolTerm:
            return b
    result: Guard = False
    for operand in _flat(operands):
        if operand is True or operand is False:
            result = True if operand else result
        elif result is True or result is False:
            result = True if result else Bool.require(operand)
        else:
            result = _or(result, Bool.require(operand))
    return result


def not_(operand: Guard) -> Guard:
    """The negation.

    >>> from solvent.terms import Bool
    >>> not_(Bool("p")), not_(True)
    (not p, False)
    """
    if operand.__class__ is BoolTerm:
        return _not(operand)
    if operand is True or operand is False:
        return not operand
    return _not(Bool.require(operand))


def implies(premise: Guard, conclusion: Guard) -> Guard:
    """`premise` implies `conclusion`.

    >>> from solvent.terms import Bool
    >>> implies(Bool("p"), False)
    not p
    """
    return or_(not_(premise), conclusion)


def iff(a: Guard, b: Guard) -> Guard:
    """`a` holds exactly if `b` does.

    >>> from solvent.terms import Bool
    >>> iff(Bool("p"), True)
    p
    """
    a, b = Bool.require(a), Bool.require(b)
    return eq(a, b)


def xor(a: Guard, b: Guard) -> Guard:
    """Exactly one of `a` and `b` holds.

    >>> from solvent.terms import Bool
    >>> xor(Bool("p"), Bool("p"))
    False
    """
    return not_(iff(a, b))


# --- equality ----------------------------------------------------------------------------------


def eq(a: Operand, b: Operand) -> Guard:
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


def equals(a: Term, b: object) -> Guard:
    """What `==` builds."""
    return _eq(a, b)


def not_equals(a: Term, b: object) -> Guard:
    """What `!=` builds."""
    result = _eq(a, b)
    return result if result is NotImplemented else not_(result)


def distinct(*operands: Operand | Iterable[Operand]) -> Guard:
    """All operands differ from each other.

    >>> from solvent.terms import Int
    >>> distinct(Int("x"), 1, 1)
    False
    """
    values = list(_flat(operands))
    return and_(not_(eq(a, b)) for position, a in enumerate(values) for b in values[position + 1 :])


# --- if-then-else ------------------------------------------------------------------------------


def common_sort(a: Operand, b: Operand) -> Sort[Term]:
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


@overload
def ite(test: Guard, a: Guard, b: Guard) -> Guard: ...  # type: ignore[overload-overlap]
@overload
def ite(test: Guard, a: IntLike, b: IntLike) -> Integer: ...  # type: ignore[overload-overlap]
@overload
def ite(test: Guard, a: RealLike, b: RealLike) -> Rational: ...  # type: ignore[overload-overlap]
@overload
def ite(test: Guard, a: BitVecLike, b: BitVecLike) -> Bits: ...  # type: ignore[overload-overlap]
@overload
def ite(test: Guard, a: Datum, b: Datum) -> Datum: ...
@overload
def ite(test: Guard, a: FloatLike, b: FloatLike) -> Floating: ...
@overload
def ite(test: Guard, a: StringLike, b: StringLike) -> Text: ...
@overload
def ite(test: Guard, a: ArrayLike, b: ArrayLike) -> ArrayLike: ...
@overload
def ite(test: Guard, a: Operand, b: Operand) -> Any: ...


def ite(test: Guard, a: Any, b: Any) -> Any:
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
            return external(ite_of_sort(sort, test, sort.coerce(a), sort.coerce(b)))
        a, b = sort.coerce(a), sort.coerce(b)
    return ite_of_sort(sort, test, a, b)


def ite_op(sort: Sort[Term]) -> Op[Any]:
    """The if-then-else of a sort."""
    try:
        return sort.ite_op
    except AttributeError:
        sort.ite_op = ITE.at(sort)
        return sort.ite_op


def ite_of_sort(sort: Sort[Term], test: BoolTerm, a: Any, b: Any) -> Any:
    """What `ite` is for a symbolic test and operands that are of the sort already."""
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
    elif same_operand(a, b):
        for rule_ in ITE.same_rules:
            return rule_(sort, test, a, b)
    # The rules on nested choices need a common test or a common branch: look before calling them.
    symbolic_a, symbolic_b = isinstance(a, Term), isinstance(b, Term)
    promising = False
    if symbolic_a and a.op is op:
        _, inner, x, y = a.key
        promising = inner is test or same_operand(x, b) or same_operand(y, b)
    if not promising and symbolic_b and b.op is op:
        _, inner, x, y = b.key
        promising = inner is test or same_operand(x, a) or same_operand(y, a)
    if promising:
        for rule_ in _ite_rules:
            result = rule_(sort, test, a, b)
            if result is not None:
                return result
    return added(sort.term_class, op, sort, key)


def ites(
    sort: Sort[TermT], test: BoolTerm, first: Iterable[TermT], second: Iterable[TermT]
) -> list[TermT]:
    """Choices between many terms of a sort other than Bool by one test that is no negation.

    The same as `ite` for each pair, without its checks: merging long sequences spends its time
    here.
    """
    op = ite_op(sort)
    term_class = sort.term_class
    result = []
    for a, b in zip(first, second, strict=True):
        if a is b:
            result.append(a)
            continue
        key = (op, test, a, b)
        term = lookup(key)
        if term is None:
            # As in `ite_of_sort`: rules on nested choices need a common test or branch.
            promising = False
            if a.op is op:
                _, inner, x, y = a.key
                promising = inner is test or x is b or y is b
            if not promising and b.op is op:
                _, inner, x, y = b.key
                promising = inner is test or x is a or y is a
            if promising:
                term = ite_of_sort(sort, test, a, b)
            else:
                term = added(term_class, op, sort, key)
        result.append(term)
    return result


ITE.construct = lambda sort, test, a, b: ite(test, a, b)

_ite_rules = ITE.rules.setdefault(ITE, [])
_negated_rules = ITE.rules.setdefault(NOT, [])
_bool_ite_rules = ITE.rules.setdefault(BoolSort, [])

if not TYPE_CHECKING and COMPILED:
    # The functions above are what these ask where they cannot decide.
    setup_booleans(BoolTerm, Bool, NOT, _and, _not, ite_of_sort, _bool_ite_rules, _ite_rules)
    and_, or_, not_ = fast(and_, _and), fast(or_, _or), fast(not_, _not)
    eq, ite, ite_of_sort = fast(eq, _eq), fast(ite), fast(ite_of_sort)
    ites = fast(ites)


# Chains of if-then-else are searched to this depth for constant leaves.
CHAIN_LIMIT = 64


def constant_chain(choice: Operand) -> tuple[list[tuple[Guard, Any]], Any]:
    """A chain of choices as its tests with the constants that they choose, and what is left.

    >>> from solvent.terms import Bool, Int
    >>> p, q, x = Bool("p"), Bool("q"), Int("x")
    >>> constant_chain(ite(p, 1, ite(q, x, 2)))
    ([(p, 1), (not q, 2)], x)
    """
    steps: list[tuple[Guard, Any]] = []
    while isinstance(choice, Term) and choice.op.base is ITE and len(steps) < CHAIN_LIMIT:
        _, test, a, b = choice.key
        if not isinstance(a, Term):
            steps.append((test, a))
            choice = b
        elif not isinstance(b, Term):
            steps.append((_not(test), b))
            choice = a
        else:
            break
    return steps, choice
