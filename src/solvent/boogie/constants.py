"""What is known of constants: unique ones differ, and `extends` orders them."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.boogie import statements as st
from solvent.boogie.checking import TypedProgram
from solvent.boogie.encoding import Encoder
from solvent.boogie.operations import order
from solvent.terms import Function, Int, and_, distinct, eq, forall, implies, or_
from solvent.terms.kinds import Guard
from solvent.terms.sorts import Sort
from solvent.terms.term import Term

# So many constants of one sort are compared in pairs, which needs no function.
MOST_PAIRED = 12


def unique_axioms(program: TypedProgram, encoder: Encoder) -> Iterable[Guard]:
    """Unique constants of one sort differ from each other.

    Many of them are numbered by a function: two with different numbers differ, and there are as
    many facts as constants, not as pairs of them.
    """
    groups: dict[Sort[Term], list[Term]] = {}
    for declaration in program.program.declarations:
        if isinstance(declaration, st.ConstantDecl) and declaration.unique:
            constant = encoder.constant(program.constants[declaration.name])
            groups.setdefault(constant.sort, []).append(constant)
    for group in groups.values():
        if 1 < len(group) <= MOST_PAIRED:
            yield distinct(*group)
        elif len(group) > MOST_PAIRED:
            number = Function(f"number of unique {group[0].sort}", [group[0].sort], Int)
            yield from (eq(number(constant), place) for place, constant in enumerate(group))


def order_axioms(program: TypedProgram, encoder: Encoder) -> Iterable[Guard]:
    """The axioms of the partial order where it occurs, and what `extends` and `complete` say."""
    ordered = _Ordered(program, encoder)
    yield from ordered.axioms()
    for sort in {**encoder.ordered, **ordered.sorts}:
        yield from _partial_order(sort)


class _Ordered:
    """The constants with their parents and children."""

    def __init__(self, program: TypedProgram, encoder: Encoder) -> None:
        self.declared = {
            encoder.constant(program.constants[found.name]): found
            for found in program.program.declarations
            if isinstance(found, st.ConstantDecl)
        }
        self.parents = {
            one: [encoder.constant(program.symbol_of(p.name)) for p in found.parents]
            for one, found in self.declared.items()
            if found.parents is not None
        }
        self.children: dict[Term, list[Term]] = {}
        for one, parents in self.parents.items():
            for parent in parents:
                self.children.setdefault(parent, []).append(one)
        self.sorts: dict[Sort[Term], None] = {}

    def axioms(self) -> Iterable[Guard]:
        """What the declarations say about the order."""
        for one, found in self.declared.items():
            if found.parents is None and not found.complete:
                continue
            self.sorts[one.sort] = None
            below, x = order(one.sort), one.sort(f"above {one.name}")
            if found.parents is not None:
                parents = self.parents[one]
                yield from (below(one, parent) for parent in parents)
                above = or_([eq(one, x), *(below(parent, x) for parent in parents)])
                yield forall([x], implies(below(one, x), above), [below(one, x)])
                yield from self.unique_edges(one, found, parents)
            if found.complete:
                children = self.children.get(one, [])
                under = or_([eq(one, x), *(below(x, child) for child in children)])
                yield forall([x], implies(below(x, one), under), [below(x, one)])

    def unique_edges(
        self, one: Term, found: st.ConstantDecl, parents: list[Term]
    ) -> Iterable[Guard]:
        """What is below a unique edge is below no other unique edge to the same parent."""
        sort = one.sort
        step = Function(f"step {sort}", [sort, sort], sort)
        below, x = order(sort), sort(f"below {one.name}")
        for parent, edge in zip(parents, found.parents or (), strict=True):
            if edge.unique:
                yield forall([x], implies(below(x, one), eq(step(parent, x), one)), [below(x, one)])


def _partial_order(sort: Sort[Term]) -> Iterable[Guard]:
    below = order(sort)
    x, y, z = sort("x"), sort("y"), sort("z")
    yield forall([x], below(x, x), [below(x, x)])
    both = and_(below(x, y), below(y, x))
    yield forall([x, y], implies(both, eq(x, y)), [(below(x, y), below(y, x))])
    chain = and_(below(x, y), below(y, z))
    yield forall([x, y, z], implies(chain, below(x, z)), [(below(x, y), below(y, z))])
