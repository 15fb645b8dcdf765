"""Synthesis: answers are checked by brute force in CPython, and so is that there are none."""

from __future__ import annotations

import io
import itertools
import json
import random
import signal
import threading
from fractions import Fraction
from typing import Annotated, Any

import pytest
from rich.console import Console

from solvent import (
    BitVec,
    Bool,
    Float,
    Int,
    Real,
    Str,
    assume,
    evaluate,
    integers,
    lists,
    one_of,
    synthesize,
    verify,
)
from solvent.errors import AssumptionError, QueryError
from solvent.lift import execute, lift
from solvent.queries import Session, Synthesis
from solvent.sketch import hole
from solvent.terms import Function, bv, ult
from tests.patience import FOREVER, patient

METHODS = ("cegis", "quantifiers", "sygus")


# --- programs ----------------------------------------------------------------------------------


def step(op: Any, a: Any, b: Any) -> Any:
    if op == 0:
        return a + b
    if op == 1:
        return -a
    if op == 2:
        return a & b
    assert op == 3
    return a ^ b


def straight_line(program: list[tuple[Any, Any, Any]], x: Any) -> Any:
    values = [x]
    for op, a, b in program:
        values.append(step(op, values[a], values[b]))
    return values[-1]


def isolates(program: list[tuple[Any, Any, Any]], x: Any) -> None:
    assert straight_line(program, x) == x & -x


@pytest.mark.parametrize("width", [8, 32])
def test_rightmost_set_bit(width: int) -> None:
    x = BitVec("x", width)
    program = [(BitVec(f"op{n}", 2), BitVec(f"a{n}", 2), BitVec(f"b{n}", 2)) for n in range(2)]
    found = synthesize(isolates, program, x, forall=[x])
    assert found.found
    assert found.confirmed
    completed = found.filled["program"]
    inputs = range(256) if width == 8 else [1 << n for n in range(32)] + [0, 12, 2**32 - 8]
    for value in inputs:
        assert straight_line(completed, bv(value, width)) == bv(value & -value, width)


def test_one_instruction_cannot_isolate_a_bit() -> None:
    x = BitVec("x", 8)
    found = synthesize(isolates, [(BitVec("op", 2), BitVec("a", 1), BitVec("b", 1))], x, forall=[x])
    assert found.status == "unsat"
    assert found.holes == {}


def factored(x: Any, a: Any, b: Any) -> None:
    assert (x + a) * (x + b) == x * x + 5 * x + 6


@pytest.mark.parametrize("method", ["cegis", "quantifiers"])
@pytest.mark.parametrize("sort", [Int, Real])
def test_polynomial(sort: Any, method: str) -> None:
    found = synthesize(factored, sort("x"), sort("a"), sort("b"), forall="x", method=method)
    assert sorted(found.holes.values()) == [2, 3]
    assert found.confirmed
    assert found.method == method


@pytest.mark.parametrize("method", ["cegis", "quantifiers"])
def test_polynomial_without_factors(method: str) -> None:
    def claim(x: Any, a: Any, b: Any) -> None:
        assert (x + a) * (x + b) == x * x + 1

    found = synthesize(claim, Int("x"), Int("a"), Int("b"), forall="x", method=method)
    assert found.status == "unsat"


def network(comparators: list[tuple[Any, Any]], values: list[Any]) -> list[Any]:
    for i, j in comparators:
        assert i < j
        if values[j] < values[i]:
            values[i], values[j] = values[j], values[i]
    return values


def sorts(comparators: list[tuple[Any, Any]], values: list[Any]) -> None:
    values = network(comparators, values)
    for place in range(len(values) - 1):
        assert not values[place + 1] < values[place]


def test_sorting_network() -> None:
    # By the 0-1 principle bits are enough.
    bits = [BitVec(f"x{n}", 1) for n in range(4)]
    values = [Int(f"v{n}") for n in range(4)]
    pairs = [(BitVec(f"i{n}", 3), BitVec(f"j{n}", 3)) for n in range(5)]
    found = synthesize(sorts_bits, pairs, bits, forall=[bits])
    assert found.found
    assert found.confirmed
    comparators = [(i.value, j.value) for i, j in found.filled["pairs"]]
    for order in itertools.permutations(range(4)):
        assert network(comparators, list(order)) == [0, 1, 2, 3]
    assert verify(sorts, comparators, values).holds


def sorts_bits(pairs: list[tuple[Any, Any]], bits: list[Any]) -> None:
    for i, j in pairs:
        assert ult(i, j)
        if ult(bits[j], bits[i]):
            bits[i], bits[j] = bits[j], bits[i]
    for place in range(len(bits) - 1):
        assert not ult(bits[place + 1], bits[place])


def test_no_sorting_network_with_four_comparators() -> None:
    bits = [BitVec(f"x{n}", 1) for n in range(4)]
    pairs = [(BitVec(f"i{n}", 3), BitVec(f"j{n}", 3)) for n in range(4)]
    assert synthesize(sorts_bits, pairs, bits, forall=[bits]).status == "unsat"


class Machine:
    def __init__(self, *stack: Any) -> None:
        self.stack = list(stack)

    def run(self, program: list[tuple[Any, Any]]) -> Any:
        for op, operand in program:
            if op == 0:
                self.stack.append(operand)
            elif op == 1:
                self.stack.append(self.stack.pop() + self.stack.pop())
            elif op == 2:
                self.stack.append(self.stack.pop() * self.stack.pop())
            else:
                assert op == 3
                self.stack.append(self.stack[-1])
        return self.stack[-1]


def test_stack_machine() -> None:
    program = [(Int(f"op{n}"), Int(f"arg{n}")) for n in range(4)]

    def tripled(x: int) -> None:
        assert Machine(x).run(program) == 3 * x + 3

    found = synthesize(tripled, forall="x")
    assert found.confirmed
    assert set(found.holes) == {c.name for instruction in program for c in instruction}
    for x in range(-20, 20):
        assert Machine(x).run(found.filled["program"]) == 3 * x + 3
    del program[3]
    assert synthesize(tripled, forall="x").status == "unsat"


# --- what is an answer -------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_an_assumption_about_holes_must_hold(method: str) -> None:
    def trap(x: Any, h: Any) -> None:
        assume(h > 10)
        assert x + h == x + 3

    assert synthesize(trap, Int("x"), Int("h"), forall="x", method=method).status == "unsat"


@pytest.mark.parametrize("method", METHODS)
def test_holes_that_leave_no_inputs_are_no_answer(method: str) -> None:
    def trap(x: Any, h: Any) -> None:
        assume((x & 1) + h == 5)
        assert ult(h, bv(4, 4))

    x, h = BitVec("x", 4), BitVec("h", 4)
    assert synthesize(trap, x, h, forall="x", method=method).status == "unsat"


@pytest.mark.parametrize("method", METHODS)
def test_holes_that_leave_some_inputs_are_an_answer(method: str) -> None:
    def odd(x: Any, h: Any) -> None:
        assume(x % 4 == h)
        assert x % 2 == 1

    found = synthesize(odd, Int("x"), Int("h"), forall="x", method=method)
    assert found.holes["h"] in (1, 3)
    assert found.confirmed
    assert found.inputs["x"] % 4 == found.holes["h"]


def test_no_inputs_at_all() -> None:
    def trap(x: Any, h: Any) -> None:
        assume(x * x == 3)
        assert h == x

    found = synthesize(trap, BitVec("x", 4), BitVec("h", 4), forall="x")
    assert found.status == "unsat"
    assert "no inputs satisfy the assumptions" in str(found)


def test_assumptions_of_spaces_are_about_inputs() -> None:
    def longest(xs: list[int], h: Annotated[int, integers(0, 9)]) -> None:
        assert len(xs) <= h < 4

    found = synthesize(longest, lists(Int, max_len=3), forall=["xs"])
    assert found.holes == {"h": 3}
    assert found.confirmed
    assert found.derived == {"h": "Int from 0 to 9"}
    assert synthesize(longest, lists(Int, max_len=4), forall=["xs"]).status == "unsat"


def test_the_space_of_a_hole_limits_it() -> None:
    def equal(x: int, h: Annotated[int, integers(5, 9)]) -> None:
        assert x + h == x + 4

    assert synthesize(equal, forall="x").status == "unsat"


def test_an_exception_is_a_failure() -> None:
    def divides(x: Any, h: Any) -> Any:
        assume(0 <= x <= 10)
        return 10 // (x - h)

    found = synthesize(divides, Int("x"), Int("h"), forall="x")
    assert not 0 <= found.holes["h"] <= 10
    assert found.confirmed


def test_no_holes_is_verification() -> None:
    def fine(x: int) -> None:
        assert x * x >= 0

    assert synthesize(fine).found

    def wrong(x: int) -> None:
        assert x != 7

    assert synthesize(wrong).status == "unsat"


def test_no_inputs_is_angelic_execution() -> None:
    def root(h: Any) -> None:
        assert h * h == 49
        assert h < 0

    found = synthesize(root, Int("h"), forall=[])
    assert found.holes == {"h": -7}
    assert found.confirmed


# --- every small sketch against brute force ----------------------------------------------------

OPERATIONS: list[Any] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a & b,
    lambda a, b: a | b,
    lambda a, b: a ^ b,
    lambda a, b: a * b,
]
COMPARISONS: list[Any] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a <= b,
    lambda a, b: a < b,
]


def random_value(rng: random.Random, depth: int) -> Any:
    """A function of x, y, h and k."""
    if depth == 0:
        place = rng.randrange(5)
        literal = bv(rng.randrange(4), 2)
        return lambda *v: (*v, literal)[place]
    op = rng.choice(OPERATIONS)
    a, b = random_value(rng, depth - 1), random_value(rng, depth - 1)
    return lambda *v: op(a(*v), b(*v))


def random_test(rng: random.Random, depth: int) -> Any:
    compare = rng.choice(COMPARISONS)
    a, b = random_value(rng, depth), random_value(rng, depth)
    return lambda *v: compare(a(*v), b(*v))


def random_sketch(rng: random.Random) -> Any:
    assumption, test, claim = random_test(rng, 1), random_test(rng, 1), random_test(rng, 2)
    other, assumed = random_test(rng, 2), rng.randrange(3)

    def sketch(x: Any, y: Any, h: Any, k: Any) -> None:
        if assumed == 1:
            assume(assumption(x, y, h, k))
        if test(x, y, h, k):
            if assumed == 2:
                assume(assumption(x, y, h, k))
            assert claim(x, y, h, k)
        else:
            assert other(x, y, h, k)

    return sketch


SMALL = [bv(n, 2) for n in range(4)]


def answers(sketch: Any) -> set[tuple[int, int]]:
    """All right answers, by running the sketch on everything."""
    result = set()
    for h, k in itertools.product(SMALL, repeat=2):
        ends = set()
        for x, y in itertools.product(SMALL, repeat=2):
            try:
                sketch(x, y, h, k)
                ends.add("normal")
            except AssumptionError:
                pass
            except AssertionError:
                ends.add("failed")
        if ends == {"normal"}:
            result.add((h.value, k.value))
    return result


@pytest.mark.parametrize(("method", "count"), [("cegis", 80), ("quantifiers", 12), ("sygus", 12)])
def test_random_sketches(method: str, count: int) -> None:
    rng = random.Random(4)
    constants = [BitVec(name, 2) for name in "xyhk"]
    seen = []
    with Session(timeout=patient(1) if method == "quantifiers" else FOREVER) as session:
        for _ in range(count):
            sketch = random_sketch(rng)
            right = answers(sketch)
            found = session.synthesize(sketch, *constants, forall=["x", "y"], method=method)
            seen.append(found.status)
            if found.status == "unknown":
                # Z3 does not come to an end with some of these quantifiers.
                assert (method, found.reason) == ("quantifiers", "timeout")
            elif right:
                assert found.confirmed
                assert (found.holes["h"].value, found.holes["k"].value) in right
            else:
                assert found.status == "unsat"
    assert min(seen.count(status) for status in ("sat", "unsat")) > count // 4


# --- holes and inputs --------------------------------------------------------------------------


def test_constants_made_inside_are_holes() -> None:
    def double(x: int) -> None:
        h: Any = Int("h")
        flip: Any = Bool("flip")
        assert (x * h if flip else -x * h) == x + x

    found = synthesize(double)
    assert found.holes["h"] == (2 if found.holes["flip"] else -2)
    assert found.confirmed
    assert found.filled == {}


def test_an_input_made_inside() -> None:
    def double(h: Any) -> None:
        x: Any = Int("x")
        assert x * h == x + x

    found = synthesize(double, Int("h"), forall=Int("x"))
    assert found.holes == {"h": 2}
    assert found.confirmed
    assert found.counterexamples[0]["x"] != 0


def test_a_hole_around_the_function() -> None:
    h: Any = Int("h")
    x: Any = Int("x")

    def shifted() -> None:
        assert x + h == x + 4

    found = synthesize(shifted, forall=x)
    assert (found.holes, found.filled) == ({"h": 4}, {"h": 4})
    assert found.confirmed
    # Without `forall` both are inputs.
    assert synthesize(shifted).status == "unsat"
    assert synthesize(shifted, forall="x").holes == {"h": 4}


def test_a_symbolic_word_as_input() -> None:
    def letter(name: str) -> Any:
        return lift(lambda i: "cadr"[i])(Int(name))

    word = [letter(f"w{n}") for n in range(2)]
    hole = letter("h")

    def recognises() -> None:
        assume(word[0] == "c")
        assert (word[0] == hole) == (word[0] == "c" and word[1] in ("c", "a", "d", "r"))

    found = synthesize(recognises, forall=[word])
    assert set(found.holes) == {"h"}
    assert found.filled["hole"] == "c"
    assert found.confirmed


def test_parts_of_the_arguments() -> None:
    def apart(values: list[Any]) -> None:
        a, b = values
        assert a * b == a + a

    found = synthesize(apart, [Int("a"), Int("b")], forall=[Int("a")])
    assert found.holes == {"b": 2}
    assert found.confirmed


def test_what_only_a_space_knows_is_no_hole() -> None:
    def scaled(x: Any, y: Any, h: Any) -> None:
        assert x * h == y * x

    x = one_of(3, 3)
    found = synthesize(scaled, x, Int("y"), Int("h"), forall=["x"])
    assert set(found.holes) == {"y", "h"}
    assert found.confirmed


def test_unused_holes_have_a_value() -> None:
    def ignores(x: Any, h: Any) -> None:
        assert x == x

    assert synthesize(ignores, Int("x"), Int("h"), forall="x").holes == {"h": 0}


def test_other_sorts() -> None:
    def scaled(x: Any, f: Any) -> None:
        assume(x == x)
        assert x * f == x

    assert synthesize(scaled, Float("x"), Float("f"), forall="x", timeout=FOREVER).holes == {
        "f": 1.0
    }

    def greeting(name: Any, hello: Any) -> None:
        assert (hello + name).startswith("hi " + name)

    assert synthesize(greeting, Str("name"), Str("hello"), forall="name").holes == {"hello": "hi "}


def test_session_assumptions() -> None:
    h, x = Int("h"), Int("x")

    def below(x: Any, h: Any) -> None:
        assert x < h

    with Session() as session:
        session.assume(x < 10)
        session.assume(h < 12)
        found = session.synthesize(below, x, h, forall=[x])
        assert found.holes["h"] in (10, 11)
        session.assume(h < 5)
        assert session.synthesize(below, x, h, forall=[x]).status == "unsat"


def test_inside_of_a_lifted_program() -> None:
    def shifted(x: Any, h: Any) -> None:
        assert x + h == x + 4

    def outer(p: Any) -> Any:
        total = 0
        if p:
            total = synthesize(shifted, Int("x"), Int("h"), forall="x").holes["h"]
        return total

    outcome = execute(outer, Bool("p"))
    assert [evaluate(outcome.value, {"p": p}) for p in (False, True)] == [0, 4]


# --- limits ------------------------------------------------------------------------------------


def test_bounds_that_are_too_small() -> None:
    def count(x: Any, h: Any) -> None:
        assume(0 <= x <= 5)
        steps = 0
        while steps < x:
            steps += 1
        assert steps + h == x + 1

    x, h = Int("x"), Int("h")
    assert synthesize(count, x, h, forall="x", bound=6).holes == {"h": 1}
    found = synthesize(count, x, h, forall="x", bound=3)
    assert found.status == "unknown"
    assert "bound" in found.reason
    assert found.holes == {}

    def impossible(x: Any, h: Any) -> None:
        count(x, h)
        assert h == 2

    assert synthesize(impossible, x, h, forall="x", bound=3).status == "unsat"


def test_a_hole_may_keep_a_loop_within_its_bound() -> None:
    def count(x: Any, h: Any) -> None:
        steps = 0
        while steps < h:
            steps += 1
        assert x + h != x

    found = synthesize(count, Int("x"), Int("h"), forall="x", bound=2)
    assert found.holes["h"] <= 2
    assert found.confirmed


def test_no_end_of_rounds() -> None:
    def above(x: Any, h: Any) -> None:
        assert x < h

    found = synthesize(above, Int("x"), Int("h"), forall="x", rounds=5)
    assert (found.status, found.reason) == ("unknown", "no answer after 5 rounds")
    assert (found.rounds, len(found.counterexamples)) == (5, 5)
    assert synthesize(above, Int("x"), Int("h"), forall="x", method="quantifiers").status == "unsat"


def test_an_irrational_hole() -> None:
    def root(x: Any, h: Any) -> None:
        assert h * h * x == 2 * x

    found = synthesize(root, Real("x"), Real("h"), forall="x")
    assert found.status == "unknown"
    assert "irrational" in found.reason


@pytest.mark.parametrize("method", METHODS)
def test_the_time_limit_is_for_the_whole_query(method: str) -> None:
    def hard(x: Any, a: Any, b: Any) -> None:
        assume(ult(1, a) and ult(1, b))
        assert a * b == bv(0xC96F5B3A7D1E2F4B, 64)
        assert (x * a) * b == x * bv(0xC96F5B3A7D1E2F4B, 64)
        assert ult(a, 1 << 32)
        assert ult(b, 1 << 32)

    constants = [BitVec(name, 64) for name in "xab"]
    found = synthesize(hard, *constants, forall="x", method=method, timeout=0.5)
    assert found.status == "unknown"


def test_interrupting_sygus() -> None:
    constants = [BitVec(name, 64) for name in "xab"]

    def hard(x: Any, a: Any, b: Any) -> None:
        assume(ult(1, a) and ult(1, b) and ult(a, 1 << 32) and ult(b, 1 << 32))
        assert x * a * b == x * bv(0xC96F5B3A7D1E2F4B, 64)

    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.7, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        synthesize(hard, *constants, forall="x", method="sygus")

    def easy(x: Any, h: Any) -> None:
        assert x + h == x + 3

    assert synthesize(easy, Int("x"), Int("h"), forall="x", method="sygus").holes == {"h": 3}


# --- reports -----------------------------------------------------------------------------------


def test_progress() -> None:
    told: list[Any] = []
    found = synthesize(
        factored,
        Int("x"),
        Int("a"),
        Int("b"),
        forall="x",
        progress=lambda *args: told.append(args),
    )
    assert [number for number, _, _ in told] == list(range(1, found.rounds + 1))
    *wrong, last = told
    assert last == (found.rounds, found.holes, None)
    for (_, guess, inputs), met in zip(wrong, found.counterexamples, strict=True):
        assert inputs == met
        with pytest.raises(AssertionError):
            factored(**inputs, **guess)


def test_how_an_answer_looks() -> None:
    found = synthesize(factored, Int("x"), Int("a"), Int("b"), forall="x")
    assert isinstance(found, Synthesis)
    assert found.model is not None
    assert found.model.to_dict() == found.holes
    text = str(found)
    assert text.startswith("factored: found holes with which no inputs fail\n  a = ")
    assert "confirmed: CPython returned None" in text
    data = json.loads(json.dumps(found.as_dict()))
    assert sorted(data["holes"].values()) == ["2", "3"]
    assert (data["status"], data["rounds"], data["method"]) == ("sat", found.rounds, "cegis")
    assert len(data["counterexamples"]) == len(found.counterexamples)
    assert found.call.startswith("factored(x=")
    eval(found.call, {"factored": factored})
    console = Console(width=100, file=io.StringIO())
    console.print(found)
    assert "  a = " in console.file.getvalue()  # type: ignore[attr-defined]
    assert "<code>a = " in found._repr_html_()

    def never(x: Any, h: Any) -> None:
        assert x == h

    none = synthesize(never, Real("x"), Real("h"), forall="x")
    assert none.headline().endswith("never: no holes suit all inputs")
    assert none.counterexamples[0]["x"] != Fraction(0)
    assert none.as_dict()["status"] == "unsat"
    with pytest.raises(TypeError, match="found"):
        bool(none)


def test_mistakes() -> None:
    def same(x: Any, h: Any) -> None:
        assert x == h

    x, h = Int("x"), Int("h")
    with pytest.raises(QueryError, match="no method 'guess'; known are cegis, quantifiers, sygus"):
        synthesize(same, x, h, forall="x", method="guess")
    with pytest.raises(QueryError, match="there is no input 'y' for `forall`"):
        synthesize(same, x, h, forall="y")
    f = Function("f", [Int], Int)

    def applied(x: Any) -> None:
        assert f(x) == x

    with pytest.raises(QueryError, match="cannot fill in the function `f`"):
        synthesize(applied, x)


def test_bitvector_indices_are_unsigned() -> None:
    def pick(i: Any) -> int:
        return [10, 20][i]

    for width in (1, 2, 3, 8):
        outcome = execute(pick, BitVec("i", width))
        for value in range(1 << width):
            assert evaluate(outcome.asserts, {"i": bv(value, width)}) is (value < 2)


def test_choices_around_the_function_are_holes() -> None:
    factor = hole(Int)

    def doubles(x: int) -> None:
        assert x * factor == x + x

    found = synthesize(doubles)
    assert list(found.holes.values()) == [2]


def test_samples_drawn_at_random() -> None:
    def permuted(xs: Any, order: Any) -> None:
        for place, wanted in enumerate((2, 0, 3, 1)):
            assert xs[order[place]] == xs[wanted]

    xs = [BitVec(f"x{n}", 8) for n in range(4)]
    order = [BitVec(f"o{n}", 2) for n in range(4)]
    found = synthesize(permuted, xs, order, forall=[xs], samples=20)
    assert found.found
    assert found.confirmed
    assert found.rounds == 1
    assert [int(place) for place in found.filled["order"]] == [2, 0, 3, 1]


def test_samples_that_are_assumed_away_are_not_used() -> None:
    def large(x: Any, h: Any) -> None:
        assume(x > 10)
        assert x > h

    found = synthesize(large, Int("x"), Int("h"), forall=["x"], samples=5)
    assert found.found
    assert found.confirmed
    assert found.holes["h"] <= 10
