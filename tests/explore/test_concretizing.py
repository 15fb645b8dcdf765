"""Concretization: bugs behind code that is not lifted are found, and no more is claimed."""

from __future__ import annotations

import array
import hashlib
import io
import itertools
import sqlite3
import sys
import time
import unicodedata
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from solvent import NotLiftedError, integers, lists
from solvent.explore import explore
from solvent.lift.under_model import evaluate
from solvent.terms import Int, Model
from tests.explore.checking import check_partition


def digest(s: str) -> None:
    if len(s) == 2 and s[0] == "x" and hashlib.sha256(s.encode()).hexdigest()[0] in "01234567":
        raise ValueError(s)


def compressed(b: bytes) -> int:
    size = len(zlib.compress(b))
    return 10 // (size - 10)


def decomposed(s: str) -> None:
    if unicodedata.normalize("NFD", s) != s:
        raise ValueError(s)


def year(seconds: int, offset: int) -> None:
    if time.gmtime(seconds).tm_year < 1970 and offset == 12_345:
        raise ValueError(seconds)


def octets(xs: list[int]) -> int:
    return len(array.array("B", xs))


def stored(key: int) -> str:
    with sqlite3.connect(":memory:") as database:
        (found,) = database.execute("select ? % 10 = 0", (key,)).fetchone()
    return "ab"[found + (key > 50)]


def spelled(x: float, y: int) -> int:
    text = str(x)
    return 1 // (y - 17) if len(text) == 3 and text.isalpha() else 0


def shown(x: float) -> str:
    text = f"{x:.2f}"
    if len(text) > 20:
        raise ValueError(text)
    return text


def joined(xs: list[float]) -> str:
    text = ",".join([str(x) for x in xs])
    if "nan" in text:
        raise ValueError(text)
    return text


def least(xs: list[int]) -> int:
    return min(xs, key=lambda x: hashlib.md5(b"%d" % (x * x)).digest()) if len(xs) == 2 else 0


def weighed(xs: list[int]) -> None:
    if least(xs) == -1:
        raise KeyError("found")


PLANTED: list[tuple[Callable[..., Any], dict[str, Any], type[Exception]]] = [
    (digest, {}, ValueError),
    (compressed, {}, ZeroDivisionError),
    (decomposed, {}, ValueError),
    (year, {}, ValueError),
    (octets, {}, OverflowError),
    (stored, {}, IndexError),
    (spelled, {}, ZeroDivisionError),
    (shown, {}, ValueError),
    (joined, {"xs": lists(float, max_len=2)}, ValueError),
    (weighed, {"xs": lists(int, max_len=2)}, KeyError),
]


@pytest.mark.parametrize(
    ("function", "inputs", "error"), PLANTED, ids=[f.__name__ for f, _, _ in PLANTED]
)
def test_planted_bugs_are_found(
    function: Callable[..., Any], inputs: dict[str, Any], error: type[Exception]
) -> None:
    found = explore(function, **inputs, max_len=2, concretize=True)
    failing = [path for path in found.paths if type(path.exception) is error]
    assert failing
    assert all(path.confirmed and path.concretized for path in failing)
    assert not found.complete
    assert any(left.reason.startswith("concretized: ") for left in found.unexplored)
    check_partition(found)


def hidden(x: int, y: int) -> int:
    first = hashlib.md5(str(x % 10).encode()).hexdigest()[0]
    if x > 15 and y == int(first, 16):
        return 1
    return 2 if x < 3 else 3


def test_what_was_chosen_is_a_part_of_the_path() -> None:
    found = explore(hidden, integers(0, 30), integers(0, 15), concretize=True)
    assert found.confirmed
    covered = 0
    for x, y in itertools.product(range(31), range(16)):
        model = Model({Int("x"): x, Int("y"): y})
        taken = [path for path in found.paths if evaluate(path.condition, model) is True]
        assert len(taken) <= 1
        covered += len(taken)
        assert all(path.end.run.value(model) == hidden(x, y) for path in taken)
    # Only what is given to the hash is fixed: four digits of ten.
    assert covered == 16 * len([x for x in range(31) if x % 10 in _digits(found.paths)])
    assert len(_digits(found.paths)) == 4


def _digits(paths: Any) -> set[int]:
    return {path.inputs["x"] % 10 for path in paths}


def test_the_place_and_the_values_are_told() -> None:
    found = explore(hidden, integers(0, 30), integers(0, 15), concretize=True, paths=1)
    (note,) = found.paths[0].concretized
    line = hidden.__code__.co_firstlineno + 1
    assert note == f"{__file__}:{line}: _hashlib.openssl_md5(...) with b'0'"
    assert found.paths[0].as_dict()["concretized"][0].endswith("with b'0'")
    with pytest.raises(NotLiftedError, match="openssl_md5"):
        explore(hidden, integers(0, 30), integers(0, 15))


def parity(x: int) -> str:
    return hashlib.md5(bytes([48 + x % 2])).hexdigest()


def test_completeness_is_not_claimed_even_if_all_values_were_tried() -> None:
    found = explore(parity, concretize=True)
    assert {path.value for path in found.paths} == {parity(0), parity(1)}
    assert not found.complete
    assert not explore(parity, integers(2, 2), concretize=True).complete


def plain(x: int) -> int:
    return 1 if x > 3 else 0


def test_a_function_that_needs_no_values_is_explored_as_always() -> None:
    assert explore(plain, concretize=True).complete


def test_the_same_is_tried_every_time() -> None:
    first, second = [explore(year, concretize=True) for _ in range(2)]
    assert [path.call for path in first.paths] == [path.call for path in second.paths]


def overwritten(x: int, y: int) -> int:
    buffer = bytearray([x % 256, 7])
    io.BytesIO(b"a").readinto(buffer)
    return buffer[0] + y if y > 3 else buffer[1]


def test_what_changes_a_symbolic_value_is_redone_with_other_inputs() -> None:
    found = explore(overwritten, concretize=True)
    assert found.confirmed
    assert not found.complete
    assert {path.value for path in found.paths} >= {ord("a") + 4, 7}


def caller(n: int) -> str:
    return sys._getframe(n % 2).f_code.co_name


def test_what_cpython_does_not_confirm_is_no_finding() -> None:
    found = explore(caller, concretize=True)
    assert not found.paths
    assert any(left.reason.startswith("not confirmed: caller(") for left in found.unexplored)


def test_inputs_of_all_kinds_get_values() -> None:
    def many(d: dict[str, float], pair: tuple[float, int], flag: bool) -> str:
        text = str(list(d.values())) + str(pair[0])
        if flag and pair[1] == 77:
            raise KeyError(text)
        return text

    found = explore(many, max_len=1, concretize=True)
    assert any(type(path.exception) is KeyError for path in found.paths)
    assert found.confirmed
    assert not found.complete
    check_partition(found)
