"""Generators that some paths have advanced further than others: each path goes on where it was.

Programs whose names start with `changed` do what no other path could know of: they are refused.
"""

# Programs as people write them.
# ruff: noqa: B905, E741, UP028

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import gc
import itertools
from types import FunctionType
from typing import Any
from weakref import ref

import pytest

from solvent import Bool, Int, NotLiftedError
from solvent.lift import execute
from solvent.lift.values.tapes import MARKED
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]

LIMIT = 2
SEEN: list[Any] = []


def upto(n, start=0):
    while start < n:
        yield start
        start += 1


def squares(values):
    for v in values:
        yield v * v


def advanced_in_branch(p, x):
    it = squares([x, 1, 2])
    if p:
        next(it)
    return list(it), next(it, "none")


def advanced_on_both_sides(p, x):
    it = squares([x, 1, 2, 3])
    if p:
        a = next(it)
    else:
        a = next(it) + next(it)
    return a, next(it), list(it)


def broken_off_and_gone_on(p, x):
    it = squares([0, 1, 2, 3])
    taken = []
    for v in it:
        taken.append(v)
        if v > x:
            break
    return taken, list(it)


def broken_off_twice(p, x):
    it = (v for v in [0, 1, 2, 3, 0, 1])
    for v in it:
        if v == x:
            break
    for v in it:
        if v == 1 and p:
            break
    return list(it)


def loops_inside_of_each_other(p, x):
    it = (v for v in [0, 1, 2, 3, 4])
    out = []
    for a in it:
        out.append(a)
        for b in it:
            if b == x or p:
                break
    return out


def zipped_with_itself(p, x):
    it = squares([x, 1, 2, 3, 4])
    if p:
        next(it)
    return list(zip(it, it))


def in_itertools(p, x):
    it = squares([0, x, 2, 2, 3])
    if p:
        list(itertools.islice(it, 2))
    a = list(itertools.takewhile(lambda v: v < 4, it))
    return a, list(itertools.pairwise(it))


def grouped(p, x):
    it = squares([x, x, 1, 1, 2])
    if x == 1:
        next(it)
    return [(k, list(g)) for k, g in itertools.groupby(it)]


def searched(p, x):
    it = squares([0, 1, 2])
    if p:
        next(it)
    return x in it, list(it)


def filtered(p, x):
    it = (v for v in [0, 1, 2, 1] if v != x)
    first = next(it) if p else None
    return first, list(it)


def filtered_and_broken_off(p, x):
    it = (v for v in [0, 1, 2, 3] if v != x)
    for v in it:
        if v == 1 and p:
            break
    return list(it), list(it)


def endless(p, x):
    def count(start):
        while True:
            yield start
            start += 1

    it = count(x)
    if p:
        next(it)
    for v in it:
        if v > x + 1:
            break
    return next(it), next(it)


def exhausted_on_one_path(p, x):
    it = squares([x, 1])
    seen = list(it) if p else []
    return seen, list(it), next(it, None)


def nothing_left_on_one_path(p, x):
    it = squares([x])
    if p:
        next(it)
    try:
        return next(it)
    except StopIteration:
        return "end"


def nested(p, x):
    it = squares(v + 1 for v in upto(3))
    if p:
        next(it)
    return next(it), list(it)


def delegating(p, x):
    def both():
        n = yield from inner()
        yield n
        yield from [x, 8]

    def inner():
        yield x
        yield 2
        return 9

    it = both()
    for _ in range(2):
        if p:
            next(it)
    return list(it)


def returning_a_value(p, x):
    def g():
        yield x
        return x + 1

    it = g()
    if p:
        next(it)
    try:
        next(it)
        next(it)
    except StopIteration as end:
        return end.value


def accumulating(p, x):
    def running(values):
        total = 0
        seen = set()
        for v in values:
            total += v
            seen.add(v)
            yield total, len(seen)

    it = running([x, 1, 1, 2])
    if p:
        next(it)
    return next(it), list(it)


def writing(p, x):
    def g():
        for v in [x, 1, 2]:
            log.append(v)
            yield v

    log = []
    it = g()
    if p:
        next(it)
    before = list(log)
    return before, next(it), list(log), list(it), log


def counting_in_closure(p, x):
    def g():
        nonlocal n
        while n < 3:
            n += 1
            yield n

    n = 0
    it = g()
    if p:
        next(it)
    return n, next(it), n, list(it), n


def writing_attributes(p, x):
    class Box:
        def __init__(self):
            self.n = x

        def steps(self):
            for _ in range(3):
                self.n += 1
                yield self.n

    box = Box()
    it = box.steps()
    if p:
        next(it)
    return box.n, next(it), box.n, list(it), box.n


def printing(p, x):
    def g():
        for v in [x, 1, 2]:
            print("item", v)
            yield v

    it = g()
    if p:
        next(it)
    return list(it)


def raising(p, x):
    def g():
        yield x
        raise ValueError(x)

    it = g()
    out = []
    if p:
        next(it)
    for _ in range(2):
        try:
            out.append(next(it))
        except ValueError as e:
            out.append(e.args)
        except StopIteration:
            out.append("end")
    return out


def failing_on_some_inputs(p, x):
    it = (6 // (v - 1) for v in [2, x, 3])
    if p:
        next(it)
    return list(it)


def failing_and_caught(p, x):
    it = (6 // (v - 1) for v in [2, x, 3])
    out = []
    if p:
        next(it)
    try:
        for v in it:
            out.append(v)
    except ZeroDivisionError:
        out.append("zero")
    return out, list(it)


def protected(p, x):
    def g():
        for v in [x, 1, 2]:
            try:
                yield v * 2
            except ZeroDivisionError:
                yield "zero"
            finally:
                done.append(v)

    done = []
    it = g()
    if p:
        next(it)
    return next(it), list(done), list(it), done


def items_that_change(p, x):
    it = ([v] for v in [x, 1, 2])
    first = next(it)
    if p:
        row = next(it)
        row.append(7)
    rest = list(it)
    rest[0].append(8)
    return first, rest


def made_in_branches(p, x):
    it = squares([x, 1]) if p else upto(2)
    return next(it), list(it)


def in_a_list(p, x):
    its = [squares([x, 1, 2]), upto(3)]
    for it in its:
        if next(it) == x:
            next(it)
    return [list(it) for it in its]


def round_robin(p, x):
    def robin(*sources):
        pending = [iter(s) for s in sources]
        while pending:
            for it in list(pending):
                try:
                    yield next(it)
                except StopIteration:
                    pending.remove(it)

    it = robin([x, 1], upto(3))
    if p:
        next(it)
    return list(it)


def unpacked(p, x):
    it = squares([x, 1, 2])
    if p:
        next(it)
    first, *rest = it
    return first, rest


def sent_none(p, x):
    it = squares([x, 1, 2])
    if p:
        it.send(None)
    return it.__next__(), it.send(None)


def of_a_global(p, x):
    it = (v + LIMIT for v in [x, 1, 2])
    if p:
        next(it)
    return list(it)


def reads_what_all_paths_change(p, x):
    l = [x, 1]
    it = squares(l)
    next(it)
    l.append(2)
    if p:
        next(it)
    return list(it)


def goes_on_alone(p, x):
    l = [x, 1]
    it = squares(l)
    out = []
    if p:
        for v in it:
            out.append(v)
            if len(l) < 4:
                l.append(2)
    return out, l


def taken_apart_by_recursion(p, x):
    def tokens(text):
        for c in text:
            yield c

    def parse(it):
        total = 0
        for c in it:
            if c == "(":
                total += parse(it)
            elif c == ")":
                return total
            else:
                total += 1
        return total

    return parse(tokens("a(" + ("b)" if p else "bc)") + ("d" if x else ")d"))), x


# --- what is refused ------------------------------------------------------------------------------


def changed_list(p, x):
    l = [x, 1, 2]
    it = squares(l)
    if p:
        next(it)
    l[2] = 5
    return list(it)


def changed_list_on_one_path(p, x):
    l = [x, 1, 2]
    it = squares(l)
    if p:
        next(it)
        l.append(4)
    return list(it)


def changed_list_before_on_the_other_path(p, x):
    l = [x, 1, 2]
    it = squares(l)
    if p:
        l.append(4)
    else:
        next(it)
    return list(it)


def changed_list_before_leaving(p, x):
    l = [x, 1, 2]
    it = squares(l)
    while True:
        if p:
            break
        l.append(9)
        if x == 1:
            break
        next(it)
        break
    return list(it)


def changed_variable(p, x):
    n = 1
    it = (v + n for v in [x, 1, 2])
    if p:
        next(it)
    n = 2
    return list(it)


def changed_object(p, x):
    class Box:
        pass

    def g():
        while b.n < 5:
            yield b.n
            b.n += 1

    b = Box()
    b.n = x
    it = g()
    if p:
        next(it)
    b.n = 3
    return list(it)


def changed_class(p, x):
    class Box:
        n = 1

    it = (v + Box.n for v in [x, 1, 2])
    if p:
        next(it)
    Box.n = 2
    return list(it)


def changed_global(p, x):
    global SEEN
    SEEN = [x]
    it = (len(SEEN) for _ in range(3))
    if p:
        next(it)
    SEEN = [1, 2]
    return list(it)


def changed_source(p, x):
    source = upto(6)
    it = squares(source)
    if p:
        next(it)
    next(source)
    return list(it)


def changed_iterator(p, x):
    source = iter([x, 1, 2, 3, 4])
    it = squares(source)
    if p:
        next(it)
    next(source)
    return list(it)


def changed_by_the_item(p, x):
    def g():
        row = [x]
        for _ in range(3):
            yield row
            row.append(len(row))

    it = g()
    first = next(it)
    if p:
        next(it)
    first.append(9)
    return [list(row) for row in it]


def changed_by_another_generator(p, x):
    def g():
        for v in l:
            yield v

    def h():
        while True:
            l.append(7)
            yield len(l)

    l = [x, 1]
    a, b = g(), h()
    if p:
        next(a)
    else:
        next(b)
    return next(b), next(a), next(a), next(a)


def changed_after_filter(p, x):
    l = [0, 1, 2]
    it = (v for v in l if v != x)
    if p:
        next(it, None)
    l[2] = 5
    return list(it)


def changed_after_the_end_on_one_path(p, x):
    l = [x, 1, 2]
    it = squares(l)
    if p:
        list(it)
    else:
        l[0] = 5
    return list(it), l


def changed_by_closing_before_the_start(p, x):
    it = squares([x, 1, 2])
    if p:
        it.close()
    return list(it)


def changed_by_writing_too_early(p, x):
    def g():
        for v in [0, 1, 2]:
            if v != x:
                log.append(v)
                yield v

    log = []
    it = g()
    if p:
        next(it)
    return list(log), list(it)


def changed_by_sending(p, x):
    def g():
        got = 0
        while got is not None and got < 5:
            got = yield got

    it = g()
    next(it)
    if p:
        it.send(3)
    return list(it)


def changed_by_throwing(p, x):
    def g():
        for v in [x, 1, 2]:
            try:
                yield v
            except KeyError:
                yield "thrown"

    it = g()
    next(it)
    if p:
        it.throw(KeyError())
    return list(it)


def changed_by_closing(p, x):
    it = squares([x, 1, 2])
    next(it)
    if p:
        it.close()
    return list(it)


PROGRAMS = [
    found
    for found in list(globals().values())
    if isinstance(found, FunctionType) and found.__code__.co_varnames[:2] == ("p", "x")
]


@pytest.mark.parametrize(
    "program",
    [found for found in PROGRAMS if not found.__name__.startswith("changed")],
    ids=lambda program: program.__name__,
)
def test_each_path_goes_on_where_it_was(program: Any) -> None:
    try:
        agree(program, BITS, SMALL)
    except NotLiftedError:
        # How much a class reaches depends on what other tests have loaded, and has a limit.
        assert program.__name__ == "writing_attributes"


@pytest.mark.parametrize(
    "program",
    [found for found in PROGRAMS if found.__name__.startswith("changed")],
    ids=lambda program: program.__name__,
)
def test_what_no_other_path_could_know_of_is_refused(program: Any) -> None:
    with pytest.raises(NotLiftedError, match="on some paths only"):
        agree(program, BITS, SMALL)


# --- afterwards ----------------------------------------------------------------------------------


class Held:
    """Something that a run works on."""


def test_nothing_of_a_run_is_kept_when_it_is_over() -> None:
    """Not by the ends of its paths, nor by tapes and generators that its failures hold."""

    def work(tests: list[Any], limit: Any) -> int:
        held = Held()
        known.append(ref(held))
        steps = (place for place in range(4) if held is not None)
        total = 0
        for test in tests:
            if test:
                total += next(steps)
            if total > limit:
                raise ValueError(total)
        return total

    known: list[ref[Held]] = []
    for _ in range(2):
        outcome = execute(work, [Bool(f"kept {place}") for place in range(3)], Int("kept"))
        assert outcome.failures
        assert MARKED
        del outcome
    gc.collect()
    assert [found() for found in known] == [None, None]
    assert not MARKED
