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

from solvent.terms.ops import Head, Op, RuleFunction

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
    theories: tuple[str, ...] = (),
) -> Callable[[RuleFunction], RuleFunction]:
    """Declare a rewriting rule of an operator.

    * `on`: tried when the first operand (of a commutative operator: either operand, which is
      then passed first) has one of these heads and the other operand is a term;
    * `right`: tried when the last operand has one of these heads;
    * `constant`: tried when the last operand is a concrete value, and the first has one of the
      heads `on`, if there are any;
    * `left_constant`: the same with the first operand concrete and `on` for the last;
    * `same`: tried when both operands are the same term.

    A head is an operator family; operators of several theories also use the class of a sort.
    `theories` names the sorts for which an example is proved, where the operator's own sort
    does not tell.
    """

    def declare(function: RuleFunction) -> RuleFunction:
        declared = Rule(op, statement, function, example, theories)
        RULES.append(declared)
        used = _checked(declared) if CHECK_REWRITES else function
        heads: tuple[Head, ...] = on if isinstance(on, tuple) else (on,)
        if constant or left_constant:
            table = op.constant_rules if constant else op.left_constant_rules
            for head in heads:
                table.setdefault(head, []).append(used)
        elif on is not None:
            for head in heads:
                op.rules.setdefault(head, []).append(used)
        for head in right if isinstance(right, tuple) else (right,):
            op.right_rules.setdefault(head, []).append(used)
        if same:
            op.same_rules.append(used)
        return function

    return declare
