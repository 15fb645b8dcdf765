"""Functions are short and simple, or say why they are not.

A function has at most 50 lines of code and a complexity of at most 15.  Docstrings, comments and
blank lines do not count; inner functions do.  Where calls would cost more than they explain, a
comment in the function says so: `# flat: the reason`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "solvent"
MODULES = sorted(SOURCE.rglob("*.py"))

MOST_LINES = 50
MOST_COMPLEX = 15
REASON = "# flat: "

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
WAYS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler)


def span(node: ast.stmt) -> set[int]:
    """The numbers of a statement's lines."""
    assert node.end_lineno is not None
    return set(range(node.lineno, node.end_lineno + 1))


def functions(tree: ast.AST) -> Iterator[Function]:
    """All functions, the inner ones and methods too."""
    for part in ast.walk(tree):
        if isinstance(part, FUNCTIONS):
            yield part


def length(function: Function, text: list[str]) -> int:
    """The number of lines of code."""
    lines = {n for n in span(function) if text[n - 1].strip() and not is_comment(text[n - 1])}
    for part in ast.walk(function):
        if isinstance(part, (*FUNCTIONS, ast.ClassDef)) and ast.get_docstring(part) is not None:
            lines -= span(part.body[0])
    return len(lines)


def is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def complexity(function: Function) -> int:
    """One for each function, branch, loop, handler and case in it, but for a last `case _`."""
    return sum(
        isinstance(part, (*FUNCTIONS, *WAYS))
        or (isinstance(part, ast.match_case) and not is_default(part))
        for part in ast.walk(function)
    )


def is_default(case: ast.match_case) -> bool:
    pattern = case.pattern
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None and case.guard is None


def gives_reason(function: Function, text: list[str]) -> bool:
    """Whether a function says why it is long, itself and not a function inside."""
    inner = [span(part) for part in functions(function) if part is not function]
    own = span(function).difference(*inner)
    return any(text[n - 1].lstrip().startswith(REASON) for n in own)


def mistakes(source: str) -> list[str]:
    """The functions that are too large and do not say why, and those that need no reason."""
    text = source.splitlines()
    found = []
    for function in functions(ast.parse(source)):
        lines, ways = length(function, text), complexity(function)
        large = lines > MOST_LINES or ways > MOST_COMPLEX
        if large and not gives_reason(function, text):
            found.append(f"{function.name} has {lines} lines and a complexity of {ways}")
        elif not large and gives_reason(function, text):
            found.append(f"{function.name} needs no reason")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_functions_are_small_or_say_why_not(path: Path) -> None:
    assert mistakes(path.read_text()) == []


LONG = "def f():\n" + "    g()\n" * 50
BRANCHING = "def f(x):\n" + "    if x: g()\n" * 15


def test_large_functions_are_found() -> None:
    assert mistakes(LONG) == ["f has 51 lines and a complexity of 1"]
    assert mistakes(BRANCHING) == ["f has 16 lines and a complexity of 16"]
    inside = "".join(f"    {line}\n" for line in BRANCHING.splitlines())
    assert len(mistakes("def outer():\n" + inside)) == 2


def test_what_says_why_is_accepted() -> None:
    assert mistakes(LONG + "    # flat: it is fast\n    h()") == []
    assert mistakes("def f():\n    # flat: it is fast\n    g()") == ["f needs no reason"]


def test_what_explains_does_not_count() -> None:
    text = "\n    ".join(["def f():", '"""What it does.', *["", "# Why."] * 30, '"""'])
    assert mistakes(text + "\n    g()" + "\n    # Why.\n" * 60 + "    h()") == []
