"""What `help()` and editors see of the queries is what they take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import solvent
from solvent import Int, Options, session, verify
from solvent.explore import explore
from solvent.queries import Session
from solvent.queries.options import MEANING, NOT_IN_SESSION, OF_SESSION, TAKEN

PAGE = Path(__file__).parents[2] / "docs" / "verify.md"
DEFAULTS = {option.name: option.default for option in fields(Options)}
TYPES = get_type_hints(Options)

QUERIES = {name: getattr(solvent, name) for name in TAKEN if name != "explore"}
QUERIES["explore"] = explore
IN_SESSION = {name: getattr(Session, name) for name in TAKEN if name != "explore"}


def options_of(query: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The keywords that a query is seen to have, besides `options`."""
    parameters = inspect.signature(query).parameters.values()
    seen = {found.name: found for found in parameters if found.kind is found.KEYWORD_ONLY}
    assert seen.pop("options").annotation == Options | None
    return seen


def check(query: Callable[..., Any], taken: frozenset[str]) -> None:
    seen = options_of(query)
    assert set(seen) == taken
    for name, parameter in seen.items():
        assert parameter.default == DEFAULTS[name], name
        assert parameter.annotation == TYPES[name], name
    documented = set(re.findall(r"^  `(\w+)`: ", inspect.getdoc(query) or "", re.MULTILINE))
    assert documented == taken
    kinds = [found.kind for found in inspect.signature(query).parameters.values()]
    # The function cannot be meant by a keyword, and any other keyword may be the function's.
    assert kinds[0] is inspect.Parameter.POSITIONAL_ONLY
    assert kinds[-1] is inspect.Parameter.VAR_KEYWORD


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_shows_its_options(name: str) -> None:
    check(QUERIES[name], TAKEN[name])


@pytest.mark.parametrize("name", IN_SESSION)
def test_a_query_of_a_session_shows_its_options(name: str) -> None:
    check(IN_SESSION[name], TAKEN[name] - NOT_IN_SESSION)


def test_a_session_shows_its_options() -> None:
    seen = inspect.signature(session, eval_str=True).parameters
    assert seen["options"].annotation == Options | None
    assert set(seen) - {"options"} == OF_SESSION
    assert all(seen[name].annotation == TYPES[name] for name in OF_SESSION)
    documented = re.findall(r"^  `(\w+)`: ", inspect.getdoc(session) or "", re.MULTILINE)
    assert set(documented) == OF_SESSION


@pytest.mark.parametrize("query", [*QUERIES.values(), *IN_SESSION.values()])
def test_the_answer_is_shown_as_a_type(query: Callable[..., Any]) -> None:
    shown = inspect.signature(query).return_annotation
    assert shown is not inspect.Signature.empty
    assert not isinstance(shown, str)


def test_every_option_has_a_meaning() -> None:
    assert set(MEANING) == set(DEFAULTS)
    documented = re.findall(r"^  `(\w+)`: ", Options.__doc__ or "", re.MULTILINE)
    assert set(documented) == set(DEFAULTS)


def test_the_page_lists_every_option_with_its_default() -> None:
    section = PAGE.read_text().partition("## Options")[2].partition("`help(verify)`")[0]
    listed: dict[str, Any] = {}
    for row in re.findall(r"^\| `.*", section, re.MULTILINE):
        names, defaults, *_ = row.split(" | ")
        options = re.findall(r"`(\w+)`", names)
        values = [eval(text) for text in re.findall(r"`(.*?)`", defaults)]
        listed.update(
            zip(options, values if len(values) > 1 else values * len(options), strict=True)
        )
    assert listed == DEFAULTS


def test_the_keywords_of_the_function_stay_its_own() -> None:
    def below(timeout: int, solver: int) -> None:
        assert timeout + solver < 3

    found = verify(below, timeout=2, solver=Int("s"))  # type: ignore[arg-type]
    assert found.inputs["solver"] >= 1
