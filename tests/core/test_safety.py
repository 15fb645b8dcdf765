"""Code that runs in the middle of the compiled core's work must not pull its data away.

Each case runs in a process of its own with Python's debugging allocator, which overwrites what is
freed: a use of it ends the process or changes what is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from solvent.terms.core import COMPILED
from tests.patience import FOREVER

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not COMPILED, reason="about the compiled core")


def printed(program: str) -> list[str]:
    """What a program prints with memory that is overwritten when it is freed."""
    completed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=FOREVER,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONMALLOC": "debug"},
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout.splitlines()


def test_a_term_outlives_the_comparison_of_its_values() -> None:
    """Values may compare by code that sweeps, and other threads run then, too."""
    assert printed(
        """
        from solvent.terms import Int, live_terms, sweep
        from solvent.terms.compiled import node
        from solvent.terms.term import CONSTANT

        class Value:
            sweeps = False

            def __hash__(self):
                return 7

            def __eq__(self, other):
                if Value.sweeps:
                    sweep()
                return True

        x = Int("x")
        values = [Value() for _ in range(2_000)]
        for _ in range(20):
            Value.sweeps = False
            for value in values:
                # Only the table refers to the term.
                node(type(x), CONSTANT, x.sort, value, Value(), Value(), Value())
            Value.sweeps = True
            found = node(type(x), CONSTANT, x.sort, *(Value() for _ in range(4)))
            assert found.op is CONSTANT and len(found.key) == 5
            del found
        sweep()
        print(live_terms() < 100)
        """
    ) == ["True"]


def test_a_term_that_a_rule_makes_is_not_made_again() -> None:
    """As another thread may, while rules are asked."""
    assert printed(
        """
        from solvent.terms import Bool
        from solvent.terms.booleans import AND
        from solvent.terms.compiled import node
        from solvent.terms.term import lookup

        a = Bool("a")
        made = []

        def make(x, y):
            made.append(node(type(a), AND, a.sort, x, y))

        AND.same_rules[:] = [make]
        found = a & a
        print(len(made), found is made[0], lookup(found.key) is found)
        """
    ) == ["1 True True"]


def test_rules_may_go_while_they_are_asked() -> None:
    assert printed(
        """
        from solvent.terms import Bool, not_
        from solvent.terms.booleans import AND, NOT

        both, asked = Bool("a") & Bool("b"), []

        def rule(term):
            asked.append(term)
            NOT.tables[3].clear()

        NOT.tables[3][AND] = [rule, rule]
        print(not_(both).op is NOT, len(asked))
        """
    ) == ["True 2"]


def test_lists_may_change_while_they_are_merged() -> None:
    assert printed(
        """
        from solvent.terms import Bool, Int, ite
        from solvent.terms import booleans
        from solvent.terms.booleans import ites

        p, x = Bool("p"), Int("x")
        left = [ite(p, x + 1_000 + i, x + i) for i in range(50)]
        right = [x * (i + 1_000) for i in range(50)]

        def shorten(sort, test, a, b):
            del left[1:], right[1:]
            return None

        booleans._ite_rules.insert(0, shorten)
        try:
            ites(x.sort, p, left, right)
        except RuntimeError as error:
            print(error)
        """
    ) == ["a list changed its length while it was merged"]


def test_a_second_copy_of_the_modules_gets_the_core_in_python() -> None:
    assert printed(
        """
        import sys
        from solvent.terms import Int, core
        first, x = core, Int("x")
        for name in [name for name in sys.modules if name.partition(".")[0] == "solvent"]:
            del sys.modules[name]
        from solvent.terms import Int as Other, core
        y = Other("x")
        print(first.COMPILED, core.COMPILED, core.WHY_NOT)
        print(x + x is x + x, y + y is y + y, type(x) is type(y))
        """
    ) == ["True False another copy of Solvent in this process uses it", "True True False"]


def test_a_subinterpreter_gets_the_core_in_python() -> None:
    names = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    assert printed(
        f"""
        import {names} as interpreters
        from solvent.terms import Int
        x = Int("x")
        {
            "made = interpreters.create('legacy')"
            if sys.version_info >= (3, 13)
            else "made = interpreters.create(isolated=False)"
        }
        inside = "\\n".join((
            "import sys",
            f"sys.path[:] = {{__import__('sys').path!r}}",
            "from solvent.terms import Int, core",
            "y = Int('x')",
            "print(core.COMPILED, y + y is y + y, flush=True)",
        ))
        failed = interpreters.run_string(made, inside)
        assert not failed, failed
        print(x + x is x + x)
        """
    ) == ["False True", "True"]
