"""Whose code a function is does not depend on where its package was installed."""

from __future__ import annotations

import importlib
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from solvent import debug, verify
from solvent.cli import tour
from solvent.languages import cadr
from solvent.lift import origins
from solvent.lift.function import lift_function

Install = Callable[[str, str], ModuleType]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes a module where installed packages are."""
    folder = f"{tmp_path}/"
    monkeypatch.setattr(origins, "_INSTALLED", (*origins._INSTALLED, folder))
    monkeypatch.setattr(origins, "_LIBRARY", (*origins._LIBRARY, folder))
    monkeypatch.setattr(origins, "_CLAIMED", set())
    monkeypatch.setattr(origins, "_KNOWN", {})
    monkeypatch.syspath_prepend(tmp_path)
    made: list[str] = []

    def make(name: str, text: str) -> ModuleType:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        importlib.invalidate_caches()
        made.append(name)
        return importlib.import_module(name)

    yield make
    for name in made:
        sys.modules.pop(name, None)


SHOP = """
    import prices

    def cheap():
        found = prices.price()
        if found > 27:
            found += 1
        assert found != 31

    def total(amount: int) -> int:
        return amount * 3 + 1

    def right():
        assert total(5) == 15
"""

PRICES = """
    from solvent import Int, assume

    def price():
        amount = Int("amount")
        if amount > 10:
            assume(False)
        return amount * 3
"""


def test_a_package_that_is_asked_about_is_the_users(install: Install) -> None:
    install("prices", PRICES)
    shop = install("shop", SHOP)
    result = verify(shop.cheap)
    assert result.confirmed
    assert result.inputs == {"amount": 10}
    assert "amount * 3 + 1" in {suspect.text for suspect in debug(shop.right).core}


def test_other_installed_packages_are_libraries(install: Install) -> None:
    plain = install("plain_module", "def f(x):\n    return x\n")
    client = install("client_module", "from solvent import Int\ndef f(x):\n    return x\n")
    assert origins.is_library(plain.f)
    assert not origins.is_library(client.f)
    origins.claim(plain.f)
    assert not origins.is_library(plain.f)
    assert origins.is_users(plain.f)


def test_a_library_that_is_asked_about_later(install: Install) -> None:
    # The helper was called, as a library's, before anybody asked about its package.
    module = install(
        "later_module",
        """
        VALUES = []

        def helper():
            return 1 if VALUES[0] > 3 else 2

        def asked():
            assert helper() == 2
        """,
    )
    from solvent import Int, evaluate
    from solvent.lift import execute
    from solvent.lift.calls import call
    from solvent.lift.unlifted import Library

    assert isinstance(call(module.helper), Library)
    module.VALUES.append(Int("n"))
    outcome = execute(module.asked)
    assert evaluate(outcome.asserts, {"n": 4}) is False
    assert evaluate(outcome.asserts, {"n": 3}) is True


def test_what_solvent_ships_are_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    # As if Solvent itself was installed.
    folder = str(Path(origins._SOLVENT).parent) + "/"
    monkeypatch.setattr(origins, "_INSTALLED", (folder,))
    monkeypatch.setattr(origins, "_LIBRARY", (folder,))
    monkeypatch.setattr(origins, "_KNOWN", {})
    for client in (tour.insert, tour.words, cadr.sketch):
        assert isinstance(client, FunctionType)
        assert origins.is_users(client)
    assert not origins.is_users(lift_function)


def test_the_standard_library() -> None:
    assert origins.is_library(textwrap.dedent)
    assert not origins.is_users(textwrap.dedent)
    folder = sysconfig.get_path("stdlib")

    # A folder whose name only starts like that of the library is another one.
    def function() -> Any:
        return None

    code = function.__code__.replace(co_filename=f"{folder}-of-mine/module.py")
    assert origins.is_users(FunctionType(code, {}))
