"""Terms as Python-like text."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solvent.terms import bitvector_ops as bits
from solvent.terms.arithmetic import ADD, LE, MUL, NEG
from solvent.terms.arrays import SELECT
from solvent.terms.booleans import AND, EQ, NOT, OR
from solvent.terms.functions import APPLY
from solvent.terms.graph import reachable
from solvent.terms.hooks import HOOKS
from solvent.terms.ops import Op
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.softfloat import FP, RNE, literal
from solvent.terms.sorts import readable
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV

if TYPE_CHECKING:
    from solvent.terms.kinds import Operand

# Python's precedences, from the loosest.
_OR, _AND, _NOT, _COMPARE, _BOR, _BXOR, _BAND, _SHIFT, _SUM, _PRODUCT, _UNARY, _ATOM = range(12)

_INFIX: dict[Op[object], tuple[str, int]] = {
    OR: ("or", _OR),
    AND: ("and", _AND),
    EQ: ("==", _COMPARE),
    LE: ("<=", _COMPARE),
    ADD: ("+", _SUM),
    MUL: ("*", _PRODUCT),
    bits.BVSLE: ("<=", _COMPARE),
    bits.BVOR: ("|", _BOR),
    bits.BVXOR: ("^", _BXOR),
    bits.BVAND: ("&", _BAND),
    bits.BVSHL: ("<<", _SHIFT),
    bits.BVASHR: (">>", _SHIFT),
    bits.BVADD: ("+", _SUM),
    bits.BVMUL: ("*", _PRODUCT),
}
_PREFIX: dict[Op[object], tuple[str, int]] = {
    NOT: ("not ", _NOT),
    NEG: ("-", _UNARY),
    bits.BVNEG: ("-", _UNARY),
    bits.BVNOT: ("~", _UNARY),
}
# The complement of a comparison has a symbol of its own.
_COMPLEMENTS: dict[Op[object], str] = {EQ: "!=", LE: ">", bits.BVSLE: ">"}
_FUNCTION_NAMES = {
    "bvudiv": "udiv",
    "bvurem": "urem",
    "bvsdiv": "sdiv",
    "bvsrem": "srem",
    "bvsmod": "smod",
    "bvlshr": "lshr",
    "bvule": "ule",
    "ubv_to_int": "bv_to_int",
}
# Operators that are printed as a subscript of their first operand.
_SUBSCRIPTS: set[Op[object]] = {SELECT}


def register_infix(
    op: Op[object], symbol: str, like: Op[object], complement: str | None = None
) -> None:
    """Print an operator between its operands, with the precedence of another."""
    _INFIX[op] = (symbol, _INFIX[like][1])
    if complement is not None:
        _COMPLEMENTS[op] = complement


def register_prefix(op: Op[object], symbol: str, like: Op[object]) -> None:
    """Print an operator before its operand, with the precedence of another."""
    _PREFIX[op] = (symbol, _PREFIX[like][1])


def register_function(op: Op[object], name: str) -> None:
    """Print an operator as a call of the function of this name."""
    _FUNCTION_NAMES[op.name] = name


def register_subscript(op: Op[object]) -> None:
    """Print an operator as its first operand with the second in brackets."""
    _SUBSCRIPTS.add(op)


def _value(value: object, infix: bool) -> str:
    if isinstance(value, BV) and infix:
        return readable(value.value)
    if isinstance(value, FP) and (infix or value.sort.name == "Float64"):
        return literal(value).strip("'")
    if isinstance(value, Fraction):
        numerator = readable(value.numerator)
        whole = value.denominator == 1
        return numerator if whole else f"{numerator}/{readable(value.denominator)}"
    return readable(value)


def _signed(term: Term) -> tuple[Any, ...]:
    """The operands, with the constants of a signed comparison as the numbers that are compared."""
    if term.op is not bits.BVSLE:
        return term.args
    return tuple(arg.signed if isinstance(arg, BV) else arg for arg in term.args)


# An element of the stack: text, or a term or value, the loosest precedence that needs no
# parentheses, and whether it stands beside an infix operator.
_Item = str | tuple[Any, int, bool]


def _pieces(term: Term, names: dict[Term, str]) -> tuple[list[_Item], int]:
    """The text and operands that a term is printed as, and its precedence."""
    op, args = term.op, term.args
    base = op.base
    if op is CONSTANT:
        return [term.name], _ATOM
    if base is NOT and isinstance(args[0], Term) and args[0] not in names:
        inner = args[0]
        symbol = _COMPLEMENTS.get(inner.op)
        if symbol is not None:
            a, b = _signed(inner)
            return [(a, _COMPARE + 1, True), f" {symbol} ", (b, _COMPARE + 1, True)], _COMPARE
    infix = _INFIX.get(op) or _INFIX.get(base)
    if infix is not None:
        symbol, level = infix
        return _infix(term, symbol, level, names), level
    if base in _PREFIX:
        symbol, level = _PREFIX[base]
        return [symbol, (args[0], level, True)], level
    if base in _SUBSCRIPTS:
        return [(args[0], _ATOM, True), "[", (args[1], _OR, False), "]"], _ATOM
    if base is bits.EXTRACT:
        high, low = op.params
        return [(args[0], _ATOM, True), f"[{high}:{low}]"], _ATOM
    if base in QUANTIFIERS:
        bound = ", ".join(variable.name for variable in op.params[0])
        listed = f"[{bound}]" if len(op.params[0]) > 1 else bound
        return [f"{base.name}({listed}, ", (args[0], _OR, False), ")"], _ATOM
    return _call(term), _ATOM


def _infix(term: Term, symbol: str, level: int, names: dict[Term, str]) -> list[_Item]:
    """The pieces of an operator between its operands; a sum with something negative has a minus."""
    a, b = _signed(term)
    tighter = level + 1
    if symbol == "+":
        if isinstance(b, Term) and b.op in (NEG, bits.BVNEG) and b not in names:
            return [(a, level, True), " - ", (b.key[1], tighter, True)]
        if isinstance(b, (int, Fraction, FP)) and b < 0:
            return [(a, level, True), " - ", (-b, tighter, True)]
    left = tighter if level == _COMPARE else level
    return [(a, left, True), f" {symbol} ", (b, tighter, True)]


def _call(term: Term) -> list[_Item]:
    """The pieces of an operator that is printed as a call."""
    op = term.op
    of_floats = op.name.startswith(("fp.", "to_fp"))
    if op.base is APPLY:
        parts: list[_Item] = [f"{op.params[0].name}("]
    else:
        parts = [f"{_FUNCTION_NAMES.get(op.name, op.name)}("]
        for parameter in op.params:
            if isinstance(parameter, int) and not of_floats:
                parts.extend((str(parameter), ", "))
    for position, arg in enumerate(term.args):
        if position:
            parts.append(", ")
        parts.append((arg, _OR, False))
    if of_floats:
        # The functions on floats take the sort or width and the rounding mode last.
        parts.extend(f", {p}" for p in reversed(op.params) if p is not RNE)
    parts.append(")")
    return parts


def _write(root: Term, names: dict[Term, str], limit: int | None) -> str:
    """The text of one term, the named subterms by their names."""
    out: list[str] = []
    written = 0
    stack: list[_Item] = [(root, _OR, False)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
            written += len(item)
            if limit is not None and written > limit:
                return "".join(out)[: limit - 3] + "..."
            continue
        value, level, infix = item
        if not isinstance(value, Term):
            text = _value(value, infix)
            stack.append(f"({text})" if text.startswith("-") and level > _SUM else text)
        elif value in names and value is not root:
            stack.append(names[value])
        else:
            pieces, own = _pieces(value, names)
            if own < level:
                pieces = ["(", *pieces, ")"]
            stack.extend(reversed(pieces))
    return "".join(out)


# A term that would be printed with more subterms than this has its shared ones named.
TREE_LIMIT = 500


def _is_large_tree(terms: list[Term]) -> bool:
    sizes: dict[Term, int] = {}
    for term in terms:
        sizes[term] = 1 + sum(sizes[arg] for arg in term.args if isinstance(arg, Term))
        if sizes[term] > TREE_LIMIT:
            return True
    return False


def pretty(term: Operand, limit: int | None = None) -> str:
    """A term as Python-like text, cut after `limit` characters.

    Large terms with shared parts get one line for each shared part, so the text stays linear.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> pretty((x + 1) * -x > 5), pretty(x + x * x, limit=8)
    ('(x + 1) * -x > 5', 'x + x...')
    """
    if not isinstance(term, Term):
        return repr(term)
    if limit is not None:
        return _write(term, {}, limit)
    terms = reachable([term])
    if not _is_large_tree(terms):
        return _write(term, {}, None)
    uses: dict[Term, int] = {}
    for user in terms:
        for arg in user.args:
            if isinstance(arg, Term) and arg.op is not CONSTANT:
                uses[arg] = uses.get(arg, 0) + 1
    taken = {constant.name for constant in terms if constant.op is CONSTANT}
    fresh = (name for number in itertools.count(1) if (name := f"t{number}") not in taken)
    names: dict[Term, str] = {}
    lines = []
    for shared in terms:
        if uses.get(shared, 0) > 1:
            text = _write(shared, names, None)
            names[shared] = next(fresh)
            lines.append(f"{names[shared]} = {text}")
    lines.append(_write(term, names, None))
    return "\n".join(lines)


HOOKS.pretty = pretty
