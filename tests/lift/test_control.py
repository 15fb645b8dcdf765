"""Branches, loops, early exits, value semantics of `and` and `or`, evaluation order, assertions.

PYTEST_DONT_REWRITE: the assertions in here are part of the programs.
"""

# ruff: noqa: B007, F841, RUF005, RUF021

from __future__ import annotations

import pytest

from tests.lift.cases import Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


# --- branches -------------------------------------------------------------------------------------


@cases
def if_else(x, y):
    if x > y:
        z = 1
    else:
        z = x
    return z + y


@cases
def if_without_else(x):
    z = 0
    if x > 0:
        z = x
    return z


@cases
def elif_chain(x):
    if x == 0:
        r = "a"
    elif x == 1:
        r = "b"
    elif x == 2:
        return 7
    else:
        r = None
    return r


@cases
def elif_without_else(x, y):
    r = []
    if x < 0:
        r.append("n")
    elif y == x:
        r.append(y)
    elif y > 2:
        r = r + [3]
    return r


@cases
def elif_tests_with_effects(x):
    log = []

    def ask(k):
        log.append(k)
        return x == k

    if ask(0):
        log.append("zero")
    elif ask(1):
        log.append("one")
    elif ask(2):
        log.append("two")
    else:
        log.append("more")
    return log


@cases
def elif_test_that_raises(x):
    if x == 1:
        return "one"
    elif 4 // x == 2:
        return "two"
    elif 4 // (x - 3):
        return "three"
    return x


@cases
def nested_branches(x, y):
    if x > 0:
        if y > 0:
            r = 1
        elif y == 0:
            r = 2
        else:
            if x > 1:
                r = 3
            else:
                return "early"
    else:
        r = 4 if y > x else 5
    return r


@cases
def truth_of_numbers_and_containers(x, y):
    log = []
    if x:
        log.append("x")
    if not y:
        log.append("y")
    items = [x] if x > y else []
    if items:
        log.append("items")
    table = {x: y} if y > 0 else {}
    if not table:
        log.append("empty")
    text = "s" if x == y else ""
    if text:
        log.append(text)
    return log


@cases
def branch_on_unions(x):
    value = None if x < 0 else "" if x == 0 else (x,) if x == 1 else x - 2
    if value:
        return "true", value
    return "false", value


@cases
def pass_on_both_sides(x):
    if x > 0:
        pass
    else:
        pass
    if x > 1:
        ...
    return x


@cases
def branch_on_comparison_results(x, y):
    less = x < y
    same = x == y
    if less or same:
        r = less
    else:
        r = not same
    return r, less and same, less + same


@cases.on([False, True], [False, True])
def bool_inputs(p, q):
    if p and not q:
        return "p"
    return [p | q, p & q, p ^ q, p == q, p + q, not p, p is q]


# --- value semantics ------------------------------------------------------------------------------


@cases
def and_or_values(x, y):
    return x and y, x or y, not x, (x and y) or "none", x and "a" and y, x or None or y


@cases
def and_or_with_containers(x):
    items = [] if x < 0 else [x]
    return items and items[0], items or "empty", (items or None) and x


@cases
def short_circuit(x, y):
    log = []

    def say(k, v):
        log.append(k)
        return v

    r = say(1, x > 0) and say(2, y > 0) and say(3, x > y)
    s = say(4, x) or say(5, y) or say(6, "end")
    return r, s, log


@cases
def short_circuit_hides_errors(x, y):
    return x != 0 and 6 // x > 1, x == 0 or 6 // x, y and 1 // y


@cases
def conditional_expressions(x, y):
    a = x if y > 0 else "n"
    b = (1 if x > y else 2) + (10 if x == y else 20)
    c = None if x > 1 else y if x > 0 else [x]
    return a, b, c


@cases
def conditional_expression_with_effects(x):
    log = []
    r = log.append("t") if x > 0 else log.append("f")
    s = [log.append(1), 5][1] if x > 1 else 6 // x
    return r, s, log


@cases
def chained_comparisons(x, y):
    return x < y < 2, -1 <= x <= 1 != y, x == y == 0, (x < y) < 2, 0 < x is not None


@cases
def chained_comparison_evaluates_once(x, y):
    log = []

    def say(v):
        log.append(v)
        return v

    r = say(x) < say(y) <= say(2) < say(x + y)
    return r, log


@cases
def identity_and_membership(x, y):
    items = [x, 1]
    other = items if y > 0 else [x, 1]
    return items is other, items == other, y in items, y not in (x, 2), None is not items


# --- loops ----------------------------------------------------------------------------------------


@cases
def while_else(x):
    i = 0
    s = 0
    while i < x:
        s += i
        i += 1
        if s > 1:
            break
    else:
        s = -s - 1
    return s, i


@cases
def while_with_two_exits(x, y):
    n = 0
    while n < 4:
        if n == x:
            break
        n += 1
        if n == y:
            return "y", n
    return n


@cases
def while_true(x):
    n = x
    while True:
        n += 2
        if n > 3:
            break
        if n == 1:
            continue
        n -= 1
    return n


@cases
def while_with_walrus(x):
    out = []
    n = 0
    while (n := n + 1) < x:
        out.append(n)
    return out, n


@cases
def while_over_shrinking_list(x, y):
    work = [x, y, 1]
    out = []
    while work:
        k = work.pop()
        if k > 1 and len(out) < 4:
            work.append(k - 1)
        out.append(k)
    return out, work


@cases
def while_test_with_and(x, y):
    n = 0
    while n < 3 and n != x and (n == 0 or n != y):
        n += 1
        if n == y + 1:
            continue
    return n


@cases
def while_test_that_raises(x):
    n = 2
    out = []
    while 6 // (n - x) < 7:
        out.append(n)
        n -= 1
        if n < -1:
            break
    return out


@cases
def for_else(x, y):
    out = []
    for i in range(4):
        if i == x:
            continue
        if i == y:
            break
        out.append(i)
    else:
        out.append("e")
    return out


@cases
def for_else_after_symbolic_range(x, y):
    out = []
    for i in range(x):
        if i == y:
            break
        out.append(i)
    else:
        out.append("all")
        if y == 3:
            return "three"
    return out


@cases
def nested_loops_return(x, y):
    for i in range(3):
        for j in range(3):
            if i == x and j == y:
                return (i, j)
    return None


@cases
def break_inner_continue_outer(x, y):
    out = []
    for i in range(3):
        for j in range(3):
            if j == x:
                break
            if i == y:
                continue
            out.append((i, j))
        else:
            continue
        out.append("broken")
        if i == x:
            break
    else:
        out.append("end")
    return out


@cases
def loop_variable_after_the_loop(x):
    for i in range(3):
        if i == x:
            break
    return i


@cases
def loop_that_may_not_run(x):
    for i in range(x):
        pass
    return i


@cases
def for_over_unions(x):
    items = (1, 2) if x > 1 else [x] if x > 0 else () if x == 0 else (5, 6, 7)
    s = 0
    for k in items:
        s = s * 10 + k
    return s


@cases
def for_over_ragged_list(x, y):
    items = [1]
    if x > 0:
        items.append(2)
    if x > 1:
        items.append(x)
    out = []
    for k in items:
        if k == y:
            break
        out.append(k * 2)
    else:
        out.append("e")
    return out


@cases
def for_over_list_that_grows(x):
    items = [x, 2]
    for k in items:
        if k > 1 and len(items) < 5:
            items.append(k - 1)
    return items


@cases
def for_over_list_that_shrinks(x):
    items = [1, 2, 3, 4]
    seen = []
    for k in items:
        seen.append(k)
        if k == x or k == 1:
            items.pop()
    return items, seen


@cases
def for_over_strings_dicts_and_tuples(x):
    out = []
    for k in "ab" if x > 0 else "c":
        out.append(k)
    for key in {1: 2, 3: x}:
        out.append(key)
    for a, (b, *c) in ((x, (1, 2)), (2, (x,))):
        out.append((a, b, c))
    return out


@cases
def for_into_attribute_and_item(x):
    class Place:
        pass

    place = Place()
    items = [0, 0]
    for place.at in (1, x):
        if place.at == 2:
            break
    for items[x > 0] in range(2):
        pass
    return place.at, items


@cases
def symbolic_range(x):
    s = []
    for i in range(x):
        s.append(i)
    return s


@cases
def symbolic_range_with_start_and_step(x, y):
    out = []
    for i in range(x, 3):
        out.append(i)
    for i in range(y, x, -1):
        out.append(i)
    for i in range(0, x, 2):
        out.append(-i)
    return out


@cases
def return_from_nested_loops_in_branches(x, y):
    total = 0
    for i in range(2):
        if x > i:
            while total < 5:
                total += 2
                if total > y:
                    return "inner", total, i
        elif y == i:
            continue
        total += 1
    return total


@cases
def branch_without_return_after_one_with(x, y):
    if x > 1:
        return "large"
    total = 0
    if y > 0:
        for k in range(3):
            if k == x:
                continue
            total += k + (y if x > 0 else 1)
    if total > 2 and x == y:
        return total
    return -total


@cases
def loop_in_a_branch_with_exits_after_it(x, y):
    found = None
    for k in (3, 1, 2):
        if x == k:
            best = k
            for m in range(y if y > 0 else 0):
                best -= m or 1
            found = best
        if found is not None and y < 0:
            break
        if y == k:
            return k, found
    return found


@cases
def variables_of_one_side(x, y):
    if x > 0:
        inner = [x]
        if y > 0:
            inner.append(y)
        result = inner
    else:
        other = "text"
        result = other + "s"
    if y == 1:
        x += 1
        result = x
    return result


@cases
def variable_of_one_side_that_is_not_bound(x, y):
    try:
        if x > 0:
            if y > 0:
                maybe = 5
            result = maybe
        else:
            result = 0
    except UnboundLocalError:
        return "unbound"
    return result


@cases
def variables_of_one_side_in_a_loop(x, y):
    seen = []
    for k in range(3):
        if x > k:
            if k > 0:
                seen.append(last)  # noqa: F821
            last = k + y
    return seen


@cases
def return_without_value(x):
    if x > 0:
        return
    if x < 0:
        return None
    for _ in range(2):
        if x == 0:
            return "zero"


@cases
def code_after_return_on_one_side(x, y):
    log = []
    if x > 0:
        log.append(1)
        if y > 0:
            return log
        log.append(2)
    log.append(3)
    return log


@cases
def bubble_sort(x, y):
    a = [x, y, 1]
    for i in range(3):
        for j in range(2):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


@cases
def euclid(x, y):
    a, b = abs_(x), abs_(y)
    while b:
        a, b = b, a % b
    return a


def abs_(k):
    return -k if k < 0 else k


# --- evaluation order and exceptions in every operand position ------------------------------------


def say(log, value):
    """A value; that it was evaluated is in the log."""
    log.append(value)
    return value


@cases
def order_of_operands(x, y):
    log = []
    a = say(log, x) + say(log, 1) * say(log, y)
    b = [say(log, 2), (say(log, x), say(log, 3)), {say(log, "k"): say(log, y)}]
    c = say(log, x) - (say(log, y) if say(log, x > y) else say(log, 0))
    d = {say(log, 1), say(log, 1)}
    return a, b, c, log


@cases
def order_of_calls(x, y):
    log = []

    def f(*args, **named):
        log.append("called")
        return args, sorted_items(named)

    r = f(say(log, x), *say(log, [1, y]), k=say(log, y), **say(log, {"m": x and y}))
    s = (f if say(log, x > 0) else g)(say(log, y or 5), say(log, x))
    return r, s, log


def g(a, b):
    return b, a


def sorted_items(named):
    return [named["k"], named["m"]]


@cases
def order_of_assignments(x, y):
    log = []
    items = [0, 0, 0, 0]
    items[say(log, 0)] = say(log, "v")
    items[say(log, 1)], items[say(log, 2)] = say(log, x), say(log, y)
    items[say(log, 3)] += say(log, x or y)
    a = items[say(log, 0)] = say(log, 7)
    return items, a, log


@cases
def order_of_slices_and_conditionals(x, y):
    log = []
    items = [1, 2, 3]
    a = items[say(log, 0) : say(log, 2) : say(log, 1)]
    b = say(log, "a") if say(log, x) else say(log, "b")
    c = say(log, x) < say(log, y if x > 0 else 9) < say(log, 3)
    return a, b, c, log


@cases
def method_is_looked_up_before_arguments(x):
    log = []
    target = None if x > 1 else [1] if x > 0 else 5
    try:
        target.append(say(log, "argument"))
    except AttributeError as error:
        log.append(error.args)
    return target, log


def fail(x, k):
    """Raises if `x` is `k`."""
    if x == k:
        raise ValueError(k)
    return k


@cases
def error_in_arithmetic(x):
    log = []
    try:
        return say(log, 1) + fail(x, 1) * say(log, 2) - fail(x, 2) + say(log, 3), log
    except ValueError as error:
        return error.args, log


@cases
def error_in_call(x):
    log = []
    try:
        return g(say(log, fail(x, 0)), b=say(log, fail(x, 1))), log
    except ValueError as error:
        return error.args, log


@cases
def error_in_displays(x):
    log = []
    try:
        return [say(log, 1), (fail(x, 0), say(log, 2)), {fail(x, 1): fail(x, 2)}, say(log, 3)], log
    except ValueError as error:
        return error.args, log


@cases
def error_in_assignment(x):
    log = []
    items = [0, 0]
    try:
        items[fail(x, 0)] = say(log, fail(x, 1))
        items[say(log, 0)], items[fail(x, 2) - 1] = say(log, 5), say(log, 6)
        items[0] += fail(x, 3)
    except ValueError as error:
        log.append(error.args)
    return items, log


@cases
def error_in_comparison_and_boolean(x):
    log = []
    try:
        r = fail(x, 0) < fail(x, 1) < fail(x, 2)
        s = say(log, x) and fail(x, 3) or fail(x, -1)
    except ValueError as error:
        return error.args, log
    return r, s, log


@cases
def error_in_loop_header(x):
    out = []
    try:
        for i in range(fail(x, 2)):
            for j in [i, fail(x, 1)]:
                out.append(j)
        while fail(x, 0) < len(out):
            out.pop()
    except ValueError as error:
        out.append(error.args)
    return out


@cases
def error_in_subscript(x, y):
    items = [1, 2, 3]
    try:
        return items[x] + items[y]
    except IndexError as error:
        return error.args, x


@cases
def errors_of_operators(x, y):
    log = []
    for act in (1, 2, 3, 4):
        try:
            if act == 1:
                log.append(x // y)
            elif act == 2:
                log.append(x % y)
            elif act == 3:
                log.append([x][y])
            else:
                log.append({x: 1}[y])
        except ZeroDivisionError as error:
            log.append(error.args)
        except IndexError as error:
            log.append(error.args)
        except KeyError as error:
            log.append(error.args)
    return log


@cases
def walrus(x):
    if (y := x * 2) > 2:
        return y
    return [y, (z := y + 1), z]


@cases
def walrus_on_one_side(x):
    if x > 0 and (y := x - 1):
        return y
    return y


# --- assertions -----------------------------------------------------------------------------------


@cases
def assert_with_and_without_message(x):
    assert x > 0, "bad"
    assert x < 3
    return x


@cases
def assert_with_computed_message(x):
    assert x != 1, (x, "one")
    assert x != 2, [x][0]
    return x


@cases
def assert_message_is_evaluated_late(x):
    log = []
    try:
        assert x > 0, log.append("evaluated")
    except AssertionError as error:
        return error.args, log
    return log


@cases
def assert_caught(x):
    try:
        assert x, x
        assert [x] == [2] or x > 2, "not two"
    except AssertionError as error:
        return error.args
    return "fine"
