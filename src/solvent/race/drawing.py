"""Drawing inputs: some hundred small and boundary assignments, the same ones each time.

First come inputs whose parts are all alike, then ascending and descending ones, texts and numbers
of the source, then one part after the other away from small values, then mixtures, all small values
of a number that is alone, and last big numbers, with which a program may take long.  No input comes
twice.

>>> from solvent.queries.inputs import bind
>>> def f(x: int, items: list[int]) -> None: ...
>>> program = Program(f, bind(f, (), {}, 2))
>>> for model in itertools.islice(drawn(program, Hints()), 6):
...     print(program.text(model))
(0, [])
(1, [])
(-1, [])
(2, [])
(0, [0])
(1, [1])
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from solvent.race.concrete import Call, Program
from solvent.race.hints import Hints
from solvent.race.leaves import Leaf, Role, leaves_of, several
from solvent.race.pools import FIRST_INTS, MODERATE, Pool, Pools
from solvent.terms.model import Constant, Model

Assignment = dict[Constant, Any]

# How many inputs are tried where nothing else is said.
MOST = 200
# After so many draws in a row without a new input there are hardly any left.
_VAIN = 60
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# How far a number that is alone is counted up.
_COUNTED = 128
# How many of the leaves at most get all their values one by one.
_SINGLY = 12


def drawn(program: Program, hints: Hints, most: int = MOST) -> Iterator[Model]:
    """At most so many models, each of which gives other inputs that fulfil the assumptions."""
    for model, _ in drawn_calls(program, hints, most):
        yield model


def drawn_calls(program: Program, hints: Hints, most: int = MOST) -> Iterator[tuple[Model, Call]]:
    """The models with the arguments that they give."""
    drawer = _Drawer(program, hints)
    conditions = several(program)
    seen: set[str] = set()
    for phase, share in drawer.phases():
        vain = 0
        for assignment in phase():
            if len(seen) >= most * share or vain >= _VAIN:
                break
            model = Model(assignment)
            vain += 1
            under = program.under(model)
            if all(under.term(condition) is True for condition in conditions):
                call = program.call(model, under)
                text = program.text_of(call, under)
                if _ADDRESS.search(text):
                    # An object that says nothing of itself is what its constants say.
                    text = f"{_ADDRESS.sub('', text)}{model!r}"
                if text not in seen:
                    seen.add(text)
                    vain = 0
                    yield model, call


class _Drawer:
    def __init__(self, program: Program, hints: Hints) -> None:
        self.leaves = leaves_of(program)
        self.hints = hints
        pools = Pools(hints)
        self.pools: dict[Constant, Pool] = {leaf.constant: pools.of(leaf) for leaf in self.leaves}
        self.lengths = [leaf for leaf in self.leaves if leaf.role is Role.LENGTH]
        self.choices = [leaf for leaf in self.leaves if leaf.role is Role.CHOICE]
        self.values = [leaf for leaf in self.leaves if leaf.role not in (Role.LENGTH, Role.CHOICE)]
        self.numbers = [leaf for leaf in self.values if leaf.role is Role.NUMBER]
        self.by_name = {leaf.name: leaf for leaf in self.leaves}
        self.random = random.Random(0)

    def phases(self) -> list[tuple[Callable[[], Iterator[Assignment]], float]]:
        """What is drawn one after the other, and how much of all there is after each."""
        return [
            (self.alike, 0.12),
            (self.options, 0.25),
            (self.ordered, 0.32),
            (self.of_the_source, 0.45),
            (self.one_by_one, 0.65),
            (self.mixed, 0.9),
            (self.counted, 0.93),
            (self.big, 1.0),
        ]

    def base(self, length: int, place: int) -> Assignment:
        """All containers of the same length, all values at the same place of their pools."""
        found: Assignment = {}
        for leaf in self.leaves:
            pool = self.pools[leaf.constant].small
            if leaf.role is Role.LENGTH:
                found[leaf.constant] = min(pool, key=lambda option: (abs(option - length), option))
            elif leaf.role is Role.CHOICE:
                found[leaf.constant] = pool[0]
            else:
                found[leaf.constant] = pool[min(place, len(pool) - 1)]
        return found

    def all_lengths(self) -> list[int]:
        """The lengths that are tried, ascending."""
        if not self.lengths:
            return [0]
        found = {option for leaf in self.lengths for option in self.pools[leaf.constant].small}
        ascending = sorted(found)
        return ascending if len(ascending) <= 4 else [*ascending[:3], ascending[-1]]

    def alike(self) -> Iterator[Assignment]:
        """Zeros, ones, minus ones and so on, in containers of all lengths."""
        for length in self.all_lengths():
            for place in range(len(FIRST_INTS)):
                yield self.base(length, place)

    def options(self) -> Iterator[Assignment]:
        """Each option that is not the first."""
        for place, length in ((0, 1), (1, 2)):
            for leaf in self.choices:
                for option in self.pools[leaf.constant].small[1:]:
                    yield {**self.base(length, place), leaf.constant: option}
            if len(self.choices) > 1:
                last = {leaf.constant: self.pools[leaf.constant].small[-1] for leaf in self.choices}
                yield {**self.base(length, place), **last}

    def ordered(self) -> Iterator[Assignment]:
        """Ascending and descending values."""
        for length in reversed(self.all_lengths()):
            for start, step in ((0, 1), (-1, -1), (1, 2)):
                found = self.base(length, 1)
                places: dict[Role, int] = {}
                for leaf in self.values:
                    # Each role counts by itself, from the first leaf on.
                    count = places[leaf.role] = places.get(leaf.role, -1) + 1
                    found[leaf.constant] = self._counted(leaf, start + step * count)
                yield found

    def _counted(self, leaf: Leaf, number: int) -> Any:
        pool = self.pools[leaf.constant].small
        if leaf.role is Role.NUMBER and leaf.allows(number):
            return number
        if leaf.role is Role.FLOAT:
            # Zeros are equal, but one of them may be excluded.
            found = [value for value in pool if repr(value) == repr(float(number))]
            if found:
                return found[0]
        return pool[number % len(pool)]

    def of_the_source(self) -> Iterator[Assignment]:
        """Texts of the source as wholes, numbers of the source one beside the other."""
        words = [*self.hints.texts, *(found.decode("latin-1") for found in self.hints.octets)]
        texts = self._texts()
        for word in words:
            for name, characters in texts.items():
                found = self._spelled(name, characters, word)
                if found is not None:
                    yield {**self.base(1, 1), **found}
        ints = [number for number in self.hints.ints if abs(number) <= MODERATE]
        for shift in range(len(ints)):
            found = self.base(2, 1)
            for count, leaf in enumerate(self.numbers):
                number = ints[(count + shift) % len(ints)]
                if leaf.allows(number):
                    found[leaf.constant] = number
            yield found

    def _texts(self) -> dict[str, list[Leaf]]:
        """The characters of each text, by its name."""
        found: dict[str, list[Leaf]] = {}
        for leaf in self.values:
            if leaf.may_be_character:
                found.setdefault(leaf.name.rpartition("[")[0], []).append(leaf)
        return found

    def _spelled(self, name: str, characters: list[Leaf], word: str) -> Assignment | None:
        """A text that is a word of the source, if it can be that."""
        length = self.by_name.get(f"len({name})")
        # Of a longer one, there is room for its beginning.
        codes = [*map(ord, word[: len(characters)])]
        if length is None and len(codes) != len(characters):
            return None
        if length is not None and not length.allows(len(codes)):
            return None
        ordered = sorted(characters, key=lambda leaf: (len(leaf.name), leaf.name))
        pairs = list(zip(ordered, codes, strict=False))
        if not all(leaf.allows(code) for leaf, code in pairs):
            return None
        found: Assignment = {leaf.constant: code for leaf, code in pairs}
        if length is not None:
            found[length.constant] = len(codes)
        return found

    def one_by_one(self) -> Iterator[Assignment]:
        """One value that is not small beside others that are."""
        for place in itertools.count(1):
            left = False
            for leaf in self.values[:_SINGLY]:
                pool = self.pools[leaf.constant].small
                if place < len(pool):
                    left = True
                    yield {**self.base(1 + place % 2, (place + 1) % 3), leaf.constant: pool[place]}
            if not left:
                return

    def mixed(self) -> Iterator[Assignment]:
        """Anything, with a preference for what is small and for what is there already."""
        choose = self.random
        while True:
            found: Assignment = {}
            used: dict[object, list[Any]] = {}
            for leaf in self.leaves:
                pool = self.pools[leaf.constant].small
                if leaf.role in (Role.LENGTH, Role.CHOICE, Role.TRUTH):
                    found[leaf.constant] = choose.choice(pool)
                    continue
                known = used.setdefault((leaf.role, leaf.sort), [])
                again = [value for value in known if leaf.allows(value)] if known else []
                if again and choose.random() < 0.4:
                    found[leaf.constant] = choose.choice(again)
                    continue
                value = pool[int(choose.random() ** 1.5 * len(pool))]
                found[leaf.constant] = value
                known.append(value)
            yield found

    def counted(self) -> Iterator[Assignment]:
        """For one number alone, all that are small, one after the other."""
        if len(self.numbers) != 1:
            return
        leaf = self.numbers[0]
        for number in range(_COUNTED):
            for signed in (number, -number)[: 1 + (number < _COUNTED // 8)]:
                if leaf.allows(signed):
                    yield {**self.base(1, 1), leaf.constant: signed}

    def big(self) -> Iterator[Assignment]:
        """Numbers that are so big that a loop over them takes long."""
        leaves = [leaf for leaf in self.values if self.pools[leaf.constant].big]
        for place in itertools.count():
            left = False
            for leaf in leaves:
                pool = self.pools[leaf.constant].big
                if place < len(pool):
                    left = True
                    yield {**self.base(1, 1), leaf.constant: pool[place]}
            if not left:
                return
