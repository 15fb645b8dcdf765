"""Grammars: which expressions they stand for, and what they cost."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import solvent.sketch as sk
from solvent import BitVec, Bool, Int, evaluate, lifted, synthesize
from solvent.errors import SketchError
from solvent.lift import execute, symbolics
from solvent.sketch import Grammar, choose, choose_each, complete, grammar, hole
from solvent.terms import bv
from tests.sketch.enumerating import models


@grammar(depth=2)
def tree(x):
    return choose(x, (tree(x), tree(x)), [tree(x)])


def trees(depth: int, x: Any) -> list[Any]:
    """All trees, by brute force."""
    if depth == 0:
        return [x]
    inner = trees(depth - 1, x)
    return [x, *itertools.product(inner, inner), *([each] for each in inner)]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_grammar_stands_for_the_expressions_up_to_its_depth_and_no_others(depth):
    limited = Grammar(tree.function, depth)
    # The grammar calls the one that its module names.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "tree", limited)
        value = execute(lambda: limited(7)).value
        found = {repr(evaluate(value, model)) for model in models(symbolics(value))}
    assert found == {repr(each) for each in trees(depth, 7)}


@grammar(depth=1)
def arithmetic(x, y):
    return choose(x, y, hole(Int), arithmetic(x, y) + arithmetic(y, x), -arithmetic(x, y))


def test_each_call_in_the_source_has_choices_of_its_own():
    def twice(x, y):
        return arithmetic(x, y), arithmetic(x, y)

    first, second = execute(twice, Int("x"), Int("y")).value
    shared = set(symbolics(first)) & set(symbolics(second))
    assert {constant.name for constant in shared} == {"x", "y"}


def test_the_same_call_in_a_loop_is_the_same_expression():
    def loop():
        return [arithmetic(n, 10 * n) for n in range(1, 4)]

    value = execute(loop).value
    results = {tuple(evaluate(value, model)) for model in models(symbolics(value), range(2))}
    assert (1, 2, 3) in results
    assert (11, 22, 33) in results
    assert not any(a == 1 and b == 20 for a, b, _ in results)
    for a, b, c in results:
        # All of them are linear in n.
        assert c - b == b - a


def test_plain_and_lifted_code_make_the_same_constants():
    def caller(x, y):
        return arithmetic(x, y)

    x, y = Int("x"), Int("y")
    assert caller(x, y) is execute(caller, x, y).value
    assert caller(x, y) is caller(x, y)


def test_concrete_calls_are_replayed():
    def check(x, y):
        assert arithmetic(x, y) == x + y

    result = synthesize(check, Int("x"), Int("y"))
    assert result.confirmed
    assert complete(result, check).splitlines()[1] in (
        "    assert x + y == x + y", "    assert y + x == x + y",
    )  # fmt: skip


# --- a depth is a bound ------------------------------------------------------------------------


def test_without_an_option_that_ends_there_is_an_error():
    @grammar(depth=3)
    def endless(x):
        return choose(-endless(x), endless(x) + 1)

    with pytest.raises(SketchError, match="`endless` has no expression of depth 3"):
        endless(1)


@grammar(depth=1)
def sum_(x):
    return choose(product(x), sum_(x) + product(x))


@grammar(depth=1)
def product(x):
    return choose(x, product(x) * x, bracket(x))


@grammar(depth=0)
def bracket(x):
    return choose(-sum_(x), abs(sum_(x)))


def test_grammars_may_call_each_other():
    value = execute(lambda: sum_(3)).value
    found = {evaluate(value, model) for model in models(symbolics(value))}
    assert found == by_hand("sum_", 3, {})
    assert len(found) > 6


def by_hand(name: str, x: int, before: dict[str, int]) -> set[int]:
    """The values of the grammars above, by brute force."""
    counts = {**before, name: before.get(name, 0) + 1}
    if counts[name] > {"sum_": 2, "product": 2, "bracket": 1}[name]:
        return set()

    def values(inner: str) -> set[int]:
        return by_hand(inner, x, counts)

    if name == "sum_":
        return values("product") | {a + b for a in values("sum_") for b in values("product")}
    if name == "product":
        return {x} | {a * x for a in values("product")} | values("bracket")
    return {-a for a in values("sum_")} | {abs(a) for a in values("sum_")}


def test_options_without_an_end_are_left_out_through_other_grammars():
    @grammar(depth=0)
    def outer(x):
        return choose(inner(x), x, -inner(x))

    @grammar(depth=5)
    def inner(x):
        return outer(x) + 1

    value = execute(lambda: outer(5)).value
    assert value == 5


def test_calling_itself_through_another_function_is_refused():
    with pytest.raises(SketchError, match="calls itself through another function"):
        execute(lambda: through(1))


def helper(x):
    return through(x)


@grammar(depth=1)
def through(x):
    return choose(x, helper(x))


def test_a_function_made_by_a_grammar_has_no_holes_of_its_own():
    @grammar(depth=0)
    def maker(x):
        return lambda: choose(x, 1)

    with pytest.raises(SketchError, match="is in the grammar `maker`, but is called when that has"):
        execute(lambda: maker(1)())


def test_a_helper_chooses_for_all_expansions():
    value = execute(lambda: calls_helper(1)).value
    assert sum("in_helper" in str(c) or "[" not in c.name for c in symbolics(value)) == 1


def chooses(x):
    return choose(x, x + 1)


@grammar(depth=1)
def calls_helper(x):
    return choose(chooses(x), (calls_helper(x), calls_helper(x)))


@pytest.mark.parametrize("depth", [-1, None, True, 1.0])
def test_the_depth_is_a_number(depth):
    with pytest.raises(SketchError, match="the depth of a grammar is a number from 0 on"):
        grammar(depth=depth)


def test_what_is_no_grammar():
    with pytest.raises(SketchError, match="is no function"):
        grammar(depth=1)(Int)
    with pytest.raises(SketchError, match="does not return an expression at once"):

        @grammar(depth=1)
        def several():
            yield 1


# --- other shapes ------------------------------------------------------------------------------


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    @grammar(depth=1)
    def value(self, x):
        """The scaled value of an expression."""
        return choose(x, self.factor, self.value(x) + self.value(self.factor))

    def double(self, x):
        return 2 * self.value(x)


def test_grammars_may_be_methods():
    value = execute(lambda: Scaled(10).double(1)).value
    found = {evaluate(value, model) for model in models(symbolics(value))}
    assert found == {2 * (a + b) for a in (1, 10) for b in (0, 10)} | {2, 20}
    assert Scaled.value.__doc__ == "The scaled value of an expression."


def test_grammars_may_be_named_through_modules_and_decorated_functions_lifted():
    @sk.grammar(depth=1)
    @lifted
    def plus(x):
        return sk.choose(x, plus(x) + plus(x))

    value = execute(lambda: plus(2)).value
    assert {evaluate(value, model) for model in models(symbolics(value))} == {2, 4}


def test_statements_in_a_grammar():
    @grammar(depth=1)
    def steps(x):
        y = choose(x, x + 1)
        if y > 2:
            return y
        return choose(0, steps(y))

    value = execute(lambda: steps(2)).value
    found = {evaluate(value, model) for model in models(symbolics(value))}
    assert found == {0, 3}


def test_effects_in_a_grammar_are_not_shared():
    log: list[int] = []

    def noted(x):
        log.append(x)
        return x

    @grammar(depth=1)
    def noisy(x):
        return choose(noted(x), noisy(x) + noisy(x), noisy(x) * 10)

    def run():
        log.clear()
        return noisy(1), list(log)

    value = execute(run).value
    results = {repr(evaluate(value, model)) for model in models(symbolics(value))}
    assert results == {"(1, [1])", "(2, [1, 1])", "(10, [1])"}


def test_failing_options_fail_only_where_they_are_chosen():
    @grammar(depth=1)
    def ratio(x):
        return choose(x, 1 // x, ratio(x) + 1, ratio(x) * 2)

    def check(x):
        return ratio(x)

    outcome = execute(check, Int("x"))
    failed = 0
    for model in models(symbolics([outcome.asserts, outcome.value])):
        namespace: dict[str, Any] = {}
        exec(complete(model, check), namespace)
        try:
            value = namespace["check"](model["x"])
        except ZeroDivisionError:
            assert evaluate(outcome.asserts, model) is False
            failed += 1
        else:
            assert evaluate(outcome.asserts, model) is True
            assert evaluate(outcome.value, model) == value
    assert failed == 4 + 2


def test_choosing_anew_in_a_grammar():
    @grammar(depth=1)
    def either(x):
        return choose_each(x, -x, either(x) + either(10))

    value = execute(lambda: either(1)).value
    found = {evaluate(value, model) for model in models(symbolics(value))}
    assert found == {1, -1, 11, 9, -9, -11}


# --- size --------------------------------------------------------------------------------------


@grammar(depth=4)
def wide(x, y):
    return choose(
        x, y, hole(BitVec(8)), ~wide(x, y), -wide(x, y),
        wide(x, y) & wide(x, y), wide(x, y) | wide(x, y), wide(x, y) ^ wide(x, y),
        wide(x, y) + wide(x, y), wide(x, y) - wide(x, y), wide(x, y) * wide(x, y),
        wide(x, y) >> wide(x, y), wide(x, y) << wide(x, y),
    )  # fmt: skip


def test_options_share_their_expansions():
    outcome = execute(lambda x, y: wide(x, y), BitVec("x", 8), BitVec("y", 8))
    # 31 expansions, of which 16 have three options left and the others thirteen.
    assert len(symbolics(outcome.value)) == 2 + 31 + 15 * 12 + 16 * 2
    assert outcome.stats.terms < 1500
    assert outcome.stats.joins < 500


@grammar(depth=2)
def bits(x):
    return choose(
        x, hole(BitVec(8)), -bits(x), ~bits(x), bits(x) & bits(x), bits(x) | bits(x),
        bits(x) ^ bits(x), bits(x) + bits(x), bits(x) - bits(x),
    )  # fmt: skip


def isolates(x):
    expected = 0
    for place in range(7, -1, -1):
        if x[place] == 1:
            expected = bv(1 << place, 8)
    assert bits(x) == expected


def test_isolating_the_rightmost_bit():
    result = synthesize(isolates, BitVec("x", 8))
    assert result.confirmed
    text = complete(result, isolates)
    assert "bits" not in text
    namespace: dict[str, Any] = {"bv": bv}
    exec(text, namespace)
    for number in range(256):
        namespace["isolates"](bv(number, 8))


def test_symbolic_conditions_around_a_grammar():
    def check(x, c):
        y = arithmetic(x, 1) if c else arithmetic(x, 2)
        assert y == (x + 1 if c else 2 + x)

    assert synthesize(check, Int("x"), Bool("c")).confirmed
