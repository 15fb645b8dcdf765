"""Holes in a program: choices between expressions, and unknown constants.

A choice between n expressions is made by n-1 boolean constants, as in section 2.2: the k-th says
whether to go on to the expressions after the k-th.  Every assignment to them is a legal choice, so
that there is nothing to assume, and solvers decide booleans best.  What a solver leaves open is
false, which is the first expression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from solvent.errors import SketchError
from solvent.lift.registry import Place, Placed
from solvent.sketch import scopes
from solvent.sketch.places import calling_place, where
from solvent.terms import Bool, and_, ite, not_, ule
from solvent.terms.kinds import Concrete, Operand
from solvent.terms.softfloat import external
from solvent.terms.sorts import BitVecSort, Sort, as_sort
from solvent.terms.term import Term
from solvent.vm.machine import current
from solvent.vm.places import ATTRIBUTES
from solvent.vm.spread import combine, over_pure
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

# --- choosing ----------------------------------------------------------------------------------


class Chooser(Placed):
    """Chooses between the arguments of a call."""

    lazy = True

    def __init__(self, name: str, fresh: bool) -> None:
        self.name = name
        # Whether each execution of the call is a choice of its own.
        self.fresh = fresh

    def at(self, place: Place) -> Callable[..., Value]:
        return partial(self.choose, place)

    def choose(self, place: Place, /, *options: Value) -> Value:
        """Choose between values."""
        if not options:
            raise SketchError(f"{where(place)}: {self.name}() needs something to choose from")
        rows: list[Choice] = []
        for which, option in enumerate(options):
            guard = self.picks(place, len(options), which)
            if guard is not False:
                rows.append((guard, option))
            if guard is True:
                break
        return rows[0][1] if len(rows) == 1 else combine(rows)

    def picks(self, place: Place, count: int, which: int) -> Guard:
        label, allowed = scopes.choice(self.name, place, count)
        number = drawn(label, new=which == 0) if self.fresh else None
        if which not in allowed:
            return False
        if which == allowed[-1]:
            return True
        if type(number) is Union:
            picked: Guard = over_pure(
                number, lambda n: not_(Bool(test_name(f"{label}#{n}", which)))
            )
            return picked
        return not_(Bool(test_name(label if number is None else f"{label}#{number}", which)))


def test_name(label: str, which: int) -> str:
    """What the constant is called that says whether to go on after an expression."""
    return f"{label}.{which}"


CHOOSE = Chooser("choose", fresh=False)
CHOOSE_EACH = Chooser("choose_each", fresh=True)


def choose(*options: Value) -> Value:
    """One of the options: the same one whenever this call in the source is made.

    In lifted code only the chosen option is evaluated.  In plain code all are evaluated first.

    >>> from solvent import evaluate
    >>> choose(1, 2)
    ite(choose@<doctest solvent.sketch.choices.choose[1]>:1:0.0, 2, 1)
    """
    return CHOOSE.choose(calling_place("choose"), *options)


def choose_each(*options: Value) -> Value:
    """One of the options, chosen anew each time the call is made.

    >>> from solvent.lift import cardinality
    >>> a, b = [choose_each("x", "y") for _ in range(2)]
    >>> cardinality((a, b)), a is b
    (1, False)
    """
    return CHOOSE_EACH.choose(calling_place("choose_each"), *options)


choose.__dict__["__solvent_placed__"] = CHOOSE
choose_each.__dict__["__solvent_placed__"] = CHOOSE_EACH


# --- unknown constants -------------------------------------------------------------------------


@dataclass(frozen=True)
class Domain:
    """The values that a hole may have."""

    sort: Sort[Term]
    low: Concrete | None = None
    high: Concrete | None = None

    @property
    def is_all(self) -> bool:
        """Whether there are no bounds."""
        return self.low is None and self.high is None

    def check(self) -> None:
        """Complain about bounds that are no values or leave nothing."""
        for bound in (self.low, self.high):
            if bound is not None and isinstance(self.sort.require(bound), Term):
                raise SketchError(f"the bounds of a hole are concrete values, not {bound}")
        low, high = self.low, self.high
        if low is not None and high is not None and not self.at_most(low, high):
            raise SketchError(f"there is no {self.sort} from {low!r} to {high!r}")

    def at_most(self, a: Operand, b: Operand) -> Guard:
        """Whether a value is at most another, in the order that the bounds are meant in."""
        low, high = self.sort.require(a), self.sort.require(b)
        signed = any(isinstance(bound, int) and bound < 0 for bound in (self.low, self.high))
        if isinstance(self.sort, BitVecSort) and not signed:
            return ule(low, high)
        at_most: Guard = low <= high
        return at_most

    def limited(self, value: Operand) -> Operand:
        """A value of the sort as it is if it is between the bounds, else the bound there is."""
        if self.low is None and self.high is None:
            return value
        inside = and_(
            True if self.low is None else self.at_most(self.low, value),
            True if self.high is None else self.at_most(value, self.high),
        )
        bound = external(self.sort.require(self.high if self.low is None else self.low))
        limited: Operand = ite(inside, value, bound)
        return limited


class Hole(Placed):
    """Makes unknown constants."""

    def __init__(self, name: str, fresh: bool) -> None:
        self.name = name
        self.fresh = fresh

    def at(self, place: Place) -> Callable[..., Value]:
        return partial(self.make, place)

    def make(
        self,
        place: Place,
        /,
        sort: object,
        low: Concrete | None = None,
        high: Concrete | None = None,
    ) -> Value:
        """The constant of a place."""
        label = scopes.label(self.name, place)
        known = DOMAINS.setdefault(label, [])
        last = known[-1] if known else None
        if last is not None and last.sort is sort and low is None is high and last.is_all:
            # As at the same place before.
            domain = last
        else:
            domain = Domain(as_sort(sort), low, high)
            domain.check()
            if domain not in known:
                known.append(domain)
        if not self.fresh:
            return domain.limited(domain.sort(label))
        number = drawn(label)
        if type(number) is Union:
            return over_pure(number, lambda n: domain.limited(domain.sort(f"{label}#{n}")))
        return domain.limited(domain.sort(f"{label}#{number}"))


# The domains that the hole of each label was made with.
DOMAINS: dict[str, list[Domain]] = {}

HOLE = Hole("hole", fresh=False)
HOLE_EACH = Hole("hole_each", fresh=True)


def hole(sort: object, low: Concrete | None = None, high: Concrete | None = None) -> Value:
    """An unknown constant of a sort: the same one whenever this call in the source is made.

    With bounds it is a value between them.  They are part of the value instead of an assumption,
    which could hold for no input that comes here.

    >>> from solvent import Int
    >>> hole(Int)
    hole@<doctest solvent.sketch.choices.hole[1]>:1:0
    """
    return HOLE.make(calling_place("hole"), sort, low, high)


def hole_each(sort: object, low: Concrete | None = None, high: Concrete | None = None) -> Value:
    """An unknown constant of a sort, a new one each time the call is made.

    >>> from solvent import Int
    >>> a, b = [hole_each(Int) for _ in range(2)]
    >>> a is b
    False
    """
    return HOLE_EACH.make(calling_place("hole_each"), sort, low, high)


hole.__dict__["__solvent_placed__"] = HOLE
hole_each.__dict__["__solvent_placed__"] = HOLE_EACH


# --- counting executions -----------------------------------------------------------------------


class Counter:
    """How often a call was made in one run, on the current path.

    The count is text, so that where it differs between paths it is a union of texts: the numbers
    are then those that the plain program would count.
    """

    def __init__(self) -> None:
        self.count: Value = "0"


def drawn(label: str, new: bool = True) -> Value:
    """The number of the execution that begins, or if it is not `new`, of the one that goes on."""
    machine = current()
    counters: dict[str, Counter] = machine.notes.setdefault(Counter, {})
    counter = counters.get(label)
    if counter is None:
        counter = counters[label] = Counter()
    if new:
        machine.write_slot(ATTRIBUTES, counter, "count")
        count = counter.count
        counter.count = over_pure(count, _next) if type(count) is Union else _next(count)
    return counter.count


def _next(count: str) -> str:
    return str(int(count) + 1)
