"""Values of several types: every operation is spread over the members, and unions stay small."""

# ruff: noqa: RUF005, RUF034

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from solvent import Bool, Int
from solvent.lift.execution import execute
from solvent.lift.reflection import cardinality, is_union, members
from solvent.lift.under_model import evaluate
from solvent.vm.merge import merge
from solvent.vm.scopes import Scope
from tests.lift.cases import Case, Cases
from tests.lift.differential import agree

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


def mixed(x):
    """A number, a list, a string, a tuple or None."""
    if x == 0:
        return 7
    if x == 1:
        return [x, 2]
    if x == 2:
        return "ab"
    if x == 3:
        return (x,)
    return None


class Thing:
    name = "thing"

    def __init__(self, k):
        self.k = k

    def twice(self):
        return self.k * 2

    def __add__(self, other):
        return ("thing", other)


class Other:
    name = "other"

    def twice(self):
        return "twice"


@cases
def identity(x):
    v = mixed(x)
    return v, v is None, v == 7, v == "ab", v == (3,), v != [1, 2]


@cases
def arithmetic(x, y):
    v = mixed(x)
    try:
        return v + v
    except TypeError as error:
        return error.args


@cases
def arithmetic_with_numbers(x, y):
    v = y if x > 0 else Thing(x) if x < 0 else "s"
    try:
        return v + 1
    except TypeError as error:
        return error.args


@cases
def multiplication(x):
    v = mixed(x)
    try:
        return v * 2
    except TypeError as error:
        return error.args


@cases
def uncaught_type_error(x):
    return mixed(x) - 1


@cases
def comparison(x, y):
    v = y if x > 0 else "s" if x == 0 else (y,)
    try:
        return v < 2
    except TypeError as error:
        return error.args


@cases
def length(x):
    v = mixed(x)
    try:
        return len(v)
    except TypeError as error:
        return error.args


@cases
def items(x, y):
    v = mixed(x)
    try:
        return v[y]
    except TypeError as error:
        return "type", error.args
    except IndexError as error:
        return "index", error.args


@cases
def items_of_dict_or_list(x, y):
    v = {0: "zero", 1: "one"} if x > 0 else [x, y]
    try:
        v[1] = "new"
        return v[y], v, 1 in v
    except LookupError as error:
        return type(error).__name__


@cases
def item_assignment(x):
    v = mixed(x)
    try:
        v[0] = "new"
    except TypeError as error:
        return error.args
    return v


@cases
def iteration(x):
    v = mixed(x)
    out = []
    try:
        for k in v:
            out.append(k)
    except TypeError as error:
        return error.args
    return out


@cases
def membership(x, y):
    v = [y, 1] if x > 1 else (2,) if x > 0 else {y: 0} if x == 0 else range(y)
    return 1 in v, y not in v


@cases
def truth(x, y):
    v = y if x > 1 else [] if x > 0 else "" if x == 0 else (y,)
    return bool(v), not v, v or "empty", "yes" if v else "no"


@cases
def calls(x, y):
    f = Thing if x > 1 else (lambda k: k + 1) if x > 0 else str if x == 0 else Thing(5).twice
    try:
        r = f(1)
    except TypeError:
        return "arguments"
    return r


@cases
def attributes(x, y):
    v = Thing(y) if x > 0 else Other() if x == 0 else y
    try:
        return v.name, v.twice()
    except AttributeError as error:
        return error.args


@cases
def attribute_assignment(x, y):
    a, b = Thing(1), Other()
    v = a if x > 0 else b
    v.k = y
    v.k += 1
    return a, b, v.k


@cases
def method_of_several_lists(x, y):
    a, b, c = [1], [2, 3], [4]
    v = a if x > 1 else b if x > 0 else c
    w = v if y > 0 else a
    w.append(y)
    last = v.pop()
    return a, b, c, last, v is w


@cases
def unions_of_unions(x, y):
    v = mixed(x)
    w = mixed(y)
    u = v if x > y else w
    t = u if x + y > 0 else (v, w)
    return u, t, u == v


@cases
def unions_in_containers(x, y):
    v = mixed(x)
    box = [v, (v, y)]
    box.append({y: v})
    box[0] = mixed(y)
    return box


@cases
def unions_as_arguments(x):
    def kind(v):
        if v is None:
            return "none"
        if isinstance(v, int):
            return "int"
        if isinstance(v, (list, tuple)):
            return "sequence"
        return "other"

    return kind(mixed(x)), kind(x), isinstance(mixed(x), str)


@cases
def unions_as_keys(x):
    key = 1 if x > 1 else "k" if x > 0 else (1, 2) if x == 0 else None
    table = {1: "one", "k": "letter", (1, 2): "pair"}
    try:
        found = table[key]
    except KeyError as error:
        return error.args
    table[key] = "new"
    return found, table[1], table["k"], len(table)


@cases
def tuples_of_different_lengths(x):
    t = () if x < 0 else (x,) if x == 0 else (1, x) if x == 1 else (x, 2, 3)
    return t, len(t), t[1:], t + (9,), t * 2, (x in t), t == (1, 1), sum_(t)


def sum_(items):
    total = 0
    for k in items:
        total += k
    return total


@cases
def tuple_index_errors(x):
    t = (1,) if x > 0 else (1, 2)
    try:
        return t[1]
    except IndexError as error:
        return error.args


@cases
def ragged_list_operations(x, y):
    items = [1, 2]
    if x > 0:
        items.append(3)
    if x > 1:
        items.append(4)
    if y > 1:
        items.pop(0)
    copy = items[:]
    copy.append("c")
    return (
        items,
        copy,
        len(items),
        items[-1],
        items[1:],
        items + [9],
        y in items,
        items == [1, 2, 3],
    )


@cases
def ragged_list_index(x, y):
    items = [5]
    if x > 0:
        items.append(6)
    if x > 1:
        items.append(7)
    try:
        items[y] += 10
        return items, items[y]
    except IndexError as error:
        return error.args, items


@cases
def ragged_list_of_lists(x, y):
    rows = [[0]]
    if x > 0:
        rows.append([1])
    if x > 1:
        rows.append(rows[0])
    rows[-1].append(y)
    rows[0].append("first")
    return rows


@cases
def booleans_and_numbers(x):
    v = x > 1 if x > 0 else x
    return v, v + 1, v == 1, v is True, isinstance(v, bool), -v


@cases
def strings(x, y):
    s = "a" if x > 0 else "b" if x == 0 else "c"
    t = "x" if y > 0 else "a"
    return s + t, s == t, s < t, s in "ab", [s, t], {s: 1}[s]


@cases
def same_value_on_both_sides(x):
    shared = [1]
    v = shared if x > 0 else shared
    w = "s" if x > 0 else "s"
    u = (shared, 1) if x > 0 else (shared, 1)
    return v is shared, w, u[0] is shared


@cases
def lists_that_contain_themselves(x):
    items = [x, 2]
    items.append(items)
    try:
        return items < 3, items
    except TypeError as error:
        return error.args, items[2] is items


# --- facts about unions ---------------------------------------------------------------------------


def choose(p, q, r):
    """A value with many classes, reached in several ways."""
    a = [1]
    v = 1 if p else None
    w = "s" if q else (1, 2)
    u = v if r else w
    t = a if p else u
    return t if q else v


def test_exactly_one_guard_of_a_union_holds() -> None:
    p, q, r = Bool("p"), Bool("q"), Bool("r")
    value = execute(choose, p, q, r).value
    assert is_union(value)
    for bits in itertools.product((False, True), repeat=3):
        model = dict(zip((p, q, r), bits, strict=True))
        holding = [member for guard, member in members(value) if evaluate(guard, model)]
        assert len(holding) == 1
        assert holding[0] == choose(*bits)


def test_unions_have_one_member_for_each_class() -> None:
    def numbers(x):
        v = None
        for k in range(8):
            if x == k:
                v = k * x
            elif x == -k:
                v = (k, x)
        return v

    value = execute(numbers, Int("x")).value
    assert cardinality(value) == 3


def test_merging_numbers_makes_no_union() -> None:
    def numbers(x):
        if x > 0:
            return x
        return 5 if x == 0 else -x

    outcome = execute(numbers, Int("x"))
    assert not is_union(outcome.value)
    assert outcome.stats.unions == 0


def test_references_of_one_class_stay_apart() -> None:
    a, b = [1], [2]

    def either(x):
        return a if x > 0 else b

    value = execute(either, Int("x")).value
    found = [member for _, member in members(value)]
    assert len(found) == 2
    assert {id(member) for member in found} == {id(a), id(b)}


def test_unions_inside_of_arguments_are_adopted() -> None:
    letters = [merge(Bool(f"p{place}"), "a", "b") for place in range(2)]

    def joined(given: list[Any]) -> str:
        return "".join(given)

    outcome = execute(joined, letters)
    assert not outcome.failures
    assert evaluate(outcome.value, {"p0": True, "p1": False}) == "ab"


def test_variables_of_one_side_alone_are_not_merged() -> None:
    def sum_if(p: Any, numbers: list[Any], label: Any) -> Any:
        total = 0
        if p:
            for number in numbers:
                label = "found"
                total += number if label else 0
        return total

    outcome = execute(sum_if, Bool("p"), [1, Int("x")], 7)
    assert evaluate(outcome.value, {"p": True, "x": 4}) == 5
    assert outcome.stats.unions == 0
    # What is used elsewhere, too, has to be merged.

    def last(p: Any) -> Any:
        label = None
        if p:
            label = "found"
        return label

    assert execute(last, Bool("p")).stats.unions == 1


def test_only_branches_that_paths_may_leave_open_a_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Scope] = []
    as_before = Scope.open
    monkeypatch.setattr(Scope, "open", lambda scope: (opened.append(scope), as_before(scope)))

    def early(p: Any, q: Any, x: Any) -> Any:
        if p:
            for _ in range(2):
                x += 1
        if q:
            return x
        return x + 2

    model = {"p": True, "q": True, "x": 1}
    assert evaluate(execute(early, Bool("p"), False, Int("x")).value, model) == 5
    assert opened == []
    assert evaluate(execute(early, Bool("p"), Bool("q"), Int("x")).value, model) == 3
    assert len(opened) == 1


@dataclass(frozen=True)
class Marked:
    number: int
    mark: int = field(init=False)

    def __post_init__(self) -> None:
        if self.number > 0:
            object.__setattr__(self, "mark", self.number)


def test_instances_that_are_made_on_no_path() -> None:
    """Both members are asked for each of two factors, of which two pairs cannot be."""

    def f(x: int, p: bool, q: bool) -> Any:
        s = Fraction(x, 2) if p else 0
        t = s * s
        return (t + s) * 2 if q else t - s

    agree(f, [-1, 0, 1, 2], [False, True], [False, True])


def test_fields_that_some_paths_have_not_set() -> None:
    def f(a: int, b: int, p: bool) -> Any:
        return (Marked(a) if p else Marked(b)).mark

    agree(f, [-1, 0, 1], [-1, 0, 1], [False, True])
