"""Unique constants, few and many, and functions that solvers call by other names."""

from __future__ import annotations

import pytest

from solvent.boogie.constants import MOST_PAIRED
from solvent.boogie.lowering import lower
from solvent.reach.search import search
from solvent.terms import size
from solvent.verdicts import Verdict
from tests.boogie.helpers import checked, fails_as_marked


def constants(count: int, type_: str = "T") -> str:
    """A program with so many unique constants, and one that is not."""
    names = "".join(f"const unique c{number}: {type_};\n" for number in range(count))
    return f"type T;\nconst other: {type_};\n{names}"


@pytest.mark.parametrize("count", [2, MOST_PAIRED, MOST_PAIRED + 1, 40])
@pytest.mark.parametrize("type_", ["T", "int", "bv8", "[int]bool"])
def test_unique_constants_differ(count: int, type_: str) -> None:
    """Those and no others, however many there are."""
    fails_as_marked(f"""{constants(count, type_)}
    procedure p(x: {type_}) {{
      assert c0 != c{count - 1};
      assert other != c0;  // fails
    }}
    procedure q(x: {type_}) {{
      assert x == c0 ==> x != c1;
      assert x == c0 || x == c1;  // fails
    }}
    """)


@pytest.mark.parametrize("count", [3, MOST_PAIRED + 1])
def test_more_unique_constants_than_values_contradict_each_other(count: int) -> None:
    """Everything follows, as from all other axioms that cannot be."""
    fails_as_marked(f"{constants(2, 'bool')} procedure p() {{\nassert false;  // fails\n}}")
    fails_as_marked(f"{constants(count, 'bool')} procedure p() {{ assert false; }}")


def test_axioms_grow_with_the_constants_and_not_with_their_pairs() -> None:
    def total(count: int) -> int:
        return sum(size(axiom) for axiom in lower(checked(constants(count))).axioms)

    assert total(400) < 3 * total(200)


def test_a_search_among_many() -> None:
    text = (
        constants(300) + "procedure main(x: T) { assert x == c7 ==> x != c299; assert x != c299; }"
    )
    found = search(lower(checked(text)), "main")
    assert found.verdict is Verdict.VIOLATED
    assert found.confirmed


def test_names_that_only_z3_knows() -> None:
    """The remainder has the sign that Z3 gives it."""
    fails_as_marked("""
    function {:builtin "rem"} rem(int, int) returns (int);
    function {:builtin "iff"} same(bool, bool) returns (bool);
    function {:bvbuiltin "bvumul_noovfl"} fits(bv8, bv8) returns (bool);
    procedure p(a: bool, b: bool) {
      assert rem(7, 2) == 1 && rem(7, -2) == -1 && rem(-7, 2) == 1 && rem(-7, -2) == -1;
      assert rem(-6, -3) == 0;
      assert same(a, b) <==> (a <==> b);
      assert fits(15bv8, 17bv8) && !fits(16bv8, 16bv8);
      assert rem(7, -2) == 1;  // fails
    }
    """)
