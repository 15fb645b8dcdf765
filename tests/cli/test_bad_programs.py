"""Programs that are no programs, that go wrong or that want to mislead: one sentence each."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import common, main

GOOD = "\n\ndef good(a: int):\n    assert a == a\n"
WRONG = "\n\ndef wrong(a: int):\n    assert a != 3\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory in which there may be anything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def asked(
    capsys: pytest.CaptureFixture[str], text: str | bytes, *more: str, command: str = "verify"
) -> tuple[int, dict[str, Any], str]:
    """The exit code, the JSON object and the errors of a command about a program."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    Path("p.py").write_bytes(data)
    target = [] if any(one.startswith("p.py") for one in more) else ["p.py"]
    code = main([command, *target, "--json", *more])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, json.loads(captured.out), captured.err


# --- files that cannot be imported ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise BaseException('no')", "p.py:1: BaseException: no"),
        ("import sys\nsys.exit()", "p.py:2: the file ends the program when it is imported"),
        ("import os\nos._exit(0)", "p.py:2: `os._exit` would end Solvent too"),
        ("raise KeyboardInterrupt", "p.py:1: KeyboardInterrupt"),
        ("x = [0] * 10**12", "p.py:1: MemoryError"),
        ("def f(n):\n    f(n)\nf(1)", "p.py:2: RecursionError: maximum recursion depth exceeded"),
        ("x = 1\nx = " + "+".join(["x"] * 100_000), "p.py: an expression is nested too deeply"),
        ("x = " + "(" * 300 + ")" * 300, "p.py:1: too many nested parentheses"),
        (b"x = 1\0", "null bytes"),
        (b"x = '\xe9'", "p.py:1: (unicode error)"),
        ("# -*- coding: nonsense -*-\n", "p.py: unknown encoding: nonsense"),
        ("def f(:\n", "p.py:1: invalid syntax"),
        ("class E(Exception):\n  def __str__(self): 1/0\nraise E", "p.py:3: E: <a message whose"),
        ("raise ValueError('a' * 1_000_000)", "aaa..., while the file is imported"),
        ("raise ValueError('\\ud800')", "p.py:1: ValueError: "),
        ("", "no function has annotated parameters"),
        ("X = 3", "no function has annotated parameters"),
    ],
)
def test_what_cannot_be_imported(
    text: str | bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found, errors = asked(capsys, text)
    assert code == 2
    assert errors.startswith("solvent: ")
    assert errors.count("\n") == 1
    assert message in errors
    assert len(errors) < 2_100
    assert found["command"] == "verify"
    assert message in found["error"]


def test_a_real_interrupt_is_none_of_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n"
    Path("p.py").write_text(text)
    assert main(["verify", "p.py"]) == 130
    again = "try:\n    {}\nexcept KeyboardInterrupt:\n    raise KeyboardInterrupt('again')\n"
    Path("p.py").write_text(again.format(text.replace("\n", "; ", 1).replace("\n", "\n    ")))
    assert main(["verify", "p.py"]) == 130
    assert capsys.readouterr().err == "solvent: interrupted\n" * 2


def test_files_of_other_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    os.symlink("a.py", "b.py")
    os.symlink("b.py", "a.py")
    os.mkfifo("pipe.py")
    Path("folder.py").mkdir()
    for name in ("a.py", "pipe.py", "folder.py", "missing.py", "/dev/null", "x\0.py"):
        assert main(["verify", f"{name}::f", "--json"]) == 2
        captured = capsys.readouterr()
        assert captured.err.count("\n") == 1
        assert json.loads(captured.out)["error"]


def test_python_knows_how_a_file_is_encoded(capsys: pytest.CaptureFixture[str]) -> None:
    text = "NAME = 'é'\ndef f(x: int):\n    assert x != len(NAME)\n"
    for data in (
        b"\xef\xbb\xbf" + text.encode(),
        b"# -*- coding: latin-1 -*-\n" + text.encode("latin-1"),
    ):
        code, found, _ = asked(capsys, data)
        assert code == 1
        assert found["results"][0]["inputs"] == {"x": "1"}


def test_what_is_compiled_is_what_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A cache beside the file that looks new is not used."""
    for number in (3, 4):
        text = f"def f(x: int):\n    assert x != {number}\n"
        Path("p.py").write_text(text)
        os.utime("p.py", (1_000_000_000, 1_000_000_000))
        assert main(["verify", "p.py", "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert found["results"][0]["inputs"] == {"x": str(number)}
        assert found["results"][0]["confirmed"]
    assert not Path("__pycache__").exists()


# --- one function does not cost the others --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("def f(n: int):\n    return [0] * 10**12", "unknown", "p.py:2: this needs more memory"),
        (
            "def f(x: int):\n    return " + "+".join(["x"] * 900),
            "unknown",
            "p.py:1: `f` is nested too deeply",
        ),
        ("async def f(x: int):\n    pass", "unknown", "p.py:1: an `async` function"),
        ("def f(x: float):\n    return hash(x)", "unknown", "p.py:2: the hash of a symbolic"),
        ("import os\ndef f(x: int):\n    if x: os._exit(0)", "unknown", "p.py:3: `os._exit`"),
        ("def f(x: 'nope'):\n    pass", "unsupported", "parameter `x`: the annotation `nope`"),
        (
            "from typing import Never\ndef f(x: Never):\n    pass",
            "unsupported",
            "parameter `x`: there is no value",
        ),
        (
            "class M(type):\n    def __hash__(self): raise ValueError\n"
            "class E(metaclass=M): pass\ndef f(x: E):\n    pass",
            "unsupported",
            "parameter `x`: `E()` raises ValueError",
        ),
    ],
)
def test_no_answer_about_one_function(
    text: str, status: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # What is refused is left to single paths, which go on until the budget is spent.
    more = ("--bound", "5", "--budget", "4")
    code, found, _ = asked(capsys, text + GOOD + WRONG, *more)
    rows = {row["function"]: row for row in found["results"]}
    assert rows["f"]["status"] == status
    assert rows["f"]["reason"].startswith(reason)
    assert rows["f"]["position"].startswith("p.py:")
    assert [row["status"] for row in found["results"]][-2:] == ["unsat", "sat"]
    assert code == 1


@pytest.mark.parametrize(
    "text",
    [
        "def f(n: int):\n    return f(n + 1)",
        "def f(xs: list[int]):\n    return f(xs[1:])",
        "def f(n: int):\n    return g(n)\ndef g(n):\n    return f(n)",
        "class C:\n    def __eq__(self, o):\n        return self == o\n"
        "def f(n: int):\n    return C() == n",
    ],
)
def test_recursion_without_end_is_a_failure(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = asked(capsys, text + GOOD)
    assert code == 1
    rows = {row["function"]: row for row in found["results"]}
    assert rows["f"]["failure"]["exception"] == "RecursionError"
    assert rows["f"]["confirmed"]
    code, found, _ = asked(capsys, text, "--no-probes", "--budget", "4")
    assert code == 3
    assert found["results"][0]["reason"]


def test_each_function_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = "def f(n: int):\n    return f(n)\nasync def g(x: int): pass\ndef h(x): pass\n"
    Path("p.py").write_text(text + GOOD + WRONG)
    assert main(["verify", "p.py"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [line[:40] for line in lines] == [
        "p.py:2: RecursionError: maximum recursio",
        "p.py:3: g: unknown",
        "p.py:7: good: verified, no inputs fail",
        "p.py:12: AssertionError when calling wro",
        "p.py:4: h: not checked: its parameter `x",
    ]


def test_the_exit_code_of_a_mixture() -> None:
    from solvent.verdicts import worst

    assert worst([]) == worst([0, 0]) == 0
    assert worst([0, 3, 0]) == 3
    assert worst([3, 2, 0]) == 2
    assert worst([3, 2, 1, 0]) == 1


def test_functions_without_inputs_are_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "def untyped(x):\n    assert x\ndef many(*args: int):\n    assert not args\n"
        "def named(**more: int):\n    assert not more\n"
    )
    code, found, _ = asked(capsys, text + GOOD)
    assert code == 0
    assert [row["function"] for row in found["not_checked"]] == ["untyped", "many", "named"]
    code, found, _ = asked(capsys, text + GOOD, "--input", "x=integers(0, 3)")
    assert code == 1
    assert [row["status"] for row in found["results"]] == ["sat", "unsat"]


def test_cached_functions_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    text = "import functools\n@functools.cache\ndef f(x: int):\n    assert x != 3\ng = f\n"
    code, found, _ = asked(capsys, text)
    assert code == 1
    assert [row["position"] for row in found["results"]] == ["p.py:2"]


@pytest.mark.parametrize("command", ["verify", "solve", "synthesize", "debug", "test"])
@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ("return f(n + 1)", 3, "this recursion does not end"),
        ("return hash(n / 2)", 3, "the hash of a symbolic"),
        ("return [0] * 10**12", 3, "more memory"),
    ],
)
def test_all_commands_say_it(
    command: str, body: str, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"def f(n: int):\n    {body}\n"
    # In a race CPython answers where symbolic runs cannot.
    more = ("--no-probes", "--budget", "4") if command == "verify" else ()
    found_code, found, _ = asked(capsys, text, "p.py::f", *more, command=command)
    assert found_code == code or (command == "verify" and found_code == 1)
    assert message in json.dumps(found) or found_code == 1


def test_a_repetition_without_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    text = "def f(n: int):\n    return bytes(n)\n"
    code, found, _ = asked(capsys, text, "p.py::f", command="test")
    assert code in (1, 3)
    assert "repeating a sequence more than 64 times" in json.dumps(found)


@pytest.mark.parametrize("command", ["verify", "solve", "synthesize", "debug", "test"])
def test_only_functions(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = "import math\nfrom solvent import Int\nx = Int('x') > 3\nclass C: pass\nshow = print\n"
    for name, message in (
        ("C", "the class `C`"),
        ("show", "the builtin `print`"),
        ("math", "not a function"),
        ("x", "not a function"),
    ):
        code, found, _ = asked(capsys, text, f"p.py::{name}", command=command)
        assert code == 2
        assert message in found["error"]


# --- findings that are hard to print --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "exception", "message"),
    [
        ("if x > 3: raise KeyboardInterrupt('own')", "KeyboardInterrupt", "own"),
        ("raise RecursionError('own')", "RecursionError", "own"),
        ("raise MemoryError", "MemoryError", ""),
        ("raise E", "E", "<a message whose str raises ZeroDivisionError>"),
        ("raise ValueError(E())", "ValueError", "<a message whose str raises ZeroDivisionError>"),
        ("raise ValueError(10**5000)", "ValueError", "1" + "0" * 996 + "..."),
        ("raise ValueError('a' * 1_000_000)", "ValueError", "a" * 997 + "..."),
        ("raise ValueError('\\ud800')", "ValueError", "\ud800"),
        ("return {E()}", "OverflowError", ""),
        ("return E() == 3", "KeyError", ""),
        ("if E(): pass", "LookupError", ""),
    ],
)
def test_findings(
    text: str, exception: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = f"""
class E(Exception):
    def __str__(self): 1 // 0
    def __hash__(self): raise OverflowError
    def __eq__(self, other): raise KeyError
    def __bool__(self): raise LookupError

def f(x: int):
    {text}
"""
    code, found, _ = asked(capsys, program)
    (row,) = found["results"]
    assert code == 1
    assert row["confirmed"]
    assert (row["failure"]["exception"], row["failure"]["message"]) == (exception, message)
    assert main(["verify", "p.py"]) == 1
    captured = capsys.readouterr()
    assert f": {exception}" in captured.out
    assert "Traceback" not in captured.err


def test_long_ints_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    _, found, _ = asked(capsys, "def f(x: int):\n    assert x != -10**5000\n")
    assert found["results"][0]["call"] == f"f(x=-1{'0' * 5000})"


def test_surrogates_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, found, _ = asked(capsys, "def f(s: str):\n    assert s != '\\ud800'\n")
    assert found["results"][0]["inputs"] == {"s": "'\\ud800'"}


def test_an_error_of_our_own_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise KeyError("mistake")

    monkeypatch.setattr("solvent.cli.asking.raced", broken)
    code, found, _ = asked(capsys, GOOD)
    assert code == 3
    assert "Solvent itself failed here" in found["results"][0]["reason"]
    monkeypatch.setattr("solvent.cli.selecting.targets", broken)
    code, found, errors = asked(capsys, GOOD)
    assert code == 3
    assert "KeyError: 'mistake'" in found["error"]
    assert errors.count("\n") == 1


def test_what_python_ignores_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    class Problem:
        object = asked
        exc_value = RecursionError("too deep")

    common.tell_ignored(Problem())  # type: ignore[arg-type]
    assert capsys.readouterr().err == "solvent: ignored in asked: RecursionError: too deep\n"
