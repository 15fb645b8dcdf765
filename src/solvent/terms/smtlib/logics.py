"""Logics: the names that SMT-LIB gives to combinations of theories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from solvent.terms.arithmetic import MUL
from solvent.terms.arrays import CONST_ARRAY, SELECT, STORE
from solvent.terms.booleans import EQ, ITE
from solvent.terms.functions import APPLY
from solvent.terms.graph import reachable
from solvent.terms.integers import DIV, MOD
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.reals import IS_INT, RDIV
from solvent.terms.sorts import (
    ArraySort,
    BitVecSort,
    FloatSort,
    IntSort,
    RealSort,
    RegexSort,
    Sort,
    StringSort,
    UninterpretedSort,
)
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue

# Those that solvers know by name; every other combination is written as ALL.
_NAMES = (
    "QF_UF QF_BV QF_ABV QF_AUFBV QF_UFBV QF_FP QF_BVFP QF_ABVFP QF_AUFBVFP QF_UFBVFP QF_UFFP "
    "QF_FPLRA QF_BVFPLRA QF_ABVFPLRA "
    "QF_LIA QF_NIA QF_LRA QF_NRA QF_LIRA QF_NIRA QF_UFLIA QF_UFNIA QF_UFLRA QF_UFNRA QF_UFLIRA "
    "QF_ALIA QF_ANIA QF_AUFLIA QF_AUFNIA QF_AUFLIRA QF_AX QF_S QF_SLIA QF_SNIA "
    "BV UFBV ABV AUFBV FP BVFP ABVFP AUFBVFP UF LIA NIA LRA NRA LIRA NIRA UFLIA UFNIA UFLRA UFNRA "
    "ALIA AUFLIA AUFLIRA AUFNIRA"
)
_KNOWN = frozenset(_NAMES.split())

_THEORY_OF_SORT: dict[type[Sort[Term]], str] = {
    ArraySort: "A",
    BitVecSort: "BV",
    FloatSort: "FP",
    IntSort: "I",
    RealSort: "R",
    StringSort: "S",
    RegexSort: "S",
    UninterpretedSort: "U",
}


_PRODUCTS = frozenset((MUL, DIV, MOD, RDIV))
# The operators that a concrete array may be an argument of.
_OF_ARRAYS = frozenset((SELECT, STORE, EQ, ITE, CONST_ARRAY, APPLY))


def _sort_theories(sort: Sort[Term]) -> Iterable[str]:
    if isinstance(sort, ArraySort):
        yield "A"
        yield from _sort_theories(sort.index)
        yield from _sort_theories(sort.element)
    elif type(sort) in _THEORY_OF_SORT:
        yield _THEORY_OF_SORT[type(sort)]


def logic_of(terms: Iterable[object]) -> str:
    """The smallest logic with a name of its own that the terms belong to, or ALL.

    >>> from solvent.terms import Array, BitVec, Int
    >>> x, y = Int("x"), Int("y")
    >>> logic_of([x + y > 2]), logic_of([x * y > 2]), logic_of([BitVec("b", 8) == 1])
    ('QF_LIA', 'QF_NIA', 'QF_BV')
    >>> logic_of([Array("a", BitVec(8), Int)[1] == x])
    'ALL'
    """
    found: set[str] = set()
    reached = reachable(terms)
    operators = {term.op for term in reached}
    sorts = {term.sort for term in reached}
    for op in operators:
        if op.base is APPLY:
            found.add("UF")
            sorts.update(op.params[0].domain)
        elif op.base is CONST_ARRAY:
            found.add("constant arrays")
        elif op is IS_INT:
            found.add("I")
    bases = {op.base for op in operators}
    quantified = not bases.isdisjoint(QUANTIFIERS)
    nonlinear = not bases.isdisjoint(_PRODUCTS) and any(
        term.op in _PRODUCTS and isinstance(term.key[2], Term) for term in reached
    )
    if SELECT in bases or any(type(sort) is ArraySort for sort in sorts):
        for term in reached:
            if term.op.base in _OF_ARRAYS and any(type(arg) is ArrayValue for arg in term.args):
                found.add("constant arrays")
    for sort in sorts:
        found.update(_sort_theories(sort))
    return _name(found, quantified, nonlinear)


def _name(theories: set[str], quantified: bool, nonlinear: bool) -> str:
    if "constant arrays" in theories:
        return "ALL"
    if "A" in theories and theories <= {"A", "U"}:
        return "ALL" if quantified else "QF_AX"
    if "U" in theories:
        theories = theories | {"UF"}
    numbers = "".join(letter for letter in "IR" if letter in theories)
    arithmetic = f"{'N' if nonlinear else 'L'}{numbers}A" if numbers else ""
    parts = [part for part in ("A", "UF", "BV", "FP", "S") if part in theories]
    name = ("" if quantified else "QF_") + ("".join([*parts, arithmetic]) or "UF")
    return name if name in _KNOWN else "ALL"


@dataclass(frozen=True, slots=True)
class Logic:
    """What the name of a logic tells about the scripts in it.

    >>> Logic.named("QF_UFLRA").numerals_are_real, Logic.named("AUFLIRA").numerals_are_real
    (True, False)
    >>> sorted(Logic.named("QF_ABV").theories)
    ['arrays', 'bitvectors']
    """

    theories: frozenset[str]
    numerals_are_real: bool

    @staticmethod
    def named(name: str) -> Logic:
        """The logic of a name; of one that is not understood, all theories."""
        match = _LOGIC.fullmatch(name)
        if match is None:
            return EVERYTHING
        parts = match.groupdict()
        theories = {theory for theory in _THEORIES if parts[theory]}
        if parts["floats"]:
            # The theory of floats converts from and to both.
            theories |= {"bitvectors", "arithmetic"}
        if parts["strings"]:
            theories |= {"arithmetic"}
        arithmetic = parts["arithmetic"] or ""
        return Logic(frozenset(theories), arithmetic in ("LRA", "NRA", "RDL"))


_THEORIES = ("arrays", "bitvectors", "floats", "strings", "arithmetic")
_LOGIC = re.compile(
    r"(?:QF_)?(?P<arrays>AX?)?(?:UF)?(?P<bitvectors>BV)?(?P<floats>FP)?(?:DT)?(?P<strings>S)?"
    r"(?P<arithmetic>[LN](?:I|R|IR)A|IDL|RDL)?"
)
EVERYTHING = Logic(frozenset(_THEORIES), numerals_are_real=False)
