"""Names in SMT-LIB for constants, functions, sorts and elements: unique, legal and reversible.

Two constants may have one name in Solvent, such as `Int("x")` and `Bool("x")`, or a fresh `x!3`
and a user's; and a name may be one that SMT-LIB, or some solver, reserves.  Each object gets a
symbol of its own, which is its name wherever that is possible.
"""

from __future__ import annotations

import re

from solvent.terms.functions import FunctionSymbol
from solvent.terms.ops import OPERATORS
from solvent.terms.smtlib.lexer import RESERVED_WORDS, quote
from solvent.terms.sorts import Sort
from solvent.terms.term import Term
from solvent.terms.values import Element

# Symbols that some solver gives a meaning to, beyond the operators that Solvent has.
_WORDS = (
    "true false => xor distinct >= < > abs "
    "Bool Int Real String RegLan Array BitVec FloatingPoint RoundingMode "
    "Float16 Float32 Float64 Float128 RNE RNA RTP RTN RTZ roundNearestTiesToEven "
    "roundNearestTiesToAway roundTowardPositive roundTowardNegative roundTowardZero fp "
    "to_fp to_fp_unsigned NaN +oo -oo +zero -zero const repeat rotate_left rotate_right divisible "
    "char is bv2nat nat2bv int2bv bv2int sbv_to_int bvcomp bvdec bvinc bvite bvnand bvnego bvnor "
    "bvredand bvredor bvredxor bvrol bvror bvsaddo bvsdivo bvsge bvsgt bvslt bvsmulo bvssubo bvsub "
    "bvuaddo bvuge bvugt bvult bvumulo bvusubo bvxnor ^ /_total div_total mod_total iand piand "
    "exp sqrt sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc "
    "bag tuple sep pto wand eqrange implies iff if rem map success unsupported error "
    "get-interpolant get-interpolants"
)
_KNOWN = frozenset(_WORDS.split())
_KNOWN_PREFIXES = re.compile(
    r"(?:str|re|fp|seq|set|bag|rel|table|tuple|nullable|ff|sep|int|real|array)\."
)
# These begin the symbols that solvers and this writer make up.
_RESERVED_STARTS = ".@$"
_ILLEGAL = re.compile(r"[^ -\[\]-{}~]")


def is_reserved(name: str) -> bool:
    """Whether a name has a meaning in SMT-LIB or in some solver.

    >>> is_reserved("bvadd"), is_reserved("str.len"), is_reserved("@x"), is_reserved("x")
    (True, True, True, False)
    """
    return (
        name in OPERATORS
        or name in _KNOWN
        or name in RESERVED_WORDS
        or name[:1] in _RESERVED_STARTS
        or _KNOWN_PREFIXES.match(name) is not None
    )


# What has a symbol of its own in a text.
Named = Term | FunctionSymbol | Sort[Term] | Element


class Names:
    """Gives each object a symbol and finds the object of a symbol.

    >>> from solvent.terms import Bool, Int
    >>> names = Names()
    >>> names.of(Int("x")), names.of(Bool("x")), names.of(Int("and")), names.of(Int("a b"))
    ('x', 'x!1', 'and!1', '|a b|')
    >>> names.object("x!1") is Bool("x")
    True
    """

    def __init__(self) -> None:
        self._symbols: dict[Named, str] = {}
        self._objects: dict[str, Named] = {}

    def of(self, named: Named) -> str:
        """The symbol of a constant, function, sort or element."""
        symbol = self._symbols.get(named)
        if symbol is None:
            symbol = self._unused(named.name if hasattr(named, "name") else repr(named))
            self._symbols[named] = symbol
            self._objects[symbol] = named
        return symbol

    def object(self, symbol: str) -> Named | None:
        """What a symbol was given to, or None."""
        return self._objects.get(symbol)

    def items(self) -> list[tuple[str, Named]]:
        """All symbols and what they were given to, in the order in which they were."""
        return list(self._objects.items())

    def _unused(self, name: str) -> str:
        """The symbol of the name itself if it is legal and free, else of one like it."""
        stem = _ILLEGAL.sub("_", name).lstrip(_RESERVED_STARTS) or "c"
        # Some solvers take what begins like a negative number for one.
        if stem.startswith("-") and stem[1:2].isdigit():
            stem = f"c{stem}"
        candidate = quote(stem)
        number = 0
        while candidate in self._objects or (number == 0 and is_reserved(stem)):
            number += 1
            candidate = quote(f"{stem}!{number}")
        return candidate
