"""Assignments in place, deletion, aliasing, and objects that the caller passes in."""

# ruff: noqa: B006, F841, RUF005, RUF059

from __future__ import annotations

import pytest

from tests.lift.cases import SMALL, Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


class Point:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Node:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


# --- augmented assignment -------------------------------------------------------------------------


@cases
def augmented_names(x, y):
    a = x
    a += y
    a -= 1
    a *= x
    b = a
    b //= 2
    b %= 3
    c = y > 0
    c += 1
    return a, b, c


@cases
def augmented_items_and_attributes(x, y):
    d = {"a": [1]}
    d["a"] += [x]
    if x > 0:
        d["a"] *= 2
    items = [0, 0]
    items[x > 0] += 5
    p = Point(x, [y])
    p.a -= y
    p.b += (1,)
    if y > 1:
        p.b += p.b
    return d, items, p


@cases
def augmented_list_keeps_its_identity(x):
    a = [1]
    b = a
    if x > 0:
        a += [x]
    else:
        a = a + [x]
    b.append("b")
    return a, b, a is b


@cases
def augmented_tuple_does_not(x):
    a = (1,)
    b = a
    if x > 0:
        a += (x,)
    return a, b, a is b


@cases
def augmented_place_is_evaluated_once(x, y):
    log = []
    items = [1, 2, 3]

    def where():
        log.append("where")
        return items

    def which():
        log.append("which")
        return x

    where()[which()] += y
    return items, log


@cases
def augmented_item_of_dict(x, y):
    d = {0: 1}
    d[x] = d[0]
    d[y] += 5
    return d


@cases
def augmented_unbound(x):
    if x > 0:
        n = 1
    n += x
    return n


# --- unpacking ------------------------------------------------------------------------------------


@cases
def unpacking(x, y):
    a, b = x, y
    a, b = b, a
    (c, d), [e] = (a, b), [x]
    f, *g = [x, y, 3]
    *h, i = (x, y)
    j, *k, m = "abcd"
    return a, b, c, d, e, f, g, h, i, j, k, m


@cases
def unpacking_star_nested(x):
    a, (b, *c), *d = x, (1, 2, x), 4, 5
    [e, [f, *g]] = [x, (x,)]
    return a, b, c, d, e, f, g


@cases
def unpacking_unions(x):
    value = (1, 2) if x > 0 else [x, 5] if x < 0 else "ab"
    a, b = value
    *c, d = value
    return a, b, c, d


@cases
def unpacking_wrong_lengths(x):
    value = (1, 2) if x > 1 else (x,) if x > 0 else [x, 2, 3] if x == 0 else []
    try:
        a, b = value
    except ValueError as e:
        return e.args
    return a, b


@cases
def unpacking_ragged_list(x):
    items = [1]
    if x > 0:
        items.append(x)
    if x > 1:
        items.append(7)
    a, *b = items
    try:
        c, d = items
    except ValueError as e:
        c = d = e.args
    return a, b, c, d


@cases
def unpacking_star_needs_enough(x):
    items = [1, 2]
    if x > 0:
        items.pop()
    if x > 1:
        items.pop()
    a, b, *c = items
    return a, b, c


@cases
def unpacking_into_places(x, y):
    items = [0, 0, 0]
    p = Point(0, 0)
    items[x], p.a, (p.b, items[0]) = y, x, (x + y, 9)
    return items, p


@cases
def unpacking_order(x):
    i = 0
    items = [0, 0, 0, 0]
    i, items[i] = x, "v"
    return i, items


@cases
def unpacking_what_cannot_be(x):
    if x > 0:
        a, b = x
    return 1


@cases
def chained_assignment(x):
    a = b = [x]
    a.append(1)
    c = d, e = (x, 2)
    return a, b, a is b, c, d, e


# --- deletion -------------------------------------------------------------------------------------


@cases
def delete_items(x, y):
    items = [1, 2, 3]
    d = {0: "a", 1: "b"}
    if x > 0:
        del items[0]
    if y > 0:
        del d[y]
    del items[x]
    return items, d


@cases
def delete_attributes(x):
    p = Point(1, 2)
    q = p
    if x > 0:
        del p.a
    if x > 1:
        q.a = x
    try:
        return p.a, q.b
    except AttributeError as e:
        return "gone"


@cases
def delete_several(x, y):
    a, b, items = 1, 2, [x, y, 3]
    del a, (b, items[0])
    if x > 0:
        a = 1
    return a, items


@cases
def delete_slices(x):
    items = [1, 2, 3, 4]
    other = items
    if x > 0:
        del items[1:3]
    else:
        items[::2] = [x, x]
    other[:1] = [7, 8]
    return items, other, items is other


# --- aliasing -------------------------------------------------------------------------------------


@cases
def aliased_list(x):
    a = [1, 2]
    b = a
    if x > 0:
        b.append(3)
    else:
        a[0] = x
    return a, b


@cases
def alias_on_one_side(x, y):
    a = [1]
    b = [2]
    c = a if x > 0 else b
    c.append(y)
    if y > 0:
        a = c
    a.append("a")
    return a, b, c, a is c


@cases
def alias_becomes_new_list(x):
    a = [1]
    b = a
    if x > 0:
        a = [2]
    a.append(x)
    b.append("b")
    return a, b


@cases
def new_lists_on_both_sides(x):
    if x > 0:
        a = [1, 2]
        b = a
    else:
        a = [3]
        b = [3]
    a.append(x)
    return a, b, a is b


@cases
def lists_in_lists(x, y):
    inner = [0]
    outer = [inner, inner, [0]]
    outer[x > 0].append(1)
    outer[2 if y > 0 else 0].append(2)
    if y > 1:
        outer[1] = [5]
    outer[1].append(3)
    return outer, inner


@cases
def lists_in_dicts(x, y):
    shared = []
    d = {0: shared, 1: shared, 2: []}
    d[x].append("x")
    if y > 0:
        d[1] = d[2]
    d[1].append("one")
    return d, shared


@cases
def objects_with_aliases(x):
    p = Point(0, [])
    q = p
    r = Point(0, p.b)
    if x > 1:
        p.a = x
        p.c = 2
    elif x > 0:
        q = r
    q.a += 1
    q.b.append(x)
    return p, q, r


@cases
def object_in_closure(x):
    p = Point(x, 0)

    def change():
        if p.a > 0:
            p.b += 1
        return p

    change()
    q = change()
    return p, q is p


@cases
def linked_list(x, y):
    head = None
    for k in (1, 2, 3):
        if k != x:
            head = Node(k, head)
    node = head
    while node is not None:
        if node.value == y:
            node.value = "found"
            break
        node = node.after
    return head


@cases
def reversed_linked_list(x):
    head = Node(1, Node(x, Node(3)))
    if x > 1:
        head.after.after = None
    before = None
    while head:
        head.after, before, head = before, head, head.after
    return before


@cases
def cycle(x):
    a = Node(1)
    b = Node(2, a)
    if x > 0:
        a.after = b
    if x > 1:
        b.after = b
    return a, b


@cases
def list_that_contains_itself(x):
    a = [1]
    if x > 0:
        a.append(a)
    return a


@cases
def swapped_on_one_side(x):
    a, b = [1], [2]
    if x > 0:
        a, b = b, a
    a.append("a")
    b.append("b")
    return a, b


@cases
def copy_and_original(x):
    a = [x, [1]]
    b = a[:]
    c = list(a)
    if x > 0:
        b[0] = 7
        c[1].append(2)
    return a, b, c


@cases
def reference_kept_in_tuple(x):
    a = [1]
    t = (a, x)
    if x > 0:
        a = []
    a.append(2)
    return t, a


@cases
def identity_of_new_objects(x):
    if x > 0:
        p = Point(1, 2)
    else:
        p = Point(3, 4)
    q = p
    q.a = "q"
    return p, q, p is q


@cases
def object_made_in_each_iteration(x):
    kept = []
    best = None
    for k in range(3):
        p = Point(k, [k])
        if k != x:
            kept.append(p)
        if best is None or k == x:
            best = p
    best.b.append("best")
    return kept, best


@cases
def undone_in_the_other_branch(x, y):
    items = [1, 2, 3]
    p = Point(1, items)
    d = {1: items}
    if x > 0:
        items.append(4)
        p.a = 2
        p.new = 1
        d[2] = x
        items[0] = 0
        if y > 0:
            items.pop()
            del p.new
            del d[1]
            return items, p, d
    else:
        d[3] = len(items)
    return items, p, d, len(items), len(d)


@cases
def slots_of_both_paths(x, y):
    items = [0, 0, 0]
    if x > 0:
        items[0] = 1
        if y > 0:
            items[1] = 2
            items.append(9)
    else:
        items[2] = 3
        items.append(8)
    return items


# --- objects of the caller ------------------------------------------------------------------------


@cases.on(SMALL, SMALL, make=lambda x, y: ([x, 2], y))
def callers_list(items, y):
    if y > 0:
        items.append(y)
    elif y == 0:
        items[0] = "zero"
    else:
        del items[1]
    return len(items)


@cases.on(SMALL, make=lambda x: (lambda inner: ([inner, inner], inner, x))([1]))
def callers_aliases(outer, inner, x):
    if x > 0:
        outer[0].append(x)
    else:
        outer[1] = [x]
    inner.append("i")
    return outer[1] is inner


@cases.on(SMALL, SMALL, make=lambda x, y: (Point(x, {}), y))
def callers_object(p, y):
    if p.a > y:
        p.b[y] = p.a
        p.extra = y
    elif y > 1:
        del p.a
    return p


@cases.on(SMALL, make=lambda x: ({1: [x], 2: []}, x))
def callers_dict(d, x):
    d[x] = 5
    if x > 1:
        del d[1]
    return d


@cases.on(SMALL, make=lambda x: ([1, 2], x))
def callers_list_when_it_fails(items, x):
    try:
        items.append(3)
        items[x] = 0
    except IndexError:
        items.append("e")
    return None


def grow(items, k):
    if k > 0:
        items.append(k)
        grow(items, k - 1)
    return items


@cases.on([0, 1, 2], [0, 1])
def mutation_by_callees(x, y):
    a, b = [], []
    grow(a if y else b, x)
    c = grow(a, y)
    return a, b, c is a


def default_list(k, items=[]):
    items.append(k)
    return items


@cases.on([0, 1, 2], make=lambda x: (x, []))
def default_that_is_changed(x, fresh):
    def keep(k, items=[]):
        if k > 0:
            items.append(k)
        return items

    keep(x)
    keep(1)
    return keep(x - 1)
