"""Reading what solvers answer: models, values, cores.

A model is a list of definitions.  The solvers agree on its syntax, but not on what stands in it:
there are tables as nested `ite`, predicates as Boolean formulas, arrays as `store`, as `lambda` or
by the name of an auxiliary function, and values of uninterpreted sorts under several names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solvent.errors import EvaluationError
from solvent.terms.arrays import STORE
from solvent.terms.functions import FunctionSymbol
from solvent.terms.graph import substitute
from solvent.terms.model import Model
from solvent.terms.smtlib.lexer import END, Source, unquote
from solvent.terms.smtlib.literals import string_value
from solvent.terms.smtlib.parser import Parser
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.signatures import Head, Problem, as_sort, sort_of
from solvent.terms.smtlib.tables import table_of
from solvent.terms.smtlib.writer import Writer
from solvent.terms.sorts import ArraySort, Sort, UninterpretedSort, array_sort
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue, Element, FunctionValue


@dataclass(frozen=True, slots=True)
class DefinedFunction:
    """An interpretation that is no finite table: a term over parameters.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> DefinedFunction((x,), x + 1)(4)
    5
    """

    parameters: tuple[Any, ...]
    body: Any

    def __call__(self, *args: Any) -> Any:
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
        self._found: dict[tuple[Sort[Any], str], Element] = {}
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
        # An array with many elements is read at once instead of element by element.
        del scope.heads["store"]

    def unknown_symbol(self, symbol: str, index: int) -> Any:
        sort_name, mark, _ = unquote(symbol).rpartition("!val!")
        sort = self.scope.sorts.get(sort_name) or self.scope.sorts.get(f"|{sort_name}|")
        if mark and isinstance(sort, UninterpretedSort):
            return self.elements.named(sort, unquote(symbol))
        return super().unknown_symbol(symbol, index)

    def _qualified_value(self, index: int, sort: Sort[Any]) -> Any:
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
            raise Problem("this number is irrational, and only fractions are supported", index)
        return super()._indexed_constant(index)

    def _open(self, index: int) -> tuple[Head | None, list[Any], int]:
        token = self.tokens[index]
        if token == "store":
            value, index = self._stores(index - 1)
            return lambda args: value, [], index
        if token == "lambda":
            value, index = self._lambda(index + 1)
            return lambda args: value, [], index
        if token == "root-obj":
            raise Problem("this number is irrational, and only fractions are supported", index)
        return super()._open(index)

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
        return _as_array(sort, table), self.skip(body)

    def interpretation(
        self,
        symbols: Sequence[str],
        sorts: Sequence[Sort[Any]],
        range: Sort[Any] | None,
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


def _required(value: Any, sort: Sort[Any], index: int) -> Any:
    result = as_sort(value, sort)
    if result is None:
        raise Problem(f"a value of sort {sort.smt} is needed, not {sort_of(value).smt}", index)
    return result


def _as_array(index: Sort[Any], function: FunctionValue) -> ArrayValue:
    """The array of a function of one argument."""
    items = {key[0]: value for key, value in function.table.items()}
    return ArrayValue(array_sort(index, function.range), function.default, items)


@dataclass(slots=True)
class _Definition:
    """A definition in a model: `start` and `body` are indices of tokens."""

    name: str
    symbols: list[str]
    sorts: list[Sort[Any]]
    sort: Sort[Any]
    start: int
    body: int
    end: int


class _ModelReader:
    def __init__(self, text: str, writer: Writer, source: str) -> None:
        self.source = Source(text, source)
        self.scope = Scope()
        self.writer = writer
        for symbol, named in writer.names.items():
            if isinstance(named, UninterpretedSort):
                self.scope.sorts[symbol] = named
        self.parser = AnswerParser(self.source, self.scope)
        # The names of definitions that others refer to.
        self.referred: set[str] = set()

    def read(self) -> Model:
        values: dict[Any, Any] = {}
        for definition in self._ordered(self._definitions()):
            known = self.writer.constant_of(definition.name)
            value = self._value(definition, known)
            if isinstance(known, (FunctionSymbol, Term)):
                values[known] = value
        return Model(values)

    def _definitions(self) -> list[_Definition]:
        tokens, parser = self.source.tokens, self.parser
        index = _skip_to_list(parser, 0) + 1
        if tokens[index] == "model":
            index += 1
        found = []
        while tokens[index] != ")":
            if tokens[index] == END:
                raise Problem("this parenthesis is not closed", self.source.opening(index))
            end = parser.skip(index)
            if tokens[index] == "(" and tokens[index + 1] == "define-fun":
                name = parser.symbol(index + 2)
                listed, body = parser.sorted_variables(index + 3)
                sort, body = parser.sort(body)
                symbols, sorts = [s for s, _ in listed], [s for _, s in listed]
                found.append(_Definition(name, symbols, sorts, sort, index, body, end))
            index = end
        return found

    def _ordered(self, definitions: list[_Definition]) -> Iterable[_Definition]:
        """The definitions such that each comes after those it refers to.

        The elements that the writer declared come first, as they give the solver's elements
        their numbers.
        """
        by_name = {definition.name: definition for definition in definitions}
        definitions.sort(
            key=lambda definition: not isinstance(self.writer.constant_of(definition.name), Element)
        )
        # False while the definitions that one refers to are visited, then True.
        done: dict[str, bool] = {}
        result = []
        for first in definitions:
            stack = [first]
            while stack:
                definition = stack[-1]
                if definition.name in done:
                    stack.pop()
                    if not done[definition.name]:
                        done[definition.name] = True
                        result.append(definition)
                    continue
                done[definition.name] = False
                own = {definition.name, *definition.symbols}
                for token in set(self.source.tokens[definition.body : definition.end]):
                    if token in by_name and token not in own:
                        self.referred.add(token)
                        if done.get(token) is False:
                            raise Problem(
                                f"the definition of {token} is circular", definition.start
                            )
                        stack.append(by_name[token])
        return result

    def _value(self, definition: _Definition, known: Any) -> Any:
        """The value of a definition, which the following ones may use."""
        parser, name = self.parser, definition.name
        if isinstance(known, Element):
            symbol = parser.tokens[definition.body]
            if symbol == "(":
                symbol = parser.tokens[definition.body + 2]
            parser.elements.fix(known.sort, unquote(symbol), known)
            self.scope.declare_value(name, known)
            return None
        what = f"the value of {name}"
        if not definition.symbols:
            value, _ = parser.term_of(definition.sort, definition.body, what)
            if isinstance(value, Term) and not hasattr(value, "is_concrete"):
                raise Problem(f"{what} is not concrete", definition.body)
            self.scope.declare_value(name, value)
            return value
        function = parser.interpretation(
            definition.symbols, definition.sorts, definition.sort, definition.body
        )
        if name in self.referred:
            if isinstance(function, FunctionValue) and len(definition.sorts) == 1:
                parser.tables[name] = _as_array(definition.sorts[0], function)
            self._declare(definition)
        return function

    def _declare(self, definition: _Definition) -> None:
        parameters = tuple(
            sort.fresh(unquote(symbol))
            for symbol, sort in zip(definition.symbols, definition.sorts, strict=True)
        )
        with self.parser.binding(definition.symbols, parameters):
            body, _ = self.parser.term_of(
                definition.sort, definition.body, f"the value of {definition.name}"
            )
        self.scope.define_function(definition.name, parameters, body)


def _skip_to_list(parser: Parser, index: int) -> int:
    """The first parenthesis, which is not that of an error."""
    tokens = parser.tokens
    while tokens[index] != "(":
        if tokens[index] == END:
            raise Problem("the solver gave no answer in parentheses", index)
        index += 1
    if tokens[index + 1] == "error":
        message = tokens[index + 2]
        text = string_value(message) if message.startswith('"') else message
        raise Problem(f"the solver complains: {text}", index)
    return index


def _complained(parser: Parser, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except Problem as problem:
        raise parser.error(problem, 0) from None


def read_model(text: str, writer: Writer, source: str = "<model>") -> Model:
    """The model in the answer to `get-model`, for the constants that a writer has written.

    >>> from solvent.terms import Int
    >>> writer = Writer()
    >>> commands = writer.declarations_for(Int("x") > 5)
    >>> read_model("((define-fun x () Int (- 6)))", writer)
    Model({x: -6})
    """
    reader = _ModelReader(text, writer, source)
    model = _complained(reader.parser, reader.read)
    assert isinstance(model, Model)
    return model


def read_values(
    text: str, terms: Sequence[Any], writer: Writer | None = None, source: str = "<values>"
) -> list[Any]:
    """The values in the answer to `get-value` about some terms, in their order.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> read_values("((x 3) ((+ x 1) 4))", [x, x + 1])
    [3, 4]
    """
    reader = _ModelReader(text, writer if writer is not None else Writer(), source)
    values = _complained(reader.parser, lambda: _values(reader.parser, terms))
    assert isinstance(values, list)
    return values


def _values(parser: AnswerParser, terms: Sequence[Any]) -> list[Any]:
    index = _skip_to_list(parser, 0) + 1
    found = []
    for term in terms:
        index = parser.expect("(", index, "a pair of a term and its value")
        index = parser.skip(index)
        value, index = parser.term_of(sort_of(term), index, "the value")
        index = parser.expect(")", index, "the end of a pair")
        found.append(value)
    parser.expect(")", index, "the end of the values")
    return found


def read_symbols(text: str, source: str = "<core>") -> list[str]:
    """The names in the answer to `get-unsat-core` or `get-unsat-assumptions`.

    >>> read_symbols("(a1 |a 2|)")
    ['a1', 'a 2']
    """
    parser = AnswerParser(Source(text, source), Scope())

    def read() -> list[str]:
        index = _skip_to_list(parser, 0) + 1
        found = []
        while parser.tokens[index] != ")":
            found.append(unquote(parser.symbol(index, "a name")))
            index += 1
        return found

    names = _complained(parser, read)
    assert isinstance(names, list)
    return names
