"""Finite tables out of the formulas that solvers give for functions.

A function is a finite table with a default if it is a choice between values by tests of parameters
for single values.  The tests of solvers are conjunctions of equations, but also disjunctions of
them and, for predicates, the formula itself.  Each test is brought into *cubes*: assignments of
values to some parameters, such that the test holds exactly if one of the assignments does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solvent.terms.kinds import Concrete
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.smtlib.interpretations import AnswerParser

# An assignment of values to some of the parameters, which are counted from 0.
Cube = dict[int, Concrete]
# The values of a function by its arguments.
Table = dict[tuple[Concrete, ...], Concrete]

# More cubes than these are left to a function that is evaluated instead.
_MOST_CUBES = 10_000


class _NoTableError(Exception):
    """The function is no finite table, or not seen to be one."""


def table_of(
    parser: AnswerParser, symbols: Sequence[str], index: int
) -> tuple[Concrete, Table] | None:
    """The default and the table of the function whose body begins at an index, or None."""
    reader = _Reader(parser, symbols)
    try:
        return reader.read(index)
    except (_NoTableError, RecursionError):
        return None
    finally:
        for name in reader.aliases:
            parser.scope.values.pop(name, None)


class _Reader:
    def __init__(self, parser: AnswerParser, symbols: Sequence[str]) -> None:
        self.parser = parser
        self.tokens = parser.tokens
        self.positions = {symbol: position for position, symbol in enumerate(symbols)}
        self.count = len(symbols)
        # Where the formulas begin that names stand for.
        self.aliases: dict[str, int] = {}
        # The cases in their order: the first that fits counts.
        self.table: Table = {}
        # The cases that leave some parameters open, by those they fix.
        self.partial: dict[tuple[int, ...], Table] = {}

    def read(self, index: int) -> tuple[Concrete, Table]:
        stack: list[tuple[int, Cube]] = [(index, {})]
        while stack:
            index, path = stack.pop()
            form = self.tokens[index + 1] if self.tokens[index] == "(" else None
            if form == "let":
                stack.append((self.let(index + 2), path))
            elif form == "ite":
                test = index + 2
                then = self.parser.skip(test)
                otherwise = self.parser.skip(then)
                cubes = self.cubes(test, holds=True)
                if cubes is None:
                    then, otherwise = otherwise, then
                    cubes = self.cubes(test, holds=False)
                if cubes is None:
                    raise _NoTableError
                stack.append((otherwise, path))
                stack.extend((then, joined) for joined in self._all_joined(path, cubes))
            else:
                self.leaf(index, path)
        default = self.partial.pop((), {}).get(())
        if default is None or any(
            value != default for cases in self.partial.values() for value in cases.values()
        ):
            raise _NoTableError
        return default, self.table

    def let(self, index: int) -> int:
        """Take note of the bindings at an index; the index of the body."""
        position = index + 1
        while self.tokens[position] == "(":
            name, value = self.tokens[position + 1], position + 2
            if name in self.aliases or name in self.parser.scope.values:
                raise _NoTableError
            self.aliases[name] = value
            self.parser.scope.values[name], _ = self.parser.term(value)
            position = self.parser.skip(position)
        return position + 1

    def leaf(self, index: int, path: Cube) -> None:
        """A case that is no choice: a value, or a predicate."""
        value, _ = self.parser.term(index)
        if not isinstance(value, Term):
            self.case(path, value)
            return
        for holds in (True, False):
            cubes = self.cubes(index, holds)
            if cubes is not None:
                for joined in self._all_joined(path, cubes):
                    self.case(joined, holds)
                self.case(path, not holds)
                return
        raise _NoTableError

    def case(self, path: Cube, value: Concrete) -> None:
        """The value where parameters have given values, and no earlier case applies."""
        for fixed, cases in self.partial.items():
            if all(position in path for position in fixed) and (
                tuple(path[position] for position in fixed) in cases
            ):
                return
        if len(path) == self.count:
            self.table.setdefault(tuple(path[p] for p in range(self.count)), value)
        else:
            fixed = tuple(sorted(path))
            self.partial.setdefault(fixed, {})[tuple(path[p] for p in fixed)] = value

    @staticmethod
    def _all_joined(path: Cube, cubes: list[Cube]) -> list[Cube]:
        """The path with each of the cubes that do not contradict it."""
        return [
            {**path, **cube}
            for cube in cubes
            if all(path.get(position, value) == value for position, value in cube.items())
        ]

    def cubes(self, index: int, holds: bool) -> list[Cube] | None:
        """The assignments for which the formula at an index holds, or does not; or None."""
        token = self.tokens[index]
        if token in ("true", "false"):
            return [{}] if (token == "true") is holds else []
        if token in self.positions:
            return [{self.positions[token]: holds}]
        if token in self.aliases:
            return self.cubes(self.aliases[token], holds)
        if token != "(":
            return None
        head = self.tokens[index + 1]
        args = []
        position = index + 2
        while self.tokens[position] != ")":
            args.append(position)
            position = self.parser.skip(position)
        if head == "not" and len(args) == 1:
            return self.cubes(args[0], not holds)
        if head in ("and", "or"):
            parts = [self.cubes(arg, holds) for arg in args]
            if any(part is None for part in parts):
                return None
            alternatives = [part for part in parts if part is not None]
            if (head == "or") is holds:
                return [cube for part in alternatives for cube in part]
            return self._product(alternatives)
        if head == "=" and len(args) == 2:
            return self._equation(args[0], args[1], holds)
        return None

    def _product(self, parts: list[list[Cube]]) -> list[Cube]:
        """The assignments that belong to all of the parts."""
        result: list[Cube] = [{}]
        for part in parts:
            result = [joined for cube in result for joined in self._all_joined(cube, part)]
            if len(result) > _MOST_CUBES:
                raise _NoTableError
        return result

    def _equation(self, first: int, second: int, holds: bool) -> list[Cube] | None:
        if self.tokens[first] not in self.positions:
            first, second = second, first
        position = self.positions.get(self.tokens[first])
        if position is None:
            return None
        value, _ = self.parser.term(second)
        if isinstance(value, Term):
            return None
        if holds:
            return [{position: value}]
        return [{position: not value}] if isinstance(value, bool) else None
