"""A contract counts wherever its function was put away, and however often it was run before."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Int, solve, verify
from solvent.contracts import generated
from solvent.contracts.pep316 import mentions
from solvent.contracts.reading import contract_of
from solvent.errors import ContractError, NotLiftedError
from tests.contracts import sample_annotated as loaded  # noqa: F401
from tests.contracts import sample_away as sample

FOUND = [value for name, value in vars(sample).items() if name.startswith(("good_", "bad_"))]
REFUSED = [value for name, value in vars(sample).items() if name.startswith("refused_")]


@pytest.mark.parametrize("function", FOUND, ids=lambda function: function.__name__)
def test_a_contract_is_found(function: Callable[..., Any]) -> None:
    # The second check meets what the first one has lifted in place.
    for _ in range(2):
        result = verify(function)
        if function.__name__.startswith("good"):
            assert result.holds, result
        else:
            assert result.confirmed, result
            assert "sample_away.py" in result.failure.position  # type: ignore[union-attr]


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_what_cannot_be_checked_is_refused(function: Callable[..., Any]) -> None:
    try:
        result = verify(function)
    except NotLiftedError as error:
        told = str(error)
    else:
        assert not result.holds
        told = result.reason
    assert "sample_away.py" in told
    assert "contract" in told


LATE = """
class Hidden:
    def __init__(self, n):
        self.n = n
    @property
    def half(self):
        "post: _ > 0"
        return self.n // 2
    @staticmethod
    def static(n):
        "post: _ > n"
        return n

def small(n):
    "post: _ > n"
    return n

def first(n):
    return Hidden(n).half + Hidden.static(n) + small(n)

def by_property(n: int):
    return Hidden(n).half

def by_static(n: int):
    return Hidden.static(n)

def by_function(n: int):
    return small(n)
"""


def test_what_was_lifted_before_the_first_check_is_checked(tmp_path: Any) -> None:
    module = types.ModuleType("lifted_first")
    (tmp_path / "lifted_first.py").write_text(LATE)
    exec(compile(LATE, str(tmp_path / "lifted_first.py"), "exec"), vars(module))
    # Its methods are lifted in place by this.
    assert solve(module.first, Int("n")).model is not None
    for name in ("by_property", "by_static", "by_function"):
        assert verify(vars(module)[name]).confirmed


def test_a_function_that_nobody_could_see_is_refused_and_then_known(tmp_path: Any) -> None:
    module = types.ModuleType("unseen")
    text = "def f(n: int) -> int:\n    return BOX[-1](n)\n"
    text += "def g(n):\n    'post: _ > n'\n    return n\n"
    (tmp_path / "unseen.py").write_text(text)
    exec(compile(text, str(tmp_path / "unseen.py"), "exec"), vars(module))
    # So far nobody looks.
    vars(module)["BOX"] = [None] * 1500 + [vars(module).pop("g")]
    with pytest.raises(NotLiftedError, match="has a contract and was found only when it was used"):
        verify(module.f)
    assert verify(module.f).confirmed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Pre: n > 0", "seems to be meant"),
        ("POST: _ > n", "seems to be meant"),
        ("post : _ > n", "seems to be meant"),
        ("- post: _ > n", "seems to be meant"),
        ("Postcondition: _ > n", "seems to be meant"),
        ("post [n]: len(n) > 1", "seems to be meant"),
        ("`post: _ > n`", "seems to be meant"),
        ("post: _ > n, 'message'", "is no condition"),
        ("post: 'the result is larger'", "is no condition"),
        ("post: (yield)", "at once"),
        ("post: _ = n", "is no Python"),
        ("post: _ >", "is no Python"),
    ],
)
def test_what_is_not_written_as_it_should_be_is_told(text: str, told: str) -> None:
    def f(n: int) -> int:
        return n

    f.__doc__ = f"Says something.\n\n    {text}\n    "
    with pytest.raises(ContractError, match=told):
        contract_of(f)


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("post:_ > n", ["_ > n"]),
        ("post: _ >= n\n      and _ > n", ["_ >= n and _ > n"]),
        ("post: _ >= n\n      as it should be", ["_ >= n"]),
        ("post:\n  # a comment\n  _ > n\n  (_\n    > 1)", ["_ > n", "(_ > 1)"]),
        ("post: _ != '('\nAnother line.", ["_ != '('"]),
        ("post: all([\n  _ > n\n])", ["all([ _ > n ])"]),
    ],
)
def test_conditions_are_read_to_their_ends(text: str, conditions: list[str]) -> None:
    def f(n: int) -> int:
        return n

    f.__doc__ = f"Says something.\n\n{text}\n"
    found = contract_of(f)
    assert found is not None
    assert [one.text for one in found.posts] == conditions


@pytest.mark.parametrize(
    "text", ["Post: creates a thing", "Raises: ValueError", "Invariant: holds", "Posted: now > 1"]
)
def test_prose_is_no_contract(text: str) -> None:
    assert not mentions(f"Text.\n{text}\n")


def test_what_makes_a_class_knows_the_invariants_of_those_below() -> None:
    for cls in (sample.Sized, sample.Smaller):
        contract = generated.contract_of(cls)
        assert contract is not None
        assert contract.invariants is not None
        assert len(contract.invariants(sample.Sized(1))) == 1
        assert len(contract.invariants(sample.Smaller(1))) == 2
