"""Unions: values that only exist while a program runs symbolically.

A union is an ordered choice: *if* g1 *then* v1 *else if* g2 *then* v2 ... *else* vn.  That at most
one member is the value under any model follows from the order, so no guard has to say it.  The
members have different classes in the sense of figure 9 of the paper (see `merge`).
"""

from __future__ import annotations

from solvent.terms.booleans import and_, not_
from solvent.vm.values import Choice, Guard, Value

Choices = tuple[Choice, ...]


class Union:
    """An ordered choice between values of different classes; the last guard is `True`.

    Lifted code uses a union like any of its members: operators, calls, attributes and iteration
    are spread over the members.  Plain code should use `members`, `for_all` or `evaluate`.
    """

    # The name is unusual because attributes of the members are looked up on the union.
    __slots__ = ("_solvent_choices",)

    _solvent_choices: Choices

    def __init__(self, choices: Choices) -> None:
        self._solvent_choices = choices

    def __repr__(self) -> str:
        parts = [
            f"{value!r} if {guard}" if guard is not True else repr(value)
            for guard, value in self._solvent_choices
        ]
        return f"Union({', '.join(parts)})"


def choices_of(value: Value) -> Choices:
    """The ordered choices of a value; a value that is no union is its own only choice."""
    if type(value) is Union:
        return value._solvent_choices
    return ((True, value),)


def exclusive(choices: Choices) -> list[Choice]:
    """The choices with guards of which exactly one holds under any model.

    >>> from solvent.terms import Bool
    >>> exclusive(((Bool("p"), 1), (True, None)))
    [(p, 1), (not p, None)]
    """
    result = []
    rest: Guard = True
    for guard, value in choices:
        result.append((and_(rest, guard), value))
        rest = and_(rest, not_(guard))
    return result
