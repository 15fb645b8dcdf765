"""`debug`: the cores contain the bug and are minimal, whatever the program is made of.

Minimality is checked without solver and symbolic execution: the marked program is run on concrete
values, with values of the expressions that are not fixed taken from small domains.
"""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from itertools import combinations, product
from typing import Any

import pytest
from rich.console import Console

from solvent import BitVec, Bool, Int, assume, debug, lifted, session
from solvent.errors import QueryError
from solvent.lift.debug_runs import Relaxation
from solvent.lift.rewrite.marking import Place
from solvent.queries import Localisation, debugging
from solvent.queries.asking import Meter
from solvent.queries.cores import Cores
from solvent.solvers import Status
from solvent.solvers.solver import Solver
from solvent.terms import Model, bv, ult
from tests.queries import sample_debugged

# --- programs with one bug each -----------------------------------------------------------------


def search(xs: list[int], x: int) -> int:
    low, high = 0, len(xs) - 1
    while low < high:  # must be <=
        middle = (low + high) // 2
        if xs[middle] == x:
            return middle
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def finds(xs: list[int], x: int) -> None:
    place = search(xs, x)
    assert (place >= 0) == (x in xs)


def largest(a: int, b: int, c: int) -> int:
    if a > b and a < c:  # must be a > c
        return a
    return b if b > c else c


def is_largest(a: int, b: int, c: int) -> None:
    found = largest(a, b, c)
    assert found >= max(a, b, c)


def leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 500 == 0)  # must be 400


def is_leap(year: int, answer: bool) -> None:
    assert leap(year) == answer


def insert(xs: list[int], x: int) -> None:
    i = 0
    while i < len(xs) and xs[i] < x:
        i += 1
    xs.insert(x, i)  # swapped


def inserts(xs: list[int], x: int) -> None:
    insert(xs, x)
    assert sorted(xs) == xs
    assert x in xs


def balanced(text: str) -> bool:
    depth = 0
    for c in text:
        depth = depth + 1 if c == "(" else depth - 1
        if depth < 0:
            return False
    return depth != 0  # must be ==


def matches(text: str, answer: bool) -> None:
    assert balanced(text) == answer


def total(xs: list[int]) -> int:
    result = 1  # must be 0
    for x in xs:
        result += x
    return result


def sums(xs: list[int]) -> None:
    assert total(xs) == sum(xs)


BUGS: list[tuple[Callable[..., None], tuple[Any, ...], str]] = [
    (finds, ([1, 3, 5], 5), "low < high"),
    (is_largest, (2, 1, 3), "a < c"),
    (is_leap, (400, True), "500"),
    (inserts, ([1, 3], 2), "x or i"),
    (matches, ("()", True), "depth != 0"),
    (sums, ([1, 2, 3],), "1"),
]
NAMES = [function.__name__ for function, _, _ in BUGS]


def texts(result: Localisation) -> list[str]:
    return [suspect.text for suspect in result.core]


def key(found: Any) -> tuple[Any, ...]:
    """The same for a suspect and for the place where it is."""
    return found.file, found.line, found.column, found.end_line, found.end_column


@pytest.mark.parametrize(("function", "args", "bug"), BUGS, ids=NAMES)
def test_every_core_contains_the_bug(
    function: Callable[..., None], args: tuple[Any, ...], bug: str
) -> None:
    result = debug(function, *args, limit=4)
    assert result.status is Status.SAT
    assert result.confirmed
    assert result.minimal
    for core in result.cores:
        # Arguments that are swapped are two expressions.
        assert {suspect.text for suspect in core} & set(bug.split(" or "))
    sets = [frozenset(map(key, core)) for core in result.cores]
    assert len(set(sets)) == len(sets)
    assert not any(a < b for a in sets for b in sets)


class Angelic(Relaxation):
    """Concrete values for expressions from small domains, by a number generator."""

    def __init__(self, free: set[Any], numbers: random.Random, fixed: dict[Any, list[Any]]) -> None:
        super().__init__()
        self.free = free
        self.numbers = numbers
        self.fixed = {place: iter(values) for place, values in fixed.items()}
        self.steps = 0

    def relax(self, value: Any, place: Place, read: bool) -> Any:
        self.steps += 1
        if self.steps > 200:
            raise TimeoutError
        if key(place) in self.fixed:
            return next(self.fixed[key(place)], value)
        if key(place) not in self.free or self.numbers.random() < 0.3:
            return value
        if type(value) is bool:
            return self.numbers.random() < 0.5
        if type(value) is int:
            return self.numbers.randint(-1, 6)
        return value

    def succeeds(self, function: Callable[..., None], args: tuple[Any, ...]) -> bool:
        """Whether a run with other values ends without failure."""
        copies = [list(arg) if isinstance(arg, list) else arg for arg in args]
        with self:
            try:
                self.marked(function)[0](*copies)
            except Exception:
                return False
        return True


@pytest.mark.parametrize(("function", "args", "bug"), BUGS, ids=NAMES)
def test_cores_are_minimal_by_brute_force(
    function: Callable[..., None], args: tuple[Any, ...], bug: str
) -> None:
    result = debug(function, *args)
    core = {key(suspect) for suspect in result.core}
    outside = {key(suspect) for suspect in result.relaxed} - core
    numbers = random.Random(0)
    # Whatever the others are, it fails.
    assert not any(Angelic(outside, numbers, {}).succeeds(function, args) for _ in range(300))
    for suspect in result.core:
        if suspect.instead is not None:
            # It alone is enough.
            fixed = {key(suspect): list(suspect.instead)}
            assert Angelic(set(), numbers, fixed).succeeds(function, args)
        else:
            free = outside | {key(suspect)}
            assert any(Angelic(free, numbers, {}).succeeds(function, args) for _ in range(3000))


def test_relaxing_more_than_the_core_allows_is_noticed_by_the_oracle() -> None:
    result = debug(sums, [1, 2, 3])
    everything = {key(suspect) for suspect in result.relaxed}
    numbers = random.Random(0)
    assert any(Angelic(everything, numbers, {}).succeeds(sums, ([1, 2, 3],)) for _ in range(3000))


# --- the automaton of figures 1 and 2 -----------------------------------------------------------


def init(word: list[str]) -> bool:
    return True if not word else more(word[1:]) if word[0] == "c" else False


def more(word: list[str]) -> bool:
    return (
        True
        if not word
        else more(word[1:])
        if word[0] in ("a", "d")
        else end(word[1:])
        if word[0] == "r"
        else False
    )


def end(word: list[str]) -> bool:
    return True if not word else False  # noqa: SIM210


def rejects(word: list[str]) -> None:
    assert not init(word)


def test_the_automaton_of_the_paper() -> None:
    result = debug(rejects, [], select=bool, limit=None)
    assert result.complete
    assert [[suspect.text for suspect in core] for core in result.cores] == [
        ['True if not word else more(word[1:]) if word[0] == "c" else False', "True"]
    ]
    assert all(suspect.function == "init" for suspect in result.core)
    assert [suspect.instead for suspect in result.core] == [(False,), (False,)]


def test_another_state_of_the_automaton() -> None:
    result = debug(rejects, ["c"], select=bool)
    assert {suspect.function for suspect in result.core} == {"init", "more"}
    assert "True" in texts(result)


# --- what the function is made of ---------------------------------------------------------------


def test_nothing_to_debug() -> None:
    result = debug(is_largest, 1, 3, 2)
    assert result.status is Status.UNSAT
    assert result.cores == ()
    assert not result.repairable
    assert "nothing to debug" in str(result)


def test_a_failure_that_no_values_avoid() -> None:
    def hopeless(x: int) -> None:
        y = [x + 1]
        assert y is None

    result = debug(hopeless, 1)
    assert result.status is Status.SAT
    assert result.cores == ((),)
    assert not result.repairable
    assert "no values of the expressions avoid this" in result.headline()


def test_symbolic_inputs() -> None:
    def double(x: int) -> int:
        return x + 2

    def doubles(x: int) -> None:
        assume(x > 10)
        assert double(x) == 2 * x

    result = debug(doubles, Int("x"))
    assert result.inputs["x"] > 10
    assert texts(result) == ["x + 2", "2"]
    assert debug(doubles).inputs["x"] > 10


def test_symbolic_variables_around_the_function() -> None:
    p = Bool("p")

    def negated() -> bool:
        return not p

    def around() -> None:
        assert negated() == p

    result = debug(around)
    assert texts(result) == ["not p"]
    assert result.core[0].values == (not result.inputs.get("p", False),)


def test_an_exception() -> None:
    def middle(xs: list[int]) -> int:
        return xs[len(xs) // 2 + 1]

    result = debug(middle, [1, 2])
    assert isinstance(result.failure and result.failure.exception, IndexError)
    assert texts(result)[0] == "len(xs) // 2 + 1"
    # The angel does not avoid the exception by an index that is out of range as well.
    assert all(-2 <= index < 2 for index in result.core[0].instead or (9,))


def test_a_raise_statement() -> None:
    def refuses(x: int) -> None:
        if x < 5:
            raise ValueError("small")

    assert texts(debug(refuses, 3)) == ["x < 5", "5"]


def test_a_handled_exception() -> None:
    def careful(x: int) -> None:
        try:
            y = 10 // x
        except ZeroDivisionError:
            y = -1
        assert y >= 0

    assert texts(debug(careful, 0)) == ["-1"]


def factorial(n: int) -> int:
    return 0 if n == 0 else n * factorial(n - 1)


def test_recursion() -> None:
    def is_six(n: int) -> None:
        assert factorial(n) == 6

    result = debug(is_six, 3)
    assert "0" in texts(result)
    zero = next(suspect for suspect in result.core if suspect.text == "0")
    assert (zero.values, zero.instead) == ((0,), (1,))


class Account:
    """Methods, properties and operators are all marked."""

    fee = 1

    def __init__(self, start: int) -> None:
        self.balance = start

    @property
    def twice(self) -> int:
        return self.balance * 3

    def deposit(self, amount: int) -> None:
        self.balance += amount - self.fee

    def __add__(self, other: Account) -> Account:
        return Account(self.balance - other.balance)

    @staticmethod
    def rounded(x: int) -> int:
        return x + 1

    @classmethod
    def opened(cls, x: int) -> Account:
        return cls(x - 1)

    def __call__(self, x: int) -> int:
        return x * 2


def deposits(account: Account) -> None:
    before = account.balance
    account.deposit(5)
    assert account.balance == before + 5


def adds(a: Account, b: Account) -> None:
    assert (a + b).balance == 5


def doubles_property(a: Account) -> None:
    assert a.twice == a.balance + a.balance


def rounds(x: int) -> None:
    assert Account.rounded(x) == x


def opens(x: int) -> None:
    assert Account.opened(x).balance == x


def calls_object(a: Account) -> None:
    assert a(3) == 3


@pytest.mark.parametrize(
    ("function", "args", "text"),
    [
        (deposits, (Account(3),), "amount - self.fee"),
        (adds, (Account(2), Account(3)), "self.balance - other.balance"),
        (doubles_property, (Account(3),), "self.balance * 3"),
        (rounds, (3,), "x + 1"),
        (opens, (3,), "x - 1"),
        (calls_object, (Account(1),), "x * 2"),
    ],
)
def test_classes(function: Callable[..., None], args: tuple[Any, ...], text: str) -> None:
    assert text in texts(debug(function, *args))
    # The class is as it was, apart from being lifted.
    once = dict(vars(Account))
    debug(function, *args)
    assert dict(vars(Account)) == once
    assert Account(3).twice == 9


@dataclass
class Point:
    x: int
    y: int

    def norm(self) -> int:
        return abs(self.x) - abs(self.y)


def test_a_dataclass() -> None:
    def norms(x: int, y: int) -> None:
        p = Point(x, y)
        assert p.norm() == abs(x) + abs(y)

    assert texts(debug(norms, 1, 2))[0] == "abs(self.x) - abs(self.y)"


@lifted
def lifted_double(x: int) -> int:
    return x * 3


def test_a_lifted_function() -> None:
    def doubles(x: int) -> None:
        assert lifted_double(x) == 2 * x

    assert texts(debug(doubles, 2)) == ["x * 3", "3"]
    assert lifted_double(2) == 6


def negative(x: int) -> int:
    return -x


def test_functions_as_arguments() -> None:
    def mapped(xs: list[int]) -> None:
        assert list(map(negative, xs)) == xs

    def folded(xs: list[int]) -> None:
        result = functools.reduce(lambda a, b: a - b, xs)
        assert result == 6

    def ordered(xs: list[int]) -> None:
        assert sorted(xs, key=negative) == xs

    assert texts(debug(mapped, [1, 2])) == ["-x"]
    assert "a - b" in texts(debug(folded, [1, 2, 3]))
    assert texts(debug(ordered, [1, 2])) == ["-x"]


def test_inner_functions_and_tables() -> None:
    def inner(x: int) -> None:
        def triple(z: int) -> int:
            return z * 3

        table = {"double": triple}
        assert table["double"](x) == x * 2

    assert "z * 3" in texts(debug(inner, 2))


def test_a_generator() -> None:
    def squares(n: int) -> Any:
        for i in range(n):
            yield i * i + 1

    def sums_squares(n: int) -> None:
        assert sum(squares(n)) == sum([i * i for i in range(n)])

    result = debug(sums_squares, 3)
    assert texts(result) == ["i * i + 1", "i * i", "1"]
    assert result.core[0].values == (1, 2, 5)
    assert sum(result.core[0].instead or ()) == 5


def test_a_comprehension() -> None:
    def kept(xs: list[int]) -> list[int]:
        return [x * x for x in xs if x > 1]

    def keeps(xs: list[int]) -> None:
        assert len(kept(xs)) == len(xs)

    assert texts(debug(keeps, [1, 2])) == ["x > 1", "1"]


def test_a_container_as_a_test() -> None:
    def first(xs: list[int]) -> int | None:
        if xs:
            return None
        return 0

    def has_first(xs: list[int]) -> None:
        assert first(xs) is not None

    assert texts(debug(has_first, [1])) == ["xs"]


def test_another_module() -> None:
    def increments(x: int) -> None:
        assert sample_debugged.increment(x) == x + 1

    result = debug(increments, 3)
    assert texts(result) == ["x + STEP"]
    assert result.core[0].file == sample_debugged.__file__


def test_bitvectors() -> None:
    def masked(a: Any) -> None:
        b = a & bv(7, 8)
        assert ult(b, bv(4, 8))

    assert texts(debug(masked, bv(6, 8))) == ["a & bv(7, 8)"]
    assert texts(debug(masked, BitVec("a", 8))) == ["a & bv(7, 8)"]


def test_strings_and_dictionaries() -> None:
    def looked_up(x: bool) -> None:
        table = {"one": 1, "two": 2}
        name = "one" if x else "two"
        assert table[name] == 2

    assert '"one" if x else "two"' in texts(debug(looked_up, True))


def test_loops_end() -> None:
    def count(n: int) -> int:
        i = 0
        while i != n:
            i += 1
        return i

    def counts(n: int) -> None:
        assert count(n) == n + 1

    result = debug(counts, 3)
    assert result.bound == 4
    # With one iteration more the loop would do.
    assert "i != n" in texts(result)
    assert debug(counts, 3, bound=2).bound == 2


def test_assertions_and_arguments_are_not_under_suspicion() -> None:
    def identity(x: int) -> int:
        return x + 0

    def fails(x: int, y: int) -> None:
        z = identity(x)
        assert z + 1 == y + 2

    assert [suspect.text for suspect in debug(fails, 1, 1).relaxed] == ["x + 0", "0"]


def test_names_pass_values_on() -> None:
    def renamed(x: int) -> int:
        y = x + 2
        z = y
        pair = (z, x)
        return pair[0]

    def fails(x: int) -> None:
        result = renamed(x)
        assert result == x

    result = debug(fails, 3)
    # The other item of the pair would do as well.
    assert texts(result) == ["x + 2", "2", "0"]
    assert {suspect.text for suspect in result.relaxed} == {"x + 2", "2", "x", "0"}


def test_too_many_unknowns(monkeypatch: pytest.MonkeyPatch) -> None:
    def fib(n: int) -> int:
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 1)

    def fibs(n: int) -> None:
        assert fib(n) == 5

    monkeypatch.setattr(debugging, "MOST_UNKNOWNS", 40)
    # Fewer calls are looked at, so that there are not too many.
    assert debug(fibs, 3, select=(fib, bool)).bound == 2
    monkeypatch.setattr(debugging, "MOST_UNKNOWNS", 3)
    with pytest.raises(QueryError, match="select fewer expressions"):
        debug(fibs, 3, select=fib)


def test_what_cannot_be_relaxed_is_kept() -> None:
    def repeats(n: int) -> None:
        m = n + 1
        xs = range(hash(m / 1))
        y = len(xs) - 1
        assert y == n + 1

    result = debug(repeats, 2)
    assert any("`n + 1`" in position for position in result.kept)
    assert "len(xs) - 1" in texts(result)
    assert "kept as it is" in str(result)


# --- select -------------------------------------------------------------------------------------


def decided(x: int) -> int:
    y = x + 1
    return y * 2 if x > 3 else 0


def decides(x: int) -> None:
    start = x - 0
    assert decided(start) == 1000


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        (bool, []),
        (int, ["x - 0", "0", "x + 1", "1", "y * 2 if x > 3 else 0", "y * 2", "2", "3"]),
        (Int, ["x - 0", "0", "x + 1", "1", "y * 2 if x > 3 else 0", "y * 2", "2", "3"]),
        (decided, ["x + 1", "1", "y * 2 if x > 3 else 0", "y * 2", "2", "x > 3", "3"]),
        ((decided, bool), ["x > 3"]),
        (__name__, None),
        ("other_module", []),
        (sample_debugged, []),
        (Account, []),
        (lambda value, place: place.text == "y * 2", ["y * 2"]),
        ((int, lambda value, place: value == 12), ["y * 2 if x > 3 else 0", "y * 2"]),
    ],
)
def test_select(select: Any, expected: list[str] | None) -> None:
    result = debug(decides, 5, select=select)
    found = {suspect.text for suspect in result.relaxed}
    if expected is None:
        assert found == {suspect.text for suspect in debug(decides, 5).relaxed}
    elif select is bool:
        assert found == {"x > 3"}
        assert result.cores == ((),)
    else:
        # `start` is an argument as well.
        assert found - {"start", "y"} == set(expected)


def test_a_selection_that_means_nothing() -> None:
    with pytest.raises(QueryError, match="select="):
        debug(decides, 5, select=3)
    with pytest.raises(QueryError, match="limit"):
        debug(decides, 5, limit=0)


# --- cores --------------------------------------------------------------------------------------


def test_all_cores_of_random_constraints() -> None:
    numbers = random.Random(1)
    names = [Bool(f"b{i}") for i in range(4)]
    for _ in range(10):
        constraints: list[Any] = []
        for _ in range(6):
            a, b = numbers.sample(names, 2)
            constraints.append((a if numbers.random() < 0.5 else ~a) | (b & ~a))
        constraints += [names[0], ~names[0]]
        with Solver() as solver:
            cores = Cores(solver, constraints, Meter())
            found = set(cores.all())
            assert cores.complete
            assert all(cores.is_minimal(core) for core in found)
        assert found == brute_force_cores(constraints)


def brute_force_cores(constraints: list[Any]) -> set[tuple[int, ...]]:
    """All minimal subsets without a solution, by trying all subsets and assignments."""
    models = [
        Model({Bool(f"b{i}"): value for i, value in enumerate(values)})
        for values in product((False, True), repeat=4)
    ]
    rows = [[model.evaluate(constraint) is True for constraint in constraints] for model in models]
    without = [
        set(chosen)
        for size in range(len(constraints) + 1)
        for chosen in combinations(range(len(constraints)), size)
        if not any(all(row[number] for number in chosen) for row in rows)
    ]
    return {tuple(sorted(s)) for s in without if not any(t < s for t in without)}


def test_several_cores() -> None:
    def two_bugs(x: int) -> None:
        a = x + 2
        b = x + 3
        assert (a, b) == (x, x)

    result = debug(two_bugs, 5, limit=None)
    assert result.complete
    found = [[suspect.text for suspect in core] for core in result.cores]
    # Either would make it fail alone.
    assert sorted(found) == [["x + 2", "2"], ["x + 3", "3"]]
    assert "core 1 of 2:" in str(result)
    one = debug(two_bugs, 5)
    assert len(one.cores) == 1
    assert not one.complete
    # Changing one bug is not enough to succeed.
    assert [suspect.instead for suspect in one.core] == [None, None]


# --- showing ------------------------------------------------------------------------------------


def test_text() -> None:
    text = str(debug(is_leap, 400, True, select=int))
    line = next(line for line in text.splitlines() if "return year % 4" in line)
    markers = [found for found in text.splitlines() if "^" in found]
    start = line.index("500")
    assert any(found[start : start + 4] == "^^^ " and "was 500" in found for found in markers)


def test_page(tmp_path: Any) -> None:
    result = debug(is_leap, 400, True)
    page = result.html()
    assert result.save(tmp_path / "core.html").read_text() == page
    assert page.startswith("<!doctype html>")
    assert ">500</mark>" in page
    assert page.count("<mark") == page.count("</mark>") == len(result.core)
    assert not re.search(r'(src|href)="(?!data:)', page)  # nothing comes from elsewhere
    assert ">500</mark>" in result._repr_html_()


def test_rich_and_json() -> None:
    result = debug(is_leap, 400, True)
    console = Console(record=True, width=120, file=StringIO())
    console.print(result)
    assert "was 500" in console.export_text()
    data = json.loads(json.dumps(result.as_dict()))
    assert data["cores"][0][0]["line"] == leap.__code__.co_firstlineno + 1
    assert data["failure"]["exception"] == "AssertionError"


def test_a_session() -> None:
    with session() as s:
        assert texts(s.debug(sums, [1])) == texts(s.debug(sums, [1]))
        assert s.verify(sums, [1]).failure is not None
