"""The host's interface: kernels, buffers of the device, and launches.

A kernel is an ordinary function whose parameters are annotated with types of SynthCL.  A launch
runs it once for each point of a range of one to three dimensions.  The instances run in some order;
since no two of them may make conflicting accesses, the order does not matter, and the end of a
launch is the only barrier that is needed.

>>> from solvent.languages.synthcl.types import int_
>>> @kernel
... def double(out: global_(int_), numbers: read_only(int_)):
...     i: int_ = get_global_id(0)
...     out[i] = numbers[i] * 2
>>> numbers, out = buffer(int_, 3), buffer(int_, 3)
>>> write_buffer(numbers, [1, 2, 3])
>>> launch(double, 3, out, numbers)
>>> read_buffer(out)
[2, 4, 6]
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import FunctionType

from solvent import lifted
from solvent.languages.synthcl.checking import check_source
from solvent.languages.synthcl.memory import (
    GLOBAL,
    INSTANCE,
    Instance,
    Memory,
    Pointer,
    UninitializedError,
    put,
)
from solvent.languages.synthcl.types import (
    Scalar,
    SynthCLError,
    Type,
    Vector,
    VectorType,
    convert,
    make_vector,
    stored,
)
from solvent.lift import is_union, lift_with_for_all
from solvent.vm.values import Value


@dataclass(frozen=True)
class PointerType:
    """The type of a parameter that points into the device's memory."""

    target: Type
    writable: bool = True

    def __repr__(self) -> str:
        return f"{'global_' if self.writable else 'read_only'}({self.target})"


# The type of a parameter of a kernel.
ParameterType = Scalar | VectorType | PointerType


def global_(target: Value) -> PointerType:
    """A pointer into the device's memory: `__global int4 *`.

    >>> global_(Scalar("int"))
    global_(int_)
    """
    return PointerType(target)


def read_only(target: Value) -> PointerType:
    """A pointer into the device's memory through which nothing is written: `__global const int *`.

    >>> read_only(Scalar("int"))
    read_only(int_)
    """
    return PointerType(target, writable=False)


# --- kernels -------------------------------------------------------------------------------------


class Kernel:
    """A function of which many instances run at once."""

    def __init__(self, function: FunctionType) -> None:
        # The function as it was written; `inspect` finds its source through `__wrapped__`.
        self.function = self.__wrapped__ = function
        self.name = self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.parameters = parameter_types(function)
        check_source(function, self.name)
        self.lifted = lifted(function)

    def __call__(self, *_: Value) -> None:
        raise SynthCLError(f"the kernel {self.name} is run with launch({self.name}, size, ...)")

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"


def kernel(function: Callable[..., Value]) -> Kernel:
    """Make a kernel of a function whose parameters are annotated with types of SynthCL."""
    if not isinstance(function, FunctionType):
        raise SynthCLError(f"a kernel is a function, not {function!r}")
    return Kernel(function)


def parameter_types(function: FunctionType) -> dict[str, ParameterType]:
    """The types of the parameters of a kernel, by name."""
    where = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
    try:
        found = inspect.get_annotations(function, eval_str=True)
    except NameError as error:
        raise SynthCLError(f"{where}: an annotation of {function.__name__}: {error}") from None
    types = {}
    for name, parameter in inspect.signature(function).parameters.items():
        of = found.get(name)
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            raise SynthCLError(f"{where}: a kernel has a fixed number of parameters")
        if not isinstance(of, (Scalar, VectorType, PointerType)):
            raise SynthCLError(
                f"{where}: the parameter {name} of the kernel {function.__name__} needs a type, "
                "such as int_, float4 or global_(int_)"
            )
        types[name] = of
    return types


# --- buffers -------------------------------------------------------------------------------------


class Buffer:
    """A block of the device's memory, as the host sees it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def __len__(self) -> int:
        return len(self.memory.cells)

    def __repr__(self) -> str:
        return f"<buffer of {len(self)} {self.memory.base}>"


class Device:
    """What the host talks to: this one is the model of a device that all queries use.

    Another one, such as real hardware, is used by the host procedures inside of `with using(...)`.
    """

    def __init__(self, lifted: bool = True) -> None:
        # Whether kernels run on symbolic values, or as the plain Python functions that they are.
        self.lifted = lifted

    def buffer(self, of: Type, count: int, name: str) -> Value:
        """A new block of memory for so many values of a type."""
        return Buffer(Memory(of.base, count * of.width, GLOBAL, name))

    def write(self, to: Value, values: list[Value], offset: int) -> None:
        """Copy scalars into memory; they fit."""
        put(to.memory.cells, offset, stored(to.memory.base, values))

    def read(self, found: Value) -> list[Value]:
        """The scalars in a block of memory."""
        cells = list(found.memory.cells)
        for place, cell in enumerate(cells):
            if cell is None or is_union(cell):
                cells[place] = _read_cell(cell, place)
        return cells

    def launch(self, found: Kernel, launched: Launch, args: tuple[Value, ...]) -> None:
        """Run all instances of a kernel, one after the other."""
        if INSTANCE.get() is not None:
            raise SynthCLError(
                f"the kernel {found.name} is launched by a kernel; only the host may"
            )
        given = _arguments(found, args)
        pointers = [arg for arg in given if isinstance(arg, Pointer)]
        written = [id(pointer.memory) for pointer in pointers if pointer.writable]
        for pointer in pointers:
            pointer.memory.forget_accesses(id(pointer.memory) in written)
        function = found.lifted if self.lifted else found.function
        shared = not any(isinstance(arg, Vector) for arg in given)
        try:
            for instance in launched.instances():
                INSTANCE.set(instance)
                function(*(given if shared else map(_copied, given)))
        finally:
            INSTANCE.set(None)
            for pointer in pointers:
                pointer.memory.forget_accesses(writable=False)


def _copied(arg: Value) -> Value:
    return make_vector(arg.type, arg) if isinstance(arg, Vector) else arg


@lifted
def _read_cell(cell: Value, place: int) -> Value:
    if cell is None:
        raise UninitializedError(f"cell {place} of a buffer is read but was never written")
    return cell


DEVICE: ContextVar[Device] = ContextVar("synthcl_device", default=Device())  # noqa: B039


@contextmanager
def using(device: Device) -> Iterator[None]:
    """Let host procedures use another device.

    >>> with using(Device(lifted=False)):
    ...     numbers = buffer(Scalar("int"), 1)
    """
    token = DEVICE.set(device)
    try:
        yield
    finally:
        DEVICE.reset(token)


@lift_with_for_all
def buffer(of: Value, count: int, name: str = "") -> Value:
    """A new block of the device's memory for so many values of a type; nothing is in it yet.

    >>> from solvent.languages.synthcl.types import int4
    >>> buffer(int4, 3)
    <buffer of 12 int_>
    """
    if not isinstance(of, (Scalar, VectorType)):
        raise SynthCLError(f"a buffer holds values of a type such as int_, not {of!r}")
    if not isinstance(count, int) or count < 0:
        raise SynthCLError(f"a buffer has a concrete size, not {count!r}")
    return DEVICE.get().buffer(of, count, name)


@lift_with_for_all
def write_buffer(to: Value, values: Value, offset: int = 0) -> None:
    """Copy a list of scalars, or an array of the host, into the device's memory.

    >>> b = buffer(Scalar("int"), 3)
    >>> write_buffer(b, [1, 2, 3])
    >>> write_buffer(b, [7], offset=1)
    >>> read_buffer(b)
    [1, 7, 3]
    """
    items = _host_values(values)
    if offset < 0 or offset + len(items) > len(to):
        raise SynthCLError(f"{len(items)} values at {offset} do not fit into a buffer of {len(to)}")
    DEVICE.get().write(to, items, offset)


def _host_values(values: Value) -> list[Value]:
    if isinstance(values, Pointer):
        return values.memory.cells[values.offset :]
    return list(values)


@lift_with_for_all
def read_buffer(found: Value) -> list[Value]:
    """The contents of a block of the device's memory, as a list of scalars."""
    return DEVICE.get().read(found)


# --- launches ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Launch:
    """The range of one launch."""

    name: str
    global_size: tuple[int, ...]
    local_size: tuple[int, ...]

    def instances(self) -> Iterator[Instance]:
        """All instances, in order."""
        ids = itertools.product(*map(range, self.global_size))
        if self.local_size == self.global_size:
            only = (0,) * len(self.global_size)
            for number, global_id in enumerate(ids):
                yield Instance(number, global_id, global_id, only, self)
            return
        for number, global_id in enumerate(ids):
            pairs = list(zip(global_id, self.local_size, strict=True))
            local_id = tuple([place % size for place, size in pairs])
            group_id = tuple([place // size for place, size in pairs])
            yield Instance(number, global_id, local_id, group_id, self)


@lift_with_for_all
def launch(
    found: Kernel,
    global_size: int | tuple[int, ...],
    *args: Value,
    local_size: int | tuple[int, ...] | None = None,
) -> None:
    """Run a kernel for all points of a range; returns when all instances are done.

    >>> from solvent.languages.synthcl.types import int_
    >>> @kernel
    ... def fill(out: global_(int_), value: int_):
    ...     out[get_global_id(0) * get_global_size(1) + get_global_id(1)] = value
    >>> out = buffer(int_, 4)
    >>> launch(fill, (2, 2), out, 7)
    >>> read_buffer(out)
    [7, 7, 7, 7]
    """
    if not isinstance(found, Kernel):
        raise SynthCLError(f"only kernels are launched, not {found!r}")
    sizes = _sizes(global_size, "global")
    local = sizes if local_size is None else _sizes(local_size, "local")
    fits = len(sizes) == len(local) and all(
        size % part == 0 for size, part in zip(sizes, local, strict=True)
    )
    if not fits:
        raise SynthCLError(f"a local size of {local} does not divide a global size of {sizes}")
    DEVICE.get().launch(found, Launch(found.name, sizes, local), args)


def _sizes(size: int | tuple[int, ...], which: str) -> tuple[int, ...]:
    sizes = size if isinstance(size, tuple) else (size,)
    if not 1 <= len(sizes) <= 3 or not all(type(part) is int and part > 0 for part in sizes):
        raise SynthCLError(f"a {which} size is one to three positive concrete ints, not {size!r}")
    return sizes


def _arguments(found: Kernel, args: tuple[Value, ...]) -> list[Value]:
    if len(args) != len(found.parameters):
        raise SynthCLError(
            f"the kernel {found.name} takes {len(found.parameters)} arguments, not {len(args)}"
        )
    return [
        _argument(found, name, of, arg)
        for (name, of), arg in zip(found.parameters.items(), args, strict=True)
    ]


def _argument(found: Kernel, name: str, of: ParameterType, arg: Value) -> Value:
    """An argument as the kernel gets it."""
    if not isinstance(of, PointerType):
        if isinstance(arg, (Buffer, Pointer)):
            raise SynthCLError(f"the parameter {name} of {found.name} is {of}, not a buffer")
        return convert(of, arg) if isinstance(of, Scalar) else make_vector(of, arg)
    if not isinstance(arg, Buffer):
        raise SynthCLError(f"the parameter {name} of {found.name} needs a buffer, not {arg!r}")
    memory = arg.memory
    if memory.base is not of.target.base or len(memory.cells) % of.target.width:
        raise SynthCLError(f"the parameter {name} of {found.name} is {of}, which {arg} is not")
    return Pointer(memory, of.target, name=name, writable=of.writable)


# --- what a kernel asks --------------------------------------------------------------------------


def _instance(what: str) -> Instance:
    found = INSTANCE.get()
    if found is None:
        raise SynthCLError(f"{what} is for kernels; no kernel is running")
    return found


@lift_with_for_all
def get_global_id(dimension: int) -> int:
    """Which instance this is, in a dimension."""
    return _instance("get_global_id").global_id[dimension]


@lift_with_for_all
def get_local_id(dimension: int) -> int:
    """Which instance of its work-group this is, in a dimension."""
    return _instance("get_local_id").local_id[dimension]


@lift_with_for_all
def get_group_id(dimension: int) -> int:
    """Which work-group this instance is in, in a dimension."""
    return _instance("get_group_id").group_id[dimension]


@lift_with_for_all
def get_global_size(dimension: int) -> int:
    """How many instances there are, in a dimension."""
    size: int = _instance("get_global_size").launch.global_size[dimension]
    return size


@lift_with_for_all
def get_local_size(dimension: int) -> int:
    """How many instances a work-group has, in a dimension."""
    size: int = _instance("get_local_size").launch.local_size[dimension]
    return size


@lift_with_for_all
def get_num_groups(dimension: int) -> int:
    """How many work-groups there are, in a dimension."""
    launched: Launch = _instance("get_num_groups").launch
    return launched.global_size[dimension] // launched.local_size[dimension]


@lift_with_for_all
def get_work_dim() -> int:
    """How many dimensions there are."""
    return len(_instance("get_work_dim").global_id)
