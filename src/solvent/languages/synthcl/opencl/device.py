"""A real device: kernels run as OpenCL, by `pyopencl`.

Both `pyopencl` and an OpenCL runtime are optional; the packages `pyopencl` and
`pocl-binary-distribution` bring one that runs on the processor.
"""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

from solvent.languages.synthcl.opencl.generator import Program
from solvent.languages.synthcl.runtime import Device, Kernel, Launch, ParameterType, PointerType
from solvent.languages.synthcl.types import (
    Scalar,
    SynthCLError,
    Type,
    Vector,
    VectorType,
    bool_,
    float_,
    make_vector,
)
from solvent.terms import BV, Term
from solvent.vm.values import Value

MISSING = (
    "no OpenCL runtime is here; `pip install 'solvent[opencl]'` brings pyopencl and PoCL, which "
    "runs kernels on the processor"
)
# What memory holds that nobody has written.
UNWRITTEN = 0x5A
LOCAL_QUESTIONS = ("get_local_id", "get_local_size", "get_group_id", "get_num_groups")


class NoOpenCLError(SynthCLError):
    """There is nothing that runs OpenCL."""


def _pyopencl() -> ModuleType:
    try:
        import pyopencl
    except ImportError:
        raise NoOpenCLError(MISSING) from None
    module: ModuleType = pyopencl
    return module


class OpenCLBuffer:
    """A block of memory of a real device."""

    def __init__(self, base: Scalar, cells: int, memory: object) -> None:
        self.base = base
        self.cells = cells
        self.memory = memory

    def __len__(self) -> int:
        return self.cells

    def __repr__(self) -> str:
        return f"<OpenCL buffer of {self.cells} {self.base}>"


class OpenCLDevice(Device):
    """A device that runs translated kernels; use it as in `with using(OpenCLDevice()): ...`.

    The environment variable `PYOPENCL_CTX` chooses among several devices.
    """

    def __init__(self) -> None:
        super().__init__(lifted=False)
        self.cl = _pyopencl()
        try:
            self.context = self.cl.create_some_context(interactive=False)
        except (self.cl.Error, RuntimeError):
            raise NoOpenCLError(MISSING) from None
        self.hardware = self.context.devices[0]
        self.queue = self.cl.CommandQueue(self.context, self.hardware)
        self.built: dict[Kernel, tuple[Any, str]] = {}

    @property
    def name(self) -> str:
        """What the device calls itself."""
        return f"{self.hardware.name.strip()} ({self.hardware.platform.name.strip()})"

    # --- memory ----------------------------------------------------------------------------------

    def buffer(self, of: Type, count: int, name: str) -> Value:
        """A new block of memory, in which are odd values."""
        import numpy

        cells = count * of.width
        initial = numpy.full(max(cells, 1) * 4, UNWRITTEN, dtype=numpy.uint8)
        flags = self.cl.mem_flags.READ_WRITE | self.cl.mem_flags.COPY_HOST_PTR
        return OpenCLBuffer(of.base, cells, self.cl.Buffer(self.context, flags, hostbuf=initial))

    def write(self, to: Value, values: list[Value], offset: int) -> None:
        """Copy scalars into memory; they fit."""
        if values:
            cells = _cells(to.base, values)
            self.cl.enqueue_copy(self.queue, to.memory, cells, dst_offset=offset * 4).wait()

    def read(self, found: Value) -> list[Value]:
        """The scalars in a block of memory."""
        import numpy

        cells = numpy.empty(max(len(found), 1), dtype=_cell_type(found.base))
        self.cl.enqueue_copy(self.queue, cells, found.memory).wait()
        values: list[Value] = cells[: len(found)].tolist()
        return [value != 0 for value in values] if found.base is bool_ else values

    # --- launches --------------------------------------------------------------------------------

    def launch(self, found: Kernel, launched: Launch, args: tuple[Value, ...]) -> None:
        """Run all instances of a kernel."""
        if len(args) != len(found.parameters):
            raise SynthCLError(
                f"the kernel {found.name} takes {len(found.parameters)} arguments, not {len(args)}"
            )
        compiled, text = self.compiled(found)
        given = [
            _argument(found, name, of, arg)
            for (name, of), arg in zip(found.parameters.items(), args, strict=True)
        ]
        local = self._local_size(launched, text)
        try:
            compiled(self.queue, launched.global_size, local, *given).wait()
        except self.cl.Error as error:
            raise SynthCLError(f"the kernel {found.name} could not be run: {error}") from None

    def _local_size(self, launched: Launch, text: str) -> tuple[int, ...] | None:
        """The size of work-groups, which the device chooses if the kernel does not ask for it."""
        if launched.local_size != launched.global_size:
            return launched.local_size
        if not any(question in text for question in LOCAL_QUESTIONS):
            return None
        if math.prod(launched.local_size) > self.hardware.max_work_group_size:
            raise SynthCLError(
                f"the kernel {launched.name} asks for its place in its work-group, but the device "
                f"has no work-groups of {launched.local_size}; give a local_size"
            )
        return launched.local_size

    def compile(self, *kernels: Kernel) -> None:
        """Translate and compile kernels together, which is faster than one after the other."""
        program = Program(kernels)
        text = program.text()
        # Without warnings, such as those about constants that are compared.
        options = ["-w"]
        if self._rounds_correctly:
            options.append("-cl-fp32-correctly-rounded-divide-sqrt")
        try:
            built = self.cl.Program(self.context, text).build(options)
        except self.cl.Error as error:
            raise SynthCLError(
                f"OpenCL refuses the translation of {kernels[0].name}: {error}"
            ) from None
        for kernel, name in program.names.items():
            self.built[kernel] = self.cl.Kernel(built, name), text

    @property
    def _rounds_correctly(self) -> bool:
        config = self.hardware.single_fp_config
        return bool(config & self.cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT)

    def compiled(self, kernel: Kernel) -> tuple[Any, str]:
        """A kernel of the device, and its program."""
        if kernel not in self.built:
            self.compile(kernel)
        return self.built[kernel]


# --- values --------------------------------------------------------------------------------------


def _cell_type(base: Scalar) -> Any:
    import numpy

    return numpy.float32 if base is float_ else numpy.int32


def _cells(base: Scalar, values: list[Value]) -> Any:
    """Scalars as they are in memory."""
    import numpy

    return numpy.array([_cell(base, value) for value in values], dtype=_cell_type(base))


def _cell(base: Scalar, value: Value) -> int | float:
    """A scalar as it is in memory: ints wrap around, and truth values are masks."""
    if isinstance(value, Term) or value is None:
        raise SynthCLError(f"{value!r} is no number, which a real device needs")
    if isinstance(value, BV):
        value = value.signed
    if base is bool_:
        return -1 if value else 0
    if base is float_:
        return float(value)
    return (int(value) + (1 << 31)) % (1 << 32) - (1 << 31)


def _argument(found: Kernel, name: str, of: ParameterType, arg: Value) -> Value:
    """An argument as OpenCL takes it."""
    if isinstance(of, PointerType):
        if not isinstance(arg, OpenCLBuffer):
            raise SynthCLError(f"the parameter {name} of {found.name} needs a buffer, not {arg!r}")
        if arg.base is not of.target.base or len(arg) % of.target.width:
            raise SynthCLError(f"the parameter {name} of {found.name} is {of}, which {arg} is not")
        return arg.memory
    if isinstance(arg, OpenCLBuffer):
        raise SynthCLError(f"the parameter {name} of {found.name} is {of}, not a buffer")
    if isinstance(of, VectorType):
        return _cells(of.base, list(make_vector(of, arg).items))
    if isinstance(arg, Vector):
        raise SynthCLError(f"the parameter {name} of {found.name} is {of}, not {arg}")
    number = _cell(of, of(arg))
    return _cell_type(of)(abs(number) if of is bool_ else number)
