"""State that objects of C types keep to themselves: how it is taken, put back, divided and merged.

The journal knows lists, dicts and attributes.  What a `StringIO`, an `array` or a generator of
random numbers holds is in a C structure; it is written by calls only.  Two kinds of places hold it:

* `IN_PLACE`: the state can be read as plain data and put back into the object (`Strategy`).
* `BY_VERSION`: the object can be copied but not set back (hashes, compressors).  The object itself
  is never changed under the journal: a copy of it is, its *version*, which stands for it from then
  on.

Where contents of a `StringIO` or `BytesIO` are symbolic, `streams.Held` has them, and the object
itself holds a text that says so.

Where paths left different states, the object is *divided*: its contents are a union of states, and
whoever uses it runs once for each of them (`states_of`, `settle`).  Equal states are one object, so
that there are no more of them than there are different ones.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from sys import getrefcount
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias
from weakref import WeakValueDictionary

from solvent.errors import NotLiftedError
from solvent.vm.machine import current
from solvent.vm.merge import merge
from solvent.vm.own import position
from solvent.vm.places import Contents, Kind
from solvent.vm.streams import CLOSED, Held, data_of, held_in, merged
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Guard, Value

if TYPE_CHECKING:
    import array
    import decimal
    from _thread import LockType

    class Reentrant(Protocol):
        """What a reentrant lock can do, part of which Python does not document."""

        def acquire(self, blocking: bool) -> bool: ...
        def release(self) -> None: ...
        def _is_owned(self) -> bool: ...
        def _release_save(self) -> tuple[int, int]: ...
        def _acquire_restore(self, state: tuple[int, int]) -> None: ...


# A state as plain, hashable data; what it is made of, only its strategy knows.
Data: TypeAlias = Any


class Snapshot:
    """A state, as plain data; equal ones of one type are one object."""

    __slots__ = ("__weakref__", "data")

    def __init__(self, data: Data) -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"<state {self.data!r}>"


_SNAPSHOTS: WeakValueDictionary[tuple[int, Data], Snapshot] = WeakValueDictionary()


def _snapshot(strategy: Strategy, data: Data) -> Snapshot:
    key = (id(strategy), data)
    found = _SNAPSHOTS.get(key)
    if found is None:
        found = _SNAPSHOTS[key] = Snapshot(data)
    return found


class Strategy(NamedTuple):
    """How the state of one type is taken as hashable data, and put into an object of that type."""

    take: Callable[[Value], Data]
    put: Callable[[Value, Data], None]
    # A new object of the same class, for `put` to fill.
    make: Callable[[Value], Value]


# --- the strategies -------------------------------------------------------------------------------


def _take_text(buffer: io.StringIO) -> Data:
    if buffer.closed:
        return CLOSED
    state: Data = buffer.__getstate__()
    text, newline, place, _ = state
    # What `newlines` tells is no part of the state that Python gives.
    return text, newline, place, buffer.newlines


def _put_text(buffer: io.StringIO, state: Data) -> None:
    if state == CLOSED:
        buffer.close()
        return
    text, newline, place, newlines = state
    io.StringIO.__init__(buffer, "", newline)
    # The line ends of the text are translated already.
    io.StringIO.__setstate__(buffer, (text, newline, place, None))  # type: ignore[attr-defined]
    if newlines is not None and buffer.newlines != newlines:
        raise _cannot_put(buffer)


def _take_bytes(buffer: io.BytesIO) -> Data:
    return CLOSED if buffer.closed else (buffer.getvalue(), buffer.tell())


def _put_bytes(buffer: io.BytesIO, state: Data) -> None:
    if state == CLOSED:
        buffer.close()
        return
    try:
        io.BytesIO.__init__(buffer, state[0])
    except BufferError:
        raise _cannot_put(buffer) from None
    io.BytesIO.seek(buffer, state[1])


def _put_array(items: array.array[Value], state: bytes) -> None:
    try:
        items[:] = type(items)(items.typecode, state)
    except BufferError:
        raise _cannot_put(items) from None


def _take_context(context: decimal.Context) -> Data:
    *plain, flags, traps = context.__reduce__()[1]
    return (*plain, tuple(flags), tuple(traps))


def _put_context(context: decimal.Context, state: Data) -> None:
    names = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")
    for name, value in zip(names, state, strict=False):
        setattr(context, name, value)
    context.clear_flags()
    context.clear_traps()
    for flag in state[6]:
        context.flags[flag] = True
    for trap in state[7]:
        context.traps[trap] = True


def _put_lock(lock: LockType, held: bool) -> None:
    if held and not lock.locked():
        lock.acquire(blocking=False)
    elif not held and lock.locked():
        lock.release()


def _take_reentrant(lock: Reentrant) -> int:
    if not lock._is_owned():
        return 0
    count, owner = lock._release_save()
    lock._acquire_restore((count, owner))
    return int(count)


def _put_reentrant(lock: Reentrant, count: int) -> None:
    while _take_reentrant(lock) > count:
        lock.release()
    while _take_reentrant(lock) < count:
        lock.acquire(blocking=False)


def _new(value: Value) -> Value:
    cls: Any = type(value)
    return cls.__new__(cls)


# By the name of the type, so that nothing is imported that the program does not use.
STRATEGIES: dict[str, Strategy] = {
    "_io.StringIO": Strategy(_take_text, _put_text, _new),
    "_io.BytesIO": Strategy(_take_bytes, _put_bytes, _new),
    "array.array": Strategy(
        lambda items: items.tobytes(), _put_array, lambda items: type(items)(items.typecode)
    ),
    "_random.Random": Strategy(
        lambda source: _base_of(source, "_random.Random").getstate(source),
        lambda source, state: _base_of(source, "_random.Random").setstate(source, state),
        _new,
    ),
    "decimal.Context": Strategy(_take_context, _put_context, lambda context: context.copy()),
    "_thread.lock": Strategy(lambda lock: lock.locked(), _put_lock, lambda lock: type(lock)()),
    "_thread.RLock": Strategy(_take_reentrant, _put_reentrant, lambda lock: type(lock)()),
}

# Types whose objects can be copied, by their method `copy`, but not set back.
COPYABLE = frozenset(
    (
        "_blake2.blake2b", "_blake2.blake2s", "_hashlib.HASH", "_hashlib.HASHXOF",
        "_hashlib.HMAC", "_md5.md5", "_sha1.sha1", "_sha2.SHA224Type", "_sha2.SHA256Type",
        "_sha2.SHA384Type", "_sha2.SHA512Type", "_sha256.sha224", "_sha256.sha256",
        "_sha3.sha3_224", "_sha3.sha3_256", "_sha3.sha3_384", "_sha3.sha3_512", "_sha3.shake_128",
        "_sha3.shake_256", "_sha512.sha384", "_sha512.sha512", "zlib.Compress", "zlib.Decompress",
    )
)  # fmt: skip


def name_of(cls: type) -> str:
    """Module and name of a class."""
    return f"{cls.__module__}.{cls.__qualname__}"


def _base_of(value: object, name: str) -> type[Value]:
    """The C type with this name that the class of a value derives from."""
    return next(base for base in type(value).__mro__ if name_of(base) == name)


def _cannot_put(owner: object) -> Exception:
    return NotLiftedError(
        f"{position()}: a `{type(owner).__name__}` was changed under a symbolic condition and its "
        "state cannot be put back while there is a view of it; make it inside of the branch"
    )


# --- objects whose state is not simply in them ----------------------------------------------------


class _Entry:
    __slots__ = ("contents", "owner")

    def __init__(self, owner: object, contents: Contents) -> None:
        self.owner = owner
        self.contents = contents


# By identity: divided objects, and those that a version stands for.
ELSEWHERE: dict[int, _Entry] = {}
_FEW = 64
_limit = _FEW


def _remember(owner: object, contents: Contents) -> None:
    global _limit
    if len(ELSEWHERE) >= _limit:
        for identity, entry in list(ELSEWHERE.items()):
            # The entry itself, and the argument.
            if getrefcount(entry.owner) <= 2:
                del ELSEWHERE[identity]
        _limit = 2 * len(ELSEWHERE) + _FEW
    ELSEWHERE[id(owner)] = _Entry(owner, contents)


class State(Kind):
    """A state that is one value, or a union of them where paths left different ones."""

    def contents(self, owner: object) -> Contents:
        found = ELSEWHERE.get(id(owner))
        return self.taken(owner) if found is None else found.contents

    def taken(self, owner: object) -> Contents:
        """The state of an object that has it in itself."""
        raise NotImplementedError

    def put(self, owner: Value, state: Contents) -> None:
        """Give an object a state."""
        raise NotImplementedError

    def copied(self, contents: Contents) -> Contents:
        return contents

    def restore(self, owner: object, contents: Contents) -> None:
        if type(contents) is Union:
            _remember(owner, contents)
            return
        ELSEWHERE.pop(id(owner), None)
        self.put(owner, contents)

    def merged(self, c: Guard, a: Contents, b: Contents) -> Contents:
        return merge(c, a, b)


class InPlace(State):
    """The state of an object that can be put back into it."""

    name = "state"

    def restore(self, owner: object, contents: Contents) -> None:
        if type(contents) is Held:
            data = data_of(contents)
            strategy = strategy_of(type(owner))
            assert strategy is not None
            if data is None:
                strategy.put(owner, _covered(owner))
                _remember(owner, contents)
                return
            contents = _snapshot(strategy, data)
        super().restore(owner, contents)

    def merged(self, c: Guard, a: Contents, b: Contents) -> Contents:
        if type(a) is Held or type(b) is Held:
            return merged(c, _as_held(a), _as_held(b))
        return super().merged(c, a, b)

    def taken(self, owner: object) -> Snapshot:
        strategy = strategy_of(type(owner))
        assert strategy is not None
        return _snapshot(strategy, strategy.take(owner))

    def put(self, owner: object, state: Snapshot) -> None:
        strategy = strategy_of(type(owner))
        assert strategy is not None
        if strategy.take(owner) != state.data:
            strategy.put(owner, state.data)


class ByVersion(State):
    """What stands for an object that can be copied but not set back."""

    name = "version"

    def taken(self, owner: object) -> object:
        return owner

    def put(self, owner: object, state: object) -> None:
        if state is not owner:
            _remember(owner, state)


class Current(State):
    """Which context `decimal` computes with in this thread; the owner is a mere name for it."""

    name = "current context"

    def taken(self, owner: object) -> decimal.Context:
        found: decimal.Context = sys.modules["decimal"].getcontext()
        return found

    def put(self, owner: object, state: decimal.Context) -> None:
        decimal = sys.modules["decimal"]
        if decimal.getcontext() is not state:
            decimal.setcontext(state)


_COVER = "<symbolic contents, see solvent.evaluate>"


def _covered(owner: object) -> Data:
    """The state that a stream itself is in while it has symbolic contents."""
    if isinstance(owner, io.BytesIO):
        return _COVER.encode(), 0
    return _COVER, "\n", 0, None


def _as_held(contents: Contents) -> Held:
    """A state of a stream, or several of them, as one that may be symbolic."""
    if type(contents) is Held:
        return contents
    *others, (_, last) = choices_of(contents)
    result = held_in(last.data)
    for guard, state in reversed(others):
        result = merged(guard, held_in(state.data), result)
    return result


def is_held(owner: object) -> bool:
    """Whether a stream has symbolic contents."""
    found = ELSEWHERE.get(id(owner)) if ELSEWHERE else None
    if found is None or type(found.contents) is not Held:
        return False
    strategy = strategy_of(type(owner))
    assert strategy is not None
    if strategy.take(owner) != _covered(owner):
        raise NotLiftedError(
            f"a `{type(owner).__name__}` with symbolic contents was used by code that is not "
            "lifted; use it in lifted code, or give that code the contents"
        )
    return True


def held(owner: object) -> Held:
    """What a stream holds, symbolic or not."""
    is_held(owner)
    return _as_held(IN_PLACE.contents(owner))


def hold(owner: object, contents: Held) -> None:
    """Give a stream other contents."""
    current().write_whole(IN_PLACE, owner)
    IN_PLACE.restore(owner, contents)


IN_PLACE = InPlace()
BY_VERSION = ByVersion()
CURRENT = Current()


class _CurrentContext:
    """The owner of the place `CURRENT`."""

    __slots__ = ()


CURRENT_CONTEXT = _CurrentContext()

_FOUND: dict[type, Strategy | None] = {}


def strategy_of(cls: type) -> Strategy | None:
    """How the state of objects of a class is put back, also of one that derives from a C type."""
    try:
        return _FOUND[cls]
    except KeyError:
        names = map(name_of, cls.__mro__)
        found = _FOUND[cls] = next((STRATEGIES[name] for name in names if name in STRATEGIES), None)
        return found


def is_copyable(cls: type) -> bool:
    """Whether versions stand for the objects of a class."""
    return name_of(cls) in COPYABLE


def kind_of(owner: object) -> Kind:
    """The kind of the place in which the state of an object is journaled."""
    if owner is CURRENT_CONTEXT:
        return CURRENT
    return BY_VERSION if is_copyable(type(owner)) else IN_PLACE


def states_of(owner: object) -> Union | None:
    """The states of a divided object, `None` for all others."""
    found = ELSEWHERE.get(id(owner)) if ELSEWHERE else None
    return found.contents if found is not None and type(found.contents) is Union else None


def settle(owner: object, state: Contents) -> None:
    """From here on this path an object has one of its states."""
    machine = current()
    kind = kind_of(owner)
    machine.write_whole(kind, owner)
    kind.restore(owner, state)


def version_of(owner: Value) -> Value:
    """What to use instead of an object that is not divided."""
    found = ELSEWHERE.get(id(owner)) if ELSEWHERE else None
    return owner if found is None or type(found.contents) in (Union, Held) else found.contents


def note(owner: object) -> None:
    """Called before code that is not lifted may change an object that is not divided."""
    machine = current()
    kind = kind_of(owner)
    machine.write_whole(kind, owner)
    if kind is BY_VERSION and machine.layers:
        kind.restore(owner, version_of(owner).copy())


def made_from(owner: Value, state: Value) -> Value:
    """A new object like `owner` with one of its states."""
    if isinstance(state, (Snapshot, Held)):
        strategy = strategy_of(type(owner))
        assert strategy is not None
        result = strategy.make(owner)
        strategy.put(result, data_of(state) if isinstance(state, Held) else state.data)
        if hasattr(owner, "__dict__"):
            result.__dict__.update(owner.__dict__)
        return result
    return state.copy()
