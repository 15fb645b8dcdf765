"""Type-driven merging: figure 9 of "A Lightweight Symbolic Virtual Machine", for Python's values.

`merge(c, a, b)` is the value that is `a` where `c` holds and `b` elsewhere:

* a concrete condition picks one of them as it is;
* values of one sort become an if-then-else term;
* tuples of one type and length merge element by element, frozen dataclasses field by field;
* texts of one length merge character by character, unless both are known (names stay atoms);
* everything else is a reference or an atom and merges only with itself;
* what does not merge becomes a union with one member per class.

Classes are compared by `group`.  Groups other than references have an order, by which the members
of a union are kept sorted, so that two unions merge in one linear pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import MethodType
from typing import TYPE_CHECKING

from solvent.terms.booleans import NOT, BoolTerm, and_, ite, ite_of_sort, ites, not_, or_
from solvent.terms.core import COMPILED
from solvent.terms.integers import IntTerm
from solvent.terms.sorts import Bool, Int, Sort
from solvent.terms.strings import StringTerm
from solvent.terms.term import Term
from solvent.terms.texts import BytesTerm, CodesTerm, TextTerm, codes_of
from solvent.vm.report import STATS, Stats, current_stats
from solvent.vm.shapes import (
    ATOM,
    BOOL,
    INT,
    METHOD,
    NONE,
    RECORD,
    REFERENCE,
    TEXT,
    TUPLE,
    Group,
    group,
    record_fields,
)
from solvent.vm.slots import UNBOUND, Maybe, slot
from solvent.vm.twins import entered, is_one_number
from solvent.vm.union import Choices, Union, choices_of, exclusive
from solvent.vm.values import Choice, Guard, Value

PRIMITIVE: dict[type, Sort[Term]] = {bool: Bool, BoolTerm: Bool, int: Int, IntTerm: Int}

Grouping = Callable[[Value], Group]
Merging = Callable[[BoolTerm, Value, Value], Value]


def choice(sort: Sort[Term], c: BoolTerm, a: Value, b: Value) -> Value:
    """Merge two truth values or two ints."""
    if type(a) is type(b) and (type(a) is int or type(a) is bool) and a == b:
        return a
    return ite_of_sort(sort, c, a, b)


def merge(c: Guard, a: Value, b: Value) -> Value:
    """The value that is `a` where `c` holds and `b` elsewhere (mu of figure 9).

    >>> from solvent.terms import Bool, Int
    >>> p, x = Bool("p"), Int("x")
    >>> merge(p, x, 3), merge(p, (1, x), (1, 0)), merge(p, None, "a")
    (ite(p, x, 3), (1, ite(p, x, 0)), Union(None if p, 'a'))
    """
    if a is b or c is True:
        return a
    if c is False:
        return b
    type_a, type_b = type(a), type(b)
    sort = PRIMITIVE.get(type_a)
    if sort is not None and sort is PRIMITIVE.get(type_b):
        return choice(sort, c, a, b)
    if type_a is tuple and type_b is tuple and len(a) == len(b):
        return merge_tuples(c, a, b)
    if type_a is Maybe or type_b is Maybe:
        return merge_slots(c, a, b)
    if type_a is Union or type_b is Union:
        return union_of(merge_choices(c, choices_of(a), choices_of(b), group, merge_members))
    if isinstance(a, CodesTerm) or isinstance(b, CodesTerm):
        found = merge_texts(c, a, b)
        if found is not None:
            return found
    first, second = group(a), group(b)
    if first == second:
        return merge_members(c, a, b)
    if (type_a is StringTerm and type_b is str) or (type_a is str and type_b is StringTerm):
        return ite(c, a, b)
    if second[0] < first[0] or (second[0] == first[0] != REFERENCE and second < first):
        return union_of(((not_(c), b), (True, a)))
    return union_of(((c, a), (True, b)))


def merge_members(c: BoolTerm, a: Value, b: Value) -> Value:
    """Merge two values of the same group."""
    if a is b:
        return a
    rank = group(a)[0]
    if rank in (NONE, ATOM, REFERENCE):
        return a
    if rank in (BOOL, INT):
        return merge(c, a, b)
    cls = type(a)
    if rank == TUPLE:
        items = merge_tuples(c, a, b)
        return items if cls is tuple else tuple.__new__(cls, items)
    if rank == TEXT:
        return merge_texts(c, a, b)
    if rank == METHOD:
        return MethodType(a.__func__, merge(c, a.__self__, b.__self__))
    if rank == RECORD:
        if is_one_number(a, b):
            return a
        a, b = entered(a), entered(b)
        return merge_records(c, a, b, record_fields(type(a)) or ())
    return ite(c, a, b)


def merge_tuples(c: BoolTerm, a: tuple[Value, ...], b: tuple[Value, ...]) -> tuple[Value, ...]:
    """Merge two tuples of one length, element by element."""
    if c.op is NOT:
        c, a, b = c.key[1], b, a
    if len(a) > 3 and set(map(type, a)) == _INTS == set(map(type, b)):
        return tuple(ites(Int, c, a, b))
    return tuple([x if x is y else merge(c, x, y) for x, y in zip(a, b, strict=True)])


_INTS = {IntTerm}


def merge_texts(c: BoolTerm, a: Value, b: Value) -> Value:
    """Merge two texts or bytes of one length, of which one is symbolic; None if they are not."""
    term = a if isinstance(a, CodesTerm) else b
    first, second = codes_of(term.native, a), codes_of(term.native, b)
    if first is None or second is None or len(first) != len(second):
        return None
    if c.op is NOT:
        c, first, second = c.key[1], second, first
    pairs = zip(first, second, strict=True)
    return type(term).made([x if x is y else choice(Int, c, x, y) for x, y in pairs])


def merge_records(c: BoolTerm, a: Value, b: Value, names: tuple[str, ...]) -> Value:
    """Merge two instances of one class that have no identity, field by field.

    A field may be missing, also of an instance that is on none of the paths that there are: what
    its constructor wrote was taken back.
    """
    result = object.__new__(type(a))
    for name in names:
        x, y = getattr(a, name, UNBOUND), getattr(b, name, UNBOUND)
        merged = merge_slots(c, x, y) if type(x) is Maybe or type(y) is Maybe else merge(c, x, y)
        if merged is not UNBOUND:
            object.__setattr__(result, name, merged)
    return result


def merge_slots(c: Guard, a: Value, b: Value) -> Value:
    """Merge the contents of a slot (a variable, an attribute, a key) that may be empty."""
    # Flat, as this is a hot path.
    guard_a, value_a = (a.guard, a.value) if type(a) is Maybe else (True, a)
    guard_b, value_b = (b.guard, b.value) if type(b) is Maybe else (True, b)
    if guard_a is False:
        return slot(and_(not_(c), guard_b), value_b)
    if guard_b is False:
        return slot(and_(c, guard_a), value_a)
    return slot(ite(c, guard_a, guard_b), merge(c, value_a, value_b))


def union_of(choices: Choices) -> Value:
    """The value of ordered choices: a union, unless one choice is left."""
    kept = []
    spelled = False
    for guard, value in choices:
        if guard is not False:
            kept.append((guard, value))
            if value.__class__ in _SPELLED:
                spelled = True
            if guard is True:
                break
    if len(kept) == 1:
        return kept[0][1]
    if len(kept) > MANY_ATOMS and _are_many_texts(kept):
        return gathered(exclusive(tuple(kept)), FEW_ATOMS)
    if not spelled or _told_apart(kept):
        return _union(kept)
    return gathered(exclusive(tuple(kept)))


def _union(choices: Sequence[Choice]) -> Value:
    current_stats().union_made(len(choices))
    return Union(tuple(choices))


_SPELLED = {TextTerm, BytesTerm}

# A choice between more known texts than this is one by characters: names of states and keys of
# tables are fewer, and texts that loops put together are more.
MANY_ATOMS = 64
# Up to so many known texts of one length stay a choice where texts of that length are gathered.
FEW_ATOMS = 8


def _are_many_texts(choices: Sequence[Choice]) -> bool:
    lengths = Counter(
        (type(value), len(value)) for _, value in choices if type(value) in (str, bytes)
    )
    return any(count > FEW_ATOMS for count in lengths.values()) and lengths.total() > MANY_ATOMS


def _told_apart(choices: Sequence[Choice]) -> bool:
    """Whether no known text has the length of a symbolic one, with which it would merge."""
    lengths = {(value.native, len(value)) for _, value in choices if type(value) in _SPELLED}
    return not any((type(value), len(value)) in lengths for _, value in choices
                   if type(value) is str or type(value) is bytes)  # fmt: skip


def gathered(rows: Iterable[Choice], most_atoms: int | None = None) -> Value:
    """The value of texts under guards that exclude each other; one of the guards holds.

    Texts of one length become one text where one of them is symbolic; with `most_atoms`, also
    where that many known ones are there.

    >>> from solvent.terms import Bool, Int
    >>> from solvent.terms.texts import text
    >>> p, q, c = Bool("p"), Bool("q"), Int("c")
    >>> gathered([(and_(p, q), "a"), (and_(p, not_(q)), text([c])), (not_(p), "")])
    Union(text(ite(p and not q, c, 97)) if p, '')
    """
    texts: dict[tuple[type, int], list[Choice]] = {}
    result: list[Choice] = []
    for guard, value in rows:
        if guard is False:
            continue
        native = value.native if isinstance(value, CodesTerm) else type(value)
        if native is str or native is bytes:
            texts.setdefault((native, len(value)), []).append((guard, value))
        else:
            result.append((guard, value))
    for (native, _), found in texts.items():
        atoms: dict[Value, Guard] = {}
        for guard, value in found:
            if type(value) is native:
                atoms[value] = or_(atoms.get(value, False), guard)
        symbolic = [row for row in found if type(row[1]) is not native]
        if symbolic or (most_atoms is not None and len(atoms) > most_atoms):
            result.append(_one_text(native, [*symbolic, *((g, v) for v, g in atoms.items())]))
        else:
            result += [(guard, value) for value, guard in atoms.items()]
    if len(texts) > 1:
        result = _sharing(result)
    result.sort(key=_rank)
    result[-1] = (True, result[-1][1])
    return result[0][1] if len(result) == 1 else _union(result)


def _sharing(rows: list[Choice]) -> list[Choice]:
    """The same choice, where symbolic texts of several lengths have their characters in common.

    Under its guard each text is what it was.  What is built from all of them is then built once.
    """
    terms = [row for row in rows if isinstance(row[1], CodesTerm)]
    if len(terms) < 2:
        return rows
    terms.sort(key=lambda row: -len(row[1]))
    common: list[Value] = []
    for place in range(len(terms[0][1])):
        found: Value = None
        for guard, value in terms:
            if len(value) <= place:
                break
            code = value.codes[place]
            if type(code) is int or code is found:
                continue
            found = code if found is None else ite(guard, code, found)
        common.append(found)
    return [_with_common(row, common) if isinstance(row[1], CodesTerm) else row for row in rows]


def _with_common(row: Choice, common: list[Value]) -> Choice:
    guard, value = row
    codes = [code if type(code) is int else common[place] for place, code in enumerate(value.codes)]
    return guard, type(value).made(codes)


def _rank(row: Choice) -> Group:
    found = group(row[1])
    return found if found[0] != REFERENCE else (REFERENCE,)


def _one_text(native: type[str] | type[bytes], rows: list[Choice]) -> Choice:
    """Texts of one length as one text, and where it is any of them."""
    columns = [codes_of(native, value) for _, value in rows]
    result = list(columns[-1] or ())
    for (guard, _), codes in zip(reversed(rows[:-1]), reversed(columns[:-1]), strict=True):
        for place, code in enumerate(codes or ()):
            if code is not result[place]:
                result[place] = ite(guard, code, result[place])
    made = TextTerm.made if native is str else BytesTerm.made
    return or_([guard for guard, _ in rows]), made(result)


def merge_choices(
    c: BoolTerm, left: Choices, right: Choices, key: Grouping, members: Merging
) -> Choices:
    """Merge two ordered choices in one pass; the result has one member per group."""
    keys_left = [key(value) for _, value in left]
    keys_right = [key(value) for _, value in right]
    if not _same_order(keys_left, keys_right):
        right, keys_right = _reordered(right, keys_right, keys_left)
    in_left, in_right = set(keys_left), set(keys_right)
    against = not_(c)
    result: list[Choice] = []
    i = j = 0
    count_left, count_right = len(left), len(right)
    while i < count_left and j < count_right:
        first, second = keys_left[i], keys_right[j]
        if first == second:
            result.append((ite(c, left[i][0], right[j][0]), members(c, left[i][1], right[j][1])))
            i += 1
            j += 1
        elif _goes_first(first, second, in_left, in_right):
            result.append((and_(c, left[i][0]), left[i][1]))
            i += 1
        else:
            result.append((and_(against, right[j][0]), right[j][1]))
            j += 1
    # One side has given all its members, so that the rest belongs to the other alone.
    result.extend((guard, value) for guard, value in left[i:])
    result.extend((guard, value) for guard, value in right[j:])
    return tuple(result)


def _goes_first(first: Group, second: Group, in_left: set[Group], in_right: set[Group]) -> bool:
    if first[0] != second[0]:
        return bool(first[0] < second[0])
    if first[0] != REFERENCE:
        return first < second
    # References have no order of their own: what the other side has too waits for its partner.
    return first not in in_right


def _same_order(left: list[Group], right: list[Group]) -> bool:
    places = {key: place for place, key in enumerate(left)}
    last = -1
    for key in right:
        place = places.get(key)
        if place is not None:
            if place < last:
                return False
            last = place
    return True


def _reordered(
    choices: Choices, keys: list[Group], like: list[Group]
) -> tuple[Choices, list[Group]]:
    """The same choices with those references that `like` has too in its order."""
    wanted = {key: place for place, key in enumerate(like)}
    rows = sorted(
        zip(exclusive(choices), keys, strict=True),
        key=lambda row: (
            (row[1][0], wanted.get(row[1], len(wanted)))
            if row[1][0] == REFERENCE
            else (row[1][0], -1)
        ),
    )
    ordered = [row[0] for row in rows]
    ordered[-1] = (True, ordered[-1][1])
    return tuple(ordered), [row[1] for row in rows]


if not TYPE_CHECKING and COMPILED:
    from solvent.terms.compiled import fast, setup_merging, setup_unions

    # The functions above are what these ask where they cannot decide.
    setup_merging(IntTerm, merge, merge_members)
    setup_unions(globals(), Union, Maybe, StringTerm, Stats, STATS, _SPELLED, MANY_ATOMS)
    choice, merge, merge_tuples = map(fast, (choice, merge, merge_tuples))
    merge_members, merge_choices = map(fast, (merge_members, merge_choices))
    union_of = fast(union_of)
