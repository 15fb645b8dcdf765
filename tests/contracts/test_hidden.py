"""Contracts that stand where they are easily overlooked are checked, or refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solvent import verify
from solvent.errors import NotLiftedError
from tests.contracts import sample_hidden as sample

OF_MODULE = [value for name, value in vars(sample).items() if name.startswith(("good", "bad"))]
METHODS = [sample.Below.f, sample.Right.f]


def _name(value: Any) -> str:
    return str(value.__qualname__).replace(".<locals>.", ".")


@pytest.mark.parametrize("function", [*OF_MODULE, *METHODS], ids=_name)
def test_a_contract_is_found(function: Callable[..., Any]) -> None:
    result = verify(function)
    if function.__name__.startswith("good") or function.__qualname__ == "Right.f":
        assert result.holds, result
    else:
        assert result.confirmed, result
        assert "Error" in str(result) or "Violation" in str(result)


def test_functions_that_were_checked_before_are_checked_as_well() -> None:
    # The classes have been lifted by the first check.
    for _ in range(2):
        assert verify(sample.Below.f).confirmed
        assert verify(sample.bad_calls_below).confirmed


@pytest.mark.parametrize(
    "function",
    [sample.refused_callable, sample.refused_alias, sample.refused_recursive],
    ids=_name,
)
def test_what_cannot_be_checked_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(NotLiftedError, match=r"sample_hidden\.py:\d+"):
        verify(function)


def test_the_violation_of_a_wrapped_contract_is_one_line_at_the_contract() -> None:
    for function in (sample.bad_wrapped_icontract, sample.bad_wrapped_deal):
        result = verify(function)
        assert result.failure is not None
        assert "sample_hidden.py" in result.failure.position
        assert "\n" not in result.headline()


MODULE = '''"""A module.

inv: LIMIT > 0
"""
LIMIT = 0

def f(x: int) -> int:
    return x
'''

INHERITING = """
import deal

class Above:
    @deal.post(lambda result: result > 0)
    def f(self, x: int) -> int:
        return 1

class Below(Above):
    @deal.inherit
    def f(self, x: int) -> int:
        return x
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [(MODULE, "invariant of a module"), (INHERITING, "deal.inherit")],
    ids=["module", "deal.inherit"],
)
def test_a_command_tells_what_it_cannot_check(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "program.py").write_text(text)
    command = [sys.executable, "-m", "solvent", "verify", "program.py", "--budget", "10"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 3, ran.stdout
    assert told in ran.stdout


TESTS = """
import unittest
from hypothesis import given, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

def plain(n: int) -> None:
    assert n == n

class Machine(RuleBasedStateMachine):
    n = 0
    @rule(k=st.integers(0, 3))
    def add(self, k):
        self.n += k
    @invariant()
    def small(self):
        assert self.n < 5

class TestMethods:
    @given(st.integers(0, 9))
    def test_method(self, n):
        assert n < 9
"""


def test_tests_that_only_pytest_can_run_are_named(tmp_path: Path) -> None:
    (tmp_path / "test_them.py").write_text(TESTS)
    command = [sys.executable, "-m", "solvent", "verify", "test_them.py"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.stdout.count("verified") == 1
    assert "small: not checked: it belongs to a state machine" in ran.stdout
    assert "test_method: not checked: its object is made by pytest" in ran.stdout
