"""All commands answer alike: one core of JSON objects, and exit codes that follow from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main

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
    "program.py": "def good(x: int):\n    assert x == x\n\ndef bad(x: int):\n    assert x != 7\n",
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
    (["btor2", "check", "missing.btor2"], 2, "unknown"),
]  # fmt: skip
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
    assert list(found)[:5] == ["verdict", "holds", "bound", "reason", "findings"]
    assert found["verdict"] == verdict
    assert found["holds"] is HOLDS.get(verdict)
    assert isinstance(found["reason"], str)
    assert bool(found["findings"]) == (found["holds"] is False)
    for one in found["findings"]:
        assert list(one) == ["message", "file", "line", "inputs", "trace", "confirmed"]
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
    assert one["trace"] == ["bad(x=7)"]
    main(["cstar", "check", "bad.c", "--json"])
    (one,) = json.loads(capsys.readouterr().out)["findings"]
    assert (one["message"], one["line"], one["confirmed"]) == ("division by zero", 1, True)
