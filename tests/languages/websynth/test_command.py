"""`solvent websynth`: what it prints, and its exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from solvent.cli import main

PAGE = (
    '<ul id="menu"><li>Home</ul><p><b>One</b> 1<p><b>Two</b> 2<p><b>Three</b> 3<div><i>4</i></div>'
)


@pytest.fixture
def page(tmp_path: Path) -> str:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    return str(file)


def run(page: str, *examples: str) -> int:
    return main(["websynth", page, *(part for text in examples for part in ("--example", text))])


def test_found(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(page, "One", "Three") == 0
    out, err = capsys.readouterr()
    assert out == "//b\n  One\n  Two\n  Three\n"
    # There is no progress unless somebody looks.
    assert err == ""


def test_json(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["websynth", page, "--example", "1", "--example", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["command"], found["file"], found["status"]) == ("websynth", page, "sat")
    assert (found["xpath"], found["full"]) == ("//p/text()", "/html/body/p/text()")
    assert found["selected"] == ["1", "2", "3"]


def test_no_xpath(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(page, "Home", "One", "3") == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "solvent: no XPath of the language selects all examples\n")
    assert main(["websynth", page, "--example", "Home", "--example", "3", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["status"] == "unsat"


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ("Four", "the example 'Four' is not the text of any element or attribute of the page"),
        ("Thre", "only a part of 'Three'"),
        (" ", "an example is empty"),
    ],
)
def test_not_in_the_page(
    page: str, example: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(page, "One", example) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("solvent: ")
    assert message in err
    assert err.count("\n") == 1


def test_bad_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(tmp_path / "none.html"), "x") == 2
    assert "there is no such file" in capsys.readouterr().err
    (tmp_path / "binary.html").write_bytes(b"\x7fELF\0\0")
    assert run(str(tmp_path / "binary.html"), "x") == 2
    assert "this is not HTML" in capsys.readouterr().err


def test_examples_are_needed(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["websynth", page])
    assert caught.value.code == 2
    assert "--example" in capsys.readouterr().err


def test_unknown(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["websynth", page, "--example", "One", "--timeout", "0.000001"]) == 3
    assert capsys.readouterr().err.startswith("solvent: unknown: ")


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
    assert run("-", "Home") == 0
    assert capsys.readouterr().out.endswith("\n  Home\n")


def test_progress_on_a_terminal(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    assert run(page, "One", "Two") == 0
    assert capsys.readouterr().out.startswith("//b\n")
