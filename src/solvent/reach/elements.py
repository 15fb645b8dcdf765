"""Values of a model as terms: those of declared types, which have no literals, become constants.

A model names the values of a declared type, and nothing is known of them but that they differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.terms import ArrayTerm, and_, const_array, distinct, store
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.sorts import Sort
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue, Element


@dataclass(slots=True)
class Elements:
    """The constants of those values that have been met.

    >>> from solvent.terms.sorts import uninterpreted_sort
    >>> name = uninterpreted_sort("Name")
    >>> known = Elements()
    >>> known.term(Element(name, 0)), known.term(Element(name, 1)), known.term(3)
    (element Name!0, element Name!1, 3)
    >>> known.differ
    element Name!0 != element Name!1
    """

    constants: dict[Element, Term] = field(default_factory=dict)

    def term(self, value: Concrete) -> Operand:
        """A value, with constants for what is of a declared type in it."""
        if isinstance(value, Element):
            return self.constants.setdefault(value, value.sort(f"element {value}"))
        if not isinstance(value, ArrayValue):
            return value
        made: ArrayValue | ArrayTerm = const_array(value.sort.index, self.term(value.default))
        for index, element in value.items.items():
            made = store(made, self.term(index), self.term(element))
        return made

    @property
    def differ(self) -> Guard:
        """That no two of them are the same."""
        by_sort: dict[Sort[Term], list[Term]] = {}
        for element, constant in self.constants.items():
            by_sort.setdefault(element.sort, []).append(constant)
        return and_([distinct(those) for those in by_sort.values()])
