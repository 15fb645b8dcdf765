"""Classes: methods, inheritance, properties, operators, dataclasses, named tuples, enums, slots."""

# ruff: noqa: B009, C416, F841, RUF005, RUF012, SIM110

from __future__ import annotations

import enum
import itertools
from collections import namedtuple
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pytest

from tests.lift.cases import Case, Cases
from tests.lift.differential import agree

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


# --- methods, inheritance -------------------------------------------------------------------------


class Account:
    opened = 0

    def __init__(self, n):
        self.n = n
        self.log = []

    def add(self, k):
        if k > 1:
            self.n += k
        else:
            self.log.append(k)
        return self

    def describe(self):
        return ("account", self.n)

    @classmethod
    def of(cls, *numbers):
        total = 0
        for k in numbers:
            if k > 0:
                total += k
        return cls(total)

    @staticmethod
    def clip(k):
        return 0 if k < 0 else k

    @property
    def double(self):
        if self.n < 0:
            raise ValueError("negative", self.n)
        return self.n * 2

    @double.setter
    def double(self, value):
        self.n = value // 2

    @double.deleter
    def double(self):
        self.n = None


class Savings(Account):
    def __init__(self, n, rate=1):
        super().__init__(n + rate)
        self.rate = rate

    def add(self, k):
        if k == 0:
            return "nothing"
        return super().add(k + self.rate)

    def describe(self):
        return ("savings", super().describe())


class Locked(Savings):
    def add(self, k):
        raise PermissionError(k)


@cases
def methods(x, y):
    a = Account(x)
    a.add(y).add(x)
    return a.n, a.log


@cases
def inheritance(x, y):
    a = Savings(x)
    r = a.add(y)
    return a, r is a, a.describe(), isinstance(a, Account)


@cases
def dispatch_over_classes(x, y):
    a = Account(x) if y > 1 else Savings(x) if y > 0 else Locked(x)
    try:
        a.add(y + 1)
    except PermissionError as error:
        return error.args
    return a.describe(), isinstance(a, Savings), type(a) is Account


@cases
def methods_of_aliases(x):
    a, b = Account(0), Account(10)
    which = a if x > 0 else b
    which.add(5)
    which.add(0)
    return a, b, which is a


@cases
def class_and_static_methods(x, y):
    a = Savings.of(x, y)
    return a, Account.clip(x), a.clip(y), a.of(1).n


@cases
def properties(x):
    a = Account(x)
    if x > 1:
        a.double = 9
    elif x == 1:
        del a.double
        return a.n
    return a.double


@cases
def bound_and_unbound_methods(x):
    a = Account(x)
    add = a.add
    add(2)
    Account.add(a, x)
    kept = a.add if x > 0 else a.describe
    try:
        return kept(), a
    except TypeError:
        return "arguments", a


class Counter:
    made = 0
    kinds = []

    def __init__(self):
        Counter.made += 1
        self.number = Counter.made


@cases
def class_attributes(x):
    Counter.made = 0
    Counter.kinds = []
    a = Counter()
    if x > 0:
        b = Counter()
        a.made = "own"
        Counter.kinds.append(x)
    result = Counter.made, a.made, a.number, len(a.kinds)
    Counter.made = 0
    return result


@cases
def class_attribute_set_on_one_side(x):
    class Local:
        pass

    if x > 0:
        Local.mark = x
    if x > 1:
        del Local.mark
    return hasattr(Local, "mark"), getattr(Local(), "mark", None)


@cases
def class_in_function(x, y):
    class Base:
        factor = 2

        def __init__(self, k):
            self.k = k

        def value(self):
            if self.k > y:
                return self.k * self.factor
            return "low"

    class Derived(Base):
        factor = 3

        def value(self):
            return (super().value(), x)

    return Base(x).value(), Derived(x).value()


@cases
def class_body_with_branches(x):
    class Local:
        items = [k for k in range(3) if k != 1]

        def size(self):
            return len(self.items) + x

    return Local().size()


class Private:
    def __init__(self, k):
        self.__k = k

    def __twice(self):
        return self.__k * 2

    def read(self):
        return self.__twice() if self.__k > 0 else self.__k


@cases
def private_names(x):
    p = Private(x)
    return p.read(), p._Private__k


class Lazy:
    def __init__(self, known):
        self.known = known

    def __getattr__(self, name):
        if name in self.known:
            return self.known[name]
        raise AttributeError(name)


@cases
def computed_attributes(x):
    lazy = Lazy({"a": x})
    if x > 0:
        lazy.b = 5
    try:
        return lazy.a, lazy.b
    except AttributeError as error:
        return error.args


@cases
def attribute_functions(x):
    a = Account(x)
    name = "n" if x > 0 else "other"
    setattr(a, name, 7)
    first = getattr(a, "n"), hasattr(a, "other")
    if x > 1:
        delattr(a, name)
    return first, getattr(a, "n", "gone")


class Diamond:
    def who(self):
        return ["diamond"]


class Left(Diamond):
    def who(self):
        return ["left", *super().who()]


class Right(Diamond):
    def who(self):
        return ["right", *super().who()]


class Both(Left, Right):
    def who(self):
        return ["both"] + super().who()


@cases
def method_resolution(x):
    thing = Both() if x > 1 else Left() if x > 0 else Right()
    return thing.who()


# --- operators ------------------------------------------------------------------------------------


class Vector:
    """All operators, each with a branch on its operands."""

    def __init__(self, *parts):
        self.parts = list(parts)

    def _with(self, other, name):
        if isinstance(other, Vector):
            return (name, self.parts, other.parts)
        if other == 0:
            return NotImplemented
        return (name, self.parts, other)

    def __add__(self, other):
        return self._with(other, "add")

    def __radd__(self, other):
        return self._with(other, "radd")

    def __sub__(self, other):
        return self._with(other, "sub")

    def __rsub__(self, other):
        return self._with(other, "rsub")

    def __mul__(self, other):
        return self._with(other, "mul")

    def __rmul__(self, other):
        return self._with(other, "rmul")

    def __truediv__(self, other):
        return self._with(other, "truediv")

    def __rtruediv__(self, other):
        return self._with(other, "rtruediv")

    def __floordiv__(self, other):
        return self._with(other, "floordiv")

    def __rfloordiv__(self, other):
        return self._with(other, "rfloordiv")

    def __mod__(self, other):
        return self._with(other, "mod")

    def __rmod__(self, other):
        return self._with(other, "rmod")

    def __pow__(self, other):
        return self._with(other, "pow")

    def __rpow__(self, other):
        return self._with(other, "rpow")

    def __matmul__(self, other):
        return self._with(other, "matmul")

    def __rmatmul__(self, other):
        return self._with(other, "rmatmul")

    def __lshift__(self, other):
        return self._with(other, "lshift")

    def __rlshift__(self, other):
        return self._with(other, "rlshift")

    def __rshift__(self, other):
        return self._with(other, "rshift")

    def __rrshift__(self, other):
        return self._with(other, "rrshift")

    def __and__(self, other):
        return self._with(other, "and")

    def __rand__(self, other):
        return self._with(other, "rand")

    def __or__(self, other):
        return self._with(other, "or")

    def __ror__(self, other):
        return self._with(other, "ror")

    def __xor__(self, other):
        return self._with(other, "xor")

    def __rxor__(self, other):
        return self._with(other, "rxor")

    def __neg__(self):
        return ("neg", [-part if part > 0 else part for part in self.parts])

    def __pos__(self):
        return ("pos", self.parts)

    def __invert__(self):
        return ("invert", self.parts)

    def __abs__(self):
        return ("abs", self.parts)

    def __lt__(self, other):
        return len(self.parts) < len(other.parts)

    def __le__(self, other):
        return self.parts[0] <= other.parts[0]

    def __gt__(self, other):
        return ("gt", self.parts[0]) if self.parts[0] > 0 else False

    def __ge__(self, other):
        return NotImplemented

    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return self.parts == other.parts

    def __ne__(self, other):
        return ("ne", self.parts)

    __hash__ = None

    def __getitem__(self, key):
        if isinstance(key, slice):
            return ("slice", key.start, key.stop)
        return self.parts[key] if key != 9 else "nine"

    def __setitem__(self, key, value):
        if value == 0:
            self.parts.append(key)
        else:
            self.parts[key] = value

    def __delitem__(self, key):
        del self.parts[key]

    def __contains__(self, item):
        for part in self.parts:
            if part == item:
                return True
        return False

    def __len__(self):
        n = 0
        for part in self.parts:
            if part > 0:
                n += 1
        return n

    def __call__(self, *args, **named):
        return ("call", args, named)

    def __iter__(self):
        return iter(self.parts)

    def __bool__(self):
        return self.parts[0] > 0


@cases
def binary_operators(x, y):
    v = Vector(x)
    w = Vector(y, 1)
    return (
        v + w,
        v - w,
        v * w,
        v / w,
        v // w,
        v % w,
        v**w,
        v @ w,
        v << w,
        v >> w,
        v & w,
        v | w,
        v ^ w,
    )


@cases
def binary_operators_with_numbers(x):
    v = Vector(1)
    if x == 0:
        x = 5
    return (
        (
            v + x,
            v - x,
            v * x,
            v / x,
            v // x,
            v % x,
            v**x,
            v @ x,
            v << x,
            v >> x,
            v & x,
            v | x,
            v ^ x,
        ),
        (
            x + v,
            x - v,
            x * v,
            x / v,
            x // v,
            x % v,
            x**v,
            x @ v,
            x << v,
            x >> v,
            x & v,
            x | v,
            x ^ v,
        ),
    )


@cases
def operators_that_give_up(x):
    v = Vector(1)
    try:
        r = v + x
        s = x * v
        return r, s
    except TypeError as error:
        return error.args


@cases
def unary_operators(x):
    v = Vector(x, -1)
    return -v, +v, ~v, abs(v), not v


@cases
def comparison_operators(x, y):
    v, w = Vector(x), Vector(y)
    other = w if x > 0 else 3
    return v < w, v <= w, v > w, v == w, v != w, v == other, other == v


@cases
def comparison_that_is_not_there(x, y):
    v = Vector(x)
    try:
        return v >= Vector(y)
    except TypeError as error:
        return error.args


@cases
def containers(x, y):
    v = Vector(x, 2, 3)
    v[0] = y
    if y > 0:
        del v[1]
    return v[0], v[9], v[1:x], x in v, y not in v, len(v), [k for k in v], v(x, k=y)


@cases
def container_fails(x):
    v = Vector(1, 2)
    try:
        return v[x]
    except IndexError as error:
        return error.args


@cases
def truth_of_objects(x, y):
    v = Vector(x)

    class Sized:
        def __len__(self):
            return 0 if y > 0 else 2

    class Always:
        pass

    return (
        "v" if v else "not v",
        bool(v),
        v and 1,
        Sized() or "empty",
        not Sized(),
        1 if Always() else 2,
    )


class InPlace:
    def __init__(self, log):
        self.log = log

    def __iadd__(self, other):
        self.log.append(("iadd", other))
        return self if other > 0 else InPlace(self.log)

    def __isub__(self, other):
        self.log.append(("isub", other))
        return self.log

    def __imul__(self, other):
        return NotImplemented

    def __mul__(self, other):
        return ("mul", other)

    def __ior__(self, other):
        self.extra = other
        return self


@cases
def in_place_operators(x):
    log = []
    a = b = InPlace(log)
    a += x
    b |= x
    c = InPlace(log)
    c *= x
    d = InPlace(log)
    d -= x
    e = [InPlace(log)]
    e[0] += x
    e[0].again = 1
    return a is b, c, d, log, b.extra, e


@cases
def in_place_falls_back(x):
    v = Vector(1)
    w = v
    v += Vector(x)
    return v, w


@cases
def equality_is_used_by_lists(x, y):
    items = [Vector(1), Vector(x)]
    return Vector(y) in items, items == [Vector(1), Vector(y)], (Vector(x),) == (Vector(y),)


class Stepper:
    def __init__(self, stop):
        self.at = 0
        self.stop = stop

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= self.stop:
            raise StopIteration
        self.at += 1
        return self.at


@cases
def own_iterators(x):
    out = []
    for k in Stepper(x):
        out.append(k)
    return out, list(Stepper(2))


class Indexed:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, key):
        return self.items[key]


@cases
def iteration_by_index(x):
    items = [1]
    if x > 0:
        items.append(x)
    return [k for k in Indexed(items)], [k for k in Indexed((x, 2))]


class Callable:
    def __init__(self, k):
        self.k = k

    def __call__(self, other=1):
        if other > self.k:
            self.k = other
        return self.k


@cases
def callable_objects(x, y):
    f = Callable(x)
    g = f if y > 0 else Callable(5)
    g(y)
    return f(), g(2), f


# --- dataclasses ----------------------------------------------------------------------------------


@dataclass
class Item:
    name: str
    price: int = 3
    tags: list = field(default_factory=list)

    def total(self):
        return self.price * 2 if self.price > 0 else 0


@dataclass(frozen=True)
class Frozen:
    a: int
    b: object = None

    def bigger(self):
        return replace(self, a=self.a + 1)


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    note: str = field(default="", compare=False)


@dataclass(frozen=True, order=True)
class Key:
    rank: int
    name: str = "k"


@dataclass
class Checked:
    a: int
    b: int = field(init=False)

    def __post_init__(self):
        if self.a < 0:
            raise ValueError(self.a)
        self.b = self.a + 1


@dataclass
class Special(Item):
    extra: int = 0

    def total(self):
        return super().total() + self.extra


@cases
def mutable_dataclass(x):
    a = Item("a", x)
    b = a
    c = Item("c")
    if x > 0:
        b.price += 1
        b.tags.append(x)
    else:
        b = c
    b.tags.append("t")
    return a, b, c, a.total(), a == c, a == Item("a", x)


@cases
def frozen_dataclass(x):
    f = Frozen(x, [1])
    g = f if x > 0 else Frozen(7)
    try:
        f.a = 5
    except AttributeError as error:
        kind = type(error).__name__
    return f, g, g.bigger(), g.a, f == g, kind


@cases
def frozen_dataclass_on_both_sides(x, y):
    f = Frozen(1, x) if y > 0 else Frozen(y, "s")
    return f, f.b, f == Frozen(1, x), f != Frozen(0, "s")


@cases
def ordered_dataclass(x, y):
    a, b = Version(x, 1, "a"), Version(y, 2, "b")
    return a < b, a <= b, a > b, a >= b, a == b, a == Version(x, 1, "other")


@cases
def ordered_frozen_dataclass(x, y):
    a, b = Key(x), Key(y, "m")
    return a < b, a >= b, a == b, (a, 1) < (b, 0)


@cases
def post_init(x):
    try:
        return Checked(x)
    except ValueError as error:
        return error.args


@cases
def derived_dataclass(x):
    s = Special("s", x, extra=2) if x > 0 else Item("i", x)
    return s, s.total()


# --- named tuples, enums, slots -------------------------------------------------------------------


Pair = namedtuple("Pair", ["left", "right"], defaults=[0])


class Place(NamedTuple):
    row: int
    column: int = 1

    def moved(self, k):
        if k > 0:
            return Place(self.row + k, self.column)
        return self._replace(column=k)


@cases
def named_tuples(x, y):
    p = Pair(x) if y > 0 else Pair(1, y)
    left, right = p
    return p, p.left, p[1], left + right, p == (x, 0), len(p), p._replace(left=7)


@cases
def named_tuple_with_methods(x, y):
    p = Place(x)
    q = p.moved(y)
    return q, q.row, q > p, p if x > y else q


@cases
def named_tuple_or_tuple(x):
    p = Pair(1, 2) if x > 0 else (1, 2)
    return p, p[0], p == (1, 2), isinstance(p, Pair)


class Colour(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    def after(self):
        if self is Colour.RED:
            return Colour.GREEN
        return Colour.BLUE


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@cases
def enums(x):
    c = Colour.RED if x > 1 else Colour.GREEN if x > 0 else Colour.BLUE
    return c, c.after(), c.name, c.value, c is Colour.RED, c == Colour.GREEN


@cases
def enum_as_key(x):
    c = Colour.RED if x > 0 else Colour.BLUE
    table = {Colour.RED: "r", Colour.BLUE: ["b"]}
    table[c] = x
    return table[c], table[Colour.RED]


@cases
def int_enums(x):
    level = Level.LOW if x > 0 else Level.HIGH
    return level + 1, level < 2, level == x


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


@cases
def slots(x):
    s = Slotted(x)
    t = s
    if x > 0:
        s.b = 1
        t.a += 1
    if x > 1:
        del s.b
    try:
        return s.a, t.b
    except AttributeError:
        return s.a, "missing"


@cases
def slots_refuse_others(x):
    s = Slotted(x)
    try:
        if x > 0:
            s.c = 1
    except AttributeError as error:
        return error.args
    return s.a


@cases
def returned_slots(x):
    s = Slotted(0)
    if x > 0:
        s.a = [x]
        s.b = x
    return s


# --- objects on paths -----------------------------------------------------------------------------


@cases
def attribute_set_on_one_side(x):
    a = Account(0)
    if x > 0:
        a.extra = x
    if hasattr(a, "extra"):
        return a.extra, a
    return "none", a


@cases
def attributes_of_unions(x):
    thing = Account(1) if x > 1 else Item("i") if x > 0 else Pair(x)
    try:
        return thing.n
    except AttributeError:
        pass
    try:
        thing.price = 10
    except AttributeError as error:
        return "no price", thing
    return thing


@cases
def object_without_state(x):
    a, b = object(), object()
    c = a if x > 0 else b
    return c is a, c is b, a == b, c == a


@cases
def stack_machine(x, y):
    class Stack:
        def __init__(self):
            self.items = []

        def push(self, k):
            self.items.append(k)

        def pop(self):
            if not self.items:
                raise RuntimeError("empty")
            return self.items.pop()

    s = Stack()
    for op in (x, y, 1):
        if op > 0:
            s.push(op)
        elif op == 0:
            s.pop()
    return s.items


@cases
def tree_of_objects(x, y):
    class Tree:
        def __init__(self, key):
            self.key = key
            self.left = self.right = None

        def insert(self, key):
            if key < self.key:
                if self.left is None:
                    self.left = Tree(key)
                else:
                    self.left.insert(key)
            elif key > self.key:
                if self.right is None:
                    self.right = Tree(key)
                else:
                    self.right.insert(key)

        def walk(self):
            result = []
            if self.left:
                result += self.left.walk()
            result.append(self.key)
            if self.right:
                result += self.right.walk()
            return result

    tree = Tree(1)
    tree.insert(x)
    tree.insert(y)
    return tree.walk()


# --- what makes instances -------------------------------------------------------------------------

MADE = [0]


def next_number() -> int:
    MADE[0] += 1
    return MADE[0]


@dataclass
class Numbered:
    size: int
    number: int = field(default_factory=next_number)
    tags: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Sealed:
    size: int
    number: int = field(default_factory=lambda: next_number() * 2, init=False)


class Once(type):
    """Classes with one instance."""

    known: dict[type, Any] = {}

    def __call__(cls, *args: Any) -> Any:
        if cls not in Once.known:
            Once.known[cls] = super().__call__(*args)
        return Once.known[cls]


class Couple(NamedTuple):
    x: int
    y: int = 0

    @property
    def largest(self) -> int:
        return self.x if self.x > self.y else self.y


def test_factories_of_fields_run_on_each_path_by_themselves() -> None:
    def f(p: bool, x: int) -> Any:
        MADE[0] = 0
        if p:
            Numbered(x)
        numbered, sealed = Numbered(x), Sealed(x)
        if x > 1:
            Numbered(x, 5).tags.append(x)
        return numbered.number, sealed.number, numbered.tags, MADE[0]

    def counted(p: bool) -> Any:
        @dataclass
        class Local:
            number: int = field(default_factory=itertools.count().__next__)

        if p:
            Local()
        return Local().number

    agree(f, [False, True], [0, 1, 2])
    agree(counted, [False, True])


def test_a_metaclass_that_makes_instances() -> None:
    def f(p: bool, x: int) -> Any:
        class Settings(metaclass=Once):
            def __init__(self, size: int) -> None:
                self.size = size

        if p:
            Settings(x)
        Settings(7).size += 1
        return Settings(5).size

    agree(f, [False, True], [0, 1, 2])


def test_properties_of_named_tuples() -> None:
    def f(p: bool, x: int) -> Any:
        return (Couple(x, 1) if p else Couple(-x)).largest

    agree(f, [False, True], [0, 1, 2])
