"""A text is taken for the source of typed code only if it is the source."""

from __future__ import annotations

import sys
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

import pytest

from solvent import Int
from solvent.lift import execute
from solvent.lift.typed import code_of


def typed(text: str, name: str, **names: Any) -> FunctionType:
    """A function as the prompt of Python 3.11 makes it."""
    namespace = dict(names)
    exec(compile(text, "<stdin>", "single"), namespace)
    found = namespace[name]
    assert isinstance(found, FunctionType)
    return found


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that `readline` remembers."""
    lines: list[str] = []
    fake = SimpleNamespace(
        get_current_history_length=lambda: len(lines),
        get_history_item=lambda place: lines[place - 1],
    )
    monkeypatch.setitem(sys.modules, "readline", fake)
    return lines


def remember(history: list[str], text: str) -> None:
    """Add lines as `readline` does: neither empty ones nor repeated ones."""
    for line in text.splitlines():
        if line and (not history or history[-1] != line):
            history.append(line)


def is_found(function: FunctionType) -> bool:
    return code_of(function).co_filename.startswith("<solvent-input-")


FIRST = "def f(x):\n    return x + 1 if x > 0 else 0\n"
SECOND = "def f(x):\n    return x + 2 if x > 0 else 0\n"


def test_the_right_one_of_two(history: list[str]) -> None:
    first, second = typed(FIRST, "f"), typed(SECOND, "f")
    remember(history, "import os\n" + FIRST + SECOND + "print(1)\n")
    assert str(execute(first, Int("x")).value) != str(execute(second, Int("x")).value)
    assert first(1) == 2
    assert second(1) == 3


def test_a_wrong_source_is_never_taken(history: list[str]) -> None:
    for other in (
        SECOND,
        FIRST.replace("f(x)", "f(y)"),
        FIRST.replace("+ 1", "+ True"),
        FIRST.replace("+ 1", "+ 1.0"),
        FIRST.replace("    ", "      "),
        "def g():\n" + "\n".join(f"    {line}" for line in FIRST.splitlines()),
    ):
        history.clear()
        remember(history, other)
        assert not is_found(typed(FIRST, "f")), other


@pytest.mark.parametrize(
    "text",
    [
        "@(lambda function:\nfunction)\ndef f(x):\n    return x\n",
        "def f(x):\n    x += 1\n    x += 1\n    return x\n",
        'def f(x):\n    """One.\n\n    Two.\n    """\n    return (\n\n        x)\n',
        "def f(x, y=[\n1,\n2]):\n    return x\n",
        "if True:\n    def f(x):\n        return x\nelse:\n    f = None\n",
        "f = lambda x: x + 1\n",
        "f = [lambda x: x + i for i in (3,)][0]\n",
        "def f(x):\n    return {1, 'a', 2.0, None}, -0.0, x\n",
        "def f(x):\n\treturn x\n",
    ],
)
def test_forms_of_input(text: str, history: list[str]) -> None:
    remember(history, "y = [\n1,\n]\n" + text + "print(f'{1}')\n")
    assert is_found(typed(text, "f"))


def test_inner_functions_and_methods(history: list[str]) -> None:
    text = "class C:\n  def m(self):\n    def inner(x):\n      return x\n    return inner\n"
    remember(history, text)
    namespace: dict[str, Any] = {}
    exec(compile(text, "<stdin>", "single"), namespace)
    inner = namespace["C"]().m()
    assert is_found(inner)
    assert is_found(namespace["C"].m)
    (constant,) = (c for c in namespace["C"].m.__code__.co_consts if isinstance(c, CodeType))
    assert constant.co_filename == inner.__code__.co_filename


def test_without_history_nothing_changes(history: list[str]) -> None:
    function = typed(FIRST, "f")
    before = function.__code__
    assert code_of(function) is before is function.__code__
