"""Block equations: what a passive procedure is as a formula, linear in its size.

The constants of blocks have a blank in their names, which no variable of a program has.

`may_return` is the verification condition of figure 4 of "Reachability Modulo Theories": it is
satisfiable if an execution reaches a return.  `may_fail` is the negation of that of figure 2 of
"From Program to Logic": it is satisfiable if an execution fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solvent.reach.passive import Passive, PassiveBlock, Statement
from solvent.terms import Bool, BoolTerm, and_, eq, implies, not_, or_
from solvent.terms.kinds import Guard


@dataclass(frozen=True, slots=True)
class Equations:
    """For each block its Boolean constant and what it is equal to; `goal` is the whole formula."""

    constants: Mapping[str, BoolTerm]
    sides: Mapping[str, Guard]
    goal: Guard

    @property
    def equations(self) -> list[Guard]:
        """The equations, as formulas."""
        return [eq(self.constants[label], side) for label, side in self.sides.items()]

    @property
    def formula(self) -> Guard:
        """The conjunction of the goal and all equations."""
        return and_([self.goal, *self.equations])


def may_return(passive: Passive, prefix: str = "b ") -> Equations:
    """The formula that some execution returns.

    >>> from solvent.reach.passive import passify
    >>> from solvent.reach.program import Assume, Block, Procedure, Program
    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> a = Block("a", (Assume(x > 3),), ("b", "c"))
    >>> b, c = Block("b", (Assume(x > 5),), ()), Block("c", (Assume(x < 0),), ())
    >>> procedure = Procedure("p", (x,), blocks={"a": a, "b": b, "c": c})
    >>> found = may_return(passify(procedure, Program()))
    >>> found.goal, found.sides["a"]
    (b a, x > 3 and (b b or b c))
    """
    names = {label: Bool(f"{prefix}{label}") for label in passive.blocks}
    sides = {}
    for label, block in passive.blocks.items():
        here = and_([statement.condition for statement in block.statements])
        after = or_([names[target] for target in block.targets]) if block.targets else True
        sides[label] = and_(here, after)
    return Equations(names, sides, names[passive.entry])


def may_fail(
    passive: Passive,
    skipped: Mapping[int, Guard] | None = None,
    names: Mapping[int, Guard] | None = None,
    prefix: str = "OK ",
) -> Equations:
    """The formula that some execution fails an assertion.

    By the identity of their statements, `skipped` has a Boolean constant for assertions: where it
    is true the assertion cannot fail; and `names` has one that stands for the condition.
    """
    labels = {label: Bool(f"{prefix}{label}") for label in passive.blocks}
    sides = {}
    for label, block in passive.blocks.items():
        after = and_([labels[target] for target in block.targets])
        sides[label] = _weakest_precondition(block, after, skipped or {}, names or {})
    return Equations(labels, sides, not_(labels[passive.entry]))


def _weakest_precondition(
    block: PassiveBlock, after: Guard, skipped: Mapping[int, Guard], names: Mapping[int, Guard]
) -> Guard:
    for statement in reversed(block.statements):
        condition = names.get(id(statement), statement.condition)
        after = _before(statement, condition, after, skipped.get(id(statement)))
    return after


def _before(statement: Statement, condition: Guard, after: Guard, skip: Guard | None) -> Guard:
    if not statement.is_assert:
        return implies(condition, after)
    if statement.aside:
        return and_(condition if skip is None else or_(condition, skip), after)
    if skip is None:
        return and_(condition, after)
    # An assertion that may not fail any more is still assumed by what follows.
    return and_(or_(condition, skip), implies(condition, after))
