"""What the symbols of a script stand for at some point of it: sorts, constants, functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from solvent.terms.functions import FunctionSymbol
from solvent.terms.graph import substitute
from solvent.terms.ops import OPERATORS
from solvent.terms.smtlib import theories
from solvent.terms.smtlib.lexer import unquote
from solvent.terms.smtlib.logics import EVERYTHING, Logic
from solvent.terms.smtlib.signatures import ROUNDING, Args, Argument, Head, Problem, arguments
from solvent.terms.sorts import Bool, Int, Real, Regex, Sort, Str, float_sort
from solvent.terms.term import Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Operand

# A sort symbol: the number of its parameters, and the sort for them.
SortHead = tuple[int, Callable[..., Sort[Term]]]

_SORTS: dict[str, Sort[Term]] = {
    "Bool": Bool,
    "Int": Int,
    "Real": Real,
    "String": Str,
    "RegLan": Regex,
    "RoundingMode": ROUNDING,
    "Float16": float_sort(5, 11),
    "Float32": float_sort(8, 24),
    "Float64": float_sort(11, 53),
    "Float128": float_sort(15, 113),
}


class Scope:
    """The symbols in force, with the levels of the assertion stack.

    A symbol of a theory can be declared anew unless it belongs to the logic of the script.
    """

    def __init__(self) -> None:
        self.global_declarations = False
        self.reset()

    def reset(self) -> None:
        """Forget everything but the theories."""
        self.logic: Logic = EVERYTHING
        self._reserved = _symbols_of(EVERYTHING)
        self.values: dict[str, Argument] = {}
        self.heads: dict[str, Head] = {}
        self.sorts: dict[str, Sort[Term] | SortHead] = dict(_SORTS)
        for table in theories.VALUES.values():
            self.values.update(table)
        for heads in theories.HEADS.values():
            self.heads.update(heads)
        # For each open level, what undoes its declarations; the first level is never closed.
        self._levels: list[list[Callable[[], object]]] = [[]]
        self._declared: set[str] = set()

    def set_logic(self, name: str) -> None:
        """Read on in a logic."""
        self.logic = Logic.named(name)
        self._reserved = _symbols_of(self.logic)
        # Numerals that were read before may be of the other sort now.
        for token in [token for token in self.values if token[0].isdigit()]:
            del self.values[token]

    # --- levels --------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """The number of open levels."""
        return len(self._levels) - 1

    def push(self, levels: int) -> None:
        """Open levels."""
        self._levels.extend([] for _ in range(levels))

    def pop(self, levels: int) -> None:
        """Close levels and forget what they declared."""
        if levels > self.depth:
            raise Problem(f"{levels} levels cannot be popped, as {self.depth} are open")
        for _ in range(levels):
            self._undo(self._levels.pop())

    def reset_assertions(self) -> None:
        """Close all levels; also the declarations of the first are forgotten, unless global."""
        while self._levels:
            self._undo(self._levels.pop())
        self._levels = [[]]

    @staticmethod
    def _undo(level: list[Callable[[], object]]) -> None:
        for undo in reversed(level):
            undo()

    # --- declarations --------------------------------------------------------------------------

    def _declare(self, table: dict[str, Any], symbol: str, meaning: Any) -> None:
        previous = table.get(symbol)
        table[symbol] = meaning
        if self.global_declarations:
            return

        def undo() -> None:
            if previous is None:
                table.pop(symbol, None)
            else:
                table[symbol] = previous
            self._declared.discard(symbol)

        self._levels[-1].append(undo)

    def _check_new(self, symbol: str) -> None:
        if symbol in self._declared:
            raise Problem(f"{symbol} is already declared")
        if symbol in self._reserved:
            raise Problem(f"{symbol} is a symbol of the logic and cannot be declared again")
        self._declared.add(symbol)

    def declare_value(self, symbol: str, value: Argument) -> None:
        """Let a symbol stand for a constant or another term."""
        self._check_new(symbol)
        if symbol in self.heads:
            self._declare(self.heads, symbol, _no_function(symbol))
        self._declare(self.values, symbol, value)

    def declare_head(self, symbol: str, head: Head) -> None:
        """Let a symbol stand for a function."""
        self._check_new(symbol)
        self._declare(self.heads, symbol, head)

    def declare_function(self, symbol: str, function: FunctionSymbol) -> None:
        """Let a symbol stand for an uninterpreted function."""
        self.declare_head(symbol, _application(symbol, function))

    def define_function(self, symbol: str, parameters: tuple[Term, ...], body: Operand) -> None:
        """Let a symbol stand for a function given by a term over its parameters."""
        sorts = tuple(parameter.sort for parameter in parameters)

        def expand(args: Args) -> Argument:
            values = arguments(symbol, args, sorts)
            return substitute(body, dict(zip(parameters, values, strict=True)))

        self.declare_head(symbol, expand)

    def declare_sort(self, symbol: str, sort: Sort[Term] | SortHead) -> None:
        """Let a symbol stand for a sort."""
        if symbol in self.sorts or symbol in ("Array", "BitVec", "FloatingPoint"):
            raise Problem(f"the sort {symbol} is already declared")
        self._declare(self.sorts, symbol, sort)


def _symbols_of(logic: Logic) -> frozenset[str]:
    """The symbols that the theories of a logic give a meaning to."""
    tables = (theories.HEADS, theories.VALUES)
    return frozenset().union(
        *(table.get(theory, ()) for theory in ("core", *logic.theories) for table in tables)
    )


def _application(symbol: str, function: FunctionSymbol) -> Head:
    apply, domain = OPERATORS["apply"].at(function).construct, function.domain
    return lambda args: apply(*arguments(symbol, args, domain))


def _no_function(symbol: str) -> Head:
    def complain(args: Args) -> Argument:
        raise Problem(f"{unquote(symbol)} is a constant and takes no arguments")

    return complain
