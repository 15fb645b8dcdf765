"""`choose` and `hole`: what they mean, where, and how often."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import solvent.sketch
from solvent import BitVec, Bool, Int, Real, Solver, evaluate, lifted, solve, synthesize, verify
from solvent.errors import NotLiftedError, SketchError, SortError
from solvent.lift import execute, is_union, lift, symbolics
from solvent.queries.replay import replay
from solvent.sketch import choose, choose_each, hole, hole_each
from solvent.solvers import Status
from solvent.terms import Float64, Model, bv
from tests.sketch.enumerating import models

FILE = Path(__file__).name


def outcomes(function: Any, *args: Any) -> set[Any]:
    """All results that a sketch may have."""
    value = execute(function, *args).value
    return {evaluate(value, model) for model in models(symbolics(value))}


def names(value: Any) -> list[str]:
    return sorted(constant.name for constant in symbolics(value))


# --- choosing ----------------------------------------------------------------------------------


def three(x):
    return choose(x, x + 1, x * 10)


def test_every_option_can_be_chosen_and_no_other():
    assert outcomes(three, 5) == {5, 6, 50}
    value = execute(three, 5).value
    assert len(symbolics(value)) == 2
    assert Counter(evaluate(value, model) for model in models(symbolics(value))) == {
        5: 2, 6: 1, 50: 1,
    }  # fmt: skip


def test_what_a_model_leaves_open_is_the_first_option():
    assert evaluate(execute(three, 5).value, Model()) == 5


def test_names_say_the_place_and_are_the_same_in_plain_and_lifted_code():
    line = three.__code__.co_firstlineno + 1
    expected = [f"choose@{FILE}:{line}:11.{n}" for n in range(2)]
    assert names(three(5)) == names(execute(three, 5).value) == expected


def test_options_of_different_types_make_a_union():
    value = choose("a", None, 3)
    assert is_union(value)
    assert {evaluate(value, model) for model in models(symbolics(value))} == {"a", None, 3}


def test_mutable_options_stay_the_objects_that_they_are():
    first, second = [1], [2]

    @lifted
    def push():
        chosen = choose(first, second)
        chosen.append(9)

    push()
    value = execute(lambda: (first, second)).value
    results = [evaluate(value, model) for model in models(symbolics(value))]
    assert sorted(results) == [([1], [2, 9]), ([1, 9], [2])]


def test_one_option_needs_no_constant():
    def alone(x):
        return choose(x + 1)

    assert alone(1) == execute(alone, 1).value == 2


def test_no_options_are_an_error():
    def nothing():
        return choose()

    message = f"{nothing.__code__.co_firstlineno + 1}: choose\\(\\) needs something to choose from"
    with pytest.raises(SketchError, match=message):
        nothing()
    with pytest.raises(SketchError, match=message):
        execute(nothing)


def test_named_arguments_are_refused_as_python_does():
    def named():
        return choose(a=1)

    with pytest.raises(TypeError, match="unexpected keyword argument 'a'"):
        named()
    assert isinstance(execute(named).failures[0].exception, TypeError)


# --- one choice per place ----------------------------------------------------------------------


def test_a_place_makes_one_choice_in_all_calls_and_iterations():
    def pick(a, b):
        return choose(a, b)

    def several():
        return pick(1, 2), pick(1, 2), *[choose(1, 2) for _ in range(3)]

    for function in (several, lift(several)):
        value = function()
        assert len(symbolics(value)) == 2
        assert {evaluate(value, model) for model in models(symbolics(value))} == {
            (a, a, b, b, b) for a in (1, 2) for b in (1, 2)
        }


def test_several_on_one_line_are_different_choices():
    def pair():
        return choose(1, 2), choose(1, 2), choose(choose(1, 2), 3)

    value = execute(pair).value
    assert len(symbolics(value)) == 4
    assert names(value) == names(pair())
    assert len(outcomes(pair)) == 12


def test_files_of_one_name_are_told_apart(tmp_path):
    values = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "same.py"
        path.write_text("import solvent\nfrom solvent.sketch import choose\nx = choose(1, 2)")
        namespace: dict[str, Any] = {}
        exec(compile(path.read_text(), str(path), "exec"), namespace)
        values.append(namespace["x"])
    assert names(values[0]) == ["choose@same.py:3:4.0"]
    assert names(values[1]) == ["choose@b/same.py:3:4.0"]


def test_a_call_over_several_lines_has_one_place():
    def spread():
        return (
            solvent
            .sketch
            .choose(1, 2)
        ) + (solvent.sketch
             .hole(Int))  # fmt: skip

    assert names(spread()) == names(execute(spread).value)
    assert len(names(spread())) == 2


def test_columns_count_as_the_compiler_does():
    def text(x):
        return ("äöü", choose(x, "ß"), hole(Int))

    assert names(text("é")) == names(execute(text, "é").value)
    assert len(outcomes(text, "é")) == 6


# --- only the chosen option is evaluated -------------------------------------------------------


def test_an_option_that_fails_fails_only_where_it_is_chosen():
    def risky(x):
        return choose(x, 10 // x, [][0])

    outcome = execute(risky, Int("x"))
    kinds = [type(failure.exception) for failure in outcome.failures]
    assert kinds == [ZeroDivisionError, IndexError]
    first, second = [
        Bool(f"choose@{FILE}:{risky.__code__.co_firstlineno + 1}:15.{n}") for n in (0, 1)
    ]
    for model in models([Int("x"), first, second]):
        fails = model[first] and (model[second] or model["x"] == 0)
        assert evaluate(outcome.asserts, model) is not fails


def test_options_have_their_effects_only_where_they_are_chosen():
    def effects():
        log = []
        choose(log.append(1), log.append(2), None)
        return log

    value = execute(effects).value
    results = [evaluate(value, model) for model in models(symbolics(value))]
    assert sorted(results) == [[], [1], [1], [2]]


def test_an_option_may_call_its_own_function():
    @lifted
    def down(n):
        return choose(n, down(n - 1) + 10) if n > 0 else 100

    value = down(3)
    assert len(symbolics(value)) == 1
    assert {evaluate(value, model) for model in models(symbolics(value))} == {3, 130}


def test_options_may_bind_variables():
    def bind(x):
        y = 0
        z = choose((y := x), x + 1)
        return y, z

    assert outcomes(bind, 5) == {(5, 5), (0, 6)}


@pytest.mark.parametrize("name", ["pick", "sk.choose", "solvent.sketch.choose", "outer"])
def test_options_are_lazy_under_any_name_of_the_module(name):
    outcome = execute(UNDER_NAMES[name], 0)
    assert [type(failure.exception) for failure in outcome.failures] == [ZeroDivisionError]
    assert [evaluate(outcome.asserts, model) for model in models(symbolics(outcome.asserts))] == [
        True, False,
    ]  # fmt: skip


sk = solvent.sketch
pick = choose


def by_alias(x):
    return pick(x, 1 // x)


def by_module(x):
    return sk.choose(x, 1 // x)


def by_path(x):
    return solvent.sketch.choose(x, 1 // x)


def made(function):
    def inner(x):
        return function(x, 1 // x)

    return inner


UNDER_NAMES = {
    "pick": by_alias, "sk.choose": by_module, "solvent.sketch.choose": by_path,
    "outer": made(choose),
}  # fmt: skip


def test_a_closure_variable_may_be_another_function_in_another_closure():
    assert execute(made(max), 1).value == 1
    assert outcomes(made(choose), 2) == {2, 0}
    assert execute(made(min), 2).value == 0


def test_a_local_name_is_the_same_choice_but_evaluates_all_options():
    def local(x):
        mine = choose
        return mine(x, x + 1)

    assert names(local(1)) == names(execute(local, 1).value) != []
    assert outcomes(local, 1) == {1, 2}

    def shadowed(choose):
        return choose(3, 4)

    assert execute(shadowed, max).value == 4


def test_a_name_that_is_bound_to_something_else_later_is_refused():
    namespace = {"choose": choose}
    import linecache

    text = "def changed():\n    return choose(1, 2)\n"
    linecache.cache["<changed>"] = (len(text), None, text.splitlines(keepends=True), "<changed>")
    exec(compile(text, "<changed>", "exec"), namespace)
    changed = lift(namespace["changed"])
    assert len(symbolics(changed())) == 1
    namespace["choose"] = max
    with pytest.raises(NotLiftedError, match="stands for <built-in function max> now"):
        changed()


def test_options_in_a_list():
    def starred(options):
        return choose(*options)

    assert outcomes(starred, ["a", "b", "c"]) == {"a", "b", "c"}
    assert names(starred([1, 2])) == names(execute(starred, [1, 2]).value)


# --- where it may stand ------------------------------------------------------------------------


def decorator(number):
    return lambda function: lambda: (number, function())


@decorator(choose(1, 2))
def decorated():
    return 0


def test_in_defaults_lambdas_comprehensions_decorators_and_classes():
    def default(x, y=choose(1, 2)):  # noqa: B008
        return x + y

    assert outcomes(default, 10) == {11, 12}
    assert outcomes(lambda x: choose(x, -x), 3) == {3, -3}
    assert outcomes(lambda xs: tuple([choose(x, -x) for x in xs]), [1, 2]) == {(1, 2), (-1, -2)}
    assert outcomes(lambda xs: tuple({k: choose(k, 0) for k in xs}.values()), [1, 2]) == {
        (1, 2), (0, 0),
    }  # fmt: skip
    assert outcomes(lambda xs: sum(choose(x, 1) for x in xs), [5, 6]) == {11, 2}
    assert outcomes(decorated) == {(1, 0), (2, 0)}

    class Account:
        fee = choose(0, 1)

        def __init__(self, start):
            self.value = start

        def paid(self, x):
            return self.value + choose(x, -x) - self.fee

    assert outcomes(lambda: Account(10).paid(3)) == {13, 12, 7, 6}


def test_in_tests_and_loops():
    def loop(n):
        count = 0
        while count < choose(2, 3):
            count += 1
        if choose(True, False) and n:
            count = -count
        assert count != choose(3, 100)
        return count

    outcome = execute(loop, 1)
    found = {
        (evaluate(outcome.asserts, model), evaluate(outcome.value, model))
        for model in models(symbolics([outcome.value, outcome.asserts]))
    }
    assert {value for holds, value in found if holds} == {-2, -3, 2, 3}


def test_in_a_generator_and_an_inner_function():
    def outer(x):
        def inner():
            yield choose(x, 0)
            yield choose(1, 2)

        return tuple(inner())

    assert outcomes(outer, 7) == {(7, 1), (7, 2), (0, 1), (0, 2)}


REPL = """
from solvent import NotLiftedError, choose
from solvent.lift import lift, symbolics
a = choose(1, 2)
a = (a, choose(1, 2), choose(1, 2))
b = choose(1, 2)
b = (b, choose(1, 2), choose(1, 2))
def f(): return choose(3, 4)

def g(): return choose(3, 4)

print(len(symbolics([a, b, f(), g()])), symbolics(f()) == symbolics(f()))
try: print(lift(f).__name__)
except NotLiftedError as error: print(error)

"""


def test_in_the_interpreter_each_input_has_places_of_its_own():
    done = subprocess.run(
        [sys.executable, "-i", "-c", ""], input=REPL, capture_output=True, text=True, check=False
    )
    # Newer versions keep the source.
    unknown = (
        "<stdin>:1: the source of `f` is not available, so it cannot be lifted; put it into a "
        "file, or type it into `python -m solvent console`"
    )
    expected = "f" if sys.version_info >= (3, 13) else unknown
    assert done.stdout.splitlines() == ["8 True", expected]


def test_without_columns_it_is_refused():
    code = "from solvent.sketch import choose\nchoose(1, 2)"
    done = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", "-c", code],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "choose needs to know the column of its call" in done.stderr


def test_in_modules_that_are_lifted_when_imported(tmp_path, monkeypatch):
    from solvent.lift import install, uninstall

    (tmp_path / "installed_sketch.py").write_text(
        "from solvent.sketch import choose as pick, hole\nimport solvent.sketch as sk\n"
        "def f(x):\n    return pick(x, 1 // x) + sk.choose(0, [][0])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    install("installed_sketch")
    try:
        import installed_sketch

        outcome = execute(installed_sketch.f, 0)
        assert evaluate(outcome.asserts, Model()) is True
        assert names(outcome.asserts) == [
            "choose@installed_sketch.py:4:11.0", "choose@installed_sketch.py:4:29.0",
        ]  # fmt: skip
    finally:
        uninstall("installed_sketch")


# --- holes -------------------------------------------------------------------------------------


def test_a_hole_is_one_constant():
    def linear(x):
        return x * hole(Int) + hole(Int)

    assert len(symbolics(execute(linear, Int("x")).value)) == 3
    assert names(linear(Int("x"))) == names(execute(linear, Int("x")).value)

    def check(x):
        assert linear(x) == 3 * x - 7

    result = synthesize(check, Int("x"))
    assert sorted(result.holes.values()) == [-7, 3]
    assert result.confirmed


@pytest.mark.parametrize(
    ("sort", "low", "high", "expected"),
    [
        (Int, 2, 4, {2, 3, 4}),
        (Int, None, -5, {-5}),
        (Int, 5, None, {5}),
        (BitVec(3), 2, 5, {bv(n, 3) for n in range(2, 6)}),
        (BitVec(3), -2, 1, {bv(n, 3) for n in (-2, -1, 0, 1)}),
        (BitVec(3), bv(6, 3), None, {bv(6, 3), bv(7, 3)}),
    ],
)
def test_bounds_hold_whatever_the_constant_is(sort, low, high, expected):
    value = hole(sort, low, high)
    (constant,) = symbolics(value)
    domain = range(-5, 6) if sort is Int else [bv(n, 3) for n in range(8)]
    assert {evaluate(value, Model({constant: each})) for each in domain} == expected


def test_bounds_of_other_sorts():
    value = hole(Float64, 0.5, 1.5)
    (constant,) = symbolics(value)
    for given in (0.5, 1.0, 2.0, float("nan"), float("-inf")):
        assert evaluate(value, {constant: given}) == (given if 0.5 <= given <= 1.5 else 0.5)
    value = hole(Real, 0, 1)
    assert evaluate(value, Model()) == 0


def test_bounds_that_make_no_sense():
    with pytest.raises(SketchError, match="there is no Int from 3 to 2"):
        hole(Int, 3, 2)
    with pytest.raises(SketchError, match="concrete values, not n"):
        hole(Int, Int("n"))
    with pytest.raises(SortError):
        hole(int)


def test_bounds_are_no_way_out_of_an_assertion():
    def check(x):
        if x > 0:
            assert hole(Int, 0, 3) >= 4

    assert synthesize(check, Int("x")).status is Status.UNSAT


# --- a new one each time -----------------------------------------------------------------------


def test_each_execution_makes_a_choice_of_its_own():
    def word(n):
        return tuple([choose_each("a", "b") for _ in range(n)])

    assert len(outcomes(word, 3)) == 8
    assert len(symbolics(execute(lambda: [hole_each(Int) for _ in range(4)]).value)) == 4


def test_plain_code_goes_on_counting():
    first, second = hole_each(Int), [hole_each(Int) for _ in range(2)]
    assert len(symbolics([first, second])) == 3


def guarded(c, xs):
    total = 0
    for x in xs:
        if x > 0 or c:
            total = total * 3 + hole_each(Int, 0, 2)
        total = total * 3 + choose_each(0, hole_each(Int, 0, 2))
    return total


def test_executions_are_counted_as_the_plain_program_counts_them():
    c, x, y = Bool("c"), Int("x"), Int("y")
    outcome = execute(guarded, c, [x, y])
    constants = [k for k in symbolics(outcome.value) if k.name not in ("c", "x", "y")]
    seen = set()
    for number, model in enumerate(models(constants, range(1, 3))):
        if number % 7:
            continue
        for case in models([c, x, y], range(0, 2)):
            both = Model({**dict(model.items()), **dict(case.items())})
            replayed = replay(guarded, (c, [x, y]), {}, both)
            assert replayed.value == evaluate(outcome.value, both)
            seen.add(replayed.value)
    assert len(seen) > 10


def test_a_choice_inside_of_its_own_option():
    @lifted
    def nested(n):
        return choose_each(n, nested(n - 1)) if n else -1

    value = nested(2)
    assert {evaluate(value, model) for model in models(symbolics(value))} == {2, 1, -1}


# --- queries -----------------------------------------------------------------------------------


def test_solving_with_choices_is_replayed():
    def check(x):
        assert choose(x + 1, x * 2, 7) == 8
        assert x > choose(5, 3)

    result = solve(check, Int("x"))
    assert result.confirmed
    assert verify(check, Int("x")).confirmed


def test_choices_are_unions_that_a_solver_decides():
    value = choose("left", "right", "up")

    def check():
        assert value == "up"

    result = solve(check)
    assert result.confirmed
    with Solver() as solver:
        solver.add(execute(check).asserts)
        assert solver.check() is Status.SAT


def test_a_replay_evaluates_only_the_chosen_options():
    def careful(x):
        choose(x, 1 // x, [][x])
        return [choose(y, 1 // y) for y in (x, 0)][-1]

    def check(x):
        assert careful(x) == 0
        assert choose_each(x + 1, x // 0) == 1
        assert sk.choose([][0], x) == x

    result = solve(check, Int("x"))
    assert result.confirmed
    assert result.inputs["x"] == 0

    def failing(x):
        assert careful(x) == 1 // x

    assert verify(failing, Int("x")).confirmed
