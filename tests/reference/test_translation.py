"""The virtual machine, running a program as Python, does what the rules of figure 3 say."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given

from solvent.lift import function, source
from solvent.reference import enumeration, translation
from solvent.reference.concrete import (
    Abt,
    Ans,
    Err,
    Outcome,
    Stuck,
    Value,
    evaluate,
    operate,
    same_outcome,
)
from solvent.reference.enumeration import Test
from solvent.reference.factory import SymClosure
from solvent.reference.syntax import OPERATORS, Expression, free_variables, parse, show
from solvent.reference.translation import FUNCTIONS, run, to_python
from tests.reference.test_enumeration import programs

DOMAINS: dict[str, tuple[Value, ...]] = {"int": (-1, 0, 2), "bool": (False, True)}


def environments(test: Test) -> Iterator[dict[str, Value]]:
    """All inputs of a small domain."""
    for values in product(*(DOMAINS[sort] for sort in test.sorts.values())):
        yield dict(zip(test.sorts, values, strict=True))


def check(test: Test) -> bool:
    """Compare one symbolic run with the concrete semantics on all inputs; was it not stuck?"""
    try:
        found = run(test)
    except Stuck:
        return False
    for env in environments(test):
        expected = evaluate(test.program, env)
        actual = found.under(env)  # type: ignore[arg-type]
        assert same_outcome(expected, actual), (str(test), env, expected, actual)
    return True


def outcome(text: str, **env: Value) -> Outcome:
    sorts = {name: "bool" if type(value) is bool else "int" for name, value in env.items()}
    return run(Test.of(parse(text), sorts)).under(env)  # type: ignore[arg-type]


# --- against the concrete semantics ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_generated_programs_do_what_the_rules_say(seed: int) -> None:
    count = 120
    ended = sum(check(test) for test in enumeration.tests(count, seed=100 + seed))
    assert ended > 0.98 * count


@given(programs)
def test_drawn_programs_do_what_the_rules_say(found: Expression) -> None:
    check(Test.of(found))


def test_generated_programs_come_to_everything() -> None:
    kinds = set()
    for test in enumeration.tests(100, seed=20):
        try:
            found = run(test)
        except Stuck:
            continue
        for env in environments(test):
            ended = found.under(env)  # type: ignore[arg-type]
            kinds.add(type(ended.value) if isinstance(ended, Ans) else type(ended))
    assert {Err, Abt, bool, int, tuple} <= kinds
    assert len(kinds) == 6


VALUES = ["0", "3", "-1", "#t", "#f", "null", "(let (a 2) (let (b null) (cons a b)))", "(λ a . a)"]


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_operators_check_their_operands(operator: str) -> None:
    for texts in product(VALUES, repeat=OPERATORS[operator]):
        names = ["v", "w"][: len(texts)]
        text = f"({operator} {' '.join(names)})"
        for name, value in zip(names, texts, strict=True):
            text = f"(let ({name} {value}) {text})"
        assert same_outcome(outcome(text), evaluate(parse(text), {})), text


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_operators_take_values_of_several_types(operator: str) -> None:
    """Each operand is a choice between all values, which the machine has to keep apart."""
    names = ["v", "w"][: OPERATORS[operator]]
    text = f"({operator} {' '.join(names)})"
    bits = {}
    for name in names:
        value = VALUES[0]
        for place, other in enumerate(VALUES[1:]):
            value = f"(if {name}{place} {other} {value})"
            bits[f"{name}{place}"] = False
        text = f"(let ({name} {value}) {text})"
    found = run(Test.of(parse(text), dict.fromkeys(bits, "bool")))
    for chosen in product(*([f"{name}{place}" for place in range(7)] for name in names)):
        env = {**bits, **dict.fromkeys(chosen, True)}
        assert same_outcome(found.under(env), evaluate(parse(text), env)), env


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_a_wrong_number_of_operands_is_an_error(operator: str) -> None:
    wrong = "(" + " ".join([operator, *["x"] * (3 - OPERATORS[operator])]) + ")"
    assert outcome(wrong, x=1) == operate(operator, (1,) * (3 - OPERATORS[operator])) == Err()


def test_every_operator_has_a_function() -> None:
    assert set(FUNCTIONS) == set(OPERATORS)


def test_only_false_is_false() -> None:
    for value in ("0", "null", "#t", "(λ a . a)", "1"):
        assert outcome(f"(let (v {value}) (if v 1 2))") == Ans(1)
    assert outcome("(let (v #f) (if v 1 2))") == Ans(2)
    assert outcome("(if x 1 2)", x=0) == Ans(1)
    assert outcome("(let (v (if p x p)) (if v 1 2))", p=True, x=0) == Ans(1)
    assert outcome("(let (v (if p x p)) (if v 1 2))", p=False, x=0) == Ans(2)


# --- states ------------------------------------------------------------------------------------


def test_errors_and_aborts_are_states() -> None:
    found = run(Test.of(parse("(if p (error) (if q (abort) x))")))
    assert not found.halted
    assert str(found.asserts) == "not p"
    assert found.under({"p": False, "q": True, "x": 1}) == Abt()
    assert found.under({"p": True, "q": True, "x": 1}) == Err()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(error)", Err()),
        ("(abort)", Abt()),
        ("(let (a (abort)) (error))", Abt()),
        ("(let (a (error)) (abort))", Err()),
        ("(if p (error) (abort))", Err()),
        ("(if p (+ p p) (error))", Err()),
    ],
)
def test_programs_that_never_end_normally_are_halted(text: str, expected: Outcome) -> None:
    found = run(Test.of(parse(text)))
    assert found.halted
    assert found.value is None
    assert found.under({"p": True}) == expected


# --- closures ----------------------------------------------------------------------------------


def test_closures_have_their_whole_environment() -> None:
    found = run(Test.of(parse("(let (a 1) (let (b x) (λ c . (+ a c))))")))
    closure = found.value
    assert isinstance(closure, SymClosure)
    assert closure.variable == "c"
    assert show(closure.body) == "(+ a c)"
    assert {name: str(value) for name, value in closure.environment.items()} == {
        "x": "x",
        "a": "1",
        "b": "x",
    }


def test_closures_capture_values_and_not_variables() -> None:
    assert outcome("(let (a 1) (let (f (λ b . a)) (let (a 2) (f a))))") == Ans(1)
    assert outcome("(let (f (if p (let (a 1) (λ b . a)) (λ b . b))) (f p))", p=True) == Ans(1)


def test_choices_of_closures_keep_their_guards() -> None:
    found = run(Test.of(parse("(let (a (if p 1 2)) (if q (λ x . a) (λ x . x)))")))
    rows = found.parts(found.value)
    assert [show(part.body) for _, part in rows] == ["a", "x"]
    assert [str(guard) for guard, _ in rows] == ["q", "not q"]


# --- fuel --------------------------------------------------------------------------------------

COUNT_DOWN = """
(let (one -1) (let (zero 0)
(let (step (λ self . (λ n . (let (more (< zero n))
  (if more (let (rest (+ n one)) (let (next (self self)) (next rest))) n)))))
(let (start (step step)) (start n)))))
"""


@pytest.mark.parametrize("text", ["(let (w (λ x . (x x))) (w w))", COUNT_DOWN])
@pytest.mark.parametrize("fuel", [0, 1, 2, 5, 6, 7, 100])
def test_fuel_is_that_of_the_rules(text: str, fuel: int) -> None:
    program = parse(text.replace("(start n)", "(let (n 5) (start n))"))
    try:
        expected: Outcome | None = evaluate(program, {}, fuel)
    except Stuck:
        expected = None
    if expected is None:
        with pytest.raises(Stuck, match="fuel"):
            run(Test.of(program), fuel)
    else:
        assert run(Test.of(program), fuel).under({}) == expected


@pytest.mark.parametrize(
    "text",
    [
        "(let (w (λ x . (x x))) (w w))",
        "(let (w (λ x . (if p (x x) (x x)))) (w w))",
        "(let (w (λ x . (let (y (x x)) (x x)))) (w w))",
        "(let (w (λ x . (if p (x x) p))) (if q (w w) p))",
        "(let (w (λ x . (let (l null) (let (m (cons x l)) (let (y (car m)) (y y)))))) (w w))",
        COUNT_DOWN,
    ],
)
def test_endless_programs_are_stuck(text: str) -> None:
    with pytest.raises(Stuck):
        run(Test.of(parse(text)))


def test_a_call_of_what_is_no_procedure_needs_no_fuel() -> None:
    assert run(Test.of(parse("(x x)")), fuel=0).under({"x": 1}) == Err()


def test_too_many_calls_are_stuck() -> None:
    text = "(f x)"
    for _ in range(12):
        text = f"(let (f (λ x . (let (y (f x)) (f y)))) {text})"
    program = parse(f"(let (f (λ x . x)) {text})")
    assert run(Test.of(program)).under({"x": 4}) == Ans(4)
    with pytest.raises(Stuck, match="too many calls"):
        run(Test.of(program), calls=4000)


# --- the text ----------------------------------------------------------------------------------


def test_the_source_is_python() -> None:
    for test in enumeration.tests(200, seed=30):
        compile(to_python(test.program, list(test.sorts)), "<text>", "exec")


@pytest.mark.parametrize("name", ["_", "def", "null?x", "a-b", "_sv_s", "fuel", "add", "λx"])
def test_any_name_is_a_variable(name: str) -> None:
    text = f"(let ({name} x) (let (f (λ x . {name})) (f x)))"
    assert outcome(text, x=7) == Ans(7)
    assert outcome(f"(let (y 1) (+ {name} y))", **{name: 2}) == Ans(3)


def test_a_variable_without_a_value_is_stuck() -> None:
    with pytest.raises(Stuck, match="`x` has no value"):
        to_python(parse("(+ x y)"), ["y"])
    with pytest.raises(Stuck, match="`x` has no value"):
        run(Test(parse("x"), {}))


def test_deep_programs_run() -> None:
    ifs = "x"
    for place in range(40):
        ifs = f"(if p (let (x (+ x x)) {ifs}) x)" if place % 2 else f"(if q x {ifs})"
    program = parse(ifs)
    found = run(Test.of(program))
    for p, q in product((False, True), repeat=2):
        env: dict[str, Value] = {"p": p, "q": q, "x": 1}
        assert same_outcome(found.under(env), evaluate(program, env))  # type: ignore[arg-type]


def test_what_python_cannot_nest_is_stuck() -> None:
    text = "x"
    for _ in range(120):
        text = f"(if p {text} x)"
    with pytest.raises(Stuck, match="too deeply nested"):
        run(Test.of(parse(text)))


def test_nothing_is_kept_of_a_program() -> None:
    run(Test.of(parse("(let (f (λ x . x)) (+ x x))")))
    files, codes, lines = len(source._FILES), len(function._REWRITTEN), len(linecache.cache)
    for test in enumeration.tests(20, seed=31):
        check(test)
    assert len(source._FILES) == files
    assert len(function._REWRITTEN) <= codes + len(FUNCTIONS)
    assert len(linecache.cache) == lines


def test_a_broken_operator_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(translation.FUNCTIONS, "<", translation.equal)
    tests = list(enumeration.tests(200, seed=100))
    with pytest.raises(AssertionError, match="<"):
        list(map(check, tests))


def test_all_inputs_are_given() -> None:
    for test in enumeration.tests(50, seed=32):
        first = to_python(test.program, list(test.sorts)).splitlines()[0]
        assert first.count(",") == len(free_variables(test.program))
