"""Terms as flat rows of plain data, which travel to the process of a solver and back.

An encoder belongs to one context of one solver.  It numbers the terms that it has met, and
encodes only those that are new, so a formula that shares parts with earlier ones costs only what
is new.  A row is a tuple of the number of an operator and the numbers of its arguments; the rows
of constants and literals carry their name or value.  Everything is of the types that `marshal`
can write, which is fast and cannot execute anything when it is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from operator import attrgetter
from typing import Any

from solvent.errors import UnsupportedError
from solvent.solvers.rows import (
    COMMON_FLOATS,
    CONSTANT_ROW,
    LITERAL_ROW,
    Data,
    OpCode,
    Row,
    SortCode,
    plain_name,
)
from solvent.terms.arithmetic import MUL
from solvent.terms.arrays import CONST_ARRAY, STORE
from solvent.terms.bitvector_ops import BVMUL
from solvent.terms.classes import IN_CLASS, definition
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.model import Constant
from solvent.terms.ops import Op
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.softfloat import FP, from_bits
from solvent.terms.sorts import (
    ArraySort,
    BitVecSort,
    Bool,
    FloatSort,
    Int,
    Real,
    Regex,
    Sort,
    Str,
    UninterpretedSort,
    array_sort,
    bitvec_sort,
    float_sort,
    uninterpreted_sort,
)
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, ArrayValue, Element, FunctionValue, make_bv, sort_of

_SIMPLE: dict[Sort[Term], SortCode] = {
    Bool: ("Bool",),
    Int: ("Int",),
    Real: ("Real",),
    Str: ("Str",),
    Regex: ("Regex",),
}
# Products, which are hard if no operand is known.
_PRODUCTS = frozenset((MUL, BVMUL))
_SIMPLE_BACK = {code[0]: sort for sort, code in _SIMPLE.items()}


def encode_sort(sort: Sort[Term]) -> SortCode:
    """A sort as nested tuples.

    >>> from solvent.terms import Array, BitVec, Int
    >>> encode_sort(Array(Int, BitVec(8)))
    ('Array', ('Int',), ('BitVec', 8))
    """
    if isinstance(sort, BitVecSort):
        return ("BitVec", sort.width)
    if isinstance(sort, ArraySort):
        return ("Array", encode_sort(sort.index), encode_sort(sort.element))
    if isinstance(sort, FloatSort):
        return ("Float", sort.ebits, sort.sbits)
    if isinstance(sort, UninterpretedSort):
        return ("Uninterpreted", sort.name)
    return _SIMPLE[sort]


def decode_sort(code: SortCode) -> Sort[Term]:
    """The sort of a code."""
    match code:
        case ("BitVec", width):
            return bitvec_sort(width)
        case ("Array", index, element):
            return array_sort(decode_sort(index), decode_sort(element))
        case ("Float", ebits, sbits):
            return float_sort(ebits, sbits)
        case ("Uninterpreted", name):
            return uninterpreted_sort(name)
    return _SIMPLE_BACK[code[0]]


def _encode_parameter(parameter: object) -> Data:
    if isinstance(parameter, Sort):
        return encode_sort(parameter)
    if isinstance(parameter, Enum):
        return parameter.name
    return parameter


def _features(sort: Sort[Term]) -> set[str]:
    if isinstance(sort, ArraySort):
        found = {"Array"} | _features(sort.index) | _features(sort.element)
        return found | {"array as index"} if isinstance(sort.index, ArraySort) else found
    if isinstance(sort, FloatSort) and (sort.ebits, sort.sbits) not in COMMON_FLOATS:
        return {"Float", "uncommon float"}
    return {encode_sort(sort)[0]}


def features_near(root: Guard, most: int = 300) -> set[str]:
    """The sorts and operators in the first terms of a condition: what will most likely be asked.

    >>> from solvent.terms import Int
    >>> sorted(features_near(Int("x") <= 3))
    ['<=', 'Bool', 'Int']
    """
    stack: list[Term] = [root] if isinstance(root, Term) else []
    seen = set(stack)
    found: set[str] = set()
    while stack:
        term = stack.pop()
        found |= _features(term.sort)
        if term.op is CONSTANT or len(seen) > most:
            continue
        found.add(term.op.name)
        for arg in term.key[1:]:
            if isinstance(arg, Term) and arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return found


class Encoder:
    """Numbers terms and encodes new ones as rows.

    An abstract one leaves out what classes of characters mean: they may hold or not.
    """

    def __init__(self, abstract: bool = False) -> None:
        self._abstract = abstract
        self._numbers: dict[Term, int] = {}
        self._literals: dict[tuple[type, Concrete], int] = {}
        self._ops: dict[Op[object], int] = {}
        self._names: dict[str, Constant] = {}
        self._count = 0
        self.constants: dict[int, Term] = {}
        self.functions: dict[str, FunctionSymbol] = {}
        self.features: set[str] = set()
        # What has been encoded and not been taken yet.
        self._new_ops: list[OpCode] = []
        self._new_rows: list[Row] = []

    def known(self, wanted: Iterable[Term]) -> list[int]:
        """The numbers of constants, of those that have been encoded."""
        numbers = self._numbers
        return [numbers[constant] for constant in wanted if constant in numbers]

    def take(self) -> tuple[list[OpCode], list[Row]]:
        """The new operators and rows since the last call."""
        taken = self._new_ops, self._new_rows
        self._new_ops, self._new_rows = [], []
        return taken

    @property
    def nodes(self) -> int:
        """How many rows have been made so far."""
        return self._count

    def encode(self, roots: Iterable[Operand]) -> list[int]:
        """The numbers of terms or concrete values, which are encoded if they are new."""
        roots = list(roots)
        numbers = self._numbers
        stack = [root for root in roots if isinstance(root, Term) and root not in numbers]
        if stack:
            seen = set(stack)
            add = seen.add
            push = stack.append
            while stack:
                term = stack.pop()
                if term.op is CONSTANT:
                    continue
                for arg in term.key:
                    if isinstance(arg, Term) and arg not in numbers and arg not in seen:
                        add(arg)
                        push(arg)
                if term.op.base in QUANTIFIERS:
                    for variable in term.op.params[0]:
                        if variable not in numbers and variable not in seen:
                            add(variable)
                            push(variable)
            self._encode_new(sorted(seen, key=attrgetter("id")))
        return [numbers[r] if isinstance(r, Term) else self._literal(r) for r in roots]

    def _encode_new(self, terms: list[Term]) -> None:
        numbers = self._numbers
        rows = self._new_rows
        ops = self._ops
        literal = self._literal
        for term in terms:
            op = term.op
            if op is CONSTANT:
                self._constant(term)
                continue
            if op.base is IN_CLASS:
                self._class(term)
                continue
            number = ops.get(op)
            if number is None:
                number = self._operator(op, term.sort)
            args = term.key[1:]
            if op in _PRODUCTS and all(isinstance(arg, Term) for arg in args):
                self.features.add("product")
            row = [number]
            for arg in args:
                row.append(numbers[arg] if isinstance(arg, Term) else literal(arg))
            rows.append(tuple(row))
            numbers[term] = self._count
            self._count += 1

    def _class(self, term: Term) -> None:
        """A class of characters: what it means, or nothing at all."""
        if not self._abstract:
            (self._numbers[term],) = self.encode([definition(term.op.params[0], term.key[1])])
            return
        self._new_rows.append((CONSTANT_ROW, f"class!{self._count}", encode_sort(Bool)))
        self.features.add("Bool")
        self._numbers[term] = self._count
        self._count += 1

    def _constant(self, term: Term) -> None:
        name = plain_name(term.name)
        # Solvers know constants by name: two of one name and different sorts need two names.
        while self._names.setdefault(name, term) is not term:
            name += "'"
        self._new_rows.append((CONSTANT_ROW, name, encode_sort(term.sort)))
        self.features |= _features(term.sort)
        self.constants[self._count] = term
        self._numbers[term] = self._count
        self._count += 1

    def _operator(self, op: Op[object], sort: Sort[Term]) -> int:
        base = op.base
        if base in QUANTIFIERS:
            bound, sizes = op.params
            params: tuple[Data, ...] = (tuple(self._numbers[v] for v in bound), sizes)
            self.features.add("quantifier")
        else:
            params = tuple(
                self._function(parameter)
                if isinstance(parameter, FunctionSymbol)
                else _encode_parameter(parameter)
                for parameter in op.params
            )
        self.features |= _features(sort)
        self.features.add(op.name)
        self._ops[op] = len(self._ops)
        self._new_ops.append((op.name, params))
        return self._ops[op]

    def _function(self, function: FunctionSymbol) -> tuple[str, tuple[SortCode, ...], SortCode]:
        name = plain_name(function.name)
        # As for constants: two functions of one name and different sorts need two names.
        while self.functions.setdefault(name, function) is not function:
            name += "'"
        for sort in (*function.domain, function.range):
            self.features |= _features(sort)
        domain = tuple(encode_sort(sort) for sort in function.domain)
        return (name, domain, encode_sort(function.range))

    def _literal(self, value: Concrete) -> int:
        key = (type(value), value)
        number = self._literals.get(key)
        if number is None:
            if isinstance(value, ArrayValue):
                number = self._array(value)
            else:
                sort = sort_of(value)
                self.features |= _features(sort)
                self._new_rows.append((LITERAL_ROW, encode_sort(sort), encode_value(value)))
                number = self._count
                self._count += 1
            self._literals[key] = number
        return number

    def _array(self, value: ArrayValue) -> int:
        """A concrete array as stores into a constant array."""

        def row(op: Op[object], *args: int) -> int:
            number = self._ops.get(op)
            if number is None:
                number = self._operator(op, value.sort)
            self._new_rows.append((number, *args))
            self._count += 1
            return self._count - 1

        default = self._literal(value.default)
        result = row(CONST_ARRAY.at(value.sort), default)
        for index, element in value.items.items():
            numbers = self._literal(index), self._literal(element)
            result = row(STORE, result, *numbers)
        return result


# --- values ------------------------------------------------------------------------------------


def encode_value(value: Concrete) -> Data:
    """A concrete value as plain data."""
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return (value.numerator, value.denominator)
    if isinstance(value, BV):
        return value.value
    if isinstance(value, FP):
        return value.bits
    if isinstance(value, Element):
        raise UnsupportedError(
            f"{value!r} is a value of a model; an uninterpreted sort has no literals in formulas"
        )
    raise UnsupportedError(f"{value!r} has no encoding for a solver")


def decode_value(sort: Sort[Term], data: Data) -> Any:
    """The concrete value of a sort from plain data.

    >>> from solvent.terms import BitVec
    >>> decode_value(BitVec(8), 3)
    bv(3, 8)
    """
    if isinstance(sort, BitVecSort):
        return make_bv(data, sort)
    if sort is Real:
        return Fraction(*data)
    if isinstance(sort, FloatSort):
        return from_bits(sort, data)
    if isinstance(sort, ArraySort):
        default, items = data
        decoded: dict[Any, Any] = {}
        for at, stored in items:
            # The last store comes first.  Only values tell which indices are the same.
            decoded.setdefault(decode_value(sort.index, at), decode_value(sort.element, stored))
        return ArrayValue(sort, decode_value(sort.element, default), decoded)
    if isinstance(sort, UninterpretedSort):
        return Element(sort, data)
    return data


def decode_function(function: FunctionSymbol, data: Data) -> FunctionValue:
    """The interpretation of a function from plain data."""
    default, rows = data
    table: dict[tuple[Any, ...], Any] = {}
    for args, value in rows:
        # As in arrays, the first row counts.
        row = (decode_value(sort, arg) for sort, arg in zip(function.domain, args, strict=True))
        table.setdefault(tuple(row), decode_value(function.range, value))
    return FunctionValue(function.range, decode_value(function.range, default), table)
