"""Merging the contents of mutable objects.

A list whose length differs between paths keeps its items in one Python list: those beyond the
shortest length are `Maybe`s, whose guards imply the guard of the item before.  A dict holds
`Maybe`s under the keys that not every path has (`orders` tells of their order); a set holds one
`Elements`, which knows under which guard each element is in it.  Aliases therefore stay aliases:
nothing is replaced but contents.

Where nothing but the slot that is being merged refers to two objects, merging their contents into
a new object cannot be observed, and keeps unions small where a program builds a new list in each
iteration.  Reference counts tell (`Owners`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from sys import getrefcount

from solvent.terms.bitvectors import BitVecTerm
from solvent.terms.booleans import NOT, BoolTerm, ite
from solvent.terms.integers import IntTerm
from solvent.terms.term import Term
from solvent.terms.values import BV
from solvent.vm import buffers
from solvent.vm.merge import Merging, merge, merge_choices, merge_members, merge_slots, union_of
from solvent.vm.orders import ORDER, SYMBOLIC, held, merged_orders
from solvent.vm.shapes import REFERENCE, Group, group
from solvent.vm.slots import UNBOUND, Maybe
from solvent.vm.union import Union
from solvent.vm.values import Guard, Value


class Elements:
    """The contents of a set of which some elements are in it only under a guard.

    The elements are a dict from element to guard.  A symbolic element is in it under a guard that
    makes it different from the elements before it.
    """

    __slots__ = ("guards",)

    def __init__(self, guards: dict[Value, Guard]) -> None:
        self.guards = guards

    def __repr__(self) -> str:
        return ", ".join(
            repr(element) if guard is True else f"{element!r} if {guard}"
            for element, guard in self.guards.items()
        )


# What stands for something that differs between inputs or paths, in any place.
VARYING = (Term, Union, Maybe, Elements)


def merge_items(c: Guard, a: list[Value], b: list[Value]) -> list[Value]:
    """Merge the items of two lists.

    >>> from solvent.terms import Bool
    >>> merge_items(Bool("p"), [1, 2], [3])
    [ite(p, 1, 3), <2 if p>]
    """
    if len(a) == len(b):
        return [x if x is y else merge(c, x, y) for x, y in zip(a, b, strict=True)]
    short = min(len(a), len(b))
    result = [x if x is y else merge(c, x, y) for x, y in zip(a, b, strict=False)]
    result.extend(merge_slots(c, x, UNBOUND) for x in a[short:])
    result.extend(merge_slots(c, UNBOUND, y) for y in b[short:])
    return result


def merge_entries(
    c: Guard, a: dict[Value, Value], b: dict[Value, Value], owned: bool = False
) -> dict[Value, Value]:
    """Merge the entries of two dicts; if they are `owned`, nobody else refers to the dicts.

    >>> from solvent.terms import Bool
    >>> merge_entries(Bool("p"), {"k": 1}, {"k": 2, "l": 3})
    {'k': ite(p, 1, 2), 'l': <3 if not p>}
    """
    keys, swaps = merged_orders(c, a, b)
    result = {}
    for key in keys:
        x, y = a.get(key, UNBOUND), b.get(key, UNBOUND)
        if x is not y:
            x = merge_owned(c, x, y, NESTED, NESTED) if owned else merge(c, x, y)
        # A key that no path has must go, as it would keep its place when it is set again.
        if x is not UNBOUND or key is SYMBOLIC:
            result[key] = x
    if swaps:
        swaps = {pair: guard for pair, guard in swaps.items() if result.keys() >= {*pair}}
    if swaps:
        result[ORDER] = held(swaps)
    return result


def elements_of(content: Collection[Value]) -> dict[Value, Guard]:
    """Under which guard each element is in a set."""
    if len(content) == 1:
        (only,) = content
        if type(only) is Elements:
            return only.guards
    return dict.fromkeys(content, True)


def merge_elements(c: Guard, a: set[Value], b: set[Value]) -> set[Value]:
    """Merge the elements of two sets.

    >>> from solvent.terms import Bool
    >>> merge_elements(Bool("p"), {1}, {1, 2})
    {1, 2 if not p}
    """
    first, second = elements_of(a), elements_of(b)
    guards = {}
    for element in (*first, *(e for e in second if e not in first)):
        guards[element] = ite(c, first.get(element, False), second.get(element, False))
    # Symbolic elements stay in an `Elements` even if every path has them.
    if all(guard is True for guard in guards.values()) and first.keys() == a and second.keys() == b:
        return set(guards)
    return {Elements(guards)}


# --- objects that only one slot refers to --------------------------------------------------------

# Whether instances of a class are nothing but their `__dict__`, as far as that was asked.
PLAIN_INSTANCES: dict[type, bool] = {}


def _is_plain(cls: type) -> bool:
    """Whether instances of a class are nothing but their `__dict__`."""
    try:
        return PLAIN_INSTANCES[cls]
    except KeyError:
        result = PLAIN_INSTANCES[cls] = (
            cls.__basicsize__ <= _Plain.__basicsize__
            and cls.__dictoffset__ != 0
            and not hasattr(cls, "__del__")
            and type(cls) is type
            and cls.__new__ == object.__new__  # type: ignore[comparison-overlap]
            and cls.__itemsize__ == 0
        )
        return result


class _Plain:
    pass


def _count(value: object, _: int) -> int:
    return getrefcount(value)


def _held() -> tuple[int, int]:
    """What reference counts are in this Python for an object that one slot and a variable hold:
    where the variable is, and in a function that it is passed to."""
    slots = [object()]
    for place in range(1):
        value = slots[place]
        here = getrefcount(value)
        there = _count(value, place)
    return here, there


def _tells(passed: int) -> bool:
    """Whether these counts tell an object that only one slot holds from one with an alias."""
    slots = [object(), object()]
    alias = slots[1]
    found = []
    for place in range(2):
        value = slots[place]
        found.append(_count(value, place) <= passed)
    return found == [True, False] and alias is slots[1]


# Fewer references than any object has: then none counts as owned, and objects that could have been
# merged stay members of unions, which is slower and as exact.
NEVER = -(1 << 40)

# The slot, the variable and the argument of `getrefcount`; `PASSED` also the parameter.
HELD, PASSED = _held()
if not _tells(PASSED):
    HELD = PASSED = NEVER

# References to a value that nothing else refers to, as `merge_owned` counts them when it is called:
# by `_new_list` or `merge_entries` (the list, the caller's variable, the parameter, the argument);
NESTED = PASSED
# by `_blend_slots` of the journal (the slot, the variable, the parameter, the argument);
IN_SLOT = PASSED
# by `merge_values` of scopes (the tuple, the variable, the parameter, the argument);
AT_EXIT = PASSED
# by `join` of forks, on the first side (the tuple, the variable, the parameter, the argument);
ON_FIRST_SIDE = PASSED
# on the second side (also the variable of the lifted function);
ON_SECOND_SIDE = PASSED + 1
# by `combine` (no row holds a result any more, only a variable).
AS_RESULT = PASSED - 1

# Counts the references that the machine itself holds to an object; the machine sets it.
JOURNAL_REFERENCES: list[Callable[[object], int]] = [buffers.references]


def _is_owned(count: int, value: object, refs: int) -> bool:
    """Whether nothing but what is accounted for, and the machine, refers to an object.

    The count comes first, so that it is taken before the object is an argument too.
    """
    return count <= refs or count <= refs + sum(known(value) for known in JOURNAL_REFERENCES)


# The commonest classes of what never changes.
VALUES = frozenset((bool, int, str, tuple, type(None), BoolTerm, IntTerm, BitVecTerm, BV))


def merge_owned(c: Guard, a: Value, b: Value, refs_a: int, refs_b: int) -> Value:
    """Merge two values; if they are mutable objects of one class to which there are no more than
    these numbers of references (as counted in here), merge their contents into a new object."""
    if a is b or c is True:
        return a
    if c is False:
        return b
    test: BoolTerm = c
    if test.op is NOT:
        test, a, b, refs_a, refs_b = test.key[1], b, a, refs_b, refs_a
    cls = type(a)
    if cls in VALUES and type(b) in VALUES:
        return merge(test, a, b)
    if cls is Maybe or type(b) is Maybe:
        return merge_slots(test, a, b)
    if cls is Union or type(b) is Union:
        return _merge_owned_unions(test, a, b, refs_a, refs_b)
    if (
        cls is type(b)
        and (cls in _CONTAINERS or _is_plain(cls))
        and _is_owned(getrefcount(a), a, refs_a)
        and _is_owned(getrefcount(b), b, refs_b)
    ):
        return _merged_object(test, cls, a, b)
    return merge(test, a, b)


def _merged_object(c: BoolTerm, cls: type, a: Value, b: Value) -> Value:
    """A new object with the merged contents of two that nobody else refers to."""
    merged = _CONTAINERS.get(cls)
    if merged is not None:
        return merged(c, a, b)
    result: Value = object.__new__(cls)
    result.__dict__.update(_new_dict(c, a.__dict__, b.__dict__))
    return result


def _new_list(c: BoolTerm, a: list[Value], b: list[Value]) -> list[Value]:
    """A new list with the merged items of two lists that nobody else refers to."""
    result = []
    short = min(len(a), len(b))
    for place in range(short):
        x, y = a[place], b[place]
        result.append(x if x is y else merge_owned(c, x, y, NESTED, NESTED))
    result.extend(merge_slots(c, x, UNBOUND) for x in a[short:])
    result.extend(merge_slots(c, UNBOUND, y) for y in b[short:])
    return result


def _new_dict(c: BoolTerm, a: dict[Value, Value], b: dict[Value, Value]) -> dict[Value, Value]:
    """A new dict with the merged entries of two dicts that nobody else refers to."""
    return merge_entries(c, a, b, owned=True)


def _new_bytes(c: BoolTerm, a: bytearray, b: bytearray) -> bytearray:
    """A new bytearray with the merged bytes of two."""
    return buffers.made(merge_items(c, buffers.contents(a), buffers.contents(b)))


# How a new object is made of two containers that nobody else refers to.
_CONTAINERS: dict[type, Merging] = {
    list: _new_list, dict: _new_dict, set: merge_elements, bytearray: _new_bytes,
}  # fmt: skip


def _merge_owned_unions(c: BoolTerm, a: Value, b: Value, refs_a: int, refs_b: int) -> Value:
    owned_a = _owned_members(a, refs_a + 1)
    owned_b = _owned_members(b, refs_b + 1)
    owned = owned_a | owned_b
    if not owned:
        return merge(c, a, b)

    def key(value: Value) -> Group:
        if id(value) in owned:
            return (REFERENCE - 1, type(value).__qualname__, -1)
        return group(value)

    def members(c: BoolTerm, x: Value, y: Value) -> Value:
        if id(x) in owned_a and id(y) in owned_b:
            return _merged_object(c, type(x), x, y)
        return merge_members(c, x, y)

    left = a._solvent_choices if type(a) is Union else ((True, a),)
    right = b._solvent_choices if type(b) is Union else ((True, b),)
    return union_of(merge_choices(c, left, right, key, members))


def _owned_members(value: Value, refs: int) -> frozenset[int]:
    """Which members of a value (by identity) are mutable and referred to by it alone."""
    if type(value) is not Union:
        cls = type(value)
        mutable = cls in _CONTAINERS or _is_plain(cls)
        if mutable and _is_owned(getrefcount(value), value, refs):
            return frozenset((id(value),))
        return frozenset()
    if getrefcount(value) > refs:
        return frozenset()
    result = set()
    seen: set[type] = set()
    for pair in value._solvent_choices:
        # Held by the pair and by this variable.
        member = pair[1]
        cls = type(member)
        mutable = cls in _CONTAINERS or _is_plain(cls)
        if mutable and cls not in seen and _is_owned(getrefcount(member), member, HELD):
            seen.add(cls)
            result.add(id(member))
    return frozenset(result)
