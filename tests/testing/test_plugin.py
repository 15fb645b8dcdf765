"""The plugin in pytest itself: items for contracts, tests of Hypothesis, markers, reports."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ElementTree

import pytest

from solvent.testing import prove, refute
from solvent.testing.contracts import contracted_members
from solvent.testing.plugin import apart
from tests.contracts import sample_away

pytest_plugins = "pytester"

TESTS = """
    import pytest
    from hypothesis import given, strategies as st
    from program import root, good

    @given(st.integers(0, 9))
    def test_holds(n):
        assert n < 10

    @given(st.integers(0, 9))
    def test_fails(n):
        assert n < 9

    @pytest.fixture(scope="module")
    def five():
        return 5

    @pytest.mark.parametrize("k", [1, 7])
    @given(n=st.integers(0, 9))
    def test_with_fixture(five, k, n):
        assert n + five != k

    @given(st.permutations(range(9)))
    def test_left_to_hypothesis(p):
        ran.append(1)
        assert sorted(p) == [*range(9)]

    ran = []

    def test_hypothesis_has_run():
        assert ran

    class TestMethods:
        @given(st.integers())
        def test_square(self, n):
            assert n * n >= 0
"""

PROGRAM = '''
    def root(x: int) -> int:
        """The root.

        pre: x >= 0
        post: _ * _ <= x
        """
        return x // 2

    def good(x: int) -> int:
        """post: _ > x"""
        return x + 1
'''


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(test_them=TESTS, program=PROGRAM)
    return pytester


def test_proofs_are_items(project: pytest.Pytester) -> None:
    result = project.runpytest("--solvent", "-v", "--junitxml=found.xml")
    result.stdout.fnmatch_lines(
        [
            "*::test_holds PASSED*",
            "*::test_fails FAILED*",
            "*::test_with_fixture?1? PASSED*",
            "*::test_with_fixture?7? FAILED*",
            "*::test_left_to_hypothesis PASSED*",
            "*::test_hypothesis_has_run PASSED*",
            "*::test_square PASSED*",
            "*::contract:root FAILED*",
            "*::contract:good PASSED*",
        ]
    )
    result.stdout.fnmatch_lines(["*call: test_fails(n=9)*", ">*assert n < 9"])
    result.stdout.fnmatch_lines(
        ["program.py:5: PostconditionViolation: *when calling root(x=*)", ">*post: _ [*] _ <= x"]
    )
    result.assert_outcomes(passed=6, failed=3)
    cases = ElementTree.parse(project.path / "found.xml").getroot().iter("testcase")
    told = {case.get("name"): case for case in cases}
    assert told["contract:root"].find("failure") is not None
    assert told["contract:good"].find("failure") is None
    # What failed is run again alone.
    again = project.runpytest("--solvent", "--lf", "-q")
    again.assert_outcomes(failed=3)


def test_nothing_happens_without_the_option(project: pytest.Pytester) -> None:
    project.makeconftest(
        """
        import sys

        def pytest_unconfigure():
            heavy = [name for name in sys.modules
                     if name in ("z3", "cvc5", "bitwuzla") or name.startswith("solvent.")]
            print("HEAVY", sorted(heavy))
        """
    )
    result = project.runpytest_subprocess("-q", "--strict-markers", "-k", "holds", "-s")
    result.stdout.fnmatch_lines(
        ["*HEAVY ?'solvent.moved', 'solvent.testing', 'solvent.testing.plugin'?*"]
    )
    result.assert_outcomes(passed=1, deselected=6)


def test_items_can_be_spread_over_processes(project: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    result = project.runpytest_subprocess("--solvent", "-n", "1", "-k", "contract or holds")
    result.assert_outcomes(passed=2, failed=1)


HARD = """
    import pytest
    from hypothesis import given, strategies as st

    @pytest.mark.solvent(budget=0.5)
    @given(st.integers(2, 10**9), st.integers(2, 10**9))
    def test_hard(a, b):
        assert a * a * a + b * b * b != 1_000_000_000_000_000_003

    @pytest.mark.solvent(budget=20, max_len=5)
    @given(st.lists(st.integers()))
    def test_long(xs):
        assert len(xs) < 5
"""


def test_what_is_unknown_fails_only_if_strict(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_them=HARD)
    result = pytester.runpytest("--solvent", "-rx", "-k", "hard")
    result.assert_outcomes(xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL *unknown: *"])
    pytester.runpytest("--solvent", "--solvent-strict", "-k", "hard").assert_outcomes(failed=1)


def test_markers_give_options(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_them=HARD)
    result = pytester.runpytest("--solvent", "-k", "long")
    result.stdout.fnmatch_lines(["*lists of up to 5 items*"])
    result.assert_outcomes(failed=1)
    pytester.makepyfile(test_odd=HARD.replace("budget=20", "size=3"))
    pytester.runpytest("--solvent", "-k", "odd and long").stdout.fnmatch_lines(
        ["*the marker `solvent` has no option `size`*"]
    )


def absolute(x: int) -> int:
    return x if x > 0 else -x


def is_positive(x: int) -> None:
    assert absolute(x) > 0


def is_not_negative(x: int) -> None:
    assert absolute(x) >= 0


def test_plain_tests_prove_and_refute() -> None:
    assert prove(is_not_negative).holds
    assert refute(is_positive).inputs == {"x": 0}
    with pytest.raises(AssertionError, match=r"is_positive\(x=0\)"):
        prove(is_positive)
    with pytest.raises(AssertionError, match="not refuted"):
        refute(is_not_negative)


CASES = """
    import unittest
    from hypothesis import given, strategies as st

    class Case(unittest.TestCase):
        def setUp(self):
            self.bound = 3

        @given(st.integers(0, 9))
        def test_bad(self, n):
            self.assertLess(n, self.bound)

        @given(st.integers(0, 9))
        def test_good(self, n):
            self.assertLess(n, self.bound + 7)

        @unittest.skip("not now")
        @given(st.integers(0, 9))
        def test_skipped(self, n):
            assert False

    @given(st.data())
    def test_unknown_and_failing(data):
        xs = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=3))
        assert data.draw(st.sampled_from(xs)) != 4

    @given(st.data())
    def test_unknown_and_passing(data):
        xs = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=3))
        assert data.draw(st.sampled_from(xs)) < 6
"""


def test_the_object_of_a_test_knows_nothing_of_its_runner() -> None:
    class Case(unittest.TestCase):
        def test(self) -> None:
            found.append(apart(self, "test"))

    found: list[Case] = []
    case = Case("test")
    case.bound = [3]  # type: ignore[attr-defined]
    case.run(unittest.TestResult())
    (one,) = found
    assert one is not case
    assert one.bound is case.bound  # type: ignore[attr-defined]
    assert one._outcome is None  # type: ignore[attr-defined]


def test_cases_of_unittest_and_what_is_unknown(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_cases=CASES)
    result = pytester.runpytest("--solvent", "-v", "-p", "no:randomly")
    result.stdout.fnmatch_lines(
        [
            "*::Case::test_bad FAILED*",
            "*::Case::test_good PASSED*",
            "*::Case::test_skipped SKIPPED*",
            "*::test_unknown_and_failing FAILED*",
            "*::test_unknown_and_passing XFAIL*",
            "*when calling Case.test_bad(n=3)*",
            "*solvent: 1 proved, 1 refuted, 2 unknown*",
        ]
    )


def test_functions_of_every_kind_are_items() -> None:
    names = {one.name for one in contracted_members(sample_away)}
    members = {"half.fget", "kept.func", "remembered", "static", "of_class"}
    assert {"cached", "lifted_before", *(f"Described.{name}" for name in members)} <= names
    assert "bad_from_table" not in names
