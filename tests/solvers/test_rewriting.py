"""The debug mode that proves each rewriting as it happens."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from solvent import BitVec, Int
from solvent.solvers.rewriting import RewriteChecker, UnsoundRewriteError
from solvent.terms.bitvector_ops import BVADD
from solvent.terms.rules import Rule
from tests.patience import FOREVER

PROGRAM = """
from solvent import BitVec, Bool, Int
from solvent.terms import concat, ite
from solvent.terms import rules
x, y, i, p = BitVec("x", 8), BitVec("y", 8), Int("i"), Bool("p")
print((x + 1 - x) & y, ite(p, 3, 4) + i - i < 5, concat(x, y)[11:4])
(checker,) = rules._checkers
print(checker.checked >= 3, checker.undecided)
"""
UNSOUND = """
from solvent import BitVec
from solvent.terms.bitvector_ops import BVMUL, BVNOT
from solvent.terms.rules import rule
rule(BVMUL, "~x * y = x", lambda x, y: (~x, y), on=BVNOT)(lambda n, y: n.key[1])
try:
    ~BitVec("x", 8) * BitVec("y", 8)
except AssertionError as error:
    print(type(error).__name__, error)
"""


def run(program: str) -> str:
    environment = {**os.environ, "SOLVENT_CHECK_REWRITES": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=FOREVER,
    )
    return done.stdout


def test_sound_rewrites_pass() -> None:
    assert run(PROGRAM) == "y & 1 True concat(x[3:0], y[7:4])\nTrue 0\n"


def test_an_unsound_rewrite_is_caught() -> None:
    output = run(UNSOUND)
    assert output.startswith("UnsoundRewriteError the rule <lambda> (~x * y = x)")
    assert "which differs when Model" in output


def test_the_checker_itself() -> None:
    checker = RewriteChecker()
    x, y = BitVec("x", 8), BitVec("y", 8)
    wrong = Rule(BVADD, "x + y = y", lambda a, b: b, lambda x, y: (x, y), ())
    with pytest.raises(UnsoundRewriteError, match="x \\+ y = y"):
        checker(wrong, (x, y), y)
    right = Rule(BVADD, "x + 0 = x", lambda a, b: a, lambda x, y: (x, y), ())
    checker(right, (x, BVADD.fold(x.sort.coerce(0), x.sort.coerce(0))), x)
    assert (checker.checked, checker.undecided) == (1, 0)
    assert Int("i") is Int("i")
