"""Names, modes and settings of solvers."""

from __future__ import annotations

import pytest

from solvent import BitVec, Int, Solver
from solvent.errors import SolverError, UnknownSolverError, UnsupportedError
from solvent.solvers import config, settings
from solvent.solvers.choose import Settings, Spec, check_mode, choose, parse_spec


def test_names() -> None:
    assert parse_spec("z3") == Spec("z3")
    assert parse_spec("smtlib:yices-smt2 --incremental").command == ["yices-smt2", "--incremental"]
    for wrong in ("", "minisat", "Z3", "smtlib:"):
        with pytest.raises(UnknownSolverError):
            parse_spec(wrong)


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        ({"Bool"}, "z3"),
        ({"Bool", "BitVec"}, "bitwuzla"),
        ({"Float", "Bool"}, "bitwuzla"),
        ({"Float", "uncommon float"}, "z3"),
        ({"Array", "BitVec"}, "bitwuzla"),
        ({"Array", "BitVec", "Int"}, "z3"),
        ({"BitVec", "quantifier"}, "z3"),
        ({"BitVec", "int_to_bv"}, "z3"),
        ({"Str"}, "z3"),
        ({"BitVec", "Uninterpreted"}, "z3"),
    ],
)
def test_choice_by_theory(features: set[str], expected: str) -> None:
    assert choose(features).name == expected


def test_the_order_of_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOLVENT_SOLVER", "cvc5")
    monkeypatch.setenv("SOLVENT_TIMEOUT", "7")
    assert (settings().solver, settings().timeout) == ("cvc5", 7.0)
    assert Solver().name == "cvc5"
    assert Solver.for_query([Int("x") > 3]).name == "cvc5"
    with config(solver="bitwuzla"):
        assert Solver().name == "bitwuzla"
        assert settings().timeout == 7.0
        with config(timeout=3):
            assert (settings().solver, settings().timeout) == ("bitwuzla", 3)
        assert Solver("z3").name == "z3"
    assert Solver().name == "cvc5"


def test_settings_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    # What is set for good would be so for all tests after this one.
    monkeypatch.setattr("solvent.solvers.choose._global", Settings())
    config(solver="cvc5")
    assert Solver().name == "cvc5"
    config(solver="auto")
    assert Solver.for_query([BitVec("b", 8) == 3]).name == "bitwuzla"


def test_wrong_settings() -> None:
    with pytest.raises(UnknownSolverError):
        config(solver="minisat")
    with pytest.raises(SolverError, match="positive"):
        config(timeout=0)
    with pytest.raises(SolverError, match="positive"):
        config(memory_limit=-1)
    with pytest.raises(SolverError, match="positive"):
        Solver(memory_limit=0)


@pytest.mark.parametrize("variable", ["SOLVENT_TIMEOUT", "SOLVENT_MEMORY_LIMIT"])
@pytest.mark.parametrize("text", ["soon", "-5", "0", "nan"])
def test_wrong_environment(monkeypatch: pytest.MonkeyPatch, variable: str, text: str) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(SolverError, match=f"{variable} must be a positive number, not '{text}'"):
        Solver()


def test_limits_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOLVENT_MEMORY_LIMIT", "0.5")
    assert settings().memory_limit == 1
    monkeypatch.setenv("SOLVENT_MEMORY_LIMIT", "inf")
    assert settings().memory_limit is None


def test_a_command_that_is_no_command() -> None:
    with pytest.raises(UnknownSolverError, match="no closing quotation"):
        parse_spec("smtlib:z3 'x")


@pytest.mark.parametrize(
    ("mode", "features", "fits"),
    [
        ("QF_BV", {"Bool", "BitVec"}, True),
        ("QF_BV", {"BitVec", "Array"}, False),
        ("QF_ABV", {"BitVec", "Array"}, True),
        ("QF_LIA", {"Int", "Real"}, False),
        ("QF_LIRA", {"Int", "Real"}, True),
        ("QF_UFLIA", {"Int", "Uninterpreted"}, True),
        ("QF_LIA", {"Int", "quantifier"}, False),
        ("LIA", {"Int", "quantifier"}, True),
        ("QF_SLIA", {"Str", "Int", "Regex"}, True),
        ("QF_FP", {"Float"}, True),
        ("ALL", {"Float", "Int", "quantifier"}, True),
    ],
)
def test_modes_that_fit(mode: str, features: set[str], fits: bool) -> None:
    if fits:
        check_mode(Spec("z3", mode), features)
    else:
        with pytest.raises(UnsupportedError, match=mode):
            check_mode(Spec("z3", mode), features)
