"""`solvent cstar` and `solvent validate`: actions, reports, exit codes, bad input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from solvent.btor2.parser import parse_file
from solvent.cli import main

GOOD = "uint64_t main() { return 0; }"
ECHO = """uint64_t main(uint64_t argc, uint64_t* argv) {
  uint64_t* x;
  x = malloc(8);
  write(1, x, read(0, x, 8));
  return argc - 1;
}
"""
BAD = """uint64_t main() {
  uint64_t* x;
  x = malloc(8);
  read(0, x, 1);
  return 5 / (*x - 'q') * 0;
}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Writes a program; the test runs where it is."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "a.c") -> str:
        (tmp_path / name).write_text(text)
        return name

    return write


def test_compile(file, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    name = file(BAD)
    assert main(["cstar", "compile", name, "-o", "a.bin", "-S", "a.s"]) == 0
    assert (tmp_path / "a.bin").read_bytes().startswith(b"\x7fELF")
    text = (tmp_path / "a.s").read_text()
    assert "main:\n" in text
    assert "# a.c(5,12)" in text
    assert main(["cstar", "disassemble", "a.bin"]) == 0
    assert capsys.readouterr().out == text
    assert main(["cstar", "compile", name]) == 0
    assert "bytes of code" in capsys.readouterr().out


def test_mistakes_and_warnings(file, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    assert main(["cstar", "compile", file("uint64_t main() { return y; }")]) == 2
    assert capsys.readouterr().err == "a.c(1,26): error: there is no variable y\n"
    warned = "uint64_t main() { uint64_t* p; p = 1; return 0; }"
    assert main(["cstar", "compile", file(warned)]) == 0
    assert "a.c(1,32): warning:" in capsys.readouterr().err
    assert main(["cstar", "run", "missing.c"]) == 2
    assert capsys.readouterr().err == "solvent: missing.c: there is no such file\n"
    assert main(["cstar", "compile", file(GOOD), "-o", "no/such/folder"]) == 2
    assert "no/such/folder" in capsys.readouterr().err
    assert main(["cstar"]) == 2


def test_run(file, capfdbinary, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    name = file(ECHO)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    assert main(["cstar", "run", name]) == 0
    assert capfdbinary.readouterr() == (b"hello", b"a.c: exit code 0\n")
    assert main(["cstar", "run", name, "one", "--two"]) == 1
    assert capfdbinary.readouterr() == (b"", b"a.c: exit code 2\n")


def test_run_with_errors_and_limits(
    file, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    assert main(["cstar", "run", file("uint64_t main() { return 1 / 0; }")]) == 1
    assert capsys.readouterr().err == "a.c(1,28): division by zero\n"
    endless = file("uint64_t main() { while (1) { } }")
    assert main(["cstar", "run", "--steps", "500", endless]) == 3
    assert "not at its end after 500 steps" in capsys.readouterr().err
    assert (
        main(["cstar", "run", "--json", file('uint64_t main() { return write(1, "x", 1); }')]) == 1
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["exit_code"], found["output"], found["fault"]) == (1, "x", None)


def test_model(file, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    name = file(BAD)
    assert main(["cstar", "model", name, "-o", "a.btor2"]) == 0
    assert len(parse_file(tmp_path / "a.btor2").bads) == 10
    assert main(["cstar", "model", name, "-e", "3", "--free-memory"]) == 0
    text = capsys.readouterr().out
    assert "uninitialized-memory" in text
    assert text != (tmp_path / "a.btor2").read_text()


@pytest.mark.parametrize("engine", ["direct", "model"])
def test_check(file, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    name = file(BAD)
    options = ["--engine", engine, "--bound", "200"]
    assert main(["cstar", "check", name, *options, "--input", "in.txt"]) == 1
    assert capsys.readouterr().out == (
        "a.c: b2: division by zero\n  input: b'q'\n  confirmed: a.c(5,12): division by zero\n"
    )
    assert (tmp_path / "in.txt").read_bytes() == b"q"
    assert main(["cstar", "check", file(GOOD), *options]) == 0
    assert capsys.readouterr().out == "a.c: cannot fail\n"
    assert main(["cstar", "check", file("uint64_t main() { while (1) { } }"), *options]) in (0, 3)
    capsys.readouterr()
    assert main(["cstar", "check", file(BAD), *options, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["bad_state"], found["input"], found["confirmed"]) == (2, "q", True)


def test_check_up_to_a_bound(file, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    name = file("uint64_t main() { uint64_t i; i = 0; while (1) i = i + 1; }")
    assert main(["cstar", "check", name, "--bound", "400"]) == 3
    assert capsys.readouterr().out == "a.c: cannot fail within 400 steps\n"


def test_validate(file, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    name = file(BAD)
    assert main(["validate", name, "-kmax", "300", "-mem", "3", "-ts", "5s", "-tb", "1m"]) == 0
    assert "division by zero error verified!" in capsys.readouterr().out
    assert not (tmp_path / "temp").exists()
    assert main(["validate", "-d", name]) == 0
    assert (tmp_path / "temp" / "error_input.txt").read_bytes() == b"q"
    assert "All generated files in temp directory!" in capsys.readouterr().out
    # The page has the run on that input, and what was said.
    page = tmp_path / "<b>.html"
    assert main(["validate", name, "-kmax", "300", "--html", str(page)]) == 0
    shown = page.read_text()
    assert 'class="trace"' in shown
    assert "division by zero error verified!" in shown
    assert "&#x27;q&#x27;" in shown
    assert main(["validate", "missing.c", "--html", str(page)]) == 2
    assert 'class="trace"' not in page.read_text()
    assert "there is no such file" in page.read_text()
    with pytest.raises(SystemExit):
        main(["validate", name, "-ts", "soon"])


# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [("cstar", one) for one in ("compile", "disassemble", "run", "model", "check")]
    + [("validate",)],
)
def test_files_that_are_none(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    Path("garbage").write_bytes(b"\xff\xfe\x00")
    Path("empty").write_bytes(b"")
    for name, codes in (("loop", 2), ("nothing", 2), ("folder", 2), ("garbage", 3), ("empty", 3)):
        code = main([*command, name])
        captured = capsys.readouterr()
        assert code == (codes if command == ("validate",) else 2)
        message = captured.out if command == ("validate",) else captured.err
        assert len(message.splitlines()) == 1
        assert name in message


@pytest.mark.parametrize("digits", [21, 5000])
def test_numbers_of_many_digits(
    digits: int, file: object, capsys: pytest.CaptureFixture[str]
) -> None:
    name = file(f"uint64_t main() {{ return {'9' * digits}; }}")  # type: ignore[operator]
    assert main(["cstar", "compile", name]) == 2
    error = capsys.readouterr().err
    assert error == f"a.c(1,26): error: {'9' * 20}... does not fit into 64 bits\n"
    zeros = file(f"uint64_t main() {{ return {'0' * digits}7; }}")  # type: ignore[operator]
    assert main(["cstar", "run", zeros]) == 1
    assert "exit code 7" in capsys.readouterr().err
    for arguments in (["cstar", "check", name, "-e"], ["validate", name, "-e"]):
        with pytest.raises(SystemExit, match="2"):
            main([*arguments, "9" * digits])


def test_a_standard_input_that_is_closed(
    file: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = file(ECHO)  # type: ignore[operator]
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["cstar", "run", "--json", name]) == 0
    assert json.loads(capsys.readouterr().out)["output"] == ""
