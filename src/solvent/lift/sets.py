"""Sets with symbolic elements, and elements that only some paths have."""

from __future__ import annotations

import operator
from typing import Any

from solvent.lift import entries, mappings
from solvent.lift.entries import check_key, is_symbolic_key
from solvent.lift.messages import raised
from solvent.lift.sequences import append, append_if
from solvent.terms.booleans import and_, ite, not_, or_
from solvent.vm.machine import JOURNALING, current
from solvent.vm.owned import Elements, elements_of
from solvent.vm.places import MEMBERS
from solvent.vm.spread import combine, over
from solvent.vm.union import Maybe, Union

SETS = (set, frozenset)
KEYS: Any
ITEMS: Any
KEYS, ITEMS = type({}.keys()), type({}.items())
VIEWS = (KEYS, ITEMS)
SET_LIKE = (*SETS, *VIEWS)


def is_plain(found: Any) -> bool:
    """Whether a set has the same, concrete elements on every path."""
    if len(found) == 1:
        (only,) = found
        return type(only) is not Elements
    return True


def guards_of(found: Any) -> dict[Any, Any]:
    """Under which guard each element is in a set."""
    return elements_of(found)


def as_set(found: Any) -> Any:
    """A view of a dict as a set; the order of its keys means nothing."""
    if isinstance(found, VIEWS):
        what = "keys" if isinstance(found, KEYS) else "items"
        return make(entries.rows_in_any_order(entries.viewed(found), what))
    return found


def collected(source: Any) -> Any:
    """The elements of any iterable as a set; a set itself is not copied."""
    from solvent.lift.iteration import items_of

    if isinstance(source, SETS):
        return source
    if isinstance(source, VIEWS):
        return as_set(source)
    if isinstance(source, dict) and type(source).__iter__ in mappings.ITERATORS:
        return make(entries.rows_in_any_order(source, "keys"))
    return make(list(items_of(source)))


def _membership(guards: dict[Any, Any], element: Any, symbolic: bool) -> Any:
    """Under which guard an element is among others."""
    from solvent.lift.equality import same

    if not symbolic:
        return guards.get(element, False)
    return or_([and_(guard, same(other, element)) for other, guard in guards.items()])


def _has_symbolic(guards: dict[Any, Any]) -> bool:
    return any(is_symbolic_key(element) for element in guards)


def contains(found: Any, element: Any) -> Any:
    """`element in found`."""
    if type(element) is Union:
        return over(element, lambda member: contains(found, member))
    if isinstance(element, set):
        element = frozenset(element)
    plain = is_plain(found)
    if plain and not is_symbolic_key(element):
        check_key(element)
        return element in found
    check_key(element)
    guards = guards_of(found)
    return _membership(guards, element, is_symbolic_key(element) or _has_symbolic(guards))


def added(guards: dict[Any, Any], element: Any, condition: Any = True) -> dict[Any, Any]:
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


def removed(guards: dict[Any, Any], element: Any, condition: Any = True) -> dict[Any, Any]:
    """The elements without one, where a condition holds."""
    from solvent.lift.equality import same

    symbolic = is_symbolic_key(element) or _has_symbolic(guards)
    result = {}
    for other, guard in guards.items():
        equal_here = same(other, element) if symbolic else (other in {element})
        left = and_(guard, not_(and_(condition, equal_here)))
        if left is not False:
            result[other] = left
    return result


def store(found: set[Any], guards: dict[Any, Any]) -> None:
    """Make these the elements of a set."""
    current().write_whole(MEMBERS, found)
    MEMBERS.restore(found, contents(guards))


def contents(guards: dict[Any, Any]) -> Any:
    """The raw contents for elements with these guards."""
    if all(guard is True for guard in guards.values()) and not (
        len(guards) > 0 and _has_symbolic(guards)
    ):
        return set(guards)
    return {Elements(guards)}


def new(kind: type, guards: dict[Any, Any]) -> Any:
    """A new set of a class."""
    return kind(contents(guards))


def make(elements: Any, kind: type = set) -> Any:
    """A set of elements (a list or tuple), some of which may be `Maybe`s."""
    if all(type(element) in entries.CONCRETE_KEYS for element in elements):
        return kind(elements)
    guards: dict[Any, Any] = {}
    for element in elements:
        condition, value = (
            (element.guard, element.value) if type(element) is Maybe else (True, element)
        )
        guards = _add_any(guards, value, condition)
    return new(kind, guards)


def _add_any(guards: dict[Any, Any], value: Any, condition: Any) -> dict[Any, Any]:
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


def add(found: set[Any], element: Any) -> None:
    """`found.add(element)`."""
    if (
        type(element) in entries.CONCRETE_KEYS
        and not JOURNALING
        and (len(found) != 1 or is_plain(found))
    ):
        found.add(element)
        return
    if is_plain(found) and not is_symbolic_key(element) and type(element) is not Union:
        current().write_whole(MEMBERS, found)
        found.add(element)
        return
    store(found, _add_any(dict(guards_of(found)), element, True))


def discard(found: set[Any], element: Any) -> None:
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


def remove(found: set[Any], element: Any) -> None:
    """`found.remove(element)`."""
    if type(element) is Union:
        over(element, lambda member: remove(found, member))
        return
    current().fail_if(not_(contains(found, element)), KeyError(element))
    discard(found, element)


def pop(found: set[Any]) -> Any:
    """`found.pop()`: the first element, where Python takes an arbitrary one."""
    if is_plain(found):
        current().write_whole(MEMBERS, found)
        return found.pop()
    guards = guards_of(found)
    rows, left = [], {}
    rest: Any = True
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


def clear(found: set[Any]) -> None:
    """`found.clear()`."""
    current().write_whole(MEMBERS, found)
    found.clear()


def size(found: Any) -> Any:
    """`len(found)`."""
    if is_plain(found):
        return len(found)
    result: Any = 0
    for guard in guards_of(found).values():
        result = result + (1 if guard is True else ite(guard, 1, 0))
    return result


def in_order(found: Any) -> list[Any]:
    """The elements, as the items of a possibly ragged list."""
    if is_plain(found):
        return list(found)
    result: list[Any] = []
    for element, guard in guards_of(found).items():
        if guard is True:
            append(result, element)
        else:
            append_if(result, guard, element)
    return result


# --- operators ------------------------------------------------------------------------------------


def union(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    """The elements of either."""
    result = dict(a)
    for element, guard in b.items():
        result = _add_any(result, element, guard)
    return result


def intersection(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    """The elements of both."""
    symbolic = _has_symbolic(a) or _has_symbolic(b)
    result = {}
    for element, guard in a.items():
        both = and_(guard, _membership(b, element, symbolic))
        if both is not False:
            result[element] = both
    return result


def difference(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    """The elements of the one that are not in the other."""
    symbolic = _has_symbolic(a) or _has_symbolic(b)
    result = {}
    for element, guard in a.items():
        left = and_(guard, not_(_membership(b, element, symbolic)))
        if left is not False:
            result[element] = left
    return result


def symmetric_difference(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    """The elements of exactly one."""
    return union(difference(a, b), difference(b, a))


OPERATIONS = {
    "or": union, "and": intersection, "sub": difference, "xor": symmetric_difference,
}  # fmt: skip


NATIVE: dict[str, Any] = {
    "or": operator.or_, "and": operator.and_, "sub": operator.sub, "xor": operator.xor,
}  # fmt: skip


def _is_concrete(found: Any) -> bool:
    return is_plain(found) and not any(is_symbolic_key(element) for element in found)


def set_operator(name: str, a: Any, b: Any, native: Any) -> Any:
    """`a | b` and so on, for sets and views of dicts."""
    a, b = as_set(a), as_set(b)
    if _is_concrete(a) and _is_concrete(b):
        return native(a, b)
    kind = frozenset if isinstance(a, frozenset) else set
    return new(kind, OPERATIONS[name](guards_of(a), guards_of(b)))


def set_in_place(name: str, a: set[Any], b: Any) -> Any:
    """`a |= b` and so on."""
    if type(b) is Union:
        return over(b, lambda member: set_in_place(name, a, member))
    b = as_set(b)
    if not isinstance(b, SETS):
        symbol = {"or": "|=", "and": "&=", "sub": "-=", "xor": "^="}[name]
        raise TypeError(f"unsupported operand type(s) for {symbol}: 'set' and '{_name_of(b)}'")
    store(a, OPERATIONS[name](guards_of(a), guards_of(b)))
    return a


def set_method(name: str, a: Any, b: Any) -> Any:
    """`a.union(b)` and so on: the other may be any iterable, the result is like the first."""
    if type(b) is Union:
        return over(b, lambda member: set_method(name, a, member))
    return set_operator(name, a, collected(b), NATIVE[name])


def _name_of(value: Any) -> str:
    from solvent.lift.builtins.core import type_of

    return str(type_of(value).__name__)


def is_subset(a: Any, b: Any) -> Any:
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


def are_disjoint(a: Any, b: Any) -> Any:
    """`a.isdisjoint(b)`."""
    if _is_concrete(a) and _is_concrete(b):
        return a.isdisjoint(b)
    return not_(or_(list(intersection(guards_of(a), guards_of(b)).values())))


def equal(a: Any, b: Any) -> Any:
    """`a == b`."""
    if _is_concrete(a) and _is_concrete(b):
        return a == b
    return and_(is_subset(a, b), is_subset(b, a))


def ordered(a: Any, b: Any, name: str) -> Any:
    """`a < b` and so on: inclusion."""
    a, b = as_set(a), as_set(b)
    if name in ("gt", "ge"):
        a, b = b, a
    inside = is_subset(a, b)
    if name in ("le", "ge"):
        return inside
    return and_(inside, not_(is_subset(b, a)))
