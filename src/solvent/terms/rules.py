"""Rewriting rules: how they are declared, found and proved.

Every simplification beyond constant folding is a small function declared with `rule`.  It gets
the operands, and returns the simplified result or None if it does not apply.  The declaration
says for which operator it is, the head of which operand triggers it, the equation in words, and
an `example`: a function that makes operands to which the rule applies from symbolic ones.  The
tests apply each rule to its example over several sorts and ask a solver whether both sides are
equal, so a wrong rule cannot land; with `SOLVENT_CHECK_REWRITES=1` every application in a run is
checked the same way.

The parameters of an example are chosen by their names: `x y z` are terms of the operator's sort,
`p q r` are Boolean terms, `c d e` are nonzero constants of the sort and `u` one that may be a unit
such as 0 or 1, `b` is a Python bool, `f` a fraction, `k n` are small natural numbers and `m` is a
rounding mode.  Examples include near misses: a rule may return None for some choices, not for all.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solvent.terms.ops import OPERATORS, Head, Op, RuleFunction

if TYPE_CHECKING:
    from solvent.terms.term import Term

# What a rule may need of its two operands, of which one is enough: that a part of one is a part of
# the other, or that a part is a concrete value.
SHARED, VALUE = 1, 2
# Terms with more arguments than this count as if they had everything that a rule may need.
MOST_ARGUMENTS = 3

# Makes operands of the operator from terms and constants, which its parameters' names choose.
Example = Callable[..., tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A declared rewriting rule, with all that is needed to prove it."""

    op: Op[object]
    statement: str
    function: RuleFunction
    example: Example
    theories: tuple[str, ...]
    needs: int = 0

    @property
    def name(self) -> str:
        """The name of the function that rewrites."""
        return self.function.__name__

    def application(self, operands: tuple[object, ...]) -> tuple[Op[object], tuple[object, ...]]:
        """The operator and its arguments, from operands that begin with its parameters."""
        count = self.op.parameter_count
        op = self.op.at(*operands[:count]) if count else self.op
        return op, operands[count:]


RULES: list[Rule] = []

# Called with the operator, the operands and the rewritten result of each application.
Checker = Callable[[Rule, tuple[object, ...], object], None]
_checkers: list[Checker] = []

CHECK_REWRITES = os.environ.get("SOLVENT_CHECK_REWRITES", "") not in ("", "0")


def set_checker(checker: Checker | None) -> None:
    """Install the function that checks every application when checking is switched on."""
    _checkers[:] = [] if checker is None else [checker]


def _checked(declared: Rule) -> RuleFunction:
    function = declared.function

    @functools.wraps(function)
    def apply(*operands: object) -> object:
        result = function(*operands)
        if result is not None:
            for checker in _checkers:
                checker(declared, operands, result)
        return result

    return apply


def _parts(operand: Term) -> list[Any]:
    """A term without its negations, and its arguments without theirs."""
    term = _without_negations(operand)
    constant = term.op is OPERATORS["constant"]
    return [term, *(() if constant else map(_without_negations, term.key[1:]))]


def _without_negations(value: Any) -> Any:
    while getattr(value, "op", None) is OPERATORS["not"]:
        value = value.key[1]
    return value


def conditions(a: Term, b: Term) -> int:
    """Which of `SHARED` and `VALUE` hold for two operands.

    >>> from solvent.terms import Bool, Int
    >>> p, q, x = Bool("p"), Bool("q"), Int("x")
    >>> conditions(p & q, ~p), conditions(p & q, x > 3), conditions(p, q)
    (1, 2, 0)
    """
    first, second = _parts(a), _parts(b)
    if max(len(first), len(second)) > MOST_ARGUMENTS + 1:
        return SHARED | VALUE
    has_value = not all(hasattr(part, "op") for part in (*first, *second))
    shared = any(one is other and hasattr(one, "op") for one in first for other in second)
    return SHARED * shared + VALUE * has_value


def rule(
    op: Op[object],
    statement: str,
    example: Example,
    *,
    on: Head | tuple[Head, ...] = None,
    right: Op[object] | tuple[Op[object], ...] = (),
    constant: bool = False,
    left_constant: bool = False,
    same: bool = False,
    needs: int = 0,
    theories: tuple[str, ...] = (),
) -> Callable[[RuleFunction], RuleFunction]:
    """Declare a rewriting rule of an operator.

    * `on`: tried when the first operand (of a commutative operator: either operand, which is
      then passed first) has one of these heads and the other operand is a term;
    * `right`: tried when the last operand has one of these heads;
    * `constant`: tried when the last operand is a concrete value, and the first has one of the
      heads `on`, if there are any;
    * `left_constant`: the same with the first operand concrete and `on` for the last;
    * `same`: tried when both operands are the same term;
    * `needs`: the rule with the head `on` never applies unless one of `SHARED` and `VALUE` that are
      given holds.  The compiled core then does not ask it, the one in Python does.

    A head is an operator family; operators of several theories also use the class of a sort.
    `theories` names the sorts for which an example is proved, where the operator's own sort
    does not tell.
    """

    def declare(function: RuleFunction) -> RuleFunction:
        declared = Rule(op, statement, function, example, theories, needs)
        RULES.append(declared)
        used = _checked(declared) if CHECK_REWRITES else function
        heads: tuple[Head, ...] = on if isinstance(on, tuple) else (on,)
        if constant or left_constant:
            table = op.constant_rules if constant else op.left_constant_rules
            for head in heads:
                table.setdefault(head, []).append(used)
        elif on is not None:
            for conditions, rules in enumerate(op.tables):
                if not needs or needs & conditions:
                    for head in heads:
                        rules.setdefault(head, []).append(used)
        for head in right if isinstance(right, tuple) else (right,):
            op.right_rules.setdefault(head, []).append(used)
        if same:
            op.same_rules.append(used)
        return function

    return declare
