"""Values and functions as solvers write them in their answers.

The solvers agree on the syntax, but not on what stands in it: there are tables as nested `ite`,
predicates as Boolean formulas, arrays as `store`, as `lambda` or by the name of a function, and
values of uninterpreted sorts under several names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

from solvent.errors import EvaluationError
from solvent.terms.arrays import STORE
from solvent.terms.graph import substitute
from solvent.terms.smtlib.algebraic import Polynomial, add, multiply, root, trimmed
from solvent.terms.smtlib.lexer import Source, unquote
from solvent.terms.smtlib.parser import Parser
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.signatures import Args, Head, Problem, as_sort, sort_of
from solvent.terms.smtlib.tables import table_of
from solvent.terms.sorts import ArraySort, Sort, UninterpretedSort, array_sort
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue, Element, FunctionValue

if TYPE_CHECKING:
    from solvent.terms.kinds import Concrete, Operand


@dataclass(frozen=True, slots=True)
class DefinedFunction:
    """An interpretation that is no finite table: a term over parameters.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> DefinedFunction((x,), x + 1)(4)
    5
    """

    parameters: tuple[Term, ...]
    body: Operand

    def __call__(self, *args: Concrete) -> Any:
        result = substitute(self.body, dict(zip(self.parameters, args, strict=True)))
        if isinstance(result, Term):
            raise EvaluationError(f"the solver's function has no concrete value: {result!r}")
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DefinedFunction):
            return NotImplemented
        return self.body is other.body and all(
            a is b for a, b in zip(self.parameters, other.parameters, strict=False)
        )

    def __hash__(self) -> int:
        return hash(self.parameters)


class _Elements:
    """The elements of uninterpreted sorts that a solver's names stand for."""

    def __init__(self) -> None:
        self._found: dict[tuple[Sort[Term], str], Element] = {}
        self._taken: set[Element] = set()

    def fix(self, sort: UninterpretedSort, name: str, element: Element) -> None:
        """Let a name stand for a given element."""
        self._found[sort, name] = element
        self._taken.add(element)

    def named(self, sort: UninterpretedSort, name: str) -> Element:
        """The element of a name; its number is that in the name, if it can be."""
        if (sort, name) not in self._found:
            digits = re.search(r"[0-9]{1,9}$", name)
            number = int(digits[0]) if digits else 0
            while Element(sort, number) in self._taken:
                number += 1
            self.fix(sort, name, Element(sort, number))
        return self._found[sort, name]


class AnswerParser(Parser):
    """Reads values as solvers write them."""

    def __init__(self, source: Source, scope: Scope) -> None:
        super().__init__(source, scope)
        self.elements = _Elements()
        # The functions that arrays refer to.
        self.tables: dict[str, ArrayValue] = {}
        # Whether fractions may stand for irrational numbers, and whether one does.
        self.approximate = False
        self.approximated = False
        # An array with many elements is read at once instead of element by element.
        del scope.heads["store"]

    def unknown_symbol(self, symbol: str, index: int) -> Any:
        sort_name, mark, _ = unquote(symbol).rpartition("!val!")
        sort = self.scope.sorts.get(sort_name) or self.scope.sorts.get(f"|{sort_name}|")
        if mark and isinstance(sort, UninterpretedSort):
            return self.elements.named(sort, unquote(symbol))
        return super().unknown_symbol(symbol, index)

    def _qualified_value(self, index: int, sort: Sort[Term]) -> Any:
        symbol = self.tokens[index]
        if isinstance(sort, UninterpretedSort) and symbol not in self.scope.values:
            return self.elements.named(sort, unquote(symbol))
        return super()._qualified_value(index, sort)

    def _indexed_constant(self, index: int) -> tuple[Any, int]:
        if self.tokens[index] == "as-array":
            name = self.symbol(index + 1, "the name of a function")
            if name not in self.tables:
                raise Problem(f"the function {name} is no table, so it makes no array", index + 1)
            return self.tables[name], index + 2
        if self.tokens[index] == "real_algebraic_number":
            end = self.source.closing(index - 2)
            return self._approximated(_enclosed_root(self.tokens[index + 1 : end]), index), end
        return super()._indexed_constant(index)

    def _open(self, index: int) -> tuple[Head | None, Args, int]:
        token = self.tokens[index]
        if token == "store":
            value, index = self._stores(index - 1)
            return lambda args: value, [], index
        if token == "lambda":
            value, index = self._lambda(index + 1)
            return lambda args: value, [], index
        if token == "root-obj":
            polynomial, end = self._polynomial(index + 1)
            value = self._approximated(root(polynomial, self.numeral(end)), index)
            return lambda args: value, [], end + 1
        return super()._open(index)

    def _approximated(self, value: Fraction | None, index: int) -> Fraction:
        """A fraction in place of an irrational number, of which note is taken."""
        if value is None or not self.approximate:
            raise Problem("this number is irrational, and only fractions are supported", index)
        self.approximated = True
        return value

    def _polynomial(self, index: int) -> tuple[Polynomial, int]:
        """The polynomial in x at an index, and the index behind it."""
        token = self.tokens[index]
        if token == "x":
            return [Fraction(0), Fraction(1)], index + 1
        if token != "(":
            return trimmed([Fraction(self.numeral(index))]), index + 1
        head = self.tokens[index + 1]
        parts = []
        index += 2
        while self.tokens[index] != ")":
            part, index = self._polynomial(index)
            parts.append(part)
        if head == "^" and len(parts) == 2 and parts[1] and parts[1][0] <= _LARGEST_POWER:
            parts = [parts[0]] * int(parts[1][0])
            head = "*"
        if head not in ("+", "*", "-") or not parts:
            raise Problem("this is no polynomial", index)
        if head == "-":
            *before, last = parts
            parts, head = [*before, multiply([Fraction(-1)], last)], "+"
        combined = reduce(add if head == "+" else multiply, parts)
        return combined, index + 1

    def _stores(self, index: int) -> tuple[Any, int]:
        """The array of nested stores at an index, and the index of its end."""
        depth = 0
        while self.tokens[index] == "(" and self.tokens[index + 1] == "store":
            depth += 1
            index += 2
        array, index = self.term(index)
        sort = sort_of(array)
        if not isinstance(sort, ArraySort):
            raise Problem(f"store needs an array, not {sort.smt}", index)
        stores = []
        for level in range(depth):
            key, index = self.term_of(sort.index, index, "an index of this array")
            value, index = self.term_of(sort.element, index, "an element of this array")
            stores.append((key, value))
            if level < depth - 1:
                index = self.expect(")", index, "a closing parenthesis")
        if any(isinstance(part, Term) for part in (array, *(p for pair in stores for p in pair))):
            for key, value in stores:
                array = STORE(array, key, value)
            return array, index
        return ArrayValue(sort, array.default, {**array.items, **dict(stores)}), index

    def _lambda(self, index: int) -> tuple[Any, int]:
        """The array of a function of one variable, and the index of its end."""
        listed, body = self.sorted_variables(index)
        if len(listed) != 1:
            raise Problem("only a function of one argument is an array", index)
        ((symbol, sort),) = listed
        table = self.interpretation([symbol], [sort], None, body)
        if not isinstance(table, FunctionValue):
            raise Problem("this function is no finite table, so it makes no array", index)
        return as_array(sort, table), self.skip(body)

    def interpretation(
        self,
        symbols: Sequence[str],
        sorts: Sequence[Sort[Term]],
        range: Sort[Term] | None,
        index: int,
    ) -> FunctionValue | DefinedFunction:
        """The function that the term at an index is of some parameters."""
        parameters = tuple(
            sort.fresh(unquote(symbol)) for symbol, sort in zip(symbols, sorts, strict=True)
        )
        with self.binding(symbols, parameters):
            table = table_of(self, symbols, index)
            if table is not None:
                default, cases = table
                range = sort_of(default) if range is None else range
                entries = {
                    tuple(
                        _required(arg, sort, index) for arg, sort in zip(key, sorts, strict=True)
                    ): (_required(value, range, index))
                    for key, value in cases.items()
                }
                return FunctionValue(range, _required(default, range, index), entries)
            body, _ = self.term(index)
        return DefinedFunction(parameters, body)


_LARGEST_POWER = 200
_MONOMIAL = re.compile(r"\(?(-?[0-9]+(?:/[0-9]+)?)\)?(?:\*x(?:\^([0-9]+))?)?")
_INTERVAL = re.compile(r"<(.*),\((-?[0-9]+(?:/[0-9]+)?),(-?[0-9]+(?:/[0-9]+)?)\)>")


def _enclosed_root(tokens: Sequence[str]) -> Fraction | None:
    """The root in cvc5's notation: `<1*x^2 + (-2), (5/4, 3/2)>`.

    >>> float(_enclosed_root("<1*x^2 + ( -2 ) , ( 5/4, 3/2 ) >".split()))
    1.4142135623730951
    """
    match = _INTERVAL.fullmatch("".join(tokens))
    if match is None:
        return None
    polynomial: Polynomial = []
    for monomial in _MONOMIAL.finditer(match[1]):
        power = int(monomial[2] or 1) if "x" in monomial[0] else 0
        polynomial = add(polynomial, [*[Fraction(0)] * power, Fraction(monomial[1])])
    return root(polynomial, 1, above=Fraction(match[2]))


def _required(value: Operand, sort: Sort[Term], index: int) -> Any:
    result = as_sort(value, sort)
    if result is None:
        raise Problem(f"a value of sort {sort.smt} is needed, not {sort_of(value).smt}", index)
    return result


def as_array(index: Sort[Term], function: FunctionValue) -> ArrayValue:
    """The array of a function of one argument."""
    items = {key[0]: value for key, value in function.table.items()}
    return ArrayValue(array_sort(index, function.range), function.default, items)
