"""Lifting whole packages as they are imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from solvent import Int, NotLiftedError
from solvent.lift import execute, install, uninstall
from solvent.lift.function import is_lifted

SAMPLE = Path(__file__).with_name("sample_module.py")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "liftable"
    folder.mkdir()
    (folder / "__init__.py").write_text("from liftable.inner import clamp\n")
    (folder / "inner.py").write_text(SAMPLE.read_text())
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    yield folder
    uninstall()
    for name in [name for name in sys.modules if name.split(".")[0] == "liftable"]:
        del sys.modules[name]


def test_installed_packages_are_lifted(package: Path) -> None:
    install("liftable")
    module = importlib.import_module("liftable")
    inner = importlib.import_module("liftable.inner")
    assert is_lifted(module.clamp)
    assert is_lifted(inner.Box.doubled)
    assert module.clamp(-3) == -3
    assert inner.Box(4).doubled() == 8
    assert list(inner.count_down(3)) == [3, 2, 1]
    x = Int("x")
    assert str(module.clamp(x)) == "ite(ite(x <= -1, -x, x) <= 10, x, 10)"
    assert str(execute(inner.smallest, x, 3).value) == "ite(x <= 2, x, 3)"


def test_lifted_and_plain_bytecode_do_not_mix(package: Path) -> None:
    install("liftable")
    importlib.import_module("liftable.inner")
    names = {path.name for path in (package / "__pycache__").iterdir()}
    assert any("solvent" in name for name in names)
    uninstall("liftable")
    for name in [name for name in sys.modules if name.split(".")[0] == "liftable"]:
        del sys.modules[name]
    plain = importlib.import_module("liftable.inner")
    assert not is_lifted(plain.clamp)
    after = {path.name for path in (package / "__pycache__").iterdir()}
    assert names < after


def test_the_cache_is_used_and_refreshed(package: Path) -> None:
    install("liftable")
    importlib.import_module("liftable.inner")
    (cached,) = [p for p in (package / "__pycache__").iterdir() if p.name.startswith("inner.")]
    before = cached.read_bytes()
    for name in [name for name in sys.modules if name.split(".")[0] == "liftable"]:
        del sys.modules[name]
    cached.write_bytes(before[:20])
    module = importlib.import_module("liftable.inner")
    assert module.absolute(-2) == 2
    assert cached.read_bytes() == before
    for name in [name for name in sys.modules if name.split(".")[0] == "liftable"]:
        del sys.modules[name]
    (package / "inner.py").write_text(SAMPLE.read_text().replace("LIMIT = 10", "LIMIT = 1000"))
    assert importlib.import_module("liftable.inner").clamp(50) == 50


def test_other_modules_stay_plain(package: Path) -> None:
    install("liftable_but_not_this")
    module = importlib.import_module("liftable.inner")
    assert not is_lifted(module.clamp)


def test_what_cannot_be_lifted_is_refused_at_import(package: Path) -> None:
    (package / "inner.py").write_text("async def clamp(x):\n    return x\n")
    install("liftable")
    with pytest.raises(NotLiftedError, match=r"inner.py:1: .*async"):
        importlib.import_module("liftable")
