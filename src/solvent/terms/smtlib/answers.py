"""Reading what solvers answer: models, values, cores.

A model is a list of definitions; what stands in them is the matter of `interpretations`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Operand
from solvent.terms.model import Constant, Model
from solvent.terms.smtlib.interpretations import AnswerParser, as_array
from solvent.terms.smtlib.lexer import END, Source, unquote
from solvent.terms.smtlib.literals import string_value
from solvent.terms.smtlib.parser import Parser
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.signatures import Problem, sort_of
from solvent.terms.smtlib.writer import Writer
from solvent.terms.sorts import Regex, Sort, UninterpretedSort
from solvent.terms.term import Term
from solvent.terms.values import Element, FunctionValue

if TYPE_CHECKING:
    from solvent.terms.smtlib.names import Named


@dataclass(slots=True)
class _Definition:
    """A definition in a model: `start` and `body` are indices of tokens."""

    name: str
    symbols: list[str]
    sorts: list[Sort[Term]]
    sort: Sort[Term]
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
        values: dict[Constant, Any] = {}
        inexact = []
        self.parser.approximate = True
        for definition in self._ordered(self._definitions()):
            known = self.writer.constant_of(definition.name)
            self.parser.approximated = False
            value = self._value(definition, known)
            if isinstance(known, (FunctionSymbol, Term)):
                values[known] = value
                if self.parser.approximated:
                    inexact.append(known)
        return Model(values, inexact)

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
        """The definitions of what the writer knows, each after those it refers to.

        The elements that the writer declared come first, as they give the solver's elements
        their numbers.  Solvers also repeat the writer's own definitions, which are not needed.
        """
        by_name = {definition.name: definition for definition in definitions}
        known = {name: self.writer.constant_of(name) for name in by_name}
        # False while the definitions that one refers to are visited, then True.
        done: dict[str, bool] = {}
        result = []
        for name in sorted(known, key=lambda name: not isinstance(known[name], Element)):
            stack = [by_name[name]] if known[name] is not None else []
            while stack:
                definition = stack[-1]
                if definition.name in done:
                    stack.pop()
                    if not done[definition.name]:
                        done[definition.name] = True
                        result.append(definition)
                    continue
                done[definition.name] = False
                for token in self._references(definition, by_name):
                    if done.get(token) is False:
                        raise Problem(f"the definition of {token} is circular", definition.start)
                    self.referred.add(token)
                    stack.append(by_name[token])
        return result

    def _references(
        self, definition: _Definition, by_name: Mapping[str, _Definition]
    ) -> Iterable[str]:
        """The names of other definitions that a definition mentions."""
        own = {definition.name, *definition.symbols}
        tokens = self.source.tokens[definition.body : definition.end]
        return [token for token in dict.fromkeys(tokens) if token in by_name and token not in own]

    def _value(self, definition: _Definition, known: Named | None) -> Any:
        """The value of a definition, which the following ones may use."""
        parser, name = self.parser, definition.name
        if isinstance(known, Element):
            symbol = parser.tokens[definition.body]
            if symbol == "(":
                symbol = parser.tokens[definition.body + 2]
            parser.elements.fix(known.sort, unquote(symbol), known)
            self.scope.declare_value(name, known)
            return None
        if known is not None and (definition.sorts, definition.sort) != _signature(known):
            raise Problem(f"{name} was declared with other sorts", definition.start)
        what = f"the value of {name}"
        if not definition.symbols:
            value, _ = parser.term_of(definition.sort, definition.body, what)
            if known is not None and isinstance(value, Term) and value.sort is not Regex:
                raise Problem(f"{what} is not concrete", definition.body)
            self.scope.declare_value(name, value)
            return value
        function = parser.interpretation(
            definition.symbols, definition.sorts, definition.sort, definition.body
        )
        if name in self.referred:
            if isinstance(function, FunctionValue) and len(definition.sorts) == 1:
                parser.tables[name] = as_array(definition.sorts[0], function)
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


def _signature(named: Named) -> tuple[list[Sort[Term]], Sort[Term]]:
    """The sorts of the arguments and of the result of a constant or function."""
    if isinstance(named, FunctionSymbol):
        return list(named.domain), named.range
    return [], named.sort  # type: ignore[union-attr]  # a model defines no sorts


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

    A fraction close to it stands for an irrational number; `Model.inexact` tells where.

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
    text: str, terms: Sequence[Operand], writer: Writer | None = None, source: str = "<values>"
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


def _values(parser: AnswerParser, terms: Sequence[Operand]) -> list[Any]:
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
