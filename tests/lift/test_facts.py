"""What is known on a path: from all of its conditions, and from no others."""

from __future__ import annotations

import random
from typing import Any

from solvent import Bool, Int, lifted
from solvent.lift.execution import execute
from solvent.lift.facts import bounds, on_path
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.terms import and_, ite, not_, or_
from solvent.terms.ranges import Ranges
from solvent.vm.machine import current
from solvent.vm.state import Path


def test_the_first_conditions_of_a_long_path_count() -> None:
    others = [Int(f"other{place}") for place in range(600)]
    seen: list[Any] = []

    def look(n: Any) -> None:
        seen.append((bounds(n), on_path(ite(n <= 9, 1, 2))))

    @lifted
    def program(n: Any) -> None:
        if 0 <= n:  # noqa: SIM102
            if n <= 9:
                for other in others:
                    assume(other != 7)
                look(n)

    TRUSTED.add(look)
    execute(program, Int("n"))
    assert seen == [((0, 9), 1)]


def test_paths_are_followed_back_and_forth() -> None:
    rng = random.Random(1)
    numbers = [Int(name) for name in "abc"]
    tests = [Bool(f"p{place}") for place in range(4)]
    conditions: list[Any] = [number <= k for number in numbers for k in (-3, 0, 4)]
    conditions += tests
    conditions += [or_(tests[0], tests[1]), and_(tests[2], numbers[0] <= 4)]

    def look() -> None:
        machine = current()
        paths = [machine.state.path]
        for _ in range(400):
            parent = rng.choice(paths[-12:])
            paths.append(Path(parent, rng.choice(conditions), rng.random() < 0.5))
            machine.state.path = path = rng.choice(paths[-6:])
            fresh = Ranges()
            said = []
            found: Path | None = path
            while found is not None:
                fresh.learn(found.condition)
                said.append(found.condition)
                found = found.parent
            assert [bounds(number) for number in numbers] == [fresh.of(n) for n in numbers]
            for test in tests:
                value = on_path(test)
                if value is not test:
                    assert (test if value else not_(test)) in _parts(said)
        machine.state.path = paths[0]

    TRUSTED.add(look)
    execute(look)


def _parts(conditions: list[Any]) -> set[Any]:
    """Conditions, what all parts of conjunctions say, and the opposite of those of disjunctions."""
    return {
        part
        for condition in conditions
        for part in (
            condition,
            *(getattr(condition, "key", ())[1:] if "and" in repr(condition) else ()),
            *(
                not_(inner)
                for inner in getattr(not_(condition), "key", ())[1:]
                if " or " in repr(not_(condition))
            ),
        )
    }


def test_orders_of_two_numbers_carry_bounds() -> None:
    a, b, c = Int("a"), Int("b"), Int("c")
    known = Ranges([and_(0 <= a, a < b, b <= c, c <= 9)])
    assert [known.of(number) for number in (a, b, c)] == [(0, 8), (1, 9), (1, 9)]
    mark = known.mark()
    known.learn(c <= 5)
    assert known.of(a) == (0, 4)
    known.forget(mark)
    assert known.of(a) == (0, 8)
    # What cannot be is no reason to go on for ever.
    assert Ranges([and_(a < b, b < a, 0 <= a)]).of(b)[0] is not None
