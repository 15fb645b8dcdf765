"""The grammar of figure 13, and messages for what is outside of it."""

from __future__ import annotations

import pytest

from solvent.riscu.cstar.diagnostics import CStarError
from solvent.riscu.cstar.parser import parse
from solvent.riscu.cstar.syntax import (
    Assign,
    Binary,
    Cast,
    Dereference,
    Expression,
    If,
    Literal,
    Name,
    Negate,
    Return,
    String,
    Type,
    While,
)


def show(expression: Expression) -> str:
    """An expression with all its parentheses."""
    match expression:
        case Literal(_, value):
            return str(value)
        case String(_, text):
            return repr(text)
        case Name(_, name):
            return name
        case Negate(_, operand):
            return f"-{show(operand)}"
        case Dereference(_, operand):
            return f"*{show(operand)}"
        case Cast(_, kind, operand):
            return f"({kind}){show(operand)}"
        case Binary(_, operator, left, right):
            return f"({show(left)}{operator}{show(right)})"
    return f"{expression.name}({','.join(map(show, expression.arguments))})"


def expression(text: str) -> str:
    body = parse(f"uint64_t main() {{ return {text}; }}").procedures[0].body
    assert body is not None
    assert isinstance(body[0], Return)
    assert body[0].value is not None
    return show(body[0].value)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3", "(1+(2*3))"),
        ("1 - 2 - 3", "((1-2)-3)"),
        ("8 / 4 % 3", "((8/4)%3)"),
        ("1 + 2 < 3 * 4", "((1+2)<(3*4))"),
        ("(1 == 2) == 3", "((1==2)==3)"),
        ("-x * -1", "(-x*-1)"),
        ("-*x", "-*x"),
        ("(uint64_t*) -*x + 1", "((uint64_t*)-*x+1)"),
        ("*(x + 1)", "*(x+1)"),
        ("*f(1, 'a')", "*f(1,97)"),
        ('*"abc"', "*b'abc'"),
        ("(uint64_t) (uint64_t*) x", None),
        ("f(g(), h(1))", "f(g(),h(1))"),
    ],
)
def test_expressions(text: str, tree: str | None) -> None:
    if tree is None:
        with pytest.raises(CStarError, match="an operand is needed"):
            expression(text)
    else:
        assert expression(text) == tree


def test_declarations() -> None:
    unit = parse(
        """uint64_t a; uint64_t* b = (uint64_t*) 0; uint64_t c = -1; uint64_t d = 'x';
        void f(); uint64_t* g(uint64_t x, uint64_t* y) { uint64_t z; return y; }"""
    )
    assert [(one.name, one.type, one.value) for one in unit.variables] == [
        ("a", Type.WORD, 0),
        ("b", Type.POINTER, 0),
        ("c", Type.WORD, 2**64 - 1),
        ("d", Type.WORD, 120),
    ]
    f, g = unit.procedures
    assert (f.result, f.body) == (Type.VOID, None)
    assert [one.type for one in g.parameters] == [Type.WORD, Type.POINTER]
    assert [one.name for one in g.locals] == ["z"]


def test_statements() -> None:
    unit = parse(
        """void main() { x = 1; *x = 2; *(x + 1) = 3; f(); while (x) x = 0;
        if (x) { } else if (y) { x = 1; y = 2; } return; }"""
    )
    body = unit.procedures[0].body
    assert body is not None
    assert [type(one).__name__ for one in body] == (
        ["Assign"] * 3 + ["Perform", "While", "If", "Return"]
    )
    assert isinstance(body[2], Assign)
    assert show(body[2].target) == "*(x+1)"
    assert isinstance(body[4], While)
    assert len(body[4].body) == 1
    assert isinstance(body[5], If)
    assert isinstance(body[5].otherwise[0], If)


def test_an_else_belongs_to_the_last_if() -> None:
    body = parse("void main() { if (a) if (b) x = 1; else x = 2; }").procedures[0].body
    assert body is not None
    assert isinstance(body[0], If)
    assert body[0].otherwise == []


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("uint64_t x", ["(1,11): error: ';' is needed after a declaration, not end of file"]),
        ("int x;", ["(1,1): error: a type is needed at the start of a declaration, not int"]),
        ("void x;", ["(1,7): error: only a procedure can be void: '(' is needed here"]),
        ("void* f();", ["(1,5): error: C* has no type void*; write uint64_t*"]),
        ("uint64_t x = y;", ["(1,14): error: the initial value of a global variable is an"]),
        ("void main() { uint64_t x = 1; }", ["(1,26): error: a local variable gets its value"]),
        ("void main() { x = 1; uint64_t y; }", ["(1,22): error: local variables are declared"]),
        ("void main() { x = 1 < 2 < 3; }", ["(1,25): error: comparisons do not chain"]),
        ("void main() { x + 1; }", ["(1,17): error: '=' is needed in an assignment, not +"]),
        (
            "void main() { if x; y = ; }",
            ["(1,18): error: '(' is needed", "(1,25): error: an operand"],
        ),
        (
            "void main() { while (1 { x = 1; } y = 2 }",
            ["(1,24): error: ')' is", "(1,41): error: ';'"],
        ),
        ("void f() { x = ; } void g() { y = ; }", ["(1,16)", "(1,35)"]),
        ("void main() {", ["(1,14): error: '}' is needed at the end of a procedure"]),
        ("void main(x) { }", ["(1,11): error: a type is needed of a parameter, not x"]),
        (
            "uint64_t x = 1 & 2;",
            ["(1,16): error: C* has no symbol", "(1,18): error: ';' is needed"],
        ),
    ],
)
def test_mistakes(text: str, messages: list[str]) -> None:
    with pytest.raises(CStarError) as caught:
        parse(text, "a.c")
    found = str(caught.value).splitlines()
    assert len(found) == len(messages)
    for line, message in zip(found, messages, strict=True):
        assert line.startswith(f"a.c{message}")


def test_deep_nesting_is_no_problem() -> None:
    depth = 3000
    text = f"uint64_t main() {{ return {'(' * depth}1{')' * depth}; }}"
    assert parse(text).procedures[0].name == "main"
