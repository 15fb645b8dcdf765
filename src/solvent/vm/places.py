"""The kinds of places that a program writes: how to read, write and merge each, without any check.

`read` and `write` work on one slot; `UNBOUND` stands for an empty one.  `contents`, `restore`,
`patched` and `merged` work on the whole.
"""

from __future__ import annotations

from _thread import _local as local
from collections import deque
from types import CellType, GetSetDescriptorType, MemberDescriptorType, TracebackType
from typing import Any, TypeAlias

from solvent.errors import NotLiftedError
from solvent.vm import buffers
from solvent.vm.owned import merge_elements, merge_entries, merge_items
from solvent.vm.slots import UNBOUND
from solvent.vm.values import Guard, Value

# What a place holds, copied: a list, a dict, a set or a state (see `hidden`), as its kind knows.
Contents: TypeAlias = Any

# The descriptor of a slot of a class.
Member = MemberDescriptorType | GetSetDescriptorType
_MEMBERS = frozenset((MemberDescriptorType, GetSetDescriptorType))


class Kind:
    """How to read and write one kind of place."""

    name = ""

    def read(self, owner: Value, slot: Value) -> Value:
        """What a slot holds, `UNBOUND` if it is empty."""
        raise NotImplementedError

    def write(self, owner: Value, slot: Value, value: Value) -> None:
        """Fill or, with `UNBOUND`, empty a slot."""
        raise NotImplementedError

    def contents(self, owner: Value) -> Contents:
        """A copy of everything in the object."""
        raise NotImplementedError

    def copied(self, contents: Contents) -> Contents:
        """A copy of contents."""
        return contents.copy()

    def restore(self, owner: Value, contents: Contents) -> None:
        """Make these the contents of the object."""
        raise NotImplementedError

    def patched(self, contents: Contents, slots: dict[Value, Value]) -> Contents:
        """The contents with some slots replaced (in place)."""
        for slot, value in slots.items():
            contents[slot] = value
        return contents

    def merged(self, c: Guard, a: Contents, b: Contents) -> Contents:
        """The contents that are `a` where `c` holds and `b` elsewhere."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.name


class Items(Kind):
    """The items of a list."""

    name = "items"

    def read(self, owner: list[Value], slot: int) -> Value:
        return list.__getitem__(owner, slot)

    def write(self, owner: list[Value], slot: int, value: Value) -> None:
        list.__setitem__(owner, slot, value)

    def contents(self, owner: list[Value]) -> list[Value]:
        return list.copy(owner)

    def restore(self, owner: list[Value], contents: list[Value]) -> None:
        list.__setitem__(owner, slice(None), contents)

    def merged(self, c: Guard, a: list[Value], b: list[Value]) -> list[Value]:
        return merge_items(c, a, b)


class Queue(Kind):
    """The items of a deque."""

    name = "queue"

    def contents(self, owner: deque[Value]) -> list[Value]:
        return list(owner)

    def restore(self, owner: deque[Value], contents: list[Value]) -> None:
        owner.clear()
        owner.extend(contents)

    def merged(self, c: Guard, a: list[Value], b: list[Value]) -> list[Value]:
        return merge_items(c, a, b)


class Bytes(Kind):
    """The items of a bytearray."""

    name = "bytes"

    def read(self, owner: bytearray, slot: int) -> Value:
        return buffers.held(owner)[slot]

    def write(self, owner: bytearray, slot: int, value: Value) -> None:
        buffers.store_at(owner, slot, value)

    def contents(self, owner: bytearray) -> list[Value]:
        return buffers.contents(owner)

    def restore(self, owner: bytearray, contents: list[Value]) -> None:
        buffers.store(owner, contents)

    def merged(self, c: Guard, a: list[Value], b: list[Value]) -> list[Value]:
        return merge_items(c, a, b)


class Entries(Kind):
    """The entries of a dict, global variables included."""

    name = "entries"

    def read(self, owner: dict[Value, Value], slot: Value) -> Value:
        return dict.get(owner, slot, UNBOUND)

    def write(self, owner: dict[Value, Value], slot: Value, value: Value) -> None:
        if value is UNBOUND:
            dict.pop(owner, slot, None)
        else:
            dict.__setitem__(owner, slot, value)

    def contents(self, owner: dict[Value, Value]) -> dict[Value, Value]:
        return dict(owner) if type(owner) is dict else dict(dict.items(owner))

    def restore(self, owner: dict[Value, Value], contents: dict[Value, Value]) -> None:
        dict.clear(owner)
        dict.update(owner, contents)

    def patched(
        self, contents: dict[Value, Value], slots: dict[Value, Value]
    ) -> dict[Value, Value]:
        for slot, value in slots.items():
            self.write(contents, slot, value)
        return contents

    def merged(self, c: Guard, a: dict[Value, Value], b: dict[Value, Value]) -> dict[Value, Value]:
        return merge_entries(c, a, b)


class Members(Kind):
    """The elements of a set."""

    name = "elements"

    def contents(self, owner: set[Value]) -> set[Value]:
        return set(owner)

    def restore(self, owner: set[Value], contents: set[Value]) -> None:
        set.clear(owner)
        set.update(owner, contents)

    def merged(self, c: Guard, a: set[Value], b: set[Value]) -> set[Value]:
        return merge_elements(c, a, b)


class Attributes(Kind):
    """The attributes of an object, in its `__dict__` or in slots."""

    name = "attributes"

    def read(self, owner: object, slot: str) -> Value:
        try:
            return self._dict(owner)[slot]
        except (AttributeError, KeyError):
            member = self._member(owner, slot)
            if member is None:
                return UNBOUND
            try:
                return member.__get__(owner)
            except AttributeError:
                return UNBOUND

    def write(self, owner: object, slot: str, value: Value) -> None:
        member = self._member(owner, slot)
        if member is not None:
            if value is not UNBOUND:
                _set_member(member, owner, slot, value)
            elif self.read(owner, slot) is not UNBOUND:
                member.__delete__(owner)
            return
        attributes = self._dict(owner)
        if value is UNBOUND:
            attributes.pop(slot, None)
        else:
            attributes[slot] = value

    @staticmethod
    def _dict(owner: object) -> dict[str, Value]:
        """The attributes, without any method of the object's class."""
        try:
            found: dict[str, Value] = object.__getattribute__(owner, "__dict__")
        except AttributeError:
            if isinstance(owner, local):
                # Every thread has its own.
                found = local.__getattribute__(owner, "__dict__")
            else:
                raise
        return found

    @staticmethod
    def _member(owner: object, slot: str) -> Member | None:
        """The descriptor of a slot of the object's class, if the attribute is one."""
        for cls in type(owner).__mro__:
            found = cls.__dict__.get(slot)
            if type(found) in _MEMBERS:
                return found
        return None


def _set_member(member: Member, owner: object, slot: str, value: Value) -> None:
    """Write to a slot that may hold values of some types only, which a union is none of."""
    if isinstance(owner, BaseException):
        if slot == "__traceback__" and not isinstance(value, TracebackType | None):
            # No program computes with it: that of either path will do.
            return
        if slot == "args" and type(value) is not tuple:
            raise _not_held(owner, slot)
    try:
        member.__set__(owner, value)
    except TypeError:
        # Raised here, it would be taken for the program's.
        raise _not_held(owner, slot) from None


def _not_held(owner: object, slot: str) -> NotLiftedError:
    return NotLiftedError(
        f"`{slot}` of a `{type(owner).__name__}` that differs between paths is not lifted; set it "
        "on every path to the same"
    )


class ClassAttributes(Kind):
    """The attributes of a class."""

    name = "class attributes"

    def read(self, owner: type, slot: str) -> Value:
        return owner.__dict__.get(slot, UNBOUND)

    def write(self, owner: type, slot: str, value: Value) -> None:
        if value is not UNBOUND:
            type.__setattr__(owner, slot, value)
        elif slot in owner.__dict__:
            type.__delattr__(owner, slot)


class Cell(Kind):
    """A variable that an inner function shares."""

    name = "variable"

    def read(self, owner: CellType, slot: None) -> Value:
        try:
            return owner.cell_contents
        except ValueError:
            return UNBOUND

    def write(self, owner: CellType, slot: None, value: Value) -> None:
        owner.cell_contents = value


ITEMS = Items()
QUEUE = Queue()
BYTES = Bytes()
ENTRIES = Entries()
MEMBERS = Members()
ATTRIBUTES = Attributes()
CLASS_ATTRIBUTES = ClassAttributes()
CELL = Cell()
