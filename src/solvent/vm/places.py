"""The kinds of places that a program writes: how to read, write and merge each, without any check.

`read` and `write` work on one slot; `UNBOUND` stands for an empty one.  `contents`, `restore`,
`patched` and `merged` work on the whole.
"""

from __future__ import annotations

from _thread import _local as local
from types import CellType
from typing import Any

from solvent.vm import buffers
from solvent.vm.owned import merge_elements, merge_entries, merge_items
from solvent.vm.union import UNBOUND


class Kind:
    """How to read and write one kind of place."""

    name = ""

    def read(self, owner: Any, slot: Any) -> Any:
        """What a slot holds, `UNBOUND` if it is empty."""
        raise NotImplementedError

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        """Fill or, with `UNBOUND`, empty a slot."""
        raise NotImplementedError

    def contents(self, owner: Any) -> Any:
        """A copy of everything in the object."""
        raise NotImplementedError

    def copied(self, contents: Any) -> Any:
        """A copy of contents."""
        return contents.copy()

    def restore(self, owner: Any, contents: Any) -> None:
        """Make these the contents of the object."""
        raise NotImplementedError

    def patched(self, contents: Any, slots: dict[Any, Any]) -> Any:
        """The contents with some slots replaced (in place)."""
        for slot, value in slots.items():
            contents[slot] = value
        return contents

    def merged(self, c: Any, a: Any, b: Any) -> Any:
        """The contents that are `a` where `c` holds and `b` elsewhere."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.name


class Items(Kind):
    """The items of a list."""

    name = "items"

    def read(self, owner: Any, slot: Any) -> Any:
        return list.__getitem__(owner, slot)

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        list.__setitem__(owner, slot, value)

    def contents(self, owner: Any) -> Any:
        return list.copy(owner)

    def restore(self, owner: Any, contents: Any) -> None:
        list.__setitem__(owner, slice(None), contents)

    def merged(self, c: Any, a: Any, b: Any) -> Any:
        return merge_items(c, a, b)


class Queue(Kind):
    """The items of a deque."""

    name = "queue"

    def contents(self, owner: Any) -> Any:
        return list(owner)

    def restore(self, owner: Any, contents: Any) -> None:
        owner.clear()
        owner.extend(contents)

    def merged(self, c: Any, a: Any, b: Any) -> Any:
        return merge_items(c, a, b)


class Bytes(Kind):
    """The items of a bytearray."""

    name = "bytes"

    def read(self, owner: Any, slot: Any) -> Any:
        return buffers.held(owner)[slot]

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        buffers.store_at(owner, slot, value)

    def contents(self, owner: Any) -> Any:
        return buffers.contents(owner)

    def restore(self, owner: Any, contents: Any) -> None:
        buffers.store(owner, contents)

    def merged(self, c: Any, a: Any, b: Any) -> Any:
        return merge_items(c, a, b)


class Entries(Kind):
    """The entries of a dict, global variables included."""

    name = "entries"

    def read(self, owner: Any, slot: Any) -> Any:
        return dict.get(owner, slot, UNBOUND)

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        if value is UNBOUND:
            dict.pop(owner, slot, None)
        else:
            dict.__setitem__(owner, slot, value)

    def contents(self, owner: Any) -> Any:
        return dict(owner) if type(owner) is dict else dict(dict.items(owner))

    def restore(self, owner: Any, contents: Any) -> None:
        dict.clear(owner)
        dict.update(owner, contents)

    def patched(self, contents: Any, slots: dict[Any, Any]) -> Any:
        for slot, value in slots.items():
            self.write(contents, slot, value)
        return contents

    def merged(self, c: Any, a: Any, b: Any) -> Any:
        return merge_entries(c, a, b)


class Members(Kind):
    """The elements of a set."""

    name = "elements"

    def contents(self, owner: Any) -> Any:
        return set(owner)

    def restore(self, owner: Any, contents: Any) -> None:
        set.clear(owner)
        set.update(owner, contents)

    def merged(self, c: Any, a: Any, b: Any) -> Any:
        return merge_elements(c, a, b)


class Attributes(Kind):
    """The attributes of an object, in its `__dict__` or in slots."""

    name = "attributes"

    def read(self, owner: Any, slot: Any) -> Any:
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

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        member = self._member(owner, slot)
        if member is not None:
            if value is not UNBOUND:
                member.__set__(owner, value)
            elif self.read(owner, slot) is not UNBOUND:
                member.__delete__(owner)
            return
        attributes = self._dict(owner)
        if value is UNBOUND:
            attributes.pop(slot, None)
        else:
            attributes[slot] = value

    @staticmethod
    def _dict(owner: Any) -> Any:
        """The attributes, without any method of the object's class."""
        try:
            return object.__getattribute__(owner, "__dict__")
        except AttributeError:
            if isinstance(owner, local):
                # Every thread has its own.
                return local.__getattribute__(owner, "__dict__")
            raise

    @staticmethod
    def _member(owner: Any, slot: str) -> Any:
        """The descriptor of a slot of the object's class, if the attribute is one."""
        for cls in type(owner).__mro__:
            found = cls.__dict__.get(slot)
            if type(found).__name__ in ("member_descriptor", "getset_descriptor"):
                return found
        return None


class ClassAttributes(Kind):
    """The attributes of a class."""

    name = "class attributes"

    def read(self, owner: Any, slot: Any) -> Any:
        return owner.__dict__.get(slot, UNBOUND)

    def write(self, owner: Any, slot: Any, value: Any) -> None:
        if value is not UNBOUND:
            type.__setattr__(owner, slot, value)
        elif slot in owner.__dict__:
            type.__delattr__(owner, slot)


class Cell(Kind):
    """A variable that an inner function shares."""

    name = "variable"

    def read(self, owner: CellType, slot: Any) -> Any:
        try:
            return owner.cell_contents
        except ValueError:
            return UNBOUND

    def write(self, owner: CellType, slot: Any, value: Any) -> None:
        owner.cell_contents = value


ITEMS = Items()
QUEUE = Queue()
BYTES = Bytes()
ENTRIES = Entries()
MEMBERS = Members()
ATTRIBUTES = Attributes()
CLASS_ATTRIBUTES = ClassAttributes()
CELL = Cell()
