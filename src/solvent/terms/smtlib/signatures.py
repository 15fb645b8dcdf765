"""How the reader checks the arguments of functions, and the shapes that functions have.

A `Head` is given the arguments of an application, checks them and builds the term.  Unlike
Solvent's own operators it is strict about sorts: SMT-LIB has no conversions but those from Int
to Real.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from solvent.terms.booleans import and_
from solvent.terms.functions import Function
from solvent.terms.integers import TO_REAL
from solvent.terms.kinds import Bits, Concrete, Datum, Operand
from solvent.terms.softfloat import RoundingMode
from solvent.terms.sorts import BitVecSort, Bool, FloatSort, Int, Real, Sort, Str
from solvent.terms.term import Term

# What the reader makes: terms, values, and rounding modes, which are arguments in SMT-LIB.
Argument = Concrete | Term | RoundingMode
# The arguments of an application, whose sorts are still to be checked; the parser keeps an open
# form before them.
Args = list[Any]
Head = Callable[[Args], Argument]
# A function with indices: how many, and what makes the head from them.
Indexed = tuple[int, Callable[..., Head]]
Build = Callable[..., Any]
# The arguments of a function that were checked, and so are what it needs.
Check = Callable[[str, Args], Sequence[Any]]


class Problem(Exception):
    """Something wrong in a text, at a token if that is known."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.index = index


# Rounding modes are arguments in SMT-LIB, but always concrete here.
ROUNDING: Sort[Term] = Sort("RoundingMode", "RoundingMode")

_PYTHON_SORTS: dict[type, Sort[Term]] = {
    bool: Bool,
    int: Int,
    Fraction: Real,
    str: Str,
    RoundingMode: ROUNDING,
}


def sort_of(value: Argument) -> Sort[Term]:
    """The sort of a term or value as the reader has them.

    >>> sort_of(3), sort_of(Fraction(1, 2))
    (Int, Real)
    """
    sort = _PYTHON_SORTS.get(value.__class__)
    return sort if sort is not None else value.sort  # type: ignore[union-attr]


def sorts_text(values: Args) -> str:
    """How a complaint lists the sorts of arguments.

    >>> sorts_text([1, True])
    'Int and Bool'
    """
    texts = [sort_of(value).smt for value in values]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "argument"), counted(2, "argument")
    ('1 argument', '2 arguments')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- checking arguments ------------------------------------------------------------------------


def check_arity(name: str, args: Args, least: int, most: int | None = None) -> None:
    """Complain about too few or too many arguments."""
    if len(args) < least or (most is not None and len(args) > most):
        expected = counted(least, "argument") if least == most else f"at least {least} arguments"
        raise Problem(f"{name} takes {expected}, not {len(args)}")


def as_sort(value: Argument, sort: Sort[Term]) -> Argument | None:
    """The value if it has the sort, an Int as a Real, or None."""
    actual = sort_of(value)
    if actual is sort:
        return value
    if sort is Real and actual is Int:
        return TO_REAL(value)
    return None


def arguments(name: str, args: Args, sorts: tuple[Sort[Term], ...]) -> list[Any]:
    """The arguments of a function with the given domain."""
    check_arity(name, args, len(sorts), len(sorts))
    result = []
    for position, (arg, sort) in enumerate(zip(args, sorts, strict=True), 1):
        value = as_sort(arg, sort)
        if value is None:
            raise Problem(
                f"argument {position} of {name} is of sort {sort_of(arg).smt}, not {sort.smt}"
            )
        result.append(value)
    return result


def alike(name: str, args: Args) -> list[Any]:
    """Arguments of one sort; where Int and Real meet, all are made Real."""
    first = sort_of(args[0])
    if all(sort_of(arg) is first for arg in args):
        return args
    if all(sort_of(arg) in (Int, Real) for arg in args):
        return [as_sort(arg, Real) for arg in args]
    raise Problem(f"{name} needs arguments of one sort, not {sorts_text(args)}")


def numbers(name: str, args: Args) -> list[Any]:
    """All Int or all Real."""
    for arg in args:
        if sort_of(arg) not in (Int, Real):
            raise Problem(f"{name} needs numbers, not {sort_of(arg).smt}")
    return alike(name, args)


def of_class(name: str, args: Args, sort_class: type[Sort[Term]], noun: str) -> list[Any]:
    """Arguments whose sorts are of one kind."""
    for arg in args:
        if not isinstance(sort_of(arg), sort_class):
            raise Problem(f"{name} needs {noun}, not {sort_of(arg).smt}")
    return args


def bitvectors(name: str, args: Args) -> list[Bits]:
    """Bitvectors of one width."""
    bits: list[Bits] = of_class(name, args, BitVecSort, "bitvectors")
    if any(arg.sort is not bits[0].sort for arg in bits):
        raise Problem(f"{name} needs bitvectors of one width, not {sorts_text(args)}")
    return bits


def floats_alike(name: str, args: Args) -> list[Datum]:
    """Floats of one format."""
    floats: list[Datum] = of_class(name, args, FloatSort, "floats")
    if any(arg.sort is not floats[0].sort for arg in floats):
        raise Problem(f"{name} needs floats of one format, not {sorts_text(args)}")
    return floats


def unspecified(name: str, range: Sort[Term], *args: Operand) -> Any:
    """A result that SMT-LIB leaves open: some function of the arguments, the same in each place.

    Solvent's operators give a fixed result there.  No function of a script has such a name.

    >>> from solvent.terms import Int
    >>> unspecified("div0", Int, Int("x"))
    @div0(x)
    """
    return Function("@" + name, [sort_of(arg) for arg in args], range)(*args)


# --- shapes of functions -----------------------------------------------------------------------


def fixed(name: str, build: Build, *sorts: Sort[Term]) -> Head:
    """A function with a fixed domain."""
    return lambda args: build(*arguments(name, args, sorts))


def left_associative(name: str, build: Build, check: Check, least: int = 2) -> Head:
    """A binary function that is applied to more arguments from the left."""

    def apply(args: Args) -> Argument:
        check_arity(name, args, least)
        first, *rest = check(name, args)
        for arg in rest:
            first = build(first, arg)
        return first

    return apply


def chainable(name: str, build: Build, check: Check) -> Head:
    """A relation that holds between each two neighbours."""

    def apply(args: Args) -> Argument:
        check_arity(name, args, 2)
        return and_(build(a, b) for a, b in pairwise(check(name, args)))

    return apply


def exactly(name: str, count: int, build: Build, check: Check) -> Head:
    """A function of so many arguments of a kind."""

    def apply(args: Args) -> Argument:
        check_arity(name, args, count, count)
        return build(*check(name, args))

    return apply


def all_of(sort: Sort[Term]) -> Check:
    """Any number of arguments of one given sort."""
    return lambda name, args: arguments(name, args, (sort,) * len(args))


booleans = all_of(Bool)
