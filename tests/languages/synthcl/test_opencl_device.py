# mypy: disable-error-code="valid-type"
"""Kernels give the same on a real device as in Python, where an OpenCL runtime is installed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from solvent.languages.synthcl import (
    Device,
    Kernel,
    Scalar,
    SynthCLError,
    all_,
    bool4,
    bool_,
    buffer,
    float_,
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
    select,
    using,
    write_buffer,
)
from solvent.languages.synthcl.opencl import OpenCLDevice
from solvent.languages.synthcl.programs import matrix, sobel, walsh
from solvent.terms import BV, bv
from tests.languages.synthcl.random_kernels import INPUTS, INSTANCES, kernels, made

pytest.importorskip("pyopencl")

LEAST, MOST = -(1 << 31), (1 << 31) - 1
EXTREMES = [0, 1, -1, 2, -2, 7, 31, 32, LEAST, LEAST + 1, MOST, MOST - 1, 65536, -65536]
INTS = st.sampled_from(EXTREMES) | st.integers(LEAST, MOST)


@pytest.fixture(scope="module")
def device() -> OpenCLDevice:
    return OpenCLDevice()


def run(found: Kernel, ints: list[Any], floats: list[float], lanes: Any) -> list[list[Any]]:
    """All that a random kernel writes."""
    shapes = [(int_, 4), (int_, 8), (bool_, 1), (bool_, 4), (float_, 2), (float_, 4)]
    outputs = [buffer(of, each * INSTANCES) for of, each in shapes]
    numbers, reals = buffer(int_, len(ints)), buffer(float_, len(floats))
    write_buffer(numbers, ints)
    write_buffer(reals, floats)
    launch(found, INSTANCES, *outputs, numbers, reals, INSTANCES, lanes)
    return [[plain(value) for value in read_buffer(output)] for output in outputs]


def plain(value: Any) -> Any:
    """A number as a device has it."""
    if isinstance(value, BV):
        return value.signed
    if type(value) is int:
        return (value + (1 << 31)) % (1 << 32) - (1 << 31)
    return value


def agree(device: OpenCLDevice, source: str, ints: list[Any], floats: list[float]) -> None:
    found = made(source)
    lanes = int4(*ints[:4])
    with using(Device(lifted=False)):
        expected = run(found, ints, floats, lanes)
    with using(device):
        assert run(found, ints, floats, lanes) == expected


RANDOM: dict[str, Any] = {
    "deadline": None,
    # Smaller kernels are not worth the minutes that it takes to compile so many.
    "phases": [Phase.explicit, Phase.reuse, Phase.generate],
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
WORDS = st.lists(INTS, min_size=4 * INPUTS, max_size=4 * INPUTS)
SMALL = st.lists(st.integers(-8, 8), min_size=4 * INPUTS, max_size=4 * INPUTS)


@settings(max_examples=3, **RANDOM)
@given(source=kernels(floats=False), ints=WORDS)
def test_random_kernels_on_ints(device: OpenCLDevice, source: str, ints: list[int]) -> None:
    agree(device, source, [bv(value, 32) for value in ints], [0.0] * INPUTS)


@settings(max_examples=3, **RANDOM)
@given(source=kernels(floats=True), ints=SMALL)
def test_random_kernels_on_floats(device: OpenCLDevice, source: str, ints: list[int]) -> None:
    agree(device, source, ints, [float(value) for value in ints[:INPUTS]])


@pytest.mark.slow
@settings(max_examples=15, **RANDOM)
@given(source=kernels(floats=False), ints=WORDS)
def test_many_random_kernels_on_ints(device: OpenCLDevice, source: str, ints: list[int]) -> None:
    agree(device, source, [bv(value, 32) for value in ints], [0.0] * INPUTS)


@pytest.mark.slow
@settings(max_examples=15, **RANDOM)
@given(source=kernels(floats=True), ints=SMALL)
def test_many_random_kernels_on_floats(device: OpenCLDevice, source: str, ints: list[int]) -> None:
    agree(device, source, ints, [float(value) for value in ints[:INPUTS]])


def test_the_programs_are_right_on_a_device(device: OpenCLDevice) -> None:
    source = random.Random(6)
    floats = [float(source.randint(-100, 100)) for _ in range(64)]
    pixels = [bv(source.getrandbits(32), 32) for _ in range(5 * 4 * 4)]
    for module in (matrix, sobel, walsh):
        device.compile(*(found for found in vars(module).values() if isinstance(found, Kernel)))
    with using(device):
        for multiply in (matrix.multiply_scalar, matrix.multiply_vector):
            found = multiply(4, 8, 4, floats[:32], floats[32:])
            assert found == matrix.multiply(4, 8, 4, floats[:32], floats[32:])
        for step in range(1, 8):
            found = getattr(sobel, f"sobel_{step}")(5, 4, pixels)
            assert found == [plain(value) for value in sobel.sobel(5, 4, pixels)], step
        for transform in (walsh.transform_scalar, walsh.transform_vector):
            assert transform(floats) == walsh.transform(floats)


def last_of(values: read_only(int_), count: int_) -> int_:
    """A helper that returns from a loop."""
    quotient: int_ = 0
    while True:
        quotient += 1
        if quotient >= count:
            break
        if values[quotient] == 3:
            continue
        if values[quotient] < 0:
            return quotient // -1
    return values[count - 1]


def swap(values: global_(int_), a: int_, b: int_) -> None:
    """A helper that writes."""
    values[a], values[b] = values[b], values[a]


@kernel
def control(out: global_(int_), n: global_(int_), step: int_) -> None:
    """Loops and variables in which C and Python differ."""
    uint: int_ = 0
    for k in range(3):
        for k in range(2):
            uint += k
        uint = uint * 10 + k
    out[0] = uint * 100 + k
    for half in range(5):
        out[1] = half
        half += 10
        if half == 13:
            break
    out[2] = half
    bound: int_ = 4
    for j in range(0, bound, step):
        bound = 2
        step = step + 1
        j_end: int_ = j
        out[3] = j_end + bound
    for j in range(bound, -bound, -step):
        if j == 1:
            late: int_ = 7
        elif j < 0:
            out[4] = late
        else:
            late = 8
    for j in range(n[0]):
        n[0] = 1
        out[5] = j
    swap(n, 1, 2)
    out[6] = n[1] * 10 + n[2]
    found: int_ = last_of(n, 4)
    out[7] = found
    first, second = n[3], found
    first, second = second, first
    out[8] = first - 2 * second
    floor_mod: int_ = n[3]
    out[9] = floor_mod % -7 + floor_mod // LARGE
    p: global_(int_) = out + 8
    p += 2
    p[0] = (p - 1)[0] >> 1
    later = n[2] - 5
    while later < 0 or not later % 3:
        later += 1
    p[1] = later if 0 <= later < 9 else -later


LARGE = 1000


def test_control(device: OpenCLDevice) -> None:
    def run_control(values: list[Any], step: int) -> list[Any]:
        out, n = buffer(int_, 12), buffer(int_, 4)
        write_buffer(out, [0] * 12)
        write_buffer(n, values)
        launch(control, 1, out, n, step)
        return [plain(value) for value in read_buffer(out)]

    for values, step in (([3, 1, 2, -9], 1), ([2, -7, LEAST, MOST], 2), ([1, 3, -3, 3], 3)):
        data = [bv(value, 32) for value in values]
        with using(Device(lifted=False)):
            expected = run_control(data, step)
        with using(device):
            assert run_control(data, step) == expected


@kernel
def masks(out: global_(int4), flags: read_only(bool4), given: bool4, one: bool_) -> None:
    """Truth values in memory, in vectors and as parameters."""
    m: bool4 = bool4(True, False, flags[0].x, one)
    out[0] = select(int4(1), int4(2), flags[0])
    out[1] = select(int4(1), int4(2), m & given)
    out[2] = int4(m) + 10 * int4(flags[0]) + 100 * int4(given | one)
    out[3] = int4(flags.cast(bool_)[1], one, True, not one) + (5 if all_(m) else 6)


@pytest.mark.parametrize("one", [True, False])
def test_truth_values(device: OpenCLDevice, one: bool) -> None:
    def run_masks() -> list[Any]:
        out, flags = buffer(int4, 4), buffer(bool_, 4)
        write_buffer(flags, [True, False, one, True])
        launch(masks, 1, out, flags, bool4(one, True, False, True), one)
        return [plain(value) for value in read_buffer(out)]

    with using(Device(lifted=False)):
        expected = run_masks()
    with using(device):
        assert run_masks() == expected


@kernel
def places(out: global_(int2), flag: bool_, base: int2) -> None:
    """All that an instance can ask about its place."""
    i: int_ = get_global_id(0) * get_global_size(1) + get_global_id(1)
    asked: int_ = get_local_id(0) + 10 * get_local_id(1) + 100 * get_group_id(1)
    sizes: int_ = get_local_size(1) + 10 * get_num_groups(0) + 100 * get_work_dim()
    out[i] = base + int2(asked, sizes) if flag else int2(0)


@pytest.mark.parametrize("local", [None, (2, 1), (2, 3)])
@pytest.mark.parametrize("flag", [True, False])
def test_places_of_instances(device: OpenCLDevice, local: Any, flag: bool) -> None:
    def run_places() -> list[Any]:
        out = buffer(int2, 24)
        launch(places, (4, 6), out, flag, int2(3, MOST), local_size=local)
        return [plain(value) for value in read_buffer(out)]

    with using(Device(lifted=False)):
        expected = run_places()
    with using(device):
        assert run_places() == expected


def test_buffers(device: OpenCLDevice) -> None:
    with using(device):
        for of, values, expected in (
            (int_, [1, bv(-2, 32), 1 << 31], [1, -2, LEAST]),
            (float_, [1, 0.5, True], [1.0, 0.5, 1.0]),
            (bool_, [True, 0, 3], [True, False, True]),
        ):
            found = buffer(of, 3)
            write_buffer(found, values)
            assert read_buffer(found) == expected
        assert read_buffer(buffer(int_, 0)) == []
        with pytest.raises(SynthCLError, match="do not fit"):
            write_buffer(buffer(int_, 1), [1, 2])


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ((True, int2(0)), "takes 3 arguments, not 2"),
        ((1, True, int2(0)), "needs a buffer, not 1"),
        ((float_, True, int2(0)), r"is global_\(int2\), which <OpenCL buffer of 2 float_> is not"),
        ((int_, int_, int2(0)), "is bool_, not a buffer"),
        ((int_, int2(0), int2(0)), "is bool_, not int2"),
    ],
)
def test_wrong_arguments(device: OpenCLDevice, args: tuple[Any, ...], sentence: str) -> None:
    with using(device):
        given = [buffer(arg, 2) if isinstance(arg, Scalar) else arg for arg in args]
        with pytest.raises(SynthCLError, match=sentence):
            launch(places, (1, 1), *given)
