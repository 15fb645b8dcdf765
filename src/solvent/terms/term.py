"""Terms: immutable, hash-consed nodes, and the constructors that all theories share.

A term has an operator, a sort, and a key: the tuple of its operator and its arguments.  An
argument is a term or a concrete value of the theory.  Structurally equal terms are the same
object, so equality of terms is `is`, and a term hashes by identity; `==` builds a term.

The functions `unary`, `binary` and `commutative` make the constructors of the theories.  They
are the hot path of everything that Solvent does, hence flat: one look in the table, and the rules
only for those heads that trigger some.
"""

from __future__ import annotations

import itertools
import operator
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from solvent.errors import SortError, SymbolicBoolError
from solvent.terms.core import COMPILED
from solvent.terms.hooks import HOOKS, BinaryFunction
from solvent.terms.memory import TABLE, next_id
from solvent.terms.ops import Op, ResultT, RuleFunction
from solvent.terms.softfloat import FP, from_python, is_finite, to_fraction
from solvent.terms.sorts import BitVecSort, FloatSort, Int, Real, RealSort, Sort, describe
from solvent.terms.values import BV, coerce_bitvec

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Operand

# Type checkers see the reference only: the compiled core has the same types.
if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import (
        BINARY,
        COMMUTATIVE,
        UNARY,
        Constructor,
        Node,
        added,
        adopt,
        lookup,
        node,
        setup_terms,
        unshared,
    )
else:
    lookup = TABLE.get
    intern = TABLE.setdefault
    new = object.__new__

    class Node:
        """What a term holds."""

        # Nothing assigns to these after the constructors; a guard against it would cost a quarter
        # of the building speed.
        __slots__ = ("id", "key", "op", "sort")

        # Arguments are of all sorts, so what is read off a key may be anything.
        op: Op[Any]
        key: tuple[Any, ...]
        sort: Sort[Term]
        id: int


class Term(Node):
    """A symbolic value.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> x + y is y + x
    True
    >>> (x + 1 - x, (x + y).args)
    (1, (x, y))
    """

    __slots__ = ()

    __hash__ = object.__hash__

    if TYPE_CHECKING:
        # `==` makes a formula, where Python's own classes tell a truth value: this is the one place
        # where that is said.  Each class of terms defines it.
        def __eq__(self, other: object) -> Guard: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Guard: ...  # type: ignore[override]

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments: terms and concrete values."""
        return () if self.op is CONSTANT else self.key[1:]

    @property
    def name(self) -> str:
        """The name of a constant (a fresh one carries its number)."""
        if self.op is not CONSTANT:
            raise SortError(f"{describe(self)} is not a constant and has no name")
        key = self.key
        return str(key[1]) if len(key) == 3 else f"{key[1]}!{key[3]}"

    @property
    def is_constant(self) -> bool:
        """Whether this is a symbolic constant such as `Int("x")`."""
        return self.op is CONSTANT

    if not TYPE_CHECKING and COMPILED:

        def __init_subclass__(cls, **details: Any) -> None:
            super().__init_subclass__(**details)
            adopt(cls)

    def __bool__(self) -> bool:
        raise SymbolicBoolError(
            f"{describe(self)} is symbolic and has no truth value in plain Python; use "
            "`and_`, `or_`, `not_` and `ite` to combine it, or branch on it in a lifted function"
        )

    if not TYPE_CHECKING:
        # These say what to do instead; a type checker that sees none of them complains before.

        def __len__(self) -> NoReturn:
            raise SymbolicBoolError(f"{describe(self)} has no concrete length; use `length(...)`")

        def __int__(self) -> NoReturn:
            raise SymbolicBoolError(
                f"{describe(self)} is symbolic and no Python number; evaluate it under a model, "
                "or use `floor`, `float_to_int`, `str_to_int` or `bv_to_int` for a symbolic "
                "conversion"
            )

        def __float__(self) -> NoReturn:
            raise SymbolicBoolError(f"{describe(self)} is symbolic; use `to_float(...)`")

        def __index__(self) -> NoReturn:
            raise SymbolicBoolError(
                f"{describe(self)} is symbolic and cannot index a plain Python sequence"
            )

        def __iter__(self) -> NoReturn:
            raise SymbolicBoolError(f"{describe(self)} is symbolic and cannot be iterated")

    def __repr__(self) -> str:
        return HOOKS.pretty(self, 200)

    def __str__(self) -> str:
        return HOOKS.pretty(self, None)

    def __format__(self, specification: str) -> str:
        return format(str(self), specification)

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return HOOKS.reduced(self)


if not TYPE_CHECKING and COMPILED:
    adopt(Term)

TermT = TypeVar("TermT", bound=Term)
SortClasses = tuple[type[Sort[Term]], ...]


if TYPE_CHECKING or not COMPILED:

    def added(cls: type[TermT], op: Op[object], sort: Sort[Term], key: tuple[Any, ...]) -> TermT:
        """The new term of a key that is not in the table."""
        term = new(cls)
        term.op = op
        term.key = key
        term.sort = sort
        term.id = next_id()
        return intern(key, term)

    def node(cls: type[TermT], op: Op[object], sort: Sort[Term], *args: object) -> TermT:
        """The term with this head and these arguments, as they are: no rule is applied."""
        key = (op, *args)
        term = lookup(key)
        return added(cls, op, sort, key) if term is None else term

    def unshared(cls: type[TermT], op: Op[object], sort: Sort[Term], *args: object) -> TermT:
        """A term with this head and these arguments that is never in the table."""
        term = new(cls)
        term.op = op
        term.key = (op, *args)
        term.sort = sort
        term.id = next_id()
        return term


def raw(op: Op[object], *args: object) -> Term:
    """An application that is neither simplified nor shared, to compare a rewriting with."""
    sort = op.result(*args)
    return unshared(sort.term_class, op, sort, *args)


# --- constants ---------------------------------------------------------------------------------


def _constants_have_no_fold(*_: object) -> NoReturn:
    raise AssertionError("a constant has a value only under a model")


CONSTANT: Op[Any] = Op("constant", _constants_have_no_fold, lambda *_: None)  # type: ignore[arg-type]

_fresh_numbers: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)

# The value of a constant from its sort and name, and whether a fresh one is asked for.
ValueOfConstant = Callable[[Sort[Term], str, bool], Any]

# What stands for constants while a program is replayed on concrete values.
_values_of_constants: ContextVar[ValueOfConstant | None] = ContextVar(
    "solvent_values_of_constants", default=None
)


@contextmanager
def constants_are(values: ValueOfConstant | None) -> Iterator[None]:
    """Let constants be values."""
    token = _values_of_constants.set(values)
    try:
        yield
    finally:
        _values_of_constants.reset(token)


def constant(sort: Sort[TermT], name: str, fresh: bool = False) -> TermT:
    """The constant of a sort and name, or a new one that differs from all others."""
    if not isinstance(name, str):
        raise SortError(f"a constant needs a string as its name, not {describe(name)}")
    values = _values_of_constants.get()
    if values is not None:
        return values(sort, name, fresh)
    if fresh:
        return node(sort.term_class, CONSTANT, sort, name, sort, next(_fresh_numbers[name]))
    return node(sort.term_class, CONSTANT, sort, name, sort)


Sort.constructor = staticmethod(constant)

if not TYPE_CHECKING and COMPILED:
    setup_terms(Op, Sort, BV, CONSTANT, Int, Real, Fraction, BitVecSort, coerce_bitvec)


# The operators between numbers and floats, by the names of their operators on numbers.
_PYTHON_OPERATORS = {"+": operator.add, "*": operator.mul, "<=": operator.le}


# --- the three shapes of constructors ----------------------------------------------------------


def commutative(
    op: Op[ResultT], domain: SortClasses = (), sort: Sort[Term] | None = None
) -> Callable[..., ResultT]:
    """The constructor of a commutative operator on operands of one sort.

    The result is of the given sort, or of the operands' if there is none.  The operands are ordered
    by age with a concrete one last, so that both orders give one term.  Operands of different sorts
    are brought to one in `domain`, if it is given.
    """
    heads = op.rules.get
    constant_heads = op.constant_rules.get
    same_rules = op.same_rules
    # flat: every term is made here, and most are found in the table at once.

    def construct(a: Term, b: Term) -> Any:
        cls = a.__class__
        if b.__class__ is not cls or b.sort is not a.sort:
            return mixed(a, b)
        if a.id > b.id:
            a, b = b, a
        key = (op, a, b)
        term = lookup(key)
        if term is not None:
            return term
        if a is b:
            for rule in same_rules:
                result = rule(a, b)
                if result is not None:
                    return result
        rules = heads(a.op.base)
        if rules is not None:
            for rule in rules:
                result = rule(a, b)
                if result is not None:
                    return result
        rules = heads(b.op.base)
        if rules is not None:
            for rule in rules:
                result = rule(b, a)
                if result is not None:
                    return result
        if sort is None:
            term = new(cls)
            term.sort = a.sort
        else:
            term = new(sort.term_class)
            term.sort = sort
        term.op = op
        term.key = key
        term.id = next_id()
        return intern(key, term)

    def mixed(first: Operand, second: Operand) -> Any:
        coerced = same_sort(op, first, second, domain)
        if coerced is _NOT_IMPLEMENTED:
            return beside_float(_PYTHON_OPERATORS.get(op.name), first, second)
        a, b = coerced
        if not isinstance(a, Term):
            a, b = b, a
        elif isinstance(b, Term):
            return construct(a, b)
        term = lookup((op, a, b))
        if term is not None:
            return term
        for head in (None, a.sort.__class__, a.op.base):
            for rule in constant_heads(head, ()):
                result = rule(a, b)
                if result is not None:
                    return result
        result_sort = a.sort if sort is None else sort
        return node(result_sort.term_class, op, result_sort, a, b)

    if not TYPE_CHECKING and COMPILED:
        construct = Constructor(COMMUTATIVE, op, sort, mixed, _taken(domain))
    op.construct = construct
    return construct


def binary(
    op: Op[ResultT], sort: Sort[Term] | None = None, domain: SortClasses = ()
) -> Callable[..., ResultT]:
    """The constructor of a binary operator on operands of one sort.

    The result is of the given sort, or of the operands' if there is none.  Operands of different
    sorts are brought to one in `domain`, if it is given.
    """
    heads = op.rules.get
    right_heads = op.right_rules.get
    constant_heads = op.constant_rules.get
    left_constant_heads = op.left_constant_rules.get
    same_rules = op.same_rules
    # flat: every term is made here, and most are found in the table at once.

    def construct(a: Term, b: Term) -> Any:
        cls = a.__class__
        if b.__class__ is not cls or b.sort is not a.sort:
            return mixed(a, b)
        key = (op, a, b)
        term = lookup(key)
        if term is not None:
            return term
        if a is b:
            for rule in same_rules:
                result = rule(a, b)
                if result is not None:
                    return result
        rules = heads(a.op.base)
        if rules is not None:
            for rule in rules:
                result = rule(a, b)
                if result is not None:
                    return result
        rules = right_heads(b.op.base)
        if rules is not None:
            for rule in rules:
                result = rule(a, b)
                if result is not None:
                    return result
        result_sort = a.sort if sort is None else sort
        term = new(result_sort.term_class)
        term.op = op
        term.key = key
        term.sort = result_sort
        term.id = next_id()
        return intern(key, term)

    def mixed(first: Operand, second: Operand) -> Any:
        coerced = same_sort(op, first, second, domain)
        if coerced is _NOT_IMPLEMENTED:
            return beside_float(_PYTHON_OPERATORS.get(op.name), first, second)
        a, b = coerced
        if not isinstance(b, Term):
            table, head, operands_sort = constant_heads, a.op.base, a.sort
        elif not isinstance(a, Term):
            table, head, operands_sort = left_constant_heads, b.op.base, b.sort
        else:
            return construct(a, b)
        term = lookup((op, a, b))
        if term is not None:
            return term
        for trigger in (None, head):
            for rule in table(trigger, ()):
                result = rule(a, b)
                if result is not None:
                    return result
        result_sort = operands_sort if sort is None else sort
        return node(result_sort.term_class, op, result_sort, a, b)

    if not TYPE_CHECKING and COMPILED:
        construct = Constructor(BINARY, op, sort, mixed, _taken(domain))
    op.construct = construct
    return construct


def unary(op: Op[ResultT], sort: Sort[Term] | None = None) -> Callable[..., ResultT]:
    """The constructor of a unary operator on a term."""
    heads = op.rules.get

    def construct(a: Term) -> Any:
        key = (op, a)
        term = lookup(key)
        if term is not None:
            return term
        for rule in heads(a.op.base, ()):
            result = rule(a)
            if result is not None:
                return result
        result_sort = a.sort if sort is None else sort
        return node(result_sort.term_class, op, result_sort, a)

    if not TYPE_CHECKING and COMPILED:
        construct = Constructor(UNARY, op, sort, construct)
    op.construct = construct
    return construct


def parametric(family: Op[ResultT]) -> Callable[..., ResultT]:
    """The constructor of a family of operators, with parameters, on one term."""
    heads = family.rules.get

    def construct(*operands: Any) -> Any:
        *parameters, a = operands
        op = family.at(*parameters)
        term = lookup((op, a))
        if term is not None:
            return term
        for head in (None, a.op.base):
            result = rewritten(heads(head, ()), *operands)
            if result is not None:
                return result
        sort = family.result(*operands)
        return node(sort.term_class, op, sort, a)

    family.construct = construct
    return construct


_NOT_IMPLEMENTED = (NotImplemented, NotImplemented)


def same_sort(op: Op[object], a: Any, b: Any, domain: SortClasses = ()) -> tuple[Any, Any]:
    """Both operands brought to one sort, that of whichever the other can be coerced to.

    Two symbolic operands that do not fit are an error of the user's.  An operand that is no value
    of a sort that the operator is for is left to Python's own operator protocol, which asks the
    other operand.
    """
    # A number beside an integer or a bitvector, the commonest case, needs none of what follows.
    if isinstance(a, Term):
        sort = a.sort
        cls = b.__class__
        if (cls is int and sort is Int) or (cls is BV and b.sort is sort):
            return a, b
        if cls is int and type(sort) is BitVecSort:
            return a, sort.coerce(b)
        if sort is Real and (cls is Fraction or cls is int) and _has_reals(domain):
            return a, b if cls is Fraction else whole(b)
    elif a.__class__ is int:
        if b.sort is Int:
            return a, b
        if b.sort is Real and _has_reals(domain):
            return whole(a), b
    sorts = [operand.sort for operand in (a, b) if isinstance(operand, Term)]
    x, y = _as_rational(op, a), _as_rational(op, b)
    if isinstance(x, Fraction) or isinstance(y, Fraction):
        sorts.append(Real)
    if len(sorts) == 2 and _is_for_float(sorts[0], sorts[1], domain):
        return _NOT_IMPLEMENTED
    for sort in sorts:
        first = sort.coerce(x if sort is Real else a)
        second = sort.coerce(y if sort is Real else b)
        if first is not NotImplemented and second is not NotImplemented:
            return (first, second) if not domain or type(sort) in domain else _NOT_IMPLEMENTED
    have_sorts = all(isinstance(getattr(value, "sort", None), Sort) for value in (a, b))
    if have_sorts and (op.name == "=" or not (isinstance(a, FP) or isinstance(b, FP))):
        raise SortError(f"{op.name} needs operands of one sort: {describe(a)} and {describe(b)}")
    return _NOT_IMPLEMENTED


def _has_reals(domain: SortClasses) -> bool:
    return not domain or RealSort in domain


# What the compiled core is told of an operator: whether it takes fractions, and bitvectors first.
_TAKES_FRACTIONS, _TAKES_BITS_FIRST = 1, 2


def _taken(domain: SortClasses) -> int:
    bits = not domain or BitVecSort in domain
    return (_TAKES_FRACTIONS if _has_reals(domain) else 0) | (_TAKES_BITS_FIRST if bits else 0)


# Whole numbers as fractions, which take long to make.
_WHOLE = {number: Fraction(number) for number in range(-64, 65)}


def whole(number: int) -> Fraction:
    """An int as a fraction."""
    found = _WHOLE.get(number)
    return Fraction(number) if found is None else found


def _is_for_float(first: Sort[Term], second: Sort[Term], domain: SortClasses) -> bool:
    """Whether Python shall ask the one float among two terms, as its operators are others.

    Logical equality, which has no domain, takes a float as its first operand.
    """
    if type(second) is FloatSort:
        return type(first) is not FloatSort
    return type(first) is FloatSort and bool(domain)


def _as_rational(op: Op[object], value: Operand) -> Operand:
    """The exact value of a float that is compared: Python compares all numbers exactly."""
    if isinstance(value, (float, FP)) and op.name in ("=", "<="):
        datum = value if isinstance(value, FP) else from_python(value)
        if is_finite(datum):
            return to_fraction(datum)
    return value


def beside_float(function: BinaryFunction | None, a: object, b: object) -> Any:
    """An operator of Python between a symbolic number and a concrete float, which is a float."""
    return NotImplemented if function is None else HOOKS.promoted(function, a, b)


# How many constructors with rules may be at work within one another.
NESTING_LIMIT = 50


class _Nesting(threading.local):
    depth = 0


_nesting = _Nesting()


def rewritten(rules: Iterable[RuleFunction], *operands: object) -> Any:
    """The result of the first rule that applies, or None.

    Some rules take an operator into its operands.  Deep down that is given up, so that the depth
    of a term never becomes a depth of recursion; the term is then only less simple.
    """
    if not rules or _nesting.depth >= NESTING_LIMIT:
        return None
    _nesting.depth += 1
    try:
        for rule in rules:
            result = rule(*operands)
            if result is not None:
                return result
    finally:
        _nesting.depth -= 1
    return None


def same_operand(a: object, b: object) -> bool:
    """Whether two operands are one term or equal values."""
    return a is b or (not isinstance(a, Term) and not isinstance(b, Term) and bool(a == b))


if not TYPE_CHECKING and COMPILED:
    from solvent.terms import compiled

    same_operand = compiled.same_operand
