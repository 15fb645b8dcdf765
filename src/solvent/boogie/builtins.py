"""Functions of SMT-LIB: `{:bvbuiltin "bvadd"}` and `{:builtin "fp.add"}`.

A function is read once, with constants for its parameters.  A rounding mode is no value of a sort
there, but a part of the text: one that is not known is a choice between the five.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.boogie import attributes
from solvent.boogie.sorts import MODES, UnsupportedError, sort_of
from solvent.boogie.symbols import FunctionSymbol, Symbol
from solvent.boogie.types import RMODE
from solvent.errors import SolventError
from solvent.reach.positions import Position
from solvent.terms import eq, ite, substitute
from solvent.terms.kinds import Operand
from solvent.terms.smtlib import read_term
from solvent.terms.softfloat import RoundingMode
from solvent.terms.term import Term
from solvent.terms.values import sort_of as value_sort

# Names that only Z3 knows, with the number of their arguments, in the words of SMT-LIB.
_Z3 = {
    ("rem", 2): "(ite (>= {1} 0) (mod {0} {1}) (- (mod {0} {1})))",
    ("iff", 2): "(= {0} {1})",
    ("bvumul_noovfl", 2): "(not (bvumulo {0} {1}))",
}


def builtin_text(function: FunctionSymbol) -> str | None:
    """The function of SMT-LIB that a function is, if it is one."""
    found = function.declaration.attributes
    text = attributes.string(found, "bvbuiltin") or attributes.string(found, "builtin")
    # Z3's own name of a function of SMT-LIB.
    return "bv2nat" if text == "bv2int" else text


class Builtins:
    """The functions of SMT-LIB that a program uses."""

    def __init__(self) -> None:
        # By the name of the function and the rounding modes: parameters and term.
        self.known: dict[tuple[str, ...], tuple[list[Term], Operand]] = {}

    def apply(
        self, function: FunctionSymbol, text: str, values: Sequence[Operand], position: Position
    ) -> Operand:
        """The function on values."""
        for place, (parameter, value) in enumerate(zip(function.parameters, values, strict=True)):
            if parameter.type is RMODE and isinstance(value, Term):
                return self.choice(function, text, values, place, position)
        modes = [_mode(p, value) for p, value in zip(function.parameters, values, strict=True)]
        key = (function.name, *(mode or "" for mode in modes))
        if key not in self.known:
            self.known[key] = _read(function, text, modes, position)
        formals, term = self.known[key]
        given = [value for value, mode in zip(values, modes, strict=True) if mode is None]
        return substitute(term, dict(zip(formals, given, strict=True)))

    def choice(
        self,
        function: FunctionSymbol,
        text: str,
        values: Sequence[Operand],
        place: int,
        position: Position,
    ) -> Operand:
        """The function with each rounding mode in turn in one place."""

        def applied(mode: Operand) -> Operand:
            changed = [*values[:place], mode, *values[place + 1 :]]
            return self.apply(function, text, changed, position)

        *others, last = MODES.values()
        found = applied(last)
        for mode in others:
            found = ite(eq(values[place], mode), applied(mode), found)
        return found


def _mode(parameter: Symbol, value: Operand) -> str | None:
    """The name of a rounding mode; None for any other argument."""
    if parameter.type is not RMODE:
        return None
    return next(name for name, mode in MODES.items() if mode == value)


def _read(
    function: FunctionSymbol, text: str, modes: Sequence[str | None], position: Position
) -> tuple[list[Term], Operand]:
    """The term of a function of SMT-LIB, and the constants in it for the parameters."""
    formals, names = [], []
    for place, (parameter, mode) in enumerate(zip(function.parameters, modes, strict=True)):
        if mode is None:
            formals.append(sort_of(parameter.type, position)(f"p{place}"))
        names.append(mode or formals[-1].name)
    head = f"(_ {text})" if " " in text and not text.startswith("(") else text
    written = f"({' '.join([head, *names])})" if names else head
    if (text, len(names)) in _Z3:
        written = _Z3[text, len(names)].format(*names)
    try:
        term = read_term(written, formals)
    except SolventError as error:
        problem = f"the function {text} of {function.name} is not known: {error}"
        raise UnsupportedError(position, problem) from None
    if isinstance(term, RoundingMode):
        term = MODES[term.name]
    _check_sort(function, text, term, position)
    return formals, term


def _check_sort(function: FunctionSymbol, text: str, term: Operand, position: Position) -> None:
    found, declared = value_sort(term), sort_of(function.result, position)
    if found is not declared:
        problem = f"the function {text} of {function.name} gives a {found}, not a {declared}"
        raise UnsupportedError(position, problem)
