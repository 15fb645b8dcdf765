"""What random programs found, made small.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any

import pytest

from solvent import Bool, Float, Int
from solvent.errors import NotLiftedError
from solvent.lift import Union, lift_with_for_all, members
from solvent.lift.execution import execute
from tests.lift.differential import agree

BOOLS = [False, True]
SMALL = range(-1, 4)


def test_bit_operators_between_bools_and_ints() -> None:
    def program(z: Any, x: Any) -> Any:
        return z & 3, z | x, z ^ 1, 3 & z, x | z, z & z, z | True

    agree(program, BOOLS, SMALL)


def test_membership_in_a_string() -> None:
    def program(x: Any) -> Any:
        return x in "ab"

    agree(program, SMALL)


class Unhashable:
    """Compares, but cannot be hashed."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


def test_discarding_what_cannot_be_hashed() -> None:
    def program(x: Any) -> Any:
        found = {1, x}
        found.discard(Unhashable())
        return found

    agree(program, SMALL)


def test_bodies_of_classes() -> None:
    def program(x: Any) -> Any:
        class Plain:
            limit = x + 1
            share = 10 // x
            word = "a" if x > 1 else None

            def get(self) -> Any:
                return self.limit * 2

            doubled = property(get)
            both = (limit, word)

            class Deep:
                half = x // 2

        @dataclass
        class Record:
            a: Any = x
            b: list[int] = field(default_factory=list)
            c: int = 7 if x > 1 else 8

        class Color(Enum):
            RED = auto()

        return Plain().doubled, Plain.both, Plain.share, Plain.Deep.half, Record().c, Color.RED.name

    agree(program, SMALL)


def test_control_flow_in_a_class_is_refused() -> None:
    def program(x: Any) -> Any:
        class Plain:
            if x > 0:
                k = 1

        return Plain.k

    with pytest.raises(NotLiftedError, match="`if` in the body of a class"):
        execute(program, Int("x"))


def sometimes(log: list[Any], items: list[Any], k: Any) -> Iterator[Any]:
    """Yields an item on some paths only, and then writes."""
    try:
        yield from items
        if k > 0:
            yield k
    finally:
        log.append("end")


def test_a_generator_that_writes_after_an_item_of_some_paths() -> None:
    def collected(x: Any) -> Any:
        log: list[Any] = []
        return list(sometimes(log, [1, 2], x)), log

    agree(collected, SMALL)

    def apart(x: Any) -> Any:
        log: list[Any] = []
        seen = [k + 1 for k in sometimes(log, [1, 2], x)]
        log.append("later")
        return seen, log

    agree(apart, SMALL)


def interleaved(x: Any) -> Any:
    """The consumer writes to what the generator has written to already."""
    log: list[Any] = []
    for k in sometimes(log, [1, 2], x):
        log.append(k)
    return log


def sent(x: Any) -> Any:
    """Sends to a generator that may have ended."""

    def receive(k: Any) -> Any:
        k = yield k
        if x > 1:
            return 2
        yield k + 1

    found = receive(1)
    next(found)
    return found.send(0)


@pytest.mark.parametrize(
    ("program", "message"),
    [(interleaved, "write to one `list`"), (sent, "to send to a generator")],
)
def test_what_generators_cannot_do_is_refused(program: Callable[..., Any], message: str) -> None:
    with pytest.raises(NotLiftedError, match=message):
        execute(program, Int("x"))
    assert program(2 if program is interleaved else 0) is not None


def test_files_are_files(tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("1\n2\n")

    def program(x: Any) -> Any:
        total = x
        with open(path) as lines:
            for line in lines:
                total += int(line)
        return total

    agree(program, SMALL)


def test_stars_are_spread_before_what_follows() -> None:
    def called(*given: Any, **named: Any) -> Any:
        return given, named

    def program(x: Any) -> Any:
        e = [1]
        g = {"a": 1}
        first = [*e, e.append(x)], (*e, e.append(2)), called(*e, e.append(3))
        second = called(*e, k=e.pop(), **g, c=g.setdefault("b", x)), {**g, 1: g.pop("a")}
        third = called(0, *e, k=e.pop())
        return first, second, third, {*e, len(e)}, e, g

    agree(program, SMALL)


def test_star_patterns_on_tuples_of_different_lengths() -> None:
    def program(x: Any) -> Any:
        found: Any = (1, 2, 3)
        if x > 0:
            found = ([1], 2)
        match found:
            case [1, *rest]:
                return rest
        return found[-1]

    agree(program, SMALL)


def test_messages_name_the_operands() -> None:
    def subtract(z: Any) -> Any:
        return z - []

    def divide(x: Any) -> Any:
        return divmod([], x) if x > 0 else divmod(x, [])

    agree(subtract, BOOLS)
    agree(divide, SMALL)


def test_defaults_of_methods() -> None:
    def program(x: Any) -> Any:
        class Plain:
            k = x

            def step(self, m: Any = k, *, n: Any = 10 // x) -> Any:
                return m, n

        return Plain().step()

    agree(program, SMALL)


def test_popping_from_an_empty_dict() -> None:
    def program(x: Any) -> Any:
        found: Any = {}
        if x > 1:
            return found.pop([], x)
        return found.pop([])

    agree(program, SMALL)


# --- variables that functions capture ------------------------------------------------------------


def test_a_closure_of_a_path_that_returned() -> None:
    def program(p: Any, x: Any) -> Any:
        def make() -> Any:
            if p:
                value = x + 5

                def get() -> Any:
                    return value

                return get
            return None

        found = make()
        return 0 if found is None else found()

    agree(program, BOOLS, SMALL)


def test_closures_made_in_a_loop() -> None:
    def program(x: Any) -> Any:
        made = []
        for i in range(3):
            if x > i:
                k = x + i
                made.append(lambda: (i, k))  # noqa: B023
        return [function() for function in made]

    agree(program, SMALL)


def test_functions_defined_on_some_paths() -> None:
    def program(x: Any) -> Any:
        def down(n: Any) -> Any:
            return 1 if n <= 1 else n * down(n - 1)

        if x > 2:

            def down(n: Any) -> Any:
                return -n

        return down(3)

    agree(program, SMALL)


def test_captured_variables_that_both_sides_change() -> None:
    def program(x: Any) -> Any:
        total = 0

        def add(n: Any) -> None:
            nonlocal total
            total += n

        if x > 0:
            total = 10
            add(x)
        else:
            add(1)
        later = (total + k for k in range(2))
        total = 100
        return total, list(later)

    agree(program, SMALL)


def test_captured_variables_of_handlers() -> None:
    def program(x: Any) -> Any:
        try:
            if x == 1:
                raise ValueError(x)
            e: Any = 3
        except ValueError:
            return str((lambda: e)())
        return (lambda: e)()

    agree(program, SMALL)


def test_calling_one_of_several_functions() -> None:
    def program(p: Any, q: Any, x: Any) -> Any:
        def a() -> Any:
            return x + 1

        def b() -> Any:
            if q:
                return x
            return p

        return (a if q else b)()

    agree(program, BOOLS, BOOLS, SMALL)
    outcome = execute(program, Bool("p"), Bool("q"), Int("x"))
    assert all(type(member) is not Union for _, member in members(outcome.value))


def test_captured_variables_that_are_unpacked() -> None:
    def program(x: Any) -> Any:
        a, b = 1, 2
        late = [lambda: (a, b)]
        if x > 0:
            try:
                a = 5
                if x > 1:
                    raise ValueError(x)
                a, b = (x, 7)
            except ValueError:
                pass
        return late[0](), a, b

    agree(program, SMALL)


def test_captured_modules() -> None:
    def program(x: Any) -> Any:
        late: list[Any] = []
        if x > 0:
            import json as module
        else:
            import math as module
        late.append(lambda: module.__name__)
        import os.path

        late.append(lambda: os.path.basename("a/b"))
        return [f() for f in late]

    agree(program, SMALL)


def test_imported_global_variables() -> None:
    def program(x: Any) -> Any:
        global _module
        if x > 0:
            from json import dumps as _module
        else:
            import math as _module
        return _module.__name__

    agree(program, SMALL)


def test_classes_for_global_names_are_refused() -> None:
    def program(x: Any) -> Any:
        global _Local

        class _Local:
            value = x

        return _Local.value

    with pytest.raises(NotLiftedError, match="class definition for a `global`"):
        execute(program, Int("x"))


class Meter:
    """Has an operation that is called as it is, and spread over unions."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def doubled(self) -> Any:
        return self.value * 2


def _read(meter: Meter, names: Any) -> Any:
    # Plain Python: a symbolic test would be an error here.
    return meter.value if names in ("a", "b") else 0


Meter.__getitem__ = lift_with_for_all(_read)  # type: ignore[attr-defined]


def test_methods_that_are_spread_stay_plain_when_their_class_is_lifted() -> None:
    def program(x: Any) -> Any:
        meter = Meter(x)
        return meter["a" if x > 0 else "c"] + meter.doubled()

    agree(program, SMALL)
    assert Meter.__getitem__.__wrapped__ is _read  # type: ignore[attr-defined]


class Doubling:
    """Knows what a number beside it means."""

    def __rmul__(self, other: Any) -> Any:
        return ("twice", other)

    def __radd__(self, other: Any) -> Any:
        return NotImplemented


def test_reflected_operators_beside_symbolic_numbers() -> None:
    def program(x: Any) -> Any:
        try:
            x + Doubling()
        except TypeError as error:
            return x * Doubling(), str(error)

    agree(program, SMALL)


class Loud(int):
    """An int that says so when it is on the right."""

    def __radd__(self, other: Any) -> Any:
        return "loud"


def test_reflected_operators_of_ints_with_a_class_of_their_own() -> None:
    def program(x: Any) -> Any:
        return 1.5 + Loud(2) if x > 0 else 1 + Loud(2)

    agree(program, SMALL)


def test_operators_that_no_operand_has() -> None:
    def f(x: Any, p: Any) -> Any:
        return {1: x} | [x]

    def g(x: Any, p: Any) -> Any:
        return ({1: x} if p else {}) | (x, p)

    for function in (f, g):
        agree(function, [0, 1], [False, True])


def test_identity_of_numbers_is_told_only_where_the_interpreter_keeps_one_object() -> None:
    five = 5

    def small(x: Any, y: Any) -> Any:
        return x is y, x is five, x is not y, x is None

    def large(x: Any, y: Any) -> Any:
        return x is y

    def fractions(x: float, y: float) -> Any:
        return x is y

    agree(small, SMALL, range(2, 7))
    with pytest.raises(NotLiftedError, match="two equal values of `int` are one object"):
        execute(large, Int("x"), Int("y"))
    with pytest.raises(NotLiftedError, match="two equal values of `float` are one object"):
        execute(fractions, Float("x"), Float("y"))
