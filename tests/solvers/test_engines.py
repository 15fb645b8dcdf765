"""What the engines make of numbers and names that have a special meaning to a solver."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.errors import UnsupportedError
from solvent.solvers import Solver, Status
from solvent.solvers.engines.z3_engine import NO_LIMIT, Z3Engine, milliseconds
from solvent.solvers.script import ScriptRunner
from solvent.terms import (
    BitVec,
    Bool,
    Function,
    Str,
    UninterpretedSort,
    in_re,
    length,
    not_,
    re_loop,
    re_power,
    to_re,
)
from solvent.terms.smtlib import read_script

STRING_SOLVERS = ("z3", "cvc5")
ALL_SOLVERS = ("z3", "cvc5", "bitwuzla")


def answers(text: str, solver: str) -> list[str]:
    with Solver(solver) as asked:
        return [response.text for response in ScriptRunner(read_script(text), asked).run()]


@pytest.mark.parametrize("solver", STRING_SOLVERS)
@pytest.mark.parametrize(("least", "most"), [(1, 0), (2, 0), (2, 1), (5, 3)])
def test_a_loop_that_ends_before_it_begins_matches_nothing(
    solver: str, least: int, most: int
) -> None:
    text = f'(assert (str.in_re s ((_ re.loop {least} {most}) (str.to_re "a"))))'
    assert answers(f"(declare-const s String){text}(check-sat)", solver) == ["unsat"]


@pytest.mark.parametrize(("least", "most"), [(1, 0), (2, 1), (0, 0)])
def test_z3_is_never_given_such_a_loop(least: int, most: int) -> None:
    """The engine by itself, as no term has such a loop any more."""
    engine = Z3Engine()
    operators = [("str.to_re", ()), ("re.loop", (least, most)), ("str.in_re", ())]
    rows = [(-2, ("Str",), "a"), (0, 0), (1, 1), (-1, "s", ("Str",)), (2, 3, 2)]
    engine.define(operators, rows)
    engine.assert_formula(4)
    assert engine.check([], None)[0] == ("sat" if least <= most else "unsat")


@pytest.mark.parametrize("solver", STRING_SOLVERS)
def test_a_loop_of_no_times_matches_the_empty_string_only(solver: str) -> None:
    s = Str("s")
    for regex in (re_loop(0, 0, to_re("a")), re_power(0, to_re("a"))):
        with Solver(solver) as asked:
            asked.add(in_re(s, regex), length(s) > 0)
            assert asked.check() is Status.UNSAT


@pytest.mark.parametrize("solver", STRING_SOLVERS)
@pytest.mark.parametrize("regex", [re_loop(0, 1 << 32, "a"), re_power(1 << 32, "a")])
def test_a_count_of_more_than_32_bits_is_refused(solver: str, regex: Any) -> None:
    """Its lower bits are zero, which means no limit."""
    with Solver(solver) as asked:
        asked.add(in_re(Str("s"), regex))
        with pytest.raises(UnsupportedError, match=r"2\*\*32"):
            asked.check()


def test_a_time_limit_beyond_the_solvers_numbers_is_none() -> None:
    """Of 2**32 milliseconds the lower 32 bits are zero."""
    for seconds in (None, 4294967.296, 1e12, 10**400):
        assert milliseconds(seconds) == NO_LIMIT
    assert [milliseconds(seconds) for seconds in (1e-9, 0.5, 4294967)] == [1, 500, 4294967000]


def test_a_time_limit_of_a_script_may_be_any_number() -> None:
    script = f"(set-option :timeout 1{'0' * 5000})(declare-const p Bool)(assert p)(check-sat)"
    assert answers(script, "z3") == ["sat"]


@pytest.mark.parametrize("solver", ALL_SOLVERS)
@pytest.mark.parametrize("function", ["fp.to_ubv", "fp.to_sbv"])
def test_floats_as_bits_of_two_widths(solver: str, function: str) -> None:
    text = f"""
    (declare-const x Float32) (declare-const y Float64)
    (assert (fp.lt ((_ to_fp 8 24) RNE 1.0) x ((_ to_fp 8 24) RNE 15.0)))
    (assert (= ((_ {function} 8) RNE x) #x07))
    (assert (= ((_ {function} 16) RNE x) #x0007))
    (assert (= ((_ {function} 16) RNE y) #x0009))
    (check-sat)
    (assert (= ((_ {function} 4) RNE x) #x5))
    (check-sat)"""
    assert answers(text, solver) == ["sat", "unsat"]


@pytest.mark.parametrize("solver", ALL_SOLVERS)
def test_functions_of_one_name_are_told_apart(solver: str) -> None:
    byte = BitVec(8)
    x, y = byte("x"), byte("y")
    f, g = Function("f", [byte], byte), Function("f", [byte, byte], Bool)
    with Solver(solver) as asked:
        asked.add(f(x) != f(y), g(x, y), not_(g(y, x)))
        assert asked.check() is Status.SAT
        model = asked.model()
        assert all(model.evaluate(formula) is True for formula in asked.assertions)


@pytest.mark.parametrize("solver", ALL_SOLVERS)
def test_names_that_differ_behind_a_null_character_are_two(solver: str) -> None:
    byte = BitVec(8)
    x, y, z = byte("a\0b"), byte("a\0c"), byte("a\ud800")
    f, g = Function("f\0a", [byte], byte), Function("f\0b", [byte], byte)
    with Solver(solver) as asked:
        asked.add(x != y, z != x, f(x) != g(x))
        assert asked.check() is Status.SAT


@pytest.mark.parametrize("solver", STRING_SOLVERS)
def test_sorts_that_differ_behind_a_null_character_are_two(solver: str) -> None:
    first, second = UninterpretedSort("S\0a"), UninterpretedSort("S\0b")
    f = Function("f", [first], second)
    with Solver(solver) as asked:
        asked.add(f(first("x")) != f(first("y")), second("p") != f(first("x")))
        assert asked.check() is Status.SAT
        assert asked.model().evaluate(f(first("x")) != f(first("y"))) is True
