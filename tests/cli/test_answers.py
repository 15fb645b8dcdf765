"""All commands answer alike: one core of JSON objects, and exit codes that follow from it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from solvent.cli import COMMANDS as KNOWN
from solvent.cli import build_parser, main
from tests.cli.objects import SCHEMA, VALIDATOR

FILES = {
    "counter.btor2": """1 sort bitvec 4
2 zero 1
3 state 1 n
4 init 1 3 2
5 one 1
6 add 1 3 5
7 next 1 3 6
8 sort bitvec 1
9 constd 1 2
10 eq 8 3 9
11 bad 10 two
""",
    "good.c": "uint64_t main() { return 0; }",
    "bad.c": "uint64_t main() { return 1 / 0; }",
    "good.bpl": "procedure main(x: int) { assert x == x; }",
    "bad.bpl": "procedure main(x: int) { assert x != 7; }",
    "loop.bpl": """procedure main(n: int) {
  var i: int;
  i := 0;
  while (i < n) { i := i + 1; }
  assert i != 9;
}""",
    "script.smt2": "(declare-const x Int)(assert (> x 3))(check-sat)",
    "program.py": """def good(x: int):
    assert x == x

def bad(x: int):
    assert x != 7
    return x * x

def never(x: int):
    assert x != x

def unsupported(x: int):
    assert hash(str(x)) != 5
""",
    "sketch.py": """from solvent import Int, hole

def sketched(x: int):
    assert x * hole(Int) == 3 * x

def hopeless(x: int):
    assert hole(Int) == x
""",
    "page.html": "<html><body><ul><li>one</li><li>two</li></ul></body></html>",
}
BOUNDED = "holds up to the bound"
WITNESS = "sat\nb0\n#0\n@0\n@1\n@2\n.\n"

# The arguments, the exit code, and the verdict.
COMMANDS = [
    (["btor2", "check", "counter.btor2"], 1, "violated"),
    (["btor2", "check", "counter.btor2", "-kmax", "1", "--engine", "bmc"], 3, BOUNDED),
    (["btor2", "simulate", "counter.btor2"], 0, "holds"),
    (["btor2", "replay", "counter.btor2", "counter.wit"], 0, "holds"),
    (["cstar", "run", "--json", "good.c"], 0, "holds"),
    (["cstar", "run", "--json", "bad.c"], 1, "violated"),
    (["cstar", "check", "good.c"], 0, "holds"),
    (["cstar", "check", "bad.c"], 1, "violated"),
    (["reach", "good.bpl"], 0, "holds"),
    (["reach", "bad.bpl"], 1, "violated"),
    (["reach", "loop.bpl", "--no-summaries"], 3, BOUNDED),
    (["boogie", "verify", "good.bpl"], 0, "holds"),
    (["boogie", "verify", "bad.bpl"], 1, "violated"),
    (["logic", "good.bpl", "--method", "vc"], 0, "holds"),
    (["logic", "bad.bpl", "--method", "bmc"], 1, "violated"),
    (["solve", "script.smt2"], 0, "holds"),
    (["solve", "program.py::bad"], 0, "holds"),
    (["verify", "program.py::good"], 0, "holds"),
    (["verify", "program.py"], 1, "violated"),
    (["debug", "program.py::bad"], 0, "violated"),
    (["test", "program.py::good"], 0, "holds"),
    (["reference", "diff", "--program", "(if p x y)"], 0, "holds"),
    (["ifcl", "list"], 0, "holds"),
    (["btor2", "inputs", "counter.wit"], 0, "holds"),
    (["cstar", "compile", "good.c"], 0, "holds"),
    (["cstar", "disassemble", "good.c"], 0, "holds"),
    (["cstar", "model", "good.c"], 0, "holds"),
    (["validate", "bad.c"], 0, "violated"),
    (["validate", "good.c"], 1, "unknown"),
    (["optimize", "program.py::bad", "--minimize"], 0, "holds"),
    (["explain", "S101"], 0, "holds"),
    (["completion", "fish"], 0, "holds"),
    (["synthesize", "sketch.py::sketched"], 0, "holds"),
    (["synthesize", "sketch.py::hopeless"], 1, "violated"),
    (["solve", "program.py::never"], 1, "violated"),
    (["verify", "program.py::unsupported", "--no-cache"], 3, "unknown"),
    (["ifcl", "verify", "B1"], 1, "violated"),
    (["synthcl", "list"], 0, "holds"),
    (["websynth", "page.html", "--example", "one"], 0, "holds"),
    (["demo"], 0, "holds"),
    (["btor2", "check", "missing.btor2"], 2, "unknown"),
    (["btor2", "check", "bad.c"], 2, "unknown"),
    (["boogie", "verify", "bad.c"], 2, "unknown"),
    (["reach", "bad.c"], 2, "unknown"),
    (["logic", "bad.c"], 2, "unknown"),
    (["cstar", "check", "bad.bpl"], 2, "unknown"),
    (["cstar", "run", "--json", "bad.bpl"], 2, "unknown"),
    (["verify", "missing.py"], 2, "unknown"),
    (["verify", "program.py::missing"], 2, "unknown"),
    (["debug", "program.py"], 2, "unknown"),
    (["solve", "bad.c"], 2, "unknown"),
    (["explain", "S1"], 2, "unknown"),
]  # fmt: skip
# Commands whose objects other files look at; what they print is validated there as well.
ELSEWHERE = {
    "tour": "test_tour.py",
    "profile": "test_profiles.py",
    "trace": "test_profiles.py",
    "watch": "test_watch.py",
    "doctor": "test_cli.py",
    "reference faults": "test_reference.py",
    "synthcl run": "test_synthcl.py",
    "synthcl synthesize": "test_synthcl.py",
    "synthcl verify": "test_synthcl.py",
    "synthcl show": "test_synthcl.py",
    "bench table4": "../languages/test_tables.py",
    "bench figure10": "../languages/test_tables.py",
}
# What talks to somebody instead of answering.
NO_OBJECT = {"console", "lsp"}
ENTRIES = [
    *("solvent", "version", "command", "target", "verdict", "holds", "bound", "reason"),
    *("findings", "coverage", "seconds"),
]
ACTIONS = {
    *("check", "simulate", "replay", "inputs", "run", "compile", "disassemble", "model", "verify"),
    *("diff", "list"),
}
HOLDS = {"holds": True, "violated": False}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "counter.wit").write_text(WITNESS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"), COMMANDS, ids=[" ".join(row[0]) for row in COMMANDS]
)
def test_the_core(
    arguments: list[str],
    code: int,
    verdict: str,
    files: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = arguments if "--json" in arguments else [*arguments, "--json"]
    assert main(given) == code
    found = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(found)
    assert list(found)[: len(ENTRIES)] == ENTRIES
    command = " ".join(word for word in given[:2] if word == given[0] or word in ACTIONS)
    assert (found["solvent"], found["command"]) == (1, command)
    files = [word for word in given if "." in word]
    assert found["target"] in (files, given[1:2], given[2:3], [])
    assert ("error" in found) == (code == 2)
    assert found["verdict"] == verdict
    assert found["holds"] is HOLDS.get(verdict)
    assert isinstance(found["reason"], str)
    searched = given[0] in ("solve", "synthesize")
    assert bool(found["findings"]) == (found["holds"] is False and not searched)
    for one in found["findings"]:
        assert list(one) == ["message", "file", "line", "inputs", "trace", "confirmed", "kind"]
        assert one["message"]
        if one["file"]:
            assert one["file"].endswith(tuple(FILES))
            assert one["line"] >= 1
    if code == 3 and found["bound"] is None:
        assert found["reason"]


def test_where_and_how(files: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Findings of different engines about the same program say the same."""
    seen = []
    for arguments in (["reach"], ["logic", "--method", "bmc"]):
        main([arguments[0], "bad.bpl", *arguments[1:], "--json"])
        (one,) = json.loads(capsys.readouterr().out)["findings"]
        seen.append((one["message"], one["file"], one["line"], one["inputs"], one["confirmed"]))
    assert seen[0] == seen[1] == ("This assertion might not hold.", "bad.bpl", 1, {"x": "7"}, True)
    main(["verify", "program.py::bad", "--json"])
    (one,) = json.loads(capsys.readouterr().out)["findings"]
    assert (one["file"], one["line"], one["inputs"]) == ("program.py", 5, {"x": "7"})
    assert (one["trace"], one["kind"]) == (["bad(x=7)"], "AssertionError")
    main(["cstar", "check", "bad.c", "--json"])
    (one,) = json.loads(capsys.readouterr().out)["findings"]
    assert (one["message"], one["line"], one["confirmed"]) == ("division by zero", 1, True)


def leaves(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, list[str]]]:
    """Each command with its actions, and its options."""
    options = [text for action in parser._actions for text in action.option_strings]
    inner = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    if not inner:
        yield name, options
    for action in inner:
        for word, one in action.choices.items():
            yield from leaves(one, f"{name} {word}".strip())


def test_every_command_has_an_object() -> None:
    shown = {" ".join(row[0][:2]) for row in COMMANDS} | {row[0][0] for row in COMMANDS}
    for known in KNOWN:
        for name, options in leaves(build_parser(known)):
            if name in NO_OBJECT:
                continue
            assert "--json" in options, name
            if name in ELSEWHERE:
                text = (Path(__file__).parent / ELSEWHERE[name]).read_text()
                assert all(f'"{word}"' in text for word in [*name.split(), "--json"]), name
            else:
                assert name in shown, name


@pytest.mark.parametrize(
    ("arguments", "command", "message"),
    [
        (["verify", "--json", "--bound", "x"], "verify", "argument --bound"),
        (["verify", "--jso", "--nonsense"], "verify", "unrecognized arguments: --nonsense"),
        (["btor2", "check", "--json"], "btor2 check", "required: FILE"),
        (["logic", "x.bpl", "--odd", "--json"], "logic", "unrecognized arguments: --odd"),
        (["nonsense", "--json"], "", "invalid choice: 'nonsense'"),
        (["--json"], "", "unrecognized arguments: --json"),
        (["synthcl", "--json"], "synthcl", "required: ACTION"),
    ],
)
def test_bad_usage(
    arguments: list[str], command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is said on standard error is in the object, too."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    VALIDATOR.validate(found)
    assert found["command"] == command
    assert message in found["error"]
    assert found["error"] in printed.err


def test_bad_usage_without_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--nonsense"])
    assert capsys.readouterr().out == ""


def test_the_schema_is_strict(files: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of what all objects have can be left out, or be something else."""
    VALIDATOR.check_schema(SCHEMA)
    main(["verify", "program.py::bad", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(SCHEMA["required"]) == set(ENTRIES)
    for name in ENTRIES:
        assert not VALIDATOR.is_valid({key: found[key] for key in found if key != name})
        assert not VALIDATOR.is_valid({**found, name: object()})
    for name in found["findings"][0]:
        finding = {key: value for key, value in found["findings"][0].items() if key != name}
        assert not VALIDATOR.is_valid({**found, "findings": [finding]})
    assert not VALIDATOR.is_valid({**found, "solvent": 2})
    assert not VALIDATOR.is_valid({**found, "verdict": "holds"})
    assert not VALIDATOR.is_valid({**found, "error": "none"})
