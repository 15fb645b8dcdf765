"""Merging (figure 9): under every model the merged value is the one of the side that was taken."""

from __future__ import annotations

import itertools
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent import Bool, Int
from solvent.lift.under_model import evaluate
from solvent.terms import not_
from solvent.vm.merge import merge, merge_slots
from solvent.vm.owned import (
    Elements,
    elements_of,
    merge_elements,
    merge_entries,
    merge_items,
    merge_owned,
)
from solvent.vm.shapes import group
from solvent.vm.slots import UNBOUND, Maybe
from solvent.vm.spread import combine
from solvent.vm.union import Union, choices_of, exclusive

CONDITIONS = [Bool(f"p{place}") for place in range(3)]
NUMBER = Int("n")
MODELS = [
    dict(zip((*CONDITIONS, NUMBER), (*bits, 5), strict=True))
    for bits in itertools.product((False, True), repeat=len(CONDITIONS))
]

Point = namedtuple("Point", "a b")


@dataclass(frozen=True)
class Frozen:
    a: object
    b: object = 0


class Thing:
    """A mutable object."""


REFERENCES: list[Any] = [[1], [1], {1: 2}, Thing(), Thing(), {3}, len, Thing]

atoms = st.sampled_from([None, True, False, 0, 1, 7, NUMBER, NUMBER + 1, "a", "b", b"a", 1.5])
references = st.sampled_from(REFERENCES)
leaves = st.one_of(atoms, references)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(),
        st.tuples(inner),
        st.tuples(inner, inner),
        st.builds(Point, inner, inner),
        st.builds(Frozen, inner, inner),
    ),
    max_leaves=4,
)
conditions = st.sampled_from([*CONDITIONS, not_(CONDITIONS[0])])
# A tree of merges: a value, or a condition and two trees.
trees = st.recursive(
    values, lambda inner: st.tuples(st.just("merge"), conditions, inner, inner), max_leaves=8
)


def is_merge(tree: Any) -> bool:
    return type(tree) is tuple and len(tree) == 4 and tree[0] == "merge"


def merged(tree: Any) -> Any:
    """The value of a tree, merged."""
    if not is_merge(tree):
        return tree
    _, condition, first, second = tree
    return merge(condition, merged(first), merged(second))


def chosen(tree: Any, model: dict[Any, Any]) -> Any:
    """The value of a tree under a model, without merging."""
    while is_merge(tree):
        tree = tree[2] if evaluate(tree[1], model) else tree[3]
    return tree


def shown(value: Any) -> Any:
    """A value in which references are told apart by identity."""
    if isinstance(value, tuple):
        return (type(value).__name__, *(shown(item) for item in value))
    if isinstance(value, Frozen):
        return ("Frozen", shown(value.a), shown(value.b))
    for place, reference in enumerate(REFERENCES):
        if value is reference:
            return ("reference", place)
    return (type(value).__name__, value)


def members_of(value: Any) -> list[Any]:
    return [member for _, member in choices_of(value)]


@given(trees)
def test_merged_value_is_the_chosen_one(tree: Any) -> None:
    value = merged(tree)
    for model in MODELS:
        found, expected = evaluate(value, model), evaluate(chosen(tree, model), model)
        assert shown(found) == shown(expected)


@given(trees)
def test_unions_are_flat_with_one_member_for_each_class(tree: Any) -> None:
    members = members_of(merged(tree))
    assert all(type(member) is not Union for member in members)
    groups = [group(member) for member in members]
    assert len(set(groups)) == len(groups)


@given(trees)
def test_exclusive_guards_partition_the_models(tree: Any) -> None:
    rows = exclusive(choices_of(merged(tree)))
    for model in MODELS:
        assert sum(evaluate(guard, model) for guard, _ in rows) == 1


@given(trees, conditions)
def test_merging_with_itself_changes_nothing(tree: Any, condition: Any) -> None:
    value = merged(tree)
    assert merge(condition, value, value) is value


@given(st.lists(st.tuples(conditions, values), min_size=1, max_size=6))
def test_combined_rows_are_an_ordered_choice(rows: list[Any]) -> None:
    value = combine(list(rows))
    for model in MODELS:
        taken = next((v for c, v in rows if evaluate(c, model)), rows[-1][1])
        if not any(evaluate(c, model) for c, _ in rows):
            continue
        assert shown(evaluate(value, model)) == shown(evaluate(taken, model))


@pytest.mark.parametrize(
    ("first", "second"),
    [(1, 2), (True, False), (NUMBER, 3), ("a", "a"), (None, None), ((1, 2), (3, 4))],
)
def test_values_of_one_class_make_no_union(first: Any, second: Any) -> None:
    assert type(merge(CONDITIONS[0], first, second)) is not Union


@pytest.mark.parametrize(
    ("first", "second"),
    [(1, True), (1, None), ("a", 1), ((1,), (1, 2)), ([1], [1]), (Point(1, 2), (1, 2)), (1, 1.5)],
)
def test_values_of_two_classes_make_a_union(first: Any, second: Any) -> None:
    value = merge(CONDITIONS[0], first, second)
    assert type(value) is Union
    assert len(members_of(value)) == 2


def in_order(condition: Any, *values: Any) -> Any:
    """A union whose members come from these values, in their order where they are references."""
    result = values[-1]
    for place, value in reversed(list(enumerate(values[:-1]))):
        result = merge(Bool(f"{condition}{place}"), value, result)
    return result


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("others", [(), (None, 7, "a", (1, 2)), (None, True, Point(1, 2), 1.5)])
def test_references_that_two_unions_have_in_different_orders(order: Any, others: Any) -> None:
    references = [REFERENCES[0], REFERENCES[3], REFERENCES[4]]
    first = [*others[:3], *references]
    second = [*(references[place] for place in order), *others[1:]]
    value = merge(CONDITIONS[0], in_order("left", *first), in_order("right", *second))
    # Each reference, and each class of the others, once.
    groups = [group(member) for member in members_of(value)]
    assert sorted(map(str, groups)) == sorted({str(group(one)) for one in (*first, *second)})
    for side, values_ in ((True, first), (False, second)):
        for taken in range(len(values_)):
            model = {
                f"{name}{place}": place == taken for name in ("left", "right") for place in range(6)
            }
            found = evaluate(value, {CONDITIONS[0]: side, **model})
            assert shown(found) == shown(values_[taken])


def test_mutable_objects_are_never_copied() -> None:
    first, second = [1], [1]
    value = merge(CONDITIONS[0], first, second)
    assert {id(member) for member in members_of(value)} == {id(first), id(second)}


def test_a_concrete_condition_picks() -> None:
    pairs: list[tuple[Any, Any]] = [
        (1, 2), (NUMBER, 3), (True, False), ((1, 2), (3, NUMBER)), (Point(1, 2), Point(3, 4)),
        (Frozen(1), Frozen(2)), (None, "a"), ([1], [2]), ("a", "b"), ([1].append, [2].append),
        (merge(CONDITIONS[0], None, 1), merge(CONDITIONS[1], "a", 1)),
        (Maybe(CONDITIONS[0], 1), 2),
    ]  # fmt: skip
    for first, second in pairs:
        assert merge(True, first, second) is first
        assert merge(False, first, second) is second
        assert merge_owned(True, first, second, 10, 10) is first
        assert merge_owned(False, first, second, 10, 10) is second


ORDERS = [
    (list(left), list(right))
    for left in itertools.permutations(range(4), 2)
    for right in itertools.permutations(range(4), 2)
]


@pytest.mark.parametrize(("left", "right"), ORDERS)
def test_a_reference_of_two_unions_is_one_member(left: list[int], right: list[int]) -> None:
    things = [Thing() for _ in range(4)]
    inner, outer, choice = CONDITIONS
    first = merge(inner, *(things[place] for place in left))
    second = merge(outer, *(things[place] for place in right))
    value = merge(choice, first, second)
    found = [id(member) for member in members_of(value)]
    assert sorted(found) == sorted({id(things[place]) for place in (*left, *right)})
    for model in MODELS:
        side, test = (left, inner) if model[choice] else (right, outer)
        assert evaluate(value, model) is things[side[0] if model[test] else side[1]]


# --- slots and contents ---------------------------------------------------------------------------

slots = st.one_of(
    values, st.just(UNBOUND), st.builds(lambda c, v: Maybe(c, v), conditions, st.integers(0, 3))
)


def slot(content: Any, model: dict[Any, Any]) -> Any:
    """What a slot holds under a model."""
    if type(content) is Maybe:
        if not evaluate(content.guard, model):
            return "empty"
        content = content.value
    return shown(evaluate(content, model))


@given(conditions, slots, slots)
def test_slots_that_may_be_empty(condition: Any, first: Any, second: Any) -> None:
    result = merge_slots(condition, first, second)
    for model in MODELS:
        expected = first if evaluate(condition, model) else second
        assert slot(result, model) == slot(expected, model)


@given(conditions, st.lists(values, max_size=4), st.lists(values, max_size=4))
def test_items(condition: Any, first: list[Any], second: list[Any]) -> None:
    result = merge_items(condition, first, second)
    for model in MODELS:
        expected = first if evaluate(condition, model) else second
        found = [slot(item, model) for item in result]
        assert found[: len(expected)] == [slot(item, model) for item in expected]
        assert set(found[len(expected) :]) <= {"empty"}


keys = st.sampled_from(["a", "b", "c", 1, 2])


@given(conditions, st.dictionaries(keys, values), st.dictionaries(keys, values))
def test_entries(condition: Any, first: dict[Any, Any], second: dict[Any, Any]) -> None:
    result = merge_entries(condition, first, second)
    for model in MODELS:
        expected = first if evaluate(condition, model) else second
        found = {key: slot(entry, model) for key, entry in result.items()}
        left = {key: entry for key, entry in found.items() if entry != "empty"}
        assert left == {key: slot(entry, model) for key, entry in expected.items()}


@given(conditions, st.sets(st.integers(0, 4)), st.sets(st.integers(0, 4)))
def test_elements(condition: Any, first: set[int], second: set[int]) -> None:
    guards = elements_of(merge_elements(condition, first, second))
    for model in MODELS:
        expected = first if evaluate(condition, model) else second
        assert {e for e, guard in guards.items() if evaluate(guard, model)} == expected


def test_equal_sets_stay_plain() -> None:
    assert merge_elements(CONDITIONS[0], {1, 2}, {2, 1}) == {1, 2}
    assert any(type(e) is Elements for e in merge_elements(CONDITIONS[0], {1}, {2}))


def test_objects_with_one_owner_are_merged_into_a_new_one() -> None:
    result = merge_owned(CONDITIONS[0], [1, 2], [3], 10, 10)
    assert type(result) is list
    assert evaluate(result, {**MODELS[0], CONDITIONS[0]: True}) == [1, 2]
    assert evaluate(result, {**MODELS[0], CONDITIONS[0]: False}) == [3]


def test_objects_that_only_a_union_holds_are_merged_too() -> None:
    def union(items: list[int]) -> Any:
        return Union(((CONDITIONS[1], None), (True, items)))

    for first, second in (
        (union([1, 2]), union([3])),
        (union([1, 2]), [3]),
        ([1, 2], union([3])),
    ):
        kept = [first, second]
        del first, second
        result = merge_owned(CONDITIONS[0], *kept, 10, 10)
        assert [type(member) for member in members_of(result)] == [type(None), list]
        for model in MODELS:
            side = kept[0] if model[CONDITIONS[0]] else kept[1]
            assert evaluate(result, model) == evaluate(side, model)


def test_objects_with_other_owners_are_not() -> None:
    first, second = [1], [2]
    others = [first, second]
    result = merge_owned(CONDITIONS[0], first, second, 2, 2)
    assert type(result) is Union
    assert {id(member) for member in members_of(result)} == {id(other) for other in others}
