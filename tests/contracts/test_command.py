"""`solvent verify` on files with contracts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from solvent.cli import main

BROKEN = '''
def broken(x: int) -> int:
    """Something.

    pre: x >
    """
    return x


def calls(x: int) -> int:
    return broken(x)
'''

INNER = '''
def f(x: int) -> int:
    def g(y: int) -> int:
        """post: _ > y"""
        return y

    return g(x)
'''

METHODS = '''
class Account:
    """inv: self.balance >= 0"""

    def __init__(self, balance: int) -> None:
        """pre: balance >= 0"""
        self.balance = balance

    def take(self, amount: int) -> None:
        """pre: 0 <= amount"""
        self.balance -= amount
'''

RAISES = '''
def odd(x: int) -> int:
    """raises: ValueError"""
    if x == 9:
        raise KeyError
    return x
'''

REGISTERED = '''
TABLE = []


class Above:
    def f(self, x: int) -> int:
        """post: _ > x"""
        return x + 1


class Below(Above):
    def f(self, x: int) -> int:
        return x


TABLE.append(Below.f)
'''


def run(file: Path, text: str, *more: str) -> int:
    file.write_text(text)
    return main(["verify", f"{file}{''.join(more)}", "--no-cache"])


def test_a_syntax_error_is_told_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "broken.py"
    assert run(file, BROKEN, "::broken") == 2
    assert f"{file}:5: the contract `x >` is no Python" in capsys.readouterr().err
    assert run(file, BROKEN) == 2
    # Who calls such a function is not proved.
    assert run(file, BROKEN, "::calls") == 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("post: __old__.z == 1", "there is no parameter `z`"),
        ("post[z]: True", "there is no parameter `z`"),
        ("raises: NoSuchError", "there is no exception 'NoSuchError'"),
        ("inv: x > 0", "belongs into the docstring of a class"),
        ("pre:", "is followed by no condition"),
        ("post: [_ is None]", "is no condition"),
        ("post: (x > 0 for y in ())", "is no condition"),
        ("post: [y async for y in _]", "cannot be evaluated at once"),
        ("post: [x := 1 for x in _]", "is no Python"),
    ],
)
def test_a_contract_that_makes_no_sense_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, problem: str
) -> None:
    file = tmp_path / "odd.py"
    assert run(file, f'def f(x: int) -> None:\n    """{line}"""\n', "::f") == 2
    told = capsys.readouterr().err
    assert problem in told
    assert f"{file}:2: " in told


def test_methods_and_the_constructor_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "account.py"
    assert run(file, METHODS) == 1
    told = capsys.readouterr().out
    assert f"{file}:5: Account: verified" in told
    assert f"{file}:3: InvariantViolation: invariant `self.balance >= 0`" in told
    assert "when calling Account.take(" in told


def test_contracts_of_inner_functions_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "inner.py"
    assert run(file, INNER) == 3
    assert "a function inside of a function" in capsys.readouterr().out


def test_cpython_confirms_what_a_contract_of_exceptions_forbids(tmp_path: Path) -> None:
    # In a process of its own: lifting the function here would hide that a replay lifts it.
    file = tmp_path / "odd.py"
    file.write_text(RAISES)
    command = [sys.executable, "-m", "solvent", "verify", str(file), "--budget", "20", "--no-cache"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert f"confirmed: CPython raised KeyError at {file}:5" in told


def test_a_method_that_a_table_leads_to_first_inherits_its_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "table.py", REGISTERED, "::Below.f") == 1
    assert "table.py:7: PostconditionViolation" in capsys.readouterr().out
