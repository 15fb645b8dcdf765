# mypy: disable-error-code="valid-type"
"""Verification and synthesis of data-parallel programs."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.languages.synthcl import (
    BoundsError,
    ConflictError,
    SynthCLError,
    buffer,
    get_global_id,
    get_global_size,
    global_,
    int4,
    int_,
    kernel,
    launch,
    numbers,
    read_buffer,
    read_only,
    synthesize,
    verify,
    write_buffer,
)
from solvent.languages.synthcl.benchmarks import images, powers
from solvent.languages.synthcl.programs import sobel, sobel_sketch, walsh, walsh_sketch
from solvent.sketch import choose
from solvent.solvers import Status
from tests.patience import FOREVER


def sums(values: list[Any]) -> list[Any]:
    """The reference: the sum of each number and its right neighbour."""
    return [values[i] + values[i + 1] for i in range(len(values) - 1)]


def run(found: Any, values: list[Any], size: int) -> list[Any]:
    source, out = buffer(int_, len(values)), buffer(int_, len(values) - 1)
    write_buffer(source, values)
    launch(found, size, out, source)
    return read_buffer(out)


@kernel
def added(out: global_(int_), values: read_only(int_)) -> None:
    """Right."""
    i: int_ = get_global_id(0)
    out[i] = values[i + 1] + values[i]


@kernel
def at_most_100(out: global_(int_), values: read_only(int_)) -> None:
    """Wrong for one number in four thousand million."""
    i: int_ = get_global_id(0)
    out[i] = values[i] + values[i + 1]
    if values[i] == 123456789:
        out[i] = 0


@kernel
def reaching(out: global_(int_), values: read_only(int_)) -> None:
    """Reads too far if a number is large."""
    i: int_ = get_global_id(0)
    j: int_ = i + 2 if values[i] > 1000 and i == get_global_size(0) - 1 else i + 1
    out[i] = values[j] + values[i]


@kernel
def quarrelling(out: global_(int_), values: read_only(int_)) -> None:
    """Two instances write one cell if their numbers are equal."""
    i: int_ = get_global_id(0)
    out[i] = values[i] + values[i + 1]
    if i > 0 and values[i] == values[i - 1]:
        out[i - 1] = values[i - 1] + values[i]


def with_kernel(found: Any) -> Any:
    def program(values: list[Any]) -> list[Any]:
        return run(found, values, len(values) - 1)

    return program


def test_a_right_program() -> None:
    found = verify(with_kernel(added), sums, [[numbers(n)] for n in (2, 3, 5)])
    assert found.holds
    assert found.cost.checks == 0
    assert "verified for 3 cases" in str(found)
    with pytest.raises(TypeError, match="holds"):
        bool(found)


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        (at_most_100, AssertionError, "the result differs"),
        (reaching, BoundsError, r"instance 2 of reaching reads values\[4\], but .* 0 to 3"),
        (quarrelling, ConflictError, r"writes cell \d of out, which instance \d writes"),
    ],
)
def test_wrong_programs(wrong: Any, kind: type, message: str) -> None:
    found = verify(with_kernel(wrong), sums, [[numbers(4)]])
    assert found.status is Status.SAT
    assert isinstance(found.failure, kind)
    found_text = str(found)
    assert kind.__name__ in found_text or kind is AssertionError
    with pytest.raises(kind, match=message):
        raise found.failure
    assert found.confirmed
    values = [number.signed for number in found.inputs[0]]
    if wrong is at_most_100:
        assert 123456789 in values[:3]
    elif wrong is reaching:
        assert values[2] > 1000
    else:
        assert values[0] == values[1] or values[1] == values[2]


def test_no_cases() -> None:
    with pytest.raises(SynthCLError, match="no cases"):
        verify(with_kernel(added), sums, [])


def test_a_limit_is_told() -> None:
    def mixed(values: list[Any]) -> list[Any]:
        x, y = values
        for _ in range(12):
            x, y = x * y + (x >> 3), x * x ^ y * 77
        return [x, y]

    def nearly(values: list[Any]) -> list[Any]:
        x, y = mixed(values)
        return [x + 1, y] if x == 123 and y == 456 else [x, y]

    found = verify(nearly, mixed, [[numbers(2)]], timeout=0.5)
    assert found.status is Status.UNKNOWN
    assert "unknown" in str(found)


def test_progress_counts_cases() -> None:
    seen: list[tuple[int, int]] = []
    cases = [[numbers(n)] for n in (2, 3)]
    verify(with_kernel(added), sums, cases, progress=lambda *row: seen.append(row))
    assert seen == [(0, 2), (1, 2), (2, 2)]


def test_sums_may_be_in_any_order() -> None:
    def forwards(values: list[Any]) -> list[Any]:
        total = 0
        for value in values:
            total += 3 * value
        return [total]

    def backwards(values: list[Any]) -> list[Any]:
        total = values[-1] * 4 - values[-1]
        for value in reversed(values[:-1]):
            total = value + (total + value + value)
        return [total]

    found = verify(backwards, forwards, [[numbers(50)]])
    assert found.holds
    assert found.cost.checks == 0


# --- synthesis -----------------------------------------------------------------------------------


@kernel
def reverse(out: global_(int4), values: read_only(int4)) -> None:
    """Where each vector goes, and how it is turned round, is left open."""
    i: int_ = get_global_id(0)
    v: int4 = values[choose(i, get_global_size(0) - i, get_global_size(0) - 1 - i)]
    out[i] = choose(v, v.xzyw, v.wzyx, v.wyzx)


def reversed_vectors(values: list[Any]) -> list[Any]:
    """The sketch."""
    source, out = buffer(int_, len(values)), buffer(int_, len(values))
    write_buffer(source, values)
    launch(reverse, len(values) // 4, out, source)
    return read_buffer(out)


def backwards(values: list[Any]) -> list[Any]:
    """The reference."""
    return values[::-1]


def test_a_sketch_is_completed() -> None:
    found = synthesize(reversed_vectors, backwards, [[numbers(4)], [numbers(12)]])
    assert found.found
    assert found.confirmed
    assert "values[get_global_size(0) - 1 - i]" in found.kernel("reverse")
    assert "out[i] = v.wzyx" in found.source
    assert found.completed is not None
    assert found.completed([1, 2, 3, 4, 5, 6, 7, 8]) == [8, 7, 6, 5, 4, 3, 2, 1]
    assert verify(found.completed, backwards, [[numbers(16)]]).holds


def test_a_sketch_that_cannot_be_completed() -> None:
    def doubled(values: list[Any]) -> list[Any]:
        return [value + value for value in values]

    found = synthesize(reversed_vectors, doubled, [[numbers(4)]])
    assert found.status is Status.UNSAT
    assert "no values of the holes" in str(found)


def test_a_sketch_is_kept_from_conflicts() -> None:
    found = synthesize(writes, backwards, [[numbers(6)]])
    assert found.found
    assert found.confirmed
    assert "out[get_global_size(0) - 1 - i]" in found.kernel("somewhere")


@kernel
def somewhere(out: global_(int_), values: read_only(int_)) -> None:
    """All of the options but one are out of bounds, or conflict."""
    i: int_ = get_global_id(0)
    out[choose(0, i + 1, get_global_size(0) - 1 - i, get_global_size(0) - i)] = values[i]


def writes(values: list[Any]) -> list[Any]:
    """The sketch."""
    source, out = buffer(int_, len(values)), buffer(int_, len(values))
    write_buffer(source, values)
    write_buffer(out, values)
    launch(somewhere, len(values), out, source)
    return read_buffer(out)


@pytest.mark.parametrize(
    ("sketch", "reference", "cases"),
    [
        (walsh_sketch.transform_vector, walsh.transform, powers([3])),
        (walsh_sketch.transform_scalar, walsh.transform, powers([3])),
        (sobel_sketch.sobel_7, sobel.sobel, images([4])),
    ],
)
def test_sketches_of_the_paper(sketch: Any, reference: Any, cases: Any) -> None:
    found = synthesize(sketch, reference, cases, timeout=FOREVER)
    assert found.found
    assert found.confirmed
    assert found.completed is not None
    assert verify(found.completed, reference, cases).holds
