"""The compiled core and the one in Python build the same terms, in the same order.

SOLVENT_PROGRAMS=N compares N random programs, and as many random sequences of operations.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from solvent.errors import SolventError
from solvent.lift import execute
from solvent.terms import Bool, Int, and_, eq, ite, live_terms, not_, or_, rules, sweep
from solvent.terms.arithmetic import ADD, MUL, NEG
from solvent.terms.booleans import AND, EQ, NOT, OR, BoolTerm
from solvent.terms.core import COMPILED
from solvent.terms.rules import RULES, conditions
from solvent.terms.term import Term, raw
from solvent.vm import owned
from tests.core.scenarios import merging, nested, random_terms
from tests.patience import FOREVER

if COMPILED:
    from solvent.terms.compiled import call_as_join
    from solvent.terms.compiled import conditions as compiled_conditions

ROOT = Path(__file__).parents[2]
COUNT = os.environ.get("SOLVENT_PROGRAMS", "40")


def printed(pure: bool) -> Iterator[str]:
    """What the scenarios print on one of the cores."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path}
    environment["SOLVENT_PURE"] = "1" if pure else ""
    command = [sys.executable, "-m", "tests.core.scenarios", COUNT, COUNT]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        output, errors = process.communicate(timeout=FOREVER)
    assert process.returncode == 0, errors
    yield from output.splitlines()


@pytest.mark.any_core
@pytest.mark.skipif(find_spec("solvent.terms.compiled") is None, reason="not built here")
def test_both_cores_build_the_same_terms() -> None:
    compiled, in_python = list(printed(False)), list(printed(True))
    assert json.loads(compiled[0]) == {"compiled": True}
    assert json.loads(in_python[0]) == {"compiled": False}
    assert len(compiled) > 2 * int(COUNT) + 10
    rows = [
        (json.loads(one), json.loads(other)) for one, other in zip(compiled, in_python, strict=True)
    ]
    assert sum(one.get("terms", 0) for one, _ in rows) > 10_000
    for one, other in rows[1:]:
        assert one == other


# --- what rules need ------------------------------------------------------------------------------


def boolean_terms() -> list[Any]:
    """All small conditions over a few atoms, also those that rules would have made simpler."""
    p, q = Bool("need p"), Bool("need q")
    x, y = Int("need x"), Int("need y")
    atoms: list[Any] = [p, q, eq(x, 1), eq(x, 2), eq(y, 1), eq(x, y), x <= y]
    literals = [*atoms, *map(not_, atoms)]
    pairs = [raw(op, a, b) for op in (AND, OR) for a in literals[:10] for b in literals[:10]]
    return [*literals, *pairs, *(raw(NOT, pair) for pair in pairs), raw(NOT, raw(NOT, p))]


NEEDY = [declared for declared in RULES if declared.needs and declared.op in (AND, OR)]


@pytest.mark.parametrize(
    "declared", NEEDY, ids=lambda declared: f"{declared.op.name} {declared.name}"
)
def test_a_rule_applies_only_where_what_it_needs_is_there(declared: rules.Rule) -> None:
    heads = {
        head
        for head, functions in declared.op.rules.items()
        if any(getattr(f, "__wrapped__", f) is declared.function for f in functions)
    }
    terms = boolean_terms()
    applied = 0
    for a in terms:
        if a.op.base in heads:
            for b in terms:
                if declared.function(a, b) is not None:
                    applied += 1
                    assert conditions(a, b) & declared.needs, (a, b)
    assert applied > 0


def test_every_other_rule_that_needs_something_is_known() -> None:
    """Those that are not on conditions are tested by hand, here."""
    others = {(declared.op.name, declared.name) for declared in RULES if declared.needs} - {
        (declared.op.name, declared.name) for declared in NEEDY
    }
    assert others == {(EQ.name, "eq_ite_branch"), *((ADD.name, name) for name in SUMS)}
    p, x, y, z = Bool("need p"), Int("need x"), Int("need y"), Int("need z")
    (declared,) = (found for found in RULES if found.name == "eq_ite_branch")
    choices = [ite(p, a, b) for a in (x, y, x + y) for b in (y, z, x * z) if a is not b]
    for choice in choices:
        for other in (x, y, z, x + y, x * z, *choices):
            if declared.function(choice, other) is not None:
                assert conditions(choice, other) & declared.needs


SUMS = (
    "add_inverse",
    "add_cancel",
    "add_multiple",
    "add_multiples",
    "add_negative_multiple",
)


@pytest.mark.parametrize("name", SUMS)
def test_a_rule_on_sums_applies_only_where_a_part_is_shared(name: str) -> None:
    (declared,) = (found for found in RULES if found.name == name)
    x, y = Int("sum x"), Int("sum y")
    atoms = [x, y, raw(NEG, x), raw(NEG, y), raw(NEG, raw(NEG, x))]
    products = [raw(MUL, a, number) for a in atoms for number in (2, -3)]
    sums = [raw(ADD, a, b) for a in (*atoms, *products[:4]) for b in (*atoms, 5) if a is not b]
    head = {"add_inverse": NEG, "add_cancel": NEG, "add_negative_multiple": NEG}.get(name, MUL)
    applied = 0
    for a in (*atoms, *products, *sums):
        if a.op.base is head:
            for b in (*atoms, *products, *sums):
                if declared.function(a, b) is not None:
                    applied += 1
                    assert conditions(a, b) & declared.needs, (a, b)
    assert applied > 0


def test_needs_of_rules_that_are_left_out_are_in_the_tables() -> None:
    for op in (AND, OR):
        assert op.tables[0] == {} == op.tables[rules.VALUE]
        assert op.tables[3] is op.rules
        assert set(op.tables[rules.SHARED]) == set(op.rules)


@pytest.mark.skipif(not COMPILED, reason="about the compiled core")
def test_the_compiled_core_sees_the_same_needs() -> None:
    found = [term for term in random_terms(1, 1_500) if isinstance(term, Term)]
    terms = [*boolean_terms()[::7], *found[::11]]
    seen = set()
    for a in terms:
        for b in terms:
            seen.add(conditions(a, b))
            assert compiled_conditions(a, b) == conditions(a, b), (a, b)
    assert seen == {0, 1, 2, 3}


# --- the functions that are replaced ------------------------------------------------------------


def test_functions_with_a_fast_path_look_as_they_do_in_python() -> None:
    assert and_.__name__ == "and_"
    assert and_.__module__ == "solvent.terms.booleans"
    assert "conjunction" in (and_.__doc__ or "")
    assert "and_" in repr(and_)
    p = Bool("looks")
    assert and_(operand for operand in (p, True)) is p
    assert or_(p, [True][0]) is True
    assert ite(test=p, a=1, b=2) is ite(p, 1, 2)
    with pytest.raises(TypeError):
        ite(p, 1)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        not_(p, p)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        BoolTerm.__and__(p)  # type: ignore[call-arg]
    assert BoolTerm.__and__(p, p) is p
    assert p.__and__(p) is p
    assert pickle.loads(pickle.dumps(and_)) is and_
    assert copy.deepcopy([and_])[0] is and_


@pytest.mark.skipif(not COMPILED, reason="about the compiled core")
def test_the_compiled_join_passes_as_many_references_as_the_one_in_python() -> None:
    def counts(_c: object, a: object, b: object, _refs: int, _others: int) -> tuple[int, int]:
        return sys.getrefcount(a), sys.getrefcount(b)

    assert call_as_join(counts, (object(),), (object(),)) == (owned.PASSED, owned.PASSED)
    alias = object()
    assert call_as_join(counts, (alias,), (object(),))[0] == owned.PASSED + 1


# --- memory -------------------------------------------------------------------------------------


def test_nothing_is_left_of_runs_that_are_over() -> None:
    """Runs that merge everything, and operations that fail, leave no memory behind."""
    p, x = Bool("left p"), Int("left x")
    tests = [Bool(f"left {place}") for place in range(4)]

    def work() -> None:
        execute(merging, tests, x, x + 1)
        execute(nested, tests, x)
        random_terms(3, 150)
        for wrong in ((p, None), (x, object()), (None, p)):
            with contextlib.suppress(SolventError, TypeError):
                and_(*wrong)
            with contextlib.suppress(SolventError, TypeError):
                ite(p, *wrong)
        with contextlib.suppress(TypeError):
            ite(p, [], x)

    def used() -> tuple[int, int]:
        gc.unfreeze()
        gc.collect()
        sweep()
        gc.collect()
        return sys.getallocatedblocks(), live_terms()

    def growth() -> tuple[int, int]:
        blocks, terms = used()
        for _ in range(12):
            work()
        blocks_after, terms_after = used()
        return blocks_after - blocks, terms_after - terms

    for _ in range(6):
        work()
    # A reference that is lost in each round would be hundreds, each time; a cache that something
    # else fills grows once.
    grown = [growth() for _ in range(3)]
    assert min(terms for _, terms in grown) == 0
    assert min(blocks for blocks, _ in grown) < 150
