"""`StringIO` and `BytesIO` with symbolic contents.

As long as all is concrete, the objects are Python's own.  A method that is given something
symbolic, or whose object holds something symbolic, is one of the functions here: from what a stream
holds (`vm.streams`) it makes what it holds then, and a result.
"""

from __future__ import annotations

import io
from collections.abc import Callable

from solvent.lift import operators
from solvent.lift.api import lifted
from solvent.lift.calls import call, for_each
from solvent.lift.messages import message, raised
from solvent.lift.registry import Function, lifts, lifts_method
from solvent.lift.terminal import is_terminal
from solvent.lift.unlifted import Direct
from solvent.lift.values.protocol import length
from solvent.vm import hidden
from solvent.vm.kinds import python_type, type_name
from solvent.vm.machine import current
from solvent.vm.owned import VARYING
from solvent.vm.streams import Held
from solvent.vm.union import choices_of
from solvent.vm.values import Value

Stream = io.StringIO | io.BytesIO

# What methods do: from the stream and arguments they make what it holds then, and a result.
_STEPS: dict[type, dict[str, Callable[..., Value]]] = {io.StringIO: {}, io.BytesIO: {}}


def step(*kinds: type) -> Callable[[Function], Function]:
    """The decorated function is a method of streams of these kinds."""

    def register(function: Function) -> Function:
        for kind in kinds:
            _add(kind, function.__name__, function)
        return function

    return register


def _add(kind: type, name: str, function: Callable[..., Value]) -> None:
    def method(owner: Stream, *args: Value, **named: Value) -> Value:
        return Method(kind, owner, name)(*args, **named)

    def inherited(owner: Value, *args: Value, **named: Value) -> Value:
        found = next((each for each in _STEPS if isinstance(owner, each)), None)
        if found is None:
            return Direct(getattr(definer, name))(owner, *args, **named)
        return Method(found, owner, name)(*args, **named)

    _STEPS[kind][name] = function
    lifts_method(kind, name=name)(method)
    # What all files have, called by the class that defines it.
    definer: type = getattr(kind, name).__objclass__
    if definer is not kind:
        lifts_method(definer, name=name)(inherited)


class Method(Direct):
    """A method of a stream: Python's own unless something is symbolic."""

    __slots__ = ("owner", "step")

    def __init__(self, kind: type, owner: Stream, name: str) -> None:
        super().__init__(getattr(kind, name).__get__(owner))
        self.owner = owner
        self.step = _STEPS[kind][name]

    def __call__(self, /, *args: Value, **named: Value) -> Value:
        symbolic = hidden.is_held(self.owner) or any(isinstance(value, VARYING) for value in args)
        # Where paths left it in different states, each is looked at by itself.
        if symbolic and not named and hidden.states_of(self.owner) is None:
            return self.symbolic(args, named)
        return super().__call__(*args, **named)

    def symbolic(self, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """By the function here."""
        owner = self.owner
        if named or is_terminal(current(), owner):
            return super().symbolic(args, named)
        held = hidden.held(owner)
        if self.step is not close:
            current().fail_if(held.closed, raised(_closed().getvalue))
        return self.step(owner, *args)


def _closed() -> io.StringIO:
    """A closed stream, to be asked what it says."""
    result = io.StringIO()
    result.close()
    return result


def _nothing(owner: Stream) -> str | bytes:
    return b"" if isinstance(owner, io.BytesIO) else ""


_BOTH = (io.StringIO, io.BytesIO)


# --- making ---------------------------------------------------------------------------------------


class Making(Direct):
    """A class of streams, called."""

    __slots__ = ()

    def __call__(self, /, *args: Value, **named: Value) -> Value:
        # Contents of several lengths are one object with one state, not one for each.
        if len(args) == 1 and not named and isinstance(args[0], VARYING):
            return self.symbolic(args, named)
        return super().__call__(*args, **named)

    def symbolic(self, args: tuple[Value, ...], named: dict[str, Value]) -> Value:
        """With contents that are symbolic."""
        (contents, *more) = args or tuple(named.values())
        if (
            more
            or len(args) + len(named) != 1
            or not set(named) <= {"initial_value", "initial_bytes"}
        ):
            return super().symbolic(args, named)
        result: Stream = self.function()
        written = _texts(result, contents, self.function)
        hidden.hold(result, Held(written, written))
        return result


lifts(io.StringIO)(Making(io.StringIO))
lifts(io.BytesIO)(Making(io.BytesIO))


def _texts(owner: Stream, value: Value, operation: Callable[..., object]) -> Value:
    """A value that is written, which must be a text or bytes."""
    if isinstance(owner, io.BytesIO):
        return for_each(value, lambda member: _bytes(member, operation))
    for _, member in choices_of(value):
        if not issubclass(python_type(member), str):
            return for_each(value, lambda each: _text(each, operation))
    return value


def _text(value: Value, operation: Callable[..., object]) -> Value:
    if issubclass(python_type(value), str):
        return value
    if value is None and operation is io.StringIO:
        return ""
    raise TypeError(message(operation, 0).replace("int", type_name(value)))


def _bytes(value: Value, operation: Callable[..., object]) -> Value:
    if issubclass(python_type(value), (bytes, bytearray, memoryview)):
        return call(bytes)(value)
    if value is None and operation is io.BytesIO:
        return b""
    raise TypeError(message(operation, 0).replace("int", type_name(value)))


# --- reading and writing --------------------------------------------------------------------------


@step(*_BOTH)
def write(owner: Stream, value: Value, /) -> Value:
    """`stream.write(value)`."""
    more = _texts(owner, value, type(owner)().write)
    held = hidden.held(owner)
    nothing = _nothing(owner)
    at_end = type(held.after) is type(nothing) and held.after == nothing
    if at_end and type(held.gap) is int and held.gap == 0:
        hidden.hold(owner, held._replace(whole=operators.add(held.whole, more)))
    else:
        zero = "\0" if nothing == "" else b"\0"
        found = _written(held.whole, held.after, held.gap, more, zero)
        hidden.hold(owner, Held(*found))
    return length(more)


@lifted
def _written(whole: Value, after: Value, gap: Value, more: Value, zero: Value) -> Value:
    if len(more) == 0:
        return whole, after, gap
    before = whole[: len(whole) - len(after)]
    rest = after[len(more) :]
    return before + zero * gap + more + rest, rest, 0


@step(*_BOTH)
@lifted
def writelines(owner: Value, lines: Value, /) -> None:
    """`stream.writelines(lines)`."""
    for line in lines:
        owner.write(line)


@step(*_BOTH)
def read(owner: Stream, size: Value = -1, /) -> Value:
    """`stream.read(size)`."""
    held = hidden.held(owner)
    result, rest = _taken(held.after, size, _nothing(owner))
    hidden.hold(owner, held._replace(after=rest))
    return result


@lifted
def _taken(after: Value, size: Value, nothing: Value) -> Value:
    if size is None or size < 0:
        return after, nothing
    return after[:size], after[size:]


@step(*_BOTH)
def readline(owner: Stream, size: Value = -1, /) -> Value:
    """`stream.readline(size)`."""
    held = hidden.held(owner)
    result, rest = _line(held.after, size, b"\n" if isinstance(owner, io.BytesIO) else "\n")
    hidden.hold(owner, held._replace(after=rest))
    return result


@lifted
def _line(after: Value, size: Value, end: Value) -> Value:
    head, mark, rest = after.partition(end)
    line = head + mark
    if size is None or size < 0:
        return line, rest
    return line[:size], line[size:] + rest


@step(*_BOTH)
def readlines(owner: Stream, hint: Value = -1, /) -> Value:
    """`stream.readlines(hint)`."""
    # Some stop when they have as much as the hint says, others when they have more.
    sample = io.BytesIO(b"a\nb") if isinstance(owner, io.BytesIO) else io.StringIO("a\nb")
    return _lines(owner, hint, len(sample.readlines(2)) - 1)


@lifted
def _lines(owner: Value, hint: Value, more: int) -> list[Value]:
    result: list[Value] = []
    total = 0
    for line in owner:
        result.append(line)
        total += len(line)
        if hint is not None and hint > 0 and hint + more <= total:
            break
    return result


@step(*_BOTH)
@lifted
def __next__(owner: Value, /) -> Value:
    """`next(stream)`."""
    line = owner.readline()
    if len(line) == 0:
        raise StopIteration
    return line


@step(*_BOTH)
def getvalue(owner: Stream, /) -> Value:
    """`stream.getvalue()`."""
    return hidden.held(owner).whole


# --- positions ------------------------------------------------------------------------------------


@lifted
def _place(whole: Value, after: Value, gap: Value) -> Value:
    return len(whole) - len(after) + gap


@step(*_BOTH)
def tell(owner: Stream, /) -> Value:
    """`stream.tell()`."""
    return _place(*hidden.held(owner)[:3])


@step(*_BOTH)
def seek(owner: Stream, place: Value, whence: Value = 0, /) -> Value:
    """`stream.seek(place, whence)`."""
    held = hidden.held(owner)
    old = _place(*held[:3])
    find = _in_bytes if isinstance(owner, io.BytesIO) else _in_text
    new = find(type(owner), place, whence, old, length(held.whole))
    _move(owner, held.whole, new)
    return new


def _move(owner: Stream, whole: Value, place: Value) -> None:
    after, gap = _from(whole, place)
    hidden.hold(owner, Held(whole, after, gap))


@lifted
def _from(whole: Value, place: Value) -> Value:
    return whole[place:], max(0, place - len(whole))


@lifted
def _in_text(kind: Value, place: Value, whence: Value, old: Value, end: Value) -> Value:
    if whence == 0 and place >= 0:
        return place
    if whence == 1 and place == 0:
        return old
    if whence == 2 and place == 0:
        return end
    # It fails, and Python itself says how.
    return kind().seek(place, whence)


@lifted
def _in_bytes(kind: Value, place: Value, whence: Value, old: Value, end: Value) -> Value:
    if whence == 0 and place >= 0:
        return place
    if whence == 1:
        return max(0, old + place)
    if whence == 2:
        return max(0, end + place)
    return kind().seek(place, whence)


@step(*_BOTH)
def truncate(owner: Stream, size: Value = None, /) -> Value:
    """`stream.truncate(size)`."""
    held = hidden.held(owner)
    place = _place(*held[:3])
    if size is None:
        size = place
    _move(owner, _shortened(type(owner), held.whole, size), place)
    return size


@lifted
def _shortened(kind: Value, whole: Value, size: Value) -> Value:
    if size < 0:
        kind().truncate(size)
    return whole[:size]


# --- what all files have --------------------------------------------------------------------------


@step(*_BOTH)
def close(owner: Stream, /) -> None:
    """`stream.close()`."""
    hidden.hold(owner, hidden.held(owner)._replace(closed=True))


@step(*_BOTH)
def __enter__(owner: Stream, /) -> Stream:
    """The start of `with stream`."""
    return owner


@step(*_BOTH)
def __iter__(owner: Stream, /) -> Stream:
    """`iter(stream)`."""
    return owner


@step(*_BOTH)
def __exit__(owner: Stream, /, *_: Value) -> None:
    """The end of `with stream`."""
    close(owner)


@step(*_BOTH)
def flush(owner: Stream, /) -> None:
    """`stream.flush()`: there is nothing to do."""


@step(*_BOTH)
def isatty(owner: Stream, /) -> bool:
    """`stream.isatty()`."""
    return False


@step(*_BOTH)
def readable(owner: Stream, /) -> bool:
    """`stream.readable()`."""
    return True


@step(*_BOTH)
def writable(owner: Stream, /) -> bool:
    """`stream.writable()`."""
    return True


@step(*_BOTH)
def seekable(owner: Stream, /) -> bool:
    """`stream.seekable()`."""
    return True
