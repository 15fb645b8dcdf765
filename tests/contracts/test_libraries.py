"""Contracts mean what their libraries do with them: CPython decides, on every small input.

Each function is called with all inputs of a small domain, with the decorators of the real library.
What it raises there is what a check must find; inputs that its own precondition excludes do not
count, and this is known from the exception, or from the condition itself.
"""

from __future__ import annotations

import importlib
import itertools
import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solvent import Int, assume, verify
from solvent.contracts.making import by_instance, constructor
from solvent.contracts.subjects import checked
from solvent.errors import AssumptionError, NotLiftedError
from solvent.queries.owners import owner_of
from solvent.queries.spaces.annotations import of_annotation
from solvent.vm.machine import JOURNALING
from tests.contracts import sample_annotated as annotated
from tests.contracts import sample_deal as deal
from tests.contracts import sample_icontract as icontract
from tests.contracts import sample_pep316 as pep316

INTS = (*range(-12, 22), 77, 99, 100)
LISTS = ([], [0], [1], [-1], [0, 1], [2, 1], [1, 2, 3])

# What is checked, where it fails, and with what; nothing if it holds.
CASES: list[tuple[Callable[..., Any], str, str]] = [
    (icontract.inc, '"grows"', "ViolationError"),
    (icontract.push, "", ""),
    (icontract.inner, "", ""),
    (icontract.outer, "error=ValueError)", "ValueError"),
    (icontract.fact, "", ""),
    (icontract.custom, "result > 0, error=ValueError", "PostconditionViolation"),
    (icontract.several, "", ""),
    (icontract.raising, "", ""),
    (icontract.calls_made, "KeyError(x)", "KeyError"),
    (icontract.recursive, "", ""),
    (deal.inc, "ensure(lambda x, result", "PostContractError"),
    (deal.short, "_.result != _.x + 41", "PostContractError"),
    (deal.div, "", ""),
    (deal.unsafe, "@deal.safe", "RaisesContractError"),
    (deal.caller, "@deal.safe", "RaisesContractError"),
    (deal.why, "@deal.reason", "ReasonContractError"),
    (deal.gen, "@deal.post", "PostContractError"),
    (deal.asserts, "@deal.safe", "RaisesContractError"),
    (deal.told, "", ""),
    (deal.calls_told, "too small", "PreContractError"),
    (deal.custom, "exception=ValueError", "PostconditionViolation"),
    (deal.named, "", ""),
    (deal.use, "@deal.inv", "InvContractError"),
    (pep316.root, "post: _ * _ <= x", "PostconditionViolation"),
    (pep316.good, "", ""),
    (pep316.caller, "pre: x >= 0", "PreconditionViolation"),
    (pep316.forgiving, "pre: x >= 0", "PreconditionViolation"),
    (pep316.refusing, "pre: x >= 0", "PreconditionViolation"),
    (pep316.at_last, "pre: x >= 0", "PreconditionViolation"),
    (pep316.excused, "post: _ != 77", "PostconditionViolation"),
    (pep316.caught_elsewhere, "", ""),
    (pep316.push, "", ""),
    (pep316.bad_push, "post[]: True", "PostconditionViolation"),
    (pep316.division, "", ""),
    (pep316.index, "", ""),
    (pep316.closure, "", ""),
    (pep316.indirect, "pre: x >= 0", "PreconditionViolation"),
    (pep316.shadowed, "post: __return__", "PostconditionViolation"),
    (annotated.inverse, "", ""),
    (annotated.calls_inverse, "def inverse", "PreconditionViolation"),
    (annotated.grow, "def grow", "PostconditionViolation"),
    (annotated.last, "", ""),
    (annotated.calls_last, "def last", "PreconditionViolation"),
    (annotated.even, "", ""),
    (annotated.sixth, "", ""),
    (annotated.odd, "", ""),
    (annotated.pairs, "", ""),
    (annotated.noted, "", ""),
    (annotated.field, "", ""),
    (annotated.given, "", ""),
    (annotated.made, "items: Annotated", "PreconditionViolation"),
]


# Merging alone does not see that these end.
RECURSIVE = (icontract.fact, icontract.recursive)


def source_line(position: str) -> str:
    """The text of a line."""
    file, _, line = position.rpartition(":")
    return linecache.getline(file, int(line))


def _name(value: object) -> str:
    found = getattr(value, "__module__", "").rpartition("_")[2]
    return f"{found}.{value.__qualname__}" if callable(value) else str(value)


@pytest.mark.parametrize(("function", "text", "error"), CASES, ids=_name)
def test_a_check_finds_what_the_library_raises(
    function: Callable[..., Any], text: str, error: str
) -> None:
    result = verify(function, budget=60) if function in RECURSIVE else verify(function)
    if not error:
        assert result.holds, result
        return
    assert result.failure is not None, result
    assert type(result.failure.exception).__name__ == error
    assert text in source_line(result.failure.position)
    assert result.confirmed
    assert result.replay is not None
    assert result.replay.position == result.failure.position


def domain(function: Callable[..., Any]) -> list[tuple[Any, ...]]:
    """All small inputs of a function of ints and lists of ints."""
    hints = [str(hint) for name, hint in function.__annotations__.items() if name != "return"]
    values: list[Any] = [LISTS if "list" in hint else INTS for hint in hints]
    return list(itertools.product(*values))


SIMPLE = [case for case in CASES if case[0] not in (annotated.pairs, annotated.field)]


@pytest.mark.parametrize(("function", "text", "error"), SIMPLE, ids=_name)
def test_cpython_says_the_same_of_all_small_inputs(
    function: Callable[..., Any], text: str, error: str
) -> None:
    raised = set()
    with checked(function) as found:
        assert found is not None
        plain = found.subject().__wrapped__  # type: ignore[attr-defined]
        for args in domain(function):
            try:
                plain(*(list(arg) if isinstance(arg, list) else arg for arg in args))
            except AssumptionError:
                continue
            except Exception as problem:
                if type(problem) not in found.raises():
                    raised.add(type(problem).__name__)
    assert raised == ({error} if error else set())


def test_a_function_is_as_before_after_its_check() -> None:
    code, attributes = pep316.good.__code__, dict(vars(pep316.good))
    assert verify(pep316.good).holds
    assert pep316.good.__code__ is code
    assert vars(pep316.good) == attributes
    # Nobody checks a docstring otherwise.
    assert pep316.good(-1) == 0


CLASSES: list[tuple[Callable[..., Any], str, str]] = [
    (icontract.Account.put, "", ""),
    (icontract.Account.take, "invariant(lambda self", "ViolationError"),
    (constructor(icontract.Account), "invariant(lambda self", "ViolationError"),
    (icontract.Base.f, "", ""),
    (icontract.Derived.f, "result % 2 == 0", "ViolationError"),
    (pep316.Account.put, "", ""),
    (pep316.Account.take, "inv: self.balance >= 0", "InvariantViolation"),
    (constructor(pep316.Account), "inv: self.balance >= 0", "InvariantViolation"),
    (pep316.Small.double, "inv: self.balance <= 100", "InvariantViolation"),
    (pep316.Small.through, "", ""),
    (pep316.Own.down, "def __invariant__", "InvariantViolation"),
    (pep316.Own.up, "", ""),
]


@pytest.mark.parametrize(("function", "text", "error"), CLASSES, ids=_name)
def test_invariants_hold_before_and_after(
    function: Callable[..., Any], text: str, error: str
) -> None:
    test_a_check_finds_what_the_library_raises(function, text, error)


def test_invariants_of_deal_are_checked_by_its_own_class() -> None:
    post = of_annotation(deal.Post)
    assert verify(by_instance(deal.Post, "like"), post).holds
    found = verify(by_instance(deal.Post, "dislike"), post)
    assert found.confirmed
    assert type(found.failure.exception).__name__ == "InvContractError"  # type: ignore[union-attr]
    # The class is called as it stands in the source, not as deal calls the one that it makes.
    assert (found.call, found.setup) == ("Post.dislike(self=Post())", "")


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (deal.pure, "@deal.pure"),
        (annotated.zone, "def zone"),
        (pep316.Shadowing.of, "post: _ >= 0"),
    ],
    ids=_name,
)
def test_what_is_not_understood_is_told_with_its_line(
    function: Callable[..., Any], text: str
) -> None:
    with pytest.raises(NotLiftedError) as found:
        verify(function)
    assert text in source_line(str(found.value).partition(": ")[0])


def test_methods_of_wrapped_classes_have_their_owner() -> None:
    assert owner_of(icontract.Account.put) is icontract.Account
    assert owner_of(pep316.Account.put) is pep316.Account


def test_a_precondition_that_nothing_satisfies_proves_nothing() -> None:
    def contradictory(x: int) -> int:
        """
        pre: x > 0
        pre: x < 0
        """
        return 1 // 0

    result = verify(contradictory)
    assert not result.holds
    assert result.model is None
    assert "no input fulfils" in result.reason


def test_a_module_that_had_no_contracts_may_get_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "grown.py"
    file.write_text("def half(n: int) -> int:\n    return n // 2\n")
    module = importlib.import_module("grown")

    def uses(n: int) -> None:
        module.half(n)

    try:
        assert verify(uses).holds
        file.write_text('def half(n: int) -> int:\n    "pre: n > 0"\n    return n // 2\n')
        linecache.checkcache()
        importlib.reload(module)
        found = verify(uses)
        assert found.failure is not None
        assert found.failure.position == f"{file}:2"
        assert found.confirmed
    finally:
        del sys.modules["grown"]


def test_symbolic_variables_around_have_values_beside_contracts() -> None:
    y = Int("y")

    def program() -> None:
        assume(y != 0)
        assert pep316.good(abs(y)) > 2

    result = verify(program)
    assert result.inputs["y"] in (-1, 1)
    assert result.confirmed


def test_nothing_is_watched_when_a_check_is_over() -> None:
    before = set(JOURNALING)
    assert verify(annotated.last).holds is not None
    assert before == JOURNALING
