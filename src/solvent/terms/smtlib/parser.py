"""Sorts and terms out of tokens, without recursion on the nesting of the text.

The parser is a loop over the tokens with a stack of open applications.  An application is a head
and the list of its arguments so far; closing it gives the arguments to the head.  What is no
application (`let`, quantifiers, annotations) is an open form: it has None for its head, and the
form itself is the first of the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from solvent.errors import SmtLibError, SolventError
from solvent.terms.graph import constants, substitute
from solvent.terms.kinds import Guard
from solvent.terms.ops import Op
from solvent.terms.quantifiers import EXISTS, FORALL, quantify
from solvent.terms.smtlib import theories
from solvent.terms.smtlib.forms import Annotation, Binding, Form, Let, Quantifier
from solvent.terms.smtlib.lexer import (
    BINARY,
    DECIMAL,
    END,
    HEXADECIMAL,
    KEYWORD,
    NUMERAL,
    RESERVED_WORDS,
    SIMPLE_SYMBOL,
    Source,
    is_symbol,
    unquote,
)
from solvent.terms.smtlib.literals import MOST_DIGITS, bits_value, number, string_value
from solvent.terms.smtlib.pieces import PieceReader
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.signatures import (
    ROUNDING,
    Args,
    Argument,
    Head,
    Problem,
    as_sort,
    counted,
    sort_of,
)
from solvent.terms.smtlib.theories.arrays import constant_array
from solvent.terms.smtlib.theories.bitvectors import check_width
from solvent.terms.smtlib.theories.floats import CONSTANTS, float_format
from solvent.terms.sorts import ArraySort, Bool, Sort, bitvec_sort
from solvent.terms.term import Term
from solvent.terms.values import make_bv

# Patterns are read by a parser inside the parser; they do not nest in earnest.
_PATTERN_NESTING = 20


class Parser(PieceReader):
    """Reads the sorts and terms of one text; the scope tells what symbols stand for."""

    def __init__(self, source: Source, scope: Scope, free: Iterable[Term] = ()) -> None:
        super().__init__(source, scope)
        # Constants that terms may have though no symbol in force stands for them.
        self.free = frozenset(free)
        # The variables and parameters that the text is in the scope of.
        self.bound: set[Term] = set()
        self._indexed: dict[tuple[str, ...], Head] = {}
        self._depth = 0

    # --- terms ---------------------------------------------------------------------------------

    def term(self, start: int) -> tuple[Any, int]:
        """The term at an index, and the index behind it."""
        # flat: every token of a text passes here, most of them without any call.
        tokens = self.tokens
        values, heads = self.scope.values, self.scope.heads
        token = tokens[start]
        if token != "(":
            return self._atom(token, start), start + 1
        stack: list[tuple[Head | None, Args]] = []
        head: Head | None = None
        args: Args = []
        value: Argument | None
        index = start
        try:
            while True:
                token = tokens[index]
                index += 1
                if token == "(":
                    stack.append((head, args))
                    token = tokens[index]
                    head = heads.get(token)
                    if head is not None:
                        index += 1
                        args = []
                    elif token == "let":
                        args, index = self._open_let(index + 1)
                    else:
                        head, args, index = self._open(index)
                elif token == ")":
                    if head is not None:
                        value = head(args)
                    else:
                        form = args[0]
                        if form.__class__ is not Let:
                            value = self._close(form, args, stack[-1][1])
                        elif form.reading_bindings:
                            index = self._next_binding(form, args, index)
                            continue
                        else:
                            if len(args) != 2:
                                raise _not_one(form, args)
                            value = args[1]
                            for table, symbol, previous in form.hidden:
                                if previous is None:
                                    del table[symbol]
                                else:
                                    table[symbol] = previous
                    head, args = stack.pop()
                    if not stack:
                        return value, index
                    args.append(value)
                else:
                    value = values.get(token)
                    if value is None:
                        if token[:1] == ":" and head is None:
                            index = self._attribute(args, index - 1)
                            continue
                        value = self._atom(token, index - 1)
                    args.append(value)
        except Problem as problem:
            if problem.index is not None:
                raise
            # The head did not like its arguments.
            raise Problem(problem.message, self.source.opening(index - 1)) from None
        except SmtLibError:
            raise
        except SolventError as error:
            raise Problem(str(error), self.source.opening(index - 1)) from None
        except (RecursionError, OverflowError, ValueError):
            # Python has limits for nested calls and for the digits of numbers in messages.
            raise Problem("this term is too large", self.source.opening(index - 1)) from None

    def term_of(self, sort: Sort[Term], index: int, what: str) -> tuple[Any, int]:
        """The term of a given sort at an index, and the index behind it."""
        value, end = self.term(index)
        found = as_sort(value, sort)
        if found is None:
            raise Problem(f"{what} is of sort {sort_of(value).smt}, not {sort.smt}", index)
        return found, end

    def _atom(self, token: str, index: int) -> Any:
        """What a token that is no parenthesis stands for."""
        values = self.scope.values
        value = values.get(token)
        if value is not None:
            return value
        if token == END:
            raise self._unclosed(index)
        value = self.literal(token)
        if value is not None:
            # No symbol looks like a literal, so it can be kept in the same table.
            values[token] = value
            return value
        if token in self.scope.heads:
            raise Problem(f"the function {token} needs arguments", index)
        if token in RESERVED_WORDS or token[0] in ":)":
            raise Problem(f"expected a term instead of {token}", index)
        if is_symbol(token):
            return self.unknown_symbol(token, index)
        raise Problem(f"{token} is neither a symbol nor a literal", index)

    def unknown_symbol(self, symbol: str, index: int) -> Any:
        """What a symbol stands for that nothing is known about."""
        raise Problem(f"unknown symbol {symbol}", index)

    def literal(self, token: str) -> Any:
        """The value of a literal, or None."""
        first = token[0]
        if first.isdigit():
            if len(token) > MOST_DIGITS:
                raise Problem(f"numbers of more than {MOST_DIGITS} digits are not supported")
            if NUMERAL.fullmatch(token):
                value = number(token)
                return Fraction(value) if self.scope.logic.numerals_are_real else value
            match = DECIMAL.fullmatch(token)
            if match is not None:
                return Fraction(number(match[1] + match[2]), 10 ** len(match[2]))
        elif first == "#":
            if HEXADECIMAL.fullmatch(token) or BINARY.fullmatch(token):
                return bits_value(token)
        elif first == '"':
            return string_value(token)
        return None

    @contextmanager
    def binding(self, symbols: Sequence[str], variables: Sequence[Term]) -> Iterator[None]:
        """Let symbols stand for the parameters of a definition meanwhile."""
        form = Binding()
        for symbol, variable in zip(symbols, variables, strict=True):
            form.bind(self.scope, symbol, variable)
        self.bound.update(variables)
        try:
            yield
        finally:
            self.bound.difference_update(variables)
            form.leave()

    # --- heads ---------------------------------------------------------------------------------

    def _open(self, index: int) -> tuple[Head | None, Args, int]:
        """The head, first arguments and next index for what begins with no known function."""
        token = self.tokens[index]
        if token == "(":
            head, index = self._compound_head(index + 1)
            return head, [], index
        if token in ("forall", "exists"):
            return None, *self._open_quantifier(FORALL if token == "forall" else EXISTS, index + 1)
        if token == "!":
            return None, [Annotation()], index + 1
        if token == "_":
            value, index = self._indexed_constant(index + 1)
            return _constant(value), [], index
        if token == "as":
            value, index = self._qualified_constant(index + 1)
            return _constant(value), [], index
        raise self._no_head(token, index)

    def _no_head(self, token: str, index: int) -> Problem:
        if token == END:
            return self._unclosed(index)
        if token in self.scope.values:
            return Problem(f"{token} is a constant and takes no arguments", index)
        if token == ")":
            return Problem("expected a function instead of )", index)
        if token in RESERVED_WORDS:
            return Problem(f"{token} is not supported in terms", index)
        if token in theories.INDEXED:
            return Problem(f"the function {token} needs indices, as in (_ {token} 1)", index)
        if is_symbol(token):
            return Problem(f"unknown function {token}", index)
        return Problem(f"expected a function instead of {token}", index)

    def _compound_head(self, index: int) -> tuple[Head, int]:
        """The head for `((_ f i) ...)` or `((as f sort) ...)`, with the index behind it."""
        token = self.tokens[index]
        if token == "_":
            return self._indexed_head(index + 1)
        if token != "as":
            if token == END:
                raise self._unclosed(index)
            raise Problem("expected a function, (_ ...) or (as ...)", index)
        symbol = self.symbol(index + 1, "a function")
        sort, end = self.sort(index + 2)
        end = self.expect(")", end, "a closing parenthesis")
        if symbol == "const":
            if not isinstance(sort, ArraySort):
                raise Problem(f"const makes arrays, not {sort.smt}", index + 2)
            return constant_array(sort), end
        head = self.scope.heads.get(symbol)
        if head is None:
            raise self._no_head(symbol, index + 1)
        return _qualified(symbol, head, sort), end

    def _indexed_head(self, index: int) -> tuple[Head, int]:
        try:
            end = self.tokens.index(")", index)
        except ValueError:
            raise self._unclosed(index) from None
        key = tuple(self.tokens[index:end])
        head = self._indexed.get(key)
        if head is None:
            name = self.symbol(index, "the name of a function")
            known = theories.INDEXED.get(name)
            if known is None:
                raise Problem(f"unknown function (_ {name} ...)", index)
            count, make = known
            if len(key) - 1 != count:
                listed = " ".join("nm"[:count])
                raise Problem(f"this function has the form (_ {name} {listed})", index)
            numbers = [self.numeral(position) for position in range(index + 1, end)]
            head = self._indexed[key] = self._located(make, index, *numbers)
        return head, end + 1

    def _indexed_constant(self, index: int) -> tuple[Any, int]:
        """The value of `(_ bv5 8)`, `(_ +oo 8 24)` and the like; the index of its end."""
        name = self.tokens[index]
        if name in CONSTANTS:
            bits = (self.numeral(index + 1, "a width"), self.numeral(index + 2, "a width"))
            sort = self._located(float_format, index + 1, *bits)
            return CONSTANTS[name](sort), index + 3
        if name.startswith("bv") and NUMERAL.fullmatch(name[2:]):
            width = self.numeral(index + 1, "a width")
            self._located(check_width, index + 1, width)
            if len(name) > width + 2:
                raise Problem(f"{name[2:]} does not fit in {counted(width, 'bit')}", index)
            value = number(name[2:])
            if value >> width:
                raise Problem(f"{name[2:]} does not fit in {counted(width, 'bit')}", index)
            return make_bv(value, bitvec_sort(width)), index + 2
        if name == "char" and HEXADECIMAL.fullmatch(self.tokens[index + 1]):
            code = int(self.tokens[index + 1][2:], 16)
            if code <= 0x2FFFF:
                return chr(code), index + 2
        raise Problem(f"unknown constant (_ {self.symbol(index)} ...)", index)

    def _qualified_constant(self, index: int) -> tuple[Any, int]:
        """The value of `(as c sort)`; the index of its end."""
        sort, end = self.sort(index + 1)
        value = self._qualified_value(index, sort)
        if sort_of(value) is not sort:
            raise Problem(
                f"{self.tokens[index]} is of sort {sort_of(value).smt}, not {sort.smt}", index
            )
        return value, end

    def _qualified_value(self, index: int, sort: Sort[Term]) -> Any:
        return self._atom(self.symbol(index), index)

    # --- let -----------------------------------------------------------------------------------

    def _open_let(self, index: int) -> tuple[Args, int]:
        tokens = self.tokens
        if not tokens[index] == tokens[index + 1] == "(":
            index = self.expect("(", index, "the bindings of let in parentheses")
            self.expect("(", index, "a binding in parentheses")
        name = tokens[index + 2]
        if not SIMPLE_SYMBOL.fullmatch(name) or name in RESERVED_WORDS:
            self.symbol(index + 2, "the name of a binding")
        return [Let(name)], index + 3

    def _next_binding(self, let: Let, args: Args, index: int) -> int:
        """Go on behind a binding: to the next one, or to the body."""
        names = let.names
        if len(args) != len(names) + 1:
            raise Problem("a binding of let is a symbol and one term")
        token = self.tokens[index]
        if token == "(":
            names.append(self.symbol(index + 1, "the name of a binding"))
            return index + 2
        if token != ")":
            self.expect(")", index, "a binding, or the end of the bindings,")
        if len(names) > 1 and len(set(names)) < len(names):
            raise Problem("a symbol is bound twice in one let", index)
        let.reading_bindings = False
        let.hidden = []
        for name in reversed(names):
            let.bind(self.scope, name, args.pop())
        return index + 1

    # --- quantifiers and annotations -----------------------------------------------------------

    def _open_quantifier(self, op: Op[Guard], index: int) -> tuple[Args, int]:
        form = Quantifier(op)
        listed, end = self.sorted_variables(index)
        if not listed:
            raise Problem("a quantifier needs at least one variable", index)
        for name, sort in listed:
            variable = sort(unquote(name))
            # A constant of that name may occur in what other symbols stand for.
            if name in self.scope.values or variable in self.free:
                variable = sort.fresh(unquote(name))
            form.variables.append(variable)
            form.bind(self.scope, name, variable)
        self.bound.update(form.variables)
        return [form], end

    def sorted_variables(self, index: int) -> tuple[list[tuple[str, Sort[Term]]], int]:
        """The list of symbols and sorts at an index, and the index behind it."""
        found: dict[str, Sort[Term]] = {}
        index = self.expect("(", index, "variables in parentheses")
        while self.tokens[index] == "(":
            position = index + 1
            name = self.symbol(position, "the name of a variable")
            if name in found:
                raise Problem(f"the variable {name} is listed twice", position)
            found[name], index = self.sort(position + 1)
            if found[name] is ROUNDING:
                raise Problem("variables for rounding modes are not supported", position)
            index = self.expect(")", index, "a closing parenthesis")
        return list(found.items()), self.expect(")", index, "a variable in parentheses")

    def _attribute(self, args: Args, index: int) -> int:
        """Read an attribute of an annotated term; the index behind it."""
        form = args[0] if args else None
        keyword = self.tokens[index]
        if not isinstance(form, Annotation) or not KEYWORD.fullmatch(keyword):
            raise Problem(f"expected a term instead of {keyword}", index)
        if len(args) != 2:
            raise Problem("an annotation (! ...) begins with a term", index)
        if keyword == ":named":
            form.named = self.symbol(index + 1, "a name")
            return index + 2
        if keyword == ":pattern":
            return self._pattern(form, index + 1)
        following = self.tokens[index + 1]
        if following == ")" or following.startswith(":"):
            return index + 1
        return self.skip(index + 1)

    def _pattern(self, form: Annotation, index: int) -> int:
        index = self.expect("(", index, "the terms of a pattern in parentheses")
        if self._depth >= _PATTERN_NESTING:
            raise Problem("patterns are nested too deeply", index)
        self._depth += 1
        terms = []
        while self.tokens[index] != ")":
            term, index = self.term(index)
            terms.append(term)
        self._depth -= 1
        if not terms:
            raise Problem("a pattern needs at least one term", index)
        form.patterns.append(tuple(terms))
        return index + 1

    def _close(self, form: Any, args: Args, surrounding: Args) -> Any:
        """The value of a quantifier or an annotation."""
        if len(args) != 2:
            raise _not_one(form, args)
        value = args[1]
        if isinstance(form, Quantifier):
            form.leave()
            self.bound.difference_update(form.variables)
            if sort_of(value) is not Bool:
                raise Problem(f"the body of a quantifier is of sort {sort_of(value).smt}, not Bool")
            return _quantified(form, value)
        if form.patterns and surrounding and isinstance(surrounding[0], Quantifier):
            surrounding[0].patterns.extend(form.patterns)
        if form.named is not None:
            self._name(form.named, value)
        return value

    def _name(self, name: str, value: Argument) -> None:
        """Let a name stand for a term from here on."""
        if self.bound and not self.bound.isdisjoint(constants(value)):
            raise Problem(f"the term named {name} mentions a bound variable")
        self.scope.declare_value(name, value)


def _quantified(form: Quantifier, body: Guard) -> Guard:
    """The quantified body; its variables have the names they were given where that is possible.

    Fresh variables were taken as long as it was not known which other constants the body has.
    """
    patterns = form.patterns
    if any(_plain(variable) is not variable for variable in form.variables):
        free = set(constants(body, *(term for group in patterns for term in group)))
        names = {variable: _plain(variable) for variable in form.variables}
        names = {variable: plain for variable, plain in names.items() if plain not in free}
        body = substitute(body, names)
        patterns = [tuple(substitute(term, names) for term in group) for group in patterns]
        form.variables = [names.get(variable, variable) for variable in form.variables]
    return quantify(form.op, form.variables, body, patterns)


def _plain(variable: Term) -> Term:
    """The constant of the name that a variable was given."""
    return variable.sort(variable.key[1])


def _not_one(form: Form, args: Args) -> Problem:
    return Problem(f"{form.noun} contains one term, not {len(args) - 1}")


def _constant(value: Argument) -> Head:
    def close(args: Args) -> Argument:
        if args:
            raise Problem("a closing parenthesis is missing here")
        return value

    return close


def _qualified(symbol: str, head: Head, sort: Sort[Term]) -> Head:
    def apply(args: Args) -> Argument:
        value = head(args)
        if sort_of(value) is not sort:
            raise Problem(f"{symbol} gives {sort_of(value).smt}, not {sort.smt}")
        return value

    return apply
