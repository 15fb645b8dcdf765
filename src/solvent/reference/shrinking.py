"""Making a test as small as possible that still shows what it shows.

A step puts something simpler in the place of one expression: one of the expressions in it, a
literal or variable, or the same expression with a smaller number or other variables; or it renames
a variable everywhere.  Steps are tried until none of them keeps the failure.

>>> from solvent.reference.syntax import parse
>>> large = Test.of(parse("(let (z (if p (+ x x) (error))) (if q (λ y . (car z)) (abort)))"))
>>> print(shrink(large, lambda test: "car" in str(test)))
; x: int
(car x)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from solvent.depth import deep_recursion
from solvent.reference.enumeration import VARIABLES, Test
from solvent.reference.syntax import (
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
    parts,
    size,
    used,
    walk,
)

# The simplest expressions, which are tried everywhere.
_SIMPLEST: tuple[Expression, ...] = (
    *(Literal(value) for value in (False, True, (), 0, 1)),
    *(Variable(name) for name in VARIABLES),
)

# How simple classes of expressions are that have the same size.
_RANKS = {
    found: rank
    for rank, found in enumerate(
        (Literal, Variable, Error, Abort, Operation, Call, Lambda, Let, If)
    )
}


def shrink(test: Test, fails: Callable[[Test], bool]) -> Test:
    """The simplest test found, by steps after each of which the test fails like the given one."""
    seen = {test.program}

    def better(program: Expression) -> bool:
        if program in seen or cost(program) >= cost(test.program):
            return False
        seen.add(program)
        return fails(Test.of(program, test.sorts))

    with deep_recursion():
        changed = True
        while changed:
            changed = False
            place = 0
            while place < size(test.program):
                found = next(filter(better, steps_at(test.program, place)), None)
                if found is None:
                    place += 1
                else:
                    # Another step may be possible in the same place.
                    test, changed = Test.of(found, test.sorts), True
            while (found := next(filter(better, renamings(test.program)), None)) is not None:
                test, changed = Test.of(found, test.sorts), True
    return test


def cost(program: Expression) -> tuple[int, int]:
    """How complicated a program is: first its size, then what it consists of.

    >>> from solvent.reference.syntax import parse
    >>> cost(parse("x")) < cost(parse("(+ x x)")) < cost(parse("(λ x . x)"))
    True
    """
    nodes = list(walk(program))
    return len(nodes), sum(map(_own_cost, nodes))


def _own_cost(e: Expression) -> int:
    names = sum(map(_rank, (*used(e), *_bound(e))))
    literal = 0
    if isinstance(e, Literal):
        literal = _literal_cost(e.value)
    return 1000 * _RANKS[type(e)] + 4 * names + literal


def _rank(name: str) -> int:
    return VARIABLES.index(name) if name in VARIABLES else len(VARIABLES) + len(name)


def _bound(e: Expression) -> tuple[str, ...]:
    return (e.variable,) if isinstance(e, (Lambda, Let)) else ()


def _literal_cost(value: bool | int | tuple[()]) -> int:
    if type(value) is int:
        return 3 + 2 * abs(value) + (value < 0)
    return [False, True, ()].index(value)


# --- steps -------------------------------------------------------------------------------------


def steps_at(program: Expression, place: int) -> Iterator[Expression]:
    """The programs with something else in one place, counted from the outside."""
    e, rebuilt = list(_places(program))[place]
    yield from map(rebuilt, _simpler(e))


def _simpler(e: Expression) -> Iterator[Expression]:
    """What may be simpler than an expression; the largest steps come first."""
    inside = list(walk(e))[1:]
    yield from _SIMPLEST[:1]
    yield from parts(e)
    yield from _SIMPLEST[1:]
    yield from (found for found in inside if found not in parts(e))
    yield from (Error(), Abort())
    if isinstance(e, Let) and isinstance(e.value, Variable):
        yield _renamed(e.body, e.variable, e.value.name)
    if isinstance(e, Literal) and type(e.value) is int:
        yield from (Literal(-e.value), Literal(abs(e.value) // 2), Literal(abs(e.value) - 1))
    for old in dict.fromkeys((*used(e), *_bound(e))):
        yield from (_own_renamed(e, old, new) for new in VARIABLES)


def renamings(program: Expression) -> Iterator[Expression]:
    """The programs with another name for a variable, everywhere."""
    names = {name for e in walk(program) for name in (*used(e), *_bound(e))}
    for old in sorted(names, key=_rank, reverse=True):
        yield from (_renamed(program, old, new) for new in VARIABLES)


def _places(e: Expression) -> Iterator[tuple[Expression, Callable[[Expression], Expression]]]:
    """All expressions in one, each with how to put another in its place."""
    yield e, lambda new: new
    for index, part in enumerate(parts(e)):
        for found, rebuilt in _places(part):
            yield found, _rebuilder(e, index, rebuilt)


def _rebuilder(
    e: Expression, index: int, rebuilt: Callable[[Expression], Expression]
) -> Callable[[Expression], Expression]:
    def result(new: Expression) -> Expression:
        inside = list(parts(e))
        inside[index] = rebuilt(new)
        return _with_parts(e, inside)

    return result


def _with_parts(e: Expression, inside: Sequence[Expression]) -> Expression:
    match e, inside:
        case Lambda(), [body]:
            return replace(e, body=body)
        case Let(), [value, body]:
            return replace(e, value=value, body=body)
        case If(), [then, otherwise]:
            return replace(e, then=then, otherwise=otherwise)
        case _:
            return e


def _own_renamed(e: Expression, old: str, new: str) -> Expression:
    """An expression with another name for a variable, but not in the expressions inside."""

    def name(found: str) -> str:
        return new if found == old else found

    match e:
        case Variable(found):
            return Variable(name(found))
        case Operation(operator, arguments):
            return Operation(operator, tuple(map(name, arguments)))
        case Call(function, argument):
            return Call(name(function), name(argument))
        case Lambda(variable, body):
            return Lambda(name(variable), body)
        case Let(variable, value, body):
            return Let(name(variable), value, body)
        case If(test, then, otherwise):
            return If(name(test), then, otherwise)
        case _:
            return e


def _renamed(e: Expression, old: str, new: str) -> Expression:
    inside = [_renamed(part, old, new) for part in parts(e)]
    return _own_renamed(_with_parts(e, inside), old, new)
