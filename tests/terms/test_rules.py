"""Every rewriting rule is proved: a solver finds no operands for which both sides differ."""

from __future__ import annotations

import inspect
import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from solvent.terms import Array, BitVec, Bool, Int, Real, Str, bv, rules
from solvent.terms.arrays import SELECT
from solvent.terms.bitvector_ops import BVADD, BVULE, CONCAT
from solvent.terms.rules import RULES, Rule, rule
from solvent.terms.sorts import ArraySort, BitVecSort, Sort
from solvent.terms.term import Term, raw, same_operand
from solvent.terms.values import sort_of
from tests.terms.z3_reference import applied, counterexample

WIDTHS = (1, 2, 3, 4, 5, 8)
BITVECTORS = tuple(BitVec(width) for width in WIDTHS)
THEORIES: dict[str, tuple[Sort[Any], ...]] = {
    "Bool": (Bool,),
    "Int": (Int,),
    "Real": (Real,),
    "BitVec": BITVECTORS,
    "Str": (Str,),
    "Array": (
        Array(Int, Int),
        Array(Int, Bool),
        Array(BitVec(2), BitVec(3)),
        Array(Int, Array(Int, Int)),
    ),
}
BITVECTOR_OPERATORS = ("concat", "extract", "zero_extend", "sign_extend", "int_to_bv", "ubv_to_int")
# At most this many combinations of operands are tried for each sort.
COMBINATIONS = 40
# The rules of these theories alone are proved by the tests of the theories.
ELSEWHERE = {("Str",), ("Float",)}
CORE_RULES = [declared for declared in RULES if declared.theories not in ELSEWHERE]


def sorts_for(declared: Rule) -> tuple[Sort[Any], ...]:
    """The sorts over which a rule is proved."""
    names = declared.theories
    if not names:
        name = declared.op.name
        if name.startswith("bv") or name in BITVECTOR_OPERATORS:
            names = ("BitVec",)
        elif name in ("div", "mod"):
            names = ("Int",)
        else:
            names = ("Bool",)
    return tuple(sort for name in names for sort in THEORIES[name])


def values(sort: Sort[Any]) -> list[Any]:
    """Interesting values of a sort, the units among them first."""
    if sort is Bool:
        return [True, False]
    if sort is Int:
        return [0, 1, -1, 2, -2, 3, -3, 4, 6, 7, -8, 12]
    if sort is Real:
        halves = [Fraction(1, 2), Fraction(-1, 2), Fraction(7, 3), Fraction(-9, 4)]
        return [Fraction(0), Fraction(1), Fraction(-1), Fraction(2), Fraction(-3), *halves]
    if isinstance(sort, BitVecSort):
        top = 1 << (sort.width - 1)
        chosen = [0, 1, -1, top, top - 1, 2, 3, 5, top + 1, -2, -3]
        return list(dict.fromkeys(bv(value, sort.width) for value in chosen))
    if sort is Str:
        return ["", "a", "b", "ab"]
    raise AssertionError(f"no constants of sort {sort}")


def pool(name: str, sort: Sort[Any]) -> list[Any]:
    """What a parameter of an example may stand for; the first is the plainest."""
    element = sort.element if isinstance(sort, ArraySort) else sort
    index = sort.index if isinstance(sort, ArraySort) else sort
    p = Bool("p")
    if name == "x":
        return [element("x")]
    if name in ("y", "z"):
        return [element(name), element("x")]
    if name in ("p", "q", "r"):
        return [Bool(name)] if name == "p" else [Bool(name), p, ~p]
    if name == "a":
        return [sort("a")]
    if name == "i":
        return [index("i")]
    if name in ("c", "d", "e"):
        return [value for value in values(index) if value not in (0, False)]
    if name == "u":
        return values(index)
    if name == "b":
        return [True, False]
    if name == "f":
        return values(Real)
    if name in ("k", "n"):
        return [0, 1, 2, 3]
    raise AssertionError(f"an example has an unknown parameter {name}")


def instances(declared: Rule, sort: Sort[Any]) -> Iterator[tuple[Any, ...]]:
    """Operands made by the example of a rule, from several choices of its parameters."""
    names = list(inspect.signature(declared.example).parameters)
    combinations = list(itertools.product(*(pool(name, sort) for name in names)))
    if len(combinations) > COMBINATIONS:
        chosen = random.Random(declared.statement).sample(combinations[1:], COMBINATIONS - 1)
        combinations = [combinations[0], *chosen]
    for combination in combinations:
        yield in_one_sort(declared.example(*combination))


def in_one_sort(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """An int beside a real term is the fraction that the constructor would pass on."""
    if any(isinstance(operand, Term) and operand.sort is Real for operand in operands):
        return tuple(Fraction(v) if type(v) is int else v for v in operands)
    return operands


def is_tried(declared: Rule, operands: tuple[Any, ...]) -> bool:
    """Whether the operator's tables list the rule for these operands."""
    op, args = declared.op, applied(declared.op, operands)[1]
    listed: list[Any] = []
    if not any(isinstance(arg, Term) for arg in args):
        return False
    if len(args) == 2 and all(isinstance(arg, Term) for arg in args):
        first, last = args
        if first is last:
            listed += op.same_rules
        for head in (first.op.base, last.op.base if op is CONCAT else None):
            listed += op.rules.get(head, ())
        listed += op.right_rules.get(last.op.base, ())
    elif len(args) == 2 and not (op is SELECT and isinstance(args[0], Term)):
        in_front = not isinstance(args[0], Term)
        term = args[1] if in_front else args[0]
        table = op.left_constant_rules if in_front else op.constant_rules
        for head in (None, type(term.sort), term.op.base):
            listed += table.get(head, ())
    else:
        if len(args) == 3 and same_operand(args[1], args[2]):
            listed += op.same_rules
        for head in (
            None,
            type(op.result(*operands)),
            *(arg.op.base for arg in args if isinstance(arg, Term)),
        ):
            for table in (op.rules, op.right_rules, op.constant_rules):
                listed += table.get(head, ())
    return declared.function in [inspect.unwrap(function) for function in listed]


def rewritings(declared: Rule, sort: Sort[Any]) -> list[tuple[Any, Any]]:
    """Each unsimplified application with what the rule, and the constructor, make of it."""
    pairs = []
    for operands in instances(declared, sort):
        if not is_tried(declared, operands):
            continue
        result = declared.function(*operands)
        if result is None:
            continue
        op, args = applied(declared.op, operands)
        application = raw(op, *args)
        pairs += [(application, result), (application, op(*args))]
    return pairs


def refutation(declared: Rule) -> str | None:
    """Why a rule is not to be trusted, or None if it is proved."""
    fired = {type(sort): False for sort in sorts_for(declared)}
    for sort in sorts_for(declared):
        pairs = rewritings(declared, sort)
        fired[type(sort)] |= bool(pairs)
        found = counterexample(pairs)
        if found is not None:
            return f"over {sort}: {found}"
    return None if all(fired.values()) else "the rule never applies to its example"


def identify(declared: Rule) -> str:
    return f"{declared.name}: {declared.statement}"


@pytest.mark.parametrize("declared", CORE_RULES, ids=identify)
def test_rule_is_proved(declared: Rule) -> None:
    assert refutation(declared) is None


@pytest.mark.parametrize("declared", CORE_RULES, ids=identify)
def test_rule_gives_values_as_the_theory_represents_them(declared: Rule) -> None:
    for sort in sorts_for(declared):
        for application, result in rewritings(declared, sort):
            assert sort_of(result) is application.sort
            if not isinstance(result, Term):
                assert type(result) is type(application.sort.default)


@pytest.fixture
def scratch_rules() -> Iterator[None]:
    """Take back what a test declares."""
    op_tables = [(op, op.rules, op.constant_rules) for op in (BVADD, BVULE)]
    saved = [
        ({k: list(v) for k, v in a.items()}, {k: list(v) for k, v in b.items()})
        for _, a, b in op_tables
    ]
    count = len(RULES)
    yield
    del RULES[count:]
    for (_, *tables), copies in zip(op_tables, saved, strict=True):
        for table, copy in zip(tables, copies, strict=True):
            table.clear()
            table.update(copy)


def declare(*args: Any, **kwargs: Any) -> Rule:
    function = kwargs.pop("function")
    rule(*args, **kwargs)(function)
    return rules.RULES[-1]


@pytest.mark.usefixtures("scratch_rules")
def test_a_wrong_rule_is_caught() -> None:
    wrong = declare(
        BVADD,
        "x + c = x",
        lambda x, c: (x, c),
        constant=True,
        function=lambda x, c: x if c.value == c.sort.mask else None,
    )
    found = refutation(wrong)
    assert found is not None
    assert "differ under" in found


@pytest.mark.usefixtures("scratch_rules")
def test_a_rule_that_is_wrong_for_one_width_is_caught() -> None:
    wrong = declare(
        BVULE,
        "ule(x, c) = True for all c above 30",
        lambda x, c: (x, c),
        constant=True,
        function=lambda x, c: True if c.value > 30 else None,
    )
    found = refutation(wrong)
    assert found is not None
    assert found.startswith("over BitVec(8)")


@pytest.mark.usefixtures("scratch_rules")
def test_a_rule_of_the_wrong_sort_is_caught() -> None:
    wrong = declare(
        BVADD, "x + c = p", lambda x, c: (x, c), constant=True, function=lambda x, c: Bool("p")
    )
    assert "of sort Bool" in (refutation(wrong) or "")


@pytest.mark.usefixtures("scratch_rules")
def test_a_rule_that_never_applies_is_caught() -> None:
    idle = declare(
        BVADD, "x + c = x", lambda x, c: (x, c), constant=True, function=lambda x, c: None
    )
    assert refutation(idle) == "the rule never applies to its example"


@pytest.mark.usefixtures("scratch_rules")
def test_a_rule_that_the_constructor_does_not_try_is_caught() -> None:
    unlisted = declare(BVADD, "x + 0 = x", lambda x: (x, bv(0, x.width)), function=lambda x, c: x)
    assert refutation(unlisted) == "the rule never applies to its example"
