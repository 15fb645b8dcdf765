"""Some of CPython's tests in lifted code; `make cpython` does all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cpython import replaying
from tests.cpython.__main__ import recorded, table
from tests.cpython.cases import Case, prepared
from tests.cpython.recording import available
from tests.cpython.replaying import Verdict, replay

HERE = Path(__file__).parents[2]
# Tests of texts, bytes, formats and regular expressions that take a moment, by module and method.
_TESTS = """
test_unicode.UnicodeTest.test_split test_unicode.UnicodeTest.test_rsplit
test_unicode.UnicodeTest.test_strip test_unicode.UnicodeTest.test_replace
test_unicode.UnicodeTest.test_partition test_unicode.UnicodeTest.test_startswith
test_unicode.UnicodeTest.test_format test_unicode.UnicodeTest.test_maketrans_translate
test_str.StrTest.test_split test_str.StrTest.test_rsplit
test_str.StrTest.test_strip test_str.StrTest.test_replace
test_str.StrTest.test_partition test_str.StrTest.test_startswith
test_str.StrTest.test_format test_str.StrTest.test_maketrans_translate
test_bytes.ByteArrayAsStringTest.test_rsplit test_bytes.BytesAsStringTest.test_zfill
test_re.ReTests.test_re_match test_re.ReTests.test_re_split test_re.ReTests.test_re_findall
test_int.IntTestCases.test_basic test_textwrap.IndentTestCase test_bisect.TestBisectPython
"""
LARGEST, EVERY = 12, 4


def fits(case: Case) -> bool:
    """Whether a case is small enough for the ordinary tests."""
    return sum(map(replaying.letters, case.values)) <= LARGEST


@pytest.mark.skipif(not available(), reason="this Python comes without its tests")
def test_a_sample_of_the_tests_of_cpython() -> None:
    cases = list(filter(fits, recorded(_TESTS.split())))[::EVERY]
    assert len(cases) >= 200
    verdicts = [replay(case, limit=0.5) for case in cases]
    differ = [v for v in verdicts if replaying.DIFFERS in (v.concrete, v.symbolic)]
    assert not differ, "\n".join(f"{v.case}\n    {v.reason}" for v in differ)
    agree = [v for v in verdicts if v.symbolic in (replaying.AGREES, replaying.IN_PART)]
    assert len(agree) > len(cases) * 0.8, table(verdicts)


# --- whether a difference would be seen -----------------------------------------------------------


def verdict_of(source: str, *values: object) -> Verdict:
    return replay(Case("str", "here", source, values))


def test_agreement() -> None:
    found = verdict_of("v0.split(v1)", "a,b", ",")
    assert (found.concrete, found.symbolic) == (replaying.AGREES, replaying.AGREES)
    failing = verdict_of("v0.index(v1)", "ab", "c")
    assert (failing.concrete, failing.symbolic) == (replaying.AGREES, replaying.AGREES)


def test_what_is_refused_or_known() -> None:
    refused = verdict_of("v0.encode('shift_jis')", "ab")
    assert refused.symbolic == replaying.REFUSED
    assert "shift_jis" in refused.reason
    assert verdict_of("v0.split()", "").symbolic == replaying.NOTHING
    assert verdict_of("v0.upper()", "a" * 30).symbolic == replaying.IN_PART


def test_bytearrays_are_compared_after_the_call() -> None:
    function, values = prepared(Case("bytearray", "here", "v0.append(v1)", (bytearray(b"a"), 98)))
    assert function(*values) == (None, bytearray(b"ab"))
    assert verdict_of("v0.append(v1)", bytearray(b"a"), 98).symbolic == replaying.AGREES


@pytest.mark.parametrize("wrong", ["'ab,'.split(',')", "['a', 'b']", "1 // 0", "None"])
def test_a_difference_is_seen(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    truth, _ = prepared(Case("str", "here", "v0.split(v1)", ("a,c", ",")))
    lie, _ = prepared(Case("str", "here", wrong, ("a,c", ",")))
    case = Case("str", "here", "v0.split(v1)", ("a,c", ","))
    expected = ((truth("a,c", ","), ("a,c", ",")), None)
    monkeypatch.setattr(replaying, "prepared", lambda case: (lie, case.values))
    assert replaying.symbolically(case, expected, replaying.LIMIT)[0] == replaying.DIFFERS


def test_a_python_without_tests(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "__init__.py").write_text("")
    script = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(HERE)!r}, {str(HERE / 'src')!r}]"
    script += "; import runpy; runpy.run_module('tests.cpython', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "has no package `test`" in done.stderr
