"""Every advice has its anti-pattern in the manual."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from solvent import assume
from solvent.profiling import advice, profile
from solvent.profiling.patterns import anchor, sections
from solvent.queries import verify

PAGE = Path(__file__).parents[2] / "docs" / "antipatterns.md"


def test_every_advice_is_in_the_manual() -> None:
    told = {found.anchor for found in vars(advice).values() if isinstance(found, advice.Advice)}
    assert len(told) == 7
    headings = re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE)
    assert told == {anchor(heading) for heading in headings} == set(sections())


def test_sections_are_shown_with_their_programs() -> None:
    for found in sections().values():
        assert "<h3 id=" in found
        assert found.count("<pre>") >= 1
        assert "&gt;&gt;&gt; def " in found
        assert "```" not in found


def operation(code: int, x: int) -> int:
    if code == 0:
        return x + 1
    if code == 1:
        return x - 1
    if code == 2:
        return x * 2
    if code == 3:
        return -x
    if code == 4:
        return x
    if code == 5:
        return x + 2
    return 0


def a_table_of_tests_that_return(codes: tuple[int, int, int, int]) -> None:
    x = 1
    for code in codes:
        x = operation(code, x)
    assert x <= 300


def step(state: int, symbol: int, table: dict[tuple[int, int], int]) -> int:
    return table.get((state, symbol), 0)


def a_key_that_is_got(word: tuple[int, int, int]) -> None:
    table = {(state, symbol): (state * 3 + symbol) % 7 for state in range(7) for symbol in range(4)}
    state = 0
    for symbol in word:
        state = step(state, symbol, table)
    assert 0 <= state < 7


def size_of(code: int) -> int:
    # fmt: off
    if code == 0: return 3  # noqa: E701
    if code == 1: return 5  # noqa: E701
    if code == 2: return 4  # noqa: E701
    if code == 3: return 9  # noqa: E701
    if code == 4: return 7  # noqa: E701
    if code == 5: return 8  # noqa: E701
    # fmt: on
    return 0


def a_table_with_a_test_on_each_line(codes: tuple[int, int, int, int]) -> None:
    total = 0
    for code in codes:
        total += size_of(code)
    assert total <= 36


def a_list_that_is_added_to(values: tuple[int, int, int, int, int]) -> None:
    kept: list[int] = []
    for value in values:
        if value % 2 == 0:
            kept = [*kept, value]
    assert len(kept) != 5 or values[0] % 2 == 0


def a_loop_that_ends_somewhere(n: int) -> None:
    assume(0 <= n < 10_000)
    total = 0
    while n:
        total += n % 10
        n //= 10
    assert total <= 36


class Node:
    def __init__(self, value: int, left: Node | None, right: Node | None) -> None:
        self.value, self.left, self.right = value, left, right


def tree(depth: int, value: int = 0) -> Node | None:
    if depth == 0:
        return None
    return Node(value, tree(depth - 1, 2 * value + 1), tree(depth - 1, 2 * value + 2))


def one_of_many_objects(way: tuple[bool, bool, bool]) -> None:
    node = tree(4)
    for right in way:
        assert node is not None
        node = node.right if right else node.left
    assert node is not None


def a_place_that_is_inserted_at(place: int) -> None:
    assume(0 <= place < 6)
    items = [1, 2, 3, 4, 5, 6]
    items.insert(place, 9)
    assert items[place] == 9


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (a_loop_that_ends_somewhere, advice.BOUND),
        (one_of_many_objects, advice.LISTS),
        (a_place_that_is_inserted_at, advice.KEY),
        (a_table_of_tests_that_return, advice.CHAIN),
        (a_table_with_a_test_on_each_line, advice.CHAIN),
        (a_key_that_is_got, advice.KEY),
        (a_list_that_is_added_to, advice.LISTS),
    ],
)
def test_the_same_patterns_in_other_words(
    program: Callable[..., None], told: advice.Advice
) -> None:
    # What is done once in a process, such as starting a solver, is no matter of the program.
    assert verify(program).holds
    with profile() as found:
        assert verify(program).holds
    assert advice.advice_for(found, found.worst(1)[0]) is told


def of_concrete_keys(xs: tuple[int, int, int], ys: tuple[int, int, int]) -> None:
    assume(0 < xs[0] < 100)
    total = 0
    for place in range(3):
        total += xs[place] * ys[place]
    assert total > 0 or total <= 0


def test_there_is_no_advice_for_lines_that_are_as_they_should_be() -> None:
    with profile() as found:
        assert verify(of_concrete_keys).holds
    assert found.worst(1)[0].value("terms") > 0
    assert [advice.advice_for(found, line) for line in found.lines] == [None] * len(found.lines)


def test_few_tests_in_a_row_are_no_table() -> None:
    def sign(x: int) -> int:
        if x == 0:
            return 0
        if x == 1:
            return 1
        return 2 if x > 0 else -1

    def small(x: int, y: int) -> None:
        assert sign(x) + sign(y) < 5

    with profile() as found:
        assert verify(small).holds
    assert advice.advice_for(found, found.worst(1)[0]) is not advice.CHAIN


def test_a_method_with_the_name_of_the_function_is_no_recursion() -> None:
    def insert(items: list[int], item: int) -> None:
        place = 0
        if items[0] < item:
            place = 1
        items.insert(place, item)
        assert len(items) == 3 or items[0] == item

    def inserted(a: int, b: int) -> None:
        insert([a, 3], b)

    with profile() as found:
        verify(inserted)
    (line,) = [entry for entry in found.lines if entry.line == insert.__code__.co_firstlineno + 4]
    assert advice.advice_for(found, line) is not advice.RECURSION
