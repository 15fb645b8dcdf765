"""Each program of `examples/` is run, and does what its docstring claims."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))

Names = dict[str, Any]
CLAIMS: dict[str, Callable[[Names], None]] = {}


def claim(check: Callable[[Names], None]) -> Callable[[Names], None]:
    """What must be so after the program with the name of the function has run."""
    CLAIMS[check.__name__] = check
    return check


def proved(names: Names, *results: str) -> None:
    for result in results:
        assert names[result].holds, names[result]


def found(names: Names, *results: str) -> None:
    for result in results:
        assert not names[result].holds, names[result]
        assert names[result].confirmed, names[result]


@claim
def bank_account(names: Names) -> None:
    proved(names, "withdrawal", "two_accounts", "repaired")
    found(names, "one_account")
    inputs = names["one_account"].inputs
    assert inputs["source"] is inputs["target"]


@claim
def interval_map(names: Names) -> None:
    proved(names, "proof")
    found(names, "mistake")


@claim
def record_parser(names: Names) -> None:
    proved(names, "proof")
    found(names, "mistake")
    assert any("\\" in field for field in names["mistake"].inputs["fields"])


@claim
def leap_year(names: Names) -> None:
    proved(names, "rule", "agrees")
    found(names, "stops", "centuries")
    assert "goes on forever" in str(names["stops"])
    year = names["centuries"].inputs["year"]
    assert year % 100 == 0
    assert year % 400 != 0


@claim
def rate_limiter(names: Names) -> None:
    proved(names, "sliding", "bucket")
    found(names, "burst")
    passed = names["fixed_window"](list(names["burst"].inputs.values()))
    assert not names["at_most"](names["LIMIT"], passed)


@claim
def scheduler(names: Names) -> None:
    assert names["best"].objectives == (13,)
    assert names["best"].confirmed
    assert names["greedy"]() == 16


@claim
def verified_sort(names: Names) -> None:
    proved(names, "proof", "numbers")
    found(names, "unstable")
    keys = names["unstable"].inputs["keys"]
    assert len(set(keys)) < len(keys)


@claim
def type_checker(names: Names) -> None:
    proved(names, "proof")
    found(names, "mistake")
    stuck = names["stuck"].value
    assert names["hasty_type"](stuck) != "ill"
    assert names["type_of"](stuck) == "ill"
    with pytest.raises(names["Stuck"]):
        names["value"](stuck)


@claim
def superoptimizer(names: Names) -> None:
    for result, length in (("lowest", 2), ("magnitude", 3)):
        assert names[result].found
        assert names[result].confirmed
        assert len(names[result].filled["program"]) == length


@claim
def sql_rewrite(names: Names) -> None:
    proved(names, "pushed", "anti_join")
    found(names, "outer", "null")
    tables = names["null"].inputs.values()
    assert any(row[0] is None for table in tables for row in table)


@claim
def lock_free_queue(names: Names) -> None:
    proved(names, "proof")
    found(names, "race")
    assert 0 in names["run"](names["race"].inputs["schedule"], publish_first=True)


@claim
def dates(names: Names) -> None:
    proved(names, "inverse", "python")
    found(names, "short")
    day = names["short"].inputs["day"]
    assert (day.year, day.month) >= (2000, 3)


@claim
def chess_moves(names: Names) -> None:
    proved(names, "knights", "kings")
    found(names, "wraps")
    columns, _ = names["apart"](*names["wraps"].inputs.values())
    assert columns > 2
    rows = list(names["placed"].inputs.values())
    assert sorted(rows) == list(range(8))
    assert len({row - i for i, row in enumerate(rows)}) == 8
    assert len({row + i for i, row in enumerate(rows)}) == 8


@claim
def crc(names: Names) -> None:
    proved(names, "table", "eight")
    found(names, "nine")
    assert int(names["nine"].inputs["pattern"]) == 0x100 | names["POLYNOMIAL"]


@claim
def compression(names: Names) -> None:
    proved(names, "proof", "short")
    found(names, "longer")
    assert len(set(names["longer"].inputs["pixels"])) == 1


@claim
def bit_twiddling(names: Names) -> None:
    assert names["proved"] == list(names["TRICKS"])
    assert None not in names["wrong"].values()
    assert names["wrong"]["hasty power of two"].to_dict() == {"x": 0}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_what_a_program_claims(program: Path) -> None:
    CLAIMS[program.stem](runpy.run_path(str(program), run_name="__main__"))


def test_every_program_has_a_claim() -> None:
    assert sorted(CLAIMS) == [program.stem for program in PROGRAMS]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_says_what_it_shows(program: Path) -> None:
    text = program.read_text()
    told = ast.get_docstring(ast.parse(text))
    assert told is not None
    assert any(word in told for word in ("Proved:", "Found:", "Synthesized:", "Solved for:"))
    assert 40 <= len(text.splitlines()) <= 120
