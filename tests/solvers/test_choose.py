"""Names, modes and settings of solvers."""

from __future__ import annotations

import pytest

from solvent import BitVec, Int, SolventError, Solver, config, settings
from solvent.errors import SolverError, UnknownSolverError, UnsupportedError
from solvent.solvers.choose import Spec, check_mode, choose, parse_spec


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


def test_settings_for_good() -> None:
    try:
        config(solver="cvc5")
        assert Solver().name == "cvc5"
    finally:
        config(solver="auto")
    assert Solver.for_query([BitVec("b", 8) == 3]).name == "bitwuzla"


def test_wrong_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownSolverError):
        config(solver="minisat")
    with pytest.raises(SolverError, match="positive"):
        config(timeout=0)
    with pytest.raises(SolverError, match="positive"):
        config(memory_limit=-1)
    monkeypatch.setenv("SOLVENT_TIMEOUT", "soon")
    with pytest.raises(SolventError, match="SOLVENT_TIMEOUT is not a number: 'soon'"):
        Solver()


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
