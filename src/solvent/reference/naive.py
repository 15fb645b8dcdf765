"""The naive factory of section 6.1: a merged value is a union, a flat list of guarded values.

The values in a union are no unions themselves, and at most one of its guards holds under a model;
where none does, the union is `#f`.  Nothing is simplified but operations on constants, so that
unions and formulas may grow exponentially.

>>> factory = NaiveFactory()
>>> p, z = factory.symbolic("p", "bool"), factory.symbolic("z", "int")
>>> v = factory.merge([(p, z), (factory.not_(p), False)])
>>> v, factory.op("+", [v, 1])
([p: z, (!p): #f], Out(state=State(assumes=True, asserts=(!(!p))), value=[p: (z + 1)]))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from solvent.reference.expressions import (
    WRONG,
    Interpretation,
    TreeFactory,
    looked_at,
    show,
)
from solvent.reference.factory import (
    Guarded,
    Halt,
    Result,
    State,
    SymBool,
    SymClosure,
    SymValue,
    result,
)
from solvent.terms.kinds import Guard


class GuardedUnion:
    """`[⟨b1, v1⟩, ..., ⟨bk, vk⟩]`."""

    __slots__ = ("choices",)

    def __init__(self, choices: tuple[Guarded, ...]) -> None:
        self.choices = choices

    def __repr__(self) -> str:
        parts = [f"{show(guard)}: {show(value)}" for guard, value in self.choices]
        return f"[{', '.join(parts)}]"


class NaiveFactory(TreeFactory):
    """Unions that are flat lists of guarded values."""

    def members(self, v: SymValue) -> tuple[Guarded, ...]:
        """The guarded values that a value consists of."""
        return v.choices if isinstance(v, GuardedUnion) else ((self.tt, v),)

    def some(self, conditions: Sequence[SymBool]) -> SymBool:
        """Whether a condition holds."""
        found = self.ff
        for condition in reversed(conditions):
            found = self.or_(condition, found)
        return found

    def truth(self, v: SymValue) -> SymBool:
        """Where a value is not `#f`."""
        return self.some([self.and_(b, self.plain_truth(w)) for b, w in self.members(v)])

    def merge(self, choices: Sequence[Guarded]) -> SymValue:
        """The union of the choices; a value alone if its guard is the constant tt."""
        flat = [
            (self.and_(outer, inner), value)
            for outer, v in choices
            for inner, value in self.members(v)
        ]
        kept = [(guard, value) for guard, value in flat if not self.is_ff(guard)]
        for guard, value in kept:
            if self.is_tt(guard):
                return value
        return GuardedUnion(tuple(kept)) if kept else False

    def cast(self, v: SymValue) -> list[tuple[SymBool, SymClosure]]:
        """The closures that a value may be."""
        return [(b, w) for b, w in self.members(v) if isinstance(w, SymClosure)]

    def op(self, operator: str, values: Sequence[SymValue]) -> Result:
        """The operators, on all combinations of the members of the operands."""
        places = looked_at(operator, values)
        rows = []
        for combination in product(*(self.members(values[place]) for place in places)):
            operands = list(values)
            guard = self.tt
            for place, (b, v) in zip(places, combination, strict=True):
                operands[place] = v
                guard = self.and_(guard, b)
            found = self.plain_op(operator, operands)
            if found is not WRONG:
                rows.append((guard, found))
        if not rows:
            return Halt(State(self.tt, self.ff))
        asserts = self.some([guard for guard, _ in rows])
        return result(self, State(self.tt, asserts), self.merge(rows))

    @staticmethod
    def selected(interpretation: Interpretation, choice: GuardedUnion) -> SymValue:
        """What a union is under a model."""
        for guard, value in choice.choices:
            if interpretation.tree(guard):
                return value
        return False

    def parts(self, v: SymValue) -> list[tuple[Guard, SymValue]]:
        """The values that are no unions, each with the term of its guard."""
        return [(self.term(guard), self.plain(value)) for guard, value in self.members(v)]
