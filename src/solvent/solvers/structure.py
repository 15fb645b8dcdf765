"""What a question is, up to the names in it: a short key that equal questions have in common.

Constants and functions are numbered in the order in which a walk through the formulas meets them,
so that a question about other names, built in the same way, has the same key.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from enum import Enum
from fractions import Fraction

from solvent.solvers.encode import encode_sort
from solvent.solvers.rows import Data
from solvent.terms.classes import CharacterClass
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Concrete, Guard
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.softfloat import FP
from solvent.terms.sorts import Sort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, ArrayValue

try:
    # `hashlib` would load OpenSSL, which takes longer than all else here.
    from _blake2 import blake2b
except ImportError:  # pragma: no cover
    from hashlib import blake2b

# How many bytes a key has: two questions have the same one by chance with probability 2 ** -128.
_KEY_BYTES = 16
# How many terms a glance takes in.
_GLANCE = 16
# The layout of what is hashed, in which equal data are equal bytes.
_MARSHAL_VERSION = 2


class NoKeyError(Exception):
    """A question with more terms than somebody wants to look at, or with values of a model."""


class Structure:
    """Formulas with numbers in the place of names.

    >>> from solvent.terms import Int
    >>> x, y, z = Int("x"), Int("y"), Int("z")
    >>> first, second = Structure([x <= y, y < 3], 99), Structure([y <= z, z < 3], 99)
    >>> first.key == second.key, Structure([x <= y, x < 3], 99).key == first.key
    (True, False)
    >>> first.constants, second.constants
    ([x, y], [y, z])
    """

    def __init__(self, formulas: Sequence[Guard], most: int, about: Data = None) -> None:
        """`about` is what else belongs to the question; `NoKeyError` is raised if there are more
        than `most` terms."""
        self.constants: list[Term] = []
        self.functions: dict[FunctionSymbol, int] = {}
        self._numbers: dict[Term, int] = {}
        self._heads: dict[object, int] = {}
        self._rows: list[Data] = []
        self._most = most
        roots = [self._of(formula) for formula in formulas]
        data = marshal.dumps((about, roots, self._rows), _MARSHAL_VERSION)
        self.key = blake2b(data, digest_size=_KEY_BYTES).digest()
        del self._numbers, self._heads, self._rows

    def _of(self, formula: Guard) -> Data:
        if not isinstance(formula, Term):
            return formula
        numbers = self._numbers
        stack: list[Term] = [formula]
        while stack:
            term = stack[-1]
            if term in numbers:
                stack.pop()
                continue
            args = () if term.op is CONSTANT else term.key[1:]
            missing = [arg for arg in args if isinstance(arg, Term) and arg not in numbers]
            if missing:
                missing.reverse()
                stack += missing
                continue
            stack.pop()
            if len(numbers) >= self._most:
                raise NoKeyError
            row = self._row(term, args)
            numbers[term] = len(numbers)
            self._rows.append(row)
        return (numbers[formula],)

    def _row(self, term: Term, args: Sequence[object]) -> Data:
        if term.op is CONSTANT:
            self.constants.append(term)
            return ("constant", encode_sort(term.sort))
        if term.op.base in QUANTIFIERS:
            # Those that the body does not mention are bound, too.
            for variable in term.op.params[0]:
                self._of(variable)
        numbers = self._numbers
        head = self._heads.get(term.op)
        if head is None:
            # What a head is stands in the first row that has it.
            head = self._heads[term.op] = len(self._heads)
            named: Data = (term.op.name, tuple(map(self._parameter, term.op.params)))
        else:
            named = ()
        return (
            head,
            named,
            [numbers[arg] if isinstance(arg, Term) else (_literal(arg),) for arg in args],  # type: ignore[arg-type]
        )

    def _parameter(self, parameter: object) -> Data:
        if isinstance(parameter, FunctionSymbol):
            number = self.functions.setdefault(parameter, len(self.functions))
            return number, tuple(map(encode_sort, parameter.domain)), encode_sort(parameter.range)
        if isinstance(parameter, tuple):
            return tuple(map(self._parameter, parameter))
        if isinstance(parameter, Term):
            return (self._numbers[parameter],)
        if isinstance(parameter, Sort):
            return encode_sort(parameter)
        if isinstance(parameter, CharacterClass):
            return parameter.ranges
        if isinstance(parameter, Enum):
            return parameter.name
        return parameter


def _literal(value: Concrete) -> Data:
    """A concrete value, different from all others, of other types too."""
    if isinstance(value, BV):
        return "bits", value.sort.width, value.value
    if isinstance(value, FP):
        return "float", encode_sort(value.sort), value.bits
    if isinstance(value, ArrayValue):
        items = [(_literal(k), _literal(v)) for k, v in value.items.items()]
        return "array", encode_sort(value.sort), _literal(value.default), items
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return "fraction", value.numerator, value.denominator
    raise NoKeyError


def glance(formulas: Sequence[Guard]) -> Data:
    """What the first few terms of the last formulas are: cheap, and the same for equal questions.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> glance([x < 3]) == glance([y < 3]), glance([x < 3]) == glance([x + y < 3])
    (True, False)
    """
    found: list[str] = []
    stack: list[object] = list(formulas[-_GLANCE:])
    while stack and len(found) < _GLANCE:
        term = stack.pop()
        if isinstance(term, Term):
            found.append(term.op.name)
            if term.op is not CONSTANT:
                stack += term.key[1:]
    return len(formulas), *found
