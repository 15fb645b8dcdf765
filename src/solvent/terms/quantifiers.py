"""Quantifiers.  The bound variables are constants, which are free elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solvent.errors import EvaluationError, SortError
from solvent.terms.booleans import BoolTerm
from solvent.terms.groups import pattern_groups
from solvent.terms.ops import Op
from solvent.terms.sorts import Bool, describe
from solvent.terms.term import CONSTANT, Term, node


def _no_value(*_: Any) -> Any:
    raise EvaluationError("a quantified formula cannot be evaluated; ask a solver about it")


# The parameters: the bound variables, and the sizes of the patterns that follow the body.
FORALL = Op("forall", _no_value, lambda bound, patterns, *args: Bool)
EXISTS = Op("exists", _no_value, lambda bound, patterns, *args: Bool)
QUANTIFIERS = (FORALL, EXISTS)
# Where a substitution makes the body concrete, it is what the quantifier comes to.
FORALL.builds = EXISTS.builds = True


def quantify(family: Op, variables: Sequence[Any], body: Any, patterns: Sequence[Any] = ()) -> Any:
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


def forall(variables: Sequence[Any], body: Any, patterns: Sequence[Any] = ()) -> Any:
    """The body holds for all values of the variables, which are constants.

    `patterns` are terms, or groups of terms, that tell a solver when to instantiate.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> forall([x], x * x >= 0)
    forall(x, x * x > -1)
    """
    return quantify(FORALL, variables, body, patterns)


def exists(variables: Sequence[Any], body: Any, patterns: Sequence[Any] = ()) -> Any:
    """The body holds for some values of the variables."""
    return quantify(EXISTS, variables, body, patterns)
