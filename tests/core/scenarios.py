"""What the compiled core and the one in Python must do alike, as text.

`python -m tests.core.scenarios` runs random operations on terms of all sorts, programs that make
symbolic runs merge everything that can be merged, and random Python programs.  It prints a line for
each: how many terms, joins and unions there were, and all terms that are reachable from the result,
with the order in which they were made, their operators, sorts and arguments.
"""

from __future__ import annotations

import gc
import hashlib
import json
import operator
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.stack_machine import run as stack_machine
from benchmarks.vm import branch_and_merge, reverse_positive, write_all
from solvent.errors import SolventError
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import symbolic_programs, tell_apart
from solvent.lift import bounded, execute
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Float,
    Int,
    Real,
    Str,
    and_,
    distinct,
    eq,
    iff,
    ite,
    live_terms,
    not_,
    or_,
    select,
    store,
    sweep,
    xor,
)
from solvent.terms.core import COMPILED
from solvent.terms.graph import reachable
from solvent.terms.memory import created_terms, freeze_collector
from solvent.terms.term import Term
from solvent.terms.texts import text
from solvent.vm.machine import Outcome
from solvent.vm.owned import Elements
from solvent.vm.slots import Maybe
from solvent.vm.union import Union
from tests.lift import programs

# --- what is compared ----------------------------------------------------------------------------


def parts(value: Any) -> Any:
    """What a value of a symbolic run consists of, and how it is shown apart from that."""
    if isinstance(value, Union):
        return "union", value._solvent_choices
    if isinstance(value, Maybe):
        return "maybe", (value.guard, value.value)
    if isinstance(value, Elements):
        return "elements", tuple(value.guards.items())
    if isinstance(value, dict):
        return "dict", tuple(value.items())
    if isinstance(value, (tuple, list)):
        return type(value).__name__, tuple(value)
    if isinstance(value, (set, frozenset)):
        return "set", tuple(sorted(value, key=repr))
    if isinstance(value, BaseException):
        return type(value).__name__, value.args
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return type(value).__name__, tuple(vars(value).items())
    return type(value).__name__, ()


class Shown:
    """Values as nested lists, and the terms in them."""

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self.objects: dict[int, int] = {}
        self.kept: list[Any] = []

    def shown(self, value: Any) -> Any:
        """A value; terms are named by their numbers."""
        if isinstance(value, Term):
            self.terms.append(value)
            return f"#{value.id}"
        if value is None or isinstance(value, (bool, int, float, str, bytes)):
            return repr(value)
        if id(value) in self.objects and not isinstance(value, tuple):
            return f"again {self.objects[id(value)]}"
        self.objects[id(value)] = len(self.objects)
        self.kept.append(value)
        name, inside = parts(value)
        return [name, *(self.shown(part) for part in inside)]


def rows(terms: list[Term], start: int) -> Iterator[str]:
    """The terms under some, in the order in which they were made."""
    for term in sorted(reachable(terms), key=lambda found: found.id):
        args = [
            f"#{arg.id - start}" if isinstance(arg, Term) else f"{type(arg).__name__} {arg!r}"
            for arg in term.key[1:]
        ]
        yield f"{term.id - start} {term.op!r} {term.sort} {type(term).__name__} {args}"


def summary(name: str, value: Any, counts: dict[str, int], start: int) -> dict[str, Any]:
    """A line of the output: everything, the terms as a hash beside the last of them."""
    found = Shown()
    outline = json.dumps(found.shown(value)).replace("#", "")
    table = list(rows(found.terms, start))
    # Numbers in the outline are relative, too.
    numbers = [term.id - start for term in found.terms]
    text_ = "\n".join([str(len(outline)), str(numbers), *table])
    return {
        "name": name,
        "counts": counts,
        "terms": len(table),
        "last": table[-3:],
        "digest": hashlib.sha256(text_.encode()).hexdigest(),
    }


# --- operations on terms ------------------------------------------------------------------------


def guarded(action: Callable[[], Any]) -> Any:
    """What an action gives, or the name of its error."""
    try:
        return action()
    except (SolventError, TypeError, ZeroDivisionError, OverflowError) as error:
        return type(error).__name__


BOOLEAN = (and_, or_, xor, iff, eq, lambda a, b: and_(a, not_(b)), lambda a, b: or_(not_(a), b))
NUMERIC = (operator.add, operator.sub, operator.mul)
ORDER = (operator.le, operator.lt, operator.eq, operator.ne, eq)
BITWISE = (
    *NUMERIC, operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
)  # fmt: skip


def random_terms(seed: int, steps: int) -> list[Any]:
    """Many operations on few terms, so that rules find what they look for."""
    rng = random.Random(seed)
    conditions: list[Any] = [Bool(f"p{seed}_{place}") for place in range(4)] + [True, False]
    pools: dict[str, list[Any]] = {
        "int": [Int(f"x{seed}"), Int(f"y{seed}"), 0, 1, 7],
        "bits": [BitVec(f"a{seed}", 8), BitVec(f"b{seed}", 8), 0, 1, 255],
        "real": [Real(f"r{seed}"), Real(f"s{seed}"), 2],
        "float": [Float(f"f{seed}"), Float(f"g{seed}"), 1.5],
        "text": [Str(f"t{seed}"), Str(f"u{seed}"), "ab", ""],
        "array": [Array(f"m{seed}", Int, Int), Array(f"n{seed}", Int, Int)],
    }
    kept: list[Any] = []
    for _ in range(steps):
        kind = rng.choice(("bool", "bool", "bool", "int", "int", "bits", *pools))
        found: Any
        if kind == "bool":
            a, b = rng.choice(conditions), rng.choice(conditions)
            step = rng.choice(BOOLEAN)
            found = not_(a) if rng.random() < 0.2 else guarded(lambda: step(a, b))  # noqa: B023
            if rng.random() < 0.3:
                found = guarded(lambda: ite(rng.choice(conditions), a, b))  # noqa: B023
            kept.append(found)
            conditions.append(found)
        else:
            pool = pools[kind]
            a, b = rng.choice(pool), rng.choice(pool)
            found = guarded(lambda: operation(rng, kind, a, b, conditions, pools))  # noqa: B023
            kept.append(found)
            if isinstance(found, Term) and type(found).__name__ == "BoolTerm":
                conditions.append(found)
            elif isinstance(found, Term):
                pool.append(found)
        for values in (conditions, *pools.values()):
            if len(values) > 24:
                del values[rng.randrange(6, len(values))]
        conditions = [c for c in conditions if not isinstance(c, str)]
    return kept


def operation(
    rng: random.Random,
    kind: str,
    a: Any,
    b: Any,
    conditions: list[Any],
    pools: dict[str, list[Any]],
) -> Any:
    """One operation of a sort."""
    if rng.random() < 0.35:
        return ite(rng.choice(conditions), a, b)
    if kind == "text":
        return rng.choice((operator.add, eq))(a, b)
    if kind == "array":
        index, value = rng.choice(pools["int"]), rng.choice(pools["int"])
        return rng.choice((lambda: store(a, index, value), lambda: select(a, index)))()
    if rng.random() < 0.4:
        return rng.choice(ORDER)(a, b)
    if rng.random() < 0.05:
        return distinct(a, b, rng.choice(pools[kind]))
    return rng.choice(BITWISE if kind == "bits" else NUMERIC)(a, b)


# --- programs -----------------------------------------------------------------------------------


class Point(NamedTuple):
    """A named tuple, which merges field by field."""

    x: Any
    y: Any


@dataclass(frozen=True)
class Pair:
    """A record, which merges field by field."""

    first: Any
    second: Any


class Cell:
    """An object with identity."""

    def __init__(self, content: Any) -> None:
        self.content = content


def merging(tests: list[Any], x: Any, y: Any) -> list[Any]:
    """Values of every class of figure 9 meet."""
    shared = Cell(0)
    other = Cell(x)
    kept: list[Any] = []
    value: Any = x
    for place, test in enumerate(tests):
        before = value
        if test:
            value = (x, place, "name", None)
        elif place % 3 == 0:
            value = (y, place, b"name", before)
        else:
            value = Point(x + place, y)
        if test and x > place:
            chosen: Any = shared if y > place else other
            chosen.content = value
        else:
            chosen = Pair(value, x)
        kept.append(chosen)
        if x == place:
            kept.append([chosen, value])
        elif y == place:
            kept.pop()
    return [kept, value, shared, other]


def nested(tests: list[Any], x: Any) -> Any:
    """Negated tests, tests that repeat, tuples in tuples."""
    result: Any = ((x, 0), (True, x > 0), ())
    for place, test in enumerate(tests):
        (number, count), (flag, positive), rest = result
        if not test:
            result = ((number + 1, count), (not flag, positive), rest)
        elif test and flag:
            result = ((x, count + 1), (positive, flag), (place, *rest))
        if not (test or x > place):
            result = (result[0], (False, positive), result[2])
    return result


def leaving(values: list[Any], limit: Any) -> Any:
    """Early exits, exceptions of some paths only, dicts and sets."""
    seen: dict[Any, Any] = {}
    odd: set[Any] = set()
    for place, value in enumerate(values):
        if value == limit:
            return seen
        if value > 5:
            continue
        try:
            if value == 3:
                raise KeyError(place)
            seen[place] = 10 // (value - 4)
        except KeyError as error:
            seen["raised"] = error.args[0]
        except ZeroDivisionError:
            odd.add(place)
            if limit > 2:
                break
    else:
        seen["all"] = odd
    return seen, odd, len(seen)


def spelling(test: Any, code: Any, word: Any) -> Any:
    """Symbolic texts beside known ones."""
    found: Any = "abc"
    if test:
        found = text([97, code, 99])
    if word == found:
        found += "!"
    elif code > 100:
        found = b"bytes"
    return found, found == "abc", "q" if test else "long"


def functions(test: Any, x: Any) -> Any:
    """Functions and methods as values."""
    items: list[Any] = []
    action: Any = items.append if test else items.insert
    chosen: Any = abs if x > 0 else max
    if test:
        action(x)
    return items, chosen(x, 0) if x <= 0 else chosen(x), not test


def operators(test: Any, x: Any, a: Any, b: Any) -> Any:
    """Operators, calls and loops on operands that are compared, added or called without a look."""
    items: list[Any] = [x, 0]
    if test:
        items.append(a)
    found = [x + 0, 0 + x, x + True, x * 0, 0 * x, x * 1, -1 * x, 2 * x, x * x, (x,) + (a,)]  # noqa: RUF005
    found += [a == b, a == 3, a == a + 0, b == a, "k" == "k"]
    found += [not items, not items[2:], not (), not [], not found[:0]]
    for kind in (type(x), int, str, type(items)):
        found += [kind in (int, str), kind in {int, list}, kind in [x, int]]
    for number in range(2):
        for part in ("xy", b"z", (number, x)):
            found += [len(str(part)), int(number), min(x, number)]
    return found, [each for each in items if each is not a]


def constants(sort: Any, name: str, count: int) -> list[Any]:
    """Some constants."""
    return [sort(f"{name}{place}") for place in range(count)]


def runs() -> dict[str, Callable[[], Outcome]]:
    """Symbolic runs by name."""
    machine = MACHINES["B3"]
    program = [(Int(f"op{place}"), Int(f"arg{place}")) for place in range(5)]
    tests = constants(Bool, "t", 7)
    x, y = Int("x"), Int("y")
    found: dict[str, Callable[[], Outcome]] = {
        "revPos": lambda: execute(reverse_positive, constants(Int, "v", 25)),
        "branches": lambda: execute(branch_and_merge, constants(Bool, "b", 300), 0),
        "writes": lambda: execute(write_all, constants(Int, "i", 15), [0] * 9),
        "stack machine": lambda: execute(stack_machine, program),
        "ifcl": lambda: execute(tell_apart, machine, *symbolic_programs(machine, 3), 3),
        "merging": lambda: execute(merging, tests, x, y),
        "nested": lambda: execute(nested, tests, x),
        "leaving": lambda: execute(leaving, constants(Int, "v", 5), y),
        "spelling": lambda: execute(spelling, tests[0], Int("code"), Str("word")),
        "functions": lambda: execute(functions, tests[0], x),
        "operators": lambda: execute(operators, tests[0], x, BitVec("a", 4), BitVec("b", 4)),
    }
    return found


def random_programs(count: int) -> Iterator[tuple[str, Outcome | str]]:
    """Random Python programs and what they come to."""
    found: list[programs.Program] = []
    for start in range(1 + count // programs.FRESH):
        programs.explore(f"cores {start}", found.append, shrink=False)
    for number, program in enumerate(found[:count]):
        main = programs.load(program.source)
        inputs = [
            {int: Int, bool: Bool, str: Str}[type(values[0])](f"in{place}")
            for place, values in enumerate(program.domains)
        ]
        try:
            with bounded(4):
                yield f"program {number}", execute(main, *inputs)
        except (SolventError, RecursionError) as error:
            yield f"program {number}", type(error).__name__
        finally:
            programs.forget(main)


# --- all of it ----------------------------------------------------------------------------------


def result_of(outcome: Outcome | str) -> tuple[Any, dict[str, int]]:
    """What is compared of a run."""
    if isinstance(outcome, str):
        return outcome, {}
    stats = outcome.stats
    failures = [(f.condition, type(f.exception).__name__) for f in outcome.failures]
    value = (outcome.value, outcome.assumes, outcome.asserts, failures, outcome.halted)
    return value, {
        "terms": stats.terms,
        "joins": stats.joins,
        "unions": stats.unions,
        "sizes": stats.union_sizes,
        "largest": stats.largest_union,
    }


def lines(operations: int, count: int) -> Iterator[dict[str, Any]]:
    """Everything that is compared."""
    for seed in range(operations):
        start = created_terms()
        terms = random_terms(seed, 400)
        yield summary(f"terms {seed}", terms, {"created": created_terms() - start}, start)
    for name, run in runs().items():
        start = created_terms()
        yield summary(name, *result_of(run()), start)
    start = created_terms()
    for name, outcome in random_programs(count):
        yield summary(name, *result_of(outcome), start)
        start = created_terms()
    del outcome
    # What is left of the runs is in cycles.
    freeze_collector(False)
    gc.collect()
    sweep()
    yield {"name": "swept", "live": live_terms(), "created": created_terms()}


def main() -> None:
    """Print everything, one line each; the first says which core it was."""
    sys.setrecursionlimit(20_000)
    print(json.dumps({"compiled": COMPILED}))
    for line in lines(int(sys.argv[1]), int(sys.argv[2])):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
