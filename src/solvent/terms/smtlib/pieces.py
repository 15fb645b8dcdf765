"""The smaller pieces of a text: symbols, numerals, sorts."""

from __future__ import annotations

from collections.abc import Callable

from solvent.errors import SmtLibError
from solvent.terms.ops import ResultT
from solvent.terms.smtlib.lexer import END, NUMERAL, Source, is_symbol
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.signatures import ROUNDING, Problem, counted
from solvent.terms.smtlib.theories.bitvectors import check_width
from solvent.terms.smtlib.theories.floats import float_format
from solvent.terms.sorts import Sort, array_sort, bitvec_sort
from solvent.terms.term import Term

# Indices, widths and levels have no more digits.
_MOST_DIGITS = 18
# The text of a sort is at most so long; definitions of sorts could make it grow without bounds.
_SORT_LENGTH = 10_000


class PieceReader:
    """Reads symbols, numerals and sorts; the scope tells what symbols stand for."""

    def __init__(self, source: Source, scope: Scope) -> None:
        self.source = source
        self.tokens = source.tokens
        self.scope = scope
        self._symbols: set[str] = set()

    # --- small pieces --------------------------------------------------------------------------

    def error(self, problem: Problem, index: int) -> SmtLibError:
        """The error for a problem that is at the token with this index unless it says other."""
        return self.source.error(problem.message, index if problem.index is None else problem.index)

    def expect(self, token: str, index: int, what: str) -> int:
        """Require a token; the index behind it."""
        found = self.tokens[index]
        if found == token:
            return index + 1
        if found == END:
            raise self._unclosed(index)
        raise Problem(f"expected {what} instead of {found}", index)

    def _unclosed(self, index: int) -> Problem:
        """The complaint that the text ends before everything is closed."""
        return Problem("this parenthesis is not closed", self.source.opening(index))

    def symbol(self, index: int, what: str = "a symbol") -> str:
        """The symbol at an index."""
        token = self.tokens[index]
        if token not in self._symbols:
            if token == END:
                raise self._unclosed(index)
            if not is_symbol(token):
                raise Problem(f"expected {what} instead of {token}", index)
            self._symbols.add(token)
        return token

    def numeral(self, index: int, what: str = "a numeral") -> int:
        """The numeral at an index."""
        token = self.tokens[index]
        if token == END:
            raise self._unclosed(index)
        if not NUMERAL.fullmatch(token):
            raise Problem(f"expected {what} instead of {token}", index)
        if len(token) > _MOST_DIGITS:
            raise Problem("this number is too large", index)
        return int(token)

    def skip(self, index: int) -> int:
        """The index behind the expression that begins at an index."""
        token = self.tokens[index]
        if token == "(":
            return self.source.closing(index) + 1
        if token == ")":
            raise Problem("expected an expression instead of )", index)
        if token == END:
            raise self._unclosed(index)
        return index + 1

    # --- sorts ---------------------------------------------------------------------------------

    def sort(self, index: int) -> tuple[Sort[Term], int]:
        """The sort at an index, and the index behind it."""
        # Each open sort: its symbol, its arguments so far, and where it begins.
        stack: list[tuple[str, list[Sort[Term]], int]] = []
        while True:
            start = index
            token = self.tokens[index]
            index += 1
            if token == "(":
                if self.tokens[index] != "_":
                    stack.append((self.symbol(index, "a sort"), [], start))
                    index += 1
                    continue
                sort, index = self._indexed_sort(index + 1)
            elif token == ")" and stack:
                name, args, start = stack.pop()
                sort = self._composed_sort(name, args, start)
            else:
                sort = self._composed_sort(self.symbol(start, "a sort"), None, start)
            if not stack:
                return sort, index
            stack[-1][1].append(sort)

    def _indexed_sort(self, index: int) -> tuple[Sort[Term], int]:
        name = self.symbol(index, "the name of a sort")
        sort: Sort[Term]
        if name == "BitVec":
            width = self.numeral(index + 1, "a width")
            self._located(check_width, index + 1, width)
            sort = bitvec_sort(width)
            index += 2
        elif name == "FloatingPoint":
            bits = (self.numeral(index + 1, "a width"), self.numeral(index + 2, "a width"))
            sort = self._located(float_format, index + 1, *bits)
            index += 3
        else:
            raise Problem(f"unknown sort (_ {name} ...)", index)
        return sort, self.expect(")", index, "a closing parenthesis")

    def _composed_sort(self, name: str, args: list[Sort[Term]] | None, start: int) -> Sort[Term]:
        count = 0 if args is None else len(args)
        if name == "Array":
            if args is None or count != 2:
                raise Problem(f"Array takes 2 sorts, not {count}", start)
            self._check_array(args, start)
            return array_sort(*args)
        known = self.scope.sorts.get(name)
        if known is None:
            raise Problem(f"unknown sort {name}", start)
        if isinstance(known, Sort):
            if args is not None:
                raise Problem(f"the sort {name} takes no sorts", start)
            return known
        arity, make = known
        if count != arity:
            raise Problem(f"the sort {name} takes {counted(arity, 'sort')}, not {count}", start)
        return make(*args or ())

    def _check_array(self, args: list[Sort[Term]], start: int) -> None:
        for sort in args:
            if sort is ROUNDING:
                raise Problem("arrays of rounding modes are not supported", start)
        if sum(len(sort.name) for sort in args) > _SORT_LENGTH:
            raise Problem("this sort is too large", start)

    def _located(self, function: Callable[..., ResultT], index: int, *args: object) -> ResultT:
        """Call a function whose complaints are about the token at an index."""
        try:
            return function(*args)
        except Problem as problem:
            raise Problem(problem.message, index) from None
