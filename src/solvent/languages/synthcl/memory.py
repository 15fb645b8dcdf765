"""Memory of the host and of the device, pointers into it, and who has accessed what.

Memory is a block of scalar cells.  A pointer to a vector type reads and writes as many cells at
once as the vector has components, so that `int*` may be cast to `int4*`.

While a kernel runs, each access of a cell is remembered with the instance that made it: two
instances must not access one cell if one of them writes it.  That is ordinary program state, so it
is exact where paths are symbolic; where everything is concrete it is two lists of small ints.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from solvent import lifted
from solvent.languages.synthcl.types import (
    Scalar,
    SynthCLError,
    Type,
    Vector,
    VectorType,
    new_vector,
    stored,
)
from solvent.lift import Union, lift_with_for_all
from solvent.lift.values.protocol import set_item
from solvent.terms import BV, IntTerm, Term, and_, cases, ite
from solvent.terms import not_ as negation
from solvent.terms import or_ as disjunction
from solvent.terms.kinds import Integer
from solvent.vm.values import Guard, Value

if TYPE_CHECKING:
    from solvent.languages.synthcl.runtime import Launch

HOST, GLOBAL = "host", "global"

# Who has accessed a cell: no instance, the one with a number, or several (that only read it).
# These are numbers below zero that CPython has only once, so that `is` tells them.
NOBODY, SEVERAL = -1, -2


class AccessError(AssertionError):
    """An access of memory that a correct program does not make."""


class BoundsError(AccessError):
    """An access beyond the end, or before the beginning, of a block of memory."""


class ConflictError(AccessError):
    """Two instances of a kernel access one cell, and one of them writes it."""


class UninitializedError(AccessError):
    """A read of a cell that nobody has written."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a kernel: its number, its ids, and the sizes of the launch."""

    number: int
    global_id: tuple[int, ...]
    local_id: tuple[int, ...]
    group_id: tuple[int, ...]
    launch: Launch

    def __str__(self) -> str:
        return str(self.global_id if len(self.global_id) > 1 else self.global_id[0])


# The instance that runs now; none is running while the host does.
INSTANCE: ContextVar[Instance | None] = ContextVar("synthcl_instance", default=None)


class Memory:
    """A block of cells."""

    def __init__(self, base: Scalar, count: int, space: str, name: str = "") -> None:
        self.base = base
        self.space = space
        self.name = name
        # A cell that nobody has written holds `None`.
        self.cells: list[Value] = [None] * count
        self.readers: list[Integer] = []
        self.writers: list[Integer] = []

    def forget_accesses(self, writable: bool) -> None:
        """A launch begins; reads need not be remembered if nothing can be written."""
        count = len(self.cells) if writable else 0
        self.readers = [NOBODY] * count
        self.writers = [NOBODY] * count


@dataclass(frozen=True)
class Pointer:
    """A typed pointer into memory: `pointer[i]` reads and writes the i-th value from there.

    >>> from solvent.languages.synthcl.types import int4, int_
    >>> p = array(int_, [1, 2, 3, 4, 5, 6, 7, 8])
    >>> p[2], (p + 4)[0], p.cast(int4)[1]
    (3, 5, int4(5, 6, 7, 8))
    """

    memory: Memory
    type: Type
    # Where it points: a cell, and from there a number of values of the type (0 if that is known).
    offset: int = 0
    index: Value = 0
    name: str = ""
    writable: bool = True

    def __add__(self, count: Value) -> Value:
        return moved(self, count)

    def __sub__(self, count: Value) -> Value:
        return moved(self, -count)

    def cast(self, to: Value) -> Value:
        """The same place as a pointer to another type, as in `(int4*) pointer`."""
        return cast(to, self)


@lift_with_for_all
def moved(pointer: Pointer, count: Value) -> Pointer:
    """The pointer that points so many values further.

    >>> from solvent.languages.synthcl.types import int_
    >>> moved(array(int_, [1, 2, 3]), 2)[0]
    3
    """
    of, offset, index = pointer.type, pointer.offset, pointer.index
    if count.__class__ is int:
        # Cells are counted by ints of any size, where bitvectors might overflow.
        offset += count * of.width
    else:
        index = _sum(pointer, count)
    return Pointer(pointer.memory, of, offset, index, pointer.name, pointer.writable)


@lift_with_for_all
def cast(to: Value, pointer: Pointer) -> Value:
    """A pointer to the same place but of another type, as in `(int4*) pointer`."""
    if not isinstance(to, (Scalar, VectorType)):
        raise SynthCLError(f"a pointer points to values of a type such as int4, not {to!r}")
    if to.base is not pointer.memory.base:
        raise SynthCLError(f"a pointer to {pointer.type} cannot be cast to one to {to}")
    if not isinstance(pointer.index, int):
        raise SynthCLError("cast a pointer before a symbolic number is added to it")
    offset = pointer.offset
    if offset % to.width:
        raise BoundsError(f"{_shown(pointer)}+{offset} is not aligned for a pointer to {to}")
    return Pointer(pointer.memory, to, offset, 0, pointer.name, pointer.writable)


def array(of: Value, values: Sequence[Value], name: str = "") -> Pointer:
    """A pointer to an array in the host's memory.

    >>> from solvent.languages.synthcl.types import int_
    >>> numbers = array(int_, [1, 2])
    >>> numbers[1] = 7
    >>> contents(numbers)
    [1, 7]
    """
    memory = Memory(of.base, len(values), HOST, name)
    memory.cells[:] = list(values)
    return Pointer(memory, of, name=name)


def contents(pointer: Pointer) -> list[Value]:
    """The cells of the block that a pointer points into."""
    return list(pointer.memory.cells)


# --- reading -------------------------------------------------------------------------------------


@lift_with_for_all
def load(pointer: Pointer, index: Value) -> Value:
    """The value that a pointer with an index points to.

    >>> from solvent.languages.synthcl.types import int_
    >>> load(array(int_, [1, 2]), 1)
    2
    """
    memory = pointer.memory
    # There is one whenever accesses are remembered, which is while a kernel runs.
    instance: Any = INSTANCE.get()
    if (memory.space is HOST) is not (instance is None):
        raise _wrong_space(pointer, instance)
    if index.__class__ is not int or pointer.index.__class__ is not int:
        index = _sum(pointer, index)
    if index.__class__ is not int:
        return _load_symbolic(pointer, index, instance)
    width = pointer.type.width
    place = pointer.offset + index * width
    if not 0 <= place <= len(memory.cells) - width:
        raise _out_of_bounds(pointer, index, instance, "reads")
    if width > 1:
        return _load_vector(pointer, place, index, instance)
    readers = memory.readers
    if readers and (readers[place] is not SEVERAL or memory.writers[place] is not NOBODY):
        _note_read(pointer, place, 1, instance)
    value = memory.cells[place]
    return value if value.__class__ not in _UNUSUAL else _value(value, pointer, index)


def _load_vector(pointer: Pointer, place: int, index: int, instance: Any) -> Vector:
    memory, of = pointer.memory, pointer.type
    end = place + of.width
    readers, writers = memory.readers, memory.writers
    if readers:
        for each in range(place, end):
            if readers[each] is not SEVERAL or writers[each] is not NOBODY:
                _note_read(pointer, place, of.width, instance)
                break
    items = memory.cells[place:end]
    for number, value in enumerate(items):
        if value.__class__ in _UNUSUAL:
            items[number] = _value(value, pointer, index)
    return new_vector(of, tuple(items))  # type: ignore[arg-type]


_UNUSUAL = (type(None), Union)


def _sum(pointer: Pointer, index: Value) -> Value:
    """The index from where the pointer was cast."""
    if index.__class__ is BV:
        index = index.signed
    elif index.__class__ is bool:
        index = int(index)
    elif index.__class__ is not int and not isinstance(index, Term):
        raise SynthCLError(f"an index is an int, not {index!r}")
    base = pointer.index
    if base.__class__ is int:
        return index
    if index.__class__ is int and index == 0:
        return base
    if base.__class__ is IntTerm and index.__class__ in (int, IntTerm):
        return base + index
    raise SynthCLError(
        f"{_shown(pointer)} has an index that is a symbolic bitvector; add to that before it is "
        "added to the pointer"
    )


@lifted
def _value(value: Value, pointer: Pointer, index: Value) -> Value:
    """What a cell holds, if it was written."""
    if value is None:
        raise _never_written(pointer, index)
    return value


class _NeverWritten(UninitializedError):
    """The message is made when it is asked for, as the index may be symbolic until then."""

    def __str__(self) -> str:
        where, name, index = self.args
        return f"{where}{name}[{_plain(index)}] was never written"


@lift_with_for_all
def _never_written(pointer: Pointer, index: Value) -> UninitializedError:
    return _NeverWritten(_where(), _shown(pointer), index)


def _elements(pointer: Pointer) -> range:
    """The indices with which a pointer points into its block."""
    width = pointer.type.width
    last = len(pointer.memory.cells) - width - pointer.offset
    return range(-(pointer.offset // width), last // width + 1)


def _load_symbolic(pointer: Pointer, index: Value, instance: Any) -> Value:
    """Read with a symbolic index: the value is a choice between all that are there."""
    width = pointer.type.width
    rows = _rows(pointer, index, instance, "reads")
    found = []
    for component in range(width):
        places = [(guard, place + component) for guard, place in rows]
        if pointer.memory.readers:
            _note_reads(pointer, places, instance)
        found.append(_chosen(pointer, places, index))
    return found[0] if width == 1 else new_vector(pointer.type, tuple(found))  # type: ignore[arg-type]


def _chosen(pointer: Pointer, rows: list[tuple[Guard, int]], index: Value) -> Value:
    """The cell of the row whose guard holds."""
    cells = pointer.memory.cells
    if any(cells[place].__class__ in _UNUSUAL for _, place in rows):
        return _value(_chosen_of_several([(g, cells[p]) for g, p in rows]), pointer, index)
    result = cells[rows[-1][1]]
    for guard, place in reversed(rows[:-1]):
        value = cells[place]
        result = value if value is result else ite(guard, value, result)
    return result


@lifted
def _chosen_of_several(rows: list[tuple[Guard, Value]]) -> Value:
    # One of the guards holds, since the index is within bounds.
    *others, (_, last) = rows
    for guard, value in others:
        if guard:
            return value
    return last


# --- writing -------------------------------------------------------------------------------------


@lift_with_for_all
def store(pointer: Pointer, index: Value, value: Value) -> None:
    """Write the value that a pointer with an index points to.

    >>> from solvent.languages.synthcl.types import int2, int_
    >>> p = array(int_, [0] * 4)
    >>> store(p.cast(int2), 1, int2(8, 9))
    >>> contents(p)
    [0, 0, 8, 9]
    """
    memory = pointer.memory
    # There is one whenever accesses are remembered, which is while a kernel runs.
    instance: Any = INSTANCE.get()
    if (memory.space is HOST) is not (instance is None):
        raise _wrong_space(pointer, instance)
    if not pointer.writable:
        raise SynthCLError(f"{_shown(pointer)} is read-only, but it is written")
    items = _items(pointer.type, value)
    index = _sum(pointer, index)
    if index.__class__ is not int:
        _store_symbolic(pointer, index, items, instance)
        return
    width = pointer.type.width
    place = pointer.offset + index * width
    if not 0 <= place <= len(memory.cells) - width:
        raise _out_of_bounds(pointer, index, instance, "writes")
    if memory.writers:
        _note_write(pointer, place, width, instance)
    put(memory.cells, place, items)


def _items(of: Type, value: Value) -> tuple[Value, ...]:
    """The cells that a value of a type fills."""
    if value.__class__ is not Vector:
        return stored(of.base, (value,)) * of.width
    if len(value.items) != of.width:
        raise SynthCLError(f"{value} cannot be stored as {of}")
    if value.type.base is of.base:
        items: tuple[Value, ...] = value.items
        return items
    return stored(of.base, value.items)


# Both are called as they are by lifted code, without a method in between.
setattr(Pointer, "__getitem__", load)  # noqa: B010
setattr(Pointer, "__setitem__", store)  # noqa: B010


def put(cells: list[Value], place: int, items: tuple[Value, ...]) -> None:
    """Write cells, with the journal told."""
    for item in items:
        set_item(cells, place, item)
        place += 1


def _store_symbolic(
    pointer: Pointer, index: Value, items: tuple[Value, ...], instance: Any
) -> None:
    width = pointer.type.width
    for guard, place in _rows(pointer, index, instance, "writes"):
        if pointer.memory.writers:
            rows = [(guard, each) for each in range(place, place + width)]
            _note_writes(pointer, rows, instance)
        _put_if(guard, pointer.memory.cells, place, items)


@lifted
def _put_if(guard: Guard, cells: list[Value], place: int, items: tuple[Value, ...]) -> None:
    if guard:
        put(cells, place, items)


# --- bounds --------------------------------------------------------------------------------------


@lifted
def _check(condition: Guard, error: AccessError) -> None:
    """Fail where a condition is false."""
    if not condition:
        raise error


def _rows(
    pointer: Pointer, index: Value, instance: Instance | None, what: str
) -> list[tuple[Guard, int]]:
    """The cells that a symbolic index may mean, each with its guard; fails where it means none."""
    elements = _elements(pointer)
    found = cases(index)
    if found is None:
        elements = _within(index, elements)
        found = [(index == element, element) for element in elements]
        inside = and_(index >= elements.start, index <= elements.stop - 1) if elements else False
    else:
        found = [(guard, _plain(value)) for guard, value in found]
        inside = negation(disjunction([g for g, value in found if value not in elements]))
    if inside is not True:
        _check(inside, _out_of_bounds(pointer, index, instance, what))
    width = pointer.type.width
    return [
        (guard, pointer.offset + element * width)
        for guard, element in found
        if guard is not False and element in elements
    ]


def _within(index: Value, elements: range) -> range:
    """Those numbers that a bitvector can have, read as signed."""
    width = getattr(index.sort, "width", None)
    if width is None:
        return elements
    half = 1 << (width - 1)
    return range(max(elements.start, -half), min(elements.stop, half))


class _OutOfBounds(BoundsError):
    """The message is made when it is asked for, as the index may be symbolic until then."""

    def __str__(self) -> str:
        name, index, first, last, who, what, where = self.args
        there = f"there are only {first} to {last}" if first <= last else "nothing is there"
        return f"{where}{who} {what} {name}[{_plain(index)}], but {there}"


def _where() -> str:
    """The line of the program that runs, outside of Solvent and this language."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(_SOLVENT) or name.startswith(_PROGRAMS):
            return f"{os.path.basename(name)}:{frame.f_lineno}: "
        frame = frame.f_back
    return ""


_PROGRAMS = os.path.join(os.path.dirname(__file__), "programs")
_SOLVENT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))


def _plain(index: Value) -> Value:
    return index.signed if isinstance(index, BV) else index


def _out_of_bounds(
    pointer: Pointer, index: Value, instance: Instance | None, what: str
) -> BoundsError:
    elements = _elements(pointer)
    who = "the host" if instance is None else f"instance {instance} of {instance.launch.name}"
    return _OutOfBounds(
        _shown(pointer), index, elements.start, elements.stop - 1, who, what, _where()
    )  # fmt: skip


def _shown(pointer: Pointer) -> str:
    return pointer.name or pointer.memory.name or f"the {pointer.memory.space} memory"


def _wrong_space(pointer: Pointer, instance: Instance | None) -> SynthCLError:
    if instance is None:
        return SynthCLError(
            f"{_shown(pointer)} is memory of the device, which the host cannot access; use "
            "read_buffer and write_buffer"
        )
    return SynthCLError(
        f"{_shown(pointer)} is memory of the host, which a kernel cannot access; use a buffer"
    )


# --- conflicts -----------------------------------------------------------------------------------


def shown_in(global_size: tuple[int, ...], number: int) -> str:
    """The global id of the instance with a number, in a launch of a size.

    >>> shown_in((2, 3), 4)
    '(1, 1)'
    """
    found = []
    for size in reversed(global_size):
        number, place = divmod(number, size)
        found.append(place)
    return str(tuple(reversed(found)) if len(found) > 1 else found[0])


class _Conflict(ConflictError):
    """The message is made when it is asked for: the instances may be symbolic until then."""

    def __str__(self) -> str:
        name, cell, one, did, another, does, (kernel, size), where = self.args
        this, other = f"instance {shown_in(size, another)}", "another instance"
        if isinstance(one, int) and one >= 0:
            other = f"instance {shown_in(size, one)}"
        return f"{where}{this} of {kernel} {does} cell {cell} of {name}, which {other} {did}"


def _foreign(who: Integer, instance: int) -> Guard:
    """Whether a cell was accessed by another instance."""
    if who.__class__ is int:
        return who != NOBODY and who != instance
    return and_(negation(who == NOBODY), negation(who == instance))


def _is_free(who: list[Integer], number: int) -> bool:
    """Whether nobody but one instance has accessed some cells, and that is certain."""
    # A generator takes longer to make than one or four cells to look at.
    for each in who:  # noqa: SIM110
        if each.__class__ is not int or (each != NOBODY and each != number):
            return False
    return True


def _note_read(pointer: Pointer, place: int, width: int, instance: Instance) -> None:
    """An instance reads some cells."""
    memory, number, end = pointer.memory, instance.number, place + width
    readers = memory.readers[place:end]
    if not _is_free(memory.writers[place:end], number) or not {int}.issuperset(map(type, readers)):
        _note_reads(pointer, [(True, each) for each in range(place, end)], instance)
        return
    now = [number if each in (NOBODY, number) else SEVERAL for each in readers]
    if now != readers:
        put(memory.readers, place, tuple(now))


def _note_write(pointer: Pointer, place: int, width: int, instance: Instance) -> None:
    """An instance writes some cells."""
    memory, number, end = pointer.memory, instance.number, place + width
    if _is_free(memory.writers[place:end], number) and _is_free(memory.readers[place:end], number):
        put(memory.writers, place, (number,) * width)
    else:
        _note_writes(pointer, [(True, each) for each in range(place, end)], instance)


def _note_reads(pointer: Pointer, rows: list[tuple[Guard, int]], instance: Instance) -> None:
    """An instance reads the cells whose guards hold."""
    memory = pointer.memory
    _check_conflicts(pointer, memory.writers, rows, instance, "writes", "reads")
    for guard, place in rows:
        reader = memory.readers[place]
        if reader.__class__ is int:
            now: Integer = instance.number if reader in (NOBODY, instance.number) else SEVERAL
        else:
            alone = disjunction(reader == NOBODY, reader == instance.number)
            now = ite(alone, instance.number, SEVERAL)
        _remember(memory.readers, place, guard, now)


def _note_writes(pointer: Pointer, rows: list[tuple[Guard, int]], instance: Instance) -> None:
    """An instance writes the cells whose guards hold."""
    memory = pointer.memory
    _check_conflicts(pointer, memory.writers, rows, instance, "writes", "writes")
    _check_conflicts(pointer, memory.readers, rows, instance, "reads", "writes")
    for guard, place in rows:
        _remember(memory.writers, place, guard, instance.number)


def _remember(who: list[Integer], place: int, guard: Guard, now: Integer) -> None:
    if guard is not True:
        now = ite(guard, now, who[place])
    if now is not who[place]:
        put(who, place, (now,))


def _check_conflicts(
    pointer: Pointer,
    who: list[Integer],
    rows: list[tuple[Guard, int]],
    instance: Instance,
    did: str,
    does: str,
) -> None:
    """Fail where another instance has accessed the cell."""
    for guard, place in rows:
        found = _foreign(who[place], instance.number)
        if found is not False:
            launch = (instance.launch.name, instance.launch.global_size)
            number, name = instance.number, _shown(pointer)
            error = _Conflict(name, place, who[place], did, number, does, launch, _where())
            _check(negation(and_(guard, found)), error)
