"""Quantifiers.  The bound variables are constants, which are free elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from solvent.errors import EvaluationError, SortError
from solvent.terms.booleans import BoolTerm
from solvent.terms.groups import pattern_groups
from solvent.terms.ops import Op
from solvent.terms.sorts import Bool, describe
from solvent.terms.term import CONSTANT, Term, node

if TYPE_CHECKING:
    from solvent.terms.kinds import Guard, Operand

# The constants that are bound: some, or one.
Variables: TypeAlias = "Sequence[Term] | Term"
# Terms that tell a solver when to instantiate: one, or a group that must match together.
Pattern: TypeAlias = "Operand | Sequence[Operand]"


def _no_value(*_: object) -> NoReturn:
    raise EvaluationError("a quantified formula cannot be evaluated; ask a solver about it")


# The parameters: the bound variables, and the sizes of the patterns that follow the body.
FORALL: Op[Guard] = Op("forall", _no_value, lambda bound, patterns, *args: Bool)
EXISTS: Op[Guard] = Op("exists", _no_value, lambda bound, patterns, *args: Bool)
QUANTIFIERS = frozenset((FORALL, EXISTS))
# Where a substitution makes the body concrete, it is what the quantifier comes to.
FORALL.builds = EXISTS.builds = True


def quantify(
    family: Op[Guard], variables: Variables, body: Guard, patterns: Sequence[Pattern] = ()
) -> Guard:
    """`forall` or `exists` over constants."""
    body = Bool.require(body)
    if isinstance(variables, Term):
        variables = (variables,)
    bound = tuple(dict.fromkeys(variables))
    for variable in bound:
        if not isinstance(variable, Term) or variable.op is not CONSTANT:
            raise SortError(f"only constants can be bound, not {describe(variable)}")
    if not isinstance(body, Term) or not bound:
        return body
    groups = [tuple(p) if isinstance(p, (tuple, list)) else (p,) for p in patterns]
    op = family.at(bound, tuple(len(group) for group in groups))
    return node(BoolTerm, op, Bool, body, *(term for group in groups for term in group))


FORALL.construct = lambda bound, sizes, body, *patterns: quantify(
    FORALL, bound, body, pattern_groups(sizes, patterns)
)
EXISTS.construct = lambda bound, sizes, body, *patterns: quantify(
    EXISTS, bound, body, pattern_groups(sizes, patterns)
)


def forall(variables: Variables, body: Guard, patterns: Sequence[Pattern] = ()) -> Guard:
    """The body holds for all values of the variables, which are constants.

    `patterns` are terms, or groups of terms, that tell a solver when to instantiate.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> forall([x], x * x >= 0)
    forall(x, x * x > -1)
    """
    return quantify(FORALL, variables, body, patterns)


def exists(variables: Variables, body: Guard, patterns: Sequence[Pattern] = ()) -> Guard:
    """The body holds for some values of the variables."""
    return quantify(EXISTS, variables, body, patterns)
