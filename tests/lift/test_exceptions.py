"""`try` in all its shapes, `raise`, `with`, exceptions that only some paths raise.

PYTEST_DONT_REWRITE: the assertions in here are part of the programs.
"""

# ruff: noqa: B012, B016, B904, C416, E722, F841

from __future__ import annotations

import pytest

from tests.lift.cases import Case, Cases

cases = Cases()


@pytest.mark.parametrize("case", cases, ids=str)
def test_as_in_cpython(case: Case) -> None:
    case.check()


# --- except, else ---------------------------------------------------------------------------------


@cases
def except_else(x):
    try:
        if x == 0:
            raise ValueError("v", x)
        if x == 1:
            raise KeyError(x)
        r = 10 // x
    except ValueError as e:
        r = e.args[0]
    except KeyError:
        r = "k"
    else:
        r += 1
    return r


@cases
def first_handler_that_fits(x):
    try:
        if x == 0:
            raise IndexError("i")
        if x == 1:
            raise LookupError("l")
        if x == 2:
            raise ValueError("v")
        1 // (x + 1)
    except IndexError:
        return "index"
    except (KeyError, LookupError) as e:
        return "lookup", e.args
    except ArithmeticError:
        return "arithmetic"
    except Exception as e:
        return "any", e.args
    return "none"


@cases
def bare_except(x):
    try:
        [1, 2][x]
    except:
        return "caught"
    return "fine"


@cases
def uncaught(x):
    def inner(v):
        if v == 1:
            raise KeyError("one")
        return v

    try:
        r = inner(x)
    except ValueError:
        r = 5
    return r


@cases
def handlers_chosen_at_run_time(x, y):
    kinds = KeyError if y > 0 else (ValueError, IndexError)
    try:
        if x == 0:
            raise KeyError(0)
        if x == 1:
            raise IndexError(1)
    except kinds as e:
        return e.args
    return "none"


@cases
def what_the_body_wrote_before_it_failed(x, y):
    items = [0]
    n = 0
    try:
        items.append(1)
        n = 1
        if x > 0:
            raise ValueError
        items.append(2)
        n = 2
        items[0] = 6 // y
        n = 3
    except ValueError:
        items.append("v")
    except ZeroDivisionError:
        n += 10
    return items, n


@cases
def error_in_else_is_not_caught(x):
    log = []
    try:
        log.append(6 // x)
    except ZeroDivisionError:
        log.append("zero")
    else:
        log.append([1][x])
    return log


@cases
def error_in_handler(x):
    try:
        try:
            [1, 2][x]
        except IndexError:
            {0: 1}[x - 2]
        return "fine"
    except KeyError as e:
        return e.args


@cases
def name_of_handler_is_unbound_afterwards(x):
    try:
        if x > 0:
            raise ValueError(x)
        e = "kept"
    except ValueError as e:
        r = e.args
    return e


@cases
def merged_exception(x):
    try:
        if x > 2:
            raise ValueError(x, "big")
        if x > 1:
            raise ValueError(x + 1, [x])
        if x > 0:
            raise ValueError("one")
    except ValueError as e:
        return e.args, len(e.args)
    return x


class Problem(Exception):
    def __init__(self, code):
        super().__init__("problem", code)
        self.code = code


class Worse(Problem):
    pass


@cases
def own_exceptions(x):
    try:
        if x == 0:
            raise Problem(x)
        if x == 1:
            raise Worse(x)
        if x == 2:
            raise Problem("two")
    except Worse as e:
        e.code += 10
        return "worse", e.code, e.args
    except Problem as e:
        return "problem", e.code, e.args
    return x


@cases
def own_exceptions_uncaught(x):
    if x == 1:
        raise Worse([x])
    if x > 1:
        raise Problem((x, "a"))
    return x


@cases
def raise_class_and_instance(x):
    kind = ValueError if x > 0 else KeyError
    if x == 2:
        raise kind
    if x == 0:
        raise kind("k", x)
    return kind is ValueError


@cases
def raise_something_kept(x):
    error = KeyError(x) if x > 1 else ValueError("v")
    try:
        if x != 0:
            raise error
    except KeyError as e:
        return "key", e is error
    except ValueError as e:
        return "value", e is error, e.args
    return "none"


@cases
def raise_what_is_no_exception(x):
    if x > 1:
        raise ValueError(x)
    if x == 1:
        raise 3
    return x


# --- again, from ----------------------------------------------------------------------------------


@cases
def raise_again(x):
    try:
        try:
            if x == 1:
                raise KeyError("one")
            if x == 2:
                raise KeyError(2)
        except KeyError:
            if x > 1:
                raise
            return "handled"
    except KeyError as e:
        return e.args
    return x


@cases
def raise_again_uncaught(x):
    log = []
    try:
        log.append(4 // x)
    except ZeroDivisionError:
        log.append("z")
        raise
    return log


@cases
def raise_from(x):
    try:
        try:
            return 6 // x
        except ZeroDivisionError as e:
            raise ValueError(x) from e
    except ValueError as e:
        return type(e.__cause__).__name__, e.__suppress_context__


@cases
def raise_from_none(x):
    try:
        try:
            return [5][x]
        except IndexError:
            raise ValueError(x) from None
    except ValueError as e:
        return e.__cause__, e.args


# --- finally --------------------------------------------------------------------------------------


@cases
def finally_(x):
    log = []
    try:
        if x == 0:
            return log
        if x == 1:
            raise ValueError(x)
        log.append("b")
    finally:
        log.append("f")
    return log


@cases
def finally_after_handler(x):
    log = []
    try:
        try:
            log.append(2 // x)
            if x == 2:
                raise KeyError(x)
        except ZeroDivisionError:
            log.append("z")
        else:
            log.append("else")
        finally:
            log.append("f")
        log.append("after")
    except KeyError:
        log.append("k")
    return log


@cases
def return_in_finally_wins(x):
    try:
        if x == 0:
            raise ValueError
        if x == 1:
            return "body"
    finally:
        if x < 2:
            return "finally"
    return "end"


@cases
def return_in_try_and_finally(x, y):
    log = []

    def inner():
        try:
            log.append("t")
            if x > 0:
                return "t"
            if y > 0:
                raise KeyError(y)
        except KeyError:
            log.append("e")
            if y > 1:
                return "e"
        finally:
            log.append("f")
            if x == y:
                return "f"
        return "end"

    return inner(), log


@cases
def value_is_computed_before_finally(x):
    n = x
    try:
        if x > 0:
            return n
    finally:
        n += 10
    return n


@cases
def error_in_finally(x, y):
    try:
        try:
            if x > 0:
                raise KeyError(x)
        finally:
            [1, 2][y]
    except KeyError as e:
        return "k", e.args
    except IndexError as e:
        return "i", e.args
    return "none"


@cases
def jumps_through_finally(x, y):
    log = []
    for i in range(3):
        try:
            if i == x:
                continue
            if i == y:
                break
            if i == x + y:
                raise KeyError(i)
            log.append(i)
        except KeyError as e:
            log.append(("k", e.args[0]))
        finally:
            log.append("f")
    else:
        log.append("else")
    return log


@cases
def jumps_in_finally(x, y):
    log = []
    for i in range(3):
        try:
            log.append(6 // (i - x))
        finally:
            log.append("f")
            if i == y:
                break
            if i < y:
                continue
        log.append("after")
    return log


@cases
def jumps_in_handlers(x, y):
    log = []
    i = 0
    while i < 4:
        i += 1
        try:
            log.append([5, 6][i - x])
        except IndexError:
            if i == y:
                break
            log.append("e")
            continue
        else:
            if i == 3:
                return log, "returned"
        log.append("end")
    return log, i


@cases
def return_through_two_finally_clauses(x):
    log = []

    def inner():
        try:
            try:
                if x == 0:
                    return "inner"
                1 // (x - 1)
            finally:
                log.append(1)
                if x == 2:
                    raise KeyError(x)
        except ZeroDivisionError:
            return "zero"
        finally:
            log.append(2)
        return "end"

    try:
        return inner(), log
    except KeyError:
        return "key", log


@cases
def break_through_two_finally_clauses(x, y):
    log = []
    for i in range(2):
        for j in range(3):
            try:
                try:
                    if j == x:
                        break
                    if j == y:
                        continue
                finally:
                    log.append((i, j))
            finally:
                log.append("o")
        else:
            log.append("all")
    return log


@cases
def loop_inside_try(x, y):
    s = 0
    try:
        for i in range(4):
            if i == y:
                break
            s += 6 // (i - x)
        else:
            s += 1000
    except ZeroDivisionError:
        s += 100
    finally:
        s = -s
    return s


@cases
def try_inside_loop(x):
    s = 0
    for i in range(4):
        try:
            s += 6 // (i - x)
        except ZeroDivisionError:
            s += 100
    return s


@cases
def nested_tries(x, y):
    log = []
    try:
        log.append(1)
        try:
            log.append(4 // x)
            try:
                log.append([1][y])
            except IndexError:
                log.append("i")
                if x == 1:
                    raise KeyError("inner")
            finally:
                log.append("f1")
        except ZeroDivisionError:
            log.append("z")
            [][y]
        finally:
            log.append("f2")
    except (KeyError, IndexError) as e:
        log.append(e.args)
    return log


# --- exceptions of callees ------------------------------------------------------------------------


def check(items, k):
    items.append(("check", k))
    if k > 2:
        raise ValueError("large", k)
    if k < -1:
        raise KeyError(k)
    return k


def twice(items, k):
    first = check(items, k)
    items.append("between")
    return first + check(items, k + 1)


@cases
def callee_fails_under_guard(x, y):
    items = []
    r = None
    try:
        if x > 0:
            r = twice(items, y)
        else:
            items.append("no call")
    except ValueError as e:
        r = e.args
    return r, items


@cases
def callee_fails_uncaught(x, y):
    items = []
    if x > 0:
        return twice(items, y), items
    return items


@cases
def callee_fails_in_loop(x):
    items = []
    done = 0
    for k in (0, x, 2):
        try:
            done += check(items, k + 1)
        except ValueError:
            break
    else:
        done += 50
    return done, items


@cases
def callee_handles_its_own(x, y):
    def safe(k):
        try:
            return 6 // k
        except ZeroDivisionError:
            return "zero"
        finally:
            log.append(k)

    log = []
    return safe(x), safe(y), log


@cases
def stop_iteration_and_generator_free(x):
    def step(k):
        if k == 1:
            raise StopIteration(k)
        return k

    try:
        return step(x)
    except StopIteration as e:
        return "stop", e.value


@cases.on([0, 1], [0, 1])
def exception_that_no_path_raises(x, y):
    p, q = [1, 2], [x]
    if y:
        if x:
            q = [m for m in q]
        try:
            q[0] = p.pop()
            q[-1] -= 1
        finally:
            pass
    return p, q


@cases
def uncaught_exception_shows_objects_as_they_were(x):
    items = [1]
    if x > 0:
        items.append(x)
        if x > 1:
            raise ValueError(items)
    items.append("end")
    return items


# --- with -----------------------------------------------------------------------------------------


class Note:
    def __init__(self, log, name, quiet=False):
        self.log = log
        self.name = name
        self.quiet = quiet

    def __enter__(self):
        self.log.append(("in", self.name))
        return self.name

    def __exit__(self, kind, error, trace):
        self.log.append(("out", self.name, kind.__name__ if kind else None))
        return self.quiet


@cases
def with_that_may_suppress(x):
    log = []
    with Note(log, "a", x > 1) as name:
        if x != 0:
            raise ValueError(x)
        log.append(name)
    return log


@cases
def with_several_items(x, y):
    log = []
    try:
        with Note(log, "a") as a, Note(log, "b", y > 0) as b:
            log.append(a + b)
            log.append(6 // x)
        log.append("after")
    except ZeroDivisionError:
        log.append("z")
    return log


@cases
def nested_with(x, y):
    log = []
    with Note(log, "outer", True):
        with Note(log, "inner", x > 0):
            if y > 0:
                raise KeyError(y)
            log.append("body")
        log.append("between")
    return log


@cases
def leaving_a_with(x, y):
    log = []

    def inner():
        for i in range(3):
            with Note(log, i):
                if i == x:
                    return "returned"
                if i == y:
                    break
                if i == x + y:
                    continue
            log.append("next")
        return "end"

    return inner(), log


@cases
def with_target_is_unpacked(x):
    class Pair:
        def __enter__(self):
            return x, [x + 1]

        def __exit__(self, *details):
            return False

    with Pair() as (a, [b]):
        pass
    with Pair() as pair:
        a += pair[0]
    return a, b


@cases
def error_in_enter_and_exit(x):
    log = []

    class Odd:
        def __enter__(self):
            if x == 0:
                raise KeyError("enter")
            log.append("in")

        def __exit__(self, *details):
            log.append("out")
            if x == 1:
                raise IndexError("exit")

    try:
        with Odd():
            log.append(4 // (x - 2))
    except (KeyError, IndexError, ZeroDivisionError) as e:
        log.append(e.args)
    return log


@cases
def manager_chosen_at_run_time(x):
    log = []
    manager = Note(log, "a", True) if x > 0 else Note(log, "b")
    try:
        with manager as name:
            log.append(name)
            log.append(4 // (x - 1) // x)
    except ZeroDivisionError:
        log.append("z")
    return log


# --- unbound and missing --------------------------------------------------------------------------


@cases
def bound_on_one_side(x):
    if x > 0:
        z = 1
    return z


@cases
def bound_on_one_side_and_caught(x):
    try:
        if x > 0:
            z = x
        return z
    except UnboundLocalError as e:
        return e.args


@cases
def deleted_on_one_side(x):
    z = 3
    if x > 0:
        del z
    return z


@cases
def deleted_twice(x):
    z = x
    if x > 0:
        del z
    if x > 1:
        del z
    z = 5
    return z


@cases
def bound_by_loop_only(x, y):
    for i in range(2):
        if i == x:
            found = i
            break
    if y > 0:
        return found
    return "unused"


@cases
def bound_in_try_only(x):
    try:
        a = 4 // x
        b = [1][a - 4]
    except ZeroDivisionError:
        b = "z"
    except IndexError:
        pass
    return b


@cases
def missing_global(x):
    if x > 2:
        return undefined_name  # noqa: F821
    return x


@cases
def missing_attribute(x):
    class Empty:
        pass

    e = Empty()
    if x > 0:
        e.v = x
    try:
        return e.v
    except AttributeError:
        return "missing"


@cases
def missing_attribute_message(x):
    class Empty:
        pass

    e = Empty()
    if x > 0:
        e.v = x
    if x > 1:
        del e.v
    return e.v


@cases
def missing_attribute_of_union(x):
    v = [1] if x > 0 else "abc" if x < 0 else None
    v.append(2)
    return v
