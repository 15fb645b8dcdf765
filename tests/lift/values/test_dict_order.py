"""Dicts whose keys are in different orders on different paths: iterating them is exact."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter, OrderedDict, defaultdict
from typing import Any

import pytest

from solvent import Bool, Int, evaluate
from solvent.lift import execute, symbolics
from solvent.vm.orders import ORDER, SYMBOLIC
from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2]
LETTERS = ["a", "b", "c"]


def both(p: Any) -> dict[Any, Any]:
    """A dict that two branches fill in different orders."""
    table = {}
    if p:
        table["a"] = 1
        table["b"] = 2
    else:
        table["b"] = 3
        table["a"] = 4
    table["c"] = 5
    return table


def test_every_way_to_iterate() -> None:
    def f(p: Any) -> Any:
        table = both(p)
        pairs = []
        for key, value in table.items():
            pairs.append((key, value))
        keys = []
        for key in table:
            keys.append(key)
        first, *rest = table
        return (
            pairs,
            keys,
            list(table),
            list(table.keys()),
            list(table.values()),
            list(reversed(table)),
            list(reversed(table.items())),
            next(iter(table)),
            [*table],
            {**table},
            dict(table),
            dict(table.items()),
            {key: value + 1 for key, value in table.items()},
            tuple(table),
            first,
            rest,
            [place for place, key in enumerate(table) if key == "b"],
            list(zip(table, table.values(), strict=True)),
            table,
        )

    agree(f, BITS)


def test_texts() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        if q:
            table["d"] = 6
        lines = "".join(f"{key}={value};" for key, value in table.items())
        return ", ".join(table), lines, str(table), repr(table), f"{table}", repr([table])

    agree(f, BITS, BITS)


def test_texts_of_derived_classes() -> None:
    def f(p: Any, x: Any) -> Any:
        ordered: Any = OrderedDict(both(p))
        made: Any = defaultdict(int, both(p))
        made[LETTERS[x]] += 1
        empty: Any = OrderedDict()
        if p:
            empty["e"] = {}
        counts = Counter([LETTERS[x], "b", "a" if p else "c"])
        return repr(ordered), repr(made), repr(empty), repr(counts)

    agree(f, BITS, SMALL)


def test_a_key_that_some_paths_had_before() -> None:
    def f(p: Any, q: Any) -> Any:
        table = {}
        if p:
            table["a"] = 1
        table["b"] = 2
        if q:
            table["c"] = 3
        table["a"] = 4
        table["c"] = 5
        return list(table.items()), table

    agree(f, BITS, BITS)


def test_deleting_and_inserting_again() -> None:
    def f(p: Any, q: Any, r: Any) -> Any:
        table = {"a": 1, "b": 2, "c": 3}
        if p:
            del table["a"]
        if q:
            table["d"] = table.pop("b")
            table["b"] = 9
        table["a"] = 5
        if r:
            table["c"] = table.pop("c")
        return list(table.items()), list(reversed(table)), table

    agree(f, BITS, BITS, BITS)


def test_an_order_that_is_the_same_again() -> None:
    def f(p: Any) -> Any:
        table = both(p)
        del table["a"]
        table["a"] = 0
        return list(table)

    outcome = agree(f, BITS)
    assert outcome.value == ["b", "c", "a"]


def test_clearing_ends_it() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        if q:
            table.clear()
        table["a"] = 0
        return list(table), table

    agree(f, BITS, BITS)


def test_nested_forks() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        table = {}
        if p:
            table["a"] = 1
            if q:
                table["b"] = 2
            else:
                table["c"] = 3
                table["b"] = x
        elif x == 1:
            table["c"] = 4
            table["a"] = x
            if q:
                table["b"] = 5
        else:
            table["b"] = 6
            table["a"] = 7
        if q:
            table["c"] = 8
        return list(table.items()), table

    agree(f, BITS, BITS, SMALL)


def test_dicts_that_both_branches_build() -> None:
    def f(p: Any, q: Any) -> Any:
        table = {"a": 1, "b": 2, "c": 3} if p else {"c": 4, "d": 5, "a": 6}
        alias = table
        if q:
            table = {"e": 7, **table}
        else:
            table = dict(reversed(table.items()))
        table["f"] = 8
        return list(table.items()), list(alias), table

    agree(f, BITS, BITS)


def test_counting_words() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        counts: dict[Any, Any] = {}
        for place in (x, y, z, x):
            word = LETTERS[place]
            counts[word] = counts.get(word, 0) + 1
        report = []
        for word, number in counts.items():
            report.append((word, number))
        best = max(counts, key=lambda word: counts[word])
        return report, best, next(iter(counts))

    agree(f, SMALL, SMALL, SMALL)


def test_counting_symbolic_words() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        counts: dict[Any, Any] = {}
        for word in (x, y, z, y):
            counts[word] = counts.get(word, 0) + 1
        return list(counts.items()), counts.popitem(), counts

    agree(f, SMALL, SMALL, SMALL)


def test_counting_strings() -> None:
    def f(x: Any, y: Any) -> Any:
        counts: dict[Any, Any] = {"b": 0}
        for word in (x, y, "a"):
            counts[word] = counts.get(word, 0) + 1
        return list(counts.items())

    agree(f, LETTERS, LETTERS)


def test_symbolic_keys_that_come_back() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        table = {x: "x", 1: "one"}
        if p:
            table.pop(y, None)
            table[x] = "again"
        table[y] = "y"
        table[1] = "last"
        return list(table.items()), list(reversed(table)), table

    agree(f, BITS, SMALL, SMALL)


def test_grouping() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        groups: dict[Any, Any] = {}
        for number in (x, y, z):
            groups.setdefault("even" if number % 2 == 0 else "odd", []).append(number)
        result = []
        for name, members in groups.items():
            result.append((name, len(members), sum(members)))
        for members in groups.values():
            members.append(9)
        return result, groups

    agree(f, SMALL, SMALL, SMALL)


def test_grouping_with_a_factory() -> None:
    def f(x: Any, y: Any) -> Any:
        groups: Any = defaultdict(list)
        for number in (x, y, 1):
            groups[LETTERS[number]].append(number)
        return list(groups), list(groups.values()), groups, groups.copy()

    agree(f, SMALL, SMALL)


class Cache:
    """The least recently used entries are dropped."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.entries: Any = OrderedDict()
        self.misses = 0

    def get(self, key: Any) -> Any:
        if key in self.entries:
            self.entries.move_to_end(key)
        else:
            self.misses += 1
            self.entries[key] = key * 10
            if len(self.entries) > self.size:
                self.entries.popitem(last=False)
        return self.entries[key]


def test_a_cache() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        cache = Cache(2)
        values = [cache.get(key) for key in (x, y, z, x, 1)]
        return values, cache.misses, list(cache.entries.items()), cache.entries

    agree(f, SMALL, SMALL, SMALL)


def test_a_cache_of_concrete_keys() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        cache = Cache(2)
        for place in (x, y, z, x):
            cache.get(LETTERS[place])
        return cache.misses, list(cache.entries.items()), cache.entries

    agree(f, SMALL, SMALL, SMALL)


def test_moving_to_the_ends() -> None:
    def f(p: Any, q: Any, x: Any) -> Any:
        found: Any = OrderedDict(a=1, b=2, c=3)
        if p:
            found.move_to_end("a")
        found.move_to_end(LETTERS[x], last=q)
        keys = list(found)
        return keys, found.popitem(last=p), found.popitem(last=False), found

    agree(f, BITS, BITS, SMALL)


def test_moving_keys_that_may_be_missing() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        found: Any = OrderedDict({x: "x", 1: "one"})
        if p:
            found[2] = "two"
        found.move_to_end(y)
        found.move_to_end(1, last=False)
        return list(found.items()), found

    agree(f, BITS, SMALL, SMALL)


def test_equality_of_ordered_dicts() -> None:
    def f(p: Any, q: Any) -> Any:
        first: Any = OrderedDict(both(p))
        second: Any = OrderedDict(a=1, b=2, c=5)
        if q:
            second.move_to_end("a")
            second.move_to_end("c")
        return first == second, first == dict(second), second != first, first == both(p)

    agree(f, BITS, BITS)


def test_popitem() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        if q:
            del table["c"]
        first = table.popitem()
        second = table.popitem()
        table["a"] = 7
        return first, second, table, table.popitem(), table.popitem(), list(table)

    agree(f, BITS, BITS)


def test_popitem_until_it_is_empty() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        if q:
            del table["a"]
        seen = []
        while table:
            seen.append(table.popitem())
        return seen

    agree(f, BITS, BITS)


def test_update() -> None:
    def f(p: Any, q: Any) -> Any:
        source = both(p)
        table = {"x": 0}
        if q:
            table["b"] = 1
        table.update(source)
        other = {"c": 1} | source
        other |= {"d": 2, "b": 3}
        source |= {"e": 1} if q else [("f", 2), ("e", 3)]  # type: ignore[arg-type]
        return list(table.items()), list(other.items()), list(source), table, other, source

    agree(f, BITS, BITS)


def test_update_by_symbolic_keys() -> None:
    def f(p: Any, x: Any, y: Any) -> Any:
        source = {}
        if p:
            source[x] = "x"
            source[1] = "one"
        else:
            source[1] = "uno"
            source[x] = "ics"
        table = {y: "y", 2: "two"}
        table.update(source)
        return list(source.items()), list(table.items()), table

    agree(f, BITS, SMALL, SMALL)


def test_update_under_a_condition() -> None:
    def f(table: Any, source: Any, p: Any, q: Any) -> Any:
        if p:
            table.update(source)
        else:
            table["c"] = 0
            source.update(table)
        if q:
            source["d"] = source.pop("c", 3)
            table.update(source)
        return list(table), list(source)

    def make(p: Any, q: Any) -> tuple[Any, ...]:
        return {"a": 1, "b": 2}, {"b": 3, "a": 4}, p, q

    agree(f, BITS, BITS, make=make)


def test_counters() -> None:
    def f(x: Any, y: Any, z: Any) -> Any:
        counts = Counter([LETTERS[x], LETTERS[y], LETTERS[z]])
        other = Counter("cb")
        return (
            list(counts),
            counts.most_common(),
            counts.most_common(1),
            list(counts.elements()),
            counts + other,
            counts - other,
            counts | other,
            counts & other,
            counts,
        )

    agree(f, SMALL, SMALL, SMALL)


def test_counters_in_place() -> None:
    def f(x: Any, y: Any) -> Any:
        counts: Any = Counter([x, y])
        counts += Counter([y, 1, 5])
        counts.subtract([x])
        counts -= Counter([2])
        counts["z"] += 1
        return list(counts.items()), counts.most_common(2)

    agree(f, SMALL, SMALL)


def test_ties_are_kept_in_order() -> None:
    def f(x: Any, y: Any) -> Any:
        counts: dict[Any, Any] = {}
        for place in (x, y, 0, 1, 2):
            counts.setdefault(LETTERS[place], 1)
        ranked = sorted(counts.items(), key=lambda pair: pair[1])
        return ranked, min(counts, key=counts.get), sorted(counts), sorted(counts.values())  # type: ignore[arg-type]

    agree(f, SMALL, SMALL)


def test_changes_while_iterating() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        for key in list(table):
            if q:
                table[key] = table.pop(key)
            else:
                table[key] += 1
        items = iter(table.items())
        first = next(items)
        table[first[0]] = 0
        if q:
            table["z"] = 1
        return first, list(items)

    agree(f, BITS, BITS)


def test_arguments_and_aliases() -> None:
    def f(table: Any, p: Any, q: Any) -> Any:
        alias, view = table, table.keys()
        if p:
            alias["a"] = table.pop("a")
        if q:
            table["b"] = alias.pop("b")
        return list(view), table is alias, list(alias.items())

    agree(f, BITS, BITS, make=lambda p, q: ({"a": [1], "b": [2], "c": [3]}, p, q))


def test_exceptions_leave_the_order() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        try:
            table["b"] = table.pop("b")
            if q:
                del table["a"]
            del table["a"]
            table["d"] = 1
        except KeyError as error:
            table[error.args[0]] = 2
        return list(table.items())

    agree(f, BITS, BITS)


def test_loops_with_exits() -> None:
    def f(x: Any, y: Any) -> Any:
        table: dict[Any, Any] = {}
        for key in (2, 0, 1):
            if key == x:
                continue
            table[key] = y
            if key == y:
                break
        table[x] = "x"
        for key in table:
            if key == y:
                return key, list(table)
        return list(table.items())

    agree(f, SMALL, SMALL)


def test_copies() -> None:
    def f(p: Any, q: Any) -> Any:
        table: dict[Any, Any] = both(p)
        table["list"] = []
        first, second, third = table.copy(), copy.copy(table), copy.deepcopy(table)
        if q:
            first["a"] = first.pop("a")
            third["list"].append(1)
        return list(first), list(second), list(third.items()), list(table), third

    agree(f, BITS, BITS)


def test_deep_copies_of_keys() -> None:
    def f(p: Any, x: Any) -> Any:
        table = {}
        if p:
            table[(x, 1)] = "a"
            table[(0, 1)] = "b"
        else:
            table[(0, 1)] = "c"
            table[(x, 1)] = "d"
        return list(copy.deepcopy(table).items()), copy.deepcopy(OrderedDict(table))

    agree(f, BITS, SMALL)


def test_nested_dicts() -> None:
    def f(p: Any, q: Any) -> Any:
        outer: dict[Any, Any] = {}
        for name in ("x", "y") if p else ("y", "x"):
            inner = outer.setdefault(name, {})
            for key in ("a", "b") if q else ("b", "a"):
                inner[key] = name + key
        lines = []
        for name, inner in outer.items():
            for key, text in inner.items():
                lines.append(f"{name}.{key}={text}")
        return lines, outer

    agree(f, BITS, BITS)


def shown(*args: Any, **named: Any) -> Any:
    """A function that sees the order of its arguments."""
    named["z"] = args
    return list(named.items())


def test_keyword_arguments() -> None:
    def f(p: Any, q: Any) -> Any:
        table = both(p)
        if q:
            table["a"] = table.pop("a")
        else:
            del table["b"]
        return shown(1, **table), shown(y=2, **both(q)), dict(x=1, **table)

    agree(f, BITS, BITS)


def test_many_orders() -> None:
    def f(*places: Any) -> Any:
        table: dict[Any, Any] = {}
        for place in places:
            table["abcdef"[place]] = None
        return list(table)

    def five(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        return f(a, b, c, d, e)

    inputs = [Int(f"in{place}") for place in range(5)]
    outcome = execute(five, *inputs)
    choose = random.Random(1)
    for _ in range(200):
        values = [choose.randrange(6) for _ in inputs]
        assert evaluate(outcome.value, dict(zip(inputs, values, strict=True))) == f(*values)


def program(seed: int) -> Any:
    """A random program on a dict: each step is done under a symbolic condition or not."""
    choose = random.Random(seed)
    ordered = choose.random() < 0.5
    names = ["set", "pop", "setdefault", "update", "popitem", "rebuild", "merge"]
    names += ["last", "first", "popfirst"] if ordered else []
    steps = [
        (choose.choice(names), choose.choice("abcd"), choose.choice("abcd"), choose.randrange(4))
        for _ in range(6)
    ]

    def step(table: Any, name: Any, key: Any, other: Any) -> Any:
        if name == "set":
            table[key] = name
        elif name == "pop":
            table.pop(key, None)
        elif name == "setdefault":
            table.setdefault(key, name)
        elif name == "update":
            table.update({other: name, key: name})
        elif name == "popitem":
            if table:
                table.popitem()
        elif name == "popfirst":
            if table:
                table.popitem(last=False)
        elif name == "rebuild":
            items = list(reversed(table.items()))
            table.clear()
            for found, value in items:
                table[found] = value
        elif name == "merge":
            table |= {other: 1, **table, key: 2}
        elif key in table:
            table.move_to_end(key, last=name == "last")
        return table

    def f(*bits: Any) -> Any:
        table: Any = OrderedDict() if ordered else {}
        log = []
        for name, key, other, bit in steps:
            if bit == 3 or bits[bit]:
                step(table, name, key, other)
            else:
                step(table, "set", other, key)
            log.append(list(table))
        return log, list(table.items()), table

    def three(p: Any, q: Any, r: Any) -> Any:
        return f(p, q, r)

    return three


# The last ones found mistakes once.
@pytest.mark.parametrize("seed", [*range(30), 67, 103, 134, 140, 395])
def test_random_programs(seed: int) -> None:
    agree(program(seed), BITS, BITS, BITS)


class Record:
    """An object whose attributes are set in different orders."""


def test_objects_that_both_branches_make() -> None:
    def f(p: Any) -> Any:
        record: Any = Record()
        if p:
            record = Record()
            record.a = 1
            record.b = 2
        else:
            record = Record()
            record.b = 3
            record.a = 4
        return list(vars(record).items())

    agree(f, BITS)


def test_attributes_of_exceptions() -> None:
    def f(p: Any, q: Any) -> Any:
        error: Any = ValueError(1)
        if p:
            error = ValueError(1)
            error.a = 1
            error.b = 2
        else:
            error = ValueError(1)
            error.b = 2
            error.a = 1
        if q:
            error.c = 3
        raise error

    p, q = Bool("p"), Bool("q")
    failures = execute(f, p, q).failures
    for model, names in (
        ({p: True, q: False}, ["a", "b"]),
        ({p: False, q: True}, ["b", "a", "c"]),
    ):
        (found,) = [failure for failure in failures if evaluate(failure.condition, model)]
        assert list(vars(evaluate(found.exception, model))) == names


def test_what_a_dict_remembers() -> None:
    def f(p: Any) -> Any:
        table = {}
        for key in ("a", "b", "c") if p else ("b", "a", "c"):
            table[key] = None
        return table

    p = Bool("p")
    table = execute(f, p).value
    assert symbolics(table) == [p]
    assert list(evaluate(table, {p: True})) == ["a", "b", "c"]
    assert list(evaluate(table, {p: False})) == ["b", "a", "c"]
    for hidden in (ORDER, SYMBOLIC):
        assert copy.deepcopy(hidden) is hidden
        assert pickle.loads(pickle.dumps(hidden)) is hidden
