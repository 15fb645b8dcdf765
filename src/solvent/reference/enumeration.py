"""A bijection between the natural numbers and the programs of the core language.

It is made by fair enumeration combinators: an enumeration maps numbers to values and back, a choice
deals its alternatives in turns, and a pair splits the bits of a number evenly, so that larger
numbers tend to be larger programs.

The programs are all those with the variables `x`, `y`, `p`, `q`, `f` and `l`.  A variable that is
free is an input, of a sort that goes with its name, so that every program is a test.  Random
programs mostly fail at once.  So the order of the programs in a place depends on what it suggests,
although each place can have all of them: integers for `x` and `y`, Booleans for `p` and `q`,
procedures for `f`, lists for `l`.

>>> from solvent.reference.syntax import show
>>> show(program(10**9)), number(program(10**9))
('(if p (if p (abort) (if q (< x y) (+ x y))) (if q (< x y) (let (x (+ x y)) p)))', 1000000000)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import isqrt
from random import Random
from typing import ClassVar, Generic, TypeVar

from solvent.errors import SolventError
from solvent.reference.factory import Factory, SymValue
from solvent.reference.syntax import (
    OPERATORS,
    Abort,
    Call,
    Error,
    Expression,
    If,
    Lambda,
    Let,
    Literal,
    Operation,
    Variable,
    free_variables,
    parse,
    parts,
    show,
    size,
    used,
)

# The variables of enumerated programs, and what they are where they are free.
SORTS = {"x": "int", "y": "int", "p": "bool", "q": "bool", "f": "bool", "l": "int"}
VARIABLES = tuple(SORTS)

# What variables mostly stand for where they are bound.
KINDS = {"x": "int", "y": "int", "p": "bool", "q": "bool", "f": "function", "l": "list"}


class NotEnumeratedError(SolventError, ValueError):
    """A value that an enumeration does not contain."""


Item = TypeVar("Item")

# --- combinators -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enumeration(Generic[Item]):
    """Numbers for the values of a set: all naturals, or those below `count` if it is finite."""

    decode: Callable[[int], Item]
    encode: Callable[[Item], int]
    has: Callable[[Item], bool]
    count: int | None = None


def listed(values: Sequence[Item]) -> Enumeration[Item]:
    """The enumeration of a few values, in their order.

    >>> listed("abc").decode(1), listed("abc").encode("c")
    ('b', 2)
    """
    places = {value: place for place, value in enumerate(values)}
    return Enumeration(values.__getitem__, places.__getitem__, places.__contains__, len(values))


def split(n: int) -> tuple[int, int]:
    """The pair of a number, about half of its bits each.

    >>> [split(n) for n in range(5)]
    [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2)]
    """
    root = isqrt(n)
    rest = n - root * root
    return (rest, root) if rest < root else (root, rest - root)


def join(a: int, b: int) -> int:
    """The number of a pair.

    >>> [join(*split(n)) for n in range(5)]
    [0, 1, 2, 3, 4]
    """
    return b * b + a if a < b else a * a + a + b


def choice(alternatives: Sequence[tuple[int, Enumeration[Item]]]) -> Enumeration[Item]:
    """The values of disjoint enumerations, dealt in rounds: of each as many as its weight.

    A finite one is left out as soon as it has no more.

    >>> either = choice([(1, listed("ab")), (2, listed(range(9)))])
    >>> [either.decode(n) for n in range(8)], either.encode(4)
    (['a', 0, 1, 'b', 2, 3, 4, 5], 6)
    """
    dealer = _Dealer(alternatives)
    counts = [found.count for _, found in alternatives]
    finite = [count for count in counts if count is not None]
    total = sum(finite) if len(finite) == len(counts) else None
    return Enumeration(dealer.decode, dealer.encode, dealer.has, total)


class _Dealer(Generic[Item]):
    """Who deals the values of a choice: first all of the finite ones, among others."""

    def __init__(self, alternatives: Sequence[tuple[int, Enumeration[Item]]]) -> None:
        self.alternatives = alternatives
        # The rounds with finite alternatives: which one, and its own number, for each number.
        self.table: list[tuple[int, int]] = []
        self.rounds = max((-(-(e.count or 0) // weight) for weight, e in alternatives), default=0)
        for turn in range(self.rounds):
            for place, (weight, found) in enumerate(alternatives):
                first, after = weight * turn, weight * (turn + 1)
                if found.count is not None:
                    after = min(after, found.count)
                self.table += [(place, index) for index in range(first, after)]
        self.places = {row: n for n, row in enumerate(self.table)}
        # One of the rounds after them: which alternative each of its turns is.
        self.slots = [
            (place, index)
            for place, (weight, found) in enumerate(alternatives)
            for index in range(weight if found.count is None else 0)
        ]
        self.starts = {place: n for n, (place, index) in enumerate(self.slots) if index == 0}

    def decode(self, n: int) -> Item:
        if n < len(self.table):
            place, index = self.table[n]
        elif self.slots:
            turn, slot = divmod(n - len(self.table), len(self.slots))
            place, index = self.slots[slot]
            index += self.alternatives[place][0] * (self.rounds + turn)
        else:
            raise NotEnumeratedError(f"there are only {len(self.table)} values")
        return self.alternatives[place][1].decode(index)

    def encode(self, value: Item) -> int:
        for place, (weight, found) in enumerate(self.alternatives):
            if found.has(value):
                index = found.encode(value)
                turn, rest = divmod(index, weight)
                if turn < self.rounds:
                    return self.places[place, index]
                start = len(self.table) + (turn - self.rounds) * len(self.slots)
                return start + self.starts[place] + rest
        raise NotEnumeratedError(f"{value!r} is not enumerated")

    def has(self, value: Item) -> bool:
        return any(found.has(value) for _, found in self.alternatives)


# --- the grammar -------------------------------------------------------------------------------

# Integers that are leaves like any other; the rest of them are rare.
_SMALL = (0, 1, -1, 2)


def _decode_large(n: int) -> Literal:
    return Literal(n // 2 + max(_SMALL) + 1 if n % 2 == 0 else min(_SMALL) - 1 - n // 2)


def _encode_large(found: Expression) -> int:
    value = int(found.value)  # type: ignore[union-attr, arg-type]
    return 2 * (value - max(_SMALL) - 1) if value > 0 else 2 * (min(_SMALL) - 1 - value) + 1


def _is_large(found: object) -> bool:
    return isinstance(found, Literal) and type(found.value) is int and found.value not in _SMALL


_LARGE: Enumeration[Expression] = Enumeration(_decode_large, _encode_large, _is_large)

# All leaves with the variables above.
_LEAVES: tuple[Expression, ...] = (
    *(Variable(name) for name in VARIABLES),
    *(Literal(value) for value in (True, False, (), *_SMALL)),
    Error(),
    Abort(),
    *(
        Operation(operator, arguments)
        for operator, count in OPERATORS.items()
        for arguments in product(VARIABLES, repeat=count)
    ),
    *(Call(*names) for names in product(VARIABLES, repeat=2)),
)

# What makes sense where a value of a kind is wanted: these leaves have smaller numbers.
_GOOD = {
    "int": "(+ x y) (car l) x (f x) 0 (* x y) y (- x) (f y) (error) 1 (f p) (abort) (+ y y) (f l)"
    " -1 (* x x) (- y) 2",
    "bool": "(< x y) p (= x y) (null? l) (f x) q #f (< y x) (error) (f p) #t (abort) (= y y)",
    "function": "(f x) f (f f) (car l) (f y) (error)",
    "list": "(cons x l) null (cons p l) (cdr l) l (cons y l) (f l) (cons f l) (abort) (cons l l)",
    "any": "(f x) (cons x l) p (< x y) (car l) (+ x y) x (cdr l) (f f) (error) (null? l) (f y) l"
    " (abort) q (f p) y f (f l)",
}


def _leaves(kind: str, bound: frozenset[str]) -> tuple[list[Expression], list[Expression]]:
    """The leaves that make sense, and all others."""
    texts = re.findall(r"\([^)]*\)|\S+", _GOOD[kind])
    found = [parse(text) for text in texts]
    usual = {*SORTS} - {"f", "l"} | bound
    good = [leaf for leaf in found if usual.issuperset(used(leaf))]
    return good, [leaf for leaf in _LEAVES if leaf not in good]


def _node(
    cls: Callable[..., Expression], name: str, *inside: Callable[[], Enumeration[Expression]]
) -> Enumeration[Expression]:
    """Expressions of one class with one variable and one or two expressions in them."""

    def decode(n: int) -> Expression:
        numbers = split(n) if len(inside) == 2 else (n,)
        found = [part().decode(index) for part, index in zip(inside, numbers, strict=True)]
        result: Expression = cls(name, *found)
        return result

    def encode(found: Expression) -> int:
        numbers = [part().encode(e) for part, e in zip(inside, parts(found), strict=True)]
        return join(*numbers) if len(inside) == 2 else numbers[0]

    return Enumeration(decode, encode, lambda found: type(found) is cls and _name(found) == name)


def _name(found: Expression) -> str:
    match found:
        case Lambda(name) | Let(name) | If(name):
            return name
        case _:
            return ""


# How often each variable is a test, and how often it is bound.
_TESTS = {"p": 12, "q": 8, "x": 1, "y": 1, "f": 1, "l": 1}
_BOUND = {"p": 4, "q": 2, "x": 4, "y": 3, "f": 6, "l": 8}
_PARAMETERS = {"x": 4, "y": 2, "p": 1, "q": 1, "l": 1, "f": 1}


@cache
def _expressions(kind: str = "any", bound: frozenset[str] = frozenset()) -> Enumeration[Expression]:
    """All expressions: first those that make sense where a value of a kind is wanted.

    `bound` are those of `f` and `l`, which make sense only as local variables, that are bound.
    """
    good, others = _leaves(kind, bound)

    def inner(kind: str, *names: str) -> Callable[[], Enumeration[Expression]]:
        return lambda: _expressions(kind, bound | {"f", "l"}.intersection(names))

    same = inner(kind)
    lambdas = 4 if kind == "function" else 1
    lists = {"l": 40} if kind == "list" else {}
    return choice(
        [
            (20, listed(good)),
            (4, listed(others)),
            *((weight, _node(If, name, same, same)) for name, weight in _TESTS.items()),
            *(
                (weight, _node(Let, name, inner(KINDS[name]), inner(kind, name)))
                for name, weight in (_BOUND | lists).items()
            ),
            *(
                (lambdas * weight, _node(Lambda, name, inner("any", name)))
                for name, weight in _PARAMETERS.items()
            ),
            (1, _LARGE),
        ]
    )


def program(n: int) -> Expression:
    """The program with a number.

    >>> [show(program(n)) for n in (0, 1, 20, 300)]
    ['p', '(< x y)', '(if p (+ x y) (+ x y))', '(let (p (< x y)) (error))']
    """
    if n < 0:
        raise NotEnumeratedError(f"programs have natural numbers, not {n}")
    result: Expression = _expressions().decode(n)
    return result


def number(found: Expression) -> int:
    """The number of a program; its length doubles with each level of nesting.

    >>> number(parse("(if p x y)"))
    280
    """
    try:
        return _expressions().encode(found)
    except NotEnumeratedError as error:
        raise NotEnumeratedError(
            f"only programs with the variables {', '.join(VARIABLES)} and the right number of "
            f"operands have numbers, so {show(found)} has none"
        ) from error


# --- tests -------------------------------------------------------------------------------------

# The number of bits for which 10,000 tests have the sizes of table 1.
DEFAULT_BITS = 420


@dataclass(frozen=True, slots=True)
class Test:
    """A program, and for its free variables `"int"` or `"bool"`.

    >>> print(Test.of(parse("(if p (+ x n) 0)"), {"n": "int"}))
    ; p: bool, x: int, n: int
    (if p (+ x n) 0)
    """

    __test__: ClassVar[bool] = False  # not one of pytest

    program: Expression
    sorts: Mapping[str, str] = field(hash=False)

    @classmethod
    def of(cls, program: Expression, sorts: Mapping[str, str] | None = None) -> Test:
        """A test of a program; unless said otherwise a variable has its usual sort, or `"int"`."""
        known = {**SORTS, **(sorts or {})}
        return cls(program, {name: known.get(name, "int") for name in free_variables(program)})

    @property
    def size(self) -> int:
        """The number of expressions of the program."""
        return size(self.program)

    def environment(self, factory: Factory) -> dict[str, SymValue]:
        """The symbolic environment of the program."""
        return {name: factory.symbolic(name, sort) for name, sort in self.sorts.items()}

    def __str__(self) -> str:
        inputs = ", ".join(f"{name}: {sort}" for name, sort in self.sorts.items())
        return f"; {inputs or 'no inputs'}\n{show(self.program)}"


def test(n: int) -> Test:
    """The test with a number.

    >>> print(test(300))
    ; x: int, y: int
    (let (p (< x y)) (error))
    """
    return Test.of(program(n))


def tests(count: int, seed: int = 0, k: int = DEFAULT_BITS) -> Iterator[Test]:  # noqa: PT028
    """Different tests at random: the bits of their numbers grow from none to `k`.

    >>> [found.size for found in tests(8, seed=1)]
    [1, 23, 37, 65, 50, 95, 109, 130]
    """
    random = Random(seed)
    seen: set[int] = set()
    for place in range(count):
        length = k * place // max(count - 1, 1)
        n = random.randint(0, 1 << length)
        while n in seen:
            # There are few small numbers: look for a larger one in the end.
            length += random.random() < 0.1
            n = random.randint(0, 1 << length)
        seen.add(n)
        yield test(n)
