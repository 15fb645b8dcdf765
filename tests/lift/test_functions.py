"""Functions: arguments, closures, decorators, recursion, generators."""

# ruff: noqa: B008, B023, C400, C416, E731, F841

from __future__ import annotations

import functools
from typing import Any

import pytest

from solvent import verify
from solvent.lift.api import lifted
from tests.lift.cases import Case, Cases
from tests.lift.differential import agree

cases = Cases()

COUNT = 0
TABLE = {"k": 1}


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


# --- arguments ------------------------------------------------------------------------------------


def several(a, /, b=2, *rest, c, d=4, **named):
    return a, b, rest, c, d, named


@cases
def all_kinds_of_arguments(x, y):
    return (
        several(x, c=y),
        several(x, y, 3, y, c=1, d=x, z=y),
        several(*[x, y], c=0, **{"d": x, "w": 1}),
        several(1, b=y, c=x),
    )


@cases
def wrong_arguments(x):
    try:
        if x == 0:
            return several(x)
        if x == 1:
            return several(c=x)
        if x == 2:
            return one(x, x)
        return one(k=x)
    except TypeError as error:
        return error.args


def one(k):
    return k


@cases
def defaults_are_evaluated_once(x):
    log = []

    def now():
        log.append("now")
        return x

    def f(a=now(), *, b=now() + 1):
        return a + b

    return f(), f(1), f(b=0), log


@cases
def defaults_that_branch(x):
    def f(a=1 if x > 0 else "n", b=x and 5):
        return a, b

    return f(), f(2)


@cases
def star_arguments_of_different_lengths(x):
    items = (1, 2) if x > 0 else (x,)

    def f(*args):
        return len(args), args

    return f(*items), f(0, *items, 9)


@cases
def star_arguments_of_ragged_lists(x):
    items = [1]
    if x > 0:
        items.append(x)

    def f(*args):
        return args

    return f(*items)


@cases
def named_arguments_from_dict(x):
    named = {"a": x}
    if x > 0:
        named["b"] = 1

    def f(a, b=0):
        return a, b

    return f(**named)


@cases
def arguments_are_assigned(x, y):
    def f(a, b):
        if a > b:
            a, b = b, a
        a += 1
        return a, b

    return f(x, y), x, y


@cases
def function_chosen_at_run_time(x, y):
    f = max_ if x > 0 else min_ if x == 0 else one
    try:
        return f(x, y)
    except TypeError as error:
        return error.args


def max_(a, b):
    return a if a > b else b


def min_(a, b):
    if a < b:
        return a
    return b


@cases
def methods_as_values(x):
    items = []
    add = items.append
    if x > 0:
        add(x)
    other = [0]
    grow = add if x > 1 else other.append
    grow("g")
    return items, other


@cases
def calling_what_cannot_be_called(x):
    f = one if x > 0 else 3
    return f(x)


# --- closures, global, nonlocal -------------------------------------------------------------------


@cases
def nonlocal_counter(x):
    n = 0

    def add(k):
        nonlocal n
        if k > 0:
            n += k
        return n

    add(x)
    add(1)
    return n


@cases
def nonlocal_two_levels(x, y):
    n = 0
    log = []

    def outer(k):
        m = k

        def inner():
            nonlocal n, m
            if m > 0:
                n += 1
                m -= 1
                return inner()
            log.append((n, m))
            return n

        return inner() + m

    return outer(x), outer(y), n, log


@cases
def closure_sees_later_values(x):
    def read():
        return n

    n = 1
    a = read()
    if x > 0:
        n = x + 1
    return a, read()


@cases
def closure_of_unbound(x):
    def read():
        return n

    if x > 0:
        n = x
    try:
        return read()
    except NameError as error:
        return "unbound"


@cases
def closures_made_in_a_loop(x):
    late = [lambda: k for k in range(2)]
    made = []
    for i in range(3):
        if i != x:
            made.append(lambda j=i: (i, j))
    return [f() for f in made], late[0]()


@cases
def counters_of_their_own(x):
    def counter(start):
        n = start

        def step(by=1):
            nonlocal n
            n += by
            return n

        return step

    first, second = counter(0), counter(x)
    if x > 0:
        first()
    either = first if x > 1 else second
    either(5)
    return first(), second(), either(0)


@cases
def closure_with_list(x):
    kept = []

    def keep(k):
        if k not in kept:
            kept.append(k)
        return kept

    keep(x)
    keep(1)
    return keep(x), kept is keep(1)


@cases
def global_variable(x):
    global COUNT
    COUNT = 0
    if x > 0:
        COUNT = x
    add_to_count(2)
    result = COUNT
    COUNT = 0
    return result


def add_to_count(k):
    global COUNT
    if COUNT > 1:
        COUNT += k


@cases
def global_when_it_fails(x):
    global COUNT
    COUNT = 5
    try:
        if x > 0:
            COUNT = 6
            raise ValueError
        COUNT = 7
    except ValueError:
        COUNT += 10
    result = COUNT
    COUNT = 0
    return result


@cases
def global_dict(x):
    TABLE["k"] = 1
    if x > 0:
        TABLE["k"] += x
    result = TABLE["k"]
    TABLE["k"] = 1
    return result


# --- lambdas, decorators --------------------------------------------------------------------------


@cases
def lambdas(x, y):
    f = (lambda v: v + 1) if x > 0 else (lambda v: v - 1)
    g = lambda a, b=x, *c, d=y, **e: (a, b, c, d, e)
    h = lambda: x if y > 0 else "n"
    return f(x), g(1), g(1, 2, 3, d=4, z=5), h(), (lambda: (lambda: x)())()


def doubled(function):
    @functools.wraps(function)
    def wrapper(*args, **named):
        return [function(*args, **named), function(*args, **named)]

    return wrapper


def logged(log):
    def decorate(function):
        def wrapper(k):
            log.append(("call", k))
            result = function(k)
            log.append(("result", result))
            return result

        return wrapper

    return decorate


@doubled
def half(k):
    if k % 2:
        raise ValueError("odd", k)
    return k // 2


@cases
def decorated(x):
    try:
        return half(x)
    except ValueError as error:
        return error.args


@cases
def decorated_inside(x):
    log = []

    @logged(log)
    @doubled
    def f(k):
        if k > 0:
            return k
        return "low"

    return f(x), log


@cases
def order_of_decorators_and_defaults(x):
    log = []

    def say(k):
        log.append(k)
        return lambda f: f

    def note(k):
        log.append(k)
        return k

    @say(1 if x > 0 else "one")
    @say(2)
    def f(a=note("default")):
        return a

    return f(), log


@cases
def partial_functions(x):
    f = functools.partial(several, x, c=1)
    return f(), f(5, d=x)


# --- recursion ------------------------------------------------------------------------------------


@cases
def recursion(x):
    return factorial(x)


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@cases.on([0, 1])
def double_recursion(x):
    return ackermann(1, x)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@cases.on([0, 1, 2, 3, 4])
def mutual_recursion(x):
    return is_even(x), is_odd(x)


def flatten(tree):
    if isinstance(tree, list):
        result = []
        for part in tree:
            result += flatten(part)
        return result
    return [tree]


@cases
def recursion_over_nested_lists(x):
    tree = [1, [x, [3]], []]
    if x > 0:
        tree[1].append([x, [5]])
    return flatten(tree)


def collatz(n, steps=0):
    if n == 1 or steps > 5:
        return steps
    if n % 2 == 0:
        return collatz(n // 2, steps + 1)
    return collatz(3 * n + 1, steps + 1)


@cases.on([1, 2, 3, 4])
def recursion_with_symbolic_branches(x):
    return collatz(x)


@cases
def recursion_in_inner_function(x, y):
    log = []

    def walk(k, depth):
        log.append(k)
        if depth and k < 2:
            walk(k + 1, depth - 1)
            if k == y:
                return
            walk(k + 2, depth - 1)

    walk(x, 2)
    return log


def permutations(items):
    if not items:
        return [[]]
    result = []
    for place in range(len(items)):
        rest = items[:place] + items[place + 1 :]
        for tail in permutations(rest):
            result.append([items[place], *tail])
    return result


@cases.on([0, 1, 2])
def recursion_with_lists(x):
    return permutations([x, 1] if x > 0 else [x])


# --- generators -----------------------------------------------------------------------------------


def count_up(n):
    k = 0
    while k < n:
        yield k
        k += 1


@cases
def generator_with_symbolic_bound(x):
    return list(count_up(x))


@cases
def generator_in_for(x, y):
    out = []
    for k in count_up(3):
        if k == x:
            continue
        if k == y:
            break
        out.append(k)
    else:
        out.append("e")
    return out


@cases
def generator_with_symbolic_yields(x, y):
    def some():
        if x > 0:
            yield x
        yield "always"
        if y > x:
            yield y
            return
        yield "end"

    return list(some())


@cases
def generator_with_effects(x):
    log = []

    def some():
        log.append("start")
        yield 1
        if x > 0:
            log.append("middle")
            yield 2
        log.append("end")

    out = [k for k in some()]
    return out, log


@cases
def generator_left_early(x):
    log = []

    def some():
        for k in range(3):
            log.append(k)
            yield k

    for k in some():
        if k == x:
            break
    return log


@cases
def yield_from(x):
    def inner(n):
        for k in range(n):
            if k != x:
                yield k
        return "done"

    def outer():
        result = yield from inner(2)
        yield result
        yield from (x, x)

    return list(outer())


@cases
def generator_that_fails(x):
    def some():
        yield 1
        yield 6 // x
        yield [1][x - 1]

    out = []
    try:
        for k in some():
            out.append(k)
    except ZeroDivisionError:
        out.append("z")
    except IndexError:
        out.append("i")
    return out


@cases
def generator_expressions(x, y):
    return (
        sum(k * x for k in range(3) if k != y),
        any(k == x for k in (0, 1)),
        all(k < y for k in (x, 1)),
        list(k + 1 for k in [x, y] if k),
        tuple((a, b) for a in range(2) for b in range(a + 1) if b != x),
    )


@cases
def next_of_generator(x):
    def some():
        yield x
        if x > 0:
            yield 2

    source = some()
    first = next(source)
    return first, next(source, "none")


@cases
def generator_send(x):
    def adder():
        total = 0
        while True:
            got = yield total
            if got is None:
                return
            total += got

    source = adder()
    out = [next(source)]
    out.append(source.send(x))
    out.append(source.send(2))
    return out


LEVEL = 1


def raise_level() -> int:
    global LEVEL
    LEVEL = 5
    return 1


def global_before_call() -> int:
    return LEVEL + raise_level()


def captured_before_call() -> tuple[int, bool, int]:
    x = 1

    def change() -> int:
        nonlocal x
        x += 4
        return 1

    total = x + change()
    smaller = x < change()
    x += change()
    return total, smaller, x


def test_operands_are_read_in_order() -> None:
    global LEVEL
    for function in (global_before_call, captured_before_call):
        LEVEL = 1
        expected: Any = function()
        LEVEL = 1
        assert lifted(function)() == expected


# --- what is remembered of a function -------------------------------------------------------------


def test_a_wrapper_made_later_is_not_taken_for_the_function_inside() -> None:
    def inner(x: int) -> None:
        assert x == x

    assert verify(inner).holds

    @functools.wraps(inner)
    def outer(x: int) -> None:
        assert x != 3
        inner(x)

    def caller(x: int) -> None:
        outer(x)

    assert verify(outer).call == "inner(x=3)"
    assert verify(caller).call == "caller(x=3)"


LOG: list[Any] = []


@functools.singledispatch
def kind_of(value: Any) -> str:
    LOG.append("any")
    return "any"


@kind_of.register
def _(value: int) -> str:
    LOG.append("int")
    return "large" if value > 1 else "small"


class Dispatcher:
    def __init__(self) -> None:
        self.log: list[Any] = []

    @functools.singledispatchmethod
    def take(self, value: Any) -> Any:
        self.log.append("any")
        return 0

    @take.register
    def _(self, value: int) -> Any:
        self.log.append(value)
        return value + 1

    def less(self, a: int, b: int) -> int:
        self.log.append((a, b))
        return a - b

    five_less = functools.partialmethod(less, 5)


def test_dispatch_by_type() -> None:
    def f(p: bool, x: int) -> Any:
        LOG.clear()
        found = kind_of(x if p else "s"), kind_of(None), kind_of(x)
        dispatcher = Dispatcher()
        if p:
            dispatcher.take(x)
        told = dispatcher.take(x), dispatcher.take(None), dispatcher.five_less(x)
        return found, list(LOG), told, dispatcher.log

    agree(f, [False, True], [0, 1, 2])
