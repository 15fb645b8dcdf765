"""Replacing expressions in source text."""

from __future__ import annotations

import ast
from typing import Any

Edit = tuple[int, int, str]


class Text:
    """The text of a file, as bytes: the columns of syntax trees count these."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: Any) -> tuple[int, int]:
        """Where a node starts and ends."""
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.data[start:end].decode()

    def replaced(self, start: int, end: int, edits: list[Edit]) -> str:
        """The text between two offsets with parts of it replaced.

        >>> Text("a + b").replaced(0, 5, [(4, 5, "c")])
        'a + c'
        """
        pieces = []
        for first, last, new in sorted(edits):
            pieces += [self.slice(start, first), new]
            start = last
        return "".join([*pieces, self.slice(start, end)])

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """The offsets of the whole lines that a part is in, and the empty ones after it."""
        first = max(found for found in self.starts if found <= start)
        after = next((n for n, found in enumerate(self.starts) if found >= end), -1)
        while after < len(self.starts) - 1 and not self.line(after).strip():
            after += 1
        return first, self.starts[after]

    def with_comment(self, end: int) -> int:
        """The end of a part, or of the comment after it on its line."""
        rest = self.data[end:].split(b"\n", 1)[0].rstrip()
        return end + len(rest) if rest.lstrip().startswith(b"#") else end

    def line(self, number: int) -> bytes:
        """A line, counted from 0."""
        return self.data[self.starts[number] : self.starts[number + 1]]


def expression(text: str) -> ast.expr:
    """The syntax tree of an expression."""
    return ast.parse(f"({text}\n)", mode="eval").body


# Where any expression may stand without parentheses.
_FREE = {
    (ast.Call, "args"), (ast.keyword, "value"), (ast.Return, "value"), (ast.Assign, "value"),
    (ast.AnnAssign, "value"), (ast.AugAssign, "value"), (ast.Expr, "value"), (ast.List, "elts"),
    (ast.Set, "elts"), (ast.Tuple, "elts"), (ast.Dict, "keys"), (ast.Dict, "values"),
    (ast.Subscript, "slice"), (ast.arguments, "defaults"), (ast.arguments, "kw_defaults"),
    (ast.If, "test"), (ast.While, "test"), (ast.Assert, "test"), (ast.For, "iter"),
    (ast.Match, "subject"), (ast.withitem, "context_expr"), (ast.Raise, "exc"),
    (ast.Slice, "lower"), (ast.Slice, "upper"), (ast.Slice, "step"),
    (ast.FunctionDef, "decorator_list"), (ast.ClassDef, "decorator_list"), (ast.Lambda, "body"),
}  # fmt: skip

# What needs parentheses even there.
_WEAK = (ast.NamedExpr, ast.Yield, ast.YieldFrom)


def in_place(text: str, child: ast.expr, parent: ast.AST, field: str) -> str:
    """The text of an expression, in parentheses if it needs them instead of a field of a node.

    >>> parent = expression("f() * 2")
    >>> in_place("a + b", parent.left, parent, "left"), in_place("a", parent.left, parent, "left")
    ('(a + b)', 'a')
    """
    found = expression(text)
    if isinstance(found, _WEAK) or (
        isinstance(parent, ast.Attribute) and isinstance(found, ast.Constant)
    ):
        needed = True
    elif (type(parent), field) in _FREE:
        needed = False
    elif not isinstance(parent, ast.expr):
        needed = True
    else:
        needed = _with(parent, child, found) == _with(parent, child, _MARK).replace(
            _MARK.id, f"({ast.unparse(found)})"
        )
    return f"({text})" if needed or "\n" in text else text


_MARK = ast.Name("_sv_mark", ast.Load())


def _with(parent: ast.expr, child: ast.expr, other: ast.expr) -> str:
    """The text of a node with another child."""

    def exchanged(value: Any) -> Any:
        if value is child:
            return other
        if isinstance(value, list):
            return [exchanged(item) for item in value]
        if isinstance(value, ast.AST):
            return type(value)(**{name: exchanged(v) for name, v in ast.iter_fields(value)})
        return value

    return ast.unparse(ast.fix_missing_locations(exchanged(parent)))


def dedented(text: str) -> str:
    r"""The text of a statement without the indentation of its first line.

    >>> print(dedented("    def f():\n        return '''\n    a'''"))
    def f():
        return '''
        a'''
    """
    lines = text.splitlines(keepends=True)
    indent = len(lines[0]) - len(lines[0].lstrip())
    if not indent:
        return text
    # What is inside of a string stays as it is.
    inside: set[int] = set()
    for node in ast.walk(ast.parse(f"if True:\n{text}")):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno is not None:
            inside.update(range(node.lineno + 1, node.end_lineno + 1))
    return "".join(
        line if number in inside or line[:indent].strip() else line[indent:] or "\n"
        for number, line in enumerate(lines, start=2)
    )
