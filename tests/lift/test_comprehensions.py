"""Comprehensions of all kinds, with symbolic filters, nested loops and walrus."""

# ruff: noqa: C416, RUF012

from __future__ import annotations

import pytest

from tests.lift.cases import Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


@cases
def lists(x, y):
    return [i * x for i in range(4) if i != y]


@cases
def lists_without_filter(x):
    return [x + i for i in (1, 2)], [[x, j] for j in range(2)], [i for i in []]


@cases
def lists_with_two_filters(x, y):
    return [i for i in range(4) if i != x if i != y], [i for i in range(3) if i > x and i < y]


@cases
def nested_loops(x, y):
    return [(i, j) for i in range(3) if i != x for j in range(i) if j != y]


@cases
def nested_comprehensions(x):
    return [[j * x for j in range(i) if j != x] for i in range(3)]


@cases
def over_symbolic_range(x):
    return [i * i for i in range(x)]


@cases
def over_ragged_list(x, y):
    items = [1, 2]
    if x > 0:
        items.append(x)
    return [k + y for k in items if k != y], len([k for k in items])


@cases
def over_unions(x):
    items = (1, 2, 3) if x > 0 else [x] if x < 0 else "ab"
    return [(k,) for k in items]


@cases
def conditional_element(x, y):
    return [i if i > x else "low" for i in range(3)], [i or y for i in (0, x)]


@cases
def sets(x, y):
    s = {i % 2 for i in range(4) if i != x}
    t = {i for i in (x, y, 1)}
    return s, len(t), 1 in t, 2 in s


@cases
def dicts(x, y):
    d = {i: i * x for i in range(3) if i != y}
    return d, len(d), 1 in d


@cases
def dicts_with_symbolic_keys(x, y):
    d = {k: v for k, v in ((x, 1), (y, 2), (1, 3))}
    return d[x], d[y], d[1], len(d)


@cases
def dict_evaluates_key_before_value(x):
    log = []

    def say(k):
        log.append(k)
        return k

    d = {say(("k", i)): say(("v", i)) for i in range(2) if i != x}
    return len(d), log


@cases
def unpacking_targets(x):
    pairs = [(1, (x, 3)), (x, (2, 4))]
    return [a + b - c for a, (b, c) in pairs], [rest for first, *rest in ([x, 1], [2])]


@cases
def walrus_in_filter(x):
    out = [y for i in range(4) if (y := i - x) > 0]
    return out, y


@cases
def walrus_that_may_not_run(x):
    out = [last := i for i in range(x)]
    return out, last


@cases
def walrus_in_element(x):
    total = 0
    return [total := total + i for i in (1, x, 2) if i != 1 or x > 0], total


@cases
def variable_does_not_leak(x):
    i = "outer"
    out = [i for i in range(2) if i != x]
    return out, i


@cases
def closure_over_locals(x, y):
    def scaled(k):
        return k * y

    return [scaled(i) for i in range(3) if scaled(i) != x]


@cases
def first_iterable_is_evaluated_outside(x):
    class Holder:
        items = [1, 2]
        copies = [k + x for k in items]

    return Holder.copies


@cases
def errors_in_element_and_filter(x):
    try:
        return [6 // (i - x) for i in range(3) if [1, 2, 3][i - x] or True]
    except ZeroDivisionError:
        return "zero"
    except IndexError:
        return "index"


@cases
def error_half_way(x):
    log = []

    def say(k):
        log.append(k)
        if k == x:
            raise ValueError(k)
        return k

    try:
        return [say(i) for i in range(3)], log
    except ValueError as error:
        return error.args, log


@cases
def comprehension_in_condition(x, y):
    if [k for k in (0, 1) if k == x]:
        r = "some"
    else:
        r = "none"
    while [k for k in (x, y) if k > 1]:
        x -= 1
        y -= 1
    return r, x, y


@cases
def comprehension_over_itself(x):
    items = [1, x]
    for _ in range(2):
        items = [k + 1 for k in items if k != 2] + [0]
    return items


@cases
def lists_of_functions(x):
    functions = [lambda k=i: k + x for i in range(2) if i != x]
    return [f() for f in functions]


@cases
def elements_are_aliases(x):
    a, b = [0], [0]
    rows = [a if i == x else b for i in range(3)]
    rows[0].append(1)
    rows[-1].append(2)
    return rows, a, b
