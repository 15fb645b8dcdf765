"""Branch coverage is what CPython did."""

from __future__ import annotations

from typing import Any

from solvent.explore import explore
from solvent.explore.coverage import probed


def everything(a: int, xs: list[int]) -> Any:
    if a > 0 and not xs:
        return 1
    for x in xs:
        if x == a:
            break
    while a > 3:
        a -= 5
    b = a or 7
    match a:
        case 1:
            return "one"
        case 2 if b:
            return "two"
        case _:
            pass
    return [x for x in xs if x > 0], (1 if a < 0 else 2)


def sides(*calls: tuple[Any, ...]) -> dict[str, set[bool]]:
    """The sides that some calls take, by the text of the branch."""
    probes = probed(everything)
    assert probes is not None
    with probes as coverage:
        for args in calls:
            assert repr(probes.function(*args)) == repr(everything(*args))
    found = enumerate(coverage.branches)
    return {branch.text: coverage.taken.get(number, set()) for number, branch in found}


def test_every_kind_of_branch_is_seen() -> None:
    assert sides((1, [])) == {
        "a > 0": {True}, "xs": {False}, "for x in xs": set(), "x == a": set(), "a > 3": set(),
        "a": set(), "case 1": set(), "case 2 if b": set(), "x > 0": set(), "a < 0": set(),
    }  # fmt: skip
    found = sides((2, [1]), (6, [6]), (-1, [-1, 3]))
    assert found["a > 0"] == {True, False}
    assert found["for x in xs"] == {True, False}
    assert found["x == a"] == {True, False}
    assert found["a > 3"] == {True, False}
    assert found["a"] == {True}
    assert found["case 1"] == {True, False}
    assert found["case 2 if b"] == {True, False}
    assert found["a < 0"] == {True}


def test_all_paths_take_all_sides() -> None:
    found = explore(everything, max_len=1, depth=9)
    coverage = found.coverage
    assert coverage is not None
    assert found.confirmed
    # `a > 3` may go on for ever.
    assert not found.complete
    assert len(coverage.both) == len(coverage.branches) == 10
    assert coverage.missing == ()


def test_what_no_path_takes_is_missing() -> None:
    def dead(a: int) -> int:
        if a * a < 0:
            return 1
        return 2

    found = explore(dead)
    assert found.coverage is not None
    ((branch, side),) = found.coverage.missing
    assert (branch.text, side) == ("a * a < 0", True)
    assert "`a * a < 0` is never true" in str(found)
    assert found.as_dict()["coverage"]["missing"] == [
        {"line": branch.line, "text": "a * a < 0", "side": True}
    ]


def test_without_confirmation_there_is_no_coverage() -> None:
    assert explore(everything, max_len=0, depth=3, confirm=False).coverage is None


def test_without_source_there_is_no_coverage() -> None:
    assert probed(len) is None
