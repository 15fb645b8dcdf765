"""Sets, also with symbolic elements and elements that only some paths have.

A set of which some elements are in it under a guard holds one `Elements`, see `vm.owned`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain

from solvent.lift.hashing import CONCRETE_KEYS, is_symbolic_key
from solvent.lift.identity import same_where
from solvent.lift.messages import raised
from solvent.lift.registry import lifts, lifts_method
from solvent.lift.values import entries, mappings, sequences
from solvent.lift.values.entries import check_key
from solvent.lift.values.iterators import SnapshotIterator, watched
from solvent.lift.values.objects import Objects, check_access
from solvent.lift.values.protocol import Copying, Evaluation, Texts, behaves, items_of, runs_code
from solvent.lift.values.sequences import append, append_if
from solvent.lift.values.stepping import add_each
from solvent.lift.values.walks import takes_any_order, walked
from solvent.lift.varying import note_varying
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.terms.kinds import Integer
from solvent.vm.kinds import type_name
from solvent.vm.machine import JOURNALING, current
from solvent.vm.owned import Elements, elements_of
from solvent.vm.places import MEMBERS
from solvent.vm.slots import opened
from solvent.vm.spread import combine, over, over_members_of
from solvent.vm.union import Union
from solvent.vm.values import Choice, Guard, Value

# A set that can be changed or not.
AnySet = set[Value] | frozenset[Value]
# Under which guard each element is in a set.
Guards = dict[Value, Guard]

SETS = (set, frozenset)
KEYS: type
ITEMS: type
KEYS, ITEMS = type({}.keys()), type({}.items())
VIEWS: tuple[type, ...] = (KEYS, ITEMS)
SET_LIKE: tuple[type, ...] = (*SETS, *VIEWS)


def is_plain(found: Collection[Value]) -> bool:
    """Whether a set has the same, concrete elements on every path."""
    if len(found) == 1:
        (only,) = found
        return type(only) is not Elements
    return True


def guards_of(found: AnySet) -> Guards:
    """Under which guard each element is in a set."""
    return elements_of(found)


def as_set(found: Value) -> Value:
    """A view of a dict as a set; the order of its keys means nothing."""
    if isinstance(found, VIEWS):
        what = "keys" if isinstance(found, KEYS) else "items"
        return make(entries.rows_in_any_order(entries.viewed(found), what))
    return found


def collected(source: Value) -> AnySet:
    """The elements of any iterable as a set; a set itself is not copied."""
    if isinstance(source, SETS):
        return source
    if isinstance(source, VIEWS):
        found: AnySet = as_set(source)
        return found
    if isinstance(source, dict) and type(source).__iter__ in mappings.ITERATORS:
        return make(entries.rows_in_any_order(source, "keys"))
    return make(list(items_of(source)))


def _membership(guards: Guards, element: Value, symbolic: bool) -> Guard:
    """Under which guard an element is among others."""
    if not symbolic:
        return guards.get(element, False)
    return or_([same_where(guard, other, element) for other, guard in guards.items()])


def _has_symbolic(guards: Guards) -> bool:
    return any(is_symbolic_key(element) for element in guards)


@lifts_method(*SETS, name="__contains__")
def contains(found: AnySet, element: Value, /) -> Guard:
    """`element in found`."""
    if type(element) is Union:
        result: Guard = over(element, lambda member: contains(found, member))
        return result
    if isinstance(element, set):
        element = frozenset(element)
    plain = is_plain(found)
    if plain and not is_symbolic_key(element):
        check_key(element)
        return element in found
    check_key(element)
    guards = guards_of(found)
    return _membership(guards, element, is_symbolic_key(element) or _has_symbolic(guards))


def added(guards: Guards, element: Value, condition: Guard = True) -> Guards:
    """The elements with one more, where a condition holds."""
    try:
        check_key(element)
    except TypeError as error:
        current().fail_if(condition, error)
        return guards
    symbolic = is_symbolic_key(element) or _has_symbolic(guards)
    fresh = and_(condition, not_(_membership(guards, element, symbolic)))
    if fresh is False:
        return guards
    result = dict(guards)
    result[element] = or_(result.get(element, False), fresh)
    return result


def removed(guards: Guards, element: Value, condition: Guard = True) -> Guards:
    """The elements without one, where a condition holds."""
    symbolic = is_symbolic_key(element) or _has_symbolic(guards)
    result: Guards = {}
    for other, guard in guards.items():
        equal_here = same_where(guard, other, element) if symbolic else (other in {element})
        left = and_(guard, not_(and_(condition, equal_here)))
        if left is not False:
            result[other] = left
    return result


def store(found: set[Value], guards: Guards) -> None:
    """Make these the elements of a set."""
    current().write_whole(MEMBERS, found)
    MEMBERS.restore(found, contents(guards))


def contents(guards: Guards) -> set[Value]:
    """The raw contents for elements with these guards."""
    if all(guard is True for guard in guards.values()) and not (
        len(guards) > 0 and _has_symbolic(guards)
    ):
        return set(guards)
    return {Elements(guards)}


def new(kind: type[AnySet], guards: Guards) -> AnySet:
    """A new set of a class."""
    return kind(contents(guards))


def make(elements: Sequence[Value], kind: type[AnySet] = set) -> AnySet:
    """A set of elements (a list or tuple), some of which may be partial."""
    if all(type(element) in CONCRETE_KEYS for element in elements):
        return kind(elements)
    guards: Guards = {}
    for element in elements:
        condition, value = opened(element)
        guards = _add_any(guards, value, condition)
    return new(kind, guards)


def _add_any(guards: Guards, value: Value, condition: Guard) -> Guards:
    if type(value) is Union:
        rest = condition
        for guard, member in value._solvent_choices:
            guards = _add_any(guards, member, and_(rest, guard))
            rest = and_(rest, not_(guard))
        return guards
    if condition is True and not is_symbolic_key(value) and not _has_symbolic(guards):
        check_key(value)
        guards[value] = True
        return guards
    return added(guards, value, condition)


@lifts_method(set)
def add(found: set[Value], element: Value, /) -> None:
    """`found.add(element)`."""
    if type(element) in CONCRETE_KEYS and not JOURNALING and (len(found) != 1 or is_plain(found)):
        found.add(element)
        return
    if is_plain(found) and not is_symbolic_key(element) and type(element) is not Union:
        current().write_whole(MEMBERS, found)
        found.add(element)
        return
    store(found, _add_any(dict(guards_of(found)), element, True))


@lifts_method(set)
def discard(found: set[Value], element: Value, /) -> None:
    """`found.discard(element)`."""
    if is_plain(found) and not is_symbolic_key(element) and type(element) is not Union:
        current().write_whole(MEMBERS, found)
        found.discard(element)
        return
    if type(element) is Union:
        over(element, lambda member: discard(found, member))
        return
    check_key(element)
    store(found, removed(guards_of(found), element))


@lifts_method(set)
def remove(found: set[Value], element: Value, /) -> None:
    """`found.remove(element)`."""
    if type(element) is Union:
        over(element, lambda member: remove(found, member))
        return
    current().fail_if(not_(contains(found, element)), KeyError(element))
    discard(found, element)


@lifts_method(set)
def pop(found: set[Value], /) -> Value:
    """`found.pop()`: the first element, where Python takes an arbitrary one."""
    if is_plain(found):
        current().write_whole(MEMBERS, found)
        return found.pop()
    guards = guards_of(found)
    _note_order(guards, "`pop`")
    rows: list[Choice] = []
    left: Guards = {}
    rest: Guard = True
    for element, guard in guards.items():
        taken = and_(rest, guard)
        if taken is not False:
            rows.append((taken, element))
        kept = and_(guard, not_(taken))
        if kept is not False:
            left[element] = kept
        rest = and_(rest, not_(guard))
    current().fail_if(rest, raised(set().pop))
    store(found, left)
    return combine(rows)


def _note_order(guards: Guards, what: str) -> None:
    """An element is taken by its place, which depends on the hashes of all others in Python."""
    if sum(guard is not False for guard in guards.values()) > 1:
        note_varying(f"{what} of a set with symbolic elements")


@lifts_method(set)
def clear(found: set[Value], /) -> None:
    """`found.clear()`."""
    current().write_whole(MEMBERS, found)
    found.clear()


def size(found: AnySet) -> Integer:
    """`len(found)`."""
    if is_plain(found):
        return len(found)
    result: Integer = 0
    for guard in guards_of(found).values():
        result = result + (1 if guard is True else ite(guard, 1, 0))
    return result


def in_order(found: AnySet) -> list[Value]:
    """The elements, as the items of a possibly ragged list."""
    if is_plain(found):
        return list(found)
    result: list[Value] = []
    for element, guard in walked(found, guards_of(found)):
        if guard is True:
            append(result, element)
        else:
            append_if(result, guard, element)
    return result


# --- operators -----------------------------------------------------------------------------------


def united(a: Guards, b: Guards) -> Guards:
    """The elements of either."""
    result = dict(a)
    for element, guard in b.items():
        result = _add_any(result, element, guard)
    return result


def common(a: Guards, b: Guards) -> Guards:
    """The elements of both."""
    symbolic = _has_symbolic(a) or _has_symbolic(b)
    result: Guards = {}
    for element, guard in a.items():
        both = and_(guard, _membership(b, element, symbolic))
        if both is not False:
            result[element] = both
    return result


def left_over(a: Guards, b: Guards) -> Guards:
    """The elements of the one that are not in the other."""
    symbolic = _has_symbolic(a) or _has_symbolic(b)
    result: Guards = {}
    for element, guard in a.items():
        left = and_(guard, not_(_membership(b, element, symbolic)))
        if left is not False:
            result[element] = left
    return result


def different(a: Guards, b: Guards) -> Guards:
    """The elements of exactly one."""
    return united(left_over(a, b), left_over(b, a))


OPERATIONS = {
    "or": united, "and": common, "sub": left_over, "xor": different,
}  # fmt: skip


NATIVE: dict[str, Callable[[Value, Value], Value]] = {
    "or": operator.or_, "and": operator.and_, "sub": operator.sub, "xor": operator.xor,
}  # fmt: skip


def _is_concrete(found: AnySet) -> bool:
    return is_plain(found) and not any(is_symbolic_key(element) for element in found)


def set_operator(name: str, a: Value, b: Value, native: Callable[[Value, Value], Value]) -> Value:
    """`a | b` and so on, for sets and views of dicts."""
    a, b = as_set(a), as_set(b)
    if _is_concrete(a) and _is_concrete(b):
        return native(a, b)
    kind = frozenset if isinstance(a, frozenset) else set
    return new(kind, OPERATIONS[name](guards_of(a), guards_of(b)))


@over_members_of("b")
def set_in_place(name: str, a: set[Value], b: Value) -> Value:
    """`a |= b` and so on."""
    b = as_set(b)
    if not isinstance(b, SETS):
        symbol = {"or": "|=", "and": "&=", "sub": "-=", "xor": "^="}[name]
        raise TypeError(f"unsupported operand type(s) for {symbol}: 'set' and '{_name_of(b)}'")
    store(a, OPERATIONS[name](guards_of(a), guards_of(b)))
    return a


@over_members_of("b")
def set_method(name: str, a: Value, b: Value) -> Value:
    """`a.union(b)` and so on: the other may be any iterable, the result is like the first."""
    return set_operator(name, a, collected(b), NATIVE[name])


def _name_of(value: object) -> str:
    return type_name(value)


def is_subset(a: AnySet, b: AnySet) -> Guard:
    """`a <= b`."""
    if _is_concrete(a) and _is_concrete(b):
        return a <= b
    first, second = guards_of(a), guards_of(b)
    symbolic = _has_symbolic(first) or _has_symbolic(second)
    return and_(
        [
            or_(not_(guard), _membership(second, element, symbolic))
            for element, guard in first.items()
        ]
    )


def are_disjoint(a: AnySet, b: AnySet) -> Guard:
    """`a.isdisjoint(b)`."""
    if _is_concrete(a) and _is_concrete(b):
        return a.isdisjoint(b)
    return not_(or_(list(common(guards_of(a), guards_of(b)).values())))


def equal(a: AnySet, b: AnySet) -> Guard:
    """`a == b`."""
    if _is_concrete(a) and _is_concrete(b):
        return a == b
    return and_(is_subset(a, b), is_subset(b, a))


def ordered(a: Value, b: Value, name: str) -> Guard:
    """`a < b` and so on: inclusion."""
    a, b = as_set(a), as_set(b)
    if name in ("gt", "ge"):
        a, b = b, a
    inside = is_subset(a, b)
    if name in ("le", "ge"):
        return inside
    return and_(inside, not_(is_subset(b, a)))


# --- what sets do ---------------------------------------------------------------------------------


class Sets(Objects):
    """What sets do."""

    def derived(self, cls: type) -> Sets:
        check_access(cls, set if issubclass(cls, set) else frozenset, ("__iter__", "__len__"))
        return self

    def truth(self, value: AnySet) -> Guard:
        return bool(value) if is_plain(value) else or_(list(guards_of(value).values()))

    def length(self, value: AnySet) -> Integer:
        return size(value)

    def contains(self, container: AnySet, item: Value) -> Guard:
        return contains(container, item)

    def equal(self, a: AnySet, b: Value) -> Value:
        return equal(a, b) if isinstance(b, SETS) else NotImplemented

    def ordered(self, a: AnySet, b: Value, name: str) -> Value:
        return ordered(a, b, name) if isinstance(b, SET_LIKE) else NotImplemented

    def iterate(self, value: AnySet) -> Iterable[Value]:
        return watched(in_order(value), value)

    def iterator(self, value: AnySet) -> Value:
        if not is_plain(value) and not takes_any_order():
            _note_order(guards_of(value), "`iter`")
        return SnapshotIterator(in_order(value), value)

    def is_lazy(self, cls: type) -> bool:
        return False

    def adopt(self, value: AnySet) -> None:
        if isinstance(value, set) and is_plain(value) and any(map(is_symbolic_key, value)):
            store(value, guards_of(make(list(value))))

    def parts(self, value: AnySet) -> Iterable[Value]:
        return value

    def fill(self, new: set[Value], value: AnySet, copying: Copying) -> None:
        set.update(new, [copying.part(element) for element in value])

    def shown(self, value: AnySet, texts: Texts) -> Value:
        if texts.are_plain(value):
            return repr(value)
        if not is_plain(value):
            raise texts.refused(value)
        listed = texts.listed("{", value, "}")
        cls = type(value)
        return listed if cls is set else texts.joined(f"{cls.__name__}(", listed, ")")

    def under(self, value: AnySet, evaluate: Evaluation) -> Value:
        cls = type(value)
        if is_plain(value):
            new = cls(evaluate.value(element) for element in value)
            result = value if new == value else new
        else:
            result = cls(
                evaluate.value(element)
                for element, guard in guards_of(value).items()
                if evaluate.term(guard)
            )
        evaluate.started(value, result)
        return result


class FrozenSets(Sets):
    """What sets do that cannot be changed."""

    def copied(self, value: frozenset[Value], copying: Copying) -> Value:
        return frozenset.__new__(type(value), [copying.part(element) for element in value])


class Contents(Objects):
    """What sets hold that differ between paths."""

    def parts(self, value: Elements) -> Iterable[Value]:
        return value.guards

    def guarded(self, value: Elements) -> Iterable[Value]:
        return chain.from_iterable(value.guards.items())

    def copied(self, value: Elements, copying: Copying) -> Value:
        return Elements({copying.part(part): guard for part, guard in value.guards.items()})


behaves(Sets(), set)
behaves(FrozenSets(), frozenset)
behaves(Contents(), Elements)


# --- methods -------------------------------------------------------------------------------------


@lifts(set)
@over_members_of("source")
def make_set(source: Value = (), /) -> Value:
    """`set(source)`."""
    return set(collected(source))


@lifts(frozenset)
@over_members_of("source")
def make_frozenset(source: Value = (), /) -> Value:
    """`frozenset(source)`."""
    return source if type(source) is frozenset else frozenset(collected(source))


@lifts_method(set, name="__init__")
def initialise(found: set[Value], source: Value = (), /) -> None:
    """`set.__init__(found, source)`, as derived classes call it."""
    new = make_set(source)
    if type(new) is Union:
        over(new, lambda member: initialise(found, member))
        return
    current().write_whole(MEMBERS, found)
    MEMBERS.restore(found, new)


# --- elements ------------------------------------------------------------------------------------


@lifts_method(*SETS)
def copy(found: AnySet, /) -> AnySet:
    """`found.copy()`."""
    return found if type(found) is frozenset else set(found)


@lifts_method(*SETS, name="__len__")
def length(found: AnySet, /) -> Integer:
    """`found.__len__()`."""
    return size(found)


# --- methods that take any iterables -------------------------------------------------------------


@lifts_method(*SETS)
def union(found: AnySet, /, *others: Value) -> Value:
    """`found.union(...)`."""
    return _folded("or", found, others)


@lifts_method(*SETS)
def intersection(found: AnySet, /, *others: Value) -> Value:
    """`found.intersection(...)`."""
    return _folded("and", found, others)


@lifts_method(*SETS)
def difference(found: AnySet, /, *others: Value) -> Value:
    """`found.difference(...)`."""
    return _folded("sub", found, others)


@lifts_method(*SETS)
def symmetric_difference(found: AnySet, other: Value, /) -> Value:
    """`found.symmetric_difference(other)`."""
    return set_method("xor", found, other)


def _folded(name: str, found: Value, others: tuple[Value, ...]) -> Value:
    if not others:
        return copy(found)
    result = found
    for place, other in enumerate(others):
        if type(result) is Union:
            rest = others[place:]
            return over(result, lambda member: _folded(name, member, rest))  # noqa: B023
        result = set_method(name, result, other)
    return result


@lifts_method(set)
def update(found: set[Value], /, *others: Value) -> None:
    """`found.update(...)`."""
    for other in others:
        _change("or", found, other)


@lifts_method(set)
def intersection_update(found: set[Value], /, *others: Value) -> None:
    """`found.intersection_update(...)`."""
    for other in others:
        _change("and", found, other)


@lifts_method(set)
def difference_update(found: set[Value], /, *others: Value) -> None:
    """`found.difference_update(...)`."""
    for other in others:
        _change("sub", found, other)


@lifts_method(set)
def symmetric_difference_update(found: set[Value], other: Value, /) -> None:
    """`found.symmetric_difference_update(other)`."""
    _change("xor", found, other)


# What is done element by element, also if a later one fails.
_ONE_BY_ONE: dict[str, Callable[[set[Value], Value], None]] = {"or": add, "sub": discard}


def _may_fail(other: Value) -> bool:
    """Whether an iterable may hold something that no set can hold."""
    return type(other) in (list, tuple) and not sequences.is_atomic(other)


@over_members_of("other")
def _change(name: str, found: set[Value], other: Value) -> None:
    if name in _ONE_BY_ONE and (runs_code(other) or _may_fail(other)):
        add_each(other, lambda _, element: _ONE_BY_ONE[name](found, element))
    else:
        set_in_place(name, found, collected(other))


# --- comparisons ---------------------------------------------------------------------------------


@lifts_method(*SETS)
def issubset(found: AnySet, other: Value, /) -> Guard:
    """`found.issubset(other)`."""
    if type(other) is Union:
        result: Guard = over(other, lambda member: issubset(found, member))
        return result
    return is_subset(found, collected(other))


@lifts_method(*SETS)
def issuperset(found: AnySet, other: Value, /) -> Guard:
    """`found.issuperset(other)`."""
    if type(other) is Union:
        result: Guard = over(other, lambda member: issuperset(found, member))
        return result
    return is_subset(collected(other), found)


@lifts_method(*SETS, name="isdisjoint")
def disjoint(found: AnySet, other: Value, /) -> Guard:
    """`found.isdisjoint(other)`."""
    if type(other) is Union:
        result: Guard = over(other, lambda member: disjoint(found, member))
        return result
    return are_disjoint(found, collected(other))


def compared(name: str, kinds: tuple[type, ...]) -> None:
    """Register a comparison of sets or views that is called by name."""

    def method(found: Value, other: Value, /) -> Value:
        if type(other) is Union:
            return over(other, lambda member: method(found, member))
        if not isinstance(other, (*SETS, *VIEWS)):
            return NotImplemented
        first, second = as_set(found), as_set(other)
        if name in ("eq", "ne"):
            same = equal(first, second)
            return same if name == "eq" else not_(same)
        return ordered(first, second, name)

    lifts_method(*kinds, name=f"__{name}__")(method)


def _combines(name: str) -> None:
    """Register an operator of sets that is called by name."""

    def method(found: AnySet, other: Value, /) -> Value:
        if type(other) is Union:
            return over(other, lambda member: method(found, member))
        if not isinstance(other, SETS):
            return NotImplemented
        return set_method(name, found, other)

    def in_place(found: set[Value], other: Value, /) -> Value:
        if type(other) is Union:
            return over(other, lambda member: in_place(found, member))
        if not isinstance(other, (*SETS, *VIEWS)):
            return NotImplemented
        return set_in_place(name, found, other)

    lifts_method(*SETS, name=f"__{name}__")(method)
    lifts_method(set, name=f"__i{name}__")(in_place)


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    compared(_name, SETS)
for _name in OPERATIONS:
    _combines(_name)
