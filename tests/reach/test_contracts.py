"""Contracts in a search: what is promised is checked, what is free is believed."""

from __future__ import annotations

import pytest

from solvent.reach.program import POSTCONDITION, PRECONDITION
from solvent.reach.search import search
from solvent.verdicts import Verdict
from tests.reach.programs import read

ENGINES = [{}, {"static": True}, {"track_all": True}, {"summaries": False}]


def check(text: str, failed: tuple[int, str] | None) -> None:
    """All ways to search agree on the line and message of what fails, or that nothing does."""
    for options in ENGINES:
        found = search(read(text), "main", **options)  # type: ignore[arg-type]
        if failed is None:
            assert found.verdict is Verdict.HOLDS, options
        else:
            assert found.confirmed, options
            assert found.failed is not None
            assert (found.failed.where.line, found.failed.message) == failed, options


def test_a_postcondition_is_checked_where_its_procedure_returns() -> None:
    text = """
    var g: int;
    procedure p(n: int) modifies g; ensures g == old(g) + n; {
      if (n > 5) { return; }
      g := g + n;
    }
    procedure main(n: int) modifies g; { call p(n); }
    """
    check(text, (4, POSTCONDITION))
    check(text.replace("n > 5", "n == 0"), None)


def test_a_precondition_is_checked_at_calls() -> None:
    text = """
    var g: int;
    procedure p(n: int) requires n > g; { }
    procedure main(n: int) requires n > g + 1; modifies g; {
      call p(n);
      g := g + 1;
      call p(n - 1);
    }
    """
    check(text, (7, PRECONDITION))
    check(text.replace("call p(n - 1)", "call p(n)"), None)
    # A free call does not check it.
    check(text.replace("call p(n - 1)", "free call p(n - 1)"), None)


def test_procedures_without_a_body_have_preconditions_too() -> None:
    text = """
    procedure p(n: int) returns (r: int); requires n > 0; ensures r > n;
    procedure main(n: int) { var r: int;
      call r := p(n);
      assert r > 0;
    }
    """
    check(text, (4, PRECONDITION))
    check(text.replace("main(n: int)", "main(n: int) requires n > 0;"), None)


def test_the_first_procedure_keeps_its_own_promise() -> None:
    text = (
        "var g: int;\nprocedure main() requires g > 0; modifies g; ensures g > 1; { g := g + 1; }"
    )
    check(text, None)
    check(text.replace("g + 1", "g"), (2, POSTCONDITION))


def test_what_is_free_is_believed_but_hides_nothing_of_its_own_contract() -> None:
    text = """
    procedure p(n: int) returns (r: int) free requires n > 0; free ensures r < 9; { r := n; }
    procedure main(n: int) { var r: int;
      call r := p(n);
      assert 0 < r && r < 9;
    }
    """
    check(text, None)
    check(text.replace("free requires n > 0;", ""), (5, "This assertion might not hold."))
    check(
        text.replace("free ensures r < 9;", "free ensures false; ensures r < 9;"),
        (2, POSTCONDITION),
    )


def test_conditions_of_variables_are_about_any_values_only() -> None:
    """As in Boogie, nobody checks or assumes a `where` after an assignment."""
    text = """
    var g: int where g > 0;
    procedure p() returns (r: int where r > 0) modifies g; { g := -1; r := -1; }
    procedure main() modifies g; { var r: int;
      call r := p();
      assert g > 0 || r > 0;
    }
    """
    check(text, (6, "This assertion might not hold."))


def test_recursion_relies_on_what_is_checked() -> None:
    """Whatever the bound is: the postcondition holds of all calls inside of each other."""
    text = """
    procedure p(n: int) returns (r: int) requires n >= 0; ensures r == 2 * n; {
      if (n == 0) { r := 0; } else { call r := p(n - 1); r := r + 2; }
    }
    procedure main(n: int) requires n >= 0; { var r: int; call r := p(n); assert r >= n; }
    """
    assert search(read(text), "main", 2).verdict is Verdict.HOLDS
    wrong = search(read(text.replace("r + 2;", "r + n;")), "main", 2)
    assert wrong.confirmed
    assert wrong.failed is not None
    assert wrong.failed.message == POSTCONDITION


@pytest.mark.parametrize("word", ["", "free "])
def test_contracts_of_loops_and_calls_inside_of_them(word: str) -> None:
    text = f"""
    var g: int;
    procedure inc() {word}requires g < 2; modifies g; ensures g == old(g) + 1; {{ g := g + 1; }}
    procedure main() modifies g; {{ var i: int;
      g, i := 0, 0;
      while (i < 3) {{
        call inc();
        i := i + 1;
      }}
      assert false;
    }}
    """
    # With a free precondition no execution gets through the third call.
    check(text, None if word else (7, PRECONDITION))
