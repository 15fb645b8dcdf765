"""`match`: all kinds of patterns."""

# ruff: noqa: RUF005

from __future__ import annotations

import enum
from collections import namedtuple
from dataclasses import dataclass

import pytest

from tests.lift.cases import Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


@dataclass(frozen=True)
class Leaf:
    value: int


@dataclass
class Pair:
    left: object
    right: object


class Plain:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


Named = namedtuple("Named", "first second")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Names:
    TWO = 2


@cases
def literals(x):
    match x:
        case 0:
            return "zero"
        case 1:
            return "one"
        case -1 | -2:
            return "negative"
        case _:
            return x


@cases
def literals_of_other_types(x):
    value = None if x < 0 else True if x == 0 else "text" if x == 1 else 2.5 if x == 2 else x
    match value:
        case None:
            return "none"
        case True:
            return "true"
        case "text":
            return "text"
        case 2.5:
            return "float"
        case 3:
            return "three"


@cases
def one_is_not_true(x):
    match x:
        case True:
            return "true"
        case 1:
            return "one"
    return "neither"


@cases
def no_case_fits(x):
    r = "before"
    match x:
        case 0:
            r = "zero"
        case 1:
            pass
    return r


@cases
def capture(x, y):
    match (x, y):
        case (0, 0):
            return "o"
        case (0, b):
            return b
        case (a, b) if a == b:
            return "eq"
        case _:
            return "n"


@cases
def capture_stays_bound(x, y):
    match (x, y):
        case (1, found):
            pass
        case (found, 2) if found > 5:
            pass
        case other if other[0] == 0:
            pass
    try:
        return found
    except UnboundLocalError:
        return "unbound"


@cases
def sequences(x):
    value = [] if x < -1 else (x,) if x < 0 else [x, 1] if x < 2 else (1, x, 3, 4)
    match value:
        case []:
            return "empty"
        case [a]:
            return "one", a
        case [0, b]:
            return "zero", b
        case [a, b]:
            return "two", a, b
        case [a, *_]:
            return "more", a


@cases
def star(x):
    value = [x, 2, 3]
    if x > 0:
        value.append(4)
    match value:
        case [0, *rest]:
            return "zero", rest
        case [first, *middle, 4]:
            return first, middle
        case [*start, 3]:
            return start
        case _:
            return "other"


@cases
def strings_are_no_sequences(x):
    value = "ab" if x > 0 else ["a", "b"]
    match value:
        case [a, b]:
            return "sequence", a, b
        case str():
            return "text"


@cases
def nested_sequences(x, y):
    match [x, (y, [1, x])]:
        case [0, (1, [_, z])]:
            return "a", z
        case [a, (b, [1, c])] if a < b:
            return a, b, c
        case [a, [b, *c]]:
            return a, b, c


@cases
def mappings(x, y):
    value = {"kind": x, "size": y}
    if y > 0:
        value["extra"] = [y]
    match value:
        case {"kind": 0}:
            return "zero"
        case {"kind": 1, "size": size}:
            return size
        case {"extra": [k], "kind": 2}:
            return "extra", k
        case {"missing": _}:
            return "missing"
        case {}:
            return "any"


@cases
def mapping_rest(x):
    value = {"a": x, "b": 2, "c": 3}
    match value:
        case {"a": 0, **rest}:
            return rest
        case {"a": a, "b": b, **rest} if a > 1:
            return a, b, rest
        case {**everything}:
            return everything


@cases
def classes(x, y):
    value = Leaf(x) if y > 1 else Pair(x, Leaf(y)) if y > 0 else Plain(x, y) if y == 0 else y
    match value:
        case Leaf(0):
            return "leaf zero"
        case Leaf(value=v):
            return "leaf", v
        case Pair(1, Leaf(k)):
            return "pair one", k
        case Pair(left=a, right=Leaf(b)):
            return a, b
        case Plain(0, b):
            return "plain zero", b
        case Plain(a=2):
            return "plain two"
        case Plain():
            return "plain"
        case int(n):
            return "int", n


@cases
def builtin_classes(x):
    value = x if x > 1 else "s" if x == 1 else None if x == 0 else [x] if x == -1 else (x > 5)
    match value:
        case bool(b):
            return "bool", b
        case int(i):
            return "int", i
        case str(s):
            return "str", s
        case list([k]):
            return "list", k
        case None:
            return "none"


@cases
def named_tuples(x, y):
    match Named(x, y):
        case Named(0, second):
            return "zero", second
        case Named(first=1):
            return "one"
        case (a, b):
            return a, b


@cases
def values(x):
    colour = Colour.RED if x > 0 else Colour.BLUE
    match colour:
        case Colour.RED:
            r = "red"
        case Colour.BLUE:
            r = "blue"
    match x:
        case Names.TWO:
            return r, "two"
    return r


@cases
def alternatives(x, y):
    match (x, y):
        case (0 | 1, 0 | 1):
            return "small"
        case (2, k) | (k, 2):
            return "two", k
        case [(3 | -1) as which, _]:
            return which
        case _ as whole:
            return whole


@cases
def as_patterns(x, y):
    match [x, [y, 1]]:
        case [0 as zero, [_, _] as inner]:
            return zero, inner
        case [_, [(1 | 2) as k, *_]] as whole:
            return k, whole
        case whole:
            return "whole", whole


@cases
def guards_with_effects(x):
    log = []

    def ask(k):
        log.append(k)
        return k == 2

    match x:
        case 0 if ask(0):
            r = "a"
        case k if ask(k):
            r = "b"
        case 0 | 1 | 3:
            r = "c"
        case _:
            r = "d"
    return r, log


@cases
def guard_that_raises(x):
    try:
        match x:
            case 0 | 1 if 6 // x > 2:
                return "first"
            case k if [1, 2][k]:
                return "second"
    except ZeroDivisionError:
        return "zero"
    except IndexError:
        return "index"
    return "end"


@cases
def subject_is_evaluated_once(x):
    log = []

    def subject():
        log.append("s")
        return x

    match subject():
        case 0:
            r = 0
        case 1:
            r = 1
        case _:
            r = None
    return r, log


@cases
def mutation_in_cases(x, y):
    items = [1]
    match x, y:
        case 0, _:
            items.append("zero")
        case _, 0:
            items[0] = "y"
        case a, b if a > b:
            items = items + [a]
    items.append("end")
    return items


@cases
def leaving_from_cases(x):
    out = []
    for i in range(4):
        match i - x:
            case 0:
                continue
            case 2:
                break
            case -3:
                return "returned", out
        out.append(i)
    else:
        out.append("else")
    return out


@cases
def subject_is_union_of_lists(x):
    a, b = [0, 1], [1]
    which = a if x > 0 else b
    match which:
        case [0, k]:
            which.append(k)
        case [1]:
            which[0] = x
    return a, b


@cases
def expression_evaluator(x, y):
    tree = ("add", ("mul", x, 2), y) if x > y else ("neg", ("add", x, y)) if x < 0 else x
    return evaluate(tree)


def evaluate(tree):
    match tree:
        case ("add", a, b):
            return evaluate(a) + evaluate(b)
        case ("mul", a, b):
            return evaluate(a) * evaluate(b)
        case ("neg", a):
            return -evaluate(a)
        case int(k):
            return k
