"""How formulas are written in the figures: `!z && x@1 != 1`, and `(x ≠ 1) ∧ (z = true)`.

Only the Boolean structure is written here; what is inside of an atom is printed as terms are.
"""

from __future__ import annotations

from collections.abc import Iterable

from solvent.reach.program import Variable
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR
from solvent.terms.graph import reachable
from solvent.terms.kinds import Operand
from solvent.terms.ops import Op
from solvent.terms.term import CONSTANT, Term

# A formula that would become longer than this as a tree is cut.
MOST = 4_000


def code(formula: Operand) -> str:
    """A formula in the notation of figures 2 and 3.

    >>> from solvent.terms import Bool, Int, and_, not_
    >>> code(and_(Int("x@1") != 1, not_(Bool("z")))), code(True)
    ('x@1 != 1 && !z', 'True')
    """
    return _cut(formula) or _code(formula, 0)


def part(formula: Operand) -> str:
    """The same, as a part of a conjunction."""
    return _cut(formula) or _code(formula, 2)


def _code(formula: Operand, level: int) -> str:
    if not isinstance(formula, Term):
        return str(formula)
    if formula.op is AND or formula.op is OR:
        symbol, own = (" && ", 2) if formula.op is AND else (" || ", 1)
        text = symbol.join(_code(part, own) for part in _parts(formula))
        return f"({text})" if level > own or (level and level != own) else text
    if formula.op is NOT and _head(formula.key[1]) in (AND, OR, CONSTANT, ITE):
        return f"!{_code(formula.key[1], 9)}"
    if formula.op.base is ITE and level:
        return f"({_choice(formula)})"
    if formula.op.base is ITE:
        return _choice(formula)
    text = str(formula)
    return f"({text})" if level > 8 and not _is_atom(formula) else text


def _choice(formula: Term) -> str:
    test, then, otherwise = formula.key[1:]
    return f"{grouped(test)} ? {_code(then, 8)} : {_code(otherwise, 8)}"


def grouped(formula: Operand) -> str:
    """The same, in parentheses unless it is a name.

    >>> from solvent.terms import Bool, Int, not_
    >>> grouped(Int("x") != 1), grouped(not_(Bool("z")))
    ('(x != 1)', '!z')
    """
    text = code(formula)
    if not isinstance(formula, Term) or _is_atom(formula):
        return text
    return text if formula.op is NOT and _is_atom(formula.key[1]) else f"({text})"


def _is_atom(formula: Operand) -> bool:
    return not isinstance(formula, Term) or formula.op is CONSTANT


def _head(formula: Operand) -> Op[object] | None:
    return formula.op.base if isinstance(formula, Term) else None


def _parts(formula: Term) -> list[Operand]:
    """The operands of nested conjunctions, or disjunctions, from left to right."""
    found: list[Operand] = []
    stack: list[Operand] = [formula]
    while stack:
        here = stack.pop()
        if isinstance(here, Term) and here.op is formula.op:
            stack += reversed(here.key[1:])
        else:
            found.append(here)
    return found


def _cut(formula: Operand) -> str:
    """A short text for what is too large to be read; empty if it is not."""
    if not isinstance(formula, Term):
        return ""
    sizes: dict[Term, int] = {}
    for term in reachable([formula]):
        sizes[term] = 1 + sum(sizes[arg] for arg in term.args if isinstance(arg, Term))
        if sizes[term] > MOST:
            return f"... (more than {MOST:,} symbols)"
    return ""


# --- sections 3 and 5 --------------------------------------------------------------------------


def literal(formula: Operand) -> str:
    """An atom in the notation of sections 3 and 5.

    >>> from solvent.terms import Bool, Int, not_
    >>> literal(Int("x") != 1), literal(not_(Bool("z"))), literal(Int("x") <= 3)
    ('x ≠ 1', 'z = false', 'x ≤ 3')
    """
    if isinstance(formula, bool):
        return str(formula).lower()
    if not isinstance(formula, Term):
        return _mathematical(code(formula))
    if formula.op is CONSTANT:
        return f"{formula} = true"
    if formula.op is NOT and _head(formula.key[1]) is CONSTANT:
        return f"{formula.key[1]} = false"
    return _cut(formula) or _mathematical(code(formula))


def _mathematical(text: str) -> str:
    for symbol, other in (
        ("!=", "≠"), ("<=", "≤"), (">=", "≥"), ("==", "="), ("&&", "∧"), ("||", "∨"),
    ):  # fmt: skip
        text = text.replace(symbol, other)
    return text.replace("!", "¬").replace("True", "true").replace("False", "false")


def equation(left: str, value: Operand) -> str:
    """The equation of a primed variable: `x' = x + y`.

    >>> equation("z'", True)
    "z' = true"
    """
    text = str(value).lower() if isinstance(value, bool) else _mathematical(code(value))
    return f"{left} = {text}"


def conjunction(texts: Iterable[str]) -> str:
    """Literals in parentheses, with ∧ between them.

    >>> conjunction(["a = 1", "b = 2"]), conjunction([])
    ('(a = 1) ∧ (b = 2)', 'true')
    """
    return " ∧ ".join(f"({text})" for text in texts) or "true"


def oriented(condition: Operand, first: Iterable[Operand]) -> str:
    """Equations with the variable that they define on the left: `x@1 == x@0 + 1`.

    >>> from solvent.terms import Int
    >>> a, x = Int("a"), Int("x@0")
    >>> str(a == x), oriented(a == x, [x])
    ('a == x@0', 'x@0 == a')
    """
    defined = dict.fromkeys(first)
    if not isinstance(condition, Term):
        return code(condition)
    if condition.op is AND:
        return " && ".join(oriented(part, defined) for part in _parts(condition))
    if condition.op.base is EQ:
        left, right = condition.key[1:]
        if (
            isinstance(right, Term)
            and right in defined
            and not (isinstance(left, Term) and left in defined and _before(right, left, defined))
        ):
            left, right = right, left
        return f"{_code(left, 8)} == {_code(right, 8)}"
    return code(condition)


def _before(one: Operand, other: Operand, order: Iterable[Operand]) -> bool:
    for found in order:
        if found is one or found is other:
            return found is other
    return False


SORTS = {"Int": "int", "Bool": "bool", "Real": "real"}


def declared(variables: Iterable[Variable]) -> str:
    """Variables with their types: `a: int, z: bool`."""
    return ", ".join(f"{v}: {SORTS.get(str(v.sort), str(v.sort))}" for v in variables)
