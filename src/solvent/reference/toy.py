"""The toy factory of figure 5: a merged value is a φ expression, which selects one of two values.

The figure shows integers with `-`, `<` and `=`; here are also the other operators, lists and
Boolean variables of section 6.1, in the same way.

>>> factory = ToyFactory()
>>> z = factory.symbolic("z", "int")
>>> b = factory.op("<", [z, 0]).value
>>> v = factory.merge([(b, z), (factory.not_(b), False)])
>>> v, factory.truth(v), factory.value_under({"z": -5}, v)
(φ((z < 0), z, #f), (!(!(z < 0))), -5)
"""

from __future__ import annotations

from collections.abc import Sequence

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
    Out,
    Result,
    State,
    SymBool,
    SymClosure,
    SymValue,
    result,
)
from solvent.terms.booleans import and_, not_
from solvent.terms.kinds import Guard


class Phi:
    """`φ(guard, then, otherwise)`."""

    __slots__ = ("guard", "otherwise", "then")

    def __init__(self, guard: SymBool, then: SymValue, otherwise: SymValue) -> None:
        self.guard = guard
        self.then = then
        self.otherwise = otherwise

    def __repr__(self) -> str:
        return f"φ({show(self.guard)}, {show(self.then)}, {show(self.otherwise)})"


class ToyFactory(TreeFactory):
    """Figure 5."""

    def truth(self, v: SymValue) -> SymBool:
        """Where a value is not `#f`."""
        if isinstance(v, Phi):
            return self.and_(
                self.imp(v.guard, self.truth(v.then)),
                self.imp(self.not_(v.guard), self.truth(v.otherwise)),
            )
        return self.plain_truth(v)

    def merge(self, choices: Sequence[Guarded]) -> SymValue:
        """The first choice if its guard holds, else one of the others; the last without a guard."""
        if not choices:
            return False
        merged = choices[-1][1]
        for guard, value in reversed(choices[:-1]):
            merged = Phi(guard, value, merged)
        return merged

    def cast(self, v: SymValue) -> list[tuple[SymBool, SymClosure]]:
        """The closures that a value may be."""
        if isinstance(v, SymClosure):
            return [(self.tt, v)]
        if isinstance(v, Phi):
            return [
                *self.subcast(v.guard, v.then),
                *self.subcast(self.not_(v.guard), v.otherwise),
            ]
        return []

    def subcast(self, b: SymBool, v: SymValue) -> list[tuple[SymBool, SymClosure]]:
        """The closures that a value may be where a condition holds."""
        return [(self.and_(b, guard), closure) for guard, closure in self.cast(v)]

    def op(self, operator: str, values: Sequence[SymValue]) -> Result:
        """The operators; on a φ expression, both possibilities."""
        for place in looked_at(operator, values):
            v = values[place]
            if isinstance(v, Phi):
                first = self.op(operator, [*values[:place], v.then, *values[place + 1 :]])
                second = self.op(operator, [*values[:place], v.otherwise, *values[place + 1 :]])
                return self.either(v.guard, first, second)
        found = self.plain_op(operator, values)
        if found is WRONG:
            return Halt(State(self.tt, self.ff))
        return Out(State(self.tt, self.tt), found)

    def either(self, b: SymBool, first: Result, second: Result) -> Result:
        """One of two results of an operator, none of which ever aborts."""
        if isinstance(first, Halt) and isinstance(second, Halt):
            return Halt(State(self.tt, self.ff))
        against = self.not_(b)
        asserts = self.and_(
            self.imp(b, first.state.asserts), self.imp(against, second.state.asserts)
        )
        rows = [(g, r.value) for g, r in ((b, first), (against, second)) if isinstance(r, Out)]
        return result(self, State(self.tt, asserts), self.merge(rows))

    @staticmethod
    def selected(interpretation: Interpretation, choice: Phi) -> SymValue:
        """What a φ expression is under a model."""
        return choice.then if interpretation.tree(choice.guard) else choice.otherwise

    def parts(self, v: SymValue) -> list[tuple[Guard, SymValue]]:
        """The values that are no φ expressions, each with the term of its guard."""
        if isinstance(v, Phi):
            guard = self.term(v.guard)
            return [
                *((and_(guard, inner), part) for inner, part in self.parts(v.then)),
                *((and_(not_(guard), inner), part) for inner, part in self.parts(v.otherwise)),
            ]
        return [(True, self.plain(v))]
