"""What belongs to the function and what to the query, and what a query can be about.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

import solvent
from solvent import (
    Int,
    Options,
    Real,
    debug,
    optimize,
    session,
    solve,
    solve_all,
    synthesize,
    verify,
    verify_all,
)
from solvent.errors import InputSpaceError, NotLiftedError, QueryError, UnboundedError
from solvent.explore import explore
from solvent.queries.options import TAKEN
from solvent.queries.parallel import ask_all, question
from solvent.solvers import Status
from tests.patience import FOREVER

QUERIES: dict[str, Callable[..., Any]] = {
    "solve": solve,
    "solve_all": solve_all,
    "verify": verify,
    "verify_all": verify_all,
    "optimize": optimize,
    "synthesize": synthesize,
    "debug": debug,
    "explore": explore,
}


def small(x: int) -> int:
    assert x < 3
    return x


# --- whose keyword it is --------------------------------------------------------------------------


NAMES = [*(field.name for field in fields(Options)), "options", "function", "query", "self"]


@pytest.mark.parametrize("name", NAMES)
def test_a_keyword_that_names_a_parameter_is_an_argument(name: str) -> None:
    program: dict[str, Any] = {}
    exec(f"def f({name}): pass\ndef g(*, {name}=0): pass\ndef h({name}, **more): pass", program)
    for signature in (program["f"], program["g"], program["h"]):

        @functools.wraps(signature)
        def checked(*args: Any, **named: Any) -> None:
            assert 5 not in (*args, *named.values())

        assert not verify(checked, **{name: 5}).holds
        assert verify(checked, **{name: 4}).holds
        assert verify(checked, Options(timeout=100), **{name: 4}).holds
        assert question(verify, checked, **{name: 4})().holds
        with session() as s:
            assert not s.verify(checked, **{name: 5}).holds


def test_options_keep_their_meaning_beside_such_parameters() -> None:
    def count(bound: int, solver: int = 0) -> None:
        i = solver
        while i < bound:
            i += 1
        assert i == bound or bound < solver

    assert verify(count, bound=5).holds
    assert verify(count, options=Options(bound=4)).status is Status.UNKNOWN
    assert verify(count, Int("n"), options=Options(bound=4, unwinding="assume")).holds
    found = verify(count, options=Options(bound=4))
    assert found.derived == {"bound": "any int", "solver": "0, its default"}


def test_a_parameter_called_options() -> None:
    def f(options: Any, n: int) -> None:
        assert options is None or options.bound == n

    assert verify(f, options=None).holds
    assert verify(f, options=Options(bound=7), n=7).holds
    assert not verify(f, options=Options(bound=7), n=8).holds
    # The last positional argument is the query's.
    assert verify(f, None, Options(bound=7)).holds


def test_functions_that_take_any_keyword() -> None:
    def f(**named: int) -> None:
        assert named.get("bound") != 5

    with pytest.raises(QueryError, match="`bound` may be meant for f"):
        verify(f, bound=5)
    assert not verify(f, bound=5, options=Options()).holds
    assert verify(f, options=Options(bound=5)).holds
    assert verify(f, other=5).holds


def test_options_are_given_once() -> None:
    with pytest.raises(QueryError, match="no parameter `bound`; as an option it belongs into"):
        verify(small, bound=3, options=Options())
    with pytest.raises(QueryError, match=r"options must be Options\(...\), not 3"):
        verify(small, options=3)
    with pytest.raises(InputSpaceError, match="unexpected keyword argument 'nope'"):
        verify(small, nope=3)
    with pytest.raises(InputSpaceError, match="unexpected keyword argument 'limit'"):
        verify(small, limit=3)


def test_each_query_takes_its_own_options() -> None:
    with pytest.raises(
        QueryError,
        match=r"verify\(\) has no option `minimize`; it has alias, assertions_only",
    ):
        verify(small, options=Options(minimize=Int("x")))
    with pytest.raises(QueryError, match=r"debug\(\) has no option `unwinding`"):
        debug(small, options=Options(unwinding="assume"))
    with session() as s, pytest.raises(QueryError, match=r"give `timeout` to session\(\)"):
        s.verify(small, options=Options(timeout=3))
    assert set(TAKEN) == set(QUERIES)
    assert {name for names in TAKEN.values() for name in names} == {f.name for f in fields(Options)}


def test_a_session_takes_its_own_options() -> None:
    with session(options=Options(solver="z3", timeout=FOREVER)) as s:
        assert (s.name, s.timeout) == ("z3", FOREVER)
        assert not s.verify(small, Int("x")).holds
    with pytest.raises(QueryError, match=r"session\(\) has no option `bound`; it has solver"):
        session(options=Options(bound=3))
    with pytest.raises(QueryError, match=r"`timeout` belongs into the Options\(...\) that session"):
        session(options=Options(), timeout=3)
    with pytest.raises(QueryError, match=r"options must be Options\(...\), not 3"):
        session(options=3)  # type: ignore[arg-type]


def test_options_in_all_queries() -> None:
    def found(limit: int) -> int:
        assert 0 <= limit < 5
        return limit

    limited = Options(limit=2)
    assert len(solve_all(found, options=limited)) == 2
    assert len(solve_all(found)) == 5
    with session() as s:
        assert len(list(s.solve_all(found, options=limited))) == 2
    assert optimize(found, options=Options(maximize=True)).objectives == (4,)
    assert not verify_all(found, options=Options(max_len=1))[0].holds
    assert len(debug(found, 9, options=Options(limit=1)).cores) == 1
    assert len(debug(found, 9).cores) == 1
    assert explore(found, options=Options(paths=2)).unexplored

    def factored(x: int, forall: int) -> None:
        assert x + forall == x + 3

    asked = Options(forall="x", method="quantifiers")
    assert synthesize(factored, options=asked).holes == {"forall": 3}
    (answer,) = ask_all([question(verify, found, limit=3)], progress=False)
    assert answer.holds


@pytest.mark.parametrize(
    "given",
    [
        {"bound": "x"},
        {"bound": -1},
        {"bound": True},
        {"bound": 1.5},
        {"bound": Int("n")},
        {"max_len": None},
        {"max_len": "3"},
        {"unwinding": "maybe"},
        {"unwinding": Int("n")},
        {"solver": 3},
        {"solver": ""},
        {"timeout": "soon"},
        {"timeout": 0},
        {"timeout": math.nan},
        {"limit": -1},
        {"rounds": "many"},
        {"samples": 0.5},
        {"depth": "deep"},
        {"paths": None},
        {"seconds": -2},
        {"merged": "yes"},
        {"progress": 3},
    ],
)
def test_options_of_the_wrong_kind(given: dict[str, Any]) -> None:
    """Told at once, whether or not the query would have got there."""

    def loop(n: int) -> None:
        while n > 0:
            n -= 1

    (name,) = given
    with pytest.raises(QueryError, match=f"the option `{name}` must be "):
        Options(**given)
    for query, names in TAKEN.items():
        if name in names:
            with pytest.raises(QueryError, match=f"the option `{name}` must be "):
                QUERIES[query](loop, **given)


# --- what a query is about ------------------------------------------------------------------------


class Account:
    """Neither a function nor a builtin."""

    def __call__(self, x: int) -> None:
        assert x != 3

    def method(self, x: int) -> None:
        assert x != 3

    @classmethod
    def of_class(cls, x: int) -> None:
        assert x != 3

    @staticmethod
    def static(x: int) -> None:
        assert x != 3


@functools.lru_cache
def cached(x: int) -> None:
    assert x != 3


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_only_functions(query: Callable[..., Any]) -> None:
    for value, said in (
        (Int("x") > 3, "the formula x > 3; ask a `Solver`"),
        (Int("x") == Int("x"), "the formula True; ask a `Solver`"),
        (Real("r") + 1, "the term r [+] 1; ask a `Solver`"),
        (print, "the builtin `print`"),
        (len, "the builtin `len`"),
        ("abc".upper, "the builtin `str.upper`"),
        (str.upper, "the builtin `str.upper`"),
        (operator.itemgetter(0), "the builtin `operator.itemgetter"),
        (functools.partial(print, 3), "the builtin `print`"),
        (int, "the class `int`"),
        (Account, "the class `Account`"),
        (math, "the module `math`"),
        (Int, "Int$"),
        ("small", "'small'"),
        (None, "None"),
        (3, "3"),
        ([small], "<function small"),
    ):
        with pytest.raises(QueryError, match=f"asks about a function written in Python.*{said}"):
            query(value)
        name = query.__name__
        if name != "explore":
            with session() as s, pytest.raises(QueryError, match="asks about a function"):
                getattr(s, name)(value)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: 1 // (x - 3),
        Account(),
        Account().method,
        Account.of_class,
        Account.static,
        cached,
        functools.partial(Account.method, Account()),
        functools.partial(lambda y, x: 1 // (x - y), 3),
        solvent.lifted(small),
    ],
)
def test_what_stands_for_a_function(function: Any) -> None:
    assert verify(function, Int("x")).confirmed


def test_inputs_from_the_annotations_of_what_stands_for_a_function() -> None:
    assert verify(Account()).inputs == {"x": 3}
    assert verify(functools.partial(Account.static)).inputs == {"x": 3}
    assert verify(cached).inputs == {"x": 3}


def test_solvers_and_questions_of_the_wrong_kind() -> None:
    with pytest.raises(QueryError, match="a solver is chosen by its name, not by 3"):
        session(3)  # type: ignore[arg-type]
    with pytest.raises(QueryError, match=r"takes questions, made by question\(\), not 3"):
        ask_all([3], progress=False)  # type: ignore[list-item]


# --- limits ---------------------------------------------------------------------------------------


def endless(n: int) -> int:
    return endless(n + 1)


def huge(n: int) -> list[int]:
    return [0] * 10**13


def own_recursion(n: int) -> None:
    if n == 3:
        raise RecursionError("own")


def own_interrupt(n: int) -> None:
    if n == 3:
        raise KeyboardInterrupt


def own_memory(n: int) -> None:
    if n == 3:
        raise MemoryError


@pytest.mark.parametrize("name", [name for name in QUERIES if name != "optimize"])
def test_no_room(name: str) -> None:
    query = QUERIES[name]
    for function, said in ((endless, "this recursion does not end"), (huge, "more memory than")):
        line = function.__code__.co_firstlineno + 1
        if name == "explore":
            (left,) = query(function).unexplored
            assert f"test_options.py:{line}: " in left.reason
            assert said in left.reason
        else:
            with pytest.raises(UnboundedError, match=f"test_options.py:{line}: .*{said}"):
                query(function, Int("n"))


@pytest.mark.parametrize("function", [own_recursion, own_interrupt, own_memory])
def test_what_the_program_raises_itself_is_a_finding(function: Callable[..., Any]) -> None:
    found = verify(function)
    assert found.inputs == {"n": 3}
    assert found.confirmed
    assert not solve(function, 3).found


def test_what_is_not_lifted_is_no_finding() -> None:
    """An operation that knows nothing of symbolic values fails with their names."""

    def f(n: int) -> None:
        raise TypeError("'IntTerm' object cannot be interpreted as an integer")

    with pytest.raises(NotLiftedError, match=r"test_options.py:\d+: this operation on a symbolic"):
        verify(f)

    def refused(n: int) -> int:
        return hash(n / 2)

    with pytest.raises(NotLiftedError, match=r"test_options.py:\d+: the hash of a symbolic float"):
        verify(refused)
