# mypy: disable-error-code="valid-type"
"""Memory, pointers, launches: bounds, conflicts, what was never written."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from solvent import BitVec, Bool, evaluate
from solvent.languages.synthcl import (
    AccessError,
    BoundsError,
    ConflictError,
    Device,
    SynthCLError,
    UninitializedError,
    array,
    buffer,
    cast,
    contents,
    get_global_id,
    get_global_size,
    get_group_id,
    get_local_id,
    get_local_size,
    get_num_groups,
    get_work_dim,
    global_,
    int2,
    int4,
    int_,
    kernel,
    launch,
    read_buffer,
    read_only,
    using,
    write_buffer,
)
from solvent.lift import execute
from solvent.terms import BitVecTerm, bv


def test_pointers_and_casts() -> None:
    p = array(int_, list(range(8)))
    assert (p + 2)[1] == 3
    assert (p + 5 - 2)[0] == 3
    q = (p + 4).cast(int4)
    assert tuple(q[0].items) == (4, 5, 6, 7)
    assert tuple(q[-1].items) == (0, 1, 2, 3)
    cast(int2, p)[1] = int2(8, 9)
    q[0] = 5
    assert contents(p) == [0, 1, 8, 9, 5, 5, 5, 5]
    assert q.cast(int_)[-1] == 9
    with pytest.raises(BoundsError, match="not aligned"):
        (p + 1).cast(int2)
    with pytest.raises(SynthCLError, match="cannot be stored"):
        p.cast(int2)[0] = int4(0)


@pytest.mark.parametrize("index", [8, -1, 100])
def test_bounds_of_the_host(index: int) -> None:
    p = array(int_, [0] * 8, "numbers")
    with pytest.raises(BoundsError, match=rf"the host reads numbers\[{index}\].*only 0 to 7"):
        p[index]
    with pytest.raises(BoundsError, match="writes"):
        p[index] = 1


@kernel
def ids(out: global_(int_)) -> None:
    """Notes what each instance knows of itself."""
    place: int_ = get_global_id(0) * get_global_size(1) + get_global_id(1)
    seen: int_ = get_work_dim()
    for d in range(2):
        seen = seen * 10 + get_local_id(d)
        seen = seen * 10 + get_group_id(d)
        seen = seen * 10 + get_local_size(d)
        seen = seen * 10 + get_num_groups(d)
    out[place] = seen


def test_ids() -> None:
    out = buffer(int_, 8)
    launch(ids, (2, 4), out, local_size=(1, 2))
    expected = [
        int(f"2{0}{i}{1}{2}{j % 2}{j // 2}{2}{2}") for i, j in itertools.product(range(2), range(4))
    ]
    assert read_buffer(out) == expected


@kernel
def shifted(out: global_(int_), numbers: read_only(int_), by: int_) -> None:
    """Reads its neighbour's number."""
    out[get_global_id(0)] = numbers[get_global_id(0) + by]


def test_bounds_in_a_kernel_are_told_with_line_and_instance() -> None:
    out, numbers = buffer(int_, 3), buffer(int_, 3)
    write_buffer(numbers, [1, 2, 3])
    message = r"test_memory.py:\d+: instance 2 of shifted reads numbers\[3\], but .* 0 to 2"
    with pytest.raises(BoundsError, match=message):
        launch(shifted, 3, out, numbers, 1)
    write_buffer(long := buffer(int_, 4), [1, 2, 3, 4])
    with pytest.raises(BoundsError, match=r"writes out\[3\]"):
        launch(shifted, 4, out, long, 0)


def test_reading_what_was_never_written() -> None:
    out, numbers = buffer(int_, 3), buffer(int_, 3)
    with pytest.raises(UninitializedError, match=r"numbers\[0\] was never written"):
        launch(shifted, 3, out, numbers, 0)
    with pytest.raises(UninitializedError, match="cell 0"):
        read_buffer(out)


@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize(
    ("by", "message"),
    [(1, "instance 1 of moves writes cell 1 of data, which instance 0 reads"),
     (-1, "instance 1 of moves reads cell 0 of data, which instance 0 writes")],
)  # fmt: skip
def test_reads_and_writes_conflict(by: int, message: str, lifted: bool) -> None:
    data = buffer(int_, 5)
    write_buffer(data, [1, 2, 3, 4, 5])
    with using(Device(lifted=lifted)), pytest.raises(ConflictError, match=message):
        launch(moves, 3, data, by)
    # The next launch starts anew.
    launch(moves, 3, data, 0)


@kernel
def moves(data: global_(int_), by: int_) -> None:
    """Each instance reads one cell and writes another."""
    i: int_ = get_global_id(0)
    if by < 0 and i == 0:
        data[0] = 1
    else:
        data[i] = data[i + by]


def test_two_writes_conflict_also_through_vectors() -> None:
    @kernel
    def same(data: global_(int4), scalars: global_(int_)) -> None:
        if get_global_id(0) == 0:
            data[0] = int4(1)
        else:
            scalars[3] = 1

    data = buffer(int_, 4)
    with pytest.raises(ConflictError, match="instance 1 of same writes cell 3 of scalars"):
        launch(same, 2, data, data)


def test_one_instance_may_do_what_it_likes_and_all_may_read() -> None:
    @kernel
    def busy(data: global_(int_), shared: global_(int_)) -> None:
        i: int_ = get_global_id(0)
        data[i] = shared[0] + shared[1]
        data[i] += data[i]

    data, shared = buffer(int_, 3), buffer(int_, 2)
    write_buffer(shared, [1, 2])
    launch(busy, 3, data, shared)
    assert read_buffer(data) == [6, 6, 6]


# --- mistakes ------------------------------------------------------------------------------------


def test_what_makes_no_sense_is_refused() -> None:
    out, numbers = buffer(int_, 4), buffer(int4, 1)
    write_buffer(numbers, [1, 2, 3, 4])
    mistakes: list[tuple[str, Callable[[], Any]]] = [
        ("takes 3 arguments, not 2", lambda: launch(shifted, 1, out, numbers)),
        ("needs a buffer", lambda: launch(shifted, 1, out, [1], 0)),
        ("not a buffer", lambda: launch(shifted, 1, out, numbers, out)),
        ("positive concrete", lambda: launch(shifted, 0, out, numbers, 0)),
        ("positive concrete", lambda: launch(shifted, (1, 1, 1, 1), out, numbers, 0)),
        ("does not divide", lambda: launch(shifted, 3, out, numbers, 0, local_size=2)),
        ("only kernels", lambda: launch(len, 1)),
        ("with launch", lambda: shifted(out, numbers, 0)),
        ("do not fit", lambda: write_buffer(out, [0] * 5)),
        ("no kernel is running", lambda: get_global_id(0)),
        ("concrete size", lambda: buffer(int_, BitVec("n", 8))),
        ("type such as int_", lambda: buffer(int, 3)),
        ("only the host", lambda: launch(nested, 1, out)),
        ("read-only", lambda: launch(scribble, 1, numbers)),
    ]
    for message, action in mistakes:
        with pytest.raises(SynthCLError, match=message):
            action()


@kernel
def scribble(numbers: read_only(int_)) -> None:
    """Writes what it must not write."""
    numbers[0] = 1


@kernel
def nested(out: global_(int_)) -> None:
    """Launches another kernel."""
    launch(ids, 1, out)


HOST_DATA = array(int_, [1])


def test_spaces_are_kept_apart() -> None:
    @kernel
    def peeks(out: global_(int_)) -> None:
        out[0] = HOST_DATA[0]

    with pytest.raises(SynthCLError, match="memory of the host"):
        launch(peeks, 1, buffer(int_, 1))


# --- symbolic ------------------------------------------------------------------------------------


@kernel
def scatter(out: global_(int_), index: read_only(int_)) -> None:
    """Where it writes depends on the data, whether it does too."""
    i: int_ = get_global_id(0)
    if index[i] != 1:
        out[index[i]] = i + 10


@kernel
def gather(out: global_(int_), index: read_only(int_)) -> None:
    """Reads where another instance may write."""
    i: int_ = get_global_id(0)
    if index[i] > 0:
        out[i] = out[index[i]] + 1


@kernel
def vectors(out: global_(int2), index: read_only(int_)) -> None:
    """A vector at a symbolic place, and one of its components."""
    i: int_ = get_global_id(0)
    v: int2 = out[index[i]]
    v.x = v.y + i
    if index[i] != i:
        out[i + index[i]] = v
    else:
        out.cast(int_)[2 * i + 1] = 5


@kernel
def after_another(out: global_(int_), index: read_only(int_)) -> None:
    """The first instance reads a cell that others may read and write."""
    i: int_ = get_global_id(0)
    if i == 0:
        out[0] = out[2] + index[0]
    else:
        v: int_ = out[index[i]]
        if v != i:
            out[index[i]] = v + i


def behaviour(found: Any, cells: int, index: list[Any]) -> list[Any]:
    """The contents of memory after a launch on three instances."""
    out, places = buffer(int_, cells), buffer(int_, len(index))
    write_buffer(out, list(range(cells)))
    write_buffer(places, index)
    launch(found, len(index), out, places)
    return read_buffer(out)


@pytest.mark.parametrize(
    ("found", "cells"), [(scatter, 3), (gather, 3), (vectors, 6), (after_another, 3)]
)
def test_symbolic_accesses_are_exact(found: Any, cells: int) -> None:
    names = ["a", "b", "c"]
    index = [BitVec(name, 4) for name in names]
    outcome = execute(behaviour, found, cells, index)
    failed = set()
    for values in itertools.product(range(-2, 4), repeat=3):
        model = {name: bv(value, 4) for name, value in zip(names, values, strict=True)}
        failures = [f for f in outcome.failures if evaluate(f.condition, model) is True]
        error = None
        try:
            expected = behaviour(found, cells, list(model.values()))
        except AccessError as raised:
            error = raised
        if error is None:
            assert not failures
            assert evaluate(outcome.value, model) == expected
        else:
            predicted = evaluate(failures[0].exception, model)
            assert (type(predicted), str(predicted)) == (type(error), str(error))
            failed.add(type(error).__mro__[1])
    assert {BoundsError, ConflictError} <= failed


def test_indices_that_are_choices_need_no_arithmetic() -> None:
    def run(p: Any, q: Any) -> Any:
        data = array(int_, [BitVec(f"d{n}", 8) for n in range(6)])
        index = (2 if p else 0) + (1 if q else 0)
        data[index + 2] = data[index]
        return contents(data)

    p, q = Bool("p"), Bool("q")
    outcome = execute(run, p, q)
    assert not outcome.failures
    assert "+" not in str(outcome.value)
    values = {f"d{n}": bv(n, 8) for n in range(6)}
    for truths in itertools.product((False, True), repeat=2):
        place = 2 * truths[0] + truths[1]
        expected = [place if n == place + 2 else n for n in range(6)]
        found = evaluate(outcome.value, {**values, "p": truths[0], "q": truths[1]})
        assert [int(value) for value in found] == expected


def test_choices_out_of_bounds() -> None:
    def run(p: Any, q: Any) -> Any:
        data = array(int_, list(range(6)))
        return data[(4 if p else 0) + (3 if q else -1)]

    p, q = Bool("p"), Bool("q")
    outcome = execute(run, p, q)
    for truths in itertools.product((False, True), repeat=2):
        failing = any(
            evaluate(failure.condition, {"p": truths[0], "q": truths[1]}) is True
            for failure in outcome.failures
        )
        assert failing is (truths[0] == truths[1])


def test_an_index_too_short_to_leave_the_bounds() -> None:
    data = array(int_, list(range(40)))
    x: BitVecTerm = BitVec("x", 4)
    outcome = execute(lambda: data[x])
    assert evaluate(outcome.failures[0].condition, {x: bv(-1, 4)}) is True
    assert evaluate(outcome.failures[0].condition, {x: bv(7, 4)}) is False
    outcome = execute(lambda: (data + 8)[x])
    assert not outcome.failures
    assert evaluate(outcome.value, {x: bv(-8, 4)}) == 0


def test_writing_under_a_condition_into_fresh_memory() -> None:
    @kernel
    def some(out: global_(int_), numbers: read_only(int_)) -> None:
        i: int_ = get_global_id(0)
        if numbers[i] > 3:
            out[i] = 1

    def run(x: Any) -> Any:
        out, numbers = buffer(int_, 1), buffer(int_, 1)
        write_buffer(numbers, [x])
        launch(some, 1, out, numbers)
        return read_buffer(out)

    x = BitVec("x", 8)
    outcome = execute(run, x)
    (failure,) = outcome.failures
    assert isinstance(failure.exception, UninitializedError)
    assert evaluate(failure.condition, {x: bv(3, 8)}) is True
    assert evaluate(failure.condition, {x: bv(4, 8)}) is False


def test_reading_at_a_symbolic_place_what_may_not_be_written() -> None:
    data = array(int_, [0] * 3, "data")
    data.memory.cells[1] = None
    x = BitVec("x", 8)
    outcome = execute(lambda: data[x])
    uninitialized = [f for f in outcome.failures if isinstance(f.exception, UninitializedError)]
    (failure,) = uninitialized
    for value in range(3):
        assert evaluate(failure.condition, {x: bv(value, 8)}) is (value == 1)
    message = str(evaluate(failure.exception, {x: bv(1, 8)}))
    assert message.endswith("data[1] was never written")
