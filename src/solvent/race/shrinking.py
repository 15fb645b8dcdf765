"""Small counterexamples: inputs that fail in the same way, made simpler step by step.

Containers get shorter first, then choices earlier, then numbers come closer to zero and characters
get simpler.  CPython says of each candidate whether it still fails, so what comes out of it is as
true as what went in.

>>> from solvent.queries.inputs import bind
>>> from solvent.terms import Int
>>> def f(items: list[int]) -> None: ...
>>> program = Program(f, bind(f, (), {}))
>>> big = Model({Int("len(items)"): 3, Int("items[1]"): 9047, Int("items[2]"): 5})
>>> def fails(model: Model) -> bool:
...     return any(item > 100 for item in program.call(model)[0][0])
>>> program.text(big), program.text(smaller(program, big, fails))
('([0, 9047, 5])', '([101])')
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from solvent.race.concrete import Program
from solvent.race.leaves import Leaf, Role, leaf_of, leaves_of, several
from solvent.race.simplicity import as_number, from_number, rank, simpler
from solvent.terms.model import Constant, Model
from solvent.verdicts import Deadline

# How many runs of the program, and how many seconds, are spent on one failure.
MOST_RUNS = 500
MOST_SECONDS = 1.0

# How many numbers of the same count of digits are tried.
_SCANNED = 12

# Multiples of how many numbers are traded for each other.
_TRADED = 5

Fails = Callable[[Model], bool]
Values = dict[Constant, Any]
Size = tuple[object, ...]


def smaller(
    program: Program,
    model: Model,
    fails: Fails,
    most: int = MOST_RUNS,
    seconds: float = MOST_SECONDS,
    improved: Callable[[Model], None] = lambda model: None,
) -> Model:
    """A model that is not larger and still fails, found with at most so many runs.

    Each one that is better than those before is told to `improved`.
    """
    shrinker = _Shrinker(program, model, fails, most, Deadline(seconds), improved)
    try:
        while shrinker.passed():
            pass
    except _EnoughError:
        pass
    return shrinker.model


def size(program: Program, model: Model) -> Size:
    """How large inputs are; of two models, the one that is smaller is simpler."""
    leaves = _all_leaves(program, model)
    return _size(leaves, {leaf.constant: model[leaf.constant] for leaf in leaves})


class _EnoughError(Exception):
    """There are no more runs or there is no more time."""


def _all_leaves(program: Program, model: Model) -> list[Leaf]:
    """The constants of the inputs, and those that the program makes itself."""
    leaves = leaves_of(program)
    known = {leaf.constant for leaf in leaves}
    return [*leaves, *(leaf_of(constant) for constant in model if constant not in known)]


def _size(leaves: list[Leaf], values: Values) -> Size:
    lengths = sum(values[leaf.constant] for leaf in leaves if leaf.role is Role.LENGTH)
    choices = sum(values[leaf.constant] for leaf in leaves if leaf.role is Role.CHOICE)
    return (lengths, choices, *(rank(leaf, values[leaf.constant]) for leaf in leaves))


class _Shrinker:
    def __init__(
        self,
        program: Program,
        model: Model,
        fails: Fails,
        most: int,
        deadline: Deadline,
        improved: Callable[[Model], None],
    ) -> None:
        self.program = program
        self.model = model
        self.fails = fails
        self.left = most
        self.deadline = deadline
        self.improved = improved
        self.conditions = several(program)
        self.leaves = _all_leaves(program, model)
        self.by_name = {leaf.name: leaf for leaf in self.leaves}
        self.by_constant = {leaf.constant: leaf for leaf in self.leaves}
        self.values: Values = {leaf.constant: model[leaf.constant] for leaf in self.leaves}
        self.size = _size(self.leaves, self.values)
        drawn = {leaf.constant for leaf in leaves_of(program)}
        # What the program makes itself when it runs.
        self.inside = [constant for constant in self.values if constant not in drawn]
        self.key = self._key(model)
        self.seen = {self.key}

    def _key(self, model: Model) -> tuple[object, ...]:
        """What the program sees of a model."""
        return (self.program.text(model), *(repr(model[constant]) for constant in self.inside))

    def passed(self) -> bool:
        """Try all changes once; whether one of them did."""
        before = self.size
        lengths = [leaf for leaf in self.leaves if leaf.role is Role.LENGTH]
        for leaf in lengths:
            self._shorten(leaf)
        for group in self._alike(lengths):
            self._simplify(group)
        choices = [leaf for leaf in self.leaves if leaf.role in (Role.CHOICE, Role.TRUTH)]
        for group in (*self._alike(choices), *([leaf] for leaf in choices)):
            self._simplify(group)
        values = [
            leaf for leaf in self.leaves if leaf.role not in (Role.LENGTH, Role.CHOICE, Role.TRUTH)
        ]
        self._all_simple(values)
        for group in self._alike(values):
            self._simplify(group)
            self._approach(group)
        self._shift(values)
        for leaf in values:
            self._simplify([leaf])
            self._approach([leaf])
        for leaf in values:
            self._scan(leaf)
        self._trade(values)
        return self.size != before

    def attempt(self, changes: Values) -> bool:
        """Take over changes if they make the inputs smaller and these still fail."""
        values = {**self.values, **changes}
        new_size = _size(self.leaves, values)
        if not new_size < self.size:
            return False
        if not all(self.by_constant[key].allows(value) for key, value in changes.items()):
            return False
        model = Model(values)
        under = self.program.under(model)
        if not all(under.term(condition) is True for condition in self.conditions):
            return False
        key = self._key(model)
        if key != self.key:
            if key in self.seen:
                return False
            self.seen.add(key)
            if self.left <= 0 or self.deadline.is_over:
                raise _EnoughError
            self.left -= 1
            if not self.fails(model):
                return False
        self.model, self.values, self.size, self.key = model, values, new_size, key
        self.improved(model)
        return True

    def _shorten(self, leaf: Leaf) -> None:
        length = self.values[leaf.constant]
        for shorter in range(leaf.low or 0, length):
            if self.attempt({leaf.constant: shorter}):
                return
        place = 0
        while place < self.values[leaf.constant]:
            if not self.attempt(self._without(leaf, place)):
                place += 1

    def _without(self, leaf: Leaf, place: int) -> Values:
        """What changes if an item of a container is taken out."""
        changes: Values = {leaf.constant: self.values[leaf.constant] - 1}
        for later in range(place, self.values[leaf.constant] - 1):
            here, there = f"{leaf.owner}[{later}]", f"{leaf.owner}[{later + 1}]"
            for other in self.leaves:
                if here in other.name:
                    source = self.by_name.get(other.name.replace(here, there, 1))
                    if source is not None:
                        changes[other.constant] = self.values[source.constant]
        return changes

    def _all_simple(self, leaves: list[Leaf]) -> None:
        """All values as simple as can be, at once."""
        changes: Values = {}
        for leaf in leaves:
            options = (*simpler(leaf, self.values[leaf.constant]), self.values[leaf.constant])
            allowed = [option for option in options if leaf.allows(option)]
            if allowed:
                changes[leaf.constant] = min(allowed, key=lambda option: rank(leaf, option))
        self.attempt(changes)

    def _alike(self, leaves: list[Leaf]) -> Iterator[list[Leaf]]:
        """Leaves that have the same value, which may have to stay the same."""
        groups: dict[tuple[object, ...], list[Leaf]] = {}
        for leaf in leaves:
            key = (leaf.role, leaf.sort, repr(self.values[leaf.constant]))
            groups.setdefault(key, []).append(leaf)
        yield from (group for group in groups.values() if len(group) > 1)

    def _simplify(self, group: list[Leaf]) -> None:
        """Give leaves that have the same value a simpler one."""
        first = group[0]
        before = rank(first, self.values[first.constant])
        for option in simpler(first, self.values[first.constant]):
            is_simpler = rank(first, option) < before
            if is_simpler and self.attempt({leaf.constant: option for leaf in group}):
                return

    def _approach(self, group: list[Leaf]) -> None:
        """Bring numbers as close to zero as they still fail, if all between them do."""
        first = group[0]
        value = self.values[first.constant]
        number = as_number(first, value)
        if number is None:
            return
        sign, near, far = (-1 if number < 0 else 1), 0, abs(number)
        while far - near > 1:
            middle = (near + far) // 2
            option = from_number(first, sign * middle, value)
            if self.attempt({leaf.constant: option for leaf in group}):
                far = middle
            else:
                near = middle

    def _scan(self, leaf: Leaf) -> None:
        """Try some numbers of fewer digits, where only some of those between here and zero fail."""
        value = self.values[leaf.constant]
        number = as_number(leaf, value)
        if number is None or abs(number) <= _SCANNED:
            return
        starts = (10**digits for digits in range(1, len(str(abs(number)))))
        options = (start + more for start in (0, *starts) for more in range(_SCANNED))
        sign = -1 if number < 0 else 1
        for option in itertools.takewhile(lambda one: one < abs(number), options):
            if self.attempt({leaf.constant: from_number(leaf, sign * option, value)}):
                return

    def _trade(self, leaves: list[Leaf]) -> None:
        """Bring large numbers closer to zero at the cost of later ones."""
        numbers = [leaf for leaf in leaves if leaf.role is Role.NUMBER]
        for leaf, other in itertools.combinations(numbers, 2):
            if abs(self.values[leaf.constant]) > _SCANNED:
                self._trade_with(leaf, other)

    def _trade_with(self, leaf: Leaf, other: Leaf) -> None:
        """Lower one number while another grows, as where a sum of multiples must stay the same."""
        sign = -1 if self.values[leaf.constant] < 0 else 1
        steps = range(1, _TRADED + 1)
        for less, more in itertools.product(steps, (*steps, *(-step for step in steps))):
            # Where one step does not do, many are not tried.
            if not self._exchanged(leaf, -sign * less, other, more):
                continue
            times = abs(self.values[leaf.constant]) // less
            while times:
                if self._exchanged(leaf, -sign * less * times, other, more * times):
                    times = min(times, abs(self.values[leaf.constant]) // less)
                else:
                    times //= 2

    def _exchanged(self, leaf: Leaf, less: int, other: Leaf, more: int) -> bool:
        """Whether a change of two numbers does, which must not make them larger together."""
        one, two = self.values[leaf.constant], self.values[other.constant]
        if abs(one + less) + abs(two + more) >= abs(one) + abs(two):
            return False
        return self.attempt({leaf.constant: one + less, other.constant: two + more})

    def _shift(self, leaves: list[Leaf]) -> None:
        """Bring numbers closer to zero that keep their distances."""
        numbers = [leaf for leaf in leaves if leaf.role is Role.NUMBER]
        for group in (numbers, *([a, b] for a, b in itertools.pairwise(numbers))):
            away = [leaf for leaf in group if abs(self.values[leaf.constant]) > 1]
            if len(away) < 2:
                continue
            least = min((self.values[leaf.constant] for leaf in away), key=abs)
            for kept in (0, 1 if least > 0 else -1):
                shift = least - kept
                changes = {leaf.constant: self.values[leaf.constant] - shift for leaf in away}
                if self.attempt(changes):
                    break
